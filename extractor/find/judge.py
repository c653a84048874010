"""Decide by rules and model together what every candidate is: the one place where the two meet.

The order of trust:

1. What a title's head names (rule ``title``) is proposed; the model is trained on abstracts alone.
2. Otherwise the model's most probable label decides, from all mentions together: a proposed, compared or mentioned
   method, an introduced or used dataset, or nothing. What the rules made of a candidate is among what the model reads.

Where both say the same the record keeps the rule's name, since that tells more; where they differ it says ``model``.
The confidence is the model's probability of what the record says, role included.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.candidates import NameCandidate, candidates
from extractor.find.canonical import canonical
from extractor.find.features import features
from extractor.find.names import Candidate, Choice
from extractor.find.names_entries import CONFIDENCE, entries
from extractor.find.names_units import WORD, Unit
from extractor.mentions import DatasetName, Findings, Pending, findings, show, text_of
from extractor.model import NameModel, load

RULE = "model"
NOTHING = "nothing"
METHOD, DATASET = "method", "dataset"
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
    named = candidates(text, found)
    table = model.probabilities(features(text, found, named, model.phrases))
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
    found.methods = entries(text, chosen, confidences)
    found.datasets = sorted(datasets, key=lambda d: d.mentions[0])
    found.pending = Pending()


def _as_method(candidate: NameCandidate) -> Candidate:
    return Candidate(candidate.name, [Unit(start, end, candidate.name, WORD) for start, end in candidate.spans])


def _as_dataset(candidate: NameCandidate, role: str, confidence: float) -> DatasetName:
    known = candidate.dataset
    if known is None:
        made = canonical(candidate.name, candidate.full_name, role == "introduced")
        return DatasetName(candidate.name, made, candidate.spans, RULE, role, confidence)
    rule = known.rule if known.role == role else RULE
    return DatasetName(known.name, known.canonical, known.mentions, rule, role, confidence)
