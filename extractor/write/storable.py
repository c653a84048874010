"""What a database or a Parquet file can hold: text without halves of surrogate pairs, whole numbers of 64 bits."""

from __future__ import annotations

import re
from typing import Any

from extractor.errors import WriteError
from extractor.records import PaperRecord

HALVES = re.compile("[\ud800-\udfff]")
LOW, HIGH = -(2**63), 2**63


def storable(row: dict[str, Any], owner: PaperRecord | None, kind: str) -> dict[str, Any]:
    """``row`` as a file of ``kind`` can hold it: each half of a surrogate pair becomes U+FFFD, so offsets stay true.

    Raises ``WriteError`` for a whole number beyond 64 bits; it names the file, the line, the paper and the field.
    """
    made: dict[str, Any] = {}
    for name, value in row.items():
        made[whole(name)] = _stored(value, name, owner, kind)
    return made


def whole(text: str) -> str:
    """``text`` with U+FFFD for the halves of surrogate pairs in it, which no file of text can hold."""
    return text if text.isascii() else HALVES.sub("�", text)


def _stored(value: Any, field: str, owner: PaperRecord | None, kind: str) -> Any:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, int) and not LOW <= value < HIGH:
        raise WriteError(
            f"{_place(owner)}{field} is a whole number beyond 64 bits, too large for {kind}: "
            "correct it in the input, or write jsonl or csv"
        )
    if isinstance(value, list):
        return [_stored(part, f"{field}.{n}", owner, kind) for n, part in enumerate(value)]
    if isinstance(value, dict):
        return {whole(name): _stored(part, f"{field}.{name}", owner, kind) for name, part in value.items()}
    return value


def _place(owner: PaperRecord | None) -> str:
    if owner is None:
        return ""
    file, line = owner.source.file, owner.source.line
    found = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
    return f"{found}paper {owner.id}: "
