"""One name for every spelling of a dataset: ``ImageNet1K``, ``ILSVRC2012`` → ImageNet-1K; ``AIME'24`` → AIME 2024.

What only differs in case, signs, the way a version or an edition is written or a noun behind the name is brought
together by ``fold``; the rest by ``rules/datasets.tsv`` and ``rules/dataset_aliases.tsv``. A dataset that neither lists
gets its own name, its version, edition and size written in one way.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from extractor.find.datasets_lexicon import bare, entry_of
from extractor.find.shapes import HYPHEN, STRONG, shape
from extractor.rules import tsv

SIGNS = re.compile(r"[^\w+*%.]|_|(?<!\d)\.|\.(?!\d)")
SPELT = str.maketrans({"α": "alpha", "τ": "tau", "∞": "infinite", "×": "x"})
ARTICLE = re.compile(rf"the[\s{HYPHEN}]+(?=\S)", re.IGNORECASE)
# Nouns that say what kind of thing a name is, and parts of a dataset that are no dataset of their own.
NOUN = re.compile(r"\s+(?:data\s?sets?|benchmarks?|corpus|test\s?suite)$", re.IGNORECASE)
PART = re.compile(
    rf"[\s_{HYPHEN}]+\(?(?:train|training|test|val|valid|validation|dev|minival|test-dev)(?:\s+(?:sets?|splits?))?\)?$",
    re.IGNORECASE,
)
CONTEST = re.compile(r"\s+(?:challenge|competition|shared\s+task)$", re.IGNORECASE)
PLUS = re.compile(r"(?<=[^\W_])[\W_]*plus$")
# The version at the end of a folded name: `v2`, `2.0`, `v2.0` are one.
VERSION = re.compile(r"(?<=[a-z0-9+]{3})v(?=\d+(?:\.\d+)*$)")
NOUGHT = re.compile(r"(?<=[a-z+]\d)\.0$")
SHORT_YEAR = re.compile(r"['’‘`](\d\d)(?!\d)")
SEPARATORS = re.compile(rf"[\s_{HYPHEN}'’‘`]+")
TWO_DIGITS = re.compile(r"\d\d")
EDGE = re.compile(rf"^[\s_{HYPHEN}]+|\s+$")
EDITION = re.compile(rf"(\D{{2,40}}?)[\s_{HYPHEN}'’‘`]*((?:19|20)?\d\d)(?![\w.%+*])(.*)", re.DOTALL)
# The end of a name that is shown in one way.
SHOWN_VERSION = re.compile(
    rf"(.*[^\W_vV])(?:[\s_{HYPHEN}]*v|[\s_{HYPHEN}]+[vV]\.?\s?|(?<=[a-z\d])V|[\s_{HYPHEN}]*(?=\d\.\d))(?<![\d.])(\d{{1,2}}(?:\.\d){{0,2}})"
)
SHOWN_YEAR = re.compile(rf"(.*[^\W\d_])[\s_{HYPHEN}]*(?:['’‘`](\d\d)|((?:199|20[012])\d))")
SHOWN_SIZE = re.compile(rf"(?<=\d)k(?=$|[\s{HYPHEN}])")
CUT = re.compile(rf"[\s_{HYPHEN}](?=.)")
LETTERS, WORD = re.compile(r"[^\W\d_]{2,6}"), re.compile(r"[^\W\d_]+")
ANY_HYPHEN, SPACES = re.compile(rf"[{HYPHEN}]"), re.compile(r"\s+")
LONG = 80  # characters in the longest name that is looked into
LATEST = 29  # two digits up to here are a year of this century, those from EARLIEST one of the last
EARLIEST = 90


class Known(NamedTuple):
    """What a folded name stands for; ``written`` are the only spellings that do, if not every one does."""

    canonical: str
    written: frozenset[str] | None


class Table(NamedTuple):
    """``names`` by fold; ``forms`` are the spellings that stand for another one than their fold does."""

    names: dict[str, Known]
    forms: dict[str, str]
    ambiguous: frozenset[str]


def canonical(name: str, long: str | None = None, new: bool = False) -> str:
    """The one name of the dataset that a text calls ``name``.

    ``long`` is what the text says that ``name`` is short for, ``new`` whether it introduces the dataset: a few letters
    that are short for something else here are not the listed dataset.
    """
    known = listed(name)
    if not long and not new:
        return known or _shown(name)
    full = listed(long) if long else None
    if full and (known is None or ambiguous(name)):
        return full
    if known and known != full and LETTERS.fullmatch(name) and fold(known) != fold(name):
        words = {word for word in WORD.findall(known.lower()) if len(word) > 3}
        if new or not words & set(WORD.findall((long or "").lower())):
            return _shown(name)
    return known or _shown(name)


def ambiguous(name: str) -> bool:
    """Whether several datasets go by ``name``."""
    return fold(name) in _table().ambiguous


def fold(name: str) -> str:
    """What all spellings of a name have in common; its only use is to be compared."""
    return _folded(NOUN.sub("", name))


@lru_cache(maxsize=8192)
def _folded(name: str) -> str:
    """``fold`` with the noun behind the name, if there is one."""
    name = _plain(name)
    edition = _edition(name)
    if edition:
        name = " ".join(edition)
    low = name.lower()
    if low.isalnum() and low.isascii() and not low.endswith("plus"):
        return _unversioned(low)
    low = SHORT_YEAR.sub(r" 20\1", low).replace("&", " and ")
    if low.startswith("the"):
        low = ARTICLE.sub("", low, count=1)
    if "plus" in low:
        low = PLUS.sub("+", low)
    return _unversioned(SIGNS.sub("", low))


def _unversioned(low: str) -> str:
    return NOUGHT.sub("", VERSION.sub("", low)) if low[-1:].isdigit() else low


def _plain(name: str) -> str:
    """``name`` in ordinary characters: full width, superscript and Greek ones written out."""
    if name.isascii():
        return name
    return unicodedata.normalize("NFKC", name).translate(SPELT)


@cache
def _series() -> dict[str, str]:
    """How the editions of a series are written, by the letters before the year: ``voc`` → ``PASCAL VOC ####``."""
    rows = tsv("dataset_aliases")
    return {_letters(row["alias"][:-2]): row["canonical"] for row in rows if row["alias"].endswith("##")}


def _letters(name: str) -> str:
    return SEPARATORS.sub("", name).lower()


def _edition(name: str) -> tuple[str, str] | None:
    """The edition of a series that ``name`` begins with, as it is shown, and what follows it: ``VOC07 val``."""
    match = EDITION.fullmatch(name) if TWO_DIGITS.search(name) else None
    if not match:
        return None
    form = _series().get(_letters(match[1]))
    if not form:
        return None
    year = int(match[2])
    if year < 100:
        if LATEST < year < EARLIEST:
            return None
        year += 2000 if year <= LATEST else 1900
    rest = CONTEST.sub("", " " + EDGE.sub("", match[3])).strip()
    if rest and not rest[0].isalpha():
        return None
    return form.replace("####", str(year)).replace("##", f"{year % 100:02d}"), rest


@cache
def _table() -> Table:
    names: dict[str, Known] = {}
    forms: dict[str, str] = {}
    several: set[str] = set()
    for row in tsv("dataset_aliases"):
        if not row["alias"].endswith("##"):
            names[_folded(row["alias"])] = Known(row["canonical"], None)
            names.setdefault(_folded(row["canonical"]), Known(row["canonical"], None))
            if row["reason"].startswith("ambiguous"):
                several.add(fold(row["alias"]))
    for row in tsv("datasets"):
        spellings = [row["name"], *filter(None, row["aliases"].split("|"))]
        # A name that may be a word, or has a few letters, is only sure in its own case.
        strict = bool(row["flags"]) or any(len(s) < 5 and s.isalpha() for s in spellings)
        written = frozenset(map(bare, spellings)) if strict else None
        for spelling in spellings:
            known = names.setdefault(_folded(spelling), Known(row["canonical"], written))
            if known.canonical != row["canonical"]:
                forms[bare(spelling)] = row["canonical"]
    return Table(names, forms, frozenset(several))


@lru_cache(maxsize=8192)
def listed(name: str) -> str | None:
    """The canonical name of ``name`` if the tables have it, else None."""
    if len(name) > LONG:
        return None
    table = _table()
    form = table.forms.get(bare(name))
    if form:
        return form
    known = table.names.get(_folded(name))
    if known and (known.written is None or bare(name) in known.written or entry_of(name) is not None):
        return known.canonical
    for pattern in (NOUN, PART):
        shorter = pattern.sub("", name)
        if shorter and shorter != name:
            return listed(shorter)
    return None


@lru_cache(maxsize=8192)
def _shown(name: str) -> str:
    """A name that is not listed, in one way of writing."""
    if len(name) > LONG:
        return name
    name = SPACES.sub(" ", ANY_HYPHEN.sub("-", name)).strip()
    name = ARTICLE.sub("", name, count=1) if name[:4] == "the " else name
    bare_name = NOUN.sub("", name)
    if bare_name != name and " " not in bare_name and shape(bare_name) in STRONG:
        return canonical(bare_name)
    edition = _edition(name)
    if edition:
        return " ".join(filter(None, edition))
    name = SHOWN_SIZE.sub("K", name)
    version = SHOWN_VERSION.fullmatch(name)
    if version:
        number = version[2].removesuffix(".0") if version[2].count(".") == 1 else version[2]
        return _composed(version[1], f" v{number}")
    year = SHOWN_YEAR.fullmatch(name)
    if year:
        return _composed(year[1], f" {year[3] or '20' + year[2]}")
    return _respelt(name)


def _composed(name: str, end: str) -> str:
    whole = canonical(name) + end
    return listed(whole) or whole


def _respelt(name: str) -> str:
    """``name`` with a listed name at its beginning in the spelling of the list: Librispeech-Foo → LibriSpeech-Foo."""
    for cut in reversed([m.start() for m in CUT.finditer(name)]):
        first, rest = name[:cut], name[cut:]
        known = listed(first) if rest[1].isalpha() and (first.istitle() or first.isupper()) else None
        if known and fold(known) == fold(first):
            return known + rest
    return name
