"""The phrases of a sentence that may be a metric, a subject or a baseline.

Noun phrases as they stand, without describing words, without the names in them, cut at verbs and adverbs, their names,
metrics and last words alone, and two neighbours joined by "of", "and" and the like. Of two ways to the same words the
first counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extractor.relate.clause import Word, determiners, vocabulary
from extractor.relate.scene import Scene, Span
from extractor.relate.view import CHANGE, known

JOINERS = frozenset(["of", "for", "with", "as", "and", "/"])
LONGEST = 10  # words from the first of one phrase to the last of the one joined to it


def phrases(scene: Scene) -> dict[Span, str]:
    """Phrase → how it was cut out, in the order in which they were found."""
    made: dict[Span, str] = {}
    for start, end, how in _cut(scene):
        # an adverb is no part of what is named
        while start < end and scene.words[start].low.endswith("ly") and not scene.roles[start]:
            start += 1
        if start < end:
            made.setdefault((start, end), how)
    return made


def _cut(scene: Scene) -> Iterator[tuple[int, int, str]]:
    chunks = list(_chunks(scene))
    for start, end in chunks:
        yield start, end, "whole"
        yield from _parts(scene, start, end)
        yield from _trimmed(scene, start, end)
        yield from _names(scene.words, start, end)
        if end - start > 1:
            yield end - 1, end, "head"
            yield from _metric(scene.words, start, end)
    yield from _joined(scene.words, chunks)


def _chunks(scene: Scene) -> Iterator[Span]:
    """The longest runs of words that no number, sign or function word ends."""
    k, count = 0, len(scene.words)
    while k < count:
        if scene.stops[k]:
            k += 1
            continue
        start = k
        while k < count and not scene.stops[k]:
            k += 1
        yield start, k


def _parts(scene: Scene, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """ "contextual information | greatly | affects | task success"."""
    first = start
    for k in range(start, end):
        low = scene.words[k].low
        if low.endswith("ly") or (scene.cues[k] and low.endswith(("s", "ed", "ing"))):
            if k > first:
                yield first, k, "part"
            first = k + 1
    if start < first < end:
        yield first, end, "part"


def _trimmed(scene: Scene, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    words, describing = scene.words, vocabulary("describing")
    first, last = start, end
    while first < last and (words[first].low in describing or words[first].named):
        first += 1
    while last > first:
        word = words[last - 1]
        if word.low not in describing and not word.named and scene.cues[last - 1] not in CHANGE:
            break
        last -= 1
    yield first, last, "trimmed"
    last = end
    while last > start and scene.cues[last - 1] in CHANGE:
        last -= 1
    if start < last < end:
        yield start, last, "without change"


def _names(words: Sequence[Word], start: int, end: int) -> Iterator[tuple[int, int, str]]:
    k = start
    while k < end:
        if not words[k].named:
            k += 1
            continue
        first = k
        while k < end and words[k].named:
            k += 1
        yield first, k, "name"
        if start < first and k < end:
            yield first, end, "from name"


def _metric(words: Sequence[Word], start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The phrase up to its last metric, and that metric's word alone."""
    for last in range(end, start, -1):
        if known(words[last - 1 : last]):
            if last != end:
                yield start, last, "to metric"
            yield last - 1, last, "metric"
            return


def _joined(words: Sequence[Word], chunks: Sequence[Span]) -> Iterator[tuple[int, int, str]]:
    """ "rates | of | harmful responses"."""
    ends = dict(chunks)
    for start, end in chunks:
        if end == len(words) or words[end].low not in JOINERS:
            continue
        if words[end].low == "of" and words[end - 1].low in vocabulary("light_heads"):
            continue  # "the number of visual tokens" is measured in visual tokens
        k = end + 1
        while k < len(words) and words[k].low in determiners():
            k += 1
        if k in ends and ends[k] - start < LONGEST:
            yield start, ends[k], words[end].low
