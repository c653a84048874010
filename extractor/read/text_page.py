"""Text pages: abstracts parted by blank lines, or by lines of one's own, with a heading or with titles or without.

Whether short paragraphs are titles, and whether a paragraph's first line is one, is decided once for a page, from its
beginning: titles come with every abstract or with none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from extractor.read.decoding import Text
from extractor.read.items import Item, Options, Problem, ReadError
from extractor.records import Source

AHEAD = 60
SECONDS_A_LINE = 1.0
TITLE_LIMIT, ABSTRACT_LEAST, UNWRAPPED = 220, 200, 160
SENTENCE_END = re.compile(r"[.。．;,:]['\"”’)\]]*$")
LIST_HEADING = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:papers|abstracts|proceedings|accepted|posters?|orals?|spotlights?|session|conference|workshop)\b",
    re.IGNORECASE,
)
MARKDOWN_HEADING = re.compile(r"#{1,6}\s+")
TITLE_LABEL = re.compile(r"(?:title|paper)\s*:\s*", re.IGNORECASE)
RULE = re.compile(r"[-=*_~#]{3,}")


@dataclass(slots=True)
class Block:
    """Lines that stand together; ``line`` is the number of the first one."""

    line: int
    text: str

    @property
    def is_short(self) -> bool:
        """Whether this is a heading or a title rather than an abstract."""
        if MARKDOWN_HEADING.match(self.text) and "\n" not in self.text:
            return True
        return len(self.text) <= TITLE_LIMIT and self.text.count("\n") <= 2 and not SENTENCE_END.search(self.text)

    def parted(self) -> tuple[str, Block] | None:
        """The first line and what stands below, where the first line can be a title."""
        first, _, rest = self.text.partition("\n")
        if not rest.strip() or not Block(self.line, first).is_short or len(rest) < ABSTRACT_LEAST:
            return None
        return first, Block(self.line + 1, rest.strip())


def read_text(text: Text, options: Options) -> Iterator[Item | Problem]:
    """The items of a page."""
    blocks = _blocks(text.lines(), options.separator)
    ahead = list(islice(blocks, AHEAD))
    if not ahead:
        raise ReadError(f"{text.name}: holds no text")
    rest = chain(ahead, blocks)
    heading = _has_heading(ahead)
    body = ahead[1:] if heading else ahead
    if heading:
        next(rest)
    make = _Maker(text.name)
    if options.separator is None and _titles_alone(body):
        yield from _with_titles(rest, make)
    elif _titles_above(body):
        for block in rest:
            parted = block.parted()
            yield make.item(parted[1], parted[0]) if parted else make.block(block)
    else:
        for block in rest:
            yield make.block(block)
    if not make.index:
        raise ReadError(f"{text.name}: no abstract found; abstracts stand apart by blank lines (see --separator)")


class _Maker:
    """Makes the items of one page and counts them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.index = 0

    def item(self, block: Block, title: str | None = None) -> Item:
        source = Source(file=self.name, format="text", index=self.index, line=block.line)
        self.index += 1
        return Item(id=None, abstract=block.text, title=_title(title) if title else None, source=source)

    def block(self, block: Block) -> Item | Problem:
        """An abstract; a short line between abstracts is a heading."""
        if block.is_short and len(block.text) <= 120:
            said = f"read as a heading, not as an abstract: {' '.join(block.text.split())[:60]!r}"
            return Problem(self.name, block.line, None, None, said, "warning")
        return self.item(block)


def _with_titles(blocks: Iterator[Block], make: _Maker) -> Iterator[Item | Problem]:
    """Items of a page where a title stands as a paragraph above each abstract. What follows an abstract before the
    next title belongs to it: an abstract may have blank lines of its own."""
    title: Block | None = None
    abstract: Block | None = None
    for block in blocks:
        if not block.is_short:
            abstract = block if abstract is None else Block(abstract.line, f"{abstract.text}\n\n{block.text}")
            continue
        if abstract is not None:
            yield make.item(abstract, title.text if title else None)
            abstract = None
        elif title is not None:
            yield make.block(title)
        title = block
    if abstract is not None:
        yield make.item(abstract, title.text if title else None)
    elif title is not None:
        yield Problem(make.name, title.line, None, None, f"a title without an abstract: {title.text[:60]!r}", "warning")


def _title(text: str) -> str:
    text = MARKDOWN_HEADING.sub("", text, count=1) if text.startswith("#") else text
    return " ".join(TITLE_LABEL.sub("", text, count=1).split()) or text


def _has_heading(blocks: list[Block]) -> bool:
    """Whether the first block is a heading of the page: short, and not the title of the first abstract."""
    if not blocks[0].is_short or len(blocks) < 2:
        return False
    if blocks[1].is_short:
        return True  # a heading, and then a title
    if len(blocks) == 2:
        return LIST_HEADING.search(blocks[0].text) is not None
    return not _titles_alone(blocks)


def _titles_alone(blocks: list[Block]) -> bool:
    """Whether short blocks are titles: each stands above an abstract, and there are about as many."""
    if len(blocks) < 2 or not blocks[0].is_short:
        return False
    shorts = sum(block.is_short for block in blocks)
    above = sum(a.is_short and not b.is_short for a, b in pairwise(blocks))
    longs = len(blocks) - shorts
    last = blocks[-1].is_short
    return above >= shorts - last - 0.1 * shorts and shorts >= 0.4 * longs and (shorts > 1 or longs == 1)


def _titles_above(blocks: list[Block]) -> bool:
    """Whether first lines are titles: in nearly every block, and not just because all lines are broken at a width."""
    longs = [block for block in blocks if not block.is_short]
    parted = [p for p in (block.parted() for block in longs) if p is not None]
    if not longs or len(parted) < 0.8 * len(longs):
        return False
    wide = sum(max(map(len, body.text.split("\n"))) >= UNWRAPPED > len(title) for title, body in parted)
    named = sum(_is_title(title) and body.text[:1].isupper() for title, body in parted)
    return wide >= 0.8 * len(longs) or (named >= 0.8 * len(longs) and len(longs) > 1)


def _is_title(line: str) -> bool:
    """Whether most longer words begin with a capital."""
    words = re.findall(r"[^\W\d_]{4,}", line)
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.7 * len(words)


def _blocks(lines: Iterator[str], separator: str | None) -> Iterator[Block]:
    """The blocks of a page, without rules between them."""
    parts, blanks = _parting(separator)
    held: list[str] = []
    start = empty = 0
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n").lstrip("\ufeff") if number == 1 else line.rstrip("\r\n")
        blank = not line.strip()
        empty = empty + 1 if blank else 0
        if parts(line.strip()) or (blanks and empty >= blanks):
            if held and (block := _block(start, held)):
                yield block
            held = []
        elif not blank or held:
            if not held:
                start = number
            held.append(line)
    if held and (block := _block(start, held)):
        yield block


def _block(start: int, lines: list[str]) -> Block | None:
    text = "\n".join(lines).strip()
    return None if not text or RULE.fullmatch(text) else Block(start, text)


def _pattern(separator: str) -> Callable[[str], bool]:
    """The test for lines behind ``/pattern/``. The pattern is a stranger's, so a line may take it a second at most."""
    import regex  # the standard library's patterns cannot be stopped

    try:
        pattern = regex.compile(separator[1:-1])
    except regex.error as error:
        raise ReadError(f"--separator {separator}: not a pattern ({error})") from error

    def parts(line: str) -> bool:
        try:
            return pattern.fullmatch(line, timeout=SECONDS_A_LINE) is not None
        except TimeoutError as error:
            raise ReadError(f"--separator {separator}: takes too long on a line; give a simpler pattern") from error

    return parts


def _parting(separator: str | None) -> tuple[Callable[[str], bool], int]:
    r"""What parts blocks: a test for lines, or a number of blank ones.

    ``---`` is such a line itself, ``/=+/`` a pattern of one, and ``\n\n\n`` stands for two blank lines.
    """
    if separator is None:
        return (lambda line: False), 1
    plain = separator.replace("\\n", "\n")
    if plain and not plain.strip("\n"):
        return (lambda line: False), max(1, len(plain) - 1)
    if len(separator) > 2 and separator[0] == separator[-1] == "/":
        return _pattern(separator), 0
    wanted = plain.strip()
    return (lambda line: line == wanted), 0
