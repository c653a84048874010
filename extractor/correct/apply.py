"""The edited rows of one paper applied to its record.

A row is taken whole or not at all. Names come before results: a method that was renamed is renamed where a result
refers to it, and one that was deleted is no longer referred to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from extractor.correct.cells import EditError, StrangeRowError, quoted
from extractor.correct.parts import Part, added, changed_columns, edited
from extractor.correct.places import Texts
from extractor.correct.rows import ID_COLUMNS, EditedRow
from extractor.read import Problem
from extractor.records import PaperRecord, Result

# The columns of a result that name parts of the other tables.
REFERENCES = {"method": "methods", "baseline_method": "methods", "datasets": "datasets"}


@dataclass(slots=True)
class Change:
    """What became of one record."""

    record: PaperRecord
    problems: list[Problem] = field(default_factory=list)
    cells: int = 0
    added: int = 0
    deleted: int = 0
    carried: int = 0  # references that follow a new name
    dropped: int = 0  # references to what was deleted

    @property
    def refused(self) -> int:
        return sum(problem.severity == "error" for problem in self.problems)


@dataclass(slots=True)
class _Slot:
    """A place in a list of the record: what was there, what is to be there, and the row that wants it so."""

    old: Part | None
    new: Part | None
    row: EditedRow | None = None
    columns: list[str] = field(default_factory=list)

    def undo(self) -> None:
        self.new, self.row, self.columns = self.old, None, []


def correct_record(record: PaperRecord, rows: dict[str, list[EditedRow]], *, delete: Collection[str] = ()) -> Change:
    """``record`` with the edits of ``rows``, which are its rows by table; the same object when there are none.

    In the tables of ``delete`` a part without a row is removed. What cannot be done is a problem of its row.
    """
    change = _Paper(record, rows, delete).change()
    if change.record is record:
        return change
    try:
        made = PaperRecord.model_validate(change.record.model_dump())
        flaw = next((f"{where}: {said}" for where, said in made.inconsistencies()), None)
    except ValidationError as error:
        flaw = str(error.errors()[0]["msg"])
    if flaw is None:
        return change
    said = f"the record would not be sound ({flaw}); the row is left out"
    edits = [row.problem(said) for table in rows.values() for row in table]
    return Change(record, [*change.problems, *edits])


class _Paper:
    """One record while its rows are applied."""

    def __init__(self, record: PaperRecord, rows: dict[str, list[EditedRow]], delete: Collection[str]) -> None:
        self.record = record
        self.rows = rows
        self.delete = delete
        self.texts = Texts(record)
        self.made = Change(record)
        # Of methods and datasets: the names there are now, and what the names that changed became.
        self.names: dict[str, set[str]] = {}
        self.renamed: dict[str, dict[str, str]] = {}

    def change(self) -> Change:
        lists: dict[str, list[Part]] = {}
        for table in ID_COLUMNS:
            slots = self._slots(table)
            if table == "results":
                self._refer(slots)
            else:
                self._settle_names(table, slots)
            if any(slot.new is not slot.old for slot in slots):
                lists[table] = [slot.new for slot in slots if slot.new is not None]
            self._count(slots)
        if lists:
            self.made.record = self.record.model_copy(update=lists)
        return self.made

    def _slots(self, table: str) -> list[_Slot]:
        """The parts of ``table`` as its rows want them; new ones at the end, so that the ids of the others stay."""
        slots = [_Slot(part, part) for part in getattr(self.record, table)]
        written = self.record.to_rows(table)
        seen: dict[int, list[EditedRow]] = {}
        new: list[_Slot] = []
        strange: EditedRow | None = None
        rows = self.rows.get(table, ())
        for row in rows:
            try:
                number = row.number
                if number is None and not row.id:
                    continue
                if number is None or not 0 < number <= len(slots):
                    raise StrangeRowError(_unknown(row))
                others = seen.setdefault(number, [])
                others.append(row)
                columns = changed_columns(row, written[number - 1])
                self._claim(slots[number - 1], row, columns, others[:-1])
            except EditError as error:
                strange = row if isinstance(error, StrangeRowError) else strange
                self._refuse(row, str(error))
        for row in rows:
            try:
                if row.number is None and not row.id:
                    made = added(row, self.texts)
                    self._refuse_known(row, made, [*slots, *new], seen)
                    new.append(_Slot(None, made, row))
            except EditError as error:
                self._refuse(row, str(error))
        if table in self.delete:
            self._delete(slots, seen, strange)
        return slots + new

    def _claim(self, slot: _Slot, row: EditedRow, columns: list[str], others: list[EditedRow]) -> None:
        """Have ``slot`` as ``row`` wants it, of which ``columns`` were edited. Raises ``EditError``.

        Several files may hold a row, as when two people edit a copy each: then the one that was edited counts.
        Within one file it was copied with its id, and which of the two is meant cannot be told.
        """
        twin = next((other for other in others if other.file == row.file), None)
        if twin is not None and slot.row is twin and not columns:
            slot.undo()
            self._refuse(twin, _twice(twin, row))
        if not columns or slot.old is None:
            return
        if twin is not None:
            raise EditError(_twice(row, twin))
        made = edited(row, columns, slot.old, self.texts)
        if slot.row is not None and made != slot.new:
            raise EditError(f"{_place(slot.row, row)} edits this row too, in another way: undo one of the two edits")
        slot.new, slot.row, slot.columns = made, row, columns

    def _refuse_known(self, row: EditedRow, made: Part, slots: list[_Slot], seen: dict[int, list[EditedRow]]) -> None:
        """Raise ``EditError`` for a number that is there already; where it has lost its row, ``row`` stands for it."""
        for number, slot in enumerate(slots, 1):
            if isinstance(made, Result) and isinstance(slot.new, Result) and _says(made) == _says(slot.new):
                if slot.old is None:
                    raise EditError("another new row says the same: delete one of them")
                seen.setdefault(number, [row])
                known = quoted(f"{row.paper}-r{number}")
                raise EditError(
                    f"the paper has this number already: give {ID_COLUMNS[row.table]} {known}, or delete the row"
                )

    def _delete(self, slots: list[_Slot], seen: dict[int, list[EditedRow]], strange: EditedRow | None) -> None:
        """Empty the slots without a row, but for those whose rows may be missing for another reason."""
        missing = [number for number in range(1, len(slots) + 1) if number not in seen]
        if strange is not None and missing:
            # The rows that are there are not those of this paper, so nothing says which ones are not.
            self._warn(strange, f"for this row the missing rows of its paper are kept ({len(missing)})")
            return
        for number in missing:
            slots[number - 1].new = None
        files = {row.file for rows in seen.values() for row in rows}
        for rows in seen.values():
            for file in sorted(files - {row.file for row in rows}):
                said = f"this row is missing from {file} and was kept: delete it in both, if it is to be deleted"
                self._warn(rows[0], said)

    def _warn(self, row: EditedRow, message: str) -> None:
        self.made.problems.append(row.problem(message, "warning"))

    def _refuse(self, row: EditedRow, message: str) -> None:
        self.made.problems.append(row.problem(message))

    def _settle_names(self, table: str, slots: list[_Slot]) -> None:
        """Refuse what would give two parts one name, and note what became of each name."""
        while True:
            count = Counter(_name(slot.new) for slot in slots if slot.new is not None)
            for slot in reversed(slots):
                if slot.row is not None and count[_name(slot.new)] > 1 and _name(slot.new) != _name(slot.old):
                    self._refuse(slot.row, f"the paper has another row with the name {quoted(_name(slot.new))}")
                    slot.undo()
                    break
            else:
                break
        self.names[table] = set(count)
        kept = [(_name(slot.old), _name(slot.new)) for slot in slots if slot.old is not None and slot.new is not None]
        self.renamed[table] = {before: now for before, now in kept if before != now}

    def _refer(self, slots: list[_Slot]) -> None:
        """Have the results refer to the names as they are now; a row that names another one is refused."""
        for slot in slots:
            if slot.row is not None and isinstance(slot.new, Result):
                try:
                    slot.new = self._resolved(slot, slot.new)
                except EditError as error:
                    self._refuse(slot.row, str(error))
                    slot.undo()
            if isinstance(slot.new, Result):
                slot.new = self._carried(slot, slot.new)

    def _resolved(self, slot: _Slot, result: Result) -> Result:
        """``result`` with the names its row gives as they are now. Raises ``EditError`` for one that is not there."""
        update: dict[str, Any] = {}
        for column, table in REFERENCES.items():
            if slot.old is not None and column not in slot.columns:
                continue
            value = getattr(result, column)
            names = [name for name in (value if isinstance(value, list) else [value]) if name is not None]
            known = [name if name in self.names[table] else self._now(table, name) for name in names]
            for name, now in zip(names, known, strict=True):
                if now not in self.names[table]:
                    raise EditError(f"{column} {quoted(name)} is none of the {table} of the paper: add it there first")
            update[column] = known if isinstance(value, list) else next(iter(known), None)
        return result.model_copy(update=update)

    def _carried(self, slot: _Slot, result: Result) -> Result:
        """``result`` with the names its row left alone as they are now."""
        update: dict[str, Any] = {}
        for column, table in REFERENCES.items():
            if slot.old is None or column in slot.columns:
                continue
            value = getattr(result, column)
            names = value if isinstance(value, list) else [value] if value is not None else []
            now = [self._now(table, name) for name in names]
            if now != names:
                kept = [name for name in now if name is not None]
                update[column] = kept if isinstance(value, list) else next(iter(kept), None)
                self.made.dropped += len(now) - len(kept)
                self.made.carried += sum(name not in (None, before) for before, name in zip(names, now, strict=True))
        return result.model_copy(update=update) if update else result

    def _now(self, table: str, name: str) -> str | None:
        """What the part that was called ``name`` is called now; None when it is no longer there."""
        now = self.renamed[table].get(name, name)
        gone = now not in self.names[table] and any(part.name == name for part in getattr(self.record, table))
        return None if gone else now

    def _count(self, slots: list[_Slot]) -> None:
        for slot in slots:
            self.made.cells += len(slot.columns)
            self.made.added += slot.old is None and slot.new is not None
            self.made.deleted += slot.old is not None and slot.new is None


def _name(part: Part | None) -> str:
    return "" if part is None or isinstance(part, Result) else part.name


def _unknown(row: EditedRow) -> str:
    name = ID_COLUMNS[row.table]
    return f"the records have no {name} {quoted(row.id)}: leave {name} empty for a new row, and give its paper_id"


def _twice(row: EditedRow, other: EditedRow) -> str:
    where = _place(other, row)
    return f"the id {quoted(row.id)} is that of {where} too: leave {ID_COLUMNS[row.table]} empty for a new row"


def _place(other: EditedRow, row: EditedRow) -> str:
    """Where ``other`` stands, told beside ``row``."""
    return f"row {other.row}" if other.file == row.file else f"row {other.row} of {other.file}"


def _says(result: Result) -> dict[str, Any]:
    """What a result says, whoever found it."""
    return result.model_dump(exclude={"confidence", "rule", "sentence"})
