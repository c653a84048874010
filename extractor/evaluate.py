"""Precision, recall and F1 of records against annotations, and the list of what is missed, spurious or wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from extractor.matching import (
    all_names,
    flat,
    same_names,
    same_number,
    same_phrase,
    same_unit,
    same_url,
)

Entry = Mapping[str, Any]
Pairs = list[tuple[Any, Any]]

FIELDS = ("methods_proposed", "methods", "datasets", "claims", "sizes", "records", "links")
# An abstract is perfect when these hold nothing missed and nothing spurious.
WHOLE = ("methods_proposed", "datasets", "records", "links")
EMPTY: Entry = {"methods": [], "datasets": [], "results": [], "links": [], "code_status": "none"}


@dataclass(slots=True)
class Count:
    """How many values were found rightly, how many there are, and how many were found."""

    right: int = 0
    gold: int = 0
    found: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(slots=True)
class Rate:
    """How many of the values that were compared agree."""

    right: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else 1.0


@dataclass(slots=True, frozen=True)
class Miss:
    """One disagreement: ``what`` is missed, spurious or wrong."""

    id: str
    field: str
    what: str
    message: str


@dataclass(slots=True)
class Evaluation:
    """The figures of all abstracts together."""

    counts: dict[str, Count] = field(default_factory=lambda: {name: Count() for name in FIELDS})
    rates: dict[str, Rate] = field(default_factory=dict)
    misses: list[Miss] = field(default_factory=list)
    abstracts: int = 0
    missing: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Every figure by name, for JSON."""
        made: dict[str, Any] = {
            name: {"precision": count.precision, "recall": count.recall, "f1": count.f1}
            for name, count in self.counts.items()
        }
        made |= {name: rate.share for name, rate in sorted(self.rates.items())}
        return made | {"abstracts": self.abstracts, "missing": self.missing}


def evaluate(gold: Iterable[Entry], records: Mapping[str, Entry], texts: Mapping[str, str] | None = None) -> Evaluation:
    """Compare annotations with records (as dicts, by id).

    An annotation may be a record itself, such as one that was corrected: its numbers stand where their spans say.
    ``texts`` holds the abstracts as received, by id; without it they are taken from the records. An annotated
    abstract without a record counts as one in which nothing was found.
    """
    made = Evaluation()
    for annotation in gold:
        id = str(annotation["id"])
        record = records.get(id)
        made.abstracts += 1
        made.missing += record is None
        found = {**EMPTY, **(record or {})}
        text = texts.get(id) if texts is not None else None
        _Comparison(made, id, text if text is not None else str(found.get("abstract") or "")).run(annotation, found)
    return made


@dataclass(slots=True, frozen=True)
class Judged:
    """A value found, with its confidence, and whether the annotation says the same: name and role, or the number."""

    group: str
    confidence: float
    right: bool


def judged(gold: Entry, found: Entry, text: str) -> list[Judged]:
    """Every method, dataset and result of one record against the annotation of its abstract."""
    made = []
    for group in ("methods", "datasets"):
        right = {id(other) for one, other in pair_by_name(gold[group], found[group]) if one["role"] == other["role"]}
        made += [Judged(group, entry["confidence"], id(entry) in right) for entry in found[group]]
    pairs = pair_results(gold["results"], found["results"], text)
    right = {id(other) for one, other in pairs if all(_told_alike(one, other).values())}
    return made + [Judged("results", entry["confidence"], id(entry) in right) for entry in found["results"]]


def _told_alike(one: Entry, other: Entry) -> dict[str, bool]:
    """Whether kind, qualifier and metric of a number agree."""
    return {
        "kind": one["kind"] == other["kind"],
        "qualifier": one["qualifier"] == other.get("qualifier", "exact"),
        "metric": same_phrase(one["metric"], other.get("metric")),
    }


class _Comparison:
    """One abstract's annotation against its record; adds to ``made``."""

    def __init__(self, made: Evaluation, id: str, text: str) -> None:
        self.made = made
        self.id = id
        self.text = text
        self.flawed: set[str] = set()

    def run(self, gold: Entry, found: Entry) -> None:
        ours, theirs = ([m for m in side["methods"] if m["role"] == "proposed"] for side in (gold, found))
        self.count("methods_proposed", ours, theirs, pair_by_name(ours, theirs), _show_name)
        for group, attribute in (("methods", "method"), ("datasets", "dataset")):
            pairs = pair_by_name(gold[group], found[group])
            self.count(group, gold[group], found[group], pairs, _show_name)
            for one, other in pairs:
                self.rate(f"{attribute}.role", one["role"] == other["role"])
                if one.get("full_name"):
                    self.rate(f"{attribute}.full_name", flat(one["full_name"]) == flat(other.get("full_name")))
        self.results(gold["results"], found["results"])
        pairs = [(g, f) for g in gold["links"] for f in found["links"] if same_url(g["url"], f["url"])]
        self.count("links", gold["links"], found["links"], pairs, lambda link: f"{link['url']} {link['kind']}")
        for one, other in pairs:
            self.rate("link.kind", one["kind"] == other["kind"])
        status, got = gold["code_status"], found.get("code_status")
        if not self.rate("code_status", status == got):
            self.wrong("code_status", f"gold {status}, got {got}")
        self.rate("abstract.perfect", not self.flawed & set(WHOLE))

    def results(self, gold: list[Entry], found: list[Entry]) -> None:
        for name, sizes in (("claims", False), ("sizes", True)):
            some, others = ([r for r in side if (r["kind"] == "size") == sizes] for side in (gold, found))
            self.count(name, some, others, pair_results(some, others, self.text), self._show_result)
        pairs = pair_results(gold, found, self.text)
        whole = [pair for pair in pairs if self.attributes(*pair)]
        self.count("records", gold, found, whole, self._show_result, list_misses=False)

    def attributes(self, one: Entry, other: Entry) -> bool:
        """Whether all that is asked of a number agrees; each part is counted."""
        agree = {
            **_told_alike(one, other),
            # Whether the size of a dataset names the dataset is left open by the annotation rules.
            "datasets": one["kind"] == "size" or same_names(one["datasets"], other.get("datasets")),
        }
        for name, right in agree.items():
            if not self.rate(f"result.{name}", right):
                said = f"{_quote(one, self.text)!r}: gold {one[name]!r}, got {other.get(name)!r}"
                self.wrong(f"result.{name}", said)
        for name in ("subject", "baseline"):
            if one.get(name) or other.get(name):
                self.rate(f"result.{name}", same_phrase(one.get(name), other.get(name)))
        return all(agree.values())

    def count(
        self, name: str, gold: list[Entry], found: list[Entry], pairs: Pairs, show: Callable[[Entry], str],
        list_misses: bool = True,
    ) -> None:  # fmt: skip
        total = self.made.counts[name]
        total.right += len(pairs)
        total.gold += len(gold)
        total.found += len(found)
        if not len(pairs) == len(gold) == len(found):
            self.flawed.add(name)
        if not list_misses:
            return
        for side, what, at in ((gold, "missed", 0), (found, "spurious", 1)):
            paired = {id(pair[at]) for pair in pairs}
            for entry in side:
                if id(entry) not in paired:
                    self.made.misses.append(Miss(self.id, name, what, show(entry)))

    def rate(self, name: str, right: bool) -> bool:
        made = self.made.rates.setdefault(name, Rate())
        made.right += right
        made.total += 1
        return right

    def wrong(self, name: str, message: str) -> None:
        self.made.misses.append(Miss(self.id, name, "wrong", message))

    def _show_result(self, result: Entry) -> str:
        return f"{_quote(result, self.text)!r} {result['kind']} {result.get('metric')!r}"


def pair_results(gold: list[Entry], found: list[Entry], text: str) -> Pairs:
    """Numbers that stand in the same place of ``text`` and are the same; of several, the one that agrees in most."""
    pairs, free = [], list(found)
    for one in gold:
        field, start, end = _place(one, text)
        fitting = [
            other
            for other in free
            if other["span"].get("field", "abstract") == field
            and other["span"]["start"] < end
            and start < other["span"]["end"]
            and same_number(one["value"], other["value"])
            and same_number(one["high"], other.get("high"))
            and same_unit(one["unit"], other.get("unit"))
        ]
        if fitting:
            best = max(fitting, key=lambda f: (same_phrase(one["metric"], f.get("metric")), one["kind"] == f["kind"]))
            free = [other for other in free if other is not best]
            pairs.append((one, best))
    return pairs


def _place(result: Entry, text: str) -> tuple[str, int, int]:
    """Where a number stands: (field, start, end), from its quote in ``text`` or, as records have it, from its span."""
    if "quote" in result:
        start = quoted_at(result, text)
        return "abstract", start, start + len(result["quote"])
    span = result["span"]
    return span.get("field", "abstract"), span["start"], span["end"]


def _quote(result: Entry, text: str) -> str:
    """A number as it stands in the text."""
    span = result.get("span") or {}
    return str(result.get("quote") or span.get("text") or text[span.get("start", 0) : span.get("end", 0)])


def quoted_at(annotation: Entry, text: str) -> int:
    """Where the annotated occurrence of the quote begins."""
    at = -1
    for _ in range(annotation["nth"]):
        at = text.find(annotation["quote"], at + 1)
    return at


def pair_by_name(gold: list[Entry], found: list[Entry]) -> Pairs:
    """Each entry with at most one of the other side: those of one short name first, then those that share any name."""
    pairs: Pairs = []
    rest, free = list(gold), list(found)
    for same in (_same_short_name, _share_a_name):
        left = []
        for one in rest:
            match = next((other for other in free if same(one, other)), None)
            if match is None:
                left.append(one)
                continue
            pairs.append((one, match))
            free = [other for other in free if other is not match]
        rest = left
    return pairs


def _same_short_name(one: Entry, other: Entry) -> bool:
    return flat(one["name"]) == flat(other["name"])


def _share_a_name(one: Entry, other: Entry) -> bool:
    return bool(all_names(one) & all_names(other))


def _show_name(entry: Entry) -> str:
    return f"{entry['name']} [{entry['role']}]"
