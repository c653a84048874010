"""Find abbreviations in the plain text."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings


@Language.factory("extractor_abbreviations")
def create_abbreviations(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).abbreviations``."""
    return find_abbreviations


def find_abbreviations(doc: Doc) -> Doc:
    findings(doc)
    return doc
