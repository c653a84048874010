"""Datasets are found by the lexicon and by the words around them, and told introduced from used."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from extractor import Extractor
from extractor.find.datasets_lexicon import bare, key
from extractor.rules import toml, tsv

CASES = tomllib.loads((Path(__file__).parent / "cases" / "datasets.toml").read_text("utf-8"))["case"]


@pytest.fixture(scope="module")
def extractor():
    return Extractor(model=False)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_datasets(extractor, case):
    datasets = extractor.extract(case["text"]).datasets
    assert [("*" if d.role == "introduced" else "") + d.name for d in datasets] == case["datasets"]
    if "canonical" in case:
        assert [d.canonical for d in datasets] == case["canonical"]
    for dataset in datasets:
        for span in dataset.mentions:
            assert case["text"][span.start : span.end] == span.text


def test_every_mention_of_a_name_is_kept(extractor):
    (dataset,) = extractor.extract("We use GSM8K. On GSM8K we win; GSM-8K is easy.").datasets
    assert [m.text for m in dataset.mentions] == ["GSM8K", "GSM8K", "GSM-8K"]


def test_every_element_of_a_compressed_list_has_its_own_mention(extractor):
    datasets = extractor.extract("Results on CIFAR-10/100.").datasets
    assert [(d.name, d.mentions[0].text) for d in datasets] == [("CIFAR-10", "CIFAR-10"), ("CIFAR-100", "100")]


def test_the_lexicon_is_well_formed():
    rows = tsv("datasets")
    assert len(rows) >= 1500
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names)
    for row in rows:
        assert row["name"] and row["canonical"] and row["domain"], row
        assert set(row["flags"].split()) <= {"context", "year", "exact"}, row
        assert key(row["name"]) and bare(row["name"]), row


def test_every_sign_has_a_weight_and_every_rule_a_confidence():
    cues = toml("dataset_cues")
    rules = {f"context.{sign}" for sign, weight in cues["weights"].items() if weight > 0} | {"context.shape"}
    assert rules <= set(cues["confidence"])


def test_odd_input_is_read_quickly(extractor):
    for text in (
        "ImageNet, " * 3000,
        "A-" * 5000,
        "We introduce " * 3000,
        "benchmarks such as " * 2000 + "Foo",
        "Foo" + " " * 20000 + "Bar dataset",
        "FooBench " + "a " * 10000 + "dataset",
    ):
        extractor.extract(text)
