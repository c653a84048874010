"""Where an edited value stands in the texts of its paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from extractor.correct.cells import EditError, StrangeRowError, plain, quoted
from extractor.records import Extent, PaperRecord, Span
from extractor.write.cells import FORBIDDEN

if TYPE_CHECKING:
    from extractor.pipeline import Received

LONGEST = 300  # characters of a value; a slip in an offset marks half the text
FIELDS = ("title", "abstract")


class Texts:
    """Title and abstract of one paper, to look things up in."""

    def __init__(self, record: PaperRecord) -> None:
        self.raw: dict[str, str] = {"title": record.title or "", "abstract": record.abstract}
        # As a spreadsheet shows them; the characters are replaced one by one, so the offsets are the same.
        self.clean = {field: FORBIDDEN.sub("�", text) for field, text in self.raw.items()}

    def span(self, field: str, start: int, end: int) -> Span:
        """The span from ``start`` to ``end``. Raises ``EditError`` when it lies outside the text."""
        if field not in FIELDS:
            raise EditError(f"field {quoted(field)} is neither title nor abstract")
        text = self.raw[field]
        if not 0 <= start < end <= len(text):
            raise EditError(f"start {start} and end {end} mark no text: the {field} has {len(text):,} characters")
        return Span(field=field, start=start, end=end, text=text[start:end])  # type: ignore[arg-type]

    def find(self, quote: str) -> list[Span]:
        """Every place where ``quote`` stands, whatever the white space in it."""
        return self._found(_spaced(quote))

    def find_name(self, name: str) -> list[Span]:
        """Every place where ``name`` stands as a name of its own: not within a word, nor within ``name-2``."""
        pattern = rf"(?<!\w)(?<!\w-){_spaced(name)}(?!\w|-[\dA-Z])"
        return self._found(pattern) or self._found_plain(pattern)

    def _found(self, pattern: str) -> list[Span]:
        matches = ((field, match) for field in FIELDS for match in re.finditer(pattern, self.clean[field]))
        return [self.span(field, *match.span()) for field, match in matches if match.group()]

    def _found_plain(self, pattern: str) -> list[Span]:
        """What stands in the text only when its markup is left out."""
        matches = re.finditer(pattern, self._received.text)
        return [self._received.span(self.raw, *match.span()) for match in matches]

    @cached_property
    def _received(self) -> Received:
        from extractor.pipeline import Received  # loads spaCy, which few corrections need

        return Received.of(self.raw["abstract"], self.raw["title"] or None)

    def sentence(self, span: Span) -> Extent:
        """The sentence that ``span`` stands in, or the span itself between sentences."""
        from extractor.find.sentences import split

        for start, end in split(self._received.text):
            field, first, last = self._received.place(start, end)
            if field == span.field and first <= span.start and span.end <= last:
                return Extent(field=span.field, start=first, end=last)
        return Extent(field=span.field, start=span.start, end=span.end)


def _spaced(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


def in_order(spans: Iterable[Span]) -> list[Span]:
    """``spans`` in the order of the text, each once."""
    by_place = {(FIELDS.index(span.field), span.start, span.end): span for span in spans}
    return [by_place[place] for place in sorted(by_place)]


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one.field == other.field and one.start < other.end and other.start < one.end


def chosen(texts: Texts, quote: str, old: Span | None) -> Span:
    """The one place that ``quote`` means: the one at ``old``, else the only one. Raises ``EditError``."""
    found = texts.find(quote)
    if not found:
        raise EditError(
            f"{quoted(quote)} stands neither in the title nor in the abstract: copy it as it is written there"
        )
    near = [span for span in found if old is not None and overlap(span, old)]
    if len(near) == 1:
        return near[0]
    if len(found) > 1:
        raise EditError(f"{quoted(quote)} stands {len(found)} times in the text: give start and end")
    return found[0]


def moved(
    texts: Texts, old: Span | None, field: str | None, start: float | None, end: float | None, quote: str | None
) -> Span:
    """The span an edit means; what it leaves as it was is None. Raises ``EditError``.

    Offsets decide where they are given, and a quote given with them has to agree; a quote alone is looked up.
    """
    if field is None and start is None and end is None:
        if quote is None:
            raise EditError("a place is needed: give start and end, or the quote")
        return chosen(texts, quote, old)
    if old is not None:
        start = old.start if start is None else start
        end = old.end if end is None else end
    if start is None or end is None:
        raise EditError("start and end belong together: give both")
    if start != int(start) or end != int(end):
        raise EditError("start and end are whole numbers")
    made = texts.span(field or (old.field if old else "abstract"), int(start), int(end))
    if made.end - made.start > LONGEST:
        raise EditError(
            f"start {made.start} and end {made.end} mark {made.end - made.start:,} characters: no value is so long"
        )
    if quote is not None and plain(made.text) != quote:
        raise EditError(f"the text from {made.start} to {made.end} is {quoted(plain(made.text))}, not {quoted(quote)}")
    if quote is not None and old is not None and not overlap(made, old):
        # Nobody moves a value like this by hand: it is how the rows of another state of the records look.
        raise StrangeRowError("quote, start and end are those of another place: the row is not of these records")
    return made
