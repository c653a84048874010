"""The command line, as a person and as a pipe meet it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import openpyxl
import pytest
from record_samples import ABSTRACT, sample
from typer.testing import CliRunner, Result

from extractor import __version__, schemas
from extractor.cli.application import app
from extractor.records import PaperRecord
from extractor.tables import TABLES

COMMANDS = ["extract", "export", "correct", "validate", "evaluate", "explain", "report", "schema", "formats"]
EXTRACTOR = [sys.executable, "-m", "extractor"]


def call(*arguments: object, input: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=input)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page with a heading and two abstracts."""
    path = tmp_path / "page.txt"
    path.write_text(f"Papers 2026\n\n{ABSTRACT}\n\n{ABSTRACT.replace('QuickNet', 'SwiftNet')}\n", "utf-8")
    return path


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(sample(id).model_dump_json() + "\n" for id in ("a", "b")), "utf-8")
    return path


def ids(text: str) -> list[str]:
    return [PaperRecord.model_validate_json(line).id for line in text.splitlines()]


# --- help


def test_every_command_has_help_with_an_example() -> None:
    listed = call("--help")
    assert listed.exit_code == 0
    for command in COMMANDS:
        assert command in listed.stdout
        told = call(command, "--help")
        assert told.exit_code == 0
        assert f"Example:\n    extractor {command}" in told.stdout or "| extractor" in told.stdout


def test_the_version_is_told() -> None:
    assert call("--version").stdout == f"extractor {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    heavy = ("spacy", "pydantic", "rich", "xlsxwriter", "openpyxl")
    code = f"import sys, extractor.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("arguments", [["extract"], ["extract", "--nonsense", "x"], ["nonsense"], ["export", "x"]])
def test_wrong_usage_ends_with_2(arguments: list[str]) -> None:
    assert call(*arguments).exit_code == 2


# --- extract


def test_a_pipe_gets_json_lines_and_nothing_else(page: Path) -> None:
    done = call("extract", page)
    assert done.exit_code == 0
    first, second = (PaperRecord.model_validate_json(line) for line in done.stdout.splitlines())
    assert first.abstract == ABSTRACT and second.source.file == str(page)
    assert done.stderr == ""


def test_standard_input_is_read_for_a_dash(page: Path) -> None:
    assert ids(call("extract", "-", input=page.read_text("utf-8")).stdout) == ids(call("extract", page).stdout)


@pytest.mark.parametrize("name", ["out.jsonl", "out.json", "out.csv", "out.tsv", "out.xlsx", "out/", "out.csv.gz"])
def test_the_name_of_the_output_tells_the_format(page: Path, tmp_path: Path, name: str) -> None:
    done = call("extract", page, "-o", f"{tmp_path}/{name}")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / name).exists()


def test_numbers_of_a_workbook_are_numbers(page: Path, tmp_path: Path) -> None:
    call("extract", page, "-o", tmp_path / "out.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["results"]
    column = TABLES["results"].header.index("value")
    values = [row[column] for row in sheet.iter_rows(min_row=2)]
    assert len(values) == 4
    assert all(cell.data_type == "n" and isinstance(cell.value, int | float) for cell in values)


def test_a_text_format_can_go_to_standard_output(page: Path) -> None:
    made = list(csv.DictReader(io.StringIO(call("extract", page, "--format", "csv", "--table", "papers").stdout)))
    assert [row["proposed_methods"] for row in made] == ["QuickNet", "SwiftNet"]


def test_a_workbook_cannot_go_to_standard_output(page: Path) -> None:
    done = call("extract", page, "--format", "xlsx")
    assert done.exit_code == 2 and "give -o" in done.stderr


def test_columns_and_metadata_travel_through(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f'key;what;area\nk1;"{ABSTRACT}";vision\n', "utf-8")
    done = call("extract", tmp_path / "in.csv", "--text-column", "what", "--id-column", "key")
    record = PaperRecord.model_validate_json(done.stdout)
    assert (record.id, record.extra) == ("k1", {"area": "vision"})


def test_a_bad_line_costs_one_record_and_is_told_with_file_and_line(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    good = json.dumps({"id": "good", "abstract": ABSTRACT})
    source.write_text(f'{good}\n{{"id": broken\n{{"id": "empty", "abstract": " "}}\n', "utf-8")
    done = call("extract", source, "-o", tmp_path / "out.jsonl", "--errors", tmp_path / "errors.csv")
    assert done.exit_code == 1
    assert ids((tmp_path / "out.jsonl").read_text("utf-8")) == ["good"]
    first, second = done.stderr.splitlines()
    assert first.startswith(f"error: {source}:2: ") and second.startswith(f"error: {source}:3: ")
    with (tmp_path / "errors.csv").open(encoding="utf-8", newline="") as stream:
        assert [(row["line"], row["id"], row["severity"]) for row in csv.DictReader(stream)] == [
            ("2", "", "error"),
            ("3", "empty", "error"),
        ]


def test_one_missing_file_among_others_ends_with_1_and_all_with_2(page: Path, tmp_path: Path) -> None:
    done = call("extract", tmp_path / "missing.txt", page)
    assert done.exit_code == 1 and len(ids(done.stdout)) == 2
    done = call("extract", tmp_path / "missing.txt", tmp_path)
    assert done.exit_code == 2 and len(done.stderr.splitlines()) == 2


def test_a_run_without_any_record_does_not_replace_an_output(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("precious")
    (tmp_path / "in.jsonl").write_text("broken\n")
    assert call("extract", tmp_path / "in.jsonl", "-o", tmp_path / "out.csv").exit_code in (1, 2)
    assert call("extract", tmp_path / "none.jsonl", "-o", tmp_path / "out.csv").exit_code == 2
    assert (tmp_path / "out.csv").read_text() == "precious"


def test_only_the_first_problems_are_told_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"abstract": ABSTRACT}) + "\n" + "broken\n" * 30)
    done = call("extract", tmp_path / "in.jsonl")
    lines = done.stderr.splitlines()
    assert len(lines) == 21 and lines[-1] == "… and 10 more errors (--errors FILE lists them all)"


def test_the_same_abstract_twice_is_a_warning_that_quiet_leaves_out(page: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(page.read_bytes())
    done = call("extract", page, copy)
    assert done.exit_code == 0 and len(ids(done.stdout)) == 4
    assert [line.startswith("warning: ") for line in done.stderr.splitlines()] == [True, True]
    assert call("extract", page, copy, "--quiet").stderr == ""


def test_what_is_told_stays_on_one_line_and_cannot_steer_a_terminal(tmp_path: Path) -> None:
    lines = [json.dumps({"id": "a\nb\x1b[31m\u202e", "abstract": text}) for text in (ABSTRACT, f"{ABSTRACT} Too.")]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    (line,) = call("extract", tmp_path / "in.jsonl").stderr.splitlines()
    assert "the id a b�[31m� was met before" in line


def test_workers_change_nothing(page: Path) -> None:
    alone = subprocess.run([*EXTRACTOR, "extract", page], capture_output=True, check=True)
    shared = subprocess.run([*EXTRACTOR, "extract", page, "--workers", "2"], capture_output=True, check=True)
    assert alone.stdout == shared.stdout and len(alone.stdout.splitlines()) == 2


@pytest.mark.parametrize("other", ["page.txt", "./page.txt", "link.jsonl", "PAGE/../page.txt"])
def test_an_output_that_is_an_input_is_refused(page: Path, tmp_path: Path, other: str) -> None:
    (tmp_path / "PAGE").mkdir()
    (tmp_path / "link.jsonl").hardlink_to(page)
    before = page.read_bytes()
    for option in ("-o", "--errors"):
        done = call("extract", page, option, f"{tmp_path}/{other}", *(["--format", "jsonl"] if option == "-o" else []))
        assert done.exit_code == 2
    assert page.read_bytes() == before


def test_a_folder_that_would_overwrite_an_input_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "papers.csv"
    source.write_text(f'abstract\n"{ABSTRACT}"\n')
    done = call("extract", source, "-o", f"{tmp_path}/")
    assert done.exit_code == 2 and "papers.csv is an input" in done.stderr


def test_two_outputs_in_one_place_are_refused(page: Path, tmp_path: Path) -> None:
    done = call("extract", page, "-o", tmp_path / "out.csv", "--errors", tmp_path / "out.csv")
    assert done.exit_code == 2 and "written twice" in done.stderr
    done = call("extract", page, "-o", f"{tmp_path}/t/", "--errors", tmp_path / "t" / "errors.csv")
    assert done.exit_code == 2


def test_errors_need_a_file_that_can_hold_them(page: Path, tmp_path: Path) -> None:
    for name in ("-", str(tmp_path / "e.xlsx"), f"{tmp_path}/e/"):
        assert call("extract", page, "--errors", name).exit_code == 2


def test_an_unknown_suffix_is_told_before_the_work(page: Path) -> None:
    done = call("extract", page, "-o", "out.ods")
    assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1 and "out.ods" in done.stderr


# --- as a process


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps({"id": str(n), "abstract": ABSTRACT}) + "\n" for n in range(400)))
    command = f'"{sys.executable}" -m extractor extract "{source}" | head -n 1'
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert ids(done.stdout) == ["0"]


@pytest.mark.parametrize(
    ("number", "code", "workers"), [(signal.SIGINT, 130, 1), (signal.SIGTERM, 143, 1), (signal.SIGINT, 130, 2)]
)
def test_an_interrupted_run_keeps_what_it_did(tmp_path: Path, number: int, code: int, workers: int) -> None:
    (tmp_path / "out.jsonl").write_text("old")
    options = ["--input-format", "jsonl", "-o", str(tmp_path / "out.jsonl"), "--workers", str(workers)]
    run = subprocess.Popen(
        [*EXTRACTOR, "extract", "-", *options], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdin is not None and run.stderr is not None
    line = json.dumps({"abstract": ABSTRACT}) + "\n"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:  # until the first records are on disk
        run.stdin.write(line * 64)
        run.stdin.flush()
        if any(file.stat().st_size for file in tmp_path.glob(".out*")):
            break
    run.send_signal(number)
    said = run.stderr.read()
    run.stdin.close()
    assert run.wait(60) == code
    assert "what was done so far is in" in said and "Traceback" not in said
    assert (tmp_path / "out.jsonl").read_text() == "old"
    assert ids((tmp_path / "out.partial.jsonl").read_text("utf-8"))
    assert {file.name for file in tmp_path.iterdir()} == {"out.jsonl", "out.partial.jsonl"}


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
def test_on_a_terminal_there_is_a_table_a_progress_bar_and_a_summary(page: Path) -> None:
    command = f'exec "{sys.executable}" -m extractor extract "{page}" 2>&1'
    code = f"import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['sh', '-c', {command!r}])))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert "extracting" in done.stdout
    assert "QuickNet" in done.stdout and "SwiftNet" in done.stdout
    assert "2 papers, " in done.stdout and " results, " in done.stdout
    assert '"schema_version"' not in done.stdout


# --- export, validate


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out/", "out.json"])
def test_records_can_be_exported_to_any_format(records: Path, tmp_path: Path, name: str) -> None:
    assert call("export", records, "-o", f"{tmp_path}/{name}").exit_code == 0
    assert (tmp_path / name).exists()


def test_an_export_holds_what_an_extraction_would(page: Path, tmp_path: Path) -> None:
    for name in ("results.csv", "whole.xlsx"):
        call("extract", page, "-o", tmp_path / "r.jsonl")
        call("extract", page, "-o", tmp_path / name)
        call("export", tmp_path / "r.jsonl", "-o", tmp_path / f"again-{name}")
        assert (tmp_path / name).read_bytes() == (tmp_path / f"again-{name}").read_bytes()


def test_sound_records_are_valid_in_every_wrapping(records: Path, tmp_path: Path) -> None:
    call("export", records, "-o", tmp_path / "array.json")
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(records.read_bytes()))
    for path in (records, tmp_path / "array.json", tmp_path / "packed.jsonl.gz"):
        done = call("validate", path)
        assert (done.exit_code, done.stdout) == (0, "")
        assert done.stderr == f"{path.name}: 2 sound, 0 flawed\n"
    assert call("validate", "-", input=records.read_text("utf-8")).exit_code == 0


def test_every_flaw_is_told_with_file_line_and_field(records: Path) -> None:
    good = json.loads(sample("c").model_dump_json())
    flawed = [
        {**good, "code_status": "maybe"},
        {**good, "results": [{**good["results"][0], "value": "fast", "kind": "win"}]},
        {**good, "links": [{**good["links"][0], "span": {"start": 0, "end": 4, "text": "http"}}]},
    ]
    with records.open("a", encoding="utf-8") as stream:
        stream.write("not json\n\n" + "".join(json.dumps(entry) + "\n" for entry in flawed))
    done = call("validate", records)
    assert done.exit_code == 1
    places = [line.removeprefix(f"{records}:").split(": ")[:2] for line in done.stdout.splitlines()]
    assert [place for place in places if place[0] != "3"] == [
        ["5", "code_status"],
        ["6", "results.0.value"],
        ["6", "results.0.kind"],
        ["7", "links.0.span"],
    ]
    assert places[0][0] == "3" and "JSON" in done.stdout.splitlines()[0]
    assert done.stderr == "records.jsonl: 2 sound, 4 flawed\n"


def test_flawed_records_do_not_keep_the_others_from_being_exported(records: Path, tmp_path: Path) -> None:
    with records.open("a", encoding="utf-8") as stream:
        stream.write("not json\n")
    done = call("export", records, "-o", tmp_path / "out.jsonl")
    assert done.exit_code == 1 and f"error: {records}:3: " in done.stderr
    assert ids((tmp_path / "out.jsonl").read_text("utf-8")) == ["a", "b"]


def test_files_that_cannot_be_read_end_with_2(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(b"x" * 999)[:20])
    for command in ("validate", "export"):
        for path in (tmp_path / "missing.jsonl", tmp_path, tmp_path / "bad.jsonl.gz"):
            done = call(command, path, *(["-o", tmp_path / "out.csv"] if command == "export" else []))
            assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1


def test_an_export_over_its_records_is_refused(records: Path) -> None:
    before = records.read_bytes()
    assert call("export", records, "-o", records).exit_code == 2
    assert records.read_bytes() == before


# --- evaluate, explain, schema, formats


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    annotation = {
        "id": "a", "methods": [{"name": "QuickNet", "full_name": None, "role": "proposed"}], "datasets": [],
        "results": [], "links": [], "code_status": "linked",
    }  # fmt: skip
    path.write_text(json.dumps(annotation) + "\n")
    return path


def test_evaluate_tells_precision_recall_and_f1(gold: Path, records: Path) -> None:
    done = call("evaluate", gold, records)
    assert done.exit_code == 0
    assert "1 abstracts, 0 without a record" in done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("methods "))
    assert line.split() == ["methods", "0.500", "1.000", "0.667", "1", "2"]


def test_evaluate_lists_errors_and_gives_json(gold: Path, records: Path) -> None:
    listed = call("evaluate", gold, records, "--errors", "methods").stdout
    assert listed == "a\tmethods\tspurious\tSlowNet [compared]\n"
    assert json.loads(call("evaluate", gold, records, "--json").stdout)["methods"]["recall"] == 1.0
    assert call("evaluate", gold, records, "--errors", "weather").exit_code == 2
    assert call("evaluate", gold, "missing.jsonl").exit_code == 2


def test_explain_marks_every_value_in_the_text(page: Path) -> None:
    first, second = ids(call("extract", page).stdout)
    told = call("explain", page, "--id", first)
    assert told.exit_code == 0
    assert "⟦QuickNet⟧m1" in told.stdout and "⟦3.2$\\times$⟧r1" in told.stdout
    assert any(line.startswith("m1   method   QuickNet") and line.endswith("]") for line in told.stdout.splitlines())
    asked = call("explain", page)
    assert asked.exit_code == 2 and first in asked.stderr and second in asked.stderr
    assert call("explain", page, "--id", "nobody").exit_code == 2
    assert call("explain", page.parent / "missing.txt").exit_code == 2


@pytest.mark.parametrize("name", schemas.NAMES)
def test_schemas_are_printed(name: str) -> None:
    assert json.loads(call("schema", name).stdout) == schemas.schema(name)


def test_schema_names_are_listed_and_others_refused() -> None:
    assert call("schema").stdout.split() == list(schemas.NAMES)
    assert call("schema", "nonsense").exit_code == 2


def test_formats_are_listed() -> None:
    told = call("formats").stdout
    assert all(suffix in told for suffix in (".txt", ".jsonl", ".csv", ".xlsx", ".gz"))


def test_an_unexpected_error_is_one_line_unless_debugging(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("a\nbug")

    monkeypatch.setattr("extractor.run.run", fail)
    done = call("extract", page)
    assert done.exit_code == 2 and done.stderr.startswith("extractor: unexpected RuntimeError: a bug (")
    assert isinstance(call("--debug", "extract", page).exception, RuntimeError)
