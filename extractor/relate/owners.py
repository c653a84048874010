"""Which method of the record a number belongs to, and which one it is compared with: names, where there is no doubt.

Word lists: ``[owners]`` in ``rules/cues.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from extractor.mentions import MethodName
from extractor.relate import subjects
from extractor.relate.clause import OPEN, Word, phrase_left
from extractor.relate.scene import Draft, Scene, Span
from extractor.relate.view import known
from extractor.rules import toml, words

OTHERS = {"compared", "mentioned"}
METHOD_ROLES = ("compared", "mentioned", "proposed")


@cache
def _table(name: str) -> frozenset[str]:
    return words(toml("cues")["owners"][name])


def specific(scene: Scene, phrase: Sequence[Word]) -> Sequence[Word]:
    """The one name that a group gives of itself ("the best model (FooNet)", "models like FooNet"), else ``phrase``."""
    span = scene.span(phrase)
    if span is None or any(word.named for word in phrase):
        return phrase
    sentence, start = scene.words, span[1]
    while start < len(sentence) and sentence[start].low in _table("introducers"):
        start += 1
    end = start
    while end < len(sentence) and sentence[end].named and scene.roles[end] in METHOD_ROLES:
        end += 1
    if not span[1] < start < end:
        return phrase
    behind = [word.low for word in sentence[end : end + 3]]
    further = end + 2 < len(sentence) and any(word.named for word in sentence[end + 1 : end + 4])
    if behind[:1] and behind[0] in _table("list_words") and further:
        return phrase  # one of several
    aside = [word.low for word in sentence[span[1] : start]] == [","]
    if aside and behind and behind[0] not in _table("aside_ends"):
        return phrase  # "over prior methods, FooNet also gains"
    return list(sentence[start:end])


def together(scene: Scene, draft: Draft) -> Sequence[Word]:
    """The subject of ``draft`` with all names of its list: "models like Foo and Bar achieve 23%" is said of both."""
    span, words = scene.span(draft.subject), scene.words
    place, length = scene.name_lists.get(span, (0, 1)) if span is not None else (0, 1)
    of_one = draft.kind == "size" or draft.in_turn or place != length - 1 or length < 2
    if span is None or of_one or span[1] > draft.at or words[span[1]].low in OPEN:
        return draft.subject
    listed = _listed(scene, span[1])
    if any(scene.roles_in(name) - OTHERS for name in listed):
        return draft.subject
    start = listed[0][0]
    if start > 1 and words[start - 1].low in _table("examples"):
        behind = start - 1 - (words[start - 2].low == "such")
        group = phrase_left(words, behind)
        if group and group[-1].low in subjects.table("heads"):
            start = behind - len(group)
    return list(words[start : span[1]])


def _listed(scene: Scene, end: int) -> list[Span]:
    """The names of the list that ends before ``end``, in order."""
    spans = sorted(span for span in scene.name_lists if span[1] <= end)
    return spans[-scene.name_lists[spans[-1]][1] :]


def in_turn(scene: Scene, at: int) -> Sequence[Word]:
    """The name whose turn it is: "Foo and Bar achieve x and y", for a list of names that is the subject of a verb.

    Empty when the lists are not of one length, or the name is none of another's method.
    """
    place, count = scene.number_lists[at]
    first = max(k for k, (turn, _) in scene.number_lists.items() if turn == 0 and k <= at)
    words, verbs, adverbs = scene.words, subjects.table("verbs"), subjects.table("adverbs")
    for (_, end), (turn, length) in scene.name_lists.items():
        if length != count or count < 2 or turn != length - 1 or end > first:
            continue
        k = end + 1 if words[end].low == "," else end
        while words[k].low in adverbs or words[k].low.endswith("ly"):
            k += 1
        between = scene.between(k, first)
        if words[k].low in verbs and not between.numbers and not between.clauses:
            name = _listed(scene, end)[place]
            roles = scene.roles_in(name)
            return words[slice(*name)] if roles and roles <= OTHERS else ()
    return ()


def named(phrase: Sequence[Word], methods: Sequence[MethodName]) -> str | None:
    """The one method that ``phrase`` names; None when it names none or several."""
    if not phrase:
        return None
    start, end = phrase[0].start, phrase[-1].end
    found = {m.name for m in methods if any(start <= s and e <= end for s, e in m.mentions)}
    return found.pop() if len(found) == 1 else None


def owner(scene: Scene, draft: Draft) -> str | None:
    """The method the number belongs to.

    Another's number belongs to the method its subject names. The paper's own belongs to the one method it proposes;
    where it proposes several, to the only one the sentence names before the number. A count belongs to a method only
    when the sentence says so.
    """
    methods = scene.found.methods
    if draft.subject:
        return named(draft.subject, methods)
    ours = [m for m in methods if m.role == "proposed"]
    here = [m for m in ours if any(_before(scene, draft, mention) for mention in m.mentions)]
    if draft.kind == "size" and not (here and _of_a_method(draft)):
        return None
    main = _main(here or ours)
    return main.name if main is not None else None


def _before(scene: Scene, draft: Draft, mention: tuple[int, int]) -> bool:
    """Whether a mention stands in the sentence before the number."""
    return scene.extent[0] <= mention[0] and mention[1] <= draft.number.start


def _of_a_method(draft: Draft) -> bool:
    """Whether a count is one of parameters, memory, time and the like, not of data, tasks or models."""
    metric = known(draft.reading.metric)
    return draft.number.unit not in (None, "x") or (metric is not None and metric[1] in ("cost", "time"))


def _main(methods: Sequence[MethodName]) -> MethodName | None:
    """The only one, or the one that the text names more often than any other."""
    ranked = sorted(methods, key=lambda m: -len(m.mentions))
    if len(ranked) > 1 and len(ranked[0].mentions) == len(ranked[1].mentions):
        return None
    return ranked[0] if ranked else None
