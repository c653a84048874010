"""All that could be the name of a method or a dataset, for the model to decide.

What the rules saw, whether they took it or not, and stretches that only the way they are used can make a name: single
capitalised words, quoted or emphasised words in lower case, chains of words ("retain-then-escalate"), words that an
apposition explains, techniques with ordinary names. One candidate a name, with all its mentions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache

from extractor.find.datasets_units import Unit as DatasetUnit
from extractor.find.names import Candidate
from extractor.find.names_entries import occurrences
from extractor.find.names_units import ALWAYS, BLOCKED, NOT_METHODS, OPENERS
from extractor.find.shapes import HYPHEN, LOWER, TITLE, key, shape, singular, stem, tokens
from extractor.mentions import DatasetName, Findings
from extractor.rules import rows

CAPITAL, QUOTED, CHAIN, APPOSED, TECHNIQUE = "capital", "quoted", "chain", "apposed", "technique"
PIECE = re.compile(r"[^\W_]+(?:['’]s)?")
MOST_WORDS = 5
CHAINED = re.compile(
    rf"(?<![\w{HYPHEN}])[a-z]{{2,}}[{HYPHEN}](?:then|before)[{HYPHEN}][a-z]{{2,}}(?:[{HYPHEN}][a-z]{{2,}})?(?![\w{HYPHEN}])"
)
# Lower-case words before a colon, a dash or an explaining comma: "a new sampler: gentle descent, which". Where the
# explanation begins is asked first, since it is rare; the words are then looked for in what stands before.
EXPLANATION = re.compile(r"[,:—–]\s*(?:an?|our|the\s+first|which|where|in\s+which)\s")
EXPLAINED = re.compile(
    rf"(?<=[\s“\"'‘])(?P<name>[a-z][\w{HYPHEN}]+(?:\s[\w{HYPHEN}]+){{0,4}}?)[\"”’']*\s*{EXPLANATION.pattern}"
)
FAR = 120  # characters before an explanation in which the words begin
NOUNS = re.compile(
    r"\b(?:propose|proposes|introduce|introduces|present|presents|develop|design|call|called|term|termed|dubbed|named|"
    r"designing|introducing|proposing|novel|new|framework|method|metric|module|approach|strategy|algorithm)\b[^.;]{0,60}$"
)


@dataclass(slots=True)
class NameCandidate:
    """A possible name with all its mentions and what the rules made of it."""

    name: str
    spans: list[tuple[int, int]]
    full_name: str | None = None
    method: Candidate | None = None
    method_rule: tuple[str, str] | None = None  # role, rule
    dataset: DatasetName | None = None
    units: list[DatasetUnit] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)


def candidates(text: str, found: Findings) -> list[NameCandidate]:
    """The candidates of ``text`` in the order of their first mention; needs what datasets and names left pending."""
    made: dict[str, NameCandidate] = {}
    pending = found.pending
    roles = {key(m.name): m.role for m in found.methods}
    for choice in pending.methods:
        c = _of_method(choice.candidate, made)
        c.method_rule = (roles.get(key(c.name), choice.role), choice.rule)
    for other in pending.others:
        _of_method(other, made)
    for dataset in found.datasets:
        c = _at(made, dataset.name)
        c.dataset = dataset
        c.spans.extend(dataset.mentions)
    for units in pending.datasets.values():
        c = _at(made, units[0].name)
        c.units.extend(units)
        c.spans.extend((u.start, u.end) for u in units)
    taken = bytearray(len(text) + 1)
    for c in made.values():
        for start, end in c.spans:
            taken[start:end] = b"\1" * (end - start)
    for start, end, kind in _wide(text, found, taken):
        c = _at(made, " ".join(text[start:end].split()))
        c.spans.append((start, end))
        c.kinds.add(kind)
    for c in made.values():
        c.spans = sorted({*c.spans, *occurrences(text, c.name)})
    return sorted((c for c in made.values() if c.spans), key=lambda c: c.spans[0])


def _at(made: dict[str, NameCandidate], name: str) -> NameCandidate:
    return made.setdefault(key(name), NameCandidate(name, []))


def _of_method(method: Candidate, made: dict[str, NameCandidate]) -> NameCandidate:
    c = _at(made, method.name)
    if c.method is None:
        c.method, c.full_name = method, method.full_name
    c.spans.extend((u.start, u.end) for u in method.units)
    c.kinds.update(u.kind for u in method.units)
    return c


def _wide(text: str, found: Findings, taken: bytearray) -> list[tuple[int, int, str]]:
    """Stretches the rules do not look at, outside of what they saw."""
    out: list[tuple[int, int, str]] = []

    def add(start: int, end: int, kind: str) -> None:
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            out.append((start, end, kind))

    for link in found.links:
        taken[link.start : link.end] = b"\1" * (link.end - link.start)
    for e in found.emphasis:
        inner = text[e.start : e.end].strip(" .,:;\"'“”‘’")
        start = text.find(inner, e.start, e.end) if inner else -1
        short = 1 <= len(inner.split()) <= MOST_WORDS and len(inner) > 3
        if start >= 0 and short and inner[0].isalpha() and not BLOCKED.search(inner):
            add(start, start + len(inner), QUOTED)
    for start, end in _techniques(text):
        add(start, end, TECHNIQUE)
    if "then" in text or "before" in text:
        for m in CHAINED.finditer(text):
            add(m.start(), m.end(), CHAIN)
    done = 0
    for mark in EXPLANATION.finditer(text):
        told = EXPLAINED.search(text, max(done, mark.start() - FAR), mark.end())
        if not told:
            continue
        done = told.end()
        name = told.group("name")
        several = 1 < len(re.split(rf"[\s{HYPHEN}]", name)) <= MOST_WORDS
        if several and not BLOCKED.search(name) and NOUNS.search(text, max(0, told.start() - 80), told.start()):
            add(*told.span("name"), APPOSED)
    starts = [s for s, _ in found.sentences]
    for t in tokens(text):
        if taken[t.start] or not t.text[0].isupper() or shape(t.text) != TITLE:
            continue
        at = bisect_right(starts, t.start) - 1
        first = at >= 0 and not text[starts[at] : t.start].strip(" \n\"'“‘([*")
        word = stem(t.text)
        if first and (word in OPENERS or word in ALWAYS or shape(word) == LOWER or not _again(text, word, t.start)):
            continue
        if word in OPENERS or singular(word) in NOT_METHODS or len(word) < 3:
            continue
        add(t.start, t.start + len(word), CAPITAL)
    return out


@cache
def _technique_words() -> dict[str, list[tuple[str, ...]]]:
    """First word → all words of the techniques that begin with it, the longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for row in rows("techniques"):
        pieces = tuple(m.group().lower() for m in PIECE.finditer(row[0]))
        table.setdefault(pieces[0], []).append(pieces)
    for found in table.values():
        found.sort(key=len, reverse=True)
    for word in [word for word, found in table.items() if (word,) in found]:
        table.setdefault(word + "s", table[word])
    return table


def _techniques(text: str) -> list[tuple[int, int]]:
    """Where techniques with ordinary names stand (``kernel density estimation``), hyphens and a plural s aside."""
    table = _technique_words()
    words = [word.lower() for word in PIECE.findall(text)]
    spans: list[tuple[int, int]] = []  # of the words, made when they are first asked for
    out = []
    done = 0
    for i in [i for i, word in enumerate(words) if word in table]:
        for pieces in table[words[i]] if i >= done else ():
            last = i + len(pieces) - 1
            head, tail = pieces[:-1], pieces[-1]
            if last < len(words) and words[last] in (tail, tail + "s") and tuple(words[i:last]) == head:
                spans = spans or [m.span() for m in PIECE.finditer(text)]
                gaps = [text[spans[k][1] : spans[k + 1][0]] for k in range(i, last)]
                if all(len(g) == 1 and g in " \n-‐‑–" for g in gaps):
                    out.append((spans[i][0], spans[last][1]))
                    done = last + 1
                    break
    return out


def is_technique(name: str) -> bool:
    """Whether ``name`` is a technique with an ordinary name, whatever its case, hyphens and plural s."""
    pieces = tuple(m.group().lower() for m in PIECE.finditer(name))
    if not pieces:
        return False
    single = (*pieces[:-1], pieces[-1].removesuffix("s"))
    return any(p in _technique_words().get(p[0], ()) for p in (pieces, single))


def _again(text: str, word: str, start: int) -> bool:
    """Whether ``word`` stands capitalised in another place too."""
    return any(s != start for s, _ in occurrences(text, word))
