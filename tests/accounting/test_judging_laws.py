"""Metamorphic laws: the true accountant breaks none, each false one breaks its law with the smallest counterexample."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Limits
from refdp.accounting.events import Event, FixedSize, Gaussian, Poisson
from refdp.accounting.judging.laws import broken_laws
from refdp.accounting.judging.readings import INFINITE
from refdp.accounting.judging.truth import truth_of
from refdp.accounting.judging.variants import louder, nested
from tests.accounting.home_made import QuickGaussians as Gaussians

EVENTS = [Event(Gaussian("5")), Event(Gaussian("3"), 4)]
DELTAS = (1e-3, 1e-6)
REPEATED, ORDER, MORE, GROWS, FALLS, SIGN, FINITE = (
    "count = loop = nested composition",
    "the order of events does not matter",
    "one event more loses no less",
    "epsilon grows with every parameter of loss",
    "epsilon falls as delta grows",
    "epsilon is at least 0",
    "epsilon is finite where delta exceeds the mass of infinite loss",
)


def broken(foreign, events=EVENTS, **given):
    return {law.law: law for law in broken_laws(foreign, events, DELTAS, **given)}


@pytest.mark.parametrize("foreign", [Gaussians, lambda: Accountant("add_remove", Limits(Fraction(1, 10**6)))])
def test_laws_hold_of_true_accountants(foreign):
    assert broken(foreign) == {}
    assert broken(foreign, [(Event(Gaussian("2")), 3), Event(Gaussian("3"))]) == {}


class CountOfComposeIgnored(Gaussians):
    def times(self, event, count):
        return event.count


class CountOfEventIgnored(Gaussians):
    def times(self, event, count):
        return count


class LastCounts(Gaussians):
    """The last event costs more: order matters, and one event more may take from the one before."""

    def compose(self, event, count=1):
        self.ledger.append((event, count))
        costs = [self.cost(e) * self.times(e, n) for e, n in self.ledger]
        self.mu_squared = sum(costs) + costs[-1]
        return self


class MoreNoiseCostsMore(Gaussians):
    def cost(self, event):
        return Fraction(event.mechanism.sigma) / 100


class SensitivityOfOne(Gaussians):
    """Sensitivity divides instead of multiplying."""

    def cost(self, event):
        return 1 / (Fraction(event.mechanism.sensitivity) * Fraction(event.mechanism.sigma)) ** 2


class Forgets(Gaussians):
    def compose(self, event, count=1):
        self.mu_squared = Fraction(0)
        return super().compose(event, count)


class DeltaUpsideDown(Gaussians):
    def get_epsilon(self, delta):
        return Fraction(1) + Fraction(delta)


class Negative(Gaussians):
    def get_epsilon(self, delta):
        return super().get_epsilon(delta) - 3


class Infinite(Gaussians):
    def get_epsilon(self, delta):
        return INFINITE


@pytest.mark.parametrize(
    ("foreign", "laws"),
    [
        (CountOfComposeIgnored, {REPEATED}),
        (CountOfEventIgnored, {REPEATED}),
        (LastCounts, {REPEATED, ORDER, MORE}),
        (MoreNoiseCostsMore, {GROWS}),
        (SensitivityOfOne, {GROWS}),
        (Forgets, {REPEATED, ORDER, MORE}),
        (DeltaUpsideDown, {FALLS}),
        (Negative, {SIGN}),
    ],
)
def test_laws_are_broken_by_false_accountants(foreign, laws):
    assert laws <= set(broken(foreign))
    assert set(broken(foreign)) - laws <= {REPEATED, MORE}


def test_laws_tell_an_infinite_answer_where_the_truth_is_finite():
    truth = truth_of(EVENTS, "add_remove", Fraction(1, 10**6), 30.0)
    assert set(broken(Infinite, truth=truth)) == {FINITE}
    assert broken(Infinite) == {}


def test_laws_show_the_smallest_composition_first():
    found = broken(CountOfComposeIgnored)[REPEATED]
    assert found.first.events == f"{EVENTS[0]}, {EVENTS[0]}"
    assert found.second.events == f"2 x {EVENTS[0]}"
    assert found.first.answer > found.second.answer
    assert found.equality
    grows = broken(MoreNoiseCostsMore)[GROWS]
    assert grows.first.events == str(EVENTS[0])
    assert grows.second.events == str(replace(EVENTS[0], mechanism=Gaussian("5/2")))
    assert not grows.equality


def test_laws_allow_a_tolerance_for_equalities_alone():
    class Rough(Gaussians):
        def get_epsilon(self, delta):
            return super().get_epsilon(delta) * (1 + Fraction(len(self.ledger), 10**4))

    assert broken(Rough) == {}
    assert set(broken(Rough, tolerance=Fraction(1, 10**5))) == {REPEATED}

    class Dips(Gaussians):
        """A tiny fall from one delta to the next, less than any tolerance, is told."""

        def get_epsilon(self, delta):
            return Fraction(1) + Fraction(delta) / 10**9

    assert FALLS in broken(Dips)


def test_laws_are_written_for_people_and_machines():
    found = broken(Negative)[SIGN]
    assert str(found).startswith("BROKEN epsilon is at least 0: epsilon(0.001) = -")
    written = broken(CountOfComposeIgnored)[REPEATED].as_json()
    assert [sorted(answer) for answer in written["counterexample"]] == [["delta", "epsilon", "events"]] * 2
    assert "not by itself unsound" in str(broken(CountOfComposeIgnored)[REPEATED])


def test_laws_ask_no_more_of_an_accountant_that_is_late():
    calls = []

    def never(events, delta):
        calls.append(delta)
        import time

        time.sleep(0.5)
        return 1.0

    assert broken_laws(never, EVENTS, DELTAS, timeout=0.02) == []
    assert len(calls) == 1


def test_laws_know_louder_events_of_refdp_and_of_specs():
    sampled = Event(Gaussian("2"), 3, Poisson("1/10"))
    changes = dict(louder(sampled))
    assert changes["mechanism.sigma"].mechanism.sigma == 1
    assert changes["mechanism.sensitivity"].mechanism.sensitivity == 2
    assert changes["count"].count == 6
    assert changes["sampling.rate"].sampling.rate == Fraction(11, 20)
    assert len(changes) == 4
    assert dict(louder(Event(Gaussian("2"), 1, FixedSize(10, 6))))["sampling.sample"].sampling.sample == 10
    spec = {"mechanism": "gaussian", "sigma": "2", "count": 3, "sampling": {"scheme": "poisson", "rate": 0.25}}
    assert dict(louder(spec)) == {
        "sigma": {**spec, "sigma": "1"},
        "count": {**spec, "count": 6},
        "sampling.rate": {**spec, "sampling": {"scheme": "poisson", "rate": 0.625}},
    }
    assert list(nested(spec, 2)) == [{**spec, "count": 6}]


def test_laws_know_trees_of_events_by_their_shape():
    @dataclass(frozen=True)
    class Leaf:
        noise_multiplier: float

    @dataclass(frozen=True)
    class Tree:
        events: list
        sampling_probability: float

    found = dict(louder(Tree([Leaf(2.0), Leaf(3.0)], 0.5)))
    assert found == {
        "events.0.noise_multiplier": Tree([Leaf(1.0), Leaf(3.0)], 0.5),
        "events.1.noise_multiplier": Tree([Leaf(2.0), Leaf(1.5)], 0.5),
        "sampling_probability": Tree([Leaf(2.0), Leaf(3.0)], 0.75),
    }
    assert list(louder(object())) == []
