"""Several inputs as one stream of items; one that cannot be read is a problem among the others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from extractor.read import Item, Problem, ReadError, read
from extractor.read.items import Severity

STDIN = "-"


class Inputs:
    """The items of ``paths`` in order, each file once. ``unreadable`` lists those that could not be read at all."""

    def __init__(self, paths: Sequence[str], **options: Any) -> None:
        self.paths = paths
        self.options = options
        self.unreadable: list[str] = []
        # An option that makes no sense is told at once, not for every input: nothing is opened by this.
        read(STDIN, **options)

    def __iter__(self) -> Iterator[Item | Problem]:
        seen: set[str] = set()
        for path in self.paths:
            place = path if path == STDIN else os.path.realpath(path)
            if place in seen:
                yield _problem(path, "given twice, and read once", "warning")
                continue
            seen.add(place)
            try:
                yield from read(path, **self.options)
            except ReadError as error:
                self.unreadable.append(path)
                yield _unreadable(path, str(error))

    def total(self) -> int | None:
        """How many items there are, by reading ahead; None when an input can be read only once."""
        if any(path == STDIN or not Path(path).is_file() for path in self.paths):
            return None
        ahead = Inputs(self.paths, **self.options)
        return sum(isinstance(item, Item) for item in ahead)


def _unreadable(path: str, said: str) -> Problem:
    """What a reader says of ``path`` as a whole begins with its name, and perhaps a line."""
    place = re.match(rf"{re.escape(path)}:(?:(\d+):)?\s+", said)
    line = int(place[1]) if place and place[1] else None
    return Problem(path, line, None, None, said[place.end() :] if place else said, "error")


def _problem(path: str, message: str, severity: Severity) -> Problem:
    return Problem(file=path, line=None, index=None, id=None, message=message, severity=severity)
