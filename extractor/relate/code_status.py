"""Decide whether code is linked, available, promised or not spoken of."""

from __future__ import annotations

import re
from functools import cache

from extractor.find.sentences import sentence_at
from extractor.mentions import Findings
from extractor.rules import toml

# What a text that says nothing of code does not have; a cheap test before the others.
NAMES = re.compile(
    r"\b(?:[Cc]ode|CODE|[Ii]mplementation|[Tt]ool|[Ss]cripts|[Ss]oftware|[Ll]ibrary|[Pp]ackage|[Rr]epo|[Pp]ipeline|[Ss]imulator|full\b)"
)
SAYS = re.compile(
    r"availab|releas|public|open|shar(?:e|ing)\b|publish|provid|suppl|append|access|found|includ|attach|submit|upload|made\b|present|given|host"
    r"|disclos|download|online",
    re.IGNORECASE,
)
NEXT_CLAUSE = re.compile(r",\s+and\b|\band\s+(?:will|plan|we)\b|[,;]\s+(?:but|while)\b")


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str]]:
    table = toml("code_status")
    code, software, predicate, verb, provide, own, future, place = (
        "(?:" + "|".join(table[k]) + ")"
        for k in ("code", "software", "predicates", "verbs", "provide", "own", "future", "places")
    )
    gap = r"[^.;!?]"
    noun = rf"(?<![\w-])(?:{code}|{software})(?![\w-])"
    is_ = r"\b(?:is|are|be|been|was|were|being|made|be\s+made)\s+(?:[\w-]+\s+){0,3}?"
    subject = (
        r"(?:\b(?:we|will|shall|to|and|also|by|then|publicly|authors|have|has|finally|furthermore)\b,?\s+)"
        r"(?:\w+ly\s+|also\s+|further\s+|all\s+)?"
    )
    ends = r"[\s.,;]*(?:$|[.,;]|\s+(?:available|called|that|which|for|to|as|and|of|with|public))"
    patterns = (
        # The code (and the models) is available; our code, available at request.
        rf"(?<![\w-]){code}(?![\w-]){gap}{{0,70}}?{is_}{predicate}\b",
        rf"(?<![\w-]){code}(?![\w-])[\w\s&,-]{{0,30}}?\bavailable\b",
        rf"{noun}(?:\s+(?:and|or|for|of|that|which|used)(?:\s+[\w-]+){{0,4}})?\s+{is_}{predicate}\b",
        rf"^(?:our|the|all)\b[\w\s,&-]{{0,60}}{noun}[\w\s,&-]{{0,60}}{is_}{predicate}\b",
        # We release (the data, the models and) our code.
        rf"{subject}{verb}\b{gap}{{0,90}}?(?<![\w-]){code}(?![\w-])",
        rf"{subject}{verb}\s+(?:our|the|a|an|all|its)\s+(?:[\w-]+\s+){{0,4}}?{noun}(?={ends})",
        rf"\b(?:released?|published|available)\s+as\s+(?:an?\s+)?(?:[\w-]+\s+){{0,3}}?{noun}",
        # We provide the source code; code is in the appendix.
        rf"\b{provide}\b{gap}{{0,50}}?\b{own}\s+(?:[\w-]+\s+){{0,3}}?(?<![\w-]){code}(?![\w-])",
        rf"\b{provide}\s+(?:an?\s+)?open-?\s?source\s+(?:[\w-]+\s+){{0,3}}?{noun}",
        rf"(?<![\w-]){code}\b{gap}{{0,60}}\b{place}\b",
    )
    return tuple(re.compile(p, re.IGNORECASE) for p in patterns), re.compile(rf"(?i)\b{future}\b")


def code_status(text: str, found: Findings) -> str:
    """One of linked, available, promised, none: a URL for code first, then the sentences that speak of code."""
    if any(link.kind == "code" for link in found.links):
        return "linked"
    status, asked = "none", -1
    # Mostly said at the end, now and then at the start: every sentence that names code is asked.
    for m in NAMES.finditer(text):
        if m.start() < asked:
            continue
        start, end = sentence_at(found.sentences, m.start()) or (0, 0)
        asked = end
        if SAYS.search(text, start, end):
            said = _sentence(text[start:end])
            if said == "available":
                return said
            status = said or status
    return status


def _sentence(sentence: str) -> str | None:
    """What one sentence says of code, if anything: what it says first counts."""
    patterns, future = _patterns()
    matches = [m for m in (p.search(sentence) for p in patterns) if m]
    if not matches:
        return None
    first = min(matches, key=lambda m: (m.end(), m.start()))
    before, after = sentence[max(0, first.start() - 30) : first.end()], sentence[first.end() : first.end() + 80]
    clause = NEXT_CLAUSE.split(after, maxsplit=1)[0]
    return "promised" if future.search(before) or future.search(clause) else "available"
