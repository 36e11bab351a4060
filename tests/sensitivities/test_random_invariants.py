"""Random relations that are inductive never prove what a small table shows to be false; roots and quotients too."""

import random

import pytest

from refdp.sensitivities.checking.invariants import EDITED, GHOST, OTHER, ROWS, first, second
from refdp.sensitivities.checking.verifying import verify
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.houdini import largest_inductive
from refdp.terms.leaves import rational
from refdp.terms.operations import at_most, divide, equal, implication, less, multiply, negation, real, root
from tests.sensitivities.random_folds import INFINITE, furthest, random_program, term
from tests.sensitivities.test_random_folds import SETTINGS, SMALLER
from tests.sensitivities.thinning import mostly_long

FACTS = 25


def random_facts(rng, program, index, neighbours):
    """Facts about everything that a relation may speak of, guarded by the edit or not."""
    known = [
        EDITED,
        ROWS,
        *(run(s) for one in program.passes[: index + 1] for s in one.state for run in (first, second)),
    ]
    known += [
        slot for name in (GHOST, OTHER)[: 1 + (neighbours == "change_one")] for slot in program.record.slots(name)
    ]
    for _ in range(FACTS):
        fact = term(rng, "Bool", known, 2) if rng.random() < 0.7 else partial_fact(rng, known)
        yield rng.choice((fact, implication(EDITED, fact), implication(negation(EDITED), fact)))


def partial_fact(rng, known):
    """A comparison of quotients or roots, which not all numbers have."""
    a, b, c = (real(rng.choice([k for k in known if k.sort != "Bool"])) for _ in range(3))
    made = rng.choice((divide(a, b), root(a), multiply(root(a), root(b)), multiply(a, b)))
    return rng.choice((less, at_most, equal))(*rng.sample((made, c), 2))


def wrongly_proved(seed):
    """Whether random invariants prove a claim that a small table exceeds."""
    program, values = random_program(seed)
    neighbours, tables = SETTINGS[seed % 4]
    exact = furthest(program, values, neighbours, tables, 4 if tables == "lists" else 3)
    if exact == 0:
        return False
    low = rational(1_000 if exact is INFINITE else exact - SMALLER)
    question, rng = Question(program, neighbours, "L1", low, tables=tables), random.Random(seed)
    facts = [list(random_facts(rng, program, index, neighbours)) for index in range(len(program.passes))]
    found = largest_inductive(question, neighbours, facts, [[] for _ in facts], 5)
    return found is not None and verify(question, found, seconds=5).verdict == "PROVED"


@pytest.mark.parametrize("seed", mostly_long(range(1_000, 1_180), 31))
def test_random_invariants_prove_nothing_false(seed):
    assert not wrongly_proved(seed)
