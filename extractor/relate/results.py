"""Decide which numbers are results, and put together what each belongs to.

One sentence at a time: its numbers are classified (``classify.py``), claims are read (``reading.py``), lists share
what they leave out (``lists.py``), and names are tied on (``ties.py``, ``subjects.py``). That is what the rules say;
rules and model together (``choose.py``) have the last word on the phrases and datasets.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from extractor.mentions import Findings, NumberMention, ResultFound
from extractor.model.choices import ChoiceModel
from extractor.relate import dataset_features, lists, subjects, ties
from extractor.relate.choose import Question, choose_datasets, choose_phrases
from extractor.relate.classify import classify, settings
from extractor.relate.clause import Word, is_word, read, said
from extractor.relate.confidence import confidence
from extractor.relate.owners import in_turn, named, owner, specific, together
from extractor.relate.scene import Draft, Scene
from extractor.relate.view import Reading


def relate_results(
    text: str, found: Findings, model: ChoiceModel | None = None, asked: list[Question] | None = None
) -> None:
    """Fill ``found.results`` from numbers, metrics, methods and datasets, in the order of the text.

    Without ``model`` the rules decide alone; ``asked``, when given, receives every question put to the model.
    """
    before: dataset_features.Earlier | None = None
    for scene, drafts in drafts_of(text, found):
        if model is not None:
            choose_phrases(scene, drafts, model, asked)
            before = _datasets(scene, drafts, before, model, asked)
        found.results.extend(_finished(scene, drafts))


def drafts_of(text: str, found: Findings) -> Iterator[tuple[Scene, list[Draft]]]:
    """What the rules make of the results of each sentence that has any."""
    starts = [s for s, _ in found.sentences]
    by_sentence: dict[int, list[NumberMention]] = {}
    mentions = sorted(
        [m for d in found.datasets for m in d.mentions] + [m for method in found.methods for m in method.mentions]
    )
    longest = max((e - s for s, e in mentions), default=0)
    names = subjects.Names.of(found)

    def near(start: int, end: int) -> Sequence[tuple[int, int]]:
        """The names that reach into ``start:end``, and few others."""
        return mentions[bisect_left(mentions, (start - longest, 0)) : bisect_left(mentions, (end, 0))]

    for number in found.numbers:
        index = bisect_right(starts, number.start) - 1
        if index >= 0 and not _inside_name(number, near(number.start, number.end)):
            by_sentence.setdefault(index, []).append(number)
    for index, numbers in by_sentence.items():
        start, end = found.sentences[index]
        words = read(text, start, end, numbers, near(start, end))
        readings = _readings(text, words)
        if readings:
            scene = Scene(text, words, found, (start, end), names)
            yield scene, _drafts(scene, readings)


def _inside_name(number: NumberMention, names: Sequence[tuple[int, int]]) -> bool:
    return any(s < number.end and number.start < e and (s < number.start or number.end < e) for s, e in names)


def _readings(text: str, sentence: Sequence[Word]) -> dict[int, Reading]:
    """The numbers of a sentence that are results, by their words, and how each is read."""
    readings: dict[int, Reading] = {}
    for k, word in enumerate(sentence):
        reading = None if word.number is None else classify(text, sentence, k)
        if reading is not None:
            readings[k] = reading
    lists.share(sentence, list(readings), readings)
    for k, reading in readings.items():
        _finish(text, sentence, k, reading)
    return readings


def _drafts(scene: Scene, readings: dict[int, Reading]) -> list[Draft]:
    """The results of a sentence with what the rules tie to them."""
    text, words, found = scene.text, scene.words, scene.found
    claims = [k for k, reading in readings.items() if reading.kind != "size"]
    tied = ties.dataset_ties(words, claims, found, *scene.extent)
    drafts = []
    for k, reading in readings.items():
        number = words[k].number
        assert number is not None
        stands = subjects.grammar(words, k, scene.names)
        shown = subjects.subject(text, words, k, scene.names, reading.kind, stands)
        draft = Draft(k, number, reading, stands, shown)
        if reading.kind in ("score", "loss") and (turn := in_turn(scene, k)):
            draft.subject, draft.in_turn = turn, True
        if reading.kind not in ("size", "score"):
            draft.baseline = ties.baseline(words, k, reading.kind)
            draft.paired = bool(ties.paired_rival(words, k))
        if reading.kind != "size":
            draft.datasets = tied.get(k, [])
        if not draft.datasets and reading.kind == "score":
            draft.datasets = ties.benchmark(found, scene.extent)
        drafts.append(draft)
    return drafts


def _datasets(
    scene: Scene, drafts: Sequence[Draft], before: dataset_features.Earlier | None, model: ChoiceModel,
    asked: list[Question] | None,
) -> dataset_features.Earlier | None:  # fmt: skip
    """Choose the datasets of the claims of a sentence; returns the last of them for the next sentence."""
    claims = [draft for draft in drafts if draft.kind != "size"]
    if not claims or not scene.found.datasets:
        return before
    reader = dataset_features.Reader(scene, [draft.at for draft in claims])
    if before is not None:
        before.same = False
    for draft in claims:
        choose_datasets(reader, draft, before, model, asked)
        before = dataset_features.Earlier(draft, tuple(sorted(draft.datasets)), True)
    return before


def _finished(scene: Scene, drafts: Sequence[Draft]) -> list[ResultFound]:
    start, end = scene.extent
    for draft in drafts:
        draft.subject, draft.baseline = specific(scene, together(scene, draft)), specific(scene, draft.baseline)
    results = [
        ResultFound(
            number=draft.number, kind=draft.kind, metric=said(scene.text, draft.reading.metric),
            subject=said(scene.text, draft.subject), baseline=said(scene.text, draft.baseline),
            datasets=draft.datasets, method=owner(scene, draft),
            baseline_method=named(draft.baseline, scene.found.methods),
            # a unit on the next line may stand in the next sentence
            sentence=(start, max(end, draft.number.end)), rule=draft.reading.rule, confidence=0.0,
            sure=draft.sure,
        )
        for draft in drafts
    ]  # fmt: skip
    for result in results:
        result.confidence = confidence(result, len(results))
    return results


def _finish(text: str, sentence: Sequence[Word], at: int, reading: Reading) -> None:
    """Units and qualifiers that only the reading of the sentence can tell."""
    number = sentence[at].number
    assert number is not None
    if number.qualifier == "exact" and reading.adjective and reading.kind != "size":
        number.qualifier = reading.adjective
    if (
        reading.kind == "size"
        and number.qualifier == "over"
        and number.form == "plain"
        and _scope_over(text, sentence, at)
    ):
        number.qualifier = "exact"
    if (
        number.form in ("percent", "plain")
        and reading.kind in ("gain", "loss", "reduction")
        and _absolute(sentence, at)
    ):
        number.unit, number.form = "points", "points"


def _absolute(sentence: Sequence[Word], at: int) -> bool:
    """Whether a percent is one of points: "absolute gains of 18%", "a 7% absolute gain"."""
    around = [w.low for w in (*sentence[max(0, at - 6) : at], *sentence[at + 1 : at + 3])]
    return "absolute" in around


def _scope_over(text: str, sentence: Sequence[Word], at: int) -> bool:
    """Whether "over" tells a scope ("evaluated over 12 tasks") rather than "more than"."""
    number = sentence[at].number
    assert number is not None
    if text[number.lead : number.start].strip().lower() != "over" or number.value >= 1000:
        return False
    k = at
    while k > 0 and sentence[k - 1].start >= number.lead:
        k -= 1
    return k > 0 and is_word(sentence[k - 1]) and sentence[k - 1].low not in settings()["more_than_after"]
