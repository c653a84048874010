"""Edited Excel workbooks, from whatever program saved them.

A workbook is a ZIP archive of XML from somebody else: one that would unpack to more than any table needs is refused
before anything is unpacked, and entities in its XML are refused by defusedxml, which openpyxl uses where it is there.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from itertools import chain
from typing import Any

from extractor.correct.cells import Percentage, Unusable, Value
from extractor.correct.rows import ID_COLUMNS, Corrections
from extractor.correct.sheets import Line, add_rows, table_of
from extractor.errors import InputError
from extractor.read import Problem

SHEET = re.compile(rf"({'|'.join(ID_COLUMNS)})(?: \d+)?", re.IGNORECASE)
MAX_COLUMNS = 256
# A part that is larger and packed more tightly than sheets of text ever are, and what all parts may come to.
MAX_PART, MAX_RATIO, MAX_ALL = 64 << 20, 200, 4 << 30


def read_workbook(path: str, corrections: Corrections) -> None:
    """Take in the sheets of the workbook ``path`` that can be corrected. Raises ``InputError`` when there are none."""
    _check_size(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl cannot show of a workbook is nothing that is read here
            sheets = list(_sheets(path, corrections))
    except Exception as error:  # a broken workbook fails in many ways
        raise InputError(f"{path}: cannot be read as a workbook ({_first(error)}): save it anew as .xlsx") from error
    if not sheets:
        raise InputError(f"{path}: has no sheet {', '.join(ID_COLUMNS)}: nothing in it can be corrected")
    for name, lines in sheets:
        add_rows(corrections, lines, file=path, sheet=name)


def _first(error: BaseException) -> str:
    """What the error says that the others came from, on one line."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return " ".join(str(error).split())[:200] or type(error).__name__


def _check_size(path: str) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise InputError(f"{path}: is a damaged workbook ({error}): save it anew as .xlsx") from error
    if not any(part.filename == "[Content_Types].xml" for part in parts):
        raise InputError(f"{path}: is a ZIP archive, but no Excel workbook: save the tables as .xlsx or CSV")
    for part in parts:
        if part.file_size > MAX_PART and part.file_size > MAX_RATIO * part.compress_size:
            raise InputError(f"{path}: {part.filename} would unpack to {part.file_size:,} bytes, as no sheet does")
    if sum(part.file_size for part in parts) > MAX_ALL:
        raise InputError(f"{path}: would unpack to more than {MAX_ALL >> 30} GiB: save the sheets as CSV")


def _sheets(path: str, corrections: Corrections) -> Iterator[tuple[str, list[Line]]]:
    """(name, rows) of every sheet named like a table, and of others with the header of a table that none is named like.

    A copy that somebody kept under another name would undo the edits of the sheet it was made of: it is left out, and
    that is said.
    """
    import openpyxl  # takes a fifth of a second

    book = openpyxl.load_workbook(path, read_only=True)
    try:
        names = {sheet.title: SHEET.fullmatch(sheet.title.strip()) for sheet in book.worksheets}
        there = {match[1].lower() for match in names.values() if match}
        for sheet in book.worksheets:
            lines = _lines(sheet)
            if not names[sheet.title]:
                first = next(lines, None)
                table = table_of(first.cells) if first is not None else None
                if first is None or table is None:
                    continue
                if table in there:
                    said = f"sheet {sheet.title}: left out beside {table}; to have it read too, name it {table} 2"
                    corrections.problems.append(Problem(path, None, None, None, said, "warning"))
                    continue
                lines = chain([first], lines)
            yield sheet.title, list(lines)
    finally:
        book.close()


def _lines(sheet: Any) -> Iterator[Line]:
    """The rows that hold anything."""
    # Some programs write a wrong size of the sheet, and rows beyond it would be lost.
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS), 1):
        cells = [_value(cell) for cell in row]
        while cells and cells[-1] is None:
            cells.pop()
        if cells:
            yield Line(cells, number)


def _value(cell: Any) -> Value:
    value = cell.value
    kind = cell.data_type
    if value is None:
        return None
    if kind == "f":
        return Unusable("holds a formula: put its value in its place")
    if kind == "e":
        return Unusable(f"is the error {value}")
    if isinstance(value, str):
        return value.replace("_x000D_\n", "\n")  # how Excel writes a line break of two characters
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return Percentage(value) if "%" in cell.number_format else value
    shown = value.date() if isinstance(value, datetime) else value
    what = "a date" if isinstance(value, date) else "a time"
    return Unusable(f"is {what} ({shown}) the spreadsheet made: make the cell text and write it anew", dated=True)
