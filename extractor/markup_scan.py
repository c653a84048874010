"""One reading of a text with markup, from left to right, that writes its plain characters and where each came from."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from extractor.markup_chars import COMBINING, INVISIBLE, LIGATURES, compose, plain_characters
from extractor.markup_macros import Macro, macros
from extractor.markup_pairs import HREF, braces, code_spans, emphasis, formulas, mask, tags, url_end, urls
from extractor.mentions import Emphasis, HiddenLink


class Group(NamedTuple):
    """A construct with an opening and a closing mark (received offsets) and the plain span between them."""

    open_start: int
    open_end: int
    close_start: int
    close_end: int
    start: int
    end: int


class Frame(NamedTuple):
    """A construct that has been opened; ``raw`` offsets of its opening and the end of its closing mark."""

    kind: str
    start: int
    open_start: int
    open_end: int
    close_end: int
    value: str = ""


@dataclass(slots=True)
class Scanned:
    """The plain text under construction."""

    chunks: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    emphasis: list[Emphasis] = field(default_factory=list)
    hidden_links: list[HiddenLink] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    text: str = ""


STYLES = frozenset(["bold", "italic", "code", "smallcaps", "underline", "quote"])
KNOWN_ESCAPE = re.compile(r"\\[%&#_$]")
COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
# Twice the backslash is the slip of an escaped string: ``25\\%``, ``$\\mathsf{N}$``.
ESCAPED = re.compile(r"\\{1,2}([%&$#_{}])")
ACCENT = re.compile(r"\\(['`^\"~=.])(?:\s*\{\\?([A-Za-z])\}|\\([ij])(?![A-Za-z])|([A-Za-z]))")
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
ESCAPED_QUOTE = re.compile(r"\\\"(?![A-Za-z{\\])")
ONE_LETTER = re.compile(r"\s*(?:\{\s*(?:\\[a-z]+\s*\{\s*)?\\?([A-Za-z])\s*\}{1,2}|(?<=[\s~^])([A-Za-z])(?![A-Za-z]))")
OPTION = re.compile(r"\s*\[([^\[\]]{0,200})\]")
SPACES = re.compile(r"[ \t]*")
WHITE = re.compile(r"\s*")
TWO_DIGITS = re.compile(r"\s*([0-9A-Za-z])\s*([0-9A-Za-z])(?![0-9A-Za-z])")
SWITCHES = re.compile(r"\s*\\([A-Za-z]+)(?![A-Za-z])(?!\s*\{)\s*")
DEGREE = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))")
PRIME = re.compile(r"\^\s*(?:\{\s*\\prime\s*\}|\\prime(?![A-Za-z]))")
ORDINAL = re.compile(r"\^\s*\{?\s*(?:\\(?:text|mathrm|textrm|rm)\s*\{?\s*)?(st|nd|rd|th)\b")
DIGITS = re.compile(r"\{\s*\d+\s*\}|\d")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
LINK = re.compile(
    r"(!?)\[([^\[\]\n]{0,300})\]\(\s*<?((?:https?://|www\.|mailto:|[\w.-]+\.[A-Za-z]{2,6}/)(?:[^\s()<>]|\([^\s()<>]{0,200}\))*)>?"
    r"(?:\s+\"[^\"\n]{0,200}\")?\s*\)"
)
AUTOLINK = re.compile(r"<((?:https?://|mailto:|www\.)[^\s<>]+)>")
URL_ESCAPE = re.compile(r"\\([_%#&~$])|&amp;")
LIST_ITEM = re.compile(r"(?:[-*•–]|\d{1,2}[.)]|\(?(?:[ivx]{1,4}|\d{1,2}|[a-h])\)|#{1,4})\s|\((?:[ivx]{1,4}|\d)\)")
LINE_END = frozenset(".!?:;*")
SINGLE_QUOTE = re.compile(r"`([^`'\n]{1,100})'(?![\w'])")
VERBATIM = re.compile(r"\\verb\*?([|!+#@/])([^\n]*?)\1")


@cache
def _stops(quotes: bool, links: bool) -> re.Pattern[str]:
    """All places where something other than a plain character may stand."""
    chars = r"\\${}*`_^~<&\n\r\t\f\v" + INVISIBLE + COMBINING + "".join(LIGATURES) + (r"\[\]!" if links else "")
    apostrophes = "'{1,2}" if quotes else "''"
    return re.compile(rf"\s{{2,}}|[{chars}]|--+|{apostrophes}|[Hh]ttps?://|HTTPS?://|[Ww]ww\.|WWW\.")


def scan(raw: str) -> Scanned:
    """The plain text of ``raw`` with its offsets, emphasis, hidden links and groups."""
    return Scanner(raw).run()


class Scanner:
    """State of one reading."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.out = Scanned()
        self.table = macros()
        self.closing: dict[int, Frame] = {}
        self.math_end = -1
        self.urls = urls(raw)
        math = formulas(raw)
        self.braces = braces(raw)
        self.latex = bool(math) or KNOWN_ESCAPE.search(raw) is not None
        if not self.latex and "\\" in raw:
            self.latex = any(name in self.table for name in COMMAND.findall(raw))
        self.quoted_json = '\\"' in raw and ESCAPED_QUOTE.search(raw) is not None
        self.angle_escape = "\\<" in raw
        code = code_spans(mask(raw, [(p.open_start, p.close_end) for p in math])) if "`" in raw else []
        self.verbatim = {p.open_end: p.close_start for p in code}
        self.openings = {p.open_start: p for p in (*math, *code)}
        if "<" in raw:
            self.openings |= {p.open_start: p for p in tags(raw)}
        if "*" in raw or "_" in raw:
            covered = [(p.open_start, p.close_end) for p in (*math, *code)] + list(self.urls.items())
            masked = mask(raw, covered).replace("\\*", "xx").replace("\\_", "xx")
            self.openings |= {p.open_start: p for p in emphasis(masked)}

    def run(self) -> Scanned:
        """Read everything."""
        raw, n = self.raw, len(self.raw)
        search = _stops("`" in raw, "](" in raw).search
        place = 0
        while place < n:
            match = search(raw, place)
            if match is None:
                self.copy(place, n)
                break
            start = match.start()
            if start > place:
                self.copy(place, start)
            # Every step moves on by at least one character.
            place = max(self.step(start, match.end()), start + 1)
        out = self.out
        out.text = "".join(out.chunks)
        out.emphasis = [e for e in (self.trimmed(e) for e in out.emphasis) if e.end > e.start]
        return out

    def trimmed(self, mark: Emphasis) -> Emphasis:
        text, start, end = self.out.text, mark.start, min(mark.end, len(self.out.text))
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        return Emphasis(start, end, mark.kind)

    # Writing

    def copy(self, start: int, end: int) -> None:
        """Write received characters as they are."""
        if self.raw[start] == " " and self.ends_in_space():
            start += 1
            if start == end:
                return
        out = self.out
        out.chunks.append(plain_characters(self.raw[start:end]))
        out.starts.extend(range(start, end))
        out.ends.extend(range(start + 1, end + 1))

    def put(self, text: str, start: int, end: int) -> int:
        """Write ``text`` for the received span; returns its end."""
        if text == " " and self.ends_in_space():
            return end
        if text:
            out = self.out
            out.chunks.append(text)
            out.starts.extend([start] * len(text))
            out.ends.extend([end] * len(text))
        return end

    def ends_in_space(self) -> bool:
        return bool(self.out.chunks) and self.out.chunks[-1][-1] in " \n"

    def last(self) -> str:
        return self.out.chunks[-1][-1] if self.out.chunks else ""

    def drop_space(self) -> None:
        """Take back a space that was just written."""
        out = self.out
        if out.chunks and out.chunks[-1][-1] == " ":
            out.chunks[-1] = out.chunks[-1][:-1]
            if not out.chunks[-1]:
                out.chunks.pop()
            out.starts.pop()
            out.ends.pop()

    def open(self, kind: str, start: int, end: int, close_start: int, close_end: int, value: str = "") -> int:
        """Begin a construct whose closing mark is known; returns the end of the opening one."""
        self.closing[close_start] = Frame(kind, len(self.out.starts), start, end, close_end, value)
        return end

    def close(self, frame: Frame, place: int) -> int:
        """End a construct at its closing mark."""
        out, kind = self.out, frame.kind
        if kind == "math":
            self.math_end = -1
            if self.raw[place - 1].isspace():
                self.drop_space()
        elif kind == "apostrophe":
            out.emphasis.append(Emphasis(frame.start, len(out.starts), "quote"))
            self.put("’", place, frame.close_end)
            return frame.close_end
        elif kind in STYLES:
            out.emphasis.append(Emphasis(frame.start, len(out.starts), kind))
        elif kind == "footnote":
            self.put(")", place, frame.close_end)
        elif kind == "break":
            self.put("\n", place, frame.close_end)
        elif kind == "hidden":
            start, end = (int(x) for x in frame.value.split(":"))
            self.hide(start, end, min(frame.start, len(out.starts)))
        here = len(out.starts)
        out.groups.append(
            Group(frame.open_start, frame.open_end, place, frame.close_end, min(frame.start, here), here)
        )
        if kind == "pair":
            following = self.argument(frame.close_end)
            if following >= 0:
                self.put(frame.value, place, following + 1)
                end = self.braces[following]
                return self.open("group", following, following + 1, end, end + 1)
        return frame.close_end

    def hide(self, start: int, end: int, plain_start: int) -> None:
        """A hidden link, unless its visible text is the URL itself."""
        url = URL_ESCAPE.sub(lambda m: m.group(1) or "&", self.raw[start:end].strip())
        start += len(self.raw[start:end]) - len(self.raw[start:end].lstrip())
        end = start + len(self.raw[start:end].rstrip())
        shown = "".join(self.out.chunks)[plain_start:].strip()
        if url and _bare(shown) != _bare(url):
            self.out.hidden_links.append(HiddenLink(url, plain_start, len(self.out.starts), start, end))

    # Reading

    def step(self, start: int, end: int) -> int:
        """What stands at ``start`` (up to ``end`` for white space and strings); returns where to go on."""
        raw = self.raw
        char = raw[start]
        frame = self.closing.pop(start, None)
        if frame is not None:
            return self.close(frame, start)
        pair = self.openings.pop(start, None)
        if pair is not None and pair.open_start not in self.urls:
            return self.opening(pair.kind, pair.open_start, pair.open_end, pair.close_start, pair.close_end)
        stop = self.urls.get(start)
        if stop is not None and stop > start:
            return self.url(start, stop)
        if char.isspace():
            return self.white(start, end)
        reader = READERS.get(char)
        if reader is not None:
            return reader(self, start)
        if char in LIGATURES:
            return self.put(LIGATURES[char], start, start + 1)
        if char in "-'":
            return self.punctuation(start, end)
        if "\u0300" <= char <= "\u036f":
            return self.combining(start)
        if char.isalpha():
            self.copy(start, end)
            return end
        return start + 1  # invisible

    def opening(self, kind: str, start: int, end: int, close_start: int, close_end: int) -> int:
        if kind == "math":
            self.math_end = close_start
            end = WHITE.match(self.raw, end).end()  # type: ignore[union-attr]
        elif kind == "code" and end in self.verbatim:
            self.open("code", start, end, close_start, close_end)
            self.copy(end, close_start)
            return close_start
        elif kind == "sup":
            self.put("^", start, end)
        elif kind == "sub" and not self.raw[end : end + 1].isdigit():
            self.put("_", start, end)
        elif kind == "break":
            self.put("\n", start, end)
            if close_start == start:
                return end
        elif kind == "a":
            href = HREF.search(self.raw, start, end)
            if href is None:
                return self.open("", start, end, close_start, close_end)
            a, b = href.span(href.lastindex or 0)
            return self.open("hidden", start, end, close_start, close_end, f"{a}:{b}")
        return self.open(kind, start, end, close_start, close_end)

    def url(self, start: int, end: int) -> int:
        """A URL, with ``\\_`` and ``&amp;`` undone; nothing else in it is markup."""
        place = start
        for match in URL_ESCAPE.finditer(self.raw, start, end):
            if match.start() > place:
                self.copy(place, match.start())
            self.put(match.group(1) or "&", *match.span())
            place = match.end()
        if end > place:
            self.copy(place, end)
        return end

    def white(self, start: int, end: int) -> int:
        r"""White space: a blank line stays one, a line break that only wraps the text becomes a space."""
        run = self.raw[start:end].replace("\r\n", " \n").replace("\r", "\n")
        if "\n" not in run and not any(c in run for c in "\u2028\u2029\u0085\v\f"):
            return self.put(" ", start, end)
        first = run.find("\n")
        if run.count("\n") > 1:
            if self.out.chunks and end < len(self.raw):
                self.drop_space()
            if self.last() != "\n":
                self.put("\n", start, start + first + 1)
            return self.put("\n", start + first + 1, end)
        before = self.last()
        listed = LIST_ITEM.match(self.raw, end)
        if before in LINE_END or (listed and (before in ",-—" or listed.group()[0] in "-*•")):
            return self.put("\n", start, end)
        return self.put(" ", start, end)

    def punctuation(self, start: int, end: int) -> int:
        """Two or three hyphens are a dash, two apostrophes a quotation mark."""
        raw = self.raw
        before, after = raw[start - 1 : start], raw[end : end + 1]
        if raw[start] == "'":
            if end - start == 1:
                return self.put("'", start, end)
            if before and not before.isspace() and before not in "([" and not after.isalnum():
                return self.put("”", start, end)
            if (not before or before.isspace() or before in "([") and after and not after.isspace():
                return self.put("“", start, end)
        elif end - start == 3:
            return self.put("—", start, end)
        elif end - start == 2 and (not before or not before.isspace() or not after.isalpha()):
            return self.put("–", start, end)
        self.copy(start, end)
        return end

    def combining(self, place: int) -> int:
        out = self.out
        made = compose(self.last(), self.raw[place]) if out.chunks else None
        if made is None:
            return self.put(self.raw[place], place, place + 1)
        out.chunks[-1] = out.chunks[-1][:-1] + made
        out.ends[-1] = place + 1
        return place + 1

    def backtick(self, place: int) -> int:
        if self.raw.startswith("``", place) and not self.raw.startswith("```", place):
            return self.put("“", place, place + 2)
        match = SINGLE_QUOTE.match(self.raw, place)
        before = self.raw[place - 1 : place]
        if match and not before.isalnum():
            end = match.end() - 1
            self.put("‘", place, place + 1)
            self.open("quote", place, place + 1, end, end + 1)
            # The closing apostrophe is text as well: it is written by a frame of its own kind.
            self.closing[end] = self.closing[end]._replace(kind="apostrophe")
            return place + 1
        return self.put("`", place, place + 1)

    def tilde(self, place: int) -> int:
        """``~`` between two words is a space that does not break; before a number it means about."""
        before, after = self.raw[place - 1 : place], self.raw[place + 1 : place + 2]
        ranged = after.isdigit() and (before.isdigit() or before in "%$}x")
        tie = before and after and not before.isspace() and not after.isspace() and before not in "(/[" and not ranged
        if self.math_end >= 0 or tie:
            return self.put(" ", place, place + 1)
        return self.put("~", place, place + 1)

    def dollar(self, place: int) -> int:
        return self.put("$", place, place + 1)

    def star(self, place: int) -> int:
        return self.put(self.raw[place], place, place + 1)

    def ampersand(self, place: int) -> int:
        match = ENTITY.match(self.raw, place)
        if match:
            made = html.unescape(match.group())
            if made != match.group():
                return self.put(plain_characters(made).strip("\u00ad\u200b\u200c\u200d"), place, match.end())
        return self.put("&", place, place + 1)

    def less(self, place: int) -> int:
        match = AUTOLINK.match(self.raw, place)
        if match:
            self.url(*match.span(1))
            return match.end()
        return self.put("<", place, place + 1)

    def bracket(self, place: int) -> int:
        match = LINK.match(self.raw, place)
        if match is None:
            return self.put(self.raw[place], place, place + 1)
        a, b = match.span(3)
        return self.open("hidden", place, match.start(2), match.end(2), match.end(), f"{a}:{b}")

    def brace(self, place: int) -> int:
        end = self.braces.get(place)
        if not self.latex or end is None:
            return self.put("{", place, place + 1)
        kind, after = "group", place + 1
        while True:
            match = SWITCHES.match(self.raw, after)
            macro = self.table.get(match.group(1)) if match else None
            if match is None or macro is None or macro.kind != "switch":
                break
            kind, after = macro.value or kind, match.end()
        return self.open(kind, place, min(after, end), end, end + 1)

    def unmatched(self, place: int) -> int:
        return self.put("}", place, place + 1)

    def caret(self, place: int) -> int:
        raw = self.raw
        if self.latex:
            for pattern, sign in ((DEGREE, "°"), (PRIME, "′")):
                match = pattern.match(raw, place)
                if match:
                    return self.put(sign, place, match.end())
            if ORDINAL.match(raw, place):
                return place + 1
        return self.script("^", place)

    def underscore(self, place: int) -> int:
        raw = self.raw
        if self.math_end >= 0:
            match = DIGITS.match(raw, place + 1)
            if match and not self.last().isdigit():
                return place + 1
        return self.script("_", place)

    def script(self, sign: str, place: int) -> int:
        """``^{…}`` and ``_{…}`` without their braces, in a formula or not."""
        end = self.braces.get(place + 1)
        if end is None or self.raw[place - 1 : place] == "\\":
            return self.put(sign, place, place + 1)
        if not self.latex and self.raw[place + 2 : end].strip() == "":
            return self.put(sign, place, place + 1)
        self.put(sign, place, place + 2)
        return self.open("group", place, place + 2, end, end + 1)

    # Commands

    def argument(self, place: int) -> int:
        """The ``{`` of the next argument, or -1."""
        place = SPACES.match(self.raw, place).end()  # type: ignore[union-attr]
        return place if place in self.braces else -1

    def backslash(self, place: int) -> int:
        raw = self.raw
        match = ESCAPED.match(raw, place)
        if match:
            sign = match.group(1)
            if sign == "_" and self.math_end >= 0:
                return self.underscore(match.end() - 1)
            if sign in "{}" and match.end() - place == 3 and not self.latex:
                return self.put("\\", place, place + 1)
            return self.put(sign, place, match.end())
        match = COMMAND.match(raw, place)
        if match:
            return self.command(match.group(1), place, match)
        if self.latex or self.quoted_json:
            match = ACCENT.match(raw, place)
            if match:
                return self.accent(match)
        return self.control(place, raw[place + 1 : place + 2])

    def accent(self, match: re.Match[str]) -> int:
        sign, letter = match.group(1), match.group(2) or match.group(3) or match.group(4)
        place, end = match.start(), match.end()
        after, before = self.raw[end : end + 1], self.raw[place - 1 : place]
        if sign == '"' and self.quoted_json:
            return self.put('"', place, place + 2)
        if sign == "'" and letter in "stm" and before.isalpha() and not after.isalpha():
            return self.put("'", place, place + 2)
        made = compose(letter, ACCENTS[sign])
        return self.put(made or sign, place, end if made else place + 2)

    def control(self, place: int, char: str) -> int:
        r"""A backslash before something other than a letter: ``\,``, ``\\``, ``\*``."""
        end = place + 2
        if char == "\\":
            match = COMMAND.match(self.raw, place + 1)
            if match and match.group(1) in self.table:
                return self.command(match.group(1), place, match)
            return self.put(" " if self.latex else "\\\\", place, end)
        if not char:
            return self.put("\\", place, place + 1)
        if char.isspace():
            return self.white(place + 1, place + 2) if char in "\n\r" else self.put(" ", place, end)
        if self.latex:
            if char == ",":
                digits = self.last().isdigit() and re.match(r"\d{3}(?!\d)", self.raw[end : end + 4])
                return self.put("," if digits else " ", place, end)
            if char in ";:" or (char == ">" and not self.angle_escape):
                return self.put(" ", place, end)
            if char in "!/@-":
                return end
            if char == "|":
                return self.put("‖", place, end)
            if char == "^":
                return self.caret(place + 1)
        if char in "*_#[](){}<>~`|&%$.!+-'\"^=,":
            return self.put(char, place, end)
        return self.put("\\", place, place + 1)

    def command(self, name: str, place: int, match: re.Match[str]) -> int:
        """A command with its arguments."""
        raw = self.raw
        macro = self.table.get(name)
        if name == "verb":
            verbatim = VERBATIM.match(raw, place)
            if verbatim:
                self.out.emphasis.append(
                    Emphasis(len(self.out.starts), len(self.out.starts) + len(verbatim.group(2)), "code")
                )
                if verbatim.group(2):
                    self.copy(*verbatim.span(2))
                return verbatim.end()
        end = match.start() + 1 + len(name)
        if macro is None or (len(name) == 1 and not self.latex):
            # A command of the authors' own, or a path: its name is all a reader has.
            before = raw[place - 1 : place]
            if self.latex or (len(name) > 1 and not before.isalnum() and before != ":"):
                return self.put(name[0], place, place + 2) if len(name) == 1 else self.named(place, end)
            return self.put("\\", place, place + 1)
        if raw[end : end + 1] == "*" and macro.kind not in ("letter", "symbol"):
            end += 1
        handler = COMMANDS.get(macro.kind)
        return handler(self, macro, name, place, end) if handler else end

    def named(self, place: int, end: int) -> int:
        self.put(self.raw[place + 1], place, place + 2)
        self.copy(place + 2, end)
        return end

    def shown(self, macro: Macro, name: str, place: int, end: int) -> int:
        """Style and group: the argument, if there is one."""
        option = OPTION.match(self.raw, end)
        brace = self.argument(option.end() if option else end)
        if brace < 0:
            return WHITE.match(self.raw, end).end() if self.math_end < 0 else end  # type: ignore[union-attr]
        close = self.braces[brace]
        if macro.kind in ("sup", "sub") and not (macro.kind == "sub" and self.raw[brace + 1].isdigit()):
            self.put("^" if macro.kind == "sup" else "_", place, brace + 1)
        return self.open(macro.value or "group", place, brace + 1, close, close + 1)

    def switch(self, macro: Macro, name: str, place: int, end: int) -> int:
        r"""``\em{X}`` is meant as ``\emph{X}``; elsewhere a switch leaves no trace."""
        if self.raw[end : end + 1] == "{" and end in self.braces:
            return self.open(macro.value or "group", place, end + 1, self.braces[end], self.braces[end] + 1)
        return WHITE.match(self.raw, end).end()  # type: ignore[union-attr]

    def skip(self, macro: Macro, name: str, place: int, end: int) -> int:
        if macro.value == "0":
            if name in ("left", "right") and self.raw[end : end + 1] == ".":
                return end + 1
            return end
        skipped = end
        for _ in range(2):
            option = OPTION.match(self.raw, skipped)
            skipped = option.end() if option else skipped
        brace = self.argument(skipped)
        if brace < 0:
            return end
        end = self.braces[brace] + 1
        if not self.raw[end : end + 1].isalnum():
            self.drop_space()
        return end

    def skip_first(self, macro: Macro, name: str, place: int, end: int) -> int:
        option = OPTION.match(self.raw, end)
        brace = self.argument(option.end() if option else end)
        if brace < 0:
            return end
        end = self.braces[brace] + 1
        following = self.argument(end)
        if following < 0:
            return end
        close = self.braces[following]
        return self.open("group", place, following + 1, close, close + 1)

    def pair(self, macro: Macro, name: str, place: int, end: int) -> int:
        brace = self.argument(end)
        if brace >= 0:
            close = self.braces[brace]
            return self.open("pair", place, brace + 1, close, close + 1, macro.value)
        digits = TWO_DIGITS.match(self.raw, end)
        if digits:
            self.put(digits.group(1), place, digits.end(1))
            self.put(macro.value, digits.end(1), digits.end(1) + 1)
            return self.put(digits.group(2), digits.start(2), digits.end(2))
        return end

    def address(self, macro: Macro, name: str, place: int, end: int) -> int:
        brace = self.argument(end)
        if brace < 0:
            return end
        close = self.braces[brace]
        start, stop = brace + 1, close
        while start < stop and self.raw[start].isspace():
            start += 1
        while stop > start and self.raw[stop - 1].isspace():
            stop -= 1
        if place > 0 and self.raw[place - 1].isalnum():
            self.put(" ", place, brace + 1)
        self.open("group", place, brace + 1, close, close + 1)
        self.url(start, stop)
        return close

    def reference(self, macro: Macro, name: str, place: int, end: int) -> int:
        r"""``\href{url}{text}`` and ``\hyperref[url]{text}``."""
        option = OPTION.match(self.raw, end)
        if option:
            target, after = option.span(1), option.end()
        else:
            brace = self.argument(end)
            if brace < 0:
                return end
            target, after = (brace + 1, self.braces[brace]), self.braces[brace] + 1
        shown = self.argument(after)
        address = self.raw[target[0] : target[1]].strip()
        if shown < 0:
            if "://" in address or "." in address:
                self.url(*target)
            return after
        close = self.braces[shown]
        if "://" not in address and "." not in address:
            return self.open("group", place, shown + 1, close, close + 1)
        return self.open("hidden", place, shown + 1, close, close + 1, f"{target[0]}:{target[1]}")

    def footnote(self, macro: Macro, name: str, place: int, end: int) -> int:
        option = OPTION.match(self.raw, end)
        brace = self.argument(option.end() if option else end)
        if brace < 0:
            return end
        close = self.braces[brace]
        self.put(" ", place, brace + 1)
        self.put("(", place, brace + 1)
        return self.open("footnote", place, brace + 1, close, close + 1)

    def second(self, macro: Macro, name: str, place: int, end: int) -> int:
        return self.skip_first(macro, name, place, end)

    def environment(self, macro: Macro, name: str, place: int, end: int) -> int:
        brace = self.argument(end)
        self.put(" ", place, end)
        return self.braces[brace] + 1 if brace >= 0 else end

    def item(self, macro: Macro, name: str, place: int, end: int) -> int:
        self.drop_space()
        if self.out.chunks and self.last() != "\n":
            self.put("\n", place, end)
        return WHITE.match(self.raw, end).end()  # type: ignore[union-attr]

    def new_paragraph(self, macro: Macro, name: str, place: int, end: int) -> int:
        return self.put("\n\n" if self.last() != "\n" else "", place, end)

    def ding(self, macro: Macro, name: str, place: int, end: int) -> int:
        match = re.compile(r"\{(\d{1,3})\}").match(self.raw, end)
        if match is None:
            return end
        number = int(match.group(1))
        sign = chr(0x2460 + number - 172) if 172 <= number <= 181 else "✓" if number in (51, 52) else "✗"
        if 182 <= number <= 191:
            sign = chr(0x2776 + number - 182)
        return self.put(sign, place, match.end())

    def root(self, macro: Macro, name: str, place: int, end: int) -> int:
        return self.put(macro.value, place, end)

    def accented(self, macro: Macro, name: str, place: int, end: int) -> int:
        if len(name) == 1 and self.math_end >= 0 and self.raw[end : end + 1] != "{":
            return self.put(name, place, end) if self.raw[end : end + 1] not in ("(", "[", "|", "\\") else end
        match = ONE_LETTER.match(self.raw, end)
        if match is None:
            brace = self.argument(end)
            if brace < 0:
                return end
            close = self.braces[brace]
            return self.open("group", place, brace + 1, close, close + 1)
        letter = match.group(1) or match.group(2)
        return self.put(compose(letter, macro.value) or letter, place, match.end())

    def letter(self, macro: Macro, name: str, place: int, end: int) -> int:
        self.put(macro.value, place, end)
        if self.math_end >= 0 or self.raw[end : end + 1] != " ":
            return WHITE.match(self.raw, end).end() if self.raw[end : end + 2].strip().isalnum() else end  # type: ignore[union-attr]
        return end

    def symbol(self, macro: Macro, name: str, place: int, end: int) -> int:
        if len(name) == 1:
            if self.math_end >= 0 or self.raw[end : end + 1] in ("(", "[", "|", "\\"):
                return end if name in "lr" else self.put(name, place, end)
            if self.raw[end : end + 1] == " " and macro.value != name and macro.value not in "§¶":
                # ``\L ojasiewicz``: the space only ends the command.
                return self.put(macro.value, place, end + 1)
        return self.put(macro.value, place, end)

    def about(self, macro: Macro, name: str, place: int, end: int) -> int:
        return self.put(macro.value, place, WHITE.match(self.raw, end).end())  # type: ignore[union-attr]

    def value(self, macro: Macro, name: str, place: int, end: int) -> int:
        return self.put(macro.value, place, end)


def _bare(url: str) -> str:
    return url.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/.")


READERS = {
    "\\": Scanner.backslash, "$": Scanner.dollar, "{": Scanner.brace, "}": Scanner.unmatched, "*": Scanner.star,
    "`": Scanner.backtick, "_": Scanner.underscore, "^": Scanner.caret, "~": Scanner.tilde, "<": Scanner.less,
    "&": Scanner.ampersand, "[": Scanner.bracket, "!": Scanner.bracket, "]": Scanner.star,
}  # fmt: skip

COMMANDS = {
    "style": Scanner.shown, "group": Scanner.shown, "sup": Scanner.shown, "sub": Scanner.shown, "switch": Scanner.switch,
    "skip": Scanner.skip, "skip1": Scanner.skip_first, "pair": Scanner.pair, "url": Scanner.address, "href": Scanner.reference,
    "footnote": Scanner.footnote, "second": Scanner.second, "env": Scanner.environment, "item": Scanner.item,
    "break": Scanner.new_paragraph, "ding": Scanner.ding, "sqrt": Scanner.root, "accent": Scanner.accented,
    "letter": Scanner.letter, "symbol": Scanner.symbol, "approx": Scanner.about, "word": Scanner.value, "space": Scanner.value,
}  # fmt: skip
