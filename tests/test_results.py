"""What the result rules make of a sentence: the cases are data in ``cases/results.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from extractor import Extractor

CASES = tomllib.loads((Path(__file__).parent / "cases" / "results.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_results_of_a_sentence(case: dict[str, Any], extractor: Extractor) -> None:
    record = extractor.extract(case["text"])
    found = [result.model_dump() for result in record.results]
    wanted = case.get("results", [])
    assert [r["span"]["text"] for r in found] == [w["quote"] for w in wanted]
    for result, expected in zip(found, wanted, strict=True):
        for key, value in expected.items():
            if key == "quote":
                continue
            assert result[key] == (None if value == "none" else value), f"{expected['quote']}: {key}"


def test_every_result_names_the_rule_that_read_it(extractor: Extractor) -> None:
    record = extractor.extract("It improves accuracy by 3% with 20 models.")
    assert [r.rule for r in record.results] == ["left_by", "count"]
