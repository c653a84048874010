"""Training of the model of results: a tiny one from invented abstracts, and the annotations it learns from."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import numpy as np
import pytest

from extractor.model.choices import FIELDS, load_choices
from extractor.model.weights import FEATURES, META, WEIGHTS
from extractor.record_files import read_objects
from extractor.records import Qualifier, ResultKind
from extractor.relate.phrase_features import SUBJECT

ROOT = Path(__file__).resolve().parents[1]
TRAINING, FIXTURE = ROOT / "training", ROOT / "fixtures" / "annotated"
TEXTS, RESULTS, ANNOTATIONS = FIXTURE / "texts.jsonl", FIXTURE / "results.jsonl", FIXTURE / "result_annotations.jsonl"
SHIPPED = TRAINING / "results.jsonl"
GROUPS = {"guide", "wide", "held"}
PHRASES = ("metric", "subject", "baseline")
KEYS = {"value", "high", "unit", "qualifier", "kind", "datasets", "span", *PHRASES}
SCORES = {
    "records", "result.kind", "result.qualifier", "result.metric", "result.subject", "result.baseline",
    "result.datasets", "method.precision", "method.recall",
}  # fmt: skip
NUMBER_WORD = re.compile(r"\d|half|halv|doubl|twice|trip|quadrup|quintup|fold|order|third|thrice", re.IGNORECASE)

needs_sklearn = pytest.mark.skipif(find_spec("sklearn") is None, reason="training needs scikit-learn")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def by_id(path: Path) -> dict[str, Any]:
    return {row["id"]: row for row in rows(path)}


def texts() -> dict[str, str]:
    return {row["id"]: row["text"] for row in rows(TEXTS)}


@dataclass(frozen=True)
class Trained:
    """Where a model and the weights of the confidence were written, and what the script said."""

    folder: Path
    confidence: Path
    about: dict[str, Any]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A tiny model, made at the command line."""
    made = tmp_path_factory.mktemp("trained")
    folder, confidence = made / "model", made / "confidence.toml"
    command = [
        sys.executable, TRAINING / "results.py", "train", TEXTS, "--annotations", ANNOTATIONS, "--out", folder,
        "--confidence", confidence,
    ]  # fmt: skip
    # Another order of sets than in the process of the tests.
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=ROOT, encoding="utf-8", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    return Trained(folder, confidence, json.loads(done.stdout))


@pytest.fixture(scope="module")
def tools() -> Iterator[ModuleType]:
    """``training/results.py``, which is no part of a package."""
    pytest.importorskip("sklearn", reason="training needs scikit-learn")
    spec = importlib.util.spec_from_file_location("training_results", TRAINING / "results.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TRAINING)
        patch.setitem(sys.modules, spec.name, loaded)
        spec.loader.exec_module(loaded)
        yield loaded


def say(tools: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """What the script prints, as JSON, without a process of its own."""
    monkeypatch.setattr(sys, "argv", ["results.py", *map(str, words)])
    tools.main()
    said = capsys.readouterr()
    assert said.err == ""
    return json.loads(said.out)


# --- a model


@needs_sklearn
def test_a_tiny_model_is_trained_and_loads(trained: Trained) -> None:
    assert {path.name for path in trained.folder.iterdir()} == {META, FEATURES, WEIGHTS}
    loaded = load_choices(trained.folder)
    assert loaded.weights.shape == (len(loaded.index), len(FIELDS))
    assert list(loaded.index) == sorted(loaded.index) and len(loaded.index) > 100
    assert np.isfinite(loaded.weights).all()
    assert (np.abs(loaded.weights).max(axis=0) > 0.05).all(), "a field that learnt nothing"


@needs_sklearn
def test_a_tiny_model_has_learnt_to_heed_the_rules(trained: Trained) -> None:
    loaded = load_choices(trained.folder)
    for field in ("metric", "subject", "baseline"):
        weights = dict(zip(FIELDS, loaded.weights[loaded.index[f"rules {field}"]], strict=True))
        assert weights[field] > 0.1


@needs_sklearn
def test_features_for_the_subject_say_nothing_of_other_fields(trained: Trained) -> None:
    loaded = load_choices(trained.folder)
    told = [row for name, row in loaded.index.items() if name.removeprefix("none ").startswith(SUBJECT)]
    columns = dict(zip(FIELDS, np.abs(loaded.weights[told]).max(axis=0), strict=True))
    assert columns["subject"] > 0
    assert [columns[field] for field in FIELDS if field != "subject"] == [0, 0, 0]


@needs_sklearn
def test_the_meta_data_say_where_the_model_comes_from(trained: Trained) -> None:
    meta = json.loads((trained.folder / META).read_text("utf-8"))
    assert {key: meta[key] for key in trained.about} == trained.about
    assert meta["fields"] == list(FIELDS)
    assert meta["sha256"] == {
        name: sha256((trained.folder / name).read_bytes()).hexdigest() for name in (FEATURES, WEIGHTS)
    }
    learnt = [row for row in rows(ANNOTATIONS) if row["group"] != "held"]
    assert meta["learnt"]["papers"] == len(learnt)
    numbers = sum(len(row["results"]) for row in learnt)
    assert all(numbers / 2 < meta["learnt"][field] <= numbers for field in FIELDS)
    assert set(meta["versions"]) == {"python", "numpy", "scipy", "scikit-learn"}
    assert set(meta["calibration_error"]) == {"learnt"} and 0 <= meta["calibration_error"]["learnt"] <= 1
    assert set(meta["scores"]) == {"cross-validation", "held"}
    assert set(meta["scores"]["cross-validation"]) == {"guide", "wide"}
    for scores in (*meta["scores"]["cross-validation"].values(), meta["scores"]["held"]):
        assert set(scores) == SCORES and all(0 <= score <= 1 for score in scores.values())


@needs_sklearn
def test_the_weights_of_the_confidence_are_written(trained: Trained) -> None:
    written = trained.confidence.read_text("utf-8")
    weights = tomllib.loads(written)["weights"]
    assert {"bias", "kind:gain", "kind:score", "unit:percent", "metric words:1", "in sentence:2"} <= set(weights)
    assert all(type(weight) is float and abs(weight) < 20 for weight in weights.values())
    assert written.startswith("# ") and len(set(weights.values())) > 5


@needs_sklearn
def test_the_same_training_gives_the_same_bytes(trained: Trained, tools: ModuleType, tmp_path: Path) -> None:
    about = tools.train([str(TEXTS)], ANNOTATIONS, tmp_path / "model", tmp_path / "confidence.toml")
    assert about == trained.about
    for name in (FEATURES, WEIGHTS, META):
        assert (tmp_path / "model" / name).read_bytes() == (trained.folder / name).read_bytes()
    assert (tmp_path / "confidence.toml").read_bytes() == trained.confidence.read_bytes()


@needs_sklearn
def test_annotated_abstracts_move_all_confidences_and_nothing_else(
    trained: Trained, tools: ModuleType, tmp_path: Path
) -> None:
    both = str(TEXTS), str(RESULTS)
    about = tools.train([both[0]], ANNOTATIONS, tmp_path / "model", tmp_path / "confidence.toml", both)
    for name in (FEATURES, WEIGHTS):
        assert (tmp_path / "model" / name).read_bytes() == (trained.folder / name).read_bytes()
    before, now = (
        tomllib.loads(path.read_text("utf-8"))["weights"] for path in (trained.confidence, tmp_path / "confidence.toml")
    )
    assert {sign for sign in now if now[sign] != before[sign]} == {"bias"}
    assert set(about["calibration_error"]) == {"learnt", "others"}
    assert all(0 <= error <= 1 for error in about["calibration_error"].values())


@needs_sklearn
def test_the_shift_makes_the_mean_probability_right_on_sets_that_count_alike(tools: ModuleType) -> None:
    small = np.zeros(10), np.array([True] * 8 + [False] * 2)
    large = np.zeros(1000), np.array([True] * 600 + [False] * 400)
    assert tools.shift(small) == pytest.approx(math.log(4))
    assert tools.shift(small, large) == pytest.approx(math.log(7 / 3))
    assert tools.shift((np.zeros(5), np.ones(5, dtype=bool))) == 0, "without a wrong one there is no telling"


@needs_sklearn
def test_what_is_held_is_never_learnt_from(trained: Trained, tools: ModuleType, tmp_path: Path) -> None:
    some = tmp_path / "annotations.jsonl"
    lines = ANNOTATIONS.read_text("utf-8").splitlines(keepends=True)
    some.write_text("".join(line for line in lines if '"group": "held"' not in line), "utf-8")
    made, loaded = tools.fit(tools.Reader().papers(GROUPS, [str(TEXTS)], some)), load_choices(trained.folder)
    assert made.index == loaded.index
    assert (made.weights.astype(np.float16) == loaded.weights.astype(np.float16)).all()


@needs_sklearn
def test_crossvalidation_prints_the_figures_of_the_folds(
    tools: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    some = tmp_path / "annotations.jsonl"
    few = [row for row in rows(ANNOTATIONS) if row["id"][-2:] in ("01", "03", "11", "15", "17")]
    some.write_text("".join(json.dumps(row) + "\n" for row in few), "utf-8")
    printed = say(tools, monkeypatch, capsys, "crossvalidate", TEXTS, "--annotations", some)
    assert set(printed) == {"guide", "wide"}
    for scores in printed.values():
        assert set(scores) == SCORES and all(0 <= score <= 1 for score in scores.values())


@needs_sklearn
def test_the_model_in_use_is_measured_on_annotations_of_their_own(
    tools: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = say(tools, monkeypatch, capsys, "evaluate", TEXTS, RESULTS)
    assert set(printed) == SCORES
    # Far below what it does, far above chance.
    assert printed["result.metric"] > 0.6 and printed["result.datasets"] > 0.6 and printed["method.precision"] > 0.6
    assert all(0 <= score <= 1 for score in printed.values())


@needs_sklearn
def test_texts_of_other_papers_are_told(tools: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = tmp_path / "texts.jsonl"
    others.write_text('{"id": "another", "text": "We propose FooNet."}\n', "utf-8")
    with pytest.raises(SystemExit, match="none of the annotated papers"):
        tools.train([str(others)], ANNOTATIONS, tmp_path / "model", tmp_path / "confidence.toml")
    assert "annotated papers have no text, among them invented-01" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["texts.jsonl"]


# --- annotations, with and without the words


@needs_sklearn
def test_offsets_are_made_again_as_they_are(
    tools: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ANNOTATIONS.read_text("utf-8")
    made = ""
    for group in ("guide", "wide", "held"):
        ids = {row["id"] for row in rows(ANNOTATIONS) if row["group"] == group}
        some = tmp_path / f"{group}.jsonl"
        some.write_text("".join(json.dumps(row) + "\n" for row in rows(RESULTS) if row["id"] in ids), "utf-8")
        tools.make(group, str(some), [str(TEXTS)])
        said = capsys.readouterr()
        assert said.err == ""
        made += said.out
    assert made == kept


@needs_sklearn
def test_offsets_become_the_words_again(tools: ModuleType) -> None:
    known, wanted = texts(), by_id(RESULTS)
    for row in rows(ANNOTATIONS):
        told = tools.spelt_out(row, known[row["id"]])
        without = [{key: value for key, value in result.items() if key != "span"} for result in told["results"]]
        assert without == wanted[row["id"]]["results"]
        assert {**told, "results": []} == {**wanted[row["id"]], "results": []}


def result(quote: str, nth: int = 1, **changes: Any) -> dict[str, Any]:
    made = {
        "quote": quote, "nth": nth, "value": 3.0, "high": None, "unit": "percent", "qualifier": "exact",
        "kind": "gain", "metric": None, "subject": None, "baseline": None, "datasets": [],
    }  # fmt: skip
    return made | changes


@needs_sklearn
def test_a_phrase_may_be_broken_over_a_line(tools: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Our mean\n  squared error falls by 3\\% below that of the best\nearlier model."
    told = result("3\\%", metric="mean squared error", baseline="best earlier model")
    (made,) = tools.with_offsets({"id": "a", "results": [told]}, text, "wide")["results"]
    assert text[slice(*made["span"])] == "3\\%"
    assert text[slice(*made["metric"])] == "mean\n  squared error"
    assert text[slice(*made["baseline"])] == "best\nearlier model"
    assert made["subject"] is None and "quote" not in made and "method" not in made
    (again,) = tools.spelt_out({"id": "a", "group": "wide", "results": [made]}, text)["results"]
    assert again["metric"].split() == ["mean", "squared", "error"]
    assert capsys.readouterr().err == ""


@needs_sklearn
def test_the_occurrence_nearest_to_the_number_counts(tools: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    text = "accuracy (a), accuracy (b) and 3% accuracy (c), then accuracy (a)"
    here = [match.start() for match in re.finditer("accuracy", text)]
    for at, nearest in ((0, here[0]), (here[1] + 2, here[1]), (text.index("3%"), here[2]), (len(text), here[3])):
        assert tools.nearest(text, "accuracy", at) == [nearest, nearest + len("accuracy")]
    # What a pattern would take for something else.
    assert text[slice(*tools.nearest(text, "accuracy (a)", len(text)))] == "accuracy (a)"
    assert tools.nearest(text, "accuracy (a)", len(text))[0] == here[3]
    assert tools.nearest(text, None, 5) is None
    assert capsys.readouterr().err == ""
    assert tools.nearest(text, "recall", 5) is None
    assert capsys.readouterr().err == "not in the text: 'recall'\n"


@needs_sklearn
@pytest.mark.parametrize(
    ("text", "quote"),
    [("From 3% over 3.3% and 13% to 3%.", "3%"), ("111 of 11", "11")],
    ids=["inside other numbers", "over each other"],
)
def test_a_quote_is_found_by_its_occurrence(tools: ModuleType, text: str, quote: str) -> None:
    places = [at for at in range(len(text)) if text.startswith(quote, at)]
    assert len(places) > 2
    for nth, at in enumerate(places, 1):
        row = tools.with_offsets({"id": "a", "results": [result(quote, nth)]}, text, "held")
        assert row["group"] == "held" and row["results"][0]["span"] == [at, at + len(quote)]
        assert tools.spelt_out(row, text)["results"][0]["nth"] == nth


@needs_sklearn
def test_a_paper_without_results_is_left_out(
    tools: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = tmp_path / "gold.jsonl"
    some.write_text('{"id": "invented-04", "results": []}\n', "utf-8")
    tools.make("guide", str(some), [str(TEXTS)])
    assert capsys.readouterr().out == ""


# --- the annotations that are there


@pytest.mark.parametrize("path", [SHIPPED, ANNOTATIONS], ids=["shipped", "invented"])
def test_annotations_are_sound(path: Path) -> None:
    found = rows(path)
    assert len({row["id"] for row in found}) == len(found)
    assert {row["group"] for row in found} == GROUPS
    kinds: set[str] = set()
    for row in found:
        assert set(row) == {"id", "group", "results"} and row["results"], row["id"]
        for told in row["results"]:
            assert KEYS <= set(told) <= KEYS | {"method"}, row["id"]
            assert told["qualifier"] in get_args(Qualifier) and told["kind"] in get_args(ResultKind), row["id"]
            assert type(told["value"]) in (int, float) and told["value"] >= 0, row["id"]
            assert told["high"] is None or told["high"] > told["value"], row["id"]
            for name in ("span", *PHRASES):
                assert (name != "span" and told[name] is None) or is_span(told[name]), (row["id"], name)
            kinds.add(told["kind"])
    assert kinds == set(get_args(ResultKind)) - ({"loss"} if path == ANNOTATIONS else set())


def is_span(place: Any) -> bool:
    whole = isinstance(place, list) and len(place) == 2 and all(type(at) is int for at in place)
    return whole and 0 <= place[0] < place[1] < place[0] + 400


def test_the_shipped_annotations_hold_no_text_of_papers() -> None:
    """Only names and words of units: whatever else was quoted is an offset."""
    for row in rows(SHIPPED):
        for told in row["results"]:
            names = [*told["datasets"], told.get("method"), told["unit"]]
            assert all(name is None or (0 < len(name) <= 80 and "\n" not in name) for name in names), row["id"]
            assert all(name is None or ". " not in name for name in names), row["id"]


def test_the_invented_annotations_name_what_is_annotated_beside_them() -> None:
    names = by_id(FIXTURE / "names.jsonl")
    groups = {row["id"]: row["group"] for row in rows(ANNOTATIONS)}
    assert groups == {id: names[id]["group"] for id in groups}
    for row in rows(RESULTS):
        methods = {method["name"] for method in names[row["id"]]["methods"]}
        datasets = {dataset["name"] for dataset in names[row["id"]]["datasets"]}
        for told in row["results"]:
            assert told["method"] is None or told["method"] in methods, (row["id"], told["quote"])
            assert set(told["datasets"]) <= datasets, (row["id"], told["quote"])


def test_the_shipped_offsets_fit_the_real_texts(shared: Path) -> None:
    known = {str(row["id"]): row["text"] for row in read_objects(str(shared / "corpus" / "abstracts.jsonl.gz"))}
    found = rows(SHIPPED)
    assert {row["id"] for row in found} <= set(known)
    wrong, cut, phrases = [], 0, 0
    for row in random.Random(2026).sample(found, 300):
        text = known[row["id"]]
        for told in row["results"]:
            start, end = told["span"]
            quote = text[start:end]
            whole = not (text[start - 1 : start].isdigit() or (quote[-1:].isdigit() and text[end : end + 1].isdigit()))
            if end > len(text) or quote != quote.strip() or not NUMBER_WORD.search(quote) or not whole:
                wrong.append((row["id"], quote))
            for start, end in (told[name] for name in PHRASES if told[name] is not None):
                phrase = text[start:end]
                if end > len(text) or phrase != phrase.strip() or not re.search(r"\w", phrase):
                    wrong.append((row["id"], phrase))
                cut += text[max(0, start - 1) : start + 1].isalnum() and start > 0
                phrases += 1
    assert wrong == []
    assert cut <= 0.01 * phrases, "phrases that begin inside a word"


def test_the_development_abstracts_are_not_learnt_from(shared: Path) -> None:
    measured = {str(row["id"]) for row in read_objects(str(shared / "gold" / "dev.texts.jsonl"))}
    assert measured and not measured & {row["id"] for row in rows(SHIPPED)}
