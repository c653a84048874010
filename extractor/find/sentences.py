"""Split the plain text into sentences.

A rule splitter: a sentence ends at ``.``, ``!`` or ``?`` (with closing quotes or brackets) before white space and
something that can begin a sentence. Abbreviations, initials and list labels do not end one; a full stop without a
space does before a word that begins sentences ("the data.We show"). A line break that is left in the plain text
always ends one: those that only wrap the text have become spaces. What goes on for longer than any sentence does is
cut at white space, so that the work on a text grows with its length only.
"""

from __future__ import annotations

import re
import sys
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from importlib.resources import files

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings, text_of

_WORDS = {
    name: frozenset(words.split())
    for name, words in tomllib.loads(files("extractor.rules").joinpath("sentences.toml").read_text("utf-8")).items()
}
NEVER, SOMETIMES, BEFORE_NUMBER = _WORDS["never"], _WORDS["sometimes"], _WORDS["before_number"]
STARTERS, NAMES = _WORDS["starters"], _WORDS["names"]

OPENERS = "\"'“‘(["
END = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]*]*(?:\s+(?=\S)|(?=[A-Z][a-z]+[ ,]))|\n\s*(?=\S)")
NEXT_WORD = re.compile(r"\w[\w.+-]*")
LABEL = re.compile(r"[(\[]?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[)\]]?")
LIST_LABEL = re.compile(r"[(\[](?:\d{1,2}|[a-h]|[ivx]{1,4})[)\]]\s")
LONG = 5
MOST = 1500  # characters; the longest sentences of real abstracts have half as many
LONGEST = max(map(len, NEVER | SOMETIMES | BEFORE_NUMBER))
URL_PARTS = frozenset(["https", "http", "www", "com", "io"])


@Language.factory("extractor_sentences")
def create_sentences(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).sentences`` and ``doc.spans["sentences"]``."""
    return find_sentences


def find_sentences(doc: Doc) -> Doc:
    found = findings(doc)
    found.sentences = split(text_of(doc))
    return doc


def split(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence of ``text``, white space around it left out, in order and without overlap."""
    sentences: list[tuple[int, int]] = []
    start = 0
    for match in END.finditer(text):
        stop, end = match.span()
        if text[stop] in ".!?":
            if not _ends(text, start, match):
                continue
            stop = stop + len(match.group().rstrip())
        if _add(sentences, text, start, stop):
            start = end
    _add(sentences, text, start, len(text))
    return sentences


def sentence_at(sentences: Sequence[tuple[int, int]], place: int) -> tuple[int, int] | None:
    """The sentence of ``sentences`` that ``place`` is in, None between them."""
    n = bisect_right(sentences, (place, sys.maxsize)) - 1
    return sentences[n] if n >= 0 and place < sentences[n][1] else None


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the punctuation of ``match`` ends the sentence that began at ``start``."""
    stop, end = match.span()
    marks, following = match.group(), text[end]
    word = _last_word(text, start, stop)
    if marks == ". " and len(word) > LONGEST and following.isupper() and word.isalpha():
        return True  # nothing more to ask: most sentences end so
    if "\n\n" in marks:
        return True
    if stop - start < 8 and marks[0] == "." and LABEL.fullmatch(text[start:stop].strip()):
        return False  # "2. Our architecture", "(a). The": the label belongs to what follows
    if not marks[-1].isspace():
        return len(word) != 1 and not text[stop - 1].isupper() and _next_word(text, end).lower() in STARTERS
    if following in OPENERS:
        if LIST_LABEL.match(text, end):
            return word.lower() not in NEVER
        while end + 1 < len(text) and text[end] in OPENERS:
            end += 1
    if marks[0] != ".":
        return not text[end].islower() and word.lower() not in NAMES
    return _stops(word, marks.strip() == ".", text[end], _next_word(text, end), text[end - 1] == "(")


def _stops(word: str, bare: bool, following: str, upcoming: str, bracket: bool) -> bool:
    """Whether a full stop after ``word`` ends the sentence, by the word and what comes next. ``bare``: without a
    closing quote or bracket; ``bracket``: the next word stands in one."""
    last = word.lower()
    starter = upcoming[:1].isupper() and upcoming.lower() in STARTERS
    acronym = len(word) > 1 and word.isalpha() and word.isupper()  # "CF." is no "cf."
    if not acronym:
        if last in NEVER:
            return False
        if last in SOMETIMES:
            return starter or (last == "etc" and following.isupper())
        if last in BEFORE_NUMBER and (following.isdigit() or bracket or len(upcoming) == 1):
            return False
        if len(last) == 1 and last.isalpha():
            return starter  # "a constant p. We", not "J. Doe"
    if not following.islower():
        return True
    if upcoming and not upcoming.islower() and "." not in upcoming:
        return True  # "vLLM", "nnU-Net"
    # "the tasks. we first propose": after a long word a full stop is one, whatever follows.
    return bare and len(word) > LONG and word.isalpha() and upcoming not in URL_PARTS


def _last_word(text: str, start: int, stop: int) -> str:
    """The word before ``stop``, without an opening bracket or quote."""
    begin = max(text.rfind(" ", start, stop), text.rfind("\n", start, stop), start - 1) + 1
    return text[max(begin, stop - 30) : stop].lstrip(OPENERS)


def _next_word(text: str, place: int) -> str:
    match = NEXT_WORD.match(text, place)
    return match.group() if match else ""


def _add(sentences: list[tuple[int, int]], text: str, start: int, end: int) -> bool:
    """Add ``start:end`` without the white space around it; whether anything is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end <= start:
        return False
    while end - start > MOST:
        cut = next((k for k in range(start + MOST, start + MOST // 2, -1) if text[k].isspace()), start + MOST)
        sentences.append((start, cut))
        start = cut + text[cut].isspace()
    sentences.append((start, end))
    return True
