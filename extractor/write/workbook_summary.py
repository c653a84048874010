"""The sheet of a workbook with counts of what was found, and a chart of each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from extractor.records import PaperRecord
from extractor.tables import number_text
from extractor.write.cells import Notes, clean, is_risky
from extractor.write.workbook_styles import Styles

NAME = "summary"
PARTS = ("methods", "results", "datasets", "links")
TOP_DATASETS = 15
LONGEST_LABEL = 32

# Where the bars of the speedups part. Each takes about twice to three times what the one before begins with: small
# factors are many, and a few are in the thousands.
FACTORS = (1.5, 2, 3, 5, 10, 30, 100)

# Two blocks side by side, each a small table and its chart, which lies over several columns, so that it grows with them
# where the font is a wider one. Widths count characters: seven pixels each, and five more a column.
CHART_COLUMNS, CHART_ROWS = 7, 18
WIDTHS = (24, 9, *[9] * CHART_COLUMNS, 3)
CHART_SIZE = {"width": CHART_COLUMNS * (7 * 9 + 5) - 10, "height": CHART_ROWS * 20}
FIRST_ROW, BLOCK_ROWS, BLOCK_COLUMNS = 3, CHART_ROWS + 3, len(WIDTHS)
TITLE_HEIGHT = 24
COLOUR, GREY = "#2F6DA8", "#595959"

Line = tuple[int, int, str | int, str]  # row, column, value, name of the style


@dataclass(frozen=True, slots=True)
class Block:
    """A table of counts with its chart: bars across, or columns where the labels have an order."""

    title: str
    labels: str
    counted: str
    counts: list[tuple[str, int]]
    remark: str
    shape: str = "bar"


class Counts:
    """What the summary counts, one record after another."""

    def __init__(self) -> None:
        self.totals: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.datasets: Counter[str] = Counter()
        self.factors: Counter[int] = Counter()
        self.other_speedups = 0
        self.code: Counter[str] = Counter()

    def add(self, record: PaperRecord) -> None:
        self.totals["papers"] += 1
        for part in PARTS:
            self.totals[part] += len(getattr(record, part))
        self.kinds.update(result.kind for result in record.results)
        self.datasets.update({dataset.canonical for dataset in record.datasets})
        self.code[record.code_status] += 1
        for result in record.results:
            if result.kind == "speedup" and result.unit == "x":
                self.factors[bisect_right(FACTORS, result.value)] += 1
            elif result.kind == "speedup":
                self.other_speedups += 1

    def told(self) -> str:
        """How many of each there are, in words."""
        parts = [(self.totals[part], part) for part in ("papers", *PARTS)]
        return ", ".join(f"{count:,} {part[:-1] if count == 1 else part}" for count, part in parts)

    def blocks(self) -> list[Block]:
        """What the sheet shows, row by row."""
        factors = [(label, self.factors[at]) for at, label in enumerate(factor_labels())]
        datasets = _sorted(self.datasets)
        others = f"; {self.other_speedups:,} in other units are left out" if self.other_speedups else ""
        more = f", the first {TOP_DATASETS} of {len(datasets):,}" if len(datasets) > TOP_DATASETS else ""
        return [
            Block("Kinds of result", "kind", "results", _sorted(self.kinds), "Rows of the sheet results by kind."),
            Block(
                "Most used datasets", "dataset", "papers", datasets[:TOP_DATASETS],
                f"Papers that name a dataset, by its canonical name{more}.",
            ),
            Block(
                "Speedups by factor", "factor", "results", factors if self.factors else [],
                f"Results of kind speedup with unit x{others}.", "column",
            ),
            Block("Code availability", "code_status", "papers", _sorted(self.code), "Rows of papers by code_status."),
        ]  # fmt: skip


def factor_labels() -> list[str]:
    """The names of the bars of the speedups."""
    marks = [number_text(factor) for factor in FACTORS]
    between = [f"{low} to {high}×" for low, high in pairwise(marks)]
    return [f"under {marks[0]}×", *between, f"{marks[-1]}× and more"]


def write_summary(book: Workbook, styles: Styles, counts: Counts) -> None:
    """Add the sheet to ``book``. Its numbers are written values, so they stay true to what was extracted."""
    sheet = book.add_worksheet(NAME)
    sheet.hide_gridlines(2)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 1)
    sheet.set_row(0, TITLE_HEIGHT)
    for at, width in enumerate(WIDTHS * 2):
        sheet.set_column(at, at, width)
    lines: list[Line] = [(0, 0, "What was found", "title"), (1, 0, counts.told(), "remark")]
    for number, block in enumerate(counts.blocks()):
        row = FIRST_ROW + number // 2 * BLOCK_ROWS
        column = number % 2 * BLOCK_COLUMNS
        lines += _cells(block, row, column)
        if block.counts:
            _add_chart(book, sheet, block, row, column)
    # The sheet is written to disk row by row like the others, so the cells of blocks side by side come in turn.
    for row, column, value, style in sorted(lines, key=lambda line: line[:2]):
        if isinstance(value, int):
            sheet.write_number(row, column, value, styles[style])
        else:
            sheet.write_string(row, column, value, styles[style])


def _cells(block: Block, row: int, column: int) -> Iterator[Line]:
    yield row, column, block.title, "heading"
    yield row + 1, column, block.remark if block.counts else "None were found.", "remark"
    if not block.counts:
        return
    yield row + 2, column, block.labels, "header"
    yield row + 2, column + 1, block.counted, "header right"
    for at, (label, count) in enumerate(block.counts, row + 3):
        yield at, column, label, "plain text" if is_risky(label) else "plain"
        yield at, column + 1, count, "grouped"


def _add_chart(book: Workbook, sheet: Worksheet, block: Block, row: int, column: int) -> None:
    """Put the chart of ``block``, whose title stands at ``row`` and ``column``, beside its table."""
    first, last = row + 3, row + 2 + len(block.counts)
    across = block.shape == "bar"
    labels, numbers = zip(*block.counts, strict=True)
    chart = book.add_chart({"type": block.shape})
    chart.add_series(
        {
            "name": block.counted,
            "categories": [NAME, first, column, last, column],
            "values": [NAME, first, column + 1, last, column + 1],
            # What a viewer shows that draws a chart without reading the cells.
            "categories_data": list(labels),
            "values_data": list(numbers),
            "fill": {"color": COLOUR},
            "gap": 40 if across else 8,
            "data_labels": {"value": True, "num_format": "#,##0", "font": {"color": GREY}},
        }
    )
    quiet = {"num_font": {"color": GREY}, "name_font": {"bold": False, "color": GREY}, "major_tick_mark": "none"}
    # The numbers stand at the bars, so the axis needs no marks of its own; its end leaves room for the longest one's.
    bare = {"line": {"none": True}, "major_gridlines": {"visible": False}, "label_position": "none"}
    ends = {"min": 0, "max": 1.15 * max(numbers)}
    label_axis = {"name": block.labels, **quiet}
    if across:  # the largest at the top, and the other axis still at the bottom
        label_axis |= {"reverse": True, "crossing": "max"}
    count_axis = {"name": f"number of {block.counted}", **quiet, **bare, **ends}
    chart.set_x_axis(count_axis if across else label_axis)
    chart.set_y_axis(label_axis if across else count_axis)
    chart.set_title({"name": block.title, "name_font": {"size": 12}})
    chart.set_legend({"none": True})
    chart.set_chartarea({"border": {"color": "#D9D9D9"}})
    chart.set_size(CHART_SIZE)
    place = {"x_offset": 5, "object_position": 1, "description": f"Chart: {block.title}. {block.remark}"}
    sheet.insert_chart(row + 2, column + 2, chart, place)


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    """The largest count first, equal ones by name; with names as a cell of this sheet can show them."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(_label(name), count) for name, count in ordered]


def _label(name: str) -> str:
    text = " ".join(clean(name, Notes()).split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
