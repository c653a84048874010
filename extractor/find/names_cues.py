"""What the words around a unit tell: that the paper proposes it, names it, or lists it among its parts.

Every cue adds the id of its rule to ``unit.evidence``; ``names.decide`` weighs them.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from extractor.find.names_cue_words import Cue
from extractor.find.names_units import DATASET, EMPHASIS, KNOWN, LONG, SHORT, SPELT, WORD, Unit
from extractor.find.shapes import HYPHEN, is_strong
from extractor.rules import alternatives, terms

TABLE = "name_cues"
BLOCK = terms(TABLE, "block")
METHOD, DATA, TASK = (terms(TABLE, k) for k in ("method_noun", "dataset_noun", "task_noun"))
PROBLEM = terms(TABLE, "problem_noun")
SETTING = terms(TABLE, "setting_noun")

NAME_ENDS = re.compile(r"[\"”’*]*(?:\s*[,.;:(—–]|\s+(?:that|which|to|for|as|---?|in|with)\b|\s*$)")
OURS = METHOD | terms(TABLE, "own")
DIRECT_DATA = re.compile(rf"\s*(?:\([^()]*\))?\s+(?:{alternatives(DATA)})\b", re.I)
AHEAD = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:[,:—–-]|is\b|are\b|which\b)")
ZONE_END = re.compile(
    r"[.;:]\s|\b(?:that|which|to|for|of|designed|where|by|with|in|on|capable|aimed|via|is|are|leveraging|using|based|built|combining|"
    r"enabling|exploiting|tailored|consisting|comprising|inspired|featuring|integrating|utilizing|employing|addressing)\b"
)
MODELS = re.compile(
    r"\s*(?:[\w-]+[\s,]+){0,6}(?:models?|LLMs?|MLLMs?|VLMs?|methods|algorithms|agents|networks|tools)\b"
)
LOWER_WORD = re.compile(r"(?<![\w-])[a-z][a-z'’]*(?![\w-])")
ARTICLE = re.compile(r"[\s(“\"'‘]*(?:an?|the|our|its|this|these|two|three|four|new|novel|simple|efficient)?\s*", re.I)
NOUNS = re.compile(
    rf"\b(?:(?P<data>{alternatives(DATA)})|(?P<setting>{alternatives(SETTING)})|(?P<method>{alternatives(METHOD)}))s?\b(?!-)"
)
APPOSED = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:,\s*|:\s+|\s*[—–]\s*|\s*---?\s*|\s+)"
    r"(?P<is>(?:which\s+)?(?:is|are)\s+)?(?:designed\s+as\s+)?"
    r"(?P<det>an?|the\s+first|the|our|one\s+of|novel|new|two|three|first)\s"
)
PASSIVE = re.compile(
    r"\s*(?:\([^()]*\)\s*)?,?\s*(?:[a-z]+\s){0,2}?(?:(?:is|are)\s+)(?:then\s+|further\s+|also\s+)?"
    r"(?:proposed|introduced|presented|developed|designed|devised)\b(?!\s+by\b)"
)
SUBJECT = re.compile(
    r"\s*(?:\([^()]*\))?(?:,[^,.;]{3,80},)?\s+(?:(?:first|also|then|further|thus|not\s+only|explicitly|consistently|significantly|"
    r"effectively|jointly|simply|instead|additionally|therefore|directly|dynamically|adaptively|substantially|"
    r"automatically|efficiently|successfully|simultaneously|only)\s+)*"
    r"(?P<verb>can|is|does|has|was|will|[a-z]+(?:[^su\W]s|ses))\b"
)  # fmt: skip
NEXT = re.compile(
    rf"(?:\s*(?:\([^()]*\)|[{HYPHEN}]\w+|module|loss|mechanism|strategy|framework|model|method|algorithm|technique)s?)*"
    r"\s*(?:,?\s*(?:and|&|or|as\s+well\s+as|along\s+with|together\s+with|followed\s+by|plus|then|,)|;\s*(?:and)?)\s*"
    r"(?:\(?\w{1,4}\)\s*)?(?:an?|the|its|their|our|another)?\s*(?:[\w-]+,?\s+){0,3}", re.I
)  # fmt: skip
PARTS = re.compile(
    r"\b(?:components?|modules?|stages?|phases?|agents|designs?|techniques|strategies|innovations|mechanisms|ideas|"
    r"consists?\s+of|consisting\s+of|compris\w+|integrat\w+|combin\w+|incorporat\w+|variants?|steps|namely|parts|"
    r"contributions|enhancements|losses|objectives|modes|two|three|four|via|through|with|employs|uses|leverages|"
    r"designs?|adopts|utilizes|builds|constructs|develops|first|second|third|further|specifically|additionally)\b", re.I
)  # fmt: skip


CITED = re.compile(
    r"[\s()]*(?:\((?:[A-Z][\w.]+\s)?[A-Z]\w+\s+(?:et\s+al|(?:&|and)\s+[A-Z])[^()]{0,40}\d{4}|\[\d+\]|\\?cite|"
    r"by\s+[A-Z]\w+\s+et\s+al)"
)
BACKGROUND = re.compile(
    r"\b(?:popular|powerful|widely|emerging|standard|common|commonly|well-known|prominent|foundational|recent|recently|"
    r"classic|classical|traditional|existing|established|fundamental|dominant|prevailing|promising|leading|central|"
    r"key|ubiquitous|cornerstone|previous|prior|successful|long-standing|crucial|critical|important|essential)\b"
)
RECENT = re.compile(
    r"\b(?:[Rr]ecent|[Ee]xisting|[Tt]raditional|[Cc]onventional|[Cc]lassic(?:al)?|[Pp]revious|[Pp]rior|[Ss]tandard)\s+$"
)
SHOWN = re.compile(r"\b(?:show|demonstrate|reveal|indicate|confirm|suggest)s?\s+(?:that\s+)?$")
LEADING = re.compile(
    r"[\s(*\"“]*(?:[A-Z][a-z]+(?:ly)?,|(?:In|To|By|At|On)\s[^,]{3,50},|The|Our|Here,?|(?:[A-Z][a-z]+\s){0,4}[a-z\s]{0,30}"
    r"(?:show|demonstrate|reveal|indicate|confirm|find|suggest)s?\s+(?:that)?)?\s*"
)
WE = re.compile(r"\b(?:[Ww]e|paper|work)\s+(?:\w+ly\s+)?(?:propos|introduc|present|develop|design|build|construct)")
NOVEL = re.compile(r"\b(?:an?|the)\s+(?:[\w-]+\s)?(?:novel|new)\s+(?:[\w-]+\s)*$")
LATER = re.compile(
    r"\b(?:is|are)\s+(?:then\s|further\s|also\s)?(?:proposed|introduced|presented|developed|designed|devised)\b"
)
# What stands before and after a part in a list of parts: "(1) X, which", "and a X module", "stages: X and".
ITEM = re.compile(
    r"(?:\([\divx]{1,4}\)|\b[\divx]{1,3}[).]|:|;|\b(?:[Aa]n?|[Tt]he|and|[Oo]ur|via|through|its)\s(?:(?:novel|new|lightweight|efficient|simple)\s)?)\s*[\"“*]*$"
)
STRICT_ITEM = re.compile(r"(?:\([\divx]{1,4}\)|\b[\divx]{1,3}[).]|:|;|\b(?:an?|our)\s(?:novel\s|new\s)?)\s*[\"“*]*$")
AMONG = re.compile(
    r"\b(?:such\s+as|like|e\.g\.|including|across|baselines?|existing|recent|over|than|compared|models?)\b[^.;:]*$",
    re.I,
)
ITEM_END = re.compile(
    rf"[\"”*]*(?:\s*[,:;(—–]|\.|\s+(?:that|which|to|for|and|where|with|using|[a-z]+ly|[a-z]+[^su\W]s)\b"
    rf"|\s+(?:{alternatives(METHOD)})s?\b)"
)
NOT_PARTS = re.compile(
    r"\b(?:tasks|levels|aspects|dimensions|domains|categories|scenarios|problems|types|subjects|skills|capabilities|spanning|"
    r"covering|languages|settings|flows|perspectives|axes|criteria|environments|games|challenges|questions|benchmarks|datasets)\b"
    r"(?!.*\b(?:modules|components|stages|techniques|strategies|mechanisms|designs|methods|algorithms|losses)\b)"
)
LISTED = re.compile(
    r"(?:\s*\([^()]*\))?\s*(?:,|;|,?\s*and\b|,?\s*&)\s*(?:\(?[\divx]{1,4}[).])?\s*(?:an?\s|the\s)?[\"“*]*"
)
PART_NOUN = re.compile(
    r"\)?\s+(?:module|mechanism|strategy|framework|algorithm|method|model|loss|block|layer|network|technique|scheme|"
    r"procedure|approach|unit|component|agent|stage|objective|metric|regularization|regularizer|architecture|pipeline|"
    r"encoder|decoder|adapter|sampler|estimator|optimizer|representation)s?\b"
)


def read_cues(text: str, sentences: list[tuple[int, int]], found: list[Unit], cues: list[Cue]) -> int:
    """Add evidence to the units of ``text``; returns the start of the first proposing cue, else the text's length."""
    starts = [u.start for u in found]
    first = len(text)
    at = 0
    for start, end in sentences:
        here = found[bisect_left(starts, start) : bisect_left(starts, end)]
        while at < len(cues) and cues[at].start < end:
            cue, at = cues[at], at + 1
            if first == len(text) and _ours(text, start, cue):
                first = cue.start
            if here:
                _from_cue(text, cue, here, start)
        if not here:
            continue
        for unit in here:
            if unit.kind != DATASET:
                _alone(text, start, end, unit)
            if first == len(text) and "definition.passive" in unit.evidence:
                first = start
        if end > first:
            _parts(text, start, end, here)
    return first


def _ours(text: str, start: int, cue: Cue) -> bool:
    """Whether a cue speaks of this paper's own work."""
    before = text[max(start, cue.start - 60) : cue.start].lower()
    if cue.group == "our":
        return True
    if cue.group == "propose":
        return bool(re.search(r"\b(?:we|this|our|paper|work|i|here|to)\b", before))
    return cue.group == "offer" and bool(re.search(r"\bwe\s+(?:\w+ly\s+)?$", before))


def _from_cue(text: str, cue: Cue, here: list[Unit], start: int) -> None:
    """Give the evidence of one cue to the first unit it reaches, and to those listed after it."""
    group, word = cue.group, cue.word
    named = True
    if group == "propose" and word in ("proposed", "introduced", "presented", "developed", "designed"):
        before = text[max(start, cue.start - 30) : cue.start].lower()
        if re.search(
            r"\b(?:recent(?:ly)?|was|were|been|previously|originally|by|methods?|approach(?:es)?)\s*$", before
        ):
            return
    if group == "call":
        noun = last_noun(text, max(start, cue.start - 60), cue.start)
        headed = any(n.lastgroup == "method" for n in NOUNS.finditer(text, start, cue.start))
        if noun in SETTING or (noun in TASK and noun not in METHOD and not headed):
            for unit in here:
                if unit.start >= cue.end:
                    if unit.start - cue.end < 8:
                        unit.evidence.add("setting")
                    return
            return
        named = noun in METHOD or (headed and bool(WE.search(text, start, cue.start)))
    for i, unit in enumerate(here):
        if unit.start < cue.end:
            continue
        if i + 1 < len(here) and here[i + 1].kind == LONG and text[unit.end : here[i + 1].start] == " ":
            continue  # "VLM-Guided Relative Movement Dynamics (RMD)"
        if group == "call" and unit.kind in (WORD, EMPHASIS) and not (named or is_strong(unit.name)):
            return
        if not _reaches(text, cue, unit):
            if unit.kind in (KNOWN, DATASET) or unit.start - cue.end > 160:
                if text[cue.end : unit.start].strip() and group != "call":
                    continue
                return
            continue
        noun = last_noun(text, cue.end, unit.start)
        if group == "propose" and noun in PROBLEM:
            unit.evidence.add("setting")  # "we propose a new problem setting, X"
            return
        rule = _rule(text, group, word, unit)
        if rule:
            unit.evidence.add(rule)
            _listed(text, unit, here[i + 1 :], rule)
        if rule != "definition.modifier":
            return  # else the name may follow: "the first OSSFL framework, FedOpenMatch"


def _reaches(text: str, cue: Cue, unit: Unit) -> bool:
    """Whether nothing stands between the cue and the unit but what may stand before a name."""
    gap, group = text[cue.end : unit.start], cue.group
    if len(gap) > 140 or (unit.kind == KNOWN and adjectival(text, unit)):
        return False
    if group == "our" and (len(gap) > 45 or not OURS.issuperset(LOWER_WORD.findall(gap))):
        return False
    if not gap.strip():
        return True
    if re.search(r"[.;!?]\s|\)\s*,", gap):
        return False
    low = LOWER_WORD.findall(gap)
    if group == "call":
        return len(low) <= 5 and not BLOCK.intersection(low) - {"it", "this", "as", "them"}
    # "we propose a framework for X: NAME", "a new method, NAME"
    tail = re.search(r"(?:,|:|—|–|---?)\s*(?:\w+\s+)?$", gap)
    if tail and "(" not in gap and NOUNS.search(gap):
        inner = gap[: tail.start()]
        if unit.kind in (SPELT, SHORT, EMPHASIS, KNOWN, WORD) and len(inner) < 110 and "," not in inner:
            return not re.search(r"\b(?:based on|built on|including|using|like|such as|compared)\b", gap)
    return not BLOCK.intersection(low)


def _rule(text: str, group: str, word: str, unit: Unit) -> str | None:
    """The rule by which a cue that reaches ``unit`` makes it proposed."""
    if unit.kind == DATASET:
        return None
    noun = following_noun(text, unit)
    if noun == "data":
        return "dataset"
    if noun == "setting":
        return None
    if unit.kind == KNOWN:
        # A paper may be the origin of a known name: "we present a framework, DualPrompt, which".
        bare = is_strong(unit.name) and NAME_ENDS.match(text, unit.end) and not modifies(text, unit)
        return "definition.propose" if group in ("propose", "call") and (bare or noun == "method") else None
    if group == "call":
        return "definition.call"
    if group == "propose":
        return "definition.modifier" if modifies(text, unit) or _noun_follows(text, unit) else "definition.propose"
    if group == "our":
        return "definition.our"
    if noun == "method" or unit.emphasised or (unit.abbreviation and unit.abbreviation.long[0].isupper()):
        return "definition.offer"
    return "offer"


def following_noun(text: str, unit: Unit) -> str | None:
    """ "data" or "method" when an apposition or the next words say what the unit is; else None."""
    end = min(len(text), unit.end + 170)
    at = unit.end
    if DIRECT_DATA.match(text, at, end):
        return "data"
    if not AHEAD.match(text, at, end):
        return None
    m = APPOSED.match(text, at, end)
    if not m or (not m.group("is") and m.group()[0] == " " and "," not in m.group() and ":" not in m.group()):
        return None
    stop = ZONE_END.search(text[m.end() : end])
    zone = text[m.end() : m.end() + stop.start() if stop else end]
    if BACKGROUND.search(zone):
        return "background"
    if stop and stop.group().strip() in ("is", "are") and not m.group("is") and "," not in zone:
        return None  # ", a new strategy is proposed"
    last = None
    for noun in NOUNS.finditer(zone):
        last = noun.lastgroup if noun.lastgroup != "setting" or last is None else last
    if last == "data" and stop and stop.group().strip() == "of" and MODELS.match(text, m.end() + stop.end(), end):
        return "method"  # "a suite of open-source models"
    return last


def last_noun(text: str, start: int, end: int) -> str:
    """The last word before ``end`` that is no adverb or verb of naming."""
    low = re.findall(r"[A-Za-z-]+", text[start:end])
    while low and low[-1].lower() in (
        "is",
        "are",
        "we",
        "which",
        "it",
        "now",
        "also",
        "simply",
        "so",
        "hereafter",
        "i",
    ):
        low.pop()
    return low[-1].lower() if low else ""


def adjectival(text: str, unit: Unit) -> bool:
    """Whether the unit is only the first half of a compound: CLIP in "CLIP-based"."""
    return text[unit.end : unit.end + 1] in HYPHEN.replace("\\", "") and text[unit.end + 1 : unit.end + 2].isalpha()


def _noun_follows(text: str, unit: Unit) -> bool:
    """Whether an abbreviation of a lower-case phrase modifies a noun: "a novel view synthesis (NVS) method"."""
    a = unit.abbreviation
    if not a or not a.long.islower():
        return False
    end = max(a.long_end, a.short_end) + 1
    return bool(re.match(r"\s+(?!that|which|to|for|and|with|by|in|on|is|as|via|from|where)[a-z]", text[end : end + 30]))


def modifies(text: str, unit: Unit) -> bool:
    """Whether an oddly spelt unit only modifies a noun: MCMC in "a novel MCMC algorithm"."""
    if unit.kind not in (SPELT, KNOWN):
        return False
    before = text[max(0, unit.start - 40) : unit.start]
    return bool(re.search(r"\b(?:an?|novel|new|efficient|first)\s+(?:[\w-]+\s+)*$", before)) and bool(
        re.match(
            rf"(?:[{HYPHEN}][a-z]+)*\s+(?!that|which|to|for|and|with|by|in|on|is|as|via|from)[a-z]",
            text[unit.end : unit.end + 30],
        )
    )


def _listed(text: str, unit: Unit, later: list[Unit], rule: str) -> None:
    """Hand ``rule`` on to units listed after ``unit``: "X and its variant Y"."""
    last = unit
    for other in later[:4]:
        gap = text[last.end : other.start]
        if other.kind in (LONG, SHORT) and other.abbreviation is last.abbreviation and last.abbreviation:
            other.evidence.add(rule)
            last = other
            continue
        if len(gap) > 70 or not NEXT.fullmatch(gap) or BLOCK.intersection(LOWER_WORD.findall(gap)) - {"and", "or"}:
            return
        if other.kind in (KNOWN, DATASET) or rule not in ("definition.propose", "definition.call", "definition.our"):
            return
        if not re.search(r"\b(?:and|as well as|along with|together with|followed by|plus)\b|&|;", gap):
            return
        other.evidence.add("definition.list")
        last = other


def _alone(text: str, start: int, end: int, unit: Unit) -> None:
    """Evidence that stands beside the unit itself: apposition, passive, subject of a sentence."""
    if unit.kind == KNOWN:
        return
    if AMONG.search(text[max(start, unit.start - 70) : unit.start]):
        unit.evidence.add("among")
    if RECENT.search(text[max(start, unit.start - 24) : unit.start]):
        unit.evidence.add("background")
    bracketed = text[unit.start - 1 : unit.start] == "(" and text[unit.end : unit.end + 1] == ")"
    if bracketed and not unit.abbreviation and last_noun(text, max(start, unit.start - 40), unit.start) in METHOD:
        unit.evidence.add("part")
    if CITED.match(text, unit.end, min(len(text), end + 60)):
        unit.evidence.add("cited")
    if PASSIVE.match(text, unit.end, end) or (
        NOVEL.search(text[max(start, unit.start - 40) : unit.start]) and LATER.search(text, unit.end, end)
    ):
        unit.evidence.add("definition.passive")
    noun = following_noun(text, unit)
    if noun:
        unit.evidence.add({"data": "dataset", "method": "apposition"}.get(noun, noun))
    before = text[start : unit.start]
    if len(before) < 60 and _leads(before):
        m = SUBJECT.match(text, unit.end, end)
        if m:
            unit.evidence.add("subject")
            if SHOWN.search(before):
                unit.evidence.add("shown")
    elif SUBJECT.match(text, unit.end, end) and re.search(r"\b(?:that|,|and|where|while)\s*$", before):
        unit.evidence.add("subject")


def _leads(before: str) -> bool:
    """Whether a sentence's beginning before a unit leaves it the subject."""
    return not before.strip() or bool(LEADING.fullmatch(before))


def _parts(text: str, start: int, end: int, here: list[Unit]) -> None:
    """Names after the first proposal that stand as parts do: "(1) X, which", "a X module", "X and Y"."""
    if here[0].kind == DATASET and here[0].start - start < 30:
        return  # the parts of a dataset
    last: Unit | None = None
    last_end = 0
    for unit in here:
        if unit.kind in (DATASET, KNOWN):
            last, last_end = None, unit.end
            continue
        before = text[max(start, unit.start - 40) : unit.start]
        listed = NOT_PARTS.search(text, max(start, unit.start - 150), unit.start)
        if listed and not PARTS.search(text, listed.end(), unit.start):
            continue  # "three tasks: A, B and C"
        item = (ITEM if unit.kind != SPELT else STRICT_ITEM).search(before)
        if (
            item
            and last_end
            and re.fullmatch(r"(?:\s*\([^()]*\))?,\s+an?\s+(?:[\w-]+\s)?", text[last_end : unit.start])
        ):
            continue  # "X, a Gradient-Informed framework": an apposition, not a part
        last_end = unit.end
        alone = item and ITEM_END.match(text, unit.end) and not AMONG.search(before)
        if alone or (last and LISTED.fullmatch(text[last.end : unit.start])):
            unit.evidence.add("part")
            last = unit
        if unit.abbreviation and unit.kind == SHORT:
            if PART_NOUN.match(text, max(unit.end, unit.abbreviation.long_end)):
                unit.evidence.add("part.noun")
            elif PARTS.search(text, start, unit.start):
                unit.evidence.add("part")
