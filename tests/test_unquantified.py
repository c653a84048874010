"""Quantities told in words alone become warnings, never results."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from extractor import Extractor
from extractor.mentions import Findings
from extractor.relate.unquantified import warnings

ANNOTATED = Path(__file__).resolve().parents[1] / "fixtures" / "annotated"
SAID = 'a quantity without a number: "{}"'


def said(*wordings: str) -> list[str]:
    return [SAID.format(wording) for wording in wordings]


@pytest.mark.parametrize(
    ("text", "wordings"),
    [
        ("It cuts training from days to milliseconds.", ["from days to milliseconds"]),
        ("It cuts training from several days down to just a few minutes.", [
            "from several days down to just a few minutes"
        ]),
        ("It goes from hundreds of hours to under seconds.", ["from hundreds of hours to under seconds"]),
        ("It is orders of magnitude faster.", ["orders of magnitude"]),
        ("It is up to several orders of magnitude faster.", ["several orders of magnitude"]),
        ("It is orders-of-magnitude faster.", ["orders-of-magnitude"]),
        ("It is several times faster and a few times smaller.", ["several times faster", "a few times smaller"]),
        ("A several-fold speedup and a many-fold gain.", ["several-fold", "many-fold"]),
        ("It is several\n  times\tfaster.", ["several times faster"]),
        ("SEVERAL TIMES FASTER, From Days To Seconds.", ["SEVERAL TIMES FASTER", "From Days To Seconds"]),
    ],
)  # fmt: skip
def test_a_quantity_in_words_is_a_warning(extractor: Extractor, text: str, wordings: list[str]) -> None:
    record = extractor.extract(text)
    assert record.warnings == said(*wordings)
    assert record.results == []


@pytest.mark.parametrize(
    "text",
    [
        "It is two orders of magnitude faster.", "It is an order of magnitude faster.",
        "It is 2-3 orders of magnitude faster.", "It is at least an order of magnitude cheaper.",
        "It is 3 times faster.", "It falls from 3 days to 2 hours.", "It is twice as fast, a fivefold gain.",
    ],
)  # fmt: skip
def test_a_quantity_with_a_number_is_none(extractor: Extractor, text: str) -> None:
    record = extractor.extract(text)
    assert record.warnings == [] and record.results


@pytest.mark.parametrize(
    "text",
    [
        "We ran it several times.", "It is three times faster.", "It takes days.", "From the days of old to today.",
        "It is the order of things, and of great magnitude.", "We repeat it many times over two days.",
        "Sometimes faster, a manifold is learnt in manyfolds.", "From days we know, to seconds we wait.",
    ],
)  # fmt: skip
def test_plain_words_are_no_quantity(extractor: Extractor, text: str) -> None:
    assert extractor.extract(text).warnings == []


def test_each_wording_once_in_the_order_of_the_text(extractor: Extractor) -> None:
    text = (
        "It is several times faster than A, orders of magnitude cheaper, several  times\nfaster than B, and goes from "
        "days to seconds. It is orders of magnitude smaller, and two orders of magnitude lighter."
    )
    record = extractor.extract(text)
    assert record.warnings == said("several times faster", "orders of magnitude", "from days to seconds")
    assert [result.value for result in record.results] == [100.0]


def test_white_space_makes_no_other_wording() -> None:
    text = "It is several  times\nfaster, several times faster, and takes from\tdays to \n seconds."
    assert warnings(text, Findings()) == said("several times faster", "from days to seconds")


def test_a_title_is_read_too(extractor: Extractor) -> None:
    record = extractor.extract("We propose Fernroute, a router.", title="From Days to Seconds: Routing in Ferns")
    assert record.warnings == said("From Days to Seconds")


def test_without_the_model_the_warnings_are_the_same(extractor: Extractor, rules: Extractor) -> None:
    text = "We propose Fernroute. It is several times faster than SwitchNet and 3% better."
    assert extractor.extract(text).warnings == rules.extract(text).warnings == said("several times faster")


def test_the_invented_abstracts_have_none(extractor: Extractor) -> None:
    lines = (ANNOTATED / "texts.jsonl").read_text("utf-8").splitlines()
    assert [warning for line in lines for warning in extractor.extract(json.loads(line)["text"]).warnings] == []


@pytest.mark.parametrize(
    ("part", "end"),
    [
        ("from days ", "to"), ("several ", "times faster"), ("from several a few ", "days to seconds"),
        ("orders of ", "magnitude"), ("orders-", "of-magnitude"), ("several times faster. ", ""), (" ", "fold"),
        ("from days to seconds ", ""), ("from days to several many tens of ", "seconds"), ("a few-fold\n", ""),
    ],
)  # fmt: skip
def test_long_texts_take_no_time(part: str, end: str) -> None:
    def seconds(length: int) -> float:
        text = "from several " + part * (length // len(part)) + end
        begun = time.perf_counter()
        made = warnings(text, Findings())
        assert len(made) <= 2
        return time.perf_counter() - begun

    seconds(100)
    short, long = min(seconds(20_000) for _ in range(3)), seconds(400_000)
    # Twenty times the text: a quadratic pattern would take four hundred times as long.
    assert long < 0.05 or long < 100 * short


def test_long_texts_with_numbers_give_a_record(extractor: Extractor) -> None:
    begun = time.perf_counter()
    record = extractor.extract("It is several times faster and 3% better. " * 500)
    assert time.perf_counter() - begun < 4
    assert record.warnings == said("several times faster") and len(record.results) == 500
