"""The parts of the workbook's file, where Excel asks for more than other programs do.

Excel offers to repair a file whose tables disagree with their sheets; other programs open it without a word.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from outputs import PROBLEM, write
from record_samples import sample

from extractor.tables import TABLES
from extractor.write import workbook_sheets, workbook_tables

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
SHEET_NAMES = [*TABLES, "summary", "about"]


class Parts:
    """The XML parts of a workbook."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.trees = {
                name: ElementTree.fromstring(archive.read(name))
                for name in archive.namelist()
                if name.endswith((".xml", ".rels"))
            }

    def sheets(self) -> dict[str, ElementTree.Element]:
        book = self.trees["xl/workbook.xml"]
        return {
            sheet.attrib["name"]: self.trees[f"xl/worksheets/sheet{number}.xml"]
            for number, sheet in enumerate(book.iter(f"{MAIN}sheet"), 1)
        }

    def tables(self) -> dict[str, list[ElementTree.Element]]:
        """The tables of each sheet, by the relations of the sheet."""
        found = {}
        for number, (name, sheet) in enumerate(self.sheets().items(), 1):
            relations = self.trees.get(f"xl/worksheets/_rels/sheet{number}.xml.rels")
            targets = {} if relations is None else {link.attrib["Id"]: link.attrib["Target"] for link in relations}
            parts = [targets[part.attrib[RELATION]] for part in sheet.iter(f"{MAIN}tablePart")]
            found[name] = [self.trees[part.replace("../", "xl/")] for part in parts]
        return found


def header_of(sheet: ElementTree.Element) -> list[str]:
    row = next(sheet.iter(f"{MAIN}row"))
    assert {cell.attrib["t"] for cell in row} == {"inlineStr"}
    return ["".join(cell.itertext()) for cell in row]


def rows_of(sheet: ElementTree.Element) -> list[int]:
    return [int(row.attrib["r"]) for row in sheet.iter(f"{MAIN}row") if len(row)]


@pytest.fixture
def parts(tmp_path: Path) -> Parts:
    write(tmp_path / "out.xlsx", sample("a"), sample("b"), problems=(PROBLEM,))
    return Parts(tmp_path / "out.xlsx")


def test_every_table_agrees_with_its_sheet(parts: Parts) -> None:
    tables = parts.tables()
    assert {name: len(found) for name, found in tables.items()} == {name: int(name in TABLES) for name in SHEET_NAMES}
    for name in TABLES:
        (table,), sheet = tables[name], parts.sheets()[name]
        columns = [column.attrib["name"] for column in table.iter(f"{MAIN}tableColumn")]
        assert columns == header_of(sheet) == TABLES[name].header
        assert all(columns) and len({column.lower() for column in columns}) == len(columns)
        assert table.find(f"{MAIN}tableColumns").attrib["count"] == str(len(columns))  # type: ignore[union-attr]
        last = next(cell for cell in next(sheet.iter(f"{MAIN}row")) if "".join(cell.itertext()) == columns[-1])
        letters = last.attrib["r"].rstrip("1")
        assert table.attrib["ref"] == f"A1:{letters}{rows_of(sheet)[-1]}"
        assert rows_of(sheet) == list(range(1, len(rows_of(sheet)) + 1)) and len(rows_of(sheet)) > 1
        (filtered,) = table.iter(f"{MAIN}autoFilter")
        assert filtered.attrib["ref"] == table.attrib["ref"]
        assert sheet.find(f"{MAIN}autoFilter") is None, "a filter of the sheet would overlap that of the table"


def test_names_and_numbers_of_tables_are_unique(parts: Parts) -> None:
    tables = [table for found in parts.tables().values() for table in found]
    for attribute in ("id", "name", "displayName"):
        assert len({table.attrib[attribute].lower() for table in tables}) == len(tables)
    defined = {name.attrib["name"].lower() for name in parts.trees["xl/workbook.xml"].iter(f"{MAIN}definedName")}
    assert not defined & {table.attrib["displayName"].lower() for table in tables}


def test_every_part_a_table_needs_is_declared(parts: Parts) -> None:
    types = {entry.attrib.get("PartName"): entry.attrib["ContentType"] for entry in parts.trees["[Content_Types].xml"]}
    made = [name for name in parts.trees if name.startswith("xl/tables/")]
    assert len(made) == len(TABLES)
    assert all(types[f"/{name}"].endswith("spreadsheetml.table+xml") for name in made)


def test_a_sheet_without_rows_has_filter_arrows_and_no_table(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx")
    parts = Parts(tmp_path / "out.xlsx")
    assert not any(parts.tables().values())
    for name in TABLES:
        sheet = parts.sheets()[name]
        assert header_of(sheet) == TABLES[name].header
        assert sheet.find(f"{MAIN}autoFilter") is not None
        assert sheet.find(f"{MAIN}conditionalFormatting") is None


def test_a_sheet_beyond_the_limit_has_filter_arrows_and_about_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_sheets, "MAX_TABLE_ROWS", 3)
    write(tmp_path / "out.xlsx", sample("a"), sample("b"))
    parts = Parts(tmp_path / "out.xlsx")
    made = {name for name, found in parts.tables().items() if found}
    assert made == {"papers", "datasets", "links"}, "methods and results have four rows"
    for name in ("methods", "results"):
        reference = parts.sheets()[name].find(f"{MAIN}autoFilter").attrib["ref"]  # type: ignore[union-attr]
        assert re.fullmatch(r"A1:[A-Z]+5", reference)
        assert parts.sheets()[name].find(f"{MAIN}conditionalFormatting") is not None
    about = "".join(parts.sheets()["about"].itertext())
    assert "results has a sheet of over" in about and "datasets has a sheet of over" not in about


def test_a_table_that_goes_on_in_another_sheet_is_a_table_on_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_sheets, "MAX_ROWS", 4)
    write(tmp_path / "out.xlsx", *[sample(str(n)) for n in range(4)])
    found = {
        name: table.attrib["displayName"] for name, tables in Parts(tmp_path / "out.xlsx").tables().items()
        for table in tables
    }  # fmt: skip
    assert (found["results"], found["results 2"], found["results 3"]) == ("results", "results_2", "results_3")


@pytest.mark.parametrize(("name", "header"), [("A1", ["a"]), ("two words", ["a"]), ("papers", ["a", "A"])])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_table_excel_would_refuse_is_refused(name: str, header: list[str]) -> None:
    with pytest.raises(ValueError, match="no Excel table"):
        workbook_tables.make_table(None, name, header, 1)  # type: ignore[arg-type]


def test_no_part_holds_a_formula_of_a_cell(tmp_path: Path) -> None:
    write(tmp_path / "out.xlsx", sample("=1+1", title="=HYPERLINK(1)"), problems=(PROBLEM,))
    for sheet in Parts(tmp_path / "out.xlsx").sheets().values():
        assert sheet.find(f".//{MAIN}f") is None
