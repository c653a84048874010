"""Find every number with its value, range, unit and qualifier.

All numbers that are not part of a word are found here; which of them are results is decided by
``relate/results.py``. Units come from ``rules/units.tsv``, qualifiers from ``rules/qualifiers.toml``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from math import inf, isfinite

from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.metrics import family
from extractor.mentions import NumberMention, findings, show, text_of
from extractor.rules import alternatives, lowered, toml, tsv

SCALE = {
    "k": 1000, "K": 1000, "M": 10**6, "B": 10**9, "b": 10**9, "T": 10**12,
    "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "mln": 10**6, "bn": 10**9,
}  # fmt: skip
WORDS = {
    "an": 1, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "hundred": 100, "thousand": 1000,
}  # fmt: skip
# Words that are numbers by themselves; the pattern of each says which readings count ("half of the tokens" does,
# "the first half" and "double-blind" do not).
FACTORS = (
    (
        2.0,
        ("doubl", "twice"),
        r"(?:doubl(?:es|ed|ing)|(?<!a )(?<!\bthe )double(?=\s+(?:the|that|its|their|our|in|of|compared|as)\b)"
        r"|(?<=than )double|twice(?!-))",
    ),
    (
        3.0,
        ("tripl", "thrice"),
        r"(?:(?:(?<=than )|(?<=nearly )|(?<=almost ))tripl(?:es|ed|ing)|tripl(?:es|ed|ing)(?=\s+(?:the|its|their)\b)"
        r"|triple(?=\s+(?:the|that|its|their)\b)|(?<=than )triple|thrice)",
    ),
    (
        0.5,
        ("half", "halv"),
        r"(?:halv(?:es|ed|ing|e)|(?<!first )(?<!second )(?<!latter )(?<!former )(?<!last )(?<!other )"
        r"half(?=\s+(?:the|of|as|that|its|their)\b)|(?<=by )half|(?<=in )half|(?<=to )half)",
    ),
)
DIGITS = r"(?:\d{1,3}(?:[,\u2009\u202f]\d{3})++(?:\.\d++)?|\d++(?:\.\d++)?|(?<!\d)\.\d++)"
MULTIPLIER = r"(?:\s?(?:thousand|million|billion|trillion|mln|bn)\b|[-\s]?[KMBTkb](?![\w/])|(?<=\d)[kKMB](?=\+))"
SIGN = r"[+\-−–±]"
DIGIT = re.compile(r"\d")
RUN = re.compile(r"[\d.,]*\d")
LEAD = re.compile(r"(?:×\s?)?[+\-−–±]?\$?\.?$")
DASH = r"\s?(?:-{1,3}|[–—~∼])\s?"


@Language.factory("extractor_numbers")
def create_numbers(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).numbers`` and ``doc.spans["numbers"]``."""
    return find_numbers


def find_numbers(doc: Doc) -> Doc:
    found = findings(doc)
    found.numbers = numbers(text_of(doc), found.title_end, [(link.start, link.end) for link in found.links])
    show(doc, "numbers", [(n.start, n.end, n.form) for n in found.numbers])
    return doc


@cache
def _units() -> tuple[re.Pattern[str], dict[str, tuple[str, str]]]:
    """The pattern of a unit after a number, and surface → (unit, form)."""
    rows = tsv("units")
    table = {row["surface"]: (row["unit"], row["form"]) for row in rows}
    tight = alternatives(row["surface"] for row in rows if row["tight"])
    loose = alternatives(row["surface"] for row in rows if not row["tight"])
    # A unit may touch the number or stand after a space or a hyphen; letters may not follow it. Symbols keep their
    # case (s, W, MB), words do not.
    pattern = re.compile(rf"(?:[\s\-‑]?(?:{tight})|[\s\-‑](?i:{loose}))(?:(?<=[×%])|(?![A-Za-z0-9_])(?!-[a-z]))")
    return pattern, table


@cache
def _core() -> re.Pattern[str]:
    """One number, or a range, with sign and multiplier; the unit is looked at afterwards."""
    one = rf"{DIGITS}(?:{MULTIPLIER})?"
    unit_inside = r"(?:\s?(?:%|×|x\b|\+|(?:fps|FPS|ms|GB|MB)\b))?"
    return re.compile(
        rf"(?<![\w.,/^_@'’])(?:(?<![\-–])|(?<=\s-)|(?<=\(-)|(?<=^-)|(?<=[–—]))"
        rf"(?P<times>×\s?)?(?P<sign>(?<![\w)])(?:{SIGN}))?(?P<dollar>\$)?"
        rf"(?P<low>{one}){unit_inside}"
        rf"(?:(?P<dash>{DASH}|\s+to\s+)(?P<high>(?:[+\-−])?{one}))?"
    )


FOLD = re.compile(r"\b(" + "|".join(WORDS) + r")-?\s?fold\b", re.I)
MAGNITUDE = re.compile(
    r"(?:(?P<low>\d++(?:\.\d++)?)(?:\s?(?:[-–—]|to)\s?(?P<high>\d++(?:\.\d++)?))?\s+|\b(?P<word>an|one|two|three|four|five|six|seven|eight|nine|ten)\s+)?"
    r"\borders?[\s-]of[\s-]magnitudes?\b", re.I,
)  # fmt: skip
FRACTION = re.compile(r"(?<![\w./])(?P<a>\d{1,2})/(?P<b>\d{1,4})(?P<th>th|rd|nd|st)?(?![\w/%.]*\d)(?!\w)")
FRACTION_BEFORE = re.compile(
    r"\b(?:by|to|only|just|about|with|uses?|using|than|of|roughly|approximately|nearly|requir\w+)\s+$|[—–(~]\s?$"
)
# "5 times faster", "by 3 times", "2.5 times the cost"; not "repeated 5 times".
TIMES = re.compile(
    r"\s+times(?=\s+(?:more|less|fewer|faster|slower|higher|lower|larger|smaller|greater|better|longer|shorter|cheaper|"
    r"as|the|that|those|its|their|speed\w*|reduction|improvement|increase|compared|over|acceleration|relative|on\s+average)\b|[\s,.;)]*$|[,.;)])"
)
INNER_POINTS = re.compile(
    r"[\s\-]((?:[A-Za-z@&$'’μρτκ][\w@&'’\-]*\s){1,3}?)(percentage\s+points?|points?|pts|pp)\b(?!\s+cloud)"
)
NOT_INNER = frozenset(
    "of in on and or to for the a an with from more less higher lower is are at data key time control end".split()
)
ABSOLUTE = re.compile(r"\s+(?:\(?absolute\)?|abs\.)(?!\w)")
AGE = re.compile(r"\s*(?:[-‑]?D\b|[-‑]?(?:st|nd|rd|th)\b|[-‑]?DoF\b)")
RESOLUTION = re.compile(r"\s?[×xX]\s?\d|\s?×\s?[A-Za-z]\s?×")
SECOND_SIDE = re.compile(r"[\d)]\s?[×xX]\s?$")


def numbers(text: str, start: int = 0, skip: list[tuple[int, int]] | None = None) -> list[NumberMention]:
    """Every number of ``text`` from ``start`` on, outside the spans of ``skip`` (URLs), in order."""
    found = _word_numbers(text, start)
    taken = sorted([(n.start, n.end) for n in found] + list(skip or ()))
    at = 0
    for match in _digit_matches(text, start):
        while at < len(taken) and taken[at][1] <= match.start():
            at += 1
        if at == len(taken) or taken[at][0] >= match.end():
            found.extend(_read(text, match))
    # A number beyond what a float can hold is none.
    found = [n for n in found if isfinite(n.value) and isfinite(n.high or 0)]
    found.sort(key=lambda n: n.start)
    for number in found:
        number.qualifier, number.lead, number.stop = qualifier(text, number.start, number.end)
    return found


def _word_numbers(text: str, start: int) -> list[NumberMention]:
    """Numbers in words and fractions: "two orders of magnitude", "tenfold", "doubles", "by 1/20".

    Plain substring tests come first, since most texts hold none of them.
    """
    found: list[NumberMention] = []
    low = text.lower()
    if "magnitude" in low:
        found.extend(_magnitude(match) for match in MAGNITUDE.finditer(text, start))
    if "fold" in low:
        for match in FOLD.finditer(text, start):
            value = float(WORDS[lowered(match.group(1))])
            found.append(NumberMention(match.start(), match.end(), value, None, "x", "factor"))
    for value, hints, pattern in _factor_words():
        if any(hint in low for hint in hints):
            found.extend(
                NumberMention(match.start(), match.end(), value, None, "x", "word")
                for match in pattern.finditer(text, start)
            )
    if "/" in low:
        for match in FRACTION.finditer(text, start):
            above, below = int(match["a"]), int(match["b"])
            if 0 < above < below and FRACTION_BEFORE.search(text, max(0, match.start() - 24), match.start()):
                found.append(NumberMention(match.start(), match.end(), above / below, None, "x", "factor"))
    return found


def _digit_matches(text: str, start: int) -> Iterator[re.Match[str]]:
    """Matches of the core pattern from left to right, tried only where a digit stands."""
    core = _core()
    at = start
    while (digit := DIGIT.search(text, at)) is not None:
        begin = digit.start()
        # Step back over what may stand before the digits: a point, a currency sign, a sign, "×".
        lead = LEAD.search(text, max(at, begin - 5), begin)
        match = core.match(text, lead.start()) if lead else None
        match = match or core.match(text, begin)
        if match is None:
            at = RUN.match(text, begin).end()  # type: ignore[union-attr]
            continue
        yield match
        at = match.end()


@cache
def _factor_words() -> list[tuple[float, tuple[str, ...], re.Pattern[str]]]:
    return [(value, hints, re.compile(rf"\b{pattern}\b", re.I)) for value, hints, pattern in FACTORS]


def _magnitude(match: re.Match[str]) -> NumberMention:
    """``two orders of magnitude`` → 100 x."""
    if match["word"]:
        low, high = float(WORDS[lowered(match["word"])]), None
    elif match["low"]:
        low, high = float(match["low"]), float(match["high"]) if match["high"] else None
        if max(low, high or 0) > sys.float_info.max_10_exp:
            low, high = inf, None
    else:
        # "orders of magnitude" alone is at least one, but the text gives no number: value 10, dropped by relate.
        singular = match.group().lower().startswith("order ") or match.group().lower().startswith("order-")
        return NumberMention(match.start(), match.end(), 10.0, None, "x", "factor" if singular else "vague")
    lead = len(match.group()) - len(match.group().lstrip())
    value = round(10.0**low, 6)
    return NumberMention(
        match.start() + lead, match.end(), value, round(10.0**high, 6) if high else None, "x", "factor"
    )


def _read(text: str, match: re.Match[str]) -> list[NumberMention]:
    """The mentions behind one match of the core pattern: one number or range, or two for "A to B" that is no range."""
    low_end = match.end("low")
    rest = text[low_end : low_end + 8]
    if AGE.match(rest) or RESOLUTION.match(rest) or (match["high"] and RESOLUTION.match(text, match.end())):
        return []
    # "512 × 512": the second side of a resolution.
    before = text[max(0, match.start() - 4) : match.start()]
    if SECOND_SIDE.search(before + "×" if match["times"] else before):
        return []
    if _glued(text, low_end) and not match["high"]:
        return []
    end = match.end()
    high = match["high"]
    if high and _glued(text, end):
        high, end = None, low_end
        if _glued(text, low_end):
            return []
    elif not high:
        end = low_end
    unit, form, end, inner = _unit(text, end)
    sign = (match["sign"] or "").strip()
    if match["times"] and form == "plain":
        unit, form = "x", "factor"
    if match["dollar"]:
        unit, form = "dollar", "quantity"
    first, second = _value(match["low"]), _value(high) if high else None
    begin = match.start()
    if high and form == "plain":
        inside = text[low_end : match.start("dash")].strip()
        if inside == "%" or inside == "×":
            high, second = None, None
            end = low_end
            unit, form, end, inner = _unit(text, end)
    if second is not None:
        first = _shared_scale(match["low"], match["high"], first, second)
        if first >= second and "to" not in (match["dash"] or ""):
            # "2023-24", "5-3": no range.
            return []
        if "to" in match["dash"] and _change(text, begin, first, second):
            return _two(text, match, first, second, unit, form, end, inner)
    mention = NumberMention(begin, end, first, second, unit, form, sign=sign, inner=inner)
    return [mention]


def _glued(text: str, end: int) -> bool:
    """Whether a letter, or a hyphen and a letter, follows at ``end`` without being a unit: ``4-bit``, ``10-shot``."""
    pattern, _ = _units()
    if end >= len(text) or pattern.match(text, end):
        return False
    if text.startswith(("-parameter", " -parameter"), end):
        return False
    if text[end].isalpha() or text[end] in "_^/":
        return not text.startswith(("x ", "×"), end)
    return text[end] in "-‑" and end + 1 < len(text) and text[end + 1].isalpha()


def _unit(text: str, end: int) -> tuple[str | None, str, int, tuple[int, int] | None]:
    """(unit, form, end with unit, span of words inside "30 F1 points") after a number that ends at ``end``."""
    pattern, table = _units()
    plus = 1 if text.startswith("+", end) else 0
    match = pattern.match(text, end + plus)
    if match:
        surface = re.sub(r"\s+", " ", match.group().lstrip(" \t\n\u00a0-‑"))
        unit, form = table.get(surface) or table.get(surface.lower()) or (None, "plain")
        if surface in ("x", "X") and match.group()[0] not in "xX":
            unit, form = None, "plain"
        if form != "plain":
            stop = match.end()
            if unit == "percent" and ABSOLUTE.match(text, stop):
                return "points", "points", stop, None
            return unit, form, stop, None
    times = TIMES.match(text, end)
    if times:
        return "x", "factor", times.end(), None
    inner = INNER_POINTS.match(text, end)
    if inner and _metric_like(inner.group(1)):
        return "points", "points", inner.end(), (inner.start(1), inner.end(1) - 1)
    return None, "plain", end, None


def _metric_like(words: str) -> bool:
    """Whether the words of "30 F1 points" name a metric: a capital, a digit or a row of the metric table."""
    inside = words.split()
    if any(word.lower() in NOT_INNER for word in inside):
        return False
    return any(c.isupper() or c.isdigit() or c == "@" for c in words) or family([w.lower() for w in inside]) is not None


def _value(written: str) -> float:
    """``182,384`` → 182384, ``1.5M`` → 1500000, ``50 million`` → 50000000."""
    match = re.match(rf"[+\-−]?({DIGITS})", written)
    assert match is not None
    suffix = written[match.end() :].strip(" -")
    return _scale(re.sub(r"[,\u2009\u202f]", "", match.group(1)), suffix)


def _scale(digits: str, suffix: str) -> float:
    """Decimal arithmetic, so that 16.1 billion is 16100000000 and not a hair more."""
    return float(Decimal(digits) * SCALE[suffix]) if suffix else float(digits)


def _shared_scale(low: str, high: str, first: float, second: float) -> float:
    """ "10 to 20 billion": the multiplier of the high end belongs to both when the low end has none."""
    suffix = re.sub(rf"^[+\-−]?{DIGITS}", "", high).strip(" -")
    bare = not re.sub(rf"^{DIGITS}", "", low).strip(" -")
    return _scale(repr(first), suffix) if suffix in SCALE and bare and first < second else first


RIVAL_BEFORE = re.compile(
    r"\b(?:outperform|surpass|exceed|beat|gains?\b|improvements?\b)\w*[^.;()]{0,90}\bfrom\s+(?:\S+\s+){0,2}$", re.I
)
RANGING = re.compile(r"\b(?:rang\w+|var\w+|span\w+|sizes?|between|anywhere|scales?)\s(?:\w+\s){0,3}from\s+$", re.I)


def _change(text: str, begin: int, first: float, second: float) -> bool:
    """Whether "A to B" at ``begin`` tells of a change ("improves accuracy from A to B") and not of a range."""
    before = text[max(0, begin - 130) : begin]
    if RANGING.search(before):
        return False
    if re.search(r"\bfrom\s+(?:an?\s+|around\s+|about\s+|only\s+|just\s+|the\s+)?[~$]?\s*$", before):
        return first >= second or not RIVAL_BEFORE.search(before)
    return first >= second


def _two(
    text: str, match: re.Match[str], first: float, second: float, unit: str | None, form: str, end: int,
    inner: tuple[int, int] | None,
) -> list[NumberMention]:  # fmt: skip
    """The two numbers of a change; a unit after the second belongs to both."""
    low_unit, low_form, low_end, _ = _unit(text, match.end("low"))
    if low_form == "plain":
        low_unit, low_form, low_end = unit, form, match.end("low")
    return [
        NumberMention(match.start(), low_end, first, None, low_unit, low_form),
        NumberMention(match.start("high"), end, second, None, unit, form, inner=inner),
    ]


@cache
def _qualifiers() -> tuple[re.Pattern[str], dict[str, str], re.Pattern[str], dict[str, str], list[str]]:
    table = toml("qualifiers")
    before = {phrase: kind for kind, phrases in table["before"].items() for phrase in phrases}
    after = {phrase: kind for kind, phrases in table["after"].items() for phrase in phrases}
    between = alternatives(table["between"])
    # At most three words of `between` and three qualifiers, read from the number backwards.
    pattern = re.compile(
        rf"(?:(?<![\w])|(?<=\s))({alternatives(before)})(?:[\s(\-]*(?:(?:{between})[\s]+){{0,3}})$", re.I
    )
    behind = re.compile(
        rf"\s?(?:(?P<plus>\+)|\(?\s?(?P<word>{alternatives(p for p in after if p != '+')})(?!\w))", re.I
    )
    return pattern, before, behind, after, table["order"]


def qualifier(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The qualifier of the number at ``start:end`` (exact when there is none), and the span with its words."""
    pattern, before, behind, after, order = _qualifiers()
    kinds = set()
    lead = start
    for _ in range(3):
        window = text[max(0, lead - 48) : lead]
        match = pattern.search(window)
        if not match:
            break
        if match.group(1) in (">", "~", "-") and re.search(r"[-→]\s?$", window[: match.start(1)]):
            break  # an arrow: "3.3 -> 3.0"
        kinds.add(before[re.sub(r"\s+", " ", lowered(match.group(1)))])
        lead -= len(window) - match.start()
    stop = end
    match = behind.match(text, end)
    if match:
        stop = match.end()
        if match["plus"]:
            kinds.add("over")
        else:
            kinds.add(after[re.sub(r"\s+", " ", lowered(match["word"]))])
    if re.search(r"[\dKMBk]\+(?!\d)", text[start + 1 : end]):
        kinds.add("over")
    return next((kind for kind in order if kind in kinds), "exact"), lead, stop
