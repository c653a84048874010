"""``extract --update``: a longer list adds its new papers, and what is there stays byte for byte."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from record_samples import ABSTRACT, sample
from test_cli import call, ids

from extractor.run import local


def papers(*names: str, **changed: str) -> str:
    """A list of papers as JSON Lines; ``changed`` are other abstracts of some."""
    texts = {name: changed.get(name, ABSTRACT.replace("QuickNet", f"Quick{name.title()}")) for name in names}
    return "".join(json.dumps({"id": name, "abstract": text}) + "\n" for name, text in texts.items())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The list, at first of two papers."""
    path = tmp_path / "list.jsonl"
    path.write_text(papers("one", "two"))
    return path


def update(source: Path, out: Path | str, *options: object) -> Any:
    return call("extract", source, "-o", out, "--update", *options)


def told(done: Any) -> str:
    return str(done.stderr).splitlines()[-1]


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The ids of the papers that were really extracted."""
    seen: list[str] = []
    before = local.extract_item

    def watched(extractor: Any, item: Any) -> Any:
        seen.append(item.id)
        return before(extractor, item)

    monkeypatch.setattr(local, "extract_item", watched)
    yield seen


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_new_papers_go_behind_the_old_ones_which_are_not_extracted_again(
    source: Path, tmp_path: Path, name: str, worked: list[str]
) -> None:
    out = tmp_path / name
    assert told(update(source, out)) == f"2 new papers, 0 kept → {out}"
    before = out.read_bytes()
    source.write_text(papers("new", "one", "two", "newer"))
    worked.clear()
    done = update(source, out)
    assert done.exit_code == 0 and told(done) == f"2 new papers, 2 kept → {out}"
    assert worked == ["new", "newer"]
    assert out.read_bytes().startswith(before)
    text = gzip.decompress(out.read_bytes()).decode() if name.endswith(".gz") else out.read_text("utf-8")
    assert ids(text) == ["one", "two", "new", "newer"]
    call("extract", source, "-o", tmp_path / "whole.jsonl")
    alone = {json.loads(line)["id"]: line for line in (tmp_path / "whole.jsonl").read_text("utf-8").splitlines()}
    assert text.splitlines()[2:] == [alone["new"], alone["newer"]]
    assert call("validate", out).exit_code == 0


def test_nothing_new_leaves_the_file_alone(source: Path, tmp_path: Path, worked: list[str]) -> None:
    out = tmp_path / "out.jsonl"
    update(source, out)
    os.utime(out, (1, 1))
    worked.clear()
    assert told(update(source, out)) == f"0 new papers, 2 kept → {out}"
    assert out.stat().st_mtime == 1 and worked == []


def test_papers_without_an_id_are_known_by_their_abstract(tmp_path: Path) -> None:
    page, out = tmp_path / "page.txt", tmp_path / "out.jsonl"
    page.write_text(f"{ABSTRACT}\n")
    update(page, out)
    page.write_text(f"{ABSTRACT.replace('QuickNet', 'SwiftNet')}\n\n{ABSTRACT}\n")
    assert told(update(page, out)) == f"1 new paper, 1 kept → {out}"
    assert len(ids(out.read_text("utf-8"))) == 2


def test_a_corrected_record_and_one_with_another_abstract_now_are_kept_and_told(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    human = [sample().methods[0].model_copy(update={"rule": "human", "confidence": 1.0})]
    out.write_text(sample("one", methods=human).model_dump_json() + "\n", "utf-8")
    before = out.read_text("utf-8")
    source.write_text(papers("one", "two", one=f"{ABSTRACT} Now longer."))
    done = update(source, out)
    assert done.exit_code == 0
    assert told(done) == f"1 new paper, 1 kept (1 of them with another abstract now) → {out}"
    assert f"warning: {source}:1: one: the abstract is another than when it was extracted" in done.stderr
    assert out.read_text("utf-8").startswith(before) and ids(out.read_text("utf-8")) == ["one", "two"]
    assert update(source, out, "--quiet").stderr == ""


def test_a_bad_line_of_the_list_is_told_and_costs_nothing(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    update(source, out)
    source.write_text(papers("one") + "broken\n" + papers("three"))
    done = update(source, out)
    assert done.exit_code == 1 and f"error: {source}:2: " in done.stderr
    assert ids(out.read_text("utf-8")) == ["one", "two", "three"]
    source.write_text("broken\n")
    before = out.read_bytes()
    assert update(source, out).exit_code == 1 and out.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (b'{"id": "x"}\n', "out.jsonl:3: "),
        (b"not json\n", "out.jsonl:3: "),
        (b'{"id": "cut', "out.jsonl: the last line has no end, and may be cut off"),
    ],
)
def test_an_output_that_is_not_sound_is_not_touched(source: Path, tmp_path: Path, damage: bytes, said: str) -> None:
    out = tmp_path / "out.jsonl"
    update(source, out)
    with out.open("ab") as stream:
        stream.write(damage)
    before = out.read_bytes()
    source.write_text(papers("one", "two", "three"))
    done = update(source, out)
    assert done.exit_code == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1
    assert out.read_bytes() == before


def test_a_file_against_its_name_is_refused(source: Path, tmp_path: Path) -> None:
    update(source, tmp_path / "out.jsonl")
    (tmp_path / "not.jsonl.gz").write_bytes((tmp_path / "out.jsonl").read_bytes())
    call("extract", source, "-o", tmp_path / "array.json")
    (tmp_path / "array.json").rename(tmp_path / "array.jsonl")
    for name, said in (("not.jsonl.gz", "is not compressed"), ("array.jsonl", "is a JSON array, not JSON Lines")):
        before = (tmp_path / name).read_bytes()
        done = update(source, tmp_path / name)
        assert done.exit_code == 2 and said in done.stderr
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("options", [(), ("--excel",)])
@pytest.mark.parametrize("name", ["papers.csv", "papers.tsv", "tables/"])
def test_tables_that_list_every_paper_are_updated(
    source: Path, tmp_path: Path, name: str, options: tuple[str, ...], worked: list[str]
) -> None:
    table = () if name.endswith("/") else ("--table", "papers")
    out, whole = f"{tmp_path}/{name}", f"{tmp_path}/whole/{name}"
    (tmp_path / "whole").mkdir()
    risky = {"=two": f"{ABSTRACT} =1\r\n\x01 é"}
    source.write_text(papers("one", "=two", **risky))
    update(source, out, *table, *options)
    old = {file: file.read_bytes() for file in files(Path(out))}
    source.write_text(papers("one", "=two", "three", **risky))
    worked.clear()
    done = update(source, out, *table, *options)
    assert told(done) == f"1 new paper, 2 kept → {out}" and worked == ["three"]
    call("extract", source, "-o", whole, *table, *options)
    new = {file: file.read_bytes() for file in files(Path(out))}
    assert new == {
        Path(out) / file.name if name.endswith("/") else Path(out): file.read_bytes() for file in files(Path(whole))
    }
    for file, data in old.items():
        assert file.suffix == ".json" or new[file].startswith(data)
    if name.endswith("/"):
        package = json.loads((Path(out) / "datapackage.json").read_text("utf-8"))
        for resource in package["resources"]:
            data = (Path(out) / resource["path"]).read_bytes()
            assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"


def files(place: Path) -> list[Path]:
    return sorted(place.iterdir()) if place.is_dir() else [place]


def test_a_folder_keeps_what_else_lies_in_it_and_promises_keys_as_before(source: Path, tmp_path: Path) -> None:
    source.write_text(papers("one") + papers("one", one=f"{ABSTRACT} Again."))
    call("extract", source, "-o", f"{tmp_path}/tables/")
    (tmp_path / "tables" / "notes.csv").write_text("mine")
    source.write_text(papers("one", "two"))
    assert update(source, f"{tmp_path}/tables/").exit_code == 0
    assert (tmp_path / "tables" / "notes.csv").read_text() == "mine"
    package = json.loads((tmp_path / "tables" / "datapackage.json").read_text("utf-8"))
    assert "primaryKey" not in package["resources"][0]["schema"]
    with (tmp_path / "tables" / "papers.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == ["one", "one", "two"]


def test_a_table_of_another_dialect_or_shape_is_refused(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "papers.csv"
    update(source, out, "--table", "papers")
    before = out.read_bytes()
    done = update(source, out, "--table", "papers", "--excel")
    assert done.exit_code == 2 and "papers.csv:1: was written without --excel" in done.stderr
    assert out.read_bytes() == before
    for data, said in (
        (before.replace(b"venue", b"place", 1), "papers.csv:1: has other columns"),
        (before + b'"cut', "the last line has no end"),
        (before + b"a,b\n", ":4: 2 cells for"),
    ):
        out.write_bytes(data)
        done = update(source, out, "--table", "papers")
        assert done.exit_code == 2 and said in done.stderr, done.stderr
        assert out.read_bytes() == data


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("out.xlsx", ()), ("out.json", ()), ("out.sqlite", ()), ("out.parquet", ()), ("out.csv", ()),
        ("out.csv", ("--table", "methods")), ("out.jsonl", ("--table", "papers")),
        ("out.csv.gz", ("--table", "papers")),
    ],
)  # fmt: skip
def test_other_formats_are_refused_with_what_to_do_instead(
    source: Path, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    done = update(source, tmp_path / name, *options)
    assert done.exit_code == 2 and "`extractor export`" in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / name).exists()
    assert call("extract", source, "--update").exit_code == 2


def test_an_update_that_is_killed_leaves_the_old_file_whole(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    update(source, out)
    before = out.read_bytes()
    command = [sys.executable, "-m", "extractor", "extract", "-", "--input-format", "jsonl", "-o", str(out), "--update"]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdin is not None
    for n in range(200):
        run.stdin.write(papers(f"more{n}"))
    run.stdin.flush()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not any(
        file.stat().st_size > len(before) + 1000 for file in tmp_path.glob(".out*")
    ):
        run.stdin.write(papers(*(f"again{n}" for n in range(64))))
        run.stdin.flush()
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert out.read_bytes() == before
    assert any(file.read_bytes().startswith(before) for file in tmp_path.glob(".out*"))  # it was under way
