"""Files of records: JSON Lines or a JSON array, compressed or not, read one record after another.

A bad entry is a ``Problem`` that names its file and line; the good ones around it are still given.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from extractor.errors import InputError
from extractor.read import Problem
from extractor.read.decoding import GZIP, kind_of
from extractor.records import PaperRecord

SPACE = b" \t\r\n"


def read_records(path: str) -> Iterator[tuple[int, PaperRecord] | Problem]:
    """(line, record) of each sound record of ``path`` (``-`` is standard input), a problem for each flaw of another."""
    for line, index, raw in _entries(path):
        try:
            record = PaperRecord.model_validate_json(raw)
        except ValidationError as error:
            for flaw in error.errors(include_url=False, include_context=False, include_input=False):
                yield _problem(path, line, index, ".".join(str(part) for part in flaw["loc"]), flaw["msg"])
            continue
        flaws = list(record.inconsistencies())
        for field, message in flaws:
            yield _problem(path, line, index, field, message, record.id)
        if not flaws:
            yield line, record


def entries(paths: Iterable[str]) -> Iterator[PaperRecord | Problem]:
    """The records of all ``paths``, with a problem for each flaw."""
    for path in paths:
        for entry in read_records(path):
            yield entry if isinstance(entry, Problem) else entry[1]


def read_objects(path: str) -> Iterator[dict[str, Any]]:
    """Every JSON object of ``path``, whatever its fields; an ``InputError`` at the first thing that is none."""
    for line, _, raw in _entries(path):
        try:
            entry = json.loads(raw)
        except ValueError as error:
            raise InputError(f"{path}:{line}: not JSON: {error}") from error
        if not isinstance(entry, dict):
            raise InputError(f"{path}:{line}: a JSON object was expected")
        yield entry


def _problem(path: str, line: int, index: int, field: str, message: str, id: str | None = None) -> Problem:
    said = f"{field}: {message}" if field else message
    return Problem(file=path, line=line, index=index, id=id, message=" ".join(said.split()), severity="error")


def _entries(path: str) -> Iterator[tuple[int, int, bytes]]:
    """(line, index, JSON) of each entry."""
    try:
        lines = _lines(path)
        first = next(lines, b"").removeprefix(b"\xef\xbb\xbf")
        kind = kind_of(first)
        if kind is not None:
            what = kind.partition(";")[0]
            raise InputError(f"{path}: is {what}: give records, in JSON Lines as `extractor extract` writes them")
        if first.lstrip(SPACE).startswith(b"["):
            yield from _array(path, first + b"".join(lines))
            return
        index = 0
        if first.strip(SPACE):
            yield 1, index, first
            index += 1
        for number, line in enumerate(lines, 2):
            if line.strip(SPACE):
                yield number, index, line
                index += 1
    except (OSError, EOFError, zlib.error) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from error


def _lines(path: str) -> Iterator[bytes]:
    with sys.stdin.buffer if path == "-" else Path(path).open("rb") as stream:
        start = stream.peek(2)[:2] if hasattr(stream, "peek") else b""
        if start == GZIP:
            with gzip.open(stream) as unpacked:
                yield from unpacked
        else:
            yield from stream


def _array(path: str, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The entries of a JSON array, each with the line it begins on."""
    text = data.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    at, index, line, counted = text.index("[") + 1, 0, 1, 0
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        if at >= len(text) or text[at] == "]":
            return
        line += text.count("\n", counted, at)
        counted = at
        try:
            _, end = decoder.raw_decode(text, at)
        except ValueError as error:
            raise InputError(f"{path}:{line}: not JSON: {error}") from error
        yield line, index, text[at:end].encode("utf-8", "surrogatepass")
        at, index = end, index + 1
