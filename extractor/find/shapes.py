"""What a name-like token looks like: the orthography that method and dataset names share.

A token is a run of letters and digits, joined by single hyphens, carets or ampersands, by a full stop between digits
and closed by plus signs or a star (``Qwen2.5-VL-7B``, ``M^2R``, ``A*``, ``Hyper++``). ``shape`` sorts a token into a
few kinds; those in ``STRONG`` are written as hardly any ordinary word is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from extractor.rules import terms

HYPHENS = "-‐‑–−"
HYPHEN = r"\-‐‑–−"  # the same, for a regex class

_TOKEN = (
    rf"(?:Dr\.\s?(?=[A-Z]\w*[A-Z]))?[^\W_]\w*"
    rf"(?:[{HYPHEN}^&@·][^\W_]\w*|(?<=\d)\.\d\w*|\^[*+†]|(?<=[A-Za-z]\d)\+[^\W_]\w*)*"
    r"(?:\+{1,2}|\*)?(?![*+])"
)
TOKEN = re.compile(_TOKEN)
# Signs that are no letters, yet names begin with them (∆-LFM, ∞Bench); a second pattern keeps the usual one fast.
SIGNS = frozenset("∆∇∞")
TOKEN_SIGN = re.compile(rf"(?:[∆∇∞]-?)?{_TOKEN}")
PARTS = re.compile(rf"[{HYPHEN}^&@·_]")
GREEK = re.compile(r"[α-ωΑ-Ωϵϕµ∆∇∞]")

# Shapes of a token; in STRONG ones something other than an initial capital sets it apart.
CAMEL, CAPS, MIXED, GREEKLY, TITLE, LOWER, NUMBER = "camel", "caps", "mixed", "greek", "title", "lower", "number"
STRONG = frozenset({CAMEL, CAPS, MIXED, GREEKLY})

# Second parts that make an adjective or a plain noun of a name: "CLIP-based" is about CLIP.
SUFFIXES = terms("name_cues", "suffix")


class Token(NamedTuple):
    """A token of the plain text with its offsets."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=4)
def tokens(text: str) -> tuple[Token, ...]:
    """All tokens of ``text`` in order; the last few texts are remembered, since several components ask."""
    pattern = TOKEN if SIGNS.isdisjoint(text) else TOKEN_SIGN
    make, new = tuple.__new__, Token
    return tuple([make(new, (*m.span(), m[0])) for m in pattern.finditer(text)])


@lru_cache(maxsize=16384)
def shape(word: str) -> str:
    """The shape of one token, the strongest of its hyphenated parts.

    ``camel`` LoRA, MaskDiT, iPhone · ``caps`` GRPO, PSNR · ``mixed`` GPT-4o, o4-mini, 3DGS (letters and digits) ·
    ``greek`` β-VAE · ``title`` Adam, Chain-of-Thought · ``lower`` word, k-means · ``number`` 2024, 7B.
    """
    if word.islower() and word.isascii() and word.isalpha():
        return LOWER
    if GREEK.search(word) and sum(c.isalnum() for c in word) > 1:
        return GREEKLY
    found = {_part(p) for p in PARTS.split(word) if p}
    for kind in (CAMEL, MIXED, CAPS):
        if kind in found:
            return kind
    if found & {"digits", NUMBER} and found & {TITLE, "capital"}:
        return MIXED  # Claude-4, Llama-3.1-8B: a word with a version or a size
    if "digits" in found and LOWER in found:
        return NUMBER  # top-1, 10-shot
    if "capital" in found:
        return TITLE if len(found) == 1 or found == {"capital", TITLE} else MIXED if len(word) > 2 else TITLE
    if TITLE in found:
        return TITLE
    if found <= {"digits", NUMBER}:
        return NUMBER
    return LOWER


SIZE = re.compile(r"\d[\d.,]*(?:[KMBTkmbx]|th|st|nd|rd|s|D|d|%)?\+?\*?")
VERSIONED = re.compile(r"[a-z]{1,2}\d+[a-z]?")


def _part(part: str) -> str:
    """The shape of one hyphenated part."""
    if part.isalpha():
        if part.islower():
            return LOWER
        upper = sum(c.isupper() for c in part)
        if len(part) == 1:
            return "capital"
        if upper == len(part):
            return CAPS
        if upper == len(part) - 1 and part[-1] == "s" and upper >= 2:
            return CAPS  # LLMs
        if upper == 1 and part[0].isupper():
            return TITLE
        return CAMEL
    if part[0].isdigit() and SIZE.fullmatch(part):
        return NUMBER if not part.rstrip("+*").isdigit() else "digits"
    if part.isascii() and part.islower():
        # "o4", "s1", "k2" look like names, "mid2000s" does not.
        return MIXED if VERSIONED.fullmatch(part) else LOWER
    return MIXED


def is_strong(word: str) -> bool:
    """Whether ``word`` is written as only names and abbreviations are."""
    return shape(word) in STRONG


PLURAL = re.compile(r"(?<=[A-Z0-9])s$")


def singular(word: str) -> str:
    """``word`` without the plural s of an acronym: ``LLMs`` → ``LLM``, ``Gaussians`` stays."""
    return word[:-1] if word[-1:] == "s" and PLURAL.search(word) else word


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """``word`` without trailing parts that make an adjective of it: ``CLIP-based`` → ``CLIP``."""
    while True:
        cut = max(word.rfind(h) for h in HYPHENS)
        if cut <= 0 or word[cut + 1 :].lower() not in SUFFIXES or word[cut + 1 :] != word[cut + 1 :].lower():
            return word
        word = word[:cut]


@lru_cache(maxsize=16384)
def key(name: str) -> str:
    """``name`` without case, spaces, hyphens and plural s, for telling whether two spellings are one name."""
    return KEY.sub("", singular(name)).lower()


KEY = re.compile(rf"[\s{HYPHEN}^_$*\"'’“”`]+")
