"""An output that grows: which papers it has, and which of a longer list are new to it.

What is there stays byte for byte, so only formats that can be appended to and that list every paper can be updated.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from extractor.errors import InputError, UsageError
from extractor.pipeline import paper_id
from extractor.read import Item, Problem
from extractor.read.decoding import GZIP
from extractor.read.delimited import FIELD_LIMIT
from extractor.record_files import read_records
from extractor.run import Inputs
from extractor.tables import TABLES
from extractor.write import Output
from extractor.write.cells import CUT_MARK, Notes, plain_cell
from extractor.write.folder import DESCRIPTION_FILE

BOM = b"\xef\xbb\xbf"
ADVICE = "keep the records as JSON Lines, update these, and write any other format with `extractor export`"


@dataclass(slots=True)
class Known:
    """The papers of an output by id, each with a digest of its abstract; ``written`` makes a text as the output has it.

    ``changed`` counts the papers that came with another abstract since it was read.
    """

    abstracts: dict[str, set[bytes]] = field(default_factory=dict)
    count: int = 0
    changed: int = 0
    written: Callable[[str], str] = str

    def add(self, id: str, abstract: str) -> None:
        """Take in a paper, its texts as the output has them."""
        self.abstracts.setdefault(id, set()).add(_digest(abstract))
        self.count += 1

    def new(self, items: Iterable[Item | Problem]) -> Iterator[Item | Problem]:
        """The items that the output does not have, with a warning for each that it has with another abstract."""
        for item in items:
            if isinstance(item, Problem):
                yield item
                continue
            id = item.id or paper_id(item.abstract)
            there = self.abstracts.get(self.written(id))
            if there is None:
                yield item
                continue
            abstract = self.written(item.abstract)
            if _digest(abstract) not in there and not abstract.endswith(CUT_MARK):
                self.changed += 1
                source = item.source
                said = "the abstract is another than when it was extracted; what is there is kept"
                yield Problem(source.file, source.line, source.index, id, f"{id}: {said}", "warning")


class Newcomers:
    """Those of ``inputs`` that are new to an output."""

    def __init__(self, inputs: Inputs, known: Known) -> None:
        self.inputs = inputs
        self.known = known

    def __iter__(self) -> Iterator[Item | Problem]:
        return self.known.new(self.inputs)

    def total(self) -> int | None:
        """How many there are, by reading ahead; None when an input can be read only once."""
        if self.inputs.total() is None:
            return None
        ahead = Known(self.known.abstracts, written=self.known.written)
        return sum(isinstance(item, Item) for item in ahead.new(Inputs(self.inputs.paths, **self.inputs.options)))


def read_known(out: Output) -> Known:
    """The papers that are in the place of ``out``; none when nothing is there.

    Raises ``UsageError`` for a format that cannot be updated, and ``InputError`` when what is there is not sound.
    """
    name, table = out.format.name, out.options.table
    if out.name == "-":
        raise UsageError("--update needs a place to update: give -o")
    if name == "folder" or (name in ("csv", "tsv") and table == "papers"):
        if out.name.endswith(".gz"):
            raise UsageError(f"a compressed {name} cannot be updated: {ADVICE}")
        read = _read_folder if name == "folder" else _read_papers
    elif name == "jsonl" and table is None:
        read = _read_lines
    else:
        what = f"{name} of {table or 'results'}" if name in ("csv", "tsv") or table else name
        raise UsageError(f"{what} cannot be updated in place: {ADVICE}")
    place = Path(out.name)
    if not place.exists() or (place.is_file() and not place.stat().st_size):
        return Known()
    return read(out, place)


def _read_lines(out: Output, place: Path) -> Known:
    known = Known()
    try:
        with place.open("rb") as raw, gzip.open(raw) if raw.peek(2)[:2] == GZIP else raw as stream:
            packed = stream is not raw
            begin, end = stream.read(1), b"\n"
            while part := stream.read(1 << 20):
                end = part[-1:]
    except (OSError, EOFError) as error:
        raise InputError(f"{place}: cannot be read: {error}") from error
    if begin == b"[":
        raise InputError(f"{place}: is a JSON array, not JSON Lines: {ADVICE}")
    if begin and end != b"\n":
        raise InputError(
            f"{place}: the last line has no end, and may be cut off: check it, and end it with a line break"
        )
    if begin and packed != out.name.lower().endswith(".gz"):
        raise InputError(f"{place}: is {'' if packed else 'not '}compressed, against its name: rename it")
    for entry in read_records(str(place)):
        if isinstance(entry, Problem):
            raise InputError(f"{place}:{entry.line}: {entry.message}: mend or delete this line before an update")
        known.add(entry[1].id, entry[1].abstract)
    return known


def _read_folder(out: Output, place: Path) -> Known:
    there = {file.name for file in place.iterdir()}
    needed = {DESCRIPTION_FILE, *(f"{name}.csv" for name in TABLES)}
    if not there & needed:
        return Known()
    if needed - there:
        raise InputError(f"{place}: {', '.join(sorted(needed - there))} is not there: write the folder anew")
    for name in TABLES:
        _check_table(place / f"{name}.csv", name, ",", excel=out.options.excel)
    try:
        json.loads((place / DESCRIPTION_FILE).read_bytes())["resources"][0]["schema"]
    except (ValueError, LookupError, TypeError):
        raise InputError(f"{place / DESCRIPTION_FILE}: is no description of tables: write the folder anew") from None
    return _papers(place / "papers.csv", ",", excel=out.options.excel)


def _read_papers(out: Output, place: Path) -> Known:
    delimiter = "\t" if out.format.name == "tsv" else ","
    _check_table(place, "papers", delimiter, excel=out.options.excel)
    return _papers(place, delimiter, excel=out.options.excel)


def _check_table(file: Path, table: str, delimiter: str, *, excel: bool) -> None:
    """Raise ``InputError`` when rows of ``table`` cannot go behind those of ``file``."""
    end = b"\r\n" if excel else b"\n"
    header = (BOM if excel else b"") + delimiter.join(TABLES[table].header).encode() + end
    with file.open("rb") as stream:
        first = stream.readline()
        if first != header:
            same = first.removeprefix(BOM).strip() == header.removeprefix(BOM).strip()
            why = f"was written with{'out' if excel else ''} --excel" if same else "has other columns"
            raise InputError(f"{file}:1: {why}: it cannot be updated so")
        stream.seek(-len(end), 2)
        if stream.read() != end:
            raise InputError(f"{file}: the last line has no end, and may be cut off: write the table anew")


def _papers(file: Path, delimiter: str, *, excel: bool) -> Known:
    known = Known(written=lambda text: plain_cell(text, Notes(), fit=excel))
    csv.field_size_limit(FIELD_LIMIT)
    width = len(TABLES["papers"].columns)
    id, abstract = (TABLES["papers"].header.index(name) for name in ("id", "abstract"))
    with file.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter, strict=True)
        try:
            next(reader)
            for row in reader:
                if len(row) != width:
                    raise csv.Error(f"{len(row)} cells for {width} columns")
                known.add(row[id], row[abstract])
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"{file}:{reader.line_num}: {error}: mend or delete this row before an update") from error
    return known


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
