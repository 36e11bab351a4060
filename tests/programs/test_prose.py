"""Terms as a textbook writes them."""

from refdp.logic.terms import at_most, choice, disjunction, integer, less, make, variable
from refdp.programs.prose import sentences

N, K = variable("n", "Int"), variable("k", "Int")
SMALL, LARGE = at_most(K, integer(3)), less(integer(5), K)


def test_a_choice_between_statements_is_a_statement() -> None:
    """Spacer finds invariants of this form."""
    (found,) = sentences(choice(less(N, K), SMALL, disjunction(SMALL, LARGE)), str)
    assert found == "(k <= 3 if n + 1 <= k else (k <= 3) or (6 <= k))"


def test_a_truth_value_is_its_name() -> None:
    assert sentences(variable("seen", "Bool"), str) == ["seen"]


def test_a_statement_that_is_not_known_is_written_as_a_call() -> None:
    assert sentences(make("divides", "Bool", K, N), str) == ["divides(k, n)"]
