"""The stretches of a text that could be dataset names, with compressed lists written out.

Known names first; then tokens spelt as names are, with the capitalised words and numbers that go with them.
"CIFAR-10/100" makes two units, each over its own element of the list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from extractor.find.datasets_lexicon import Entry, Hit, entry_of, key, known, lower_beginnings
from extractor.find.shapes import HYPHEN, NUMBER, STRONG, TITLE, Token, shape, singular, stem, tokens
from extractor.rules import terms, toml, tsv, words

KNOWN, CONTEXT, VARIANT, SPELT, PHRASE = "known", "context", "variant", "spelt", "phrase"
LEVELS = re.compile(r"Easy|Hard|Medium|Large|Small|Test|Dev|[A-Z]|\d{1,4}[KkM]?|\d\.\d|[a-z]{1,3}|ZH|EN|[+]")
SLASH = re.compile(r"\s?/\s?[-'’]?")
AND = re.compile(r"\s+(?:and|&)\s+[-'’]?|,\s+[-'’]?")
CITED = re.compile(r"\s+(?:et\s+al|and\s+\w+,?\s+\(?(?:19|20)\d\d)")
TAIL = re.compile(r"\d+(?:\.\d+)?[KkM]?$")
# A family and what makes a member of it: Llama-3, Qwen2.5-VL, GPT-J.
FAMILY = re.compile(rf"([A-Za-z]+)[\s{HYPHEN}]?(?:v?\d|[A-Z]\b|VL|Instruct|Chat|[Mm]ini|[Ll]arge|[Bb]ase)")
PAIR = re.compile(rf"[\s{HYPHEN}]")
SPACE = re.compile(r"\s+")
ARTICLE = re.compile(r"^[Tt]he ")


@dataclass(slots=True)
class Unit:
    """A possible dataset name in the text."""

    start: int
    end: int
    name: str
    kind: str
    index: int
    entry: Entry | None = None
    rule: str = ""
    signs: list[str] = field(default_factory=list)


# Names in lower case from the lexicon, by their first token.
LOWER_NAMES: frozenset[str] = lower_beginnings()


@cache
def _stop() -> frozenset[str]:
    metrics = frozenset(row["metric"].lower() for row in tsv("metrics"))
    fields = frozenset(w for w in terms("not_methods", "hard") if not entry_of(w))
    return words(toml("dataset_cues")["stop"]) | fields | frozenset(m.upper() for m in metrics)


@cache
def _generic() -> frozenset[str]:
    return words(toml("dataset_cues")["generic"])


@cache
def _little() -> frozenset[str]:
    return words(toml("dataset_cues")["little"])


@cache
def _methods() -> tuple[frozenset[str], frozenset[str]]:
    """Keys of known methods, and first parts that only model families have."""
    rows = [row for row in tsv("methods_known") if not entry_of(row["name"])]
    families = {key(re.split(rf"[\s{HYPHEN}]", r["name"])[0]) for r in rows if r["kind"] in ("llm", "vlm", "diffusion")}
    return frozenset(key(r["name"]) for r in rows), frozenset(f for f in families if len(f) > 2)


def is_method(name: str) -> bool:
    """Whether ``name`` is a known method or a member of a known family of models."""
    methods, families = _methods()
    if key(name) in methods:
        return True
    first = FAMILY.match(name)
    return bool(first) and key(first.group(1)) in families  # type: ignore[union-attr]


def units(text: str, starts: frozenset[int]) -> list[Unit]:
    """All units of ``text`` in order, without overlap; ``starts`` are the beginnings of its sentences."""
    toks = tokens(text)
    found: list[Unit] = []
    done = 0
    for i in [n for n, token in enumerate(toks) if not token.text.islower() or token.text in LOWER_NAMES]:
        if i < done:
            continue
        word = toks[i].text
        hit = known(text, toks, i)
        if hit and hit.rule == "lexicon.variant" and is_method(word):
            hit = None
        if hit:
            kind = (
                CONTEXT if hit.entry.context or _odd(hit, text) else VARIANT if hit.rule == "lexicon.variant" else KNOWN
            )
            name = ARTICLE.sub("", SPACE.sub(" ", text[hit.start : hit.end]))
            found.append(Unit(hit.start, hit.end, name, kind, i, hit.entry, hit.rule))
            done = _written_out(text, toks, hit.last + 1, found)
        else:
            n = len(found)
            done = _spelt(text, toks, i, found, toks[i].start in starts)
            if len(found) == n + 1 and n:
                _join(text, found)
    return found


def _join(text: str, found: list[Unit]) -> None:
    """Make one name of a known name and the name-like words right behind it: ``Foo-GUI L1-Hard``, ``CARLA NoFoo``."""
    before, unit = found[-2:]
    if before.kind in (SPELT, PHRASE) or before.end + 1 != unit.start or text[before.end] != " " or unit.name.isdigit():
        return
    if is_method(unit.name) or PAIR.split(unit.name)[0] in _generic() | _stop() or CITED.match(text, unit.end):
        return
    name = f"{before.name} {unit.name}"
    found[-2:] = [
        Unit(
            before.start,
            unit.end,
            name,
            VARIANT if before.kind != CONTEXT else CONTEXT,
            before.index,
            before.entry,
            "lexicon.variant",
        )
    ]


def _odd(hit: Hit, text: str) -> bool:
    """Whether a word is written in another case than the name is: COLA for CoLA may be something else."""
    written = text[hit.start : hit.end]
    return written.isalpha() and len(written) < 7 and written not in hit.entry.written


def _spelt(text: str, toks: tuple[Token, ...], i: int, found: list[Unit], begins: bool) -> int:
    """Add the run of name-like and capitalised tokens at ``i``; the index of the token after it."""
    j, strong = i, False
    while j < len(toks) and j - i < 6:
        token = toks[j]
        if j > i and text[toks[j - 1].end : token.start] != " ":
            break
        kind = shape(token.text)
        if kind in STRONG:
            if token.text in _stop() or (j > i and known(text, toks, j)):
                break
            strong = True
            word = stem(token.text)
            if word != token.text:
                _add(text, i, toks[i].start, token.start + len(word), strong, found)
                return j + 1
        elif kind == TITLE:
            if not _titled(token.text, j == i, begins) or (j > i and known(text, toks, j)):
                break
        elif kind != NUMBER or j == i:
            break
        j += 1
    if j == i or (begins and not strong and j == i + 1):
        return i + 1
    added = _add(text, i, toks[i].start, toks[j - 1].end, strong, found)
    return _written_out(text, toks, j, found) if added and strong else j


def _titled(word: str, first: bool, begins: bool) -> bool:
    """Whether a capitalised word may belong to a name; adjectives and adverbs may not where they begin a sentence."""
    if word in _stop() or word in _little() or all(part in _stop() for part in PAIR.split(word)):
        return False
    cut = max(word.rfind(h) for h in "-‐‑–")
    if cut > 0 and len(word) - cut > 4 and word[cut + 1 :].islower():
        return False  # "Internet-scale"
    return not (first and begins and word in _generic())


def _add(text: str, i: int, start: int, end: int, strong: bool, found: list[Unit]) -> bool:
    written = text[start:end]
    name = singular(written)
    if CITED.match(text, end) or len(name) < 2 or name.isdigit() or name in _generic():
        return False
    found.append(Unit(start, start + len(name), name, SPELT if strong else PHRASE, i))
    return True


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
                    Unit(
                        unit.start,
                        end,
                        name,
                        unit.kind,
                        unit.index,
                        entry,
                        unit.rule,
                    )
                )
            while i < len(toks) and toks[i].start < end:
                i += 1
            return i
    base, at = unit.name, unit.end
    while i < len(toks):
        token = toks[i]
        if token.text in ("and", "&") and i + 1 < len(toks):
            token = toks[i + 1]
        gap = text[at : token.start]
        name = _completed(base, token.text, bool(SLASH.fullmatch(gap)), bool(AND.fullmatch(gap)))
        if not name:
            break
        entry = entry_of(name)
        found.append(Unit(token.start, token.end, name, unit.kind, i, entry or unit.entry, unit.rule))
        at = token.end
        while i < len(toks) and toks[i].start < at:
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
