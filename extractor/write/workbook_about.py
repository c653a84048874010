"""The sheet that says what a workbook is: its tables, columns, colours and what had to be done to cells."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from xlsxwriter.worksheet import Worksheet

from extractor.records import SCHEMA_VERSION
from extractor.schemas import identifier, table_schema
from extractor.version import __version__
from extractor.write.cells import Notes
from extractor.write.workbook_sheets import MAX_TABLE_ROWS, TableSheets
from extractor.write.workbook_styles import BANDS, Styles

WIDTHS = (18, 26, 18, 100)
Line = tuple[str | int, ...]

# The types of the schemas in the words of a spreadsheet, as cells are written.
TYPES = {"string": "text", "boolean": "text: true or false", "integer": "whole number"}

STANDING_NOTES = (
    "Offsets (start, end) count Unicode code points of the text as received.",
    "Numbers are as written: 95% is the value 95 with the unit percent, not 0.95; 1.5M is 1,500,000.",
    "An empty cell means that the text says nothing of it. No cell is a formula.",
    "`extractor correct` brings edits of the sheets methods, datasets and results back into the records; those of "
    "other sheets stay here.",
)


def write_about(
    sheet: Worksheet, styles: Styles, tables: Iterable[TableSheets], notes: Notes, date: datetime | None
) -> None:
    """Fill ``sheet``; the tables must be finished."""
    tables = list(tables)
    lines: list[Line] = [
        ("made by", f"paper-extractor {__version__}"),
        ("schema", f"version {SCHEMA_VERSION}, {identifier('record')}"),
    ]
    if date:
        lines.append(("date", date.date().isoformat()))
    lines += [(made.table.name, made.total, "rows", made.table.description) for made in tables]
    lines.append(("summary", "", "", "Counts and charts of what was found."))
    lines += [("note", line) for line in (*notes.lines(), *_filtered_only(tables), *STANDING_NOTES)]
    lines += [("colour", band.label, "", band.meaning) for band in BANDS]
    lines += [(), ("table", "column", "type", "meaning")]
    for made in tables:
        for field in table_schema(made.table)["fields"]:
            kind = TYPES.get(field["type"], field["type"])
            lines.append((made.table.name, field["name"], kind, field["description"]))
    for at, width in enumerate(WIDTHS):
        sheet.set_column(at, at, width)
    for at, line in enumerate(lines):
        for column, value in enumerate(line):
            if isinstance(value, int):
                sheet.write_number(at, column, value, styles["grouped"])
            elif value:
                sheet.write_string(at, column, value, styles[_style(line, column)])


def _style(line: Line, column: int) -> str:
    if line[0] == "colour" and column == 1:
        return str(line[1])  # the label of a band, which is also the name of its style
    return "header" if line[0] == "table" else "plain"


def _filtered_only(tables: Iterable[TableSheets]) -> list[str]:
    return [
        f"{made.table.name} has a sheet of over {MAX_TABLE_ROWS:,} rows, with filter arrows, but no Excel table."
        for made in tables
        if made.filtered_only
    ]
