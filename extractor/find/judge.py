"""Decide by rules and model together what every candidate is: the one place where the two meet.

The order of trust:

1. What a title's head names (rule ``title``) is proposed; the model is trained on abstracts alone.
2. Otherwise the model's most probable label decides, from all mentions together: a proposed, compared or mentioned
   method, an introduced or used dataset, or nothing. What the rules made of a candidate is among what the model reads.
3. The role of a dataset that rules and model both see is the rules' where the model is unsure.

Where both say the same the record keeps the rule's name, since that tells more; where they differ it says ``model``.
The confidence is the model's probability of what the record says, role included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.candidates import NameCandidate, candidates
from extractor.find.canonical import canonical
from extractor.find.features import features
from extractor.find.names import Candidate, Choice
from extractor.find.names_entries import CONFIDENCE, entries
from extractor.find.names_units import WORD, Unit
from extractor.find.shapes import key
from extractor.mentions import DatasetName, Findings, Pending, findings, show, text_of
from extractor.model import NameModel, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RULE = "model"
NOTHING = "nothing"
METHOD, DATASET = "method", "dataset"
UNSURE = 0.5
TITLE_CONFIDENCE = CONFIDENCE[("proposed", "title")]
# Label of the model → what the record calls it.
LABELS = {
    NOTHING: (NOTHING, ""),
    "method.proposed": (METHOD, "proposed"),
    "method.compared": (METHOD, "compared"),
    "method.mentioned": (METHOD, "mentioned"),
    "dataset.introduced": (DATASET, "introduced"),
    "dataset.used": (DATASET, "used"),
}


@Language.factory("extractor_model")
def create_model(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: decides anew over the names in ``findings(doc)``; ModelError without weights."""
    return partial(decide, model=load())


def decide(doc: Doc, model: NameModel) -> Doc:
    found = findings(doc)
    judge(text_of(doc), found, model)
    show(doc, "methods", [(s, e, m.role) for m in found.methods for s, e in m.mentions])
    show(doc, "datasets", [(s, e, d.role) for d in found.datasets for s, e in d.mentions])
    return doc


def judge(text: str, found: Findings, model: NameModel) -> None:
    """Replace the methods and datasets of ``found`` by what rules and model make of all candidates."""
    named, _, table = _read(text, found, model)
    proposed = model.labels.index("method.proposed")
    chosen: list[Choice] = []
    confidences: list[float] = []
    datasets: list[DatasetName] = []
    for candidate, row in zip(named, table, strict=True):
        best = int(row.argmax())
        if candidate.method_rule and "title" in candidate.method.evidence:  # type: ignore[union-attr]
            best = proposed
            row[best] = max(row[best], TITLE_CONFIDENCE)
        kind, role = LABELS[model.labels[best]]
        if kind == METHOD:
            rule = candidate.method_rule[1] if candidate.method_rule and candidate.method_rule[0] == role else RULE
            chosen.append(Choice(candidate.method or _as_method(candidate), rule, role))
            confidences.append(float(row[best]))
        elif kind == DATASET:
            datasets.append(_as_dataset(candidate, role, float(row[best])))
    long_forms = {key(c.candidate.full_name) for c in chosen if c.candidate.full_name}
    datasets = [d for d in datasets if key(d.name) not in long_forms]
    found.methods = entries(text, chosen, confidences)
    found.datasets = sorted(datasets, key=lambda d: d.mentions[0])
    found.pending = Pending()


def _read(
    text: str, found: Findings, model: NameModel
) -> tuple[list[NameCandidate], list[list[str]], NDArray[np.float64]]:
    """The candidates of ``text``, the features of each, and the probabilities of its labels."""
    named = candidates(text, found)
    described = features(text, found, named, model.phrases)
    return named, described, model.probabilities(described)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the model makes of one candidate, taken or not, and the features that speak most for it and against it.

    ``reasons`` are (feature, weight): how much more the feature says for ``label`` than for the next best label, in
    the units of the scores; those with the largest weights of either sign, the largest first.
    """

    name: str
    label: str
    probability: float
    reasons: tuple[tuple[str, float], ...]


def verdicts(text: str, found: Findings, model: NameModel, most: int = 6) -> list[Verdict]:
    """The verdict on every candidate of ``text``; like ``judge`` it needs what the rules left pending."""
    made = []
    for candidate, said, row in zip(*_read(text, found, model), strict=True):
        best, next_best = (int(i) for i in (-row).argsort()[:2])
        weights = {
            f: float(model.weights[i, best] - model.weights[i, next_best])
            for f in said
            if (i := model.index.get(f)) is not None
        }
        largest = sorted(weights.items(), key=lambda w: (-abs(w[1]), w[0]))[:most]
        reasons = tuple(sorted(largest, key=lambda w: -w[1]))
        made.append(Verdict(candidate.name, model.labels[best], float(row[best]), reasons))
    return made


def _as_method(candidate: NameCandidate) -> Candidate:
    return Candidate(candidate.name, [Unit(start, end, candidate.name, WORD) for start, end in candidate.spans])


def _as_dataset(candidate: NameCandidate, role: str, confidence: float) -> DatasetName:
    known = candidate.dataset
    if known is None:
        made = canonical(candidate.name, candidate.full_name, role == "introduced")
        return DatasetName(candidate.name, made, candidate.spans, RULE, role, confidence)
    if confidence < UNSURE:
        role = known.role
    rule = known.rule if known.role == role else RULE
    return DatasetName(known.name, known.canonical, known.mentions, rule, role, confidence)
