"""Learn how sure a result is from annotated abstracts, and write the weights the extractor uses.

    python training/result_confidence.py TEXTS.jsonl GOLD.jsonl > extractor/rules/result_confidence.toml

A result is right when the annotations hold the same number at the same place with the same kind, qualifier and metric.
A logistic regression over the signs of ``extractor/relate/confidence.py`` gives its probability; the expected
calibration error by five-fold cross-validation is told on standard error.
"""

from __future__ import annotations

import sys

import numpy as np
from annotations import texts as read_texts
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from extractor import Extractor
from extractor.evaluate import Judged, judged
from extractor.mentions import findings
from extractor.pipeline import Received
from extractor.quality import calibration_error
from extractor.record_files import read_objects
from extractor.relate.confidence import signs
from extractor.relate.results import relate_results

STRENGTH = 0.3  # inverse of the L2 penalty
FOLDS = 5


def read(texts_path: str, gold_path: str) -> tuple[list[dict[str, float]], list[bool]]:
    """The signs of every result found, and whether it is right."""
    texts = read_texts([texts_path])
    extractor = Extractor()
    described, right = [], []
    for gold in read_objects(gold_path):
        text = texts[gold["id"]]
        received = Received.of(text, None)
        found = findings(extractor.read(received))
        relate_results(received.text, found)
        record = extractor.extract(text).model_dump()
        right += [value.right for value in judged(gold, record, text) if value.group == "results"]
        sentences = [result.sentence for result in found.results]
        described += [dict.fromkeys(signs(result, sentences.count(result.sentence)), 1.0) for result in found.results]
    return described, right


def main(texts_path: str, gold_path: str) -> None:
    described, right = read(texts_path, gold_path)
    vectorizer = DictVectorizer()
    x, y = vectorizer.fit_transform(described), np.array(right)
    held = np.zeros(len(y))
    for fold in range(FOLDS):
        mine = np.arange(len(y)) % FOLDS == fold
        held[mine] = fit(x[~mine], y[~mine]).predict_proba(x[mine])[:, 1]
    error = calibration_error([Judged("results", float(p), bool(r)) for p, r in zip(held, y, strict=True)])
    print(f"{len(y)} results, expected calibration error {error:.3f}", file=sys.stderr)
    weights = dict(zip(vectorizer.feature_names_, fit(x, y).coef_[0], strict=True))
    print("# Weights of the signs of a result for the probability that its kind, qualifier and metric are right.")
    print("# Written by training/result_confidence.py.")
    print("[weights]")
    for sign, weight in sorted(weights.items()):
        print(f'"{sign}" = {weight:.2f}')


def fit(x: np.ndarray, y: np.ndarray) -> LogisticRegression:
    """Without an intercept: the sign "bias" is one."""
    return LogisticRegression(C=STRENGTH, max_iter=500, fit_intercept=False).fit(x, y)


if __name__ == "__main__":
    main(*sys.argv[1:3])
