"""Read abstracts from files and standard input: text pages, JSON Lines, JSON, CSV and TSV, each also with gzip."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from extractor.read.decoding import DAMAGED, Text, open_text
from extractor.read.formats import FORMATS, Format, pick
from extractor.read.items import Item, Options, Problem, ReadError

__all__ = ["FORMATS", "Format", "Item", "Problem", "ReadError", "read"]


def read(
    path: str | os.PathLike[str],
    *,
    input_format: str | None = None,
    encoding: str | None = None,
    text_column: str | None = None,
    id_column: str | None = None,
    title_column: str | None = None,
    separator: str | None = None,
) -> Iterator[Item | Problem]:
    """The items of ``path`` (``-`` is standard input) in order, with problems where something is wrong.

    The columns are found by their usual names (abstract, text, summary; id, paper_id; title) where none is given.
    ``separator`` is the line that parts the abstracts of a text page. An input that cannot be read at all raises
    ``ReadError`` when the first item is asked for.
    """
    name = os.fspath(path)
    options = Options(text_column, id_column, title_column, separator)
    if input_format is not None and input_format.lower() not in FORMATS:
        raise ReadError(f"there is no input format {input_format!r}: choose one of {', '.join(FORMATS)}")
    return _read(name, input_format, encoding, options)


def _read(name: str, input_format: str | None, encoding: str | None, options: Options) -> Iterator[Item | Problem]:
    if name == "-":
        opened = nullcontext(sys.stdin.buffer)
    else:
        if not name:
            raise ReadError("an input has no name: give a file, or - for standard input")
        place = Path(name)
        if os.path.isdir(name):  # noqa: PTH112 (a name too long is told below)
            raise ReadError(f"{name}: is a folder; name the files in it, for example {place / '*.jsonl'}")
        try:
            opened = place.open("rb")  # type: ignore[assignment]
        except FileNotFoundError:
            raise ReadError(f"{name}: there is no such file") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ReadError(f"{name}: cannot be opened: {reason}") from error
    with opened as stream:
        try:
            text = open_text(name, stream, encoding)
            yield from _items(text, pick(text, input_format, options), options)
        except OSError as error:
            raise ReadError(f"{name}: cannot be read: {error.strerror or error}") from error


def _items(text: Text, format: Format, options: Options) -> Iterator[Item | Problem]:
    """The items, after what there is to say about the encoding; compressed data may end too soon."""
    count = 0
    try:
        for item in format.read(text, options):
            yield from _warnings(text)
            count += isinstance(item, Item)
            yield item
    except DAMAGED as error:
        if not count:
            raise ReadError(f"{text.name}: the compressed data is damaged: {error}") from error
        said = f"the compressed data is damaged or cut off ({error}); what stands before was read"
        yield Problem(text.name, None, None, None, said)
    except UnicodeError as error:
        said = f"cannot be read as {text.encoding}: {error}"
        if not count:
            raise ReadError(f"{text.name}: {said}") from error
        yield Problem(text.name, None, None, None, f"{said}; what stands before was read")
    yield from _warnings(text)


def _warnings(text: Text) -> Iterator[Problem]:
    while text.warnings:
        line, message = text.warnings.pop(0)
        yield Problem(text.name, line, None, None, message, "warning")
