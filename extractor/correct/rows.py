"""Edited tables as they were read: their rows by paper, each with the place it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from extractor.correct.cells import Value, bare, is_cut, plain
from extractor.read import Problem
from extractor.read.items import Severity
from extractor.records import PaperRecord
from extractor.write.cells import MAX_CELL

# The tables that can be corrected, in the order in which they are applied: results name methods and datasets.
ID_COLUMNS = {"methods": "method_id", "datasets": "dataset_id", "results": "result_id"}
PART_ID = re.compile(r"(.*)-([mdr])(\d{1,9})", re.DOTALL)


@dataclass(slots=True)
class EditedRow:
    """One row: its cells by column, where it stands, and whether its file writes numbers as 3,2."""

    table: str
    cells: dict[str, Value]
    file: str
    row: int
    line: int | None = None
    sheet: str | None = None
    comma: bool = False
    flaw: str | None = None  # what makes the row as a whole unusable

    @property
    def id(self) -> str:
        """The id of the row as it is compared; empty for a new one."""
        return _compared(self.cells.get(ID_COLUMNS[self.table]))

    @property
    def number(self) -> int | None:
        """The number in the id of the row: which part of the paper it is, from 1."""
        known = PART_ID.fullmatch(self.id)
        return int(known[3]) if known and known[2] == ID_COLUMNS[self.table][0] else None

    @property
    def paper(self) -> str:
        """The id of its paper as it is compared, from the id of the row where there is one."""
        known = PART_ID.fullmatch(self.id)
        return known[1].rstrip() if known else _compared(self.cells.get("paper_id"))

    def problem(self, message: str, severity: Severity = "error") -> Problem:
        """What is to be said of this row."""
        if self.sheet is not None:
            message = f"sheet {self.sheet}, row {self.row}: {message}"
        elif self.line != self.row:
            message = f"row {self.row}: {message}"
        said = self.id or _compared(self.cells.get("paper_id")) or None
        return Problem(self.file, self.line, None, said, message, severity)


@dataclass(slots=True)
class Corrections:
    """All rows of all edited tables, by paper and table, and what is to be said of the files they came from."""

    papers: dict[str, dict[str, list[EditedRow]]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)

    def add(self, row: EditedRow) -> None:
        """Take in a row; one that belongs to no paper is a problem."""
        if is_cut(row.id):
            self.problems.append(row.problem("the id was cut to fit its cell; the row is left as it is", "warning"))
        elif not row.paper and row.number is None:
            self.problems.append(row.problem(f"a new row needs a paper_id, another one its {ID_COLUMNS[row.table]}"))
        else:
            self.papers.setdefault(row.paper, {}).setdefault(row.table, []).append(row)

    def rows(self) -> Iterator[EditedRow]:
        """Every row."""
        for tables in self.papers.values():
            for rows in tables.values():
                yield from rows


def paper_key(record: PaperRecord) -> str:
    """The id of a record as the rows of its tables give it."""
    return _compared(record.id)


def has_whole_ids(record: PaperRecord) -> bool:
    """Whether the ids of its rows fit a cell."""
    return len(record.id) <= MAX_CELL // 2


def _compared(cell: Value) -> str:
    text = plain(cell)
    # A guard on a guard is one too many to tell apart; ids that only differ in it count as one.
    while (less := bare(text)) != text:
        text = less
    return text
