"""Records as the compact JSON of the page: lists instead of objects, repeated words once, offsets instead of quotes.

What a list holds, and in what order, is written down here and read by ``script/data.js``; nothing of a record is left
out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from extractor.records import Dataset, Extent, Link, Method, PaperRecord, Result, Span

# What could end the script element or open a comment in it, the two line ends JavaScript once took for its own, and
# halves of surrogate pairs, which UTF-8 has no place for.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


class Island:
    """The JSON of all records, made one record after another; ``papers`` counts them."""

    def __init__(self, records: Iterable[PaperRecord]) -> None:
        self.records = records
        self.papers = 0
        self._strings: dict[str, int] = {}

    def chunks(self) -> Iterator[str]:
        """The JSON in pieces. The repeated words come last: which there are is known only then."""
        yield '{"papers":['
        for record in self.records:
            yield (",\n" if self.papers else "\n") + safe_json(self._paper(record))
            self.papers += 1
        yield '\n],\n"strings":' + safe_json(list(self._strings)) + "}"

    def _paper(self, record: PaperRecord) -> list[Any]:
        source = record.source
        return [
            record.id,
            record.title,
            self._word(record.venue),
            record.year,
            record.url,
            record.abstract,
            self._word(record.code_status),
            [self._method(method) for method in record.methods],
            [self._dataset(dataset) for dataset in record.datasets],
            [self._result(result) for result in record.results],
            [self._link(link) for link in record.links],
            record.warnings,
            [self._word(source.file), self._word(source.format), source.index, source.line],
            _plain(record.extra),
            self._word(record.schema_version),
        ]

    def _method(self, method: Method) -> list[Any]:
        return [
            self._word(method.name),
            self._word(method.role),
            _number(method.confidence),
            self._word(method.rule),
            _places(method.mentions),
            method.full_name,
            method.aliases,
        ]

    def _dataset(self, dataset: Dataset) -> list[Any]:
        return [
            self._word(dataset.name),
            self._word(dataset.role),
            _number(dataset.confidence),
            self._word(dataset.rule),
            _places(dataset.mentions),
            self._word(dataset.canonical),
        ]

    def _result(self, result: Result) -> list[Any]:
        return [
            self._word(result.kind),
            _number(result.value),
            _number(result.high),
            self._word(result.unit),
            self._word(result.qualifier),
            self._word(result.metric),
            self._word(result.subject),
            self._word(result.baseline),
            [self._word(name) for name in result.datasets],
            self._word(result.method),
            self._word(result.baseline_method),
            _places([result.span]),
            _places([result.sentence]),
            _number(result.confidence),
            self._word(result.rule),
        ]

    def _link(self, link: Link) -> list[Any]:
        return [link.url, self._word(link.kind), self._word(link.host), int(link.anonymous), _places([link.span])]

    def _word(self, word: str | None) -> int | None:
        """The number of ``word`` among the repeated ones."""
        return None if word is None else self._strings.setdefault(word, len(self._strings))


def safe_json(value: Any) -> str:
    """``value`` as JSON that says nothing to an HTML parser, whatever the texts in it hold."""
    made = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", made)


def _places(spans: Iterable[Span | Extent]) -> list[int]:
    """Three numbers a span: 1 for the title and 0 for the abstract, its start, its end."""
    return [number for span in spans for number in (int(span.field == "title"), span.start, span.end)]


def _plain(extra: dict[str, Any]) -> dict[str, Any]:
    """``extra`` without NaN and infinities, which JSON does not have."""
    made: dict[str, Any] = json.loads(json.dumps(extra), parse_constant=lambda _: None)
    return made


def _number(value: float | None) -> float | None:
    """Whole numbers without ``.0``, as long as they stay exact."""
    if value is not None and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value
