"""Split the plain text into sentences.

A rule splitter: a sentence ends at ``.``, ``!`` or ``?`` (with closing quotes or brackets) before white space and
something that can begin a sentence, except after known abbreviations, initials and inside brackets that the next
words close. A blank line always ends one; a single line break never does by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings

# Words that end in a full stop without ending the sentence.
ABBREVIATIONS = frozenset(
    "e.g i.e eg ie cf vs etc. al fig figs eq eqs sec tab ref refs no nos resp approx dr mr mrs ms prof st w.r.t "
    "w.l.o.g i.i.d a.k.a aka viz ca incl excl est dept vol pp p ch app".split()
)

END = re.compile(r"[.!?]+[\"'”’)\]*]*\s+(?=[\"'“‘(\[]*[^\s\"'“‘(\[])|\n[ \t]*\n\s*")
LAST_WORD = re.compile(r"([\w.]+)$")


@Language.factory("extractor_sentences")
def create_sentences(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).sentences`` and ``doc.spans["sentences"]``."""
    return find_sentences


def find_sentences(doc: Doc) -> Doc:
    found = findings(doc)
    found.sentences = split(doc.text)
    return doc


def split(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence of ``text``, white space around it left out, in order and without overlap."""
    sentences = []
    start = 0
    for match in END.finditer(text):
        stop = match.start()
        if match.group()[0] != "\n" and not _ends(text, stop, match):
            continue
        _add(sentences, text, start, match.end())
        start = match.end()
    _add(sentences, text, start, len(text))
    return sentences


def _ends(text: str, stop: int, match: re.Match[str]) -> bool:
    """Whether the punctuation at ``stop`` ends a sentence."""
    following = text[match.end()]
    if "\n" in match.group() and match.group().count("\n") > 1:
        return True
    if following in "\"'“‘([":
        following = text[match.end() : match.end() + 3].lstrip("\"'“‘([")[:1]
    if match.group()[0] != ".":
        return not following.islower()
    word = LAST_WORD.search(text, max(0, stop - 24), stop)
    if word:
        last = word.group(1).lower().strip(".")
        if last in ABBREVIATIONS:
            # "etc. We" and "et al. We" end a sentence; "vs. BERT" does not.
            return last in ("etc", "al") and following.isupper() and text[match.end() : match.end() + 3] in STARTERS
        if len(last) == 1 and last.isalpha() and last != "i" and text[max(0, stop - 2) : stop - 1] in (" ", "", "."):
            return False
    return not following.islower()


STARTERS = frozenset(["We ", "Our", "The", "Thi", "In ", "How", "To ", "It ", "Thu", "Her", "Exp", "Fur", "Mor", "On "])


def _add(sentences: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        sentences.append((start, end))
