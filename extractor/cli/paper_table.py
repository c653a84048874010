"""Records as a table on a terminal: of each paper the few facts a reader wants first.

Wide terminals show columns, narrow ones a block a paper. Texts of papers are untrusted: each is put on one line
without characters that could steer the terminal, and none is read as markup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from extractor.cli.console import counted, one_line
from extractor.explain import amount_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from extractor.records import PaperRecord, Result

SHOWN_PAPERS = 50
NARROW = 72  # below this many cells columns would hold a word each
JOINER = " · "
MORE = "… and {more}: -o papers.xlsx writes all of them (or .csv, .jsonl, .sqlite, a folder/)"

# What was achieved comes before how large things are.
KINDS = ("speedup", "gain", "reduction", "score", "ratio", "loss", "size")
SIGNS = {"gain": "+", "reduction": "−", "loss": "−"}
LIMITS = {"exact": "", "approx": "~", "up_to": "up to ", "over": ">", "under": "<", "average": "avg. "}
LONGEST_METRIC = 30

STYLES = {
    "id": "dim", "paper": "bold", "proposes": "cyan", "reports": "yellow", "datasets": "green", "code": "magenta",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A column: from which width of the terminal on it is shown, its share of the room, its lines a row at most."""

    name: str
    share: int
    lines: int = 3
    least: int = 0
    fixed: int = 0
    """Its width in cells, where it takes no share."""


COLUMNS = (
    Column("id", 0, least=130, fixed=16),
    Column("paper", 8, lines=2),
    Column("proposes", 6),
    Column("reports", 9),
    Column("datasets", 6),
    Column("code", 0, fixed=9),
)


class PaperTable:
    """The first papers of a run, and how many more there were."""

    def __init__(self) -> None:
        self.rows: list[dict[str, list[str]]] = []
        self.more = 0

    def add(self, record: PaperRecord) -> None:
        if len(self.rows) == SHOWN_PAPERS:
            self.more += 1
        else:
            self.rows.append(facts(record))

    def show(self) -> None:
        from rich.console import Console

        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")  # a terminal of a small alphabet shows question marks
        console = Console(highlight=False)
        if console.width < NARROW:
            self._blocks(console)
        else:
            self._columns(console)
        if self.more:
            more = MORE.format(more=counted(self.more, "more paper"))
            console.print(more, style="bold", markup=False)

    def _columns(self, console: Console) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        shown = [c for c in COLUMNS if console.width >= c.least and (c.name == "paper" or self._says(c.name))]
        widths = _widths(shown, console.width)
        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        for column in shown:
            table.add_column(column.name, width=widths[column.name], header_style="dim")
        for row in self.rows:
            cells = []
            for column in shown:
                items = row[column.name] or (row["id"] if column.name == "paper" else [])
                cells.append(_fitted(console, column.name, items, widths[column.name], column.lines))
            table.add_row(*cells)
        console.print(table)
        console.print()

    def _says(self, name: str) -> bool:
        """Whether any paper has something in the column; an id that stands for the title is shown there."""
        return any(row[name] and (name != "id" or row["paper"]) for row in self.rows)

    def _blocks(self, console: Console) -> None:
        """A block a paper: its title, and a line for each thing it says."""
        from rich.text import Text

        for row in self.rows:
            console.print(_fitted(console, "paper", row["paper"] or row["id"], console.width, 2))
            for column in COLUMNS:
                items = row[column.name]
                if column.name == "paper" or not items or (column.name == "id" and not row["paper"]):
                    continue
                room = max(console.width - 12, 8)
                lines = _fitted(console, column.name, items, room, 2).split("\n")
                for n, line in enumerate(lines):
                    console.print(Text.assemble("  ", (f"{column.name if n == 0 else '':<10}", "dim"), line))
            console.print()


def facts(record: PaperRecord) -> dict[str, list[str]]:
    """What is shown of ``record``: the column and the items in it, each on one line and safe for a terminal."""
    made: dict[str, list[str]] = {
        "id": [record.id],
        "paper": [record.title] if record.title else [],
        "proposes": [method.name for method in record.methods if method.role == "proposed"],
        "reports": best_numbers(record.results),
        "datasets": [dataset.name for dataset in record.datasets],
        "code": [status for status in (str(record.code_status),) if status != "none"],
    }
    return {name: list(dict.fromkeys(one_line(item) for item in items)) for name, items in made.items()}


def best_numbers(results: Iterable[Result]) -> list[str]:
    """The results in a few words each, the best of each sort alone: achievements of the paper's own work first."""
    best: dict[tuple[Any, ...], Result] = {}
    for result in results:
        sort = (result.subject is not None, KINDS.index(result.kind), result.metric or "", result.unit or "")
        if sort not in best or _size(result) > _size(best[sort]):
            best[sort] = result
    # Sorts keep the order of the text but for whose number it is and which way it went.
    return [number_words(best[sort]) for sort in sorted(best, key=lambda sort: sort[:2])]


def number_words(result: Result) -> str:
    """``up to 3.2x speedup``, ``95% accuracy``, ``+1.5 points accuracy``, ``−40% latency``, ``2x memory reduction``."""
    metric = result.metric or ""
    if len(metric) > LONGEST_METRIC:
        metric = metric[: LONGEST_METRIC - 1].rstrip() + "…"
    signed = result.kind in SIGNS and result.unit not in ("x", None)
    number = f"{LIMITS[result.qualifier]}{SIGNS[result.kind] if signed else ''}{amount_text(result)}"
    if result.kind == "speedup":
        return f"{number} speedup"
    if signed:
        return f"{number} {metric}".rstrip()
    word = result.kind if result.kind in SIGNS or not metric else ""
    return " ".join(part for part in (number, metric, word) if part)


def _size(result: Result) -> float:
    return result.value if result.high is None else result.high


def _widths(shown: list[Column], width: int) -> dict[str, int]:
    """The width of each column, so that all of them, with a divider and a blank between, fill the terminal."""
    gaps = 2 * (len(shown) - 1)
    room = width - gaps - sum(column.fixed for column in shown)
    shares = sum(column.share for column in shown)
    return {column.name: column.fixed or max(room * column.share // shares, 6) for column in shown}


def _fitted(console: Console, name: str, items: list[str], width: int, lines: int) -> Text:
    """As many of ``items`` as ``lines`` lines of ``width`` cells hold; then ``+3`` says how many more there are."""
    from rich.text import Text

    joiner = JOINER if name == "reports" else ", "
    for count in range(len(items), 0, -1):
        more = f" +{len(items) - count}" if count < len(items) else ""
        text = Text(joiner.join(items[:count]) + more, style=STYLES[name])
        wrapped = text.wrap(console, width)
        for line in wrapped:
            line.rstrip()
        if len(wrapped) <= lines:
            return Text("\n").join(wrapped)
    if not items:
        return Text()
    # Not even the first fits: it is cut between words where it can be, with a mark.
    kept = wrapped[:lines]
    last = kept[-1]
    if last.cell_len >= width:
        words = last.plain.rpartition(" ")[0]
        last.right_crop(len(last) - len(words)) if words else last.truncate(width - 1)
    last.append("…")
    return Text("\n").join(kept)
