"""What every output format offers: a place where records and problems go, one after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from extractor.records import PaperRecord


@dataclass(frozen=True, slots=True)
class Options:
    """How to write: one ``table`` instead of whole records, and with or without what Excel wants of a CSV file.

    ``append``: the place holds what was written before, and what is written goes behind it.
    """

    table: str | None = None
    excel: bool = False
    append: bool = False


class ByteStream(Protocol):
    """What a sink writes to."""

    def write(self, data: bytes, /) -> Any: ...

    def close(self) -> None: ...


class Sink(Protocol):
    """Where records and problems go. Nothing is complete before ``close``."""

    def add(self, record: PaperRecord) -> None: ...

    def add_problem(self, problem: Any) -> None: ...

    def close(self) -> None: ...
