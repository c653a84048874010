"""The review page as bytes: what is in it, and that no text of a record becomes part of the page around it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from record_samples import ABSTRACT, sample, span
from typer.testing import CliRunner

from extractor.cli.application import app
from extractor.errors import WriteError
from extractor.records import Dataset, Link, Method, PaperRecord, Source
from extractor.report import write_report

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "</script><script>alert(2)</script>",
    "<!-- <script> --!> ]]>",
    "\"' onmouseover='alert(3)' \\u003c \\",
    "{{ 7 * 7 }} {% raw %}",
    "line\u2028and\u2029paragraph, \x00 and \x1f",
    "&lt;b&gt; &amp;amp;",
    "\u202eturned\u202c \u2066isolated \u200f\u061c",
]


def page_of(*records: PaperRecord) -> str:
    stream = io.BytesIO()
    assert write_report(records, stream) == len(records)
    return stream.getvalue().decode("utf-8")


class Reader(HTMLParser):
    """The elements of a page, and the texts of its scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = dict(attrs).get("id") or tag if tag in ("script", "style") else ""
        self.texts.setdefault(self.inside, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.inside, [""])[-1] += data


def data_of(page: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Reader(page).texts["data"][0])
    return data


def unpacked(data: dict[str, Any]) -> list[PaperRecord]:
    """The records the data was made from: nothing of them may be lost."""
    words = [*data["strings"], None]

    def word(n: int | None) -> str | None:
        return words[-1 if n is None else n]

    def spans(flat: list[int], texts: dict[str, str | None]) -> list[dict[str, Any]]:
        made = []
        for title, start, end in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
            field = "title" if title else "abstract"
            made.append({"field": field, "start": start, "end": end, "text": (texts[field] or "")[start:end]})
        return made

    records = []
    for paper in data["papers"]:
        id, title, venue, year, url, abstract, code, methods, datasets, results, links, *last = paper
        warnings, source, extra, version = last
        texts = {"title": title, "abstract": abstract}
        made: dict[str, Any] = {
            "id": id, "title": title, "venue": word(venue), "year": year, "url": url, "abstract": abstract,
            "code_status": word(code), "warnings": warnings, "extra": extra, "schema_version": word(version),
            "source": {"file": word(source[0]), "format": word(source[1]), "index": source[2], "line": source[3]},
            "methods": [
                {"name": word(name), "role": word(role), "confidence": sure, "rule": word(rule), "aliases": aliases,
                 "mentions": spans(places, texts), "full_name": full}
                for name, role, sure, rule, places, full, aliases in methods
            ],
            "datasets": [
                {"name": word(name), "role": word(role), "confidence": sure, "rule": word(rule),
                 "mentions": spans(places, texts), "canonical": word(canonical)}
                for name, role, sure, rule, places, canonical in datasets
            ],
            "links": [
                {"url": address, "kind": word(kind), "host": word(host), "anonymous": bool(anonymous),
                 "span": spans(place, texts)[0]}
                for address, kind, host, anonymous, place in links
            ],
            "results": [],
        }  # fmt: skip
        for result in results:
            sentence = {k: v for k, v in spans(result[12], texts)[0].items() if k != "text"}
            made["results"].append({
                "kind": word(result[0]), "value": result[1], "high": result[2], "unit": word(result[3]),
                "qualifier": word(result[4]), "metric": word(result[5]), "subject": word(result[6]),
                "baseline": word(result[7]), "datasets": [word(n) for n in result[8]], "method": word(result[9]),
                "baseline_method": word(result[10]), "span": spans(result[11], texts)[0], "sentence": sentence,
                "confidence": result[13], "rule": word(result[14]),
            })  # fmt: skip
        records.append(PaperRecord.model_validate(made))
    return records


def full_sample() -> PaperRecord:
    made = sample(
        title="𝔽ast QuickNet", venue="ICLR", year=2026, url="https://example.org/1", warnings=["a warning"],
        extra={"area": "vision", "n": 3, "list": [1, None]},
        source=Source(file="a.txt", format="text", index=3, line=7),
    )  # fmt: skip
    quick = made.methods[0]
    mentions = [span("𝔽ast QuickNet", "QuickNet", "title"), *quick.mentions]
    quick = quick.model_copy(update={"full_name": "Quick Network", "aliases": ["QN"], "mentions": mentions})
    ranged = made.results[0].model_copy(
        update={"high": 4.5, "qualifier": "up_to", "subject": "us", "method": "QuickNet", "baseline_method": "SlowNet"}
    )
    return made.model_copy(
        update={"methods": [quick, *made.methods[1:]], "results": [ranged, *made.results[1:]]},
    )


def test_every_value_of_the_records_is_in_the_data() -> None:
    records = [full_sample(), sample("plain"), sample("none", methods=[], datasets=[], results=[], links=[])]
    assert unpacked(data_of(page_of(*records))) == records


def test_the_same_records_give_the_same_bytes() -> None:
    assert page_of(full_sample(), sample()) == page_of(full_sample(), sample())


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_data(text: str) -> None:
    abstract = f"{text} {ABSTRACT} {text}"
    record = sample(
        text, abstract, title=text, venue=text, url=f"javascript:{text}", warnings=[text], extra={text: text},
        source=Source(file=text),
        methods=[Method(name=text, full_name=text, aliases=[text], role="proposed", mentions=[span(abstract, text)],
                        confidence=0.5, rule=text)],
        datasets=[Dataset(name=text, canonical=text, role="used", mentions=[], confidence=0.5, rule=text)],
        links=[Link(url=f"javascript:{text}", kind="code", host=text, anonymous=False, span=span(abstract, text))],
    )  # fmt: skip
    page = page_of(record)
    bare = Reader(page_of(sample()))
    made = Reader(page)
    assert made.tags == bare.tags
    assert unpacked(data_of(page)) == [record]
    assert not re.search("[<>&\u2028\u2029\x00]", made.texts["data"][0])


def test_the_page_lets_nothing_in_but_its_own_script_and_style() -> None:
    page = page_of(sample())
    made = Reader(page)
    policy = next(attrs["content"] for tag, attrs in made.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    for name, rule in (("script", "script-src"), ("style", "style-src")):
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in made.texts[name]]
        assert digests and rules.pop(rule).split() == [f"'sha256-{digest}'" for digest in digests]
    assert set(rules.values()) == {"'none'"}
    assert "default-src" in rules
    for _, attrs in made.tags:
        assert not {"src", "style", "srcset"} & set(attrs)
        assert not any(name.startswith("on") for name in attrs)
    risky = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\("
    assert not any(re.search(risky, script) for script in made.texts["script"])


def test_no_records_give_a_page_that_says_so() -> None:
    page = page_of()
    assert "There are no papers in these records." in page
    assert data_of(page) == {"papers": [], "strings": []}
    assert "There are no papers" not in page_of(sample())


def test_numbers_that_json_does_not_have_become_null() -> None:
    page = page_of(sample(extra={"loss": float("nan"), "more": [float("inf")]}))
    assert unpacked(data_of(page))[0].extra == {"loss": None, "more": [None]}


def test_halves_of_surrogate_pairs_can_be_written() -> None:
    assert data_of(page_of(sample(warnings=["\ud83d alone"])))["papers"][0][11] == ["\ud83d alone"]


def test_five_thousand_papers_stay_below_25_megabytes(tmp_path: Path) -> None:
    # An abstract of 1,400 characters with six numbers and five names is more than the usual one holds.
    filler = " It is described in words that take the room of a usual abstract of this field, not more." * 14

    def papers() -> Any:
        for n in range(2000):
            made = sample(f"p-{n:012d}", ABSTRACT + filler, title=f"A paper about networks, number {n}", venue="ICLR")
            named = [m.model_copy(update={"name": f"{m.name}-{n}", "full_name": "Quick Net"}) for m in made.methods]
            yield made.model_copy(update={"methods": named * 2, "results": made.results * 3})

    path = tmp_path / "page.html"
    assert write_report(papers(), path) == 2000
    assert path.stat().st_size * 5000 / 2000 < 25_000_000


# --- the file and the command


def test_a_run_that_fails_leaves_the_older_page(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("older")

    def broken() -> Any:
        yield sample()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_report(broken(), path)
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text() == "older"
    with pytest.raises(WriteError, match="there is no folder"):
        write_report([], tmp_path / "no" / "page.html")


def test_bad_records_are_named_and_the_others_shown(tmp_path: Path) -> None:
    source, page = tmp_path / "records.jsonl", tmp_path / "page.html"
    source.write_text(f"{sample('a').model_dump_json()}\n{{}}\n{sample('b').model_dump_json()}\n", "utf-8")
    made = CliRunner().invoke(app, ["report", str(source), "-o", str(page)])
    assert made.exit_code == 1
    assert made.stderr.startswith(f"error: {source}:2: id: ")
    assert [paper[0] for paper in data_of(page.read_text("utf-8"))["papers"]] == ["a", "b"]


def test_nothing_but_bad_records_make_no_page(tmp_path: Path) -> None:
    source, page = tmp_path / "records.jsonl", tmp_path / "page.html"
    source.write_text("{}\n", "utf-8")
    assert CliRunner().invoke(app, ["report", str(source), "-o", str(page)]).exit_code == 1
    assert not page.exists()


def test_no_records_at_all_make_a_page_from_the_command_too(tmp_path: Path) -> None:
    source, page = tmp_path / "records.jsonl", tmp_path / "page.html"
    source.write_text("", "utf-8")
    assert CliRunner().invoke(app, ["report", str(source), "-o", str(page)]).exit_code == 0
    assert "There are no papers" in page.read_text("utf-8")


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "records.jsonl"
    source.write_text(sample().model_dump_json() + "\n", "utf-8")
    made = CliRunner().invoke(app, ["report", str(source), "-o", str(source)])
    assert made.exit_code == 2
    assert "would be overwritten" in made.stderr
    assert "\n" not in made.stderr.strip()


def test_the_page_goes_to_standard_output_too(tmp_path: Path) -> None:
    source = tmp_path / "records.jsonl"
    source.write_text(sample().model_dump_json() + "\n", "utf-8")
    made = CliRunner().invoke(app, ["report", str(source), "-o", "-"])
    assert made.exit_code == 0
    assert made.stdout == page_of(sample())
