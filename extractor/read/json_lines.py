"""JSON Lines: one record a line. Blank lines are passed over, a broken line is a problem and the rest is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from extractor.read.decoding import Text
from extractor.read.fields import make_item
from extractor.read.items import Item, Options, Problem
from extractor.records import Source


def parse(text: str) -> Any:
    """The value of a JSON text; NaN and infinities, which JSON has not, are null."""
    return json.loads(text, parse_constant=lambda _: None)


def describe(error: Exception) -> str:
    """What is wrong with a JSON text, in a few words."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, column {error.colno}"
    return str(error).split(":")[0].split(";")[0]


def read_json_lines(text: Text, options: Options) -> Iterator[Item | Problem]:
    """The items of ``text``, one a line."""
    index = 0
    for number, line in enumerate(text.lines(), 1):
        line = line.strip().removeprefix("\x1e")  # RFC 7464 begins each record with a separator
        if not line:
            continue
        source = Source(file=text.name, format="jsonl", index=index, line=number)
        index += 1
        try:
            record = parse(line)
        except (ValueError, RecursionError) as error:
            yield Problem(text.name, number, source.index, None, f"not JSON ({describe(error)}); the line is left out")
            continue
        if isinstance(record, dict | str):
            yield from make_item(record, options, source)
        else:
            yield Problem(text.name, number, source.index, None, "a JSON object is expected on every line")
