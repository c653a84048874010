"""Evaluation: what counts as right, and that the figures are those of the annotations' own scorer."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
from pathlib import Path
from typing import Any

import pytest
from outputs import write
from record_samples import sample
from test_cli import call

from extractor.evaluate import Count, evaluate
from extractor.matching import flat, same_phrase, same_url

SHARED = Path(__file__).parent.parent.parent / "shared" / "gold"

TEXT = "QuickNet (QN) is 3.2x faster than SlowNet, 3.2x smaller, and 81% accurate on CIFAR-10."
GOLD: dict[str, Any] = {
    "id": "a",
    "methods": [
        {"name": "QuickNet", "full_name": None, "role": "proposed"},
        {"name": "SlowNet", "full_name": None, "role": "compared"},
    ],
    "datasets": [{"name": "CIFAR-10", "role": "used"}],
    "results": [
        {
            "quote": "3.2x", "nth": 2, "value": 3.2, "high": None, "unit": "x", "qualifier": "exact",
            "kind": "reduction", "metric": "size", "subject": None, "baseline": "SlowNet", "datasets": [],
        }
    ],
    "links": [],
    "code_status": "none",
}  # fmt: skip


def right() -> dict[str, Any]:
    """A record that says what GOLD says."""
    record = copy.deepcopy(GOLD)
    result = record["results"][0]
    start = TEXT.rindex("3.2x")
    result["span"] = {"start": start, "end": start + 4, "text": "3.2x"}
    del result["quote"], result["nth"]
    return {**record, "abstract": TEXT}


def figures(record: dict[str, Any]) -> dict[str, Any]:
    return evaluate([GOLD], {"a": record}).as_dict()


def test_a_record_that_says_the_same_is_perfect() -> None:
    made = evaluate([GOLD], {"a": right()})
    assert all(count.f1 == 1.0 for count in made.counts.values())
    assert made.rates["abstract.perfect"].share == 1.0
    assert made.misses == []


def test_markup_case_and_hyphens_make_no_other_name() -> None:
    record = right()
    record["methods"][0]["name"] = "\\textbf{quick-net}"
    assert figures(record)["methods_proposed"]["f1"] == 1.0


def test_a_full_name_or_alias_is_as_good_as_the_name() -> None:
    record = right()
    record["methods"][0] |= {"name": "QN", "aliases": ["QuickNet"]}
    assert figures(record)["methods"]["f1"] == 1.0


def test_a_number_in_another_place_or_with_another_value_is_missed_and_spurious() -> None:
    for change in ({"span": {"start": 17, "end": 21}}, {"value": 3.3}, {"unit": "percent"}):
        record = right()
        record["results"][0] |= change
        made = evaluate([GOLD], {"a": record})
        assert (made.counts["claims"].right, made.counts["claims"].gold, made.counts["claims"].found) == (0, 1, 1)
        assert [miss.what for miss in made.misses if miss.field == "claims"] == ["missed", "spurious"]


def test_a_wrong_part_of_a_number_is_told_as_wrong() -> None:
    record = right()
    record["results"][0] |= {"kind": "speedup", "metric": None, "datasets": ["CIFAR-10"]}
    made = evaluate([GOLD], {"a": record})
    assert made.counts["claims"].f1 == 1.0 and made.counts["records"].f1 == 0.0
    assert [(miss.field, miss.message) for miss in made.misses] == [
        ("result.kind", "'3.2x': gold 'reduction', got 'speedup'"),
        ("result.metric", "'3.2x': gold 'size', got None"),
        ("result.datasets", "'3.2x': gold [], got ['CIFAR-10']"),
    ]


def test_an_abstract_without_a_record_counts_as_empty() -> None:
    made = evaluate([GOLD], {})
    assert made.missing == 1
    assert made.counts["methods"] == Count(right=0, gold=2, found=0)


def test_precision_and_recall_of_nothing_are_one() -> None:
    assert (Count().precision, Count().recall, Count().f1) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Top-1 accuracy", "the accuracy", True), ("FLOPs", "FLOP", True), ("latency", "memory", False),
        (None, None, True), (None, "latency", False), ("→", "→", True),
    ],
)  # fmt: skip
def test_phrases_are_the_same_when_they_share_most_words(one: str, other: str, same: bool) -> None:
    assert same_phrase(one, other) is same


def test_greek_letters_may_be_written_out() -> None:
    assert flat("\\epsilon-greedy") == flat("ε-greedy")
    assert flat("$\\tau$-bench") == flat("τ-bench")


def test_a_link_may_carry_latex_escapes_in_the_annotation() -> None:
    assert same_url("https://x.org/a\\_b/", "https://x.org/a_b")


# --- the same figures as the scorer beside the annotations


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _disturbed(gold: list[dict[str, Any]], texts: dict[str, str], seed: int) -> dict[str, dict[str, Any]]:
    """Records that are right in most things, and wrong in some of every kind."""
    dice = random.Random(seed)
    made = {}
    for annotation in copy.deepcopy(gold):
        if dice.random() < 0.05:
            continue
        for result in annotation["results"]:
            at = -1
            for _ in range(result["nth"]):
                at = texts[annotation["id"]].find(result["quote"], at + 1)
            result["span"] = {"start": at, "end": at + len(result["quote"])}
            changes: dict[str, Any] = {
                "kind": dice.choice(["gain", "size", "score"]),
                "metric": dice.choice([None, "accuracy", f"the {result['metric']}"]),
                "subject": dice.choice([None, "GPT-4"]),
                "datasets": result["datasets"][:-1],
                "unit": dice.choice(["%", "points", "pp", None]),
            }
            result |= {name: value for name, value in changes.items() if dice.random() < 0.15}
            del result["quote"], result["nth"]
        for group in ("methods", "datasets", "results", "links"):
            entries = annotation[group]
            if entries and dice.random() < 0.3:
                entries.append(copy.deepcopy(dice.choice(entries)))
            dice.shuffle(entries)
            if entries and dice.random() < 0.2:
                entries.pop()
        for method in annotation["methods"]:
            if dice.random() < 0.2:
                method |= {"name": method["full_name"] or method["name"], "full_name": method["name"]}
        made[annotation["id"]] = annotation
    return made


@pytest.mark.skipif(not (SHARED / "score.py").exists(), reason="the annotations are not beside the repository")
@pytest.mark.parametrize("seed", range(3))
def test_the_figures_are_those_of_the_scorer_beside_the_annotations(seed: int) -> None:
    spec = importlib.util.spec_from_file_location("score", SHARED / "score.py")
    assert spec is not None and spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    gold = _lines(SHARED / "dev.gold.jsonl")
    texts = {entry["id"]: entry["text"] for entry in _lines(SHARED / "dev.texts.jsonl")}
    records = _disturbed(gold, texts, seed)
    ours = evaluate(gold, records, texts)
    empty = {"methods": [], "datasets": [], "results": [], "links": [], "code_status": "none"}
    parts = [score.score_one(texts[g["id"]], g, {**empty, **records.get(g["id"], {})}) for g in gold]
    counts, rates = score.total(parts)
    assert {name: (c.right, c.gold, c.found) for name, c in ours.counts.items()} == counts
    assert {name: (rate.right, rate.total) for name, rate in ours.rates.items()} == rates
    theirs = [(field, what) for part in parts for field, what, _ in part[2]]
    assert sorted(theirs) == sorted((miss.field, miss.what) for miss in ours.misses)


def test_a_report_never_takes_the_place_of_what_it_was_made_from(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    write(records, sample())
    before = records.read_bytes()
    told = call("evaluate", records, records, "--report", records)
    assert told.exit_code == 2 and f"{records} is an input and would be overwritten" in told.stderr
    told = call("evaluate", records, records, "--report", tmp_path / "no" / "page.md")
    assert told.exit_code == 2 and "there is no folder" in told.stderr
    assert records.read_bytes() == before


def test_nothing_to_compare_with_is_told(tmp_path: Path) -> None:
    write(tmp_path / "records.jsonl", sample())
    (tmp_path / "gold.jsonl").touch()
    told = call("evaluate", tmp_path / "gold.jsonl", tmp_path / "records.jsonl")
    assert told.exit_code == 2 and "gold.jsonl: is empty" in told.stderr
