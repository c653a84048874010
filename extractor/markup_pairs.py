"""What in a text opens and closes something: formulas, Markdown emphasis, HTML tags, braces, URLs.

Pairs are found before the text is read from left to right, so that a mark without a partner (``cost $5``, ``CLIP*``,
``{``) is known to be an ordinary character.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A URL as it stands in a text; ``\_`` and its like are LaTeX for the bare character.
URL = re.compile(r"(?:https?://|www\.)(?:\\[_%#&~$]|[^\s<>\"{}|^`\\\[\]“”])+", re.IGNORECASE)
URL_TAIL = frozenset("*_.,;:!?'’$")
BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


class Pair(NamedTuple):
    """An opening mark and its closing one, each with start and end; ``kind`` says what they do."""

    kind: str
    open_start: int
    open_end: int
    close_start: int
    close_end: int


def url_end(raw: str, start: int, end: int) -> int:
    """Where the URL matched as ``start:end`` really ends: without punctuation of the sentence around it."""
    surplus = raw.count(")", start, end) - raw.count("(", start, end)
    while end > start:
        if raw[end - 1] in URL_TAIL:
            end -= 1
        elif raw[end - 1] == ")" and surplus > 0:
            end -= 1
            surplus -= 1
        else:
            return end
    return end


def urls(raw: str) -> dict[int, int]:
    """Start and end of each URL."""
    if "://" not in raw and "www." not in raw.lower():
        return {}
    return {m.start(): url_end(raw, *m.span()) for m in URL.finditer(raw)}


def braces(raw: str) -> dict[int, int]:
    """Each unescaped ``{`` that has a partner, with the place of that partner."""
    if "{" not in raw:
        return {}
    found, stack = {}, []
    for match in BRACE.finditer(raw):
        if match.group() == "{":
            stack.append(match.start())
        elif stack:
            found[stack.pop()] = match.start()
    return found


BRACE = re.compile(r"(?<!\\)[{}]")

MATH_LIMIT = 800
DOLLAR = re.compile(r"(?<!\\)\$")
GROUP = re.compile(r"\{[^{}]*\}")
COMMAND = re.compile(r"\\+(?:[A-Za-z]+|.)")
PROSE = re.compile(r"[A-Za-z]{3,}[ ,;.]+[A-Za-z]{3,}|[a-z] [a-z]{2,} ")


def formulas(raw: str) -> list[Pair]:
    r"""``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]`` that hold a formula; amounts of money do not."""
    found = []
    if "$" in raw:
        places = [m.start() for m in DOLLAR.finditer(raw)]
        # Where all marks pair off in the order they stand, a doubtful formula must not turn the others inside out.
        strict = len(places) % 2 == 1 or not all(
            is_formula(raw, a + 1, b, strict=False) for a, b in zip(places[::2], places[1::2], strict=True) if b > a + 1
        )
        i = 0
        while i + 1 < len(places):
            start, end = places[i], places[i + 1]
            display = end == start + 1 and i + 3 < len(places) and places[i + 3] == places[i + 2] + 1
            if display and is_formula(raw, start + 2, places[i + 2], strict=False):
                found.append(Pair("math", start, start + 2, places[i + 2], places[i + 2] + 2))
                i += 4
            elif is_formula(raw, start + 1, end, strict):
                found.append(Pair("math", start, start + 1, end, end + 1))
                i += 2
            else:
                i += 1
        if "\\$" in raw:
            for m in ESCAPED_DOLLARS.finditer(raw):
                inside = FORMULA_SIGN.search(m.group(1)) or NUMBER.fullmatch(m.group(1))
                if inside and is_formula(raw, *m.span(1)):
                    found.append(Pair("math", m.start(), m.start() + 2, m.end() - 2, m.end()))
    for opening, closing in ((r"\(", r"\)"), (r"\[", r"\]")):
        place = raw.find(opening)
        while place >= 0:
            end = raw.find(closing, place, place + MATH_LIMIT)
            if end < 0:
                place = raw.find(opening, place + 2)
                continue
            content = raw[place + 2 : end]
            sure = opening == r"\(" or "\\" in content or "=" in content
            if sure and is_formula(raw, place + 2, end, strict=False):
                found.append(Pair("math", place, place + 2, end, end + 2))
            place = raw.find(opening, place + 2)
    return found


ESCAPED_DOLLARS = re.compile(r"\\\$(?!\s)([^$\n]{1,200}?)(?<![\s\\])\\\$")
FORMULA_COMMAND = re.compile(r"\\+[A-Za-z{|]")
FORMULA_SIGN = re.compile(r"\\[A-Za-z]|[_^]")
NUMBER = re.compile(r"[\d.,]+")
NO_WORD = re.compile(r"[\^_]?[^A-Za-z]{1,8}")


def is_formula(raw: str, start: int, end: int, strict: bool = True) -> bool:
    """Whether ``raw[start:end]``, between dollar signs, is a formula rather than what two prices enclose."""
    content = raw[start : min(end, start + MATH_LIMIT + 1)]
    if not content.strip() or len(content) > MATH_LIMIT or BLANK_LINE.search(content):
        return False
    lead, trail = content[0].isspace(), content[-1].isspace()
    if not FORMULA_COMMAND.search(content):
        if lead != trail or (lead and len(content) > 20):
            return False
        if strict and raw[end + 1 : end + 2].isdigit() and (content[0].isdigit() or not NO_WORD.fullmatch(content)):
            return False
        if content[-1] == "(" or (strict and content[-1] == ","):
            return False
        if lead and content.strip().isalpha() and content.strip().islower() and len(content) > 4:
            return False  # ``$n,$ where $m$`` read from its second mark
    elif not strict and lead == trail:
        return True
    for _ in range(4):
        shorter = GROUP.sub("", content)
        if shorter == content:
            break
        content = shorter
    return not PROSE.search(COMMAND.sub("", content))


def mask(raw: str, spans: list[tuple[int, int]]) -> str:
    """``raw`` with each span overwritten by letters, for finding marks outside of them."""
    if not spans:
        return raw
    parts, place = [], 0
    for start, end in sorted(spans):
        if start < place:
            continue
        parts += [raw[place:start], "x" * (end - start)]
        place = end
    parts.append(raw[place:])
    return "".join(parts)


CODE = re.compile(r"(?<![`\\])`(?!`)([^`\n]{1,200})`(?!`)")
MARKS = re.compile(r"(?<![\\*])\*{1,4}(?!\*)|(?<![\w\\])_{1,2}(?=[^\s_])|(?<=[^\s_\\])_{1,2}(?!\w)")
EMPHASIS = {1: "italic", 2: "bold", 3: "bold"}
WORD_PART = re.compile(r"[^\W_]+")
ITALIC_LIMIT, BOLD_LIMIT = 300, 600


def code_spans(raw: str) -> list[Pair]:
    """`` `x` `` that is code and not the quotation `` `x' ``."""
    found = []
    for m in CODE.finditer(raw):
        content = m.group(1)
        if content.isspace() or (QUOTE_CLOSED.search(content) and (content[-1] in " (" or content[0] in " ,.;")):
            continue
        found.append(Pair("code", m.start(), m.start() + 1, m.end() - 1, m.end()))
    return found


QUOTE_CLOSED = re.compile(r"[\w.,]'(?!\w)")


def emphasis(text: str) -> list[Pair]:
    """``**X**``, ``*X*``, ``***X***`` and ``_X_`` in ``text``, where what must not be touched is masked.

    A star between digits or after a word (``10*20*30``, ``2**x``, ``CLIP*``) opens nothing.
    """
    found: list[Pair] = []
    open_marks: list[tuple[int, int, str]] = []
    blanks = [m.start() for m in BLANK_LINE.finditer(text)]
    blank = 0
    for match in MARKS.finditer(text):
        start, end = match.span()
        while blank < len(blanks) and blanks[blank] < start:
            blank += 1
            open_marks.clear()
        before, after = text[start - 1 : start], text[end : end + 1]
        if before and not before.isspace() and before != "(":
            start = _close(text, open_marks, start, end, after, found)
        mark = match.group()[0] * (end - start)
        if not mark or len(mark) > 3 or not after or after.isspace() or after in ").,;:!?%":
            continue
        if not before.isalnum() or (mark == "**" and after.isalpha()):
            open_marks.append((start, end, mark))
    return found


def _close(
    text: str, open_marks: list[tuple[int, int, str]], start: int, end: int, after: str, found: list[Pair]
) -> int:
    """Pair the marks ``start:end`` with open ones as far as possible; returns where the unpaired rest begins."""
    while start < end:
        for length in (2,) if end - start == 4 else (end - start, 2, 1):
            mark = text[start] * length
            partner = _partner(open_marks, mark) if length <= end - start else None
            if partner is not None and _closes(text, open_marks[partner], mark, start, after):
                break
        else:
            return start
        opening = open_marks[partner]
        inner = opening[1] - length
        found.append(Pair(EMPHASIS[length], inner, opening[1], start, start + length))
        del open_marks[partner:]
        if inner > opening[0]:
            # ``***M**otivation Tuning*``: what is left of the three stars is still open.
            open_marks.append((opening[0], inner, mark[0] * (inner - opening[0])))
        start += length
    return start


def _partner(open_marks: list[tuple[int, int, str]], mark: str) -> int | None:
    """The latest open mark that ``mark`` can close."""
    for k in range(len(open_marks) - 1, max(-1, len(open_marks) - 8), -1):
        other = open_marks[k][2]
        if other == mark or (other == "***" and mark in ("*", "**")):
            return k
    return None


def _closes(text: str, partner: tuple[int, int, str], mark: str, start: int, after: str) -> bool:
    content = text[partner[1] : start]
    if not content or len(content) > (ITALIC_LIMIT if len(mark) == 1 else BOLD_LIMIT):
        return False
    if mark == "__" and content.islower() and content.isidentifier():
        return False  # ``__init__``
    before = text[partner[0] - 1 : partner[0]] if partner[0] else ""
    part = len(content) <= 12 and WORD_PART.fullmatch(content) is not None
    if before.isdigit():
        return part and content.isupper() and not after.isalnum()  # ``T2**I**``, yet not ``2**x**2``
    if before.isalpha():
        return part
    if after.isalnum():
        return mark in ("**", "***") or (mark == "*" and part and len(content) <= 3)
    return True


TAG = re.compile(r"<(/?)((?:jats:)?[A-Za-z][A-Za-z0-9]{0,9})((?:\s[^<>]{0,300})?)(/?)>")
TAGS = {
    **dict.fromkeys(["b", "strong", "bold"], "bold"),
    **dict.fromkeys(["i", "em", "italic"], "italic"),
    **dict.fromkeys(["code", "tt", "monospace"], "code"),
    **{"sc": "smallcaps", "u": "underline", "q": "quote", "sup": "sup", "sub": "sub", "a": "a"},
    **dict.fromkeys(["span", "font", "small", "mark"], ""),
    **dict.fromkeys(["div", "p", "ul", "ol", "li", "sec", "title", "abstract", "h1", "h2", "h3", "h4"], "break"),
}
BREAKS = frozenset({"br", "p", "li"})
HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


def tags(raw: str) -> list[Pair]:
    """HTML and JATS tags that have a partner, and line breaks; ``<eos>`` and ``a <b> c`` are no tags."""
    found, stack = [], []
    for m in TAG.finditer(raw):
        name = m.group(2).lower().removeprefix("jats:")
        kind = TAGS.get(name)
        if name == "br" or (name in BREAKS and m.group(4)):
            found.append(Pair("break", *m.span(), *m.span()))
        elif kind is None:
            continue
        elif not m.group(1):
            stack.append((name, kind, m))
        else:
            place = next((k for k in range(len(stack) - 1, max(-1, len(stack) - 50), -1) if stack[k][0] == name), None)
            if place is not None:
                _, kind, opening = stack[place]
                del stack[place:]
                found.append(Pair(kind, *opening.span(), *m.span()))
    return found
