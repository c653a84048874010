"""Every spelling of a dataset gets one canonical name, and no two datasets share one."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import pytest

from extractor import Extractor
from extractor.find.canonical import ambiguous, canonical, fold
from extractor.rules import tsv

CASES = tomllib.loads((Path(__file__).parent / "cases" / "canonical.toml").read_text("utf-8"))
SPELLINGS = [(spelling, case["canonical"]) for case in CASES["same"] for spelling in case["spellings"]]
APART = [pair for case in CASES["apart"] for pair in combinations(case["names"], 2)]
ALIASES = [row for row in tsv("dataset_aliases") if not row["alias"].endswith("##")]
SERIES = [row for row in tsv("dataset_aliases") if row["alias"].endswith("##")]


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor(model=False)


@pytest.mark.parametrize(("spelling", "name"), SPELLINGS)
def test_a_spelling_gets_the_name_of_its_dataset(spelling: str, name: str) -> None:
    assert canonical(spelling) == name


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_datasets_stay_apart(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize("case", CASES["record"], ids=lambda case: case["name"])
def test_names_of_a_record(extractor: Extractor, case: dict[str, list[list[str]] | str]) -> None:
    datasets = extractor.extract(str(case["text"])).datasets
    assert [[d.name, d.canonical] for d in datasets] == case["datasets"]


def test_the_lists_say_what_comes_out() -> None:
    listed = [(spelling, row["canonical"]) for row in tsv("datasets") for spelling in spellings(row)]
    listed += [(row["alias"], row["canonical"]) for row in ALIASES]
    assert [(name, want, canonical(name)) for name, want in listed if canonical(name) != want] == []


def test_a_canonical_name_is_its_own() -> None:
    names = {row["canonical"] for row in [*tsv("datasets"), *ALIASES]} | {name for _, name in SPELLINGS}
    assert [name for name in sorted(names) if canonical(name) != name] == []


def test_no_two_canonical_names_differ_in_spelling_alone() -> None:
    by_fold: dict[str, set[str]] = defaultdict(set)
    for row in [*tsv("datasets"), *ALIASES]:
        by_fold[fold(row["canonical"])].add(row["canonical"])
    apart = [{"ANLI", "aNLI"}, {"DOTA-v2.0", "Dota 2"}, {"DDI", "DDI Corpus"}]  # other datasets each
    assert [names for names in by_fold.values() if len(names) > 1 and names not in apart] == []


def test_no_alias_is_there_twice_or_empty() -> None:
    assert all(row["alias"] and row["canonical"] and row["reason"] for row in tsv("dataset_aliases"))
    assert [name for name, count in Counter(row["alias"].lower() for row in ALIASES).items() if count > 1] == []
    assert all(fold(row["alias"]) for row in ALIASES)
    assert [row["alias"] for row in ALIASES if ambiguous(row["alias"]) and row["alias"] != row["canonical"]] == []


@pytest.mark.parametrize("row", SERIES, ids=lambda row: row["alias"])
def test_an_edition_is_one_however_its_year_is_written(row: dict[str, str]) -> None:
    assert row["canonical"].count("##") in (1, 2)
    letters = row["alias"].removesuffix("##")
    years = ("28", "'28", "’28", "-28", " 28", "2028", " 2028", "-2028")
    named = {canonical(letters + year) for year in years}
    assert named == {row["canonical"].replace("####", "2028").replace("##", "28")}
    assert {canonical(name) for name in named} == named


def test_odd_names_are_read_quickly() -> None:
    odd = (
        "",
        " ",
        "-",
        "The",
        "the dataset",
        "v2",
        "2024",
        "A-" * 5000,
        "Foo " * 5000,
        "Foo-v" + "1." * 5000,
        "'" * 9000,
    )
    for name in odd:
        assert isinstance(canonical(name), str)
        assert canonical(canonical(name)) == canonical(name)


def spellings(row: dict[str, str]) -> list[str]:
    return [row["name"], *filter(None, row["aliases"].split("|"))]
