"""The learned half, first part: weights that tell from the features of a candidate what it is.

A multinomial logistic regression over named features (``find/features.py``): the probability of a label is the softmax
of the sums of the weights of the features a candidate has, divided by a temperature that was fitted on held-back folds
(Guo et al., "On Calibration of Modern Neural Networks", 2017). Trained by ``training/names.py``; nothing but numpy
is needed to use it. Beside the files of ``weights.py``, ``phrases.npz`` says how many earlier papers hold a phrase
(``phrases.py``), which is among what the features say. The second part, for results, is in ``choices.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractor.errors import ModelError
from extractor.model import phrases
from extractor.model.weights import REMEDY, Weights, read_weights, softmax, write_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

HERE = Path(__file__).parent
PHRASES = "phrases.npz"


@dataclass(frozen=True)
class NameModel(Weights):
    """Weights with a column for each of ``labels``."""

    labels: tuple[str, ...]
    temperature: float
    phrases: phrases.Phrases

    def probabilities(self, candidates: Iterable[Iterable[str]]) -> NDArray[np.float64]:
        """Candidates × labels from the features of each candidate; features it was not trained on say nothing."""
        sums = self.sums(candidates)
        return softmax(sums / self.temperature) if len(sums) else sums


@cache
def load(folder: Path = HERE) -> NameModel:
    """The model in ``folder``; a ``ModelError`` when a file is missing or is not what ``meta.json`` says it is."""
    read, others = read_weights(folder, "labels", (PHRASES,))
    try:
        known = phrases.read(others[PHRASES])
    except ValueError as error:
        raise ModelError(f"{folder}: {error}: {REMEDY}") from error
    return NameModel(read.index, read.weights, read.meta, tuple(read.meta["labels"]), read.meta["temperature"], known)


def save(
    folder: Path, labels: Iterable[str], names: list[str], weights: NDArray[np.floating[Any]], temperature: float,
    known: phrases.Phrases, about: dict[str, Any],
) -> None:  # fmt: skip
    """Write a model that ``load`` reads; ``about`` (data, seed, scores, versions) goes into ``meta.json``."""
    said = {"labels": list(labels), "temperature": temperature, **about}
    write_weights(folder, names, weights, said, {PHRASES: phrases.write(known)})
