"""Writes the plain text character by character, with where each came from and what stands open."""

from __future__ import annotations

import re
from typing import NamedTuple

from extractor.markup_chars import plain_characters
from extractor.mentions import Emphasis, HiddenLink

STYLES = frozenset(["bold", "italic", "code", "smallcaps", "underline", "quote"])
URL_ESCAPE = re.compile(r"\\([_%#&~$])|&amp;")


class Group(NamedTuple):
    """A construct with an opening and a closing mark (received offsets) and the plain span between them."""

    open_start: int
    open_end: int
    close_start: int
    close_end: int
    start: int
    end: int


class Frame(NamedTuple):
    """A construct that has been opened.

    ``start`` is where its plain text begins, the other offsets are received ones; ``value`` is what stands between
    the two arguments of a pair, ``target`` the span of a hidden URL.
    """

    kind: str
    start: int
    open_start: int
    open_end: int
    close_end: int
    value: str = ""
    target: tuple[int, int] = (0, 0)


class Writer:
    """The plain text under construction. ``closing`` holds what ends at a received offset."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.chunks: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.emphasis: list[Emphasis] = []
        self.hidden_links: list[HiddenLink] = []
        self.groups: list[Group] = []
        self.closing: dict[int, Frame] = {}
        self.math_end = -1

    def text(self) -> str:
        """All that has been written."""
        return "".join(self.chunks)

    def copy(self, start: int, end: int) -> int:
        """Write received characters as they are; returns their end."""
        if self.raw[start : start + 1] == " " and self.ends_in_space():
            start += 1
        if start < end:
            self.chunks.append(plain_characters(self.raw[start:end]))
            self.starts.extend(range(start, end))
            self.ends.extend(range(start + 1, end + 1))
        return end

    def put(self, text: str, start: int, end: int) -> int:
        """Write ``text`` for the received span; returns its end."""
        if text and not (text == " " and self.ends_in_space()):
            self.chunks.append(text)
            self.starts.extend([start] * len(text))
            self.ends.extend([end] * len(text))
        return end

    def url(self, start: int, end: int) -> int:
        """Write a URL, with ``\\_`` and ``&amp;`` undone; nothing else in it is markup."""
        place = start
        for match in URL_ESCAPE.finditer(self.raw, start, end):
            self.copy(place, match.start())
            self.put(match.group(1) or "&", *match.span())
            place = match.end()
        return self.copy(place, end)

    def last(self) -> str:
        """The character written last."""
        return self.chunks[-1][-1] if self.chunks else ""

    def ends_in_space(self) -> bool:
        return bool(self.chunks) and self.chunks[-1][-1] in " \n"

    def take_back(self, n: int) -> int:
        """Unwrite the last ``n`` characters, all of the last chunk; returns where they began."""
        self.chunks[-1] = self.chunks[-1][:-n]
        if not self.chunks[-1]:
            self.chunks.pop()
        start = self.starts[-n]
        del self.starts[-n:], self.ends[-n:]
        return start

    def drop_space(self) -> None:
        """Unwrite a space that was just written."""
        if self.last() == " ":
            self.take_back(1)

    def compose_last(self, char: str, end: int) -> int:
        """Put ``char`` in the place of the last one, which then ends at ``end``."""
        self.chunks[-1] = self.chunks[-1][:-1] + char
        self.ends[-1] = end
        return end

    def open(
        self, kind: str, start: int, end: int, close: tuple[int, int], value: str = "", target: tuple[int, int] = (0, 0)
    ) -> int:
        """Begin a construct whose closing mark is known; returns the end of the opening one."""
        self.closing[close[0]] = Frame(kind, len(self.starts), start, end, close[1], value, target)
        return end

    def close(self, frame: Frame, place: int) -> int:
        """End a construct at its closing mark; returns the end of that."""
        kind, end = frame.kind, frame.close_end
        if kind == "apostrophe":
            return self.put("’", place, end)
        if kind == "math":
            self.math_end = -1
            if self.raw[place - 1].isspace():
                self.drop_space()
        elif kind in STYLES:
            self.emphasis.append(Emphasis(frame.start, len(self.starts), kind))
        elif kind == "footnote":
            self.put(")", place, end)
        elif kind == "break":
            self.put("\n", place, end)
        elif kind == "hidden":
            self.hide(frame)
        here = len(self.starts)
        self.groups.append(Group(frame.open_start, frame.open_end, place, end, min(frame.start, here), here))
        return end

    def hide(self, frame: Frame) -> None:
        """A hidden link, unless its visible text is the URL itself."""
        start, end = frame.target
        while start < end and self.raw[start].isspace():
            start += 1
        while end > start and self.raw[end - 1].isspace():
            end -= 1
        url = URL_ESCAPE.sub(lambda m: m.group(1) or "&", self.raw[start:end])
        if url and bare(self.since(frame.start)) != bare(url):
            here = len(self.starts)
            self.hidden_links.append(HiddenLink(url, min(frame.start, here), here, start, end))

    def since(self, start: int) -> str:
        """What has been written from ``start`` on."""
        missing, parts = len(self.starts) - start, []
        for chunk in reversed(self.chunks):
            if missing <= 0:
                break
            parts.append(chunk[-missing:])
            missing -= len(chunk)
        return "".join(reversed(parts)).strip()

    def marks(self, text: str) -> list[Emphasis]:
        """The emphasis, each without white space at its ends."""
        found = []
        for mark in self.emphasis:
            start, end = mark.start, min(mark.end, len(text))
            while start < end and text[start].isspace():
                start += 1
            while end > start and text[end - 1].isspace():
                end -= 1
            if end > start:
                found.append(Emphasis(start, end, mark.kind))
        return found


def bare(url: str) -> str:
    """A URL without what may be left out in print."""
    return url.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/.")
