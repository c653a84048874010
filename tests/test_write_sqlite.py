"""The SQLite output: every table, typed and keyed, every cell as it is in the rows of the record."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
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
from extractor.tables import RECORD_TABLES, TABLES, error_row, table_rows
from extractor.write import Output, choose_format
from extractor.write.sqlite import TYPES

FIXTURES = Path(__file__).parents[1] / "fixtures"
PROBLEM = Problem(file="a.jsonl", line=3, index=2, id=None, message="=not JSON", severity="error")
HOSTILE = [
    "=1+1", "'quoted'", '"double"', "'; DROP TABLE papers; --", "?", ":id", "\x01\x07\x1b[31m\x7f", "😀👩‍👩‍👧", "1e5",
    "007", "\r\n\t lines \r", "NULL", "x" * 1_000_000, "😀" * 100_000,
]  # fmt: skip


def write(path: Path, *records: PaperRecord, problems: tuple[Problem, ...] = ()) -> Path:
    with Output(str(path)) as out:
        for record in records:
            out.add(record)
        for problem in problems:
            out.add_problem(problem)
    return path


def ask(path: Path, query: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as base:
        base.row_factory = sqlite3.Row
        return [dict(row) for row in base.execute(query)]


def assert_sound(path: Path) -> None:
    assert ask(path, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert ask(path, "PRAGMA foreign_key_check") == []


def assert_holds(path: Path, records: list[PaperRecord]) -> None:
    """Every cell of every table, its value and its type; true and false are 1 and 0."""
    for name in RECORD_TABLES:
        wanted = [row for record in records for row in table_rows(record, name)]
        found = ask(path, f'SELECT * FROM "{name}" ORDER BY rowid')
        assert found == wanted
        for row, want in zip(found, wanted, strict=True):
            for column in TABLES[name].columns:
                cell, kind = row[column.name], int if column.type == "boolean" else type(want[column.name])
                assert type(cell) is kind, column.name


@pytest.fixture(scope="module")
def extracted() -> list[PaperRecord]:
    items = [item for item in read(FIXTURES / "papers.jsonl") if isinstance(item, Item)]
    extractor = Extractor()
    return [extractor.extract(item.abstract, title=item.title, id=item.id) for item in items]


def test_every_cell_of_real_records_is_there(tmp_path: Path, extracted: list[PaperRecord]) -> None:
    path = write(tmp_path / "out.sqlite", *extracted)
    assert extracted
    assert_holds(path, extracted)
    assert_sound(path)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_text_is_text(tmp_path: Path, text: str) -> None:
    records = [
        sample(text, ABSTRACT + text, title=text, venue=text, extra={"k": text}, warnings=[text]),
        sample("other" + text),
    ]
    path = write(tmp_path / "out.db", *records, problems=(PROBLEM,))
    assert_holds(path, records)
    assert_sound(path)
    assert ask(path, "SELECT * FROM errors") == [error_row(PROBLEM)]


def test_offsets_cut_the_quote_out_of_the_abstract(tmp_path: Path) -> None:
    path = write(tmp_path / "out.db", sample(abstract="😀é " + ABSTRACT))
    query = 'SELECT quote, substr(abstract, start + 1, "end" - start) AS cut FROM results JOIN papers ON paper_id = id'
    assert [row["cut"] for row in ask(path, query)] == ["3.2$\\times$", "+1.5 points"]
    assert all(row["cut"] == row["quote"] for row in ask(path, query))


def test_columns_are_typed_and_tables_have_keys(tmp_path: Path) -> None:
    path = write(tmp_path / "out.db", sample())
    for name, table in TABLES.items():
        columns = ask(path, f"PRAGMA table_info({name})")
        assert [(c["name"], c["type"], bool(c["notnull"])) for c in columns] == [
            (column.name, TYPES[column.type], column.required) for column in table.columns
        ]
        assert [c["name"] for c in columns if c["pk"]] == ([table.key] if table.key else [])
        child = "paper_id" in table.header
        keys = [(key["from"], key["table"], key["to"]) for key in ask(path, f"PRAGMA foreign_key_list({name})")]
        assert keys == ([("paper_id", "papers", "id")] if child else [])
        assert (f"{name}_paper_id" in [index["name"] for index in ask(path, f"PRAGMA index_list({name})")]) is child


def test_tables_and_columns_are_described(tmp_path: Path) -> None:
    path = write(tmp_path / "out.db")
    assert ask(path, "SELECT name, key, description FROM about_tables ORDER BY rowid") == [
        {"name": table.name, "key": table.key, "description": table.description} for table in TABLES.values()
    ]
    columns = ask(path, "SELECT * FROM about_columns ORDER BY rowid")
    assert [(row["table_name"], row["name"]) for row in columns] == [
        (table.name, column.name) for table in TABLES.values() for column in table.columns
    ]
    assert all(row["description"] for row in columns)
    assert [row["name"] for row in columns if "1 for true" in row["description"]] == ["anonymous"]


def test_an_output_without_records_has_empty_tables(tmp_path: Path) -> None:
    path = write(tmp_path / "out.db")
    assert_holds(path, [])
    assert_sound(path)


def test_papers_under_one_id_are_all_kept_and_no_key_is_promised(tmp_path: Path) -> None:
    records = [sample("a"), sample("b"), sample("a", title="another"), sample("a"), sample("c")]
    path = write(tmp_path / "out.db", *records, problems=(PROBLEM,))
    assert_holds(path, records)
    assert_sound(path)
    assert [row["key"] for row in ask(path, "SELECT key FROM about_tables")] == [None] * len(TABLES)
    assert not any(column["pk"] for column in ask(path, "PRAGMA table_info(papers)"))
    assert ask(path, "PRAGMA foreign_key_list(results)") == []
    assert ask(path, "SELECT name FROM sqlite_master WHERE name = 'unkeyed'") == []


def samples(same: int) -> Iterator[PaperRecord]:
    """More than the cache of SQLite holds, with ``same`` ids that repeat."""
    for n in range(1500):
        yield sample(str(n if n >= same else 0), ABSTRACT + "x" * 2000)


@pytest.mark.parametrize("same", [0, 2])
def test_the_same_records_make_the_same_bytes(tmp_path: Path, same: int) -> None:
    one, other = (write(tmp_path / name, *samples(same)) for name in ("a.db", "b.db"))
    assert one.read_bytes() == other.read_bytes()
    assert_sound(one)


def test_a_failed_run_leaves_the_old_output_and_keeps_what_was_done(tmp_path: Path) -> None:
    target = tmp_path / "out.sqlite"
    target.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), Output(str(target)) as out:
        out.add(sample())
        raise KeyboardInterrupt
    assert target.read_bytes() == b"old"
    assert {file.name for file in tmp_path.iterdir()} == {"out.sqlite", "out.partial.sqlite"}
    assert_holds(tmp_path / "out.partial.sqlite", [sample()])
    assert_sound(tmp_path / "out.partial.sqlite")


def test_nothing_but_the_database_is_left(tmp_path: Path) -> None:
    write(tmp_path / "out.sqlite", sample())
    assert [file.name for file in tmp_path.iterdir()] == ["out.sqlite"]


def test_a_number_that_does_not_fit_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"^in\.jsonl:7: paper big: year is a whole number beyond 64 bits"):
        big = sample("big", year=2**63, source=Source(file="in.jsonl", line=7))
        write(tmp_path / "out.db", sample("fits", year=2**63 - 1), big)
    assert [row["id"] for row in ask(tmp_path / "out.partial.db", "SELECT id FROM papers")] == ["fits"]


def test_broken_characters_become_replacement_characters(tmp_path: Path) -> None:
    path = write(tmp_path / "out.db", sample(title="a\ud83d\ude00b"))
    assert [row["title"] for row in ask(path, "SELECT title FROM papers")] == ["a��b"]


def test_ids_that_differ_in_broken_characters_alone_are_one_id(tmp_path: Path) -> None:
    broken = [sample().model_copy(update={"id": id}) for id in ("a\ud800", "a\udfff")]
    path = write(tmp_path / "out.db", *broken)
    assert [row["id"] for row in ask(path, "SELECT id FROM papers")] == ["a�", "a�"]
    assert ask(path, "PRAGMA foreign_key_list(results)") == []


# An older database that was not closed leaves a journal; SQLite plays it into whatever then has the name.
BREAK_OFF = """
import os, sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute(f"PRAGMA journal_mode = {sys.argv[2]}")
base.execute("PRAGMA cache_size = 1")
base.execute("BEGIN")
base.execute("CREATE TABLE old (text)")
base.executemany("INSERT INTO old VALUES (?)", [("old" * 1000,)] * 2000)
if sys.argv[2] == "wal":
    base.execute("COMMIT")
os._exit(0)
"""


@pytest.mark.parametrize(("mode", "left"), [("wal", {"-wal", "-shm"}), ("delete", {"-journal"})])
def test_what_an_older_database_left_does_not_ruin_the_new_one(tmp_path: Path, mode: str, left: set[str]) -> None:
    path = write(tmp_path / "out.db", sample("old"))
    subprocess.run([sys.executable, "-c", BREAK_OFF, str(path), mode], check=True)
    journals = {path.with_name(path.name + ending): path.with_name(path.name + ending).read_bytes() for ending in left}
    new = [sample(str(n)) for n in range(300)]
    write(path, *new)
    assert [file.name for file in tmp_path.iterdir()] == ["out.db"]
    assert_holds(path, new)
    assert_sound(path)
    # Without this the new database would have been lost: the journals are no empty ones.
    for file, data in journals.items():
        file.write_bytes(data)
    with pytest.raises((AssertionError, sqlite3.DatabaseError)):
        assert_holds(path, new)


def test_a_run_that_fails_leaves_the_journal_of_the_older_database(tmp_path: Path) -> None:
    path = write(tmp_path / "out.db", sample("old"))
    subprocess.run([sys.executable, "-c", BREAK_OFF, str(path), "wal"], check=True)
    with pytest.raises(KeyboardInterrupt), Output(str(path)):
        raise KeyboardInterrupt
    assert ask(path, "SELECT count(*) AS n FROM old") == [{"n": 2000}]


def test_a_place_that_cannot_hold_a_database_is_told_in_one_line() -> None:
    with pytest.raises(WriteError, match="/dev/full: cannot be written"), Output("/dev/full", format="sqlite") as out:
        out.add(sample())


@pytest.mark.parametrize(("name", "options"), [("out.db.gz", {}), ("out.db", {"table": "papers"}), ("-", {})])
def test_what_a_database_cannot_be_is_refused(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    place = name if name == "-" else str(tmp_path / name)
    with pytest.raises(UsageError), Output(place, format="sqlite", **options):
        pytest.fail("nothing may be done")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.sqlite", "A.DB"])
def test_the_name_of_the_output_tells_the_format(name: str) -> None:
    assert choose_format(name).name == "sqlite"


def test_the_command_line_writes_and_exports_databases(tmp_path: Path) -> None:
    for arguments in (
        ("extract", FIXTURES / "papers.jsonl", "-o", tmp_path / "out.sqlite"),
        ("extract", FIXTURES / "papers.jsonl", "-o", tmp_path / "records.jsonl"),
        ("export", tmp_path / "records.jsonl", "-o", tmp_path / "again.db"),
    ):
        assert CliRunner().invoke(app, [str(argument) for argument in arguments]).exit_code == 0
    assert (tmp_path / "out.sqlite").read_bytes() == (tmp_path / "again.db").read_bytes()
    lines = (tmp_path / "records.jsonl").read_text("utf-8").splitlines()
    assert_holds(tmp_path / "out.sqlite", [PaperRecord.model_validate_json(line) for line in lines])
    assert ".sqlite" in CliRunner().invoke(app, ["formats"]).stdout


def test_a_database_takes_little_memory(tmp_path: Path) -> None:
    """The memory of a process does not grow with what it writes (about 100 MB here)."""
    code = (
        "import resource, sys; from record_samples import ABSTRACT, sample; from extractor.write import Output\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "with Output(sys.argv[1]) as out:\n"
        "    for n in range(2000):\n"
        "        out.add(sample(str(n), ABSTRACT + 'x' * 50_000))\n"
        "        if n == 100: before = peak()\n"
        "print(peak() - before)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "out.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    assert (tmp_path / "out.db").stat().st_size > 100_000_000
    assert int(done.stdout) < 20_000, "KiB"
