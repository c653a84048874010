"""Find metrics: the words of ``rules/metrics.tsv``, and the noun phrases they head."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import MetricMention, findings, show, text_of
from extractor.rules import alternatives, lowered, tsv


@Language.factory("extractor_metrics")
def create_metrics(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).metrics`` and ``doc.spans["metrics"]`` in sentences with a number."""
    return find_metrics


def find_metrics(doc: Doc) -> Doc:
    found = findings(doc)
    text = text_of(doc)
    numbers = iter(sorted(n.start for n in found.numbers))
    at = next(numbers, None)
    for start, end in found.sentences:
        while at is not None and at < start:
            at = next(numbers, None)
        if at is None:
            break
        if at < end:
            found.metrics.extend(metrics(text, start, end))
    show(doc, "metrics", [(m.start, m.end, m.family) for m in found.metrics])
    return doc


# The last parts of compounds that speak for the whole: "VQA-score", "exact-match-accuracy".
COMPOUND_HEADS = frozenset(
    ["score", "accuracy", "f1", "error", "loss", "rate", "acc", "recall", "precision", "fid", "time"]
)


@cache
def table() -> dict[str, tuple[str, str]]:
    """Lower-case metric → (better, family)."""
    return {row["metric"]: (row["better"], row["family"]) for row in tsv("metrics")}


@cache
def _pattern() -> re.Pattern[str]:
    alone = alternatives(row["metric"] for row in tsv("metrics") if not row["head"])
    return re.compile(rf"(?<![\w@-])(?:{alone})(?![\w@])", re.I)


def metrics(text: str, start: int, end: int) -> list[MetricMention]:
    """Metric mentions in ``text[start:end]``."""
    made = []
    for match in _pattern().finditer(text, start, end):
        better, family = table()[re.sub(r"\s+", " ", lowered(match.group()))]
        made.append(MetricMention(match.start(), match.end(), match.group(), better, family))
    return made


def family(words: Sequence[str]) -> tuple[str, str] | None:
    """(better, family) of a phrase given as lower-case words: by the longest row that ends it, else by one inside it.

    A cost of time ("time cost", "inference latency overhead") is a time; the last part of a compound speaks for it
    when it has no row of its own ("VQA-score").
    """
    rows = table()
    for end in range(len(words), 0, -1):
        for start in range(max(0, end - 4), end):
            row = rows.get(" ".join(words[start:end]))
            if row:
                if row[1] == "cost" and any(rows.get(word, ("", ""))[1] == "time" for word in words[:end]):
                    return "lower", "time"
                return row
        part = words[end - 1].rpartition("-")[2]
        if end == len(words) and part != words[end - 1] and part in COMPOUND_HEADS:
            return rows[part]
    return None
