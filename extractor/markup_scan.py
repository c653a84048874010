"""One reading of a text with markup, from left to right: what each mark means where it stands."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import cache

from extractor.markup_chars import COMBINING, INVISIBLE, LIGATURES, compose, plain_characters
from extractor.markup_commands import COMMAND, backslash
from extractor.markup_macros import macros
from extractor.markup_pairs import HREF, Pair, braces, code_spans, emphasis, formulas, mask, tags, urls
from extractor.markup_writer import Writer

KNOWN_ESCAPE = re.compile(r"\\[%&#_$]")
OWN_COMMAND = re.compile(r"(?<![\w:\\/])\\[A-Za-z]{3}")
ACCENTED = re.compile(r"\\(?:[\"^`~]\{?[aeiouAEIOUnN]|'\{?[aeiouAEIOU]|[vcuHrkLlOo]\{)")
# ``\"`` before a space or a full stop closes a quotation in a text that was escaped as JSON.
ESCAPED_QUOTE = re.compile(r"\\\"(?![A-Za-z{\\])")
LOST_COMMAND = re.compile(r"(?<![\w\\])(?:emph|text(?:bf|it|tt|sc)|underline)$")
SWITCHES = re.compile(r"\s*\\([A-Za-z]+)(?![A-Za-z])(?!\s*\{)\s*")
DEGREE = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))")
PRIME = re.compile(r"\^\s*(?:\{\s*\\prime\s*\}|\\prime(?![A-Za-z]))")
ORDINAL = re.compile(r"\^\s*\{?\s*(?:\\(?:text|mathrm|textrm|rm)\s*\{?\s*)?(st|nd|rd|th)\b")
DIGITS = re.compile(r"\{\s*\d+\s*\}|\d")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
LINK = re.compile(
    r"!?\[([^\[\]\n]{0,300})\]\(\s*<?"
    r"((?:https?://|www\.|mailto:|[\w.-]+\.[A-Za-z]{2,6}/)(?:[^\s()<>]|\([^\s()<>]{0,200}\))*)"
    r">?(?:\s+\"[^\"\n]{0,200}\")?\s*\)"
)
AUTOLINK = re.compile(r"<((?:https?://|mailto:|www\.)[^\s<>]+)>")
LIST_ITEM = re.compile(
    r"(?:[-*•–]|\d{1,2}[.)]|\(?(?:[ivx]{1,4}|\d{1,2}|[a-h])\)|#{1,4})\s|\((?:[ivx]{1,4}|\d)\)"
)  # fmt: skip
LINE_END = frozenset(".!?*")
SINGLE_QUOTE = re.compile(r"`([^`'\n]{1,100})'(?![\w'])")
WHITE = re.compile(r"\s*")


@cache
def _stops(quotes: bool, links: bool) -> re.Pattern[str]:
    """All places where something other than a plain character may stand."""
    chars = r"\\${}*`_^~<&\n\r\t\f\v" + INVISIBLE + COMBINING + "".join(LIGATURES) + (r"\[\]!" if links else "")
    apostrophes = "'{1,2}" if quotes else "''"
    return re.compile(rf"\s{{2,}}|[{chars}]|--+|{apostrophes}|[Hh]ttps?://|HTTPS?://|[Ww]ww\.|WWW\.")


class Scanner(Writer):
    """State of one reading."""

    def __init__(self, raw: str) -> None:
        super().__init__(raw)
        self.table = macros()
        self.urls = urls(raw)
        self.braces = braces(raw)
        math = formulas(raw)
        # Whether braces, accents and the authors' own commands are LaTeX here, or just characters.
        self.quoted_json = '\\"' in raw and ESCAPED_QUOTE.search(raw) is not None
        self.latex = bool(math) or ("\\" in raw and self.is_latex())
        self.angle_escape = "\\<" in raw
        covered = [(p.open_start, p.close_end) for p in math]
        code = code_spans(mask(raw, covered)) if "`" in raw else []
        self.openings = {p.open_start: p for p in (*math, *code)}
        if "<" in raw:
            self.openings |= {p.open_start: p for p in tags(raw)}
        if "*" in raw or "_" in raw:
            covered += [(p.open_start, p.close_end) for p in code]
            covered += self.urls.items()
            masked = mask(raw, covered).replace("\\*", "xx").replace("\\_", "xx")
            self.openings |= {p.open_start: p for p in emphasis(masked)}

    def is_latex(self) -> bool:
        """Whether the backslashes are those of LaTeX rather than of paths, patterns or escaped quotation marks."""
        raw = self.raw
        if KNOWN_ESCAPE.search(raw) or OWN_COMMAND.search(raw):
            return True
        if any(len(name) > 1 and name in self.table for name in COMMAND.findall(raw)):
            return True
        return not self.quoted_json and ACCENTED.search(raw) is not None

    def run(self) -> None:
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

    def step(self, start: int, end: int) -> int:
        """What stands at ``start`` (up to ``end`` for white space and strings); returns where to go on."""
        char = self.raw[start]
        frame = self.closing.pop(start, None)
        if frame is not None:
            end = self.close(frame, start)
            if frame.kind == "pair":
                following = self.argument(end)
                if following >= 0:
                    self.put(frame.value, start, following + 1)
                    return self.open_braces("group", following, following)
            return end
        pair = self.openings.pop(start, None)
        if pair is not None:
            return self.opening(pair)
        stop = self.urls.get(start, 0)
        if stop > start:
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
            return self.copy(start, end)
        return start + 1  # invisible

    def opening(self, pair: Pair) -> int:
        """The first mark of a pair that was found beforehand."""
        kind, start, end = pair.kind, pair.open_start, pair.open_end
        close = pair.close_start, pair.close_end
        if kind == "math":
            self.math_end = pair.close_start
            end = min(self.skip_white(end), pair.close_start)
        elif kind == "code" and self.raw[start] == "`":
            self.open("code", start, end, close)
            return self.copy(end, pair.close_start)
        elif kind == "sup":
            self.put("^", start, end)
        elif kind == "sub" and not self.raw[end : end + 1].isdigit():
            self.put("_", start, end)
        elif kind == "break":
            self.put("\n", start, end)
            if pair.close_start == start:
                return end
        elif kind == "a":
            href = HREF.search(self.raw, start, end)
            target = href.span(href.lastindex or 0) if href else (0, 0)
            return self.open("hidden" if href else "", start, end, close, target=target)
        return self.open(kind, start, end, close)

    def white(self, start: int, end: int) -> int:
        r"""White space: a blank line stays one, a line break that only wraps the text becomes a space."""
        run = self.raw[start:end].replace("\r\n", " \n").replace("\r", "\n")
        run = plain_characters(run).replace("\f", "\n").replace("\v", "\n")
        if "\n" not in run:
            return self.put(" ", start, end)
        middle = start + run.find("\n") + 1
        if run.count("\n") > 1:
            if end < len(self.raw):
                self.drop_space()
            if self.last() != "\n":
                self.put("\n", start, middle)
            return self.put("\n", middle, end)
        before = self.last()
        listed = LIST_ITEM.match(self.raw, end)
        if before in LINE_END or (listed and (before in ",;:-—" or listed.group()[0] in "-*•")):
            return self.put("\n", start, end)
        if before == ":" and self.raw[end : end + 1].isupper():
            return self.put("\n", start, end)
        return self.put(" ", start, end)

    def skip_white(self, place: int) -> int:
        """The end of white space that begins at ``place``."""
        match = WHITE.match(self.raw, place)
        return match.end() if match else place

    def punctuation(self, start: int, end: int) -> int:
        """Two or three hyphens are a dash, two apostrophes a quotation mark."""
        before, after = self.raw[start - 1 : start], self.raw[end : end + 1]
        if self.raw[start] == "'" and end - start == 2:
            if before and not before.isspace() and before not in "([" and not after.isalnum():
                return self.put("”", start, end)
            if (not before or before.isspace() or before in "([") and after and not after.isspace():
                return self.put("“", start, end)
        elif end - start == 3:
            return self.put("—", start, end)
        elif end - start == 2 and (not before or not before.isspace() or not after.isalpha()):
            return self.put("–", start, end)
        return self.copy(start, end)

    def combining(self, place: int) -> int:
        made = compose(self.last(), self.raw[place]) if self.chunks else None
        return self.compose_last(made, place + 1) if made else self.copy(place, place + 1)

    def backtick(self, place: int) -> int:
        raw = self.raw
        if raw.startswith("``", place) and not raw.startswith("```", place):
            return self.put("“", place, place + 2)
        match = SINGLE_QUOTE.match(raw, place)
        if match and not raw[place - 1 : place].isalnum():
            self.put("‘", place, place + 1)
            return self.open("apostrophe", place, place + 1, (match.end() - 1, match.end()))
        return self.copy(place, place + 1)

    def tilde(self, place: int) -> int:
        """``~`` between two words is a space that does not break; before a number it means about."""
        before, after = self.raw[place - 1 : place], self.raw[place + 1 : place + 2]
        ranged = after.isdigit() and (before.isdigit() or before in "%$}x")
        tie = before and after and not before.isspace() and not after.isspace() and before not in "(/[" and not ranged
        return self.put(" " if self.math_end >= 0 or tie else "~", place, place + 1)

    def itself(self, place: int) -> int:
        """A mark without a partner is a character."""
        return self.copy(place, place + 1)

    def ampersand(self, place: int) -> int:
        match = ENTITY.match(self.raw, place)
        made = html.unescape(match.group()) if match else ""
        if match and made != match.group():
            made = re.sub(rf"[{INVISIBLE}]", "", plain_characters(made))
            return self.put(made, place, match.end())
        return self.copy(place, place + 1)

    def less(self, place: int) -> int:
        match = AUTOLINK.match(self.raw, place)
        if match is None:
            return self.copy(place, place + 1)
        self.url(*match.span(1))
        return match.end()

    def bracket(self, place: int) -> int:
        match = LINK.match(self.raw, place)
        if match is None:
            return self.copy(place, place + 1)
        return self.open("hidden", place, match.start(1), (match.end(1), match.end()), target=match.span(2))

    def brace(self, place: int) -> int:
        end = self.braces.get(place)
        if end is None:
            return self.copy(place, place + 1)
        lost = LOST_COMMAND.search(self.chunks[-1]) if self.chunks else None
        if lost:  # ``textit{X}``: the backslash was lost on the way
            start = self.take_back(len(lost.group()))
            return self.open_braces(self.table[lost.group()].value, start, place)
        if not self.latex:
            # ``{—}`` and ``{é}`` protect one sign; other braces belong to a text that is not LaTeX.
            content = self.raw[place + 1 : end]
            if len(content) > 2 or content.isascii():
                return self.copy(place, place + 1)
        kind, after = "group", place + 1
        while True:
            match = SWITCHES.match(self.raw, after)
            macro = self.table.get(match.group(1)) if match else None
            if match is None or macro is None or macro.kind != "switch":
                break
            kind, after = macro.value or kind, match.end()
        return self.open(kind, place, min(after, end), (end, end + 1))

    def open_braces(self, kind: str, start: int, brace: int, value: str = "", target: tuple[int, int] = (0, 0)) -> int:
        """Begin a construct that ends with the partner of ``brace``."""
        end = self.braces[brace]
        return self.open(kind, start, brace + 1, (end, end + 1), value, target)

    def argument(self, place: int) -> int:
        """The ``{`` of the next argument, or -1."""
        while self.raw[place : place + 1] in (" ", "\t"):
            place += 1
        return place if place in self.braces else -1

    def caret(self, place: int) -> int:
        if self.latex:
            for pattern, sign in ((DEGREE, "°"), (PRIME, "′")):
                match = pattern.match(self.raw, place)
                if match:
                    return self.put(sign, place, match.end())
            if ORDINAL.match(self.raw, place):
                return place + 1
        return self.script("^", place)

    def underscore(self, place: int) -> int:
        if self.math_end >= 0 and DIGITS.match(self.raw, place + 1) and not self.last().isdigit():
            return place + 1
        return self.script("_", place)

    def script(self, sign: str, place: int) -> int:
        """``^{…}`` and ``_{…}`` without their braces, in a formula or not."""
        end = self.braces.get(place + 1)
        if end is None or not self.raw[place + 2 : min(end, place + 9)].strip():
            return self.put(sign, place, place + 1)
        self.put(sign, place, place + 2)
        return self.open("group", place, place + 2, (end, end + 1))


READERS: dict[str, Callable[[Scanner, int], int]] = {
    "\\": backslash,
    "{": Scanner.brace,
    "}": Scanner.itself,
    "$": Scanner.itself,
    "*": Scanner.itself,
    "]": Scanner.itself,
    "`": Scanner.backtick,
    "_": Scanner.underscore,
    "^": Scanner.caret,
    "~": Scanner.tilde,
    "<": Scanner.less,
    "&": Scanner.ampersand,
    "[": Scanner.bracket,
    "!": Scanner.bracket,
}
