"""What the model reads of a candidate: a set of short strings, each true of it.

The strings are of the form ``family:value`` (``shape:camel``, ``before:outperforms``), so that a weight of the
model can be read as a rule. Words around the mentions are taken from their sentence, lower case, numbers as ``0``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from extractor.find.candidates import NameCandidate, is_technique
from extractor.find.names import common_long_forms
from extractor.find.names_lexicon import long_forms
from extractor.find.names_units import HARD, NOT_METHODS
from extractor.find.roles import compared
from extractor.find.shapes import HYPHEN, key, shape, singular, stem
from extractor.mentions import Findings
from extractor.model.phrases import Phrases
from extractor.rules import terms

WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:[-'’][A-Za-zÀ-ɏ]+)*|\d+(?:\.\d+)?|[^\w\s]")
NEAR = 6  # words read before a list
MENTIONS = 5  # mentions read of a name
LIST = re.compile(
    r"(?:\s*\([^()]{0,60}\))?\)?\s*(?:,|;|/|\+|&|,?\s*\b(?:and|or|as well as)\b)?\s*(?:\(?[\divx]{1,4}[).])?\s*"
    r"(?:an?\s|the\s|its\s)?[\"“*]*"
)
LEADING = (
    terms("name_cues", "propose") | terms("name_cues", "call") | terms("name_cues", "offer")
    | terms("name_cues", "lead") | {"our", "proposed", "refer", "referred", "novel", "new", "its", "via"}
)  # fmt: skip
ITEM = re.compile(r"(?:\([\divxab]{1,4}\)|\b[\divx]{1,3}[).])\s*(?:(?:the|an?|our)\s)?[\"“*]*$", re.I)
# "X, a light metric of": what the text says a name is.
IS_A = re.compile(
    r"[\"”’']*(?:\s*\([^()]{0,60}\))?(?P<by>,|:| is| are| —| –|—|–|, which is|, where)"
    r"\s+(?:an?|the|our|one of the|two|three)\s"
    r"(?P<zone>[^.,;:()]{3,90})"
)
STOP = re.compile(
    r"\b(?:that|which|to|for|of|designed|where|by|with|in|on|via|is|are|and|leveraging|using|based|built|from|trained|enabling)\b"
)
FAMILY = re.compile(r"[A-Za-z]{3,}")  # of models: Qwen2.5, Pixtral-12B
SIZED = re.compile(r"\d[BM]\b")
ALPHA = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
JOINT = re.compile(f"[{HYPHEN}]")


@dataclass(slots=True)
class _Words:
    """The words of a text with their offsets."""

    starts: list[int]
    lower: list[str]


def features(text: str, found: Findings, candidates: list[NameCandidate], phrases: Phrases) -> list[list[str]]:
    """The feature strings of every candidate, in the order of ``candidates``; ``phrases`` tells which are new."""
    found_words = list(WORD.finditer(text))
    words = _Words(
        [m.start() for m in found_words],
        ["0" if (word := m[0])[0].isdigit() else word.lower() for m in found_words],
    )
    begins = [s for s, _ in found.sentences]
    rivals = compared(text, found, [(c.spans, c.name, _known(c)) for c in candidates])
    neighbours = _neighbours(text, candidates)
    own = sum(c.method_rule is not None and c.method_rule[0] == "proposed" for c in candidates)
    introduced = any(d.role == "introduced" for d in found.datasets)
    made = []
    spread = phrases.frequencies([*(c.name for c in candidates), *(c.full_name or "" for c in candidates)])
    lists = _lists(text, candidates)
    for i, c in enumerate(candidates):
        out = {"bias"}
        _name(c, out)
        out.update((f"papers:{spread[i]}", f"papers:{spread[i]} {form(c.name)}"))
        if c.full_name:
            out.add(f"papers full:{spread[len(candidates) + i]}")
        _rules(c, out)
        out |= neighbours[i]
        if i in rivals:
            out.add("compared")
        mine = c.method_rule is not None and c.method_rule[0] == "proposed"
        out.add(f"own:{min(own - mine, 3)}")
        if introduced and not (c.dataset and c.dataset.role == "introduced"):
            out.add("introduces data")
        first = c.spans[0][0]
        out.add(f"mentions:{min(len(c.spans), 4)}")
        out.add(f"place:{5 * first // max(1, len(text))}")
        out.add("after opening" if first >= found.pending.opening else "before opening")
        if found.title_end and first < found.title_end:
            out.add("in title")
        for start, place in lists[i][:2]:
            _list_context(words, begins, start, place, out)
        for n, (start, end) in enumerate(c.spans[:MENTIONS]):
            _context(text, words, found, begins, start, end, n == 0, out)
        made.append(sorted(out))
    return made


def label(c: NameCandidate) -> str:
    """What the rules made of a candidate."""
    if c.method_rule:
        return c.method_rule[0]
    return c.dataset.role if c.dataset else "nothing"


def form(name: str) -> str:
    """The shape of a name: of its one word, or that it has several."""
    return "several" if " " in name else shape(name)


def _known(c: NameCandidate) -> bool:
    return bool(c.method and c.method.entry)


def _name(c: NameCandidate, out: set[str]) -> None:
    """How the name is written."""
    name = c.name
    pieces = name.split()
    out.update(
        (
            f"shape:{form(name)}",
            f"length:{min(len(name), 14)}",
            f"end:{name[-4:].lower()}",
        )
    )
    if len(pieces) > 1:
        capital = all(p[0].isupper() for p in pieces if p[0].isalpha() and len(p) > 3)
        out.update((f"words:{min(len(pieces), 5)}", f"last:{pieces[-1].lower()}", f"first:{pieces[0].lower()}"))
        out.add("capitals" if capital else "mixed case")
    if is_technique(name):
        out.add("technique")
    if not name.isalpha() and any(ch.isdigit() for ch in name):
        out.add("digit")
        family = FAMILY.match(name)
        if family:
            out.add(f"family:{family.group().lower()}")
        if SIZED.search(name):
            out.add("sized")
    if name.islower():
        out.add("lower case")
    parts = JOINT.split(name)
    if len(parts) > 1:
        out.update(("hyphen", f"part:{parts[-1].lower()}"))
    bare = singular(stem(name))
    # An abbreviation that stands for something of its own here is not the family of that name.
    own = c.full_name is not None and not (c.method and c.method.entry) and key(c.full_name) not in common_long_forms()
    if bare in NOT_METHODS:
        out.add("no method" if not own else "no method by looks")
    if bare in HARD:
        out.add("family" if not own else "family by looks")


def _rules(c: NameCandidate, out: set[str]) -> None:
    """What the rules saw and decided."""
    m = c.method
    out.update(f"kind:{k}" for k in c.kinds)
    if m is not None:
        out.update(f"evidence:{e}" for e in m.evidence)
        if any(u.emphasised for u in m.units):
            out.add("emphasis")
        if any(u.inner for u in m.units):
            out.add("holds known")
        if m.entry:
            out.add(f"lexicon:{m.entry.kind}")
            if m.entry.full:
                out.add("lexicon full")
    if c.full_name:
        case = "low" if c.full_name.islower() else "capital"
        out.update((f"full:{case}", f"full last:{c.full_name.lower().split()[-1]}"))
        if is_technique(c.full_name):
            out.add("full technique")
        if " ".join(c.full_name.lower().replace("-", " ").split()) in long_forms():
            out.add("full known")
        if key(c.full_name.rstrip("s")) in common_long_forms():
            out.add("full common")
    for u in c.units:
        out.add(f"data kind:{u.kind}")
        out.update(f"sign:{s}" for s in u.signs)
    if m is None and c.units:
        out.add("data only")
    if c.method_rule:
        out.update((f"rule role:{c.method_rule[0]}", f"rule:{c.method_rule[1]}", f"rule:{'/'.join(c.method_rule)}"))
    if c.dataset:
        out.update((f"data role:{c.dataset.role}", f"data rule:{c.dataset.rule}", "dataset"))
    if not c.method_rule and not c.dataset:
        out.add("no rule")


def _neighbours(text: str, candidates: list[NameCandidate]) -> list[set[str]]:
    """What the candidates listed with, inside or around each one are to the rules."""
    out: list[set[str]] = [set() for _ in candidates]
    spots = sorted((s, e, i) for i, c in enumerate(candidates) for s, e in c.spans)
    labels = [label(c) for c in candidates]
    for k, (_, end, i) in enumerate(spots):
        for start2, _, j in spots[k + 1 : k + 4]:
            if start2 < end:
                if j != i:
                    out[i].add(f"holds:{labels[j]}")
                    out[j].add(f"inside:{labels[i]}")
                continue
            if j == i or start2 - end > 70:
                continue
            if LIST.fullmatch(text, end, start2):
                out[i].add(f"listed:{labels[j]}")
                out[j].add(f"listed:{labels[i]}")
                gap = text[end:start2].strip()
                if gap == "(" or gap == "":
                    out[i].add(f"beside:{labels[j]}")
                    out[j].add(f"behind:{labels[i]}")
    names = [c.name for c in candidates]
    for i, name in enumerate(names):
        for j, part in enumerate(names):
            if 2 < len(part) < len(name):
                if name.startswith(part):
                    out[i].add(f"begins with:{labels[j]}")
                elif name.endswith(part):
                    out[i].add(f"ends with:{labels[j]}")
    return out


def _lists(text: str, candidates: list[NameCandidate]) -> list[list[tuple[int, int]]]:
    """For each candidate the lists it stands in: where the first entry begins, and the place in the list."""
    out: list[list[tuple[int, int]]] = [[] for _ in candidates]
    spots = sorted((s, -e, i) for i, c in enumerate(candidates) for s, e in c.spans)
    chain: list[tuple[int, int, int]] = []

    def close() -> None:
        if len(chain) > 1:
            for place, (_, _, i) in enumerate(chain):
                out[i].append((chain[0][0], place))

    for start, end, i in ((s, -e, i) for s, e, i in spots):
        if chain and start < chain[-1][1]:
            continue
        if chain and start - chain[-1][1] < 70 and LIST.fullmatch(text, chain[-1][1], start):
            chain.append((start, end, i))
        else:
            close()
            chain = [(start, end, i)]
    close()
    return out


def _list_context(words: _Words, begins: list[int], start: int, place: int, out: set[str]) -> None:
    """The words before a list, which hold for all its entries."""
    at = bisect_right(begins, start) - 1
    low = begins[at] if at >= 0 else 0
    a = bisect_left(words.starts, start)
    left = words.lower[max(bisect_left(words.starts, low), a - NEAR) : a]
    out.add(f"list place:{min(place, 3)}")
    nouns = [w for w in left if w[0].isalpha() and len(w) > 3]
    if nouns:
        out.add(f"list head:{nouns[-1]}")


def _context(
    text: str, words: _Words, found: Findings, begins: list[int], start: int, end: int, first: bool,
    out: set[str],
) -> None:  # fmt: skip
    """The words around one mention."""
    at = bisect_right(begins, start) - 1
    low, high = found.sentences[at] if at >= 0 else (0, len(text))
    starts, lower = words.starts, words.lower
    opened, here, after = bisect_left(starts, low), bisect_left(starts, start), bisect_left(starts, end)
    left = lower[max(here - 3, opened, bisect_left(starts, start - 60)) : here]
    right = lower[after : min(after + 3, bisect_left(starts, min(high, end + 60)))]
    p3, p2, p1 = ["^"] * (3 - len(left)) + left
    n1, n2, n3 = right + ["$"] * (3 - len(right))
    out.update((f"1:{p1}", f"2:{p2}", f"21:{p2} {p1}", f"+1:{n1}", f"+2:{n2}", f"+12:{n1} {n2}", f"1+1:{p1} _ {n1}"))
    out.update((f"321:{p3} {p2} {p1}", f"+123:{n1} {n2} {n3}", f"21+1:{p2} {p1} _ {n1}", f"1+12:{p1} _ {n1} {n2}"))
    if ITEM.search(text, max(low, start - 30), start):
        out.add("item")
    if first:
        out.update((f"first 1:{p1}", f"first +1:{n1}"))
        if start == low:
            out.add("sentence start")
        opening = lower[opened : opened + 2]
        if opening and start > low:
            out.update((f"sentence 1:{opening[0]}", f"sentence 12:{' '.join(opening)}"))
        if at >= 0:
            told = bisect_right(begins, found.pending.opening) - 1
            out.add(f"sentences after opening:{max(-1, min(at - told, 4))}")
    for far, word in enumerate(reversed(lower[opened:here])):
        if word in LEADING:
            out.update((f"led by:{word}", f"led by:{word} {0 if not far else 1 if far < 4 else 2 if far < 9 else 3}"))
            break
    noun = IS_A.match(text, end, min(high, end + 120))
    if noun:
        zone = [w.lower() for w in ALPHA.findall(STOP.split(noun.group("zone"))[0])]
        if zone:
            out.update((f"is a:{zone[-1]}", f"is a {noun.group('by')}"))
            out.update([f"is word:{w}" for w in zone[:-1]])
