"""``export`` and ``validate``: what can be done with records that were written before."""

from __future__ import annotations

from pathlib import Path

import typer

from extractor.cli import options


def export(
    records: options.Records,
    output: options.RequiredOutput,
    format: options.Format = None,
    table: options.Table = None,
    excel: options.Excel = False,
) -> int:
    """Write records in another format.

    \b
    Example:
      extractor export records.jsonl -o tables/
      extractor export records.jsonl -o papers.csv --table papers --excel
    """
    from extractor.cli.console import Reporter
    from extractor.cli.outputs import refuse_inputs, write_all
    from extractor.record_files import entries
    from extractor.write import Output

    out = Output(output, format, table, excel)
    refuse_inputs([out], records)
    reporter = Reporter()
    write_all(entries(records), [out], reporter)
    reporter.close()
    return 1 if reporter.errors else 0


def validate(records: options.Records) -> int:
    """Check records against the schema, and their offsets against their texts.

    Each flaw is a line on standard output: file:line: field: what is wrong.

    \b
    Example:
      extractor validate records.jsonl
    """
    from extractor.cli.console import one_line
    from extractor.read import Problem
    from extractor.record_files import read_records

    sound = 0
    flawed: set[tuple[str, int | None]] = set()
    seen: dict[str, str] = {}
    for path in records:
        for entry in read_records(path):
            if isinstance(entry, Problem):
                flawed.add((path, entry.line))
                typer.echo(f"{path}:{entry.line}: {one_line(entry.message)}")
                continue
            line, record = entry
            place = f"{path}:{line}"
            sound += 1
            if record.id in seen:
                typer.echo(f"warning: {place}: id: {one_line(record.id)} is the id of {seen[record.id]} too", err=True)
            seen.setdefault(record.id, place)
    files = Path(records[0]).name if len(records) == 1 else f"{len(records)} files"
    typer.echo(f"{files}: {sound} sound, {len(flawed)} flawed", err=True)
    return 1 if flawed else 0
