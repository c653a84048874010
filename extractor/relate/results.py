"""Decide which numbers are results, and put together what each belongs to.

One sentence at a time: its numbers are classified (claim, count, or none), claims are read (``reading.py``), lists
share what they leave out (``lists.py``), and names are tied on (``ties.py``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from extractor.find.metrics import family
from extractor.mentions import Findings, NumberMention, ResultFound
from extractor.relate import counts, lists, ties
from extractor.relate.clause import CLOSE, OPEN, Word, is_word, phrase_left, phrase_right, read, said, stops
from extractor.relate.reading import Reading, read_number
from extractor.rules import toml, words

QUANTITY_RATES = frozenset(["fps", "frame per second", "token per second", "image per second", "sample per second", "step per second", "db"])


def relate_results(text: str, found: Findings) -> None:
    """Fill ``found.results`` from numbers, metrics, methods and datasets, in the order of the text."""
    starts = [s for s, _ in found.sentences]
    by_sentence: dict[int, list[NumberMention]] = {}
    names = _name_spans(found)
    for number in found.numbers:
        index = bisect_right(starts, number.start) - 1
        if index >= 0 and not _inside_name(number, names):
            by_sentence.setdefault(index, []).append(number)
    for index, numbers in by_sentence.items():
        start, end = found.sentences[index]
        found.results.extend(_sentence(text, start, end, numbers, found))


def _name_spans(found: Findings) -> list[tuple[int, int]]:
    spans = [m for d in found.datasets for m in d.mentions]
    spans += [m for d in found.methods for m in d.mentions]
    return spans


def _inside_name(number: NumberMention, names: Sequence[tuple[int, int]]) -> bool:
    return any(s < number.end and number.start < e and (s < number.start or number.end < e) for s, e in names)


def _sentence(text: str, start: int, end: int, numbers: list[NumberMention], found: Findings) -> list[ResultFound]:
    sentence = read(text, start, end, numbers)
    at = [k for k, w in enumerate(sentence) if w.number is not None]
    readings: dict[int, Reading] = {}
    for k in at:
        reading = _classify(text, sentence, k)
        if reading is not None:
            readings[k] = reading
    _share(sentence, [k for k in at if k in readings], readings)
    kept = [k for k in at if k in readings]
    claims = [k for k in kept if readings[k].kind != "size"]
    tied = ties.dataset_ties(sentence, claims, found, start, end)
    results = []
    for k in kept:
        reading = readings[k]
        number = sentence[k].number
        assert number is not None
        metric = said(text, reading.metric)
        size = reading.kind == "size"
        relative = reading.kind not in ("size", "score")
        results.append(
            ResultFound(
                number=number, kind=reading.kind, metric=metric,
                subject=None if size or relative else ties.subject(text, sentence, k, claims, found),
                baseline=ties.baseline(text, sentence, k, claims, found) if relative else None,
                datasets=[] if size else tied.get(k, []),
                sentence=(start, end), rule=reading.rule, confidence=_confidence(reading),
            )
        )  # fmt: skip
    return results


def _confidence(reading: Reading) -> float:
    table = toml("result_confidence")["rules"]
    value = table.get(reading.rule, table["default"])
    return float(value)


@cache
def _settings() -> dict[str, frozenset[str]]:
    return {name: words(rows) for name, rows in toml("settings").items()}


def _classify(text: str, sentence: Sequence[Word], at: int) -> Reading | None:
    """The reading of a number, or None when it is no result."""
    number = sentence[at].number
    assert number is not None
    if number.form == "vague":
        return None
    if number.form in ("percent", "points", "factor", "word"):
        if _is_condition(text, sentence, at):
            return None
        return read_number(sentence, at)
    if number.form == "quantity":
        return _quantity(sentence, at)
    return _plain(text, sentence, at)


def _is_condition(text: str, sentence: Sequence[Word], at: int) -> bool:
    """Whether a percent or factor is a setting: "at 50% sparsity", "top-5%", "under 4× compression", "95% confidence"."""
    rules = _settings()
    number = sentence[at].number
    assert number is not None
    right = phrase_right(sentence, at + 1, 4)
    previous = sentence[at - 1].low if at else ""
    if previous in ("top", "top-", "bottom", "=") and number.form == "percent":
        return True
    if text[number.start - 1 : number.start] in ("-", "^", "_", "=") and not number.sign:
        return True
    if any(w.low in rules["condition_nouns"] for w in right[:3]) and (previous in rules["condition_prepositions"] or any(w.low in rules["condition_always"] for w in right[:2])):
        return True
    if previous in ("of", "ratio", "at", "to") and at > 1:
        head = phrase_left(sentence, at - 1)
        if head and head[-1].low in rules["condition_heads"] and (len(head) > 1 or head[-1].low not in ("ratio", "rate")):
            lead = sentence[at - 2 - len(head)].low if at - 2 - len(head) >= 0 else ""
            lead2 = sentence[at - 3 - len(head)].low if at - 3 - len(head) >= 0 else ""
            return lead in rules["condition_prepositions"] or (lead in ("a", "an", "the") and lead2 in rules["condition_prepositions"])
    if number.form == "word":
        return bool(right and right[0].low in rules["word_compounds"])
    return False


def _quantity(sentence: Sequence[Word], at: int) -> Reading | None:
    """Time, memory, energy, money, rates: a size, unless the words make it a change or a level of speed."""
    number = sentence[at].number
    assert number is not None
    rules = _settings()
    right = phrase_right(sentence, at + 1)
    if right and right[0].low in ("faster", "slower", "quicker"):
        return Reading("speedup", right[1:2], "quantity.faster", "direct")
    if any(w.low in rules["device_nouns"] for w in right[:2]) and number.unit in ("gb", "mb", "tb", "gib"):
        return Reading("size", [], "quantity.device", "direct")
    if number.unit == "epoch" and not (at and sentence[at - 1].low in ("only", "single", "in")):
        return None
    if right and right[0].low in ("old", "ago", "later"):
        return None
    previous = sentence[at - 1].low if at else ""
    reading = read_number(sentence, at) if number.unit in QUANTITY_RATES or number.unit == "db" else None
    if reading is not None:
        if reading.kind in ("gain", "speedup", "reduction", "loss") and number.unit != "db":
            reading.kind = "score" if reading.kind != "speedup" or reading.how != "by" else "speedup"
        return reading
    metric: list[Word] = []
    if at + 1 < len(sentence) and sentence[at + 1].low == "of":
        metric = phrase_right(sentence, at + 2)
    elif right and not right[0].low.endswith("ly"):
        metric = right
    else:
        k = at
        while k > 0 and (sentence[k - 1].start >= number.lead or sentence[k - 1].low in ("of", "a", "an", "the", "only", "(", "is", "to", "in", "at", "under", "just", "about", "by")):
            k -= 1
        left = phrase_left(sentence, k)
        if left and family([left[-1].low]):
            metric = left
    if previous == "by" or (right and right[0].low in ("less", "fewer", "lower", "reduction")):
        group = family([w.low for w in metric])
        return Reading("speedup" if group and group[1] == "time" else "reduction", metric, "quantity.by", "by")
    return Reading("size", metric, "quantity", "direct")


def _plain(text: str, sentence: Sequence[Word], at: int) -> Reading | None:
    """A number without a unit: a score when a metric is named beside it, a size when it counts something, else nothing."""
    number = sentence[at].number
    assert number is not None
    if counts.is_setting(sentence, at, number, text):
        return None
    whole = number.value == int(number.value) and "." not in sentence[at].text
    counted = counts.counted(sentence, at, number)
    right = phrase_right(sentence, at + 1)
    if number.sign:
        reading = read_number(sentence, at)
        reading.rule = "plain.signed"
        return reading
    named = family([w.low for w in right]) if right else None
    quality = named is not None and named[1] in ("quality", "error") and _is_named_metric(right)
    if counted is not None and not (quality and _measures(right)):
        if not whole and not counts._scaled(sentence[at]) and not _average_before(sentence, at):
            return None if not _in_score_context(sentence, at) else _score(sentence, at)
        return Reading("size", counted, "count", "direct")
    if quality:
        return read_number(sentence, at)
    if counts._scaled(sentence[at]):
        size = counts.size_word_before(sentence, at)
        if size:
            return Reading("size", size, "count.size_word", "direct")
        return None
    return _score(sentence, at) if _in_score_context(sentence, at) else None


def _is_named_metric(phrase: Sequence[Word]) -> bool:
    return any(family([w.low]) for w in phrase)


def _measures(phrase: Sequence[Word]) -> bool:
    """Whether a phrase is measured rather than counted ("F1 points", "accuracy"), although it may look plural."""
    last = family([phrase[-1].low])
    return last is not None and last[1] in ("quality", "error") and not phrase[-1].low.endswith(("errors", "metrics", "rates", "failures", "violations", "scores", "ratings", "rewards", "losses", "hallucinations", "correlations", "returns", "artifacts", "mistakes", "capabilities", "collisions", "performances"))


def _average_before(sentence: Sequence[Word], at: int) -> bool:
    return any(w.low in ("averaging", "average", "averages", "mean") for w in sentence[max(0, at - 4) : at])


def _score(sentence: Sequence[Word], at: int) -> Reading | None:
    reading = read_number(sentence, at)
    reading.rule = "plain." + reading.rule
    return reading


def _in_score_context(sentence: Sequence[Word], at: int) -> bool:
    """Whether a plain number follows a metric: "FID of 2.1", "PSNR (32.5)", "F1 = 0.98", "accuracy from 0.23 to 0.82"."""
    number = sentence[at].number
    assert number is not None
    k = at
    while k > 0 and (sentence[k - 1].start >= number.lead or sentence[k - 1].low in (
        "of", "=", ":", "(", "at", "is", "was", "from", "to", "by", "a", "an", "the", "about", "around", "only", "as", "low", "high", "→", "->", "reaching", "averaging", "exceeding", "~", "just", "below", "above", "and", "or", ",", "vs", "vs.", "versus", "between", "-", "[", "up", "average")
        or sentence[k - 1].number is not None):
        k -= 1
    left = phrase_left(sentence, k)
    if left:
        last = [w for w in left if is_word(w)]
        if last and (group := family([last[-1].low])) and group[1] in ("quality", "error") :
            return True
        if len(last) > 1 and (group := family([last[-2].low, last[-1].low])) and group[1] in ("quality", "error"):
            return True
        if any((group := family([w.low])) and group[1] in ("quality", "error") for w in last) and "." in sentence[at].text:
            return True
    return "." in sentence[at].text and _near_metric(sentence, at)


def _near_metric(sentence: Sequence[Word], at: int) -> bool:
    """Whether a quality or error metric is named within ten words, for a decimal number."""
    for k in range(max(0, at - 12), min(len(sentence), at + 4)):
        word = sentence[k]
        if is_word(word) and word.low not in ("r", "p", "performance", "map"):
            group = family([word.low])
            if group and group[1] in ("quality", "error"):
                return True
    return False


def _share(sentence: Sequence[Word], at: Sequence[int], readings: dict[int, Reading]) -> None:
    """Let the numbers of a list share what only one of them says."""
    for group in lists.runs(sentence, at):
        _share_run(sentence, group, readings)
    for first, second in zip(at, at[1:], strict=False):
        one, two = sentence[first].number, sentence[second].number
        assert one is not None and two is not None
        if two.qualifier == "exact" and one.qualifier != "exact" and lists.same_list(sentence, first, second):
            two.qualifier = one.qualifier
        if readings[second].kind == readings[first].kind == "size":
            continue
        before, now = readings[first], readings[second]
        between = [w.low for w in sentence[first + 1 : second]]
        versus = any(w in ("vs", "vs.", "versus", "→", "->") for w in between) and len(between) <= 3
        if versus or _pair(between):
            # "76.1% vs. 81.2%", "from 63.2% to 71.5%": both are levels of one metric.
            if one.form == two.form and readings[second].kind != "size" and now.how in ("pair", "bare", "direct"):
                metric = before.metric or now.metric
                kind = "score"
                readings[first] = Reading(kind, metric, "pair", before.how, before.cue)
                readings[second] = Reading(kind, now.metric if now.how != "pair" and now.metric and family([w.low for w in now.metric]) else metric, "pair", now.how, now.cue)
            continue
        if not now.metric and one.form == two.form and now.kind == before.kind and before.metric and len(between) < 14:
            now.metric = before.metric
    # On average at the head of the clause: "On average, X gains 3% while …"
    if len(sentence) > 2 and sentence[0].low == "on" and sentence[1].low == "average":
        for k in at:
            number = sentence[k].number
            if number is not None and number.qualifier == "exact" and readings[k].kind != "size":
                number.qualifier = "average"


def _pair(between: Sequence[str]) -> bool:
    return "to" in between[-3:] and len(between) <= 6 and not any(w in ("by", ",", "and") for w in between) 


def _share_run(sentence: Sequence[Word], group: Sequence[int], readings: dict[int, Reading]) -> None:
    """A bare list "x, y and z <rest>": the last number stands beside what all share."""
    first, last = readings[group[0]], readings[group[-1]]
    numbers = [sentence[k].number for k in group]
    lead = numbers[0]
    assert lead is not None
    for number in numbers[1:]:
        assert number is not None
        if number.qualifier == "exact":
            number.qualifier = lead.qualifier
        if number.form == "plain" and lead.form != "plain":
            pass
    if lead.form == "plain" and numbers[-1] is not None and numbers[-1].form in ("percent", "points", "factor"):
        for number in numbers[:-1]:
            assert number is not None
            if number.form == "plain":
                number.unit, number.form = numbers[-1].unit, numbers[-1].form
    # What the list is governed by stands before its first number, or after its last one.
    best = last if last.rule.startswith("right") and last.metric else first
    governed = first.how in ("by", "of", "paren") and first.rule.startswith("left")
    listed = _listed_metrics(sentence, group, readings)
    for position, k in enumerate(group):
        reading = readings[k]
        kind = first.kind if governed else best.kind
        metric = listed[position] if listed else (first.metric if governed and first.metric else best.metric)
        readings[k] = Reading(kind, metric, best.rule if not governed else first.rule, reading.how, reading.cue)


def _listed_metrics(sentence: Sequence[Word], group: Sequence[int], readings: dict[int, Reading]) -> list[list[Word]] | None:
    """"improves A and B by x and y": the metrics one to one, when as many are listed before "by"."""
    first = group[0]
    k = first
    while k > 0 and sentence[k - 1].low != "by" and first - k < 5:
        k -= 1
    if k == 0 or sentence[k - 1].low != "by":
        return None
    end = k - 1
    start = readings[first].cue + 1
    if start <= 0 or start >= end:
        return None
    parts = lists.coordinated(sentence[start:end])
    if len(parts) != len(group) or len(parts) < 2:
        return None
    trimmed = [[w for w in part if not stops(w)] for part in parts]
    if not all(trimmed):
        return None
    return trimmed


__all__ = ["CLOSE", "OPEN", "relate_results"]
