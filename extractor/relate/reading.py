"""Read one number in its sentence: its kind, and the metric it measures.

The rules at the end of this file are asked in order; the first that answers decides, and its name becomes the
``rule`` of the result. The words to the right of the number come first ("3× **faster inference**", "26% **Dice
improvement**", "60.4% **accuracy**"), then what governs it from the left ("**improves accuracy** by 5%", "an **FID**
of 2.1", "**accuracy** (93%)"), then the verb of the clause. Cue words are in ``rules/cues.toml``, metrics in
``rules/metrics.tsv``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from extractor.find.metrics import family
from extractor.mentions import NumberMention
from extractor.relate.clause import (
    OPEN,
    Word,
    back_over_parentheses,
    cues,
    is_word,
    phrase_left,
    phrase_right,
    stops,
    vocabulary,
)

CHANGE = frozenset(["up", "grow", "down", "worse", "faster", "slower"])
MEASURED = frozenset(["quality", "error", "throughput", "time"])


@dataclass(slots=True)
class Reading:
    """``kind`` and ``metric`` of a number; ``how`` tells the construction (by, of, paren, direct, pair, bare)."""

    kind: str
    metric: list[Word]
    rule: str
    how: str
    cue: int = -1  # index of the governing word, -1 when none
    adjective: str = ""  # "average" or "maximum" inside the phrases around the number
    group: str | None = None  # class of the cue that decided the kind

    @property
    def weak(self) -> bool:
        """Whether the kind is only the default, so that a neighbour in a list may know better."""
        return self.rule in ("clause_level", "clause_factor") or (
            self.rule == "right_metric" and self.how == "bare" and self.kind == "score"
        )


@dataclass(slots=True)
class View:
    """What stands around the number ``sentence[at]``."""

    sentence: Sequence[Word]
    at: int
    number: NumberMention
    right: list[Word]  # the noun phrase to the right
    after: int  # index behind it
    left: int  # index of the first word of the number with its qualifiers and determiners
    how: str
    governor: str | None  # class of the nearest cue word to the left
    governor_at: int

    @property
    def metric(self) -> list[Word]:
        return trim(self.right)

    @property
    def named(self) -> tuple[str, str] | None:
        """(better, family) of the phrase to the right."""
        return known(self.metric)

    def low(self, index: int) -> str:
        return self.sentence[index].low if 0 <= index < len(self.sentence) else ""

    def reading(self, cue: str | None, metric: list[Word], rule: str, signed: bool = True) -> Reading:
        """The reading whose kind follows from ``cue`` and the family of ``metric``."""
        kind = judge(cue, metric, self.number.form, self.number.sign if signed else "")
        return Reading(kind, metric, rule, self.how, self.governor_at, group=cue)

    def fixed(self, kind: str, metric: list[Word], rule: str) -> Reading:
        return Reading(kind, metric, rule, self.how, self.governor_at)


def known(phrase: Sequence[Word]) -> tuple[str, str] | None:
    """(better, family) of a phrase, None when no metric is in it."""
    return family([w.low for w in phrase]) if phrase else None


def judge(cue: str | None, metric: Sequence[Word], form: str, sign: str) -> str:
    """The kind that follows from the class of the cue and the family of the metric."""
    better, group = known(metric) or ("-", "unknown")
    if sign == "+":
        return (
            "reduction"
            if group == "error" and cue in ("down", "less", "up", "grow", None)
            else "speedup"
            if cue == "faster"
            else "gain"
        )
    if sign in ("-", "−", "–") and cue not in ("down", "less", "worse", "faster"):
        cue = "worse" if group == "quality" else "down"
    if cue == "faster":
        return "speedup"
    if cue == "slower":
        return "ratio"
    if cue in ("up", "grow", "more"):
        if group == "throughput":
            return "speedup"
        if group == "time":
            return "speedup" if cue == "up" else "ratio"
        if group == "cost":
            return "reduction" if cue == "up" else "ratio"
        if group == "error":
            return "gain" if cue == "up" else "ratio"
        if group == "unknown" and cue == "more":
            return "gain" if metric and any(c.isupper() for c in metric[-1].text) else "ratio"
        return "gain"
    if cue in ("down", "less"):
        if group == "time":
            return "speedup"
        return "loss" if group in ("quality", "throughput") and better == "higher" else "reduction"
    if cue == "worse":
        return "speedup" if group == "time" else "reduction" if group in ("error", "cost") else "loss"
    if form in ("factor", "word"):
        return "speedup" if group in ("throughput", "time") else "ratio"
    return "gain" if form == "points" else "score"


# --- the words around the number -------------------------------------------------------------------------------


def view(sentence: Sequence[Word], at: int) -> View:
    number = sentence[at].number
    assert number is not None
    right, after = _right(sentence, at, number)
    left = _left_of_qualifiers(sentence, at, number.lead)
    how = _how(sentence, left)
    governor, governor_at = _governor(sentence, left, how)
    return View(sentence, at, number, right, after, left, how, governor, governor_at)


def _right(sentence: Sequence[Word], at: int, number: NumberMention) -> tuple[list[Word], int]:
    """The noun phrase to the right of the number, and the index behind it."""
    k = at + 1
    while k < len(sentence) and (sentence[k].start < number.stop or sentence[k].low in ("+", "*")):
        k += 1
    if (
        k < len(sentence)
        and number.form in ("factor", "word")
        and sentence[k].low in vocabulary("determiners_after_factor")
    ):
        k += 1  # "2× the throughput"
    start = k
    # A cue noun such as "increase" or "reduction" may begin the phrase although it could be a verb.
    if (
        k < len(sentence)
        and is_word(sentence[k])
        and cues().get(sentence[k].low) in ("up", "grow", "down", "faster", "less", "more", "worse")
    ):
        k += 1
    while k < len(sentence) and k - start < 9 and not stops(sentence[k]):
        k += 1
    if start < k < len(sentence) and sentence[k].low in vocabulary("nouns_like_verbs"):
        k += 1  # "accuracy drop", "latency cut"
    return list(sentence[start:k]), k


def _left_of_qualifiers(sentence: Sequence[Word], at: int, lead: int) -> int:
    while at > 0 and sentence[at - 1].start >= lead >= 0:
        at -= 1
    while at > 0:
        low = sentence[at - 1].low
        if low not in vocabulary("before_number") and not (low in vocabulary("describing") and cues().get(low) != "up"):
            break
        at -= 1
    return at


def _how(sentence: Sequence[Word], at: int) -> str:
    """The construction to the left of index ``at``."""
    low = sentence[at - 1].low if at else ","
    if low == "by":
        return "by"
    if low in ("of", "at", "=", ":", "is", "was", "are", "were"):
        return "of"
    if low == "to":
        return "pair" if _from_before(sentence, at - 1) else "direct"
    if low in ("from", "→", "->"):
        return "pair"
    if low in OPEN:
        return "paren"
    if low in (",", "and", "or", "vs", "vs.", "versus", ";", "&", "/"):
        return "bare"
    return "direct"


def _from_before(sentence: Sequence[Word], at: int) -> bool:
    """Whether "from <number>" stands before the "to" at ``at``."""
    window = sentence[max(0, at - 9) : at]
    return any(w.low == "from" for w in window) and any(w.number is not None for w in window)


def _governor(sentence: Sequence[Word], at: int, how: str) -> tuple[str | None, int]:
    """The nearest cue word to the left of ``at`` in the clause: (class, index)."""
    for k in range(at - 1, max(-1, at - 26), -1):
        word = sentence[k]
        if word.low == ";":
            break
        group = cues().get(word.low) if is_word(word) else None
        if group is None or word.low in vocabulary("weak_governors"):
            if word.low == "with" and k == at - 1:
                return "use", k
            continue
        if group in ("more", "less", "slower") and not (how == "by" and k == at - 2):
            continue
        if how == "by" and (group in ("level", "use", "keep") or word.low in vocabulary("nouns_only")):
            continue
        return group, k
    return None, -1


def change_in(phrase: Sequence[Word]) -> tuple[str, int] | None:
    """The last change noun of a noun phrase: (class, index)."""
    for p in range(len(phrase) - 1, -1, -1):
        group = cues().get(phrase[p].low)
        if group not in CHANGE or phrase[p].low in vocabulary("no_change_nouns"):
            continue
        if p == len(phrase) - 1 or phrase[p].low not in vocabulary("setting_nouns"):
            return group, p
    return None


def trim(phrase: Sequence[Word], keep_last: bool = False) -> list[Word]:
    """A phrase without describing words and without names of datasets and methods at its ends."""
    start, end = 0, len(phrase)
    describing = vocabulary("describing")
    while start < end - keep_last and (
        phrase[start].low in describing
        or phrase[start].low.endswith("ly")
        or (phrase[start].named and not known(phrase[start : start + 1]))
    ):
        start += 1
    while end > start and (
        phrase[end - 1].low in describing or (phrase[end - 1].named and not known(phrase[end - 1 : end]))
    ):
        end -= 1
    return list(phrase[start:end])


def after_preposition(sentence: Sequence[Word], at: int) -> list[Word]:
    """The phrase after "in", "of" … at ``at``: what a change is *in*; after "on" and "for" only a metric counts."""
    k = at
    if k + 1 < len(sentence) and sentence[k].low in ("on", "in") and sentence[k + 1].low == "average":
        k += 2
    if k >= len(sentence) or sentence[k].low not in ("in", "of", "at", "during", "for", "on", "to"):
        return []
    inside = phrase_right(sentence, k + 1)
    if inside and inside[-1].low in vocabulary("light_heads"):
        inside = after_of(sentence, k + 1) or inside
    trimmed = trim(inside)
    if sentence[k].low in ("in", "of", "at", "during"):
        return trimmed
    return trimmed if known(trimmed) else []


def after_of(sentence: Sequence[Word], at: int) -> list[Word]:
    for k in range(at, min(len(sentence), at + 6)):
        if sentence[k].low == "of":
            return phrase_right(sentence, k + 1)
    return []


def metric_before(sentence: Sequence[Word], at: int, families: frozenset[str] = MEASURED) -> list[Word]:
    """The nearest metric of ``families`` to the left of ``at`` in the clause."""
    k = at
    low_end = max(0, at - 22)
    while k > low_end:
        word = sentence[k - 1]
        if word.low == ";":
            break
        if stops(word):
            k -= 1
            continue
        phrase = phrase_left(sentence, k)
        trimmed = trim(phrase)
        while trimmed and cues().get(trimmed[-1].low) in CHANGE - {"faster"}:
            trimmed = trimmed[:-1]
        if trimmed and (group := family([trimmed[-1].low])) and group[1] in families:
            return trimmed
        k -= max(1, len(phrase))
    return []


def change_before(sentence: Sequence[Word], at: int) -> tuple[str, list[Word], Word] | None:
    """The change noun that the phrase ending before ``at`` belongs to: (class, metric, noun).

    "an **accuracy drop** of", "**drop** in **accuracy** (", "**reductions** in **coverage** for OOD data (".
    """
    end = at
    inner: list[Word] = []
    for _ in range(3):
        end = back_over_parentheses(sentence, end)
        phrase = phrase_left(sentence, end)
        if not phrase:
            return None
        change = change_in(phrase)
        if change:
            cue, p = change
            measured = trim(phrase[:p]) or inner
            return cue, measured, phrase[p]
        before = end - len(phrase) - 1
        while before >= 0 and sentence[before].low in vocabulary("determiners"):
            before -= 1
        if before < 0 or sentence[before].low not in ("in", "for", "of", "on", "to"):
            return None
        if sentence[before].low == "in":
            inner = trim(phrase)
        end = before
    return None


# --- the rules, in order -----------------------------------------------------------------------------------------


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
    """ "improvements of up to 5% in accuracy", "an accuracy drop of 3%", "speedups of 2×", "a gain exceeding 4 points"."""
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
    if not measured:
        measured = (v.metric if v.named else []) or after_preposition(v.sentence, v.after)
    return v.reading(cue, measured, "left_change_of")


def left_metric_of(v: View) -> Reading | None:
    """ "an FID of 2.1", "accuracy is 93%", "F1 = 0.98"."""
    if v.how != "of" or (v.low(v.left - 1) == "at" and v.low(v.after) == "of" and not v.metric):
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
    if whole and whole[-1].low in vocabulary("light_heads"):
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
    rival = sentence[governor_at].low in vocabulary("rival_verbs")
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
    if head and head[-1].low in vocabulary("light_heads"):
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
    inner_points, factor_word, within, right_comparative, right_change, left_change_of, left_metric_of, right_of, left_by, parenthesis,
    right_metric, change_pair, clause_change, clause_keep, clause_factor, clause_level,
)  # fmt: skip


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
        around += [w.low for w in phrase_left(v.sentence, v.left, 2)]
    for k in range(v.after, min(v.after + 3, len(v.sentence) - 1)):
        if v.sentence[k].low == "on" and v.sentence[k + 1].low == "average":
            around.append("average")
    if any(w in ("average", "mean", "averaged") for w in around):
        return "average"
    return "up_to" if any(w in ("maximum", "peak", "max") for w in around) else ""
