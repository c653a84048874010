"""Decide which plain numbers are counts worth reporting ("18 models"), and what they count.

Half of the plain numbers of an abstract are no results: years, versions in names, list labels, settings, sizes that
only say which model. The tables are in ``rules/counts.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from extractor.mentions import NumberMention
from extractor.relate.clause import Word, is_word, stops
from extractor.rules import toml, words

# Characters that glue a number into a formula or a name.
FORMULA = frozenset("=_^{|[\\/@#<∈")
LISTED = 20  # numbers of a list that are asked for the noun after the last one


@cache
def table() -> dict[str, frozenset[str]]:
    return {name: words(rows) for name, rows in toml("counts").items()}


def is_setting(sentence: Sequence[Word], at: int, number: NumberMention, text: str) -> bool:
    """Whether a plain number is part of a name, a label, a year, a formula or a setting."""
    rules = table()
    previous = sentence[at - 1] if at else None
    following = sentence[at + 1] if at + 1 < len(sentence) else None
    before = text[number.start - 1 : number.start]
    after = text[number.end : number.end + 1]
    # list labels "(1)", "1)", "1."
    if (
        after == ")"
        and number.value < 20
        and number.value == int(number.value)
        and (before == "(" or (before in (" ", "\n", "") and not _open_bracket(text, number.start)))
    ):
        return True
    glued = before in FORMULA and not (previous and previous.low in rules["equals"])
    if glued and not (before == "=" and _statistic(sentence, at)):
        return True
    if following is not None and sentence[at].text in ("2K", "4K", "8K") and following.low in rules["resolution_nouns"]:
        return True
    if previous is not None:
        if previous.low in rules["labels"]:
            return True
        if previous.low == "=" and not _statistic(sentence, at):
            return True
        if previous.low in ("→", "->") or (following is not None and following.low in ("→", "->")):
            return number.value < 10 and "." not in sentence[at].text  # "0→1 transitions"
        if previous.low == "of" and at > 1 and sentence[at - 2].low == "out":
            return True
        if previous.low in ("∈", "^", "_", "|", "\\", "×", "*", "/", "√"):
            return True
        # "Llama 3", "ImageNet 256", "Claude 3.7": the word before is a name, the number its version.
        if _name_like(previous, sentence, at) and not (following and is_word(following) and _plural(following.low)):
            return True
    if following is not None and following.low in ("×", "*", "^", "_", "/", "="):
        return True
    return is_year(number, following, text)


def _statistic(sentence: Sequence[Word], at: int) -> bool:
    """Whether the number at ``at`` is the value of a statistic: "F1 = 0.98", "N = 1200", but not "p = 1"."""
    if at < 2:
        return False
    letter = sentence[at - 2].low
    return letter in table()["statistics"] and (letter == "n" or len(letter) > 1 or "." in sentence[at].text)


def _open_bracket(text: str, at: int) -> bool:
    """Whether a bracket is open at ``at`` within the last 80 characters."""
    window = text[max(0, at - 80) : at]
    return window.rfind("(") > window.rfind(")")


def is_year(number: NumberMention, following: Word | None, text: str) -> bool:
    """Whether a number is a year: four digits between 1900 and 2040 that count nothing."""
    written = text[number.start : number.end]
    if not (len(written) == 4 and written.isdigit() and 1900 <= number.value <= 2040):
        return False
    return not (following is not None and is_word(following) and _plural(following.low))


def _name_like(word: Word, sentence: Sequence[Word], at: int) -> bool:
    """Whether ``word`` looks like a name that a version number may follow."""
    if not is_word(word) or word.low in table()["never_names"]:
        return False
    begins = at - 1 == 0 or sentence[at - 2].low in (".", ":", "(", "“", '"')
    inner_capital = any(c.isupper() for c in word.text[1:])
    if inner_capital or any(c.isdigit() for c in word.text):
        return True
    return word.text[0].isupper() and not begins


def _plural(low: str, text: str = "") -> bool:
    if len(text) > 2 and text[-1] == "s" and text[-2].isupper():
        return True  # "APIs", "SRs"
    return (
        low.endswith("s") and not low.endswith(("ss", "us", "is", "ous", "'s", "’s")) and len(low) > 3
    ) or low in table()["counted"]


def counted(sentence: Sequence[Word], at: int, number: NumberMention, listed: int = LISTED) -> list[Word] | None:
    """The noun phrase a plain number counts ("18 **open-source models**"), or None when it counts nothing.

    ``listed`` tells how many numbers further on it may stand."""
    if not listed:
        return None
    rules = table()
    # "130 of the 152 configurations"
    total = _next_plain(sentence, at + 1, 4)
    if total is not None and sentence[at + 1].low == "of":
        return counted(sentence, *total, listed - 1)
    phrase, k = _counted_phrase(sentence, at, number)
    goes_on = k < len(sentence) and sentence[k].low in ("or", "and", ",", "to")
    if not phrase:
        # "1B or 8B parameters", "1.5B, 7B, and 14B parameters"
        following = _next_plain(sentence, k, 3) if goes_on else None
        same = following is not None and scaled(sentence[following[0]]) == scaled(sentence[at])
        return counted(sentence, *following, listed - 1) if following is not None and same else None
    head = phrase[-1]
    if scaled(sentence[at]) and phrase[0].low == "parameter":
        return phrase[:1]  # "a 12B parameter model"
    if not _plural(head.low, head.text) and head.low not in rules["counted"]:
        # "1K labeled and 3K unlabeled samples": the noun stands after the next number.
        following = _next_plain(sentence, k + 1, 2) if goes_on else None
        later = counted(sentence, *following, listed - 1) if following is not None else None
        return later[-1:] if later else None
    model_name = scaled(sentence[at]) and number.value >= 1e6 and head.low in rules["model_nouns"]
    return None if head.low in rules["not_counted"] or model_name else phrase


def _next_plain(sentence: Sequence[Word], start: int, width: int) -> tuple[int, NumberMention] | None:
    """The first plain number among ``width`` words from ``start`` on, with its index."""
    for k in range(start, min(len(sentence), start + width)):
        number = sentence[k].number
        if number is not None:
            return (k, number) if number.form == "plain" else None
    return None


def _counted_phrase(sentence: Sequence[Word], at: int, number: NumberMention) -> tuple[list[Word], int]:
    """The words behind a number up to its first plural noun (or the end of the phrase), and the index after them."""
    rules = table()
    k = at + 1
    while k < len(sentence) and (
        sentence[k].start < number.stop
        or sentence[k].low in rules["before_counted"]
        or (sentence[k].low == "of" and k == at + 1)
    ):
        k += 1
    phrase: list[Word] = []
    while k < len(sentence) and len(phrase) < 9:
        word = sentence[k]
        if phrase and word.number is not None and word.number.form == "plain" and scaled(word):
            k += 1  # "12 small 2B caption models"
            continue
        if (
            phrase
            and word.low == ","
            and not _plural(phrase[-1].low)
            and k + 1 < len(sentence)
            and not stops(sentence[k + 1])
        ):
            k += 1  # "21 diverse, realistic tasks"
            continue
        if phrase and word.low == "-" and k + 2 < len(sentence) and sentence[k + 1].low == "and":
            k += 2  # "state- and pixel-based tasks"
            continue
        if (stops(word) or word.low in rules["unlike"]) and not _inside(sentence, k, phrase):
            break
        phrase.append(word)
        k += 1
        if _plural(word.low, word.text) and not (k < len(sentence) and _continues(sentence[k])):
            break
    return phrase, k


def _inside(sentence: Sequence[Word], k: int, phrase: Sequence[Word]) -> bool:
    """Whether the participle at ``k`` belongs to the phrase: "32K generated tokens", "1K labeled and 3K …"."""
    if sentence[k].low not in table()["inside"] or k + 1 >= len(sentence):
        return False
    return not stops(sentence[k + 1]) or (not phrase and sentence[k + 1].low in ("and", "or"))


def _continues(word: Word) -> bool:
    """Whether a plural noun goes on into another one: "data points", "objects classes"."""
    return not stops(word) and (_plural(word.low) or word.low in table()["counted"])


def scaled(word: Word) -> bool:
    """Whether a number was written with a multiplier: "7B", "1.5 million"."""
    return bool(re.search(r"\d\s?[KMBTkb]$|illion$", word.text))


def size_word_before(sentence: Sequence[Word], at: int) -> list[Word]:
    """ "model sizes from 3B to 32B", "scales (1.5B–32B)": the word that says that a scaled number is a size."""
    for k in range(at - 1, max(-1, at - 8), -1):
        if sentence[k].low in table()["size_words"]:
            start = k
            while start > 0 and not stops(sentence[start - 1]) and k - start < 3:
                start -= 1
            return list(sentence[start : k + 1])
    return []


def alone_in_brackets(sentence: Sequence[Word], at: int) -> bool:
    """ "FLUX (12B)": a scaled number by itself in brackets is the size of what stands before them."""
    return 0 < at < len(sentence) - 1 and sentence[at - 1].low == "(" and sentence[at + 1].low == ")"
