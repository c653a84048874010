"""An output while it is being written."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from extractor.errors import UsageError, WriteError
from extractor.records import PaperRecord
from extractor.write.formats import Format, check_options, choose_format, open_sink
from extractor.write.sinks import Options, Sink
from extractor.write.staging import Staging

STDOUT = "-"


class Output:
    """Records and problems on their way to a file, a folder or standard output (``-``).

    As a context manager it puts the file in its place at the end. When the block fails, the place stays as it was
    and the records so far are kept beside it: ``kept`` says where. ``abandon`` leaves nothing. With ``append`` what is
    in the place stays, and what is written goes behind it.
    """

    def __init__(
        self, path: str, format: str | None = None, table: str | None = None, excel: bool = False, append: bool = False
    ) -> None:
        if not path:
            raise UsageError("the output has no name: give a file, or a folder that ends in /")
        self.name = path
        self.format: Format = choose_format("out.jsonl" if path == STDOUT else path, format)
        self.options = Options(table, excel, append)
        check_options(self.format, self.options)
        if path == STDOUT and self.format.on != "stream":
            raise UsageError(f"{self.format.name} needs a place to be written to: give -o")
        self.records = 0
        self.problems = 0
        self.kept: Path | None = None
        self.staging: Staging | None = None
        self.abandoned = False

    def files(self) -> list[Path]:
        """The files that will be written."""
        if self.name == STDOUT:
            return []
        if self.format.on == "folder":
            from extractor.tables import TABLES
            from extractor.write.folder import DESCRIPTION_FILE

            return [Path(self.name) / name for name in (*(f"{table}.csv" for table in TABLES), DESCRIPTION_FILE)]
        return [Path(self.name)]

    def __enter__(self) -> Self:
        if self.name == STDOUT:
            self.sink: Sink = self.format.make(_StandardOutput(), self.options)
            return self
        try:
            folder = self.format.on == "folder"
            self.staging = Staging(Path(self.name), folder=folder, companions=self.format.companions)
            compressed = self.name.lower().endswith(".gz")
            begun = self.options.append and self.staging.copy(file.name for file in self.files())
            options = replace(self.options, append=begun)
            self.sink = open_sink(self.format, self.staging.path, options, compressed=compressed)
        except OSError as error:
            self._drop()
            raise self._failure(error) from error
        except BaseException:
            self._drop()
            raise
        return self

    def add(self, record: PaperRecord) -> None:
        """Write a record."""
        self._do(self.sink.add, record)
        self.records += 1

    def add_problem(self, problem: Any) -> None:
        """Write a problem, where the format has a place for it."""
        self._do(self.sink.add_problem, problem)
        self.problems += 1

    def abandon(self) -> None:
        """Leave the place as it was, whatever was written."""
        self.abandoned = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.staging is None:
            if not isinstance(error, BrokenPipeError):
                self.sink.close()
            return
        if kind is None and not self.abandoned:
            try:
                self.sink.close()
                self.staging.commit()
            except OSError as failure:
                self._drop()
                raise self._failure(failure) from failure
            except BaseException:
                self._drop()
                raise
            return
        with suppress(Exception):
            self.sink.close()
            if (self.records or (self.problems and self.options.table == "errors")) and not self.abandoned:
                self.kept = self.staging.keep()
                return
        self._drop()

    def _do(self, act: Any, *arguments: Any) -> None:
        try:
            act(*arguments)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._failure(error) from error

    def _drop(self) -> None:
        if self.staging is not None:
            self.staging.discard()

    def _failure(self, error: OSError) -> WriteError:
        return WriteError(f"{self.name}: cannot be written: {error.strerror or error}")


class _StandardOutput:
    """Standard output as bytes; each write goes out at once, and closing leaves it open."""

    def write(self, data: bytes) -> int:
        written = sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return written

    def close(self) -> None:
        sys.stdout.buffer.flush()


def same_file(one: Path, other: Path) -> bool:
    """Whether both names lead to one file, existing or not."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
