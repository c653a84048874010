"""CSV and TSV: one tidy table, quoted as RFC 4180 says."""

from __future__ import annotations

import re
from typing import Any

from extractor.records import PaperRecord
from extractor.tables import TABLES, Row, error_row
from extractor.write.cells import Notes, plain_cell
from extractor.write.sinks import ByteStream, Options

DEFAULT_TABLE = "results"


class DelimitedSink:
    """One table; with ``excel`` a byte order mark, CRLF line ends, and cells within Excel's limit."""

    delimiter = ","

    def __init__(self, stream: ByteStream, options: Options) -> None:
        self.stream = stream
        self.table = TABLES[options.table or DEFAULT_TABLE]
        self.excel = options.excel
        self.notes = Notes()
        self.rows = 0
        self.needs_quotes = re.compile(rf'[{self.delimiter}"\r\n]|\A\s|\s\Z')
        if not options.append:
            if self.excel:
                stream.write("\ufeff".encode())
            self._put(self.table.header)

    def add(self, record: PaperRecord) -> None:
        if self.table.name != "errors":
            for row in record.to_rows(self.table.name):
                self._add_row(row)

    def add_problem(self, problem: Any) -> None:
        if self.table.name == "errors":
            self._add_row(error_row(problem))

    def close(self) -> None:
        self.stream.close()

    def _add_row(self, row: Row) -> None:
        self.rows += 1
        self._put([plain_cell(cell, self.notes, fit=self.excel) for cell in row.values()])

    def _put(self, cells: list[str]) -> None:
        line = self.delimiter.join(self._quoted(cell) for cell in cells) + ("\r\n" if self.excel else "\n")
        self.stream.write(line.encode())

    def _quoted(self, cell: str) -> str:
        # The csv module leaves a lone carriage return unquoted, which no reader takes well.
        return '"' + cell.replace('"', '""') + '"' if self.needs_quotes.search(cell) else cell


class TabSink(DelimitedSink):
    """The same with tabs."""

    delimiter = "\t"
