"""Roles: what compares, what only mentions."""

from __future__ import annotations

import pytest

from extractor.find.roles import compares, relate_roles
from extractor.find.sentences import split
from extractor.mentions import DatasetName, Findings, MethodName


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("It outperforms ", " by 3 points"),
        ("a gain of 2% over ", ""),
        ("faster than the strong ", ""),
        ("on par with ", ""),
        ("strong baselines such as ", ""),
        ("even ", " achieves only 6.9%"),
    ],
)
def test_compared(left: str, right: str) -> None:
    assert compares(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("We fine-tune ", " with care"),
        ("outperforms others when built on ", ""),
        ("faster than prior work, based on ", ""),
        ("we train it with ", ""),
    ],
)
def test_mentioned(left: str, right: str) -> None:
    assert not compares(left, right)


def roles(text: str, *names: str, introduced: str | None = None) -> dict[str, str]:
    methods = [MethodName(n, None, [(text.index(n), text.index(n) + len(n))], "lexicon") for n in names]
    found = Findings(sentences=split(text), methods=methods)
    if introduced:
        found.datasets.append(DatasetName(introduced, introduced, [], "introduce", role="introduced"))
    relate_roles(text, found)
    return {m.name: m.role for m in methods}


def test_names_listed_with_a_compared_one_are_compared() -> None:
    assert roles("It beats DPO, IPO, and SimPO.", "DPO", "IPO", "SimPO") == dict.fromkeys(
        ("DPO", "IPO", "SimPO"), "compared"
    )


def test_models_a_benchmark_evaluates_are_compared() -> None:
    text = "We evaluate GPT-5 and Qwen3 on it."
    assert roles(text, "GPT-5", "Qwen3", introduced="StoneBench") == {"GPT-5": "compared", "Qwen3": "compared"}
    assert roles("We use Qwen3 as a base.", "Qwen3", introduced="StoneBench") == {"Qwen3": "mentioned"}


def test_proposed_stays_proposed() -> None:
    text = "We propose PebbleSort, which outperforms PebbleSort."
    found = Findings(
        sentences=split(text),
        methods=[MethodName("PebbleSort", None, [(42, 52)], "definition.propose", role="proposed")],
    )
    relate_roles(text, found)
    assert found.methods[0].role == "proposed"
