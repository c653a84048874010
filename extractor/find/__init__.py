"""The find components, one a file; importing this package registers them with spaCy."""

from extractor.find import abbreviations, datasets, links, metrics, names, numbers, sentences  # noqa: F401
