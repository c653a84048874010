"""The published schemas, made from the code: JSON Schema of the record, Table Schema of each table."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from extractor.records import SCHEMA_VERSION, PaperRecord
from extractor.tables import TABLES, Column, Table

JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"
TABLE_SCHEMA = "https://datapackage.org/profiles/2.0/tableschema.json"
NAMES = ("record", *TABLES)

# JSON Schema keyword -> Table Schema constraint.
LIMITS = {"enum": "enum", "minimum": "minimum", "maximum": "maximum"}


def schema(name: str) -> dict[str, Any]:
    """The schema called ``name``: record, or the name of a table."""
    if name == "record":
        return record_schema()
    if name not in TABLES:
        raise ValueError(f"no schema {name!r}; there are {', '.join(NAMES)}")
    return table_schema(TABLES[name])


def file_name(name: str) -> str:
    """The name of the published file of the schema called ``name``."""
    return "record.schema.json" if name == "record" else f"{name}.table.json"


def identifier(name: str) -> str:
    """The URI that names the schema; it is a name, there is nothing to fetch."""
    return f"urn:paper-extractor:schema:v{SCHEMA_VERSION}:{name}"


def record_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of a record as it is written."""
    return {"$schema": JSON_SCHEMA, "$id": identifier("record"), **deepcopy(_model())}


@cache
def _model() -> dict[str, Any]:
    return PaperRecord.model_json_schema(mode="serialization")


def table_schema(table: Table) -> dict[str, Any]:
    """Table Schema (Data Package v2) of the CSV file of ``table``."""
    made: dict[str, Any] = {
        "$schema": TABLE_SCHEMA,
        "name": table.name,
        "title": table.name.capitalize(),
        "description": table.description,
        "fields": [_field(column, _properties(table)) for column in table.columns],
        "missingValues": [""],
    }
    if table.key:
        made["primaryKey"] = [table.key]
    return made


def _properties(table: Table) -> dict[str, Any]:
    """What the record's schema says about the fields of the part a row shows."""
    if table.model is None:
        return {}
    made = _model()
    part = made if table.model == "PaperRecord" else made["$defs"][table.model]
    properties: dict[str, Any] = part["properties"]
    return properties


def _field(column: Column, properties: dict[str, Any]) -> dict[str, Any]:
    about = properties.get(column.name, {})
    own = column.description is not None
    made: dict[str, Any] = {
        "name": column.name,
        "title": column.name.replace("_", " ").capitalize(),
        "type": column.type,
        "description": column.description if own else about.get("description", ""),
    }
    constraints: dict[str, Any] = {"required": True} if column.required else {}
    if not own:
        constraints |= {LIMITS[key]: value for key, value in about.items() if key in LIMITS}
    if constraints:
        made["constraints"] = constraints
    return made
