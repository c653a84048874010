"""What a run came to, for its closing line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from extractor.read import Problem
    from extractor.records import PaperRecord


@dataclass(slots=True)
class Tally:
    """Counts of what was found and of what went wrong."""

    papers: int = 0
    methods: int = 0
    results: int = 0
    datasets: int = 0
    links: int = 0
    warnings: int = 0
    errors: int = 0

    def add(self, record: PaperRecord) -> None:
        self.papers += 1
        self.methods += len(record.methods)
        self.results += len(record.results)
        self.datasets += len(record.datasets)
        self.links += len(record.links)
        self.warnings += len(record.warnings)

    def add_problem(self, problem: Problem) -> None:
        if problem.severity == "error":
            self.errors += 1
        else:
            self.warnings += 1
