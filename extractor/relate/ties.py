"""What a number is relative to, and the datasets it was measured on. Word lists: ``[ties]`` in ``rules/cues.toml``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from extractor.mentions import Findings
from extractor.relate.clause import CLOSE, OPEN, Word, cues, is_word, phrase_left, phrase_right, stops, vocabulary
from extractor.rules import toml, words

Group = tuple[int, int, list[str]]  # start, end, dataset names listed together


@cache
def _table(name: str) -> frozenset[str]:
    return words(toml("cues")["ties"][name])


# --- baseline ----------------------------------------------------------------------------------------------------


def baseline(sentence: Sequence[Word], at: int, kind: str) -> Sequence[Word]:
    """The phrase that says what the number at ``at`` is relative to ("over X", "outperforms X by …"), or nothing."""
    own = paired_rival(sentence, at)
    if own:
        return own
    listed = False
    for k in range(at + 1, min(len(sentence), at + 25)):
        low = sentence[k].low
        listed = listed or sentence[k].number is not None
        if low in _table("clause_ends") or (low == "by" and k > at + 6) or _other_claim(sentence, at, k):
            break
        if _compares(sentence, k):
            return _comparand(sentence, k + 2)
        if low in ("over", "than", "against", "versus", "vs", "vs.", "relative-to") and k + 1 < len(sentence):
            scope = low == "over" and (sentence[k - 1].low in _table("scope_verbs") or sentence[k + 1].low == "a")
            if sentence[k + 1].number is None and not scope:
                return _comparand(sentence, k + 1)
        if kind == "ratio" and low == "of" and not listed and k > at + 2 and sentence[at + 1].low == "of":
            return _comparand(sentence, k + 1)  # "99% of the accuracy of dense models"
    for k in range(at - 1, -1, -1):
        low = sentence[k].low
        if low == ";":
            break
        if low in vocabulary("rival_verbs") and low not in ("over", "lead", "ahead", "behind", "leads", "leading"):
            return _comparand(sentence, k + 1)
        if _compares(sentence, k):
            return _comparand(sentence, k + 2)
        if (
            low in ("over", "against")
            and k
            and sentence[k + 1].number is None
            and (cues().get(sentence[k - 1].low) in ("up", "grow", "faster") or low == "against")
        ):
            return _comparand(sentence, k + 1)
        if low in ("comparable", "competitive", "par") and kind in ("reduction", "speedup", "ratio") and k + 2 < at:
            for m in range(k + 1, min(k + 4, at)):
                if sentence[m].low in ("to", "with"):
                    return _comparand(sentence, m + 1)
        if low == "of" and k and sentence[k - 1].low in ("performance", "accuracy", "capabilities"):
            phrase = phrase_right(sentence, k + 1)
            if phrase and phrase[-1].low in _table("groups"):
                return phrase
    return ()


def paired_rival(sentence: Sequence[Word], at: int) -> Sequence[Word]:
    """The rival named directly before "by" and the number: "over A by 3 points and over B by 1", "… and B by 1"."""
    first, number = at, sentence[at].number
    while first > 0 and number is not None and sentence[first - 1].start >= number.lead:
        first -= 1
    if first < 2 or sentence[first - 1].low != "by" or not sentence[first - 2].named:
        return ()
    own = phrase_left(sentence, first - 1)
    before = first - 2 - len(own)
    if before > 0 and sentence[before].low in ("over", "against"):
        return own
    later = before > 0 and sentence[before].low in ("and", ",")
    return own if later and any(w.number is not None for w in sentence[max(0, before - 2) : before]) else ()


def _other_claim(sentence: Sequence[Word], at: int, k: int) -> bool:
    """Whether the word at ``k`` is a number of another form, whose rival is not that of the number at ``at``."""
    one, two = sentence[at].number, sentence[k].number
    return one is not None and two is not None and one.form != two.form and sentence[k - 1].low == ","


def _compares(sentence: Sequence[Word], k: int) -> bool:
    """ "compared to", "in comparison with" at ``k``."""
    low = sentence[k].low
    return (
        low in ("compared", "comparison") and k + 2 < len(sentence) and sentence[k + 1].low in ("to", "with", "against")
    )


def _comparand(sentence: Sequence[Word], at: int) -> Sequence[Word]:
    """The rival named from index ``at`` on, determiner included; the name in apposition when there is one."""
    end = at
    while end < len(sentence) and end - at < 9:
        word = sentence[end]
        opening = end - at < 2 and word.low in _table("comparand_openers")
        # "models with larger representations", "state of the art"
        inside = word.low in ("with", "of") and end > at and sentence[end - 1].low in _table("comparand_heads")
        inside = inside or (word.low == "the" and sentence[end - 1].low == "of" and end > at)
        if not opening and not inside and stops(word):
            break
        end += 1
    while end > at and sentence[end - 1].low in _table("comparand_tails"):
        end -= 1
    phrase = list(sentence[at:end])
    if not any(is_word(w) and w.low not in vocabulary("determiners") for w in phrase):
        return ()
    # "the strongest rival, FooNet, by"
    if end + 2 < len(sentence) and sentence[end].low == "," and sentence[end + 1].named and not phrase[-1].named:
        name = [w for w in phrase_right(sentence, end + 1) if w.named]
        after = end + 1 + len(name)
        if name and after < len(sentence) and sentence[after].low == ",":
            return name
    return phrase


# --- datasets ----------------------------------------------------------------------------------------------------


def dataset_ties(
    sentence: Sequence[Word], numbers: Sequence[int], found: Findings, start: int, end: int
) -> dict[int, list[str]]:
    """Number index → names of the datasets it was measured on; only what the sentence ``start:end`` says."""
    named = mentions(found, start, end)
    if not named or not numbers:
        return {}
    groups = listed_together(named, sentence)
    ties = _aligned(sentence, numbers, groups)
    if ties:
        return ties
    for i, n in enumerate(numbers):
        limit = sentence[numbers[i + 1]].start if i + 1 < len(numbers) else end
        names = _behind(sentence, n, limit, groups) or _before_bracket(sentence, n, groups)
        if names:
            ties[n] = names
    first = sentence[numbers[0]].start
    leading = [names for s, _, names in groups if s < first]
    for n in numbers:
        if n in ties:
            continue
        previous = [m for m in numbers if m < n and m in ties]
        later = [names for s, _, names in groups if s >= sentence[n].end]
        if leading and not previous:
            ties[n] = leading[-1]  # "On X, we achieve 54%"
        elif not leading and later and not previous:
            ties[n] = later[0]  # "x and y … on X"
        elif previous:
            ties[n] = ties[previous[-1]]
    return ties


def mentions(found: Findings, start: int, end: int) -> list[tuple[int, int, str]]:
    """The datasets named in ``start:end``: where, and by which name of the record."""
    return sorted((s, e, d.name) for d in found.datasets for s, e in d.mentions if start <= s and e <= end)


def benchmark(found: Findings, sentence: tuple[int, int]) -> list[str]:
    """The one dataset a paper introduces, for levels told after it in a sentence that names no dataset: its results."""
    introduced = [d for d in found.datasets if d.role == "introduced"]
    start, end = sentence
    named = any(start <= s < end for d in found.datasets for s, _ in d.mentions)
    if len(introduced) != 1 or named or introduced[0].mentions[0][0] > start:
        return []
    return [introduced[0].name]


def _behind(sentence: Sequence[Word], n: int, limit: int, groups: Sequence[Group]) -> list[str] | None:
    """The group behind the number and before the next one, when a preposition ties them: "39.9% on X"."""
    for s, _, names in groups:
        if sentence[n].end <= s < limit:
            return names if _tied(sentence, n, s) else None
    return None


def _before_bracket(sentence: Sequence[Word], n: int, groups: Sequence[Group]) -> list[str] | None:
    """ "MM-Vet (+8.6%)", "GSM8K: 54%": the name directly before the number."""
    for _, e, names in groups:
        if e <= sentence[n].start:
            between = [w.low for w in sentence[:n] if w.start >= e]
            if (
                between
                and len(between) <= 3
                and between[0] in ("(", ":", "[")
                and not any(w[0].isalpha() and w not in ("by", "up", "to") for w in between)
            ):
                return names[-1:]
    return None


def listed_together(named: Sequence[tuple[int, int, str]], sentence: Sequence[Word]) -> list[Group]:
    """Datasets listed together form one group."""
    groups: list[Group] = []
    for s, e, name in named:
        if groups:
            first, last, names = groups[-1]
            gap = _unbracketed([w for w in sentence if last <= w.start < s])
            # no word at all stands between the members of "AIME 2024/2025"
            near = s <= last + 2 if not gap else len(gap) <= 3
            if near and all(w.low in _table("list_words") for w in gap):
                if name not in names:
                    names.append(name)
                groups[-1] = (first, max(e, last), names)
                continue
        groups.append((s, e, [name]))
    return groups


def _unbracketed(words_between: Sequence[Word]) -> list[Word]:
    """The words outside brackets: "ARC (logic) and DART" lists two."""
    kept: list[Word] = []
    depth = 0
    for word in words_between:
        depth += word.low in OPEN
        if not depth:
            kept.append(word)
        depth -= word.low in CLOSE and depth > 0
    return kept


def _aligned(sentence: Sequence[Word], numbers: Sequence[int], groups: Sequence[Group]) -> dict[int, list[str]]:
    """ "x and y on A and B, respectively", "x and y on A and B": one to one when the counts agree; empty otherwise."""
    at = next((w.start for w in sentence if w.low in ("respectively", "resp")), None)
    if at is None:
        return _run_aligned(sentence, numbers, groups)
    # the group nearest to the word, with as many numbers of one form directly before or after it
    for s, e, names in sorted(groups, key=lambda group: abs(at - group[1])):
        before = [n for n in numbers if sentence[n].end <= s][-len(names) :]
        after = [n for n in numbers if sentence[n].start >= e][: len(names)]
        for side in (before, after):
            forms = {number.form for n in side if (number := sentence[n].number) is not None}
            if len(side) == len(names) > 1 and len(forms) == 1:
                return _with_rest(numbers, {n: [name] for n, name in zip(side, names, strict=True)}, names)
    return {}


def _run_aligned(sentence: Sequence[Word], numbers: Sequence[int], groups: Sequence[Group]) -> dict[int, list[str]]:
    """A bare list of numbers directly before a list of as many datasets: "gains of 18% and 23% on A and B"."""
    for s, _, names in groups:
        before = [n for n in numbers if sentence[n].end <= s]
        run = before[-len(names) :]
        longer = len(before) > len(run) and _listed(sentence, before[-len(names) - 1], run[0])
        if len(run) < len(names) or len(names) < 2 or longer:
            continue
        if all(_listed(sentence, a, b) for a, b in pairwise(run)) and _tied(sentence, run[-1], s):
            return _with_rest(numbers, {n: [name] for n, name in zip(run, names, strict=True)}, names)
    return {}


def _listed(sentence: Sequence[Word], first: int, second: int) -> bool:
    """Whether only list words stand between two numbers."""
    between = [w.low for w in sentence[first + 1 : second]]
    return 0 < len(between) <= 2 and all(w in (",", "and") for w in between)


def _with_rest(numbers: Sequence[int], ties: dict[int, list[str]], names: list[str]) -> dict[int, list[str]]:
    """``ties``, and all of ``names`` for the numbers that come later: "…, outperforming the rest by 2% on average"."""
    last = max(ties)
    return {**ties, **{n: names for n in numbers if n > last}}


def _tied(sentence: Sequence[Word], n: int, start: int) -> bool:
    """Whether a preposition, and nothing that ends a clause, stands between a number and a dataset at ``start``."""
    between = [w.low for w in sentence[n + 1 :] if w.start < start]
    # "by 20 points, and yields gains on X": the second verb has its own scope
    second = any(a == "and" and b in _table("second_verbs") for a, b in pairwise(between))
    broken = second or any(w in _table("tie_breakers") for w in between)
    return not broken and any(w in _table("tie_words") for w in between)
