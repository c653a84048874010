"""The tidy tables a record becomes in a spreadsheet: their columns, in order, and how a row is made.

A column named like a field of the record's part has the meaning, the type limits and the description of that
field; only columns of another make carry a description here. ``schemas.py`` turns both into table schemas.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from extractor.records import PaperRecord, Result

Cell = str | int | float | bool | None
Row = dict[str, Cell]
CellType = Literal["string", "integer", "number", "boolean"]

JOINER = "; "
# A paper's best number is looked for among these units in turn: factors and percentages do not compare.
SPEEDUP_UNITS = ("x", "percent", "points")
GAIN_UNITS = ("points", "percent", "x", None)


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``value`` makes its cell from the record, the part the row shows, and the part's number from 1."""

    name: str
    type: CellType
    value: Callable[[Any, Any, int], Cell]
    description: str | None = None
    required: bool = False
    wide: bool = False
    link: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table; ``parts`` gives what a record has a row for, ``model`` names the part, ``key`` the unique column."""

    name: str
    description: str
    model: str | None
    parts: Callable[[Any], Iterable[Any]]
    columns: tuple[Column, ...]
    key: str | None = None

    @property
    def header(self) -> list[str]:
        return [column.name for column in self.columns]


def table_rows(record: PaperRecord, table: str) -> list[Row]:
    """The rows ``record`` has in ``table``."""
    if table not in RECORD_TABLES:
        raise ValueError(f"no table {table!r}; there are {', '.join(RECORD_TABLES)}")
    spec = TABLES[table]
    return [
        {column.name: column.value(record, part, n) for column in spec.columns}
        for n, part in enumerate(spec.parts(record), 1)
    ]


def error_row(problem: Any) -> Row:
    """The row of the errors table for a problem met while reading or extracting."""
    return {column.name: column.value(None, problem, 0) for column in TABLES["errors"].columns}


def number_text(value: int | float) -> str:
    """A number the way a person writes it: no ``.0``, no exponent below 10^15."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _field(
    name: str, type: CellType = "string", *, required: bool = False, wide: bool = False, link: bool = False,
    description: str | None = None,
) -> Column:  # fmt: skip
    """A column that shows a field of the part as it is."""
    return Column(name, type, lambda record, part, n: getattr(part, name), description, required, wide, link)


def _listed(name: str) -> Column:
    """A column that shows a list of names in one cell."""
    return Column(name, "string", lambda record, part, n: _join(getattr(part, name)))


def _key(letter: str, what: str) -> tuple[Column, Column]:
    """The id of the paper and the id of the row."""
    return (
        Column("paper_id", "string", lambda record, part, n: record.id, "The id of the paper.", required=True),
        Column(
            f"{what}_id", "string", lambda record, part, n: f"{record.id}-{letter}{n}",
            f"The id of the row: the paper's, and the number of the {what} in it.", required=True,
        ),
    )  # fmt: skip


def _place(first: Callable[[Any], Any], what: str) -> tuple[Column, ...]:
    """Quote and offsets of the span ``first`` takes from the part."""
    return (
        Column("quote", "string", lambda r, p, n: _of(first(p), "text"), f"The {what} as it stands in the text."),
        Column("field", "string", lambda r, p, n: _of(first(p), "field"), "The text the offsets point into."),
        Column("start", "integer", lambda r, p, n: _of(first(p), "start"), f"First code point of the {what}."),
        Column("end", "integer", lambda r, p, n: _of(first(p), "end"), f"Code point after the last of the {what}."),
    )


def _of(span: Any, name: str) -> Any:
    return None if span is None else getattr(span, name)


def _first_mention(part: Any) -> Any:
    return part.mentions[0] if part.mentions else None


def _join(names: Iterable[str]) -> str | None:
    return JOINER.join(names) or None


def _evidence(record: Any, result: Any, n: int) -> str | None:
    """The sentence the number stands in."""
    text = record.title if result.sentence.field == "title" else record.abstract
    return (text or "")[result.sentence.start : result.sentence.end] or None


def _best(record: Any, kind: str, units: tuple[str | None, ...]) -> Result | None:
    """The largest number of ``kind`` the paper reports for its own work, in the first of ``units`` it uses."""
    own: list[Result] = [r for r in record.results if r.kind == kind and r.subject is None]
    for unit in units:
        same = [r for r in own if r.unit == unit]
        if same:
            return max(same, key=_size)
    return None


def _size(result: Any) -> float:
    return float(result.value if result.high is None else result.high)


def _best_columns(kind: str, units: tuple[str | None, ...]) -> tuple[Column, ...]:
    def cell(take: Callable[[Any], Cell]) -> Callable[[Any, Any, int], Cell]:
        def value(record: Any, part: Any, n: int) -> Cell:
            best = _best(record, kind, units)
            return None if best is None else take(best)

        return value

    order = ", then ".join(unit or "no unit" for unit in units)
    return (
        Column(
            f"best_{kind}", "number", cell(_size),
            f"The largest {kind} of the paper's own work, among results in the first unit present of: {order}.",
        ),
        Column(f"best_{kind}_unit", "string", cell(lambda r: r.unit), f"The unit of best_{kind}."),
        Column(f"best_{kind}_metric", "string", cell(lambda r: r.metric), f"What best_{kind} measures."),
    )  # fmt: skip


def _code_url(record: Any, part: Any, n: int) -> str | None:
    kinds = ("code", "project", "other") if record.code_status == "linked" else ("code",)
    for kind in kinds:
        for link in record.links:
            if link.kind == kind:
                return str(link.url)
    return None


def _extra(record: Any, part: Any, n: int) -> str | None:
    return json.dumps(record.extra, ensure_ascii=False) if record.extra else None


def _names(group: str, *roles: str) -> Callable[[Any, Any, int], Cell]:
    return lambda record, part, n: _join(x.name for x in getattr(record, group) if x.role in roles)


def _count(group: str) -> Column:
    return Column(
        f"{group}_count", "integer", lambda record, part, n: len(getattr(record, group)), f"How many {group} there are."
    )


_CONFIDENCE = (_field("confidence", "number", required=True), _field("rule", required=True))

PAPERS = Table(
    "papers", "One row a paper.", "PaperRecord", lambda record: [record],
    (
        _field("id", required=True),
        _field("title", wide=True),
        _field("venue"),
        _field("year", "integer"),
        _field("url", link=True),
        Column("proposed_methods", "string", _names("methods", "proposed"), "Names of the methods the paper proposes."),
        Column("other_methods", "string", _names("methods", "compared", "mentioned"), "Names of the other methods."),
        Column("datasets", "string", _names("datasets", "introduced", "used"), "Names of the datasets."),
        Column("introduced_datasets", "string", _names("datasets", "introduced"), "Those the paper introduces."),
        *_best_columns("speedup", SPEEDUP_UNITS),
        *_best_columns("gain", GAIN_UNITS),
        _field("code_status", required=True),
        Column("code_url", "string", _code_url, "The first address of code.", link=True),
        _count("methods"), _count("datasets"), _count("results"), _count("links"),
        _listed("warnings"),
        Column("source_file", "string", lambda r, p, n: r.source.file, "Name of the file the abstract came from."),
        Column("source_line", "integer", lambda r, p, n: r.source.line, "Line of that file, from 1."),
        Column("extra", "string", _extra, "Other fields of the input, as a JSON object."),
        _field("abstract", required=True, wide=True),
    ),
    "id",
)  # fmt: skip

METHODS = Table(
    "methods", "One row a named method of a paper.", "Method", lambda record: record.methods,
    (
        *_key("m", "method"), _field("name", required=True), _field("full_name"), _listed("aliases"),
        _field("role", required=True),
        Column("mentions", "integer", lambda r, p, n: len(p.mentions), "How often the text names it."),
        *_place(_first_mention, "first mention"), *_CONFIDENCE,
    ),
    "method_id",
)  # fmt: skip

DATASETS = Table(
    "datasets", "One row a named dataset of a paper.", "Dataset", lambda record: record.datasets,
    (
        *_key("d", "dataset"), _field("name", required=True), _field("canonical", required=True),
        _field("role", required=True),
        Column("mentions", "integer", lambda r, p, n: len(p.mentions), "How often the text names it."),
        *_place(_first_mention, "first mention"), *_CONFIDENCE,
    ),
    "dataset_id",
)  # fmt: skip

RESULTS = Table(
    "results", "One row a number that a paper reports.", "Result", lambda record: record.results,
    (
        *_key("r", "result"), _field("kind", required=True), _field("value", "number", required=True),
        _field("high", "number"), _field("unit"), _field("qualifier", required=True), _field("metric"),
        _field("subject"), _field("baseline"), _listed("datasets"), _field("method"), _field("baseline_method"),
        _place(lambda p: p.span, "number")[0],
        Column("evidence", "string", _evidence, "The sentence the number stands in.", wide=True),
        *_place(lambda p: p.span, "number")[1:], *_CONFIDENCE,
    ),
    "result_id",
)  # fmt: skip

LINKS = Table(
    "links", "One row an address in an abstract.", "Link", lambda record: record.links,
    (
        *_key("l", "link"), _field("url", required=True, link=True), _field("kind", required=True),
        _field("host", required=True), _field("anonymous", "boolean", required=True),
        *_place(lambda p: p.span, "address"),
    ),
    "link_id",
)  # fmt: skip

ERRORS = Table(
    "errors", "One row a thing that went wrong.", None, lambda record: [],
    (
        _field("file", description="The file it happened in."),
        _field("line", "integer", description="The line of that file, from 1."),
        _field("index", "integer", description="The position of the abstract in that file, from 0."),
        _field("id", description="The id of the paper."),
        _field("severity", required=True, description="error: there is no record; warning: there is one."),
        _field("message", required=True, wide=True, description="What went wrong and what to do."),
    ),
)  # fmt: skip

TABLES = {table.name: table for table in (PAPERS, METHODS, DATASETS, RESULTS, LINKS, ERRORS)}
RECORD_TABLES = tuple(name for name in TABLES if name != "errors")
