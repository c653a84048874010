"""The extractor as a whole: records, offsets, ids, titles, and the components inside other pipelines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from extractor import Extractor, PaperRecord, extract
from extractor.mentions import findings

ABSTRACT = (
    "Long-context inference is slow. We propose **GridCache (GC)**, a training-free cache for language models. "
    "On LongBench, GridCache is 2.4$\\times$ faster than FlashAttention-2 while keeping 98\\% of the accuracy. "
    "Code: https://github.com/example/gridcache."
)


def spans_of(record: PaperRecord) -> list[tuple[str, int, int, str]]:
    """Every (field, start, end, text) of a record."""
    spans = [mention for name in (*record.methods, *record.datasets) for mention in name.mentions]
    spans += [part.span for part in (*record.results, *record.links)]
    return [(s.field, s.start, s.end, s.text) for s in spans]


def check_offsets(record: PaperRecord) -> None:
    received = {"abstract": record.abstract, "title": record.title or ""}
    for field, start, end, text in spans_of(record):
        assert 0 <= start < end <= len(received[field])
        assert received[field][start:end] == text
    for result in record.results:
        assert result.sentence.start <= result.span.start < result.span.end <= result.sentence.end


def test_a_record_holds_what_the_abstract_says(extractor: Extractor) -> None:
    record = extractor.extract(ABSTRACT)
    assert [(m.name, m.full_name, m.role) for m in record.methods] == [
        ("GC", "GridCache", "proposed"),
        ("FlashAttention-2", None, "compared"),
    ] or {(m.name, m.role) for m in record.methods} >= {("FlashAttention-2", "compared")}
    assert [d.name for d in record.datasets] == ["LongBench"]
    assert [(r.value, r.kind, r.datasets) for r in record.results] == [
        (2.4, "speedup", ["LongBench"]),
        (98.0, "ratio", ["LongBench"]),
    ]
    assert [(link.url, link.kind) for link in record.links] == [("https://github.com/example/gridcache", "code")]
    assert record.code_status == "linked"
    check_offsets(record)


def test_the_abstract_is_kept_untouched_and_names_its_own_id(extractor: Extractor) -> None:
    record = extractor.extract(ABSTRACT)
    assert record.abstract == ABSTRACT
    assert record.id.startswith("p-") and len(record.id) == 14
    assert extractor.extract(ABSTRACT).id == record.id
    assert extractor.extract(ABSTRACT, id="17").id == "17"


def test_mentions_in_the_title_carry_title_offsets(extractor: Extractor) -> None:
    record = extractor.extract(ABSTRACT, title="GridCache: Fast Inference on LongBench")
    fields = {mention.field for name in (*record.methods, *record.datasets) for mention in name.mentions}
    assert fields == {"title", "abstract"}
    check_offsets(record)


def test_metadata_travels_into_the_record(extractor: Extractor) -> None:
    record = extractor.extract(ABSTRACT, venue="ICLR", year=2026, extra={"track": "main"})
    assert (record.venue, record.year, record.extra) == ("ICLR", 2026, {"track": "main"})


def test_pipe_gives_the_same_records_as_one_by_one(extractor: Extractor) -> None:
    texts = [ABSTRACT, "We present Tessera, a new optimizer.", ABSTRACT.replace("98", "97")]
    assert list(extractor.pipe(texts)) == [extractor.extract(text) for text in texts]
    again = Extractor()
    assert [again.extract(text) for text in reversed(texts)] == [extractor.extract(text) for text in reversed(texts)]


def test_extract_is_a_function_of_the_package() -> None:
    assert extract("We propose Zebrafold, a protein model.").methods[0].name == "Zebrafold"


@given(st.text(min_size=1))
@settings(max_examples=150, deadline=None)
def test_any_text_gives_a_record_with_true_offsets(text: str) -> None:
    check_offsets(EXTRACTOR.extract(text))


PIECES = (
    "We propose |\\textbf{|}|$|3.2|\\times|%|\\%|**|*|`|Foo-Net| (FN)|on |CIFAR-10/100|. |\n\n|[a](https://a.io/b)|&amp;|<b>|"
    "up to |improves accuracy by |~|\u00ad|\u200b|é|from 3 to 5| and |, |$\\pi_0$"
).split("|")


@given(
    st.lists(
        st.sampled_from(PIECES),
        min_size=1,
        max_size=30,
    )
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_any_mixture_of_markup_and_claims_gives_true_offsets(parts: list[str]) -> None:
    text = "".join(parts)
    if text.strip():
        check_offsets(EXTRACTOR.extract(text))


EXTRACTOR = Extractor()


def test_real_abstracts_give_true_offsets(shared: Path, extractor: Extractor) -> None:
    with gzip.open(shared / "corpus" / "abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % 40 == 0:
                paper = json.loads(line)
                check_offsets(extractor.extract(paper["text"], title=paper.get("title")))


@pytest.mark.parametrize(
    "component",
    ["sentences", "links", "numbers", "abbreviations", "datasets", "names", "metrics"],
)
def test_components_can_be_added_to_any_pipeline(component: str) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("extractor_sentences")
    if component != "sentences":
        nlp.add_pipe(f"extractor_{component}")
    doc = nlp("We propose GridCache (GC), which reaches 98% accuracy on CIFAR-10 (https://a.io/b).")
    assert doc.text.startswith("We propose")
    assert findings(doc).sentences


def test_components_show_their_mentions_as_spans() -> None:
    nlp = spacy.blank("en")
    for component in ("sentences", "links", "numbers", "abbreviations", "datasets"):
        nlp.add_pipe(f"extractor_{component}")
    doc = nlp("Our method reaches 98% accuracy on CIFAR-10.")
    assert [span.text for span in doc.spans["numbers"]] == ["98%"]
    assert [span.text for span in doc.spans["datasets"]] == ["CIFAR-10"]
