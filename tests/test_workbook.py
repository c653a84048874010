"""The Excel workbook: its sheets, types, tables, colours, links and limits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from outputs import PROBLEM, write
from record_samples import ABSTRACT, sample

from extractor.records import PaperRecord
from extractor.tables import TABLES
from extractor.write import workbook_sheets
from extractor.write.cells import CUT_MARK, MAX_CELL


def sheet_of(path: Path, name: str) -> Any:
    return openpyxl.load_workbook(path)[name]


def cells(path: Path, name: str) -> list[dict[str, Any]]:
    header, *body = sheet_of(path, name).iter_rows()
    return [{head.value: cell for head, cell in zip(header, row, strict=True)} for row in body]


def test_a_workbook_has_a_sheet_for_every_table_a_summary_and_one_about_itself(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample(), problems=(PROBLEM,))
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames == [*TABLES, "summary", "about"]
    assert book.active.title == "papers", "who opens it sees the data"
    for name, table in TABLES.items():
        sheet = book[name]
        assert [cell.value for cell in sheet[1]] == table.header
        assert sheet.freeze_panes == "B2"
        assert list(sheet.tables) == [name]
    about = {row[0].value: row[1].value for row in reversed(list(book["about"].iter_rows()))}
    assert about["papers"] == 1 and about["results"] == 2 and about["errors"] == 1
    assert "version 1" in about["schema"]


def test_numbers_in_a_workbook_are_numbers_and_ids_are_text(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", *[sample(id) for id in ("06-8108", "12345678901234567890", "-1", "1e5")])
    papers = cells(tmp_path / "out.xlsx", "papers")
    assert [row["id"].value for row in papers] == ["06-8108", "12345678901234567890", "-1", "1e5"]
    assert papers[0]["best_speedup"].value == 3.2
    for row in cells(tmp_path / "out.xlsx", "results"):
        assert all(row[name].data_type == "n" for name in ("value", "start", "end", "confidence"))
        assert row["evidence"].alignment.wrap_text


def test_sentences_wrap_in_rows_of_two_lines_and_abstracts_do_not_wrap(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample(), problems=(PROBLEM,))
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    (paper,) = cells(tmp_path / "out.xlsx", "papers")
    assert not paper["abstract"].alignment.wrap_text
    for name in ("papers", "results"):
        assert book[name].row_dimensions[1].height == 18
        assert {book[name].row_dimensions[n].height for n in range(2, book[name].max_row + 1)} == {30}
    assert book["errors"].row_dimensions[2].height is None, "messages are shown in full"
    for sheet in book:
        assert all(cell.alignment.vertical == "top" for row in sheet.iter_rows() for cell in row if cell.value)


def widths(path: Path, name: str) -> dict[str, float]:
    """Header → width, as a person sees it: XlsxWriter adds the padding of a cell to what is stored."""
    sheet = sheet_of(path, name)
    found: dict[str, float] = {}
    for letters in sheet.column_dimensions.values():
        for at in range(letters.min, letters.max + 1):
            found[sheet.cell(1, at).value] = int(letters.width)
    return found


def test_no_header_is_cut_by_its_filter_arrow(tmp_path: Path) -> None:
    write(tmp_path / "full.xlsx", sample(title="T", venue="V", year=2024, url="https://example.org"))
    write(tmp_path / "bare.xlsx", sample())
    write(tmp_path / "none.xlsx")
    for path in tmp_path.iterdir():
        for name, table in TABLES.items():
            made = widths(path, name)
            assert list(made) == table.header
            assert all(width >= len(header) + 3 for header, width in made.items())


def test_short_and_empty_columns_are_narrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bare.xlsx", sample())
    made = widths(tmp_path / "bare.xlsx", "papers")
    assert [made[name] for name in ("title", "venue", "year", "url")] == [8, 8, 8, 8]
    assert {widths(tmp_path / "bare.xlsx", "results")[name] for name in ("kind", "unit", "field")} == {14}
    assert widths(tmp_path / "bare.xlsx", "methods")["role"] == 14
    # A column that is filled on a later sheet is wide on all of them.
    monkeypatch.setattr(workbook_sheets, "MAX_ROWS", 2)
    write(tmp_path / "two.xlsx", sample("a"), sample("b", title="A title"))
    assert [widths(tmp_path / "two.xlsx", name)["title"] for name in ("papers", "papers 2")] == [50, 50]


@pytest.mark.parametrize(
    ("value", "format"),
    [
        (9999.0, "General"), (10_000.0, "#,##0"), (-1_250_000.0, "#,##0"), (10_000.5, "General"), (3.2, "General"),
        (7e11, "#,##0"), (1.5e13, "General"),
    ],
)  # fmt: skip
def test_large_whole_numbers_are_grouped_and_stay_numbers(tmp_path: Path, value: float, format: str) -> None:
    record = sample()
    results = [result.model_copy(update={"value": value, "high": value}) for result in record.results]
    write(tmp_path / "out.xlsx", record.model_copy(update={"results": results}))
    for row in cells(tmp_path / "out.xlsx", "results"):
        for name in ("value", "high"):
            assert (row[name].value, row[name].data_type, row[name].number_format) == (value, "n", format)


def test_the_types_a_workbook_tells_are_those_of_its_cells(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample())
    (link,) = cells(tmp_path / "out.xlsx", "links")
    told = {(row[0].value, row[1].value): row[2].value for row in sheet_of(tmp_path / "out.xlsx", "about").iter_rows()}
    assert (link["anonymous"].value, link["anonymous"].data_type) == ("false", "s")
    assert told["links", "anonymous"] == "text: true or false"
    assert told["links", "url"] == "text" and told["results", "value"] == "number"
    assert told["results", "start"] == "whole number"


def notes(path: Path) -> str:
    return " ".join(str(row[1].value) for row in sheet_of(path, "about").iter_rows() if row[0].value == "note")


def test_percentages_are_as_written_and_about_says_so(tmp_path: Path) -> None:
    results = [result.model_copy(update={"value": 95.0, "unit": "percent"}) for result in sample().results]
    write(tmp_path / "out.xlsx", sample(results=results))
    for row in cells(tmp_path / "out.xlsx", "results"):
        assert (row["value"].value, row["value"].number_format, row["unit"].value) == (95, "General", "percent")
    assert "95% is the value 95 with the unit percent" in notes(tmp_path / "out.xlsx")


def test_a_sheet_can_be_pivoted(tmp_path: Path) -> None:
    """One row of headers, no merged cells, one type a column, no empty row, and nothing for null."""
    sparse = sample("b", results=[result.model_copy(update={"unit": None}) for result in sample().results])
    write(tmp_path / "out.xlsx", sample("a"), sparse, problems=(PROBLEM,))
    book = openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=False)
    for name, table in TABLES.items():
        assert not book[name].merged_cells.ranges
        rows = cells(tmp_path / "out.xlsx", name)
        assert len(rows) == book[name].max_row - 1
        assert all(any(cell.value is not None for cell in row.values()) for row in rows)
        for column in table.columns:
            types = {row[column.name].data_type for row in rows if row[column.name].value is not None}
            assert types <= {"n" if column.type in ("integer", "number") else "s"}
            assert "" not in [row[column.name].value for row in rows]


def test_a_confidence_is_shown_short_and_held_in_full(tmp_path: Path) -> None:
    results = [result.model_copy(update={"confidence": 0.123456789}) for result in sample().results]
    write(tmp_path / "out.xlsx", sample(results=results))
    for row in cells(tmp_path / "out.xlsx", "results"):
        assert (row["confidence"].value, row["confidence"].number_format) == (0.123456789, "0.000")


@pytest.mark.parametrize("confidence", [0.0, 0.3, 0.49999, 0.5, 0.79999, 0.8, 0.99, 1.0])
def test_every_confidence_has_one_colour_and_doubt_shows_on_the_value_too(tmp_path: Path, confidence: float) -> None:
    write(tmp_path / "out.xlsx", sample("a"), sample("b"))
    colours = {}
    for name, shown in (("results", "value"), ("methods", "name"), ("datasets", "name")):
        sheet = sheet_of(tmp_path / "out.xlsx", name)
        letters = {cell.value: cell.column_letter for cell in sheet[1]}
        for column in ("confidence", shown):
            found = []
            for area in sheet.conditional_formatting:
                if f"{letters[column]}2:{letters[column]}{sheet.max_row}" in str(area.sqref).split():
                    found += [
                        rule.dxf.fill.bgColor.rgb
                        for rule in area.rules
                        if meets(rule.formula[0], letters["confidence"], confidence)
                    ]
            colours[name, column] = found
    sure = confidence >= 0.8
    assert {len(found) for (_, column), found in colours.items() if column == "confidence"} == {1}
    assert {len(found) for (_, column), found in colours.items() if column != "confidence"} == {0 if sure else 1}
    assert len({colour for found in colours.values() for colour in found}) == 1


def meets(formula: str, letter: str, value: float) -> bool:
    """Whether ``value`` in the column ``letter`` meets a rule for the first row."""
    found = re.fullmatch(rf"AND\(\${letter}2>=([\d.]+),\${letter}2<([\d.]+)\)", formula)
    assert found, formula
    return float(found[1]) <= value < float(found[2])


def test_about_shows_the_colours_it_explains(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample())
    about = sheet_of(tmp_path / "out.xlsx", "about")
    shown = [row[1].fill.fgColor.rgb for row in about.iter_rows() if row[0].value == "colour"]
    rules = sheet_of(tmp_path / "out.xlsx", "results").conditional_formatting
    assert shown == [rule.dxf.fill.bgColor.rgb for area in rules for rule in area.rules]


def test_urls_in_a_workbook_are_links(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample())
    (row,) = cells(tmp_path / "out.xlsx", "links")
    assert row["url"].hyperlink.target == row["url"].value == "https://github.com/quick/net"


def with_url(id: str, url: str) -> PaperRecord:
    return sample(id, url=url)


def test_more_links_than_a_sheet_may_hold_become_text_and_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_sheets, "MAX_LINKS", 2)
    long = "https://example.org/" + "x" * 2079
    write(tmp_path / "out.xlsx", with_url("a", long), *[with_url(str(n), f"https://example.org/{n}") for n in range(3)])
    papers = cells(tmp_path / "out.xlsx", "papers")
    assert [row["url"].value for row in papers] == [long, *(f"https://example.org/{n}" for n in range(3))]
    assert [bool(row["url"].hyperlink) for row in papers] == [False, True, False, False]
    assert "addresses are plain text" in notes(tmp_path / "out.xlsx")


def test_a_workbook_goes_on_in_another_sheet_when_one_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_sheets, "MAX_ROWS", 4)
    write(tmp_path / "out.xlsx", *[sample(str(n)) for n in range(4)])
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    found = [row[1].value for name in ("results", "results 2", "results 3") for row in list(book[name].iter_rows())[1:]]
    assert found == [f"{n}-r{m}" for n in range(4) for m in (1, 2)]


def test_a_workbook_survives_what_excel_cannot_hold_and_says_so(tmp_path: Path) -> None:
    text = ABSTRACT + " \x00\x0b\x1b\ufffe " + "😀" * 20_000
    write(tmp_path / "out.xlsx", sample(abstract=text))
    (row,) = cells(tmp_path / "out.xlsx", "papers")
    value = row["abstract"].value
    assert value.startswith(ABSTRACT + " ���� 😀") and value.endswith("😀" + CUT_MARK)
    assert len(value.encode("utf-16-le")) // 2 <= MAX_CELL
    assert "1 cells were longer" in notes(tmp_path / "out.xlsx")
    assert "control characters" in notes(tmp_path / "out.xlsx")


def test_no_cell_of_a_workbook_is_a_formula(tmp_path: Path) -> None:
    bad = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "{=1}"]
    write(tmp_path / "out.xlsx", *[sample(title=text, id=text) for text in bad])
    for sheet in openpyxl.load_workbook(tmp_path / "out.xlsx"):
        for row in sheet.iter_rows():
            assert all(cell.data_type != "f" for cell in row)
    papers = cells(tmp_path / "out.xlsx", "papers")
    assert [row["title"].value for row in papers][:4] == bad[:4]
    assert [row["title"].quotePrefix for row in papers] == [True] * 6 + [False]


def test_a_workbook_can_be_read_as_a_stream(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample())
    book = openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)
    header, first, *_ = book["results"].iter_rows(values_only=True)
    row = dict(zip(header, first, strict=True))
    assert row == sample().to_rows("results")[0]
    book.close()


def test_the_same_records_make_the_same_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    for name in ("a.xlsx", "b.xlsx"):
        write(tmp_path / name, sample())
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    write(tmp_path / "dated.xlsx", sample())
    about = {row[0].value: row[1].value for row in sheet_of(tmp_path / "dated.xlsx", "about").iter_rows()}
    assert about["date"] == "2023-11-14"
