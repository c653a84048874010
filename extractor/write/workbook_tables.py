"""Excel tables and colours over rows that are on disk already."""

from __future__ import annotations

from io import BytesIO

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name, xl_range
from xlsxwriter.worksheet import Worksheet

from extractor.write.workbook_styles import BANDS

# A light style, so that the colours of the cells show. Programs that know no table styles show the cells alone.
STYLE = "Table Style Light 1"


def make_table(sheet: Worksheet, name: str, header: list[str], rows: int) -> None:
    """Make the first row of ``sheet``, which holds ``header``, and the ``rows`` under it the Excel table ``name``.

    XlsxWriter refuses tables on sheets it streams, because it writes their header cells, and those may be on disk.
    Here they are written already, with the same words. So a small sheet elsewhere is given the table, with all checks
    of names and headers, and what it made of it is taken over, with the range that it has here.

    Raises ``ValueError`` for a name or a header that no table may have.
    """
    with Workbook(BytesIO(), {"in_memory": True}) as scratch:
        sketch = scratch.add_worksheet()
        columns = [{"header": column} for column in header]
        if sketch.add_table(0, 0, 1, len(header) - 1, {"name": name, "columns": columns, "style": STYLE}):
            raise ValueError(f"no Excel table can be called {name!r} or have the columns {header}")
        (table,) = sketch.tables
    area = xl_range(0, 0, rows, len(header) - 1)
    sheet.tables.append(table | {"range": area, "a_range": area, "autofilter": area})


def colour_by_confidence(book: Workbook, sheet: Worksheet, header: list[str], shown: str, rows: int) -> None:
    """Colour the cells of ``confidence`` by their band.

    The column ``shown`` is coloured too, because it is in sight when the sheet is opened and confidence is not; there,
    what is sure stays plain.
    """
    at, confidence = header.index(shown), header.index("confidence")
    cell = f"${xl_col_to_name(confidence)}2"
    for band in BANDS:
        columns = (confidence,) if band is BANDS[-1] else (at, confidence)
        rule = {
            "type": "formula",
            "criteria": f"=AND({cell}>={band.low:g},{cell}<{band.high:g})",
            "format": book.add_format({"bg_color": band.colour}),
            "multi_range": " ".join(xl_range(1, column, rows, column) for column in columns),
        }
        sheet.conditional_format(1, columns[0], rows, columns[0], rule)
