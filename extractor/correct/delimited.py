"""Edited CSV and TSV files, as any spreadsheet saves them: with its delimiter, its encoding and its decimal mark."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from extractor.correct.rows import Corrections
from extractor.correct.sheets import Line, add_rows, table_of
from extractor.errors import InputError
from extractor.read import Problem
from extractor.read.decoding import DAMAGED, open_text
from extractor.read.delimited import DELIMITERS, FIELD_LIMIT
from extractor.read.fields import plain_name
from extractor.tables import TABLES

SEPARATOR = re.compile(r"sep=(.)\s*", re.IGNORECASE)  # the first line by which Excel is told the delimiter
JSON = re.compile(r"\s*[{\[]\s*(?:[\"{}\]]|\Z)")
NUMBERS = frozenset(column.name for table in TABLES.values() for column in table.columns if column.type == "number")


def read_delimited(path: str, corrections: Corrections, encoding: str | None = None) -> None:
    """Take in the edited table of the file ``path``. Raises ``InputError`` when it is none."""
    try:
        with Path(path).open("rb") as stream:
            text = open_text(path, stream, encoding or ("utf-8" if _is_utf8(path) else None))
            lines = list(text.lines())
            told = text.warnings
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except DAMAGED as error:
        raise InputError(f"{path}: the compressed data is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    corrections.problems += [Problem(path, line, None, None, message, "warning") for line, message in told]
    lines[0] = lines[0].removeprefix("\ufeff")
    if JSON.match(lines[0]):
        raise InputError(f"{path}: is JSON, not an edited table: give the records first, then what was edited")
    given = SEPARATOR.fullmatch(lines[0])
    delimiter = given[1] if given else find_delimiter(lines)
    if given:
        lines[0] = "\n"
    rows = list(_rows(path, lines, delimiter))
    add_rows(corrections, rows, file=path, comma=delimiter != "," and has_decimal_commas(rows))


def find_delimiter(lines: list[str]) -> str:
    """The delimiter under which the first row is the header of a table, or else has the most cells."""
    csv.field_size_limit(FIELD_LIMIT)

    def score(delimiter: str) -> tuple[bool, int]:
        try:
            header = next((row for row in csv.reader(lines, delimiter=delimiter) if any(row)), [])
        except csv.Error:
            header = []
        return table_of(header) is not None, len(header)

    return max(DELIMITERS, key=score)


def has_decimal_commas(rows: list[Line]) -> bool:
    """Whether the numbers of a table are written as 3,2; the confidences, which no group parts, tell it first."""
    header, *body = [row.cells for row in rows if any(row.cells)] or [[]]
    places = [(plain_name(str(name)), at) for at, name in enumerate(header)]
    for wanted in ({"confidence"}, NUMBERS):
        chosen = [at for name, at in places if name in wanted]
        cells = [str(cells[at]) for cells in body for at in chosen if at < len(cells)]
        commas = sum(re.fullmatch(r"-?\d*,\d+", cell) is not None for cell in cells)
        points = sum(re.fullmatch(r"-?\d*\.\d+", cell) is not None for cell in cells)
        if commas or points:
            return commas > points
    return False


def _is_utf8(path: str) -> bool:
    """Whether all of the file is UTF-8. A table full of replaced characters would be taken for another encoding."""
    data = Path(path).read_bytes()
    try:
        return b"\0" not in data and bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _rows(path: str, lines: list[str], delimiter: str) -> Iterator[Line]:
    csv.field_size_limit(FIELD_LIMIT)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number, line = 0, 1
    try:
        for row in reader:
            number += 1
            yield Line(row, number, line)
            line = reader.line_num + 1
    except csv.Error as error:
        said = "a quotation mark is never closed" if "end of data" in str(error) else str(error)
        raise InputError(f"{path}:{line}: broken quoting ({said}): save the table anew as CSV") from error
