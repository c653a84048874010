"""Markup becomes plain text, and every plain span leads back to what was received."""

from __future__ import annotations

import gzip
import json
import re
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractor.markup import normalise
from extractor.markup_macros import macros
from extractor.markup_pairs import URL

HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "cases" / "markup.toml").read_text("utf-8"))["case"]
CORPUS = HERE.parent.parent / "shared" / "corpus" / "abstracts.jsonl.gz"


def check_map(raw, plain):
    """What holds for every text: offsets in order and within the text, each character from some received one."""
    n = len(plain.text)
    assert len(plain.starts) == len(plain.ends) == n
    assert list(plain.starts) == sorted(plain.starts)
    assert list(plain.ends) == sorted(plain.ends)
    assert all(0 <= a < b <= len(raw) for a, b in zip(plain.starts, plain.ends, strict=True))
    for mark in plain.emphasis:
        assert 0 <= mark.start < mark.end <= n
        assert plain.text[mark.start : mark.end].strip() == plain.text[mark.start : mark.end]
    for link in plain.hidden_links:
        assert 0 <= link.start <= link.end <= n
        assert 0 <= link.raw_start < link.raw_end <= len(raw)
        assert not re.search(r"\s", link.url)
    for match in re.finditer(r"\S+", plain.text):
        start, end = plain.raw(*match.span())
        assert 0 <= start < end <= len(raw)
        assert start <= plain.starts[match.start()]
        assert end >= plain.ends[match.end() - 1]


@pytest.mark.parametrize("case", CASES, ids=[case["text"][:40] for case in CASES])
def test_case(case):
    raw, plain = case["raw"], normalise(case["raw"])
    assert plain.text == case["text"]
    check_map(raw, plain)
    if "marks" in case:
        found = [f"{mark.kind}: {plain.text[mark.start : mark.end]}" for mark in plain.emphasis]
        assert sorted(found) == sorted(case["marks"])
    if "links" in case:
        found = [f"{plain.text[link.start : link.end]} -> {link.url}" for link in plain.hidden_links]
        assert found == case["links"]
        for link in plain.hidden_links:
            assert raw[link.raw_start : link.raw_end] == link.url
    for text, received in case.get("spans", []):
        at = plain.text.index(text)
        start, end = plain.raw(at, at + len(text))
        assert raw[start:end] == received


def test_text_without_markup_is_itself():
    raw = "Plain text, 5% of it in (brackets) and with–dashes; A-B, x = 3."
    plain = normalise(raw)
    assert plain.text == raw
    assert plain.raw(0, 5) == (0, 5)


def test_every_row_of_the_table_says_what_it_is_for():
    rows = (HERE.parent / "extractor" / "rules" / "markup_macros.tsv").read_text("utf-8").splitlines()
    names = [row.split("\t")[0] for row in rows if not row.startswith("#")]
    assert len(names) == len(set(names)) == len(macros())
    for name in names:
        for raw in (f"a \\{name}{{bc}}{{de}} f", f"a \\{name} b", f"$x\\{name}y$", f"\\{name}"):
            check_map(raw, normalise(raw))


# What a reader sees of a piece, by the piece; put together in any order they must read as their parts do.
PIECES = {
    r"\textbf{Fold}": "Fold",
    r"$\pi_0$": "π0",
    r"3.2$\times$": "3.2×",
    r"$2.6\times$": "2.6×",
    r"95\%": "95%",
    "**Net**": "Net",
    "*map one*": "map one",
    "`x_y`": "x_y",
    r"\emph{\textbf{a} b}": "a b",
    "$10^{-3}$": "10^-3",
    r"\frac{1}{24}": "1/24",
    "5%": "5%",
    "snake_case": "snake_case",
    "CLIP": "CLIP",
    "https://a.example/b_c": "https://a.example/b_c",
    r"\url{https://a.example/d\_e}": "https://a.example/d_e",
    "[here](https://a.example)": "here",
    "``said''": "“said”",
    r"G\"odel": "Gödel",
    "naïve": "naïve",
    "ﬂow": "flow",
    "soft\u00adhyphen": "softhyphen",
    r"{\bf old}": "old",
    r"\method": "method",
    r"$\mathcal{O}(n^2)$": "O(n^2)",
}


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(sorted(PIECES)), min_size=1, max_size=12))
def test_pieces_read_the_same_beside_each_other(pieces):
    raw = " ".join([r"$\alpha$", *pieces])
    plain = normalise(raw)
    assert plain.text == " ".join(["α", *(PIECES[piece] for piece in pieces)])
    check_map(raw, plain)
    at = place = len(r"$\alpha$ ") - 1
    at = 1
    for piece in pieces:
        start, end = plain.raw(at + 1, at + 1 + len(PIECES[piece]))
        # The span stands within its own piece, marks and all.
        assert place + 1 <= start < end <= place + 1 + len(piece)
        at, place = at + 1 + len(PIECES[piece]), place + 1 + len(piece)


ALPHABET = [
    *"ab1é $\\{}*_^`~[]'\"“",
    *["**", "``", "''", "--", "<b>", "</b>", "&amp;", "](", ")", "\n", "\n\n", "\r\n", "  ", "\u0301", "\u00ad", "ﬁ"],
    *[
        "https://a.b/c",
        "\\textbf",
        "\\frac",
        "\\url",
        "\\href",
        "\\em",
        "\\tilde",
        "\\cite",
        "\\left",
        "\\item",
        "\\begin",
    ],
    *["\\'", '\\"', "\\%", "\\\\", "\\(", "\\)", "\\[", "\\]", "\\sub", "\\item", "\\begin"],
]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(ALPHABET), max_size=40).map("".join))
def test_malformed_markup_passes_through(raw):
    check_map(raw, normalise(raw))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_passes_through(raw):
    plain = normalise(raw)
    check_map(raw, plain)
    if not re.search(r"[&\\<]|\]\(", raw):
        # Nothing here can hide text: every letter and digit is still there.
        kept = [c for c in plain.text if c.isalnum()]
        assert len(kept) >= sum(c.isalnum() for c in raw) - sum("\u0300" <= c <= "\u036f" for c in raw)


@pytest.mark.parametrize(
    "raw",
    [
        *["{" * 50_000, "$" * 50_000, "*a" * 30_000, "\\textbf{" * 20_000, "\\(" * 30_000, "[a](http://a" * 8_000],
        *["`a'" * 20_000, "<b>" * 20_000, "\n\n*" * 20_000, "$a$" * 20_000, "_a_" * 20_000, "\\frac{" * 20_000],
        *["&a" * 30_000, "http://" * 10_000, "http://a" + ")" * 50_000, '"a' * 30_000, " " * 100_000, "a\n " * 30_000],
        "^{" * 30_000 + "}" * 30_000,
    ],
    ids=lambda raw: repr(raw[:12]),
)
def test_hostile_texts_take_no_time(raw):
    start = time.process_time()
    check_start = normalise(raw)
    assert len(check_start.text) <= 2 * len(raw)
    assert time.process_time() - start < 5


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")
def test_the_corpus_keeps_its_offsets_and_its_digits():
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    leftover = 0
    for raw in texts[:: 1 if len(texts) < 2000 else 3]:
        plain = normalise(raw)
        check_map(raw, plain)
        if "\\" not in raw and "](" not in raw and not URL.search(raw):
            assert sum(c.isdigit() for c in plain.text) == sum(c.isdigit() for c in raw)
        leftover += re.search(r"\\[A-Za-z]{2}|\*\*|\$\\|\]\(http|``", plain.text) is not None
    assert leftover < 0.002 * len(texts)
