"""How many earlier papers hold a phrase: what many have written is nobody's new name.

``phrases.npz`` keeps, for phrases of one to five words that at least two abstracts of the years before hold, the CRC-32
of the folded phrase (sorted, ``keys``) and the class of its document frequency (``classes``, an index into
``CLASSES``). Two phrases may share a key; at 200,000 of 4 billion keys that is one look-up in 20,000.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from typing import TYPE_CHECKING

from extractor.errors import ModelError
from extractor.model import HERE, REMEDY

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

FILE = "phrases.npz"
LONGEST = 5  # words
LEAST = 2  # abstracts
# Lower bounds of the classes of document frequency; below the first a phrase is new.
CLASSES = (2, 3, 6, 15, 50, 200)
NEW = "0"
WORD = re.compile(r"[^\W_]+")


def fold(phrase: str) -> str:
    """``phrase`` in lower case, its words parted by single spaces, the last one in the singular."""
    words = [word.lower() for word in WORD.findall(phrase)]
    if words:
        words[-1] = singular(words[-1])
    return " ".join(words)


def singular(word: str) -> str:
    """``word`` without a plural s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def number(folded: str) -> int:
    """The key of a folded phrase."""
    return zlib.crc32(folded.encode("utf-8"))


def frequencies(phrases: Iterable[str]) -> list[str]:
    """The class of each phrase: ``0`` for a new one, else the lower bound of its class."""
    import numpy as np

    keys, classes = _table()
    asked = np.array([number(fold(phrase)) for phrase in phrases], dtype=np.uint32)
    if not asked.size:
        return []
    places = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    known = keys[places] == asked
    return [str(CLASSES[classes[p]]) if k else NEW for p, k in zip(places.tolist(), known.tolist(), strict=True)]


@cache
def _table(folder: Path = HERE) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    import numpy as np

    try:
        with np.load(folder / FILE, allow_pickle=False) as arrays:
            return arrays["keys"], arrays["classes"]
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{folder / FILE} is missing or damaged: {REMEDY}") from error
