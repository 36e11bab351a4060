"""A statement is settled only by its own numbers: closed and true, or false at values that its hypotheses allow."""

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement, equal
from refdp.terms.reading import read
from tests.kinds import registered


def stated(show, *given, integers=""):
    return Statement(tuple(map(read, given)), read(show), frozenset(integers.split()))


FACTS = NamedStatements(
    "facts",
    {
        "sum": Statement((), equal(read("1/2 + 1/3"), read("5/6"))),
        "logarithm": stated("ln(3) < 11/10"),
        "wrong": stated("ln(3) < 109/100"),
        "vacuous": stated("1 < 2", "2 < 1"),
        "open": stated("x <= x + 1"),
        "square": stated("x <= x * x", "0 <= x"),
        "whole_square": stated("n <= n * n", "0 <= n", integers="n"),
        "double": stated("n < 2 * n", "0 <= n", integers="n"),
        "quotient": stated("1 / x <= 1", "1 / 2 <= x"),
        "box": stated("x * exp(-x) <= 1/2", "0 <= x", "x < ln(9)"),
        "strict_box": stated("x * y - normal_tail(y) < 1/2", "0 <= x", "x <= 1/2", "-1 < y", "y <= 1/2"),
        "tied_box": stated("x < 1", "0 <= x", "x <= 1"),
        "false_box": stated("x * exp(-x) <= 1/3", "0 <= x", "x <= 2"),
        "half_box": stated("x * x <= 1", "0 <= x"),
        "upper_box": stated("x <= 1", "x <= 1"),
        "shifting_box": stated("x <= 2 * y", "0 <= x", "x <= y", "0 <= y", "y <= 1"),
        "closed_box": stated("x <= y", "0 <= x", "x <= 1", "2 <= y", "y <= x + 9", "y <= 3"),
        "empty_box": stated("x <= 0", "2 <= x", "x <= 1"),
        "pole_box": stated("x / x <= 1", "-1 <= x", "x <= 1"),
        "kinked_box": stated("abs(x) <= 2", "-1 <= x", "x <= 1"),
        "equal_box": stated("x == x", "0 <= x", "x <= 1"),
    },
)


@pytest.fixture(autouse=True)
def facts():
    with registered(FACTS):
        yield


def digest(key):
    return FACTS.statements[key].digest


def decided(key):
    return rules.decided(obligation=f"facts.{key}", digest=digest(key))


def refuted(key, **values):
    return rules.false_statement(obligation=f"facts.{key}", digest=digest(key), values=values)


@pytest.mark.parametrize("key", ["sum", "logarithm"])
def test_decided_concludes_a_closed_fact_and_trusts_nobody(key):
    theorem = decided(key)
    assert (theorem.claim.name, theorem.trusts) == (key, frozenset())


@pytest.mark.parametrize(
    ("key", "why"), [("wrong", "does not hold"), ("vacuous", "does not hold"), ("open", "speaks of x")]
)
def test_decided_is_refused(key, why):
    with pytest.raises(KernelError, match=why):
        decided(key)


@pytest.mark.parametrize("rule", [rules.decided, rules.false_statement])
def test_statement_of_another_digest_is_refused(rule):
    more = {"values": {}} if rule is rules.false_statement else {}
    with pytest.raises(KernelError, match="have changed"):
        rule(obligation="facts.sum", digest=digest("logarithm"), **more)


@pytest.mark.parametrize(
    ("key", "values"), [("square", {"x": "1/2"}), ("square", {"x": "ln(2)"}), ("double", {"n": "0"}), ("wrong", {})]
)
def test_false_statement_is_refuted_by_values(key, values):
    theorem = refuted(key, **values)
    assert theorem.claim.claim.name == key
    assert theorem.trusts == frozenset()


@pytest.mark.parametrize(
    ("key", "values", "why"),
    [
        ("square", {"x": "2"}, "holds at the values"),
        ("square", {"x": "-1"}, "the hypothesis 0 <= x does not hold"),
        ("square", {}, "values must be of x"),
        ("square", {"x": "1/2", "y": "1"}, "values must be of x"),
        ("square", {"x": "x"}, "x must be a number"),
        ("whole_square", {"n": "1/2"}, "n must be an integer"),
        ("whole_square", {"n": "ln(2)"}, "n must be"),
        ("double", {"n": "1"}, "holds at the values"),
        ("quotient", {"x": "0"}, "does not hold"),
    ],
)
def test_false_statement_is_refused(key, values, why):
    with pytest.raises(KernelError, match=why):
        refuted(key, **values)


def branched(key):
    return rules.branch_and_bound(obligation=f"facts.{key}", digest=digest(key))


@pytest.mark.parametrize("key", ["box", "strict_box", "closed_box"])
def test_branch_and_bound_concludes_an_inequality_on_a_box_and_trusts_nobody(key):
    theorem = branched(key)
    assert (theorem.claim.name, theorem.trusts) == (key, frozenset())


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("tied_box", "parts of the box do not decide it|it is false"),
        ("false_box", "it is false at x = "),
        ("half_box", "must bound x from both sides"),
        ("upper_box", "must bound x from both sides"),
        ("empty_box", "lower must be <= upper"),
        ("pole_box", "parts of the box do not decide it"),
        ("kinked_box", "abs has no derivative"),
        ("equal_box", "it must compare by <= or <"),
    ],
)
def test_branch_and_bound_is_refused(key, why, monkeypatch):
    monkeypatch.setattr("refdp.numerics.boxes.MOST_PARTS", 200)
    with pytest.raises(KernelError, match=why):
        branched(key)


def test_branch_and_bound_of_another_statement_is_refused():
    with pytest.raises(KernelError, match="have changed"):
        rules.branch_and_bound(obligation="facts.box", digest=digest("strict_box"))
