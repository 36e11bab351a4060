"""A program whose terms are as plain as the conditions around them allow: branches that are never taken are left out.

Each term keeps its value for all records as declared and all parameters that satisfy the assumption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from refdp.sensitivity.graphs import REBUILD
from refdp.sensitivity.language.facts import assumed, known
from refdp.sensitivity.program import ROW, Pass, Program
from refdp.sensitivity.terms import Term, choice, conjunction, disjunction, negation, truth

MOST_VISITS = 20_000
"""How many terms are looked at in one program; later ones stay as they are."""
DEEPEST = 120
"""How deep into a term it is looked."""
Facts = frozenset[Term]


def plain(program: Program) -> Program:
    """The program with plain terms, which does the same."""
    work = Plain()
    always = assumed(frozenset(), program.assumption)
    row = assumed(always, program.record.constraint(ROW))
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
        if term.operator in ("and", "or"):
            return self._joined(term, facts, depth)
        return REBUILD[term.operator](*(self.of(a, facts, depth) for a in term.arguments))

    def _joined(self, term: Term, facts: Facts, depth: int) -> Term:
        """Each part by what it matters for: in `and` where the others hold, in `or` where they do not."""
        kept, every = list(term.arguments), term.operator == "and"
        for places in (range(len(kept)), reversed(range(len(kept)))):
            for place in places:
                here = facts
                for other in (*kept[:place], *kept[place + 1 :]):
                    here = assumed(here, other if every else negation(other))
                kept[place] = self.of(kept[place], here, depth)
        return conjunction(*kept) if every else disjunction(*kept)
