"""What the model reads of a number and of each phrase of its sentence: short strings, each true of it.

``number_features`` are true of the number alone and speak for "none of the phrases"; ``phrase_features`` are true of
a phrase beside the number. They tell on which side and how far away it stands, what lies between, which words stand
around both, what kind of phrase it is, what the rules made of it, and what the number before belongs to. Those that
begin with ``SUBJECT`` are read for the subject alone; they would only add noise elsewhere (``training/README.md``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from extractor.mentions import NumberMention
from extractor.relate import subjects
from extractor.relate.clause import OPEN, determiners, vocabulary
from extractor.relate.scene import Between, Draft, Scene, Span, few, near

SUBJECT = "*"  # here and written out in the features below
PHRASE_FIELDS = ("metric", "subject", "baseline")
LONG = 6  # words of a phrase: from here on alike
Answers = Mapping[str, Span | None]


@dataclass(slots=True)
class Earlier:
    """The number before in the same sentence, and what it belongs to."""

    draft: Draft
    chosen: Answers


class Phrase:
    """A phrase of a sentence, and what is true of it whichever number is asked for; ``how`` says how it was cut out."""

    def __init__(self, scene: Scene, span: Span, how: str):
        words, (first, last) = scene.words, span
        self.span, self.how, self.head = span, how, scene.head(span)
        self.before, self.after = scene.look(first - 1, -1), scene.look(last, 1)
        self.roles = "+".join(sorted(scene.roles_in(span)))
        self.article = words[first - 1].low if first and words[first - 1].low in determiners() else ""
        self._studies = scene.names.studies
        self._bracket = (first > 0 and words[first - 1].low in OPEN) or (last < len(words) and words[last].low in OPEN)
        self._opening = opening(words[first].low)
        self.features = [
            "phrase", f"word:{words[last - 1].low}", f"is:{self.head}", f"cut:{how}", f"cut:{how} {self.head}",
            f"opens:{self._opening}", f"names:{self.roles}",
            f"words:{min(last - first, LONG)}", f"*article:{self.article} {self.head}",
        ]  # fmt: skip
        self._sides: dict[str, list[str]] = {}

    def beside(self, side: str) -> list[str]:
        """What is true of it on this side of a number: L or R."""
        if side not in self._sides:
            before, after, head = self.before, self.after, self.head
            made = [
                f"{side} after:{before}", f"{side} before:{after}", f"{side} after:{before} before:{after}",
                f"{side} after:{before} {head}",
                f"{self._studies} {side} names:{self.roles} {head}",
                f"*opens:{self._opening} {head[:1]} {side}",
            ]  # fmt: skip
            if self._bracket:
                made.append(f"*bracket {side} {head[:1]} before:{after} after:{before}")
            self._sides[side] = made
        return self._sides[side]


def opening(low: str) -> str:
    """A word that describes ("existing", "average"); empty for any other."""
    return low if low in vocabulary("describing") or low in subjects.table("qualifiers") else ""


class Reader:
    """Features of one number of a scene and of the phrases beside it; ``rules`` are the rules' answers."""

    def __init__(self, scene: Scene, draft: Draft, rules: Answers, earlier: Earlier | None):
        self.scene, self.draft, self.rules, self.earlier = scene, draft, rules, earlier
        self.at = draft.at
        self.before, self.after = scene.look(scene.left(self.at) - 1, -1), scene.look(self.at + 1, 1)
        self.kind, self.rule = draft.kind, draft.reading.rule
        self.pair, self.compared, clause = draft.stands.pair, draft.stands.compared, draft.stands.clause
        self.own_clause, self.clause = clause.own, scene.span(list(clause.phrase))
        self.joint = scene.joint(earlier.draft.at, self.at) if earlier is not None else ""
        self.answered = [(name, span) for name, span in rules.items() if span is not None]
        self.verbs = {
            "L": scene.verb(range(scene.left(self.at) - 1, -1, -1)),
            "R": scene.verb(range(self.at + 1, len(scene.words))),
        }

    @property
    def number(self) -> NumberMention:
        return self.draft.number

    def number_features(self) -> list[str]:
        scene, kind = self.scene, self.kind
        studies = "study" if scene.names.studies else "proposal"
        made = [
            "bias", f"kind:{kind}", f"rule:{self.rule}", f"form:{self.number.form}", f"before:{self.before}",
            f"after:{self.after}", studies, f"{studies} kind:{kind}", f"kind:{kind} before:{self.before}",
            f"how:{self.draft.reading.how}", f"sign:{self.number.sign}", f"kind:{kind} sign:{self.number.sign}",
            f"opens:{scene.look(0, 1)}",
        ]  # fmt: skip
        for name, span in self.rules.items():
            made += (f"rules {name}:{span is not None}", f"rules {name}:{span is not None} {self.rule}")
        made += [f"has:{word}" for word in sorted(scene.present)]
        if self.earlier is None:
            made.append("first number")
        else:
            made.append(f"earlier kind:{self.earlier.draft.kind} {kind} {self.joint}")
            made += [f"earlier {name}:{span is not None} {self.joint}" for name, span in self.earlier.chosen.items()]
        made += [SUBJECT + feature for feature in self._number_for_subject(studies)]
        return made

    def _number_for_subject(self, studies: str) -> Iterator[str]:
        scene, kind = self.scene, self.kind
        left, right = scene.between(0, self.at), scene.between(self.at, len(scene.words))
        clause = f"clause:{self.own_clause} {self.clause is not None}"
        sides = f"left:{left.own} {left.foreign}"
        yield from (f"pair:{self.pair}", f"pair:{self.pair} kind:{kind}")
        yield from (clause, f"{clause} {kind} {studies}", f"compared:{self.compared}")
        yield from (f"{sides} right:{right.own} {right.foreign}", f"{sides} {kind} {self.pair}")
        yield from (f"{sides} before:{self.before}", f"proposed before:{scene.proposed_before} {studies}")

    def phrase_features(self, phrase: Phrase) -> list[str]:
        kind, span, head = self.kind, phrase.span, phrase.head
        side, start, end = self.scene.beside(self.at, span)
        gap = self.scene.between(start, end)
        distance, numbers = near(end - start), few(gap.numbers)
        verb = self._verb(side, start, end)
        before, roles = phrase.before, phrase.roles
        made = [
            *phrase.features,
            *phrase.beside(side),
            f"{side} {distance}",
            f"{side} numbers:{numbers}",
            f"{side} commas:{few(gap.commas)}{few(gap.clauses)}",
            f"{side} brackets:{gap.opened} {gap.closed}",
            f"number after:{self.before} {side} after:{before}",
            f"number before:{self.after} {side} after:{before}",
            f"number before:{self.after} {side} numbers:{numbers}",
            f"{side} verb:{verb}",
            f"{kind} {side} after:{before}",
            f"{kind} {side} {head}",
            f"{kind} {side} verb:{verb} {head[:1]}",
            f"{kind} article:{phrase.article}",
            f"{kind} {side} names:{roles}",
            f"{side} {distance} {head}",
            f"{side} numbers:{numbers} {head}",
            f"{self.rule} {side} {distance}",
            f"{side} after:{before} numbers:{numbers}",
        ]
        made += self._of_the_rules(span, phrase.how, head)
        if self.earlier is not None:
            made += self._of_the_earlier(span, f"{side} numbers:{numbers} {self.earlier.draft.kind} {kind}", head)
        made += self._for_subject(phrase, side, gap, distance, numbers)
        return made

    def _verb(self, side: str, start: int, end: int) -> str:
        """The class of the verb between the number and the phrase that is nearest to the number."""
        k, verb = self.verbs[side]
        return verb if start <= k < end else ""

    def _of_the_rules(self, span: Span, how: str, head: str) -> Iterator[str]:
        for name, answer in self.answered:
            if answer == span:
                yield from (f"rules {name}", f"rules {name} {self.rule}", f"rules {name} {head}")
                yield f"rules {name} {self.kind}"
            elif _overlap(answer, span):
                inside = answer[0] <= span[0] and span[1] <= answer[1]
                outside = span[0] <= answer[0] and answer[1] <= span[1]
                yield from (f"near rules {name}", f"near rules {name} {how}")
                yield f"near rules {name} {'inside' if inside else 'around' if outside else 'across'}"

    def _of_the_earlier(self, span: Span, place: str, head: str) -> Iterator[str]:
        assert self.earlier is not None
        other = self.earlier.draft
        for name, answer in self.earlier.chosen.items():
            if answer == span:
                alike = other.number.form == self.number.form
                yield from (f"earlier {name}", f"earlier {name} {self.joint} {alike}", f"earlier {name} {place}")
            elif answer is not None and _overlap(answer, span):
                yield f"near earlier {name}"
        if span[1] <= other.at:
            yield "behind the earlier number"
        elif span[0] > other.at and span[1] <= self.at:
            yield f"since the earlier number {head}"

    def _for_subject(self, phrase: Phrase, side: str, gap: Between, distance: str, numbers: str) -> Iterator[str]:
        kind, span, head, sort = self.kind, phrase.span, phrase.head, phrase.head[:1]
        before, verbs = phrase.before, f"*{side} verbs:{few(gap.verbs)}"
        yield from (f"{verbs} {head}", f"{verbs} before:{phrase.after} {sort}")
        yield from (f"{verbs} {few(gap.commas)} after:{before} {sort}", f"*{side} {gap.own} {gap.foreign} {sort}")
        if self.pair:
            pair = f"*pair:{self.pair} {side}"
            yield from (f"{pair} {head}", f"{pair} after:{before}", f"{pair} {numbers} {sort} {kind}")
            yield f"{pair} names:{phrase.roles}"
        if self.compared:
            yield f"*compared {side} {head} {distance}"
        if self.clause is not None and _overlap(self.clause, span):
            yield f"*clause {'is' if self.clause == span else 'has'} it"
            yield from (f"*clause {head} {kind}", f"*clause {kind} {self.scene.names.studies}")
        if phrase.roles:
            yield from self._listed(span, side)

    def _listed(self, span: Span, side: str) -> Iterator[str]:
        """ "models such as A, B and C achieved x, y and z": whether both are in lists, and at the same place."""
        names, numbers = self.scene.name_lists.get(span), self.scene.number_lists.get(self.at, (0, 1))
        if names is None:
            return
        if names[1] > 1 and numbers[1] > 1:
            yield from (f"*lists:{names == numbers} {names[1] == numbers[1]}", f"*lists:{names == numbers} {side}")
        yield f"*names listed:{min(names[1], 3)} numbers listed:{numbers[1] > 1}"


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
