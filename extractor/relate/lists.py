"""What the numbers of a list share: units, qualifiers, metrics, kinds and datasets.

"13% and 16%, respectively", "x on A, y on B, and z on C", "91.7%, 81.5% and 44.5% accuracy on A, B and C respectively".
Counts that do not align are left unaligned.
"""

from __future__ import annotations

from collections.abc import Sequence

from extractor.relate.clause import Word

JOINERS = frozenset([",", "and", "or", "&", "/", "vs", "vs.", "versus", "→", "->", "(", ")", "to"])


def bare_list(sentence: Sequence[Word], first: int, second: int) -> bool:
    """Whether only list words (and qualifier words of ``second``) stand between two numbers."""
    number = sentence[second].number
    assert number is not None
    between = [w for w in sentence[first + 1 : second] if w.start < number.lead or number.lead < 0]
    low = [w.low for w in between]
    return bool(low) and all(w in (",", "and", "or", "&") for w in low)


def same_list(sentence: Sequence[Word], first: int, second: int) -> bool:
    """Whether ``second`` continues a list that ``first`` began: "up to 8.6 points in accuracy and 7.8 points in …"."""
    number, other = sentence[second].number, sentence[first].number
    assert number is not None and other is not None
    if number.form != other.form or number.unit != other.unit:
        return False
    between = sentence[first + 1 : second]
    if len(between) > 12 or any(w.low in (";", "while", "whereas", "but", "with", "by", "using", ":", "to", "→", "->", "than") for w in between):
        return False
    return any(w.low in ("and", ",") for w in between[-4:]) and not any(w.low.endswith("ing") and w.low not in NOUN_ING for w in between[-3:])


NOUN_ING = frozenset(["training", "reasoning", "streaming", "coding", "learning", "testing", "understanding", "planning", "tuning", "decoding", "processing", "editing", "modeling"])


def respectively(sentence: Sequence[Word], start: int) -> bool:
    """Whether "respectively" stands at or after index ``start``."""
    return any(w.low in ("respectively", "resp", "resp.") for w in sentence[start:])


def runs(sentence: Sequence[Word], at: Sequence[int]) -> list[list[int]]:
    """The numbers of a sentence (their indices) grouped into bare lists, singles left out."""
    groups: list[list[int]] = []
    for index in at:
        if groups and bare_list(sentence, groups[-1][-1], index):
            groups[-1].append(index)
        else:
            groups.append([index])
    return [group for group in groups if len(group) > 1]


def coordinated(phrase: Sequence[Word]) -> list[list[Word]]:
    """The members of "A, B and C"."""
    parts: list[list[Word]] = [[]]
    for word in phrase:
        if word.low in (",", "and", "or", "&"):
            if parts[-1]:
                parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]
