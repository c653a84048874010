"""What a person sees: problems and progress on standard error, and records as a table."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from extractor.explain import result_text
from extractor.write.cells import FORBIDDEN

if TYPE_CHECKING:
    from extractor.read import Problem
    from extractor.records import PaperRecord
    from extractor.run import Tally

# Control characters, and those that turn the direction of what follows.
STEERING = re.compile(f"{FORBIDDEN.pattern}|[\u202a-\u202e\u2066-\u2069]")
SHOWN_PROBLEMS = 20  # of each severity
SHOWN_PAPERS = 200


def printable(text: str) -> str:
    """``text`` without characters that could steer a terminal."""
    return STEERING.sub("�", text)


def one_line(text: str) -> str:
    """``text`` on one line."""
    return " ".join(printable(text).split())


class Reporter:
    """Tells problems on standard error, the first of each severity one by one."""

    def __init__(self, *, quiet: bool = False, errors_file: str | None = None) -> None:
        self.quiet = quiet
        self.errors_file = errors_file
        self.counts: dict[str, int] = {}
        self.write = sys.stderr.write

    @property
    def errors(self) -> int:
        return self.counts.get("error", 0)

    def problem(self, problem: Problem) -> None:
        count = self.counts[problem.severity] = self.counts.get(problem.severity, 0) + 1
        if count <= SHOWN_PROBLEMS and not (self.quiet and problem.severity != "error"):
            self.write(f"{problem.severity}: {_place(problem)}{one_line(problem.message)}\n")

    def close(self) -> None:
        """Say how many problems were not told."""
        for severity, count in self.counts.items():
            more = count - SHOWN_PROBLEMS
            if more > 0 and not (self.quiet and severity != "error"):
                where = f"see {self.errors_file}" if self.errors_file else "--errors FILE lists them all"
                self.write(f"… and {more:,} more {severity}s ({where})\n")


def _place(problem: Problem) -> str:
    if problem.file is None:
        return f"{one_line(problem.id)}: " if problem.id else ""
    file = "standard input" if problem.file == "-" else one_line(problem.file)
    return f"{file}:{problem.line}: " if problem.line is not None else f"{file}: "


@contextmanager
def progress(reporter: Reporter, total: int | None) -> Iterator[Any]:
    """A progress bar on standard error; gives what is called for every paper."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("extracting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("extracting", total=total)
        before, reporter.write = reporter.write, _line_writer(console)
        try:
            yield lambda: bar.advance(task)
        finally:
            reporter.write = before


def _line_writer(console: Any) -> Any:
    return lambda text: console.print(text, end="", markup=False, highlight=False, soft_wrap=True)


class Stopwatch:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self.start = time.perf_counter()

    def seconds(self) -> float:
        return time.perf_counter() - self.start


def summary(tally: Tally, seconds: float, output: str | None) -> str:
    """The closing line of a run."""
    counts = (
        (tally.papers, "paper"), (tally.methods, "method"), (tally.results, "result"),
        (tally.datasets, "dataset"), (tally.links, "link"), (tally.warnings, "warning"),
    )  # fmt: skip
    said = [f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts]
    if tally.errors:
        said.append(f"{tally.errors:,} failed")
    where = f" → {output}" if output else ""
    return f"{', '.join(said)} in {seconds:.1f} s{where}"


class PaperTable:
    """Records as a compact table on a terminal."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []
        self.more = 0

    def add(self, record: PaperRecord) -> None:
        if len(self.rows) == SHOWN_PAPERS:
            self.more += 1
            return
        proposed = [method.name for method in record.methods if method.role == "proposed"]
        names = [dataset.name for dataset in record.datasets]
        # What was achieved comes before how large things are.
        ordered = sorted(record.results, key=lambda result: result.kind == "size")
        results = [result_text(result) for result in ordered]
        cells = (
            record.title or record.id, _some(proposed, 3), _some(results, 3, "; "), _some(names, 4),
            "" if record.code_status == "none" else record.code_status,
        )  # fmt: skip
        self.rows.append(tuple(printable(cell) for cell in cells))

    def show(self) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=True)
        for heading, ratio in (("paper", 4), ("proposes", 4), ("reports", 8), ("datasets", 5), ("code", None)):
            table.add_column(heading, ratio=ratio, overflow="fold")
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        console = Console()
        console.print(table)
        if self.more:
            console.print(f"… and {self.more:,} more papers: write them to a file with -o")


def _some(names: Iterable[str], limit: int, joiner: str = ", ") -> str:
    names = list(names)
    more = [f"+{len(names) - limit}"] if len(names) > limit else []
    return joiner.join([*names[:limit], *more])
