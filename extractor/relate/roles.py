"""Decide the role of every method and dataset from all its mentions together."""

from __future__ import annotations

from extractor.mentions import Findings


def relate_roles(text: str, found: Findings) -> None:
    """Fill ``role`` of every name in ``found.methods``."""
