"""Whose number a result is, when it is not the proposed work's. Word lists: ``[subjects]`` in ``rules/cues.toml``.

A number belongs to the subject of the verb that carries it ("GPT-4o achieves only 6.9%"), unless something nearer says
otherwise: "80.1% for the best model", "the rival (38.3%)", "from A to B", "A vs. B". In doubt there is no subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from extractor.mentions import Findings
from extractor.relate.clause import (
    CLOSE,
    OPEN,
    Word,
    back_over_parentheses,
    phrase_left,
    phrase_right,
    said,
    stops,
    unpossessed,
    vocabulary,
)
from extractor.rules import toml, words

REACH = 45  # words between a subject's verb and the last number it governs
ARROWS = ("->", "→", "rightarrow", "⟶", "➔", "➝")


@cache
def table(name: str) -> frozenset[str]:
    return words(toml("cues")["subjects"][name])


@dataclass(slots=True)
class Names:
    """The method names of a record, as far as they tell whose a number is."""

    ours: tuple[str, ...]
    others: tuple[str, ...]
    studies: bool  # the paper introduces a benchmark or no method: what it measures are others' models

    @classmethod
    def of(cls, found: Findings) -> Names:
        ours = tuple(m.name for m in found.methods if m.role == "proposed")
        introduced = {d.name for d in found.datasets if d.role == "introduced"}
        return cls(
            ours=ours,
            others=tuple(m.name for m in found.methods if m.role != "proposed"),
            studies=bool(introduced) or not ours,
        )


@dataclass(slots=True)
class Clause:
    """What the words before a number say of its subject: a phrase, or that it is the paper's own work."""

    phrase: Sequence[Word] = ()
    own: bool = False


@dataclass(slots=True)
class Grammar:
    """How a number stands in its sentence."""

    clause: Clause
    compared: bool  # "compared to N"
    pair: str  # its place in "from A to B" or "A vs. B", see ``pair_of``


def grammar(sentence: Sequence[Word], at: int, names: Names) -> Grammar:
    """How the number at ``at`` stands in its sentence."""
    return Grammar(subject_clause(sentence, at, names), is_compared(sentence, at), pair_of(sentence, at))


def subject(
    text: str, sentence: Sequence[Word], at: int, names: Names, kind: str, stands: Grammar
) -> Sequence[Word]:  # fmt: skip
    """The phrase that says whose the number at ``at`` is: another method or a group; empty when ours or unsaid."""
    clause, pair = stands.clause, stands.pair
    if kind == "size":
        shown = _in_bracket(text, sentence, at, names, pair, named_only=True)
        shown = shown or _trained(text, sentence, at, names) or _needed(text, sentence, at, names)
        counted = phrase_right(sentence, at + 1)
        if not shown and stands.compared and not (counted and _is_head(counted[-1])):
            shown = _behind(text, sentence, at, names, stands)
        return shown or _possessor(text, sentence, at, names)
    if kind == "ratio":
        shown = _trained(text, sentence, at, names) or _sized(text, sentence, at, names)
        if shown:
            return shown
    if kind in ("score", "ratio"):
        shown = _behind(text, sentence, at, names, stands)
        if kind == "score":
            shown = shown or _in_bracket(text, sentence, at, names, pair, named_only=False)
        shown = shown or _possessor(text, sentence, at, names) or _owner(text, sentence, at, names, pair)
        if shown or stands.compared:
            return shown
        if pair in ("second vs", "first to"):
            shown = _rival(text, sentence, at, names, stands)
            if shown or pair == "second vs":
                return shown
    # a gain is nearly always the paper's own, and the share of a thing is no model's
    number = sentence[at].number
    if kind not in ("score", "loss") or (number is not None and number.sign == "+"):
        return ()
    return foreign(text, clause.phrase, names)


# --- what a phrase names -----------------------------------------------------------------------------------------


def foreign(text: str, phrase: Sequence[Word], names: Names, *, group: bool = False) -> Sequence[Word]:
    """The part of ``phrase`` that names another's method or a group of models or people; empty when none does.

    A group needs a word that makes it another's ("the best model"), unless it is known to be a ``group``.
    """
    shown = said(text, phrase) or ""
    if not phrase or any(name in shown for name in names.ours):
        return ()
    last = max((k for k, w in enumerate(phrase) if _is_head(w) or w.named), default=-1)
    if last < 0:
        return ()
    # "we boost Foo from": the verb is no part of the name
    phrase = phrase[phrase[0].low in table("leading_verbs") : last + 1]
    if any(w.low in table("own_words") for w in phrase):
        return ()
    shown = said(text, phrase) or ""
    if any(w.named for w in phrase) and any(name in shown for name in names.others):
        return phrase
    head = phrase[-1].low
    if not _is_head(phrase[-1]):
        return ()
    qualified = any(part in table("qualifiers") for w in phrase for part in (w.low, *w.low.split("-")))
    if head in table("people") or qualified or group:
        return phrase
    return phrase if head in table("plural_heads") and names.studies else ()


def _is_head(word: Word) -> bool:
    """Whether a phrase that ends in ``word`` can have numbers of its own; language models have many short names."""
    low = unpossessed(word.low)
    return low in table("heads") or low.endswith(("llm", "llms", "vlms", "lms"))


# --- the subject of the clause -----------------------------------------------------------------------------------


def subject_clause(sentence: Sequence[Word], at: int, names: Names) -> Clause:
    """The subject of the verb that carries the number, read to the left of it."""
    k = at
    while k > max(0, at - REACH):
        k -= 1
        low = sentence[k].low
        if low in CLOSE:
            k = _opening(sentence, k)
            continue
        if low in (";", ":") or (low in table("clause_starts") and not sentence[k + 1].low.endswith("ing")):
            return Clause()
        if low in ("we", "i"):
            return Clause(own=True)
        if low == "that" and k and sentence[k - 1].low in table("report_verbs"):
            return Clause()
        if low == "by" and k < at - 1 and sentence[k + 1].number is None and not _lead_word(sentence[k + 1]):
            return Clause()
        if low not in table("verbs") or (k + 1 < len(sentence) and sentence[k + 1].low == "that"):
            continue
        end = k
        while end > 0 and (sentence[end - 1].low in table("adverbs") or sentence[end - 1].low.endswith("ly")):
            end -= 1
        before = sentence[end - 1].low if end else ""
        if before in ("to", "and", "or", "but", "", "then", "not", "a", "an", "the"):
            continue
        if low.endswith("ing") and before in (",", "(", "while", "when", "by", "often", "even"):
            continue
        phrase = _noun_phrase(sentence, end, names)
        if phrase is None:
            if low.endswith("ing") or before == ",":
                continue
            return Clause(own=before in ("we", "i"))
        first = next((i for i, w in enumerate(sentence) if w is phrase[0]), 0)
        headed = any(w.low in table("heads") or w.low in table("own_words") for w in phrase)
        noun = low.endswith("ing") or low in table("verbs_like_nouns")
        if noun and not headed and not any(w.named for w in phrase):
            continue  # "with scores dropping to", "an accuracy drop of": the subject is further left
        own = any(w.low in table("own_words") for w in phrase) or _mentions(phrase, names.ours)
        own = own or (first > 0 and sentence[first - 1].low in ("our", "its", "resulting", "proposed", "these", "this"))
        if first > 0 and not low.endswith("ing") and sentence[first - 1].low in table("no_subject_after"):
            return Clause()
        # "we train models that achieve": made here
        made = any(w.low in table("make_verbs") for w in sentence[max(0, first - 3) : first + len(phrase)])
        return Clause((), True) if own or made else Clause(phrase)
    return Clause()


def _opening(sentence: Sequence[Word], at: int) -> int:
    """Where the bracket that closes at ``at`` begins; ``at`` when it has no beginning."""
    depth = 0
    for k in range(at, max(-1, at - REACH), -1):
        depth += (sentence[k].low in CLOSE) - (sentence[k].low in OPEN)
        if depth == 0:
            return k
    return at


def _lead_word(word: Word) -> bool:
    return word.low in ("up", "about", "over", "around", "nearly", "only", "more", "as", "an", "averaging")


def _mentions(phrase: Sequence[Word], names: Sequence[str]) -> bool:
    shown = " ".join(w.text for w in phrase)
    return any(name in shown for name in names)


def _noun_phrase(sentence: Sequence[Word], end: int, names: Names) -> Sequence[Word] | None:
    """The noun phrase that ends before ``end`` and is the subject there; None when none stands there."""
    if end > 0 and sentence[end - 1].low in ("that", "which", "who"):
        end -= 1
        if end > 0 and sentence[end - 1].low == ",":
            end -= 1
    elif end > 1 and sentence[end - 1].low == ",":
        end = _before_aside(sentence, end)
    if end > 0 and sentence[end - 1].low in ("they", "them"):
        return _antecedent(sentence, end - 1)
    if end > 0 and sentence[end - 1].low in ("it", "this", "these", "ours"):
        return [sentence[end - 1]]
    end = back_over_parentheses(sentence, end)
    while end > 0 and sentence[end - 1].low in table("after_heads"):
        end -= 1
    phrase = phrase_left(sentence, end, 7)
    for _ in range(2):
        # "the best model on X achieves", "LLMs as judges show": on to the head of the phrase
        start = end - len(phrase)
        if phrase and any(w.low in table("heads") for w in phrase) and sentence[start - 1].low != "as":
            break
        if start < 2 or sentence[start - 1].low in ("a", "an", "the"):
            start -= 1
        if start < 2 or sentence[start - 1].low not in table("inner_prepositions"):
            break
        longer = phrase_left(sentence, back_over_parentheses(sentence, start - 1), 6)
        if not longer or not any(w.low in table("heads") for w in longer):
            break
        phrase, end = longer, start - 1
    if not phrase:
        return None
    start = end - len(phrase)
    if start > 1 and sentence[start - 1].low in ("and", "or") and not any(w.named for w in phrase):
        first = phrase_left(sentence, start - 1, 4)  # "frontier models and agents"
        if any(w.low in table("heads") for w in first):
            return list(sentence[start - 1 - len(first) : end])
    # "an open 8B model": an example of what the paper makes
    if start > 0 and sentence[start - 1].low in ("a", "an") and not any(w.named for w in phrase):
        return [sentence[start - 1]]
    if start > 0 and sentence[start - 1].low in ("all", "most"):
        return [sentence[start - 1], *phrase]
    return phrase


def _before_aside(sentence: Sequence[Word], end: int) -> int:
    """The end of the phrase before an aside: "Foo, the safest agent tested, still shows"; or the name in the aside."""
    for k in range(end - 2, max(0, end - 14), -1):
        if sentence[k].low == ",":
            inner = sentence[k + 1 : end - 1]
            named = any(w.named for w in sentence[max(0, k - 2) : k])
            return end - 1 if inner and all(w.named for w in inner) and not named else k
    return end - 1


def _antecedent(sentence: Sequence[Word], at: int) -> Sequence[Word]:
    """The plural that "they" at ``at`` stands for: the nearest group before it in the sentence."""
    for k in range(at - 1, -1, -1):
        if sentence[k].low in table("plural_heads") and (k + 1 == len(sentence) or sentence[k + 1].number is None):
            return phrase_left(sentence, k + 1, 6)
    return [sentence[at]]


# --- nearer than the verb ----------------------------------------------------------------------------------------


def _lead(sentence: Sequence[Word], at: int) -> int:
    """Where the number begins with the words that qualify it."""
    number = sentence[at].number
    k = at
    while k > 0 and (
        (number is not None and 0 <= number.lead <= sentence[k - 1].start)
        or sentence[k - 1].low in ("only", "just", "the", "a", "an", "~", "around", "mere", "$")
    ):
        k -= 1
    return k


def is_compared(sentence: Sequence[Word], at: int) -> bool:
    """ "compared to N", "versus N" outside a pair: a number of the other side."""
    k = _lead(sentence, at)
    low = [w.low for w in sentence[max(0, k - 2) : k]]
    return low[-1:] == ["than"] or low in (["compared", "to"], ["compared", "with"], ["comparison", "to"])


def _behind(text: str, sentence: Sequence[Word], at: int, names: Names, stands: Grammar) -> Sequence[Word]:
    """ "80.1% for the best embedding model", "51% with GPT-4o", "5.1 in prior work"; behind a pair, for both."""
    own, compared = stands.clause.own, stands.compared
    if stands.pair == "first to":
        at = next(k for k in range(at + 1, len(sentence)) if sentence[k].number is not None)
    k = at + 1
    while k < len(sentence) and k < at + 6 and not stops(sentence[k]):
        k += 1
    own_level = phrase_right(sentence, at + 1)  # "from a 14% single-agent baseline"
    if own_level and own_level[-1].low in ("baseline", "baselines"):
        return foreign(text, own_level, names, group=True)
    bracket = sentence[at + 1 : at + 2]
    if bracket and bracket[0].low == "(":  # "9.3% (untuned baseline)"
        phrase = phrase_right(sentence, at + 2)
        if sentence[at + 2 + len(phrase) : at + 3 + len(phrase)] and sentence[at + 2 + len(phrase)].low == ")":
            return foreign(text, phrase, names, group=True)
    if k < len(sentence) - 1 and sentence[k].low in ("required", "needed", "used"):
        k += 1  # "the 115 hours required by Foo"
    if k < len(sentence) - 1 and sentence[k].low == "of" and compared:
        shown = foreign(text, phrase_right(sentence, k + 1), names)  # "compared to 50.9 mAP of Foo"
        if shown:
            return shown
    if k < len(sentence) - 1 and sentence[k].low == "of":
        k += 1 + len(phrase_right(sentence, k + 1, 4))  # "51.2% of the tasks with GPT-4o"
    if k >= len(sentence) - 1 or sentence[k].low not in ("for", "by", "with", "in", "from"):
        return ()
    if sentence[k + 1].low in ("our", "its", "a", "an"):
        return ()
    phrase = phrase_right(sentence, k + 1)
    if sentence[k].low in ("in", "from") or (own and not compared):
        return foreign(text, phrase, names) if any(w.low in table("prior") for w in phrase) else ()
    group = any(w.low in table("heads") for w in phrase)
    rival = compared or stands.pair == "second vs"
    if sentence[k].low in ("with", "for") and not rival and not names.studies and not group:
        return ()  # the model that the paper's method was tried with
    return foreign(text, phrase, names)


def _in_bracket(
    text: str, sentence: Sequence[Word], at: int, names: Names, pair: str, *, named_only: bool
) -> Sequence[Word]:
    """ "GPT-4o (51.0)", "(Foo-32B: 39.5%, …)", "surpassing the best rival trained on … (38.3%)"."""
    number = sentence[at].number
    k = _lead(sentence, at)
    if k == 0 or (sentence[k - 1].low not in OPEN and sentence[k - 1].low != ":") or (number and number.sign):
        return ()
    phrase = [] if pair else [w for w in phrase_left(sentence, k - 1) if w.named]
    if phrase and (name := foreign(text, phrase, names)) and said(text, name) in names.others:
        return name
    if named_only or sentence[k - 1].low == ":" or pair:
        return ()
    if shown := foreign(text, phrase_left(sentence, k - 1), names):
        return shown  # "senior specialists (73.2%)"
    for i in range(k - 2, max(-1, k - 16), -1):
        # "a rival trained on 45K samples (38.3%)"
        if sentence[i].low in table("bracket_ends") and sentence[i - 1].low not in ("trained", "tuned", "fine-tuned"):
            return ()
        if sentence[i].low in vocabulary("rival_verbs"):
            return foreign(text, phrase_right(sentence, i + 1), names)
    return ()


def _owner(text: str, sentence: Sequence[Word], at: int, names: Names, pair: str) -> Sequence[Word]:
    """ "the human expert score of 88.3%", "human performance (81%)": whose level the noun before says it is."""
    k = _lead(sentence, at)
    if k < 2 or sentence[k - 1].low not in ("of", "at", "(") or pair:
        return ()
    phrase = phrase_left(sentence, k - 1)
    last = max((i for i, w in enumerate(phrase) if w.low in table("people")), default=-1)
    before = k - 2 - len(phrase)
    if before >= 0 and sentence[before].low in table("no_subject_after"):
        return ()  # "agreement with human ratings of"
    start = last
    while start > 0 and (phrase[start - 1].low in table("people") or phrase[start - 1].low in table("qualifiers")):
        start -= 1
    return foreign(text, phrase[start : last + 1], names) if 0 <= last < len(phrase) - 1 else ()


def _sized(text: str, sentence: Sequence[Word], at: int, names: Names) -> Sequence[Word]:
    """ "rivals models 3x larger", "beats 10x larger models"."""
    k = at + 1
    if k == len(sentence) or sentence[k].low not in table("sizes"):
        return ()
    behind = phrase_right(sentence, k + 1)
    if behind and _is_head(behind[-1]):
        return foreign(text, behind, names, group=True)
    return foreign(text, phrase_left(sentence, _lead(sentence, at)), names, group=True)


def _possessor(text: str, sentence: Sequence[Word], at: int, names: Names) -> Sequence[Word]:
    """ "Foo's record of 47", "the base model's FID 3.2"."""
    k = _lead(sentence, at)
    first = k - 1
    while first >= max(0, k - 5) and (not stops(sentence[first]) or sentence[first].low in ("of", "at", "from")):
        if unpossessed(sentence[first].low) != sentence[first].low:
            return foreign(text, phrase_left(sentence, first + 1), names)
        first -= 1
    return ()


def _whole(sentence: Sequence[Word], at: int) -> int:
    """The first word of a count with what stresses it: "the full 45K", "all 6"."""
    k = _lead(sentence, at)
    while k and sentence[k - 1].low in ("full", "all", "the", "only", "just"):
        k -= 1
    return k


def _trained(text: str, sentence: Sequence[Word], at: int, names: Names) -> Sequence[Word]:
    """ "the best method trained on the full 45K samples"."""
    k = _whole(sentence, at)
    if k < 2 or sentence[k - 1].low not in ("on", "with", "using") or sentence[k - 2].low not in table("trained"):
        return ()
    return foreign(text, phrase_left(sentence, k - 2), names)


def _needed(text: str, sentence: Sequence[Word], at: int, names: Names) -> Sequence[Word]:
    """ "prior work requires 2 passes", "agents need over 11 hours"."""
    k = _whole(sentence, at)
    if k < 1 or sentence[k - 1].low not in table("needs"):
        return ()
    k -= 1
    while k and (sentence[k - 1].low in table("adverbs") or sentence[k - 1].low.endswith("ly")):
        k -= 1
    return foreign(text, _noun_phrase(sentence, k, names) or (), names) if k else ()


# --- pairs -------------------------------------------------------------------------------------------------------


def pair_of(sentence: Sequence[Word], at: int) -> str:
    """ "first to" or "second to" in "from A to B" and "A → B", "first vs" or "second vs" in "A vs. B"; else empty."""
    later = _between(sentence, at, 1)
    if later:
        return f"first {later}"
    earlier = _between(sentence, at, -1)
    return f"second {earlier}" if earlier else ""


def _between(sentence: Sequence[Word], at: int, step: int) -> str:
    """What joins the number at ``at`` with its neighbour in that direction: "to", "vs" or nothing."""
    k = at + step
    low: list[str] = []
    while 0 <= k < len(sentence) and len(low) < 7 and sentence[k].number is None:
        if sentence[k].low in (",", ";", "and", ")", "("):
            return ""
        low.append(sentence[k].low)
        k += step
    if not 0 <= k < len(sentence) or sentence[k].number is None:
        return ""
    if any(w in ("vs", "vs.", "versus") for w in low):
        return "vs"
    if any(w in ARROWS for w in low):
        return "to"
    first = min(at, k)
    start = _lead(sentence, first)
    return "to" if "to" in low and start > 0 and sentence[start - 1].low == "from" else ""


def _rival(text: str, sentence: Sequence[Word], at: int, names: Names, stands: Grammar) -> Sequence[Word]:
    """Whose the rival's number of a pair is: what is improved ("improve X from A to B") or what is compared with."""
    k = _lead(sentence, at)
    if stands.pair == "first to":
        if k and sentence[k - 1].low == "from":
            shown = foreign(text, phrase_left(sentence, k - 1), names)
            if shown:
                return shown
        if foreign(text, stands.clause.phrase, names):
            return ()
    for i in range(k - 1, -1, -1):
        low = sentence[i].low
        if low == ";":
            break
        short = low == "of" and sentence[i - 1].low == "short"
        if low in vocabulary("rival_verbs") or low in ("defeated", "defeats", "defeat", "than") or short:
            shown = foreign(text, phrase_right(sentence, i + 1), names)
            if shown:
                return shown
    end = next((i for i in range(at + 1, len(sentence)) if sentence[i].number is not None), at)
    for i in range(end + 1, min(end + 9, len(sentence) - 1)):
        if sentence[i].low == "over":  # "from A to B over the best alternative"
            return foreign(text, phrase_right(sentence, i + 1), names)
        if sentence[i].number is not None or sentence[i].low in (";", ","):
            break
    for i in range(len(sentence) - 2):
        if sentence[i].low in ("compared", "comparison") and sentence[i + 1].low in ("to", "with"):
            return foreign(text, phrase_right(sentence, i + 2), names)
    return ()
