"""How many earlier papers hold a phrase: what many have written is nobody's new name.

``phrases.npz`` keeps, for phrases of one to five words that at least two abstracts of the years before hold, the CRC-32
of the folded phrase (sorted, ``keys``) and the class of its document frequency (``classes``, an index into
``CLASSES``). Two phrases may share a key; at 200,000 of 4 billion keys that is one look-up in 20,000.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import BadZipFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

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


@dataclass(frozen=True)
class Phrases:
    """The table: sorted keys, and the class of each."""

    keys: NDArray[np.uint32]
    classes: NDArray[np.uint8]

    def frequencies(self, phrases: Iterable[str]) -> list[str]:
        """The class of each phrase: ``0`` for a new one, else the lower bound of its class."""
        import numpy as np

        asked = np.array([number(fold(phrase)) for phrase in phrases], dtype=np.uint32)
        if not asked.size:
            return []
        places = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        known = self.keys[places] == asked
        return [
            str(CLASSES[self.classes[p]]) if k else NEW for p, k in zip(places.tolist(), known.tolist(), strict=True)
        ]


def read(data: bytes) -> Phrases:
    """The table in the bytes of ``phrases.npz``; ValueError when they are anything else."""
    import numpy as np

    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            made = Phrases(arrays["keys"], arrays["classes"])
    except (OSError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as error:
        raise ValueError(f"no table of phrases: {error}") from error
    if made.keys.shape != made.classes.shape or not made.keys.size or made.classes.max() >= len(CLASSES):
        raise ValueError("no table of phrases: its two arrays do not fit")
    return made


def write(phrases: Phrases) -> bytes:
    """What ``read`` reads."""
    import numpy as np

    buffer = BytesIO()
    np.savez_compressed(buffer, keys=phrases.keys, classes=phrases.classes)
    return buffer.getvalue()
