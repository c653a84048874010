"""Whose number it is, against what, and on which datasets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extractor.mentions import Findings
from extractor.relate.clause import OPEN, Word, cues, is_word, phrase_left, phrase_right, said, stops
from extractor.relate.reading import RIVAL_VERBS

BASELINE_WORDS = frozenset(["over", "than", "versus", "vs", "vs.", "against", "beyond", "from"])
COMPARED = frozenset(["compared", "relative", "comparison", "respect"])
OURS = re.compile(r"\b(?:our|ours|we|us|it|its|this|the proposed|proposed|the resulting|they|which|that|these|the method|the model|the framework|the approach|results?|experiments?|evaluations?|analysis)\b", re.I)
SUBJECT_VERBS = frozenset(
    "achieve achieves achieving achieved reach reaches reaching reached attain attains attaining attained score scores scoring scored obtain obtains obtaining obtained exhibit exhibits get gets "
    "solve solves solving perform performs performing remains remain yields demonstrate demonstrates shows show have has fail fails succeed succeeds drop drops dropping retains recover recovers exceed".split()
)


def baseline(text: str, sentence: Sequence[Word], at: int, numbers: Sequence[int], found: Findings) -> str | None:
    """What the number at index ``at`` is relative to, as the text says it; None when it does not."""
    following = next((n for n in numbers if n > at), len(sentence))
    # to the right: "over X", "than X", "compared to X"
    for k in range(at + 1, len(sentence)):
        low = sentence[k].low
        if low in (";",) or k > at + 24:
            break
        if k > following and low in ("by",):
            break
        if low in COMPARED and k + 2 < len(sentence) and sentence[k + 1].low in ("to", "with"):
            return _comparand(text, sentence, k + 2)
        if low in ("over", "than", "against", "versus", "vs", "vs.") and k + 1 < len(sentence):
            if low == "over" and _scope(sentence, k):
                continue
            if sentence[k + 1].number is not None:
                continue
            return _comparand(text, sentence, k + 1)
    # to the left: "outperforms X by", "Compared to X, …"
    for k in range(at - 1, -1, -1):
        low = sentence[k].low
        if low in RIVAL_VERBS and low not in ("over", "lead", "ahead", "behind"):
            return _comparand(text, sentence, k + 1)
        if low in COMPARED and k + 2 < len(sentence) and sentence[k + 1].low in ("to", "with") and k <= 3:
            return _comparand(text, sentence, k + 2)
        if low == "over" and k > 0 and cues().get(sentence[k - 1].low) in ("up", "faster") and sentence[k + 1].number is None:
            return _comparand(text, sentence, k + 1)
        if low == ";":
            break
    return None


def _scope(sentence: Sequence[Word], k: int) -> bool:
    """Whether "over" at ``k`` tells a scope ("averaged over 12 tasks", "over 100 hours") and not a rival."""
    if sentence[k + 1].number is not None:
        return True
    return k > 0 and sentence[k - 1].low in ("averaged", "average", "evaluated", "tested", "computed")


def _comparand(text: str, sentence: Sequence[Word], at: int) -> str | None:
    start = at
    end = at
    while end < len(sentence) and end - start < 9:
        word = sentence[end]
        if word.low in ("the", "a", "an", "its", "their", "our", "both", "all", "other", "prior", "previous", "existing", "several") and end - start < 2:
            end += 1
            continue
        if word.low in ("-", "*"):
            end += 1
            continue
        if stops(word):
            break
        end += 1
    while end > start and sentence[end - 1].low in ("by", "in", "on", "significantly", "while"):
        end -= 1
    phrase = list(sentence[start:end])
    if not any(is_word(w) and w.low not in ("the", "a", "an", "its", "their", "our") for w in phrase):
        return None
    return said(text, phrase)


def subject(text: str, sentence: Sequence[Word], at: int, numbers: Sequence[int], found: Findings) -> str | None:
    """Whose number it is, when it is not the proposed work's; None otherwise."""
    ours = {m.name for m in found.methods if m.role == "proposed"}
    # "N for X", "N by X" right behind the number: "80.1% for the best embedding model"
    k = at + 1
    if k < len(sentence) and sentence[k].low in ("for", "by"):
        phrase = phrase_right(sentence, k + 1)
        if phrase and any(w.low in ("model", "models", "baseline", "method", "methods", "humans", "experts", "human") for w in phrase):
            return said(text, phrase)
    if at >= 1 and sentence[at - 1].low in OPEN:
        phrase = phrase_left(sentence, at - 1)
        name = said(text, phrase[-2:])
        if name and any(m.name == name or name.endswith(m.name) for m in found.methods if m.role == "compared"):
            return name
    for k in range(at - 1, max(-1, at - 16), -1):
        low = sentence[k].low
        if low in (";",) or low in ("by", "while", "whereas") and k < at - 1:
            break
        if low in SUBJECT_VERBS:
            end = k
            while end > 0 and sentence[end - 1].low in ("only", "can", "could", "also", "still", "even", "to", "often", "consistently", "may"):
                end -= 1
            phrase = phrase_left(sentence, end, 6)
            if not phrase:
                return None
            shown = said(text, phrase) or ""
            names = {w.text for w in phrase}
            if OURS.search(shown) or names & ours or any(name in shown for name in ours):
                return None
            rival = any(m.name in shown for m in found.methods if m.role == "compared")
            general = any(w.low in GENERAL for w in phrase)
            return shown if rival or general else None
    return None


GENERAL = frozenset("models model llms llm humans human experts methods method baseline baselines agents agent systems approaches gpt-4 gpt-4o".split())


def dataset_ties(sentence: Sequence[Word], numbers: Sequence[int], found: Findings, start: int, end: int) -> dict[int, list[str]]:
    """Number index → names of the datasets it was measured on."""
    mentions: list[tuple[int, int, str]] = sorted(
        (s, e, d.name) for d in found.datasets for s, e in d.mentions if start <= s and e <= end
    )
    ties: dict[int, list[str]] = {}
    if not mentions:
        return ties
    groups = _groups(mentions, sentence)
    positions = {n: (sentence[n].start, sentence[n].end) for n in numbers}
    used: set[int] = set()
    shared: list[str] | None = None
    aligned = _align(sentence, numbers, groups)
    if aligned:
        return aligned
    for i, n in enumerate(numbers):
        a, b = positions[n]
        limit = positions[numbers[i + 1]][0] if i + 1 < len(numbers) else end
        if i + 1 < len(numbers) and sentence[n].number is not None:
            pass
        # the group right behind the number: "39.9% on X"
        for g, (s, e, names) in enumerate(groups):
            if b <= s < limit and _tied(sentence, b, s):
                ties[n] = names
                used.add(g)
                break
        else:
            # "MM-Vet (+8.6%)"
            for s, e, names in groups:
                gap = [w.low for w in sentence if e <= w.start < a]
                if e <= a and gap in (["("], ["(", "~"], [":"], ["["], ["(", "by"], ["by"]) :
                    ties[n] = names[-1:] if gap != ["by"] else names
                    break
    # the sentence speaks of one group: "On X, we achieve 54% and …"
    leading = [names for s, e, names in groups if not numbers or s < positions[numbers[0]][0]]
    for n in numbers:
        if n not in ties:
            earlier = [names for s, e, names in groups if e <= positions[n][0]]
            later = [names for s, e, names in groups if s >= positions[n][1]]
            previous = [m for m in numbers if m < n and m in ties]
            if leading and not previous:
                ties[n] = leading[-1]
            elif len(later) >= 1 and not earlier and all(n2 not in ties or ties[n2] == later[0] for n2 in numbers if n2 > n):
                ties[n] = later[0]
            elif previous:
                ties[n] = ties[previous[-1]]
    del shared
    return ties


def _tied(sentence: Sequence[Word], b: int, s: int) -> bool:
    """Whether the words between a number and a dataset tie them: "on", "in", "for" stand among them, no clause ends."""
    between = [w.low for w in sentence if b <= w.start < s]
    if any(w in (";", "while", "whereas", "compared", "than", "trained") for w in between):
        return False
    return any(w in ("on", "in", "for", "across", "over", "within", "at", "(", "to") for w in between)


def _groups(mentions: Sequence[tuple[int, int, str]], sentence: Sequence[Word]) -> list[tuple[int, int, list[str]]]:
    """Datasets listed together form one group: (start, end, names)."""
    groups: list[tuple[int, int, list[str]]] = []
    for s, e, name in mentions:
        if groups:
            gs, ge, names = groups[-1]
            gap = [w.low for w in sentence if ge <= w.start < s]
            if s < ge or (len(gap) <= 3 and gap and all(g in (",", "and", "&", "or", "the", "/", "both", "as", "well") for g in gap)):
                if name not in names:
                    names.append(name)
                groups[-1] = (gs, max(e, ge), names)
                continue
        groups.append((s, e, [name]))
    return groups


def _align(sentence: Sequence[Word], numbers: Sequence[int], groups: Sequence[tuple[int, int, list[str]]]) -> dict[int, list[str]]:
    """"x and y on A and B, respectively": one to one when the counts agree."""
    if not any(w.low in ("respectively", "resp") for w in sentence):
        return {}
    for s, _, names in groups:
        before = [n for n in numbers if sentence[n].end <= s]
        after = [n for n in numbers if sentence[n].start >= s]
        for side in (before, after):
            if len(side) == len(names) > 1:
                return {n: [name] for n, name in zip(side, names, strict=True)}
    return {}
