"""Records for the tests, made by hand from invented abstracts."""

from __future__ import annotations

from typing import Any

from extractor.records import Dataset, Extent, Link, Method, PaperRecord, Result, Span

ABSTRACT = (
    "We propose QuickNet, a fast network. QuickNet is 3.2$\\times$ faster than SlowNet and gains +1.5 points of "
    "accuracy on ImageNet-1K. Code: https://github.com/quick/net."
)


def span(text: str, quote: str, field: str = "abstract", nth: int = 1) -> Span:
    """The ``nth`` occurrence of ``quote``."""
    at = -1
    for _ in range(nth):
        at = text.index(quote, at + 1)
    return Span(field=field, start=at, end=at + len(quote), text=quote)  # type: ignore[arg-type]


def sample(id: str = "quick", abstract: str = ABSTRACT, **changes: Any) -> PaperRecord:
    """A record of ``abstract`` (ABSTRACT, or a text that holds it)."""
    sentence = span(abstract, ABSTRACT[ABSTRACT.index("QuickNet is") : ABSTRACT.index(" Code:")])
    extent = Extent(start=sentence.start, end=sentence.end)
    shared: dict[str, Any] = {"sentence": extent, "confidence": 0.9, "rule": "test"}
    link = "https://github.com/quick/net"
    made = PaperRecord(
        id=id,
        abstract=abstract,
        methods=[
            Method(
                name="QuickNet", role="proposed", confidence=0.95, rule="test",
                mentions=[span(abstract, "QuickNet"), span(abstract, "QuickNet", nth=2)],
            ),
            Method(name="SlowNet", role="compared", confidence=0.8, rule="test", mentions=[span(abstract, "SlowNet")]),
        ],
        datasets=[
            Dataset(
                name="ImageNet-1K", canonical="ImageNet-1k", role="used", confidence=0.97, rule="test",
                mentions=[span(abstract, "ImageNet-1K")],
            )
        ],
        results=[
            Result(
                value=3.2, unit="x", kind="speedup", baseline="SlowNet", span=span(abstract, "3.2$\\times$"), **shared
            ),
            Result(
                value=1.5, unit="points", kind="gain", metric="accuracy", datasets=["ImageNet-1K"],
                span=span(abstract, "+1.5 points"), **shared,
            ),
        ],
        links=[Link(url=link, kind="code", host="github.com", anonymous=False, span=span(abstract, link))],
        code_status="linked",
    )  # fmt: skip
    return made.model_copy(update=changes)
