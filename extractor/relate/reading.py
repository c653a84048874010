"""Read one number in its sentence: its kind, and the metric it measures.

The rules are asked in the order of ``RULES``; the first that answers decides, and its name becomes the
``rule`` of the result. The words to the right of the number come first ("3× **faster inference**", "26% **Dice
improvement**", "60.4% **accuracy**"), then what governs it from the left ("**improves accuracy** by 5%", "an **FID**
of 2.1", "**accuracy** (93%)"), then the verb of the clause. Cue words are in ``rules/cues.toml``, metrics in
``rules/metrics.tsv``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from extractor.relate.clause import Word, back_over_parentheses, cues, phrase_left, phrase_right, stops, vocabulary
from extractor.relate.view import (
    CHANGE,
    MEASURED,
    Reading,
    View,
    after_of,
    after_preposition,
    change_before,
    change_in,
    known,
    metric_before,
    trim,
    view,
)


def inner_points(v: View) -> Reading | None:
    """ "30 F1 points", "a 25-point EM improvement"."""
    if v.number.inner is None:
        return None
    start, end = v.number.inner
    text = v.sentence[v.at].text[start - v.number.start : end - v.number.start]
    metric = [Word(text, text.lower(), start, end)]
    change = change_in(v.right)
    cue = change[0] if change else v.governor if v.governor in CHANGE else "up"
    return v.reading(cue, metric, "inner_points", signed=False)


def factor_word(v: View) -> Reading | None:
    """ "doubles the accuracy", "half the memory", "twice as fast"."""
    if v.number.form != "word":
        return None
    low = v.sentence[v.at].text.lower()
    thing = v.metric or trim(phrase_right(v.sentence, v.at + 1))
    if v.low(v.at + 1) == "as":
        thing = phrase_right(v.sentence, v.at + 2, 1)
        fast = bool(thing) and thing[0].low in ("fast", "quick")
        return v.fixed("speedup" if fast else "ratio", [] if fast else thing, "factor_word")
    if low.startswith("hal"):
        if not thing and v.how == "by":
            thing = object_before_by(v)
        if not thing and v.low(v.at + 1) == "of" and v.governor not in CHANGE:
            return v.fixed("ratio", trim(phrase_right(v.sentence, v.at + 2)), "factor_word")
        return v.reading("down", thing, "factor_word")
    group = known(thing)
    return v.reading("up" if group and group[1] in ("quality", "throughput") else "more", thing, "factor_word")


def within(v: View) -> Reading | None:
    """ "within 0.1% of the baseline", "15 points below the best": how far a level stays behind."""
    window = [w.low for w in v.sentence[max(0, v.at - 3) : v.at]]
    if v.number.form == "factor":
        return None
    if (
        "within" in window
        and (v.low(v.at + 1) == "of" or v.how != "by")
        and v.low(v.at + 1) not in ("seconds", "hours")
    ):
        return v.fixed("loss", metric_before(v.sentence, v.left), "within")
    side = v.low(v.after) if not v.right else v.right[0].low
    if v.number.form in ("percent", "points") and side in ("below", "behind", "short"):
        return v.fixed("loss", metric_before(v.sentence, v.left), "within")
    if v.number.form in ("percent", "points") and side in ("above", "ahead"):
        return v.fixed("gain", metric_before(v.sentence, v.left), "within")
    return None


def right_comparative(v: View) -> Reading | None:
    """ "3× faster inference", "40% fewer parameters", "12% higher accuracy"."""
    for p, word in enumerate(v.right[:3]):
        group = cues().get(word.low)
        if word.low in ("better", "worse"):
            group = "up" if word.low == "better" else "worse"
        if group not in ("faster", "more", "less", "slower", "worse") and word.low != "better":
            continue
        noun = group == "faster" and word.low not in ("faster", "quicker")
        metric = trim(v.right[p + 1 :]) if not noun else []
        if group in ("more", "less") and change_in(v.right[p + 1 :]) and not known(metric):
            return None
        if group == "worse" and word.low != "worse":
            return None  # "accuracy drop" is a change noun
        if not metric:
            metric = trim(v.right[:p]) or after_preposition(v.sentence, v.after)
        if not metric and word.low in ("lower", "higher", "better", "worse") and v.low(v.after) == "than":
            metric = metric_before(v.sentence, v.left, frozenset(["quality"]))
        if noun:
            metric = [*metric, word] if known([word]) and v.right[:p] else metric or [word]
        return v.reading(group, metric, f"right_{group}", signed=False)
    return None


def right_change(v: View) -> Reading | None:
    """ "26% Dice improvement", "2.5% accuracy gain", "18× reduction in FLOPs"."""
    change = change_in(v.right)
    if change is None:
        return None
    cue, p = change
    metric = trim(v.right[:p])
    if cue == "faster":
        metric = [*metric, v.right[p]]
    elif not metric:
        metric = after_preposition(v.sentence, v.after) or trim(v.right[p + 1 :])
    return v.reading(cue, metric, "right_change", signed=bool(metric))


def left_change_of(v: View) -> Reading | None:
    """ "improvements of up to 5% in accuracy", "an accuracy drop of 3%", "a gain exceeding 4 points"."""
    end = v.left
    if v.how == "of":
        end = v.left - 1
    elif (
        v.how != "direct"
        or v.left == 0
        or cues().get(v.low(v.left - 1)) not in CHANGE
        or v.low(v.left - 1) not in vocabulary("change_nouns")
    ):
        return None
    found = change_before(v.sentence, end)
    if found is None:
        return None
    cue, measured, noun = found
    if cue == "faster":
        measured = [*measured, noun]
    if not measured or (v.how == "direct" and not known(measured)):
        inside = (v.metric if v.named else []) or after_preposition(v.sentence, v.after)
        measured = inside if not measured or known(inside) else measured
    return v.reading(cue, measured, "left_change_of")


def left_metric_of(v: View) -> Reading | None:
    """ "an FID of 2.1", "accuracy is 93%", "F1 = 0.98"."""
    share = v.low(v.left - 1) in ("at", "is", "are", "was", "were") and v.low(v.after) == "of" and not v.metric
    if v.how != "of" or share:
        return None
    head = trim(phrase_left(v.sentence, back_over_parentheses(v.sentence, v.left - 1)), keep_last=True)
    if v.named and not known(head):
        return v.reading(None, v.metric, "right_metric")
    if head and head[-1].low in vocabulary("empty_heads"):
        head = head[:-1] if known(head[:-1]) else (v.metric if v.named else after_preposition(v.sentence, v.after))
    return v.reading(None, [] if head and head[-1].named and not known(head) else head, "left_metric_of")


def right_of(v: View) -> Reading | None:
    """ "95% of the original performance", "prunes 40% of the tokens", "solves 14% of puzzles"."""
    if v.metric or v.low(v.after) != "of" or v.how == "by":
        return None
    start = v.after + 1
    while start < len(v.sentence) and v.sentence[start].low in vocabulary("determiners"):
        start += 1
    whole = trim(phrase_right(v.sentence, start), keep_last=True)
    if len(whole) == 1 and whole[-1].low in vocabulary("light_heads"):
        whole = trim(after_of(v.sentence, start)) or whole
    if v.number.form == "plain":
        return None
    if v.governor == "down" and v.how in ("direct", "bare"):
        return v.fixed("reduction", whole, "right_of")
    if v.governor == "level" and v.number.form == "percent":
        group = known(whole)
        reference = group is not None and group[1] in ("quality", "cost", "throughput", "time")
        reference = reference or bool({w.low for w in whole} & vocabulary("references"))
        return v.fixed("ratio" if reference else "score", whole, "right_of")
    return v.fixed("ratio", whole, "right_of")


def object_before_by(v: View) -> list[Word]:
    """The metric of "VERB metric by N" and of "metric VERB by N"; empty when the object is a rival."""
    sentence, at, governor_at = v.sentence, v.left - 1, v.governor_at
    while at > 0 and (sentence[at - 1].low.endswith("ly") or sentence[at - 1].low in (",", "also", "further")):
        at -= 1
    at = back_over_parentheses(sentence, at)
    if governor_at < 0:
        return []
    rival = sentence[governor_at].low in vocabulary("rival_verbs") or v.low(governor_at + 1) in ("over", "upon")
    if governor_at == at - 1:
        if rival:
            return []
        at = governor_at
        while at > 0 and (sentence[at - 1].low.endswith("ly") or sentence[at - 1].low in vocabulary("auxiliaries")):
            at -= 1
        subject = trim(phrase_left(sentence, at))
        if known(subject):
            return subject
        before = at - len(phrase_left(sentence, at)) - 1
        # "perplexity on PTB decreases by 8%"
        if before > 0 and sentence[before].low in ("on", "of", "in", "for"):
            outer = trim(phrase_left(sentence, before))
            if known(outer):
                return outer
        return []
    if rival:
        # "outperforms X in accuracy by 5%"
        for k in range(governor_at + 1, at):
            if sentence[k].low in ("in", "on"):
                inside = trim(phrase_right(sentence, k + 1))
                if inside and known(inside[-1:]):
                    return inside
        return []
    # The object begins after the verb, or after the last number of a list ("latency by 50% and memory by 30%").
    start = governor_at + 1
    for k in range(at - 1, governor_at, -1):
        if sentence[k].number is not None or (sentence[k].low in (",", ";") and governor_at + 6 < k < at - 1):
            start = k + 1
            break
    while start < at and (stops(sentence[start]) or sentence[start].low.endswith("ly")):
        start += 1
    head = phrase_right(sentence[:at], start)
    if len(trim(head)) == 1 and head[-1].low in vocabulary("light_heads"):
        head = after_of(sentence[:at], start) or head
    return trim(head, keep_last=True)


def left_by(v: View) -> Reading | None:
    """ "improves accuracy by 5%", "outperforms X by 3 points in F1", "accuracy drops by 2%"."""
    if v.how != "by":
        return None
    measured = v.metric if v.named else []
    if not measured:
        inside = after_preposition(v.sentence, v.after) if v.low(v.after) in ("in", "on", "for") else []
        if inside and known(inside[-1:]):
            measured = inside
    measured = measured or object_before_by(v)
    if measured and measured[-1].named and not known(measured):
        measured = []
    return v.reading(v.governor if v.governor in (*CHANGE, "less", "more") else "up", measured, "left_by")


def parenthesis(v: View) -> Reading | None:
    """ "accuracy (93%)", "a drop in accuracy (25–40%)", "MM-Vet (+8.6%)"."""
    if v.how != "paren":
        return None
    open_at = v.left - 1
    found = change_before(v.sentence, open_at)
    head = trim(phrase_left(v.sentence, open_at))
    cue = None
    if v.named:
        measured = v.metric
    elif found:
        cue, measured, noun = found
        measured = measured or ([noun] if cue == "faster" else [])
    elif known(head):
        measured = head
    else:
        measured = after_preposition(v.sentence, v.after) if v.low(v.after) in ("on", "in") else []
        measured = measured if known(measured) else []
        if not measured and v.low(v.after) == "of" and v.number.form == "percent":
            return v.fixed("ratio", phrase_right(v.sentence, v.after + 1), "parenthesis")
        if not measured and v.number.form == "percent" and v.low(v.after) == ")" and v.low(v.after + 1) == "of":
            return v.fixed("ratio", trim(phrase_right(v.sentence, v.after + 2)), "parenthesis")
        measured = measured or metric_before(v.sentence, open_at)
        if not measured and head and v.number.form == "plain" and not v.number.sign and not head[-1].named:
            measured = head
    return v.reading(cue, measured, "parenthesis")


def right_metric(v: View) -> Reading | None:
    """ "60.4% accuracy", "8% parameters"; with "improves … 3% accuracy" the verb decides."""
    if not v.named:
        return None
    group = v.named[1]
    cue = (
        v.governor
        if v.governor in CHANGE and (v.how != "direct" or v.governor_at >= v.left - 2) and v.how != "bare"
        else None
    )
    if v.number.form == "plain" and v.how != "by":
        cue = None
    relative = v.low(v.after) in ("relative-to", "of") and v.number.form == "percent" and group == "quality"
    if relative or (
        v.number.form in ("percent", "factor") and group == "cost" and (cue is None or v.governor == "use")
    ):
        return v.fixed("ratio", v.metric, "right_metric")
    return v.reading(cue, v.metric, "right_metric")


def change_pair(v: View) -> Reading | None:
    """ "accuracy increases from 63% to 71%": levels before and after."""
    if v.how != "pair":
        return None
    start = v.left
    while start > 0 and v.sentence[start - 1].low != "from" and v.left - start < 8:
        start -= 1
    measured = metric_before(v.sentence, start) or metric_before(v.sentence, start, MEASURED | {"cost"})
    if not measured and v.governor in CHANGE and start > 1:
        # "pushing the extrapolation limit from 2× to 4×": the object of the verb
        between = v.sentence[v.governor_at + 1 : start - 1]
        head = phrase_right(between, 0)
        measured = [] if any(w.named for w in head) else trim(head)
    return v.fixed("score", measured or v.metric, "change_pair")


def clause_change(v: View) -> Reading | None:
    """A change verb earlier in the clause: "scaling up to 35%", "improves up to 13%"."""
    measured = metric_before(v.sentence, v.left)
    if v.number.sign:
        return v.reading(v.governor if v.governor in CHANGE else None, measured or v.metric, "clause_change")
    if v.low(v.left - 1) == "to" or v.low(v.left) == "below":
        return None  # "improved to 50%", "falls below 10%": a level
    if v.governor not in CHANGE or v.how not in ("direct", "bare") or v.number.form == "plain":
        return None
    inside = after_preposition(v.sentence, v.after) if v.low(v.after) == "in" else []
    measured = (inside if known(inside) else []) or measured or v.metric
    return v.reading(v.governor, measured, "clause_change")


def clause_keep(v: View) -> Reading | None:
    """ "retains 98%", "using 10% labels"."""
    near = v.governor_at >= v.left - 4
    if v.governor in ("keep", "use") and near and v.number.form == "percent" and v.how in ("direct", "bare"):
        return v.fixed("ratio", v.metric or metric_before(v.sentence, v.left), "clause_keep")
    return None


def clause_factor(v: View) -> Reading | None:
    if v.number.form != "factor":
        return None
    measured = v.metric or metric_before(v.sentence, v.left, MEASURED | {"cost"})
    if v.governor in CHANGE:
        return v.reading(v.governor, measured, "clause_factor")
    if not measured and v.low(v.after) in ("over", "compared", "relative-to", "against"):
        return v.fixed("speedup", [], "clause_factor")
    return v.reading(None, measured, "clause_factor")


def clause_level(v: View) -> Reading | None:
    """ "achieves 54% on X": a level; the metric is the nearest one named before."""
    inside = after_preposition(v.sentence, v.after) if v.low(v.after) == "in" else []
    measured = (inside if known(inside) else []) or v.metric or metric_before(v.sentence, v.left)
    return v.reading(None, measured, "clause_level")


RULES: tuple[Callable[[View], Reading | None], ...] = (
    inner_points,
    factor_word,
    within,
    right_comparative,
    right_change,
    left_change_of,
    left_metric_of,
    right_of,
    left_by,
    parenthesis,
    right_metric,
    change_pair,
    clause_change,
    clause_keep,
    clause_factor,
    clause_level,
)


def read_number(sentence: Sequence[Word], at: int) -> Reading:
    """The reading of the number that is ``sentence[at]``."""
    v = view(sentence, at)
    reading = next(reading for rule in RULES if (reading := rule(v)) is not None)
    reading.adjective = _adjective(v)
    return reading


def _adjective(v: View) -> str:
    """average or maximum, when such a word stands in the phrases around the number."""
    around = [w.low for w in v.right[:4]]
    if v.how == "of":
        around += [w.low for w in phrase_left(v.sentence, back_over_parentheses(v.sentence, v.left - 1))]
    else:
        # "with peak speedups reaching 120×"
        verb = v.low(v.left - 1).endswith("ing") and cues().get(v.low(v.left - 1)) == "level"
        around += [w.low for w in phrase_left(v.sentence, v.left - 1 if verb else v.left, 3 if verb else 2)]
    for k in range(v.at + 1, min(v.at + 12, len(v.sentence) - 1)):
        word = v.sentence[k]
        if word.number is not None or word.low in (",", ";", "and", "while"):
            break
        # "saving 5 layers per example on average", but not "4% on average accuracy"
        if word.low == "on" and v.low(k + 1) == "average" and (k + 2 == len(v.sentence) or stops(v.sentence[k + 2])):
            around.append("average")
    if any(w in ("average", "mean", "averaged") for w in around):
        return "average"
    return "up_to" if any(w in ("maximum", "peak", "max") for w in around) else ""
