"""Parquet: one row a paper with its lists as they are, or one tidy table.

The columns follow from the record model and the tables, never from the data; each carries its description. Rows go to
disk in groups of a bounded size, so the memory a file takes does not grow with it.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel

from extractor.records import PaperRecord
from extractor.schemas import identifier, table_schema
from extractor.tables import TABLES, Table, error_row
from extractor.write.sinks import Options
from extractor.write.storable import storable

BATCH_ROWS = 500  # rows that are kept as Python objects before they become columns
GROUP_BYTES = 16 * 1024 * 1024  # columns that are kept before they go to disk as a row group
COMPRESSION = "zstd"
CELLS = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
SCALARS = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


class ParquetSink:
    """A row a record, or the rows of the table that was asked for."""

    def __init__(self, path: Path, options: Options) -> None:
        self.table = options.table
        self.schema = record_columns() if self.table is None else table_columns(TABLES[self.table])
        self.rows: list[dict[str, Any]] = []
        self.batches: list[Any] = []
        self.stream = path.open("wb")
        self.writer = pq.ParquetWriter(self.stream, self.schema, compression=COMPRESSION)

    def add(self, record: PaperRecord) -> None:
        if self.table is None:
            self._put(storable(record_row(record), record, "Parquet"))
        elif self.table != "errors":
            for row in record.to_rows(self.table):
                self._put(storable(row, record, "Parquet"))

    def add_problem(self, problem: Any) -> None:
        if self.table == "errors":
            self._put(storable(error_row(problem), None, "Parquet"))

    def close(self) -> None:
        try:
            self._pack()
        finally:
            try:
                self._write()
                self.writer.close()
            finally:
                self.stream.close()

    def _put(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        if len(self.rows) >= BATCH_ROWS:
            self._pack()

    def _pack(self) -> None:
        """Make columns of the rows so far."""
        rows, self.rows = self.rows, []
        try:
            self.batches.append(pa.RecordBatch.from_pylist(rows, schema=self.schema))
        except pa.ArrowException as error:
            raise OSError(" ".join(str(error).split())) from error  # what an output is known to end in
        if sum(batch.nbytes for batch in self.batches) >= GROUP_BYTES:
            self._write()

    def _write(self) -> None:
        batches, self.batches = self.batches, []
        if any(batch.num_rows for batch in batches):
            self.writer.write_table(pa.Table.from_batches(batches))


def record_columns() -> Any:
    """The columns of whole records, nested as the model is."""
    return pa.schema(_fields(PaperRecord), metadata={"schema": identifier("record")})


def table_columns(table: Table) -> Any:
    """The columns of a tidy table."""
    described = {field["name"]: field["description"] for field in table_schema(table)["fields"]}
    fields = [
        pa.field(column.name, CELLS[column.type], not column.required, {"description": described[column.name]})
        for column in table.columns
    ]
    return pa.schema(fields, metadata={"schema": identifier(table.name), "description": table.description})


def record_row(record: PaperRecord) -> dict[str, Any]:
    """The row of a record: the record itself, and the input's other fields as JSON, as they have no columns."""
    return {**record.model_dump(), "extra": json.dumps(record.extra, ensure_ascii=False)}


def _fields(model: type[BaseModel]) -> list[Any]:
    made = []
    for name, field in model.model_fields.items():
        meaning = (field.description or "") + (" As a JSON object." if get_origin(field.annotation) is dict else "")
        nullable = NoneType in get_args(field.annotation)
        made.append(pa.field(name, _type(field.annotation), nullable, {"description": meaning}))
    return made


def _type(kind: Any) -> Any:
    """The Arrow type of what a field of a model is annotated with."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type(arguments[0])
    if origin in (Union, UnionType):
        (only,) = (argument for argument in arguments if argument is not NoneType)
        return _type(only)
    if origin is list:
        return pa.list_(pa.field("element", _type(arguments[0]), nullable=False))
    if origin in (Literal, dict):
        return pa.string()
    return pa.struct(_fields(kind)) if issubclass(kind, BaseModel) else SCALARS[kind]
