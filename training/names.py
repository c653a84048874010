"""Train the model that decides over names, and measure it.

    python training/names.py train TEXTS.jsonl... [--annotations FILE] [--out FOLDER] [--quick]
    python training/names.py crossvalidate TEXTS.jsonl... [--annotations FILE]
    python training/names.py evaluate TEXTS.jsonl GOLD.jsonl

``train`` learns from all groups of the annotations (``training/annotations.jsonl`` unless ``--annotations`` says
otherwise) but ``held``, cross-validates to set the discount of "nothing" and the temperature and to measure, and writes
the model (``extractor/model/`` unless ``--out`` says otherwise). ``crossvalidate`` prints the figures of the folds,
``evaluate`` those of the model in use on texts with annotations of their own. The seed is fixed; the same annotations,
texts and versions give the same files.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn
from annotations import ANNOTATIONS, annotated, texts
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from extractor import Extractor, model
from extractor.evaluate import EMPTY, Rate
from extractor.evaluate import evaluate as compare
from extractor.find.candidates import NameCandidate, candidates
from extractor.find.features import features
from extractor.find.judge import LABELS, NOTHING
from extractor.find.shapes import singular
from extractor.matching import all_names, flat
from extractor.mentions import findings
from extractor.model import phrases
from extractor.model.weights import softmax
from extractor.pipeline import Received
from extractor.record_files import read_objects

SEED = 2026
FOLDS = 5
STRENGTH = 0.3  # inverse of the L2 penalty
LEAST = 2  # candidates a feature must be true of
DISCOUNTS = (0.0, 0.1, 0.2, 0.3, 0.4)  # taken from the score of "nothing", since a missed name costs as a wrong one
LEARNT, HELD = ("guide", "wide"), ("held",)
ORDER = tuple(LABELS)


@dataclass(slots=True)
class Paper:
    """The candidates of one abstract with their features and labels (an index into ``ORDER``), and the annotation."""

    named: list[NameCandidate]
    features: list[list[str]]
    labels: list[int]
    gold: dict[str, Any]


class Reader:
    """Reads annotated abstracts with the rules alone and the table of phrases in use."""

    def __init__(self) -> None:
        self.extractor = Extractor(model=False)
        self.phrases = phrases.read((model.HERE / model.PHRASES).read_bytes())

    def read(self, text: str, gold: dict[str, Any]) -> Paper:
        """What the rules find in ``text``, each candidate labelled with what the annotation says of its name."""
        received = Received.of(text, None)
        found = findings(self.extractor.read(received))
        named = candidates(received.text, found)
        return Paper(named, features(received.text, found, named, self.phrases), labelled(named, gold), gold)

    def group(self, groups: Sequence[str], paths: list[str], annotations: Path) -> list[Paper]:
        """The papers of ``groups`` whose texts are in ``paths``."""
        return [self.read(text, gold) for text, gold in annotated(groups, paths, annotations)]


def labelled(named: Sequence[NameCandidate], gold: dict[str, Any]) -> list[int]:
    """A label for every candidate: an annotated name goes to the candidate so named, else to one that has it too."""
    labels = [ORDER.index(NOTHING)] * len(named)
    short = [flat(singular(c.name)) for c in named]
    every = [
        all_names({"name": c.name, "full_name": c.full_name, "aliases": c.method.spellings if c.method else []})
        for c in named
    ]
    for group, kind in (("methods", "method"), ("datasets", "dataset")):
        for entry in gold[group]:
            free = [i for i, label in enumerate(labels) if ORDER[label] == NOTHING]
            name, names = flat(singular(entry["name"])), all_names(entry)
            place = next((i for i in free if short[i] == name), None)
            if place is None:
                place = next((i for i in free if every[i] & names), None)
            if place is not None:
                labels[place] = ORDER.index(f"{kind}.{entry['role']}")
    return labels


@dataclass(slots=True)
class Trained:
    """The row of each feature, and weights (features × labels)."""

    index: dict[str, int]
    weights: NDArray[np.float64]

    def scores(self, papers: Iterable[Paper]) -> NDArray[np.float64]:
        return np.asarray(matrix(papers, self.index) @ self.weights)


def matrix(papers: Iterable[Paper], index: dict[str, int]) -> csr_matrix:
    starts, columns = [0], []
    for paper in papers:
        for found in paper.features:
            columns.extend(index[f] for f in found if f in index)
            starts.append(len(columns))
    return csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(starts) - 1, len(index)))


def fit(papers: Sequence[Paper], iterations: int = 200) -> Trained:
    """Multinomial logistic regression with an L2 penalty, the bias a feature like the others."""
    counts = Counter(f for paper in papers for found in paper.features for f in found)
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    index = {name: i for i, name in enumerate(names)}
    x = matrix(papers, index)
    y = np.array([label for paper in papers for label in paper.labels])
    learner = LogisticRegression(C=STRENGTH, max_iter=iterations, random_state=SEED).fit(x, y)
    weights = np.zeros((len(index), len(ORDER)))
    weights[:, learner.classes_] = learner.coef_.T
    bias = np.full(len(ORDER), -20.0)
    bias[learner.classes_] = learner.intercept_
    weights[index["bias"]] += bias
    return Trained(index, weights)


def crossvalidated(papers: Sequence[Paper], folds: int = FOLDS) -> list[NDArray[np.float64]]:
    """The scores of every paper's candidates by a model that has not seen the paper."""
    out: list[NDArray[np.float64]] = [np.zeros((0, len(ORDER)))] * len(papers)
    for fold in range(folds):
        trained = fit([paper for i, paper in enumerate(papers) if i % folds != fold])
        for i in range(fold, len(papers), folds):
            out[i] = trained.scores([papers[i]])
    return out


def discounted(scores: NDArray[np.float64], discount: float) -> NDArray[np.float64]:
    """``scores`` with less for "nothing"."""
    made = scores.copy()
    made[:, ORDER.index(NOTHING)] -= discount
    return made


def best_discount(papers: Sequence[Paper], scores: Sequence[NDArray[np.float64]]) -> float:
    """The discount under which the F1 of proposed methods, all methods and datasets is highest on average."""

    def mean(discount: float) -> float:
        found = measured(papers, [discounted(table, discount) for table in scores])
        return (found["proposed"] + found["methods"] + found["datasets"]) / 3

    return max(DISCOUNTS, key=mean)


def temperature(scores: NDArray[np.float64], labels: Sequence[int]) -> float:
    """The temperature under which the held-back labels are likeliest."""
    right = np.arange(len(labels)), np.array(labels)

    def loss(t: float) -> float:
        z = scores / t
        z = z - z.max(axis=1, keepdims=True)
        return float(-(z[right] - np.log(np.exp(z).sum(axis=1))).mean())

    return float(minimize_scalar(loss, bounds=(0.3, 5.0), method="bounded").x)


def calibration_error(scores: NDArray[np.float64], labels: Sequence[int], t: float, bins: int = 10) -> float:
    """Expected calibration error of what is not nothing: mean distance of confidence and share right over ten bins."""
    p = softmax(scores / t)
    best = p.argmax(axis=1)
    said = best != ORDER.index(NOTHING)
    confidence, right = p.max(axis=1)[said], (best == np.array(labels))[said]
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    return float(
        sum(abs(confidence[place == b].mean() - right[place == b].mean()) * (place == b).mean() for b in set(place))
    )


def measured(papers: Sequence[Paper], scores: Sequence[NDArray[np.float64]]) -> dict[str, float]:
    """F1 of proposed methods, methods and datasets, and the share of right roles, counted by name."""
    records: dict[str, dict[str, Any]] = {}
    for paper, table in zip(papers, scores, strict=True):
        record = records[str(paper.gold["id"])] = {"methods": [], "datasets": []}
        for candidate, row in zip(paper.named, table, strict=True):
            kind, role = LABELS[ORDER[int(row.argmax())]]
            if kind != NOTHING:
                entry = {"name": candidate.name, "full_name": candidate.full_name, "role": role}
                record[f"{kind}s"].append(entry)
    made = compare([{**EMPTY, **paper.gold} for paper in papers], records)
    figures = {
        "proposed": made.counts["methods_proposed"],
        "methods": made.counts["methods"],
        "datasets": made.counts["datasets"],
    }
    shares = {name: made.rates.get(name, Rate()).share for name in ("method.role", "dataset.role")}
    return {name: round(value, 4) for name, value in [*((n, c.f1) for n, c in figures.items()), *shares.items()]}


def train(paths: list[str], out: Path, quick: bool, annotations: Path = ANNOTATIONS) -> dict[str, Any]:
    """Learn, measure and write the model to ``out``; returns what ``meta.json`` says of it."""
    reader = Reader()
    learnt, held = (reader.group(groups, paths, annotations) for groups in (LEARNT, HELD))
    if not learnt:
        raise SystemExit("none of the annotated papers is among the texts")
    folds = crossvalidated(learnt, 2 if quick else FOLDS)
    discount = best_discount(learnt, folds)
    folds = [discounted(table, discount) for table in folds]
    every = [label for paper in learnt for label in paper.labels]
    heat = temperature(np.concatenate(folds), every)
    trained = fit(learnt)
    bias = trained.index["bias"]
    trained.weights[bias] = discounted(trained.weights[bias][None], discount)[0]
    about: dict[str, Any] = {
        "task": "methods and datasets among the candidates of an abstract",
        "learnt": {"papers": len(learnt), "candidates": len(every), "names": sum(map(bool, every))},
        "seed": SEED,
        "strength": STRENGTH,
        "discount": discount,
        "scores": {"cross-validation": measured(learnt, folds)},
        "calibration_error": round(calibration_error(np.concatenate(folds), every, heat), 4),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                     "scikit-learn": sklearn.__version__},
    }  # fmt: skip
    guide = [i for i, paper in enumerate(learnt) if paper.gold["group"] == "guide"]
    about["scores"]["cross-validation, guide"] = measured([learnt[i] for i in guide], [folds[i] for i in guide])
    if held:
        about["scores"]["held"] = measured(held, [trained.scores([paper]) for paper in held])
    model.save(out, ORDER, list(trained.index), trained.weights, heat, reader.phrases, about)
    return about


def crossvalidate(paths: list[str], annotations: Path = ANNOTATIONS) -> dict[str, dict[str, float]]:
    """The figures of the folds, group by group."""
    learnt = Reader().group(LEARNT, paths, annotations)
    folds = crossvalidated(learnt)
    made = {"all": measured(learnt, folds)}
    for group in LEARNT:
        places = [i for i, paper in enumerate(learnt) if paper.gold["group"] == group]
        made[group] = measured([learnt[i] for i in places], [folds[i] for i in places])
    return made


def evaluate(texts_path: str, gold_path: str) -> dict[str, float]:
    """The figures of the model in use on annotated texts."""
    reader = Reader()
    known = texts([texts_path])
    papers = [reader.read(known[gold["id"]], gold) for gold in read_objects(gold_path)]
    used = model.load()
    return measured(papers, [used.probabilities(paper.features) for paper in papers])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["train", "crossvalidate", "evaluate"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--annotations", type=Path, metavar="FILE", help="instead of training/annotations.jsonl")
    parser.add_argument("--out", type=Path, default=model.HERE)
    parser.add_argument("--quick", action="store_true", help="two folds instead of five")
    given = parser.parse_args()
    annotations = given.annotations or ANNOTATIONS
    if given.action == "train":
        made: Any = train(given.paths, given.out, given.quick, annotations)
    elif given.action == "crossvalidate":
        made = crossvalidate(given.paths, annotations)
    elif given.annotations:
        parser.error("evaluate takes its annotations as GOLD.jsonl, after the texts")
    else:
        made = evaluate(*given.paths)
    json.dump(made, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
