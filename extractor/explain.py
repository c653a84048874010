"""A record told to a person: every value with its rule and confidence, and where in the text it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractor.tables import number_text

if TYPE_CHECKING:
    from extractor.records import PaperRecord, Result, Span


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its label (``m1``), what it says, and the spans it stands on. A link has no rule."""

    label: str
    group: str
    said: str
    spans: tuple[Span, ...]
    rule: str | None = None
    confidence: float | None = None


def values(record: PaperRecord) -> list[Value]:
    """Every value of ``record``, group by group."""
    made = []
    for n, method in enumerate(record.methods, 1):
        names = [f"({name})" for name in (method.full_name, *method.aliases) if name]
        said = " ".join([method.name, *names, method.role])
        made.append(Value(f"m{n}", "method", said, tuple(method.mentions), method.rule, method.confidence))
    for n, dataset in enumerate(record.datasets, 1):
        other = [f"({dataset.canonical})"] if dataset.canonical != dataset.name else []
        said = " ".join([dataset.name, *other, dataset.role])
        made.append(Value(f"d{n}", "dataset", said, tuple(dataset.mentions), dataset.rule, dataset.confidence))
    for n, result in enumerate(record.results, 1):
        said = result_text(result)
        made.append(Value(f"r{n}", "result", said, (result.span,), result.rule, result.confidence))
    for n, link in enumerate(record.links, 1):
        said = f"{link.url} {link.kind}" + (" anonymous" if link.anonymous else "")
        made.append(Value(f"l{n}", "link", said, (link.span,)))
    return made


def result_text(result: Result) -> str:
    """A number with all it says: ``up to 3.2x speedup, latency, by FooNet, on ImageNet``."""
    limit = "" if result.qualifier == "exact" else result.qualifier.replace("_", " ") + " "
    said = f"{limit}{amount_text(result)} {result.kind}" + (f", {result.metric}" if result.metric else "")
    own = None if result.subject else result.method
    tied = (("of", result.subject), ("by", own), ("against", result.baseline), ("on", ", ".join(result.datasets)))
    return said + "".join(f", {word} {what}" for word, what in tied if what)


def amount_text(result: Result) -> str:
    """The amount of a number with its unit: ``3.2x``, ``2–8%``, ``7,000,000,000``."""
    value = "–".join(_grouped(number) for number in (result.value, result.high) if number is not None)
    return value + {"percent": "%", "x": "x", None: ""}.get(result.unit, f" {result.unit}")


def _grouped(value: float) -> str:
    """A number for a reader: ``7,000,000,000``."""
    return f"{int(value):,}" if value.is_integer() else number_text(value)


def pieces(text: str, field: str, told: Iterable[Value]) -> list[tuple[str, Value | None]]:
    """``text`` cut into pieces, each with the value that stands there. Where values overlap the longer one is shown."""
    places = [(span.start, span.end, value) for value in told for span in value.spans if span.field == field]
    places.sort(key=lambda place: (place[0], -place[1]))
    made: list[tuple[str, Value | None]] = []
    at = 0
    for start, end, value in places:
        if start < at:
            continue
        if start > at:
            made.append((text[at:start], None))
        made.append((text[start:end], value))
        at = end
    if at < len(text):
        made.append((text[at:], None))
    return made
