r"""What a backslash begins: an escaped sign, an accent, or a command with its arguments.

Every function takes the reading, and returns where it goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from extractor.markup_chars import compose
from extractor.markup_macros import Macro
from extractor.mentions import Emphasis

if TYPE_CHECKING:
    from extractor.markup_scan import Scanner

COMMAND = re.compile(r"\\([A-Za-z]+)")
# Twice the backslash is the slip of an escaped string: ``25\\%``, ``$\\mathsf{N}$``.
ESCAPED = re.compile(r"\\{1,2}([%&$#_{}])")
ACCENT = re.compile(r"\\(['`^\"~=.])(?:\s*\{\\?([A-Za-z])\}|\\([ij])(?![A-Za-z])|([A-Za-z]))")
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
ONE_LETTER = re.compile(r"\s*(?:\{\s*(?:\\[a-z]+\s*\{\s*)?\\?([A-Za-z])\s*\}{1,2}|(?<=[\s~^])([A-Za-z])(?![A-Za-z]))")
OPTION = re.compile(r"\s*\[([^\[\]]{0,300})\]")
THOUSANDS = re.compile(r"\d{3}(?!\d)")
TWO_SIGNS = re.compile(r"\s*([0-9A-Za-z])\s*([0-9A-Za-z])(?![0-9A-Za-z])")
VERBATIM = re.compile(r"\\verb\*?([|!+#@/])([^\n]*?)\1")
DING = re.compile(r"\{(\d{1,3})\}")
OPENING = ("(", "[", "|", "\\")


def backslash(s: Scanner, place: int) -> int:
    """A backslash at ``place``."""
    raw = s.raw
    match = ESCAPED.match(raw, place)
    if match:
        sign = match.group(1)
        if sign == "_" and s.math_end >= 0:
            return s.underscore(match.end() - 1)
        if sign in "{}" and match.end() - place == 3 and not s.latex:
            return s.put("\\", place, place + 1)
        return s.put(sign, place, match.end())
    match = COMMAND.match(raw, place)
    if match:
        return command(s, match.group(1), place, match.end())
    if s.latex or s.quoted_json:
        match = ACCENT.match(raw, place)
        if match:
            return accent(s, match)
    return control(s, place, raw[place + 1 : place + 2])


def accent(s: Scanner, match: re.Match[str]) -> int:
    r"""``\'e``, ``\"{o}``; and the apostrophe of a text that was escaped as JSON."""
    sign, letter = match.group(1), match.group(2) or match.group(3) or match.group(4)
    place, end = match.span()
    after, before = s.raw[end : end + 1], s.raw[place - 1 : place]
    escaped = sign == '"' and s.quoted_json
    made = None if escaped else compose(letter, ACCENTS[sign])
    if made is None or (sign == "'" and letter in "stm" and before.isalpha() and not after.isalpha()):
        return s.put(sign, place, place + 2)
    return s.put(made, place, end)


def control(s: Scanner, place: int, char: str) -> int:
    r"""A backslash before something other than a letter: ``\,``, ``\\``, ``\*``."""
    end = place + 2
    if char == "\\":
        match = COMMAND.match(s.raw, place + 1)
        if match and match.group(1) in s.table:
            return command(s, match.group(1), place, match.end())
        return s.put(" " if s.latex else "\\\\", place, end)
    if not char:
        return s.put("\\", place, place + 1)
    if char.isspace():
        between = s.raw[place - 1 : place].isalnum() and s.raw[end : end + 1].isalnum()
        return s.put(" ", place, end) if s.latex or between or char in "\r\n" else s.put("\\", place, place + 1)
    if s.latex:
        if char == ",":
            thousands = s.last().isdigit() and THOUSANDS.match(s.raw, end)
            return s.put("," if thousands else " ", place, end)
        if char in ";:" or (char == ">" and not s.angle_escape):
            return s.put(" ", place, end)
        if char in "!/@-":
            return end
        if char == "|":
            return s.put("‖", place, end)
        if char == "^":
            return s.caret(place + 1)
    if char in "*_#[](){}<>~`|&%$.!+-'\"^=,":
        return s.put(char, place, end)
    return s.put("\\", place, place + 1)


def command(s: Scanner, name: str, place: int, end: int) -> int:
    """The command ``name``, which ends at ``end``."""
    raw = s.raw
    if name == "verb":
        verbatim = VERBATIM.match(raw, place)
        if verbatim:
            here = len(s.starts)
            s.copy(*verbatim.span(2))
            s.emphasis.append(Emphasis(here, len(s.starts), "code"))
            return verbatim.end()
    macro = s.table.get(name)
    if macro is None or (len(name) == 1 and not s.latex):
        return unknown(s, name, place, end)
    if raw[end : end + 1] == "*" and macro.kind not in ("letter", "symbol"):
        end += 1
    return KINDS[macro.kind](s, macro, name, place, end)


def unknown(s: Scanner, name: str, place: int, end: int) -> int:
    """A command of the authors' own shows its argument, or else its name; a path or a pattern is left alone."""
    before = s.raw[place - 1 : place]
    if not s.latex and (len(name) == 1 or before.isalnum() or before == ":"):
        return s.put("\\", place, place + 1)
    brace = end if end in s.braces else -1
    if brace >= 0 and s.raw[brace + 1 : s.braces[brace]].strip() and len(name) > 1:
        return s.open_braces("group", place, brace)
    s.put(s.raw[end - len(name)], place, end - len(name) + 1)
    return s.copy(end - len(name) + 1, end)


def shown(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    """Style, group, sup and sub: the argument, if there is one."""
    option = OPTION.match(s.raw, end)
    brace = s.argument(option.end() if option else end)
    if brace < 0:
        return s.skip_white(end) if s.math_end < 0 else end
    if macro.kind == "sup" or (macro.kind == "sub" and not s.raw[brace + 1].isdigit()):
        s.put("^" if macro.kind == "sup" else "_", place, brace + 1)
    return s.open_braces(macro.value or "group", place, brace)


def switch(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""``\em{X}`` is meant as ``\emph{X}``; elsewhere a switch leaves no trace."""
    if end in s.braces:
        return s.open_braces(macro.value or "group", place, end)
    return s.skip_white(end)


def skip(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    """Layout, keys and labels."""
    if macro.value == "0":
        return end + 1 if name in ("left", "right") and s.raw[end : end + 1] == "." else end
    skipped = end
    for _ in range(2):
        option = OPTION.match(s.raw, skipped)
        skipped = option.end() if option else skipped
    brace = s.argument(skipped)
    if brace < 0:
        return end
    end = s.braces[brace] + 1
    if not s.raw[end : end + 1].isalnum():
        s.drop_space()
    return end


def second(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    """The second argument only, or the first where it stands alone."""
    option = OPTION.match(s.raw, end)
    brace = s.argument(option.end() if option else end)
    if brace < 0:
        return end
    following = s.argument(s.braces[brace] + 1)
    if following < 0:
        return s.braces[brace] + 1 if macro.kind == "skip1" else s.open_braces("group", place, brace)
    return s.open_braces("group", place, following)


def pair(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""``\frac{1}{24}`` and ``\frac12``; the second argument is opened when the first one closes."""
    brace = s.argument(end)
    if brace >= 0:
        return s.open_braces("pair", place, brace, macro.value)
    signs = TWO_SIGNS.match(s.raw, end)
    if signs:
        s.put(signs.group(1), place, signs.end(1))
        s.put(macro.value, signs.start(2), signs.end(2))
        return s.put(signs.group(2), signs.start(2), signs.end(2))
    return end


def address(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""``\url{…}``."""
    brace = s.argument(end)
    if brace < 0:
        return end
    close = s.braces[brace]
    if place > 0 and s.raw[place - 1].isalnum():
        s.put(" ", place, brace + 1)
    start, stop = min(s.skip_white(brace + 1), close), close
    while stop > start and s.raw[stop - 1].isspace():
        stop -= 1
    s.open("group", place, start, (close, close + 1))
    s.url(start, stop)
    return close


def reference(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""``\href{url}{text}`` and ``\hyperref[url]{text}``."""
    option = OPTION.match(s.raw, end)
    if option:
        target, after = option.span(1), option.end()
    else:
        brace = s.argument(end)
        if brace < 0:
            return end
        target, after = (brace + 1, s.braces[brace]), s.braces[brace] + 1
    text = s.argument(after)
    is_url = "." in s.raw[target[0] : target[1]]
    if text >= 0:
        return s.open_braces("hidden" if is_url else "group", place, text, target=target)
    if is_url:
        s.url(*target)
    return after


def footnote(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    """A footnote is read where its mark stands, in brackets."""
    option = OPTION.match(s.raw, end)
    brace = s.argument(option.end() if option else end)
    if brace < 0:
        return end
    s.put(" ", place, brace + 1)
    s.put("(", place, brace + 1)
    return s.open_braces("footnote", place, brace)


def environment(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""``\begin{…}`` and ``\end{…}``."""
    brace = s.argument(end)
    s.put(" ", place, end)
    return s.braces[brace] + 1 if brace >= 0 else end


def item(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    s.drop_space()
    if s.chunks and s.last() != "\n":
        s.put("\n", place, end)
    return s.skip_white(end)


def new_paragraph(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    return s.put("\n\n" if s.last() != "\n" else "", place, end)


def ding(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    """Signs of the Dingbats font: numbers in circles, ticks and crosses."""
    match = DING.match(s.raw, end)
    if match is None:
        return end
    number = int(match.group(1))
    if 172 <= number <= 181:
        sign = chr(0x2460 + number - 172)
    elif 182 <= number <= 191:
        sign = chr(0x2776 + number - 182)
    else:
        sign = "✓" if number in (51, 52) else "✗" if number in (53, 54, 55, 56) else f"({number})"
    return s.put(sign, place, match.end())


def accented(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""``\tilde{O}``, ``\v{s}``."""
    if len(name) == 1 and s.math_end >= 0 and s.raw[end : end + 1] != "{":
        return end if s.raw[end : end + 1] in OPENING else s.put(name, place, end)
    match = ONE_LETTER.match(s.raw, end)
    if match:
        letter = match.group(1) or match.group(2)
        return s.put(compose(letter, macro.value) or letter, place, match.end())
    brace = s.argument(end)
    return s.open_braces("group", place, brace) if brace >= 0 else end


def letter(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    r"""Greek letters; the space in ``\mu P`` only ends the command."""
    s.put(macro.value, place, end)
    after = s.raw[end : end + 2]
    return end + 1 if s.math_end >= 0 and after[:1] == " " and after[1:].isalnum() else end


def symbol(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    if len(name) == 1:
        after = s.raw[end : end + 1]
        if s.math_end >= 0 or after in OPENING:
            return end if name in "lr" else s.put(name, place, end)
        if after == " " and macro.value not in (name, "§", "¶"):
            return s.put(macro.value, place, end + 1)  # ``\L ojasiewicz``
    return s.put(macro.value, place, end)


def about(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    return s.put(macro.value, place, s.skip_white(end))


def value(s: Scanner, macro: Macro, name: str, place: int, end: int) -> int:
    return s.put(macro.value, place, end)


KINDS: dict[str, Callable[[Scanner, Macro, str, int, int], int]] = {
    "style": shown,
    "group": shown,
    "sup": shown,
    "sub": shown,
    "switch": switch,
    "skip": skip,
    "skip1": second,
    "second": second,
    "pair": pair,
    "url": address,
    "href": reference,
    "footnote": footnote,
    "env": environment,
    "item": item,
    "break": new_paragraph,
    "ding": ding,
    "sqrt": value,
    "accent": accented,
    "letter": letter,
    "symbol": symbol,
    "approx": about,
    "word": value,
    "space": value,
}
