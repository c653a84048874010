"""Quantities that the text tells in words alone ("from months to minutes", "by orders of magnitude").

They give no number, so they become warnings of the record. Words: ``rules/unquantified.toml``.
"""

from __future__ import annotations

import re
from functools import cache

from extractor.mentions import Findings
from extractor.rules import alternatives, toml

# What a text without any such phrase does not have; a cheap test before the others.
SIGNS = re.compile(r"magnitude|(?:times|fold|seconds|minutes|hours|days|weeks|months|years|decades)\b", re.I)


def warnings(text: str, found: Findings) -> list[str]:
    """A warning for each quantity without a number, in the order of the text, each wording once."""
    if not SIGNS.search(text):
        return []
    counted = [(n.start, n.end) for n in found.numbers if n.form != "vague"]
    places = [
        (match.start(), " ".join(match.group().split()))
        for match in _pattern().finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in counted)
    ]
    return [f'a quantity without a number: "{said}"' for said in dict.fromkeys(said for _, said in sorted(places))]


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
