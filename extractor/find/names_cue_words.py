"""The words that give names: verbs of proposing, of naming, weaker ones, and "our", found token by token."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from extractor.find.shapes import Token
from extractor.rules import terms

TABLE = "name_cues"


class Cue(NamedTuple):
    """A cue in the text; ``group`` is propose, call, offer or our."""

    start: int
    end: int
    group: str
    word: str


@cache
def _first_words() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """First word → (all words, group), longest first."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for group in ("offer", "call", "propose"):
        for phrase in terms(TABLE, group):
            pieces = tuple(phrase.split())
            table.setdefault(pieces[0], []).append((pieces, group))
    for word in ("our", "Our"):
        table.setdefault(word, []).append(((word,), "our"))
    for word in ("the", "The"):
        table.setdefault(word, []).extend(((word, more), "our") for more in ("proposed", "resulting", "new"))
    for found in table.values():
        # The later group wins where a word stands in two.
        found.reverse()
        found.sort(key=lambda f: -len(f[0]))
    return table


def find_cues(toks: tuple[Token, ...]) -> list[Cue]:
    """All cues among ``toks``, in order; words inside a longer cue are not cues themselves."""
    table = _first_words()
    cues: list[Cue] = []
    after = 0
    for i, (start, _, word) in enumerate(toks):
        entries = table.get(word)
        if not entries or i < after:
            continue
        for pieces, group in entries:
            last = i + len(pieces) - 1
            if last == i or (last < len(toks) and all(toks[i + k].text == p for k, p in enumerate(pieces))):
                cues.append(Cue(start, toks[last].end, group, " ".join(pieces).lower()))
                after = last + 1 if group != "our" else i + 1
                break
    return cues
