"""Edited tables as files: what every spreadsheet makes of them comes back unedited, and what is none is told."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from record_samples import ABSTRACT, sample
from test_cli import call

from extractor import Extractor
from extractor.correct import Tally, correct, read_corrections
from extractor.correct.cells import is_unedited
from extractor.correct.delimited import find_delimiter
from extractor.correct.rows import ID_COLUMNS
from extractor.read import Problem
from extractor.records import Dataset, Extent, Method, PaperRecord, Result, Span
from extractor.write import Output
from extractor.write.cells import CUT_MARK

TABLES = ("methods", "datasets", "results")
NASTY = [
    "=1+1", "'=1", "''+x", "@SUM(A1)", "-1", "+1.5", "12", "1.50", "007", "1E5", "1234567890123456789", "TRUE", "false",
    "3-4", "MAR5", "95%", "$5", "10:1", " ", "  two  spaces ", "a\r\nb", "a\rb", "\ttab", "\x01\x1f", "\x85", "\u2028",
    "_x0041_", "_x000D_", "a; b", ";", f"end{CUT_MARK}", "\ufffd", "\ufffe", "é漢😀", "'", '"', '""', "<b>&amp;",
    "#N/A", "null", "-r1", "a-m1", "\u202e", "\ufeff",
]  # fmt: skip
LONG = ["x" * 40_000, "😀" * 20_000, "=" * 32_767, "-1" * 20_000]
texts = st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=12).filter(lambda text: not _is_broken(text)))
numbers = st.one_of(
    st.floats(-1e300, 1e300),
    st.integers(0, 10**18).map(float),
    st.sampled_from([0.1 + 0.2, 1e22]),
)


def _is_broken(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


@st.composite
def hostile(draw: st.DrawFn) -> PaperRecord:
    """A sound record whose every text may be what a spreadsheet takes for something else."""
    pieces = draw(st.lists(texts, min_size=1, max_size=4))
    abstract = "".join(pieces)
    spans = []
    for at, piece in enumerate(pieces):
        start = len("".join(pieces[:at]))
        spans.append(Span(start=start, end=start + len(piece), text=piece))
    span, marks = st.sampled_from(spans), {"confidence": draw(st.floats(0, 1)), "rule": draw(texts)}
    names = st.lists(texts, max_size=3, unique=True)
    methods = [
        Method(
            name=name, full_name=draw(st.none() | texts), aliases=draw(names), role="proposed",
            mentions=draw(st.lists(span, max_size=2)), **marks,
        )
        for name in draw(names)
    ]  # fmt: skip
    datasets = [
        Dataset(name=name, canonical=draw(texts), role="used", mentions=[draw(span)], **marks) for name in draw(names)
    ]
    optional = ("unit", "metric", "subject", "baseline", "method", "baseline_method")
    results = [
        Result(
            value=draw(numbers), high=draw(st.none() | numbers), kind="gain", datasets=draw(names), span=draw(span),
            sentence=Extent(start=0, end=len(abstract)), **marks,
            **{name: draw(st.none() | texts) for name in optional},
        )
        for _ in range(draw(st.integers(0, 2)))
    ]  # fmt: skip
    return PaperRecord(id=draw(texts), abstract=abstract, methods=methods, datasets=datasets, results=results)


def come_back(folder: Path, records: list[PaperRecord], *edited: Path | str) -> tuple[list[str], list[Problem], Tally]:
    """The lines of the records, corrected with the files ``edited``."""
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(record.model_dump_json().encode() + b"\n" for record in records))
    tally = Tally()
    made = list(correct(str(path), read_corrections([str(file) for file in edited]), tally))
    lines = [entry.model_dump_json() for entry in made if isinstance(entry, PaperRecord)]
    return lines, [entry for entry in made if isinstance(entry, Problem)], tally


def assert_unchanged(folder: Path, records: list[PaperRecord], *edited: Path | str) -> None:
    lines, problems, _ = come_back(folder, records, *edited)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert lines == [record.model_dump_json() for record in records]


def write(name: Path | str, records: list[PaperRecord], **options: Any) -> None:
    with Output(str(name), **options) as out:
        for record in records:
            out.add(record)


def write_tables(folder: Path, records: list[PaperRecord], suffix: str = ".csv", **options: Any) -> list[Path]:
    files = [folder / (table + suffix) for table in TABLES]
    for table, file in zip(TABLES, files, strict=True):
        write(file, records, table=table, **options)
    return files


# --- the way there and back changes nothing


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(records=st.lists(hostile(), min_size=1, max_size=3))
def test_hostile_records_come_back_from_every_format_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, records: list[PaperRecord]
) -> None:
    folder = tmp_path_factory.mktemp("back")
    write(folder / "out.xlsx", records)
    assert_unchanged(folder, records, folder / "out.xlsx")
    for options in ({}, {"excel": True}):
        assert_unchanged(folder, records, *write_tables(folder, records, **options))
        write(f"{folder}/tables/", records, **options)
        assert_unchanged(folder, records, folder / "tables")
    assert_unchanged(folder, records, *write_tables(folder, records, ".tsv"))


def test_long_texts_come_back_from_every_format_as_they_were(tmp_path: Path) -> None:
    """Cells that are cut, and rows whose ids are."""
    number = sample().results[0]
    records = [
        sample(long if n % 2 else str(n), results=[number.model_copy(update={"metric": long, "unit": long})])
        for n, long in enumerate(LONG)
    ]
    write(tmp_path / "out.xlsx", records)
    assert_unchanged(tmp_path, records, tmp_path / "out.xlsx")
    assert_unchanged(tmp_path, records, *write_tables(tmp_path, records, excel=True))
    assert_unchanged(tmp_path, records, *write_tables(tmp_path, records))


def test_real_abstracts_come_back_as_they_were(shared: Path, tmp_path: Path, extractor: Extractor) -> None:
    with gzip.open(shared / "corpus" / "abstracts.jsonl.gz") as stream:
        papers = [json.loads(line) for line in islice(stream, 60)]
    records = [extractor.extract(paper["text"], title=paper["title"], id=paper["id"]) for paper in papers]
    assert sum(len(record.results) for record in records) > 30
    write(tmp_path / "out.xlsx", records)
    assert_unchanged(tmp_path, records, tmp_path / "out.xlsx")
    assert_unchanged(tmp_path, records, *write_tables(tmp_path, records, excel=True))


@pytest.fixture
def office(tmp_path: Path) -> Callable[..., None]:
    """LibreOffice, which opens a file and saves it anew."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")

    def save(file: Path, folder: Path, to: str, *options: str) -> None:
        profile = f"-env:UserInstallation=file://{tmp_path}/profile"
        command = [program, profile, "--headless", "--convert-to", to, "--outdir", folder, *options, file]
        subprocess.run(command, check=True, capture_output=True, timeout=120)

    return save


def office_records() -> list[PaperRecord]:
    """Records with what a spreadsheet likes to change."""
    made = []
    for n, text in enumerate(NASTY):
        abstract = f"{ABSTRACT} {text} and 95.5% or +5% or 11,264 for $5."
        at = len(ABSTRACT) + 1
        quotes = ["95.5%", "+5%", "11,264", "$5"]
        more = [
            sample()
            .results[0]
            .model_copy(update={"span": _span(abstract, quote), "value": 1_234_567.0, "metric": text})
            for quote in quotes
        ]
        odd = Method(
            name=text, role="mentioned", confidence=1 / 3, rule="test",
            mentions=[Span(start=at, end=at + len(text), text=text)],
        )  # fmt: skip
        made.append(sample(f"p{n}", abstract, methods=[*sample().methods, odd], results=[*sample().results, *more]))
    return made


def _span(abstract: str, quote: str) -> Span:
    at = abstract.rindex(quote)
    return Span(start=at, end=at + len(quote), text=quote)


def test_a_workbook_that_libreoffice_saved_is_unedited(tmp_path: Path, office: Callable[..., None]) -> None:
    records = office_records()
    write(tmp_path / "out.xlsx", records)
    office(tmp_path / "out.xlsx", tmp_path / "saved", "xlsx")
    assert_unchanged(tmp_path, records, tmp_path / "saved" / "out.xlsx")


def test_tables_that_libreoffice_saved_are_unedited(tmp_path: Path, office: Callable[..., None]) -> None:
    records = office_records()
    # Comma, quotation mark, UTF-8, and on the way in numbers, percentages and dates are looked for.
    way = "Text - txt - csv (StarCalc):44,34,76,1,,0,false,true"
    files = write_tables(tmp_path, records, excel=True)
    for file in files:
        office(file, tmp_path / "saved", f"csv:{way}", f"--infilter={way}")
    assert_unchanged(tmp_path, records, *(tmp_path / "saved" / file.name for file in files))


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("1.23457E+12", 1_234_567_890_123.0), ("1.2E+06", 1.2e6), ("12,345", 12345.0), ("0.123456789", 0.12345678912),
        ("1.5", "1.50"), ("7", "007"), (7, "007"), ("100000", "1E5"), ("TRUE", "true"), (True, "true"), ("", None),
        ("23.90%", "23.9%"), (0.5, 0.5), ("=1", "=1"), ("'=1", "=1"), ("a b", " a\r\nb "),
        ("1.23457E+18", "1234567890123456789"),
    ],
)  # fmt: skip
def test_what_a_spreadsheet_shows_of_a_cell_is_no_edit(shown: Any, written: Any) -> None:
    assert is_unedited(shown, written)


@pytest.mark.parametrize(
    ("cell", "written"),
    [("1.6", 1.5), ("1.23E+12", 1_234_567_890_123.0), ("1.51", "1.50"), ("b", "a"), (None, "a"), ("a", None),
     ("0", None), ("5%", 5.0), ("5%", "5"), (1e-12, 0.0), ("TRUE", "yes"), ("1.234", 1234.0)],
)  # fmt: skip
def test_another_value_is_an_edit(cell: Any, written: Any) -> None:
    assert not is_unedited(cell, written)


# --- workbooks as a person edits them


@pytest.fixture
def book(tmp_path: Path) -> Path:
    write(tmp_path / "book.xlsx", [sample("a"), sample("b")])
    return tmp_path / "book.xlsx"


def edit(path: Path, change: Callable[[Any], None]) -> Path:
    made = openpyxl.load_workbook(path)
    change(made)
    made.save(path)
    return path


def cell(book: Any, table: str, column: str, row: int = 2) -> Any:
    header = [cell.value for cell in book[table][1]]
    return book[table].cell(row, header.index(column) + 1)


def test_edits_of_all_three_sheets_come_back(tmp_path: Path, book: Path) -> None:
    def change(made: Any) -> None:
        cell(made, "results", "value").value = 4
        cell(made, "methods", "name").value = "network"
        made["datasets"].delete_rows(2)
        made["results"].append(["a", None, "size", 1000] + [None] * 9 + ["1K"])

    lines, problems, tally = come_back(tmp_path, [sample("a"), sample("b")], edit(book, change))
    # The only row of the paper in that sheet: it is left, and told.
    assert problems == [] and tally.absent == {"datasets": 1}
    first = PaperRecord.model_validate_json(lines[0])
    assert (first.results[0].value, first.methods[0].name, len(first.datasets)) == (4.0, "network", 1)
    assert (first.results[2].value, first.results[2].span.text) == (1000.0, "1K")
    assert (tally.changed, tally.cells, tally.added, tally.deleted) == (1, 2, 1, 0)
    assert lines[1] == sample("b").model_dump_json()


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("value", "=1+1", "value holds a formula: put its value in its place"),
        ("evidence", "=A1", "evidence holds a formula"),
        ("value", date(2026, 4, 3), "value is a date (2026-04-03) the spreadsheet made"),
        ("metric", date(2026, 4, 3), "metric is a date (2026-04-03) the spreadsheet made"),
        ("metric", "#REF!", "metric is the error #REF!"),
        ("value", "3,2", 'value "3,2" is not a number'),
        ("value", True, 'value "true" is not a number'),
    ],
)
def test_a_cell_without_a_usable_value_is_told_with_its_sheet_and_row(
    tmp_path: Path, book: Path, column: str, value: Any, said: str
) -> None:
    if value == "3,2":  # 32 in some countries, 3.2 in others

        def change(made: Any) -> None:
            cell(made, "results", column, 3).value = value
            cell(made, "results", column, 3).data_type = "s"
    else:

        def change(made: Any) -> None:
            cell(made, "results", column, 3).value = value

    lines, (problem,), _ = come_back(tmp_path, [sample("a"), sample("b")], edit(book, change))
    assert problem.file == str(book) and problem.message.startswith("sheet results, row 3: " + said)
    assert lines == [sample(id).model_dump_json() for id in ("a", "b")]


def test_a_percentage_is_told_and_one_that_is_only_shown_is_no_edit(tmp_path: Path, book: Path) -> None:
    def show(made: Any) -> None:
        cell(made, "results", "confidence").number_format = "0.00%"

    assert_unchanged(tmp_path, [sample("a"), sample("b")], edit(book, show))

    def change(made: Any) -> None:
        cell(made, "results", "value").value = 0.95
        cell(made, "results", "value").number_format = "0%"

    _, (problem,), _ = come_back(tmp_path, [sample("a"), sample("b")], edit(book, change))
    assert "value is shown as 95% and is 0.95: write a plain number, and percent as the unit" in problem.message


def test_numbers_written_as_names_are_names_again(tmp_path: Path, book: Path) -> None:
    def change(made: Any) -> None:
        cell(made, "results", "metric").value = 12
        cell(made, "results", "subject").value = 1.5

    lines, problems, _ = come_back(tmp_path, [sample("a"), sample("b")], edit(book, change))
    made = PaperRecord.model_validate_json(lines[0]).results[0]
    assert problems == [] and (made.metric, made.subject) == ("12", "1.5")


def test_sheets_may_be_rearranged(tmp_path: Path, book: Path) -> None:
    """Sorted rows, other columns in another order, empty rows, notes, copies of sheets, other sheets gone."""

    def change(made: Any) -> None:
        sheet = made["results"]
        rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
        rows = [rows[0], *reversed(rows[1:])]
        kept = [at for at, name in enumerate(rows[0]) if name not in ("high", "evidence", "paper_id")]
        del made["results"], made["papers"], made["links"], made["about"]
        made.create_sheet("copy of results").append(rows[0])
        sheet = made.create_sheet("Results ")
        sheet.append([])
        sheet.append([str(rows[0][at]).replace("_", " ").title() + " " for at in reversed(kept)] + ["My notes", None])
        for n, row in enumerate(rows[1:]):
            sheet.append([])
            sheet.append([row[at] for at in reversed(kept)] + [f"note {n}"])

    lines, problems, _ = come_back(tmp_path, [sample("a"), sample("b")], edit(book, change))
    assert [(problem.severity, problem.message) for problem in problems] == [
        ("warning", "sheet copy of results: left out beside results; to have it read too, name it results 2"),
        ("warning", "sheet Results : columns that are not of the table are left out: My notes"),
    ]
    assert lines == [sample(id).model_dump_json() for id in ("a", "b")]


def test_a_sheet_under_another_name_is_known_by_its_header(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    made["Sheet"].append(["result_id", "metric"])
    made["Sheet"].append(["a-r1", "latency"])
    made.create_sheet("notes").append(["nothing"])
    made.save(tmp_path / "fixes.xlsx")
    lines, problems, _ = come_back(tmp_path, [sample("a")], tmp_path / "fixes.xlsx")
    record = PaperRecord.model_validate_json(lines[0])
    assert problems == [] and [r.metric for r in record.results] == ["latency"]  # the other row is not there


def test_a_sheet_that_was_renamed_is_read_and_a_copy_of_one_is_left_out_and_told(tmp_path: Path, book: Path) -> None:
    def change(made: Any) -> None:
        cell(made, "results", "metric").value = "latency"
        made["results"].title = "Numbers of Ann"
        made.copy_worksheet(made["methods"]).title = "methods before"
        cell(made, "methods", "role").value = "mentioned"

    raw, problems, _ = come_back(tmp_path, [sample("a"), sample("b")], edit(book, change))
    made = PaperRecord.model_validate_json(raw[0])
    assert (made.results[0].metric, made.methods[0].role) == ("latency", "mentioned")
    assert [(p.severity, p.message) for p in problems] == [
        ("warning", "sheet methods before: left out beside methods; to have it read too, name it methods 2")
    ]


def test_a_workbook_says_which_of_its_sheets_can_be_corrected(book: Path) -> None:
    notes = [row[1].value for row in openpyxl.load_workbook(book)["about"].iter_rows() if row[0].value == "note"]
    (said,) = [note for note in notes if "extractor correct" in note]
    methods, datasets, results = ID_COLUMNS
    assert f"edits of the sheets {methods}, {datasets} and {results} back" in said


def rezip(path: Path, **parts: bytes) -> Path:
    """The workbook with some of its parts replaced, by the end of their names."""
    with zipfile.ZipFile(path) as old:
        held = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in held.items():
            new.writestr(name, parts.get(Path(name).stem, data))
    return path


def test_workbooks_that_are_none_are_told_in_one_line(tmp_path: Path, book: Path) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">'.encode() for a, b in zip("abcdefghi", "bcdefghij", strict=True)
    )
    sheet = (
        bomb + b']><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
    )
    sheet += b'<c r="A1" t="inlineStr"><is><t>&j;</t></is></c></row></sheetData></worksheet>'
    records = tmp_path / "records.jsonl"
    records.write_text(sample("a").model_dump_json() + "\n", "utf-8")
    cases: dict[str, tuple[bytes, str]] = {}

    def case(name: str, said: str, **parts: bytes) -> None:
        copy = shutil.copy(book, tmp_path / f"{name}.xlsx")
        cases[name] = (rezip(Path(copy), **parts).read_bytes(), said)

    case("entities", "cannot be read as a workbook (EntitiesForbidden", sheet4=sheet)
    case("broken", "cannot be read as a workbook (", sheet4=b"<worksheet><sheetData><row")
    case("bomb", "sheet4.xml would unpack to 70,000,000 bytes, as no sheet does", sheet4=b" " * 70_000_000)
    cases["cut"] = (book.read_bytes()[:2000], "is a damaged workbook")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("content.xml", "<office/>")
    cases["ods"] = (archive.getvalue(), "is a ZIP archive, but no Excel workbook")
    empty = io.BytesIO()
    openpyxl.Workbook().save(empty)
    cases["other"] = (empty.getvalue(), "has no sheet methods, datasets, results")
    cases["old"] = (b"\xd0\xcf\x11\xe0" + b"x" * 600, "an old Office file")
    for name, (data, said) in cases.items():
        (tmp_path / f"{name}.xlsx").write_bytes(data)
        told = call("correct", records, tmp_path / f"{name}.xlsx", "-o", tmp_path / "out.jsonl")
        assert told.exit_code == 2, name
        assert said in told.stderr and len(told.stderr.splitlines()) == 1, (name, told.stderr)
        assert f"{name}.xlsx" in told.stderr and not (tmp_path / "out.jsonl").exists()


# --- CSV as other programs write it


def table(rows: list[list[str]], delimiter: str = ",", end: str = "\n") -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows(rows)
    return stream.getvalue()


def cells_of(name: str, *records: PaperRecord) -> list[list[str]]:
    rows = [row for record in records for row in record.to_rows(name)]
    return [list(rows[0]), *([("" if value is None else str(value)) for value in row.values()] for row in rows)]


def european(rows: list[list[str]]) -> list[list[str]]:
    """Numbers as Excel writes them where the comma is the decimal mark."""
    number = [rows[0].index(name) for name in ("value", "confidence")]
    return [rows[0], *([c.replace(".", ",") if at in number else c for at, c in enumerate(row)] for row in rows[1:])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("shape", [";", "\t", ",", "sep"])
def test_every_dialect_is_read(tmp_path: Path, shape: str, encoding: str) -> None:
    record = sample("a", results=[sample().results[0].model_copy(update={"metric": "précision"}), sample().results[1]])
    rows = cells_of("results", record)
    delimiter = ";" if shape == "sep" else shape
    rows = rows if delimiter == "," else european(rows)
    text = ("sep=;\r\n" if shape == "sep" else "") + table(rows, delimiter, "\r\n")
    (tmp_path / "r.csv").write_bytes(text.encode(encoding))
    assert_unchanged(tmp_path, [record], tmp_path / "r.csv")
    at = rows[0].index("value")
    rows[1][at] = "1.234,5" if delimiter != "," else "1,234.5"
    text = ("sep=;\r\n" if shape == "sep" else "") + table(rows, delimiter, "\r\n")
    (tmp_path / "r.csv").write_bytes(text.encode(encoding))
    lines, _, tally = come_back(tmp_path, [record], tmp_path / "r.csv")
    assert PaperRecord.model_validate_json(lines[0]).results[0].value == 1234.5 and tally.refused == 0


def test_points_in_a_file_with_semicolons_stay_points(tmp_path: Path) -> None:
    rows = cells_of("results", sample("a"))
    rows[1][rows[0].index("value")] = "4.5"
    (tmp_path / "r.csv").write_text(table(rows, ";"))
    lines, _, _ = come_back(tmp_path, [sample("a")], tmp_path / "r.csv")
    assert PaperRecord.model_validate_json(lines[0]).results[0].value == 4.5


def test_a_date_made_of_a_quote_is_no_edit_while_the_offsets_stand(tmp_path: Path) -> None:
    text = f"{ABSTRACT} It won 3-4 games."
    record = sample("a", text, results=[sample().results[0].model_copy(update={"span": _span(text, "3-4")})])
    for shown in ("04-Mar", "4-Mar", "03/04/2026", "2026-03-04"):
        rows = cells_of("results", record)
        rows[1][rows[0].index("quote")] = shown
        (tmp_path / "r.csv").write_text(table(rows))
        assert_unchanged(tmp_path, [record], tmp_path / "r.csv")


def test_line_and_row_are_told_where_cells_hold_line_breaks(tmp_path: Path) -> None:
    rows = cells_of("results", sample("a"))
    rows[1][rows[0].index("metric")] = "two\nlines"
    rows[2][rows[0].index("value")] = "x"
    (tmp_path / "r.csv").write_text(table(rows))
    lines, (problem,), _ = come_back(tmp_path, [sample("a")], tmp_path / "r.csv")
    assert problem.line == 4 and problem.message.startswith('row 3: value "x" is not a number: write digits')
    assert PaperRecord.model_validate_json(lines[0]).results[0].metric == "two lines"


def test_a_row_with_more_cells_than_columns_is_refused_and_kept(tmp_path: Path) -> None:
    rows = cells_of("methods", sample("a"))
    rows[1].append("more")
    (tmp_path / "m.csv").write_text(table(rows))
    lines, (problem,), _ = come_back(tmp_path, [sample("a")], tmp_path / "m.csv")
    assert "more cells than columns" in problem.message and lines == [sample("a").model_dump_json()]


def test_a_cell_that_was_cut_is_unedited_and_cannot_be_edited(tmp_path: Path) -> None:
    long = "long " * 10_000
    record = sample("a", results=[sample().results[0].model_copy(update={"metric": long.strip()})])
    (file,) = [file for file in write_tables(tmp_path, [record], excel=True) if file.stem == "results"]
    assert_unchanged(tmp_path, [record], file)
    file.write_text(file.read_text("utf-8-sig").replace("long long", "short long", 1), "utf-8")
    lines, (problem,), _ = come_back(tmp_path, [record], file)
    assert "metric was cut to fit its cell" in problem.message and lines == [record.model_dump_json()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n", "cannot tell the table: its header must have one of method_id, dataset_id, result_id (it"),
        ("result_id,method_id\n", "cannot tell the table"),
        ("result_id,metric,Metric\na-r1,x,y\n", "two columns are called metric"),
        ('result_id,metric\na-r1,"x\na-r2,y\n', ":2: broken quoting (a quotation mark is never closed)"),
        (table(cells_of("papers", sample())), "the table papers cannot be corrected: give methods, datasets, results"),
        ("%PDF-1.7 result_id", "a PDF file"),
    ],
)  # fmt: skip
def test_tables_that_are_none_are_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "records.jsonl").write_text(sample("a").model_dump_json() + "\n", "utf-8")
    (tmp_path / "t.csv").write_text(text)
    told = call("correct", tmp_path / "records.jsonl", tmp_path / "t.csv", "-o", tmp_path / "out.jsonl")
    assert told.exit_code == 2 and not (tmp_path / "out.jsonl").exists()
    assert said in told.stderr and "t.csv" in told.stderr and len(told.stderr.splitlines()) == 1


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text(sample("a").model_dump_json() + "\n", "utf-8")
    (tmp_path / "folder").mkdir()
    for name, said in (("none.csv", "cannot be read"), ("folder", "has no methods.csv, datasets.csv, results.csv")):
        told = call("correct", tmp_path / "records.jsonl", tmp_path / name, "-o", tmp_path / "out.jsonl")
        assert told.exit_code == 2 and said in told.stderr


def test_the_delimiter_is_the_one_that_makes_a_header() -> None:
    assert find_delimiter(["a, b;result_id;x\n"]) == ";"
    assert find_delimiter(["result_id\n"]) == ","
