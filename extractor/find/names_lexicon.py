"""Known method names in the text: ``rules/methods_known.tsv`` and the versions and sizes of the families in it.

Names are looked up part by part (``GPT-4o`` is ``gpt``, ``4o``), so that hyphens and spaces do not
matter, longest first.
A match begins with a token and ends with one, or before parts that only make an adjective of it (``CLIP-based``).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from extractor.find.shapes import HYPHEN, SUFFIXES, Token, is_strong, key, stem, tokens
from extractor.rules import rows, terms

SPLIT = re.compile(rf"[{HYPHEN}^_&@·]")
# What makes a version of a family: 2.5, v2, 7B, 4o, VL, Instruct, Pro.
VERSION = re.compile(
    r"v?\d+(?:\.\d+)*[a-z]?|\d+(?:\.\d+)?[BMKbmk]|[A-Z]\d{1,2}(?:\.\d+)*[A-Z]?|A\d+B|[BLHSGTX]|XL|XXL|VL|E?\d+M?E?|v\d+(?:\.\d+)?"
)
VARIANTS = terms("name_cues", "version")
SPACED = re.compile(r"v?\d{1,2}(?:\.\d{1,2})+[a-z]?|v?\d[a-z]?|\d+(?:\.\d+)?[BM]|v\d")
HYPHENATED = re.compile(rf"[{HYPHEN}]([^{HYPHEN}]+)")
PART = re.compile(rf"[^{HYPHEN}^_&@·]+")
FAMILIES = frozenset({"llm", "vlm", "diffusion"})


class Entry(NamedTuple):
    """A row of the lexicon."""

    name: str
    kind: str
    full: str
    loose: bool  # matched whatever the case: several ordinary words, or lower case


class Known(NamedTuple):
    """A known name in the text."""

    start: int
    end: int
    entry: Entry


def parts(word: str) -> tuple[str, ...]:
    """The lower-case parts of a token."""
    return tuple(p for p in SPLIT.split(word.lower()) if p)


parts = lru_cache(maxsize=16384)(parts)


@cache
def _index() -> dict[str, list[tuple[tuple[str, ...], Entry]]]:
    index: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
    for row in rows("methods_known"):
        name, kind, full = (*row, "", "")[:3]
        pieces = [p for t in tokens.__wrapped__(name) for p in parts(t.text)]
        if not pieces:
            continue
        plain = sum(len(p) > 2 and p.isalpha() for p in pieces)
        loose = name.islower() or (plain >= 2 and not is_strong(name.replace(" ", "-")))
        index.setdefault(pieces[0], []).append((tuple(pieces), Entry(name, kind, full, loose)))
    for found in index.values():
        found.sort(key=lambda f: -len(f[0]))
    return index


@cache
def _joined() -> dict[str, Entry]:
    """Names with a capital or a digit by their ``key``."""
    return {key(e.name): e for found in _index().values() for _, e in found if is_strong(e.name.replace(" ", "-"))}


@cache
def long_forms() -> dict[str, str]:
    """Long form (lower case, hyphens as spaces) → the known short name."""
    return {
        SPLIT.sub(" ", full.lower()): name for name, _, full, *_ in (r for r in rows("methods_known") if len(r) > 2)
    }


@cache
def _by_full() -> dict[str, Entry]:
    return {key(e.full): e for found in _index().values() for _, e in found if e.full}


@lru_cache(maxsize=4096)
def known_abbreviation(short: str, long: str) -> Entry | None:
    """The entry of a short form whose long form is the known one, or where only the short form is listed."""
    entry = _by_full().get(key(long)) or _by_full().get(key(long.rstrip("s")))
    if entry:
        return entry
    listed = _joined().get(key(short))
    if listed and listed.full:
        return listed if _alike(listed.full, long) else None
    if listed:
        return listed
    full = known_names(long, tokens.__wrapped__(long))
    return full[0].entry if full and full[0].start == 0 and full[0].end >= len(long) - 1 else None


def _alike(one: str, other: str) -> bool:
    """Whether two long forms share most words: "Group Reward Policy Optimization" for the relative one."""
    a, b = set(one.lower().replace("-", " ").split()), set(other.lower().replace("-", " ").split())
    return len(a & b) >= 0.6 * max(len(a), 1)


def known_names(text: str, toks: tuple[Token, ...] | None = None) -> list[Known]:
    """All known names in ``text``, in order, without overlap."""
    toks = tokens(text) if toks is None else toks
    found: list[Known] = []
    after = 0
    for i, (start, _, word) in enumerate(toks):
        if i < after:
            continue
        entries, joined = _first(word)
        got = _match(text, toks, i, entries) if entries else None
        if not got and joined:
            got = (i, Known(start, start + joined[0], joined[1]))
        if got:
            after = got[0] + 1
            found.append(got[1])
    return found


@lru_cache(maxsize=16384)
def _first(word: str) -> tuple[list[tuple[tuple[str, ...], Entry]] | None, tuple[int, Entry] | None]:
    """Entries that can begin with ``word``, and (length, entry) of a name written together (GPT4, ResNet50)."""
    first = parts(word)
    if not first:
        return None, None
    index = _index()
    entry = _joined().get(key(stem(word))) if is_strong(word) else None
    return index.get(first[0]) or index.get(first[0].rstrip("s")), (len(stem(word)), entry) if entry else None


def _match(
    text: str, toks: tuple[Token, ...], i: int, entries: list[tuple[tuple[str, ...], Entry]] | None
) -> tuple[int, Known] | None:
    if not entries:
        return None
    here = len(parts(toks[i].text))
    ahead = parts(toks[i + 1].text)[:1] if i + 1 < len(toks) else ()
    for pieces, entry in entries:
        if len(pieces) > here and (not ahead or ahead[0].rstrip("s") != pieces[here].rstrip("s")):
            continue
        end = _walk(text, toks, i, pieces)
        if end is None:
            continue
        last, stop = end
        written = text[toks[i].start : stop]
        if not _same_case(written, entry, last == i):
            continue
        last, stop = _versions(text, toks, last, stop, entry)
        rest = text[stop : toks[last].end]
        if rest and not _suffix(rest):
            continue
        return last, Known(toks[i].start, stop, entry)
    return None


def _walk(text: str, toks: tuple[Token, ...], i: int, pieces: tuple[str, ...]) -> tuple[int, int] | None:
    """Index of the last token and the end offset if the parts from token ``i`` on are ``pieces``."""
    n = 0
    while True:
        here = parts(toks[i].text)
        left = len(pieces) - n
        for k, piece in enumerate(here[:left]):
            want = pieces[n + k]
            if piece != want and not (n + k == len(pieces) - 1 and piece == want + "s"):
                return None
        if len(here) >= left:
            return i, _offset(toks[i], left)
        n += len(here)
        if i + 1 == len(toks) or toks[i + 1].start - toks[i].end != 1 or text[toks[i].end] not in " \n.":
            return None
        i += 1


def _offset(token: Token, count: int) -> int:
    """Where the ``count``-th part of a token ends."""
    at = 0
    for m in PART.finditer(token.text):
        at = m.end()
        count -= 1
        if not count:
            break
    return token.start + at


def _same_case(written: str, entry: Entry, single: bool) -> bool:
    if entry.loose:
        return True
    a, b = SPLIT.sub("", written).replace(" ", ""), SPLIT.sub("", entry.name).replace(" ", "")
    if a == b or a == b + "s":
        return True
    # Deepseek-R1 for DeepSeek-R1; but "lion" is no Lion and "sam" no SAM.
    return (
        a.lower().rstrip("s") == b.lower().rstrip("s")
        and is_strong(written)
        and is_strong(entry.name)
        and not b.isupper()
    )


def _versions(text: str, toks: tuple[Token, ...], last: int, stop: int, entry: Entry) -> tuple[int, int]:
    """Take in the version, size and variant after a name: hyphenated, for model families with a space too."""
    rest = text[stop : toks[last].end]
    if rest:
        for m in HYPHENATED.finditer(rest):
            if not (VERSION.fullmatch(m.group(1)) or (entry.kind in FAMILIES and m.group(1).lower() in VARIANTS)):
                break
            stop = toks[last].end - len(rest) + m.end()
        if stop != toks[last].end:
            return last, stop
    if entry.kind not in FAMILIES:
        return last, stop
    while last + 1 < len(toks) and toks[last + 1].start == toks[last].end + 1 and text[toks[last].end] == " ":
        word = toks[last + 1].text
        numeric = SPACED.fullmatch(word)
        named = (
            word[0].isupper() and all(p in VARIANTS or VERSION.fullmatch(p) for p in parts(word)) and not word.isupper()
        )
        if not (numeric or named or (SPACED.match(word) and "-" in word and word[0].isdigit() and "B" in word)):
            break
        last += 1
        stop = toks[last].end
    return last, stop


def _suffix(rest: str) -> bool:
    return all(p in SUFFIXES for p in SPLIT.split(rest.lower()) if p)
