"""Plans: a statement as one text, or case by case where there are not too many."""

from refdp.provers.smt.encode import smt_lib
from refdp.provers.smt.plans import MAXIMUM_CASES, cases, whole
from refdp.spec.statements import Statement
from refdp.terms.term import name
from tests.provers.statements import TRUE, statement


def test_a_condition_that_is_given_is_not_split_again():
    assert len(cases(statement(["0 <= x"], "abs(x) == x"))) == 1
    assert len(cases(statement(["x < 0"], "abs(x) == -x"))) == 1
    assert len(cases(statement([], "abs(x) * abs(x) == x * x"))) == 2
    assert len(cases(statement([], "max(x, y) - min(x, y) == abs(x - y)"))) == 4


def test_too_many_cases_are_no_plan():
    many = sum((abs(name(f"x{i}")) for i in range(7)), start=abs(name("x")))
    assert cases(Statement((), 0 <= many)) == ()
    assert 1 < len(cases(statement([], "0 <= abs(x) + abs(y) + abs(z)"))) <= MAXIMUM_CASES


def test_cases_with_too_large_numbers_are_no_plan():
    """In one branch the base is 2, and 2 ** (64 * 64 * 64) is more than a term may hold."""
    s = statement([], "(((indicator(x <= 0) + 1)**64)**64)**64 == 1")
    assert cases(s) == ()
    assert len(whole(s)) == 1


def test_cases_of_an_integral_are_no_plan():
    assert cases(statement(["0 < s"], "integral(abs(z), z) == s")) == ()


def test_whole_is_the_statement_as_one_text():
    s = TRUE["laplace loss"]
    assert whole(s) == ((smt_lib(s),),)


def test_conditions_that_are_not_comparisons_stay():
    s = statement([], "indicator(integer(x)) * abs(y) <= abs(y)")
    texts = cases(s)
    assert len(texts) == 2
    assert all("is_int" in case[-1] for case in texts)
