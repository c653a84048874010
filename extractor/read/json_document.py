"""JSON: an array of records, an object that holds one, or an object with a record for every id."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from extractor.read.decoding import Text
from extractor.read.fields import TEXT, choose, flatten, make_item
from extractor.read.items import Item, Options, Problem, ReadError
from extractor.read.json_lines import describe, parse
from extractor.records import Source

# Where an object keeps its records, the likeliest names first.
LISTS = (
    *("papers", "records", "notes", "abstracts", "articles", "documents", "submissions", "results", "items", "entries"),
    *("data", "rows", "docs"),
)


def read_json(text: Text, options: Options) -> Iterator[Item | Problem]:
    """The items of ``text``."""
    content = "".join(text.lines())
    start = len(content) - len(content.lstrip("\ufeff \t\r\n"))
    if content.startswith("[", start):
        yield from _array(text, content, start, options)
        return
    try:
        document = parse(content[start:])
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise ReadError(f"{text.name}{line}: not JSON ({describe(error)})") from error
    if not isinstance(document, dict):
        raise ReadError(f"{text.name}: JSON, but neither an array nor an object; give an array of records")
    records = _records(document, options)
    if records is None:
        there = ", ".join(list(document)[:12])
        raise ReadError(
            f"{text.name}: no records found; give an array of objects, or an object that holds one ({there})"
        )
    for index, (key, record) in enumerate(records):
        source = Source(file=text.name, format="json", index=index)
        yield from _item(record, options, source, key)


def _item(record: Any, options: Options, source: Source, key: str | None = None) -> Iterator[Item | Problem]:
    if isinstance(record, dict | str):
        yield from make_item(record, options, source, key)
    else:
        yield Problem(source.file, source.line, source.index, key, "a JSON object is expected for every record")


def _array(text: Text, content: str, start: int, options: Options) -> Iterator[Item | Problem]:
    """The entries of an array one by one, so that a broken one does not cost those before it."""
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    place, index, line, counted = start + 1, 0, 1 + content.count("\n", 0, start), start
    while True:
        while place < len(content) and content[place] in " \t\r\n,":
            place += 1
        line += content.count("\n", counted, place)
        counted = place
        if content.startswith("]", place):
            break
        try:
            if place >= len(content):
                raise ValueError("the array is not closed")
            record, end = decoder.raw_decode(content, place)
        except (ValueError, RecursionError) as error:
            if not index:
                raise ReadError(f"{text.name}:{line}: not JSON ({describe(error)})") from error
            said = f"not JSON from here on ({describe(error)}); what stands before was read"
            yield Problem(text.name, line, index, None, said)
            return
        source = Source(file=text.name, format="json", index=index, line=line)
        yield from _item(record, options, source)
        place, index = end, index + 1
    if not index:
        raise ReadError(f"{text.name}: an empty array; there is nothing to read")


def _records(document: Mapping[str, Any], options: Options, depth: int = 0) -> list[tuple[str | None, Any]] | None:
    """(id, record) of each record in an object."""
    if choose(flatten(document, options), options.text_column, TEXT) is not None:
        return [(None, document)]
    lists = [name for name, value in document.items() if isinstance(value, list) and value]
    lists.sort(key=lambda name: LISTS.index(name.lower()) if name.lower() in LISTS else len(LISTS))
    for name in lists:
        if any(isinstance(entry, dict | str) for entry in document[name]):
            return [(None, entry) for entry in document[name]]
    entries = {key: value for key, value in document.items() if isinstance(value, dict)}
    fit = [v for v in entries.values() if choose(flatten(v, options), options.text_column, TEXT) is not None]
    if fit and len(fit) * 2 >= len(document):
        return [(key, value) for key, value in document.items()]
    if depth < 2:
        for value in entries.values():
            found = _records(value, options, depth + 1)
            if found is not None:
                return found
    if not depth and document and all(isinstance(value, str) and len(value) > 200 for value in document.values()):
        return list(document.items())
    return None
