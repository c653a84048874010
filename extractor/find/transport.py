"""Findings on their way to another process or a file.

spaCy writes ``doc.user_data`` as MessagePack when documents travel between the processes of ``nlp.pipe``, into
``Doc.to_bytes`` or into a ``DocBin``. It learns here how to write findings and read them back, with nothing but
plain data in between: what is read from a file of unknown origin is never code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import srsly  # type: ignore[import-untyped]

from extractor import mentions

MARK = "extractor.mentions"
CLASSES: dict[str, Callable[..., Any]] = {
    made.__name__: made
    for made in vars(mentions).values()
    if isinstance(made, type) and is_dataclass(made) and made.__module__ == mentions.__name__
}
# MessagePack has one kind of sequence, and its reader decides which.
SEQUENCES: dict[str, Callable[[Any], Any]] = {"list": list, "tuple": tuple}


def pack(thing: Any) -> Any:
    """``thing`` as lists, dicts and plain values; what is pending is left behind."""
    if isinstance(thing, mentions.Pending):
        return {MARK: mentions.Pending.__name__, "values": []}
    if is_dataclass(thing) and type(thing).__name__ in CLASSES:
        return {MARK: type(thing).__name__, "values": [pack(getattr(thing, f.name)) for f in fields(thing)]}
    if isinstance(thing, tuple | list):
        return {MARK: type(thing).__name__, "values": [pack(entry) for entry in thing]}
    return thing


def unpack(made: dict[str, Any]) -> Any:
    """What ``pack`` was given, when its inner parts are unpacked already; anything else as it is."""
    name = made.get(MARK)
    if not isinstance(name, str):
        return made
    if name in SEQUENCES:
        return SEQUENCES[name](made["values"])
    return CLASSES[name](*made["values"]) if name in CLASSES else made


@srsly.msgpack_encoders("extractor.findings")  # type: ignore[untyped-decorator]
def encode(thing: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    """Asked by MessagePack about every object that it cannot write by itself."""
    if isinstance(thing, mentions.Findings):
        return pack(thing)
    return thing if chain is None else chain(thing)


@srsly.msgpack_decoders("extractor.findings")  # type: ignore[untyped-decorator]
def decode(made: Any, chain: Callable[[Any], Any] | None = None) -> Any:
    """Asked by MessagePack about every dict that it has read, the inner ones first."""
    if isinstance(made, dict) and MARK in made:
        return unpack(made)
    return made if chain is None else chain(made)
