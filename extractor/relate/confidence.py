"""How sure a result is: a logistic model over a few signs of it, its weights in ``rules/result_confidence.toml``.

A result is right when its kind, qualifier and metric are. ``training/results.py`` learns the weights from
annotated abstracts; the probability is the logistic function of their sum.
"""

from __future__ import annotations

from bisect import bisect_right
from math import exp

from extractor.mentions import ResultFound
from extractor.rules import toml

MANY = 4  # results in a sentence, words of a metric: from here on alike
STEPS = (0.4, 0.6, 0.8, 0.9, 0.97)  # of the model's probability of a metric
UNITS = frozenset(["percent", "points", "x"])


def signs(result: ResultFound, alike: int) -> list[str]:
    """The signs of ``result``, one of ``alike`` results of its sentence."""
    unit = result.number.unit
    words = len((result.metric or "").split())
    made = [
        "bias",
        f"rule:{result.rule}",
        f"kind:{result.kind}",
        f"unit:{unit if unit in UNITS else 'none' if unit is None else 'other'}",
        f"metric words:{min(words, MANY)}",
        f"in sentence:{min(alike, MANY)}",
    ]
    if result.sure is not None:
        made.append(f"metric probability:{bisect_right(STEPS, result.sure)}")
    if result.metric is None:
        made.append(f"no metric:{result.kind}")
    if result.datasets:
        made.append("datasets")
    if result.baseline:
        made.append("baseline")
    return made


def confidence(result: ResultFound, alike: int) -> float:
    """The probability that ``result`` is right, between 0 and 1."""
    weights = toml("result_confidence")["weights"]
    score = sum(weights.get(sign, 0.0) for sign in signs(result, alike))
    return float(1 / (1 + exp(-score)))
