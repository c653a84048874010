"""Rules and model together on what a number belongs to: phrases, features, who gives way, and whole sentences."""

from __future__ import annotations

import json
import math
import random
import shutil
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from damage import change, remove, truncate
from record_samples import ABSTRACT
from typer.testing import CliRunner, Result

from extractor import Extractor
from extractor.cli.application import app
from extractor.errors import ModelError
from extractor.mentions import findings
from extractor.model import choices
from extractor.model.choices import FIELDS, ChoiceModel, load_choices
from extractor.model.weights import FEATURES, META, WEIGHTS
from extractor.pipeline import Received
from extractor.relate import dataset_features
from extractor.relate.choose import NONE, SURE, Question, choose_datasets, choose_phrases, describe
from extractor.relate.clause import Word, said
from extractor.relate.phrases import phrases
from extractor.relate.results import drafts_of
from extractor.relate.scene import Draft, Scene
from extractor.run import local

HERE = Path(__file__).resolve().parent
CASES = tomllib.loads((HERE / "cases" / "results_with_model.toml").read_text("utf-8"))["case"]
TEXTS = [
    json.loads(line)["text"]
    for line in (HERE.parent / "fixtures" / "annotated" / "texts.jsonl").read_text("utf-8").splitlines()
]
LEVEL = "Even GPT-4o achieves only 23.4% accuracy."  # the rules see its subject
FASTER = "It runs 2.7× faster than the dense baseline."  # and the baseline of this one
MEASURED = "Our router reaches 81.2% accuracy on CIFAR-10 and 64.0% recall."


def sentences(rules: Extractor, text: str) -> list[tuple[Scene, list[Draft]]]:
    """What the rules make of the sentences of ``text`` that have results."""
    received = Received.of(text, None)
    return list(drafts_of(received.text, findings(rules.read(received))))


def sentence(rules: Extractor, text: str) -> tuple[Scene, list[Draft]]:
    (only,) = sentences(rules, text)
    return only


def told(scene: Scene, words: Sequence[Word]) -> str | None:
    return said(scene.text, words)


def fake(**fields: dict[str, float]) -> ChoiceModel:
    """A model that knows these features alone, by field."""
    names = sorted({name for weights in fields.values() for name in weights})
    table = np.array([[fields.get(field, {}).get(name, 0.0) for field in FIELDS] for name in names])
    return ChoiceModel(
        {name: row for row, name in enumerate(names)}, table.astype(np.float32).reshape(-1, len(FIELDS)), {}
    )


def weight(probability: float, answers: int) -> float:
    """The weight that gives one of so many answers the probability, when the others have none."""
    return math.log(probability * (answers - 1) / (1 - probability))


# --- phrases


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (LEVEL, {"GPT-4o": "whole", "accuracy": "whole"}),
        (
            "It obtains 71.2% accuracy on three held-out domains.",
            {"accuracy": "whole", "three held-out domains": "whole", "domains": "head"},
        ),
        (
            "The scheduler reduces training time and memory by 13%.",
            {
                "scheduler": "whole", "training time": "whole", "time": "part", "memory": "whole",
                "training time and memory": "and",
            },
        ),
        (
            "Our router improves the rates of harmful replies of GPT-4o by 3%.",
            {
                "router": "whole", "rates": "whole", "harmful replies": "whole", "replies": "head", "GPT-4o": "whole",
                "rates of harmful replies": "of", "harmful replies of GPT-4o": "of",
            },
        ),
        (
            "Noise greatly affects the task success rate of strong frozen encoders by 3.1%.",
            {
                "Noise greatly affects": "whole", "Noise": "part", "affects": "part", "task success rate": "whole",
                "rate": "head", "strong frozen encoders": "whole", "frozen encoders": "trimmed", "encoders": "head",
                "task success rate of strong frozen encoders": "of",
            },
        ),
    ],
    ids=["plain", "on", "and", "of", "adverb"],
)  # fmt: skip
def test_the_phrases_of_a_sentence(rules: Extractor, text: str, cut: dict[str, str]) -> None:
    scene, _ = sentence(rules, text)
    assert {told(scene, scene.words[start:end]): how for (start, end), how in phrases(scene).items()} == cut


def test_phrases_hold_words_and_no_number(rules: Extractor) -> None:
    found = 0
    for scene, _ in (pair for text in TEXTS for pair in sentences(rules, text)):
        for start, end in phrases(scene):
            words = scene.words[start:end]
            assert words and all(word.number is None for word in words)
            assert not words[0].low.endswith("ly") or scene.roles[start]
            assert len(words) <= 10 or not any(w.low in (",", "and", "of") for w in words)
            found += 1
    assert found > 200


# --- features


def test_features_are_plain_strings_that_a_line_holds(rules: Extractor) -> None:
    odd = "A naïve*score&of 3%, a \u2028F1 re\u0301call\u00a0rate of 4% (×2) and “top‑1”\taccuracy of 5% on C4."
    seen: set[str] = set()
    for scene, drafts in (pair for text in [*TEXTS, odd] for pair in sentences(rules, text)):
        for draft in drafts:
            (first, of_none), *others = describe(scene, draft, None)
            assert first is None and all(feature.startswith(NONE) for feature in of_none)
            assert not any(feature.startswith(NONE) for _, features in others for feature in features)
            sets = dataset_features.Reader(scene, [draft.at]).sets(draft, None, False)
            seen.update(of_none, *(features for _, features in others), *sets.values())
    assert len(seen) > 1000
    assert {type(feature) for feature in seen} == {str}
    assert [feature for feature in seen if feature.splitlines() != [feature]] == []


def test_features_the_model_never_met_say_nothing() -> None:
    loaded = load_choices()
    known = list(loaded.index)[:20]
    sums = loaded.sums([["no such:feature"], [], known, [*known, "no such:feature"], ["no such", *reversed(known)]])
    assert (sums[0] == 0).all() and (sums[1] == 0).all()
    assert sums[2].any() and sums[3] == pytest.approx(sums[2]) and sums[4] == pytest.approx(sums[2])
    assert loaded.sums([]).shape == (0, len(FIELDS))


def test_the_rules_ask_for_features_that_the_model_knows(rules: Extractor) -> None:
    loaded = load_choices()
    asked = [
        feature
        for scene, drafts in (pair for text in TEXTS for pair in sentences(rules, text))
        for draft in drafts
        for _, features in describe(scene, draft, None)
        for feature in features
    ]
    assert sum(feature in loaded.index for feature in asked) > 0.9 * len(asked)


# --- who gives way


@pytest.mark.parametrize(("field", "text"), [("subject", LEVEL), ("baseline", FASTER)])
@pytest.mark.parametrize("sure", [False, True])
def test_what_the_rules_see_gives_way_only_to_a_sure_model(rules: Extractor, field: str, text: str, sure: bool) -> None:
    scene, (draft,) = sentence(rules, text)
    before = told(scene, draft.phrase(field))
    assert before is not None
    probability = SURE[field] + (0.01 if sure else -0.01)
    described = describe(scene, draft, None)
    model = fake(**{field: {NONE + "bias": weight(probability, len(described))}})
    asked: list[Question] = []
    choose_phrases(scene, [draft], model, asked)
    (question,) = (q for q in asked if q.field == field)
    best = question.options[0]
    assert best.said == "" and best.probability == pytest.approx(probability, abs=1e-3)
    assert told(scene, draft.phrase(field)) == (None if sure else before)


@pytest.mark.parametrize("field", ["subject", "baseline"])
def test_where_the_rules_see_nothing_the_model_need_not_be_sure(rules: Extractor, field: str) -> None:
    scene, drafts = sentence(rules, MEASURED)
    assert not drafts[0].phrase(field)
    choose_phrases(scene, drafts[:1], fake(**{field: {"word:router": 0.1}}), None)
    assert told(scene, drafts[0].phrase(field)) == "router"


def test_a_metric_gives_way_to_any_better_answer(rules: Extractor) -> None:
    scene, drafts = sentence(rules, MEASURED)
    assert told(scene, drafts[0].reading.metric) == "accuracy"
    choose_phrases(scene, drafts[:1], fake(metric={"word:recall": 0.1}), None)
    assert told(scene, drafts[0].reading.metric) == "recall"
    choose_phrases(scene, drafts[:1], fake(metric={NONE + "bias": 0.1}), None)
    assert told(scene, drafts[0].reading.metric) is None


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ("Our tracker outperforms prior work by more than 6 mIoU points.", ["mIoU"]),
        ("The scheduler reduces training time and memory by 13% and 16%, respectively.", ["training time", "memory"]),
        ("The suite holds 18 models.", ["models"]),
    ],
    ids=["inside the number", "aligned", "count"],
)
def test_some_metrics_stay_whatever_the_model_says(rules: Extractor, text: str, metrics: list[str]) -> None:
    scene, drafts = sentence(rules, text)
    choose_phrases(scene, drafts, fake(metric={NONE + "bias": 50.0}), None)
    assert [told(scene, draft.reading.metric) for draft in drafts] == metrics


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ("It obtains 71.2% and 58.0% accuracy on two held-out domains.", ["accuracy", "accuracy"]),
        ("It raises accuracy by 3.5% and to 71.2%.", [None, "accuracy"]),
        ("It improves accuracy by 2% and 1.3x.", [None, "accuracy"]),
        ("It reaches 71.2% accuracy and 58.0% recall on two domains.", [None, "recall"]),
    ],
    ids=["alike", "two kinds", "two forms", "two metrics"],
)
def test_neighbours_share_the_metric_that_the_rules_give_both(
    rules: Extractor, text: str, metrics: list[str | None]
) -> None:
    scene, drafts = sentence(rules, text)
    assert all(draft.reading.metric for draft in drafts)
    # It refuses the metric of the first number and takes that of the second.
    choose_phrases(scene, drafts, fake(metric={NONE + "first number": 50.0, "rules metric": 5.0}), None)
    assert [told(scene, draft.reading.metric) for draft in drafts] == metrics


@pytest.mark.parametrize("sure", [False, True])
def test_datasets_the_rules_see_give_way_only_to_a_sure_model(rules: Extractor, sure: bool) -> None:
    scene, drafts = sentence(rules, MEASURED)
    reader = dataset_features.Reader(scene, [draft.at for draft in drafts])
    assert drafts[0].datasets == ["CIFAR-10"]
    probability = SURE["datasets"] + (0.01 if sure else -0.01)
    refusing = weight(probability, len(reader.sets(drafts[0], None, False)))
    choose_datasets(reader, drafts[0], None, fake(datasets={"none kind:score": refusing}), None)
    assert drafts[0].datasets == ([] if sure else ["CIFAR-10"])


def test_where_the_rules_see_no_dataset_the_model_need_not_be_sure(rules: Extractor) -> None:
    scene, drafts = sentence(rules, MEASURED)
    reader = dataset_features.Reader(scene, [draft.at for draft in drafts])
    drafts[0].datasets = []
    choose_datasets(reader, drafts[0], None, fake(datasets={"single": 0.1}), None)
    assert drafts[0].datasets == ["CIFAR-10"]


# --- questions

ASKED = (
    "We propose Fernroute, a router for sparse experts. On ImageNet and CIFAR-100, Fernroute improves top-1 accuracy "
    "by 3.4% and 2.9% over SwitchNet, while GPT-4o achieves only 23.4% accuracy. It has 12M parameters."
)


def test_four_questions_are_asked_about_a_claim(extractor: Extractor) -> None:
    asked = extractor.questions(ASKED)
    fields: dict[str, list[str]] = {}
    for question in asked:
        fields.setdefault(ASKED[slice(*question.at)], []).append(question.field)
    assert fields == {
        **{number: list(FIELDS) for number in ("3.4%", "2.9%", "23.4%")},
        "12M": ["metric", "subject", "baseline"],
    }
    best = {(ASKED[slice(*question.at)], question.field): question.options[0].said for question in asked}
    assert best["3.4%", "metric"] == "top-1 accuracy" and best["3.4%", "baseline"] == "SwitchNet"
    assert best["23.4%", "subject"] == "GPT-4o"


def test_the_answers_have_probabilities_that_sum_to_one(extractor: Extractor) -> None:
    asked = [question for text in [*TEXTS, ASKED] for question in extractor.questions(text)]
    assert len(asked) > 150 and {question.field for question in asked} == set(FIELDS)
    for question in asked:
        probabilities = [option.probability for option in question.options]
        assert sum(probabilities) == pytest.approx(1)
        assert probabilities == sorted(probabilities, reverse=True) and probabilities[-1] >= 0
        assert "" in [option.said for option in question.options], "none of them is always an answer"


def test_reasons_are_sorted_and_add_up(extractor: Extractor) -> None:
    loaded = load_choices()
    for question in (question for text in [*TEXTS, ASKED] for question in extractor.questions(text)):
        few, every = question.reasons(loaded), question.reasons(loaded, 10**6)
        weights = [weight for _, weight in few]
        assert weights == sorted(weights, reverse=True)
        assert len(few) == min(6, len(every)) and set(few) <= set(every)
        least = min((abs(weight) for weight in weights), default=0.0)
        assert all(abs(weight) <= least for _, weight in set(every) - set(few))
        first, *rest = question.options[:2]
        if rest and all(len(option.features) == len(set(option.features)) for option in (first, *rest)):
            apart = math.log(first.probability / rest[0].probability)
            assert sum(weight for _, weight in every) == pytest.approx(apart, abs=1e-3)


def test_the_record_says_what_a_sure_model_answers(extractor: Extractor) -> None:
    compared = 0
    for text in [*TEXTS, ASKED]:
        received, record = Received.of(text, None), extractor.extract(text)
        results = {(result.span.start, result.span.end): result for result in record.results}
        for question in extractor.questions(text):
            _, *place = received.place(*question.at)
            result, best = results[place[0], place[1]], question.options[0]
            if question.field == "datasets" and best.probability >= SURE["datasets"]:
                assert ", ".join(sorted(result.datasets)) == best.said
                compared += 1
            if question.field in ("subject", "baseline") and not best.said and best.probability >= SURE[question.field]:
                assert getattr(result, question.field) is None
                compared += 1
    assert compared > 60


def test_without_the_model_nothing_is_asked(rules: Extractor) -> None:
    assert rules.questions(ASKED) == [] and rules.extract(ASKED).results


def test_a_text_without_numbers_asks_nothing(extractor: Extractor) -> None:
    assert extractor.questions("We propose Fernroute, a router for sparse experts.") == []


def test_why_names_the_answers_and_the_reasons(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(f"{ASKED}\n", "utf-8")
    lines = [line for line in call("explain", page, "--why").stdout.splitlines() if line.startswith("why  3.4% ")]
    assert [line.split()[2] for line in lines] == [f"{field}:" for field in FIELDS]
    metric, subject, *_ = lines
    assert metric.startswith("why  3.4% metric: top-1 accuracy ") and "; next " in metric
    assert subject.startswith("why  3.4% subject: none ")
    assert not [line for line in call("explain", page, "--why", "--no-model").stdout.splitlines() if "why" in line]


# --- the same whatever came before


def test_results_never_depend_on_other_abstracts(extractor: Extractor) -> None:
    some = [*TEXTS, ASKED, ABSTRACT]
    forward = [record.model_dump_json() for record in extractor.pipe(some)]
    backward = [record.model_dump_json() for record in extractor.pipe(reversed(some))]
    assert backward == forward[::-1]
    extractor.questions(some[0])
    assert extractor.extract(some[0]).model_dump_json() == forward[0]
    assert Extractor().extract(some[-2]).model_dump_json() == forward[-2]


# --- texts nobody would write

PLAIN = "the model of a small learned map with strong lines and depth over wide open fields".split()


def crowded(name: str) -> str:
    """One sentence of 5,000 words, 50 numbers and 200 names among them."""
    chance = random.Random(2026)
    words = [chance.choice(PLAIN) for _ in range(5000)]
    for n, at in enumerate(chance.sample(range(5000), 250)):
        words[at] = f"{n % 90 + 1}.5% accuracy" if n < 50 else name.format(n)
    return f"We propose Fernroute, {' '.join(words)} on ImageNet."


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It improves accuracy by " + ", ".join(f"{n % 90}.{n % 7 + 1}%" for n in range(500)) + ".", 500),
        ("It " + " and ".join(f"improves accuracy by {n % 90}.{n % 7 + 1}% on C4" for n in range(500)) + ".", 500),
        ("It reaches " + " ".join(f"{n}% on CIFAR-10, (" for n in range(1, 501)) + ".", 500),
        (crowded("NameNet-{}X"), 25),
        (crowded("on the ZedBench-{} dataset"), 25),
    ],
    ids=["list", "clauses", "brackets", "methods", "datasets"],
)
def test_hostile_sentences_take_no_time(extractor: Extractor, text: str, numbers: int) -> None:
    begun = time.perf_counter()
    record = extractor.extract(text)
    assert time.perf_counter() - begun < 6
    assert len(record.results) >= numbers
    assert not list(record.inconsistencies())


# --- files of the model


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """A copy of the folder of the second model that is used instead of it."""
    folder = tmp_path / "results"
    shutil.copytree(choices.FOLDER, folder)
    cached: tuple[Any, ...] = (load_choices, local._extractor)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load_choices.__wrapped__, "__defaults__", (folder,))
        for function in cached:
            function.cache_clear()
        yield folder
    for function in cached:
        function.cache_clear()


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def other_fields(path: Path) -> None:
    meta = json.loads(path.read_text("utf-8"))
    del meta["fields"]
    path.write_text(json.dumps(meta), "utf-8")


DAMAGES = [
    *((name, damage) for name in (FEATURES, WEIGHTS) for damage in (remove, truncate, change)),
    (META, remove),
    (META, truncate),
    (META, other_fields),
]


@pytest.mark.parametrize(("name", "damage"), DAMAGES)
def test_a_missing_or_damaged_file_is_told_in_one_line(copy: Path, name: str, damage: Callable[[Path], None]) -> None:
    sound = load_choices()
    assert sound.meta["fields"] == list(FIELDS)
    load_choices.cache_clear()
    damage(copy / name)
    for act in (load_choices, lambda: Extractor().extract(ABSTRACT), lambda: Extractor().questions(ABSTRACT)):
        with pytest.raises(ModelError) as caught:
            act()
        (line,) = str(caught.value).splitlines()
        assert str(copy / name) in line and "--no-model" in line


def test_weights_of_fewer_fields_are_told(copy: Path) -> None:
    meta = json.loads((copy / META).read_text("utf-8"))
    (copy / META).write_text(json.dumps({**meta, "fields": meta["fields"][:3]}), "utf-8")
    with pytest.raises(ModelError, match=r"weights\.npz does not fit features\.txt"):
        load_choices()


def test_a_folder_that_is_not_there_is_told(copy: Path) -> None:
    shutil.rmtree(copy)
    with pytest.raises(ModelError) as caught:
        load_choices()
    assert str(caught.value).startswith(f"{copy / META} cannot be read")


@pytest.mark.parametrize("command", [["extract"], ["extract", "--workers", 2], ["explain"], ["explain", "--why"]])
def test_a_damaged_model_ends_the_command_with_one_line(copy: Path, tmp_path: Path, command: list[object]) -> None:
    page = tmp_path / "page.txt"
    page.write_text(f"{ABSTRACT}\n", "utf-8")
    truncate(copy / WEIGHTS)
    done = call(*command, page)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("extractor: ") and str(copy / WEIGHTS) in line and "--no-model" in line
    done = call(command[0], page, "--no-model")
    assert (done.exit_code, done.stderr) == (0, "") and "QuickNet" in done.stdout


# --- whole sentences


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_results_of_a_sentence_with_the_model(case: dict[str, Any], extractor: Extractor) -> None:
    found = [result.model_dump() for result in extractor.extract(case["text"]).results]
    assert [result["span"]["text"] for result in found] == [wanted["quote"] for wanted in case["results"]]
    for result, wanted in zip(found, case["results"], strict=True):
        for key, value in wanted.items():
            if key != "quote":
                assert result[key] == (None if value == "none" else value), f"{wanted['quote']}: {key}"
