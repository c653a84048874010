"""Read one number in its sentence: its kind, and the metric it measures.

The words to the right of the number are asked first ("3× **faster inference**", "26% **Dice improvement**",
"60.4% **accuracy**"), then what governs it from the left ("**improves accuracy** by 5%", "an **FID** of 2.1",
"**accuracy** (93%)"), then the verb of the clause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extractor.find.metrics import family
from extractor.relate.clause import (
    OPEN,
    Word,
    back_over_parentheses,
    cues,
    is_word,
    phrase_left,
    phrase_right,
    stops,
)

# Adjectives that describe a change and are no part of the metric's name.
LOOSE = frozenset(
    "relative absolute average overall significant substantial mean additional total further consistent remarkable impressive "
    "state-of-the-art sota notable new respective corresponding statistically better best higher lower greater large considerable end "
    "dramatic clear major marked measurable more less fewer smaller larger strong improved reduced competitive maximum minimum final".split()
)
CHANGE_CLASSES = frozenset(["up", "down", "worse", "faster", "slower"])
# Heads that say nothing without what follows "of": "the number of tokens".
LIGHT_HEADS = frozenset("number amount fraction total quantity proportion percentage portion share count volume".split())
# Verbs whose object is a rival, not a metric.
RIVAL_VERBS = frozenset(
    "outperform outperforms outperformed outperforming surpass surpasses surpassed surpassing exceed exceeds exceeded exceeding beat beats "
    "beating outscores outscoring lead leads leading lags lagging trails trailing underperform underperforms underperforming outpaces outpacing "
    "overtakes overtaking eclipses eclipsing outstrips ahead behind over".split()
)
ADVERBS = frozenset("significantly substantially consistently further also only dramatically notably greatly roughly approximately considerably markedly sharply drastically".split())
# Words before a metric that belong to the claim, not to the name.
TIME_PREPOSITIONS = frozenset(["in", "at", "during", "on", "for", "of"])


@dataclass(slots=True)
class Reading:
    """``kind`` and ``metric`` of a number; ``how`` tells the construction (by, of, paren, direct, pair, bare)."""

    kind: str
    metric: list[Word]
    rule: str
    how: str
    cue: int = -1  # index of the governing word, -1 when none


def judge(cue: str | None, metric: Sequence[Word], form: str, sign: str, how: str) -> str:
    """The kind that follows from the class of the cue and the family of the metric."""
    better, group = family([w.low for w in metric]) or ("-", "unknown")
    if sign == "+":
        cue = "up" if cue not in ("more", "down", "less") else cue
    elif sign in ("-", "−", "–") and cue not in ("down", "less", "worse", "faster"):
        cue = "worse" if group == "quality" else "down"
    if cue == "faster":
        return "speedup"
    if cue == "slower":
        return "ratio"
    if cue in ("up", "more"):
        if group in ("throughput", "time"):
            return "speedup" if group == "throughput" or cue == "up" else "ratio"
        if group == "cost":
            return "ratio"
        if group == "error":
            return "gain" if cue == "up" and sign != "+" else "reduction" if sign == "+" else "ratio"
        if group == "unknown" and cue == "more":
            return "ratio"
        return "gain"
    if cue in ("down", "less"):
        if group == "time":
            return "speedup"
        if group in ("quality", "throughput") and better == "higher":
            return "loss"
        return "reduction"
    if cue == "worse":
        if group == "time":
            return "speedup"
        return "reduction" if group in ("error", "cost") else "loss"
    if form == "factor" or form == "word":
        return "speedup" if group in ("throughput", "time") else "ratio"
    if form == "points":
        return "gain"
    return "score"


def read_number(sentence: Sequence[Word], at: int) -> Reading:
    """The reading of the number that is ``sentence[at]``."""
    number = sentence[at].number
    assert number is not None
    form, sign = number.form, number.sign
    right, after = _right(sentence, at)
    left_at = _left_of_qualifiers(sentence, at, number.lead)
    how = _how(sentence, left_at)
    governor, governor_at = _governor(sentence, left_at, how)

    if number.inner is not None:
        metric = [w for w in _inner(sentence, at)]
        cue = governor if governor in CHANGE_CLASSES else None
        change = _change_in(right)
        cue = change[0] if change else cue
        return Reading(judge(cue or "up", metric, form, sign, how), metric, "points.inner", how, governor_at)

    # 3× faster inference · 40% fewer parameters · 12% higher accuracy
    for p, word in enumerate(right[:3]):
        group = cues().get(word.low)
        if group in ("faster", "more", "less", "slower") or word.low in ("better", "worse"):
            metric = _trim(right[p + 1 :])
            if group == "faster" and metric and word.low.startswith(("speedup", "speed-up", "acceleration")):
                metric = []
            if not metric:
                metric = _trim(right[:p]) or _after_preposition(sentence, after)
            if not metric and group == "faster" and word.low != "faster":
                metric = [word]
            elif not metric and how == "direct" and group in ("faster", "more", "less"):
                metric = []
            named = family([w.low for w in metric])
            if group == "faster" and word.low == "faster" and not named:
                return Reading("speedup", metric, "right.faster", how, governor_at)
            if word.low in ("better", "worse"):
                group = "up" if word.low == "better" else "worse"
            if group in ("more", "less") and _change_in(right[p + 1 :]) and not named:
                break
            return Reading(judge(group, metric, form, "", how), metric, f"right.{group}", how, governor_at)
    # 26% Dice improvement · 2.5% accuracy gain · 18× reduction in FLOPs
    change = _change_in(right)
    if change:
        cue, p = change
        metric = _trim(right[:p])
        if cue == "faster" and right[p].low not in ("faster",):
            metric = [*metric, right[p]]
        elif not metric:
            metric = _after_preposition(sentence, after) or _trim(right[p + 1 :])
        if not metric and how == "direct":
            metric = _metric_before(sentence, left_at)
        return Reading(judge(cue, metric, form, sign if metric else "", how), metric, "right.change", how, governor_at)

    metric = _trim(right)
    named = family([w.low for w in metric]) if metric else None

    if how == "of":
        head = phrase_left(sentence, left_at - 1)
        # "speedups on average of 3×", "improvement in accuracy of 5%": the change noun stands before the preposition.
        change = _change_in(head)
        if change is None and governor in CHANGE_CLASSES and not family([w.low for w in _trim(head)]):
            change = None
        if change:
            cue, p = change
            measured = _trim(head[:p])
            if cue == "faster" or head[p].low.startswith(("speedup", "speed-up")):
                measured = [*measured, head[p]]
            if not measured:
                measured = metric if named else _after_preposition(sentence, after)
            if not measured and _in_before(sentence, left_at - 1):
                measured = []
            if not measured:
                measured = _metric_before(sentence, left_at - 1 - len(head), only_direct=True)
            return Reading(judge(cue, measured, form, sign, how), measured, "left.change_of", how, governor_at)
        before = left_at - 1 - len(head)
        if head and before > 0 and sentence[before].low in ("in", "of") and not family([w.low for w in head]):
            outer = phrase_left(sentence, before)
            change = _change_in(outer)
            if change:
                measured = _trim(head)
                return Reading(judge(change[0], measured, form, sign, how), measured, "left.change_in_of", how, governor_at)
        elif head and before > 0 and sentence[before].low == "in":
            outer = phrase_left(sentence, before)
            change = _change_in(outer)
            if change:
                measured = _trim(head)
                return Reading(judge(change[0], measured, form, sign, how), measured, "left.change_in_of", how, governor_at)
        measured = _trim(head, keep_last=True)
        if measured and (family([w.low for w in measured]) or form == "percent"):
            kind = judge(None, measured, form, sign, how)
            return Reading(kind, measured, "left.metric_of", how, governor_at)
        if named:
            return Reading(judge(None, metric, form, sign, how), metric, "right.metric", how, governor_at)
        return Reading(judge(None, measured, form, sign, how), measured, "left.of", how, governor_at)

    # 95% of the original performance · prunes 40% of the tokens · solves 14% of puzzles
    if not metric and after < len(sentence) and sentence[after].low == "of":
        whole = _trim(phrase_right(sentence, after + 1), keep_last=True)
        if whole and whole[-1].low in LIGHT_HEADS and after + 1 < len(sentence):
            whole = _trim(_after_of(sentence, after + 1)) or whole
        if form in ("percent", "factor", "word"):
            if governor in ("down",) and how in ("direct", "bare"):
                return Reading("reduction", whole, "right.of", how, governor_at)
            if governor == "level" and _solved(sentence[governor_at].low) and form == "percent":
                group = family([w.low for w in whole])
                kind = "ratio" if group and group[1] in ("quality", "cost", "throughput") else "score"
                return Reading(kind, whole, "right.of", how, governor_at)
            return Reading("ratio", whole, "right.of", how, governor_at)
        return Reading("score", whole, "right.of", how, governor_at)

    if how == "by":
        cue = governor or "up"
        measured = metric if named and named[1] in ("quality", "error", "time", "throughput", "cost") else []
        if not measured and after < len(sentence) and sentence[after].low in ("in", "on", "for"):
            inside = _trim(phrase_right(sentence, after + 1))
            if family([w.low for w in inside]) and _plain_metric(inside):
                measured = inside
        if not measured:
            measured = _object_before_by(sentence, left_at - 1, governor_at)
        return Reading(judge(cue if cue in CHANGE_CLASSES else "up", measured, form, sign, how), measured, "left.by", how, governor_at)

    if how == "paren":
        open_at = left_at - 1
        while open_at > 0 and sentence[open_at].low not in OPEN:
            open_at -= 1
        head = phrase_left(sentence, open_at)
        change = _change_in(head)
        measured = metric if named else _trim(head[: change[1]] if change else head)
        if not named and not family([w.low for w in measured]):
            measured = _after_in_paren(sentence, after) or (
                measured if change else _metric_before(sentence, open_at, governor_at=governor_at)
            )
        cue = change[0] if change else None
        if cue is None and sign == "" and family([w.low for w in measured]) is None and governor in CHANGE_CLASSES and form != "plain":
            cue = governor if governor in ("up", "down", "worse", "faster") else None
        if cue == "faster" and change and not measured:
            measured = [head[change[1]]]
        return Reading(judge(cue, measured, form, sign, how), measured, "paren", how, governor_at)

    # 60.4% accuracy
    if named:
        cue = governor if governor in CHANGE_CLASSES and how != "direct" else None
        if how == "direct" and governor in ("up", "down", "worse", "faster") and governor_at >= left_at - 3 and form in ("percent", "points", "factor"):
            cue = governor
        if governor == "use" and named[1] == "cost" and form in ("percent", "factor", "word"):
            return Reading("ratio", metric, "right.use", how, governor_at)
        if form in ("percent", "factor", "word") and named[1] == "cost" and cue is None:
            return Reading("ratio", metric, "right.cost", how, governor_at)
        return Reading(judge(cue, metric, form, sign, how), metric, "right.metric", how, governor_at)

    # accuracy increases from A to B; FID: 2.1; accuracy is 95%
    measured = _metric_before(sentence, left_at, governor_at=governor_at)
    if how == "pair":
        return Reading("score", measured or metric, "pair", how, governor_at)
    if form == "factor" or form == "word":
        # "2× the cost", "twice the accuracy", "doubles the throughput"
        cue = "more" if form == "word" and metric else governor
        if form == "word":
            low = sentence[at].low if not sentence[at].number else sentence[at].text.lower()
            thing = metric or _trim(phrase_right(sentence, at + 1))
            group = family([w.low for w in thing])
            if low.startswith("hal"):
                return Reading(judge("down", thing, form, sign, how), thing, "word.half", how, governor_at)
            if low.startswith(("doubl", "tripl", "twice", "thrice")):
                cue = "up" if group and group[1] in ("quality", "throughput") else "more"
                return Reading(judge(cue, thing, form, sign, how), thing, "word.double", how, governor_at)
        if governor in CHANGE_CLASSES:
            return Reading(judge(governor, metric or measured, form, sign, how), metric or measured, "clause.change", how, governor_at)
        return Reading(judge(None, metric or measured, form, sign, how), metric or measured, "clause.factor", how, governor_at)
    if sign:
        return Reading(judge(governor if governor in CHANGE_CLASSES else None, measured or metric, form, sign, how), measured or metric, "sign", how, governor_at)
    if governor in ("up", "down", "worse", "faster") and form in ("percent", "points") and how in ("direct", "bare"):
        return Reading(judge(governor, measured or metric, form, sign, how), measured or metric, "clause.change", how, governor_at)
    if governor in ("keep", "use") and form == "percent":
        return Reading("ratio", metric or measured, "clause.keep", how, governor_at)
    return Reading(judge(None, metric or measured, form, sign, how), metric or measured, "clause.level", how, governor_at)


def _right(sentence: Sequence[Word], at: int) -> tuple[list[Word], int]:
    """The noun phrase to the right of the number, and the index after it."""
    number = sentence[at].number
    assert number is not None
    k = at + 1
    while k < len(sentence) and (sentence[k].start < number.stop or sentence[k].low in ("+", "*")):
        k += 1
    if k < len(sentence) and sentence[k].low in ("the", "a", "an", "its", "their", "that", "in") and number.form in ("factor", "word"):
        # "2× the throughput", "a 3× in …": determiners only.
        if sentence[k].low != "in":
            k += 1
    start = k
    while k < len(sentence) and k - start < 9 and not stops(sentence[k]):
        k += 1
    # Verbs that are comparatives' neighbours end the phrase; cue nouns such as "increase" do not.
    if k < len(sentence) and k == start and cues().get(sentence[k].low) in ("up", "down", "faster", "less", "more") and is_word(sentence[k]):
        k += 1
        while k < len(sentence) and k - start < 9 and not stops(sentence[k]):
            k += 1
    elif k < len(sentence) and is_word(sentence[k]) and sentence[k].low in ("drop", "drops", "cut", "decline", "gain", "lead") and k > start:
        k += 1
    return list(sentence[start:k]), k


def _inner(sentence: Sequence[Word], at: int) -> list[Word]:
    number = sentence[at].number
    assert number is not None and number.inner is not None
    start, end = number.inner
    text = sentence[at].text[start - number.start : end - number.start]
    return [Word(text, text.lower(), start, end)]


def _left_of_qualifiers(sentence: Sequence[Word], at: int, lead: int) -> int:
    """Index of the first word of the number with its qualifiers: what stands before it governs the number."""
    while at > 0 and sentence[at - 1].start >= lead >= 0:
        at -= 1
    while at > 0 and (sentence[at - 1].low in ("a", "an", "the", "only", "just", "by-", "$", "*", "about", "even", "merely", "another", "its", "their")
                      or (sentence[at - 1].low in LOOSE and cues().get(sentence[at - 1].low) not in ("up",))):
        at -= 1
    return at


def _how(sentence: Sequence[Word], at: int) -> str:
    """The construction to the left of index ``at``."""
    if at == 0:
        return "bare"
    low = sentence[at - 1].low
    if low == "by":
        return "by"
    if low in ("of", "at", "=", ":", "is", "was", "to", "as", "are"):
        if low == "to" and _from_before(sentence, at - 1):
            return "pair"
        return "of" if low not in ("to", "as") else "direct"
    if low == "from":
        return "pair"
    if low in ("→", "->", "/"):
        return "pair"
    if low in OPEN:
        return "paren"
    # Inside a bracket that was opened a few words ago: "(GSM8K: 54% …)", "(improvement of …)" are handled above.
    if low in (",", "and", "or", "vs", "vs.", "versus", ";", "&"):
        return "bare"
    return "direct"


def _from_before(sentence: Sequence[Word], at: int) -> bool:
    """Whether "from <number>" stands before the "to" at ``at``."""
    return any(sentence[k].low == "from" for k in range(max(0, at - 8), at)) and any(
        sentence[k].number is not None for k in range(max(0, at - 7), at)
    )


def _governor(sentence: Sequence[Word], at: int, how: str) -> tuple[str | None, int]:
    """The nearest cue word to the left of ``at`` in the clause: (class, index)."""
    for k in range(at - 1, max(-1, at - 26), -1):
        word = sentence[k]
        if word.low in (";",):
            break
        if not is_word(word):
            continue
        group = cues().get(word.low)
        if group is None or (group in ("more", "less", "slower") and how != "by") or word.low in ("with", "better", "best", "superior", "stronger", "advantage", "used"):
            if word.low == "with" and k >= at - 1:
                return "use", k
            continue
        if how == "by" and group in ("level", "use", "keep"):
            continue
        return group, k
    return None, -1


def _change_in(phrase: Sequence[Word]) -> tuple[str, int] | None:
    """The last change noun of a noun phrase: (class, index)."""
    for p in range(len(phrase) - 1, -1, -1):
        group = cues().get(phrase[p].low)
        if group in CHANGE_CLASSES and phrase[p].low not in ("best", "better", "superior", "stronger", "compact", "lead", "pruned", "compressed", "scaling", "rank", "extended", "ahead"):
            return group, p
    return None


def _trim(phrase: Sequence[Word], keep_last: bool = False) -> list[Word]:
    """A phrase without describing words at its ends."""
    start, end = 0, len(phrase)
    while start < end and (phrase[start].low in LOOSE or phrase[start].low.endswith("ly")):
        if keep_last and start == end - 1:
            break
        start += 1
    while end > start and phrase[end - 1].low in LOOSE:
        end -= 1
    return list(phrase[start:end])


def _plain_metric(phrase: Sequence[Word]) -> bool:
    found = family([phrase[-1].low]) if phrase else None
    return found is not None


def _after_preposition(sentence: Sequence[Word], at: int) -> list[Word]:
    """The phrase after "in", "on", "of" … at ``at``: what a change is *in*."""
    k = at
    # "improvement (up to 12%) in accuracy", "gain on average in …"
    if k < len(sentence) and sentence[k].low in ("on", "over", "compared") and k + 1 < len(sentence) and sentence[k + 1].low == "average":
        k += 2
    if k >= len(sentence) or sentence[k].low not in ("in", "of", "at", "during", "for", "on", "to"):
        return []
    inside = phrase_right(sentence, k + 1)
    if inside and inside[-1].low in LIGHT_HEADS:
        inside = _after_of(sentence, k + 1) or inside
    trimmed = _trim(inside)
    if sentence[k].low in ("in", "of", "at", "during"):
        return trimmed
    return trimmed if family([w.low for w in trimmed]) else []


def _after_in_paren(sentence: Sequence[Word], at: int) -> list[Word]:
    """"(+8.2 on pass@1)": a metric named after "on" or "in" inside the bracket."""
    if at < len(sentence) and sentence[at].low in ("on", "in", "for"):
        inside = _trim(phrase_right(sentence, at + 1))
        if inside and family([w.low for w in inside]):
            return inside
    return []


def _after_of(sentence: Sequence[Word], at: int) -> list[Word]:
    for k in range(at, min(len(sentence), at + 6)):
        if sentence[k].low == "of":
            return phrase_right(sentence, k + 1)
    return []


def _in_before(sentence: Sequence[Word], at: int) -> bool:
    return at > 0 and sentence[at - 1].low in ("in", "on")


def _solved(low: str) -> bool:
    return low.startswith(("solv", "reach", "achiev", "attain", "obtain", "identif", "stop", "recover", "scor", "perform", "get"))


def _object_before_by(sentence: Sequence[Word], by_at: int, governor_at: int) -> list[Word]:
    """The metric of "VERB metric by N", "metric VERB by N"; empty when the object is a rival."""
    at = by_at
    while at > 0 and sentence[at - 1].low in ADVERBS:
        at -= 1
    at = back_over_parentheses(sentence, at)
    if governor_at == at - 1 or (governor_at >= 0 and at - 1 - governor_at <= 1 and sentence[at - 1].low in ("on", "up", "down")):
        # "accuracy improves by 5%", "is reduced by 5%", "improves the gap on average by"
        if sentence[governor_at].low in RIVAL_VERBS:
            return []
        at = governor_at
        while at > 0 and (sentence[at - 1].low in ADVERBS or sentence[at - 1].low in ("is", "are", "was", "were", "be", "can", "could", "being", "to", "and", "has", "been")):
            at -= 1
        subject = _trim(phrase_left(sentence, at))
        return subject if family([w.low for w in subject]) else []
    if governor_at < 0:
        return []
    if sentence[governor_at].low in RIVAL_VERBS:
        # "outperforms X in accuracy by 5%"
        for k in range(governor_at + 1, at):
            if sentence[k].low in ("in", "on"):
                inside = _trim(phrase_right(sentence, k + 1))
                if _plain_metric(inside):
                    return inside
        return []
    # The object begins after the verb, or after the last number of a list ("latency by 50% and memory by 30%").
    start = governor_at + 1
    for k in range(at - 1, governor_at, -1):
        if sentence[k].number is not None or (sentence[k].low in (",", ";") and k < at - 1 and k > governor_at + 6):
            start = k + 1
            break
    while start < at and (stops(sentence[start]) or sentence[start].low in ADVERBS):
        start += 1
    head = phrase_right(sentence[:at], start)
    if head and head[-1].low in LIGHT_HEADS:
        head = _after_of(sentence[:at], start) or head
    return _trim(head, keep_last=True)


def _metric_before(sentence: Sequence[Word], at: int, governor_at: int = -1, only_direct: bool = False) -> list[Word]:
    """The nearest named metric to the left of ``at`` in the clause."""
    low_end = max(0, at - (6 if only_direct else 22))
    k = at
    while k > low_end:
        word = sentence[k - 1]
        if word.low in (";",):
            break
        if is_word(word) and not stops(word):
            phrase = phrase_left(sentence, k)
            trimmed = _trim(phrase)
            while trimmed and cues().get(trimmed[-1].low) in CHANGE_CLASSES:
                trimmed = trimmed[:-1]
            if trimmed and family([trimmed[-1].low]) and not only_direct:
                return trimmed
            k -= max(1, len(phrase))
            continue
        k -= 1
    return []
