"""The search for identities finds them for what holds, and nothing that the kernel would let pass for what does not."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from refdp import work
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.provers.algebra import finder, splits
from refdp.provers.algebra.finder import identities
from refdp.provers.algebra.summands import known, summands
from refdp.provers.algebra.weights import useful, vanishing
from refdp.provers.processes import WORKERS, WorkerLost
from refdp.spec.cases import contradictions, sharpened
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, name
from tests.kinds import registered
from tests.provers.random_statements import grid, holds_at, statements
from tests.provers.statements import FALSE, TRUE, statement


def concluded(s: Statement, cases: list[Term]):
    """The theorem that the kernel makes of the identities; KernelError if it makes none."""
    with registered(NamedStatements("stated", {"it": s})):
        return rules.algebra(obligation="stated.it", digest=s.digest, cases=cases)


@pytest.mark.parametrize("case", TRUE)
def test_an_identity_is_found_for_an_obligation(case):
    found = identities(TRUE[case], 10.0)
    assert found is not None
    assert concluded(TRUE[case], found).trusts == frozenset()


@pytest.mark.parametrize("case", FALSE)
def test_no_identity_is_found_for_a_near_miss(monkeypatch, case):
    monkeypatch.setattr(splits, "MOST_ROOTS", 2)
    assert identities(FALSE[case], 1.0) is None


@pytest.mark.parametrize("count", [250, pytest.param(1000, marks=pytest.mark.long)])
def test_kernel_makes_no_theorem_of_a_random_statement_with_a_counterexample(count):
    """Where a case has no identity, one of another case or statement stands in its place, and is refused."""
    chance, pool, found = Random(5), [read("vanishes(product(1))")], Counter[object]()

    def attempt(facts, integers, depth=1):
        """An identity, or a split with what is found for its two parts, or an identity of something else."""
        t = finder.identity(facts, work.spent() + 10, highest=1)
        if t is not None:
            pool.append(t)
        elif depth and chance.random() < 0.2:
            root = name(chance.choice("xyw")) - chance.choice([0, 1, name("x")])
            parts = (*facts, sharpened(root < 0, integers)), (*facts, 0 <= root)
            t = apply("split", root, *(attempt(part, integers, 0) for part in parts))
            found["split"] += 1
        return chance.choice(pool) if t is None else t

    for s in statements(11, count):
        is_false = not all(holds_at(s, point) for point in grid(s))
        if not is_false and len(pool) > 200:
            continue
        try:
            sums = [attempt(facts, s.integers) for facts in contradictions(s)]
        except TermError:
            found["without cases"] += 1
            continue
        try:
            concluded(s, sums)
        except KernelError:
            found["refused", is_false] += 1
            continue
        assert not is_false, s
        found["proved"] += 1
    assert found["refused", True] > 0.3 * count
    assert found["split"] > 0.1 * count
    assert found["proved"] > 20


def test_identities_are_the_same_every_time():
    for s in list(TRUE.values())[:6]:
        assert identities(s, 10.0) == identities(s, 10.0)


def test_nothing_is_found_without_time_or_without_the_solver(monkeypatch):
    s = TRUE["laplace loss"]
    assert identities(s, 1e-9) is None

    def lost(*_: object) -> None:
        raise WorkerLost("killed after 1.0 s")

    monkeypatch.setattr(WORKERS["z3"].__class__, "ask", lost)
    assert identities(s, 10.0) is None


@pytest.mark.parametrize("show", ["integral(exp(-z ** 2), z) == sqrt(pi())", "exp(x) <= exp(x) + 1", "integer(x)"])
def test_nothing_is_found_for_what_is_no_polynomial(show):
    assert identities(statement([], show), 10.0) is None


def test_nothing_is_found_where_there_are_too_many_summands(monkeypatch):
    monkeypatch.setattr(finder, "MOST_SUMMANDS", 5)
    assert identities(TRUE["losses add up"], 10.0) is None


def test_nothing_is_found_where_polynomials_are_too_large():
    assert identities(statement(["x ** 40 <= y", "0 <= x"], "z ** 2 <= y"), 10.0) is None


def test_facts_that_always_hold_are_left_out_and_each_stands_once():
    facts = tuple(map(read, ("0 <= x", "0 <= 1", "0 < 0", "1 == 1", "0 == 1", "1 < 2", "x - x <= x", "exp(x) <= 1")))
    assert [str(f.factor) for f in known(facts)] == ["0", "2", "4"]


def test_summands_are_what_they_say():
    facts = tuple(map(read, ("0 <= x", "0 < y", "x == y")))
    found = {(s.operator, tuple(map(str, s.factors))): s for s in summands(facts, 2)}
    assert found["product", ("0", "1")].value == {(("x", 1), ("y", 1)): 1}
    assert not found["product", ("0", "1")].positive
    assert found["product", ("1", "1")].positive
    assert found["product", ()].positive
    assert not found["product", ("square(x - y)",)].positive
    assert ("equation", ("2", "y")) in found
    assert ("product", ("2",)) not in found
    three = summands(facts, 3)
    assert len({(s.operator, s.factors) for s in three}) == len(three)
    assert {s.operator for s in summands(facts[:1], 3)} == {"product"}


def test_a_summand_with_a_monomial_that_nothing_cancels_is_useless():
    facts = tuple(map(read, ("0 <= x", "x <= y", "z <= 0", "w == 0")))
    assert [tuple(map(str, s.factors)) for s in useful(summands(facts, 1))] == [("3", "1")]
    assert vanishing(summands(tuple(map(read, ("0 <= x", "x <= y"))), 1), 10.0) is None


SPLIT = {
    "integers that are not a number": statement([], "2 * n != 7", "n"),
    "integers times a real": statement(
        ["0 < s", "(j - k) * s < 2 * s", "s < (m - n) * s"], "j - k + 1 <= m - n", "j k m n"
    ),
    "rectangles": statement(
        ["0 <= p", "p <= 1", "0 <= q", "q <= 1", "0 <= r", "0 <= s", "p <= r", "q <= s"], "p * q <= r * s"
    ),
}


@pytest.mark.parametrize("case", SPLIT)
def test_an_identity_is_found_by_a_case_more(case):
    found = identities(SPLIT[case], 20.0)
    assert found is not None
    assert concluded(SPLIT[case], found).trusts == frozenset()


def test_a_case_more_is_needed_for_integers():
    found = identities(SPLIT["integers that are not a number"], 10.0)
    assert [t.operator for t in found] == ["split"]
    assert identities(statement([], "2 * n != 7"), 10.0) is None


def test_likely_roots_are_bounds_distances_and_products():
    facts = tuple(map(read, ("7 <= 2 * n", "x * y <= 1", "n <= m")))
    assert list(map(str, splits.likely_roots(facts, frozenset("nmk")))) == [
        "n - 4", "m - n - 2", "n - m - 2", "m - n - 1", "n - m - 1", "m - n - 0", "n - m - 0", "x * y - 1",
    ]  # fmt: skip
    assert splits.likely_roots(tuple(map(read, ("7 <= 2 * n", "exp(n) <= 1"))), frozenset()) == ()
