"""What holds of any single run, so that it raises nothing and answers on its grid (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.sensitivities.checking.invariants import ROWS
from refdp.sensitivities.program import Program
from refdp.sensitivities.search.ranges import Ranges
from refdp.sensitivities.search.single_runs import adding, between, ranges
from refdp.terms.leaves import TRUE, ZERO
from refdp.terms.operations import at_most, conjunction
from refdp.terms.term import Term


def single_invariants(program: Program) -> Iterator[tuple[Term, ...]]:
    """Invariants of single runs to be tried in turn, one for each pass: none, ranges of sums, ranges of products."""
    yield ()
    if len(program.passes) == 1:
        for level in (0, 1):
            yield (conjunction(*ranges(program, adding(program.passes[0]), level)),)
        return
    bounds = Ranges(program)
    facts = [[fact for one in adding(now) for fact in between(one.moved, ROWS, bounds.of(one.more))]
             for now in program.passes]  # fmt: skip
    if any(facts):
        yield tuple(conjunction(at_most(ZERO, ROWS), *held) if held else TRUE for held in facts)
