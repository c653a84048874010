"""Make one entry of each chosen name: its mentions everywhere in the text, its full name and its other spellings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from extractor.find.shapes import HYPHENS, key, singular
from extractor.mentions import MethodName
from extractor.rules import rows

if TYPE_CHECKING:
    from extractor.find.names import Candidate

# Share of right entries (name and role) by role and rule, measured on the annotated abstracts.
CONFIDENCE = {(row[0], row[1]): float(row[2]) for row in rows("name_rules")}


def entries(
    text: str, chosen: Iterable[tuple[Candidate, str, str]], confidences: Sequence[float] | None = None
) -> list[MethodName]:
    """Records of the chosen names with every mention in ``text``, longer names before the shorter ones inside them.

    ``confidences`` stand for those of the rules where they are given.
    """
    taken = bytearray(len(text) + 1)
    made: list[tuple[int, MethodName]] = []
    found: dict[int, list[tuple[int, int]]] = {}
    picks = list(chosen)
    order = sorted(range(len(picks)), key=lambda i: -len(picks[i][0].name))
    for i in order:
        c = picks[i][0]
        spans = [(u.start, u.end) for u in c.units]
        for s, e in spans:
            taken[s:e] = b"\1" * (e - s)
        found[i] = spans
    for i in order:
        c = picks[i][0]
        for spelling in dict.fromkeys([c.name, *c.spellings, *([c.full_name] if c.full_name else [])]):
            for s, e in occurrences(text, spelling):
                if not any(taken[s:e]):
                    taken[s:e] = b"\1" * (e - s)
                    found[i].append((s, e))
    for i, (c, rule, role) in enumerate(picks):
        mentions = sorted(set(found[i]))
        name = c.name
        full = c.full_name if c.full_name and key(c.full_name) != key(name) else None
        aliases = [s for s in c.spellings if s not in (name, full) and singular(s) != singular(name)]
        confidence = CONFIDENCE.get((role, rule), 0.5) if confidences is None else confidences[i]
        made.append((mentions[0][0], MethodName(name, full, mentions, rule, role, aliases, confidence)))
    made.sort(key=lambda m: m[0])
    return [m for _, m in made]


def occurrences(text: str, name: str) -> list[tuple[int, int]]:
    """Whole-word occurrences of ``name`` in ``text``, a plural s and a hyphenated suffix allowed after it."""
    out = []
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        before, after = text[at - 1 : at], text[end : end + 1]
        inside = before.isalnum() or (before and before in HYPHENS + "_")
        if not inside and (not after.isalnum() or (after == "s" and not text[end + 1 : end + 2].isalnum())):
            out.append((at, end))
        at = text.find(name, at + 1)
    return out
