"""An Excel workbook of all tables, typed, with a summary and a sheet that says what it is.

Rows go to disk as they come, so the memory a workbook takes does not grow with it. No cell is ever a formula: text is
written as text.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from io import BufferedWriter, FileIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException

from extractor.records import PaperRecord
from extractor.tables import RECORD_TABLES, TABLES, error_row
from extractor.write.cells import Notes
from extractor.write.sinks import Options
from extractor.write.workbook_about import write_about
from extractor.write.workbook_sheets import TableSheets
from extractor.write.workbook_styles import make_styles
from extractor.write.workbook_summary import Counts, write_summary

SETTINGS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}

# Without a given date a workbook carries this one, so that the same records give the same bytes.
NO_DATE = datetime(2000, 1, 1)


class WorkbookSink:
    """One sheet a table, then ``summary`` and ``about``.

    The tables come first: who opens the file sees the data, and so does a program that takes the first sheet of a
    workbook, as most do.
    """

    def __init__(self, path: Path, options: Options) -> None:
        self.target = _Target(path)
        self.stream = BufferedWriter(self.target)
        # The parts of the workbook until they are put together; what a failure leaves of them goes with their folder.
        self.parts = TemporaryDirectory(prefix="extractor-", ignore_cleanup_errors=True)
        self.book = xlsxwriter.Workbook(self.stream, SETTINGS | {"tmpdir": self.parts.name})
        self.date = source_date()
        self.book.set_properties({"title": "What was found in the abstracts", "created": self.date or NO_DATE})
        self.notes = Notes()
        self.styles = make_styles(self.book)
        self.tables = {name: TableSheets(self.book, self.styles, self.notes, table) for name, table in TABLES.items()}
        self.counts = Counts()

    def add(self, record: PaperRecord) -> None:
        for name in RECORD_TABLES:
            for row in record.to_rows(name):
                self.tables[name].add(row)
        self.counts.add(record)

    def add_problem(self, problem: Any) -> None:
        self.tables["errors"].add(error_row(problem))

    def close(self) -> None:
        for sheets in self.tables.values():
            sheets.finish()
        write_summary(self.book, self.styles, self.counts)
        write_about(self.book.add_worksheet("about"), self.styles, self.tables.values(), self.notes, self.date)
        failure: str | None = None
        try:
            self.book.close()
        except XlsxWriterException as error:
            failure = str(error)
        # Only now is the archive that failed gone, which writes its end when it goes.
        self.stream.close()
        self.parts.cleanup()
        if self.target.failure is not None:
            raise self.target.failure
        if failure is not None:
            raise OSError(failure)


class _Target(FileIO):
    """A file that keeps the first failure to itself, as a ZIP archive that meets one ends in a second, untold one."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "wb")
        self.failure: OSError | None = None

    def write(self, data: Any, /) -> int:
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


def source_date() -> datetime | None:
    """The date in ``SOURCE_DATE_EPOCH``, the one a reproducible build sets; none without it."""
    value = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(value), UTC).replace(tzinfo=None) if value.isdecimal() else None
