"""Which method of the record a number belongs to, and which one it is compared with."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from extractor import Extractor
from extractor.matching import flat
from extractor.mentions import MethodName, findings
from extractor.pipeline import Received
from extractor.record_files import read_objects
from extractor.records import PaperRecord
from extractor.relate.clause import Word, said
from extractor.relate.owners import named, owner, specific
from extractor.relate.results import drafts_of
from extractor.relate.scene import Draft, Scene

ANNOTATED = Path(__file__).resolve().parents[1] / "fixtures" / "annotated"
TEXTS = [json.loads(line)["text"] for line in (ANNOTATED / "texts.jsonl").read_text("utf-8").splitlines()]


def owners(record: PaperRecord) -> list[tuple[str, str | None, str | None]]:
    return [(result.span.text, result.method, result.baseline_method) for result in record.results]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "We propose Fernroute, a router for sparse experts. It improves accuracy by 3.4% on ImageNet.",
            [("3.4%", "Fernroute", None)],
        ),
        (
            "We propose Fernroute and Mossroute, two routers. Fernroute improves accuracy by 3.4%. Mossroute reduces "
            "latency by 21%.",
            [("3.4%", "Fernroute", None), ("21%", "Mossroute", None)],
        ),
        (
            "We propose Fernroute. It outperforms LoRA by 2.8 points. GPT-4o achieves only 23.4% accuracy.",
            [("2.8 points", "Fernroute", "LoRA"), ("23.4%", "GPT-4o", None)],
        ),
        (
            "We propose Fernroute, trained on 12,000 images. We evaluate Fernroute on 14 tasks. Fernroute has 3.2M "
            "parameters and needs 6 GB of memory.",
            [("12,000", None, None), ("14", None, None), ("3.2M", "Fernroute", None), ("6 GB", "Fernroute", None)],
        ),
        (
            "We propose Fernroute. The best model (GPT-4o) achieves only 23.4% accuracy.",
            [("23.4%", "GPT-4o", None)],
        ),
        (
            "We propose Fernroute, which outperforms the strongest baseline, LoRA, by 2.8 points.",
            [("2.8 points", "Fernroute", "LoRA")],
        ),
        (
            "We propose Fernroute, which outperforms strong baselines such as LoRA and DoRA by 2.8 points.",
            [("2.8 points", "Fernroute", None)],
        ),
        (
            "We introduce PondBench, 3,250 questions on ponds. The best model solves 34.6% of them.",
            [("3,250", None, None), ("34.6%", None, None)],
        ),
    ],
    ids=["one", "several", "others", "counts", "group", "group against", "groups against", "no method"],
)
def test_the_methods_of_the_numbers(
    extractor: Extractor, text: str, wanted: list[tuple[str, str | None, str | None]]
) -> None:
    assert owners(extractor.extract(text)) == wanted


# --- each rule by itself


def sentence(rules: Extractor, text: str, roles: dict[str, str] | None = None) -> tuple[Scene, list[Draft]]:
    """The sentence with numbers of ``text``, as the rules see it; ``roles`` are those of its methods."""
    received = Received.of(text, None)
    found = findings(rules.read(received))
    for method in found.methods:
        method.role = (roles or {}).get(method.name, method.role)
    assert set(roles or ()) <= {method.name for method in found.methods}
    (only,) = drafts_of(received.text, found)
    return only


def words(scene: Scene, phrase: str) -> list[Word]:
    start = scene.text.index(phrase)
    return [word for word in scene.words if start <= word.start < start + len(phrase)]


PROPOSED = {"LoRA": "proposed", "DoRA": "proposed"}


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("LoRA gains 3% accuracy.", "LoRA"),
        ("LoRA and DoRA gain 3% accuracy.", None),  # both before the number, each named once
        ("LoRA gains 3% accuracy, and DoRA loses.", "LoRA"),
        ("Accuracy improves by 3% with LoRA and DoRA.", None),
        ("LoRA is new. LoRA is fast. DoRA is slow. Accuracy improves by 3%.", "LoRA"),  # the one named more often
        ("LoRA is new. Accuracy improves by 3% over DoRA, over DoRA and DoRA.", "DoRA"),
    ],
)
def test_of_several_proposals_the_one_of_the_sentence(rules: Extractor, text: str, method: str | None) -> None:
    scene, (draft,) = sentence(rules, text, {name: "proposed" for name in PROPOSED if name in text})
    draft.subject = ()
    assert owner(scene, draft) == method


def test_without_a_proposal_the_papers_own_number_belongs_to_none(rules: Extractor) -> None:
    scene, (draft,) = sentence(rules, "LoRA gains 3% accuracy.", {"LoRA": "mentioned"})
    draft.subject = ()
    assert owner(scene, draft) is None


def test_the_number_of_another_belongs_to_what_its_subject_names(rules: Extractor) -> None:
    text = "LoRA gains 3% accuracy over DoRA and the best rival."
    scene, (draft,) = sentence(rules, text, {"LoRA": "proposed", "DoRA": "compared"})
    for subject, method in (("DoRA", "DoRA"), ("best rival", None), ("DoRA and the best rival", "DoRA"), ("", "LoRA")):
        draft.subject = words(scene, subject) if subject else ()
        assert owner(scene, draft) == method, subject


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("LoRA has 3M parameters.", "LoRA"),
        ("LoRA needs 6 GB of memory.", "LoRA"),
        ("LoRA takes 5 GPU hours.", "LoRA"),
        ("LoRA was trained on 12,000 images.", None),
        ("LoRA beats 14 models.", None),
        ("It has 3M parameters, unlike LoRA.", None),  # not named before it
    ],
)
def test_a_count_belongs_to_a_method_when_the_sentence_says_so(rules: Extractor, text: str, method: str | None) -> None:
    scene, (draft,) = sentence(rules, text, {"LoRA": "proposed"})
    assert draft.kind == "size"
    draft.subject = ()
    assert owner(scene, draft) == method


@pytest.mark.parametrize(
    ("text", "group", "stands"),
    [
        ("The best model (LoRA) gains 3% accuracy.", "best model", "LoRA"),
        ("The best model, LoRA, gains 3% accuracy.", "best model", "LoRA"),
        ("It gains 3% accuracy over the best model, LoRA.", "best model", "LoRA"),
        ("It beats the best model, LoRA, by 3%.", "best model", "LoRA"),
        ("It gains 3% accuracy over models like LoRA.", "models", "LoRA"),
        ("It gains 3% accuracy over models, e.g., LoRA.", "models", "LoRA"),
        ("It gains 3% accuracy over models such as LoRA and DoRA.", "models", "models"),
        ("It gains 3% accuracy over models such as LoRA, DoRA and GPT-4.", "models", "models"),
        ("Over prior models, LoRA also gains 3% accuracy.", "prior models", "prior models"),
        ("It gains 3% accuracy over the best model of LoRA.", "best model", "best model"),
        ("It gains 3% accuracy over LoRA (DoRA).", "LoRA", "LoRA"),
    ],
)
def test_a_group_that_names_one_method_stands_for_it(rules: Extractor, text: str, group: str, stands: str) -> None:
    scene, _ = sentence(rules, text)
    assert said(scene.text, specific(scene, words(scene, group))) == stands


def test_a_phrase_names_a_method_when_it_holds_only_one(rules: Extractor) -> None:
    scene, _ = sentence(rules, "The tuned LoRA model gains 3% accuracy over DoRA and another DoRA.")
    methods = scene.found.methods
    assert [method.name for method in methods] == ["LoRA", "DoRA"]
    for phrase, name in (
        ("tuned LoRA model", "LoRA"),
        ("LoRA model gains 3% accuracy over DoRA", None),
        ("DoRA and another DoRA", "DoRA"),
        ("accuracy over", None),
    ):
        assert named(words(scene, phrase), methods) == name, phrase
    assert named((), methods) is None and named(words(scene, "LoRA"), list[MethodName]()) is None


# --- always a method of the record


def slips(record: PaperRecord) -> Iterator[tuple[str, Any]]:
    """What no record may say of its methods."""
    methods = {method.name: method for method in record.methods}
    for result in record.results:
        for name in (result.method, result.baseline_method):
            if name is not None and name not in methods:
                yield result.span.text, name
        if result.subject is None and result.method is not None and methods[result.method].role != "proposed":
            yield result.span.text, f"{result.method} is not proposed"
        for phrase, name in ((result.subject, result.method), (result.baseline, result.baseline_method)):
            if phrase is None or name is None:
                continue
            if not any(flat(mention.text) in flat(phrase) for mention in methods[name].mentions):
                yield result.span.text, f"{name} is not named by {phrase}"
        if result.baseline is None and result.baseline_method is not None:
            yield result.span.text, f"{result.baseline_method} without a baseline"


@pytest.mark.parametrize("model", [True, False], ids=["model", "rules"])
def test_invented_abstracts_name_methods_of_the_record(extractor: Extractor, rules: Extractor, model: bool) -> None:
    records = [(extractor if model else rules).extract(text) for text in TEXTS]
    assert [slip for record in records for slip in slips(record)] == []
    results = [result for record in records for result in record.results]
    assert sum(result.method is not None for result in results) > 0.4 * len(results)
    assert sum(result.baseline_method is not None for result in results) > 10


def test_real_abstracts_name_methods_of_the_record(extractor: Extractor, shared: Path) -> None:
    texts = [row["text"] for row in read_objects(str(shared / "corpus" / "abstracts.jsonl.gz"))]
    records = [extractor.extract(text) for text in random.Random(2026).sample(texts, 300)]
    assert [(record.id, slip) for record in records for slip in slips(record)] == []
    assert sum(result.method is not None for record in records for result in record.results) > 40
