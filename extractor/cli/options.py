"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

OUTPUT_HELP = "Where to write; the suffix tells the format. A name that ends in / becomes a folder of tables."

Output = Annotated[str | None, typer.Option("-o", "--output", metavar="OUT", help=OUTPUT_HELP)]
RequiredOutput = Annotated[str, typer.Option("-o", "--output", metavar="OUT", help=OUTPUT_HELP)]
Format = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Output format, whatever the suffix: see `formats`.")
]
Table = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="NAME",
        help="Which table a CSV holds: papers, methods, datasets, results (default), links or errors.",
    ),
]
Excel = Annotated[bool, typer.Option("--excel", help="CSV the way Excel wants it: byte order mark and CRLF.")]
NoModel = Annotated[bool, typer.Option("--no-model", help="Rules alone, without the learned weights.")]
Errors = Annotated[
    str | None, typer.Option("--errors", metavar="FILE", help="Where to list what failed (jsonl, json, csv, tsv).")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary, no warnings.")]
Records = Annotated[list[str], typer.Argument(metavar="RECORDS...", help="Files of records; - is standard input.")]

InputFormat = Annotated[
    str | None, typer.Option("--input-format", metavar="NAME", help="Input format, whatever the suffix: see `formats`.")
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="Encoding of the input (UTF-8 is tried by itself).")
]
TextColumn = Annotated[str | None, typer.Option("--text-column", metavar="NAME", help="Field that holds the abstract.")]
IdColumn = Annotated[str | None, typer.Option("--id-column", metavar="NAME", help="Field that holds the id.")]
TitleColumn = Annotated[str | None, typer.Option("--title-column", metavar="NAME", help="Field that holds the title.")]
Separator = Annotated[
    str | None,
    typer.Option(
        "--separator", metavar="TEXT", help="Line that parts the abstracts of a text page (else blank lines)."
    ),
]
