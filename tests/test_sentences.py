"""Where sentences end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.find.sentences import split

LINES = (Path(__file__).parent / "cases" / "sentences.txt").read_text("utf-8").splitlines()
CASES = [line.replace("⏎", "\n") for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize("case", CASES, ids=[case[:40] for case in CASES])
def test_case(case):
    wanted = [part.strip() for part in case.split("‖")]
    text = re.sub(r" ?‖", "", case)
    assert [text[a:b] for a, b in split(text)] == wanted


def test_without_a_space_after_the_full_stop():
    text = "We fold maps on data.We show that it works.However, not always, as in U.S.Army or file.Name cases."
    assert [text[a:b][:7] for a, b in split(text)] == ["We fold", "We show", "However"]


@given(st.text(alphabet="aB1 .!?)(\"'\n‖:", max_size=80))
def test_sentences_cover_the_text_in_order(text):
    last = 0
    kept = []
    for start, end in split(text):
        assert last <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
        assert not text[last:start].strip()
        kept.append(text[start:end])
        last = end
    assert not text[last:].strip()
