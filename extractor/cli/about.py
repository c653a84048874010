"""``schema`` and ``formats``: what the extractor reads and writes."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def schema(
    name: Annotated[str | None, typer.Argument(help="record, or a table; without it the names are listed.")] = None,
) -> None:
    """Print a published schema: JSON Schema of the record, Table Schema of a CSV file.

    \b
    Example:
      extractor schema record > record.schema.json
      extractor schema results
    """
    from extractor import schemas
    from extractor.errors import UsageError

    if name is None:
        typer.echo("\n".join(schemas.NAMES))
    elif name in schemas.NAMES:
        typer.echo(json.dumps(schemas.schema(name), ensure_ascii=False, indent=2))
    else:
        raise UsageError(f"there is no schema {name!r}: choose one of {', '.join(schemas.NAMES)}")


def formats() -> None:
    """List the input and output formats.

    \b
    Example:
      extractor formats
    """
    from extractor import read
    from extractor.write import FORMATS

    typer.echo("input (--input-format)")
    for name, made in read.FORMATS.items():
        typer.echo(f"  {name:8} {' '.join(made.suffixes):20} {made.description}")
    typer.echo("  each also compressed with gzip (.gz); - is standard input")
    typer.echo("output (--format)")
    for name, written in FORMATS.items():
        typer.echo(f"  {name:8} {' '.join(written.suffixes):20} {written.description}")
    typer.echo("  jsonl, json, csv and tsv also compressed (.gz)")
