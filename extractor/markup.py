"""LaTeX, Markdown and HTML to plain text, with an exact map back to the text as received."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from extractor.markup_chars import is_simple, plain_characters
from extractor.markup_scan import Scanner
from extractor.markup_writer import Group
from extractor.mentions import Emphasis, HiddenLink


@dataclass(slots=True, frozen=True)
class Plain:
    """Plain text and where each of its characters came from.

    ``starts[i]``/``ends[i]`` delimit the received characters behind ``text[i]``; both never decrease.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    emphasis: list[Emphasis]
    hidden_links: list[HiddenLink]
    groups: list[Group] = field(default_factory=list)
    opens: list[tuple[int, int]] = field(default_factory=list)  # where each group opens, and its number, in order
    closes: list[tuple[int, int]] = field(default_factory=list)

    def raw(self, start: int, end: int) -> tuple[int, int]:
        r"""Received offsets of the plain span ``start:end`` (not empty).

        A formula or group that the span would cut is taken in whole where that adds no other text:
        ``3.2×`` is ``3.2$\times$``, while ``2.6×`` within ``$2.6\times$`` is ``2.6\times``.
        """
        first, last = self.starts[start], self.ends[end - 1]
        if self.groups:
            for _ in range(8):  # one group may call for the next
                changed = False
                for group in self._near(first, last):
                    inside_open = first <= group.open_start and group.open_end <= last
                    inside_close = first <= group.close_start and group.close_end <= last
                    if inside_open and not inside_close and end >= group.end and group.close_end > last:
                        last, changed = group.close_end, True
                    elif inside_close and not inside_open and start <= group.start and group.open_start < first:
                        first, changed = group.open_start, True
                if not changed:
                    break
        return first, last

    def _near(self, first: int, last: int) -> list[Group]:
        """The groups that open or close in ``first:last`` of the received text, in order."""
        opening = _from(self.opens, first, last)
        closing = _from(self.closes, first, last)
        return [self.groups[n] for n in sorted({n for _, n in opening} | {n for _, n in closing})]


def _from(places: list[tuple[int, int]], first: int, last: int) -> list[tuple[int, int]]:
    return places[bisect_left(places, (first, -1)) : bisect_left(places, (last, -1))]


def normalise(raw: str) -> Plain:
    """``raw`` without markup; never raises, never loses text.

    Formulas, commands, emphasis, links and character entities become what a reader sees of them; a mark without a
    partner stays as it is, and a bare ``%`` is a percent sign.
    """
    if is_simple(raw):
        text = plain_characters(raw)
        n = len(raw)
        return Plain(text, range(n), range(1, n + 1), _quotations(text), [])
    reading = Scanner(raw)
    reading.run()
    text = reading.text()
    marks = reading.marks(text) + _quotations(text)
    marks.sort(key=lambda e: (e.start, -e.end))
    groups = reading.groups
    opens = sorted((group.open_start, n) for n, group in enumerate(groups))
    closes = sorted((group.close_start, n) for n, group in enumerate(groups))
    return Plain(text, reading.starts, reading.ends, marks, reading.hidden_links, groups, opens, closes)


QUOTATION = re.compile(
    r"[“„]([^“”„\"\n]{1,100})[”\"]"
    r"|(?<![\w\"])\"(?=\S)([^“”\"\n]{1,100})(?<=\S)[\"”](?![\w\"])"
    r"|‘(?=\S)([^‘’\n]{1,60})(?<=\S)’(?!\w)"
    r"|(?<![\w'])'(?=\w)([^'\n]{1,40})(?<=[\w.,)])'(?![\w'])"
)


def _quotations(text: str) -> list[Emphasis]:
    """What stands between quotation marks."""
    if '"' not in text and "“" not in text and "‘" not in text and " '" not in text and "('" not in text:
        return []
    found = []
    for match in QUOTATION.finditer(text):
        start, end = match.span(match.lastindex or 0)
        while start < end and text[start].isspace():
            start += 1
        while end > start and (text[end - 1].isspace() or text[end - 1] in ",."):
            end -= 1
        if end > start:
            found.append(Emphasis(start, end, "quote"))
    return found
