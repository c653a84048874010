"""The stretches of a text that could be dataset names, with compressed lists written out.

Known names first; then tokens spelt as names are, with the capitalised words and numbers that go with them. "CIFAR-10/100"
makes two units, each over its own element of the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from extractor.find.datasets_lexicon import Entry, entry_of, key, known
from extractor.find.names_tables import words as cells
from extractor.find.shapes import HYPHEN, NUMBER, STRONG, TITLE, Token, shape, singular, stem, tokens
from extractor.rules import toml, tsv, words

KNOWN, CONTEXT, VARIANT, SPELT, PHRASE = "known", "context", "variant", "spelt", "phrase"
LEVELS = re.compile(r"Easy|Hard|Medium|Large|Small|Test|Dev|[A-Z]|\d{1,4}[KkM]?|[a-z]{1,3}|ZH|EN|[+]")
SLASH = re.compile(r"\s?/\s?[-'’]?")
AND = re.compile(r"\s+(?:and|&)\s+[-'’]?|,\s+[-'’]?")
TAIL = re.compile(r"\d+[KkM]?$")


@dataclass(slots=True)
class Unit:
    """A possible dataset name in the text."""

    start: int
    end: int
    name: str
    kind: str
    entry: Entry | None = None
    rule: str = ""
    canonical: str = ""
    signs: list[str] = field(default_factory=list)


@cache
def _stop() -> frozenset[str]:
    metrics = frozenset(row["metric"].lower() for row in tsv("metrics"))
    fields = frozenset(w for w in cells("not_methods.tsv", "hard") if not entry_of(w))
    return words(toml("dataset_cues")["stop"]) | fields | frozenset(m.upper() for m in metrics)


@cache
def _generic() -> frozenset[str]:
    return words(toml("dataset_cues")["generic"])


@cache
def _methods() -> tuple[frozenset[str], frozenset[str]]:
    """Keys of known methods, and first parts that only model families have."""
    rows = [row for row in tsv("methods_known") if not entry_of(row["name"])]
    families = {key(re.split(rf"[\s{HYPHEN}]", r["name"])[0]) for r in rows if r["kind"] in ("llm", "vlm", "diffusion")}
    return frozenset(key(r["name"]) for r in rows), frozenset(f for f in families if len(f) > 2)


def is_method(name: str) -> bool:
    """Whether ``name`` is a known method or a member of a known family of models."""
    methods, families = _methods()
    first = re.split(rf"[\s{HYPHEN}\d]", name, maxsplit=1)[0]
    return key(name) in methods or key(first) in families


def units(text: str) -> list[Unit]:
    """All units of ``text`` in order, without overlap."""
    toks = tokens(text)
    found: list[Unit] = []
    i = 0
    while i < len(toks):
        token = toks[i]
        lower = token.text.islower() and token.text.isalpha()
        hit = known(text, toks, i)
        if hit:
            kind = CONTEXT if hit.entry.context else VARIANT if hit.rule == "lexicon.variant" else KNOWN
            name = re.sub(r"\s+", " ", text[hit.start : hit.end]).removeprefix("The ").removeprefix("the ")
            found.append(Unit(hit.start, hit.end, name, kind, hit.entry, hit.rule, hit.canonical))
            i = hit.last + 1
            i = _written_out(text, toks, i, found)
        elif lower:
            i += 1
        else:
            i = _spelt(text, toks, i, found)
    return found


def _spelt(text: str, toks: tuple[Token, ...], i: int, found: list[Unit]) -> int:
    """Add the run of name-like and capitalised tokens at ``i``; the index of the token after it."""
    j, strong = i, False
    first = toks[i]
    # The first word of a run may belong to the sentence and not to the name.
    while j < len(toks) and j - i < 6:
        token = toks[j]
        if j > i and text[toks[j - 1].end : token.start] != " ":
            break
        kind = shape(token.text)
        if kind in STRONG and token.text not in _stop():
            word = stem(token.text)
            if j > i and known(text, toks, j):
                break
            strong = True
            if word != token.text:
                j += 1
                first_end = token.start + len(word)
                _add(text, first.start, first_end, strong, found)
                return j
        elif kind == TITLE and token.text not in _generic() and token.text not in _stop() or (kind == NUMBER and j > i):
            if j > i and known(text, toks, j):
                break
        else:
            break
        j += 1
    if j == i:
        return i + 1
    _add(text, first.start, toks[j - 1].end, strong, found)
    return _written_out(text, toks, j, found) if strong else j


def _add(text: str, start: int, end: int, strong: bool, found: list[Unit]) -> None:
    written = text[start:end]
    name = singular(written)
    if len(name) > 1 and not name.isdigit():
        found.append(Unit(start, start + len(name), name, SPELT if strong else PHRASE))


def _written_out(text: str, toks: tuple[Token, ...], i: int, found: list[Unit]) -> int:
    """Write out a compressed list after the last unit; the index of the token after it."""
    unit = found[-1]
    for short, names in toml("dataset_cues")["compressed"].items():
        if text.startswith(short, unit.start):
            end = unit.start + len(short)
            found.pop()
            for name in names:
                entry = entry_of(name)
                found.append(
                    Unit(unit.start, end, name, unit.kind, entry, unit.rule, entry.canonical if entry else name)
                )
            while i < len(toks) and toks[i].start < end:
                i += 1
            return i
    base, at = unit.name, unit.end
    while i < len(toks):
        token = toks[i]
        gap = text[at : token.start]
        name = _completed(base, token.text, bool(SLASH.fullmatch(gap)), bool(AND.fullmatch(gap)))
        if not name:
            break
        entry = entry_of(name)
        found.append(
            Unit(
                token.start,
                token.end,
                name,
                unit.kind,
                entry or unit.entry,
                unit.rule,
                entry.canonical if entry else name,
            )
        )
        at = token.end
        i += 1
    return i


def _completed(base: str, short: str, slash: bool, joined: bool) -> str | None:
    """The full name that ``short`` stands for after ``base``: CIFAR-10, 100 → CIFAR-100."""
    if not (slash or joined) or not LEVELS.fullmatch(short):
        return None
    tail = TAIL.search(base)
    if tail and short[0].isdigit():
        # "AIME24 and 25", "COCO 2014/2017": editions; "CIFAR-10 and 100": sizes of a known pair.
        whole = base[: tail.start()] + short
        alike = (
            len(short) == len(tail.group()) and len(short) in (2, 4) and bool(re.search(r"AIME|AMC|HMMT|20\d\d$", base))
        )
        return whole if slash or entry_of(whole) or alike else None
    cut = max(base.rfind(h) for h in "-‐‑–")
    if cut > 0 and not short[0].isdigit():
        part = base[cut + 1 :]
        same = (
            (part.isupper() and short.isupper())
            or (part.islower() and short.islower())
            or (part.istitle() and short.istitle())
        )
        if (
            same
            and len(short) <= len(part) + 3
            and (slash or (short.istitle() and len(short) > 1) or entry_of(base[: cut + 1] + short))
        ):
            return base[: cut + 1] + short
    return None


def within(found: list[Unit], start: int, end: int) -> Iterator[Unit]:
    """The units that begin in ``start:end``."""
    return (u for u in found if start <= u.start < end)
