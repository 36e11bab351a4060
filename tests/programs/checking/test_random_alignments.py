"""Random alignments of random programs: what the checker accepts is never contradicted by exact enumeration."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from refdp.programs.checking.alignment import Alignment, Group, Shift
from refdp.programs.checking.conditions import Product
from refdp.programs.checking.proof import check
from refdp.programs.checking.public import Refused, public
from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import programs_in
from refdp.programs.proving import Proved, prove
from refdp.programs.proving.invariants import proof
from refdp.programs.steps import Stepwise, stepwise
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import add, multiply, negate, negation, real
from refdp.terms.term import Term
from tests.programs.grammar import sample
from tests.programs.oracle import violations

SECONDS = 2.0
FACTORS = tuple(map(Fraction, ("1/2", "3/4", "1", "1", "1", "2")))
LOOSE = 3
"""By how much a claim is weakened so that an alignment is found."""


def changed(shift: Term, random: Random) -> Term:
    """The shift, or another one."""
    if random.random() < 0.8:
        return shift
    if shift.sort == "Bool":
        return negation(shift)
    change = variable("change.0", shift.sort)
    return random.choice([negate(shift), add(shift, integer(1)), add(shift, integer(-1)), add(shift, change),
                          add(shift, negate(change)), multiply(integer(0), shift)])  # fmt: skip


def variant(one: Alignment, share: Fraction, random: Random) -> Alignment:
    """The alignment with some of its shifts changed, and bounds for a share of what it proves."""
    shifts = {
        place: Shift(changed(s.usual, random), None if s.chosen is None else changed(s.chosen, random))
        for place, s in one.shifts.items()
        if random.random() < 0.95
    }
    factor = share / LOOSE * random.choice(FACTORS)
    groups = tuple(Group(g.rate, multiply(rational(factor), real(g.bound))) for g in one.groups)
    shown = random.choice([one.shown] * 4 + [frozenset(), frozenset({1}), frozenset({1, 2})])
    return replace(one, shifts=shifts, groups=groups, shown=shown, item=random.choice([one.item] * 4 + [None]))


def accepted(program: Program, claim: Claim, found: tuple[Alignment, ...], share: Fraction, random: Random) -> bool:
    """Whether a variant of the alignments, with invariants of its own, is accepted as a proof of the claim."""
    steps: Stepwise = stepwise(program)
    try:
        made = []
        for relation, one in zip(claim.adjacency.parts, found, strict=True):
            shared = public(program, claim, (variable(loop.counter, "Int") for loop in steps.loops))
            product = Product(steps, relation, variant(one, share, random), shared)
            made.append(proof(product, SECONDS)[0] or product.alignment)
    except (Refused, KeyError, IndexError):
        return False
    return check(program, claim, made, ("z3",), SECONDS).verdict == "PROVED"


def hold(seed: int) -> int:
    """Nothing false is accepted of one program; how many proofs of a claim that is smaller or larger were."""
    one, random, count = sample(seed), Random(seed), 0
    try:
        program = programs_in(one.text, "test.py")[0]
    except Unsupported:  # one that releases a truth value and a number at one place
        return 0
    [claim] = program.claims
    if claim.epsilon is None:
        return 0
    found = prove(program, replace(claim, epsilon=multiply(rational(LOOSE), claim.epsilon)), SECONDS)
    for _ in range(3 if isinstance(found, Proved) else 0):
        share = random.choice(FACTORS)
        asked = replace(claim, epsilon=multiply(rational(share), real(claim.epsilon)))
        if isinstance(found, Proved) and accepted(program, asked, found.alignments, share, random):
            count += 1
            assert not list(violations(replace(one, epsilon=f"({one.epsilon})*{share}"), 2)), (seed, share)
    return count


@pytest.mark.once
def test_few_random_alignments_prove_nothing_false() -> None:
    assert sum(map(hold, range(5))) > 0


@pytest.mark.long
@pytest.mark.parametrize("first", range(20, 500, 20))
def test_random_alignments_prove_nothing_false(first: int) -> None:
    assert sum(map(hold, range(first, first + 20))) > 0
