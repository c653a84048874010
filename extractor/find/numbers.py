"""Find numbers in the plain text."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings


@Language.factory("extractor_numbers")
def create_numbers(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).numbers``."""
    return find_numbers


def find_numbers(doc: Doc) -> Doc:
    findings(doc)
    return doc
