"""The data behind find/ and relate/: one table a rule family. Loaded once, on first use."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def toml(name: str) -> dict[str, Any]:
    """The table ``rules/<name>.toml``; a ValueError that names the file when it is not TOML."""
    try:
        return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"rules/{name}.toml: {error}") from error


@cache
def tsv(name: str) -> list[dict[str, str]]:
    """The rows of ``rules/<name>.tsv``; ``#`` begins a comment line, the first other line is the header."""
    text = files(__name__).joinpath(f"{name}.tsv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    made = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [{key: value or "" for key, value in row.items()} for row in made]


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of ``rules/<name>.tsv`` below its header, as tuples of cells without surrounding space."""
    lines = files(__name__).joinpath(f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    return tuple(tuple(cell.strip() for cell in line.split("\t")) for line in kept[1:])


@cache
def terms(name: str, kind: str) -> frozenset[str]:
    """The second column of the rows of ``rules/<name>.tsv`` whose first column is ``kind``."""
    return frozenset(row[1] for row in rows(name) if row[0] == kind)


def words(stems: Iterable[str]) -> frozenset[str]:
    """Word forms from ``stem|ending ending``: ``improv|e es ed ing`` → improve, improves, improved, improving.

    ``-`` is the empty ending; a row without ``|`` is a list of whole words.
    """
    forms: set[str] = set()
    for row in stems:
        stem, bar, endings = row.partition("|")
        if bar:
            forms.update(stem + ("" if ending == "-" else ending) for ending in endings.split())
        else:
            forms.update(row.split())
    return frozenset(forms)


DOTTED = str.maketrans("İı", "ii")


def lowered(text: str) -> str:
    """``text`` as the keys of a table are written, whatever a pattern that ignores case has found: it takes ``ſ`` for
    an s and ``ı`` for an i."""
    low = text.lower()
    return low if low.isascii() else text.translate(DOTTED).casefold()


def alternatives(phrases: Iterable[str]) -> str:
    """A regex alternation of literal phrases, longest first, in which a space matches any run of white space."""
    ordered = sorted(set(phrases), key=lambda p: (-len(p), p))
    return "|".join(re.escape(p).replace(r"\ ", r"\s+") for p in ordered)
