"""A program whose terms are as plain as the conditions around them allow: branches that are never taken are left out.

Each term keeps its value for all records as declared and all parameters that satisfy the assumption.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refdp.sensitivities.language.facts import assumed, known
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.terms.leaves import is_number, parts, rational, truth
from refdp.terms.operations import REBUILD, at_most, choice, conjunction, disjunction, negation
from refdp.terms.term import Term

MOST_VISITS = 20_000
"""How many terms are looked at in one program; later ones stay as they are."""
DEEPEST = 120
"""How deep into a term it is looked."""
Facts = frozenset[Term]
Ends = tuple[Fraction | None, Fraction | None]
"""Least and largest value; None where there is none."""


def plain(program: Program) -> Program:
    """The program with plain terms, which does the same."""
    work = Plain()
    always = assumed(frozenset(), program.assumption)
    row = assumed(always, program.record.constraint(ROW))
    row |= frozenset(ranges(row, program.record.slots(ROW), [t for one in program.passes for t in one.step]))
    passes = tuple(Pass(one.state, work.all(one.start, always), work.all(one.step, row)) for one in program.passes)
    (exception,) = work.all((program.exception,), always)
    return replace(program, passes=passes, output=work.all(program.output, always), exception=exception)


@dataclass(slots=True)
class Plain:
    """Terms made plain so far, by what was known then."""

    found: dict[tuple[Term, Facts], Term] = field(default_factory=dict)

    def all(self, terms: Sequence[Term], facts: Facts) -> tuple[Term, ...]:
        """The terms made plain."""
        return tuple(self.of(t, facts, 0) for t in terms)

    def of(self, term: Term, facts: Facts, depth: int) -> Term:
        """The term, made plain by what the facts plainly imply."""
        if not term.arguments or depth > DEEPEST or len(self.found) > MOST_VISITS:
            return term
        key = (term, facts)
        if key not in self.found:
            decided = known(facts, term) if term.sort == "Bool" else None
            self.found[key] = self._made(term, facts, depth + 1) if decided is None else truth(decided)
        return self.found[key]

    def _made(self, term: Term, facts: Facts, depth: int) -> Term:
        """The term of plain arguments; each branch and each part by what is known there."""
        if term.operator == "ite":
            test = self.of(term.arguments[0], facts, depth)
            yes = self.of(term.arguments[1], assumed(facts, test), depth)
            no = self.of(term.arguments[2], assumed(facts, negation(test)), depth)
            return choice(test, yes, no)
        if term.operator in ("all_of", "any_of"):
            return self._joined(term, facts, depth)
        return REBUILD[term.operator](*(self.of(a, facts, depth) for a in term.arguments))

    def _joined(self, term: Term, facts: Facts, depth: int) -> Term:
        """Each part by what it matters for: in `and` where the others hold, in `or` where they do not."""
        kept, every = list(term.arguments), term.operator == "all_of"
        for places in (range(len(kept)), reversed(range(len(kept)))):
            for place in places:
                here = facts
                for other in (*kept[:place], *kept[place + 1 :]):
                    here = assumed(here, other if every else negation(other))
                kept[place] = self.of(kept[place], here, depth)
        return conjunction(*kept) if every else disjunction(*kept)


def ranges(facts: Facts, slots: Sequence[Term], terms: Sequence[Term]) -> Iterator[Term]:
    """Between which constants the numbers lie that are made of a row alone."""
    ends: dict[Term, Ends] = {slot: limits(facts, slot) for slot in slots}
    for part in dict.fromkeys(p for t in terms for p in parts(t)):
        if part in ends or part.sort == "Bool" or part.operator == "name":
            continue
        found = _ends(part, ends)
        if found is not None:
            ends[part] = found
            low, high = found
            yield from () if low is None or is_number(part) else (at_most(rational(low), part),)
            yield from () if high is None or is_number(part) else (at_most(part, rational(high)),)


def limits(facts: Facts, slot: Term) -> Ends:
    """The constant bounds of a variable among the facts."""
    below = [
        f.arguments[0].rational for f in facts if f.operator == "<=" and f.arguments[1] is slot and _constant(f, 0)
    ]
    above = [
        f.arguments[1].rational for f in facts if f.operator == "<=" and f.arguments[0] is slot and _constant(f, 1)
    ]
    return max(below, default=None), min(above, default=None)


def _constant(fact: Term, place: int) -> bool:
    """Whether one side of a comparison is a constant."""
    return is_number(fact.arguments[place])


def _ends(term: Term, known_ends: dict[Term, Ends]) -> Ends | None:
    """Between which constants a term lies, by interval arithmetic; None where it is not made of a row alone."""
    if is_number(term):
        return term.rational, term.rational
    numbers = term.arguments[1:] if term.operator == "ite" else term.arguments
    if any(a not in known_ends for a in numbers):
        return None
    inner = [known_ends[a] for a in numbers]
    lows, highs = [low for low, _ in inner if low is not None], [high for _, high in inner if high is not None]
    low = None if len(lows) < len(inner) else min(lows) if term.operator == "ite" else sum(lows, Fraction(0))
    high = None if len(highs) < len(inner) else max(highs) if term.operator == "ite" else sum(highs, Fraction(0))
    if term.operator in ("ite", "+", "real"):
        return low, high
    if term.operator == "floor":
        return None if low is None else Fraction(low.__floor__()), None if high is None else Fraction(high.__floor__())
    if term.operator == "*" and is_number(term.arguments[0]):
        factor = term.arguments[0].rational
        scaled = [None if end is None else factor * end for end in inner[1]]
        return (scaled[0], scaled[1]) if factor >= 0 else (scaled[1], scaled[0])
    return None
