"""An SQLite database of all tables: typed, keyed, and with two tables that say what tables and columns mean.

Everything is one transaction on a file that nobody else sees yet, so no journal is kept, and rows go to disk as they
come. Values are bound, never pasted into SQL: text stays the text it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from extractor.records import SCHEMA_VERSION, PaperRecord
from extractor.schemas import table_schema
from extractor.tables import TABLES, Row, Table, error_row
from extractor.write.sinks import Options
from extractor.write.storable import storable, whole

TYPES = {"string": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}
TRUTH = " (1 for true, 0 for false)"
ABOUT = """
CREATE TABLE about_tables (name TEXT NOT NULL PRIMARY KEY, key TEXT, description TEXT NOT NULL);
CREATE TABLE about_columns (table_name TEXT NOT NULL REFERENCES about_tables (name), name TEXT NOT NULL,
  type TEXT NOT NULL, description TEXT NOT NULL, PRIMARY KEY (table_name, name));
"""


class DatabaseSink:
    """One table of the database for each tidy table, then ``about_tables`` and ``about_columns``."""

    def __init__(self, path: Path, options: Options) -> None:
        self.keyed = True
        with _failures():
            self.base = sqlite3.connect(path, isolation_level=None)
            for setting in ("journal_mode = OFF", "synchronous = OFF", f"user_version = {int(SCHEMA_VERSION)}"):
                self.base.execute(f"PRAGMA {setting}")
            self.base.execute("BEGIN")
            for table in TABLES.values():
                self.base.execute(_definition(table, table.name, keyed=True))

    def add(self, record: PaperRecord) -> None:
        # All rows are made before the first is written: a record that does not fit leaves nothing behind.
        made = {
            table.name: [storable(row, record, "SQLite") for row in record.to_rows(table.name)]
            for table in TABLES.values()
            if table.name != "errors"
        }
        with _failures():
            if self.keyed and self.base.execute("SELECT 1 FROM papers WHERE id = ?", (whole(record.id),)).fetchone():
                self._give_up_keys()
            for name, rows in made.items():
                self._insert(TABLES[name], rows)

    def add_problem(self, problem: Any) -> None:
        row = storable(error_row(problem), None, "SQLite")
        with _failures():
            self._insert(TABLES["errors"], [row])

    def close(self) -> None:
        try:
            with _failures():
                for table in TABLES.values():
                    if "paper_id" in table.header:
                        self.base.execute(f'CREATE INDEX {table.name}_paper_id ON "{table.name}" (paper_id)')
                self._describe()
                self.base.execute("COMMIT")
        finally:
            self.base.close()

    def _insert(self, table: Table, rows: list[Row]) -> None:
        places = ", ".join("?" * len(table.columns))
        self.base.executemany(f'INSERT INTO "{table.name}" VALUES ({places})', (list(row.values()) for row in rows))

    def _give_up_keys(self) -> None:
        """Two papers under one id: the tables are kept as they are, and no longer promise a key."""
        self.keyed = False
        for table in TABLES.values():
            self.base.execute(_definition(table, "unkeyed", keyed=False))
            self.base.execute(f'INSERT INTO unkeyed SELECT * FROM "{table.name}" ORDER BY rowid')
            self.base.execute(f'DROP TABLE "{table.name}"')
            self.base.execute(f'ALTER TABLE unkeyed RENAME TO "{table.name}"')

    def _describe(self) -> None:
        for statement in ABOUT.split(";"):
            self.base.execute(statement)
        for table in TABLES.values():
            key = table.key if self.keyed else None
            self.base.execute("INSERT INTO about_tables VALUES (?, ?, ?)", (table.name, key, table.description))
            for field in table_schema(table)["fields"]:
                meaning = field["description"] + (TRUTH if field["type"] == "boolean" else "")
                cells = (table.name, field["name"], TYPES[field["type"]], meaning)
                self.base.execute("INSERT INTO about_columns VALUES (?, ?, ?, ?)", cells)


def _definition(table: Table, name: str, *, keyed: bool) -> str:
    """The statement that makes ``table`` under ``name``."""
    parts = []
    for column in table.columns:
        part = f'"{column.name}" {TYPES[column.type]}' + (" NOT NULL" if column.required else "")
        if keyed and column.name == table.key:
            part += " PRIMARY KEY"
        elif keyed and column.name == "paper_id":
            part += " REFERENCES papers (id)"
        parts.append(part)
    return f'CREATE TABLE "{name}" ({", ".join(parts)})'


@contextmanager
def _failures() -> Iterator[None]:
    """What SQLite says, as the error an output is known to end in."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
