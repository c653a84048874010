"""A sentence with numbers, prepared for the choice of what each number belongs to.

``Scene`` knows for every word who is named there, which class of cue it is and whether it ends a noun phrase, and
counts what lies between two places. Word lists: ``[scene]`` in ``rules/cues.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from extractor.mentions import Findings, NumberMention
from extractor.relate import subjects
from extractor.relate.clause import CLOSE, OPEN, Word, boundaries, cues, stops, vocabulary
from extractor.relate.subjects import Grammar, Names
from extractor.relate.view import CHANGE, Reading, known, left_of_qualifiers
from extractor.rules import toml, words

if TYPE_CHECKING:
    from extractor.relate.phrase_features import Phrase

Span = tuple[int, int]  # words of a sentence: the first, and the one behind the last
START, END, NUMBER = "^", "$", "#"
FEW = ("0", "1", "2+")
DATASET_ROLES = frozenset(["introduced", "used"])
JOINED = frozenset([",", "and", "or", "to", "->", "→"])


@cache
def table(name: str) -> frozenset[str]:
    return words(toml("cues")["scene"][name])


@cache
def _verbs() -> frozenset[str]:
    return words(toml("cues")["boundary"]["verbs"]) | subjects.table("verbs") | vocabulary("rival_verbs")


def few(count: int) -> str:
    return FEW[min(count, 2)]


def near(distance: int) -> str:
    """A distance in words as one of seven classes."""
    if distance < 4:
        return str(distance)
    return "4-5" if distance < 6 else "6-9" if distance < 10 else "10-15" if distance < 16 else "16+"


@dataclass(slots=True)
class Draft:
    """A number that is a result, with what the rules make of it; empty phrases say nothing."""

    at: int  # its word in the sentence
    number: NumberMention
    reading: Reading
    stands: Grammar
    subject: Sequence[Word] = ()
    baseline: Sequence[Word] = ()
    datasets: list[str] = field(default_factory=list)
    sure: float | None = None  # the model's probability of the metric
    in_turn: bool = False  # whether the subject is one of a list that goes one to one with the numbers
    paired: bool = False  # whether the rival stands directly before the number: "over A by 3 points and B by 1"

    @property
    def kind(self) -> str:
        return self.reading.kind

    def phrase(self, name: str) -> Sequence[Word]:
        """The phrase for the field ``name``: metric, subject or baseline."""
        return self.reading.metric if name == "metric" else getattr(self, name)


class Scene:
    """One sentence, ``text[start:end]``, as ``words``."""

    def __init__(self, text: str, words: Sequence[Word], found: Findings, extent: tuple[int, int], names: Names):
        self.text, self.words, self.found, self.extent, self.names = text, words, found, extent, names
        self.roles = _roles(words, found, extent)
        self.stops = [stops(word) for word in words]
        classes = cues()
        self.cues = ["" if w.number is not None else classes.get(w.low, "") for w in words]
        self.places = {word.start: k for k, word in enumerate(words)}
        low = [word.low for word in words]
        self.present = frozenset(low) & table("present")
        verbs = _verbs()
        self._numbers = _running(w.number is not None for w in words)
        self._commas = _running(x == "," for x in low)
        self._clauses = _running(x in table("clauses") for x in low)
        self._opened = _running(x in OPEN for x in low)
        self._closed = _running(x in CLOSE for x in low)
        self._verbs = _running(
            x in verbs or (cue in CHANGE and x.endswith(("s", "ed", "ing")))
            for x, cue in zip(low, self.cues, strict=True)
        )
        self._own = _running(role == "proposed" or x in table("own") for x, role in zip(low, self.roles, strict=True))
        self._foreign = _running(
            role in ("compared", "mentioned") or x in subjects.table("plural_heads")
            for x, role in zip(low, self.roles, strict=True)
        )  # fmt: skip
        first = min((s for m in found.methods if m.role == "proposed" for s, _ in m.mentions), default=None)
        self.proposed_before = first is not None and first < extent[0]
        # what several numbers ask of the same words
        self.phrases: dict[Span, Phrase] | None = None
        self._lefts: dict[int, int] = {}
        self.number_lists = _number_lists(words)
        self.name_lists = _name_lists(words, self.roles)

    def left(self, at: int) -> int:
        """The first word of the number at ``at``, with its qualifiers and determiners."""
        if at not in self._lefts:
            number = self.words[at].number
            assert number is not None
            self._lefts[at] = left_of_qualifiers(self.words, at, number.lead)
        return self._lefts[at]

    def roles_in(self, span: Span) -> set[str]:
        """The roles of what is named in ``span``."""
        return set(self.roles[slice(*span)]) - {""}

    def verb(self, places: Iterable[int]) -> tuple[int, str]:
        """The first verb or noun of change at one of the ``places`` and its class; (-1, "") when there is none."""
        for k in places:
            if self.cues[k]:
                return k, self.cues[k]
            low = self.words[k].low
            if low in _verbs() and low in boundaries():
                return k, "other"
        return -1, ""

    def span(self, phrase: Sequence[Word]) -> Span | None:
        """Where ``phrase`` stands; None for an empty one and for words inside a number."""
        first = self.places.get(phrase[0].start) if phrase else None
        if first is None or self.words[first].number is not None:
            return None
        return first, first + len(phrase)

    def look(self, k: int, step: int) -> str:
        """What kind of word stands at ``k`` or, behind articles, next to it in the direction ``step``."""
        words = self.words
        while 0 <= k < len(words) and words[k].low in ("the", "a", "an"):
            k += step
        if not 0 <= k < len(words):
            return START if k < 0 else END
        word = words[k]
        if word.number is not None:
            return NUMBER
        if word.low in table("shown"):
            return word.low
        if self.cues[k]:
            return f"<{self.cues[k]}>"
        if word.low in vocabulary("rival_verbs"):
            return "<rival>"
        if self.roles[k]:
            return f"<{self.roles[k]}>"
        return "<verb>" if word.low in boundaries() else "<word>"

    def head(self, span: Span) -> str:
        """What kind of phrase it is, by its last word: a metric's family, a name's role, a group, a change …"""
        first, last = span
        metric, role, low = known(self.words[first:last]), self.roles[last - 1], self.words[last - 1].low
        if metric:
            return f"metric {metric[1]}"
        if role:
            return f"name {role}"
        if self.cues[last - 1] in CHANGE:
            return "change"
        if low in subjects.table("heads"):
            return "group"
        return "plural" if low.endswith("s") and not low.endswith("ss") else "other"

    def beside(self, at: int, span: Span) -> tuple[str, int, int]:
        """On which side of the number ``span`` stands (L or R), and the place between the two."""
        first, last = span
        return ("L", last, max(self.left(at), last)) if last <= at else ("R", at + 1, max(at + 1, first))

    def joint(self, first: int, second: int) -> str:
        """Whether nothing but a joining word or two stands between two numbers."""
        gap = self.words[first + 1 : self.left(second)]
        return "joined" if len(gap) <= 2 and all(w.low in JOINED for w in gap) else "apart"

    def between(self, start: int, end: int) -> Between:
        """What lies between two places."""
        return Between(
            self._numbers[end] - self._numbers[start],
            self._commas[end] - self._commas[start],
            self._clauses[end] - self._clauses[start],
            self._opened[end] > self._opened[start],
            self._closed[end] > self._closed[start],
            self._verbs[end] - self._verbs[start],
            self._own[end] > self._own[start],
            self._foreign[end] > self._foreign[start],
        )


class Between(NamedTuple):
    """Counts of what lies between two places of a sentence."""

    numbers: int
    commas: int
    clauses: int
    opened: bool
    closed: bool
    verbs: int
    own: bool
    foreign: bool


def _running(flags: Iterable[bool]) -> list[int]:
    """How many of the flags before each place are set."""
    return list(accumulate(map(int, flags), initial=0))


def _roles(sentence: Sequence[Word], found: Findings, extent: tuple[int, int]) -> list[str]:
    """For every word the role of the method or dataset named there, methods first; else empty."""
    start, end = extent
    roles = [""] * len(sentence)
    named = [k for k, word in enumerate(sentence) if word.named]
    for group in (found.methods, found.datasets):
        for name in group:
            for first, last in name.mentions:
                if first < end and start < last:
                    for k in named:
                        if first <= sentence[k].start < last and not roles[k]:
                            roles[k] = name.role
    return roles


def _number_lists(sentence: Sequence[Word]) -> dict[int, tuple[int, int]]:
    """Number → (place, length) in a bare list of numbers of one form: "56.4%, 26.9%, and 33.6%"."""
    groups: list[list[int]] = []
    for k, word in enumerate(sentence):
        if word.number is None:
            continue
        if groups:
            last = groups[-1][-1]
            same = sentence[last].number.form == word.number.form  # type: ignore[union-attr]
            if same and _only_list_words(sentence, last + 1, k, 2):
                groups[-1].append(k)
                continue
        groups.append([k])
    return {k: (place, len(group)) for group in groups for place, k in enumerate(group)}


def _name_lists(sentence: Sequence[Word], roles: Sequence[str]) -> dict[Span, tuple[int, int]]:
    """Named phrase → (place, length) in a list of names: of methods or of datasets."""
    groups: list[list[Span]] = []
    k = 0
    while k < len(sentence):
        if not sentence[k].named:
            k += 1
            continue
        start = k
        while k < len(sentence) and sentence[k].named:
            k += 1
        before = groups[-1][-1] if groups else (0, 0)
        alike = (roles[before[0]] in DATASET_ROLES) == (roles[start] in DATASET_ROLES)
        if groups and alike and _only_list_words(sentence, before[1], start, 3):
            groups[-1].append((start, k))
        else:
            groups.append([(start, k)])
    return {span: (place, len(group)) for group in groups for place, span in enumerate(group)}


def _only_list_words(sentence: Sequence[Word], start: int, end: int, most: int) -> bool:
    return 0 < end - start <= most and all(w.low in (",", "and", "or", "&", "the") for w in sentence[start:end])
