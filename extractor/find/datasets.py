"""Find datasets in the plain text."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings


@Language.factory("extractor_datasets")
def create_datasets(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).datasets``."""
    return find_datasets


def find_datasets(doc: Doc) -> Doc:
    findings(doc)
    return doc
