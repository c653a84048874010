"""An Excel workbook of all tables, typed, with a sheet that says what it is.

Rows go to disk as they come, so the memory a workbook takes does not grow with it. No cell is ever a formula: text is
written as text and carries the mark Excel gives to what is typed after an apostrophe.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.format import Format as CellFormat
from xlsxwriter.worksheet import Worksheet

from extractor.records import SCHEMA_VERSION, PaperRecord
from extractor.schemas import identifier, table_schema
from extractor.tables import TABLES, Cell, Column, Row, Table, error_row
from extractor.version import __version__
from extractor.write.cells import Notes, clean, fitted, is_risky
from extractor.write.sinks import Options

MAX_ROWS = 1_048_576
MAX_LINKS = 65_530
MAX_URL = 2_079
SCHEMES = ("http://", "https://", "ftp://")

# Without a given date a workbook carries this one, so that the same records give the same bytes.
NO_DATE = datetime(2000, 1, 1)

# Widths count characters. Those not listed are 42 for links, 24 for other text and 11 for numbers, but at least what
# the header needs beside its filter arrow.
WIDTHS = {"id": 22, "paper_id": 18, "evidence": 90, "message": 90, "abstract": 60, "title": 50, "value": 16, "high": 16}
SHORT = frozenset(
    ["kind", "role", "unit", "best_speedup_unit", "best_gain_unit", "field", "qualifier", "code_status", "severity"]
)  # one short word of a fixed list
SHORT_WIDTH, EMPTY_WIDTH, ARROW = 14, 8, 3

# A wrapped row is two lines high and no more, so that many rows are in sight; an abstract is one line, cut at its cell.
UNWRAPPED = frozenset(["abstract"])
TWO_LINES, ONE_LINE = 30, 15

# Whole numbers of these columns are shown as 12,345 while they fit their column; the cell holds the number itself.
GROUPED = frozenset(["value", "high"])
GROUPED_FROM, GROUPED_BELOW = 10_000, 1_000_000_000_000

# The types of the schemas in the words of a spreadsheet, as cells are written.
TYPES = {"string": "text", "boolean": "text: true or false", "integer": "whole number"}


class WorkbookSink:
    """One sheet a table, then ``about``."""

    def __init__(self, path: Path, options: Options) -> None:
        settings = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        }
        self.book = xlsxwriter.Workbook(str(path), settings)
        self.date = source_date()
        self.book.set_properties({"title": "What was found in the abstracts", "created": self.date or NO_DATE})
        self.notes = Notes()
        self.formats = {
            "header": self.book.add_format({"bold": True, "bottom": 1, "bg_color": "#E8EEF4", "valign": "top"}),
            "plain": self.book.add_format({"valign": "top"}),
            "grouped": self.book.add_format({"valign": "top", "num_format": "#,##0"}),
            "wide": self.book.add_format({"valign": "top", "text_wrap": True}),
            "link": self.book.add_format({"valign": "top", "font_color": "#0563C1", "underline": 1}),
            "plain text": self.book.add_format({"valign": "top", "quote_prefix": True}),
            "wide text": self.book.add_format({"valign": "top", "text_wrap": True, "quote_prefix": True}),
        }
        self.tables = {name: _Sheets(self, table) for name, table in TABLES.items()}

    def add(self, record: PaperRecord) -> None:
        for name, sheets in self.tables.items():
            if name != "errors":
                for row in record.to_rows(name):
                    sheets.add(row)

    def add_problem(self, problem: Any) -> None:
        self.tables["errors"].add(error_row(problem))

    def close(self) -> None:
        for sheets in self.tables.values():
            sheets.finish()
        self._about()
        self.book.close()

    def _about(self) -> None:
        sheet = self.book.add_worksheet("about")
        sheet.set_column(0, 0, 18)
        sheet.set_column(1, 1, 26)
        sheet.set_column(2, 2, 18)
        sheet.set_column(3, 3, 100)
        lines: list[tuple[str | int, ...]] = [
            ("made by", f"paper-extractor {__version__}"),
            ("schema", f"version {SCHEMA_VERSION}, {identifier('record')}"),
        ]
        if self.date:
            lines.append(("date", self.date.date().isoformat()))
        lines += [(name, sheets.total, "rows", sheets.table.description) for name, sheets in self.tables.items()]
        lines += [("note", line) for line in self.notes.lines()]
        lines += [("note", "Offsets (start, end) count Unicode code points of the text as received.")]
        lines += [(), ("table", "column", "type", "meaning")]
        for name, sheets in self.tables.items():
            for field in table_schema(sheets.table)["fields"]:
                lines.append((name, field["name"], TYPES.get(field["type"], field["type"]), field["description"]))
        for at, line in enumerate(lines):
            style = self.formats["header" if line[:1] == ("table",) else "plain"]
            for column, value in enumerate(line):
                if isinstance(value, int):
                    sheet.write_number(at, column, value, style)
                else:
                    sheet.write_string(at, column, value, style)


class _Sheets:
    """The sheets of one table: another is begun when one is full."""

    def __init__(self, sink: WorkbookSink, table: Table) -> None:
        self.sink = sink
        self.table = table
        self.count = 0
        self.total = 0
        self.made: list[Worksheet] = []
        self.filled: set[int] = set()  # columns that have held a cell
        self._begin()

    def _begin(self) -> None:
        self.count += 1
        name = self.table.name if self.count == 1 else f"{self.table.name} {self.count}"
        self.sheet: Worksheet = self.sink.book.add_worksheet(name)
        self.made.append(self.sheet)
        self.sheet.freeze_panes(1, 1)
        # What went wrong is told in full, so the rows of the errors grow with their message.
        if self.table.name != "errors" and any(map(_wraps, self.table.columns)):
            self.sheet.set_default_row(TWO_LINES)
            self.sheet.set_row(0, ONE_LINE)
        for at, column in enumerate(self.table.columns):
            self.sheet.write_string(0, at, column.name, self.sink.formats["header"])
        self.rows = 0
        self.links = 0

    def finish(self) -> None:
        """End the last sheet; only now it is known which columns are empty throughout, and can be narrow."""
        self._filter()
        for at, column in enumerate(self.table.columns):
            width = _width(column, empty=self.total > 0 and at not in self.filled)
            for sheet in self.made:
                sheet.set_column(at, at, width)

    def _filter(self) -> None:
        self.sheet.autofilter(0, 0, self.rows, len(self.table.columns) - 1)

    def add(self, row: Row) -> None:
        if self.rows == MAX_ROWS - 1:
            self._filter()
            self._begin()
        self.rows += 1
        self.total += 1
        for at, column in enumerate(self.table.columns):
            self._write(at, column, row[column.name])

    def _write(self, at: int, column: Column, cell: Cell) -> None:
        formats: Mapping[str, CellFormat] = self.sink.formats
        if cell is None:
            return
        self.filled.add(at)
        shape = "wide" if _wraps(column) else "plain"
        if isinstance(cell, bool):
            # A real boolean is shown as the formula =TRUE() by LibreOffice.
            self.sheet.write_string(self.rows, at, "true" if cell else "false", formats[shape])
        elif isinstance(cell, int | float):
            style = "grouped" if column.name in GROUPED and _is_grouped(cell) else shape
            self.sheet.write_number(self.rows, at, cell, formats[style])
        elif not (column.link and self._write_link(at, cell)):
            text = fitted(clean(cell.replace("\r\n", "\n").replace("\r", "\n"), self.sink.notes), self.sink.notes)
            style = f"{shape} text" if is_risky(cell) else shape
            self.sheet.write_string(self.rows, at, text, formats[style])

    def _write_link(self, at: int, url: str) -> bool:
        """Whether ``url`` could be written as a link."""
        target = url if url.lower().startswith(SCHEMES) else f"https://{url}"
        if self.links < MAX_LINKS and len(target) <= MAX_URL and clean(url, Notes()) == url and " " not in url:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    done = self.sheet.write_url(self.rows, at, target, self.sink.formats["link"], url) == 0
                except ValueError:
                    done = False  # it was too long once its characters were escaped
            if done:
                self.links += 1
                return True
        self.sink.notes.plain_links += 1
        return False


def _wraps(column: Column) -> bool:
    return column.wide and column.name not in UNWRAPPED


def _is_grouped(number: int | float) -> bool:
    return GROUPED_FROM <= abs(number) < GROUPED_BELOW and number == int(number)


def _width(column: Column, *, empty: bool) -> int:
    if empty:
        width = EMPTY_WIDTH
    elif column.name in WIDTHS:
        width = WIDTHS[column.name]
    elif column.link:
        width = 42
    elif column.name in SHORT:
        width = SHORT_WIDTH
    else:
        width = 24 if column.type == "string" else 11
    return max(width, len(column.name) + ARROW)


def source_date() -> datetime | None:
    """The date in ``SOURCE_DATE_EPOCH``, the one a reproducible build sets; none without it."""
    value = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(value), UTC).replace(tzinfo=None) if value.isdecimal() else None
