"""Decide whether code is linked, available, promised or not spoken of."""

from __future__ import annotations

from extractor.mentions import Findings


def code_status(text: str, found: Findings) -> str:
    """One of linked, available, promised, none."""
    return "none"
