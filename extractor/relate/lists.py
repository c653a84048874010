"""What the numbers of a list share: units, qualifiers, metrics and kinds.

"13% and 16%, respectively", "x on A, y on B, and z on C", "91.7%, 81.5% and 44.5% accuracy", "improves A and B by x and
y". Counts that do not align are left unaligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from extractor.relate.clause import Word, stops
from extractor.relate.view import Reading, after_preposition, judge, known, trim

# Words that end a list although a comma or an "and" follows.
BREAKS = frozenset("; : → -> while whereas but with by using to than compared at".split())
# Nouns in -ing, which begin no new clause.
NOUN_ING = frozenset(
    "training reasoning streaming coding learning testing understanding planning tuning decoding processing editing "
    "modeling grounding tracking rendering forecasting ranking".split()
)


def share(sentence: Sequence[Word], at: Sequence[int], readings: dict[int, Reading]) -> None:
    """Let the numbers at the indices ``at`` share what only one of a list says; changes ``readings`` in place."""
    for group in runs(sentence, at, readings):
        _share_run(sentence, group, readings)
    scopes: set[int] = set()  # the numbers whose qualifier came from the one before
    for first, second in pairwise(at):
        _share_pair(sentence, first, second, readings, scopes)
    # "On average, X gains 3% while …", "…, and on average X reduces it by 5%"
    for k in at:
        number = sentence[k].number
        if (
            number is not None
            and number.qualifier == "exact"
            and readings[k].kind != "size"
            and _on_average(sentence, k)
        ):
            number.qualifier = "average"


def _on_average(sentence: Sequence[Word], at: int) -> bool:
    """Whether "on average" opens the sentence, or the clause of the number at ``at``."""
    if len(sentence) > 2 and sentence[0].low == "on" and sentence[1].low == "average":
        return True
    for k in range(at - 1, max(0, at - 16), -1):
        if sentence[k].low in (",", ";", "(") or sentence[k].number is not None:
            return False
        if sentence[k].low == "average" and sentence[k - 1].low == "on":
            return k - 1 == 0 or sentence[k - 2].low in ("and", "that", "while", ",")
    return False


def runs(sentence: Sequence[Word], at: Sequence[int], readings: dict[int, Reading]) -> list[list[int]]:
    """The numbers of a sentence (their indices) grouped into bare lists, singles left out."""
    groups: list[list[int]] = []
    for index in at:
        if (
            groups
            and _bare_list(sentence, groups[-1][-1], index)
            and not _complete(sentence, groups[-1][-1], index, readings)
        ):
            groups[-1].append(index)
        else:
            groups.append([index])
    return [group for group in groups if len(group) > 1]


def _complete(sentence: Sequence[Word], first: int, second: int, readings: dict[int, Reading]) -> bool:
    """Whether both numbers are read in full by themselves: "an FID of 2.1 and 81% accuracy"."""
    before, now = readings[first], readings[second]
    one, two = sentence[first].number, sentence[second].number
    assert one is not None and two is not None
    if before.weak or not before.metric:
        return False
    if one.form != two.form:
        return True
    by_itself = now.rule.removeprefix("plain_").startswith(("right", "within"))
    return bool(now.metric) and by_itself and not before.rule.startswith("left_by")


def _bare_list(sentence: Sequence[Word], first: int, second: int) -> bool:
    """Whether only list words (and qualifier words of ``second``) stand between two numbers."""
    number = sentence[second].number
    assert number is not None
    low = [w.low for w in sentence[first + 1 : second] if w.start < number.lead or number.lead < 0]
    return bool(low) and all(w in (",", "and", "or", "&") for w in low)


def _same_list(sentence: Sequence[Word], first: int, second: int) -> bool:
    """Whether ``second`` continues a list that ``first`` began: "up to 8.6 points in accuracy and 7.8 points in …"."""
    one, two = sentence[first].number, sentence[second].number
    assert one is not None and two is not None
    if one.form != two.form or one.unit != two.unit:
        return False
    between = sentence[first + 1 : second]
    if len(between) > 12 or any(w.low in BREAKS for w in between):
        return False
    if any(w.low.endswith("ing") and w.low not in NOUN_ING for w in between[-3:]):
        return False
    return any(w.low in ("and", ",") for w in between[-4:])


def _share_pair(
    sentence: Sequence[Word], first: int, second: int, readings: dict[int, Reading], scopes: set[int]
) -> None:
    one, two = sentence[first].number, sentence[second].number
    assert one is not None and two is not None
    before, now = readings[first], readings[second]
    listed = _same_list(sentence, first, second)
    leads = one.lead < one.start or first in scopes
    if two.qualifier == "exact" and one.qualifier != "exact" and leads and listed:
        two.qualifier = one.qualifier
        scopes.add(second)
    if "size" in (before.kind, now.kind):
        return
    between = [w.low for w in sentence[first + 1 : second]]
    if _levels(between) and one.form == two.form and now.how in ("pair", "bare", "direct"):
        # "76.1% vs. 81.2%", "from 63.2% to 71.5%": both are levels of one metric.
        metric = before.metric or now.metric
        own = now.metric if now.how != "pair" and known(now.metric) else metric
        readings[first] = Reading("score", metric, "pair", before.how, before.cue, before.adjective)
        readings[second] = Reading("score", own, "pair", now.how, now.cue, now.adjective or before.adjective)
        return
    if one.form != two.form:
        return
    if now.rule == "parenthesis" and not now.metric and before.kind != "score" and not two.sign:
        # "speedups of ×3.85 (median ×1.32)"
        now.kind, now.metric = before.kind, before.metric
        return
    if listed and now.weak and not before.weak and now.rule != "right_metric":
        inside = after_preposition(sentence, second + 1)
        metric = inside if known(inside) else before.metric
        readings[second] = Reading(before.kind, metric, before.rule, now.how, before.cue, now.adjective)
    elif listed and before.weak and not now.weak and not before.metric:
        readings[first] = Reading(now.kind, now.metric, now.rule, before.how, now.cue, before.adjective)
    elif now.how == "by" == before.how and now.cue == before.cue and (group := known(now.metric)) and group[0] == "-":
        now.kind = before.kind  # "reducing memory by 1/20, inference by 1/24"
    elif now.how == "by" == before.how and now.cue == before.cue and not known(now.metric):
        now.kind = before.kind
    elif not now.metric and now.kind == before.kind and len(between) < 14:
        now.metric = before.metric


def _levels(between: Sequence[str]) -> bool:
    """Whether the words between two numbers make them two levels of one thing: "vs", "→", "to", "compared to"."""
    if len(between) <= 4 and any(w in ("vs", "vs.", "versus", "→", "->") for w in between):
        return True
    if len(between) <= 4 and "compared" in between:
        return True
    return (
        "to" in between[-3:]
        and len(between) <= 6
        and not any(w in ("by", ",", "and", "compared", "up") for w in between)
    )


def _share_run(sentence: Sequence[Word], group: Sequence[int], readings: dict[int, Reading]) -> None:
    """A bare list "x, y and z <rest>": what all share stands before the first number or after the last one."""
    first, last = readings[group[0]], readings[group[-1]]
    numbers = [n for k in group if (n := sentence[k].number) is not None]
    lead, end = numbers[0], numbers[-1]
    for number in numbers[1:]:
        if number.qualifier == "exact" and lead.lead < lead.start:
            number.qualifier = lead.qualifier
    if end.form in ("percent", "points", "factor"):
        for number in numbers[:-1]:
            if number.form == "plain":
                number.unit, number.form = end.unit, end.form
    if "size" in (first.kind, last.kind):
        return
    governed = first.rule in ("left_by", "left_change_of", "left_metric_of", "parenthesis", "clause_change")
    best = first if governed and not last.rule.startswith("right") else last if last.rule.startswith("right") else first
    metric = best.metric or first.metric or last.metric
    listed = _listed_metrics(sentence, group, readings)
    for position, k in enumerate(group):
        reading = readings[k]
        own = listed[position] if listed else metric
        adjective = best.adjective or reading.adjective
        kind = (
            judge(best.group, own, numbers[position].form, numbers[position].sign)
            if listed and best.group
            else best.kind
        )
        aligned = listed is not None
        readings[k] = Reading(kind, own, best.rule, reading.how, reading.cue, adjective, best.group, aligned)


def _listed_metrics(
    sentence: Sequence[Word], group: Sequence[int], readings: dict[int, Reading]
) -> list[list[Word]] | None:
    """ "improves A and B by x and y": the metrics one to one, when as many are listed before "by"."""
    first = group[0]
    by = next((k for k in range(first - 1, max(-1, first - 6), -1) if sentence[k].low == "by"), None)
    start = readings[first].cue + 1
    if by is None or not 0 < start < by:
        return None
    parts: list[list[Word]] = [[]]
    for word in sentence[start:by]:
        if word.low in (",", "and", "or", "&"):
            if parts[-1]:
                parts.append([])
        elif not stops(word):
            parts[-1].append(word)
    metrics = [trim(part, keep_last=True) for part in parts if part]
    return metrics if len(metrics) == len(group) > 1 and any(known(m) for m in metrics) else None
