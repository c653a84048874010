"""The review page: records as one self-contained HTML file that a person reads, filters and checks."""

from extractor.report.page import write_report

__all__ = ["write_report"]
