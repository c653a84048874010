"""Tables as a person left them: which table it is, by its header, and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extractor.correct.cells import Value, plain
from extractor.correct.rows import ID_COLUMNS, Corrections, EditedRow
from extractor.errors import InputError
from extractor.read import Problem
from extractor.read.fields import plain_name
from extractor.tables import TABLES

SHOWN = 8


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a sheet: its cells, its number from 1, and the line of the file it begins on."""

    cells: Sequence[Value]
    row: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a sheet: the name of each that the table has, None in the place of another."""

    table: str
    columns: list[str | None]
    strange: list[str]


def table_of(cells: Sequence[Value]) -> str | None:
    """The table that a header with ``cells`` is of, by the column of its ids."""
    names = {_name(cell) for cell in cells}
    tables = [table for table, column in ID_COLUMNS.items() if column in names]
    return tables[0] if len(tables) == 1 else None


def read_header(cells: Sequence[Value], place: str) -> Header:
    """The header ``cells`` are. Raises ``InputError`` when it is none of a table that can be corrected."""
    names = [_name(cell) for cell in cells]
    table = table_of(cells)
    if table is None:
        there = ", ".join(name for name in names if name) or "nothing"
        known = next((name for name, spec in TABLES.items() if len(set(names) & set(spec.header)) > 4), None)
        if known is not None and known not in ID_COLUMNS:
            raise InputError(f"{place}: the table {known} cannot be corrected: give {', '.join(ID_COLUMNS)}")
        raise InputError(
            f"{place}: cannot tell the table: its header must have one of {', '.join(ID_COLUMNS.values())} "
            f"(it has {_some(there)})"
        )
    known_names = TABLES[table].header
    columns = [name if name in known_names else None for name in names]
    for name in known_names:
        if columns.count(name) > 1:
            raise InputError(f"{place}: two columns are called {name}: rename or delete one of them")
    return Header(
        table,
        columns,
        [plain(cell) for cell, known in zip(cells, columns, strict=True) if plain(cell) and known is None],
    )


def add_rows(
    corrections: Corrections, lines: Iterable[Line], *, file: str, sheet: str | None = None, comma: bool = False
) -> None:
    """Take in a sheet: its header, which is the first row that is not empty, and the rows below it."""
    place = file if sheet is None else f"{file}, sheet {sheet}"
    header: Header | None = None
    for line in lines:
        if not any(map(_filled, line.cells)):
            continue
        if header is None:
            header = read_header(line.cells, place)
            corrections.tables.add(header.table)
            if header.strange:
                said = f"columns that are not of the table are left out: {_some(', '.join(header.strange))}"
                at = f"sheet {sheet}: " if sheet is not None else ""
                corrections.problems.append(Problem(file, line.line, None, None, at + said, "warning"))
            continue
        named = zip(header.columns, line.cells, strict=False)
        cells = {name: cell for name, cell in named if name is not None}
        if not any(map(_filled, cells.values())):
            continue
        more = any(map(_filled, line.cells[len(header.columns) :]))
        flaw = "there are more cells than columns, perhaps for want of quotation marks" if more else None
        corrections.add(EditedRow(header.table, cells, file, line.row, line.line, sheet, comma, flaw))
    if header is None:
        raise InputError(f"{place}: is empty: there is not even a header")


def _filled(cell: Value) -> bool:
    return cell is not None and (not isinstance(cell, str) or bool(cell.strip()))


def _name(cell: Value) -> str:
    return plain_name(plain(cell).removeprefix("\ufeff")) if isinstance(cell, str) else ""


def _some(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"
