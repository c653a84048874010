"""Find datasets, benchmarks and simulator suites in the plain text.

Known names come from the lexicon; unseen ones are recognised by the words around them and by their endings. Everything
said about a name anywhere in the text decides together whether it is a dataset and whether this paper introduces it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cache

from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.canonical import ambiguous, canonical, fold, listed
from extractor.find.datasets_context import HEADED, Sentence, sentences
from extractor.find.datasets_lexicon import key
from extractor.find.datasets_units import CONTEXT, KNOWN, PHRASE, SPELT, VARIANT, Unit, is_method, units
from extractor.find.sentences import sentence_at
from extractor.find.shapes import tokens
from extractor.mentions import DatasetName, Findings, findings, show, text_of
from extractor.rules import toml, words

# What the signs of a name must come to; a phrase of ordinary capitalised words needs more than an odd spelling.
ENOUGH = {VARIANT: 0.0, CONTEXT: 0.35, SPELT: 0.45, PHRASE: 0.6}


@Language.factory("extractor_datasets")
def create_datasets(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).datasets`` and ``doc.spans["datasets"]``."""
    return find_datasets


def find_datasets(doc: Doc) -> Doc:
    found = findings(doc)
    found.datasets = datasets(text_of(doc), found)
    show(doc, "datasets", [(s, e, d.role) for d in found.datasets for s, e in d.mentions])
    return doc


def datasets(text: str, found: Findings) -> list[DatasetName]:
    """The datasets named in ``text``, in the order of their first mention."""
    all_units = units(text, frozenset(s for s, _ in found.sentences))
    if found.links:
        shown = sorted((k.start, k.end) for k in found.links if not k.hidden)
        all_units = [u for u in all_units if not sentence_at(shown, u.start)]
    toks = tokens(text)
    at = 0
    for start, end, first, last in sentences(text, found.sentences, toks):
        inside = at
        while at < len(all_units) and all_units[at].start < end:
            at += 1
        if at > inside:
            Sentence(text, start, end, toks, first, last).read(all_units[inside:at])
    _abbreviated(text, found, all_units)
    by_name: dict[str, list[Unit]] = {}
    for unit in all_units:
        by_name.setdefault(key(unit.name), []).append(unit)
    found.pending.datasets = dict(by_name)
    kept = {k: d for k, d in ((k, _decide(same)) for k, same in by_name.items()) if d}
    _merge_long_forms(found, kept)
    _one_name_each(found, kept)
    return sorted(kept.values(), key=lambda d: d.mentions[0])


def _merge_long_forms(found: Findings, kept: dict[str, DatasetName]) -> None:
    """Make one dataset of a short form and the long form that defines it."""
    places = sorted((s, k) for k, d in kept.items() for s, _ in d.mentions)
    for a in found.abbreviations:
        short = kept.get(key(a.short))
        if not short:
            continue
        near = places[bisect_left(places, (a.long_start - 4, "")) : bisect_left(places, (a.long_end + 13, ""))]
        for k in dict.fromkeys(k for _, k in near):
            d = kept.get(k)
            if d is None or d is short:
                continue
            if d.rule.startswith("lexicon") and d.canonical != short.canonical and not ambiguous(short.name):
                continue
            if any(a.long_start - 4 <= s and e <= a.long_end + 12 for s, e in d.mentions):
                short.mentions = sorted({*short.mentions, *d.mentions})
                short.role = "introduced" if "introduced" in (short.role, d.role) else "used"
                del kept[k]


def _one_name_each(found: Findings, kept: dict[str, DatasetName]) -> None:
    """Give every dataset the canonical name that all of its text speaks for, and all spellings of one the same."""
    long_forms = {key(a.short): a.long for a in found.abbreviations}
    shared: dict[str, str] = {}
    for k, d in kept.items():
        d.canonical = canonical(d.name, long_forms.get(k), d.role == "introduced")
        if listed(d.name) is None:
            d.canonical = shared.setdefault(fold(d.name), d.canonical)


# A name that ends in a number of items: HQ-Poster-100K, VSI-590K.
SIZED = re.compile(r".*[A-Za-z][-_]?\d+(?:\.\d+)?[Kk]\+?")


@cache
def _endings() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = toml("dataset_cues")
    sure, all_ = ("|".join(map(re.escape, table[k])) for k in ("sure_suffixes", "suffixes"))
    tail = r"(?:[-\s]?[vV]?\d[\w.]*|-[A-Z]\w*|\+)?"
    return re.compile(rf"[\w-]*\w[\s-]?(?:{sure}){tail}"), re.compile(rf"[\w-]*\w[\s-]?(?:{all_}){tail}")


@cache
def _of_head() -> re.Pattern[str]:
    heads = "|".join(sorted(words(toml("dataset_cues")["heads"])))
    return re.compile(
        rf"(?:new|novel|first|our|an?)\s+(?:[\w-]+\s+){{0,3}}(?:{heads})\s+(?:of|for|on)\s+(?:the\s+)?$", re.IGNORECASE
    )


@cache
def _heads() -> frozenset[str]:
    table = toml("dataset_cues")
    return words(table["heads"]) | frozenset(["suite", "challenge", "repository", "gym", "arena", "exam", "collection"])


def _abbreviated(text: str, found: Findings, all_units: list[Unit]) -> None:
    """Tell from its long form whether a short form is a dataset: "… Benchmark (XB)", "a corpus of … (XC)"."""
    starts = [unit.start for unit in all_units]
    for a in found.abbreviations:
        last = a.long.rsplit(None, 1)[-1].rsplit("-", 1)[-1].lower()
        sign = (
            "long.head"
            if last in _heads() or _of_head().search(text, max(0, a.long_start - 80), a.long_start)
            else "long.other"
        )
        n = bisect_right(starts, a.short_start) - 1
        if n >= 0 and a.short_start < all_units[n].end:
            all_units[n].signs.append(sign)


def _decide(same: list[Unit]) -> DatasetName | None:
    """The dataset that the units of one name make, if they do."""
    first = same[0]
    signs = {s for u in same for s in u.signs}
    if first.kind != KNOWN or "introduce" in signs:
        sure, all_ = _endings()
        if sure.fullmatch(first.name):
            signs.add("suffix.sure")
            if "introduce" in signs and "is.other" not in signs:
                signs.add("introduce.head")
            signs.discard("long.other")
        elif SIZED.fullmatch(first.name):
            signs.add("sized")
            if "introduce" in signs and "is.other" not in signs and not is_method(first.name):
                signs.add("introduce.head")
        elif all_.fullmatch(first.name):
            signs.add("suffix")
        if is_method(first.name):
            signs.add("method")
    if first.kind == KNOWN:
        # A known name stands unless the text says that it names something else here.
        if {"introduce", "is.other"} <= signs and not signs & HEADED:
            return None  # "we propose NAME, a framework"
        short = first.name.isalpha() and len(first.name) < 7
        if short and "long.other" in signs and not signs & HEADED and not signs & {"evaluate.on", "number.on", "list"}:
            return None
    elif _score(signs) < ENOUGH[first.kind]:
        return None
    told = "is.head" in signs and first.kind != KNOWN and not signs & {"on", "evaluate.on", "number.on", "list"}
    introduced = (
        told or signs & {"introduce.head", "new.head"} or ("introduce" in signs and signs & {"long.head", "is.other"})
    )
    role = "introduced" if introduced else "used"
    rule = "lexicon.context" if first.kind == CONTEXT else first.rule or _rule(signs)
    return DatasetName(
        name=first.name,
        canonical=canonical(first.name),
        mentions=sorted({(u.start, u.end) for u in same}),
        rule=rule,
        role=role,
        confidence=_confidence()[rule],
    )


def _score(signs: set[str]) -> float:
    """How much the signs together speak for a dataset."""
    doubt, against = 1.0, 0.0
    for sign in sorted(signs):  # the order of a product of fractions matters in its last digit
        weight = _weights()[sign]
        if weight > 0:
            doubt *= 1 - weight
        against = min(against, weight)
    if signs & {"introduce.head", "head.comma"}:
        against *= 0.5
    return 1 - doubt + against


@cache
def _weights() -> dict[str, float]:
    table: dict[str, float] = toml("dataset_cues")["weights"]
    return table


@cache
def _confidence() -> dict[str, float]:
    table: dict[str, float] = toml("dataset_cues")["confidence"]
    return table


def _rule(signs: set[str]) -> str:
    """The sign that speaks loudest."""
    weights = _weights()
    best = max((s for s in signs if weights[s] > 0), key=lambda s: (weights[s], s), default="shape")
    return f"context.{best}"
