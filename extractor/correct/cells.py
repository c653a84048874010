"""Cells as they come back from a spreadsheet: whether one is still what was written, and what an edited one says.

A spreadsheet changes much that nobody edited: it trims, cuts and guards text, takes names for numbers, shows numbers
with fewer digits, groups or an exponent. What it may have made of a written cell is no edit.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from extractor.tables import Cell, number_text
from extractor.write.cells import CUT_MARK, FORBIDDEN, MAX_CELL


class EditError(Exception):
    """An edit that cannot be made; the message says what is wrong and what to do."""


class StrangeRowError(EditError):
    """An edit that nobody makes: the row is of other records, or of another state of them."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A cell without a value of its own: a formula, an error, a date that the spreadsheet made. ``said`` says so."""

    said: str
    dated: bool = False


class Percentage(float):
    """A number that the sheet shows as a percentage, a hundred times as large as it is."""


Value = Cell | Unusable

SPACES = re.compile(r"(?<=\d)[ \u00a0\u202f'’](?=\d{3})")
POINTED = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d*)?)(?:[eE][+-]?\d+)?")
COMMAED = re.compile(r"[+-]?(?:\d+,?\d*|,\d+|\d{1,3}(?:\.\d{3})+(?:,\d*)?)(?:[eE][+-]?\d+)?")
GUARDED = re.compile(r"'+(?:[\s=+\-@＝＋－＠]|\Z)")
AMOUNT = re.compile(r"([$€£¥]?)([^$€£¥%]+)(%?)")
# What a spreadsheet shows of a text that it took for a date or a time, and such texts: 3-4, MAR5, 10:1.
DATE = re.compile(
    r"\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}[-. ][A-Z][a-z]{2}(?:[-. ]\d{2,4})?"
    r"|[A-Z][a-z]{2}-\d{2}|\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d)?|\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?"
)
DATEABLE = re.compile(
    r"\d{1,4}[-/:.]\d{1,2}(?:[-/:.]\d{1,4})?|[A-Za-z]{3,9}[-. /]?\d{1,4}|\d{1,2}[-. /]?[A-Za-z]{3,9}(?:[-. /]?\d{2,4})?"
)
ESCAPE = "_x005F_"  # how a workbook writes the first character of what would be an escape
# Numbers are shown with at least these digits, smaller ones than SMALL with an exponent, percentages with two places.
SHOWN, SMALL, SHOWN_AMOUNT = 5e-10, 1e-5, 0.00501


def plain(cell: Value) -> str:
    """The text of a cell as it is compared: without what spreadsheets add and take away at its ends and in its gaps."""
    if cell is None or isinstance(cell, Unusable):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    text = cell if isinstance(cell, str) else number_text(cell)
    while ESCAPE in text:
        text = text.replace(ESCAPE, "_")
    return " ".join(FORBIDDEN.sub("�", text).split())


def is_unedited(cell: Value, mine: Cell, *, comma: bool = False) -> bool:
    """Whether ``cell`` may be what a spreadsheet made of ``mine``; ``comma``: it writes numbers as 3,2."""
    if _is_shown_date(cell) and isinstance(mine, str) and DATEABLE.fullmatch(bare(plain(mine))):
        return True
    if isinstance(cell, Unusable):
        return False
    if isinstance(cell, Percentage) and isinstance(mine, str):
        cell = f"{100 * cell:.12g}%"
    one, other = plain(cell), plain(mine)
    if one == other or {one, bare(one)} & {other, bare(other)}:
        return True
    if one.lower() == other.lower() and other.lower() in ("true", "false"):
        return True
    if is_cut(one) and len(other) > MAX_CELL // 2:
        kept = one.removesuffix(CUT_MARK).rstrip()
        return other.startswith((kept, bare(kept)))
    first, second = _amount(one, comma=comma), _amount(other)
    return first is not None and second is not None and _shown_alike(first, second, one)


def _is_shown_date(cell: Value) -> bool:
    if isinstance(cell, Unusable):
        return cell.dated
    return isinstance(cell, str) and DATE.fullmatch(plain(cell)) is not None


def is_cut(text: str) -> bool:
    """Whether ``text`` is the beginning of one that did not fit its cell."""
    return len(text) > MAX_CELL // 2 and (text.endswith(CUT_MARK) or len(text) > MAX_CELL - 2)


def bare(text: str) -> str:
    """What ``plain`` gave, without the apostrophe that guards it."""
    return text[1:].strip() if GUARDED.match(text) else text


def _amount(text: str, *, comma: bool = False) -> tuple[float, str] | None:
    """A number as it is shown, and the sign of a percentage or a currency with it."""
    parts = AMOUNT.fullmatch(bare(text))
    made = number(parts[2], comma=comma) if parts else None
    return None if parts is None or made is None else (made, parts[1] + parts[3])


def _shown_alike(one: tuple[float, str], other: tuple[float, str], shown: str) -> bool:
    (first, sign), (second, sign_of_other) = one, other
    if sign != sign_of_other:
        return False
    if "e" in shown.lower() and f"{first:.5E}" == f"{second:.5E}":
        return True
    room = SHOWN * max(1.0, abs(second)) if abs(second) >= SMALL else 0.0
    return first == second or abs(first - second) <= (max(room, SHOWN_AMOUNT) if sign else room)


def number(cell: Cell, *, comma: bool = False) -> float | None:
    """The number a cell holds, as a number or as text with or without groups; None when it is no number."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float):
        return float(cell)
    text = SPACES.sub("", bare(cell.strip()))
    if not (COMMAED if comma else POINTED).fullmatch(text):
        return None
    return float(text.replace(".", "").replace(",", ".") if comma else text.replace(",", ""))


def text_of(cell: Value) -> str | None:
    """The text an edited cell holds, on one line; None for an empty one. Raises ``EditError``."""
    if isinstance(cell, Unusable):
        raise EditError(cell.said)
    text = plain(cell)
    if is_cut(text):
        raise EditError("was cut to fit its cell when it was exported, and cannot be edited here")
    return bare(text) or None


def number_of(cell: Value, *, comma: bool = False) -> float | None:
    """The number an edited cell holds; None for an empty one. Raises ``EditError``."""
    text = text_of(cell)
    if text is None:
        return None
    if isinstance(cell, Percentage):
        raise EditError(f"is shown as {100 * cell:g}% and is {cell:g}: write a plain number, and percent as the unit")
    assert not isinstance(cell, Unusable)
    made = number(cell, comma=comma)
    if made is None or not math.isfinite(made):
        raise EditError(f"{quoted(text)} is not a number: write digits alone, with a point, such as 1500 or 3.2")
    return made


def names_of(cell: Value, known: list[str]) -> list[str]:
    """The names an edited cell lists, parted by semicolons; one of ``known`` may hold a semicolon itself."""
    text = text_of(cell) or ""
    whole = [re.escape(name) for name in sorted(known, key=len, reverse=True) if ";" in name]
    pattern = re.compile("|".join([*whole, "[^;]+"]))
    names = [name.strip() for name in pattern.findall(text)]
    return list(dict.fromkeys(name for name in names if name))


def quoted(text: str) -> str:
    """``text`` in quotation marks, as much as a message holds."""
    return f'"{text[:60]}…"' if len(text) > 60 else f'"{text}"'
