"""What the words around a possible dataset name say: signs of a dataset, of its introduction, of something else.

A sign is the name of the rule that saw it. Names in one enumeration share the signs of the enumeration.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from extractor.find.datasets_units import KNOWN, PHRASE, SPELT, VARIANT, Unit, is_method
from extractor.find.shapes import Token
from extractor.rules import alternatives, toml, words

# Between two names of one list; a number with its unit may stand in brackets behind a name.
LINK = re.compile(
    r"\s*(?:\([^()]{0,60}\)\s*)?(?:\d[\d.]*\s?\\?%?\s*)?(?P<comma>[,;])?\s*"
    r"(?P<join>[/&+]|\b(?:and|or|as well as|plus)\b)?"
    r"\s*(?:\b(?:the|also|our|its|newly|proposed|introduced|recent|challenging)\s+){0,4}[\"“'‘]?"
)
REACH = 300  # characters read behind a name
SUBJECTS = words(["we is are was were been have has authors be and i"])
DETERMINERS = words(["the our their its this both"])
NUMBER = re.compile(r"(?:\d\s?\\?%|\d\s?(?:points|pp|x|×)|\b\d+(?:\.\d+)?(?:\s\w+)?)\s+$")
FOLLOWED = re.compile(
    r"[\"”'’]*\s*(?:[,(:;—–.]|-{2,3}|(?:which|that|to|for|with|and|where|as|is)\b|consists?\b|consisting|compris|contain|cover|span|featur|provid|includ|$)"
)
AWAY = re.compile(r"\b(?:on|than|from|upon|over|across|evaluat\w+|outperform\w*)\s[^,]*$", re.I)
COMMA_THE = re.compile(r"[\"”'’)]*\s*,\s*(?:the|our)\b")
OURS = re.compile(r"\b(?:our|proposed|novel|new|introduced)\b")
BRACKET = re.compile(r"[\"”'’]*\s*\(")
SCORE = re.compile(r"\s\(?\d+\.\d")
OPENING = re.compile(
    r"[\"”'’)\]]{0,2}\s*(?:\([^()]{0,120}\)\s*)?(?:[,:—–(-]|which\s+is\b|is\b|are\b|,?\s*as\b|serves\b|an?\b|the\b)"
)


class Words(NamedTuple):
    """The word sets of ``rules/dataset_cues.toml``."""

    heads: frozenset[str]
    evaluate: frozenset[str]
    introduce: frozenset[str]
    prepositions: frozenset[str]
    between: frozenset[str]
    new: frozenset[str]
    function: frozenset[str]
    indefinite: frozenset[str]


class Patterns(NamedTuple):
    """Patterns matched where a name ends, or on the text between a head and a name."""

    head_after: re.Pattern[str]
    weak_after: re.Pattern[str]
    other_after: re.Pattern[str]
    lead: re.Pattern[str]
    is_head: re.Pattern[str]
    is_other: re.Pattern[str]
    passive: re.Pattern[str]


@cache
def _words() -> Words:
    t = toml("dataset_cues")
    return Words(
        *(
            words(t[k])
            for k in ("heads", "evaluate", "introduce", "prepositions", "between", "new", "function", "indefinite")
        )
    )


HEAD, EVALUATE, INTRODUCE = 1, 2, 4


@cache
def _kinds() -> dict[str, int]:
    """What each cue word is a cue for, as written in the middle and at the beginning of a sentence."""
    sets = _words()
    kinds: dict[str, int] = {}
    for kind, forms in ((HEAD, sets.heads), (EVALUATE, sets.evaluate), (INTRODUCE, sets.introduce)):
        for form in forms:
            for spelling in {form, form.capitalize(), form.upper()}:
                kinds[spelling] = kinds.get(spelling, 0) | kind
    return kinds


@cache
def _patterns() -> Patterns:
    t = toml("dataset_cues")
    head = alternatives([*words(t["heads"]), *t["heads_two"]])
    sets = _words()
    weak, other = alternatives(words(t["heads_weak"])), alternatives(words(t["other"]))
    such, lead = alternatives(t["such"]), alternatives(t["lead"])
    function = "|".join(sorted(sets.function))
    adjectives = rf"(?:(?!(?:{function})\b)[a-z][\w-]*\s+){{0,3}}?"
    close = r"[\"”'’)\]]{0,2}\s*(?:\([^()]{0,120}\)\s*)?"
    stop = r"(?:for|that|to|which|of|with|by|on|in|from|where|is|are|and\s+(?:a|an|the))(?![\w-])"
    phrase = rf"(?:an?|the|our|one\s+of\s+the|its)\s+(?:(?!{stop})[\w\-–/,’'&+%]+\s+){{0,10}}?"
    joint = r"(?:,\s*as\b|,|:|—|–|-{1,3}|\(|(?:,\s*)?which\s+is\b|is\b|are\b|,?\s*as\b|serves\s+as\b|(?=an?\s))"
    said = rf"{close}{joint}\s*(?:i\.e\.,?\s*)?{phrase}"
    # A suite of tasks is a benchmark, a suite of models is not.
    made = rf"(?!\s+(?:[\w-]+\s+){{0,4}}(?:{other}|tools|metrics|techniques))"
    return Patterns(
        re.compile(rf"{close}{adjectives}(?P<head>{head})\b", re.IGNORECASE),
        re.compile(rf"{close}{adjectives}(?P<head>{weak})\b", re.IGNORECASE),
        re.compile(rf"[\"”'’)]*\s+(?:[a-z]+-[a-z-]+\s+)?(?:{other})\b"),
        re.compile(
            rf"(?:\s*\([^()]{{0,30}}\))?[^.;:(),]{{0,50}}?[\s,:(—–-]\s*(?:(?P<such>{such})|{lead})[\s,:(]*(?:(?:the|our)\s+)?[\"“'‘]*|"
            r"\s*(?:[:(—–]|-{2,3})\s*(?:the\s+)?[\"“'‘]*",
            re.IGNORECASE,
        ),
        re.compile(rf"{said}(?P<head>{head}|challenge|exam|gym|arena|(?:suite|collection)\s+of{made})\b", re.I),
        re.compile(rf"{said}(?P<head>{other})\b", re.IGNORECASE),
        re.compile(rf"{close}(?:is|are|was|were|has\s+been)\s+(?:{alternatives(sets.introduce)})\b", re.IGNORECASE),
    )


class Sentence:
    """One sentence with the places of its cue words, ready to be asked about the names in it."""

    def __init__(self, text: str, start: int, end: int, toks: Sequence[Token], first: int, last: int) -> None:
        self.text, self.start, self.end, self.toks, self.first = text, start, end, toks, first
        self.heads: list[Token] = []
        self.evaluates: list[int] = []
        self.introduces: list[Token] = []
        kinds = _kinds()
        for i in range(first, last):
            kind = kinds.get(toks[i].text)
            if not kind:
                continue
            if kind & HEAD:
                self.heads.append(toks[i])
            if kind & EVALUATE:
                self.evaluates.append(toks[i].start)
            if kind & INTRODUCE and self._introduces(i):
                self.introduces.append(toks[i])

    def _introduces(self, i: int) -> bool:
        """Whether the verb at token ``i`` introduces: "we released" does, "the established benchmarks" do not."""
        if self.toks[i].text[-2:] != "ed":
            return True
        before = next((w for w in self._words_before(i) if w[-2:] != "ly"), "")
        return before in SUBJECTS

    def _words_before(self, i: int) -> Iterator[str]:
        return (self.toks[n].text.lower() for n in range(i - 1, self.first - 1, -1))

    def read(self, units: Sequence[Unit]) -> None:
        """Put the signs of the sentence on its units."""
        if not self.heads and not self.introduces and all(u.kind == PHRASE for u in units):
            return
        for group in _lists(self.text, units):
            signs = [*self._after(group), *self._before(group)]
            if len(group) > 1 and any(u.kind in (KNOWN, VARIANT) for u in group):
                signs.append("list")
            if len(group) > 1 and any(u.kind == SPELT and is_method(u.name) for u in group) and "list" not in signs:
                signs = [s for s in signs if s not in ("head.before", "head.such", "evaluate.on", "number.on")]
            for unit in group:
                unit.signs.extend(signs)
                if SCORE.match(self.text, unit.end):
                    unit.signs.append("score.after")
                self._own(unit, group[0].start)

    def _stop(self, unit: Unit) -> int:
        """How far the text behind a unit is read."""
        return min(self.end, unit.end + REACH)

    def _back(self, unit: Unit) -> Iterator[str]:
        """The words before a unit, last first, in lower case."""
        return self._words_before(unit.index)

    def _after(self, group: Sequence[Unit]) -> list[str]:
        p, first, last = _patterns(), group[0], group[-1]
        m = p.head_after.match(self.text, last.end, self._stop(last))
        if m:
            if len(group) == 1 and first.kind in (SPELT, PHRASE):
                back = list(self._back(first))[:4]
                plural = m.group("head")[-1] == "s" and m.group("head") != "corpus"
                if (back and back[0] in _words().indefinite) or (plural and not DETERMINERS & set(back)):
                    return ["head.loose"]
            return ["head.after"]
        if p.other_after.match(self.text, last.end, self._stop(last)):
            return ["other.after"]
        return ["weak.after"] if p.weak_after.match(self.text, last.end, self._stop(last)) else []

    def _before(self, group: Sequence[Unit]) -> list[str]:
        first, last = group[0], group[-1]
        signs = []
        head = next((h for h in reversed(self.heads) if h.end <= first.start), None)
        if head and first.start - head.end < 80:
            between = self.text[head.end : first.start]
            lead = _patterns().lead.fullmatch(between)
            if lead:
                signs.append("head.such" if lead.group("such") else "head.before")
            elif not between.strip(" \n\"“'‘"):
                signs.append("head.beside")
            elif between.strip(" \n\"“'‘") == "," and len(group) > 1 and head.text[-1] == "s":
                signs.append("head.before")
            elif (
                between.strip(" \n\"“'‘") == ","
                and FOLLOWED.match(self.text, last.end, self._stop(last))
                and not AWAY.search(self.text, max(self.start, head.start - 40), head.end)
            ):
                signs.append("head.comma")
        signs.extend(self._preposition(first))
        return signs

    def _preposition(self, unit: Unit) -> list[str]:
        """The sign of "evaluated on NAME", "12% on NAME", "on NAME"."""
        sets = _words()
        for n, i in enumerate(range(unit.index - 1, max(self.first, unit.index - 7) - 1, -1)):
            word = self.toks[i].text.lower()
            if word in sets.prepositions and (word in ("on", "across") or n == 0 or word not in sets.between):
                strong = word in ("on", "across")
                at = self.toks[i].start
                if word != "of" and NUMBER.search(self.text, max(self.start, at - 24), at):
                    return ["number.on"]
                opens = self.toks[self.first].start == at
                if any(e < at or opens for e in self.evaluates):
                    return ["evaluate.on" if strong else "evaluate.in"]
                return ["on"] if strong else []
            if word not in sets.between and word not in sets.heads and not word.isdigit():
                return []
        return []

    def _own(self, unit: Unit, begin: int) -> None:
        """The signs of one unit alone: what it is said to be, and whether this paper introduces it."""
        p, text, end = _patterns(), self.text, self._stop(unit)
        is_head = is_other = None
        # "On X, the best model …" says nothing of X.
        apart = {"on", "evaluate.on", "number.on"} & set(unit.signs) and COMMA_THE.match(text, unit.end, end)
        # What follows "… in the Wild (FooWild), a dataset" is said of the name in brackets.
        bracket = unit.kind == PHRASE and BRACKET.match(text, unit.end, end)
        if not apart and not bracket and OPENING.match(text, unit.end, end):
            is_head, is_other = p.is_head.match(text, unit.end, end), p.is_other.match(text, unit.end, end)
            if is_head:
                is_other = None  # "an agent benchmark" is no agent
        if is_head:
            unit.signs.append("is.head")
            if OURS.search(is_head.group()):
                unit.signs.append("new.head")
        if is_other:
            unit.signs.append("is.other")
        headed = bool(is_head) or any(s in HEADED for s in unit.signs)
        verb = next((v for v in reversed(self.introduces) if v.end <= unit.start), None)
        if not headed and "head.loose" in unit.signs:
            if verb and unit.start - verb.end < 20:
                unit.signs.append("introduce")  # "we introduce a new FooBench benchmark": its ending decides
            return
        reach = 140 if unit.kind != KNOWN or is_head else 40
        if verb and unit.start - verb.end < reach and not AWAY.search(text, verb.end, max(begin, verb.end)):
            unit.signs.append("introduce.head" if headed and not is_other else "introduce")
        if headed:
            if p.passive.match(text, unit.end, end):
                unit.signs.append("introduce.head")
            for word in list(self._back(unit))[:4]:
                if word in _words().new:
                    unit.signs.append("new.head")
                    break
                if word in _words().function:
                    break


HEADED = frozenset(["head.after", "head.before", "head.beside", "head.comma"])


def _lists(text: str, found: Sequence[Unit]) -> list[list[Unit]]:
    """The units of one sentence, those of one enumeration together.

    Commas alone make an enumeration only in brackets or where "and" ends it: in "on X, Y achieves" they do not.
    """
    groups: list[list[Unit]] = []
    joins: list[list[bool]] = []
    for unit in found:
        m = None
        if groups and unit.start - groups[-1][-1].end < REACH:
            m = LINK.fullmatch(text, groups[-1][-1].end, unit.start)
        if groups and (unit.start <= groups[-1][-1].end or (m and (m.group("comma") or m.group("join")))):
            groups[-1].append(unit)
            joins[-1].append(not m or bool(m.group("join")))
        else:
            groups.append([unit])
            joins.append([])
    split: list[list[Unit]] = []
    for group, joined in zip(groups, joins, strict=True):
        last = max((n + 1 for n, j in enumerate(joined) if j), default=0)
        bracketed = text[group[0].start - 1 : group[0].start] == "(" or text[group[-1].end : group[-1].end + 1] == ")"
        if bracketed or len(group) > 3:
            last = len(group) - 1
        split.append(group[: last + 1])
        split.extend([unit] for unit in group[last + 1 :])
    return split


def sentences(
    text: str, spans: Sequence[tuple[int, int]], toks: Sequence[Token]
) -> Iterator[tuple[int, int, int, int]]:
    """(start, end, index of the first token, index after the last) of each sentence."""
    starts = [t.start for t in toks]
    for start, end in spans:
        yield start, end, bisect_left(starts, start), bisect_left(starts, end)
