"""The output formats, and which one a name asks for."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from extractor.errors import UsageError
from extractor.tables import TABLES
from extractor.write.sinks import Options, Sink


@dataclass(frozen=True, slots=True)
class Format:
    """One output format. ``make`` builds its sink over a stream, or over a path when ``on`` says so."""

    name: str
    suffixes: tuple[str, ...]
    description: str
    make: Callable[..., Sink]
    on: str = "stream"
    tabular: bool = True
    """Whether one table can be asked for."""
    companions: tuple[str, ...] = ()
    """What is added to the name of a file for others that are read together with it."""


def _jsonl(stream: BinaryIO, options: Options) -> Sink:
    from extractor.write.lines import JsonLinesSink

    return JsonLinesSink(stream, options)


def _json(stream: BinaryIO, options: Options) -> Sink:
    from extractor.write.lines import JsonSink

    return JsonSink(stream, options)


def _csv(stream: BinaryIO, options: Options) -> Sink:
    from extractor.write.delimited import DelimitedSink

    return DelimitedSink(stream, options)


def _tsv(stream: BinaryIO, options: Options) -> Sink:
    from extractor.write.delimited import TabSink

    return TabSink(stream, options)


def _xlsx(path: Path, options: Options) -> Sink:
    from extractor.write.workbook import WorkbookSink

    return WorkbookSink(path, options)


def _sqlite(path: Path, options: Options) -> Sink:
    from extractor.write.sqlite import DatabaseSink

    return DatabaseSink(path, options)


def _parquet(path: Path, options: Options) -> Sink:
    try:
        from extractor.write.parquet import ParquetSink
    except ImportError as error:
        raise UsageError("parquet needs pyarrow: install it, or paper-extractor with the extra [parquet]") from error

    return ParquetSink(path, options)


def _folder(path: Path, options: Options) -> Sink:
    from extractor.write.folder import FolderSink

    return FolderSink(path, options)


# What SQLite leaves beside a database that was not closed. It would be played into the new one, and ruin it.
JOURNALS = ("-journal", "-wal", "-shm")

FORMATS = {
    made.name: made
    for made in (
        Format("jsonl", (".jsonl", ".ndjson"), "JSON Lines, one record a line", _jsonl),
        Format("json", (".json",), "a JSON array of records", _json),
        Format("csv", (".csv",), "one table, comma-separated (results, or --table)", _csv),
        Format("tsv", (".tsv", ".tab"), "one table, tab-separated (results, or --table)", _tsv),
        Format("xlsx", (".xlsx",), "Excel workbook of all tables", _xlsx, on="path", tabular=False),
        Format("sqlite", (".sqlite", ".db"), "SQLite database of all tables", _sqlite, "path", False, JOURNALS),
        Format("parquet", (".parquet",), "Parquet, one row a paper with its lists, or --table", _parquet, on="path"),
        Format("folder", ("/",), "folder of all tables as CSV with a datapackage.json", _folder, "folder", False),
    )
}


def choose_format(output: str, name: str | None = None) -> Format:
    """The format called ``name``, else the one the name of ``output`` asks for."""
    if name is not None:
        if name not in FORMATS:
            raise UsageError(f"there is no output format {name!r}: choose one of {', '.join(FORMATS)}")
        return FORMATS[name]
    if output.endswith(("/", os.sep)) or Path(output).is_dir():
        return FORMATS["folder"]
    path = Path(output)
    if path.exists() and not path.is_file():
        return FORMATS["jsonl"]  # a device or a pipe has no suffix to go by
    bare = output.lower().removesuffix(".gz")
    for made in FORMATS.values():
        if bare.endswith(made.suffixes):
            return made
    known = ", ".join(suffix for made in FORMATS.values() for suffix in made.suffixes if suffix != "/")
    raise UsageError(
        f"{output}: cannot tell the output format from this name: end it in {known} or /, or give --format"
    )


def check_options(made: Format, options: Options) -> None:
    """Refuse what ``made`` cannot do."""
    if options.table is not None and options.table not in TABLES:
        raise UsageError(f"there is no table {options.table!r}: choose one of {', '.join(TABLES)}")
    if options.table is not None and not made.tabular:
        raise UsageError(f"{made.name} holds all tables: leave --table out, or write csv, tsv, jsonl, json or parquet")
    if options.excel and made.name not in ("csv", "tsv", "folder"):
        raise UsageError(f"--excel is for csv, tsv and folders, not for {made.name}")


def open_sink(made: Format, path: Path, options: Options, *, compressed: bool = False) -> Sink:
    """A sink that writes to ``path``."""
    if made.on != "stream":
        if compressed:
            raise UsageError(f"{made.name} cannot be written compressed: leave .gz out")
        return made.make(path, options)
    raw = path.open("ab" if options.append else "wb")
    return made.make(_Compressed(raw) if compressed else raw, options)


class _Compressed(gzip.GzipFile):
    """Gzip without name and date, so that the same records give the same bytes; closes what it writes to."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__(filename="", mode="wb", fileobj=raw, mtime=0)
        self.raw_file = raw

    def close(self) -> None:
        super().close()
        self.raw_file.close()
