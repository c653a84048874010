"""The stretches of a text that could be names: known, abbreviated, emphasised, capitalised or oddly spelt ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from extractor.find.names_cue_words import Cue
from extractor.find.names_lexicon import Entry, Known, known_abbreviation, known_names
from extractor.find.shapes import HYPHEN, STRONG, TITLE, Token, is_strong, shape, singular, stem, tokens
from extractor.mentions import Abbreviation, Findings
from extractor.rules import alternatives, terms

KNOWN, SHORT, LONG, SPELT, EMPHASIS, PHRASE, DATASET, WORD = (
    "known", "short", "long", "spelt", "emphasis", "phrase", "dataset", "word"
)  # fmt: skip
SMALL = frozenset(["of", "for", "and", "to", "with", "in", "the", "via", "from", "then", "on", "as", "by", "any", "&"])
NOT_METHODS = terms("not_methods", "hard") | terms("not_methods", "soft")
HARD = terms("not_methods", "hard")
ALWAYS = frozenset(["We", "Our", "This", "These", "The", "It", "In", "For", "To", "A", "An"])
GENERIC = terms("name_cues", "head") | frozenset(
    ["tool", "optimizer", "task", "tasks", "setting", "settings", "problem", "properties", "property"]
)
OPENERS = terms("name_cues", "opener")
HEADINGS = re.compile(
    r"(?:finding|insight|challenge|observation|question|key|step|stage|task|contribution|result|limitation|problem|"
    r"phase|part|level|rq|q|case|theorem|lemma|first|second|third|phase)s?\b[\s\d:]", re.I
)  # fmt: skip


PROPOSE = alternatives(terms("name_cues", "propose"))
CALLS = terms("name_cues", "call")
DIRECT = re.compile(
    r"[,:]?\s+(?P<det>(?:an?|the|our|its|this|new|novel|two|three)\s+(?:(?:novel|new|simple)\s+)?)?"
    rf"[\"“‘'`]*(?P<name>[^\W_][\w{HYPHEN}]*\w\+*)"
)
NEAR = re.compile(rf"\b(?:{PROPOSE}|{alternatives(CALLS)})\b[^.;]*$")
AFTER_NAME = re.compile(r"[\"”’'`]*(?:\s*[,.:;(—–]|\s+(?:that|which|to|for|is|as|and|with|-{1,3}|by|on|in)\b|\s*$)")
BLOCKED = re.compile(
    r"\b(?:an?|the|of|for|to|that|which|and|with|or|from|new|novel|two|three|four|several|methods?|models?|"
    r"algorithms?|techniques?|strategies|approaches|results|experiments|benchmarks?|datasets?|evidence|theory|our|its|their|this|these|it|them|on|in|as|by|is|are|at|not|both|more|only|under|over|when|how|what)\b"
)
WE = re.compile(r"\b(?:[Ww]e|paper|work|article|study|by)\b[^.;]*$")
# "our model, Meadow, outperforms", "a new framework, Meadow, which"
HYPHENATED = re.compile(rf"[a-z][{HYPHEN}][A-Z]")
METHOD_BEFORE = re.compile(rf"\b(?:{alternatives(terms('name_cues', 'method_noun'))})[\s,(]+(?:which\s+)?(?:we\s+)?$")
LOWER_PHRASE = re.compile(
    rf"(?P<name>[a-z][\w{HYPHEN}]+(?:\s[\w{HYPHEN}]+){{0,4}}?)[\"”’']*"
    r"(?:\s*(?:,|:|—|–|\()\s*(?:an?\s|our\s|the\s+first|which\s|where\s)|:\s|\s\((?:inspired|see))"
)


@dataclass(slots=True)
class Unit:
    """A stretch that could be a name; ``name`` is how it would be written in a record."""

    start: int
    end: int
    name: str
    kind: str
    entry: Entry | None = None
    abbreviation: Abbreviation | None = None
    evidence: set[str] = field(default_factory=set)
    emphasised: bool = False
    inner: list[Known] = field(default_factory=list)  # known names inside a phrase

    @property
    def unknown(self) -> bool:
        return self.entry is None


def units(text: str, found: Findings, cues: list[Cue]) -> list[Unit]:
    """All units of ``text`` in order and without overlap: what is more certainly one stretch goes first."""
    taken = bytearray(len(text) + 1)
    made: list[Unit] = []

    def add(start: int, end: int, kind: str, **more: object) -> Unit | None:
        if end <= start or any(taken[start:end]):
            return None
        taken[start:end] = b"\1" * (end - start)
        unit = Unit(start, end, " ".join(text[start:end].split()), kind, **more)  # type: ignore[arg-type]
        made.append(unit)
        return unit

    for link in found.links:
        taken[link.start : link.end] = b"\1" * (link.end - link.start)
    for dataset in found.datasets:
        for start, end in dataset.mentions:
            add(start, end, DATASET)
    for a in found.abbreviations:
        entry = known_abbreviation(a.short, a.long)
        add(a.short_start, a.short_end, SHORT, abbreviation=a, entry=entry)
        add(a.long_start, a.long_end, LONG, abbreviation=a, entry=entry)
    toks = tokens(text)
    known = known_names(text)
    inside = {k.start: k for k in known}
    for start, end, name, quoted in _emphasised(text, found):
        held = inside.get(start)
        if held and held.end >= end:
            continue
        if quoted and not NEAR.search(text, max(0, start - 60), start):
            continue  # quotes alone set words off for many reasons
        if name_like(name) or _coined(text, start, name):
            add(start, end, EMPHASIS, emphasised=True)
    starts = {s for s, _ in found.sentences}
    runs = _runs(text, toks, starts)
    for first, last in runs:
        # A phrase that holds a known name and more ("Hilbert Window Transformer") is its own name, a known one is not.
        start, end = toks[first].start, toks[last].end
        held = inside.get(start)
        if held and held.end >= end:
            continue
        within = [k for k in known if k.start < end and k.end > start]
        if not any(k.start < start or k.end > end for k in within):
            add(start, end, PHRASE, inner=within)
    for k in known:
        add(k.start, k.end, KNOWN, entry=k.entry)
    for start, end, kind in _named(text, found, cues):
        add(start, end, kind)
    for t in toks:
        if shape(t.text) in STRONG and not taken[t.start]:
            name = stem(t.text)
            if len(name) > 1 and shape(name) in STRONG and singular(name) not in HARD and not _adjective(name):
                add(t.start, t.start + len(name), SPELT)
    made.sort(key=lambda u: u.start)
    spans = [(e.start, e.end) for e in found.emphasis if e.kind != "quote"]
    for unit in made:
        unit.emphasised = unit.emphasised or any(s <= unit.start and unit.end <= e <= unit.end + 40 for s, e in spans)
    return made


def name_like(name: str) -> bool:
    """Whether an emphasised or titled stretch is written like a name: oddly spelt, or capitalised throughout."""
    if HEADINGS.match(name + " ") or len(name) < 2 or len(name) > 80:
        return False
    pieces = tokens.__wrapped__(name)
    if not pieces or len(pieces) > 8 or re.search(r"[.;!?](?:\s|$)|:\s", name):
        return False
    if len(pieces) == 1 and pieces[0].text[0].isupper() and len(name) > 3 and shape(name) == TITLE:
        return pieces[0].text not in OPENERS and singular(name) not in NOT_METHODS
    if len(pieces) == 1:
        return shape(pieces[0].text) in STRONG and singular(stem(pieces[0].text)) not in NOT_METHODS
    big = [p for p in pieces if p.text not in SMALL]
    if pieces[0].text[0].isdigit() and shape(pieces[0].text) not in STRONG:
        return False
    return all(shape(p.text) in STRONG or p.text[0].isupper() or p.text[0].isdigit() for p in big) and len(big) > 1


def _adjective(name: str) -> bool:
    """ "LLM-simulated", "LM-elicited": an acronym of a family and a participle or adjective."""
    head, hyphen, rest = name.partition("-")
    return bool(hyphen) and head in HARD and rest.islower()


def _coined(text: str, start: int, name: str) -> bool:
    """Whether emphasised lower-case words stand near after a verb of proposing or naming."""
    if not 1 < len(name.split()) <= 5 or not name[:1].islower() or BLOCKED.search(name) or "," in name:
        return False
    if name.rsplit(" ", 1)[-1].lower() in GENERIC:
        return False
    return bool(NEAR.search(text, max(0, start - 60), start))


def _named(text: str, found: Findings, cues: list[Cue]) -> list[tuple[int, int, str]]:
    """Stretches that are names only because a verb of proposing or naming stands right before them.

    A capitalised word ("we present Hubble, a suite"), or lower-case words, emphasised or followed by an apposition
    ("we propose semantic voting, a method").
    """
    out = []
    soft = {e.start: e.end for e in found.emphasis}
    ends = {end for _, end in found.sentences}
    for cue in cues:
        m = DIRECT.match(text, cue.end) if cue.group in ("propose", "call") else None
        if not m:
            continue
        start, end = m.span("name")
        emphasised = soft.get(start)
        if emphasised and 2 < emphasised - start < 50:
            inner = text[start:emphasised].rstrip(" .,:;")
            if 1 <= len(inner.split()) <= 5 and not BLOCKED.search(inner):
                out.append((start, start + len(inner), EMPHASIS))
                continue
        word = m.group("name")
        if word in OPENERS or singular(word) in NOT_METHODS:
            continue
        if end + 1 not in ends and re.match(r"\.\s?\w*[A-Z]{2}", text[end : end + 12]):
            continue  # "Dr.LLM" is one token
        if word[0].isupper():
            if (
                AFTER_NAME.match(text, end)
                or (m.group("det") and (HYPHENATED.search(word) or text.count(word) > 1))
                or (cue.group == "call" and not m.group("det"))
            ):
                out.append((start, end, WORD))
        elif not m.group("det") and not word.endswith("ing") and WE.search(text, max(0, cue.start - 60), cue.start):
            phrase = LOWER_PHRASE.match(text, start)
            call = cue.group == "call"
            if call and not (
                text[start - 1] in "\"“‘'`" or METHOD_BEFORE.search(text, max(0, cue.start - 30), cue.start)
            ):
                continue
            if (
                phrase
                and not BLOCKED.search(phrase.group("name"))
                and len(re.split(r"[\s-]", phrase.group("name"))) > 1
            ):
                tail = phrase.group("name").rsplit(" ", 1)[-1]
                first = phrase.end("name") - len(tail) if is_strong(tail) else phrase.start("name")
                out.append((first, phrase.end("name"), WORD))
    return out


def _emphasised(text: str, found: Findings) -> list[tuple[int, int, str, bool]]:
    """Emphasised stretches without the markup's and the sentence's punctuation."""
    out = []
    for e in found.emphasis:
        start, end = e.start, e.end
        while start < end and not text[start].isalnum():
            start += 1
        while end > start and not (text[end - 1].isalnum() or text[end - 1] in "+*"):
            end -= 1
        # Emphasis on a part of a word (**R**etrieval) marks the letters of an abbreviation, not a name.
        whole = not (start and text[start - 1].isalnum()) and not (end < len(text) and text[end].isalnum())
        if end - start > 1 and whole and "(" not in text[start:end]:
            out.append((start, end, text[start:end], e.kind == "quote"))
    return out


def _runs(text: str, toks: tuple[Token, ...], starts: set[int]) -> list[tuple[int, int]]:
    """(first, last) token of every run of capitalised words; small words only between two ordinary capitalised ones."""
    runs: list[tuple[int, int]] = []
    i, n = 0, len(toks)
    while i < n:
        if (
            toks[i].text.islower()
            or not (_big(toks[i]) or _led(text, toks, i))
            or (toks[i].text in OPENERS and (toks[i].start in starts or toks[i].text in ALWAYS))
        ):
            i += 1
            continue
        last = j = i
        if _led(text, toks, i):
            last = j = i + 1
        while j + 1 < n and text[toks[j].end : toks[j + 1].start] in (" ", "\n"):
            j += 1
            if _big(toks[j]):
                last = j
            elif toks[j].text not in SMALL or j - last > 2 or is_strong(toks[last].text):
                break
        for first, end in _halves(toks, i, last):
            if end > first:
                runs.append((first, end))
        i = last + 1
    return runs


def _halves(toks: tuple[Token, ...], first: int, last: int) -> list[tuple[int, int]]:
    """A run cut at an "and" between two names: halves of one length or with one last word."""
    if is_strong(toks[last].text) and toks[last - 1].text in SMALL:
        last -= 2
    for i in range(first + 1, last):
        if toks[i].text not in ("and", "&"):
            continue
        article = toks[i + 1].text in SMALL
        same = toks[i - 1].text == toks[last].text or toks[first].text == toks[i + 1].text
        if i - first == last - i or same or toks[i + 1].text in ("the", "a", "an"):
            return [(first, i - 1), (i + 2 if article else i + 1, last)]
    return [(first, last)]


def _led(text: str, toks: tuple[Token, ...], i: int) -> bool:
    """Whether a phrase begins with an ordinary word made an adjective: "Causality-based Counterfactual Tracker"."""
    if i + 1 == len(toks) or text[toks[i].end : toks[i + 1].start] != " " or not _big(toks[i + 1]):
        return False
    head = stem(toks[i].text)
    return head != toks[i].text and head[:1].isupper() and shape(head) == TITLE and head not in OPENERS


def _big(token: Token) -> bool:
    """Whether a token can be a word of a capitalised phrase: no adjective of an acronym, no size."""
    if token.text[0].isupper():
        return token.text[0] == token.text or stem(token.text) == token.text
    return shape(token.text) in STRONG
