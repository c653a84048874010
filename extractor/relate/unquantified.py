"""Quantities that the text tells in words alone ("from months to minutes", "by orders of magnitude").

They give no number, so they become warnings of the record. Words: ``rules/unquantified.toml``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

from extractor.mentions import Findings
from extractor.rules import alternatives, toml

# One of these is in every such phrase: a cheap test before the pattern.
SIGNS = ("magnitude", "times", "fold", "seconds", "minutes", "hours", "days", "weeks", "months", "years", "decades")


def warnings(text: str, found: Findings) -> list[str]:
    """A warning for each quantity without a number, in the order of the text, each wording once."""
    low = text.lower()
    if not any(sign in low for sign in SIGNS):
        return []
    counted = sorted((n.start, n.end) for n in found.numbers if n.form != "vague")
    ends = [end for _, end in counted]
    said: dict[str, None] = {}
    for match in _pattern().finditer(text):
        behind = bisect_right(ends, match.start())  # the first number that ends behind the beginning
        if behind == len(counted) or counted[behind][0] >= match.end():
            said[" ".join(match.group().split())] = None
    return [f'a quantity without a number: "{wording}"' for wording in said]


@cache
def _pattern() -> re.Pattern[str]:
    table = toml("unquantified")
    times, some, limits, vague, factors, comparatives = (
        alternatives(table[name]) for name in ("times", "some", "limits", "vague", "factors", "comparatives")
    )
    before = rf"(?:(?:{limits}|{some})\s+){{0,3}}"
    return re.compile(
        rf"\bfrom\s+{before}(?:{times})\s+(?:down\s+)?to\s+{before}(?:{times})\b"
        rf"|\b(?:(?:{vague})\s+)?orders[\s-]+of[\s-]+magnitudes?\b"
        rf"|\b(?:{vague})[\s-]+(?:{factors})\s+(?:{comparatives})\b"
        rf"|\b(?:{vague})-fold\b",
        re.I,
    )
