"""``explain``: why a record says what it says."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import options

if TYPE_CHECKING:
    from extractor.explain import Value
    from extractor.read import Item, Problem
    from extractor.records import PaperRecord

COLOURS = {"method": "bold green", "dataset": "bold magenta", "result": "bold yellow", "link": "bold blue"}
SHOWN_IDS = 10


def explain(
    input: Annotated[str, typer.Argument(metavar="INPUT", help="A file of abstracts; - is standard input.")],
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Which paper; may be left out when there is one.")
    ] = None,
    input_format: options.InputFormat = None,
    encoding: options.Encoding = None,
    text_column: options.TextColumn = None,
    id_column: options.IdColumn = None,
    title_column: options.TitleColumn = None,
    separator: options.Separator = None,
    no_model: options.NoModel = False,
    why: Annotated[
        bool, typer.Option("--why", help="Also what the model made of every possible name and number, and why.")
    ] = False,
) -> None:
    """Show each value of one paper with its rule, its confidence, and its place in the text.

    \b
    Example:
      extractor explain abstracts.txt --id p-0123456789ab
    """
    from extractor.errors import ExtractorError
    from extractor.read import Problem
    from extractor.run import Inputs, run

    given = Inputs(
        [input], input_format=input_format, encoding=encoding, text_column=text_column, id_column=id_column,
        title_column=title_column, separator=separator,
    )  # fmt: skip
    for outcome in run([_chosen(given, input, id)], model=not no_model):
        if isinstance(outcome, Problem):
            raise ExtractorError(f"{input}: {outcome.message}")
        _show(outcome)
        if why and not no_model:
            _show_why(outcome)


def _chosen(given: Iterable[Item | Problem], name: str, id: str | None) -> Item:
    """The item with ``id``, or the only one."""
    from extractor.cli.console import one_line
    from extractor.errors import InputError, UsageError
    from extractor.read import Problem

    ids, found, failures = [], [], []
    for item in given:
        if isinstance(item, Problem):
            if item.severity == "error":
                failures.append(item.message)
            continue
        ids.append(_id(item))
        if id is None or ids[-1] == id:
            found.append(item)
    if not ids:
        raise InputError(f"{name}: {failures[0] if failures else 'there is no abstract in it'}")
    if len(found) == 1 or (found and id is not None):
        return found[0]
    some = ", ".join(map(one_line, islice(ids, SHOWN_IDS))) + (", …" if len(ids) > SHOWN_IDS else "")
    raise UsageError(f"{name}: {'say which paper with --id' if id is None else f'there is no paper {id!r}'}: {some}")


def _id(item: Item) -> str:
    from extractor.pipeline import paper_id

    return item.id or paper_id(item.abstract)


def _show(record: PaperRecord) -> None:
    from extractor.explain import pieces, values

    told = values(record)
    texts = {"title": record.title, "abstract": record.abstract}
    cut = {field: pieces(text, field, told) for field, text in texts.items() if text}
    if sys.stdout.isatty():
        _show_coloured(record, cut, told)
    else:
        _show_plain(record, cut, told)


def _show_why(record: PaperRecord) -> None:
    from extractor.cli.console import one_line
    from extractor.model.choices import load_choices
    from extractor.pipeline import Extractor, Received

    def told(reasons: Iterable[tuple[str, float]]) -> str:
        return ", ".join(f"{one_line(feature)} {weight:+.1f}" for feature, weight in reasons)

    typer.echo()
    extractor = Extractor()
    for verdict in extractor.verdicts(record.abstract, title=record.title):
        label = f"{verdict.label} {verdict.probability:.2f}"
        typer.echo(f"why  {one_line(verdict.name)}: {label} ({told(verdict.reasons)})")
    text = Received.of(record.abstract, record.title).text
    for question in extractor.questions(record.abstract, title=record.title):
        number = one_line(text[slice(*question.at)])
        answers = [f"{one_line(option.said) or 'none'} {option.probability:.2f}" for option in question.options[:2]]
        then = f"; next {answers[1]}" if len(answers) > 1 else ""
        typer.echo(f"why  {number} {question.field}: {answers[0]} ({told(question.reasons(load_choices()))}){then}")


Cut = dict[str, list[tuple[str, "Value | None"]]]


def _show_plain(record: PaperRecord, cut: Cut, told: list[Value]) -> None:
    typer.echo(record.id)
    for parts in cut.values():
        typer.echo("\n" + "".join(text if value is None else f"⟦{text}⟧{value.label}" for text, value in parts))
    typer.echo()
    for value in told:
        typer.echo(f"{value.label:4} {value.group:8} {value.said}{_reason(value)}")
    typer.echo(f"     code     {record.code_status}")
    for warning in record.warnings:
        typer.echo(f"     warning  {warning}")


def _reason(value: Value) -> str:
    return "" if value.rule is None else f"  [{value.rule} {value.confidence:.2f}]"


def _show_coloured(record: PaperRecord, cut: Cut, told: list[Value]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from extractor.cli.console import printable

    console = Console()
    console.print(Text(printable(record.id), style="bold"))
    for parts in cut.values():
        text = Text()
        for piece, value in parts:
            text.append(printable(piece), style="" if value is None else COLOURS[value.group])
            if value is not None:
                text.append(value.label, style="dim")
        console.print("", text)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("", "", "value", "rule", "confidence"):
        table.add_column(heading, overflow="fold")
    for value in told:
        confidence = "" if value.confidence is None else f"{value.confidence:.2f}"
        cells = (value.label, value.group, printable(value.said), value.rule or "", confidence)
        table.add_row(*(Text(cell, style=COLOURS[value.group] if n < 2 else "") for n, cell in enumerate(cells)))
    console.print("", table)
    console.print(Text(f"code: {record.code_status}"))
    for warning in record.warnings:
        console.print(Text(f"warning: {printable(warning)}"))
