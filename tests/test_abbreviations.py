"""Abbreviations: the cases in ``cases/abbreviations.jsonl``, and what must hold for any text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.find.abbreviations import abbreviations
from extractor.find.align import align
from extractor.find.sentences import split
from extractor.mentions import Findings

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases/abbreviations.jsonl").read_text().splitlines()]


def found(text: str) -> dict[str, str]:
    return {a.short: a.long for a in abbreviations(text, Findings(sentences=split(text)))}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["why"])
def test_case(case: dict[str, Any]) -> None:
    assert found(case.get("plain", case["text"])) == case["found"]


def test_offsets_point_at_both_forms() -> None:
    text = "We propose Gentle Path Pruning (GPP), and LOOM (Layered Optimisation Of Memory)."
    for a in abbreviations(text, Findings(sentences=split(text))):
        assert text[a.short_start : a.short_end] == a.short
        assert text[a.long_start : a.long_end] == a.long


def test_alignment_prefers_initials_and_the_shorter_long_form() -> None:
    long = "a very good Adaptive Tree Policy".split()
    got = align("ATP", long)
    assert got is not None
    assert (long[got.first], long[got.last], got.rate) == ("Adaptive", "Policy", 1.0)


def test_no_alignment_without_the_first_letter() -> None:
    assert align("XYZ", ["Adaptive", "Tree", "Policy"]) is None
    assert align("ATP", []) is None


@given(st.text(alphabet="abAB12 ()[],.;:—-^*'\n", max_size=120))
def test_any_text_is_read_without_error(text: str) -> None:
    for a in abbreviations(text, Findings(sentences=split(text))):
        assert text[a.short_start : a.short_end] == a.short
        assert text[a.long_start : a.long_end] == a.long
