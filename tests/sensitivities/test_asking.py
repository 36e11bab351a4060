"""Questions to solvers: two variables of one name would be one number where whole numbers are taken for real ones."""

import pytest

from refdp.logic.asking import valid
from refdp.terms.leaves import FALSE, integer, rational, variable
from refdp.terms.operations import at_most, equal, multiply, real, subtract

X, WHOLE = variable("x", "Real"), variable("x", "Int")


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_two_variables_of_one_name_are_not_answered(solver):
    """Merged, x would be whole, and x <= 0 or 1 <= x; it is true of neither that is asked about."""
    unit = (at_most(rational(0), X), at_most(X, rational(1)))
    near = at_most(multiply(real(WHOLE), real(WHOLE)), multiply(X, X))
    bump = equal(multiply(X, subtract(integer(1), X)), rational(0))
    for hypotheses, goal in (((*unit, near), bump), ((equal(X, real(WHOLE)),), FALSE), ((), equal(X, real(WHOLE)))):
        answer = valid(solver, hypotheses, goal, 5)
        assert (answer.verdict, "one name" in answer.reason) == ("unknown", True)


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_one_variable_of_each_name_is_answered(solver):
    whole = variable("y", "Int")
    goal = at_most(multiply(X, X), multiply(real(whole), X))
    assert valid(solver, (equal(X, real(whole)),), goal, 5).verdict == "unsat"
