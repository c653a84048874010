"""What stands around a number in its sentence, and the kind that follows from a cue word and a metric.

``View`` is what the rules of ``reading.py`` look at; cue words are in ``rules/cues.toml``, metrics in
``rules/metrics.tsv``.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    aligned: bool = False  # whether the metric is the one of a list at the number's place

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
            return "reduction" if cue == "up" else "ratio"
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


def view(sentence: Sequence[Word], at: int) -> View:
    number = sentence[at].number
    assert number is not None
    right, after = _right(sentence, at, number)
    left = left_of_qualifiers(sentence, at, number.lead)
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


def left_of_qualifiers(sentence: Sequence[Word], at: int, lead: int) -> int:
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
        phrase[end - 1].low in describing
        or phrase[end - 1].low.endswith("ly")
        or (phrase[end - 1].named and not known(phrase[end - 1 : end]))
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
    if len(trim(inside)) == 1 and inside[-1].low in vocabulary("light_heads"):
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
        if before < 0 or sentence[before].low not in (
            "in",
            "for",
            "of",
            "on",
            "to",
            "after",
            "across",
            "under",
            "during",
        ):
            return None
        if sentence[before].low == "in":
            inner = trim(phrase)
        end = before
    return None
