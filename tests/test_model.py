"""The learned half: loading it, what it says of candidates, and where it meets the rules."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from extractor import Extractor, model
from extractor.find import judge
from extractor.mentions import KEY, TEXT, Findings, findings
from extractor.model import PHRASES, NameModel, phrases
from extractor.model.weights import FEATURES, META, WEIGHTS
from extractor.pipeline import Received, start
from extractor.records import Dataset, Method, PaperRecord

ROOT = Path(__file__).resolve().parents[1]
TEXTS = [
    json.loads(line)["text"]
    for line in (ROOT / "fixtures" / "annotated" / "texts.jsonl").read_text("utf-8").splitlines()
]
TITLE = "SwiftHeron: Fast Pruning of Image Tokens"
ABSTRACT = (
    "Vision-language models spend most of their computation on image tokens that the answer never needs. In this paper "
    "we propose SwiftHeron, a training-free method that drops tokens by how little the decoder would miss them. "
    "SwiftHeron reads the attention of two early layers, keeps a small set of anchors, and merges the rest into them. "
    "We evaluate SwiftHeron on ImageNet, where it keeps 98.1% of the accuracy at 22% of the tokens. Our SwiftHeron "
    "outperforms ToMe by 3.4 points under the same budget, and the latency falls by a factor of two on one GPU."
)
# A table of phrases with a single one.
NONE = phrases.Phrases(np.array([7], dtype=np.uint32), np.array([0], dtype=np.uint8))


# --- loading


def test_the_model_loads_once_and_fits_what_the_rules_ask() -> None:
    loaded = model.load()
    assert loaded is model.load()
    assert loaded.labels == tuple(judge.LABELS)
    assert loaded.weights.shape == (len(loaded.index), len(loaded.labels))
    assert loaded.temperature > 0 and np.isfinite(loaded.weights).all()


def test_the_files_are_what_the_meta_data_say() -> None:
    meta = json.loads((model.HERE / META).read_text("utf-8"))
    for name in (FEATURES, WEIGHTS, PHRASES):
        assert hashlib.sha256((model.HERE / name).read_bytes()).hexdigest() == meta["sha256"][name]
    assert {"seed", "scores", "versions", "learnt"} <= set(meta)


def test_loading_is_quick_in_a_fresh_process() -> None:
    code = (
        "import time, numpy; begun = time.perf_counter(); from extractor.model import load;"
        "load().phrases.frequencies(['neural network']); print(time.perf_counter() - begun)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert float(done.stdout) < 0.8


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    weights = np.array([[0.5, -1.0], [2.0, 0.25], [0.0, 4.0]])
    model.save(tmp_path / "new", ["a", "b"], ["bias", "shape:é", "1:,"], weights, 1.5, NONE, {"seed": 7})
    loaded = model.load(tmp_path / "new")
    assert (loaded.labels, loaded.temperature, loaded.meta["seed"]) == (("a", "b"), 1.5, 7)
    assert list(loaded.index) == ["bias", "shape:é", "1:,"]
    assert loaded.weights.tolist() == weights.tolist()


def test_the_folder_is_small_and_holds_no_code_but_python() -> None:
    files = [path for path in model.HERE.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    assert {path.suffix for path in files} == {".py", ".txt", ".npz", ".json"}
    assert sum(path.stat().st_size for path in files) < 30_000_000


def test_no_source_can_load_a_pickle() -> None:
    loads = 0
    for path in [*(ROOT / "extractor").rglob("*.py"), *(ROOT / "training").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                assert not names & {"pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal"}, path
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.load", "numpy.load"):
                loads += 1
                assert "allow_pickle=False" in [ast.unparse(keyword) for keyword in node.keywords], path
    assert loads >= 2


# --- probabilities


def test_no_candidates_have_no_probabilities() -> None:
    assert model.load().probabilities([]).shape == (0, len(judge.LABELS))


def test_features_it_never_met_say_nothing() -> None:
    loaded = model.load()
    known = ["bias", "shape:acronym"]
    table = loaded.probabilities([["no such:feature"], [], known, [*known, "no such:feature"]])
    assert table[0] == pytest.approx(np.full(len(judge.LABELS), 1 / len(judge.LABELS)))
    assert (table[0] == table[1]).all() and (table[2] == table[3]).all()


def test_probabilities_sum_to_one() -> None:
    loaded = model.load()
    names = list(loaded.index)
    random = np.random.default_rng(2026)
    table = loaded.probabilities([names[i] for i in random.integers(len(names), size=60)] for _ in range(200))
    assert table.shape == (200, len(judge.LABELS))
    assert table.sum(axis=1) == pytest.approx(np.ones(200))
    assert (table >= 0).all() and (table <= 1).all()


def test_large_scores_do_not_overflow() -> None:
    huge = NameModel({"f": 0}, np.array([[9000.0, -9000.0]], dtype=np.float32), {}, ("a", "b"), 0.5, NONE)
    assert huge.probabilities([["f"]]).tolist() == [[1.0, 0.0]]


# --- phrases


@pytest.mark.parametrize(
    ("phrase", "folded"),
    [
        ("Neural  Networks", "neural network"),
        ("self-attention", "self attention"),
        ("Loss", "loss"),
        ("GNNs", "gnn"),
        ("", ""),
        ("—", ""),
        ("Ünï_code", "ünï code"),
    ],
)
def test_phrases_are_folded(phrase: str, folded: str) -> None:
    assert phrases.fold(phrase) == folded


def test_what_many_wrote_is_known_and_what_nobody_wrote_is_new() -> None:
    known = model.load().phrases
    common, spelt, new = known.frequencies(["neural network", "Neural-Networks", "qwyzzle vantrap heronshade"])
    assert common == spelt and int(common) >= 50
    assert new == phrases.NEW
    assert known.frequencies([]) == []


# --- what is decided

# Only its title says that SwiftHeron is new.
UNTOLD = (
    "Vision-language models spend most of their computation on image tokens that the answer never needs. SwiftHeron "
    "reads the attention of two early layers, keeps a small set of anchors, and merges the rest into them. On "
    "ImageNet, SwiftHeron keeps 98.1% of the accuracy at 22% of the tokens. It needs no training and no calibration "
    "data, works with any encoder, and halves the latency on a single GPU. Nothing is stored between two images."
)


def found_by_rules(rules: Extractor, abstract: str, title: str | None = None) -> tuple[str, Findings]:
    """What the rules leave for ``judge``."""
    received = Received.of(abstract, title)
    doc = rules.nlp.make_doc(received.text)
    doc.user_data.update({KEY: start(received), TEXT: received.text})
    for _, component in rules.nlp.pipeline:
        doc = component(doc)
    return received.text, findings(doc)


def named(record: PaperRecord) -> list[Method | Dataset]:
    return [*record.methods, *record.datasets]


def sure(label: str, score: float = 3.0) -> NameModel:
    """A model that says the same of every candidate."""
    labels = tuple(judge.LABELS)
    weights = np.zeros((1, len(labels)), dtype=np.float32)
    weights[0, labels.index(label)] = score
    return NameModel({"bias": 0}, weights, {}, labels, 1.0, NONE)


def test_plain_names_are_found(extractor: Extractor) -> None:
    record = extractor.extract(ABSTRACT)
    assert ("SwiftHeron", "proposed") in [(m.name, m.role) for m in record.methods]
    assert "ToMe" in [m.name for m in record.methods]
    assert [(d.name, d.role) for d in record.datasets] == [("ImageNet", "used")]


@pytest.mark.parametrize("title", [None, TITLE])
def test_confidences_are_probabilities(extractor: Extractor, title: str | None) -> None:
    for text in TEXTS:
        record = extractor.extract(text, title=title)
        for entry in named(record):
            assert 0 < entry.confidence <= 1 and entry.rule


def test_without_the_model_no_record_names_it(rules: Extractor) -> None:
    for text in TEXTS:
        assert judge.RULE not in {entry.rule for entry in named(rules.extract(text))}


def test_what_a_title_names_stays_proposed_whatever_the_model_says(rules: Extractor) -> None:
    for label in judge.LABELS:
        text, found = found_by_rules(rules, UNTOLD, TITLE)
        judge.judge(text, found, sure(label))
        (heron,) = (method for method in found.methods if method.name == "SwiftHeron")
        assert (heron.role, heron.rule) == ("proposed", "title")
        assert judge.TITLE_CONFIDENCE <= heron.confidence <= 1


def test_a_record_with_a_title_keeps_the_rule(extractor: Extractor) -> None:
    (heron,) = (m for m in extractor.extract(UNTOLD, title=TITLE).methods if m.name == "SwiftHeron")
    assert (heron.role, heron.rule) == ("proposed", "title")
    assert {span.field for span in heron.mentions} == {"title", "abstract"}


def test_the_model_can_refuse_all_names(rules: Extractor) -> None:
    text, found = found_by_rules(rules, ABSTRACT)
    assert found.methods and found.datasets
    judge.judge(text, found, sure("nothing"))
    assert found.methods == [] and found.datasets == []


def test_where_model_and_rules_differ_the_record_says_model(rules: Extractor) -> None:
    expected = np.exp(3.0) / (np.exp(3.0) + len(judge.LABELS) - 1)
    text, found = found_by_rules(rules, ABSTRACT)
    judge.judge(text, found, sure("method.mentioned"))
    assert found.datasets == []
    made = {method.name: method for method in found.methods}
    assert {"SwiftHeron", "ToMe", "ImageNet"} <= set(made)
    assert {method.role for method in found.methods} == {"mentioned"}
    assert made["SwiftHeron"].rule == made["ImageNet"].rule == judge.RULE
    assert [method.confidence for method in found.methods] == pytest.approx([expected] * len(found.methods))


def test_where_model_and_rules_agree_the_record_names_the_rule(rules: Extractor) -> None:
    text, found = found_by_rules(rules, ABSTRACT)
    (before,) = (method for method in found.methods if method.name == "SwiftHeron")
    judge.judge(text, found, sure("method.proposed"))
    (after,) = (method for method in found.methods if method.name == "SwiftHeron")
    assert after.rule == before.rule != judge.RULE
    assert after.mentions == before.mentions


def test_a_dataset_only_the_model_knows_has_its_mentions_and_a_canonical_name(rules: Extractor) -> None:
    text, found = found_by_rules(rules, ABSTRACT)
    judge.judge(text, found, sure("dataset.introduced"))
    assert found.methods == []
    made = {dataset.name: dataset for dataset in found.datasets}
    heron = made["SwiftHeron"]
    assert (heron.rule, heron.role) == (judge.RULE, "introduced") and 0 < heron.confidence < 1
    assert [text[s:e] for s, e in heron.mentions] == ["SwiftHeron"] * text.count("SwiftHeron")
    assert made["ImageNet"].rule == judge.RULE and made["ImageNet"].role == "introduced"
    assert found.datasets == sorted(found.datasets, key=lambda dataset: dataset.mentions[0])


def test_a_text_without_names_is_fine(extractor: Extractor, rules: Extractor) -> None:
    plain = "we count what falls and weigh what is left. " * 15
    record = extractor.extract(plain)
    assert record.methods == [] and record.datasets == []
    text, found = found_by_rules(rules, plain)
    judge.judge(text, found, sure("method.proposed"))
    assert found.methods == []
