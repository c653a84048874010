"""``correct``: what was edited in a spreadsheet comes back into the records."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import options

if TYPE_CHECKING:
    from extractor.correct import Tally


def correct(
    records: Annotated[str, typer.Argument(metavar="RECORDS", help="The records that were exported: a file.")],
    corrections: Annotated[
        list[str],
        typer.Argument(metavar="CORRECTIONS...", help="The edited workbook, CSV or TSV files, or folder of tables."),
    ],
    output: options.RequiredOutput,
    format: options.Format = None,
    table: options.Table = None,
    excel: options.Excel = False,
    encoding: options.Encoding = None,
    errors: options.Errors = None,
    delete_missing: Annotated[
        bool,
        typer.Option("--delete-missing", help="A row that is missing is deleted, also where a paper has no row left."),
    ] = False,
    keep_missing: Annotated[
        bool, typer.Option("--keep-missing", help="A row that is missing is kept: the tables hold a part of all rows.")
    ] = False,
    quiet: options.Quiet = False,
) -> int:
    """Bring edits of the methods, datasets and results tables back into the records.

    First `extractor export records.jsonl -o tables.xlsx`; then edit cells, delete or add rows in any spreadsheet.
    What was edited gets the rule human and confidence 1; all else stays as it is. A row that cannot be taken is told
    and left out. Missing rows are deleted for papers that have another row in the table. A new row leaves its own id
    empty.

    \b
    Example:
      extractor correct records.jsonl tables.xlsx -o corrected.jsonl
      extractor correct records.jsonl methods.csv results.csv -o corrected.jsonl --errors refused.csv
    """
    from extractor.cli.console import Reporter
    from extractor.cli.outputs import errors_output, refuse_inputs, write_all
    from extractor.correct import Missing, Tally, correction_files, read_corrections
    from extractor.correct import correct as corrected
    from extractor.errors import UsageError
    from extractor.write import Output

    if records == "-":
        raise UsageError("the records are read twice: give a file, not -")
    if delete_missing and keep_missing:
        raise UsageError("--delete-missing and --keep-missing exclude one another: give one of them")
    out, failures = Output(output, format, table, excel), errors_output(errors)
    outputs = [made for made in (out, failures) if made is not None]
    refuse_inputs(outputs, [records, *correction_files(corrections)])
    edits = read_corrections(corrections, encoding)
    tally = Tally()
    reporter = Reporter(quiet=quiet, errors_file=errors)
    missing: Missing = "all" if delete_missing else "none" if keep_missing else "some"
    write_all(corrected(records, edits, tally, missing), outputs, reporter)
    reporter.close()
    if not quiet:
        written = output != "-" and not out.abandoned
        sys.stderr.write(_summary(tally) + (f" → {output}\n" if written else "\n"))
    return 1 if reporter.errors else 0


def _summary(tally: Tally) -> str:
    """The closing line."""
    from extractor.cli.console import counted

    said = (
        f"{tally.changed:,} of {counted(tally.papers, 'paper')} changed: {counted(tally.cells, 'cell')} edited, "
        f"{counted(tally.added, 'row')} added, {tally.deleted:,} deleted, {tally.refused:,} refused"
    )
    if tally.carried:
        said += f"; {counted(tally.carried, 'reference')} renamed"
    if tally.dropped:
        said += f"; {counted(tally.dropped, 'reference')} to deleted rows emptied"
    absent = ", ".join(f"{number:,} in {table}" for table, number in tally.absent.items())
    if absent:
        said += f"; papers without a row left as they are: {absent}"
    return said
