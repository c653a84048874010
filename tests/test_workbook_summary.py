"""The summary of the workbook: its counts, its charts, and what it says when nothing was found."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest
from openpyxl.utils import range_boundaries
from outputs import write
from record_samples import sample

from extractor.records import PaperRecord
from extractor.write.workbook_summary import LONGEST_LABEL, TOP_DATASETS, Counts, factor_labels

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
TITLES = ["Kinds of result", "Most used datasets", "Speedups by factor", "Code availability"]


def summary(path: Path) -> Any:
    return openpyxl.load_workbook(path)["summary"]


def blocks(path: Path) -> dict[str, list[tuple[str, int]]]:
    """Title → labels and counts, as the sheet shows them."""
    sheet = summary(path)
    found: dict[str, list[tuple[str, int]]] = {}
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value in TITLES:
                at = cell.row + 3
                found[cell.value] = []
                while sheet.cell(at, cell.column).value is not None and cell.column < sheet.max_column:
                    label, count = sheet.cell(at, cell.column), sheet.cell(at, cell.column + 1)
                    if count.value is None:
                        break
                    assert (label.data_type, count.data_type) == ("s", "n")
                    found[cell.value].append((label.value, count.value))
                    at += 1
    return found


def charts(path: Path) -> list[ElementTree.Element]:
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if name.startswith("xl/charts/"))
        return [ElementTree.fromstring(archive.read(name)) for name in names]


def speedups(*values: float, unit: str = "x") -> PaperRecord:
    result = sample().results[0]
    return sample(results=[result.model_copy(update={"value": value, "unit": unit}) for value in values])


def with_datasets(id: str, *names: str) -> PaperRecord:
    dataset = sample().datasets[0]
    return sample(id, datasets=[dataset.model_copy(update={"name": name, "canonical": name}) for name in names])


def test_the_counts_are_those_of_the_records(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample("a"), sample("b", code_status="none", links=[]), sample("c", results=[]))
    assert blocks(tmp_path / "out.xlsx") == {
        "Kinds of result": [("gain", 2), ("speedup", 2)],
        "Most used datasets": [("ImageNet-1k", 3)],
        "Speedups by factor": [(label, 2 if label == "3 to 5×" else 0) for label in factor_labels()],
        "Code availability": [("linked", 2), ("none", 1)],
    }
    told = summary(tmp_path / "out.xlsx")["A2"].value
    assert told == "3 papers, 6 methods, 4 results, 3 datasets, 2 links"


def test_one_of_a_thing_is_told_as_one(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample())
    assert summary(tmp_path / "out.xlsx")["A2"].value == "1 paper, 2 methods, 2 results, 1 dataset, 1 link"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (0.5, "under 1.5×"), (1.49, "under 1.5×"), (1.5, "1.5 to 2×"), (2, "2 to 3×"), (29.9, "10 to 30×"),
        (100, "100× and more"), (250_000, "100× and more"),
    ],
)  # fmt: skip
def test_a_speedup_is_counted_by_its_factor(value: float, label: str) -> None:
    counts = Counts()
    counts.add(speedups(value))
    (block,) = [block for block in counts.blocks() if block.title == "Speedups by factor"]
    assert [name for name, count in block.counts if count] == [label]
    assert "other units" not in block.remark


def test_speedups_that_are_no_factors_are_left_out_and_told() -> None:
    counts = Counts()
    counts.add(speedups(3, 4))
    counts.add(speedups(30, unit="percent"))
    (block,) = [block for block in counts.blocks() if block.title == "Speedups by factor"]
    assert sum(count for _, count in block.counts) == 2
    assert "1 in other units are left out" in block.remark


def test_a_dataset_counts_once_a_paper_and_the_first_are_shown(tmp_path: Path) -> None:
    many = [f"Set-{number:02}" for number in range(TOP_DATASETS + 5)]
    write(tmp_path / "out.xlsx", with_datasets("a", *many), with_datasets("b", "Set-07", "Set-07"))
    shown = blocks(tmp_path / "out.xlsx")["Most used datasets"]
    assert shown[:2] == [("Set-07", 2), ("Set-00", 1)] and len(shown) == TOP_DATASETS
    remarks = [cell.value for row in summary(tmp_path / "out.xlsx").iter_rows() for cell in row if cell.value]
    assert f"Papers that name a dataset, by its canonical name, the first {TOP_DATASETS} of {len(many)}." in remarks


def test_names_in_the_summary_are_text_of_bearable_length(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", with_datasets("a", "=1+1", "a\x00b\nc", "x" * 500, "<&>"))
    sheet = summary(tmp_path / "out.xlsx")
    shown = [label for label, _ in blocks(tmp_path / "out.xlsx")["Most used datasets"]]
    assert shown == ["<&>", "=1+1", "a\ufffdb c", "x" * (LONGEST_LABEL - 1) + "…"]
    quoted = [cell for row in sheet.iter_rows() for cell in row if cell.quotePrefix]
    assert [cell.value for cell in quoted] == ["=1+1"]


def test_every_chart_stands_on_the_cells_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample("a"), with_datasets("b", "A & B", "C"))
    sheet, made = summary(tmp_path / "out.xlsx"), charts(tmp_path / "out.xlsx")
    assert len(made) == len(TITLES)
    for chart, title in zip(made, TITLES, strict=True):
        for part, kind in (("cat", "str"), ("val", "num")):
            (data,) = chart.iter(f"{CHART}{part}")
            reference = data.find(f".//{CHART}f").text  # type: ignore[union-attr]
            left, top, right, bottom = range_boundaries(reference.removeprefix("summary!"))  # type: ignore[union-attr]
            assert left == right
            held = [str(sheet.cell(row, left).value) for row in range(top, bottom + 1)]
            drawn = [value.text for value in data.iter(f"{CHART}v")]
            assert drawn == held, f"{title}: what a viewer shows without reading the cells"
            assert data.find(f".//{CHART}{kind}Cache") is not None
            position = 0 if part == "cat" else 1
            assert held == [str(entry[position]) for entry in blocks(tmp_path / "out.xlsx")[title]]
        texts = ["".join(found.itertext()) for found in chart.iter(f"{CHART}title")]
        assert texts[0] == title and len(texts) == 3 and all(texts), "a title, and one for each axis"


def test_bars_go_from_the_largest_at_the_top(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample())
    for chart, title in zip(charts(tmp_path / "out.xlsx"), TITLES, strict=True):
        bars = chart.find(f".//{CHART}barDir").attrib["val"] == "bar"  # type: ignore[union-attr]
        assert bars is (title != "Speedups by factor")
        (categories,), (numbers,) = chart.iter(f"{CHART}catAx"), chart.iter(f"{CHART}valAx")
        turned = categories.find(f".//{CHART}orientation").attrib["val"] == "maxMin"  # type: ignore[union-attr]
        bottom = numbers.find(f"{CHART}crosses").attrib["val"] == "max"  # type: ignore[union-attr]
        assert turned is bars and bottom is bars


@pytest.mark.parametrize("papers", [0, 1])
def test_nothing_found_is_said_and_not_drawn(tmp_path: Path, papers: int) -> None:
    bare = sample(methods=[], datasets=[], results=[], links=[], code_status="none")
    write(tmp_path / "out.xlsx", *[bare] * papers)
    assert len(charts(tmp_path / "out.xlsx") if papers else []) == papers
    sheet = summary(tmp_path / "out.xlsx")
    said = [cell.value for row in sheet.iter_rows() for cell in row if cell.value]
    assert said.count("None were found.") == len(TITLES) - papers
