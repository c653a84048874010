"""Decide whether code is linked, available, promised or not spoken of."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from extractor.mentions import Findings
from extractor.rules import toml

# A sentence without one of these says nothing of code.
GATE = re.compile(r"(?i)code|implement|script|tool|softw|pipeline|repo|source")
SAYS = ("availab", "releas", "publi", "open", "source", "share", "sharing", "provid", "suppl", "append", "access", "found", "attach", "inclu", "submit", "host")  # fmt: skip


class Cues(NamedTuple):
    """The patterns of one reading of ``rules/code_status.toml``."""

    noun_then_release: re.Pattern[str]
    release_then_noun: re.Pattern[str]
    provided: re.Pattern[str]
    future: re.Pattern[str]


@cache
def _cues() -> Cues:
    table = toml("code_status")
    noun, after, before, provide, own, places, future = (
        "(?:" + "|".join(table[k]) + ")" for k in ("nouns", "after", "before", "provide", "own", "places", "future")
    )
    gap = r"[^.;!?]"
    return Cues(
        re.compile(rf"(?i)(?<![\w-]){noun}(?![\w-]){gap}{{0,80}}?\b{after}\b"),
        re.compile(rf"(?i)\b{before}\b{gap}{{0,90}}?(?<![\w-]){noun}(?![\w-])"),
        re.compile(rf"(?i)\b{provide}\b{gap}{{0,60}}?\b{own}\s+(?:[\w-]+\s+){{0,3}}?{noun}(?![\w-])|{noun}\b{gap}{{0,60}}\b{places}\b"),
        re.compile(rf"(?i)\b{future}\b"),
    )


def code_status(text: str, found: Findings) -> str:
    """One of linked, available, promised, none: a URL for code first, then the sentence that speaks of code."""
    if any(link.kind == "code" for link in found.links):
        return "linked"
    status = "none"
    # Authors say it at the end, now and then at the start: every sentence is asked.
    for start, end in found.sentences:
        sentence = text[start:end]
        if not any(word in sentence for word in SAYS) or not GATE.search(sentence):
            continue
        said = _sentence(sentence)
        if said == "available":
            return said
        status = said or status
    return status


def _sentence(sentence: str) -> str | None:
    """What one sentence says of code, if anything."""
    cues = _cues()
    for pattern in (cues.noun_then_release, cues.release_then_noun, cues.provided):
        m = pattern.search(sentence)
        if m:
            return "promised" if cues.future.search(sentence) else "available"
    return None
