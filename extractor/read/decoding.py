"""From bytes to lines of text: gzip, byte order marks, UTF-8 first, a guess that is told second.

Lines come one after another, so that memory stays flat however long the input is.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from extractor.read.items import ReadError

SAMPLE = 1 << 16
GZIP = b"\x1f\x8b"
# What reading compressed data raises when it is cut off or broken.
DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What begins a file that is no text, and what to do with it.
KINDS = (
    (b"%PDF", "a PDF file; save its text first"),
    (b"PK\x03\x04", "a ZIP archive or an Office file; save the sheet as CSV, or unpack it first"),
    (b"\xd0\xcf\x11\xe0", "an old Office file; save the sheet as CSV first"),
    (b"PAR1", "a Parquet file; save it as JSON Lines or CSV first"),
    (b"BZh", "compressed with bzip2; unpack it first (only gzip is read as it is)"),
    (b"\xfd7zXZ", "compressed with xz; unpack it first (only gzip is read as it is)"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first (only gzip is read as it is)"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"SQLite format 3", "a database; save the table as CSV first"),
)


@dataclass(slots=True)
class Text:
    """An input as text. ``sample`` is its beginning, ``warnings`` what a person should know about its encoding."""

    name: str
    stream: BinaryIO
    encoding: str
    sample: str
    carriage_returns: bool = False
    warnings: list[tuple[int | None, str]] = field(default_factory=list)
    told: bool = False

    def lines(self) -> Iterator[str]:
        """All lines, each with its end."""
        if self.carriage_returns or self.encoding.startswith(("utf-16", "utf-32")):
            newline = None if self.carriage_returns else ""
            yield from io.TextIOWrapper(self.stream, self.encoding, errors="replace", newline=newline)
            return
        for number, line in enumerate(self.stream, 1):
            if number == 1 and self.encoding == "utf-8-sig":
                line = line.removeprefix(codecs.BOM_UTF8)
            yield self._decode(line, number)

    def _decode(self, line: bytes, number: int) -> str:
        unicode = self.encoding == "utf-8-sig"
        try:
            return line.decode("utf-8" if unicode else self.encoding)
        except UnicodeDecodeError:
            if not self.told:
                name, done = ("UTF-8", "read as Windows-1252") if unicode else (self.encoding, "replaced")
                self.warnings.append((number, f"bytes that are not {name} were {done} (see --encoding)"))
                self.told = True
            return line.decode("utf-8", WESTERN) if unicode else line.decode(self.encoding, "replace")


WESTERN = "extractor.western"


def _western(error: UnicodeError) -> tuple[str, int]:
    """A byte that UTF-8 cannot be is most often one of Windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(WESTERN, _western)


class _Replay(io.RawIOBase):
    """Bytes that were read ahead, and then the rest of their stream."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self.head = memoryview(head)
        self.rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.head:
            data: bytes | memoryview = self.head[: len(buffer)]
            self.head = self.head[len(data) :]
        else:
            data = self.rest.read1(len(buffer)) if hasattr(self.rest, "read1") else self.rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _ahead(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """The beginning of the stream, and the stream as if nothing had been read of it."""
    parts, size = [], 0
    try:
        while size < SAMPLE:
            part = stream.read1(SAMPLE - size) if hasattr(stream, "read1") else stream.read(SAMPLE - size)
            if not part:
                break
            parts.append(part)
            size += len(part)
    except DAMAGED:
        if not parts:
            raise
    head = b"".join(parts)
    return head, cast(BinaryIO, io.BufferedReader(_Replay(head, stream), SAMPLE))


def kind_of(head: bytes) -> str | None:
    """What a file that begins with ``head`` is, and what to do, when it is no text."""
    return next((what for magic, what in KINDS if head.startswith(magic)), None)


def open_text(name: str, stream: BinaryIO, encoding: str | None) -> Text:
    """``stream`` as text: unpacked, and in the encoding given or found."""
    head, stream = _ahead(stream)
    if head.startswith(GZIP):
        try:
            head, stream = _ahead(cast(BinaryIO, gzip.GzipFile(fileobj=stream)))
        except DAMAGED as error:
            raise ReadError(f"{name}: is not sound gzip: {error}") from error
    if not head.strip():
        raise ReadError(f"{name}: is empty")
    kind = kind_of(head)
    if kind is not None:
        raise ReadError(f"{name}: is {kind}")
    warnings: list[tuple[int | None, str]] = []
    if encoding is None:
        encoding, warnings = _detect(name, head)
    else:
        try:
            encoding = codecs.lookup(encoding).name
            "".encode(encoding)  # base64 and the like are no encodings of text
        except (LookupError, ValueError):
            raise ReadError(f"{name}: there is no encoding {encoding!r}; try utf-8, cp1252 or utf-16") from None
        encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    try:
        sample = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    except (UnicodeError, LookupError, TypeError, ValueError) as error:
        raise ReadError(f"{name}: cannot be read as {encoding}: {error}") from error
    return Text(name, stream, encoding, sample, "\r" in sample and "\n" not in sample, warnings)


def _detect(name: str, head: bytes) -> tuple[str, list[tuple[int | None, str]]]:
    """The encoding, with a warning where it is a guess."""
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return encoding, []
    if b"\x00" in head:
        for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
            if zeros.count(0) > 0.4 * len(zeros) and head.count(0) < 0.6 * len(head):
                return encoding, [(None, f"read as {encoding.upper()}, which it seems to be (see --encoding)")]
        raise ReadError(f"{name}: is not text (it holds NUL bytes); give text, JSON Lines, JSON, CSV or TSV")
    replaced = codecs.getincrementaldecoder("utf-8")("replace").decode(head)
    if _controls(replaced) > 0.02:
        raise ReadError(f"{name}: is not text; give text, JSON Lines, JSON, CSV or TSV")
    wrong = replaced.count("\ufffd")
    # A few stray bytes in what is UTF-8 otherwise are told of where they stand.
    if wrong * 4 <= len(WIDE.findall(replaced)) - wrong:
        return "utf-8-sig", []
    encoding = "cp1252"
    if any(c > "\x7f" and c not in USUAL for c in head.decode("cp1252", "replace")):
        from charset_normalizer import from_bytes

        best = from_bytes(head).best()
        if best is None:
            raise ReadError(f"{name}: is not text in any encoding known here; --encoding names the right one")
        encoding = best.encoding
    return encoding, [(None, f"is not UTF-8; read as {encoding}, the likeliest (see --encoding)")]


WIDE = re.compile("[^\x00-\x7f]")
# What Western texts hold beyond ASCII; detectors that see few such characters take them for other alphabets.
USUAL = frozenset("‘’“”–—…•×±°µ·²³éèêëáàâäãåíìîïóòôöõøúùûüçñßÉÈÄÖÜÅØÇæÆ™®©€£§«»\xa0")


def _controls(text: str) -> float:
    return sum(c < " " and c not in "\t\r\n\f" for c in text) / max(1, len(text))
