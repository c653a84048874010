"""Long forms that follow their short form without brackets: ``LF: Long Form``, ``LF, a Long Form framework``, ``LF,
which stands for Long Form``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from extractor.find.align import HEADS, SMALL, Alignment, align
from extractor.find.shapes import is_strong

WORD = re.compile(r"[^\s()\[\],;:!?\"“”—]+")
AFTER = re.compile(
    r"\s*(?:,\s*(?:(?:which\s+)?(?:stands|standing|short)\s+for\s+|an?\s+(?:acronym|abbreviation)\s+(?:for|of)\s+)"
    r"|\s*[:—–]\s*|\s+-{1,3}\s+|-{2,3}|,\s*(?:an?\s+|the\s+)?)"
)
COLONS = frozenset([":", "—", "–"])
OPENING = frozenset([":", ","])
STOP = re.compile(r"[.;:!?()](?:\s|$)|\(|\s[—–]|---|\bwhich\b|\bwhere\b|\bwe\b")
PREPOSITIONS = frozenset(
    ["for", "with", "via", "in", "of", "on", "from", "under", "through", "by", "using", "towards", "to"]
)


class Word(NamedTuple):
    """A word of a possible long form; ``end`` leaves closing punctuation out."""

    start: int
    end: int
    text: str


def words(text: str, start: int, end: int) -> Iterator[Word]:
    for m in WORD.finditer(text, start, end):
        word = m.group().strip(".'’‘“”`*")
        if word:
            at = m.start() + m.group().index(word)
            yield Word(at, at + len(word), word)


def holds(words: list[Word], short: str) -> bool:
    """Whether the letters of ``short`` stand in ``words`` in this order, wherever."""
    letters = iter("".join(w.text for w in words).lower())
    return all(c in letters for c in short.lower())


def after(text: str, at: int, end: int, short: str) -> tuple[int, int] | None:
    """The long form of ``short`` where it follows after a comma, a colon, a dash or "short for"."""
    m = AFTER.match(text, at, end)
    if not m or m.end() == at:
        return None
    stop = STOP.search(text, m.end(), end)
    limit = min(stop.start() if stop else end, m.end() + 160)
    chunk = list(words(text, m.end(), limit))
    if not chunk:
        return None
    starts = [0, 1] if chunk[0].text.lower() in ("a", "an", "the", "novel", "new", "first") else [0]
    starts += [
        i for i, w in enumerate(chunk[:6]) if i and chunk[i - 1].text in ("novel", "new", "for", "the", "visual")
    ]
    titled = _titled(text, chunk)
    if titled:
        starts.append(titled)
    best: tuple[float, list[Word], Alignment] | None = None
    for first in dict.fromkeys(starts):
        rest = chunk[first : first + 2 * len(short) + 2]
        if not rest:
            continue
        got = align(short, [w.text for w in rest], start=0, open_end=True)
        if got and got.rate >= (0.95 if titled and first == titled else 0.75) and got.last >= 1 and got.letters >= 2:
            # "a robust Retrieval-Augmented Exit": the capitalised start is the better one.
            worth = got.rate + (0.1 if rest[0].text[0].isupper() else 0)
            if best is None or worth > best[0] + 0.05:
                best = worth, rest, got
    if best:
        _, rest, got = best
        return rest[0].start, rest[_extend(text, rest, got.last, m.group().strip() in COLONS)].end
    return _run(short, chunk, text) if m.group().strip() in OPENING else None


def _titled(text: str, chunk: list[Word]) -> int:
    """Where capitalised words begin after one to three adjectives in lower case; 0: nowhere."""
    for i, w in enumerate(chunk[:4]):
        if w.text[0].isupper():
            return i if i + 1 < len(chunk) and chunk[i + 1].text[0].isupper() and not is_strong(w.text) else 0
        if w.text in SMALL or text[w.end : w.end + 1] != " ":
            return 0
    return 0


def _run(short: str, words: list[Word], text: str) -> tuple[int, int] | None:
    """A run of capitalised words whose letters hold those of the short form in order: ``ADEPT, Adaptive Expansion
    and Dynamic Decoupled Tuning``."""
    last = -1
    for i, w in enumerate(words):
        if i and text[words[i - 1].end : w.start].strip():
            break
        if w.text[0].isupper():
            last = i
        elif w.text not in SMALL:
            break
    run = words[: last + 1]
    titled = sum(w.text[0].isupper() for w in run)
    if (
        titled < 3
        or titled > len(short) + 1
        or not short.isalpha()
        or any(is_strong(w.text) and w.text.isupper() for w in run)
    ):
        return None
    if run[0].text[0].lower() != short[0].lower():
        return None
    return (run[0].start, run[-1].end) if holds(run, short) else None


def _extend(text: str, rest: list[Word], last: int, colon: bool) -> int:
    """The last word of a long form that ends in capitalised words, or just before a generic noun; behind a colon a
    word more, or a prepositional phrase, where the clause ends there."""
    for ahead in (1, 2, 3):
        if last + ahead < len(rest) and rest[last + ahead].text in HEADS:
            middle = rest[last + 1 : last + ahead]
            return last + ahead - 1 if not any(w.text in SMALL for w in middle) else last
    while last + 1 < len(rest):
        if rest[last + 1].text[0].isupper():
            last += 1
        elif (
            rest[last + 1].text in SMALL
            and last + 2 < len(rest)
            and rest[last + 2].text[0].isupper()
            and not rest[last + 2].text.isupper()
        ):
            last += 2
        else:
            break
    if colon:
        end = last
        while end + 1 < len(rest) and not text[rest[end].end : rest[end + 1].start].strip():
            end += 1
        more = [w.text for w in rest[last + 1 : end + 1]]
        if text[rest[end].end : rest[end].end + 1] in (",", ".", ";") and (
            more[:1] == ["learning"] or (2 <= len(more) <= 4 and more[0] in PREPOSITIONS)
        ):
            return end if more[0] in PREPOSITIONS else last + 1
    return last
