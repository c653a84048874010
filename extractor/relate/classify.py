"""Decide which numbers of a sentence are results: claims, levels and counts, or none of them.

Settings ("at 50% sparsity", "k = 5"), parts of names and list labels are no results; the tables are in
``rules/settings.toml`` and ``rules/counts.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from extractor.relate import counts
from extractor.relate.clause import Word, is_word, phrase_left, phrase_right
from extractor.relate.reading import read_number
from extractor.relate.view import Reading, after_preposition, known, metric_before
from extractor.rules import toml, words

# Quantities that tell how well something runs: they are levels ("264 tokens per second"), not sizes.
RATES = frozenset(
    ["fps", "frame per second", "token per second", "image per second", "sample per second", "step per second", "db"]
)
CHANGE_NOUNS = frozenset(
    "reduction reductions improvement gain savings saving decrease increase drop fewer less lower higher more "
    "larger smaller wider narrower longer shorter better faster cheaper".split()
)
REACH = 60  # words between a metric and the last number of its list
# A head noun with one of these is an outcome although it ends in "rate" or "level".
OUTCOMES = ("success", "win", "error", "accuracy", "pass", "acceptance", "detection")


@cache
def settings() -> dict[str, frozenset[str]]:
    return {name: words(rows) for name, rows in toml("settings").items()}


def classify(text: str, sentence: Sequence[Word], at: int) -> Reading | None:
    """The reading of a number, or None when it is no result."""
    number = sentence[at].number
    assert number is not None
    if number.form == "vague":
        return None
    if number.form in ("percent", "points", "factor", "word"):
        if _is_condition(text, sentence, at):
            return None
        return read_number(sentence, at)
    if number.form == "quantity":
        return _quantity(sentence, at)
    return _plain(text, sentence, at)


def _is_condition(text: str, sentence: Sequence[Word], at: int) -> bool:
    """Whether a number is a setting: "at 50% sparsity", "top-5%", "under 4× compression", "95% confidence"."""
    rules = settings()
    number = sentence[at].number
    assert number is not None
    right = [w.low for w in phrase_right(sentence, at + 1, 4)]
    k = at
    while k > 0 and sentence[k - 1].start >= number.lead >= 0:
        k -= 1
    previous = sentence[k - 1].low if k else ""
    if number.lead < number.start and sentence[k].low == "under":
        previous = "under"  # read as "less than" before
    if number.form in ("word", "factor") and right and right[0] in rules["word_compounds"]:
        return True
    if number.form == "word":
        return False
    if (
        number.form == "factor"
        and text[number.start].isalpha()
        and previous in ("is", "are", "was", "were")
        and not right
    ):
        return True  # "our contributions are twofold"
    if number.form == "percent" and (
        previous in ("top", "top-", "bottom") or (previous == "=" and not _statistic(sentence, k - 1))
    ):
        return True
    if text[number.start - 1 : number.start] in ("-", "^", "_") and not number.sign:
        return True
    if not CHANGE_NOUNS & set(right):
        if any(w in rules["condition_always"] for w in right[:2]):
            return True
        if any(w in rules["condition_nouns"] for w in right[:3]) and previous in rules["condition_prepositions"]:
            return True
    if previous in ("of", "ratio", "at", "to", "is", "=") and k > 1:
        head = phrase_left(sentence, k - 1)
        if head and head[-1].low in rules["condition_heads"]:
            before = k - 2 - len(head)
            while before >= 0 and sentence[before].low in ("a", "an", "the"):
                before -= 1
            named = " ".join(w.low for w in head)
            lead = sentence[before].low if before >= 0 else ""
            return lead in rules["head_prepositions"] and not any(w in named for w in OUTCOMES)
    return False


def _statistic(sentence: Sequence[Word], at: int) -> bool:
    """Whether the "=" at ``at`` follows a metric: "F1 = 94%"."""
    return at > 0 and (known([sentence[at - 1]]) is not None or sentence[at - 1].low in counts.table()["statistics"])


def _quantity(sentence: Sequence[Word], at: int) -> Reading | None:
    """Time, memory, energy, money: a size, unless the words make it a change; rates are levels."""
    number = sentence[at].number
    assert number is not None
    rules = settings()
    right = phrase_right(sentence, at + 1)
    low = [w.low for w in right]
    if low and low[0] in ("old", "ago", "later"):
        return None
    if number.unit in rules["durations"] and re.search(r"\d[-‑][a-z]", sentence[at].text):
        return None  # "a 5-second clip" says which clip
    if number.unit == "epoch" and not _within(sentence, at, ("in", "single", "within", "as")):
        return None
    if number.unit == "degree" or (low and low[0] in ("view", "views", "panoramic", "panorama")):
        return None
    if number.unit in RATES:
        reading = read_number(sentence, at)
        if reading.kind == "gain" and number.unit != "db":
            reading.kind = "speedup" if reading.how == "by" else "score"
        if number.unit != "db" and (known(reading.metric) or ("", ""))[1] not in ("throughput", "time"):
            reading.metric = []
            reading.kind = "score" if reading.kind == "ratio" else reading.kind
        return reading
    if any(w in rules["device_nouns"] for w in low[:2]) and number.unit in ("gb", "mb", "tb", "gib"):
        return Reading("size", [w for w in right[:2] if w.low in rules["memory_nouns"]], "quantity_device", "direct")
    if low and low[0] in ("faster", "slower", "quicker"):
        return Reading("speedup", right[1:2], "quantity_faster", "direct")
    metric: list[Word] = []
    if at + 1 < len(sentence) and sentence[at + 1].low == "of":
        metric = phrase_right(sentence, at + 2)
    elif known(right):
        metric = right
    else:
        metric = metric_before(sentence, at, frozenset(["time", "cost", "throughput", "error", "quality"]))
        inside = after_preposition(sentence, at + 1) if at + 1 < len(sentence) and sentence[at + 1].low == "in" else []
        metric = inside or (metric if metric and at - _index(sentence, metric[-1]) <= 6 else [])
    if _within(sentence, at, ("by",)) or (low and low[0] in ("less", "fewer", "lower", "reduction")):
        group = known(metric)
        return Reading("speedup" if group and group[1] == "time" else "reduction", metric, "quantity_change", "by")
    return Reading("size", metric, "quantity", "direct")


def _index(sentence: Sequence[Word], word: Word) -> int:
    return next(k for k, w in enumerate(sentence) if w is word)


def _within(sentence: Sequence[Word], at: int, wanted: Sequence[str]) -> bool:
    """Whether one of ``wanted`` stands directly before the number and its qualifiers."""
    number = sentence[at].number
    assert number is not None
    k = at
    while k > 0 and (
        sentence[k - 1].start >= number.lead >= 0 or sentence[k - 1].low in ("a", "an", "only", "just", "about")
    ):
        k -= 1
    return k > 0 and (sentence[k - 1].low in wanted or (number.lead < number.start and sentence[k].low in wanted))


def _plain(text: str, sentence: Sequence[Word], at: int) -> Reading | None:
    """A number without a unit: a score beside a metric, a size when it counts something, else nothing."""
    number = sentence[at].number
    assert number is not None
    if counts.is_setting(sentence, at, number, text) or _is_condition(text, sentence, at):
        return None
    if number.high is not None and number.value == 0 and number.high == 1:
        return None  # "the 0-1 loss"
    if number.sign:
        reading = read_number(sentence, at)
        decimal = "." in sentence[at].text
        if not reading.metric and not decimal:
            return None
        reading.rule = "plain_signed"
        return reading
    whole = number.value == int(number.value) and "." not in sentence[at].text
    scaled = counts.scaled(sentence[at])
    counted = counts.counted(sentence, at, number)
    right = phrase_right(sentence, at + 1)
    if counted is not None and not _measures(counted):
        if whole or scaled or number.qualifier == "average":
            saving = at and sentence[at - 1].low in ("saving", "saves", "save", "pruning", "skipping", "eliminating")
            end = next(k for k in range(len(sentence) - 1, -1, -1) if sentence[k] is counted[-1])
            if [w.low for w in sentence[end + 1 : end + 3]] == ["on", "average"] and number.qualifier == "exact":
                number.qualifier = "average"
            return Reading("reduction" if saving else "size", counted, "count", "direct")
        return _score(sentence, at) if _in_score_context(sentence, at) else None
    if right and _measures(right):
        return _score(sentence, at)
    if scaled:
        size = counts.size_word_before(sentence, at)
        if size or counts.alone_in_brackets(sentence, at):
            return Reading("size", size, "count_size_word", "direct")
        return None
    if at > 1 and sentence[at - 1].low == "=" and sentence[at - 2].low == "n":
        return Reading("size", [], "count_n", "direct")
    return _score(sentence, at) if _in_score_context(sentence, at) else None


def _measures(phrase: Sequence[Word]) -> bool:
    """Whether a phrase is measured ("F1", "BLEU points") rather than counted, although it may look plural."""
    group = known(phrase[-1:]) or (known(phrase) if phrase[-1].named or phrase[0].text.isupper() else None)
    return (
        group is not None and group[1] in ("quality", "error") and phrase[-1].low not in settings()["counted_metrics"]
    )


def _score(sentence: Sequence[Word], at: int) -> Reading:
    reading = read_number(sentence, at)
    reading.rule = "plain_" + reading.rule
    return reading


def _in_score_context(sentence: Sequence[Word], at: int) -> bool:
    """Whether a plain number follows a metric: "FID of 2.1", "PSNR (32.5)", "accuracy from 0.23 to 0.82"."""
    number = sentence[at].number
    assert number is not None
    decimal = "." in sentence[at].text
    between = settings()["before_score"]
    k = at
    while k > max(0, at - REACH) and (
        sentence[k - 1].start >= number.lead >= 0
        or sentence[k - 1].low in between
        or sentence[k - 1].number is not None
    ):
        k -= 1
    left = phrase_left(sentence, k)
    for width in (1, 2):
        group = known(left[-width:]) if len(left) >= width else None
        if group and group[1] in ("quality", "error"):
            return True
    if not decimal:
        return False
    if any((group := known([w])) and group[1] in ("quality", "error") for w in left):
        return True
    return _decimal_in_context(sentence, at)


def _decimal_in_context(sentence: Sequence[Word], at: int) -> bool:
    """Decimals are scores near a metric, in "improves X from 54.0 to 61.3", and "outperforms X by 2.7"."""
    window = [w for w in sentence[max(0, at - 14) : at + 5] if is_word(w)]
    if any(
        (group := known([w])) and group[1] in ("quality", "error") and w.low not in ("r", "p", "map") for w in window
    ):
        return True
    before = [w.low for w in sentence[max(0, at - 12) : at]]
    if "by" in before[-6:] or "from" in before[-7:]:
        return any(w in settings()["change_verbs"] for w in before)
    # one more of a list of scores in brackets: "creativity (4.02), idiosyncrasy (3.95)"
    return bool(before) and before[-1] == "(" and any(
        w.number is not None and w.number.form == "plain" and "." in w.text and k and sentence[k - 1].low == "("
        for k, w in enumerate(sentence) if k != at
    )  # fmt: skip
