"""``report``: records as a page to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import options

if TYPE_CHECKING:
    from extractor.records import PaperRecord


def report(
    records: options.Records,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="PAGE", help="The page to write; - is standard output.")
    ],
) -> int:
    """Write records as one HTML page: search, filters, highlighted abstracts, a table of numbers, charts.

    The page needs no network and no other file.

    \b
    Example:
      extractor report records.jsonl -o page.html
    """
    import sys

    from extractor.cli.console import Reporter
    from extractor.cli.outputs import refuse_input
    from extractor.errors import UsageError
    from extractor.read import Problem
    from extractor.record_files import entries
    from extractor.report import write_report

    if not output:
        raise UsageError("the output has no name: give a file, such as page.html")
    page = Path(output)
    if output.endswith("/") or page.is_dir():
        raise UsageError(f"{output} is a folder: give a name in it, such as {page / 'page.html'}")
    if output != "-":
        refuse_input(page, records)
    reporter = Reporter()

    def sound() -> Iterator[PaperRecord]:
        for entry in entries(records):
            if isinstance(entry, Problem):
                reporter.problem(entry)
            else:
                yield entry

    papers = sound()
    first = list(next(((record,) for record in papers), ()))
    # Nothing but flaws makes no page, and leaves an older one as it was.
    if first or not reporter.errors:
        write_report(chain(first, papers), sys.stdout.buffer if output == "-" else page)
    reporter.close()
    return 1 if reporter.errors else 0
