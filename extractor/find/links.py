"""Find links in the plain text and tell what each is for.

Recognition of URLs is linkify-it's, started only where "http(s)://", "www." or a known host stands; hidden links come
from the markup. The kind is told by the words of the clause around the link, then by its host (``rules/links.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from linkify_it import LinkifyIt  # type: ignore[import-untyped]
from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.sentences import sentence_at
from extractor.mentions import Findings, LinkMention, findings, show, text_of
from extractor.rules import toml

KINDS = ("code", "data", "model", "demo", "project")
# Without one of these there is no link; plain substring tests cost next to nothing.
TRIGGERS = ("//", "www.", ".com/", ".io", ".org/", ".science", ".co/", ".gl/", ".ly/", ".be/", ".app", ".dev", ".cn/")
SCHEME = re.compile(r"(?:https?|ftp):\s{0,2}(?=//)|\bwww\.(?=[\w-]+\.\w)", re.IGNORECASE)
# The rest of a URL that a space or a line break parted from a host that never stands alone.
BROKEN_AT = re.compile(r"(?:github\.com|gitlab\.com|huggingface\.co|4open\.science(?:/r)?)/$")
BROKEN_REST = re.compile(r"\s([\w.~-]+/[\w./~-]*\w)")
TRAILING = "`'\"”’*_.,;:!?|)]}>"
CUT = re.compile(r"[`{}<>|\\”“\"。，；）】]|\*\*|\]\(")
GLUED = re.compile(r"\.(?:[A-Z][a-z]*|This|The|Our)$")
AFTER = re.compile(
    r"\s*(?:,|\))?\s*(?:for|to\s+(?:access|view|see|download|find|get)|contain\w*|provid\w+|includ\w+|hosts?)\b"
)


@Language.factory("extractor_links")
def create_links(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).links`` and ``doc.spans["links"]``."""
    return find_links


def find_links(doc: Doc) -> Doc:
    found = findings(doc)
    text = text_of(doc)
    if found.hidden_links or any(t in text for t in TRIGGERS):
        found.links = links(text, found)
        show(doc, "links", [(k.start, k.end, k.kind) for k in found.links])
    return doc


def links(text: str, found: Findings) -> list[LinkMention]:
    """Every link of ``text``, each URL once, in the order of the text."""
    mentions = [LinkMention(start, end, url) for start, end, url in _visible(text)]
    for hidden in found.hidden_links:
        url = _clean(hidden.url.strip())
        if _is_web(url):
            mentions.append(LinkMention(hidden.start, hidden.end, url, hidden=hidden))
    # A visible link comes before a hidden one of the same address: its span is the URL itself.
    first: dict[str, LinkMention] = {}
    for mention in sorted(mentions, key=lambda k: (k.hidden is not None, k.start)):
        first.setdefault(_same(mention.url), mention)
    ordered = sorted(first.values(), key=lambda k: (k.start, k.end))
    for i, mention in enumerate(ordered):
        mention.anonymous = bool(re.search(r"4open\.science|anonym", mention.url, re.IGNORECASE))
        mention.kind = _kind(text, found, ordered, i)
    return ordered


@cache
def _linkify() -> Any:
    return LinkifyIt()


def _length(url: str) -> int:
    """How many characters of ``url``, which begins with ``scheme://``, belong to it; 0 when it is none."""
    colon = url.index(":") + 1
    rest = _linkify().test_schema_at(url, url[:colon].lower(), colon)
    return colon + rest if rest else 0


def _visible(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    for start, head, scheme in sorted(_starts(text)):
        if start < at:
            continue
        body = text[head : head + 2000].split(maxsplit=1)
        if not body:
            continue
        cut = CUT.search(body[0])
        known = body[0][: cut.start()] if cut else body[0]
        length = _length(scheme + known) - len(scheme)
        if length <= 0:
            continue
        url = known[:length].rstrip(TRAILING) if "(" not in known[:length] else known[:length].rstrip("`'\"*.,;:!?")
        glued = GLUED.search(url)
        if glued and "/" in url and not url.endswith((".MD", ".README")):
            url = url[: glued.start()]
        end = head + len(url)
        if BROKEN_AT.search(url + ("" if url.endswith("/") else text[end : end + 1])):
            rest = BROKEN_REST.match(text, head + len(url.rstrip("/")) + 1)
            if rest:
                url, end = url.rstrip("/") + "/" + rest.group(1), rest.end()
        at = end
        yield start, end, text[start:head].split(":")[0] + ":" + url if start < head else url


def _starts(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, start of what follows the scheme, scheme to give to linkify) of everything that may be a URL."""
    for m in SCHEME.finditer(text):
        if m.group().lower() == "www.":
            yield m.start(), m.start(), "http://"
        else:
            yield m.start(), m.end(), m.group().split(":")[0] + ":"
    for m in _schemeless().finditer(text):
        yield m.start(), m.start(), "https://"


@cache
def _schemeless() -> re.Pattern[str]:
    table = toml("links")["schemeless"]
    hosts, bare = ("|".join(map(re.escape, table[k])) for k in ("with_path", "bare"))
    return re.compile(
        rf"(?<![\w@/.-])(?:(?:[\w-]{{1,60}}\.){{0,4}}(?:{hosts})/|(?:[\w-]{{1,60}}\.){{1,4}}(?:{bare})\b)"
    )


def _clean(url: str) -> str:
    return url.replace("\\", "").rstrip("`'\"*.,;:!?}>")


def _is_web(url: str) -> bool:
    return bool(re.match(r"(?:https?|ftp)://[^\s/]|www\.\w", url, re.IGNORECASE) or _schemeless().match(url))


def _same(url: str) -> str:
    return re.sub(r"^https?://(www\.)?|/$", "", url.lower())


def _host_kind(url: str) -> str | None:
    """The kind of host of ``url`` by the table, the longest row that fits."""
    address = re.sub(r"^\w+://(www\.)?", "", url.lower())
    host = address.split("/")[0].split(":")[0]
    best: tuple[int, str] | None = None
    for kind, rows in toml("links")["hosts"].items():
        for row in rows:
            fits = address.startswith(row) if "/" in row else host == row or host.endswith("." + row)
            if fits and (best is None or len(row) > best[0]):
                best = (len(row), kind)
    return best[1] if best else None


@cache
def _words() -> dict[str, re.Pattern[str]]:
    table = toml("links")["words"]
    return {k: re.compile(rf"(?<![\w-])(?:{'|'.join(table[k])})(?![\w-])", re.IGNORECASE) for k in KINDS}


def _kind(text: str, found: Findings, ordered: list[LinkMention], i: int) -> str:
    """The kind of the i-th link: the first kind whose words its clause has, else that of its host."""
    link = ordered[i]
    host = _host_kind(link.url)
    if host == "other":
        return host
    said = _said(text, found, ordered, i)
    if not re.search(r"\w{3}", said.replace("and", "")) and i > 0:
        # "Code is available at A and B": the second serves the same, unless its host tells otherwise.
        return host if host in ("project", "data", "demo", "model") else ordered[i - 1].kind
    weak = toml("links")["weak_on"].get(host, [])
    for kind in KINDS:
        if kind not in weak and _words()[kind].search(said):
            return kind
    return host or "project"


def _said(text: str, found: Findings, ordered: list[LinkMention], i: int) -> str:
    """The words of the clause that the i-th link stands in, the link itself left out."""
    link = ordered[i]
    begin, stop = sentence_at(found.sentences, link.start) or (0, len(text))
    if i > 0 and ordered[i - 1].end > begin:
        begin = ordered[i - 1].end
    elif not text[begin : link.start].strip(" ([*_\n"):
        begin = max(0, link.start - 120)
    begin = max(begin, link.start - 160)
    before = text[begin : link.start]
    if link.hidden:
        before += text[link.start : link.end]
    after = AFTER.match(text, link.end, stop)
    limit = ordered[i + 1].start if i + 1 < len(ordered) else stop
    return before + " " + (text[after.start() : min(limit, link.end + 80)] if after else "")
