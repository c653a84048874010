"""The input formats, and which one an input is in: by name, by its suffix, or by how it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from extractor.read.decoding import Text
from extractor.read.delimited import looks_delimited, read_csv, read_tsv
from extractor.read.fields import TEXT, choose, flatten
from extractor.read.items import Item, Options, Problem, ReadError
from extractor.read.json_document import read_json
from extractor.read.json_lines import parse, read_json_lines
from extractor.read.text_page import read_text


@dataclass(frozen=True, slots=True)
class Format:
    """One input format; ``read`` gives the items of a text in it."""

    name: str
    suffixes: tuple[str, ...]
    description: str
    read: Callable[[Text, Options], Iterator[Item | Problem]]


FORMATS = {
    made.name: made
    for made in (
        Format("text", (".txt", ".text", ".md"), "a page of abstracts parted by blank lines", read_text),
        Format("jsonl", (".jsonl", ".ndjson"), "a JSON object a line", read_json_lines),
        Format("json", (".json",), "an array of objects, or an object that holds one", read_json),
        Format("csv", (".csv",), "a table; the delimiter is found", read_csv),
        Format("tsv", (".tsv", ".tab"), "a table parted by tabs", read_tsv),
    )
}


def pick(text: Text, asked: str | None, options: Options) -> Format:
    """The format of ``text``."""
    if asked is not None:
        if asked.lower() not in FORMATS:
            raise ReadError(f"there is no input format {asked!r}: choose one of {', '.join(FORMATS)}")
        return FORMATS[asked.lower()]
    suffix = "" if text.name == "-" else Path(text.name.lower().removesuffix(".gz")).suffix
    named = next((made for made in FORMATS.values() if suffix in made.suffixes), None)
    if named is not None and named.name not in ("json", "jsonl"):
        return named
    start = text.sample.lstrip("\ufeff \t\r\n")
    if start.startswith(("{", "[")):
        seen = _lines_or_document(start, options, named)
        if seen is not None:
            return seen
    if named is not None:
        return named
    if looks_delimited(text.sample, options):
        return FORMATS["tsv" if "\t" in text.sample.split("\n", 1)[0] else "csv"]
    if not suffix or len(suffix) > 6 or not suffix[1:].isalnum():
        return FORMATS["text"]
    names = ", ".join(FORMATS)
    raise ReadError(f"{text.name}: cannot tell the format of a {suffix} file; name it with --input-format ({names})")


def _lines_or_document(start: str, options: Options, named: Format | None) -> Format | None:
    """Whether what begins like JSON is one document or one record a line; None when it is neither."""
    first, _, rest = start.partition("\n")
    more = rest.strip() != ""
    try:
        value = parse(first.strip())
    except (ValueError, RecursionError):
        # The first line is not whole: an indented document, a line longer than the sample, or no JSON at all.
        if first.startswith("{") and '"' not in first[:200] and first.strip() != "{":
            return None
        if named is not None:
            return FORMATS["json"] if more and named.name == "jsonl" and first.strip() in ("{", "[") else named
        return FORMATS["json"] if more or not first.startswith("{") else FORMATS["jsonl"]
    if isinstance(value, dict):
        single = choose(flatten(value, options), options.text_column, TEXT) is not None
        return FORMATS["jsonl"] if more or single or (named is not None and named.name == "jsonl") else FORMATS["json"]
    if isinstance(value, list):
        return FORMATS["jsonl"] if more and named is not None and named.name == "jsonl" else FORMATS["json"]
    return None
