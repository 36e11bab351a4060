"""Whether alignments prove a claim: every condition is asked of the solvers, which alone are believed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from refdp.logic.asking import valid
from refdp.logic.graphs import substitute, variables
from refdp.logic.printing import infix
from refdp.logic.terms import Term, at_most, multiply, rational, real, total, truth, variable
from refdp.numerics.exact import decide
from refdp.numerics.intervals import Undecided
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.charges import drawable, rated
from refdp.programs.checking.conditions import Condition, Product
from refdp.programs.checking.public import Public, Refused, public
from refdp.programs.steps import Stepwise, stepwise
from refdp.programs.syntax import Claim, Program
from refdp.provers.processes import SolverMissing
from refdp.spec.terms import read

SOLVERS = ("z3", "cvc5")
EXACT = "refdp's exact arithmetic"
LONGEST = 20.0
"""Longest time for one condition in one solver, in seconds."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a proof."""

    verdict: Literal["PROVED", "UNKNOWN"]
    solvers: tuple[str, ...] = ()
    """The solvers that proved every condition."""
    count: int = 0
    reason: str = ""


def check(
    program: Program, claim: Claim, alignments: Sequence[Alignment], solvers: Sequence[str], seconds: float
) -> Checked:
    """PROVED where one of the solvers proves every condition of every part of the adjacency within `seconds`."""
    end, able, count = time.monotonic() + seconds, list(solvers), 0
    try:
        for one in demanded(stepwise(program), claim, alignments):
            count += 1
            able = [s for s in able if proves(s, one, end)]
            if not able:
                return Checked("UNKNOWN", reason=f"not proved: {one.name}")
    except (Refused, SolverMissing) as error:
        return Checked("UNKNOWN", reason=str(error))
    return Checked("PROVED", tuple(able), count)


def demanded(steps: Stepwise, claim: Claim, alignments: Sequence[Alignment]) -> Iterator[Condition]:
    """Everything that is to be proved: one alignment for each part of the adjacency."""
    if len(alignments) != len(claim.adjacency.parts):
        raise Refused(f"there must be {len(claim.adjacency.parts)} alignments, got {len(alignments)}")
    for relation, alignment in zip(claim.adjacency.parts, alignments, strict=True):
        shared = public(steps.program, claim, (variable(loop.counter, "Int") for loop in steps.loops))
        yield from Product(steps, relation, alignment, shared).conditions()
        yield from charged(steps, claim, alignment, shared)


def charged(steps: Stepwise, claim: Claim, alignment: Alignment, shared: Public) -> Iterator[Condition]:
    """That the charges are what is lost, and within the claim."""
    for draw in {d.site: d for step in steps.steps for d in step.path.drawn}.values():
        wanted = list(drawable(draw, shared))
        if draw.site in alignment.charges:
            group, weight = alignment.charges[draw.site]
            wanted += rated(draw, alignment.groups[group], weight, shared)
        yield from (Condition(f"draw {draw.site}", (*shared.known, *shared.facts()), one) for one in wanted)
    for one in alignment.groups:
        if one.rate.operator != "ln":
            at_least = at_most(rational(0), real(shared.exact(one.rate)))
            yield Condition("a rate", (*shared.known, *shared.facts()), at_least)
    lost = total(multiply(real(group.rate), real(group.bound)) for group in alignment.groups)
    bounded = substitute(within(lost, claim), shared.given)
    if bounded.operator != "truth" and not variables(bounded):
        bounded = truth(decided(bounded))
    yield Condition("the claim", (*shared.known, *shared.facts()), shared.exact(bounded))


def within(lost: Term, claim: Claim) -> Term:
    """Whether a loss is within the claim; a pure loss L is L^2 / 2 concentrated.  Refused where nothing is claimed."""
    if claim.epsilon is not None:
        return at_most(lost, claim.epsilon)
    if claim.rho is None:
        raise Refused("a claim must say epsilon or rho")
    return at_most(multiply(rational(Fraction(1, 2)), multiply(lost, lost)), claim.rho)


def decided(statement: Term) -> bool:
    """Whether a statement without variables holds, False where that is not found out."""
    try:
        return decide(read(infix(statement)))
    except (Undecided, ValueError):
        return False


def proves(solver: str, one: Condition, end: float) -> bool:
    """Whether a solver proves a condition before the end."""
    seconds = min(LONGEST, end - time.monotonic())
    return seconds > 0 and valid(solver, one.hypotheses, one.conclusion, seconds).verdict == "unsat"
