"""Training: a tiny model from invented abstracts, and the annotations it learns from."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from extractor import model
from extractor.find.judge import LABELS
from extractor.markup import normalise
from extractor.matching import flat
from extractor.model import PHRASES
from extractor.model.weights import FEATURES, META, WEIGHTS

ROOT = Path(__file__).resolve().parents[1]
TRAINING, FIXTURE = ROOT / "training", ROOT / "fixtures" / "annotated"
TEXTS, NAMES, ANNOTATIONS = FIXTURE / "texts.jsonl", FIXTURE / "names.jsonl", FIXTURE / "annotations.jsonl"
SHIPPED = TRAINING / "annotations.jsonl"
GROUPS = {"guide", "wide", "held"}
ROLES = {"methods": {"proposed", "compared", "mentioned"}, "datasets": {"introduced", "used"}}
FIELDS = {"methods": {"name", "full_name", "role", "mentions"}, "datasets": {"name", "role", "mentions"}}
SCORES = {"proposed", "methods", "datasets", "method.role", "dataset.role"}

needs_sklearn = pytest.mark.skipif(find_spec("sklearn") is None, reason="training needs scikit-learn")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def script(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """What a script of ``training/`` does."""
    command = [sys.executable, str(TRAINING / name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, encoding="utf-8")


def train(out: Path) -> subprocess.CompletedProcess[str]:
    return script("names.py", "train", TEXTS, "--annotations", ANNOTATIONS, "--quick", "--out", out)


# --- a model


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder of a tiny model, and what the script said of it."""
    folder = tmp_path_factory.mktemp("trained") / "model"
    done = train(folder)
    assert (done.returncode, done.stderr) == (0, "")
    about: dict[str, Any] = json.loads(done.stdout)
    return folder, about


@needs_sklearn
def test_a_tiny_model_is_trained_and_loads(trained: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = trained
    assert {path.name for path in folder.iterdir()} == {META, FEATURES, WEIGHTS, PHRASES}
    loaded = model.load(folder)
    assert loaded.labels == tuple(LABELS)
    assert "bias" in loaded.index and len(loaded.index) > 100
    assert list(loaded.index) == sorted(loaded.index)
    assert np.isfinite(loaded.weights).all() and loaded.temperature > 0


@needs_sklearn
def test_a_tiny_model_has_learnt_what_a_proposal_and_a_data_set_look_like(
    trained: tuple[Path, dict[str, Any]],
) -> None:
    loaded = model.load(trained[0])
    for feature, label in (("rule role:proposed", "method.proposed"), ("dataset", "dataset.used")):
        (row,) = loaded.probabilities([["bias", feature]])
        (bare,) = loaded.probabilities([["bias"]])
        place = loaded.labels.index(label)
        assert row[place] > bare[place]


@needs_sklearn
def test_the_meta_data_say_where_the_model_comes_from(trained: tuple[Path, dict[str, Any]]) -> None:
    folder, about = trained
    meta = json.loads((folder / META).read_text("utf-8"))
    assert meta["labels"] == list(LABELS)
    assert meta["sha256"] == {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (FEATURES, WEIGHTS, PHRASES)
    }
    assert {key: meta[key] for key in about} == about
    assert isinstance(meta["seed"], int)
    assert set(meta["versions"]) == {"python", "numpy", "scipy", "scikit-learn"}
    assert meta["learnt"]["papers"] == sum(row["group"] != "held" for row in rows(ANNOTATIONS))
    assert set(meta["scores"]) == {"cross-validation", "cross-validation, guide", "held"}
    for scores in meta["scores"].values():
        assert set(scores) == SCORES and all(0 <= score <= 1 for score in scores.values())


@needs_sklearn
def test_the_same_training_gives_the_same_bytes(trained: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    assert train(tmp_path).returncode == 0
    for name in (FEATURES, WEIGHTS, META):
        assert (tmp_path / name).read_bytes() == (trained[0] / name).read_bytes()


@needs_sklearn
def test_a_paper_without_a_text_is_told(tmp_path: Path) -> None:
    some = tmp_path / "texts.jsonl"
    first, _, *others = TEXTS.read_text("utf-8").splitlines(keepends=True)
    some.write_text("".join(others), "utf-8")
    done = script("names.py", "crossvalidate", some, "--annotations", ANNOTATIONS)
    assert done.returncode == 0
    learnt = sum(row["group"] != "held" for row in rows(ANNOTATIONS))
    id = json.loads(first)["id"]
    assert done.stderr == f"2 of {learnt} annotated papers have no text, among them {id}\n"
    scores = json.loads(done.stdout)
    assert set(scores) == {"all", "guide", "wide"} and set(scores["all"]) == SCORES


@needs_sklearn
def test_the_model_in_use_is_measured_on_annotations_of_their_own() -> None:
    done = script("names.py", "evaluate", TEXTS, NAMES)
    assert done.returncode == 0
    assert set(json.loads(done.stdout)) == SCORES
    refused = script("names.py", "evaluate", TEXTS, NAMES, "--annotations", ANNOTATIONS)
    assert refused.returncode == 2 and "GOLD.jsonl" in refused.stderr and "Traceback" not in refused.stderr


# --- annotations


@pytest.fixture(scope="module")
def tools() -> ModuleType:
    """``training/annotations.py``, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("training_annotations", TRAINING / "annotations.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def entries(row: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for group in ("methods", "datasets"):
        for entry in row[group]:
            yield group, entry


def are_named(text: str, row: dict[str, Any]) -> list[str]:
    """What is wrong with the offsets of ``row``: stretches of ``text`` that are no name of their entry."""
    wrong = []
    for _, entry in entries(row):
        names = {flat(entry["name"]), flat(entry.get("full_name"))} - {""}
        for start, end in entry["mentions"]:
            stretch = text[start:end]
            if end > len(text) or flat(normalise(stretch).text) not in names:
                wrong.append(f"{row['id']} {start}:{end} {stretch!r} is not {entry['name']}")
    return wrong


def test_offsets_are_made_again_as_they_are() -> None:
    done = script("annotations.py", "make", NAMES, TEXTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ANNOTATIONS.read_text("utf-8")


def test_the_invented_annotations_hold_every_label_and_group() -> None:
    made = rows(ANNOTATIONS)
    assert {row["group"] for row in made} == GROUPS
    assert [row["id"] for row in made] == [row["id"] for row in rows(TEXTS)] == [row["id"] for row in rows(NAMES)]
    for group, roles in ROLES.items():
        assert {entry["role"] for row in made for entry in row[group]} == roles


def test_the_invented_texts_hold_the_names_at_their_offsets() -> None:
    texts = {row["id"]: row["text"] for row in rows(TEXTS)}
    wrong = [line for row in rows(ANNOTATIONS) for line in are_named(texts[row["id"]], row)]
    assert wrong == []
    nowhere = [entry["name"] for row in rows(ANNOTATIONS) for _, entry in entries(row) if not entry["mentions"]]
    assert nowhere == ["CIFAR-100"]  # "CIFAR-10/100"


@pytest.mark.parametrize("path", [SHIPPED, ANNOTATIONS], ids=["shipped", "invented"])
def test_annotations_are_sane(path: Path) -> None:
    found = rows(path)
    assert len({row["id"] for row in found}) == len(found)
    assert {row["group"] for row in found} == GROUPS
    nowhere = total = 0
    for row in found:
        assert {"id", "group", "methods", "datasets"} <= set(row) <= {"id", "group", "methods", "datasets", "metrics"}
        assert sane(row.get("metrics", []))
        for group, entry in entries(row):
            assert set(entry) == FIELDS[group] and entry["role"] in ROLES[group], row["id"]
            assert entry["name"] == entry["name"].strip() != ""
            assert sane(entry["mentions"]), (row["id"], entry["name"])
            nowhere += not entry["mentions"]
            total += 1
    assert nowhere <= 0.02 * total  # names written out from a list


def sane(spans: list[list[int]]) -> bool:
    """Pairs of whole numbers in order, each a stretch of a text, none overlapping."""
    whole = all(type(place) is int for span in spans for place in span) and all(len(span) == 2 for span in spans)
    ordered = all(before[1] <= after[0] for before, after in pairwise(spans))
    return whole and ordered and all(0 <= start < end for start, end in spans)


def test_the_shipped_offsets_fit_the_real_texts(shared: Path, tools: ModuleType) -> None:
    texts = tools.texts([shared / "corpus" / "abstracts.jsonl.gz"])
    found = rows(SHIPPED)
    assert {row["id"] for row in found} <= set(texts)
    sample = random.Random(2026).sample([row for row in found if any(entries(row))], 200)
    assert [line for row in sample for line in are_named(texts[row["id"]], row)] == []
    again = [row for row in sample if "metrics" not in row][:50]
    assert [tools.with_offsets(row, texts[row["id"]]) for row in again] == again


def test_markup_and_plurals_do_not_move_offsets(tools: ModuleType) -> None:
    text = r"We propose \textbf{NewNet}, a *New Network* ($\pi_0$ of the NewNets); NewNetwork and OldNewNet are others."
    row = {
        "id": "a",
        "group": "guide",
        "methods": [
            {"name": "NewNet", "full_name": "New Network", "role": "proposed"},
            {"name": "π0", "full_name": None, "role": "mentioned"},
        ],
        "datasets": [],
        "results": [{"metric": "others"}, {"metric": None}],
    }
    made = tools.with_offsets(row, text)
    net, pi = made["methods"]
    assert [text[start:end] for start, end in net["mentions"]] == ["NewNet", "New Network", "NewNet"]
    assert [text[start:end].strip("$") for start, end in pi["mentions"]] == [r"\pi_0"]
    assert [text[start:end] for start, end in made["metrics"]] == ["others"]
    assert are_named(text, made) == []


def test_only_papers_with_a_text_are_joined(
    tools: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = tmp_path / "texts.jsonl"
    some.write_text("".join(TEXTS.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    joined = tools.annotated(["guide"], [some], ANNOTATIONS)
    guide = [row for row in rows(ANNOTATIONS) if row["group"] == "guide"]
    assert [row for _, row in joined] == guide[1:]
    assert all(are_named(text, row) == [] for text, row in joined)
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"1 of {len(guide)} annotated papers have no text, among them invented-01\n")
    assert tools.annotated(["held"], [some], ANNOTATIONS) and capsys.readouterr().err == ""


def test_compressed_texts_are_read(tools: ModuleType, tmp_path: Path) -> None:
    packed = tmp_path / "texts.jsonl.gz"
    packed.write_bytes(gzip.compress(TEXTS.read_bytes()))
    assert tools.texts([packed]) == tools.texts([TEXTS])
