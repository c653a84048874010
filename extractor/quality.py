"""How good records are, as a page: the figures with intervals, the errors by kind, and whether confidences hold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from extractor.evaluate import Evaluation, Judged, evaluate, judged

SEED = 2026
DRAWS = 1000
BINS = 5
FIELDS = {
    "methods_proposed": "proposed methods",
    "methods": "all methods",
    "datasets": "datasets",
    "claims": "claims (all numbers but sizes)",
    "sizes": "sizes",
    "records": "whole results: kind, qualifier, metric and datasets all right",
    "links": "links",
}
Entries = Mapping[str, Mapping[str, Any]]


def page(gold: Entries, records: Entries, texts: Mapping[str, str]) -> str:
    """The Markdown page on annotations and records by id; ``texts`` are the abstracts as received."""
    whole = evaluate(gold.values(), records, texts)
    each = [evaluate([annotation], records, texts) for annotation in gold.values()]
    values = [
        value
        for id, annotation in gold.items()
        if id in records
        for value in judged(annotation, records[id], texts[id])
    ]
    parts = [_head(whole), _figures(whole, each), _attributes(whole), _errors(whole), _reliability(values), READING]
    return "\n\n".join(parts) + "\n"


def _head(made: Evaluation) -> str:
    return (
        "# Quality\n\n"
        f"Measured on {made.abstracts} annotated abstracts. Written by `extractor evaluate GOLD RECORDS --texts TEXTS "
        "--report FILE`; do not edit."
    )


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def interval(values: Sequence[Any], figure: Callable[[Sequence[Any]], float]) -> tuple[float, float]:
    """The 95% interval of ``figure`` by drawing the abstracts anew (percentile bootstrap, Efron 1979)."""
    chance = random.Random(SEED)
    drawn = sorted(figure(chance.choices(values, k=len(values))) for _ in range(DRAWS))
    return drawn[int(0.025 * DRAWS)], drawn[int(0.975 * DRAWS) - 1]


def _figures(whole: Evaluation, each: Sequence[Evaluation]) -> str:
    rows = []
    for name, said in FIELDS.items():
        count = whole.counts[name]
        parts = [(one.counts[name].right, one.counts[name].gold + one.counts[name].found) for one in each]
        low, high = interval(parts, _f1)
        cells = (count.precision, count.recall, count.f1)
        rows.append(
            (said, *(f"{value:.3f}" for value in cells), f"{low:.3f}–{high:.3f}", str(count.gold), str(count.found))
        )
    return "## Found\n\n" + _table(("field", "precision", "recall", "F1", "95% interval", "annotated", "found"), rows)


def _f1(parts: Sequence[tuple[int, int]]) -> float:
    both = sum(part[1] for part in parts)
    return 2 * sum(part[0] for part in parts) / both if both else 0.0


def _attributes(whole: Evaluation) -> str:
    rows = [(name, f"{rate.share:.3f}", str(rate.total)) for name, rate in sorted(whole.rates.items())]
    return "## Right among those found\n\n" + _table(("attribute", "right", "of"), rows)


def _errors(whole: Evaluation) -> str:
    counts = Counter((miss.field, miss.what) for miss in whole.misses)
    fields = sorted({field for field, _ in counts})
    rows = [(field, *(str(counts[field, what] or "") for what in ("missed", "spurious", "wrong"))) for field in fields]
    return "## Errors by kind\n\n" + _table(("field", "missed", "spurious", "wrong"), rows)


def calibration_error(values: Sequence[Judged]) -> float:
    """The expected calibration error: mean distance of confidence and share right over bins of equal size (Naeini et
    al., "Obtaining Well Calibrated Probabilities Using Bayesian Binning", 2015)."""
    return sum(abs(said - right) * size for said, right, size in _bins(values)) / max(1, len(values))


def _bins(values: Sequence[Judged]) -> list[tuple[float, float, int]]:
    """(mean confidence, share right, size) of the bins; equal confidences are not parted."""
    ordered = sorted(values, key=lambda value: value.confidence)
    size = -(-len(ordered) // BINS)
    bins: list[list[Judged]] = []
    for _, same in groupby(ordered, key=lambda value: value.confidence):
        if not bins or len(bins[-1]) >= size:
            bins.append([])
        bins[-1].extend(same)
    return [
        (sum(v.confidence for v in part) / len(part), sum(v.right for v in part) / len(part), len(part))
        for part in bins
    ]


def _reliability(values: Sequence[Judged]) -> str:
    parts = [CONFIDENCE]
    for group in ("methods", "datasets", "results"):
        chosen = [value for value in values if value.group == group]
        rows = [(f"{said:.2f}", f"{right:.2f}", str(size)) for said, right, size in _bins(chosen)]
        error = f"Expected calibration error {calibration_error(chosen):.3f}."
        parts.append(f"**{group}** — {error}\n\n" + _table(("mean confidence", "share right", "values"), rows))
    return "\n\n".join(parts)


CONFIDENCE = """## Confidence

A value is right when the annotation has the same name and role, or the same number with kind, qualifier and metric.
Bins of equal size, the doubtful first."""

READING = """## How to read this

- Names are compared without case, markup, spaces and hyphens, by short or full name, each once an abstract; numbers by
  place, value and unit; metrics, subjects and baselines by most of their words.
- The interval is what other abstracts of the same kind could have given; two figures whose intervals overlap much do
  not differ.
- Attributes are counted among the values found and annotated alike; `result.subject` and `result.baseline` only where
  either side names one.
- `abstract.perfect`: no proposed method, dataset, result or link missed, spurious or wrong in the whole abstract.
- Sort a spreadsheet by confidence to see the doubtful values first."""
