"""The components in pipelines of other people: in several processes, on disk, in a ``DocBin``."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from extractor import Extractor
from extractor.mentions import findings

COMPONENTS = ("sentences", "links", "numbers", "abbreviations", "datasets", "names", "model", "metrics")
TEXT = (
    "We propose GridCache (GC), a cache. It is up to 2.4x faster than FlashAttention-2 and reaches 98% accuracy on "
    "CIFAR-10 (https://github.com/example/gridcache)."
)


@pytest.fixture
def nlp() -> Language:
    """A pipeline with spaCy's own tokenizer."""
    made = spacy.blank("en")
    for component in COMPONENTS:
        made.add_pipe(f"extractor_{component}")
    return made


def test_several_processes_find_the_same_as_one(nlp: Language) -> None:
    alone = nlp(TEXT)
    for doc in nlp.pipe([TEXT] * 3, n_process=2, batch_size=1):
        assert findings(doc) == findings(alone)
        for name, spans in alone.spans.items():
            assert [(s.start, s.end, s.label_) for s in doc.spans[name]] == [(s.start, s.end, s.label_) for s in spans]


def test_findings_travel_with_a_document(nlp: Language) -> None:
    doc = nlp(TEXT)
    assert findings(doc).methods and findings(doc).numbers and findings(doc).links and findings(doc).abbreviations
    assert findings(Doc(nlp.vocab).from_bytes(doc.to_bytes())) == findings(doc)
    stored = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert findings(again) == findings(doc)


def test_findings_of_a_whole_extraction_travel_too(extractor: Extractor) -> None:
    doc = extractor.nlp(TEXT)
    found = findings(doc)
    (copied,) = extractor.nlp.pipe([TEXT], n_process=1)
    assert findings(copied) == found
    assert findings(pickle.loads(pickle.dumps(doc))) == found


def test_a_pipeline_can_be_saved_and_loaded(nlp: Language, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert loaded.pipe_names == nlp.pipe_names
    assert findings(loaded(TEXT)) == findings(nlp(TEXT))


def test_the_extractor_and_its_records_can_be_pickled_and_copied(extractor: Extractor) -> None:
    record = extractor.extract(TEXT)
    assert pickle.loads(pickle.dumps(record)) == record
    assert pickle.loads(pickle.dumps(extractor)).extract(TEXT) == record
    assert copy.deepcopy(extractor).extract(TEXT) == record
