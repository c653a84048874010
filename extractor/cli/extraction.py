"""``extract``: the main job."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from extractor.cli import options

if TYPE_CHECKING:
    from extractor.run import Inputs
    from extractor.update import Newcomers
    from extractor.write import Output


def extract(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help="Files of abstracts; - is standard input.")],
    output: options.Output = None,
    format: options.Format = None,
    table: options.Table = None,
    excel: options.Excel = False,
    input_format: options.InputFormat = None,
    encoding: options.Encoding = None,
    text_column: options.TextColumn = None,
    id_column: options.IdColumn = None,
    title_column: options.TitleColumn = None,
    separator: options.Separator = None,
    errors: options.Errors = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="Processes to work in.")] = 1,
    no_model: options.NoModel = False,
    update: Annotated[
        bool,
        typer.Option("--update", help="Add the papers that OUT does not have yet, and leave what is there as it is."),
    ] = False,
    quiet: options.Quiet = False,
) -> int:
    """Read abstracts, write what they say.

    Without -o: a table on a terminal, JSON Lines in a pipe.

    \b
    Example:
      extractor extract abstracts.txt -o results.xlsx
      extractor extract papers.csv --text-column summary -o tables/
      extractor extract longer-list.csv -o records.jsonl --update
      zcat abstracts.jsonl.gz | extractor extract - > records.jsonl
    """
    from extractor.cli.outputs import errors_output, refuse_inputs
    from extractor.run import Inputs
    from extractor.write import Output

    shown = output is None and format is None and table is None and not update and sys.stdout.isatty()
    out = None if shown else Output("-" if output is None else output, format, table, excel, update)
    failures = errors_output(errors)
    refuse_inputs([made for made in (out, failures) if made is not None], inputs)
    given = Inputs(
        inputs, input_format=input_format, encoding=encoding, text_column=text_column, id_column=id_column,
        title_column=title_column, separator=separator,
    )  # fmt: skip
    newcomers = None
    if update and out is not None:
        from extractor.update import Newcomers, read_known

        newcomers = Newcomers(given, read_known(out))
    return _Run(given, newcomers, out, failures, workers, quiet, model=not no_model).go()


class _Run:
    """One run: where items come from, where what is made of them goes."""

    def __init__(
        self, inputs: Inputs, newcomers: Newcomers | None, out: Output | None, failures: Output | None, workers: int,
        quiet: bool, *, model: bool,
    ) -> None:  # fmt: skip
        from extractor.cli.console import Reporter, Stopwatch
        from extractor.cli.paper_table import PaperTable
        from extractor.run import Tally

        self.watch = Stopwatch()
        self.inputs = inputs
        self.newcomers = newcomers
        self.items = newcomers or inputs
        self.out = out
        self.failures = failures
        self.workers = workers
        self.quiet = quiet
        self.model = model
        self.lively = sys.stderr.isatty() and not quiet
        self.tally = Tally()
        self.reporter = Reporter(quiet=quiet, errors_file=failures.name if failures else None)
        self.table = PaperTable()

    def go(self) -> int:
        from extractor.cli.console import summary, update_summary
        from extractor.cli.outputs import opened

        outputs = [output for output in (self.failures, self.out) if output is not None]
        with opened(outputs), ExitStack() as stack:
            self._fill(stack)
            if self.out is not None and not self.tally.papers and (self.tally.errors or self._keeps()):
                self.out.abandon()
        if self.out is None and self.table.rows:
            self.table.show()
        self.reporter.close()
        name = self.out.name if self.out is not None else ""
        if self.newcomers is not None:
            if not self.quiet:
                sys.stderr.write(update_summary(self.tally, self.newcomers.known, name) + "\n")
        elif self.lively:
            written = name if name != "-" and self.tally.papers else None
            sys.stderr.write(summary(self.tally, self.watch.seconds(), written) + "\n")
        if not self.tally.papers and len(set(self.inputs.unreadable)) == len(set(self.inputs.paths)):
            return 2
        return 1 if self.tally.errors else 0

    def _fill(self, stack: ExitStack) -> None:
        from extractor.read import Problem
        from extractor.run import run

        step = None
        if self.lively:
            from extractor.cli.console import progress

            step = stack.enter_context(progress(self.reporter, self.items.total()))
        outcomes = run(self.items, workers=self.workers, model=self.model)
        stack.callback(outcomes.close)
        for outcome in outcomes:
            if isinstance(outcome, Problem):
                self.tally.add_problem(outcome)
                self.reporter.problem(outcome)
                for output in (self.out, self.failures):
                    if output is not None:
                        output.add_problem(outcome)
                continue
            self.tally.add(outcome)
            (self.table if self.out is None else self.out).add(outcome)
            if step is not None:
                step()

    def _keeps(self) -> bool:
        """Whether the output holds papers of before, so that nothing new leaves it as it is."""
        return self.newcomers is not None and self.newcomers.known.count > 0
