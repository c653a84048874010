"""The sheets of one table: a row at a time, each cell with its type and look."""

from __future__ import annotations

import warnings

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from extractor.tables import Cell, Column, Row, Table
from extractor.write.cells import Notes, clean, fitted, is_risky
from extractor.write.workbook_styles import Styles
from extractor.write.workbook_tables import colour_by_confidence, make_table

MAX_ROWS = 1_048_576
# Beyond this many rows Excel is slow with a table; there the columns have filter arrows only.
MAX_TABLE_ROWS = 100_000
MAX_LINKS = 65_530
MAX_URL = 2_079
SCHEMES = ("http://", "https://", "ftp://")

# Widths count characters. Those not listed are 42 for links, 24 for other text and 11 for numbers, but at least what
# the header needs beside its filter arrow.
WIDTHS = {"id": 22, "paper_id": 18, "evidence": 90, "message": 90, "abstract": 60, "title": 50, "value": 16, "high": 16}
SHORT = frozenset(
    ["kind", "role", "unit", "best_speedup_unit", "best_gain_unit", "field", "qualifier", "code_status", "severity"]
)  # one short word of a fixed list
SHORT_WIDTH, EMPTY_WIDTH, ARROW = 14, 8, 3

# A wrapped row is two lines high and no more, so that many rows are in sight; an abstract is one line, cut at its cell.
UNWRAPPED = frozenset(["abstract"])
TWO_LINES, HEADER_HEIGHT = 30, 18

# Whole numbers of these columns are shown as 12,345 while they fit their column; the cell holds the number itself.
GROUPED = frozenset(["value", "high"])
GROUPED_FROM, GROUPED_BELOW = 10_000, 1_000_000_000_000

# The tables with a confidence, and the column that is coloured by it: confidence itself stands far to the right.
COLOURED = {"results": "value", "methods": "name", "datasets": "name"}


class TableSheets:
    """The sheets of one table: another is begun when one is full."""

    def __init__(self, book: Workbook, styles: Styles, notes: Notes, table: Table) -> None:
        self.book = book
        self.styles = styles
        self.notes = notes
        self.table = table
        self.total = 0
        self.filtered_only = False  # whether a sheet has more rows than a table may have here
        self.made: list[Worksheet] = []
        self.filled: set[int] = set()  # columns that have held a cell
        self._begin()

    def _begin(self) -> None:
        name = self.table.name if not self.made else f"{self.table.name} {len(self.made) + 1}"
        self.sheet: Worksheet = self.book.add_worksheet(name)
        self.made.append(self.sheet)
        self.sheet.freeze_panes(1, 1)
        # What went wrong is told in full, so the rows of the errors grow with their message.
        if self.table.name != "errors" and any(map(_wraps, self.table.columns)):
            self.sheet.set_default_row(TWO_LINES)
        self.sheet.set_row(0, HEADER_HEIGHT)
        for at, column in enumerate(self.table.columns):
            self.sheet.write_string(0, at, column.name, self.styles["header"])
        self.rows = 0
        self.links = 0

    def add(self, row: Row) -> None:
        if self.rows == MAX_ROWS - 1:
            self._end()
            self._begin()
        self.rows += 1
        self.total += 1
        for at, column in enumerate(self.table.columns):
            self._write(at, column, row[column.name])

    def finish(self) -> None:
        """End the last sheet; only now it is known which columns are empty throughout, and can be narrow."""
        self._end()
        for at, column in enumerate(self.table.columns):
            width = _width(column, empty=self.total > 0 and at not in self.filled)
            for sheet in self.made:
                sheet.set_column(at, at, width)

    def _end(self) -> None:
        """Filter and colour the sheet, whose number of rows is known now."""
        header = self.table.header
        if 0 < self.rows <= MAX_TABLE_ROWS:
            make_table(self.sheet, self.sheet.get_name().replace(" ", "_"), header, self.rows)
        else:  # a table needs a row
            self.sheet.autofilter(0, 0, self.rows, len(header) - 1)
            self.filtered_only |= self.rows > 0
        if self.rows and self.table.name in COLOURED:
            colour_by_confidence(self.book, self.sheet, header, COLOURED[self.table.name], self.rows)

    def _write(self, at: int, column: Column, cell: Cell) -> None:
        if cell is None:
            return
        self.filled.add(at)
        shape = "wide" if _wraps(column) else "plain"
        if isinstance(cell, bool):
            # A real boolean is shown as the formula =TRUE() by LibreOffice.
            self.sheet.write_string(self.rows, at, "true" if cell else "false", self.styles[shape])
        elif isinstance(cell, int | float):
            self.sheet.write_number(self.rows, at, cell, self.styles[_number_style(column.name, cell)])
        elif not (column.link and self._write_link(at, cell)):
            text = fitted(clean(cell.replace("\r\n", "\n").replace("\r", "\n"), self.notes), self.notes)
            style = f"{shape} text" if is_risky(cell) else shape
            self.sheet.write_string(self.rows, at, text, self.styles[style])

    def _write_link(self, at: int, url: str) -> bool:
        """Whether ``url`` could be written as a link."""
        target = url if url.lower().startswith(SCHEMES) else f"https://{url}"
        if self.links < MAX_LINKS and len(target) <= MAX_URL and clean(url, Notes()) == url and " " not in url:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    done = self.sheet.write_url(self.rows, at, target, self.styles["link"], url) == 0
                except ValueError:
                    done = False  # it was too long once its characters were escaped
            if done:
                self.links += 1
                return True
        self.notes.plain_links += 1
        return False


def _wraps(column: Column) -> bool:
    return column.wide and column.name not in UNWRAPPED


def _number_style(column: str, number: int | float) -> str:
    """How ``number`` is shown; the cell holds all its digits."""
    if column == "confidence":
        return "confidence"
    grouped = column in GROUPED and GROUPED_FROM <= abs(number) < GROUPED_BELOW and number == int(number)
    return "grouped" if grouped else "plain"


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
