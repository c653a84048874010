"""Short forms whose long form nothing links to them: right before them, or in another sentence.

Only what is certain is taken: a run of capitalised words whose initials or first letters are the short form without a
gap (``We propose Patient Tree Policies. ... PTP is fast``), or words before a generic noun and the short form behind
it (``the path-aware token mixing module PATM``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extractor.find.align import HEADS, SMALL, align
from extractor.find.shapes import CAMEL, CAPS, HYPHEN, is_strong, key, shape, singular, stem, tokens
from extractor.mentions import Abbreviation
from extractor.rules import terms

Spans = tuple[int, int, int, int]
PIECE = rf"[A-Z][\w{HYPHEN}]+"
RUN = re.compile(rf"(?<![\w{HYPHEN}]){PIECE}(?:\s(?:(?:of|and|for|to|in|with|via|from|the|as|on)\s)?{PIECE})+")
OPENERS = terms("name_cues", "opener") | frozenset(["The", "Our", "We", "This", "A", "An", "In"])
NO_METHODS = terms("not_methods", "hard")
LETTERS = re.compile(rf"[A-Z][A-Za-z]*(?:[{HYPHEN}][A-Za-z]+)?")
# Bounds for texts that are no abstracts.
MOST, MOST_CHARS = 60, 160
WORD = re.compile(r"\S+")
CAPS_RATE, CAMEL_RATE = 0.98, 0.85


def unlinked(text: str, made: list[Abbreviation]) -> Iterator[Spans]:
    """(start, end) of short and long form for short forms that are not among those ``made`` already."""
    seen = {key(a.short) for a in made}
    left: dict[str, tuple[int, int, str]] = {}
    toks = tokens(text)
    for i, (start, end, word) in enumerate(toks):
        if not 3 <= len(word) <= 10 or word[1:].islower() or shape(word) not in (CAPS, CAMEL):
            continue
        name = key(word)
        if name in seen or name in left or not LETTERS.fullmatch(word):
            continue
        if stem(word) != word or singular(word) in NO_METHODS:
            continue
        left[name] = (start, end, word)
        _, at, before = toks[i - 1] if i else (0, -2, "")
        if at == start - 1 and text[at] == " " and (before in HEADS or before[0].isupper()):
            spans = _beside(text, start, end, word, at - len(before) if before in HEADS else at)
            if spans:
                del left[name]
                seen.add(name)
                yield spans
    if not left:
        return
    taken = bytearray(len(text))
    for a in made:
        taken[a.long_start : a.long_end] = b"\1" * (a.long_end - a.long_start)
    runs: dict[str, list[list[tuple[int, int, str]]]] = {}
    for m in RUN.finditer(text):
        if m.end() - m.start() > MOST_CHARS or any(taken[m.start() : m.end()]):
            continue
        words = [(w.start(), w.end(), w.group()) for w in WORD.finditer(text, m.start(), m.end())]
        for i, (_, _, w) in enumerate(words[:-1]):
            if w[0].isupper() and not is_strong(w):
                runs.setdefault(w[0].lower(), []).append(words[i:])
            if w not in OPENERS:
                break
    for start, end, word in list(left.values())[:MOST]:
        for words in runs.get(word[0].lower(), ())[:MOST]:
            size = _spelt(word, [w for _, _, w in words])
            if size > 1 and not words[0][0] <= start < words[-1][1]:
                yield start, end, words[0][0], words[size - 1][1]
                break


def _spelt(short: str, words: list[str]) -> int:
    """How many of the capitalised ``words`` the short form spells, to the last letter; 0 when it does not."""
    caps = singular(short).isupper()
    got = align(short, words, start=0, open_end=True)
    if got is None or got.rate < (CAPS_RATE if caps else CAMEL_RATE):
        return 0
    size = got.last + 1
    parts = [p for w in words[:size] if w not in SMALL for p in re.split(f"[{HYPHEN}]", w) if p]
    if len(parts) > got.letters or any(is_strong(w) and not short.endswith("-" + w) for w in words[:size]):
        return 0
    if not caps and len(words) == size + 1 and words[size][0].isupper():
        size += 1  # DeMo = Decoupled Momentum Optimization
    return size if size == len(words) else 0


def _beside(text: str, start: int, end: int, short: str, stop: int) -> Spans | None:
    """The long form before the generic noun that ends at ``stop`` and the short form after it."""
    room = max(0, stop - 12 * (len(short) + 2))
    words = [(w.start(), w.end(), w.group()) for w in WORD.finditer(text, room, stop)][-(len(short) + 1) :]
    got = align(short, [w for _, _, w in words])
    if got is None or got.rate < 0.95 or got.last != len(words) - 1 or got.first == got.last:
        return None
    long = [w for _, _, w in words[got.first :]]
    if any(w[-1] in ",.;:()" for w in long) or (
        stop == start - 1 and not all(w[0].isupper() or w in SMALL for w in long)
    ):
        return None
    return start, end, words[got.first][0], words[got.last][1]
