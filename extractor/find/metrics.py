"""Find metrics in the plain text."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings


@Language.factory("extractor_metrics")
def create_metrics(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).metrics``."""
    return find_metrics


def find_metrics(doc: Doc) -> Doc:
    findings(doc)
    return doc
