"""Losses that are split between the cells of a grid: the enclosures hold the sum over all outcomes, and see mutants."""

from fractions import Fraction as F
from random import Random

import pytest
from flint import arb

from refdp.accounting.accounts import Account, Limits
from refdp.accounting.balls import ball
from refdp.accounting.cells import curve as curves
from refdp.accounting.cells import engine, laws
from refdp.accounting.cells.split import OFFSET, split
from refdp.accounting.contour.choice import factor
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import Approximate, Event
from refdp.accounting.losses import (
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Laplace,
    Normal,
    Profile,
    Sampled,
    composition,
    response,
)
from refdp.numerics.enclosures import precision
from refdp.numerics.exact import ExactReal
from tests.examples import few

ENGINE = engine.ENGINE
SLACK = "1e-40"


def finite(random):
    """A pair on two to four outcomes, some of them impossible under one law."""
    n = random.randint(2, 4)
    p, q = ([random.randint(0, 9) + (i == 0) for i in range(n)] for _ in "pq")
    return Finite(tuple((F(a, sum(p)), F(b, sum(q))) for a, b in zip(p, q, strict=True)))


def pair(random):
    """A pair, sampled or not."""
    base = random.choice([
        lambda: response(F(random.randint(0, 300), 97), random.choice((F(0), F(0), F(1, 50)))),
        lambda: response(F(random.randint(1, 200), 100)),
        lambda: finite(random),
        lambda: DiscreteLaplace(F(random.randint(1, 200), 100), random.randint(1, 3)),
    ])()  # fmt: skip
    if random.random() < 0.6:
        return base
    sides = ("remove", "add", "replace") if isinstance(base, DiscreteLaplace) else ("remove", "add")
    return Sampled(base, F(random.randint(1, 99), 100), random.choice(sides))


def truth(parts, epsilon):
    """delta as the sum over all outcomes."""
    rows = [(arb(1), arb(1))]
    for loss, count in parts:
        outcomes = factor(loss).pairs()
        for _ in range(count):
            rows = [(p * a, q * b) for p, q in rows for a, b in outcomes]
    x = ball(epsilon).exp()
    return sum(((p - x * q).max(arb(0)) for p, q in rows), arb(0))


def questions(monkeypatch, number):
    """Random products on coarse grids, with an epsilon, the enclosure and the truth of each."""
    random = Random(7)
    for _ in range(number):
        monkeypatch.setattr(engine, "POINTS", random.choice((3, 10, 50, 1000)))
        monkeypatch.setattr(laws, "LONGEST", random.choice((1, 4, 30, 4096)))
        parts = composition([(pair(random), random.randint(1, 2)) for _ in range(random.randint(1, 3))])
        found = next(ENGINE.curves(parts, Effort(F(1, 1000), F(1, 10**6))))
        for epsilon in (F(0), F(random.randint(-300, 400), 100), F(random.randint(0, 300), 97)):
            with precision(200):
                yield found.delta(epsilon), truth(parts.parts, epsilon)


def holds(interval, value):
    with precision(200):
        return ball(interval.lower) <= value + arb(SLACK) and value - arb(SLACK) <= ball(interval.upper)


def test_enclosures_hold_the_sum_over_all_outcomes(monkeypatch):
    found = list(questions(monkeypatch, 1000))
    assert len(found) == 3000
    assert all(holds(interval, value) for interval, value in found)
    assert sum(interval.upper - interval.lower < F(1, 100) for interval, _ in found) > 1000


@pytest.mark.parametrize("mutant", ["nothing was added", "half a step", "split evenly", "nothing is missing"])
def test_mutants_are_seen(monkeypatch, mutant):
    if mutant == "nothing was added":
        monkeypatch.setattr(curves, "remainder", lambda step, splits: (F(2), arb(0)))
    elif mutant == "half a step":
        monkeypatch.setattr(engine, "origin", lambda step, count: ball((OFFSET - F(1, 2)) * step * count))
    elif mutant == "split evenly":
        monkeypatch.setattr(
            engine, "split", lambda atoms, step, bits, effort: split([(x, m) for x, m in atoms], step * 2, bits, effort)
        )
    else:
        monkeypatch.setattr(laws, "joined", lambda one, other: [(a + b, p * q / 2) for a, p in one for b, q in other])
        monkeypatch.setattr(curves.CellCurve, "missing", 0)
    assert not all(holds(interval, value) for interval, value in questions(monkeypatch, few(200)))


def test_masses_under_q_are_kept_and_no_mass_moves_farther_than_a_cell():
    step, bits = F(1, 7), 200
    with precision(300):
        for loss in (F(-3, 5), F(0), F(1, 50), F(22, 7)):
            found = split([(ball(loss), ball(F(1)))], step, bits, Effort())
            masses = [F(m, 1 << bits) for m in found.coefficients()]
            places = [(found.start + i + OFFSET) * step for i in range(len(masses))]
            assert len(masses) == 2
            assert places[0] < loss < places[1]
            assert abs(sum(masses) - 1) < F(1, 10**50)
            kept = sum((ball(m) * ball(-x).exp() for m, x in zip(masses, places, strict=True)), arb(0))
            assert abs(kept - ball(-loss).exp()) < arb("1e-50")


def test_a_loss_that_may_be_in_two_cells_counts_as_missing():
    with precision(100):
        unsure = ball(OFFSET * F(1, 7)).union(ball(OFFSET * F(1, 7) + F(1, 10**20)))
        assert split([(unsure, ball(F(1)))], F(1, 7), 80, Effort()).coefficients() in ([], [0])


def test_discrete_gaussian_noise_is_that_of_the_lattice():
    noise = DiscreteGaussian(F(9), 2)
    parts = composition([(noise, 3)])
    from refdp.accounting.lattice.engine import ENGINE as LATTICE

    exact, found = (next(each.curves(parts, Effort(delta=F(1, 10**9)))) for each in (LATTICE, ENGINE))
    for epsilon in (F(0), F(1, 3), F(2)):
        one, other = exact.delta(epsilon), found.delta(epsilon)
        assert other.lower <= one.lower <= one.upper <= other.upper
        assert other.upper - other.lower < F(1, 10**4)


@pytest.mark.parametrize("side", ["remove", "add", "replace"])
def test_sampled_discrete_gaussian_noise_is_the_sum_over_its_outcomes(side):
    loss = Sampled(DiscreteGaussian(F(2), 1), F(1, 5), side)
    found = next(ENGINE.curves(composition([(loss, 2)]), Effort()))
    with precision(200):
        weights = {k: ball(F(-k * k, 4)).exp() for k in range(-40, 41)}
        total, q = sum(weights.values(), arb(0)), ball(F(1, 5))
        law = lambda shift: [weights.get(k - shift, arb(0)) / total for k in range(-30, 31)]  # noqa: E731
        mixed = [[q * moved + (1 - q) * still for moved, still in zip(law(s), law(0), strict=True)] for s in (1, -1)]
        first, second = {"remove": (mixed[0], law(0)), "add": (law(0), mixed[0]), "replace": mixed}[side]
        for epsilon in (F(0), F(1, 10), F(1, 2)):
            x = ball(epsilon).exp()
            value = sum(
                ((p * a - x * r * b).max(arb(0)) for p, r in zip(first, second, strict=True)
                 for a, b in zip(first, second, strict=True)), arb(0)
            )  # fmt: skip
            interval = found.delta(epsilon)
            assert ball(interval.lower) <= value + arb("1e-30")
            assert value - arb("1e-30") <= ball(interval.upper)
            assert interval.upper - interval.lower < F(1, 10**4)


def test_different_pure_epsilons_are_narrow_from_both_sides():
    random = Random(3)
    events = [Event(Approximate(ExactReal(F(random.randint(1, 10**9), 10**10)), F(0))) for _ in range(40)]
    answer = Account("add_remove", events).epsilon_bounds(F(1, 10**6), Limits(F(1, 10**6)))
    assert answer.reason is None
    assert "cells" in answer.engine
    assert answer.bounds.upper - answer.bounds.lower <= F(1, 10**6)


@pytest.mark.parametrize(
    ("loss", "reason"),
    [
        (Laplace(F(1)), "Laplace are not finitely many"),
        (Sampled(Normal(F(1)), F(1, 2), "add"), "Normal are not finitely many"),
        (Profile("one", lambda e: F(0)), "Profile are not finitely many"),
        (DiscreteGaussian(F(10) ** 12), "too many"),
        (DiscreteLaplace(F(1, 10**6), 100_000), "too many"),
    ],
)
def test_other_pairs_are_left_to_other_engines(loss, reason):
    assert reason in ENGINE.why_not(composition([(loss, 2)]))
    if "finitely" in reason:
        with pytest.raises(OutOfReach, match=reason):
            laws.atoms_of(loss, 64)


def test_very_many_events_are_left_to_grids():
    assert "splits of over 10000 events" in ENGINE.why_not(composition([(DiscreteGaussian(F(10**5)), 10_001)]))
    assert ENGINE.why_not(composition([(DiscreteGaussian(F(10**5)), 10_000)])) is None


def test_work_is_bounded():
    parts = composition([(response(F(i, 97)), 1) for i in range(1, 40)])
    with pytest.raises(OutOfReach, match="work"):
        list(ENGINE.curves(parts, Effort(end=0.0)))


@pytest.mark.parametrize(("delta", "zero"), [(F(1), 1), (F(1, 10), F(19, 100))])
def test_infinite_losses_are_kept(delta, zero):
    found = next(ENGINE.curves(composition([(response(0, delta), 2), (response(F(1, 7)), 1)]), Effort()))
    interval = found.delta(F(1))
    assert interval.lower <= zero <= interval.upper
    assert interval.upper - interval.lower < F(1, 10**9)
