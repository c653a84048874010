"""Weights on disk: one row of numbers for each named feature, read only when they are what ``meta.json`` says.

- ``features.txt``: the name of one feature a line,
- ``weights.npz``: the array ``weights``, features × columns, half precision,
- ``meta.json``: checksums, and what a model says of itself: columns, data, seed, scores, versions.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from extractor.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

FEATURES, WEIGHTS, META = "features.txt", "weights.npz", "meta.json"
REMEDY = "install the package again, or go without it (--no-model)"


@dataclass(frozen=True)
class Weights:
    """``index`` gives the row of a feature in ``weights``, which has a column for each thing it speaks for."""

    index: dict[str, int]
    weights: NDArray[np.float32]
    meta: dict[str, Any]

    @cached_property
    def _padded(self) -> NDArray[np.float64]:
        """``weights`` with a row of zeros behind them, the row of what is unknown."""
        import numpy as np

        return np.vstack([self.weights, np.zeros((1, self.weights.shape[1]))])

    def sums(self, described: Iterable[Iterable[str]]) -> NDArray[np.float64]:
        """The rows of its features added up, for each thing described; unknown features say nothing."""
        import numpy as np

        place, unknown = self.index.get, len(self.index)
        rows: list[int] = []
        starts: list[int] = []
        for features in described:
            starts.append(len(rows))
            rows.append(unknown)  # so that nothing is without a row
            rows.extend(map(place, features, repeat(unknown)))
        if not rows:
            return np.zeros((0, self.weights.shape[1]))
        return np.asarray(np.add.reduceat(self._padded.take(rows, axis=0), starts, axis=0))


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities from scores, row by row."""
    import numpy as np

    made = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(made / made.sum(axis=1, keepdims=True), dtype=np.float64)


def read_weights(folder: Path, columns: str, others: tuple[str, ...] = ()) -> tuple[Weights, dict[str, bytes]]:
    """The weights in ``folder`` and the bytes of the ``others`` beside them; ``columns`` is their key in the meta.

    A ``ModelError`` when a file is missing or is not what ``meta.json`` says it is.
    """
    meta = _meta(folder, columns)
    found = {name: _bytes(folder, name) for name in (FEATURES, WEIGHTS, *others)}
    for name, data in found.items():
        if hashlib.sha256(data).hexdigest() != meta["sha256"].get(name):
            raise ModelError(f"{folder / name} is damaged or of another version: {REMEDY}")
    try:
        names = found[FEATURES].decode("utf-8").split("\n")[:-1]
        weights = _array(found[WEIGHTS])
    except ValueError as error:
        raise ModelError(f"{folder}: {error}: {REMEDY}") from error
    if weights.shape != (len(names), len(meta[columns])):
        raise ModelError(f"{folder / WEIGHTS} does not fit {FEATURES}: {REMEDY}")
    return Weights({name: i for i, name in enumerate(names)}, weights, meta), {name: found[name] for name in others}


def write_weights(
    folder: Path, names: list[str], weights: NDArray[np.floating[Any]], about: Mapping[str, Any],
    others: Mapping[str, bytes] | None = None,
) -> None:  # fmt: skip
    """Write what ``read_weights`` reads; ``about`` goes into ``meta.json``."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    buffer = BytesIO()
    np.savez_compressed(buffer, weights=np.asarray(weights, dtype=np.float16))
    files = {FEATURES: "".join(f"{name}\n" for name in names).encode(), WEIGHTS: buffer.getvalue(), **(others or {})}
    meta = {"sha256": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}, **about}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / META).write_text(json.dumps(meta, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _meta(folder: Path, columns: str) -> dict[str, Any]:
    """What ``meta.json`` says, its parts of the right kinds."""
    text = _bytes(folder, META)
    try:
        meta = json.loads(text)
        meta[columns], meta["sha256"] = [str(x) for x in meta[columns]], dict(meta["sha256"])
        if meta.setdefault("temperature", 1.0) <= 0:
            raise ValueError("the temperature is not above 0")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{folder / META} is damaged ({type(error).__name__}): {REMEDY}") from error
    return dict(meta)


def _array(data: bytes) -> NDArray[np.float32]:
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
