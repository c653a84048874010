"""How the tests of outputs write records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from extractor.read import Problem
from extractor.records import PaperRecord
from extractor.write import Output

PROBLEM = Problem(file="a.jsonl", line=3, index=2, id=None, message="not JSON", severity="error")


def write(path: Path | str, *records: PaperRecord, problems: tuple[Problem, ...] = (), **options: Any) -> None:
    with Output(str(path), **options) as out:
        for record in records:
            out.add(record)
        for problem in problems:
            out.add_problem(problem)
