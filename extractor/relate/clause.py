"""A sentence with numbers as words, and the small questions the result rules ask of it.

Everything works on ``Word`` lists of one sentence; a number with its unit is one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from extractor.mentions import NumberMention
from extractor.rules import toml, words

WORD = re.compile(r"relative\s+to\b|\w[\w'’@&^*+]*(?:[-‑–/.][\w@&^*'+]+)*|->|[^\w\s]")
OPEN, CLOSE = frozenset("([{"), frozenset(")]}")
CLASSES = ("up", "grow", "down", "worse", "faster", "more", "less", "slower", "level", "keep", "use")


@dataclass(slots=True)
class Word:
    text: str
    low: str
    start: int
    end: int
    number: NumberMention | None = None
    named: bool = False  # part of a dataset or method name


def read(
    text: str, start: int, end: int, numbers: Sequence[NumberMention], names: Sequence[tuple[int, int]] = ()
) -> list[Word]:
    """The words of ``text[start:end]``; ``numbers`` are those inside it, ``names`` the spans of names."""
    found: list[Word] = []
    at = start
    for number in numbers:
        found.extend(_words(text, at, number.start))
        shown = text[number.start : number.end]
        found.append(Word(shown, "#", number.start, number.end, number))
        at = number.end
    found.extend(_words(text, at, end))
    _mark_verbs(found)
    for first, last in names:
        if first < end and start < last:
            for word in found:
                if first <= word.start < last and word.number is None:
                    word.named = True
    return found


def _words(text: str, start: int, end: int) -> Iterator[Word]:
    for match in WORD.finditer(text, start, end):
        shown = match.group()
        low = shown.lower()
        yield Word(
            shown,
            "relative-to" if low.startswith("relative") and low != "relative" and low.endswith("to") else low,
            match.start(),
            match.end(),
        )


def _mark_verbs(sentence: Sequence[Word]) -> None:
    """ "models score 55%", "GPT-4 scores only 33": here "score" is a verb, and is read as "scoring"."""
    for k, word in enumerate(sentence):
        if word.low == "match" and k and sentence[k - 1].low == "exact":
            word.low = "match-score"  # the metric "exact match", no verb
        if word.low not in ("score", "scores") or not 0 < k < len(sentence) - 1:
            continue
        before, after = sentence[k - 1], sentence[k + 1]
        if (word.low == "score" and before.low.endswith("s") and not before.low.endswith("ss")) or (
            word.low == "scores"
            and (after.number is not None or after.low in ("only", "below", "above", "over", "just", "under"))
        ):
            word.low = "scoring"


@cache
def cues() -> dict[str, str]:
    """Word → cue class (see ``rules/cues.toml``)."""
    table = toml("cues")
    return {form: name for name in reversed(CLASSES) for form in words(table[name])}


@cache
def boundaries() -> frozenset[str]:
    """Words that cannot stand inside a noun phrase."""
    return frozenset().union(*(words(rows) for rows in toml("cues")["boundary"].values()))


@cache
def vocabulary(name: str) -> frozenset[str]:
    """A small vocabulary of the reading rules (see ``rules/cues.toml``)."""
    return words(toml("cues")["vocabulary"][name])


@cache
def determiners() -> frozenset[str]:
    return words(toml("cues")["boundary"]["determiners"]) | words(toml("cues")["boundary"]["pronouns"])


def is_word(word: Word) -> bool:
    return word.number is None and (word.low[0].isalnum())


def stops(word: Word) -> bool:
    """Whether ``word`` ends a noun phrase."""
    return not is_word(word) or word.low in boundaries()


def phrase_right(sentence: Sequence[Word], at: int, limit: int = 8) -> list[Word]:
    """The noun phrase that begins at ``at``, determiners left out."""
    while at < len(sentence) and sentence[at].low in determiners():
        at += 1
    end = at
    while end < len(sentence) and end - at < limit and not stops(sentence[end]):
        end += 1
    if (
        at < end
        and sentence[end - 1].low == "state"
        and [w.low for w in sentence[end : end + 3]] == ["of", "the", "art"]
    ):
        end += 3
    return list(sentence[at:end])


def phrase_left(sentence: Sequence[Word], at: int, limit: int = 7) -> list[Word]:
    """The noun phrase that ends before ``at``."""
    start = at
    while start > 0 and at - start < limit and not stops(sentence[start - 1]):
        start -= 1
    return list(sentence[start:at])


def said(text: str, phrase: Sequence[Word]) -> str | None:
    """A phrase as it stands in the text, white space made single, without a last "'s"; None when empty."""
    if not phrase:
        return None
    shown = re.sub(r"\s+", " ", text[phrase[0].start : phrase[-1].end]).strip(" .,;:")
    return unpossessed(shown) or None


def unpossessed(text: str) -> str:
    """``text`` without a last "'s"."""
    return text.removesuffix("'s").removesuffix("’s")


def back_over_parentheses(sentence: Sequence[Word], at: int) -> int:
    """The index before the bracket that closes at ``at - 1``, or ``at`` when none does."""
    if at > 0 and sentence[at - 1].low in CLOSE:
        depth = 0
        for k in range(at - 1, max(-1, at - 12), -1):
            depth += (sentence[k].low in CLOSE) - (sentence[k].low in OPEN)
            if depth == 0:
                return k
    return at
