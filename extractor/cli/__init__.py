"""The command line. Each command lives in its module; what it needs is imported when it runs."""

from __future__ import annotations

from extractor.cli.application import main

__all__ = ["main"]
