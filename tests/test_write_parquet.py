"""The Parquet output: whole records with their lists, or one table, in columns that follow from the model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from record_samples import ABSTRACT, sample
from typer.testing import CliRunner

from extractor import Extractor
from extractor.cli.application import app
from extractor.errors import UsageError, WriteError
from extractor.read import Item, Problem, read
from extractor.records import PaperRecord, Source
from extractor.schemas import table_schema
from extractor.tables import RECORD_TABLES, TABLES, error_row, table_rows
from extractor.write import Output, choose_format

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install -e '.[parquet]'")
pq = pytest.importorskip("pyarrow.parquet")
parquet = pytest.importorskip("extractor.write.parquet")

FIXTURES = Path(__file__).parents[1] / "fixtures"
PROBLEM = Problem(file="a.jsonl", line=3, index=2, id=None, message="=not JSON", severity="error")
TYPES = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}
HOSTILE = [
    "=1+1", "'quoted'", '"double"', '{"a": 1}', "\x01\x07\x1b[31m\x7f", "\0", "😀👩‍👩‍👧", "1e5", "007", "NULL",
    "\r\n\t lines \r", "x" * 1_000_000, "😀" * 100_000,
]  # fmt: skip


def write(path: Path, *records: PaperRecord, problems: tuple[Problem, ...] = (), table: str | None = None) -> Path:
    with Output(str(path), table=table) as out:
        for record in records:
            out.add(record)
        for problem in problems:
            out.add_problem(problem)
    return path


def records_of(path: Path) -> list[PaperRecord]:
    rows = pq.ParquetFile(path).read().to_pylist()
    return [PaperRecord.model_validate({**row, "extra": json.loads(row["extra"])}) for row in rows]


@pytest.fixture(scope="module")
def extracted() -> list[PaperRecord]:
    items = [item for item in read(FIXTURES / "papers.jsonl") if isinstance(item, Item)]
    extractor = Extractor()
    return [extractor.extract(item.abstract, title=item.title, id=item.id) for item in items]


def test_real_records_come_back_as_they_were(tmp_path: Path, extracted: list[PaperRecord]) -> None:
    path = write(tmp_path / "out.parquet", *extracted, problems=(PROBLEM,))
    assert extracted and records_of(path) == extracted
    rows = pq.ParquetFile(path).read().to_pylist()
    assert [{**row, "extra": json.loads(row["extra"])} for row in rows] == [record.model_dump() for record in extracted]


@pytest.mark.parametrize("table", RECORD_TABLES)
def test_every_cell_of_a_table_is_there(tmp_path: Path, extracted: list[PaperRecord], table: str) -> None:
    path = write(tmp_path / "out.parquet", *extracted, problems=(PROBLEM,), table=table)
    wanted = [row for record in extracted for row in table_rows(record, table)]
    found = pq.ParquetFile(path).read().to_pylist()
    assert found == wanted
    for row, want in zip(found, wanted, strict=True):
        assert {name: type(cell) for name, cell in row.items()} == {name: type(cell) for name, cell in want.items()}


def test_the_errors_table_holds_the_problems(tmp_path: Path) -> None:
    path = write(tmp_path / "errors.parquet", sample(), problems=(PROBLEM,), table="errors")
    assert pq.ParquetFile(path).read().to_pylist() == [error_row(PROBLEM)]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_text_is_text(tmp_path: Path, text: str) -> None:
    record = sample(text, ABSTRACT + text, title=text, venue=text, extra={text: [text, 1, None]}, warnings=[text])
    assert records_of(write(tmp_path / "out.parquet", record, record)) == [record, record]
    for table in RECORD_TABLES:
        path = write(tmp_path / "table.parquet", record, table=table)
        assert pq.ParquetFile(path).read().to_pylist() == table_rows(record, table)


def test_what_is_not_there_is_null_and_an_empty_list_is_a_list(tmp_path: Path) -> None:
    path = write(tmp_path / "out.parquet", PaperRecord(id="a", abstract="Nothing."))
    (row,) = pq.ParquetFile(path).read().to_pylist()
    assert row["title"] is row["year"] is row["source"]["file"] is None
    assert row["methods"] == row["warnings"] == [] and row["extra"] == "{}"


def test_the_columns_follow_from_the_model_and_not_from_the_data(tmp_path: Path) -> None:
    schemas = [
        pq.ParquetFile(write(tmp_path / name, *records)).schema_arrow
        for name, records in (("none.parquet", []), ("one.parquet", [sample()]))
    ]
    assert schemas[0].equals(schemas[1], check_metadata=True)
    assert schemas[0].equals(parquet.record_columns(), check_metadata=True)
    assert schemas[0].names == list(PaperRecord.model_fields)
    result = schemas[0].field("results").type.value_type
    kinds = {result.field(at).name: str(result.field(at).type) for at in range(result.num_fields)}
    assert (kinds["value"], kinds["unit"]) == ("double", "string")
    assert kinds["datasets"] == "list<element: string not null>"
    assert kinds["span"].startswith("struct<field: string not null, start: int64 not null")
    assert schemas[0].field("title").nullable and not schemas[0].field("abstract").nullable
    assert all(schemas[0].field(name).metadata[b"description"] for name in schemas[0].names)


@pytest.mark.parametrize("table", TABLES)
def test_the_columns_of_a_table_are_typed_and_described(tmp_path: Path, table: str) -> None:
    path = write(tmp_path / "out.parquet", table=table)
    made = pq.ParquetFile(path).schema_arrow
    columns = TABLES[table].columns
    assert [(f.name, str(f.type), f.nullable) for f in made] == [
        (column.name, TYPES[column.type], not column.required) for column in columns
    ]
    described = [field["description"] for field in table_schema(TABLES[table])["fields"]]
    assert [f.metadata[b"description"].decode() for f in made] == described


@pytest.mark.parametrize("table", [None, "results"])
def test_an_output_without_records_can_be_read(tmp_path: Path, table: str | None) -> None:
    assert pq.ParquetFile(write(tmp_path / "out.parquet", table=table)).read().num_rows == 0


@pytest.mark.parametrize("table", [None, "papers"])
def test_row_groups_are_bounded_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str | None
) -> None:
    monkeypatch.setattr(parquet, "BATCH_ROWS", 10)
    monkeypatch.setattr(parquet, "GROUP_BYTES", 40_000)
    records = [sample(str(n), ABSTRACT + "x" * 1000) for n in range(95)]
    file = pq.ParquetFile(write(tmp_path / "out.parquet", *records, table=table))
    sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    assert len(sizes) > 1 and sum(sizes) == 95 and max(sizes) <= 40
    assert file.read().column("id").to_pylist() == [str(n) for n in range(95)]


def test_papers_under_one_id_are_all_kept(tmp_path: Path) -> None:
    records = [sample("a"), sample("a", title="another")]
    assert records_of(write(tmp_path / "out.parquet", *records)) == records


@pytest.mark.parametrize("table", [None, "results"])
def test_the_same_records_make_the_same_bytes(tmp_path: Path, table: str | None) -> None:
    one, other = (
        write(tmp_path / name, *[sample(str(n)) for n in range(1200)], table=table)
        for name in ("a.parquet", "b.parquet")
    )
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("table", [None, "results"])
def test_a_failed_run_leaves_the_old_output_and_keeps_what_was_done(tmp_path: Path, table: str | None) -> None:
    target = tmp_path / "out.parquet"
    target.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), Output(str(target), table=table) as out:
        out.add(sample())
        raise KeyboardInterrupt
    assert target.read_bytes() == b"old"
    assert {file.name for file in tmp_path.iterdir()} == {"out.parquet", "out.partial.parquet"}
    whole = write(tmp_path / "whole.parquet", sample(), table=table)
    assert (tmp_path / "out.partial.parquet").read_bytes() == whole.read_bytes()


def test_a_number_that_does_not_fit_is_told_in_one_line_and_nothing_is_replaced(tmp_path: Path) -> None:
    target = write(tmp_path / "out.parquet", sample("fits", year=2**63 - 1))
    before = target.read_bytes()
    with pytest.raises(WriteError, match=r"^in\.jsonl:7: paper big: year is a whole number beyond 64 bits"):
        write(target, sample("big", year=2**63, source=Source(file="in.jsonl", line=7)))
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_rows_before_one_that_does_not_fit_are_kept(tmp_path: Path) -> None:
    method = sample().methods[0]
    span = method.mentions[0].model_copy(update={"end": 2**63})
    big = sample("big", methods=[method, method.model_copy(update={"mentions": [span]})])
    with pytest.raises(WriteError, match=r"^paper big: methods\.1\.mentions\.0\.end is a whole number beyond 64 bits"):
        write(tmp_path / "out.parquet", sample("a"), sample("b"), sample("c"), big, sample("d"))
    assert [record.id for record in records_of(tmp_path / "out.partial.parquet")] == ["a", "b", "c"]


def test_a_full_disk_is_told_in_one_line() -> None:
    told = pytest.raises(WriteError, match=r"/dev/full: cannot be written: No space left")
    with told, Output("/dev/full", format="parquet") as out:
        out.add(sample())


def test_broken_characters_become_replacement_characters(tmp_path: Path) -> None:
    # Two halves in a row are two characters: offsets behind them stay what they are.
    path = write(tmp_path / "out.parquet", sample(title="a\ud83d\ude00b😀", extra={"k\udfff": ["\udfff"]}))
    (record,) = records_of(path)
    assert (record.title, record.extra) == ("a��b😀", {"k�": ["�"]})


@pytest.mark.parametrize(("name", "options"), [("out.parquet.gz", {}), ("out.parquet", {"table": "sheets"}), ("-", {})])
def test_what_cannot_be_is_refused(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    place = name if name == "-" else str(tmp_path / name)
    with pytest.raises(UsageError), Output(place, format="parquet", **options):
        pytest.fail("nothing may be done")
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "extractor.write.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = CliRunner().invoke(app, ["extract", str(FIXTURES / "page.txt"), "-o", str(tmp_path / "out.parquet")])
    assert done.exit_code == 2
    assert "parquet needs pyarrow: install it, or paper-extractor with the extra [parquet]" in done.stderr
    assert len(done.stderr.splitlines()) == 1 and list(tmp_path.iterdir()) == []


def test_the_command_line_writes_and_exports_parquet(tmp_path: Path) -> None:
    assert choose_format("A.PARQUET").name == "parquet"
    for arguments in (
        ("extract", FIXTURES / "papers.jsonl", "-o", tmp_path / "out.parquet"),
        ("extract", FIXTURES / "papers.jsonl", "-o", tmp_path / "records.jsonl"),
        ("export", tmp_path / "records.jsonl", "-o", tmp_path / "again.parquet"),
        ("export", tmp_path / "records.jsonl", "-o", tmp_path / "links.parquet", "--table", "links"),
    ):
        assert CliRunner().invoke(app, [str(argument) for argument in arguments]).exit_code == 0
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "again.parquet").read_bytes()
    lines = (tmp_path / "records.jsonl").read_text("utf-8").splitlines()
    records = [PaperRecord.model_validate_json(line) for line in lines]
    assert records_of(tmp_path / "out.parquet") == records
    links = [row for record in records for row in table_rows(record, "links")]
    assert pq.ParquetFile(tmp_path / "links.parquet").read().to_pylist() == links
    assert ".parquet" in CliRunner().invoke(app, ["formats"]).stdout


def test_a_file_takes_little_memory(tmp_path: Path) -> None:
    """The memory of a process does not grow with what it writes (about 200 MB of text here)."""
    code = (
        "import resource, sys; from record_samples import ABSTRACT, sample; from extractor.write import Output\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "with Output(sys.argv[1]) as out:\n"
        "    for n in range(8000):\n"
        "        out.add(sample(str(n), ABSTRACT + f'{n:025000}'))\n"
        "        if n == 2500: before = peak()\n"
        "print(peak() - before)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "out.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    assert pq.ParquetFile(tmp_path / "out.parquet").num_row_groups >= 8
    assert int(done.stdout) < 40_000, "KiB"
