"""What is within a term: each part once, arguments first; the work counted is the same however often it is asked."""

from random import Random

import pytest

from refdp.terms.leaves import integer, make, parts, variable, variables
from refdp.terms.operations import add, at_most, choice, multiply
from refdp.terms.term import Term
from refdp.work import COUNT, OutOfWork, limited


def random_term(random: Random, depth: int) -> Term:
    if depth == 0:
        return random.choice([*(variable(name, "Int") for name in "abcdef"), integer(random.randrange(5))])
    left, right = (random_term(random, random.randrange(depth)) for _ in range(2))
    return random.choice((add, multiply, lambda one, other: choice(at_most(one, other), other, left)))(left, right)


def slowly(term: Term, seen: dict[Term, None]) -> None:
    """The parts in order, by recursion from the last argument to the first."""
    if term not in seen:
        for one in reversed(term.arguments):
            slowly(one, seen)
        seen[term] = None


def steps(question, *given):
    before = COUNT.steps
    return question(*given), COUNT.steps - before


def test_parts_and_variables_are_those_of_the_recursion():
    random = Random("parts")
    for _ in range(1000):
        term, other = random_term(random, 5), random_term(random, 3)
        expected: dict[Term, None] = {}
        slowly(term, expected)
        assert steps(lambda one: list(parts(one)), term) == (list(expected), len(expected))
        known = set(parts(other))
        assert list(parts(term, known)) == [one for one in expected if one not in known]
        found = [one for one in expected if one.operator == "name"]
        for _ in range(2):
            assert steps(variables, term) == (tuple(found), len(expected))
        both = steps(variables, term, other)
        assert set(both[0]) == {*found, *variables(other)}
        assert both[1] == steps(variables, term)[1] + steps(variables, other)[1]


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_limit_is_met_whether_variables_were_asked_for_before(asked_before):
    term = variable(f"x{asked_before}", "Int")
    for number in range(100):
        term = make("+", "Int", term, integer(number))
    if asked_before:
        variables(term)
    before = COUNT.steps
    with pytest.raises(OutOfWork), limited(1e-6):
        variables(term)
    assert COUNT.steps - before == 201
