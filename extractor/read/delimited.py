"""CSV and TSV: the delimiter is found by trying, and the first line names the columns."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator

from extractor.read.decoding import Text
from extractor.read.fields import TEXT, choose, make_item
from extractor.read.items import Item, Options, Problem, ReadError
from extractor.records import Source

DELIMITERS = ",\t;|"
FIELD_LIMIT = (1 << 31) - 1
SHOWN = 12
RESCUES = 10  # quotation marks never closed, after which reading on is given up


def find_delimiter(sample: str, options: Options, preferred: str = ",") -> tuple[str, list[str]]:
    """The delimiter that makes a table of ``sample``, and the columns it then has.

    A column that can hold the abstract counts most, then that rows are as wide as the header, then its width.
    """
    csv.field_size_limit(FIELD_LIMIT)
    lines = sample.removeprefix("\ufeff").splitlines(keepends=True)
    best: tuple[tuple[bool, float, bool, int], str, list[str]] | None = None
    for delimiter in DELIMITERS:
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        except csv.Error:
            continue
        if not rows:
            continue
        header = rows[0]
        body = rows[1:-1] or rows[1:]  # the last one may be cut off
        even = sum(len(row) == len(header) for row in body) / max(1, len(body)) if len(header) > 1 else 0.0
        named = choose(header, options.text_column, TEXT) is not None
        score = (named, round(even, 1), delimiter == preferred, len(header))
        if best is None or score > best[0]:
            best = score, delimiter, header
    return (best[1], best[2]) if best else (preferred, [])


def looks_delimited(sample: str, options: Options) -> bool:
    """Whether ``sample`` begins with the header of a table that has an abstract."""
    _, header = find_delimiter(sample[: 1 << 14], options)
    return len(header) > 1 and choose(header, options.text_column, TEXT) is not None


def read_csv(text: Text, options: Options) -> Iterator[Item | Problem]:
    """The items of a table whose values are most likely parted by commas."""
    return _rows(text, options, "csv", ",")


def read_tsv(text: Text, options: Options) -> Iterator[Item | Problem]:
    """The items of a table whose values are most likely parted by tabs."""
    return _rows(text, options, "tsv", "\t")


def _rows(text: Text, options: Options, format: str, preferred: str) -> Iterator[Item | Problem]:
    delimiter, _ = find_delimiter(text.sample, options, preferred)
    lines = _Lines(_without_nul(text))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header = next((row for row in reader if any(cell.strip() for cell in row)), [])
    except csv.Error as error:
        raise ReadError(f"{text.name}:{reader.line_num}: the line of column names is broken ({error})") from error
    names = _names(header)
    if choose(names, options.text_column, TEXT) is None:
        wanted = repr(options.text_column) if options.text_column else f"for the abstract ({', '.join(TEXT[:6])})"
        there = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
        raise ReadError(f"{text.name}: no column {wanted} among {there}; name it with --text-column")
    for wanted_name, option in ((options.id_column, "--id-column"), (options.title_column, "--title-column")):
        if wanted_name is not None and choose(names, wanted_name, ()) is None:
            raise ReadError(f"{text.name}: no column {wanted_name!r} for {option} among {', '.join(names[:SHOWN])}")
    index = 0
    tries, doubt = RESCUES, False
    while True:
        line = lines.begin()
        try:
            row = next(reader, None)
        except csv.Error as error:
            unclosed = "end of data" in str(error)
            tries -= unclosed
            left = "the row is" if tries else "all from here on is"
            said = "a quotation mark is never closed" if unclosed else str(error)
            yield Problem(text.name, line, index, None, f"broken quoting ({said}); {left} left out")
            if not tries:
                return
            index += 1
            # What the open quotation mark swallowed may be rows of their own, or the rest of this one.
            lines.give_back()
            doubt = True
            reader = csv.reader(lines, delimiter=delimiter, strict=True)
            continue
        if row is None:
            return
        if not any(cell.strip() for cell in row):
            continue
        source = Source(file=text.name, format=format, index=index, line=line)
        index += 1
        whole = len(row) == len(names) and "".join(lines.row).count('"') % 2 == 0
        if doubt and not whole:
            said = "the rest of a broken row, it seems; left out"
            yield Problem(text.name, line, source.index, None, said)
            continue
        doubt = line <= lines.doubtful
        yield from _row(row, names, options, source)


def _row(row: list[str], names: list[str], options: Options, source: Source) -> Iterator[Item | Problem]:
    if any(cell.strip() for cell in row[len(names) :]):
        said = f"{len(row)} cells for {len(names)} columns, perhaps a {'comma'} without quotation marks; left out"
        yield Problem(source.file, source.line, source.index, None, said)
        return
    if len(row) < len(names):
        said = f"{len(row)} cells for {len(names)} columns; those that are missing count as empty"
        yield Problem(source.file, source.line, source.index, None, said, "warning")
    text_name = choose(names, options.text_column, TEXT)
    cells = dict(zip(names, [*row, *[""] * (len(names) - len(row))], strict=False))
    yield from make_item({n: c if c or n == text_name else None for n, c in cells.items()}, options, source)


def _names(header: list[str]) -> list[str]:
    """The columns' names; one without a name, or with another's, is told by its place."""
    names: list[str] = []
    for place, cell in enumerate(header, 1):
        name = cell.strip().removeprefix("\ufeff").strip()
        names.append(name if name and name not in names else f"column_{place}")
    return names


class _Lines:
    """The lines of a table, of which those of the row under way can be given back."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.again: deque[str] = deque()
        self.row: list[str] = []
        self.number = 0
        self.doubtful = 0  # the last line that was given back

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self.again.popleft() if self.again else next(self.lines)
        self.number += 1
        self.row.append(line)
        return line

    def begin(self) -> int:
        """The line on which the next row begins."""
        self.row.clear()
        return self.number + 1

    def give_back(self) -> None:
        """Read all lines of this row again but its first."""
        self.doubtful = max(self.doubtful, self.number)
        self.number -= len(self.row) - 1
        self.again.extendleft(reversed(self.row[1:]))


def _without_nul(text: Text) -> Iterator[str]:
    for line in text.lines():
        yield line.replace("\x00", "\ufffd") if "\x00" in line else line
