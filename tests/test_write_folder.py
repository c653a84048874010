"""The folder of CSV files: what its description promises, read by frictionless, holds for the files."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from record_samples import ABSTRACT, sample

from extractor import Extractor
from extractor.read import Item, Problem, read
from extractor.records import PaperRecord
from extractor.tables import RECORD_TABLES, TABLES, table_rows
from extractor.write import Output
from extractor.write.cells import unguarded

frictionless = pytest.importorskip("frictionless", reason="frictionless is not installed: pip install -e '.[dev]'")

csv.field_size_limit(10_000_000)
FIXTURES = Path(__file__).parents[1] / "fixtures"
PROBLEM = Problem(file="a.jsonl", line=3, index=2, id=None, message="=not\nJSON", severity="error")
HOSTILE = [
    "=1+1", "+17 points", "-x", "@SUM(A1)", "\tx", "\r=1", "'=1", "＝1", "-0.5", "1e5", "007", " lead", "trail ",
    'say "hi", all', "two\nlines", "two\r\nlines", "a lone\rreturn", "a;b;c;d;e;f;g", "a|b|c|d", "\u2028\u2029\x85",
    "😀é漢", "null", "NaN", "true", "\ufeffmark", "# remark", "\\", '"', "''", ",", "x" * 200_000,
]  # fmt: skip


def write(folder: Path, *records: PaperRecord, excel: bool = False) -> Path:
    with Output(f"{folder}/", excel=excel) as out:
        for record in records:
            out.add(record)
        out.add_problem(PROBLEM)
    return folder


def package_of(folder: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((folder / "datapackage.json").read_text("utf-8"))
    return made


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"{table}.csv").open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def flaws(folder: Path) -> list[list[Any]]:
    """What frictionless finds: the description, types, required cells, keys of both kinds, sizes and hashes."""
    report = frictionless.validate(str(folder / "datapackage.json"))
    found: list[list[Any]] = report.flatten(["type", "note"])
    assert report.stats["tasks"] == len(TABLES) or found
    return found


@pytest.fixture(scope="module")
def extracted(extractor: Extractor) -> list[PaperRecord]:
    items = [item for item in read(FIXTURES / "papers.jsonl") if isinstance(item, Item)]
    return [extractor.extract(item.abstract, title=item.title, id=item.id) for item in items]


def hostile() -> list[PaperRecord]:
    def made(text: str) -> PaperRecord:
        names = {"name": text, "full_name": text, "aliases": [text, text], "rule": text}
        record = sample(text, ABSTRACT + text, title=text, venue=text, extra={text: text}, warnings=[text])
        methods = [method.model_copy(update=names) for method in record.methods]
        return record.model_copy(update={"methods": methods})

    # No reader of abstracts lets these through, but a record made in Python may hold them.
    broken = [sample().model_copy(update={"id": text, "title": text}) for text in ("nul \x00", "half \ud800")]
    return [*map(made, HOSTILE), *broken]


# --- what is in it


def test_a_folder_holds_every_table_and_a_data_package(tmp_path: Path) -> None:
    write(tmp_path / "tables", sample())
    folder = tmp_path / "tables"
    package = package_of(folder)
    assert package["$schema"] == "https://datapackage.org/profiles/2.0/datapackage.json"
    assert [resource["name"] for resource in package["resources"]] == list(TABLES)
    for resource in package["resources"]:
        data = (folder / resource["path"]).read_bytes()
        assert resource["type"] == "table"
        assert resource["bytes"] == len(data)
        assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        header = next(csv.reader(io.StringIO(data.decode())))
        assert header == [field["name"] for field in resource["schema"]["fields"]]
    assert {file.name for file in folder.iterdir()} == {*(f"{name}.csv" for name in TABLES), "datapackage.json"}


def test_a_data_package_promises_a_key_only_when_ids_are_unique(tmp_path: Path) -> None:
    for name, ids in (("unique", "ab"), ("twice", "aa")):
        papers, methods = package_of(write(tmp_path / name, *[sample(id) for id in ids]))["resources"][:2]
        assert ("primaryKey" in papers["schema"]) is (name == "unique")
        assert ("foreignKeys" in methods["schema"]) is (name == "unique")


@pytest.mark.parametrize("excel", [False, True])
def test_the_description_tells_how_the_files_are_written(tmp_path: Path, excel: bool) -> None:
    write(tmp_path / "out", sample(), excel=excel)
    for resource in package_of(tmp_path / "out")["resources"]:
        data = (tmp_path / "out" / resource["path"]).read_bytes()
        dialect = resource["dialect"]
        assert resource["encoding"] == "utf-8"
        assert data.startswith(b"\xef\xbb\xbf") is excel
        assert data.endswith(dialect["lineTerminator"].encode())
        assert dialect["lineTerminator"] == ("\r\n" if excel else "\n")
        assert (dialect["delimiter"], dialect["quoteChar"], dialect["doubleQuote"]) == (",", '"', True)


@pytest.mark.parametrize("excel", [False, True])
def test_hostile_cells_come_back_and_none_is_a_formula(tmp_path: Path, excel: bool) -> None:
    records = hostile()
    write(tmp_path / "out", *records, excel=excel)
    papers = rows(tmp_path / "out", "papers")
    for paper, text in zip(papers, HOSTILE, strict=False):
        found = paper["title"]
        assert found[0] not in "=@\t\r＝" and (found[0] not in "+-" or found == text)
        if len(text) < 1000:
            assert unguarded(found) == text
    assert [paper["title"] for paper in papers][-2:] == ["nul �", "half �"]
    assert [len(rows(tmp_path / "out", name)) for name in RECORD_TABLES] == [
        sum(len(table_rows(record, name)) for record in records) for name in RECORD_TABLES
    ]


# --- what frictionless makes of it


@pytest.mark.parametrize("excel", [False, True])
def test_a_package_of_real_records_is_valid(tmp_path: Path, extracted: list[PaperRecord], excel: bool) -> None:
    assert extracted
    assert flaws(write(tmp_path / "out", *extracted, excel=excel)) == []


@pytest.mark.parametrize("excel", [False, True])
def test_a_package_of_hostile_records_is_valid(tmp_path: Path, excel: bool) -> None:
    assert flaws(write(tmp_path / "out", *hostile(), excel=excel)) == []


def test_a_package_without_results_or_without_papers_is_valid(tmp_path: Path) -> None:
    bare = sample(methods=[], datasets=[], results=[], links=[], code_status="none")
    assert flaws(write(tmp_path / "bare", bare)) == []
    assert flaws(write(tmp_path / "none")) == []
    with Output(f"{tmp_path}/empty/"):
        pass
    assert flaws(tmp_path / "empty") == []


@pytest.mark.parametrize("ids", [("a", "a"), ("a\x00", "a\x01"), ("a", "b", "a")])
def test_papers_under_one_id_are_all_kept_in_a_valid_package(tmp_path: Path, ids: tuple[str, ...]) -> None:
    folder = write(tmp_path / "out", *[sample(id) for id in ids])
    assert flaws(folder) == []
    assert len(rows(folder, "papers")) == len(ids)
    assert all("primaryKey" not in resource["schema"] for resource in package_of(folder)["resources"])


def replaced(table: str, old: bytes, new: bytes) -> Callable[[Path, dict[str, Any]], None]:
    """Changes a file, and the description so that size and hash fit again."""

    def change(folder: Path, package: dict[str, Any]) -> None:
        path = folder / f"{table}.csv"
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new, 1))
        for resource in package["resources"]:
            resource.pop("bytes")
            resource.pop("hash")

    return change


def described(table: str, name: str, value: Any) -> Callable[[Path, dict[str, Any]], None]:
    """Changes the description of a table."""

    def change(folder: Path, package: dict[str, Any]) -> None:
        package["resources"][list(TABLES).index(table)][name] = value

    return change


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        (replaced("results", b"quick,quick-r1", b"other,quick-r1"), "foreign-key"),
        (replaced("results", b"quick-r2", b"quick-r1"), "primary-key"),
        (replaced("results", b",3.2,", b",three,"), "type-error"),
        (replaced("results", b",speedup,", b",quicker,"), "constraint-error"),
        (replaced("results", b",speedup,", b",,"), "constraint-error"),
        (replaced("links", b",false,", b",no,"), "type-error"),
        (replaced("papers", b"id,title", b"key,title"), "incorrect-label"),
        (described("papers", "hash", "sha256:" + "0" * 64), "hash-count"),
        (described("papers", "bytes", 1), "byte-count"),
        (described("papers", "type", "tabel"), "resource-error"),
    ],
)
def test_frictionless_sees_what_is_wrong(tmp_path: Path, change: Any, flaw: str) -> None:
    """A check that cannot fail says nothing, so each of its kinds is seen to fail once."""
    folder = write(tmp_path / "out", sample())
    package = package_of(folder)
    change(folder, package)
    (folder / "datapackage.json").write_text(json.dumps(package), "utf-8")
    assert flaw in {found[0] for found in flaws(folder)}
