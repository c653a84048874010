"""The quality gate: scores on the development annotations stay at or above their floors (``gold_floors.toml``)."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from extractor import Extractor

FLOORS = tomllib.loads((Path(__file__).parent / "gold_floors.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def scores(shared: Path, extractor: Extractor, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the scorer beside the annotations says of the records of the development texts."""
    gold = shared / "gold"
    records = tmp_path_factory.mktemp("gold") / "records.jsonl"
    with records.open("w", encoding="utf-8") as out:
        for line in (gold / "dev.texts.jsonl").read_text(encoding="utf-8").splitlines():
            paper = json.loads(line)
            out.write(extractor.extract(paper["text"], id=paper["id"]).model_dump_json() + "\n")
    command = [sys.executable, gold / "score.py", "--json", gold / "dev.texts.jsonl", gold / "dev.gold.jsonl", records]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    result: dict[str, Any] = json.loads(said)
    return result


def test_every_abstract_has_a_record(scores: dict[str, Any]) -> None:
    assert scores["missing"] == 0


@pytest.mark.parametrize("field", FLOORS["f1"])
def test_f1_does_not_fall(field: str, scores: dict[str, Any]) -> None:
    assert scores[field]["f1"] >= FLOORS["f1"][field]


@pytest.mark.parametrize("attribute", FLOORS["rate"])
def test_share_of_right_attributes_does_not_fall(attribute: str, scores: dict[str, Any]) -> None:
    assert scores[attribute] >= FLOORS["rate"][attribute]
