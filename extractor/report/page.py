"""The page around the data: template, style and scripts, put together and written."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from extractor.report.data import Island
from extractor.write.staging import replacing

if TYPE_CHECKING:
    from extractor.records import PaperRecord
    from extractor.write.sinks import ByteStream

_HERE = Path(__file__).parent
# The script of the page: these files of script/, one after another in one function.
_PARTS = ("data", "make", "filters", "overview", "papers", "card", "numbers", "pages", "copying", "keys", "start")
_TOGETHER = 1 << 16  # characters written at once


def write_report(records: Iterable[PaperRecord], path_or_stream: str | Path | ByteStream) -> int:
    """Write the review page of ``records`` and say how many there were. A file appears whole or not at all."""
    if not isinstance(path_or_stream, str | Path):
        return _write(records, path_or_stream)
    # Half a page shows nothing, so nothing of it is kept.
    with replacing(Path(path_or_stream)) as stream:
        return _write(records, stream)


def _write(records: Iterable[PaperRecord], stream: ByteStream) -> int:
    island = Island(records)
    for block in _blocks(_pieces(island)):
        stream.write(block.encode("utf-8"))
    return island.papers


def _pieces(island: Island) -> Iterator[str]:
    environment = Environment(
        loader=FileSystemLoader(_HERE, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, theme, script = _part("page.css"), _part("script/theme.js"), _script()
    # Scripts and style are ours and the island is escaped for where it stands: no more escaping for them.
    yield from environment.get_template("page.html.j2").generate(
        style=Markup(style),
        theme=Markup(theme),
        script=Markup(script),
        style_hash=_hash(style),
        script_hashes=[_hash(theme), _hash(script)],
        island=island,
        chunks=(Markup(chunk) for chunk in island.chunks()),
    )


def _blocks(pieces: Iterable[str]) -> Iterator[str]:
    """``pieces`` joined to blocks that are worth a write each."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _TOGETHER:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def _part(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _script() -> str:
    parts = "\n".join(_part(f"script/{name}.js") for name in _PARTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _hash(text: str) -> str:
    """What the Content-Security-Policy calls an inline script or style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
