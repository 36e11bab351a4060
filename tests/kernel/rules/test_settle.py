"""Closed numbers come into normal form exactly or upward, and closed conditions are decided before they are dropped."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.reading import relation
from refdp.kernel.rules.settle import greatest, holds, mapped, rounded_up, settled, simplified, substituted, total
from refdp.numerics.exact import NotExact
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, number
from tests.kinds import gaussian_at_1, noise, summed

PRIVATE = relation(read("private(m(x), grid(y), absolute(d), approximate(x, d), 0 < x, x < 3)"))
STABLE = relation(read("stable(t(x), table(y), symmetric(d), grid(x), absolute(d * x), 0 < x)"))


def test_mapped_claim_is_changed_in_every_term():
    assert str(mapped(PRIVATE, lambda t: read(f"f({t})")).term) == (
        "private(f(m(x)), f(grid(y)), absolute(f(d)), approximate(f(x), f(d)), f(0 < x), f(x < 3))"
    )
    assert str(mapped(STABLE, lambda t: read(f"f({t})")).term) == (
        "stable(f(t(x)), f(table(y)), symmetric(f(d)), f(grid(x)), absolute(f(d * x)), f(0 < x))"
    )


def test_substituted_names_are_replaced_all_at_once():
    values = {"x": name("d"), "d": name("x"), "y": read("records()")}
    assert str(substituted(STABLE, values).term) == (
        "stable(t(d), table(records()), symmetric(x), grid(d), absolute(x * d), 0 < d)"
    )


def test_settled_conditions_are_decided_and_dropped_and_open_ones_stay():
    claim = substituted(PRIVATE, {"x": number(2)})
    assert str(settled(claim).term) == "private(m(2), grid(y), absolute(d), approximate(2, d))"
    claim = relation(read("private(m(), grid(1), absolute(1), pure(x), 1 < 2, integer(3), integer(x), sqrt(2) < x)"))
    assert [str(c) for c in settled(claim).given] == ["integer(x)", "sqrt(2) < x"]


@pytest.mark.parametrize(
    "condition",
    ["2 < 1", "integer(1/2)", "multiple(3, 2)", "multiple(3, 0)", "has_length(list_of('a', 'b'), 3)", "exp(1) < 2",
     "1 != 1", "all_of(1 < 2, 2 < 1)"],
)  # fmt: skip
def test_settled_condition_that_is_false_is_refused(condition):
    with pytest.raises(KernelError, match="does not hold"):
        settled(relation(read(f"private(m(), grid(1), absolute(1), pure(1), {condition})")))


@pytest.mark.parametrize("condition", ["foo(1)", "records() < 1", "integer(sqrt(2))", "1", "'a' == 'b'", "ln(-1) < 1"])
def test_settled_condition_that_means_nothing_is_refused(condition):
    with pytest.raises((KernelError, TermError, ArithmeticError)):
        settled(relation(read(f"private(m(), grid(1), absolute(1), pure(1), {condition})")))


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("integer(4/2)", True), ("integer(1/2)", False), ("multiple(3, 1/2)", True), ("multiple(1/2, 3)", False),
        ("has_length(list_of('a'), 1)", True), ("has_length(list_of(), 1)", False), ("2 <= 2", True),
        ("ln(3) == ln(9) / 2", True), ("ln(2) < 69/100", False),
    ],
)  # fmt: skip
def test_closed_condition_is_decided(condition, truth):
    assert holds(read(condition)) is truth


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("1 / 2 + 1 / 3", "5/6"), ("ln(2) + ln(3)", "ln(6)"), ("sqrt(4)", "2"), ("x + (1 + ln(1))", "x + 1"),
        ("m(sqrt(9), x)", "m(3, x)"), ("sqrt(2)", "sqrt(2)"), ("'1 + 1'", "'1 + 1'"), ("f(list_of('a', 2 * 3))",
        "f(list_of('a', 6))"), ("integral(exp(-z ** 2), z)", "integral(exp(-z ** 2), z)"), ("pi()", "pi()"),
        ("m()", "m()"), ("exp(1000000000)", "exp(1000000000)"), ("1 / (1 - 1)", None),
    ],
)  # fmt: skip
def test_simplified_term_is_equal_and_closed_arithmetic_is_carried_out(text, normal):
    if normal is None:
        with pytest.raises(TermError):
            read(text)
    else:
        assert str(simplified(read(text))) == normal


def test_rounded_up_number_is_itself_or_a_decided_bound():
    assert rounded_up(read("ln(2) + ln(2)"), None) == read("ln(4)")
    assert rounded_up(read("sqrt(2)"), "3/2") == read("3/2")
    assert rounded_up(number(1), "ln(3)") == read("ln(3)")
    assert rounded_up(read("x + 1"), None) == read("x + 1")
    assert rounded_up(read("x + 1"), "0") == read("x + 1")


def test_rounded_up_bound_below_the_number_is_refused():
    with pytest.raises(KernelError, match=r"1.4142135 is not an upper bound of sqrt\(2\)"):
        rounded_up(read("sqrt(2)"), "1.4142135")
    with pytest.raises(KernelError, match="not an upper bound"):
        rounded_up(number(1), "0.999999999999")


def test_rounded_up_irrational_number_without_a_bound_is_refused():
    with pytest.raises(NotExact, match="give a rational upper bound"):
        rounded_up(read("sqrt(2)"), None)


@pytest.mark.parametrize("bound", ["1.5x", "", "inf", "nan", "sqrt(3)", "x", "1e9999"])
def test_rounded_up_bound_that_is_no_number_is_refused(bound):
    with pytest.raises(NotExact):
        rounded_up(read("sqrt(2)"), bound)


def test_settled_bounds_of_another_number_are_refused():
    claim = relation(read("private(m(), grid(1), absolute(1), approximate(1, 0))"))
    assert str(settled(claim, ["2", "1/2"]).term) == "private(m(), grid(1), absolute(1), approximate(2, 1/2))"
    for bounds in ([], ["2"], ["2", "1", "1"]):
        with pytest.raises(KernelError, match="bounds must be 2 numbers"):
            settled(claim, bounds)


def test_settled_renyi_order_that_would_move_is_refused():
    """A divergence grows with its order: at order 10 the Gaussian has 5/4, at order 20 it has 5/2."""
    exact = rules.concentrated_to_renyi(gaussian_at_1(), order="10", d_out=["10", "2"])
    assert [str(t) for t in exact.claim.d_out] == ["10", "2"]
    for order in ("20", "101/10", "9"):
        with pytest.raises(KernelError, match="order 10 must stay"):
            rules.concentrated_to_renyi(gaussian_at_1(), order="10", d_out=[order, "5/4"])
    family = rules.concentrated_to_renyi(noise("discrete_gaussian", "concentrated"))
    values = {"sigma": "2", "granularity": "1", "d_in": "1", "order": "10"}
    with pytest.raises(KernelError, match="order 10 must stay"):
        rules.instantiate(family, values=values, d_out=["20", "5/4"])


def test_settled_domain_that_becomes_none_is_refused():
    with pytest.raises(KernelError, match="is not a domain"):
        rules.instantiate(summed("count"), values={"rows": "5"})


def test_total_is_the_sum_in_normal_form():
    assert total((read("ln(2)"), read("ln(3)"), number(1))) == read("1 + ln(6)")
    assert total((name("x"), number(1))) == read("x + 1")
    assert total((number(1),)) == number(1)


def test_greatest_of_closed_numbers_is_one_of_them():
    assert greatest((number(1), read("ln(3)"), read("1 / 2"))) == read("ln(3)")
    assert greatest((read("ln(3)"), number(1))) == read("ln(3)")
    assert greatest((number(2),)) == number(2)


def test_greatest_of_numbers_with_names_is_their_maximum():
    assert str(greatest((number(2), name("x")))) == "max(2, x)"
    assert str(greatest((name("x"), number(2), name("y")))) == "max(max(x, 2), y)"
    assert greatest((name("x"), name("x"))) == name("x")
