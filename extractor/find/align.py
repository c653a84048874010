"""Align the letters of a short form with the words of a long form.

Every word of the long form gives none, one or several of the short form's letters, in order. Initials (of words and of
hyphenated parts) and capitals count most, letters that run on from a matched one less, letters inside a word little; a
content word left out costs. The best start wins, the shorter long form on a tie.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from extractor.rules import terms

HEADS = terms("name_cues", "head")
SMALL = terms("name_cues", "small")
SPLIT = re.compile(r"[\-‐‑–−/'’&+]+")
# Digits that stand for a word: W2SD = Weak-to-Strong Diffusion.
SPOKEN = {
    "2": ("to", "two", "t", "second"),
    "4": ("for", "four", "f"),
    "3": ("three", "t", "triple"),
    "x": ("cross", "ex", "trans"),
}
# Greek letters that stand for a sound or for their Latin letter: µP = Maximal Update Parameterization.
GREEK = {
    "µ": "mu",
    "μ": "mu",
    "π": "pi",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "λ": "lambda",
    "φ": "phi",
    "τ": "tau",
}

INITIAL, CAPITAL, RUN, INSIDE = 1.0, 0.95, 0.8, 0.25
SKIPPED_WORD, SKIPPED_HEAD, SKIPPED_LETTER = -0.6, -0.1, -1.2
# What a start in lower case must score more than a capitalised one inside it ("robust Retrieval-Augmented Exit").
LOWER_START = 0.5


class Alignment(NamedTuple):
    """First and last word matched, score, and score per letter."""

    first: int
    last: int
    score: float
    rate: float
    letters: int


def align(short: str, long: list[str], start: int | None = None, open_end: bool = False) -> Alignment | None:
    """The best alignment of ``short`` with ``long``, or None.

    ``start`` fixes the first word; otherwise any word may be first. ``open_end``: words after the last match are free
    (the long form comes after the short one), else they cost like words left out, but for a generic head noun.
    """
    if not long:
        return None
    best: Alignment | None = None
    power = "^" in short
    for letters in _readings(short):
        got = _align(letters, long, start, open_end)
        if got and (best is None or ((power or best.rate < 0.5) and got.rate > best.rate + 0.05)):
            best = got
    return best


@lru_cache(maxsize=4096)
def _readings(short: str) -> list[str]:
    """The letters of ``short`` to look for: as they are, with an exponent written out (``F^2SA`` → ``ffsa``), without
    digits or with the digit in front (``BOF4`` = 4-bit ...), with a Greek letter spelled out."""
    plural = re.sub(r"(?<=[A-Z0-9])s$", "", short)
    plain = "".join(c for c in plural.lower() if c.isalnum())
    if len(plain) > 14 or not plain:
        return []
    found = [plain]
    m = re.search(r"\^?([23²³])", short)
    if m:
        digit = {"²": 2, "³": 3}.get(m.group(1)) or int(m.group(1))
        at = plain.find(m.group(1))
        if at > 0:
            found.append(plain[:at] + plain[at - 1] * (digit - 1) + plain[at + 1 :])
            found.append(plain[:at] * digit + plain[at + 1 :])
            found.append(plain[:at] + plain[at + 1 :])
        elif at == 0 and len(plain) > 2:
            found.append(plain[1] * digit + plain[2:])
    digits = [c for c in plain if c.isdigit()]
    if digits:
        bare = "".join(c for c in plain if not c.isdigit())
        if len(digits) == 2 and digits[0] in "23" and plain[0] != digits[0]:
            twice = re.sub(r"(\D)[23]", r"\1\1", plain, count=1)
            found.append("".join(c for c in twice if not c.isdigit()))
        if len(bare) > 2 and not plain[-1].isdigit():  # at the end it may be a version
            found.append(bare)
        if len(digits) == 1 and plain[-1] == digits[0] and len(bare) > 1:
            found.append(digits[0] + bare)
    for c, name in GREEK.items():
        if c in plain:
            found.append(plain.replace(c, name))
            found.append(plain.replace(c, name[0]))
    return list(dict.fromkeys(found))


def _align(letters: str, long: list[str], start: int | None, open_end: bool) -> Alignment | None:
    n, size = len(letters), len(long)
    if start is not None and not _may_begin(letters[0], long[start]):
        return None
    memo: dict[tuple[int, int, bool], tuple[float, int] | None] = {}
    gains = _gains(letters, long)

    def rest(i: int, w: int, spent: bool) -> tuple[float, int] | None:
        """Best (score, last word) for the letters from ``i`` in the words from ``w``; ``spent``: one was skipped."""
        if i == n:
            if open_end:
                return 0.0, w - 1
            tail = sum(SKIPPED_WORD / 2 for x in long[w:] if x not in HEADS)
            return tail, w - 1
        if w == size:
            return None
        at = (i, w, spent)
        if at in memo:
            return memo[at]
        best: tuple[float, int] | None = None
        for taken, gain in gains[w].get(i, ()):
            more = rest(i + taken, w + 1, spent)
            if more and (best is None or gain + more[0] > best[0] or (gain + more[0] == best[0] and more[1] < best[1])):
                best = gain + more[0], more[1]
        if i:
            more = rest(i, w + 1, spent)
            if more:
                cost = 0.0 if long[w].lower() in SMALL else SKIPPED_HEAD if long[w] in HEADS else SKIPPED_WORD
                if best is None or cost + more[0] > best[0]:
                    best = cost + more[0], more[1]
            if not spent and n >= 4 and i < n:
                more = rest(i + 1, w, True)
                if more and (best is None or SKIPPED_LETTER + more[0] > best[0]):
                    best = SKIPPED_LETTER + more[0], more[1]
        memo[at] = best
        return best

    found: Alignment | None = None
    for first in range(size - 1, -1, -1) if start is None else (start,):
        if 0 not in gains[first] or long[first].lower() in SMALL:
            continue
        got = rest(0, first, False)
        if got is None or got[1] < first:
            continue
        lower = found is not None and long[first][0].islower() and not long[found.first][0].islower()
        if found is None or got[0] > found.score + (LOWER_START if lower and found.rate > 0.9 else 0.05):
            found = Alignment(first, got[1], got[0], got[0] / n, n)
    return found


def _gains(letters: str, long: list[str]) -> list[dict[int, list[tuple[int, float]]]]:
    """For every word, at which letter it can begin to match, how many letters it then takes, and what that scores."""
    table: list[dict[int, list[tuple[int, float]]]] = []
    for word in long:
        low = word.lower()
        if len(low) != len(word):  # "İ" has two small letters
            low = "".join(c.lower()[0] for c in word)
        row: dict[int, list[tuple[int, float]]] = {}
        for i, c in enumerate(letters):
            if c == low[0]:
                row[i] = _takes(letters, i, word, low)
            elif c in SPOKEN and low.startswith(SPOKEN[c]):
                row[i] = [(1, INITIAL)]
            elif (i or (word[0].islower() and c.upper() in word)) and c in low:
                takes = _takes(letters, i, word, low)
                row[i] = [t for t in takes if t[1] >= t[0] * CAPITAL or (t[0] >= 3 and t[1] == t[0] * RUN)]
        table.append(row)
    return table


def _may_begin(letter: str, word: str) -> bool:
    """Whether ``word`` can be the first of a long form: its initial or a capital inside it fits."""
    first = word[0].lower()[0]
    return first == letter or (letter in SPOKEN and word.lower().startswith(SPOKEN[letter])) or _inner(letter, word) > 0


def _inner(letter: str, word: str) -> int:
    """Where a word that begins in lower case has the capital of ``letter`` (``subject-Consistent``), else -1."""
    return word.find(letter.upper(), 1) if word[0].islower() else -1


def _takes(letters: str, i: int, word: str, low: str) -> list[tuple[int, float]]:
    """(letters taken, score) for the letters from ``i`` on in one word; the first must be an initial or a capital."""
    out = _path(letters, i, word, low, True)
    if len(out) > 1 and not word.isalpha():
        # Straight-Through: the t after the s, or the one after the hyphen.
        other = _path(letters, i, word, low, False)
        out = [max(pair, key=lambda t: t[1]) for pair in zip(out, other, strict=False)] + max(out, other, key=len)[
            min(len(out), len(other)) :
        ]
    # The end of a compound word: DPad = Diffusion Scratchpad, SIGMark = … watermarking.
    for size in range(3, min(6, len(letters) - i) + 1):
        if low.find(letters[i : i + size]) > 0 and not any(t == size for t, _ in out):
            out.append((size, size * RUN))
    return out


def _path(letters: str, i: int, word: str, low: str, runs: bool) -> list[tuple[int, float]]:
    """``_takes`` with letters that run on before initials that come later (``runs``), or after them."""
    out: list[tuple[int, float]] = []
    total, at, taken = 0.0, -1, 0
    while i + taken < len(letters):
        c = letters[i + taken]
        where, gain = _next(c, word, low, at, runs and taken > 0)
        if where < 0:
            break
        if not taken and gain < CAPITAL:
            break
        total += gain
        at, taken = where, taken + 1
        out.append((taken, total))
    return out


def _next(c: str, word: str, low: str, after: int, running: bool) -> tuple[int, float]:
    """The best place of ``c`` in ``word`` after position ``after`` and what it scores."""
    best, score = -1, 0.0
    if c in SPOKEN:
        for spoken in SPOKEN[c]:
            p = low.find("-" + spoken, after + 1)
            if p >= 0:
                return p + 1, INITIAL
    if running and low[after + 1 : after + 2] == c:
        return after + 1, CAPITAL if word[after + 1].isupper() else RUN
    p = low.find(c, after + 1)
    while p >= 0:
        if p == 0 or not word[p - 1].isalnum():
            gain = INITIAL
        elif word[p].isupper() or (word[p].isdigit() and not word[p - 1].isdigit()):
            gain = CAPITAL
        else:
            gain = INSIDE
        if gain > score:
            best, score = p, gain
        p = low.find(c, p + 1)
    return best, score
