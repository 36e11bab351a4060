"""An answer is unsound only if it is below what the events cost on some tables, not below what bounds them."""

from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction

import pytest

from refdp.accounting.accountant import Accountant
from refdp.accounting.accounts import Limits
from refdp.accounting.events import Approximate, Event, FixedSize, Laplace, Poisson, RandomisedResponse
from refdp.accounting.judging.attained import attained, bounded_only
from refdp.accounting.judging.audit import audit_accountant

TENTH, SAMPLE = Poisson("1/10"), FixedSize(10, 1)
NOISE = Laplace("1/2")
ROUGH = Limits(Fraction(1, 1000))


def verdicts(events, answer, neighbours="change_one", **given):
    audit = audit_accountant(
        lambda events, delta: answer, events, (1e-3,), neighbours=neighbours, width=Fraction(1, 1000), **given
    )
    return [finding.verdict for finding in audit.findings]


def test_samples_of_a_fixed_size_are_judged_by_what_one_pair_of_tables_costs():
    """The dominating pair of four runs costs more than any one of them: an answer in between is not called unsound."""
    removal = Accountant("add_remove", ROUGH).compose(Event(NOISE, 4, TENTH)).epsilon_bounds(1e-3).bounds
    whole = Accountant("change_one", ROUGH).compose(Event(NOISE, 4, SAMPLE)).epsilon_bounds(1e-3).bounds
    assert removal.upper < whole.lower
    events = [Event(NOISE, 4, SAMPLE)]
    between = (removal.upper + whole.lower) / 2
    assert verdicts(events, between) == ["UNKNOWN"]
    assert verdicts(events, whole.upper * 2) == ["LOOSE"]
    assert verdicts(events, removal.lower / 2) == ["UNSOUND"]


def test_one_sample_of_a_fixed_size_is_judged_exactly():
    exact = Accountant("change_one").compose(Event(NOISE, 1, SAMPLE)).epsilon_bounds(1e-3).bounds
    assert verdicts([Event(NOISE, 1, SAMPLE)], exact.upper) == ["TIGHT"]
    assert verdicts([Event(NOISE, 1, SAMPLE)], exact.lower * Fraction(99, 100)) == ["UNSOUND"]


@dataclass(frozen=True)
class PermuteAndFlipDpEvent:
    epsilon: float


@dataclass(frozen=True)
class GaussianDpEvent:
    noise_multiplier: float


@dataclass(frozen=True)
class SelfComposedDpEvent:
    event: object
    count: int


@dataclass(frozen=True)
class ComposedDpEvent:
    events: list


def test_mechanisms_that_are_read_as_their_bound_are_not_judged_from_below():
    """Permute and flip is dominated by Laplace noise, and may cost less: an answer below that is not called unsound."""
    events = [SelfComposedDpEvent(PermuteAndFlipDpEvent(0.125), 20)]
    better = Accountant("add_remove").compose(Event(Laplace(8), 20)).get_epsilon(1e-3)
    worst = Accountant("add_remove").compose(Event(Approximate("1/8"), 20)).get_epsilon(1e-3)
    assert better < worst
    assert verdicts(events, better, "REPLACE_ONE") == ["SOUND"]
    assert verdicts(events, better * 0.9, "REPLACE_ONE") == ["UNKNOWN"]
    assert verdicts(events, worst * 2, "REPLACE_ONE") == ["LOOSE"]
    assert verdicts([Event(Approximate("1/8"), 20)], better) == ["UNSOUND"]


def test_what_is_known_of_other_events_is_judged_in_their_company():
    events = [PermuteAndFlipDpEvent(0.125), GaussianDpEvent(2.0)]
    alone = Accountant("ADD_OR_REMOVE_ONE").compose(GaussianDpEvent(2.0)).epsilon_bounds(1e-3).bounds
    assert verdicts(events, alone.lower / 2, "ADD_OR_REMOVE_ONE") == ["UNSOUND"]
    assert verdicts(events, alone.upper, "ADD_OR_REMOVE_ONE") == ["UNKNOWN"]


def test_bounded_events_are_found_anywhere_in_a_tree():
    tree = namedtuple("tree", "class_name events")
    assert bounded_only(PermuteAndFlipDpEvent(1.0))
    assert bounded_only(ComposedDpEvent([GaussianDpEvent(1.0), SelfComposedDpEvent(PermuteAndFlipDpEvent(1.0), 2)]))
    assert bounded_only(tree(b"ComposedDpEvent", [tree("ExponentialMechanismDpEvent", [])]))
    assert bounded_only([GaussianDpEvent(1.0), [PermuteAndFlipDpEvent(1.0)]])
    assert not bounded_only(ComposedDpEvent([GaussianDpEvent(1.0), GaussianDpEvent(1.0)]))
    assert not bounded_only({"mechanism": "gaussian", "sigma": "1"})


@pytest.mark.parametrize(
    ("events", "neighbours", "kept"),
    [
        ([Event(NOISE, 3, TENTH)], "change_one", [Event(NOISE, 3, TENTH)]),
        ([Event(NOISE, 1, SAMPLE)], "change_one", [Event(NOISE, 1, SAMPLE)]),
        ([Event(NOISE, 2, SAMPLE)], "add_remove", [Event(NOISE, 2, TENTH)]),
        ([Event(NOISE, 1, SAMPLE), Event(NOISE)], "add_remove", [Event(NOISE, 1, TENTH), Event(NOISE)]),
        ([Event(NOISE, 1, SAMPLE), Event(NOISE, 1, SAMPLE)], "add_remove", [Event(NOISE, 1, TENTH)] * 2),
    ],
)
def test_attained_accounts_take_a_fixed_size_for_poisson_samples(events, neighbours, kept):
    found = attained("change_one", [(event, (event,)) for event in events])
    assert (found.neighbours, list(found.events)) == (neighbours, kept)


def test_attained_accounts_may_not_exist():
    events = [Event(NOISE, 1, SAMPLE), Event(RandomisedResponse("3/4"))]
    assert attained("change_one", [(event, (event,)) for event in events]) is None
    assert attained("none", [(PermuteAndFlipDpEvent(1.0), (Event(Approximate("1")),))]) is None
    assert verdicts(events, 1e-9) == ["UNKNOWN"]
