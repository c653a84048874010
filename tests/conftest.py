"""Fixtures shared by the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from extractor import Extractor

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def extractor() -> Extractor:
    """One extractor for all tests: building it takes a second."""
    return Extractor()


@pytest.fixture(scope="session")
def rules() -> Extractor:
    """An extractor without the model, for tests of single rules: their texts are shorter than any abstract."""
    return Extractor(model=False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real texts and annotations beside the checkout; tests that need it are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real texts is not beside this checkout")
    return SHARED
