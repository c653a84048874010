"""When two names, phrases or numbers say the same thing: the comparisons evaluation rests on.

Annotators and the extractor may differ in markup, case, hyphens and the words around a head noun, not in substance.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "omicron": "ο", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
}  # fmt: skip

FONT_COMMAND = re.compile(r"\\(?:text\w+|math\w+|emph|bf|it|rm|tt|underline)\b")
PHRASE_COMMAND = re.compile(r"\\(?:text\w+|math\w+|emph)\b")
COMMAND = re.compile(r"\\([a-zA-Z]+)")
IGNORED = re.compile("[\\s{}$*_`\\\\~^\\-‐‑–—'’\"“”]+")
WORD = re.compile(r"[a-z0-9@+#α-ω]+")
PLURAL = re.compile(r"[A-Z0-9]s$")
FILLERS = frozenset(
    ("a", "an", "the", "of", "in", "on", "for", "its", "their", "our", "all", "to", "by", "and", "or", "with")
)
UNITS = {
    "%": "percent", "percentage": "percent", "percent": "percent",
    "pp": "points", "point": "points", "points": "points",
    "×": "x", "times": "x", "fold": "x", "x": "x",
}  # fmt: skip
SHARE = 0.66  # of the shorter phrase's words


def flat(name: str | None) -> str:
    """``name`` without markup, case, spaces and hyphens."""
    made = unicodedata.normalize("NFKC", name or "")
    made = FONT_COMMAND.sub("", made)
    made = COMMAND.sub(lambda m: GREEK.get(m.group(1), m.group(1)), made)
    return IGNORED.sub("", made).lower()


def all_names(entry: Mapping[str, Any]) -> set[str]:
    """Every name a method or dataset goes by, flat; the plural s of an acronym is no part of it."""
    given = [entry["name"], entry.get("full_name"), *(entry.get("aliases") or [])]
    return {flat(name[:-1] if PLURAL.search(name) else name) for name in given if name} - {""}


def same_phrase(one: str | None, other: str | None) -> bool:
    """Whether both are absent, or share most words of the shorter one."""
    if not one or not other:
        return not one and not other
    first, second = _words(one), _words(other)
    if not first or not second:
        return flat(one) == flat(other)
    # Equal lengths: the first one's words are the measure.
    shorter = set(first if len(first) <= len(second) else second)
    return len(set(first) & set(second)) / len(shorter) >= SHARE


def _words(phrase: str) -> list[str]:
    found = WORD.findall(PHRASE_COMMAND.sub("", phrase).lower())
    return [word.rstrip("s") or word for word in found if word not in FILLERS]


def same_names(some: list[str] | None, others: list[str] | None) -> bool:
    """Whether two lists name the same things."""
    return {flat(name) for name in some or []} == {flat(name) for name in others or []}


def same_number(one: float | None, other: float | None) -> bool:
    """Whether two numbers are equal but for rounding."""
    if one is None or other is None:
        return one is other
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))


def same_unit(one: str | None, other: str | None) -> bool:
    """Whether two units are percent, points or a factor alike, or neither of these."""
    return _unit(one) == _unit(other)


def _unit(unit: str | None) -> str:
    return UNITS.get((unit or "").lower().strip(), "")


def same_url(gold: str, found: str) -> bool:
    """Whether a link as annotated (perhaps with LaTeX escapes) is the link found."""
    return gold.replace("\\", "").rstrip("/") == found.rstrip("/")
