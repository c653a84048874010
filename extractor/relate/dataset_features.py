"""The sets of datasets a number may have been measured on, and what the model reads of each.

Sets are what the rules say, each list of datasets of the sentence and each of its members, the set of the number
before, the benchmark the paper introduces, and the lists of the nearest sentence before that names any. A set that
comes about in several ways has the features of them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from extractor.relate.clause import read
from extractor.relate.scene import NUMBER, Draft, Scene, few, near
from extractor.relate.ties import Group, listed_together, mentions

PREPOSITIONS = frozenset("on in for across over at to than with against from by of including".split())
REACH = 7  # words before a dataset in which its preposition is looked for
SENTENCES_BACK = 3
Names = tuple[str, ...]


@dataclass(slots=True)
class Earlier:
    """The number before, what it was measured on, and whether it stands in the same sentence."""

    draft: Draft
    names: Names
    same: bool


class Reader:
    """The datasets of one sentence and of the one before that names any."""

    def __init__(self, scene: Scene, claims: Sequence[int]):
        self.scene, self.claims = scene, claims
        start, end = scene.extent
        self.mentions = mentions(scene.found, start, end)
        self.groups = listed_together(self.mentions, scene.words) if self.mentions else []
        self.introduced = [d for d in scene.found.datasets if d.role == "introduced"]
        self.back, self.before = self._before()

    def _before(self) -> tuple[int, list[Group]]:
        """The lists of the nearest earlier sentence that names a dataset, and how many sentences back it is."""
        scene = self.scene
        sentences = scene.found.sentences
        here = next((i for i, (start, _) in enumerate(sentences) if start >= scene.extent[0]), 0)
        for back in range(1, min(SENTENCES_BACK, here) + 1):
            start, end = sentences[here - back]
            found = mentions(scene.found, start, end)
            if found:
                return back, listed_together(found, read(scene.text, start, end, []))
        return 0, []

    def sets(self, draft: Draft, earlier: Earlier | None, other: bool) -> dict[Names, list[str]]:
        """Set of names → its features; the empty set is among them. ``other``: the number is not the paper's own."""
        made: dict[Names, list[str]] = {(): []}
        for names, features in self._candidates(draft, earlier, other):
            made.setdefault(tuple(sorted(names)), []).extend(features)
        kind, named = draft.kind, bool(self.mentions)
        made[()] += [
            f"none kind:{kind}",
            f"none named:{named}",
            f"none {kind} named:{named} lists:{min(len(self.groups), 2)}",
            f"none introduces:{len(self.introduced) == 1} {kind} named:{named}",
            f"none after:{self.scene.look(self.scene.left(draft.at) - 1, -1)}",
            f"none before:{self.scene.look(draft.at + 1, 1)}",
            f"none {draft.reading.rule}",
            f"none earlier sentence:{bool(self.before)} named:{named} {kind}",
            f"none other:{other} {kind}",
        ]
        for names, features in made.items():
            if names:
                features += ("some", f"some {min(len(names), 3)}")
        # what two ways to a set have in common is true of it once
        return {names: list(dict.fromkeys(features)) for names, features in made.items()}

    def _candidates(
        self, draft: Draft, earlier: Earlier | None, other: bool
    ) -> Iterator[tuple[Sequence[str], list[str]]]:
        kind, named = draft.kind, bool(self.mentions)
        for group in self.groups:
            yield from self._group(draft, group)
        said = tuple(draft.datasets)
        size = min(len(said), 2)
        yield said, [f"rules:{size}", f"rules:{size} {kind}", f"rules:{size} {draft.reading.rule}"]
        if earlier is not None:
            some = bool(earlier.names)
            joint = self.scene.joint(earlier.draft.at, draft.at) if earlier.same else "before"
            other_kind = f"{earlier.draft.kind} {'here' if earlier.same else 'before'} {kind}"
            yield earlier.names, [f"earlier {some}", f"earlier {some} {joint}", f"earlier {some} {other_kind}"]
        if len(self.introduced) == 1:
            own = self.introduced[0]
            behind = own.mentions[0][0] < self.scene.extent[0]
            yield (own.name,), [
                "introduced", f"introduced {kind} named:{named}", f"introduced behind:{behind} named:{named}",
                f"introduced other:{other} named:{named} {kind}",
            ]  # fmt: skip
        lists = min(len(self.before), 3)
        for _, _, names in self.before:
            yield names, [
                f"sentence {self.back}", f"sentence {self.back} named:{named}",
                f"sentence {self.back} {kind} named:{named}",
                f"sentence {self.back} names:{min(len(names), 2)} named:{named}",
                f"sentence lists:{lists} named:{named}",
            ]  # fmt: skip

    def _group(self, draft: Draft, group: Group) -> Iterator[tuple[Sequence[str], list[str]]]:
        """A list of datasets as a whole, and each of its members."""
        start, end, names = group
        words, kind = self.scene.words, draft.kind
        listed = "list" if len(names) > 1 else "single"
        respectively = "respectively" in self.scene.present
        own = any(d.name in names for d in self.introduced)
        yield names, [
            *self._place(draft, start, end, listed), listed, f"{listed} respectively:{respectively}",
            f"{listed} {kind}", f"{listed} own:{own}",
        ]  # fmt: skip
        if len(names) < 2:
            return
        before = [n for n in self.claims if words[n].end <= start]
        after = [n for n in self.claims if words[n].start >= end]
        for place, name in enumerate(names):
            first, last = next((s, e) for s, e, said in self.mentions if said == name and start <= s < end)
            aligned = _aligned(draft.at, before[-len(names) :], place, len(names), "before")
            aligned += _aligned(draft.at, after[: len(names)], place, len(names), "after")
            counts = f"{len(before) == len(names)} {len(after) == len(names)}"
            yield (name,), [
                *self._place(draft, first, last, "member"), "member", f"aligned:{aligned}",
                f"aligned:{aligned} respectively:{respectively}", f"aligned:{aligned} {counts}",
            ]  # fmt: skip

    def _place(self, draft: Draft, start: int, end: int, what: str) -> list[str]:
        """Where the datasets ``start:end`` stand beside the number."""
        scene, words, kind, at = self.scene, self.scene.words, draft.kind, draft.at
        first = next((k for k, w in enumerate(words) if w.start >= start), len(words))
        last = next((k for k, w in enumerate(words) if w.start >= end), len(words))
        side, a, b = scene.beside(at, (first, last))
        gap = scene.between(a, b)
        distance, numbers = near(b - a), few(gap.numbers)
        before, after = scene.look(first - 1, -1), scene.look(last, 1)
        said = f"{what} {side}"
        preposition = self._preposition(first)
        verb = any(scene.cues[k] and scene.stops[k] for k in range(a, b))
        return [
            f"{said} {distance}",
            f"{said} numbers:{numbers}",
            f"{said} after:{before}",
            f"{said} before:{after}",
            f"{said} commas:{few(gap.commas)}{few(gap.clauses)} brackets:{gap.opened} {gap.closed}",
            f"{said} preposition:{preposition}",
            f"{said} preposition:{preposition} {kind}",
            f"{said} preposition:{preposition} numbers:{numbers}",
            f"{said} verb:{verb} numbers:{numbers}",
            f"{said} {distance} {kind}",
            f"{said} {distance} after:{before}",
            f"{said} after:{before} number after:{scene.look(scene.left(at) - 1, -1)}",
            f"{said} numbers:{numbers} {kind}",
        ]

    def _preposition(self, first: int) -> str:
        words = self.scene.words
        for k in range(first - 1, max(-1, first - 1 - REACH), -1):
            if words[k].number is not None:
                return NUMBER
            if words[k].low in PREPOSITIONS:
                return words[k].low
        return ""


def _aligned(at: int, numbers: Sequence[int], place: int, count: int, side: str) -> str:
    """Whether the number has the place of the dataset in a list of as many numbers on that side."""
    if len(numbers) < count or at not in numbers:
        return ""
    return f" {side}" if numbers.index(at) == place else f" not {side}"
