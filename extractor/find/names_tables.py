"""The word tables behind method names: TSV files in ``extractor/rules`` read once.

Every table has a header line; lines that begin with ``#`` are comments. The first column is the kind of the row, the
second the word or name, the last a reason or an example.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def rows(file: str) -> tuple[tuple[str, ...], ...]:
    """The rows of ``extractor/rules/FILE`` below its header, each a tuple of cells without surrounding space."""
    lines = files("extractor.rules").joinpath(file).read_text("utf-8").splitlines()
    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    return tuple(tuple(cell.strip() for cell in line.split("\t")) for line in kept[1:])


@cache
def words(file: str, kind: str) -> frozenset[str]:
    """The second column of the rows of one kind."""
    return frozenset(row[1] for row in rows(file) if row[0] == kind)


def alternatives(items: frozenset[str]) -> str:
    """A regex that matches any of ``items``, longest first; a space in an item stands for any white space."""
    import re

    ordered = sorted(items, key=lambda w: (-len(w), w))
    return "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in ordered)
