"""Decide by rules and model together what each number of a sentence belongs to: the place where the two meet.

The order of trust:

1. The rules say which numbers are results and of which kind. What a count counts stays, and so do a metric inside a
   number ("30 F1 points"), those of a list that go one to one with its numbers ("A and B by x and y", "Foo and Bar
   reach x and y"), and the rival of a pair ("over A by x and over B by y").
2. Metric, subject, baseline and datasets are the model's choice among the phrases of the sentence (``phrases.py``) and
   the sets of datasets (``dataset_features.py``). What the rules made of them is among what it reads. Numbers are taken
   in the order of the text, since one of a list often belongs where the one before does.
3. A subject, baseline or set of datasets that the rules see gives way only where the model is sure (``SURE``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from extractor.model.choices import FIELDS, ChoiceModel
from extractor.model.weights import softmax
from extractor.relate import dataset_features
from extractor.relate.clause import Word, said
from extractor.relate.phrase_features import PHRASE_FIELDS, SUBJECT, Answers, Earlier, Phrase, Reader
from extractor.relate.phrases import phrases
from extractor.relate.scene import Draft, Scene, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REACH = 45  # words from a number to a phrase
# The probability from which on the model's answer outweighs one of the rules.
SURE = {"subject": 0.9, "baseline": 0.9, "datasets": 0.6}
NONE = "none "  # before a feature of the number alone
DATASETS = FIELDS.index("datasets")
Described = list[tuple[Span | None, list[str]]]


@dataclass(slots=True)
class Option:
    """One answer to one question, with its probability and the features that speak for it."""

    said: str
    probability: float
    features: Sequence[str]


@dataclass(slots=True)
class Question:
    """What a number belongs to in one field: every possible answer, the most probable first."""

    at: tuple[int, int]  # the number, in the plain text
    field: str
    options: list[Option]

    def reasons(self, model: ChoiceModel, most: int = 6) -> list[tuple[str, float]]:
        """(feature, weight) that speak most for the first answer and against it, beside the second; largest first.

        A feature of the second answer counts against the first with the opposite sign.
        """
        column = FIELDS.index(self.field)
        sides = [set(option.features) for option in self.options[:2]]
        weights = {
            feature: float(model.weights[row, column]) * (1 if side == 0 else -1)
            for side, features in enumerate(sides)
            for feature in features - sides[side - 1 if len(sides) > 1 else 0]
            if (row := model.index.get(feature)) is not None
        }
        largest = sorted(weights.items(), key=lambda w: (-abs(w[1]), w[0]))[:most]
        return sorted(largest, key=lambda w: -w[1])


def describe(scene: Scene, draft: Draft, earlier: Earlier | None) -> Described:
    """Every phrase near the number with its features; the first stands for none of them."""
    rules = answers(scene, draft)
    if scene.phrases is None:
        scene.phrases = {span: Phrase(scene, span, how) for span, how in phrases(scene).items()}
    further = dict.fromkeys(span for span in rules.values() if span is not None and span not in scene.phrases)
    reader = Reader(scene, draft, rules, earlier)
    made: Described = [(None, [NONE + feature for feature in reader.number_features()])]
    for phrase in (*scene.phrases.values(), *(Phrase(scene, span, "rules") for span in further)):
        first, last = phrase.span
        if not first <= draft.at < last and abs(first - draft.at) < REACH:
            made.append((phrase.span, reader.phrase_features(phrase)))
    return made


def read_for(name: str, features: Sequence[str]) -> Sequence[str]:
    """The ``features`` without those that are read for the subject alone, unless that is the field asked for."""
    return features if name == "subject" else [f for f in features if not f.removeprefix(NONE).startswith(SUBJECT)]


def answers(scene: Scene, draft: Draft) -> Answers:
    """What the draft says, as places in the sentence."""
    return {name: scene.span(draft.phrase(name)) for name in PHRASE_FIELDS}


def choose_phrases(scene: Scene, drafts: Sequence[Draft], model: ChoiceModel, asked: list[Question] | None) -> None:
    """Change metric, subject and baseline of the ``drafts`` of a sentence to what the model makes of them."""
    earlier: Earlier | None = None
    by_rules = [scene.span(draft.reading.metric) for draft in drafts]
    left = _left_behind(scene, drafts)
    for draft in drafts:
        described = describe(scene, draft, earlier)
        table = softmax(model.sums(features for _, features in described).T)
        chosen: dict[str, Span | None] = {}
        for name in PHRASE_FIELDS:
            column = table[FIELDS.index(name)]
            best = int(column.argmax())
            if name == "metric":
                draft.sure = float(column[best])
            span = described[best][0]
            passed = name == "subject" and span is not None and span == left.get(draft.at)
            if not passed and not _stays(scene, draft, name, float(column[best])):
                _answer(scene, draft, name, span)
            chosen[name] = scene.span(draft.phrase(name))
            if asked is not None:
                asked.append(_question(scene, draft, name, described, column))
        earlier = Earlier(draft, chosen)
    _keep_shared(scene, drafts, by_rules)


def _keep_shared(scene: Scene, drafts: Sequence[Draft], by_rules: Sequence[Span | None]) -> None:
    """A metric that rules give two neighbours of one form, and the model one of them, is that of both."""
    chosen = [scene.span(draft.reading.metric) for draft in drafts]
    for i, j in [*pairwise(range(len(drafts))), *((j, i) for i, j in pairwise(range(len(drafts))))]:
        alike = drafts[i].number.form == drafts[j].number.form and drafts[i].kind == drafts[j].kind
        if alike and chosen[i] is None and chosen[j] is not None and by_rules[i] == by_rules[j] == chosen[j]:
            _answer(scene, drafts[i], "metric", chosen[j])


def choose_datasets(
    reader: dataset_features.Reader, draft: Draft, earlier: dataset_features.Earlier | None, model: ChoiceModel,
    asked: list[Question] | None,
) -> None:  # fmt: skip
    """Change the datasets of ``draft`` to what the model makes of them."""
    sets = reader.sets(draft, earlier, bool(draft.subject))
    column = softmax(model.sums(sets.values()).T)[DATASETS]
    names = list(sets)
    best = names[int(column.argmax())]
    if set(best) != set(draft.datasets) and (not draft.datasets or column.max() >= SURE["datasets"]):
        draft.datasets = [d.name for d in reader.scene.found.datasets if d.name in best]
    if asked is not None:
        described = zip((", ".join(n) for n in names), column, sets.values(), strict=True)
        asked.append(_ranked(draft, "datasets", [Option(*x) for x in described]))


def _stays(scene: Scene, draft: Draft, name: str, probability: float) -> bool:
    """Whether what the rules say stays against the model's choice of that probability."""
    said = draft.phrase(name)
    if name == "metric":
        return draft.kind == "size" or draft.reading.aligned or (bool(said) and scene.span(said) is None)
    plain = draft.paired if name == "baseline" else draft.in_turn
    return bool(said) and (plain or probability < SURE[name])


def _left_behind(scene: Scene, drafts: Sequence[Draft]) -> dict[int, Span | None]:
    """Number → whose the level before it is by rules: "from 9% (untuned baseline) to 16%" has left it behind."""
    return {
        other.at: scene.span(one.subject)
        for one, other in pairwise(drafts)
        if one.subject and not other.subject and scene.look(scene.left(other.at) - 1, -1) in ("to", "->", "→")
    }


def _answer(scene: Scene, draft: Draft, name: str, span: Span | None) -> None:
    phrase: Sequence[Word] = () if span is None else scene.words[span[0] : span[1]]
    if name == "metric":
        draft.reading.metric = list(phrase)
    else:
        setattr(draft, name, phrase)


def _question(scene: Scene, draft: Draft, name: str, described: Described, column: NDArray[np.float64]) -> Question:
    options = []
    for (span, features), probability in zip(described, column, strict=True):
        shown = "" if span is None else said(scene.text, scene.words[span[0] : span[1]]) or ""
        options.append(Option(shown, float(probability), read_for(name, features)))
    return _ranked(draft, name, options)


def _ranked(draft: Draft, name: str, options: list[Option]) -> Question:
    ranked = sorted(options, key=lambda option: -option.probability)
    return Question((draft.number.start, draft.number.end), name, ranked)
