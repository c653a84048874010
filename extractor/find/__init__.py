"""The find components, one a file; importing this package registers them with spaCy."""

from extractor.find import (  # noqa: F401
    abbreviations,
    datasets,
    judge,
    links,
    metrics,
    names,
    numbers,
    sentences,
    transport,
)
