"""The record: what it refuses, and the tidy tables it becomes."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError
from record_samples import ABSTRACT, sample

from extractor.records import PaperRecord, Span
from extractor.tables import RECORD_TABLES, TABLES


def test_a_record_survives_json_unchanged() -> None:
    record = sample()
    assert PaperRecord.model_validate_json(record.model_dump_json()) == record


@pytest.mark.parametrize(
    "change", [{"surprise": 1}, {"code_status": "maybe"}, {"id": ""}, {"title": ""}, {"schema_version": "2"}]
)
def test_a_record_refuses_what_the_schema_does_not_know(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PaperRecord.model_validate({**sample().model_dump(), **change})


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_a_result_refuses_numbers_that_are_none(value: str) -> None:
    text = sample().model_dump_json().replace('"value":3.2', f'"value":{value}')
    with pytest.raises(ValidationError):
        PaperRecord.model_validate_json(text)


def test_a_sound_record_has_no_inconsistencies() -> None:
    assert list(sample().inconsistencies()) == []


def test_inconsistencies_name_every_span_that_is_not_its_text() -> None:
    record = sample()
    link = record.links[0].model_copy(update={"span": Span(start=0, end=2, text="http")})
    found = list(record.model_copy(update={"links": [link]}).inconsistencies())
    assert found == [("links.0.span", "abstract[0:2] is not 'http'")]


def test_every_row_of_a_table_has_the_columns_of_its_header_in_order() -> None:
    for name in RECORD_TABLES:
        for row in sample().to_rows(name):
            assert list(row) == TABLES[name].header


def test_a_row_of_results_is_one_number_with_its_evidence() -> None:
    first, second = sample().to_rows()
    assert first["result_id"] == "quick-r1"
    assert (first["value"], first["unit"], first["kind"], first["baseline"]) == (3.2, "x", "speedup", "SlowNet")
    assert first["quote"] == "3.2$\\times$"
    assert second["datasets"] == "ImageNet-1K"
    assert str(second["evidence"]).startswith("QuickNet is 3.2") and str(second["evidence"]).endswith("ImageNet-1K.")
    assert ABSTRACT[int(second["start"] or 0) : int(second["end"] or 0)] == "+1.5 points"


def test_a_row_of_papers_sums_the_paper_up() -> None:
    (row,) = sample(extra={"area": "vision"}).to_rows("papers")
    assert (row["proposed_methods"], row["other_methods"], row["datasets"]) == ("QuickNet", "SlowNet", "ImageNet-1K")
    assert (row["best_speedup"], row["best_speedup_unit"]) == (3.2, "x")
    assert (row["best_gain"], row["best_gain_unit"], row["best_gain_metric"]) == (1.5, "points", "accuracy")
    assert (row["code_status"], row["code_url"]) == ("linked", "https://github.com/quick/net")
    assert (row["methods_count"], row["datasets_count"], row["results_count"], row["links_count"]) == (2, 1, 2, 1)
    assert json.loads(str(row["extra"])) == {"area": "vision"}
    assert row["title"] is None


def test_the_best_speedup_is_the_papers_own_and_a_factor_before_a_percentage() -> None:
    record = sample()
    ours = record.results[0]
    percent = ours.model_copy(update={"value": 60.0, "unit": "percent"})
    theirs = ours.model_copy(update={"value": 9.0, "subject": "SlowNet"})
    ranged = ours.model_copy(update={"value": 2.0, "high": 4.0})
    (row,) = record.model_copy(update={"results": [percent, theirs, ours, ranged]}).to_rows("papers")
    assert (row["best_speedup"], row["best_speedup_unit"]) == (4.0, "x")


def test_the_code_url_is_a_project_page_only_when_the_text_says_code_is_there() -> None:
    record = sample()
    page = record.links[0].model_copy(update={"kind": "project"})
    (linked,) = record.model_copy(update={"links": [page]}).to_rows("papers")
    (unsaid,) = record.model_copy(update={"links": [page], "code_status": "none"}).to_rows("papers")
    assert linked["code_url"] == page.url
    assert unsaid["code_url"] is None


def test_an_unknown_table_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="papers, methods, datasets, results, links"):
        sample().to_rows("sheets")
