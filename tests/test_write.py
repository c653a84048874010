"""Outputs: what each format holds, and that an output appears whole or not at all."""

from __future__ import annotations

import csv
import gzip
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from outputs import PROBLEM, write
from record_samples import ABSTRACT, sample

from extractor.errors import UsageError, WriteError
from extractor.records import PaperRecord
from extractor.write import FORMATS, Output, choose_format
from extractor.write.cells import CUT_MARK, MAX_CELL, Notes, fitted, guarded, unguarded


def rows(path: Path, **options: Any) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream, **options))


# --- the formats


def test_json_lines_hold_a_record_a_line(tmp_path: Path) -> None:
    write(tmp_path / "out.jsonl", sample("a"), sample("b"))
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert [PaperRecord.model_validate_json(line).id for line in lines] == ["a", "b"]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_json_is_an_array(tmp_path: Path, count: int) -> None:
    write(tmp_path / "out.json", *[sample(str(n)) for n in range(count)])
    assert [entry["id"] for entry in json.loads((tmp_path / "out.json").read_text("utf-8"))] == ["0", "1"][:count]


def test_csv_holds_the_results_unless_another_table_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "out.csv", sample())
    write(tmp_path / "papers.csv", sample(), table="papers")
    first, second = rows(tmp_path / "out.csv")
    assert (first["value"], first["unit"], first["high"], first["metric"]) == ("3.2", "x", "", "")
    assert second["quote"] == "'+1.5 points"
    assert [row["id"] for row in rows(tmp_path / "papers.csv")] == ["quick"]


def test_tsv_is_the_same_with_tabs(tmp_path: Path) -> None:
    write(tmp_path / "out.tsv", sample())
    assert [row["value"] for row in rows(tmp_path / "out.tsv", delimiter="\t")] == ["3.2", "1.5"]


def test_a_table_can_be_json_lines_too(tmp_path: Path) -> None:
    write(tmp_path / "rows.jsonl", sample(), table="results")
    made = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text("utf-8").splitlines()]
    assert made == sample().to_rows("results")


def test_the_errors_table_holds_the_problems(tmp_path: Path) -> None:
    write(tmp_path / "errors.csv", sample(), problems=(PROBLEM,), table="errors")
    assert rows(tmp_path / "errors.csv") == [
        {"file": "a.jsonl", "line": "3", "index": "2", "id": "", "severity": "error", "message": "not JSON"}
    ]


def test_csv_cells_come_back_as_they_were(tmp_path: Path) -> None:
    nasty = [ABSTRACT + end for end in (' "quoted", with; commas\ttabs', "\r\nlines\r", " ", "\nlast", "’é漢😀")]
    write(tmp_path / "out.csv", *[sample(abstract=text) for text in nasty], table="papers")
    assert [row["abstract"] for row in rows(tmp_path / "out.csv")] == nasty


def test_excel_gets_a_byte_order_mark_and_its_line_ends(tmp_path: Path) -> None:
    write(tmp_path / "out.csv", sample(), excel=True)
    data = (tmp_path / "out.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfpaper_id,")
    assert data.count(b"\r\n") == 3 and data.count(b"\n") == 3


def test_a_compressed_output_has_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write(tmp_path / name, sample())
    one, other = ((tmp_path / name).read_bytes() for name in ("a.jsonl.gz", "b.jsonl.gz"))
    assert one == other
    assert PaperRecord.model_validate_json(gzip.decompress(one)) == sample()


# --- cells


@pytest.mark.parametrize("text", ["=1+1", "+17.0 points", "-x", "@a", "\tx", "\r=1", "-", "'=1", "＝1", "\n=1", "-1-1"])
def test_text_that_could_be_a_formula_is_guarded_and_can_be_restored(text: str) -> None:
    assert guarded(text) == "'" + text
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["-0.5", "+17.0", "-1e-5", "+95%", "-.5", "word", "'quoted'", "1=1", ""])
def test_numbers_and_ordinary_text_stay_what_they_are(text: str) -> None:
    assert guarded(text) == text
    assert unguarded(text) == text


@pytest.mark.parametrize("character", ["x", "😀"])
@pytest.mark.parametrize("length", [MAX_CELL // 2, MAX_CELL - 1, MAX_CELL, MAX_CELL + 1, 3 * MAX_CELL])
def test_a_cell_is_cut_only_when_it_must_be(character: str, length: int) -> None:
    notes = Notes()
    text = character * length
    made = fitted(text, notes)
    units = len(made.encode("utf-16-le")) // 2
    assert units <= MAX_CELL
    if len(text.encode("utf-16-le")) // 2 <= MAX_CELL:
        assert made == text and not notes.cut
    else:
        assert made.endswith(CUT_MARK) and units >= MAX_CELL - 1 and notes.cut == 1


# --- which format


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.jsonl", "jsonl"), ("a.ndjson", "jsonl"), ("A.JSON", "json"), ("a.b.csv", "csv"), ("a.tsv.gz", "tsv"),
        ("a.xlsx", "xlsx"), ("new/", "folder"), ("/dev/null", "jsonl"),
    ],
)  # fmt: skip
def test_the_name_of_an_output_tells_its_format(name: str, format: str) -> None:
    assert choose_format(name).name == format


def test_an_existing_folder_is_a_folder_of_tables(tmp_path: Path) -> None:
    assert choose_format(str(tmp_path)).name == "folder"


def test_an_unknown_suffix_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"out\.ods: .*\.xlsx.*--format"):
        choose_format("out.ods")


@pytest.mark.parametrize(
    "options",
    [{"format": "ods"}, {"table": "sheets"}, {"format": "xlsx", "table": "papers"}, {"excel": True}],
)
def test_what_a_format_cannot_do_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Output(str(tmp_path / "out.jsonl"), **options)


# --- whole or not at all


@pytest.mark.parametrize("name", ["out.jsonl", "out.json", "out.csv", "out.tsv", "out.xlsx", "out.jsonl.gz"])
def test_a_failed_run_leaves_the_old_output_and_keeps_what_was_done_beside_it(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    target.write_bytes(b"old")
    out = Output(str(target))
    with pytest.raises(KeyboardInterrupt), out:
        out.add(sample())
        raise KeyboardInterrupt
    assert target.read_bytes() == b"old"
    assert out.kept is not None and out.kept.name.startswith("out.partial.") and out.kept.stat().st_size > 0
    assert {file.name for file in tmp_path.iterdir()} == {name, out.kept.name}
    whole = tmp_path / name.replace("out", "whole")
    write(whole, sample())
    assert out.kept.read_bytes() == whole.read_bytes()


def test_a_second_failed_run_does_not_harm_what_the_first_kept(tmp_path: Path) -> None:
    for id in ("first", "second"):
        with pytest.raises(ValueError), Output(str(tmp_path / "out.jsonl")) as out:
            out.add(sample(id))
            raise ValueError
    assert "first" in (tmp_path / "out.partial.jsonl").read_text("utf-8")
    assert "second" in (tmp_path / "out.partial-2.jsonl").read_text("utf-8")


def test_a_failed_folder_is_kept_as_another_folder(tmp_path: Path) -> None:
    write(f"{tmp_path}/tables/", sample("old"))
    with pytest.raises(ValueError), Output(f"{tmp_path}/tables/") as out:
        out.add(sample("new"))
        raise ValueError
    assert rows(tmp_path / "tables" / "papers.csv")[0]["id"] == "old"
    assert rows(tmp_path / "tables.partial" / "papers.csv")[0]["id"] == "new"


@pytest.mark.parametrize("name", ["out.jsonl", "out.xlsx", "out/"])
def test_a_run_that_fails_before_the_first_record_leaves_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError), Output(f"{tmp_path}/{name}"):
        raise ValueError
    assert list(tmp_path.iterdir()) == []


def test_other_files_of_a_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("mine")
    write(tmp_path, sample())
    assert (tmp_path / "notes.md").read_text() == "mine"
    assert (tmp_path / "results.csv").exists()


def test_an_output_keeps_its_permissions_and_a_link_keeps_pointing(tmp_path: Path) -> None:
    target = tmp_path / "real.csv"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link.csv").symlink_to(target)
    write(tmp_path / "link.csv", sample())
    assert (tmp_path / "link.csv").is_symlink()
    assert "QuickNet" in target.read_text("utf-8")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_device_is_written_and_not_replaced() -> None:
    write("/dev/null", sample())
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_an_output_in_a_folder_that_is_not_there_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="there is no folder"), Output(str(tmp_path / "no" / "out.csv")):
        pytest.fail("nothing may be done")


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("file")
    with pytest.raises(WriteError, match="is a file"), Output(f"{tmp_path}/out/"):
        pytest.fail("nothing may be done")


def test_a_full_disk_is_told_in_one_line() -> None:
    with pytest.raises(WriteError, match=r"/dev/full: cannot be written: No space left"):
        write("/dev/full", *[sample(str(n)) for n in range(100)])


def test_every_format_is_described() -> None:
    for made in FORMATS.values():
        assert made.description and made.suffixes
