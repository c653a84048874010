"""Find method names in the plain text.

Stretches that could be names (``names_units``) get evidence from the words around them (``names_cues``); all stretches
with one name are put together, and what they tell together decides whether it is a method and whether the paper
proposes it. One entry a name, with all its mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from extractor.find.names_cue_words import find_cues
from extractor.find.names_cues import TASK, read_cues
from extractor.find.names_entries import entries
from extractor.find.names_lexicon import Entry, long_forms
from extractor.find.names_units import (
    DATASET,
    EMPHASIS,
    HARD,
    KNOWN,
    LONG,
    NOT_METHODS,
    PHRASE,
    SHORT,
    SPELT,
    WORD,
    Unit,
    units,
)
from extractor.find.roles import relate_roles
from extractor.find.shapes import HYPHEN, HYPHENS, is_strong, key, shape, singular, stem, tokens
from extractor.mentions import Findings, MethodName, findings, show, text_of
from extractor.rules import rows, terms

# Rules that make a name proposed by themselves, the surest first.
PROPOSING = tuple(row[1] for row in sorted((r for r in rows("name_rules") if r[4]), key=lambda r: int(r[4])))
SURE = ("definition.propose", "definition.call", "definition.passive", "definition.our", "definition.list", "title")
# Evidence that an emphasised capitalised phrase is a name and no heading.
EMPHATIC = {"part", "subject", "apposition", "offer", "definition.offer"}
HEADS = terms("name_cues", "head")


@Language.factory("extractor_names")
def create_names(nlp: Language, name: str) -> Callable[[Doc], Doc]:
    """The spaCy component: fills ``findings(doc).methods`` and ``doc.spans["methods"]`` by rules."""
    return find_names


def find_names(doc: Doc) -> Doc:
    found = findings(doc)
    text = text_of(doc)
    found.methods = names(text, found)
    relate_roles(text, found)
    show(doc, "methods", [(s, e, m.role) for m in found.methods for s, e in m.mentions])
    return doc


@dataclass(slots=True)
class Candidate:
    """All stretches with one name and what they tell together."""

    name: str
    units: list[Unit] = field(default_factory=list)
    evidence: set[str] = field(default_factory=set)
    entry: Entry | None = None
    full_name: str | None = None
    spellings: list[str] = field(default_factory=list)

    @property
    def first(self) -> int:
        return self.units[0].start


class Choice(NamedTuple):
    """What the rules say of a candidate: the rule that makes it a method, and the role, proposed or mentioned."""

    candidate: Candidate
    rule: str
    role: str


def names(text: str, found: Findings) -> list[MethodName]:
    """The method names of ``text`` by rules, in the order in which they first stand there."""
    candidates, opening = gather(text, found)
    chosen, others = choose(text, found, candidates, opening)
    found.pending.methods, found.pending.others, found.pending.opening = list(chosen), others, opening
    return entries(text, chosen)


def gather(text: str, found: Findings) -> tuple[list[Candidate], int]:
    """All that could be a method's name with what the text says of it, and where the first proposal stands."""
    cues = find_cues(tokens(text))
    stretches = units(text, found, cues)
    opening = read_cues(text, found.sentences, stretches, cues)
    _title(text, found, stretches)
    candidates = _together(stretches)
    for c in candidates:
        c.evidence.update(*(u.evidence for u in c.units))
    return candidates, opening


def choose(
    text: str, found: Findings, candidates: list[Candidate], opening: int
) -> tuple[list[Choice], list[Candidate]]:
    """The methods among ``candidates`` by rules, and the candidates that are left."""
    datasets = {key(d.name) for d in found.datasets}
    chosen: list[Choice] = []
    for c in candidates:
        rule = _proposed(text, c, opening, datasets)
        if rule:
            chosen.append(Choice(c, rule, "proposed"))
    own = [c for c, _, _ in chosen]
    left = []
    for c in _freed(candidates, own):
        if any(c is o for o in own):
            continue
        rule = "variant" if variant(c, own) else None
        if rule:
            chosen.append(Choice(c, rule, "proposed"))
            continue
        rule = _other(text, c, datasets)
        if rule:
            chosen.append(Choice(c, rule, "mentioned"))
        else:
            left.append(c)
    return chosen, left


def _title(text: str, found: Findings, stretches: list[Unit]) -> None:
    """The stretch before the colon of a title is the paper's name for its work."""
    if not found.title_end:
        return
    colon = text.find(":", 0, found.title_end)
    head = text[: max(colon, 0)].strip()
    for unit in stretches:
        if unit.end <= colon and unit.start == 0 and unit.name == head and unit.kind != KNOWN:
            unit.evidence.add("title")
    if colon > 0 and len(head.split()) <= 5 and not any(u.end <= colon for u in stretches):
        stretches.insert(0, Unit(0, len(head), head, PHRASE, evidence={"title"}))


def _together(stretches: list[Unit]) -> list[Candidate]:
    """The stretches grouped by name; a long form goes with its short form."""
    by_key: dict[str, Candidate] = {}
    out: list[Candidate] = []
    own = {key(u.abbreviation.short) for u in stretches if u.abbreviation and not u.entry}
    for unit in stretches:
        if unit.kind == DATASET:
            continue
        if unit.kind == KNOWN and key(unit.name) in own:
            unit.kind, unit.entry = SPELT, None  # "Dynamic Path Planning (DPP)": not the DPP of the lexicon
        name = unit.abbreviation.short if unit.abbreviation else unit.name
        keys = [key(name)]
        if unit.entry and unit.entry.full:
            keys.append(key(unit.entry.full))
        several = name.removesuffix("s")  # "Transformers", then "the Transformer": one name
        keys += [key(several) if several != name and len(several) > 3 else key(name + "s")]
        c = next((by_key[k] for k in keys if k in by_key), None)
        if c is None:
            c = Candidate(name)
            out.append(c)
        for k in keys[:-1]:
            by_key.setdefault(k, c)
        if unit.abbreviation:
            c.full_name = c.full_name or " ".join(unit.abbreviation.long.split())
            by_key.setdefault(key(unit.abbreviation.long), c)
        c.units.append(unit)
        if unit.entry and (c.entry is None or (unit.entry.full and not c.entry.full)):
            c.entry = unit.entry
        spelling = unit.name if unit.kind != LONG else c.full_name or unit.name
        if spelling not in c.spellings:
            c.spellings.append(spelling)
    # A known long form and its short form in one text are one name, defined or not.
    for c in out:
        if c.entry and c.entry.full and not c.full_name and len(c.spellings) > 1:
            full = next((s for s in c.spellings if key(s) == key(c.entry.full)), None)
            short = next((s for s in c.spellings if key(s) == key(c.entry.name)), None)
            if full and short and full != short:
                c.name, c.full_name = short, full
    return out


def _freed(candidates: list[Candidate], own: list[Candidate]) -> list[Candidate]:
    """``candidates`` with the known names inside phrases that turned out to be no names."""
    by_name = {key(c.name): c for c in candidates}
    out = list(candidates)
    for c in candidates:
        if any(c is o for o in own) or not any(u.inner for u in c.units):
            continue
        for u in c.units:
            for k in u.inner:
                name = k.entry.name
                unit = Unit(k.start, k.end, name, KNOWN, entry=k.entry)
                home = by_name.get(key(name)) or by_name.get(key(k.entry.full))
                if home is None:
                    home = by_name[key(name)] = Candidate(name, entry=k.entry)
                    out.append(home)
                home.units.append(unit)
                home.entry = home.entry or k.entry
    for c in out:
        c.units.sort(key=lambda u: u.start)
    return out


def _proposed(text: str, c: Candidate, opening: int, datasets: set[str]) -> str | None:
    """The rule by which the paper proposes ``c``, or None."""
    kinds = {u.kind for u in c.units}
    name = singular(stem(c.name))
    ev = c.evidence
    if (
        name in HARD
        or ("dataset" in ev and "apposition" not in ev)
        or (key(c.name) in datasets and "apposition" not in ev)
    ):
        return None
    if (
        "cited" in ev
        or "setting" in ev
        or ("background" in ev and not ev & {"definition.propose", "definition.call", "title"})
    ):
        return None
    known = c.entry is not None
    if known:
        rule = _surest(ev, PROPOSING)
        own = rule in SURE and (SHORT in kinds or rule == "definition.propose")
        return rule if own and not (c.full_name and key(c.full_name) == key(c.entry.full)) else None  # type: ignore[union-attr]
    if c.full_name and key(c.full_name.rstrip("s")) in common_long_forms() and "title" not in ev:
        return None
    if SHORT in kinds or LONG in kinds:
        rule = _surest(ev if c.first > opening else ev - {"part", "part.noun"}, PROPOSING)
        if "part.noun" in ev and rule not in SURE and name not in NOT_METHODS:
            return "part.noun" if c.first > opening else None
        plain = bool(c.full_name) and c.full_name.islower()  # type: ignore[union-attr]
        if rule in ("definition.call", "title") or (
            rule == "apposition" and (c.first >= opening or c.first < 3 or opening == len(text))
        ):
            return rule
        if rule == "apposition":
            return None
        if rule in ("definition.propose", "definition.passive", "definition.our"):
            return rule
        if plain and (task_like(c) or rule == "part"):
            return None
        if rule:
            return rule if rule not in ("part",) else "part.abbreviation"
        if task_like(c):
            return None
        if (
            (c.first > opening or (c.first < 3 and "subject" in ev))
            and c.full_name
            and c.full_name[:1].isupper()
            and name not in NOT_METHODS
        ):
            return "abbreviation.subject" if "subject" in ev else "abbreviation"
        return None
    if kinds & {PHRASE, WORD, EMPHASIS} and SPELT not in kinds:
        if name in NOT_METHODS:
            return None
        if (
            WORD not in kinds
            and ends_in_task(c.name)
            and "definition.call" not in ev
            and "definition.propose" not in ev
        ):
            return None
        rule = _surest(ev, PROPOSING)
        if rule in (
            "definition.propose",
            "definition.call",
            "definition.passive",
            "definition.our",
            "definition.list",
            "title",
        ):
            return rule
        if EMPHASIS in kinds or any(u.emphasised for u in c.units):
            named = c.name[:1].isupper() or is_strong(name)
            return "emphasis" if named and c.first > opening and (len(c.units) > 1 or ev & EMPHATIC) else None
        if "subject" in ev and PHRASE in kinds and c.first > opening and not ends_in_task(c.name):
            return "part.subject"
        if rule == "part" and len(c.units) > 1:
            return "part.phrase"
        if rule == "part":
            return "part.once"
        return rule if rule in ("definition.offer",) else None
    if name in NOT_METHODS and not ev & {"definition.propose", "definition.call", "definition.our", "apposition"}:
        return None
    rule = _surest(ev, PROPOSING)
    if rule == "part":
        sized = SIZED.search(name)  # "a smaller model (Foo-Bar-32B)" is a model that is used
        return (
            "part.spelt"
            if c.first > opening and name not in NOT_METHODS and shape(name) != "greek" and not sized
            else None
        )
    if rule:
        return rule
    if (
        "definition.modifier" in ev
        and name not in NOT_METHODS
        and (len(c.units) > 1 or any(u.emphasised for u in c.units))
    ):
        return "definition.modifier"
    if any(u.emphasised for u in c.units) and len(c.units) > 1:
        return "emphasis"
    if len(name) < 3 or re.search(r"[_^]", name) or name in NOT_METHODS:
        return None
    if "subject" in ev and len(c.units) > 1:
        return "subject"
    if "shown" in ev and c.first >= opening:
        return "subject.once"
    return None


SIZED = re.compile(rf"[{HYPHEN}]\d+(?:\.\d+)?[BbM]\b")


def _surest(evidence: set[str], order: tuple[str, ...]) -> str | None:
    return next((rule for rule in order if rule in evidence), None)


def task_like(c: Candidate) -> bool:
    """Whether the long form of an abbreviation ends in the name of a task, a field, a property or a family."""
    return ends_in_task(c.full_name or "")


def ends_in_task(name: str) -> bool:
    last = name.rsplit(" ", 1)[-1].rsplit("-", 1)[-1].lower().strip(".,")
    return last in TASK


@cache
def common_long_forms() -> frozenset[str]:
    """Keys of long forms that several papers define: what is common is nobody's proposal."""
    return frozenset(key(row[1].rstrip("s")) for row in rows("common_abbreviations"))


def variant(c: Candidate, own: list[Candidate]) -> bool:
    """Whether ``c`` is a variant of a proposed name: ``X-Pro``, ``X2``, ``Layer-X`` for a proposed ``X``."""
    if c.entry or not all(u.kind in (SPELT, PHRASE, SHORT, EMPHASIS) for u in c.units):
        return False
    if "dataset" in c.evidence:
        return False
    for o in own:
        base = singular(stem(o.name))
        if len(base) < 3 or key(base) == key(c.name):
            continue
        rest = c.name[len(base) :] if c.name.startswith(base) else ""
        if rest[1:].islower() and rest.endswith(("ed", "ing")):
            continue  # MathX-expanded
        if rest and (
            rest[0] in HYPHENS + "_+^*" or rest[0].isdigit() or (rest[0] == " " and len(rest) < 14) or rest[0].isupper()
        ):
            return True
        if any(c.name.endswith(h + base) for h in HYPHENS) and is_strong(base):
            return True
    return False


def _other(text: str, c: Candidate, datasets: set[str]) -> str | None:
    """The rule by which a name that is not proposed is a method at all, or None."""
    if c.entry:
        return "lexicon"
    name = singular(stem(c.name))
    if name in NOT_METHODS or key(c.name) in datasets or "setting" in c.evidence or "dataset" in c.evidence:
        return None
    kinds = {u.kind for u in c.units}
    if SHORT in kinds or LONG in kinds:
        if c.full_name and " ".join(c.full_name.lower().replace("-", " ").split()) in long_forms():
            return "lexicon"
        if c.full_name and key(c.full_name.rstrip("s")) in common_long_forms():
            return None
        rare = len(c.units) < 3 or (c.full_name or "").islower()
        if task_like(c) or not is_strong(name) or (rare and "among" not in c.evidence):
            return None
        return "abbreviation.mentioned"
    if SPELT in kinds and plausible_name(name):
        form = shape(name)
        if form == "camel" or "among" in c.evidence:
            return f"spelt.{form}"
    return None


MATHS = re.compile(r"[_^@*²³+'’∆∇]|^[A-Za-zℓ]\d*$|^\d|^[A-Za-z]\d+$|\d(?:dB|Hz|fps)$|^[A-Za-z]-\d|^[kKMG]?Hz$|Hz$")
PREFIXES = terms("name_cues", "prefix")


def plausible_name(name: str) -> bool:
    """Whether an unknown oddly spelt token can be the name of a method: no formula, unit or adjective of a family."""
    if MATHS.search(name) or len(name) < 3:
        return False
    pieces = [singular(p) for p in re.split(f"[{HYPHEN}]", name)]
    if len(pieces) > 1 and (any(p in HARD for p in pieces) or pieces[0].lower() in PREFIXES):
        return False
    return pieces[-1] not in ("Score", "Judge", "Judges", "norm", "rate", "Cache", "Dist", "Base", "Instruct")
