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

YEAR_AFTER = re.compile(r"[)\],.;]|\s*(?:[A-Z(]|$)")


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
        and (before == "(" or before in (" ", "\n", "") and not _open_bracket(text, number.start))
    ):
        return True
    if before in ("=", "_", "^", "{", "|", "[", "\\", "/", "@", "#", "<", "∈") and not (
        previous and previous.low in rules["equals"]
    ):
        if not (before == "=" and _statistic(sentence, at)):
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
    if (
        word.text.isupper()
        and len(word.text) > 1
        or any(c.isupper() for c in word.text[1:])
        or any(c.isdigit() for c in word.text)
    ):
        return True
    return word.text[0].isupper() and not begins


def _plural(low: str, text: str = "") -> bool:
    if len(text) > 2 and text[-1] == "s" and text[-2].isupper():
        return True  # "APIs", "SRs"
    return (
        low.endswith("s") and not low.endswith(("ss", "us", "is", "ous", "'s", "’s")) and len(low) > 3
    ) or low in table()["counted"]


def counted(sentence: Sequence[Word], at: int, number: NumberMention) -> list[Word] | None:
    """The noun phrase a plain number counts ("18 **open-source models**"), or None when it counts nothing."""
    rules = table()
    start = at + 1
    while start < len(sentence) and (
        sentence[start].start < number.stop
        or sentence[start].low in ("+", "*", "different", "of", "distinct", "unique", "the", "total")
    ):
        if sentence[start].low == "of" and start > at + 1:
            break
        start += 1
    phrase: list[Word] = []
    k = start
    if k < len(sentence) and sentence[k].low == "-":
        k += 1  # "12B-parameter"
    # "130 of the 152 configurations"
    for m in range(at + 1, min(len(sentence), at + 4)):
        other = sentence[m].number
        if other is not None and sentence[at + 1].low == "of" and other.form == "plain":
            return counted(sentence, m, other)
    while k < len(sentence) and len(phrase) < 9:
        word = sentence[k]
        if (
            word.number is not None
            and k + 1 < len(sentence)
            and phrase
            and word.number.form == "plain"
            and scaled(word)
        ):
            k += 1  # "56 different 1.7B text-to-image models"
            continue
        if word.low in ("(", ",") and phrase and not _plural(phrase[-1].low):
            skipped = _past(sentence, k)
            if skipped is None:
                break
            k = skipped
            continue
        if word.low == "-" and k + 2 < len(sentence) and sentence[k + 1].low == "and" and phrase:
            k += 2  # "state- and pixel-based tasks"
            continue
        if stops(word) or word.low in rules["unlike"]:
            follower = sentence[k + 1] if k + 1 < len(sentence) else None
            if word.low not in rules["inside"] or follower is None or stops(follower):
                break
        phrase.append(word)
        k += 1
        if _plural(word.low, word.text) and not (
            k < len(sentence)
            and is_word(sentence[k])
            and not stops(sentence[k])
            and (_plural(sentence[k].low) or sentence[k].low in rules["counted"])
        ):
            break
    if not phrase:
        # "1B or 8B parameters", "1.5B, 7B, and 14B parameters"
        if k < len(sentence) and sentence[k].low in ("or", "and", ",", "to"):
            for m in range(k, min(len(sentence), k + 3)):
                if (
                    sentence[m].number is not None
                    and scaled(sentence[m]) == scaled(sentence[at])
                    and sentence[m].number.form == "plain"
                ):
                    return counted(sentence, m, sentence[m].number)
        return None
    head = phrase[-1].low
    if scaled(sentence[at]) and phrase[0].low == "parameter":
        return phrase[:1]
    if not _plural(head, phrase[-1].text) and head not in rules["counted"]:
        # "1K labeled and 3K unlabeled samples": the noun stands after the next number.
        if k < len(sentence) and sentence[k].low in ("and", "or", "to", ",") and k + 1 < len(sentence):
            for m in range(k + 1, min(len(sentence), k + 3)):
                if sentence[m].number is not None:
                    later = counted(sentence, m, sentence[m].number)
                    return [*phrase, later[-1]] if later else None
        return None
    if head in rules["not_counted"]:
        return None
    if scaled(sentence[at]) and number.value >= 1e6 and head in rules["model_nouns"]:
        return None  # "7B models" says which models
    return phrase


def _past(sentence: Sequence[Word], k: int) -> int | None:
    """The index behind a short bracket at ``k`` or a comma between adjectives; None when neither."""
    if sentence[k].low == ",":
        following = sentence[k + 1] if k + 1 < len(sentence) else None
        return k + 1 if following is not None and is_word(following) and not stops(following) else None
    return None


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
