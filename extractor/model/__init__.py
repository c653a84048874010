"""The learned half: weights that tell from the features of a candidate what it is.

A multinomial logistic regression over named features (``find/features.py``): the probability of a label is the softmax
of the sums of the weights of the features a candidate has, divided by a temperature that was fitted on held-back folds
(Guo et al., "On Calibration of Modern Neural Networks", 2017). Trained by ``training/names.py``; nothing but numpy
is needed to use it. The files beside this module:

- ``features.txt``: the name of one feature a line,
- ``weights.npz``: the array ``weights``, features × labels,
- ``phrases.npz``: how many earlier papers hold a phrase (``phrases.py``), which is among what the features say,
- ``meta.json``: labels, temperature, checksums, and where the model comes from: data, seed, scores, versions.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from extractor.errors import ModelError
from extractor.model import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

HERE = Path(__file__).parent
FEATURES, WEIGHTS, PHRASES, META = "features.txt", "weights.npz", "phrases.npz", "meta.json"
REMEDY = "install the package again, or go without it (--no-model)"


@dataclass(frozen=True)
class NameModel:
    """Labels and weights. ``index`` gives the row of a feature in ``weights``, which has a column for each label."""

    labels: tuple[str, ...]
    index: dict[str, int]
    weights: NDArray[np.float32]
    temperature: float
    phrases: phrases.Phrases
    meta: dict[str, Any]

    def probabilities(self, candidates: Iterable[Iterable[str]]) -> NDArray[np.float64]:
        """Candidates × labels from the features of each candidate; features it was not trained on say nothing."""
        import numpy as np

        place, take = self.index.get, self.weights.take
        rows = [[row for row in map(place, features) if row is not None] for features in candidates]
        sums = [take(held, axis=0).sum(axis=0) if held else np.zeros(len(self.labels)) for held in rows]
        if not sums:
            return np.zeros((0, len(self.labels)))
        return softmax(np.asarray(sums, dtype=np.float64) / self.temperature)


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities from scores, row by row."""
    import numpy as np

    made = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(made / made.sum(axis=1, keepdims=True), dtype=np.float64)


@cache
def load(folder: Path = HERE) -> NameModel:
    """The model in ``folder``; a ``ModelError`` when a file is missing or is not what ``meta.json`` says it is."""
    meta = _meta(folder)
    found = {name: _bytes(folder, name) for name in (FEATURES, WEIGHTS, PHRASES)}
    for name, data in found.items():
        if hashlib.sha256(data).hexdigest() != meta["sha256"].get(name):
            raise ModelError(f"{folder / name} is damaged or of another version: {REMEDY}")
    labels = tuple(meta["labels"])
    names = found[FEATURES].decode("utf-8").split("\n")[:-1]
    try:
        weights = _weights(found[WEIGHTS])
        known = phrases.read(found[PHRASES])
    except ValueError as error:
        raise ModelError(f"{folder}: {error}: {REMEDY}") from error
    if weights.shape != (len(names), len(labels)):
        raise ModelError(f"{folder / WEIGHTS} does not fit {FEATURES}: {REMEDY}")
    return NameModel(labels, {name: i for i, name in enumerate(names)}, weights, meta["temperature"], known, meta)


def _meta(folder: Path) -> dict[str, Any]:
    """What ``meta.json`` says, its parts of the right kinds."""
    text = _bytes(folder, META)
    try:
        meta = json.loads(text)
        meta["labels"], meta["sha256"] = [str(x) for x in meta["labels"]], dict(meta["sha256"])
        meta["temperature"] = float(meta["temperature"])
        if meta["temperature"] <= 0:
            raise ValueError("the temperature is not above 0")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{folder / META} is damaged ({type(error).__name__}): {REMEDY}") from error
    return dict(meta)


def _weights(data: bytes) -> NDArray[np.float32]:
    import numpy as np

    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            return np.asarray(arrays["weights"], dtype=np.float32)
    except (OSError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as error:
        raise ValueError(f"no weights in {WEIGHTS}: {error}") from error


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise ModelError(f"{folder / name} cannot be read ({error.strerror}): {REMEDY}") from error


def save(
    folder: Path, labels: Iterable[str], names: list[str], weights: NDArray[np.floating[Any]], temperature: float,
    known: phrases.Phrases, about: dict[str, Any],
) -> None:  # fmt: skip
    """Write a model that ``load`` reads; ``about`` (data, seed, scores, versions) goes into ``meta.json``."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    buffer = BytesIO()
    np.savez_compressed(buffer, weights=np.asarray(weights, dtype=np.float16))
    files = {
        FEATURES: "".join(f"{name}\n" for name in names).encode(),
        WEIGHTS: buffer.getvalue(),
        PHRASES: phrases.write(known),
    }
    meta = {
        "labels": list(labels),
        "temperature": temperature,
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        **about,
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / META).write_text(json.dumps(meta, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
