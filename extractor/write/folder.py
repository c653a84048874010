"""A folder of all tables as CSV, described by a ``datapackage.json`` (Data Package v2)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from extractor.records import PaperRecord
from extractor.schemas import table_schema
from extractor.tables import TABLES, Table
from extractor.version import __version__
from extractor.write.cells import CUT_MARK, Notes, plain_cell
from extractor.write.delimited import DelimitedSink
from extractor.write.sinks import Options

PROFILES = "https://datapackage.org/profiles/2.0/"
DESCRIPTION_FILE = "datapackage.json"
LAST_ROW = 9_999_999  # no abstract has more numbers or names
DESCRIPTION = (
    "Text that a spreadsheet could take for a formula has an apostrophe before it, and control characters are U+FFFD."
    " Offsets (start, end) count Unicode code points of the text as received."
)


class FolderSink:
    """One CSV file a table, and the description when all is written."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder = folder
        self.options = options
        self.sinks = {name: _table_sink(folder / f"{name}.csv", name, options) for name in TABLES}
        self.keys: set[str] = set()
        self.unique = not options.append or _promises_keys(folder / DESCRIPTION_FILE)

    def add(self, record: PaperRecord) -> None:
        # What counts is the longest key of the record as a cell: ids may differ only in what no cell can hold.
        key = plain_cell(f"{record.id}-m{LAST_ROW}", Notes(), fit=self.options.excel)
        self.unique = self.unique and key not in self.keys and not key.endswith(CUT_MARK)
        self.keys.add(key)
        for sink in self.sinks.values():
            sink.add(record)

    def add_problem(self, problem: Any) -> None:
        self.sinks["errors"].add_problem(problem)

    def close(self) -> None:
        for sink in self.sinks.values():
            sink.close()
        package = {
            "$schema": PROFILES + "datapackage.json",
            "name": "extracted-records",
            "title": "What was found in the abstracts",
            "description": DESCRIPTION,
            "version": __version__,
            "resources": [self._resource(table) for table in TABLES.values()],
        }
        text = json.dumps(package, ensure_ascii=False, indent=2) + "\n"
        (self.folder / DESCRIPTION_FILE).write_text(text, encoding="utf-8")

    def _resource(self, table: Table) -> dict[str, Any]:
        file = self.folder / f"{table.name}.csv"
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        schema = table_schema(table)
        if not self.unique:
            # Two papers under one id: the tables are kept as they are, and no longer promise a key.
            schema.pop("primaryKey", None)
        elif "paper_id" in table.header:
            reference = {"resource": "papers", "fields": ["id"]}
            schema["foreignKeys"] = [{"fields": ["paper_id"], "reference": reference}]
        return {
            "$schema": PROFILES + "dataresource.json",
            "name": table.name,
            "type": "table",
            "path": file.name,
            "description": table.description,
            "format": "csv",
            "mediatype": "text/csv",
            # With and without a byte order mark the name of the encoding is this one: "utf-8-sig" is Python's.
            "encoding": "utf-8",
            "dialect": _dialect(self.options),
            "bytes": file.stat().st_size,
            "hash": f"sha256:{digest}",
            "schema": schema,
        }


def _table_sink(path: Path, table: str, options: Options) -> DelimitedSink:
    # What went wrong is told of this run alone.
    append = options.append and table != "errors"
    return DelimitedSink(path.open("ab" if append else "wb"), Options(table, options.excel, append))


def _dialect(options: Options) -> dict[str, Any]:
    """How the CSV files are written. Said in full, as readers otherwise guess from the first lines."""
    return {
        "$schema": PROFILES + "tabledialect.json",
        "header": True,
        "delimiter": DelimitedSink.delimiter,
        "lineTerminator": "\r\n" if options.excel else "\n",
        "quoteChar": '"',
        "doubleQuote": True,
    }


def _promises_keys(description: Path) -> bool:
    """Whether the ids of the papers that were written before are unique."""
    papers = json.loads(description.read_bytes())["resources"][0]
    return "primaryKey" in papers["schema"]
