"""What in a text opens and closes something: formulas, Markdown emphasis, HTML tags, braces, URLs.

Pairs are found before the text is read from left to right, so that a mark without a partner (``cost $5``, ``CLIP*``,
``{``) is known to be an ordinary character.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# A URL as it stands in a text; ``\_`` and its like are LaTeX for the bare character.
URL = re.compile(r"(?:https?://|www\.)(?:\\[_%#&~$]|[^\s<>\"{}|^`\\\[\]“”])+", re.IGNORECASE)
URL_TAIL = re.compile(r"[*_.,;:!?'’$]+$")
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
    while end > start:
        tail = URL_TAIL.search(raw, start, end)
        if tail:
            end = tail.start()
        elif raw[end - 1] == ")" and raw.count("(", start, end) < raw.count(")", start, end):
            end -= 1
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
COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
PROSE = re.compile(r"[A-Za-z]{3,}[ ,;.]+[A-Za-z]{3,}|[a-z] [a-z]{2,} ")


def formulas(raw: str) -> list[Pair]:
    r"""``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]`` that hold a formula; amounts of money do not."""
    found = []
    if "$" in raw:
        places = [m.start() for m in DOLLAR.finditer(raw)]
        i = 0
        while i + 1 < len(places):
            start, end = places[i], places[i + 1]
            if end == start + 1 and i + 3 < len(places) and places[i + 3] == places[i + 2] + 1:
                if is_formula(raw, start + 2, places[i + 2]):
                    found.append(Pair("math", start, start + 2, places[i + 2], places[i + 2] + 2))
                    i += 4
                    continue
            if is_formula(raw, start + 1, end):
                found.append(Pair("math", start, start + 1, end, end + 1))
                i += 2
            else:
                i += 1
    for opening, closing in ((r"\(", r"\)"), (r"\[", r"\]")):
        place = raw.find(opening)
        while place >= 0:
            end = raw.find(closing, place)
            if end < 0:
                break
            content = raw[place + 2 : end]
            sure = opening == r"\(" or "\\" in content or "=" in content
            if sure and is_formula(raw, place + 2, end, delimited=True):
                found.append(Pair("math", place, place + 2, end, end + 2))
            place = raw.find(opening, place + 2)
    return found


def is_formula(raw: str, start: int, end: int, delimited: bool = False) -> bool:
    """Whether ``raw[start:end]``, which stands between dollar signs, is a formula rather than what two prices enclose."""
    content = raw[start:end]
    if not content.strip() or len(content) > MATH_LIMIT or BLANK_LINE.search(content):
        return False
    command = "\\" in content
    if not command and not delimited:
        lead, trail = content[0].isspace(), content[-1].isspace()
        if lead != trail or (lead and len(content) > 20):
            return False
        if raw[end + 1 : end + 2].isdigit() or content[-1] in "(,":
            return False
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
STARS = re.compile(r"(?<!\\)(?:\*{1,3}|(?<![\w_])_(?!_)|(?<![_\s])_(?![\w_]))(?![*_]*\*)")
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
    last_blank = -1
    blanks = [m.start() for m in BLANK_LINE.finditer(text)]
    for match in STARS.finditer(text):
        start, end, mark = match.start(), match.end(), match.group()
        while blanks and blanks[0] < start:
            last_blank = blanks.pop(0)
            open_marks.clear()
        before, after = text[start - 1 : start], text[end : end + 1]
        if before and not before.isspace() and before != "(":
            partner = next((o for o in reversed(open_marks) if o[2] == mark), None)
            if partner and _closes(text, partner, start, after):
                found.append(Pair(EMPHASIS[len(mark)], partner[0], partner[1], start, end))
                del open_marks[open_marks.index(partner) :]
                continue
        if after and not after.isspace() and after not in ").,;:!?%*_" and _opens(text, start, mark, before, after):
            open_marks.append((start, end, mark))
    return found


def _opens(text: str, start: int, mark: str, before: str, after: str) -> bool:
    if not before.isalnum():
        return True
    # ``Spec**D**ec``: only a bold part of a word begins inside one.
    return len(mark) == 2 and before.isalpha() and after.isalpha()


def _closes(text: str, partner: tuple[int, int, str], start: int, after: str) -> bool:
    content = text[partner[1] : start]
    mark = partner[2]
    if not content or len(content) > (ITALIC_LIMIT if len(mark) == 1 else BOLD_LIMIT):
        return False
    before = text[partner[0] - 1 : partner[0]] if partner[0] else ""
    part = len(content) <= 12 and WORD_PART.fullmatch(content) is not None
    if before.isalnum():
        return part
    if after.isalnum():
        return mark == "**" or mark == "***" or (mark == "*" and part and len(content) <= 3)
    return True


TAG = re.compile(r"<(/?)((?:jats:)?[A-Za-z][A-Za-z0-9]{0,9})((?:\s[^<>]{0,300})?)(/?)>")
TAGS = {
    "b": "bold", "strong": "bold", "bold": "bold", "i": "italic", "em": "italic", "italic": "italic", "code": "code",
    "tt": "code", "monospace": "code", "sc": "smallcaps", "u": "underline", "q": "quote", "sup": "sup", "sub": "sub", "a": "a",
    "span": "", "div": "break", "p": "break", "ul": "break", "ol": "break", "li": "break", "sec": "break", "title": "break",
    "h1": "break", "h2": "break", "h3": "break", "font": "", "abstract": "break", "small": "", "mark": "",
}  # fmt: skip
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
