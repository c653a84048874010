"""Corrections: what edits of the tables do to the records, and what cannot be done."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from record_samples import ABSTRACT, sample
from test_cli import call
from typer.testing import Result

from extractor.records import PaperRecord
from extractor.tables import TABLES

Rows = list[dict[str, str]]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(sample(id).model_dump_json() + "\n" for id in ("a", "b")), "utf-8")
    return path


class Bench:
    """Exports a table, has it edited, and corrects the records with it."""

    def __init__(self, records: Path) -> None:
        self.records = records
        self.folder = records.parent
        self.out = self.folder / "corrected.jsonl"

    def rows(self, table: str) -> Rows:
        told = call("export", self.records, "-o", self.folder / f"{table}.csv", "--table", table)
        assert told.exit_code == 0
        with (self.folder / f"{table}.csv").open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    def correct(self, *options: object, **tables: Rows) -> Result:
        """Correct with the rows given for each table."""
        for table, rows in tables.items():
            with (self.folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        files = [self.folder / f"{table}.csv" for table in tables]
        return call("correct", self.records, *files, "-o", self.out, *options)

    def made(self, id: str = "a") -> PaperRecord:
        lines = self.out.read_text("utf-8").splitlines()
        return next(r for r in map(PaperRecord.model_validate_json, lines) if r.id == id)

    def raw(self) -> list[str]:
        return self.out.read_text("utf-8").splitlines()


@pytest.fixture
def bench(records: Path) -> Bench:
    return Bench(records)


def summary(told: Result) -> str:
    return told.stderr.splitlines()[-1]


# --- edited cells


def test_an_edited_cell_is_taken_and_marked_and_nothing_else_changes(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0]["metric"] = "latency"
    told = bench.correct(results=rows)
    assert told.exit_code == 0
    assert "1 of 2 papers changed: 1 cell edited, 0 rows added, 0 deleted, 0 refused" in summary(told)
    first, second = bench.made().results
    assert (first.metric, first.rule, first.confidence) == ("latency", "human", 1.0)
    assert first.model_copy(update={"metric": None, "rule": "test", "confidence": 0.9}) == sample("a").results[0]
    assert second == sample("a").results[1]
    assert bench.raw()[1] == bench.records.read_text("utf-8").splitlines()[1]


@pytest.mark.parametrize(
    ("table", "column", "text", "value"),
    [
        ("results", "value", "4.5", 4.5),
        ("results", "value", "1,500,000", 1_500_000.0),
        ("results", "high", "5", 5.0),
        ("results", "unit", "", None),
        ("results", "kind", "Ratio", "ratio"),
        ("results", "qualifier", "up_to", "up_to"),
        ("results", "subject", "the '= sign", "the '= sign"),
        ("results", "baseline", "'=SlowNet", "=SlowNet"),
        ("results", "datasets", "ImageNet-1K;", ["ImageNet-1K"]),
        ("results", "method", "QuickNet", "QuickNet"),
        ("methods", "role", "compared", "compared"),
        ("methods", "full_name", "Quick Network", "Quick Network"),
        ("methods", "aliases", "QN; Q-Net", ["QN", "Q-Net"]),
        ("datasets", "canonical", "ImageNet-1K", "ImageNet-1K"),
        ("datasets", "role", "introduced", "introduced"),
    ],
)
def test_every_kind_of_cell_can_be_edited(bench: Bench, table: str, column: str, text: str, value: Any) -> None:
    rows = bench.rows(table)
    rows[0][column] = text
    assert bench.correct(**{table: rows}).exit_code == 0
    part = getattr(bench.made(), table)[0]
    assert getattr(part, column) == value
    assert (part.rule, part.confidence) == ("human", 1.0)


@pytest.mark.parametrize(
    ("table", "changes", "said"),
    [
        ("results", {"value": "abc"}, 'value "abc" is not a number'),
        ("results", {"value": "-3"}, "value -3 is negative"),
        ("results", {"value": ""}, "value is empty"),
        ("results", {"value": "9" * 400}, "is not a number"),
        ("results", {"high": "1"}, "high 1 is below value 3.2"),
        ("results", {"kind": "win"}, "kind \"win\" is none of 'speedup', 'gain'"),
        ("results", {"evidence": "Another sentence."}, 'evidence is "Another sentence." here and "QuickNet is'),
        ("results", {"paper_id": "b"}, 'paper_id is "b" here and "a" in the records'),
        ("results", {"method": "NoNet"}, 'method "NoNet" is none of the methods of the paper: add it there first'),
        ("results", {"datasets": "ImageNet-1K; Moon"}, 'datasets "Moon" is none of the datasets'),
        ("results", {"start": "-1"}, "mark no text: the abstract has"),
        ("results", {"start": "many"}, 'start "many" is not a number'),
        ("results", {"start": "1.5"}, "start and end are whole numbers"),
        ("results", {"end": ""}, "end is empty"),
        ("results", {"field": "body"}, 'field "body" is neither title nor abstract'),
        ("results", {"quote": "7.7x"}, '"7.7x" stands neither in the title nor in the abstract'),
        ("results", {"quote": "a"}, '"a" stands'),
        ("results", {"rule": "guess"}, "rule cannot be edited but to human"),
        ("results", {"confidence": "0.5"}, "confidence cannot be edited but to 1"),
        ("results", {"unit": "3-Apr"}, 'unit "3-Apr" seems to be a date the spreadsheet made'),
        ("methods", {"role": ""}, "role is empty"),
        ("methods", {"name": ""}, "name is empty"),
        ("methods", {"name": "SlowNet"}, 'the paper has another row with the name "SlowNet"'),
        ("methods", {"mentions": "7"}, 'mentions is "7" here and "2" in the records'),
        ("methods", {"method_id": "a-m9"}, 'the records have no method_id "a-m9"'),
        ("methods", {"method_id": "a-r1"}, 'the records have no method_id "a-r1"'),
        ("methods", {"method_id": "z-m1"}, "the records have no paper of this id"),
        ("methods", {"method_id": "", "paper_id": "z"}, "the records have no paper of this id"),
        ("methods", {"method_id": "", "paper_id": ""}, "a new row needs a paper_id"),
    ],
)
def test_an_edit_that_cannot_be_is_refused_with_its_row_and_costs_nothing_else(
    bench: Bench, table: str, changes: dict[str, str], said: str
) -> None:
    rows = bench.rows(table)
    rows[0].update(changes)
    rows[0]["baseline" if table == "results" else "full_name" if "name" not in changes else "aliases"] = "whole row"
    rows[-1]["rule"] = "human"
    told = bench.correct("--errors", bench.folder / "refused.csv", "--keep-missing", **{table: rows})
    assert told.exit_code == 1
    (line,) = [line for line in told.stderr.splitlines() if line.startswith("error: ")]
    assert line.startswith(f"error: {bench.folder / table}.csv:2: ") and said in line
    assert bench.made() == sample("a")
    assert getattr(bench.made("b"), table)[-1].rule == "human"
    with (bench.folder / "refused.csv").open(encoding="utf-8", newline="") as stream:
        (refused,) = csv.DictReader(stream)
    assert refused["line"] == "2" and said.replace('"', "") in refused["message"].replace('"', "")
    assert "1 refused" in summary(told)


def test_rule_human_alone_says_that_a_row_is_right(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[1]["rule"] = "Human"
    assert bench.correct(results=rows).exit_code == 0
    assert bench.made().results[1] == sample("a").results[1].model_copy(update={"rule": "human", "confidence": 1.0})


# --- places


def test_offsets_move_a_number_and_the_quote_follows(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0]["end"] = str(int(rows[0]["end"]) - len("$\\times$"))
    assert bench.correct(results=rows).exit_code == 0
    span = bench.made().results[0].span
    assert span.text == "3.2" == ABSTRACT[span.start : span.end]


def test_a_quote_moves_a_number_to_the_one_place_it_has(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[1]["quote"] = "1.5"
    assert bench.correct(results=rows).exit_code == 0
    made = bench.made().results[1]
    assert made.span.text == "1.5" and made.sentence == sample("a").results[1].sentence


def test_a_number_that_leaves_its_sentence_gets_the_one_it_is_in(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0].update(quote="a fast network", start="", end="")
    rows[0].update(start=str(ABSTRACT.index("a fast")), end=str(ABSTRACT.index("a fast") + len("a fast network")))
    told = bench.correct(results=rows)
    assert told.exit_code == 1 and "the row is not of these records" in told.stderr
    del rows[0]["quote"]
    assert bench.correct(results=[{k: v for k, v in row.items() if k != "quote"} for row in rows]).exit_code == 0
    made = bench.made().results[0]
    assert made.span.text == "a fast network"
    assert ABSTRACT[made.sentence.start : made.sentence.end] == "We propose QuickNet, a fast network."


def test_a_quote_and_offsets_that_disagree_are_refused(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0].update(start=str(int(rows[0]["start"]) + 1), quote="3.2")
    told = bench.correct(results=rows)
    assert told.exit_code == 1 and 'is ".2$\\times$", not "3.2"' in told.stderr


# --- names and what refers to them


def test_a_new_name_is_carried_to_the_results_and_its_mentions_are_found(records: Path) -> None:
    owned = [r.model_copy(update={"method": "QuickNet", "baseline_method": "SlowNet"}) for r in sample().results]
    records.write_text(sample("a", results=owned).model_dump_json() + "\n", "utf-8")
    bench = Bench(records)
    methods, datasets, results = bench.rows("methods"), bench.rows("datasets"), bench.rows("results")
    methods[0]["name"] = "QuickNet, a fast network"
    datasets[0]["name"] = "ImageNet (1K)"
    results[0]["metric"] = "speed"
    told = bench.correct(methods=methods, datasets=datasets, results=results)
    assert told.exit_code == 0 and "3 references renamed" in summary(told)
    made = bench.made()
    assert [span.text for span in made.methods[0].mentions] == ["QuickNet, a fast network"]
    assert [span.text for span in made.datasets[0].mentions] == ["ImageNet-1K"]  # as the new name stands nowhere
    assert [result.method for result in made.results] == ["QuickNet, a fast network"] * 2
    assert [result.baseline_method for result in made.results] == ["SlowNet"] * 2
    assert made.results[1].datasets == ["ImageNet (1K)"]
    assert [result.rule for result in made.results] == ["human", "test"]
    assert not list(made.inconsistencies())


def test_names_can_be_exchanged(records: Path) -> None:
    owned = [r.model_copy(update={"method": "QuickNet"}) for r in sample().results]
    records.write_text(sample("a", results=owned).model_dump_json() + "\n", "utf-8")
    bench = Bench(records)
    rows = bench.rows("methods")
    rows[0]["name"], rows[1]["name"] = rows[1]["name"], rows[0]["name"]
    assert bench.correct(methods=rows).exit_code == 0
    made = bench.made()
    assert [method.name for method in made.methods] == ["SlowNet", "QuickNet"]
    assert [result.method for result in made.results] == ["SlowNet", "SlowNet"]


def test_what_referred_to_a_deleted_row_refers_to_nothing(records: Path) -> None:
    owned = [r.model_copy(update={"method": "QuickNet", "baseline_method": "SlowNet"}) for r in sample().results]
    more = [*sample().datasets, sample().datasets[0].model_copy(update={"name": "Other"})]
    records.write_text(sample("a", results=owned, datasets=more).model_dump_json() + "\n", "utf-8")
    bench = Bench(records)
    told = bench.correct(methods=bench.rows("methods")[:1], datasets=bench.rows("datasets")[1:])
    assert told.exit_code == 0
    assert "2 deleted, 0 refused; 3 references to deleted rows emptied" in summary(told)
    made = bench.made()
    assert ([m.name for m in made.methods], [d.name for d in made.datasets]) == (["QuickNet"], ["Other"])
    assert [(r.method, r.baseline_method, r.datasets) for r in made.results] == [("QuickNet", None, [])] * 2


def test_a_result_can_name_a_method_that_is_added_beside_it(bench: Bench) -> None:
    methods, results = bench.rows("methods"), bench.rows("results")
    methods.append(dict.fromkeys(methods[0], "") | {"paper_id": "a", "name": "ImageNet", "role": "mentioned"})
    methods[-1]["quote"] = "ImageNet"
    results[0]["baseline_method"] = "ImageNet"
    told = bench.correct(methods=methods, results=results)
    assert told.exit_code == 0 and "1 row added" in summary(told)
    assert bench.made().results[0].baseline_method == "ImageNet"


# --- added and deleted rows


def new_row(table: str, **cells: str) -> dict[str, str]:
    return dict.fromkeys(TABLES[table].header, "") | {"paper_id": "a"} | cells


def test_new_names_are_looked_up_in_the_text(bench: Bench) -> None:
    methods, datasets = bench.rows("methods"), bench.rows("datasets")
    methods.append(new_row("methods", name="fast network", role="mentioned"))
    datasets.append(new_row("datasets", name="network", role="used"))
    assert bench.correct(methods=methods, datasets=datasets).exit_code == 0
    method, dataset = bench.made().methods[-1], bench.made().datasets[-1]
    assert [span.text for span in method.mentions] == ["fast network"]
    assert (method.rule, method.confidence, method.full_name, method.aliases) == ("human", 1.0, None, [])
    assert (dataset.canonical, dataset.role) == ("network", "used")
    assert not list(bench.made().inconsistencies())


def test_a_name_within_markup_is_found(records: Path) -> None:
    text = f"{ABSTRACT} We call it \\textbf{{Fold}}\\-\\textit{{Net}}."
    records.write_text(sample("a", text).model_dump_json() + "\n", "utf-8")
    bench = Bench(records)
    rows = [*bench.rows("methods"), new_row("methods", name="FoldNet", role="proposed")]
    assert bench.correct(methods=rows).exit_code == 0
    (span,) = bench.made().methods[-1].mentions
    assert "Fold" in span.text and span.text == text[span.start : span.end]


def test_a_new_number_needs_its_place_and_gets_its_sentence(bench: Bench) -> None:
    rows = [
        *bench.rows("results"),
        new_row("results", kind="size", value="1000", quote="1K"),
        new_row("results", kind="size", value="1", start="3", end="10"),
    ]
    assert bench.correct(results=rows).exit_code == 0
    made = bench.made()
    assert [result.span.text for result in made.results[2:]] == ["1K", "propose"]
    assert made.results[2].sentence == made.results[0].sentence
    assert (made.results[2].qualifier, made.results[2].method, made.results[2].rule) == ("exact", None, "human")
    assert made.results[:2] == sample("a").results


@pytest.mark.parametrize(
    ("table", "cells", "said"),
    [
        ("results", {"value": "3", "quote": "1K"}, "a new row needs kind"),
        ("results", {"kind": "size", "value": "3"}, "a place is needed: give start and end, or the quote"),
        ("results", {"kind": "size", "value": "3", "start": "3"}, "start and end belong together"),
        ("results", {"kind": "size", "value": "3", "quote": "net"}, "stands 2 times in the text: give start and end"),
        ("results", {"kind": "size", "value": "3", "quote": "1K", "method": "Nn"}, 'method "Nn" is none of'),
        ("methods", {"quote": "1K"}, "a new row needs name and role"),
        ("methods", {"name": "Moon", "role": "used"}, 'name "Moon" stands neither in the title nor in the abstract'),
        ("methods", {"name": "network", "role": "used"}, "role \"used\" is none of 'proposed'"),
        ("methods", {"name": "SlowNet", "role": "compared"}, "the paper has another row with the name"),
        ("datasets", {"name": "Image", "role": "used"}, 'name "Image" stands neither'),
    ],
)
def test_a_new_row_that_says_too_little_is_refused(bench: Bench, table: str, cells: dict[str, str], said: str) -> None:
    told = bench.correct(**{table: [*bench.rows(table), new_row(table, **cells)]})
    assert told.exit_code == 1 and said in told.stderr
    assert bench.raw() == bench.records.read_text("utf-8").splitlines()


def test_deleted_rows_are_deleted_and_papers_without_any_row_are_left(bench: Bench) -> None:
    rows = [row for row in bench.rows("results") if row["result_id"] != "a-r1" and row["paper_id"] == "a"]
    told = bench.correct(results=rows)
    assert told.exit_code == 0
    assert "1 deleted, 0 refused; papers without a row left as they are: 1 in results" in summary(told)
    assert bench.made("a").results == sample().results[1:]
    assert bench.made("b") == sample("b")
    bench.correct("--delete-missing", results=rows)
    assert bench.made("a").results == sample().results[1:] and bench.made("b").results == []
    bench.correct("--keep-missing", results=rows)
    assert bench.made("a") == sample("a") and bench.made("b") == sample("b")
    assert bench.correct("--keep-missing", "--delete-missing", results=rows).exit_code == 2


def test_a_filtered_copy_is_not_taken_for_deleted_rows(bench: Bench) -> None:
    many = "".join(sample(str(n)).model_dump_json() + "\n" for n in range(30))
    many += "".join(
        sample(f"more-{n}", results=sample().results * 2).model_dump_json() + "\n" for n in range(20)
    )  # fmt: skip
    bench.records.write_text(many, "utf-8")
    rows = [row for row in bench.rows("results") if row["result_id"].endswith("-r1")]
    told = bench.correct(results=rows)
    assert told.exit_code == 2 and "90 of 140 rows of these papers are missing from results" in told.stderr
    assert not bench.out.exists()
    assert bench.correct("--keep-missing", results=rows).exit_code == 0
    assert bench.raw() == many.splitlines()


def test_a_refused_row_is_not_deleted(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0]["value"] = "abc"
    assert bench.correct(results=rows).exit_code == 1
    assert bench.made() == sample("a")


def test_a_row_copied_with_its_id_is_told(bench: Bench) -> None:
    rows = bench.rows("methods")
    told = bench.correct(methods=[*rows, rows[0]])
    assert told.exit_code == 0 and bench.made() == sample("a")  # the same twice says nothing new
    told = bench.correct(methods=[*rows, {**rows[0], "role": "compared"}])
    assert told.exit_code == 1 and 'the id "a-m1" is that of row 2 too: leave method_id empty' in told.stderr
    assert bench.made() == sample("a")


# --- records that changed meanwhile, and ids that are shared


def test_the_table_of_another_state_of_the_records_makes_conflicts_not_changes(bench: Bench) -> None:
    old = bench.rows("results")
    assert bench.correct(results=[row for row in old if row["result_id"] != "a-r1"]).exit_code == 0
    bench.records = bench.out.rename(bench.folder / "newer.jsonl")
    before = bench.records.read_text("utf-8").splitlines()
    old[0]["metric"] = "latency"
    told = bench.correct(results=old)
    assert told.exit_code == 1
    assert "the row is not of these records" in told.stderr  # what was the first number is the second
    assert 'the records have no result_id "a-r2"' in told.stderr
    assert bench.raw() == before


def test_papers_that_share_an_id_are_left_alone(bench: Bench) -> None:
    other = sample("a", methods=sample().methods[:1])
    bench.records.write_text(f"{sample('a').model_dump_json()}\n{other.model_dump_json()}\n", "utf-8")
    rows = bench.rows("methods")
    assert bench.correct(methods=rows).exit_code == 0
    rows[1]["role"] = "mentioned"
    told = bench.correct(methods=rows)
    assert told.exit_code == 1 and "several papers of the records have this id" in told.stderr
    assert bench.raw() == bench.records.read_text("utf-8").splitlines()


# --- the command


def test_the_output_has_any_format_and_can_be_no_input(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0]["metric"] = "latency"
    bench.correct(results=rows)
    for name in (bench.records, bench.folder / "results.csv"):
        before = name.read_bytes()
        assert call("correct", bench.records, bench.folder / "results.csv", "-o", name).exit_code == 2
        assert name.read_bytes() == before
    assert call("correct", bench.records, bench.folder / "results.csv", "-o", bench.folder / "out.xlsx").exit_code == 0
    sheet = openpyxl.load_workbook(bench.folder / "out.xlsx")["results"]
    assert "latency" in [cell.value for cell in sheet[2]]
    assert call("correct", "-", bench.folder / "results.csv", "-o", bench.folder / "x.jsonl").exit_code == 2
    folder = bench.folder / "tables"
    call("export", bench.records, "-o", f"{folder}/")
    assert call("correct", bench.records, folder, "-o", f"{folder}/").exit_code == 2


def test_a_flawed_record_is_told_and_the_others_are_corrected(bench: Bench) -> None:
    rows = bench.rows("results")
    rows[0]["metric"] = "latency"
    with bench.records.open("a", encoding="utf-8") as stream:
        stream.write("not json\n")
    told = bench.correct(results=rows)
    assert told.exit_code == 1 and f"error: {bench.records}:3: " in told.stderr
    assert bench.made().results[0].metric == "latency" and len(bench.raw()) == 2


def test_corrected_records_can_be_corrected_again(bench: Bench) -> None:
    rows = bench.rows("methods")
    rows[0]["role"] = "compared"
    bench.correct(methods=rows)
    bench.records = bench.out.rename(bench.folder / "once.jsonl")
    assert bench.correct(methods=bench.rows("methods")).exit_code == 0
    assert bench.raw() == bench.records.read_text("utf-8").splitlines()


# --- evaluate


def test_corrected_records_are_gold_for_the_records(bench: Bench) -> None:
    methods, results = bench.rows("methods"), bench.rows("results")
    results[0]["value"] = "4"
    told = bench.correct(methods=methods[:1] + methods[2:], results=results)
    assert told.exit_code == 0
    figures = json.loads(call("evaluate", bench.out, bench.records, "--json").stdout)
    assert figures["methods"] == {"precision": 3 / 4, "recall": 1.0, "f1": pytest.approx(6 / 7)}
    assert figures["claims"] == {"precision": 3 / 4, "recall": 3 / 4, "f1": 3 / 4}
    assert figures["datasets"]["f1"] == figures["links"]["f1"] == 1.0
    listed = call("evaluate", bench.out, bench.records, "--errors", "claims").stdout.splitlines()
    assert listed == [
        "a\tclaims\tmissed\t'3.2$\\\\times$' speedup None",
        "a\tclaims\tspurious\t'3.2$\\\\times$' speedup None",
    ]
    same = json.loads(call("evaluate", bench.out, bench.out, "--json").stdout)
    assert same["abstract.perfect"] == 1.0 and same["records"]["f1"] == 1.0


# --- tables older than the records, and several copies of one table


def as_newer(bench: Bench) -> list[str]:
    """Go on with the corrected records as the records; gives their lines."""
    bench.records = bench.out.rename(bench.folder / "newer.jsonl")
    return bench.records.read_text("utf-8").splitlines()


def test_the_same_edits_again_change_nothing(bench: Bench) -> None:
    rows = bench.rows("results")
    new = new_row("results", paper_id="b", kind="score", value="1", quote="1.5")
    edits = [{**rows[0], "metric": "latency"}, rows[2], rows[3], new]  # the second row of a is deleted
    assert "1 cell edited, 1 row added, 1 deleted" in bench.correct(results=edits).stderr
    before = as_newer(bench)
    told = bench.correct(results=edits)
    assert told.exit_code == 1 and "0 rows added, 0 deleted, 2 refused" in told.stderr
    assert "a person has corrected this row since the table was exported" in told.stderr
    assert 'the paper has this number already: give result_id "b-r3", or delete the row' in told.stderr
    assert bench.raw() == before


def test_an_older_table_deletes_none_of_the_rows_that_a_person_added(bench: Bench) -> None:
    old = bench.rows("methods")
    new = new_row("methods", paper_id="a", name="network", role="mentioned")
    assert bench.correct(methods=[{**old[0], "role": "mentioned"}, *old[1:], new]).exit_code == 0
    before = as_newer(bench)
    for option in ((), ("--delete-missing",)):
        told = bench.correct(*option, methods=old)
        assert "until then no missing row of methods is deleted, of 1" in told.stderr
        assert bench.raw() == before


def test_a_row_of_another_state_keeps_the_missing_rows_of_its_paper(bench: Bench) -> None:
    old = bench.rows("results")
    assert bench.correct(results=old[1:]).exit_code == 0
    before = as_newer(bench)
    told = bench.correct(results=old[1:])  # a-r2 is a-r1 now, and a-r1 is not among the rows
    assert told.exit_code == 1 and "the missing rows of its paper are kept (1)" in told.stderr
    assert bench.raw() == before


def test_a_row_that_lost_its_id_is_neither_deleted_nor_added_again(bench: Bench) -> None:
    rows = bench.rows("results")
    told = bench.correct(results=[{**rows[0], "result_id": ""}, *rows[1:]])
    assert told.exit_code == 1 and 'give result_id "a-r1", or delete the row' in told.stderr
    assert bench.made() == sample("a")
    told = bench.correct(results=[{**rows[0], "result_id": "x"}, *rows[1:]])
    assert told.exit_code == 1 and 'the records have no result_id "x"' in told.stderr
    assert bench.made() == sample("a")


def test_the_same_new_row_twice_is_added_once(bench: Bench) -> None:
    new = new_row("results", paper_id="b", kind="score", value="1", quote="1.5")
    told = bench.correct(results=[new, *bench.rows("results"), new])
    assert told.exit_code == 1 and "another new row says the same: delete one of them" in told.stderr
    assert "1 row added" in told.stderr and len(bench.made("b").results) == 3


def copies(bench: Bench, *edits: Rows) -> Result:
    """Correct with several copies of the results at once."""
    files = []
    for at, rows in enumerate(edits):
        bench.correct(results=rows)
        files.append((bench.folder / "results.csv").rename(bench.folder / f"copy{at}.csv"))
    return call("correct", bench.records, *files, "-o", bench.out)


def test_of_two_copies_the_edited_rows_count_whichever_comes_first(bench: Bench) -> None:
    rows = bench.rows("results")
    one = [{**rows[0], "metric": "latency"}, *rows[1:]]
    other = [rows[0], {**rows[1], "metric": "recall"}, *rows[2:]]
    for edits in ((one, other), (other, one), (one, other, one)):
        told = copies(bench, *edits)
        assert told.exit_code == 0, told.stderr
        assert [result.metric for result in bench.made().results] == ["latency", "recall"]


def test_two_copies_that_disagree_are_told(bench: Bench) -> None:
    rows = bench.rows("results")
    told = copies(bench, [{**rows[0], "metric": "one"}, *rows[1:]], [{**rows[0], "metric": "other"}, *rows[1:]])
    assert told.exit_code == 1 and "copy0.csv edits this row too, in another way" in told.stderr
    assert bench.made().results[0].metric == "one"


def test_a_row_that_one_of_two_copies_lacks_is_kept_and_told(bench: Bench) -> None:
    rows = bench.rows("results")
    told = copies(bench, rows[1:], rows)
    assert told.exit_code == 0 and "this row is missing from" in told.stderr and "copy0.csv and was kept" in told.stderr
    assert bench.made() == sample("a")


def test_of_a_row_and_its_copy_none_is_taken_when_the_copy_comes_first(bench: Bench) -> None:
    rows = bench.rows("methods")
    told = bench.correct(methods=[{**rows[0], "role": "compared"}, *rows])
    assert told.exit_code == 1 and 'the id "a-m1" is that of row 3 too' in told.stderr
    assert bench.made() == sample("a")


def test_a_table_given_twice_is_read_once(bench: Bench) -> None:
    rows = bench.rows("results")
    assert bench.correct(results=[{**rows[0], "metric": "latency"}, *rows[1:]]).exit_code == 0
    file = bench.folder / "results.csv"
    told = call("correct", bench.records, file, file, "-o", bench.out)
    assert told.exit_code == 0 and f"{file}: given twice, and read once" in told.stderr
    assert bench.made().results[0].metric == "latency"


# --- spelling


@pytest.mark.parametrize(
    "column,text,value",
    [
        ("unit", "%", "percent"),
        ("unit", "Percent", "percent"),
        ("unit", "×", "x"),
        ("unit", "GPU hours", "gpu hour"),
        ("unit", "folds of paper", "folds of paper"),
        ("qualifier", "Up to", "up_to"),
    ],
)
def test_units_and_qualifiers_become_those_of_records(bench: Bench, column: str, text: str, value: str) -> None:
    rows = bench.rows("results")
    rows[1][column] = text
    assert bench.correct(results=rows).exit_code == 0
    assert getattr(bench.made().results[1], column) == value


# --- the command


def test_a_folder_of_tables_may_hold_the_output_but_not_be_it(bench: Bench) -> None:
    folder = bench.folder / "tables"
    call("export", bench.records, "-o", f"{folder}/")
    for _ in range(2):
        assert call("correct", bench.records, folder, "-o", folder / "corrected.jsonl").exit_code == 0
    told = call("correct", bench.records, folder, "-o", f"{folder}/")
    assert told.exit_code == 2 and "methods.csv is an input" in told.stderr


def test_records_in_the_place_of_tables_are_told(bench: Bench) -> None:
    told = call("correct", bench.records, bench.records, "-o", bench.out)
    assert told.exit_code == 2 and "is JSON, not an edited table: give the records first" in told.stderr


def test_the_encoding_of_a_table_can_be_given(bench: Bench) -> None:
    rows = bench.rows("results")
    bench.correct(results=[{**rows[0], "metric": "größe"}, *rows[1:]])
    file = bench.folder / "results.csv"
    file.write_text(file.read_text("utf-8"), "mac_roman")
    assert call("correct", bench.records, file, "-o", bench.out, "--encoding", "mac_roman").exit_code == 0
    assert bench.made().results[0].metric == "größe"
    told = call("correct", bench.records, file, "-o", bench.out, "--encoding", "nonsense")
    assert told.exit_code == 2 and "there is no encoding 'nonsense'" in told.stderr


def test_nothing_is_said_to_be_written_where_nothing_was(bench: Bench) -> None:
    rows = bench.rows("results")
    bench.records.write_text("", "utf-8")
    told = bench.correct(results=rows)
    assert told.exit_code == 1 and not bench.out.exists() and "→" not in summary(told)
