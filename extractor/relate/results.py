"""Decide which numbers are results, and what each belongs to."""

from __future__ import annotations

from extractor.mentions import Findings


def relate_results(text: str, found: Findings) -> None:
    """Fill ``found.results`` from numbers, metrics, methods and datasets."""
