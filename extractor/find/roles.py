"""Decide the role of every method from all its mentions together.

What a paper proposes was decided where the names were found (``find/names``); here the others are told apart: those
the text compares something with, beats or measures against, and those it only mentions. One mention that compares is
enough, and names listed with a compared one are compared too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from extractor.mentions import Findings
from extractor.rules import alternatives, rows, terms

TABLE = "role_cues"
CONFIDENCE = {(row[0], row[1]): float(row[2]) for row in rows("name_rules")}
# BEFORE, RIVALS and AFTER are asked of lower-case text: ignoring case, a pattern tries each alternative at each word.
# A verb or preposition of comparing with the compared name after it: "outperforms X", "over X", "compared to X".
BEFORE = re.compile(rf"\b(?:{alternatives(terms(TABLE, 'before'))})\b(?P<gap>[^.;]{{0,110}})$")
# A group of rivals that the name is an instance of: "strong baselines such as X", "existing methods like X".
RIVALS = re.compile(
    rf"\b(?:{alternatives(t.lower() for t in terms(TABLE, 'rival'))})\b(?P<noun>[^.;()]{{0,60}}?)"
    r"(?:,?\s*\(?(?:such\s+as|like|including|e\.g\.,?|namely|i\.e\.,?|for\s+example,?)|\s*[(:—])(?P<gap>[^.;]{0,110})$"
)
INSTANCE = re.compile(r"[(:—]|such\s|like|including|e\.g|namely|i\.e|for\s")  # one of these is in every match of RIVALS
# What follows a rival: "X achieves only", "X fails to".
AFTER = re.compile(rf"(?:\s*\([^()]*\))?[^.;,]{{0,30}}?\s(?:{alternatives(terms(TABLE, 'after'))})\b")
LIST = re.compile(
    r"(?:\s*\([^()]{0,40}\))?\s*(?:,|and|or|&|/|\+|,\s*and|,\s*or|as\s+well\s+as|vs\.?|versus)\s*(?:the\s|its\s)?(?:variants?\s)?"
)
STOPS = terms(TABLE, "stop")
WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")
EVALUATED = re.compile(
    r"\b(?:evaluat\w+|benchmark\w*|assess\w*|achiev\w+|attain\w*|scor\w+|reach\w*|perform\w*|lead\w*|top\w*|test\w*|\d+(?:\.\d+)?\s?%)",
    re.I,
)


def relate_roles(text: str, found: Findings) -> None:
    """Fill ``role`` of every name in ``found.methods`` that is not proposed."""
    others = [m for m in found.methods if m.role != "proposed"]
    if not others:
        return
    rivals = compared(text, found, [(m.mentions, m.name, m.rule == "lexicon") for m in others])
    for i, method in enumerate(others):
        method.role = "compared" if i in rivals else "mentioned"
        method.confidence = CONFIDENCE.get((method.role, method.rule), method.confidence)


def compared(text: str, found: Findings, names: list[tuple[list[tuple[int, int]], str, bool]]) -> set[int]:
    """The indices of the ``names`` (mentions, name, whether it is in the lexicon) that the text compares with."""
    starts = [s for s, _ in found.sentences]
    introduces = any(d.role == "introduced" for d in found.datasets)
    rivals: set[int] = set()
    spots = sorted((s, e, i) for i, (mentions, _, _) in enumerate(names) for s, e in mentions)
    for k, (s, e, i) in enumerate(spots):
        if i in rivals:
            continue
        _, name, known = names[i]
        at = bisect_right(starts, s) - 1
        first, last = found.sentences[at] if at >= 0 else (0, len(text))
        left, right = text[max(first, s - 160) : s], text[e : min(last, e + 80)]
        listed = (
            k and spots[k - 1][2] in rivals and spots[k - 1][1] >= first and LIST.fullmatch(text[spots[k - 1][1] : s])
        )
        model = known and MODEL.match(name)
        figure = model and (FIGURE_BEFORE.search(left) or (CLOSED.match(name) and FIGURE_AFTER.match(right)))
        evaluated = introduces and model and EVALUATED.search(text[first:last])
        if listed or figure or evaluated or compares(left, right):
            rivals.add(i)
    return rivals


@lru_cache(maxsize=256)  # the model's features and the roles ask for the same mentions of a text
def compares(left: str, right: str) -> bool:
    """Whether the words to the left or right of a mention compare something with it."""
    low = left.lower()
    m = BEFORE.search(low)
    if m and not STOPS.intersection(WORD.findall(left, m.start("gap"))):
        return True
    m = RIVALS.search(low) if INSTANCE.search(low) else None
    if m and not STOPS.intersection(WORD.findall(left, m.start("gap"))):
        return True
    return bool(AFTER.match(right.lower()))


# A model with a figure of its own: "GPT-5 achieves 57%", "84.9% for Deepseek-R1", "GPT-4o (51.0)".
FIGURE_BEFORE = re.compile(r"\d\s?%?\)?\s*(?:for|by)\s*$|\b(?:performer|best\s+model|topping|including)\W{0,3}$")
FIGURE_AFTER = re.compile(
    r"(?:\s*\([^()]*[A-Za-z][^()]*\))?(?:,[^,]{0,60},)?\s*(?:\(\s?~?\d|:\s?\d|(?:(?:still|also|only|consistently|even)\s)?"
    r"(?:achiev|attain|scor|reach|topp|tops|lead|obtain|outperform|surpass|exhibit|succeed|solv|perform)\w*)"
)
# Models a paper can only measure, not train.
CLOSED = re.compile(r"(?:gpt-?[45]|o[134](?!\w)|openai|claude|gemini|grok|chatgpt|opus|sonnet)", re.I)
MODEL = re.compile(rf"(?:{alternatives(terms(TABLE, 'model'))})", re.I)
