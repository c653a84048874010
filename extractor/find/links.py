"""Find links in the plain text."""

from __future__ import annotations

from collections.abc import Callable

from spacy.language import Language
from spacy.tokens import Doc

from extractor.mentions import findings


@Language.factory("extractor_links")
def create_links(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).links``."""
    return find_links


def find_links(doc: Doc) -> Doc:
    findings(doc)
    return doc
