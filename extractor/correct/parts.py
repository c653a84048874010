"""From an edited row to the method, dataset or result it now says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from extractor.correct.cells import (
    DATE,
    EditError,
    StrangeRowError,
    Unusable,
    is_unedited,
    names_of,
    number_of,
    plain,
    quoted,
    text_of,
)
from extractor.correct.places import Texts, in_order, moved, overlap
from extractor.correct.rows import EditedRow
from extractor.records import Dataset, Method, Result, Span
from extractor.rules import tsv
from extractor.tables import Row

Part = Method | Dataset | Result

HUMAN = "human"
OLDER = "a person has corrected this row since the table was exported: export the records anew and edit that"
PLACE = ("quote", "field", "start", "end")
MARKS = ("confidence", "rule")


@dataclass(frozen=True, slots=True)
class Editable:
    """What can be edited in one table, by the way its cells are read; every other column is fixed."""

    model: type[Part]
    texts: tuple[str, ...]
    words: tuple[str, ...]  # of a fixed list, in small letters
    required: tuple[str, ...]  # what a new row needs besides its place
    numbers: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.texts, *self.words, *self.numbers, *self.lists, *PLACE, *MARKS)


EDITABLE = {
    "methods": Editable(Method, ("name", "full_name"), ("role",), ("name", "role"), lists=("aliases",)),
    "datasets": Editable(Dataset, ("name", "canonical"), ("role",), ("name", "role")),
    "results": Editable(
        Result, ("unit", "metric", "subject", "baseline", "method", "baseline_method"), ("kind", "qualifier"),
        ("kind", "value"), ("value", "high"), ("datasets",),
    ),
}  # fmt: skip


def changed_columns(row: EditedRow, written: Row) -> list[str]:
    """The columns in which ``row`` is not what was written.

    Raises ``EditError`` when one of them is fixed, or holds nothing that can be used.
    """
    if row.flaw is not None:
        raise EditError(row.flaw)
    changed = [name for name, cell in row.cells.items() if not is_unedited(cell, written[name], comma=row.comma)]
    for name in changed:
        cell = row.cells[name]
        if isinstance(cell, Unusable):
            raise EditError(f"{name} {cell.said}")
        if name not in EDITABLE[row.table].columns:
            raise StrangeRowError(
                f"{name} is {quoted(plain(cell))} here and {quoted(plain(written[name]))} in the records: this column "
                "cannot be edited, or the table is of other records"
            )
    return changed


def edited(row: EditedRow, columns: list[str], old: Part, texts: Texts) -> Part:
    """``old`` with the cells of ``columns`` as ``row`` has them. Raises ``EditError``."""
    _check_marks(row, columns, old)
    values = _values(row, columns, texts, old)
    place = _moved(row, columns, texts, _first(old)) if set(PLACE) & set(columns) else None
    if isinstance(old, Result):
        if place is not None:
            values["span"] = place
            if not _within(place, old):
                values["sentence"] = texts.sentence(place)
    else:
        if "name" in values:
            values["mentions"] = _renamed(old, values["name"] or "", texts)
            if isinstance(old, Dataset) and "canonical" not in values:
                values["canonical"] = _canonical(values["name"])
        if place is not None:
            kept = values.get("mentions", old.mentions)[1:]
            values["mentions"] = in_order([place, *(span for span in kept if not overlap(span, place))])
    return _made(row, type(old), {**dict(old), **values})


def added(row: EditedRow, texts: Texts) -> Part:
    """The part a new row says. Raises ``EditError``."""
    if row.flaw is not None:
        raise EditError(row.flaw)
    about = EDITABLE[row.table]
    given = [name for name in about.columns if name in row.cells and not is_unedited(row.cells[name], None)]
    for name in given:
        cell = row.cells[name]
        if isinstance(cell, Unusable):
            raise EditError(f"{name} {cell.said}")
    missing = [name for name in about.required if name not in given]
    if missing:
        raise EditError(f"a new row needs {' and '.join(missing)}")
    values = _values(row, given, texts, None)
    if about.model is Result:
        values["span"] = span = _moved(row, given, texts, None)
        values["sentence"] = texts.sentence(span)
    else:
        first = [_moved(row, given, texts, None)] if set(PLACE) & set(given) else []
        names = [values["name"], values.get("full_name"), *values.get("aliases", [])]
        found = [span for name in names if name for span in texts.find_name(name)]
        values["mentions"] = _apart([*first, *sorted(found, key=_length, reverse=True)])
        if not values["mentions"]:
            raise EditError(
                f"name {quoted(values['name'])} stands neither in the title nor in the abstract: give the quote, as it "
                "is written there, or start and end"
            )
        if about.model is Dataset and not values.get("canonical"):
            values["canonical"] = _canonical(values["name"])
    return _made(row, about.model, values)


def _values(row: EditedRow, columns: list[str], texts: Texts, old: Part | None) -> dict[str, Any]:
    """The fields of the part that ``columns`` say, but for its place."""
    about = EDITABLE[row.table]
    readers: dict[str, Callable[[Any], Any]] = {
        **dict.fromkeys(about.texts, text_of),
        "unit": _unit,
        **dict.fromkeys(about.words, _word),
        **dict.fromkeys(about.numbers, lambda cell: number_of(cell, comma=row.comma)),
    }
    values: dict[str, Any] = {}
    for name in columns:
        if name in about.lists:
            values[name] = names_of(row.cells[name], list(getattr(old, name, [])))
        elif name in readers:
            values[name] = _read(name, readers[name], row.cells[name])
            text = plain(row.cells[name])
            if name in about.texts and DATE.fullmatch(text) and not texts.find(text):
                said = "seems to be a date the spreadsheet made: make the cell text, write it anew"
                raise EditError(f"{name} {quoted(text)} {said}")
    if values.get("qualifier", "exact") is None:
        values["qualifier"] = "exact"
    return values


def _read(name: str, reader: Callable[[Any], Any], cell: Any) -> Any:
    try:
        return reader(cell)
    except EditError as error:
        raise EditError(f"{name} {error}") from None


def _word(cell: Any) -> str | None:
    text = text_of(cell)
    return "_".join(text.lower().split()) if text else None


def _unit(cell: Any) -> str | None:
    """A unit as records have it: ``percent`` for ``%``, ``x`` for ``×``; any other is taken as it is."""
    text = text_of(cell)
    if text is None:
        return None
    known = {row["surface"]: row["unit"] for row in tsv("units")}
    return known.get(text) or known.get(text.lower(), text)


def _check_marks(row: EditedRow, columns: list[str], old: Part) -> None:
    """Rule and confidence are set here; all that can be said in them is that a person looked at the row."""
    if "rule" in columns and old.rule == HUMAN:
        raise StrangeRowError(OLDER)
    if "rule" in columns and plain(row.cells["rule"]).lower() != HUMAN:
        raise EditError(f"rule cannot be edited but to {HUMAN}, which says that the row is right")
    if "confidence" in columns and number_of(row.cells["confidence"], comma=row.comma) != 1:
        raise EditError("confidence cannot be edited but to 1, which says that the row is right")


def _moved(row: EditedRow, columns: list[str], texts: Texts, old: Span | None) -> Span:
    numbers = {
        name: _read(name, lambda cell: number_of(cell, comma=row.comma), row.cells[name])
        for name in ("start", "end")
        if name in columns
    }
    emptied = [name for name in PLACE if old is not None and name in columns and not plain(row.cells[name])]
    if emptied:
        raise EditError(f"{emptied[0]} is empty: every value stands somewhere in the text")
    field = _word(row.cells["field"]) if "field" in columns else None
    quote = text_of(row.cells["quote"]) if "quote" in columns else None
    if old is None and not numbers:
        field = None
    return moved(texts, old, field, numbers.get("start"), numbers.get("end"), quote)


def _first(part: Part) -> Span | None:
    if isinstance(part, Result):
        return part.span
    return part.mentions[0] if part.mentions else None


def _within(place: Span, result: Result) -> bool:
    sentence = result.sentence
    return place.field == sentence.field and sentence.start <= place.start and place.end <= sentence.end


def _renamed(old: Method | Dataset, name: str, texts: Texts) -> list[Span]:
    """Where ``name`` stands, and what stood for ``old`` under another name; as it was when it stands nowhere."""
    found = texts.find_name(name) if name else []
    if not found:
        return old.mentions
    return _apart([*found, *(span for span in old.mentions if plain(span.text) != plain(old.name))])


def _apart(spans: list[Span]) -> list[Span]:
    """``spans`` in order, without those that overlap an earlier one of the list."""
    kept: list[Span] = []
    for span in spans:
        if not any(overlap(span, other) for other in kept):
            kept.append(span)
    return in_order(kept)


def _length(span: Span) -> int:
    return span.end - span.start


def _canonical(name: str | None) -> str | None:
    from extractor.find.canonical import canonical  # loads spaCy, which few corrections need

    return canonical(name) if name else None


def _made(row: EditedRow, model: type[Part], values: Mapping[str, Any]) -> Part:
    """The validated part, marked as a person's work."""
    try:
        made = model.model_validate({**values, "confidence": 1.0, "rule": HUMAN})
    except ValidationError as error:
        flaw = error.errors(include_url=False)[0]
        name = ".".join(map(str, flaw["loc"]))
        value = flaw["input"]
        if value is None:
            raise EditError(f"{name} is empty: it needs a value") from None
        if flaw["type"] == "literal_error":
            raise EditError(f"{name} {quoted(str(value))} is none of {flaw['ctx']['expected']}") from None
        raise EditError(f"{name} {quoted(str(value))}: {flaw['msg']}") from None
    if isinstance(made, Result):
        if made.value < 0:
            raise EditError(f"value {made.value:g} is negative: kind says which way it went, the value how far")
        if made.high is not None and made.high < made.value:
            raise EditError(f"high {made.high:g} is below value {made.value:g}")
    return made
