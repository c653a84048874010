"""JSON Lines and JSON: whole records, or the rows of one table, one a line."""

from __future__ import annotations

import json
from typing import Any

from extractor.records import PaperRecord
from extractor.tables import Row, error_row
from extractor.write.sinks import ByteStream, Options
from extractor.write.storable import whole


class JsonLinesSink:
    """One JSON object a line."""

    before, between, after = b"", b"\n", b"\n"

    def __init__(self, stream: ByteStream, options: Options) -> None:
        self.stream = stream
        self.table = options.table
        self.empty = True

    def add(self, record: PaperRecord) -> None:
        if self.table is None:
            self._put(record.model_dump_json().encode())
        elif self.table != "errors":
            for row in record.to_rows(self.table):
                self._put(_row(row))

    def add_problem(self, problem: Any) -> None:
        if self.table == "errors":
            self._put(_row(error_row(problem)))

    def close(self) -> None:
        if self.empty:
            self.stream.write(self.before + self.after if self.before else b"")
        elif self.before:
            self.stream.write(self.after)
        self.stream.close()

    def _put(self, line: bytes) -> None:
        if self.before:
            self.stream.write((self.before if self.empty else self.between) + line)
        else:
            # A line is whole when it is written: a reader of a pipe never waits for the next one.
            self.stream.write(line + self.after)
        self.empty = False


class JsonSink(JsonLinesSink):
    """One array, with a line for each of its objects."""

    before, between, after = b"[\n", b",\n", b"\n]\n"


def _row(row: Row) -> bytes:
    return whole(json.dumps(row, ensure_ascii=False, allow_nan=False)).encode()
