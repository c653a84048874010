"""``evaluate``: how good records are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Annotations, or records that were corrected.")],
    records: Annotated[str, typer.Argument(metavar="RECORDS", help="Records of the same abstracts, by id.")],
    texts: Annotated[
        str | None,
        typer.Option(metavar="TEXTS", help="The abstracts: JSON Lines with id and text (else from the records)."),
    ] = None,
    errors: Annotated[
        str | None, typer.Option(metavar="FIELD", help="List what is missed, spurious or wrong in a field, or in all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON.")] = False,
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a page: figures with intervals, errors by kind, confidences."),
    ] = None,
) -> None:
    """Precision, recall and F1 of records against annotations or corrected records, field by field.

    \b
    Example:
      extractor evaluate gold.jsonl records.jsonl --texts texts.jsonl
      extractor evaluate gold.jsonl records.jsonl --errors datasets
      extractor evaluate corrected.jsonl records.jsonl
      extractor evaluate gold.jsonl records.jsonl --texts texts.jsonl --report quality.md
    """
    from extractor.cli.outputs import refuse_input
    from extractor.errors import InputError, UsageError
    from extractor.evaluate import Evaluation
    from extractor.evaluate import evaluate as compare
    from extractor.record_files import read_objects

    def by_id(path: str) -> dict[str, dict[str, Any]]:
        try:
            return {str(entry["id"]): entry for entry in read_objects(path)}
        except KeyError:
            raise InputError(f"{path}: every line needs an id") from None

    if report is not None:
        refuse_input(Path(report), [gold, records, *([texts] if texts is not None else [])])
    given = None
    if texts is not None:
        given = {id: str(entry.get("text") or entry.get("abstract") or "") for id, entry in by_id(texts).items()}
    try:
        annotations, found = by_id(gold), by_id(records)
        if not annotations:
            raise InputError(f"{gold}: is empty: there is nothing to compare with")
        made: Evaluation = compare(annotations.values(), found, given)
        if report is not None:
            _write_page(report, annotations, found, given)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{gold} or {records} has not the shape of annotations and records: {error!r}") from error
    if errors is not None:
        known = {*made.counts, *made.rates}
        if errors != "all" and errors not in known:
            raise UsageError(f"there is no field {errors!r}: choose all or one of {', '.join(sorted(known))}")
        for miss in made.misses:
            if errors in ("all", miss.field):
                typer.echo(f"{miss.id}\t{miss.field}\t{miss.what}\t{miss.message}")
    elif as_json:
        typer.echo(json.dumps(made.as_dict()))
    else:
        typer.echo(f"{made.abstracts} abstracts, {made.missing} without a record")
        typer.echo(f"{'field':18}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>8}{'found':>8}")
        for name, count in made.counts.items():
            figures = f"{count.precision:10.3f}{count.recall:8.3f}{count.f1:8.3f}{count.gold:8}{count.found:8}"
            typer.echo(f"{name:18}{figures}")
        typer.echo(f"{'part':18}{'agrees':>10}{'of':>8}")
        for name, rate in sorted(made.rates.items()):
            typer.echo(f"{name:18}{rate.share:10.3f}{rate.total:8}")


def _write_page(name: str, gold: dict[str, Any], records: dict[str, Any], texts: dict[str, str] | None) -> None:
    from extractor.quality import page
    from extractor.write.staging import replacing

    known = texts or {id: str(record.get("abstract") or "") for id, record in records.items()}
    text = page(gold, records, {**dict.fromkeys(gold, ""), **known})
    with replacing(Path(name)) as stream:
        stream.write(text.encode())
