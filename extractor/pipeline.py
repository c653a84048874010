"""The extractor itself: text in, record out.

    read → normalise → find → relate → record → write

``Extractor`` holds the spaCy pipeline of the find components; one text goes through markup, the components, the
relate functions and at the end into a ``PaperRecord`` whose offsets point into the text as received.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import spacy
from spacy.tokens import Doc

import extractor.find  # noqa: F401  (registers the components with spaCy)
from extractor.find import tokens
from extractor.find.judge import Verdict, verdicts
from extractor.markup import Plain, normalise
from extractor.mentions import KEY, TEXT, Findings, findings
from extractor.model import load
from extractor.model.choices import load_choices
from extractor.records import Dataset, Extent, Link, Method, PaperRecord, Result, Source, Span
from extractor.relate.choose import Question
from extractor.relate.code_status import code_status
from extractor.relate.results import relate_results
from extractor.relate.unquantified import warnings

COMPONENTS = (
    "extractor_sentences",
    "extractor_links",
    "extractor_numbers",
    "extractor_abbreviations",
    "extractor_datasets",
    "extractor_names",
    "extractor_model",
    "extractor_metrics",
)
MODEL = "extractor_model"
GAP = "\n\n"


@dataclass(slots=True, frozen=True)
class Received:
    """Title and abstract as received and plain, and the joint text the pipeline reads."""

    title: Plain | None
    abstract: Plain
    text: str
    offset: int

    @classmethod
    def of(cls, abstract: str, title: str | None) -> Received:
        plain = normalise(abstract)
        if not title:
            return cls(None, plain, plain.text, 0)
        head = normalise(title)
        offset = len(head.text) + len(GAP)
        return cls(head, plain, head.text + GAP + plain.text, offset)

    def span(self, raw: Mapping[str, str], start: int, end: int) -> Span:
        """The received span behind ``start:end`` of the joint text."""
        field, first, last = self.place(start, end)
        return Span(field=field, start=first, end=last, text=raw[field][first:last])  # type: ignore[arg-type]

    def place(self, start: int, end: int) -> tuple[str, int, int]:
        if self.title is not None and start < self.offset:
            return "title", *self.title.raw(start, min(end, len(self.title.text)))
        return "abstract", *self.abstract.raw(start - self.offset, end - self.offset)


class Extractor:
    """Finds methods, results, datasets and links in abstracts.

    With ``model`` the learned weights decide over names together with the rules (``ModelError`` when they are missing
    or damaged); without it the rules decide alone.
    """

    def __init__(self, *, model: bool = True) -> None:
        # Named in the config, so that spaCy does not build its own tokenizer first (0.2 seconds).
        self.nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": tokens.NAME}}})
        for name in COMPONENTS:
            if model or name != MODEL:
                self.nlp.add_pipe(name)
        self.choices = load_choices() if model else None

    def extract(
        self, abstract: str, *, title: str | None = None, id: str | None = None, **metadata: Any
    ) -> PaperRecord:
        """The record of one abstract. ``metadata`` may hold source, venue, year, url and extra.

        Raises ``ValueError`` for an abstract that is empty or not valid Unicode (a lone surrogate).
        """
        received = Received.of(abstract, title)
        found = findings(self.read(received))
        text = received.text
        relate_results(text, found, self.choices)
        found.code_status = code_status(text, found)
        found.warnings = warnings(text, found)
        return record_of(received, found, abstract, title, id, metadata)

    def verdicts(self, abstract: str, *, title: str | None = None) -> list[Verdict]:
        """What the model makes of every possible name in one abstract, taken or not, and why; [] without the model."""
        if MODEL not in self.nlp.pipe_names:
            return []
        received = Received.of(abstract, title)
        return verdicts(received.text, findings(self.read(received, until=MODEL)), load())

    def questions(self, abstract: str, *, title: str | None = None) -> list[Question]:
        """What the model was asked about every number of one abstract, with all answers; [] without the model."""
        asked: list[Question] = []
        if self.choices is not None:
            received = Received.of(abstract, title)
            relate_results(received.text, findings(self.read(received)), self.choices, asked)
        return asked

    def read(self, received: Received, until: str | None = None) -> Doc:
        """The text with what all components find, or those before ``until``; its results are not yet related."""
        doc = self.nlp.make_doc(received.text)
        doc.user_data.update({KEY: start(received), TEXT: received.text})
        for name, component in self.nlp.pipeline:
            if name == until:
                break
            doc = component(doc)
        return doc

    def pipe(self, texts: Iterable[str | Mapping[str, Any]]) -> Iterator[PaperRecord]:
        """Records in the order of ``texts``; an item is an abstract or a mapping of ``extract``'s arguments."""
        for item in texts:
            yield self.extract(item) if isinstance(item, str) else self.extract(**item)


def paper_id(abstract: str) -> str:
    """``p-`` and the first 12 hex digits of the SHA-256 of the abstract in UTF-8."""
    return "p-" + hashlib.sha256(abstract.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def start(received: Received) -> Findings:
    """Findings with what markup already told: emphasis and hidden links, moved to the joint text."""
    found = Findings()
    parts = [(received.abstract, received.offset)]
    if received.title is not None:
        parts.insert(0, (received.title, 0))
        found.title_end = len(received.title.text)
    for plain, offset in parts:
        for e in plain.emphasis:
            found.emphasis.append(type(e)(e.start + offset, e.end + offset, e.kind))
        for h in plain.hidden_links:
            found.hidden_links.append(type(h)(h.url, h.start + offset, h.end + offset, h.raw_start, h.raw_end))
    return found


def record_of(
    received: Received, found: Findings, abstract: str, title: str | None = None, id: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> PaperRecord:  # fmt: skip
    """The record of what was found in one abstract, its offsets into the text as received."""
    metadata = metadata or {}
    raw = {"abstract": abstract, "title": title or ""}

    def spans(mentions: list[tuple[int, int]]) -> list[Span]:
        return [received.span(raw, s, e) for s, e in sorted(set(mentions))]

    methods = [
        Method(
            name=m.name, full_name=m.full_name, aliases=m.aliases, role=m.role,  # type: ignore[arg-type]
            mentions=spans(m.mentions), confidence=m.confidence, rule=m.rule,
        )
        for m in found.methods
    ]  # fmt: skip
    datasets = [
        Dataset(
            name=d.name, canonical=d.canonical, role=d.role,  # type: ignore[arg-type]
            mentions=spans(d.mentions), confidence=d.confidence, rule=d.rule,
        )
        for d in found.datasets
    ]  # fmt: skip
    results = []
    for r in found.results:
        n = r.number
        field, start, end = received.place(*r.sentence)
        results.append(
            Result(
                value=n.value, high=n.high, unit=n.unit, qualifier=n.qualifier, kind=r.kind,  # type: ignore[arg-type]
                metric=r.metric, subject=r.subject, baseline=r.baseline, datasets=r.datasets, method=r.method,
                baseline_method=r.baseline_method,
                span=received.span(raw, n.start, n.end),
                sentence=Extent(field=field, start=start, end=end),  # type: ignore[arg-type]
                confidence=r.confidence, rule=r.rule,
            )
        )  # fmt: skip
    links = []
    for link in found.links:
        if link.hidden:
            field = "title" if received.title is not None and link.start < received.offset else "abstract"
            a, b = link.hidden.raw_start, link.hidden.raw_end
            span = Span(field=field, start=a, end=b, text=raw[field][a:b])  # type: ignore[arg-type]
        else:
            span = received.span(raw, link.start, link.end)
        address = link.url if "//" in link.url else f"//{link.url}"
        host = (urlsplit(address).hostname or link.url).removeprefix("www.")
        links.append(Link(url=link.url, kind=link.kind, host=host, anonymous=link.anonymous, span=span))  # type: ignore[arg-type]
    source = metadata.get("source") or Source()
    rest = {k: metadata[k] for k in ("venue", "year", "url", "extra") if metadata.get(k) is not None}
    return PaperRecord(
        id=id or paper_id(abstract), source=source, title=title or None, abstract=abstract, methods=methods,
        datasets=datasets, results=results, links=links, warnings=found.warnings,
        code_status=found.code_status, **rest,  # type: ignore[arg-type]
    )  # fmt: skip
