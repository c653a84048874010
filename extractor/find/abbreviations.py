"""Find abbreviations defined in the plain text, with their expansions.

The idea is Schwartz and Hearst's (a short form in brackets beside its long form, the letters of the one found in
order in the other), within one sentence and in both orders, with an alignment that scores initials and capitals
instead of taking the first match from the right: ``Long Form (LF)``, ``LF (Long Form)``, ``LF, short for Long Form``,
``LF: Long Form``, ``LF, a Long Form framework``, ``Long Form, dubbed LF``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache

from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.abbreviations_after import PREPOSITIONS, Word, after, holds, words
from extractor.find.abbreviations_apart import unlinked
from extractor.find.align import HEADS, SKIPPED_WORD, SMALL, Alignment, align
from extractor.find.shapes import HYPHEN, TOKEN, is_strong, key, shape, tokens
from extractor.mentions import Abbreviation, Findings, findings, text_of
from extractor.rules import terms


@Language.factory("extractor_abbreviations")
def create_abbreviations(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).abbreviations``."""
    return find_abbreviations


def find_abbreviations(doc: Doc) -> Doc:
    found = findings(doc)
    found.abbreviations = list(abbreviations(text_of(doc), found))
    return doc


@cache
def _link(cue: str) -> re.Pattern[str]:
    return re.compile(rf",?\s+{re.escape(cue)}(?:\s+as)?\s+")


# A bracket, or what stands before a bracket in it: (LD2Z: f(t) = 1 - t).
BRACKET = re.compile(r"\(([^()]{1,140})(?:\)|(?=\())")
# What may stand before a short or a long form inside brackets.
LEAD = re.compile(
    r"\s*(?:(?:i\.e\.|or|abbreviated(?:\s+as)?|abbr\.|(?:termed|dubbed|called|named|coined|denoted)(?:\s+as)?|namely|hereafter|"
    r"also\s+known\s+as|a\.k\.a\.|aka|referred\s+to\s+as|for|short\s+for|(?:an?|the)\s+(?:abbreviation|acronym)\s+(?:of|for)|stands\s+for|standing\s+for|in\s+short),?\s+)*"
)
SHORT = re.compile(rf"[^\W_][\w.{HYPHEN}^+*'’/&]*(?:\s[^\W_][\w.{HYPHEN}^+*/]*)?")
LINK_WORDS = tuple(sorted(terms("name_cues", "abbreviated")))
AFTER_CHARS = frozenset(",:—–-")
AFTER_SPACED = frozenset([" —", " –", " -", " :"])
HYPHENED = re.compile(rf"[^\W\d_]{{2,}}(?:[{HYPHEN}][^\W\d_]{{2,}})+")
PROPOSED = re.compile(
    r"\b(?:introduc(?:e|es|ing)|propos(?:e|es|ing)|present(?:s|ing)?|develop(?:s|ing)?|called|named|dubbed|termed)\s+(?:an?\s+|the\s+)?(?:(?:novel|new|simple)\s+)?$"
)
# A long form does not run over these, nor over what introduces it.
STOPS_BEFORE = (")", "(", ";", ": ", "—", "---", "!", "?", " introduce ", " propose ", " present ", " introduces ",
                " proposes ", " presents ", " called ", " termed ")  # fmt: skip
# Head nouns that a long form keeps where the short form has no letter for them: "... autoregressive models (VAR)".
KEPT = frozenset(["models", "system"])
KEPT_CAPS = frozenset(["model"])  # only by a short form in capitals
BLAND = frozenset(["novel", "new", "simple"])
SENTENCE_WORDS = frozenset(
    ["The", "Our", "This", "We", "While", "In", "Unlike", "Using", "By", "For", "Recent", "These"]
)


def abbreviations(text: str, found: Findings) -> Iterator[Abbreviation]:
    """All abbreviations defined in ``text``, each short form once, in the order of their definitions."""
    seen: set[str] = set()
    made: list[Abbreviation] = []
    for a in sorted(_all(text, found.sentences), key=lambda a: min(a.short_start, a.long_start)):
        if key(a.short) not in seen:
            seen.add(key(a.short))
            made.append(a)
    apart = [_made(text, *spans) for spans in unlinked(text, made)]
    yield from sorted(made + apart, key=lambda a: min(a.short_start, a.long_start)) if apart else made


def _all(text: str, sentences: list[tuple[int, int]]) -> Iterator[Abbreviation]:
    starts = [start for start, _ in sentences]
    for m in BRACKET.finditer(text):
        start, end = _sentence(sentences, starts, m.start())
        if m.end() <= end:
            yield from _bracket(text, start, m)
    for cue in (c for c in LINK_WORDS if c in text):
        for m in _link(cue).finditer(text):
            start, end = _sentence(sentences, starts, m.start())
            t = TOKEN.match(text, m.end(), end)
            if t and plausible(t.group()) and not text[start : m.start()].lower().count(t.group().lower()):
                long = _before(text, start, m.start(), t.group())
                # "A or B" is mostly a choice: without a comma every letter must fit.
                sure = cue != "or" or m.group()[0] == "," or _fits(t.group(), text[slice(*long)]) if long else False
                if long and sure:
                    yield _made(text, t.start(), t.end(), *long)
    tail = text + " "
    for first, last, word in tokens(text):
        c = tail[last]
        if (c in AFTER_CHARS or (c == " " and text[last : last + 2] in AFTER_SPACED)) and is_strong(word):
            _, end = _sentence(sentences, starts, first)
            long = after(text, last, end, word)
            if long:
                yield _made(text, first, last, *long)


def _fits(short: str, long: str) -> bool:
    got = align(short, long.split(), start=0)
    return is_strong(short) and len(short) > 3 and got is not None and got.rate >= 0.9


def _sentence(sentences: list[tuple[int, int]], starts: list[int], at: int) -> tuple[int, int]:
    """The sentence that holds the offset ``at``."""
    i = bisect_right(starts, at) - 1
    return sentences[i] if i >= 0 else (0, 0)


def _made(text: str, short_start: int, short_end: int, long_start: int, long_end: int) -> Abbreviation:
    long = text[long_start:long_end]
    return Abbreviation(text[short_start:short_end], long, short_start, short_end, long_start, long_end)


def plausible(short: str) -> bool:
    """Whether ``short`` can be a short form at all: letters, and a capital or a digit."""
    letters = sum(c.isalpha() for c in short)
    if not letters or len(short) > 24 or len(short) < 2 or short.lower() in ("ii", "iii", "iv", "vi"):
        return False
    return (any(c.isupper() or c.isdigit() for c in short) or "-" in short[1:3]) and short[-1] != "."


def _bracket(text: str, start: int, m: re.Match[str]) -> Iterator[Abbreviation]:
    """The abbreviation around one pair of brackets, in either order."""
    inside = m.start(1) + LEAD.match(m.group(1)).end()  # type: ignore[union-attr]
    if " " in text[inside : m.end(1)].strip() or HYPHENED.fullmatch(text, inside, m.end(1)):
        long_after = _short_before(text, start, m, inside)
        if long_after:
            yield long_after
            return
    short = SHORT.match(text, inside, m.end(1))
    if short and _closes(text, short.end(), m.end(1)) and plausible(short.group()):
        long = _before(text, start, m.start(), short.group())
        if long:
            yield _made(text, short.start(), short.end(), *long)


def _short_before(text: str, start: int, m: re.Match[str], inside: int) -> Abbreviation | None:
    """The abbreviation of ``SHORT (Long Form)``: the last token before the bracket, or before a generic noun there."""
    head = text[max(start, m.start() - 60) : m.start()]
    offset = m.start() - len(head)
    before = list(TOKEN.finditer(head))
    for t in before[:-3:-1]:
        if t.end() < len(head.rstrip()) and head[t.end() :].strip() not in HEADS:
            break
        word = t.group()
        if len(word) < 2 or (shape(word) == "lower" and not 3 <= len(word) <= 8):
            continue
        for stop in _ends(text, inside, m.end(1)):
            inner = list(words(text, inside, stop))
            got = align(word, [w.text for w in inner], start=0)
            if not got and "-" in word:
                # 8-bit-Foo-TIDE (TIme and DEpth): only the last part is spelt out.
                got = align(word.rsplit("-", 1)[1], [w.text for w in inner], start=0)
            sure = bool(got and got.rate >= (0.8 if shape(word) == "lower" else 0.55))
            if len(inner) == 1:
                sure = bool(got and got.rate >= 0.85 and not is_strong(inner[0].text) and is_strong(word))
            elif not sure:
                sure = _initials(word, inner) or _ended(word, inner) or _spelt(text, offset + t.start(), word, inner)
            if sure:
                return _made(text, offset + t.start(), offset + t.end(), inner[0].start, inner[-1].end)
    return None


def _ended(short: str, inner: list[Word]) -> bool:
    """Whether ``short`` is spelt by the first words in brackets and a prepositional phrase follows."""
    got = align(short, [w.text for w in inner], start=0, open_end=True) if is_strong(short) else None
    if got is None or got.rate < 0.75 or got.last + 1 >= len(inner):
        return False
    return inner[got.last + 1].text in PREPOSITIONS


def _spelt(text: str, at: int, short: str, words: list[Word]) -> bool:
    """Whether a name just introduced takes its letters, in order, from anywhere in the ``words`` beside it."""
    if (
        words[0].text in BLAND
        or not 2 <= len(words) <= 8
        or not 4 <= len(short) <= 12
        or not PROPOSED.search(text, max(0, at - 60), at)
    ):
        return False
    if short[0].lower() != words[0].text[0].lower() or not short.isalpha():
        return False
    return holds(words, short)


def _initials(short: str, inner: list[Word]) -> bool:
    """Whether the words in brackets are an expansion by their initials, in whatever order: ``QuAL (Learning to
    Answer Questions by Asking)``."""
    if not is_strong(short) or not 3 <= len(inner) <= 10 or any(w.text[0].isdigit() for w in inner):
        return False
    big = [w for w in inner if w.text not in SMALL]
    titled = sum(w.text[0].isupper() for w in big) >= 0.8 * len(big)
    initials = {p[0].lower() for w in inner for p in re.split(f"[{HYPHEN}]", w.text) if p}
    letters = [c.lower() for c in short if c.isupper()]
    hits = sum(c in initials for c in letters)
    return len(letters) > 1 and hits > 1 and hits >= (0.5 if titled else 0.75) * len(letters)


def _closes(text: str, at: int, end: int) -> bool:
    rest = text[at:end].lstrip()
    return not rest or rest[0] in ",;:"


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where a long form inside brackets may end: at the bracket, else at the first comma, semicolon or dash."""
    yield end
    m = re.compile(r"[,;:]|\s[—–-]").search(text, start, end)
    if m:
        yield m.start()


def _before(text: str, start: int, end: int, short: str) -> tuple[int, int] | None:
    """The long form of ``short`` that ends at ``end``."""
    room = max(start, end - 16 * (len(short) + 5))
    for stop in STOPS_BEFORE:
        at = text.rfind(stop, room, end)
        if at >= 0:
            room = at + len(stop)
    spread = list(words(text, room, end))[-(2 * len(short) + 4) :]
    if not spread:
        return None
    if len(short) > 2 and "".join(c for c in spread[-1].text if c.isupper()) == short != spread[-1].text:
        return spread[-1].start, spread[-1].end  # sTeaMNet-GO (TMNGO)
    got = align(short, [w.text for w in spread])
    if not got or got.rate < (0.8 if short.islower() else 0.5):
        return _titled(text, start, spread, short) or _whole(text, spread, short)
    # A comma inside the long form is only right where it parts a list ("Listen, Look, Speak and Act").
    between = text[spread[got.first].start : spread[got.last].end]
    if "," in between and got.rate < 0.95:
        return None
    first, last = got.first, len(spread) - 1
    while last > got.last and spread[last].text in HEADS and not _kept(spread[last].text, short):
        last -= 1
    if last - got.last > 2 and not _tail(spread[got.last + 1 : last + 1], got):
        return None
    if spread[first].text[0].isupper() and got.rate < 0.98:
        wide = _widen(text, start, spread, first)
        if not short.isupper() or spread[wide].text[0].lower() == short[0].lower():
            first = wide
    return spread[first].start, spread[last].end


def _whole(text: str, spread: list[Word], short: str) -> tuple[int, int] | None:
    """All that stands between "we propose a" and the bracket, where the letters come from anywhere in it."""
    last = len(spread) - 1
    while last > 0 and spread[last].text in HEADS and not _kept(spread[last].text, short):
        last -= 1
    for first in range(last - 1, -1, -1):
        if spread[first].text[0].lower() == short[0].lower() and _spelt(
            text, spread[first].start, short, spread[first : last + 1]
        ):
            return spread[first].start, spread[last].end
    return None


def _kept(head: str, short: str) -> bool:
    return head in KEPT or (head in KEPT_CAPS and short.isupper())


def _tail(words: list[Word], got: Alignment) -> bool:
    """Whether three words or more behind the last letter belong to the long form: capitalised ones, or a
    prepositional phrase ("... for hallucination mitigation") where every letter fits."""
    if all(w.text[0].isupper() or w.text in SMALL for w in words):
        return True
    whole = got.score - len(words) * SKIPPED_WORD / 2 >= 0.9 * got.letters
    return whole and words[0].text in PREPOSITIONS and len(words) <= 5


def _widen(text: str, start: int, spread: list[Word], first: int) -> int:
    """Take in the capitalised words directly before a capitalised long form, all but the first of the sentence."""
    while first > 0:
        w = spread[first - 1]
        if not w.text[0].isupper() or len(w.text) < 3 or w.start == start or is_strong(w.text):
            break
        if text[w.end : spread[first].start].strip() or w.text in SENTENCE_WORDS:
            break
        first -= 1
    return first


def _titled(text: str, start: int, spread: list[Word], short: str) -> tuple[int, int] | None:
    """A capitalised phrase before the bracket whose initials the short form takes in another order or in part."""
    last = len(spread) - 1
    while last > 0 and spread[last].text in HEADS:
        last -= 1
    first = last + 1
    for i in range(last, -1, -1):
        w = spread[i]
        if w.text[0].isupper() or w.text[0].isdigit():
            if w.start == start and w.text in SENTENCE_WORDS:
                break
            first = i
        elif w.text not in SMALL:
            break
    run = spread[first : last + 1]
    initials = [p[0].lower() for w in run for p in re.split(f"[{HYPHEN}]", w.text) if p]
    hits = sum(1 for c in set(short.lower()) if c in initials)
    if len(run) < 2 or hits < 2 or not run[0].text[0].isupper() or any(w.text[0].isdigit() for w in run[:-1]):
        return None
    if hits < 0.4 * len(set(initials)):
        return None
    if "," in text[run[0].start : run[-1].end]:
        return None
    return run[0].start, run[-1].end
