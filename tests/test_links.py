"""Links are found, cleaned, told apart by kind; and what is said of code."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from extractor import Extractor

CASES = Path(__file__).parent / "cases"
LINKS = tomllib.loads((CASES / "links.toml").read_text("utf-8"))["case"]
STATUS = [
    (status, sentence)
    for status, sentences in tomllib.loads((CASES / "code_status.toml").read_text("utf-8"))["status"].items()
    for sentence in sentences
]


@pytest.fixture(scope="module")
def extractor():
    return Extractor()


@pytest.mark.parametrize("case", LINKS, ids=lambda c: c["name"])
def test_links(extractor, case):
    links = extractor.extract(case["text"]).links
    assert [f"{link.kind} {link.url}" for link in links] == case["links"]
    assert [link.url for link in links if link.anonymous] == case.get("anonymous", [])
    for link in links:
        assert case["text"][link.span.start : link.span.end] == link.span.text


@pytest.mark.parametrize(("status", "sentence"), STATUS)
def test_code_status(extractor, status, sentence):
    assert extractor.extract("Foo is a new method. " + sentence).code_status == status


def test_a_page_of_odd_characters_is_read_quickly(extractor):
    for text in (
        "http://" * 3000,
        "https://a.b/" + "(" * 5000,
        "code " * 5000,
        "www." * 3000,
        "code available " * 3000,
    ):
        extractor.extract(text)
