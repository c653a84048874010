"""The page on quality: intervals, errors by kind, and whether confidences hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from record_samples import ABSTRACT
from typer.testing import CliRunner

from extractor import Extractor
from extractor.cli.application import app
from extractor.evaluate import Judged
from extractor.quality import calibration_error, interval


def test_confidences_that_hold_have_no_error() -> None:
    values = [Judged("methods", 0.75, right) for right in (True, True, True, False)] * 5
    assert calibration_error(values) == pytest.approx(0)
    assert calibration_error([Judged("methods", 0.9, False)] * 10) == pytest.approx(0.9)
    assert calibration_error([]) == 0


def test_bins_do_not_part_equal_confidences() -> None:
    mixed = [Judged("methods", 0.2, False)] * 6 + [Judged("methods", 0.8, True)] * 4
    assert calibration_error(mixed) == pytest.approx(0.2)


def test_the_interval_holds_the_figure_and_is_the_same_every_time() -> None:
    values = [0, 1] * 40
    low, high = interval(values, lambda drawn: sum(drawn) / len(drawn))
    assert low < 0.5 < high and (low, high) == interval(values, lambda drawn: sum(drawn) / len(drawn))


def test_the_command_writes_the_page(tmp_path: Path, extractor: Extractor) -> None:
    record = json.loads(extractor.extract(ABSTRACT, id="one").model_dump_json())
    wrong = {**record, "id": "two", "methods": [], "code_status": "promised"}
    gold = [{**entry, "results": []} for entry in (record, wrong)]
    for name, entries in (("gold", gold), ("records", [record, {**record, "id": "two"}])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    page = tmp_path / "quality.md"
    files = [str(tmp_path / "gold.jsonl"), str(tmp_path / "records.jsonl")]
    done = CliRunner().invoke(app, ["evaluate", *files, "--report", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text("utf-8")
    assert text.startswith("# Quality\n\nMeasured on 2 annotated abstracts.")
    assert f"| methods |  | {len(record['methods'])} |  |" in text and "| code_status |  |  | 1 |" in text
    assert "**methods** — Expected calibration error" in text
