"""Outputs: those that would destroy an input or one another are refused, errors have one of their own, and what a run
that breaks off leaves is told."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from extractor.errors import UsageError
from extractor.read import Problem
from extractor.write import Output, choose_format, same_file

if TYPE_CHECKING:
    from extractor.cli.console import Reporter
    from extractor.records import PaperRecord


def refuse_input(file: Path, inputs: Sequence[str]) -> None:
    """Raise when ``file`` is one of ``inputs``; a device may be read and written at once."""
    if file.exists() and not file.is_file():
        return
    for given in inputs:
        if given != "-" and same_file(file, Path(given)):
            raise UsageError(f"{file} is an input and would be overwritten: choose another output")


def refuse_inputs(outputs: Sequence[Output], inputs: Sequence[str]) -> None:
    """Raise when an output is one of ``inputs``, or the same as another output."""
    for at, output in enumerate(outputs):
        for file in output.files():
            if file.exists() and not file.is_file():
                continue
            refuse_input(file, inputs)
            for other in outputs[:at]:
                if any(same_file(file, taken) for taken in other.files()):
                    raise UsageError(f"{file} would be written twice: choose another name for one of the outputs")


def errors_output(name: str | None) -> Output | None:
    """Where what failed is listed, if anywhere."""
    if name is None:
        return None
    if name == "-" or not choose_format(name).tabular:
        raise UsageError(f"--errors {name}: a file is needed here that ends in .jsonl, .json, .csv or .tsv")
    return Output(name, table="errors")


@contextmanager
def opened(outputs: Sequence[Output]) -> Iterator[None]:
    """``outputs`` while they are written; when that breaks off, where what was done so far is kept is told."""
    try:
        with ExitStack() as stack:
            for output in outputs:
                stack.enter_context(output)
            yield
    except BaseException:
        for output in outputs:
            if output.kept is not None:
                sys.stderr.write(f"what was done so far is in {output.kept}\n")
        raise


def write_all(entries: Iterable[PaperRecord | Problem], outputs: Sequence[Output], reporter: Reporter) -> None:
    """Write records to the first of ``outputs``, problems to all, and tell them.

    Nothing but errors makes no output, and leaves an older one as it was.
    """
    out = outputs[0]
    with opened(outputs):
        for entry in entries:
            if isinstance(entry, Problem):
                reporter.problem(entry)
                for output in outputs:
                    output.add_problem(entry)
            else:
                out.add(entry)
        if not out.records and reporter.errors:
            out.abandon()
