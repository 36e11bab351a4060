"""Proofs about random programs never contradict what they do on all small tables."""

from fractions import Fraction

import pytest

from refdp.sensitivities.checking.verifying import verify
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.proving import Found, prove
from refdp.sensitivities.search.templates import template_invariants
from refdp.terms.leaves import rational
from tests.sensitivities.random_folds import INFINITE, furthest, random_program
from tests.sensitivities.thinning import mostly_long

SMALLER = Fraction(1, 1_000)
SETTINGS = (("add_remove", "lists"), ("change_one", "lists"), ("add_remove", "multisets"), ("change_one", "multisets"))


def judged(seed):
    """Whether a claim that a small table exceeds is proved, and whether the claim that none exceeds is."""
    program, values = random_program(seed)
    neighbours, tables = SETTINGS[seed % 4]
    exact = furthest(program, values, neighbours, tables, 4 if tables == "lists" else 3)
    if exact == 0:
        return False, isinstance(prove(Question(program, neighbours, "L1", rational(0), tables=tables), 1), Found)
    low = rational(1_000) if exact is INFINITE else rational(exact - SMALLER)
    question = Question(program, neighbours, "L1", low, tables=tables)
    tried = template_invariants(question, neighbours, 1).invariants
    wrong = isinstance(prove(question, 1, ("z3",)), Found)
    wrong = wrong or (tried is not None and verify(question, tried, ("z3",), 1).verdict == "PROVED")
    if wrong or exact is INFINITE:
        return wrong, False
    return wrong, isinstance(prove(Question(program, neighbours, "L1", rational(exact), tables=tables), 1), Found)


@pytest.mark.parametrize("seed", mostly_long(range(360), 121))
def test_random_folds_no_proof_contradicts_what_the_program_does(seed):
    wrong, _ = judged(seed)
    assert not wrong


@pytest.mark.long
def test_random_folds_some_sharp_claims_are_proved():
    assert any(judged(seed)[1] for seed in range(6))
