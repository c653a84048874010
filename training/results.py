"""Train the model that chooses what a number belongs to, and measure it.

    python training/results.py make GROUP GOLD.jsonl TEXTS.jsonl... >> training/results.jsonl
    python training/results.py train TEXTS.jsonl... [--annotations FILE] [--out FOLDER] [--confidence FILE]
        [--calibrate TEXTS.jsonl GOLD.jsonl]
    python training/results.py crossvalidate TEXTS.jsonl... [--annotations FILE]
    python training/results.py evaluate TEXTS.jsonl GOLD.jsonl

``make`` turns annotated results (quote, kind, metric …) into offsets without the texts. ``train`` learns from all
groups of the annotations (``training/results.jsonl``) but ``held``, and writes the model (``extractor/model/results/``)
and the weights of the confidence of a result (``extractor/rules/result_confidence.toml``), moved as a whole by what
``--calibrate`` shows of annotated abstracts that are learnt from nowhere else; ``crossvalidate`` prints the
figures of the folds, ``evaluate`` those of the model in use. Nothing is drawn by chance: the same annotations,
texts and versions give the same files.

The learner is a conditional logistic regression with an L2 penalty: the phrases of a sentence, and none of them,
compete for each field of each number (McFadden 1974). Two things keep it from trusting the wrong teachers:

- Every question is asked twice, once without what the rules say, with the weight ``HIDDEN``: the rules were made beside
  the same annotations and look better there than they are.
- Every feature of the group ``guide``, whose conventions count, comes twice, the second time for this group alone; the
  two weights are added in the end (Daumé, "Frustratingly Easy Domain Adaptation", 2007).
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn
from annotations import annotated, texts
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize
from scipy.sparse import csr_matrix
from scipy.special import expit
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from extractor import Extractor
from extractor.evaluate import EMPTY, Judged, evaluate, judged, pair_results, quoted_at
from extractor.matching import flat, same_names, same_phrase
from extractor.mentions import Findings, findings
from extractor.model.choices import FIELDS, FOLDER, ChoiceModel
from extractor.model.weights import write_weights
from extractor.pipeline import Received, record_of
from extractor.quality import calibration_error
from extractor.record_files import read_objects
from extractor.relate import dataset_features, phrase_features
from extractor.relate.choose import NONE, answers, describe, read_for
from extractor.relate.clause import said
from extractor.relate.confidence import signs
from extractor.relate.phrase_features import PHRASE_FIELDS
from extractor.relate.results import drafts_of, relate_results
from extractor.relate.scene import Draft, Scene, Span

ANNOTATIONS = Path(__file__).with_name("results.jsonl")
CONFIDENCE = Path(__file__).parents[1] / "extractor" / "rules" / "result_confidence.toml"
FOLDS = 5
# Inverse of the L2 penalty; the rules tie datasets well, and there are fewer questions about them.
STRENGTH = {"metric": 0.5, "subject": 0.5, "baseline": 0.5, "datasets": 0.1}
LEAST = 3  # candidates a feature must be true of
HIDDEN = 0.3  # weight of a question from which what the rules say is hidden; asked openly it has the rest
GUIDE, LEARNT, HELD = "guide", ("guide", "wide"), ("held",)
OF_RULES = ("rules ", "near rules ", "rules:")
OWN = "guide "  # before the second copy of a feature
CONFIDENCE_STRENGTH = 0.3
Gold = Mapping[str, Any]
Options = list[tuple[list[str], bool]]  # features of an answer, whether it is right


@dataclass(slots=True)
class Paper:
    """One abstract, its annotation in the form of ``evaluate``, and the questions its numbers ask by field."""

    text: str
    gold: Gold
    group: str
    questions: dict[str, list[Options]] = field(default_factory=lambda: defaultdict(list))


# --- annotations


def with_offsets(row: Gold, text: str, group: str) -> dict[str, Any]:
    """An annotation whose quotes and phrases are offsets; of several places the one nearest to the number."""
    made = []
    for result in row["results"]:
        start = quoted_at(result, text)
        kept = {key: result[key] for key in ("value", "high", "unit", "qualifier", "kind", "datasets")}
        kept["span"] = [start, start + len(result["quote"])]
        for name in PHRASE_FIELDS:
            kept[name] = nearest(text, result[name], start)
        if "method" in result:
            kept["method"] = result["method"]
        made.append(kept)
    return {"id": row["id"], "group": group, "results": made}


def nearest(text: str, phrase: str | None, start: int) -> list[int] | None:
    if not phrase:
        return None
    pattern = r"\s+".join(map(re.escape, phrase.split()))
    places = [match.span() for match in re.finditer(f"(?={pattern})", text)]
    if not places:
        print(f"not in the text: {phrase!r}", file=sys.stderr)
        return None
    best = min(places, key=lambda place: abs(place[0] - start))[0]
    return list(re.compile(pattern).match(text, best).span())  # type: ignore[union-attr]


def spelt_out(row: Gold, text: str) -> dict[str, Any]:
    """The annotation with its words again, as ``evaluate`` compares it."""
    results = []
    for result in row["results"]:
        start, end = result["span"]
        quote = text[start:end]
        nth = sum(text.startswith(quote, at) for at in range(start + 1))
        phrases = {name: None if result[name] is None else text[slice(*result[name])] for name in PHRASE_FIELDS}
        results.append({**result, "quote": quote, "nth": nth, **phrases})
    return {**EMPTY, "id": row["id"], "results": results}


# --- reading


class Reader:
    """Reads annotated abstracts; names are those the extractor finds."""

    def __init__(self) -> None:
        self.extractor = Extractor()

    def found(self, text: str) -> tuple[Received, Findings]:
        received = Received.of(text, None)
        return received, findings(self.extractor.read(received))

    def papers(self, groups: Iterable[str], paths: Iterable[str], annotations: Path) -> list[Paper]:
        rows = annotated(groups, paths, annotations)
        return [self.paper(Paper(text, spelt_out(row, text), row["group"])) for text, row in rows]

    def paper(self, paper: Paper) -> Paper:
        received, found = self.found(paper.text)
        read = [(scene, draft) for scene, drafts in drafts_of(received.text, found) for draft in drafts]
        numbers = [as_result(received, scene, draft) for scene, draft in read]
        pairs = {id(other): one for one, other in pair_results(paper.gold["results"], numbers, paper.text)}
        told = [pairs.get(id(number)) for number in numbers]
        phrase_questions(paper, read, told)
        dataset_questions(paper, read, told)
        return paper

    def record(self, text: str, model: ChoiceModel | None) -> tuple[dict[str, Any], Findings]:
        """The record of one abstract with ``model`` in place of the one in use, and what it was made of."""
        received, found = self.found(text)
        relate_results(received.text, found, model)
        return record_of(received, found, text).model_dump(), found


def as_result(received: Received, scene: Scene, draft: Draft) -> dict[str, Any]:
    """A draft in the form of ``evaluate``."""
    number = draft.number
    _, start, end = received.place(number.start, number.end)
    return {
        "span": {"start": start, "end": end}, "value": number.value, "high": number.high, "unit": number.unit,
        "kind": draft.kind, "metric": said(scene.text, draft.reading.metric),
    }  # fmt: skip


def phrase_questions(paper: Paper, read: Sequence[tuple[Scene, Draft]], told: Sequence[Gold | None]) -> None:
    """Ask for metric, subject and baseline of every annotated number; the number before has its right answers."""
    earlier: tuple[Scene, phrase_features.Earlier] | None = None
    for (scene, draft), gold in zip(read, told, strict=True):
        before = earlier[1] if earlier is not None and earlier[0] is scene else None
        described = describe(scene, draft, before)
        shown = [None if span is None else said(scene.text, scene.words[slice(*span)]) for span, _ in described]
        chosen: dict[str, Span | None] = dict(answers(scene, draft))
        for name in PHRASE_FIELDS if gold is not None else ():
            right = right_phrases(shown, gold[name])
            chosen[name] = next((described[i][0] for i in by_distance(described, right, draft.at)), None)
            if right:
                options = [(list(read_for(name, features)), i in right) for i, (_, features) in enumerate(described)]
                paper.questions[name].append(options)
        earlier = scene, phrase_features.Earlier(draft, chosen)


def right_phrases(shown: Sequence[str | None], wanted: str | None) -> set[int]:
    """The answers that say what is wanted: word for word when there are any, else by most of their words."""
    if not wanted:
        return {0}
    for same in (lambda s: flat(s) == flat(wanted), lambda s: same_phrase(wanted, s)):
        right = {i for i, s in enumerate(shown) if s and same(s)}
        if right:
            return right
    return set()


def by_distance(described: Sequence[tuple[Span | None, Any]], right: Iterable[int], at: int) -> list[int]:
    return sorted(right, key=lambda i: abs((described[i][0] or (at, at))[0] - at))


def dataset_questions(paper: Paper, read: Sequence[tuple[Scene, Draft]], told: Sequence[Gold | None]) -> None:
    """Ask what every annotated claim was measured on; the claim before has its right answer."""
    earlier: dataset_features.Earlier | None = None
    last: Scene | None = None
    reader: dataset_features.Reader | None = None
    for (scene, draft), gold in zip(read, told, strict=True):
        if draft.kind == "size" or not scene.found.datasets:
            continue
        if scene is not last or reader is None:
            claims = [other.at for owner, other in read if owner is scene and other.kind != "size"]
            reader, last = dataset_features.Reader(scene, claims), scene
            if earlier is not None:
                earlier.same = False
        wanted = draft.datasets if gold is None else list(gold["datasets"])
        if gold is not None and gold["kind"] != "size":
            sets = reader.sets(draft, earlier, bool(gold["subject"]))
            options = [(features, same_names(list(names), wanted)) for names, features in sets.items()]
            if any(right for _, right in options):
                paper.questions["datasets"].append(options)
        earlier = dataset_features.Earlier(draft, tuple(sorted(wanted)), True)


# --- learning


def fit(papers: Sequence[Paper], iterations: int = 200) -> ChoiceModel:
    """The weights of all fields."""
    columns = [
        _fit([(o, p.group == GUIDE) for p in papers for o in p.questions[name]], STRENGTH[name], iterations)
        for name in FIELDS
    ]
    names = sorted(set().union(*columns))
    weights = np.array([[column.get(name, 0.0) for column in columns] for name in names], dtype=np.float32)
    return ChoiceModel({name: i for i, name in enumerate(names)}, weights.reshape(-1, len(FIELDS)), {})


def _fit(questions: Sequence[tuple[Options, bool]], strength: float, iterations: int) -> dict[str, float]:
    """Feature → weight, for the questions of one field; the flag says that the conventions count."""
    counts: Counter[str] = Counter()
    rows: list[list[str]] = []
    right, starts, shares = [], [], []
    for options, own in questions:
        for hidden in (False, True):
            starts.append(len(rows))
            shares.append(HIDDEN if hidden else 1 - HIDDEN)
            for features, is_right in options:
                said = dict.fromkeys(f for f in features if not (hidden and f.removeprefix(NONE).startswith(OF_RULES)))
                rows.append([*said, *(OWN + f for f in said)] if own else list(said))
                counts.update(() if hidden else rows[-1])
                right.append(is_right)
    if not rows:
        return {}
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    index = {name: i for i, name in enumerate(names)}
    columns = [index[f] for row in rows for f in row if f in index]
    ends = np.cumsum([0, *(sum(f in index for f in row) for row in rows)])
    x = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), len(names)))
    place = np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)]))
    mask, share = np.array(right), np.array(shares)
    spread = share[place]

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = x @ w
        scores = np.exp(scores - np.maximum.reduceat(scores, starts)[place])
        every = np.add.reduceat(scores, starts)
        good = np.add.reduceat(scores * mask, starts)
        slope = x.T @ (spread * (scores / every[place] - scores * mask / good[place]))
        return float(share @ (np.log(every) - np.log(good)) + w @ w / (2 * strength)), slope + w / strength

    made = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": iterations})
    weights: dict[str, float] = defaultdict(float)
    for name, weight in zip(names, made.x, strict=True):
        weights[name.removeprefix(OWN)] += float(weight)
    return dict(weights)


def folded(papers: Sequence[Paper], folds: int = FOLDS) -> Iterator[tuple[Paper, ChoiceModel]]:
    """Every paper with a model that has not seen it."""
    for fold in range(folds):
        model = fit([paper for i, paper in enumerate(papers) if i % folds != fold])
        for i in range(fold, len(papers), folds):
            yield papers[i], model


def measured(papers: Sequence[Paper], records: Mapping[str, Any]) -> dict[str, float]:
    """The share of right attributes and the F1 of whole results."""
    made = evaluate([p.gold for p in papers], records, {str(p.gold["id"]): p.text for p in papers})
    figures = {name: rate.share for name, rate in made.rates.items() if name.startswith("result.")}
    figures["records"] = made.counts["records"].f1
    figures |= method_figures(papers, records)
    return {name: round(value, 4) for name, value in sorted(figures.items())}


def method_figures(papers: Sequence[Paper], records: Mapping[str, Any]) -> dict[str, float]:
    """Precision and recall of the method a claim belongs to, where that was annotated."""
    right = said = wanted = 0
    for paper in papers:
        for one, other in pair_results(paper.gold["results"], records[str(paper.gold["id"])]["results"], paper.text):
            if "method" in one and one["kind"] != "size":
                right += bool(one["method"]) and flat(one["method"]) == flat(other["method"])
                said += other["method"] is not None
                wanted += one["method"] is not None
    return {"method.precision": right / said, "method.recall": right / wanted} if right else {}


def by_group(papers: Sequence[Paper], records: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    groups = dict.fromkeys(paper.group for paper in papers)
    return {group: measured([p for p in papers if p.group == group], records) for group in groups}


# --- confidence


@dataclass(slots=True)
class Signed:
    """The results found in annotated papers: the signs of each, whether it is right, and the number of its paper."""

    signs: list[dict[str, float]] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    paper: list[int] = field(default_factory=list)

    def add(self, paper: Paper, record: Mapping[str, Any], found: Findings) -> None:
        number = self.paper[-1] + 1 if self.paper else 0
        values = [value.right for value in judged(paper.gold, record, paper.text) if value.group == "results"]
        sentences = [result.sentence for result in found.results]
        self.signs += [dict.fromkeys(signs(result, sentences.count(result.sentence)), 1.0) for result in found.results]
        self.right += values
        self.paper += [number] * len(values)

    def folds(self) -> Iterator[NDArray[np.bool_]]:
        for fold in range(FOLDS):
            yield np.array(self.paper) % FOLDS == fold


def confidence_weights(learnt: Signed, others: Signed) -> tuple[dict[str, float], dict[str, float]]:
    """Sign → weight of the probability that a result is right, and the calibration errors by cross-validation.

    The weights are those of ``learnt``. The sign every result has is then moved so that probabilities are right on the
    whole on ``learnt`` and ``others``, each counting alike: neither set has been without influence on the rules.
    """
    vectorizer = DictVectorizer()
    x, y = vectorizer.fit_transform(learnt.signs), np.array(learnt.right)
    held = np.zeros(len(y))
    for mine in learnt.folds():
        held[mine] = _logistic(x[~mine], y[~mine]).decision_function(x[mine])
    model = _logistic(x, y)
    weights = dict(zip(vectorizer.feature_names_, map(float, model.coef_[0]), strict=True))
    if not others.right:
        return weights, {"learnt": _error(held, y)}
    scores, right = model.decision_function(vectorizer.transform(others.signs)), np.array(others.right)
    moved = scores.copy()
    for mine in others.folds():
        moved[mine] += shift((held, y), (scores[~mine], right[~mine]))
    every = shift((held, y), (scores, right))
    weights["bias"] += every
    return weights, {"learnt": _error(held + every, y), "others": _error(moved, right)}


def shift(*sets: tuple[NDArray[np.float64], NDArray[np.bool_]]) -> float:
    """What is to be added to all scores so that the mean probability of right is right, each set counting alike."""

    def excess(by: float) -> float:
        return float(sum(np.mean(expit(scores + by)) - np.mean(right) for scores, right in sets))

    return float(brentq(excess, -5, 5)) if excess(-5) < 0 < excess(5) else 0.0  # all right, or all wrong


def _error(scores: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    judgements = [Judged("results", float(p), bool(r)) for p, r in zip(expit(scores), right, strict=True)]
    return round(calibration_error(judgements), 4)


def _logistic(x: Any, y: NDArray[np.bool_]) -> LogisticRegression:
    """Without an intercept: the sign "bias" is one."""
    return LogisticRegression(C=CONFIDENCE_STRENGTH, max_iter=500, fit_intercept=False).fit(x, y)


def write_confidence(weights: Mapping[str, float], path: Path) -> None:
    rows = [f'"{sign}" = {weight:.2f}\n' for sign, weight in sorted(weights.items())]
    head = (
        "# Weights of the signs of a result for the probability that its kind, qualifier and metric are right.\n"
        "# Written by training/results.py.\n[weights]\n"
    )
    path.write_text(head + "".join(rows), encoding="utf-8")


# --- commands


def make(group: str, gold_path: str, paths: Iterable[str]) -> None:
    known = texts(paths)
    for row in read_objects(gold_path):
        if row["results"]:
            print(json.dumps(with_offsets(row, known[str(row["id"])], group), ensure_ascii=False))


def train(
    paths: Sequence[str], annotations: Path, out: Path, confidence: Path, calibrate: Sequence[str] | None = None
) -> dict[str, Any]:
    """Learn, measure and write; returns what ``meta.json`` says."""
    reader = Reader()
    papers = reader.papers(LEARNT, paths, annotations)
    if not papers:
        raise SystemExit("none of the annotated papers is among the texts")
    records: dict[str, Any] = {}
    signed, others = Signed(), Signed()
    for paper, model in folded(papers):
        record, found = reader.record(paper.text, model)
        records[str(paper.gold["id"])] = record
        if paper.group == GUIDE:
            signed.add(paper, record, found)
    learnt = fit(papers)
    for paper in annotated_papers(*calibrate) if calibrate else ():
        others.add(paper, *reader.record(paper.text, learnt))
    weights, errors = confidence_weights(signed, others)
    held = reader.papers(HELD, paths, annotations)
    about = {
        "task": "what a number belongs to: metric, subject, baseline, datasets",
        "fields": list(FIELDS),
        "learnt": {"papers": len(papers), **{name: sum(len(p.questions[name]) for p in papers) for name in FIELDS}},
        "strength": STRENGTH,
        "hidden": HIDDEN,
        "scores": {
            "cross-validation": by_group(papers, records),
            "held": measured(held, {str(p.gold["id"]): reader.record(p.text, learnt)[0] for p in held}),
        },
        "calibration_error": errors,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                     "scikit-learn": sklearn.__version__},
    }  # fmt: skip
    write_weights(out, list(learnt.index), learnt.weights, about)
    write_confidence(weights, confidence)
    return about


def crossvalidate(paths: Sequence[str], annotations: Path) -> dict[str, dict[str, float]]:
    reader = Reader()
    papers = reader.papers(LEARNT, paths, annotations)
    return by_group(papers, {str(p.gold["id"]): reader.record(p.text, model)[0] for p, model in folded(papers)})


def annotated_papers(texts_path: str, gold_path: str) -> list[Paper]:
    """Papers annotated in the form of ``evaluate``."""
    known = texts([texts_path])
    return [Paper(known[str(gold["id"])], {**EMPTY, **gold}, "") for gold in read_objects(gold_path)]


def evaluate_in_use(texts_path: str, gold_path: str) -> dict[str, float]:
    extractor, papers = Extractor(), annotated_papers(texts_path, gold_path)
    return measured(papers, {str(p.gold["id"]): extractor.extract(p.text).model_dump() for p in papers})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["make", "train", "crossvalidate", "evaluate"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--annotations", type=Path, metavar="FILE", default=ANNOTATIONS)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--confidence", type=Path, default=CONFIDENCE)
    parser.add_argument("--calibrate", nargs=2, metavar=("TEXTS", "GOLD"))
    given = parser.parse_args()
    if given.action == "make":
        make(given.paths[0], given.paths[1], given.paths[2:])
        return
    if given.action == "train":
        told: Any = train(given.paths, given.annotations, given.out, given.confidence, given.calibrate)
    elif given.action == "crossvalidate":
        told = crossvalidate(given.paths, given.annotations)
    else:
        told = evaluate_in_use(*given.paths)
    json.dump(told, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
