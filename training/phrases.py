"""Count in how many abstracts each phrase stands, and write ``extractor/model/phrases.npz``.

    python training/phrases.py ABSTRACTS.jsonl... [--leave-out TEXT] [--out FILE]

``--leave-out`` skips papers whose ``venue`` holds TEXT: what a paper of the year itself writes must not make its own
name known. Phrases neither begin nor end with a function word. The model has to be trained anew after it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from extractor.model import HERE, PHRASES
from extractor.model.phrases import CLASSES, LEAST, LONGEST, WORD, Phrases, number, singular, write
from extractor.record_files import read_objects

FUNCTION = frozenset(
    "a an the of in on for to and or with by as at from that which this these those is are was were be been we our it"
    " its their they can has have not also than into via such using while when where how what both between over under"
    " more most other each all any if but no only".split()
)


def phrases(text: str) -> Iterator[str]:
    """The folded phrases of ``text``."""
    words = [word.lower() for word in WORD.findall(text)]
    for start, first in enumerate(words):
        if first in FUNCTION:
            continue
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            if words[end - 1] not in FUNCTION:
                yield " ".join([*words[start : end - 1], singular(words[end - 1])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--leave-out", default=None)
    parser.add_argument("--out", type=Path, default=HERE / PHRASES)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    papers = 0
    for path in given.paths:
        for row in read_objects(path):
            if given.leave_out is None or given.leave_out not in str(row.get("venue")):
                counts.update(set(phrases(row["text"])))
                papers += 1
    kept = {number(phrase): count for phrase, count in counts.items() if count >= LEAST}
    keys = np.array(sorted(kept), dtype=np.uint32)
    classes = np.searchsorted(CLASSES, [kept[int(key)] for key in keys], side="right") - 1
    given.out.write_bytes(write(Phrases(keys, classes.astype(np.uint8))))
    print(f"{len(keys):,} phrases of {papers:,} abstracts: {given.out}, {given.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
