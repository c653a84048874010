"""The workbook in LibreOffice: each sheet is converted to CSV there and compared with the tables, cell by cell.

Needs the Calc component of LibreOffice and its command ``soffice``.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from outputs import PROBLEM, write
from record_samples import sample

from extractor import Extractor
from extractor.read import Item, read
from extractor.records import PaperRecord
from extractor.tables import RECORD_TABLES, TABLES, Cell, error_row
from extractor.write.cells import CUT_MARK, MAX_CELL

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice Calc is not installed: there is no soffice")

# Commas, double quotes, UTF-8, from the first row; text in quotes and numbers without, not as shown but as held; every
# sheet to a file of its own.
CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1"
FIELD = re.compile(r'("(?:[^"]|"")*"|[^",\n]*)([,\n])')
FIXTURE = Path(__file__).parents[1] / "fixtures" / "page.txt"

# What is written, and what is read back where that is something else.
HOSTILE = {
    "=1+1": None, "=HYPERLINK(\"http://example.org\")": None, "+cmd|' /C calc'!A0": None, "@SUM(A1:A9)": None,
    "-1": None, "-2+3": None, "\t=1+1": None, "{=1}": None, "'=1": None, "'quoted": None, "＝1+1": None,
    "12345678901234567890": None, "0.1000000000000000055511": None, "007": None, "06-8108": None, "3-4": None,
    "2024-01-02": None, "1/2": None, "1e5": None, "1,000": None, "95%": None, "TRUE": None, "null": None,
    "#NAME?": None, "#REF!": None, "Err:508": None, " spaces around ": None, "_x0041_": None, "<b>&amp;</b>": None,
    "https://example.org/?a=1&b=2": None, "😀 漢字 é ﷽ \u202eturned": None, 'with "quotes", and commas;': None,
    "two\nlines": None, "carriage\r\nreturn\rs": "carriage\nreturn\ns",
    "bell \x07 and nul \x00": "bell � and nul �",
    "x" * 40_000: "x" * (MAX_CELL - len(CUT_MARK)) + CUT_MARK,
}  # fmt: skip
HARMLESS = {given: given if read_back is None else read_back for given, read_back in HOSTILE.items()}


def hostile_records() -> list[PaperRecord]:
    """Each text as a title, the name of a dataset and, unless it is changed, an id."""
    (dataset,) = sample().datasets
    return [
        sample(
            text if read_back is None else str(number),
            title=text,
            datasets=[dataset.model_copy(update={"name": text, "canonical": text})],
        )
        for number, (text, read_back) in enumerate(HOSTILE.items())
    ]


@pytest.fixture(scope="module")
def records(extractor: Extractor) -> list[PaperRecord]:
    items = [item for item in read(FIXTURE) if isinstance(item, Item)]
    return [*hostile_records(), *(extractor.extract(item.abstract) for item in items)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, records: list[PaperRecord]) -> Path:
    place = tmp_path_factory.mktemp("office")
    write(place / "out.xlsx", *records, problems=(PROBLEM,))
    return place


@pytest.fixture(scope="module")
def convert(folder: Path) -> Callable[[str], None]:
    """Have LibreOffice, with a user profile of its own, convert the workbook."""

    def run(form: str) -> None:
        assert SOFFICE is not None
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        command = [SOFFICE, profile, "--headless", "--norestore", "--convert-to", form, "--outdir", str(folder)]
        done = subprocess.run([*command, str(folder / "out.xlsx")], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture(scope="module")
def sheets(folder: Path, convert: Callable[[str], None]) -> dict[str, list[list[Cell]]]:
    convert(CSV)
    names = {file.stem.removeprefix("out-"): file for file in folder.glob("out-*.csv")}
    return {name: parsed(file.read_bytes().decode("utf-8")) for name, file in names.items()}


def parsed(text: str) -> list[list[Cell]]:
    """The rows of a CSV file, in which what stands in quotes is text and all else is a number or nothing."""
    rows: list[list[Cell]] = [[]]
    at = 0
    while at < len(text):
        found = FIELD.match(text, at)
        assert found, text[at : at + 80]
        field, end = found[1], found[2]
        if field.startswith('"'):
            rows[-1].append(field[1:-1].replace('""', '"'))
        else:
            rows[-1].append(float(field) if field else None)
        if end == "\n":
            rows.append([])
        at = found.end()
    return rows[:-1]


def as_read(cell: Cell) -> Cell:
    """How a cell of a table is read back."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return HARMLESS.get(cell, cell) if isinstance(cell, str) else cell


def same(found: Cell, meant: Cell) -> bool:
    """Equal; numbers to the 15 digits that LibreOffice writes."""
    if isinstance(found, float) and isinstance(meant, int | float):
        return math.isclose(found, meant, rel_tol=1e-14)
    return type(found) is type(meant) and found == meant


def test_every_cell_is_what_the_records_hold(sheets: dict[str, list[list[Cell]]], records: list[PaperRecord]) -> None:
    assert set(sheets) == {*TABLES, "summary", "about"}
    for name, table in TABLES.items():
        rows = [row for record in records for row in record.to_rows(name)] if name in RECORD_TABLES else []
        if name == "errors":
            rows = [error_row(PROBLEM)]
        header, *body = sheets[name]
        assert header == table.header
        assert len(body) == len(rows) > 0
        for cells, row in zip(body, rows, strict=True):
            for column, cell in zip(table.header, cells, strict=True):
                assert same(cell, as_read(row[column])), (name, column, row[column], cell)


def test_every_hostile_text_is_there_as_text(sheets: dict[str, list[list[Cell]]]) -> None:
    titles = [row[1] for row in sheets["papers"][1:]]
    assert titles[: len(HARMLESS)] == list(HARMLESS.values())


def test_the_summary_holds_numbers(sheets: dict[str, list[list[Cell]]], records: list[PaperRecord]) -> None:
    rows = sheets["summary"]
    kinds = {row[0]: row[1] for row in rows if isinstance(row[1], float)}
    for kind in {result.kind for record in records for result in record.results}:
        assert kinds[kind] == sum(result.kind == kind for record in records for result in record.results)


def test_tables_filters_colours_and_charts_arrive_and_no_formula_does(
    folder: Path, convert: Callable[[str], None]
) -> None:
    convert("fods")
    found: dict[str, list[dict[str, str]]] = {}
    for element in ElementTree.parse(folder / "out.fods").iter():
        plain = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        found.setdefault(element.tag.rpartition("}")[2], []).append(plain)
    cells = found["table-cell"]
    assert len(cells) > 1000
    assert not [cell for cell in cells if "formula" in cell], "no cell is a formula"
    assert {cell["value-type"] for cell in cells if "value-type" in cell} == {"string", "float"}
    ranges = {made["name"]: made for made in found["database-range"]}
    assert set(TABLES) <= set(ranges)
    assert {ranges[name]["display-filter-buttons"] for name in TABLES} == {"true"}
    assert len([made for made in found["conditional-format"] if made]) >= 6
    assert [made["class"] for made in found["chart"] if "class" in made] == ["chart:bar"] * 4
