"""The published schemas say what the code does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
from record_samples import sample

from extractor import records, schemas
from extractor.tables import TABLES

PUBLISHED = Path(__file__).parent.parent / "schemas" / f"v{records.SCHEMA_VERSION}"
VALIDATOR = jsonschema.Draft202012Validator(schemas.record_schema())


@pytest.mark.parametrize("name", schemas.NAMES)
def test_the_published_file_is_what_the_code_generates(name: str) -> None:
    """After a change: ``extractor schema NAME > schemas/v1/FILE``."""
    assert json.loads((PUBLISHED / schemas.file_name(name)).read_text("utf-8")) == schemas.schema(name)


def test_no_other_file_is_published() -> None:
    assert {file.name for file in PUBLISHED.iterdir()} == {schemas.file_name(name) for name in schemas.NAMES}


def test_the_record_schema_is_json_schema_2020_12_with_a_name() -> None:
    made = schemas.record_schema()
    jsonschema.Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["$id"] == "urn:paper-extractor:schema:v1:record"


def test_a_record_is_valid_as_it_is_written() -> None:
    VALIDATOR.validate(json.loads(sample(title="A title", extra={"any": [1, None]}).model_dump_json()))


def test_the_record_schema_refuses_what_the_code_refuses() -> None:
    good = json.loads(sample().model_dump_json())
    for change in ({"code_status": "maybe"}, {"surprise": 1}, {"id": ""}, {"links": [{"url": "x"}]}):
        assert not VALIDATOR.is_valid({**good, **change})


def test_every_field_of_the_record_is_described() -> None:
    made = schemas.record_schema()
    for part in (made, *made["$defs"].values()):
        for name, about in part["properties"].items():
            assert about.get("description"), name


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_schema_has_a_described_typed_field_for_every_column(name: str) -> None:
    fields = schemas.schema(name)["fields"]
    assert [field["name"] for field in fields] == TABLES[name].header
    for field in fields:
        assert field["description"] and field["type"] in ("string", "integer", "number", "boolean")


def test_the_words_a_column_may_hold_are_those_of_the_record() -> None:
    fields = {field["name"]: field for field in schemas.schema("results")["fields"]}
    assert fields["kind"]["constraints"]["enum"] == list(get_args(records.ResultKind))
    assert fields["qualifier"]["constraints"]["enum"] == list(get_args(records.Qualifier))
