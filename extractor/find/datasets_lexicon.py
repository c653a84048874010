"""Known dataset names in the text: ``rules/datasets.tsv``, whatever the case, spaces and hyphens.

Longest match first, over tokens: ``CIFAR 10`` and ``CIFAR-10`` are one name. Editions (``AIME 2025``, ``HMMT'25``),
versions (``LongBench-v2``) and variants (``ImageNet-Foo``) of a known name are names of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from extractor.find.shapes import HYPHEN, SUFFIXES, TOKEN, Token
from extractor.rules import toml, tsv, words

DROPPED = re.compile(r"[^\w+*∞]|_")
PARTS = re.compile(r"[A-Z]?[a-zα-ω]+|[A-Z]+(?![a-z])|\d+|[+*∞]+")
GAP = re.compile(rf"[\s{HYPHEN}'’&/:._^@]{{0,3}}")
VERSION = re.compile(r"[vV]\d(?:\.\d)*|\d\.\d")
TIMES = re.compile(r"(?<=\d)×\d+")
RESOLUTION = re.compile(r"\d+\s?[x×]\s?\d")
EDITION = re.compile(r"(?:19|20)\d\d|\d\d")
BUDGET = re.compile(r"\d+[KkM]")
LONG = 60  # characters in the longest token that is looked into
MANY = 6  # tokens in the longest name


class Entry(NamedTuple):
    """A row of the lexicon; ``written`` are its spellings without signs."""

    name: str
    domain: str
    context: bool
    year: bool
    exact: bool
    written: frozenset[str]


class Hit(NamedTuple):
    """A known name in the text; ``last`` is the index of its last token."""

    start: int
    end: int
    last: int
    entry: Entry
    rule: str


@lru_cache(maxsize=32768)
def key(name: str) -> str:
    """``name`` without case, spaces, hyphens and other signs."""
    return DROPPED.sub("", name).lower()


def bare(name: str) -> str:
    """``name`` without spaces, hyphens and other signs, its case kept."""
    return DROPPED.sub("", name)


@cache
def _index() -> tuple[dict[str, Entry], frozenset[str]]:
    """Entries by key, and every beginning of a key at which a token may end."""
    entries: dict[str, Entry] = {}
    beginnings: set[str] = set()
    for row in tsv("datasets"):
        forms = [row["name"], *filter(None, row["aliases"].split("|"))]
        flags = row["flags"].split()
        entry = Entry(
            row["name"],
            row["domain"],
            "context" in flags,
            "year" in flags,
            "exact" in flags,
            frozenset(map(bare, forms)),
        )
        for form in forms:
            entries.setdefault(key(form), entry)
            so_far = ""
            for part in PARTS.findall(form):
                so_far += part.lower()
                beginnings.add(so_far)
            beginnings.add(key(form))
    return entries, frozenset(beginnings)


@cache
def _version_words() -> frozenset[str]:
    return words(toml("dataset_cues")["version_words"])


def entry_of(name: str) -> Entry | None:
    """The entry of ``name``, if it is known as written."""
    entry = _index()[0].get(key(name))
    return entry if entry and _accepts(entry, name) else None


def lower_beginnings() -> frozenset[str]:
    """The first tokens of the names that are written in lower case alone."""
    forms = (form for row in tsv("datasets") for form in [row["name"], *row["aliases"].split("|")] if form.islower())
    return frozenset(m.group() for m in map(TOKEN.match, forms) if m)


def _accepts(entry: Entry, written: str) -> bool:
    """Whether ``written`` is the name and not an ordinary word: "Stare" is not STARE, "Imagenet" is ImageNet."""
    if bare(written) in entry.written:
        return True
    if entry.context or entry.exact:
        return False
    # "3D shapes" is not 3D Shapes: a long word in lower case must be so in a spelling of the list.
    if " " in written and any(
        len(w) > 3 and w.islower() and w in entry.name.lower().split() and w not in entry.name.split()
        for w in written.split()
    ):
        return False
    capitals = sum(c.isupper() for c in written)
    if any(c.isdigit() for c in written) or capitals >= 2:
        return True
    if not written.isalpha():
        return capitals == 1 and len(written) > 9 and " " not in written
    return capitals == 1 and len(written) >= 7 and written[0].isupper()


def known(text: str, toks: Sequence[Token], i: int) -> Hit | None:
    """The longest known name that begins with token ``i``."""
    entries, beginnings = _index()
    first = toks[i]
    so_far = key(first.text)
    best: tuple[int, Entry] | None = None
    if so_far in beginnings:
        for j in range(i, min(i + MANY, len(toks))):
            if j > i:
                if not GAP.fullmatch(text, toks[j - 1].end, toks[j].start):
                    break
                so_far += key(toks[j].text)
                if so_far not in beginnings:
                    break
            if j > i and RESOLUTION.match(text, toks[j].start):
                break
            entry = entries.get(so_far)
            if entry and _accepts(entry, text[first.start : toks[j].end]):
                best = (j, entry)
    if best:
        return _edition(text, toks, i, *best)
    word = first.text
    if len(word) > LONG:
        return None
    return _variant(first, i) if "-" in word or word[-1].isdigit() or not word.isascii() else None


def _edition(text: str, toks: Sequence[Token], i: int, j: int, entry: Entry) -> Hit:
    """The match with the edition or version that follows it."""
    start, end, last = toks[i].start, toks[j].end, j
    by = TIMES.match(text, end)
    if by:  # ImageNet64×64
        return Hit(start, by.end(), j + 1, entry, "lexicon")
    rule = "lexicon"
    if j + 1 < len(toks):
        gap, after = text[end : toks[j + 1].start], toks[j + 1].text
        versioned = gap == " " and (VERSION.fullmatch(after) or after in _version_words())
        dated = entry.year and gap in (" ", "'", "’", " '", " ’") and EDITION.fullmatch(after)
        sized = entry.domain in ("rl", "agent") and gap == " " and BUDGET.fullmatch(after)
        if versioned or dated or sized:
            end, last, rule = toks[j + 1].end, j + 1, "lexicon.version"
    return Hit(start, end, last, entry, rule)


def _variant(token: Token, i: int) -> Hit | None:
    """A token with a known name inside: ``ImageNet-Foo``, ``Split-CIFAR-100``, ``HMMT-25``, ``COCO-style``."""
    entries, _ = _index()
    pieces = re.split(rf"([{HYPHEN}])", token.text)
    at = len(token.text)
    for n in range(len(pieces) - 2, 0, -2):
        at -= len(pieces[n]) + len(pieces[n + 1])
        entry = entries.get(key(token.text[:at]))
        if entry and _accepts(entry, token.text[:at]):
            rest = token.text[at + 1 :]
            if rest.islower() and (rest.isalpha() or rest in SUFFIXES):
                return Hit(token.start, token.start + at, i, entry, "lexicon")
            return Hit(token.start, token.end, i, entry, "lexicon.variant")
    for n in range(2, len(pieces), 2):
        rest = "".join(pieces[n:])
        entry = entries.get(key(rest))
        if entry and not entry.context and len(rest) > 3 and _accepts(entry, rest) and not pieces[0].islower():
            return Hit(token.start, token.end, i, entry, "lexicon.variant")
    year = re.fullmatch(r"([A-Za-z]+)[-'’]?(\d{2}|\d{4})", token.text)
    entry = entries.get(key(year.group(1))) if year else None
    if entry and entry.year and year and year.group(1) in entry.written:
        return Hit(token.start, token.end, i, entry, "lexicon.version")
    return None
