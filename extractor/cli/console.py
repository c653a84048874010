"""What a person sees of a run: problems, progress and the closing line, on standard error."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from extractor.write.cells import FORBIDDEN

if TYPE_CHECKING:
    from extractor.read import Problem
    from extractor.run import Tally
    from extractor.update import Known

# Control characters, and those that turn the direction of what follows.
STEERING = re.compile(f"{FORBIDDEN.pattern}|[\u202a-\u202e\u2066-\u2069]")
SHOWN_PROBLEMS = 20  # of each severity


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


def counted(number: int, word: str) -> str:
    """``number`` with its word, of one or of several."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def summary(tally: Tally, seconds: float, output: str | None) -> str:
    """The closing line of a run."""
    counts = (
        (tally.papers, "paper"), (tally.methods, "method"), (tally.results, "result"),
        (tally.datasets, "dataset"), (tally.links, "link"), (tally.warnings, "warning"),
    )  # fmt: skip
    said = [counted(count, word) for count, word in counts]
    if tally.errors:
        said.append(f"{tally.errors:,} failed")
    where = f" → {output}" if output else ""
    return f"{', '.join(said)} in {seconds:.1f} s{where}"


def update_summary(tally: Tally, known: Known, output: str) -> str:
    """The closing line of an update."""
    said = f"{counted(tally.papers, 'new paper')}, {known.count:,} kept"
    if known.changed:
        said += f" ({known.changed:,} of them with another abstract now)"
    if tally.errors:
        said += f", {tally.errors:,} failed"
    return f"{said} → {output}"
