"""What follows plainly from facts: held against every assignment of small whole numbers."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from refdp.sensitivities.language.facts import assumed, is_sum_of_squares, known, leaves, same
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, integer, rational, variable
from refdp.terms.operations import add, at_most, choice, conjunction, disjunction, equal, less, multiply, negation, real
from refdp.terms.term import Term

X, Y = variable("x", "Int"), variable("y", "Int")
ASSIGNMENTS = [{X: Fraction(a), Y: Fraction(b)} for a, b in product(range(-3, 4), repeat=2)]


def number(random: Random, depth: int = 0) -> Term:
    kind = random.randint(0, 5 if depth < 2 else 2)
    if kind < 2:
        return (X, Y)[kind]
    if kind == 2:
        return integer(random.randint(-2, 2))
    if kind == 3:
        return add(number(random, depth + 1), integer(random.randint(-2, 2)))
    if kind == 4:
        return real(number(random, depth + 1))
    return choice(condition(random, depth + 1), number(random, depth + 1), integer(random.randint(-2, 2)))


def condition(random: Random, depth: int = 0) -> Term:
    kind = random.randint(0, 6 if depth < 2 else 2)
    if kind < 3:
        left, right = (
            number(random, depth + 1),
            random.choice((integer(random.randint(-2, 2)), rational(Fraction(1, 2)))),
        )
        if random.random() < 0.5:
            left, right = right, left
        return (less, at_most, equal)[kind](left, right)
    if kind < 5:
        return negation(condition(random, depth + 1))
    return (conjunction, disjunction)[kind - 5](condition(random, depth + 1), condition(random, depth + 1))


@pytest.mark.parametrize("seed", range(8))
def test_facts_decide_a_condition_only_where_every_assignment_agrees(seed):
    random, decided = Random(seed), 0
    for _ in range(150):
        facts: frozenset[Term] = frozenset()
        for _ in range(random.randint(1, 3)):
            facts = assumed(facts, condition(random))
        wanted = condition(random)
        found = known(facts, wanted)
        allowed = [a for a in ASSIGNMENTS if all(evaluate(fact, a) for fact in facts)]
        if found is not None:
            decided += wanted.operator != "truth"
            assert all(evaluate(wanted, a) is found for a in allowed), (facts, wanted)
    assert decided > 10


@pytest.mark.parametrize("seed", range(4))
def test_equality_with_a_constant_is_what_it_says(seed):
    random = Random(seed)
    for _ in range(200):
        a, b = number(random), integer(random.randint(-2, 2))
        for values in random.sample(ASSIGNMENTS, 8):
            assert evaluate(same(a, b), values) is (evaluate(a, values) == evaluate(b, values))


def test_the_constants_of_a_choice_have_guards_that_exclude_each_other():
    chosen = choice(less(X, integer(0)), integer(1), choice(less(Y, integer(0)), integer(2), integer(1)))
    found = leaves(chosen) or ()
    for values in ASSIGNMENTS:
        assert [evaluate(one, values) for guard, one in found if evaluate(guard, values)] == [evaluate(chosen, values)]


def test_what_is_no_choice_of_constants_has_no_leaves():
    assert leaves(choice(less(X, integer(0)), X, integer(1))) is None
    assert leaves(FALSE) is not None


def product_or_sum(random: Random, depth: int = 0) -> Term:
    kind = random.randint(0, 5 if depth < 3 else 1)
    if kind < 2:
        return (X, integer(random.randint(-1, 3)))[kind]
    one = product_or_sum(random, depth + 1)
    if kind == 2:
        return multiply(one, one)
    return (add, multiply)[kind % 2](one, product_or_sum(random, depth + 1))


def test_facts_a_sum_of_squares_is_never_negative():
    """On 1,000 random terms; what is no such sum is told apart where it is plain."""
    random, found = Random(3), 0
    while found < 1_000:
        term = product_or_sum(random)
        if is_sum_of_squares(term):
            found += 1
            assert all(evaluate(term, a) >= 0 for a in ASSIGNMENTS)
            assert known(frozenset(), less(term, integer(0))) is not True
        for wanted in (
            less(term, integer(0)),
            at_most(integer(0), term),
            at_most(term, integer(0)),
            less(integer(-1), term),
        ):
            decided = known(frozenset(), wanted)
            assert decided is None or all(evaluate(wanted, a) is decided for a in ASSIGNMENTS)
    assert is_sum_of_squares(add(multiply(X, X), multiply(integer(2), multiply(Y, Y))))
    for term in (X, multiply(X, Y), add(multiply(X, X), integer(-1)), multiply(integer(-1), multiply(X, X))):
        assert not is_sum_of_squares(term)
