"""Texts nobody would write: endless, enormous, nonsensical. Each gives a record, soon, with true offsets."""

from __future__ import annotations

import pytest

from extractor import Extractor
from extractor.find.sentences import MOST, sentence_at, split

ENDLESS = [
    "(", "$", "\\textbf{", "1,1,1,", "A-A-A-", "from 1 to 2 ", "Aa Bb ", "1, ", "1 and ", "1 ", "9", "1 of 2 ", ".",
    "?!", "\\frac{1}", "Aa (AA) ", "twice ", "9% ", "by 1/20 ", "https://a.io/b ", "Code is at https://a.b/c. ", "[a](",
    "1% on CIFAR-10. ", "We propose Foo. ", "**a", "&amp;", "<b>", "\n", "\u202eא ", "😀", "A. ", "a",
]  # fmt: skip


@pytest.mark.parametrize("part", ENDLESS)
def test_endless_repetition_gives_a_record(extractor: Extractor, part: str) -> None:
    text = "We propose Foo. " + part * (8000 // len(part)) + " It is 3% better."
    record = extractor.extract(text)
    assert not list(record.inconsistencies())


@pytest.mark.parametrize(
    "number", ["9" * 400, "9" * 5000, "1." + "9" * 5000, "9" * 305 + "M", "400 orders of magnitude", "1-" + "9" * 400]
)
def test_a_number_no_float_holds_is_no_result(extractor: Extractor, number: str) -> None:
    record = extractor.extract(f"Our accuracy of {number} beats Foo, and the error falls by 3%.")
    assert 3.0 in [result.value for result in record.results]


@pytest.mark.parametrize(
    "text",
    [
        "Foo has an F1 ſcore of 5 and 3% error.", "A ſixfold gain, a fİvefold loss.", "It has leſſ than 5% error.",
        "It is ſix orders of magnitude faster.", "It takes approxımately 5%.", "5 mİllion images, 5% abſolute.",
        "We propose weİİİİİ Structured Reasoning (SİR), and SİR, Structured İnner Reasoning.",
    ],
)  # fmt: skip
def test_letters_that_only_patterns_take_for_others(extractor: Extractor, text: str) -> None:
    assert extractor.extract(text).abstract == text


def test_a_number_lies_in_its_sentence(extractor: Extractor) -> None:
    (result,) = extractor.extract("Our accuracy is １２\\item％ better.").results
    assert result.sentence.start <= result.span.start < result.span.end <= result.sentence.end


def test_what_is_longer_than_a_sentence_is_cut_between_words() -> None:
    text = "word " * 1000 + "end."
    parts = split(text)
    assert all(b - a <= MOST and text[a:b].strip() == text[a:b] for a, b in parts)
    assert "".join(text[a:b] for a, b in parts).replace(" ", "") == text.replace(" ", "")


def test_the_sentence_at_a_place() -> None:
    assert sentence_at([(0, 5), (7, 9)], 4) == (0, 5)
    assert sentence_at([(0, 5), (7, 9)], 5) is None
    assert sentence_at([(0, 5), (7, 9)], 7) == (7, 9)
    assert sentence_at([], 0) is None
