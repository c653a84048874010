"""Text and numbers made safe for the cells of a spreadsheet, without a silent loss.

- A text cell that a spreadsheet could take for a formula gets a leading apostrophe, unless it is wholly a number.
  To undo this, take one apostrophe off every cell that matches ``GUARDED``.
- Control characters and broken surrogates, which no spreadsheet file may hold, become U+FFFD.
- Text longer than a cell may hold is cut, and says so at its end.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from extractor.tables import Cell, number_text

MAX_CELL = 32_767  # UTF-16 units, the limit of a cell in Excel
CUT_MARK = "…[cut]"

# What a spreadsheet may begin to read as a formula; the wide forms are equal to the narrow ones in some locales.
FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
GUARDED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?")
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass(slots=True)
class Notes:
    """What had to be done to cells so far."""

    cut: int = 0
    replaced: int = 0
    plain_links: int = 0

    def lines(self) -> list[str]:
        """One sentence for each thing that was done."""
        told = (
            (self.cut, f"cells were longer than {MAX_CELL:,} characters and end in {CUT_MARK}"),
            (self.replaced, "cells held control characters, which became U+FFFD"),
            (self.plain_links, "addresses are plain text: a sheet holds 65,530 links of at most 2,079 characters"),
        )
        return [f"{count:,} {what}." for count, what in told if count]


def is_risky(text: str) -> bool:
    """Whether a spreadsheet could take ``text`` for a formula."""
    return FORMULA.match(text) is not None and NUMBER.fullmatch(text) is None


def guarded(text: str) -> str:
    """``text`` with an apostrophe before it when it is risky."""
    return "'" + text if is_risky(text) else text


def unguarded(text: str) -> str:
    """What ``guarded`` was given."""
    return text[1:] if GUARDED.match(text) else text


def clean(text: str, notes: Notes) -> str:
    """``text`` without the characters a spreadsheet file may not hold."""
    made = FORBIDDEN.sub("�", text)
    notes.replaced += made != text
    return made


def fitted(text: str, notes: Notes) -> str:
    """``text`` within the limit of a cell."""
    if len(text) <= MAX_CELL // 2 or _units(text) <= MAX_CELL:
        return text
    notes.cut += 1
    room = MAX_CELL - len(CUT_MARK)
    kept = text[:room]
    while _units(kept) > room:
        # Each character takes at most two units, so half of what is over can go at once.
        kept = kept[: len(kept) - (_units(kept) - room + 1) // 2]
    return kept + CUT_MARK


def _units(text: str) -> int:
    return len(text) + sum(c > "\uffff" for c in text)


def plain_cell(cell: Cell, notes: Notes, *, fit: bool = False) -> str:
    """The cell of a CSV file; nothing for null."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return number_text(cell) if math.isfinite(cell) else ""
    text = guarded(clean(cell, notes))
    return fitted(text, notes) if fit else text
