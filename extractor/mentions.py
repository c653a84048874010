"""What is found in one text before it becomes a record: plain data, offsets into the plain text.

The text that travels through the pipeline is the *plain* text: title and abstract without markup, joined by a
blank line when there is a title. Every ``start``/``end`` here is a code-point offset into it, end exclusive.
The components keep their findings in one ``Findings`` object under ``doc.user_data["extractor"]`` (exact
offsets), and show the same things as token spans in ``doc.spans`` for other spaCy components.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc

KEY = "extractor"
TEXT = "extractor_text"


@dataclass(slots=True, frozen=True)
class Emphasis:
    """Text set off by markup; ``kind`` is bold, italic, code, smallcaps, underline or quote."""

    start: int
    end: int
    kind: str


@dataclass(slots=True, frozen=True)
class HiddenLink:
    """A URL whose visible text is something else (``[text](url)``, ``\\href{url}{text}``, ``<a href>``).

    ``start``/``end`` delimit the visible text in the plain text (they are equal when it is empty);
    ``raw_start``/``raw_end`` delimit the URL itself in the text as received.
    """

    url: str
    start: int
    end: int
    raw_start: int
    raw_end: int


@dataclass(slots=True)
class LinkMention:
    """A URL in the plain text, or a hidden one (``hidden`` is then set and the span is its visible text)."""

    start: int
    end: int
    url: str
    kind: str = "other"
    anonymous: bool = False
    hidden: HiddenLink | None = None


@dataclass(slots=True)
class NumberMention:
    """A number with its unit. ``form`` tells how it was written: percent, points, factor, word, quantity or plain."""

    start: int
    end: int
    value: float
    high: float | None
    unit: str | None
    form: str
    qualifier: str = "exact"
    sign: str = ""
    inner: tuple[int, int] | None = None  # the words inside "30 F1 points"
    lead: int = -1  # where its qualifier begins ("up to" in "by up to 3%"); start when there is none
    stop: int = -1  # where a qualifier behind it ends ("3% on average"); end when there is none


@dataclass(slots=True)
class Abbreviation:
    """A short form and its expansion, defined in this text; offsets of both."""

    short: str
    long: str
    short_start: int
    short_end: int
    long_start: int
    long_end: int


@dataclass(slots=True)
class MethodName:
    """One method name with all its mentions as (start, end); role, rule and confidence are filled by relate."""

    name: str
    full_name: str | None
    mentions: list[tuple[int, int]]
    rule: str
    role: str = "mentioned"
    aliases: list[str] = field(default_factory=list)
    confidence: float = 0.5


@dataclass(slots=True)
class DatasetName:
    """One dataset name with all its mentions as (start, end)."""

    name: str
    canonical: str
    mentions: list[tuple[int, int]]
    rule: str
    role: str = "used"
    confidence: float = 0.5


@dataclass(slots=True)
class MetricMention:
    """A metric named in the text; ``better`` is higher, lower or unknown; ``family`` quality, time, cost or error."""

    start: int
    end: int
    text: str
    better: str
    family: str


@dataclass(slots=True)
class ResultFound:
    """A number that is a result, with what it belongs to."""

    number: NumberMention
    kind: str
    metric: str | None
    subject: str | None
    baseline: str | None
    datasets: list[str]
    method: str | None
    baseline_method: str | None
    sentence: tuple[int, int]
    rule: str
    confidence: float
    sure: float | None = None  # the model's probability of the metric; None when the rules decided alone


@dataclass(slots=True)
class Findings:
    """All that has been found so far in one text. ``title_end`` is where the title ends in the plain text (0: none)."""

    emphasis: list[Emphasis] = field(default_factory=list)
    hidden_links: list[HiddenLink] = field(default_factory=list)
    title_end: int = 0
    sentences: list[tuple[int, int]] = field(default_factory=list)
    links: list[LinkMention] = field(default_factory=list)
    numbers: list[NumberMention] = field(default_factory=list)
    abbreviations: list[Abbreviation] = field(default_factory=list)
    datasets: list[DatasetName] = field(default_factory=list)
    methods: list[MethodName] = field(default_factory=list)
    metrics: list[MetricMention] = field(default_factory=list)
    results: list[ResultFound] = field(default_factory=list)
    code_status: str = "none"
    warnings: list[str] = field(default_factory=list)
    # What the rules leave for the model to read: possible names, kept only while the text is in work.
    pending: Pending = field(default_factory=lambda: Pending(), compare=False)


@dataclass(slots=True)
class Pending:
    """Possible names of methods and datasets with what the rules made of them (the types of ``find/``)."""

    methods: list[Any] = field(default_factory=list)  # find.names.Choice: chosen by rules
    others: list[Any] = field(default_factory=list)  # find.names.Candidate: not chosen
    datasets: dict[str, list[Any]] = field(default_factory=dict)  # find.datasets_units.Unit by key
    opening: int = 0  # where the first proposal stands


def findings(doc: Doc) -> Findings:
    """The findings of ``doc``, made empty on first use."""
    found = doc.user_data.get(KEY)
    if found is None:
        found = doc.user_data[KEY] = Findings()
    return found


def text_of(doc: Doc) -> str:
    """``doc.text``, put together once: spaCy joins the tokens anew each time it is asked."""
    text = doc.user_data.get(TEXT)
    if text is None:
        text = doc.user_data[TEXT] = doc.text
    return text


def show(doc: Doc, group: str, spans: list[tuple[int, int, str]]) -> None:
    """Put (start, end, label) character spans into ``doc.spans[group]``, widened to whole tokens."""
    made = (doc.char_span(s, e, label=label, alignment_mode="expand") for s, e, label in spans if e > s)
    doc.spans[group] = [span for span in made if span is not None]
