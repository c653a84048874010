"""Decide which numbers are results, and put together what each belongs to.

One sentence at a time: its numbers are classified (``classify.py``), claims are read (``reading.py``), lists share
what they leave out (``lists.py``), and names are tied on (``ties.py``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from extractor.mentions import Findings, NumberMention, ResultFound
from extractor.relate import lists, subjects, ties
from extractor.relate.classify import classify, settings
from extractor.relate.clause import Word, is_word, read, said
from extractor.relate.confidence import confidence
from extractor.relate.view import Reading


def relate_results(text: str, found: Findings) -> None:
    """Fill ``found.results`` from numbers, metrics, methods and datasets, in the order of the text."""
    starts = [s for s, _ in found.sentences]
    by_sentence: dict[int, list[NumberMention]] = {}
    names = sorted(
        [m for d in found.datasets for m in d.mentions] + [m for method in found.methods for m in method.mentions]
    )
    longest = max((e - s for s, e in names), default=0)

    def near(start: int, end: int) -> Sequence[tuple[int, int]]:
        """The names that reach into ``start:end``, and few others."""
        return names[bisect_left(names, (start - longest, 0)) : bisect_left(names, (end, 0))]

    for number in found.numbers:
        index = bisect_right(starts, number.start) - 1
        if index >= 0 and not _inside_name(number, near(number.start, number.end)):
            by_sentence.setdefault(index, []).append(number)
    for index, numbers in by_sentence.items():
        start, end = found.sentences[index]
        found.results.extend(_sentence(text, start, end, numbers, near(start, end), found))


def _inside_name(number: NumberMention, names: Sequence[tuple[int, int]]) -> bool:
    return any(s < number.end and number.start < e and (s < number.start or number.end < e) for s, e in names)


def _sentence(
    text: str, start: int, end: int, numbers: list[NumberMention], names: Sequence[tuple[int, int]], found: Findings
) -> list[ResultFound]:
    sentence = read(text, start, end, numbers, names)
    at = [k for k, w in enumerate(sentence) if w.number is not None]
    readings: dict[int, Reading] = {}
    for k in at:
        reading = classify(text, sentence, k)
        if reading is not None:
            readings[k] = reading
    kept = [k for k in at if k in readings]
    lists.share(sentence, kept, readings)
    for k in kept:
        _finish(text, sentence, k, readings[k])
    claims = [k for k in kept if readings[k].kind != "size"]
    tied = ties.dataset_ties(sentence, claims, found, start, end)
    record = subjects.Names.of(found)
    results = []
    for k in kept:
        reading = readings[k]
        number = sentence[k].number
        assert number is not None
        metric = said(text, reading.metric)
        size = reading.kind == "size"
        relative = reading.kind not in ("size", "score")
        measured_on = [] if size else tied.get(k, [])
        if not measured_on and reading.kind == "score":
            measured_on = ties.benchmark(found, (start, end))
        results.append(
            ResultFound(
                number=number, kind=reading.kind, metric=metric,
                subject=said(text, subjects.subject(text, sentence, k, record, reading.kind)),
                baseline=said(text, ties.baseline(sentence, k, reading.kind)) if relative else None,
                datasets=measured_on,
                # a unit on the next line may stand in the next sentence
                sentence=(start, max(end, number.end)), rule=reading.rule, confidence=0.0,
            )
        )  # fmt: skip
    for result in results:
        result.confidence = confidence(result, len(results))
    return results


def _finish(text: str, sentence: Sequence[Word], at: int, reading: Reading) -> None:
    """Units and qualifiers that only the reading of the sentence can tell."""
    number = sentence[at].number
    assert number is not None
    if number.qualifier == "exact" and reading.adjective and reading.kind != "size":
        number.qualifier = reading.adjective
    if (
        reading.kind == "size"
        and number.qualifier == "over"
        and number.form == "plain"
        and _scope_over(text, sentence, at)
    ):
        number.qualifier = "exact"
    if (
        number.form in ("percent", "plain")
        and reading.kind in ("gain", "loss", "reduction")
        and _absolute(sentence, at)
    ):
        number.unit, number.form = "points", "points"


def _absolute(sentence: Sequence[Word], at: int) -> bool:
    """Whether a percent is one of points: "absolute gains of 18%", "a 7% absolute gain"."""
    around = [w.low for w in (*sentence[max(0, at - 6) : at], *sentence[at + 1 : at + 3])]
    return "absolute" in around


def _scope_over(text: str, sentence: Sequence[Word], at: int) -> bool:
    """Whether "over" tells a scope ("evaluated over 12 tasks") rather than "more than"."""
    number = sentence[at].number
    assert number is not None
    if text[number.lead : number.start].strip().lower() != "over" or number.value >= 1000:
        return False
    k = at
    while k > 0 and sentence[k - 1].start >= number.lead:
        k -= 1
    return k > 0 and is_word(sentence[k - 1]) and sentence[k - 1].low not in settings()["more_than_after"]
