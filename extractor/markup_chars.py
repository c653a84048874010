"""Characters: which ones are written another way in the plain text, and which call for a closer look at all."""

from __future__ import annotations

import re
import unicodedata

# One character for one: the offsets stay as they are.
_SAME = {
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "~": "∼≈～〜⁓",
    "-": "\u2010\u2011",
    "≤": "⩽≦",
    "≥": "⩾≧",
    "×": "✕✖⨯",
    "\n": "\u2028\u2029\u0085",
}


def _table() -> dict[int, str]:
    table = {ord(c): plain for plain, chars in _SAME.items() for c in chars}
    # Letters of the mathematical alphabets and full-width forms: 𝜋 → π, ％ → %.
    for code in (*range(0x1D400, 0x1D800), *range(0xFF01, 0xFF5E)):
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1 and plain != chr(code):
            table[code] = plain
    return table


TABLE = _table()

# Characters that leave no trace: soft hyphen, zero-width characters, marks of direction, byte-order mark.
INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff"
LIGATURES = {c: unicodedata.normalize("NFKC", c) for c in "ﬀﬁﬂﬃﬄﬅﬆ"}
COMBINING = "\u0300-\u036f"

_ODD = re.compile(rf"[{INVISIBLE}{COMBINING}{''.join(LIGATURES)}\u2028\u2029\u0085]")
_MARKS = re.compile(r"[\\$*`<&{}~\n\r\t\f\v]")
_STRINGS = ("  ", "--", "''", " _", "\u00a0_", "](", "(_")


def is_simple(raw: str) -> bool:
    """Whether ``raw`` holds nothing that markup is made of, so that characters map one to one."""
    if _MARKS.search(raw) or any(s in raw for s in _STRINGS) or raw[:1] == "_":
        return False
    return raw.isascii() or not _ODD.search(raw)


def plain_characters(text: str) -> str:
    """``text`` with look-alike characters written one way; as long as before."""
    return text if text.isascii() else text.translate(TABLE)


def compose(letter: str, mark: str) -> str | None:
    """The letter with a combining mark, where Unicode has it as one character."""
    made = unicodedata.normalize("NFC", letter + mark)
    return made if len(made) == 1 else None
