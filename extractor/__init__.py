"""Method names, reported numbers, datasets and code links from machine-learning abstracts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from extractor.version import __version__

if TYPE_CHECKING:
    from extractor.pipeline import Extractor
    from extractor.records import Dataset, Link, Method, PaperRecord, Result, Source, Span

__all__ = [
    "Dataset",
    "Extractor",
    "Link",
    "Method",
    "PaperRecord",
    "Result",
    "Source",
    "Span",
    "__version__",
    "extract",
]


def extract(abstract: str, *, model: bool = True, **options: Any) -> PaperRecord:
    """The record of one abstract, by an ``Extractor`` made for the call (keep one yourself for many)."""
    from extractor.pipeline import Extractor

    return Extractor(model=model).extract(abstract, **options)


def __getattr__(name: str) -> Any:
    # spaCy and pydantic take a second to import; they are loaded when something of theirs is asked for.
    if name == "Extractor":
        from extractor.pipeline import Extractor

        return Extractor
    if name in __all__:
        from extractor import records

        return getattr(records, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
