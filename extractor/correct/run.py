"""All records with all corrections, one record after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from extractor.correct.apply import Change, correct_record
from extractor.correct.cells import EditError, is_unedited
from extractor.correct.parts import HUMAN, OLDER, changed_columns
from extractor.correct.rows import ID_COLUMNS, Corrections, EditedRow, has_whole_ids, paper_key
from extractor.errors import UsageError
from extractor.read import Problem
from extractor.record_files import read_records
from extractor.records import PaperRecord

# What becomes of parts without a row: those of papers that have another row in the table are deleted, all are, none is.
Missing = Literal["some", "all", "none"]

# So many missing rows, and more than half of all, look like a filtered copy rather than like deleted rows.
MANY = 20


@dataclass(slots=True)
class Tally:
    """What all corrections came to."""

    papers: int = 0
    changed: int = 0
    cells: int = 0
    added: int = 0
    deleted: int = 0
    carried: int = 0
    dropped: int = 0
    refused: int = 0
    absent: Counter[str] = field(default_factory=Counter)

    def add(self, change: Change, *, changed: bool) -> None:
        """Count what became of one record."""
        self.papers += 1
        self.changed += changed
        for name in ("cells", "added", "deleted", "carried", "dropped", "refused"):
            setattr(self, name, getattr(self, name) + getattr(change, name))


class _Survey:
    """A first look at the records: whose ids are shared, how many rows are missing from each table, and which tables
    were exported before the records were corrected: by a row of each that a person has corrected since."""

    def __init__(self, path: str, corrections: Corrections) -> None:
        ids: Counter[str] = Counter()
        self.there: Counter[str] = Counter()
        self.missing: Counter[str] = Counter()
        self.older: dict[str, EditedRow] = {}
        for entry in read_records(path):
            if isinstance(entry, Problem):
                continue
            key = paper_key(entry[1])
            ids[key] += 1
            for table, rows in corrections.papers.get(key, {}).items():
                parts = getattr(entry[1], table)
                by_number = {row.number: row for row in rows if row.number is not None}
                if by_number:
                    self.there[table] += len(parts)
                for number, part in enumerate(parts, 1):
                    row = by_number.get(number)
                    self.missing[table] += bool(by_number) and row is None
                    if row is not None and part.rule == HUMAN and not is_unedited(row.cells.get("rule", HUMAN), HUMAN):
                        self.older.setdefault(table, row)
        self.shared = {key for key, count in ids.items() if count > 1}

    def refuse_filtered(self) -> None:
        """Raise ``UsageError`` when the rows that are missing seem to have been filtered away."""
        for table, missing in self.missing.items():
            if table not in self.older and missing > MANY and 2 * missing > self.there[table]:
                raise UsageError(
                    f"{missing:,} of {self.there[table]:,} rows of these papers are missing from {table}, as in a "
                    "filtered copy: give --keep-missing to delete none of them, or --delete-missing to delete them all"
                )


def correct(
    path: str, corrections: Corrections, tally: Tally, missing: Missing = "some"
) -> Iterator[PaperRecord | Problem]:
    """The records of the file ``path`` in order, corrected, with problems where something cannot be done.

    ``missing`` says which parts without a row are deleted. The file is read twice. Raises ``UsageError`` at the first
    record when so many rows are missing that they seem to be filtered away, and ``InputError`` when it cannot be read.
    """
    survey = _Survey(path, corrections)
    if missing == "some":
        survey.refuse_filtered()
    yield from corrections.problems
    tally.refused += sum(problem.severity == "error" for problem in corrections.problems)
    for table, row in survey.older.items():
        if survey.missing[table]:
            said = f"{OLDER}; until then no missing row of {table} is deleted, of {survey.missing[table]:,}"
            yield row.problem(said, "warning")
    left = dict(corrections.papers)
    unmatched = {key: list(_all(left.pop(key))) for key in survey.shared if key in left}
    for entry in read_records(path):
        if isinstance(entry, Problem):
            yield entry
            continue
        record = entry[1]
        key = paper_key(record)
        if key in survey.shared:
            if key in unmatched:
                unmatched[key] = [row for row in unmatched[key] if not _says(row, record)]
            tally.papers += 1
            yield record
            continue
        rows = left.pop(key, {})
        tables = [table for table in _deletable(record, rows, corrections, missing, tally) if table not in survey.older]
        change = correct_record(record, rows, delete=tables)
        yield from change.problems
        tally.add(change, changed=change.record is not record)
        yield change.record
    shared = "several papers of the records have this id: which of them is meant cannot be told"
    strange = "the records have no paper of this id"
    for said, papers in ((shared, unmatched.values()), (strange, (_all(tables) for tables in left.values()))):
        for rows_left in papers:
            for row in rows_left:
                tally.refused += 1
                yield row.problem(said)


def _deletable(
    record: PaperRecord, rows: dict[str, list[EditedRow]], corrections: Corrections, missing: Missing, tally: Tally
) -> list[str]:
    """The tables in which the parts of ``record`` without a row are to be deleted."""
    tables = []
    for table in ID_COLUMNS:
        if table not in corrections.tables or not getattr(record, table) or not has_whole_ids(record):
            continue
        has_row = any(row.number is not None for row in rows.get(table, ()))
        if missing == "all" or (missing == "some" and has_row):
            tables.append(table)
        elif not has_row:
            tally.absent[table] += 1
    return tables


def _says(row: EditedRow, record: PaperRecord) -> bool:
    """Whether ``row`` is a row of ``record`` as it was written."""
    written = record.to_rows(row.table)
    if row.number is None or not 0 < row.number <= len(written):
        return False
    try:
        return not changed_columns(row, written[row.number - 1])
    except EditError:
        return False


def _all(tables: dict[str, list[EditedRow]]) -> Iterator[EditedRow]:
    for rows in tables.values():
        yield from rows
