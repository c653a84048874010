"""What the words around a possible dataset name say about it: signs of a dataset, of its introduction, of something else.

A sign is the name of the rule that saw it. Names in one list share the signs of the list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from extractor.find.datasets_units import CONTEXT, KNOWN, PHRASE, SPELT, VARIANT, Unit
from extractor.rules import alternatives, toml, words

# Between two names of one list; a number with its unit may stand in brackets behind a name.
LINK = re.compile(
    r"\s*(?:\([^()]{0,60}\)\s*)?(?:[,;/&+]|,?\s*\b(?:and|or|as well as|plus)\b)\s*(?:(?:and|or|the|also|our|its|newly|proposed|introduced)\s+){0,4}[\"“'‘]?"
)
FUNCTION = r"is|are|was|were|be|been|to|for|of|in|on|and|or|that|which|with|by|as|from|the|a|an|we|our|has|have|had|can|show|shows|while|when|at|than|but|using|over|it|its|achieves?|demonstrat\w+|outperform\w*|via|through|into|this|these|not|where|under|across|per|both|without|against|between|within|yet"
DETERMINED = re.compile(r"\b(?:the|our|their|its|this|both)\s+(?:[\w-]+\s+){0,3}[\"“'‘]?$", re.IGNORECASE)
INDEFINITE = re.compile(
    r"\b(?:an?|new|novel|first|existing|various|several|multiple|these|all|other|many|such|most|standard|public|popular|current|\w+-scale|seven|eight|nine|ten|three|four|five|six|two|12|diverse|open-source|challenging)\s+$",
    re.IGNORECASE,
)
NUMBER_ON = re.compile(
    r"(?:\d\s?\\?%|\d\s?(?:points|pp|x|×)|\b\d+(?:\.\d+)?(?:\s\w+)?)\s+(?:on|in|for|across)\s+(?:the\s+)?[\"“'‘]?$"
)
AFTER_COMMA = re.compile(
    r"[\"”'’]*\s*(?:[,(:;—–.]|-{2,3}|which\b|that\b|to\b|for\b|with\b|and\b|consist|compris|contain|cover|span|featur|where\b|provid|as\b|is\b|includ|$)"
)


class Patterns(NamedTuple):
    head_after: re.Pattern[str]
    weak_after: re.Pattern[str]
    other_after: re.Pattern[str]
    head_before: re.Pattern[str]
    head_comma: re.Pattern[str]
    preposition: re.Pattern[str]
    evaluate: re.Pattern[str]
    introduce: re.Pattern[str]
    new_before: re.Pattern[str]
    is_head: re.Pattern[str]
    is_other: re.Pattern[str]
    passive: re.Pattern[str]


@cache
def patterns() -> Patterns:
    table = toml("dataset_cues")
    head = alternatives([*words(table["heads"]), *table["heads_two"]])
    weak = alternatives(words(table["heads_weak"]))
    other = alternatives(words(table["other"]))
    lead = alternatives(table["lead"])
    between = alternatives(table["between"])
    preps = alternatives(table["prepositions"])
    adjectives = rf"(?:(?!(?:{FUNCTION})\b)[a-z][\w-]*\s+){{0,3}}?"
    close = r"[\"”'’)\]]{0,2}\s*(?:\([^()]{0,40}\)\s*)?"
    phrase = rf"(?:an?|the|our|one\s+of\s+the|its)\s+(?:(?!(?:for|that|to|which|of|with|by|on|in|from|where|is|are|and\s+(?:a|an|the))\b)[\w\-–/,’'&+%]+\s+){{0,10}}?"
    apposition = rf"{close}(?:,|:|—|–|-{{1,3}}|\(|(?:,\s*)?which\s+is|is|are|as|serves\s+as)\s*(?:i\.e\.,?\s*)?{phrase}"
    return Patterns(
        re.compile(rf"{close}{adjectives}(?P<head>{head})\b", re.IGNORECASE),
        re.compile(rf"{close}{adjectives}(?P<head>{weak})\b", re.IGNORECASE),
        re.compile(rf"[\"”'’)]*\s+(?:[a-z-]+\s+)?(?:{other})\b"),
        re.compile(
            rf"\b(?:{head})(?:\s*\([^()]{{0,30}}\))?(?:[^.;:()]{{0,60}}?)?[\s,:(—–-]*\b(?:{lead})[\s,:(]*(?:the\s+|our\s+)?[\"“'‘]*$|"
            rf"\b(?:{head})\s*(?:[:(—–]|-{{2,3}})\s*(?:the\s+)?[\"“'‘]*$",
            re.IGNORECASE,
        ),
        re.compile(
            rf"\b(?:(?P<prep>on|in|across|for|from|over)\s+)?(?:the|these|all|an?|our|new|novel|first|resulting|proposed|resultant)?[^.,;:()]{{0,50}}\b(?:{head})(?P<comma>,)?\s+[\"“'‘]*$",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?:^|[\s(])(?P<prep>{preps})\s+(?:(?:{between}|\d+)[\s,]+){{0,5}}(?:(?:{head})\s+)?[\"“'‘(]*$",
            re.IGNORECASE,
        ),
        re.compile(rf"\b(?:{alternatives(words(table['evaluate']))})\b", re.IGNORECASE),
        re.compile(rf"\b(?:{alternatives(words(table['introduce']))})\b(?P<object>[^.;]{{0,140}})$", re.IGNORECASE),
        re.compile(rf"\b(?:{alternatives(table['new'])})\s+(?:[\w-]+\s+){{0,3}}[\"“'‘(]*$", re.IGNORECASE),
        re.compile(
            rf"{apposition}(?P<head>{head}|suite|challenge|exam|environment|gym|simulator|collection|arena|dataset\w*)\b",
            re.IGNORECASE,
        ),
        re.compile(rf"{apposition}(?P<head>{other})\b", re.IGNORECASE),
        re.compile(
            rf"{close}(?:is|are|was|were|has\s+been)\s+(?:{alternatives(words(table['introduce']))})\b", re.IGNORECASE
        ),
    )


def lists(text: str, found: Sequence[Unit]) -> list[list[Unit]]:
    """The units of one sentence, those of one enumeration together."""
    groups: list[list[Unit]] = []
    for unit in found:
        if groups and (LINK.fullmatch(text, groups[-1][-1].end, unit.start) or unit.start <= groups[-1][-1].end):
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return groups


def read(text: str, start: int, end: int, group: Sequence[Unit]) -> None:
    """Put the signs of one list in the sentence ``start:end`` on its units."""
    p = patterns()
    first, last = group[0], group[-1]
    left, right = text[max(start, first.start - 200) : first.start], text[last.end : min(end, last.end + 160)]
    signs = _after(p, left, right, group)
    signs += _before(p, left, right, group)
    known = [u for u in group if u.kind in (KNOWN, VARIANT)]
    if known and len(group) > 1:
        signs.append("list")
    for unit in group:
        unit.signs.extend(signs)
        _own(p, text, start, end, unit, group)


def _after(p: Patterns, left: str, right: str, group: Sequence[Unit]) -> list[str]:
    m = p.head_after.match(right)
    if m:
        plural = m.group("head").endswith("s") and m.group("head") not in ("corpus",)
        if len(group) == 1 and group[0].kind in (SPELT, PHRASE):
            if INDEFINITE.search(left) or (plural and not DETERMINED.search(left)):
                return ["head.loose"]
        return ["head.after"]
    if p.other_after.match(right):
        return ["other.after"]
    if p.weak_after.match(right):
        return ["weak.after"]
    return []


def _before(p: Patterns, left: str, right: str, group: Sequence[Unit]) -> list[str]:
    signs = []
    if p.head_before.search(left):
        signs.append("head.before")
    else:
        m = p.head_comma.search(left)
        if m and (AFTER_COMMA.match(right) if m.group("comma") and not m.group("prep") else not m.group("comma")):
            signs.append("head.beside" if not m.group("comma") else "head.comma")
    m = p.preposition.search(left)
    if m:
        strong = m.group("prep").lower() in ("on", "across")
        if NUMBER_ON.search(left):
            signs.append("number.on")
        elif p.evaluate.search(left):
            signs.append("evaluate.on" if strong else "evaluate.in")
        elif strong:
            signs.append("on")
    return signs


def _own(p: Patterns, text: str, start: int, end: int, unit: Unit, group: Sequence[Unit]) -> None:
    """The signs of one unit alone: what it is said to be, and whether this paper introduces it."""
    left, right = text[max(start, unit.start - 200) : unit.start], text[unit.end : min(end, unit.end + 200)]
    is_head, is_other = p.is_head.match(right), p.is_other.match(right)
    if is_head and is_other:
        is_head, is_other = (is_head, None) if is_head.end() <= is_other.end() else (None, is_other)
    if is_head:
        unit.signs.append("is.head")
    if is_other:
        unit.signs.append("is.other")
    headed = (
        is_head
        or p.head_after.match(right)
        or any(s in unit.signs for s in ("head.before", "head.beside", "head.comma"))
    )
    m = p.introduce.search(left)
    if m and not re.search(r"\b(?:on|than|from|upon|over|across|evaluat\w+)\s[^,]*$", m.group("object")):
        unit.signs.append("introduce.head" if headed and not is_other else "introduce")
    if p.new_before.search(left) and headed:
        unit.signs.append("new.head")
    if headed and p.passive.match(right):
        unit.signs.append("introduce.head")
    if unit.kind == CONTEXT and p.other_after.match(right):
        unit.signs.append("other.after")
