"""The record of one paper: the one place that defines what the extractor writes.

Offsets are code points into the text as it was received (``field`` says into the title or the
abstract), end exclusive, and ``text == received[start:end]`` always holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from extractor.tables import Row, table_rows

SCHEMA_VERSION: Literal["1"] = "1"

TextField = Literal["title", "abstract"]
MethodRole = Literal["proposed", "compared", "mentioned"]
DatasetRole = Literal["introduced", "used"]
Qualifier = Literal["exact", "approx", "up_to", "over", "under", "average"]
ResultKind = Literal["speedup", "gain", "reduction", "loss", "score", "ratio", "size"]
LinkKind = Literal["code", "project", "data", "model", "demo", "other"]
CodeStatus = Literal["linked", "available", "promised", "none"]

Text = Annotated[str, Field(min_length=1)]
Offset = Annotated[int, Field(ge=0)]
Confidence = Annotated[float, Field(ge=0, le=1, description="How often a value found this way is right, from 0 to 1.")]
Rule = Annotated[str, Field(min_length=1, description="The rule that decided.")]


class Part(BaseModel):
    """Common settings: unknown fields, NaN and infinities are refused; values cannot be changed in place."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, json_schema_serialization_defaults_required=True
    )


class Span(Part):
    """Where a value stands: ``text`` is ``field[start:end]``, character for character."""

    field: TextField = Field(default="abstract", description="The text the offsets point into.")
    start: Offset = Field(description="First code point of the value in the text as received.")
    end: Offset = Field(description="Code point after the last one of the value.")
    text: Text = Field(description="The value as it stands in the text as received, markup included.")


Mentions = Annotated[list[Span], Field(description="Every place the name stands, in the order of the text.")]


class Extent(Part):
    """A stretch of the text by its offsets alone (a sentence)."""

    field: TextField = Field(default="abstract", description="The text the offsets point into.")
    start: Offset = Field(description="First code point of the stretch in the text as received.")
    end: Offset = Field(description="Code point after the last one of the stretch.")


class Source(Part):
    """Where the abstract came from."""

    file: str | None = Field(default=None, description="Name of the file.")
    format: str | None = Field(default=None, description="Input format it was read as.")
    index: int | None = Field(default=None, description="Position of the abstract in the file, from 0.")
    line: int | None = Field(default=None, description="Line of the file where it begins, from 1.")


class Method(Part):
    """A named method, model, algorithm, system or loss."""

    name: Text = Field(description="The name as written, without markup.")
    full_name: Text | None = Field(default=None, description="What the name stands for, when the text says so.")
    aliases: list[Text] = Field(default=[], description="Other names the text uses for it.")
    role: MethodRole = Field(description="proposed by this paper, compared with it, or mentioned otherwise.")
    mentions: Mentions
    confidence: Confidence
    rule: Rule


class Dataset(Part):
    """A named dataset, benchmark or simulator suite."""

    name: Text = Field(description="The name as written, without markup.")
    canonical: Text = Field(description="The name in the spelling of the list of known datasets, else as written.")
    role: DatasetRole = Field(description="introduced by this paper, or used.")
    mentions: Mentions
    confidence: Confidence
    rule: Rule


class Result(Part):
    """A number the abstract reports; ``high`` is set for a range, ``value`` is then its low end."""

    value: float = Field(description="The number, scaled (1.5M is 1500000) and positive; the low end of a range.")
    high: float | None = Field(default=None, description="The high end of a range.")
    unit: Text | None = Field(default=None, description="percent, points, x (a factor), or the word of the unit.")
    qualifier: Qualifier = Field(default="exact", description="How the text limits the number.")
    kind: ResultKind = Field(description="What the number says: which way which kind of quantity went.")
    metric: Text | None = Field(default=None, description="What is measured, in the words of the text.")
    subject: Text | None = Field(default=None, description="Whose number it is, when it is not the proposed work's.")
    baseline: Text | None = Field(default=None, description="What the number is relative to, in the words of the text.")
    datasets: list[Text] = Field(default=[], description="Names of the datasets the number was measured on.")
    method: Text | None = Field(
        default=None, description="The method of this record whose number it is: its name, where there is no doubt."
    )
    baseline_method: Text | None = Field(
        default=None, description="The method of this record that the baseline names: its name."
    )
    span: Span = Field(description="Where the number stands.")
    sentence: Extent = Field(description="The sentence the number stands in.")
    confidence: Confidence
    rule: Rule


class Link(Part):
    """A URL, free of markup and of trailing punctuation."""

    url: Text = Field(description="The address.")
    kind: LinkKind = Field(description="What the address leads to.")
    host: Text = Field(description="The host the address names.")
    anonymous: bool = Field(description="Whether the address was made for anonymous review.")
    span: Span = Field(description="Where the address stands.")


class PaperRecord(Part):
    """Everything found in one abstract. All offsets count Unicode code points."""

    schema_version: Literal["1"] = Field(default=SCHEMA_VERSION, description="Version of this schema.")
    id: Text = Field(description="The id given in the input, else one made from the abstract.")
    source: Source = Field(default=Source(), description="The place in the input it was read from.")
    title: Text | None = Field(default=None, description="Title of the paper, as received.")
    venue: Text | None = Field(default=None, description="Where the paper appeared.")
    year: int | None = Field(default=None, description="Year of the paper.")
    url: Text | None = Field(default=None, description="Address of the paper, as given in the input.")
    extra: dict[str, Any] = Field(default={}, description="Other fields of the input, untouched.")
    abstract: Text = Field(description="The abstract as received, markup included.")
    methods: list[Method] = Field(
        default=[], description="Named methods, in the order of the text; those added by hand last."
    )
    datasets: list[Dataset] = Field(
        default=[], description="Named datasets, in the order of the text; those added by hand last."
    )
    results: list[Result] = Field(
        default=[], description="Reported numbers, in the order of the text; those added by hand last."
    )
    links: list[Link] = Field(default=[], description="Addresses, in the order of the text.")
    code_status: CodeStatus = Field(
        default="none", description="Whether code is linked, available, promised or not spoken of."
    )
    warnings: list[Text] = Field(default=[], description="What a reader of this record should know.")

    def to_rows(self, table: str = "results") -> list[Row]:
        """The rows of one tidy table (papers, methods, datasets, results or links), as dicts by column name."""
        return table_rows(self, table)

    def inconsistencies(self) -> Iterator[tuple[str, str]]:
        """(field, message) of every offset that does not fit the texts of this record; nothing for a sound one."""
        texts = {"abstract": self.abstract, "title": self.title or ""}
        for where, span in self._spans():
            if texts[span.field][span.start : span.end] != span.text:
                yield where, f"{span.field}[{span.start}:{span.end}] is not {span.text!r}"
        for n, result in enumerate(self.results):
            s = result.sentence
            if not s.start < s.end <= len(texts[s.field]):
                yield f"results.{n}.sentence", f"{s.start}:{s.end} lies outside the {s.field}"

    def _spans(self) -> Iterator[tuple[str, Span]]:
        for group in ("methods", "datasets"):
            for n, part in enumerate(getattr(self, group)):
                for m, span in enumerate(part.mentions):
                    yield f"{group}.{n}.mentions.{m}", span
        for group in ("results", "links"):
            for n, part in enumerate(getattr(self, group)):
                yield f"{group}.{n}.span", part.span
