"""The learned half, second part: weights that tell which phrase of a sentence is what to a number.

A conditional logistic regression over named features (``relate/phrase_features.py``, ``relate/dataset_features.py``):
among the candidates for one field of one number, and none of them, the most probable is the one with the largest sum
of weights (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974). There is a column for each
field. Trained by ``training/results.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from extractor.errors import ModelError
from extractor.model.weights import REMEDY, Weights, read_weights

FIELDS = ("metric", "subject", "baseline", "datasets")
FOLDER = Path(__file__).parent / "results"


@dataclass(frozen=True)
class ChoiceModel(Weights):
    """Weights with a column for each of ``FIELDS``."""


@cache
def load_choices(folder: Path = FOLDER) -> ChoiceModel:
    """The model in ``folder``; a ``ModelError`` when a file is missing or is not what ``meta.json`` says it is."""
    read, _ = read_weights(folder, "fields")
    if tuple(read.meta["fields"]) != FIELDS:
        raise ModelError(f"{folder} is of another version, with other fields: {REMEDY}")
    return ChoiceModel(read.index, read.weights, read.meta)
