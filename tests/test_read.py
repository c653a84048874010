"""Reading inputs: formats, columns, encodings, and what is said about the broken ones."""

from __future__ import annotations

import gzip
import io
import json
import sys
import tomllib
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extractor.read import FORMATS, Item, Problem, ReadError, read

HERE = Path(__file__).parent
SEEDS = sorted((HERE.parent.parent / "shared" / "seeds").glob("*.txt"))
LONG = "words about folding maps with networks " * 7 + "and that is all there is to say."
CASES = tomllib.loads((HERE / "cases" / "read.toml").read_text("utf-8"))["case"]


def parted(found):
    found = list(found)
    items = [x for x in found if isinstance(x, Item)]
    return items, [x for x in found if isinstance(x, Problem)]


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_case(case, tmp_path):
    path = tmp_path / case["file"]
    path.write_bytes(case["content"].replace("LONG", LONG).encode())
    options = case.get("options", {})
    if "fails" in case:
        with pytest.raises(ReadError) as caught:
            list(read(path, **options))
        assert case["fails"] in str(caught.value)
        assert "\n" not in str(caught.value)
        return
    items, problems = parted(read(path, **options))
    if "ids" in case:
        assert [item.id for item in items] == case["ids"]
    if "titles" in case:
        assert [item.title or "" for item in items] == case["titles"]
    if "lines" in case:
        assert [item.source.line for item in items] == case["lines"]
    if "extra" in case:
        assert [item.extra for item in items] == case["extra"]
    if "begins" in case:
        assert len(items) == len(case["begins"])
        for item, begin in zip(items, case["begins"], strict=True):
            assert item.abstract.startswith(begin)
    if "problems" in case:
        assert len(problems) == len(case["problems"]), problems
        for problem, said in zip(problems, case["problems"], strict=True):
            assert said in problem.message
            assert "\n" not in problem.message
    assert all(item.source.file == str(path) for item in items)
    json.dumps([item.extra for item in items], allow_nan=False)


@pytest.mark.skipif(not SEEDS, reason="the seed pages are not here")
def test_seed_pages_hold_57_abstracts():
    items, problems = parted(x for path in SEEDS for x in read(path))
    assert len(items) == 57
    assert not problems
    assert min(len(item.abstract) for item in items) > 500


@pytest.mark.parametrize("name", ["text", "jsonl", "json", "csv", "tsv"])
def test_every_format_also_compressed_and_from_standard_input(name, tmp_path, monkeypatch):
    records = [{"id": "a", "abstract": "One " + LONG}, {"id": "b", "abstract": "Two " + LONG}]
    rows = [[r["id"], r["abstract"]] for r in records]
    content = {
        "text": "\n\n".join(r["abstract"] for r in records),
        "jsonl": "\n".join(map(json.dumps, records)),
        "json": json.dumps(records),
        "csv": "\n".join(["id,abstract", *map(",".join, rows)]),
        "tsv": "\n".join(["id\tabstract", *map("\t".join, rows)]),
    }[name]
    begins = ["One", "Two"]
    path = tmp_path / f"in{FORMATS[name].suffixes[0]}.gz"
    path.write_bytes(gzip.compress(content.encode()))
    items = list(read(path))
    assert [item.abstract[:3] for item in items] == begins
    assert {item.source.format for item in items} == {name}
    for data in (content.encode(), gzip.compress(content.encode())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        items = list(read("-"))
        assert [item.abstract[:3] for item in items] == begins
        assert {item.source.format for item in items} == {name}


@pytest.mark.parametrize(
    ("data", "encoding", "said"),
    [
        (b"\xef\xbb\xbfCaf\xc3\xa9 ", None, None),
        ("Café — ".encode(), None, None),
        ("Café — “x” ".encode("cp1252"), None, "cp1252"),
        ("Café — ".encode("cp1252"), "cp1252", None),
        ("Café — ".encode("utf-16"), None, None),
        ("Café — ".encode("utf-16-le"), "utf-16-le", None),
        ("Café Größe “Æ” naïve —".encode() + b" \x96 ", None, "Windows-1252"),
    ],
)
def test_encodings(data, encoding, said, tmp_path):
    path = tmp_path / "page.txt"
    wide = "utf-16-le" if b"\x00" in data else "ascii"
    path.write_bytes(data + LONG.encode(wide))
    items, problems = parted(read(path, encoding=encoding))
    assert items[0].abstract.startswith("Café ")
    assert [said in problem.message for problem in problems] == ([True] if said else [])


def test_a_stray_byte_far_inside_is_told_with_its_line(tmp_path):
    path = tmp_path / "papers.jsonl"
    line = json.dumps({"abstract": LONG}).encode() + b"\n"
    path.write_bytes(line * 1000 + line.replace(b"words", b"w\xf6rds", 1) + line)
    items, problems = parted(read(path))
    assert len(items) == 1002
    assert items[1000].abstract.startswith("wörds")
    assert [problem.line for problem in problems] == [1001]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.txt", b"%PDF-1.7 \x00\x01", "PDF"),
        ("a.csv", b"PK\x03\x04 \x00\x01", "Office"),
        ("a.txt", b"ab\x00\x01\x02\x03" * 9, "not text"),
        ("a.jsonl", b"  \n\n ", "is empty"),
        ("a.jsonl.gz", b"\x1f\x8b\x08broken", "gzip"),
    ],
)
def test_what_is_no_text_is_refused(name, data, said, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ReadError, match=said) as caught:
        list(read(path))
    assert str(caught.value).startswith(f"{path}: ")


def test_missing_files_folders_and_encodings(tmp_path):
    with pytest.raises(ReadError, match="no such file"):
        list(read(tmp_path / "none.txt"))
    with pytest.raises(ReadError, match="is a folder"):
        list(read(tmp_path))
    (tmp_path / "a.txt").write_text(LONG)
    with pytest.raises(ReadError, match="no encoding 'klingon'"):
        list(read(tmp_path / "a.txt", encoding="klingon"))


def test_compressed_data_that_breaks_off_gives_what_stands_before(tmp_path):
    lines = b"".join(json.dumps({"id": n, "abstract": f"{n} {LONG}", "n": n**9}).encode() + b"\n" for n in range(3000))
    path = tmp_path / "papers.jsonl.gz"
    path.write_bytes(gzip.compress(lines)[:-2000])
    items, problems = parted(read(path))
    assert 0 < len(items) < 3000
    assert "cut off" in problems[-1].message


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".txt"])
def test_memory_stays_flat(suffix, tmp_path):
    path = tmp_path / f"big{suffix}"
    with path.open("w") as out:
        out.write("id,abstract\n" if suffix == ".csv" else "")
        for n in range(20_000):
            if suffix == ".jsonl":
                out.write(json.dumps({"id": n, "abstract": LONG}) + "\n")
            elif suffix == ".csv":
                out.write(f"{n},{LONG}\n")
            else:
                out.write(LONG + "\n\n")
    tracemalloc.start()
    count = sum(isinstance(x, Item) for x in read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 2_500_000


def test_an_abstract_is_kept_as_it_was_received(tmp_path):
    abstract = "  We show that\n  networks fold\r\n maps. " + LONG
    path = tmp_path / "papers.jsonl"
    path.write_text(json.dumps({"abstract": abstract}))
    assert next(read(path)).abstract == abstract


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300).map(lambda s: s.encode("utf-8", "surrogatepass")),
        st.lists(st.sampled_from([*'{}[]",:;\t\n\r\\ ab1é“', "abstract", "\n\n", "null", "NaN"])).map(
            lambda parts: "".join(parts).encode()
        ),
    ),
    st.sampled_from([".txt", ".jsonl", ".json", ".csv", ".tsv", "", ".xyz", ".jsonl.gz"]),
)
def test_no_input_does_worse_than_a_read_error(tmp_path, data, suffix):
    path = tmp_path / f"in{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith(".gz") else data)
    try:
        items, problems = parted(read(path))
    except ReadError as error:
        assert "\n" not in str(error)
        return
    for item in items:
        assert item.abstract.strip()
        item.abstract.encode()
    assert not any("\n" in problem.message for problem in problems)


@pytest.mark.parametrize(
    ("name", "titled"),
    [("papers.jsonl", True), ("papers.csv", True), ("page.txt", False), ("page-with-titles.txt", True)],
)
def test_the_example_inputs_hold_the_same_three_abstracts(name, titled):
    items, problems = parted(read(HERE.parent / "fixtures" / name))
    assert [item.abstract[:10] for item in items] == ["Folding pa", "Clocks at ", "We present"]
    assert all(bool(item.title) == titled for item in items)
    assert not problems


def test_a_separator_pattern_that_takes_too_long_is_told(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("a" * 40 + "!\n\nAn abstract.\n", encoding="utf-8")
    with pytest.raises(ReadError, match="takes too long"):
        list(read(str(page), separator="/(a|a)*b|(a+)+c/"))
