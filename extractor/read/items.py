"""What reading gives: items to extract from, and problems in the place of those that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from extractor.errors import InputError
from extractor.records import Source

Severity = Literal["error", "warning"]


class ReadError(InputError, ValueError):
    """An input that cannot be read at all; the message is one line that says what to do."""


@dataclass(slots=True)
class Item:
    """One abstract with what came along: ``extra`` holds every other column, as JSON has it."""

    id: str | None
    abstract: str
    title: str | None = None
    venue: str | None = None
    year: int | None = None
    url: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    source: Source = field(default_factory=Source)


@dataclass(slots=True)
class Problem:
    """Something about an input that a person should know. An error costs a record, a warning does not.

    ``index`` counts the records of the input from 0, ``line`` its lines from 1.
    """

    file: str | None
    line: int | None
    index: int | None
    id: str | None
    message: str
    severity: Severity = "error"


@dataclass(slots=True, frozen=True)
class Options:
    """How to read: the names of the columns, where they are not the usual ones, and what parts a text page."""

    text_column: str | None = None
    id_column: str | None = None
    title_column: str | None = None
    separator: str | None = None
