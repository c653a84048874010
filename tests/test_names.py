"""Method names: the cases in ``cases/names.jsonl``, and what must hold for any text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor import Extractor
from extractor.find.shapes import is_strong, key, shape, singular, stem, tokens
from extractor.rules import rows

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases/names.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor(model=False)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["why"])
def test_case(case: dict[str, Any], extractor: Extractor) -> None:
    record = extractor.extract(case["text"])
    assert {m.name: m.role for m in record.methods} == case["methods"]


def test_full_name_and_all_mentions(extractor: Extractor) -> None:
    text = "We propose Gentle Path Pruning (GPP). GPP prunes; GPPs differ."
    (method,) = extractor.extract(text).methods
    assert (method.name, method.full_name) == ("GPP", "Gentle Path Pruning")
    assert [m.text for m in method.mentions] == ["Gentle Path Pruning", "GPP", "GPP", "GPPs"]


def test_a_long_and_a_short_form_of_a_known_name_are_one(extractor: Extractor) -> None:
    (method,) = extractor.extract("Stochastic gradient descent is old. SGD is fast.").methods
    assert (method.name, method.full_name) == ("SGD", "Stochastic gradient descent")


def test_title_before_a_colon_is_the_papers_name(extractor: Extractor) -> None:
    record = extractor.extract("Pebbles are sorted by weight.", title="PebbleSort: Sorting by Weight")
    assert [(m.name, m.role, m.rule) for m in record.methods] == [("PebbleSort", "proposed", "title")]


def test_each_name_once(extractor: Extractor) -> None:
    record = extractor.extract("We use GPT-4o, GPT-4o and GPT4o. Vision Transformers (ViTs) and a ViT.")
    names = [key(m.name) for m in record.methods]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("LoRA", "camel"), ("GRPO", "caps"), ("LLMs", "caps"), ("GPT-4o", "caps"), ("o4-mini", "mixed"),
        ("3DGS", "mixed"),
        ("β-VAE", "greek"), ("μP", "greek"), ("Adam", "title"), ("Chain-of-Thought", "title"), ("k-means", "lower"),
        ("10-shot", "number"), ("top-1", "number"), ("7B", "number"), ("word", "lower"), ("Claude-4", "mixed"),
    ],
)  # fmt: skip
def test_shapes(word: str, expected: str) -> None:
    assert shape(word) == expected


def test_tokens_stem_and_singular() -> None:
    assert [t.text for t in tokens("Qwen2.5-VL-7B, A*, M^2R; CLIP-based.")] == [
        "Qwen2.5-VL-7B",
        "A*",
        "M^2R",
        "CLIP-based",
    ]
    assert stem("CLIP-based") == "CLIP"
    assert stem("S2R-Adapter") == "S2R-Adapter"
    assert singular("LLMs") == "LLM"
    assert not is_strong("Adapter")


@pytest.mark.parametrize("file", ["methods_known", "not_methods", "name_cues", "role_cues", "common_abbreviations"])
def test_tables_are_whole(file: str) -> None:
    table = rows(file)
    assert table
    assert all(len(row) >= 3 and row[0] and row[1] for row in table), [r for r in table if len(r) < 3][:3]
    assert len(set(table)) == len(table), "a row stands twice"


def test_no_known_method_is_in_the_stop_list() -> None:
    known = {row[0] for row in rows("methods_known")}
    stopped = {row[1] for row in rows("not_methods") if row[0] == "hard"}
    assert sorted(known & stopped) == []


@given(st.text(alphabet="abcABC123 ()[],.;:—-^*'\"\n", max_size=200))
def test_any_text_is_read_without_error(text: str) -> None:
    record = ANY.extract(text or "x")
    for method in record.methods:
        assert method.mentions
        assert all(m.text == record.abstract[m.start : m.end] for m in method.mentions)


ANY = Extractor()
