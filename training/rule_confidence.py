"""Measure how often each result rule is right on annotated abstracts, and write the shares the extractor shows.

    python training/rule_confidence.py TEXTS.jsonl GOLD.jsonl > extractor/rules/result_confidence.toml

A result is right when the annotations hold the same number at the same place with the same kind, qualifier and metric.
Shares are smoothed towards the mean of all rules with the weight of ten results, so that a rule seen once is neither
sure nor hopeless.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from extractor import Extractor
from extractor.matching import same_number, same_phrase, same_unit

PRIOR_WEIGHT = 10


def rows(path: str) -> dict[str, dict[str, Any]]:
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, filter(str.strip, lines))}


def same_result(text: str, gold: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether an annotated and a found result are the same number at the same place."""
    start = -1
    for _ in range(gold["nth"]):
        start = text.find(gold["quote"], start + 1)
    overlap = found["span"]["start"] < start + len(gold["quote"]) and start < found["span"]["end"]
    value = same_number(gold["value"], found["value"]) and same_number(gold["high"], found["high"])
    return overlap and value and same_unit(gold["unit"], found["unit"])


def main(texts_path: str, gold_path: str) -> None:
    texts, gold = rows(texts_path), rows(gold_path)
    extractor = Extractor()
    seen: dict[str, list[bool]] = defaultdict(list)
    for paper, annotation in gold.items():
        text = texts[paper]["text"]
        left = list(annotation["results"])
        for result in extractor.extract(text).results:
            found = result.model_dump()
            match = next((g for g in left if same_result(text, g, found)), None)
            if match is not None:
                left.remove(match)
            seen[result.rule].append(
                match is not None
                and match["kind"] == result.kind
                and match["qualifier"] == result.qualifier
                and same_phrase(match["metric"], result.metric)
            )
    everything = [right for results in seen.values() for right in results]
    mean = sum(everything) / len(everything)
    print("# Confidence of a result by the rule that read it: the share of results with the right kind, qualifier and")
    print("# metric among annotated abstracts, smoothed. Written by training/rule_confidence.py.")
    print(f"[rules]\ndefault = {mean:.2f}")
    for rule, rights in sorted(seen.items()):
        share = (sum(rights) + PRIOR_WEIGHT * mean) / (len(rights) + PRIOR_WEIGHT)
        print(f"{rule} = {share:.2f}  # {sum(rights)} of {len(rights)}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
