"""The record of one paper: the one place that defines what the extractor writes.

Offsets are code points into the text as it was received (``field`` says into the title or the
abstract), end exclusive, and ``text == received[start:end]`` always holds.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1"

TextField = Literal["title", "abstract"]
MethodRole = Literal["proposed", "compared", "mentioned"]
DatasetRole = Literal["introduced", "used"]
Qualifier = Literal["exact", "approx", "up_to", "over", "under", "average"]
ResultKind = Literal["speedup", "gain", "reduction", "loss", "score", "ratio", "size"]
LinkKind = Literal["code", "project", "data", "model", "demo", "other"]
CodeStatus = Literal["linked", "available", "promised", "none"]

Text = Annotated[str, Field(min_length=1)]
Offset = Annotated[int, Field(ge=0)]
Confidence = Annotated[float, Field(ge=0, le=1)]


class Part(BaseModel):
    """Common settings: unknown fields, NaN and infinities are refused; values cannot be changed in place."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Span(Part):
    """Where a value stands: ``text`` is ``field[start:end]``, character for character."""

    field: TextField = "abstract"
    start: Offset
    end: Offset
    text: Text


class Extent(Part):
    """A stretch of the text by its offsets alone (a sentence)."""

    field: TextField = "abstract"
    start: Offset
    end: Offset


class Source(Part):
    """Where the abstract came from: file name, input format, position in it (from 0) and line (from 1)."""

    file: str | None = None
    format: str | None = None
    index: int | None = None
    line: int | None = None


class Method(Part):
    """A named method, model, algorithm, system or loss."""

    name: Text
    full_name: Text | None = None
    aliases: list[Text] = []
    role: MethodRole
    mentions: list[Span]
    confidence: Confidence
    rule: Text


class Dataset(Part):
    """A named dataset, benchmark or simulator suite."""

    name: Text
    canonical: Text
    role: DatasetRole
    mentions: list[Span]
    confidence: Confidence
    rule: Text


class Result(Part):
    """A number the abstract reports; ``high`` is set for a range, ``value`` is then its low end."""

    value: float
    high: float | None = None
    unit: Text | None = None
    qualifier: Qualifier = "exact"
    kind: ResultKind
    metric: Text | None = None
    subject: Text | None = None
    baseline: Text | None = None
    datasets: list[Text] = []
    span: Span
    sentence: Extent
    confidence: Confidence
    rule: Text


class Link(Part):
    """A URL, free of markup and of trailing punctuation."""

    url: Text
    kind: LinkKind
    host: Text
    anonymous: bool
    span: Span


class PaperRecord(Part):
    """Everything found in one abstract."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    id: Text
    source: Source = Source()
    title: Text | None = None
    venue: Text | None = None
    year: int | None = None
    url: Text | None = None
    extra: dict[str, Any] = {}
    abstract: Text
    methods: list[Method] = []
    datasets: list[Dataset] = []
    results: list[Result] = []
    links: list[Link] = []
    code_status: CodeStatus = "none"
    warnings: list[Text] = []
