"""Find names in the plain text."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings


@Language.factory("extractor_names")
def create_names(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).names``."""
    return find_names


def find_names(doc: Doc) -> Doc:
    findings(doc)
    return doc
