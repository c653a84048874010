"""From the fields of one record, as a file has them, to an item: which is the abstract, the id, the title."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from extractor.read.items import Item, Options, Problem
from extractor.records import Source

# Names of fields in the order of preference, lower case, with underscores for spaces and hyphens.
TEXT = ("abstract", "abstract_text", "abstracttext", "paper_abstract", "text", "summary", "description", "body")
ID = (
    *("id", "paper_id", "paperid", "openreview_id", "forum", "arxiv_id", "arxivid", "acl_id", "anthology_id", "paper"),
    *("uid", "key", "doi", "number"),
)
TITLE = ("title", "paper_title", "papertitle", "name")
VENUE = ("venue", "conference", "booktitle", "journal", "journal_ref")
YEAR = ("year", "publication_year", "pub_year", "published", "date")
URL = ("url", "link", "paper_url", "paper_link", "site", "href", "pdf_url")

# What the extractor itself writes beside the fields of the paper; found anew when a record is read again.
FOUND = frozenset(["schema_version", "source", "methods", "datasets", "results", "links", "code_status", "warnings"])

YEAR_VALUE = re.compile(r"\s*((?:19|20)\d\d)(?:\.0|[-/]\d{1,2}.{0,30})?\s*")
SURROGATE = re.compile("[\ud800-\udfff]")


def plain_name(name: str) -> str:
    """A field's name as it is compared: without case, ``paper id`` and ``Paper-ID`` alike."""
    return re.sub(r"[\s\-.]+", "_", name.strip().lower())


def choose(names: Iterable[str], wanted: str | None, usual: tuple[str, ...]) -> str | None:
    """The name among ``names`` that is meant: the one asked for, exactly or by case, or else a usual one."""
    given = list(names)
    if wanted is not None:
        if wanted in given:
            return wanted
        return next((name for name in given if plain_name(name) == plain_name(wanted)), None)
    known: dict[str, str] = {}
    for name in given:
        known.setdefault(plain_name(name), name)
    return next((known[name] for name in usual if name in known), None)


def unwrap(value: Any) -> Any:
    """``{"value": x}``, as OpenReview writes it, is ``x``."""
    return value["value"] if isinstance(value, dict) and "value" in value and len(value) <= 3 else value


def flatten(record: Mapping[str, Any], options: Options) -> dict[str, Any]:
    """The fields of a record; those under ``content`` stand beside the others when the abstract is among them."""
    fields = {str(name): unwrap(value) for name, value in record.items()}
    content = fields.get("content")
    if isinstance(content, dict) and choose(fields, options.text_column, TEXT) is None:
        del fields["content"]
        inner = {str(name): unwrap(value) for name, value in content.items()}
        fields = {**inner, **{name: value for name, value in fields.items() if name not in inner}}
    return fields


def make_item(
    record: Mapping[str, Any] | str, options: Options, source: Source, default_id: str | None = None
) -> Iterator[Item | Problem]:
    """The item of one record, after warnings about it; or the error that keeps it from being one."""
    if isinstance(record, str):
        record = {options.text_column or "abstract": record}
    fields = flatten(record, options)
    broken = False
    for name, value in list(fields.items()):
        sound = _sound(value)
        if sound is not value:
            broken = broken or _has_surrogate(value)
            fields[name] = sound
    text_name = choose(fields, options.text_column, TEXT)
    id_name = choose((name for name in fields if name != text_name), options.id_column, ID)
    id = _identifier(fields.get(id_name)) if id_name else None
    id = id or default_id

    def problem(message: str, severity: str = "error") -> Problem:
        return Problem(source.file, source.line, source.index, id, message, severity)  # type: ignore[arg-type]

    if text_name is None:
        yield problem(_no_text(fields, options))
        return
    abstract = fields[text_name]
    if abstract is None or (isinstance(abstract, str) and not abstract.strip()):
        yield problem(f"the abstract ({text_name}) is empty; the record is left out")
        return
    if not isinstance(abstract, str):
        kind = {dict: "an object", list: "a list", bool: "true or false"}.get(type(abstract), "a number")
        yield problem(f"the abstract ({text_name}) is {kind}, not text; the record is left out")
        return
    if broken:
        yield problem("broken characters (lone surrogates) were replaced by U+FFFD", "warning")
    used = {text_name, id_name}
    title_name = choose((name for name in fields if name not in used), options.title_column, TITLE)
    used.add(title_name)
    title = _text(fields.get(title_name)) if title_name else None
    if "schema_version" in fields:
        used |= FOUND | {"extra"}
    rest = [name for name in fields if name not in used]
    venue_name, url_name, year_name = choose(rest, None, VENUE), choose(rest, None, URL), choose(rest, None, YEAR)
    venue = _text(fields[venue_name]) if venue_name else None
    url = _text(fields[url_name]) if url_name else None
    year = _year(fields[year_name]) if year_name else None
    used |= {venue_name, url_name} | ({year_name} if year is not None else set())
    extra = {name: fields[name] for name in fields if name not in used}
    if "schema_version" in fields and isinstance(fields.get("extra"), dict):
        extra = {**fields["extra"], **extra}
    yield Item(id, abstract, title, venue, year, url, extra, source)


def _no_text(fields: Mapping[str, Any], options: Options) -> str:
    there = ", ".join(list(fields)[:12]) or "none"
    if options.text_column is not None:
        return f"there is no field {options.text_column!r} (fields: {there})"
    return f"no abstract: none of the usual fields ({', '.join(TEXT[:6])}) is there; --text-column names it ({there})"


def _identifier(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if value is None or isinstance(value, dict | list):
        return None
    return str(value).strip() or None


def _text(value: Any) -> str | None:
    """A text of its own, or the first of a list (Crossref has lists of titles)."""
    if isinstance(value, list):
        value = value[0] if value else None
    if value is None or isinstance(value, dict | list):
        return None
    return str(value).strip() or None


def _year(value: Any) -> int | None:
    match = YEAR_VALUE.fullmatch(str(value)) if isinstance(value, str | int | float) else None
    return int(match.group(1)) if match else None


def _has_surrogate(value: Any) -> bool:
    return SURROGATE.search(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) is not None


def _sound(value: Any) -> Any:
    """``value`` as UTF-8 and JSON can hold it; the same object where nothing had to change."""
    if isinstance(value, str):
        return value if value.isascii() or not SURROGATE.search(value) else SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        made = {_sound(str(key)): _sound(entry) for key, entry in value.items()}
        return value if list(made) == list(value) and all(made[k] is value[k] for k in made) else made
    if isinstance(value, list):
        sound = [_sound(entry) for entry in value]
        return value if all(a is b for a, b in zip(sound, value, strict=True)) else sound
    return value
