"""Events as rounds of a theorem: their pairs are those of the account, and what has none is refused in a sentence."""

from fractions import Fraction as F

import pytest

import refdp.mechanisms  # noqa: F401  (importing them registers the noise that rounds are about)
from refdp.accounting.certified import on_side, sides_of
from refdp.accounting.events import (
    Approximate,
    BallsInBins,
    BoundedRange,
    Concentrated,
    CyclicPoisson,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    Finite,
    FixedSize,
    FixedSizeOfAtLeast,
    Gaussian,
    Gaussians,
    GivenVotes,
    KAryRandomisedResponse,
    Laplace,
    LaplaceNoisyMax,
    NoTheorem,
    PermuteAndFlip,
    Poisson,
    Profile,
    RandomisedResponse,
    Renyi,
    RepeatAndSelect,
    Shuffled,
    ShuffledRandomisedResponse,
    TradeOff,
    TruncatedPoisson,
    WithReplacement,
    stated_profile,
)
from refdp.accounting.pairs import compositions
from refdp.accounting.rounds import Rounds, round_of

NOISE = (
    Gaussian(F(3), F(2)), Gaussians(F(1, 4)), Laplace(F(3), F(1, 2)), DiscreteLaplace(F(2), F(3), F(1, 2)),
    DiscreteGaussian(F(2), F(1), F(1, 3)),
)  # fmt: skip
LOSSES = (Approximate("ln(3)"), Approximate("1/2 + ln(2)", F(1, 100)))
BOUNDS = (
    Concentrated(F(1, 8)), Renyi(((F(2), F(1)),)), Renyi(((F(2), F(1, 3)), (F(9), F(2)))),
    stated_profile([(1, F(1, 9)), (0, F(1, 3)), (2, 0)]),
)  # fmt: skip
SELECTIONS = (
    BoundedRange("ln(3)"), Exponential(F(2), F(3)), Exponential(F(2), F(3), True), PermuteAndFlip(F(2), F(3)),
    LaplaceNoisyMax(F(2)),
)  # fmt: skip
LAWS = (Finite(((F(1, 3), F(2, 3)), (F(2, 3), F(1, 3)))), TradeOff(((F(1, 4), F(1, 2)),)))
ORDERED = Finite(((F(1, 2), F(1, 8)), (F(1, 2), F(7, 8))))
LOCAL = (
    RandomisedResponse(F(3, 4)), KAryRandomisedResponse(3, F(1, 2)), ShuffledRandomisedResponse(9, F(3, 4)),
    Shuffled(9, "1/2 + ln(2)"),
)  # fmt: skip
HALF, ALL = Poisson(F(1, 2)), Poisson(F(1))
STATED = {
    "add_remove": [
        *(
            Event(one, 3, scheme)
            for one in (*NOISE, *LOSSES, *SELECTIONS, *LAWS, ORDERED)
            for scheme in (None, HALF, ALL, CyclicPoisson(F(1, 3), 3, 10))
        ),
        *(Event(one, 2) for one in BOUNDS),
    ],
    "change_one": [
        *(Event(one, 2, scheme) for one in NOISE for scheme in (None, HALF, ALL)),
        *(Event(one) for one in (*LOSSES, *BOUNDS, *SELECTIONS, *LAWS, *LOCAL)),
        *(Event(one, 2, FixedSize(10, drawn)) for one in (*NOISE, *LOSSES, *SELECTIONS, *LAWS) for drawn in (3, 10)),
    ],
    "none": [Event(one, 5) for one in (*NOISE, *LOSSES, *BOUNDS, *SELECTIONS, *LAWS, ORDERED, *LOCAL)],
}


@pytest.mark.parametrize("neighbours", STATED)
def test_rounds_have_the_pairs_of_the_account(neighbours):
    for events in ([one] for one in STATED[neighbours]):
        found = Rounds.of(neighbours, events).pairs()
        products = [on_side(found, side)[0] for side in sides_of(found)]
        assert products == list(compositions(neighbours, events).values()), events
    found = Rounds.of(neighbours, STATED[neighbours]).pairs()
    known = compositions(neighbours, STATED[neighbours])
    assert [on_side(found, side)[0] for side in sides_of(found)] == list(known.values())


def test_rounds_say_what_an_event_is():
    assert [str(round_of(one)) for one in (
        Event(Gaussian(F(3), F(2)), 10, HALF), Event(Laplace(F(3))), Event(Approximate("ln(3)")),
        Event(DiscreteGaussian(F(2), F(1), F(1, 3)), 2), Event(RandomisedResponse(F(3, 4)), 2),
        Event(Approximate(1, F(1, 100)), 1, HALF), Event(Gaussians(F(1, 4))), Event(Laplace(F(3)), 2, FixedSize(10, 3)),
        Event(BOUNDS[0]), Event(BOUNDS[2]), Event(BOUNDS[3]), *(Event(one) for one in SELECTIONS[:4]), Event(LAWS[0]),
        Event(ORDERED, 2), Event(Laplace(F(3)), 2, CyclicPoisson(F(1, 3), 3, 10)), Event(LOCAL[2], 2), Event(LOCAL[3]),
    )] == [
        "repeated(poisson_sampled(1/2, chain(l2(2), gaussian(3))), 10)", "chain(l1(1), laplace(3))", "pure(ln(3))",
        "repeated(chain(l1(1), discrete_gaussian(2, 1/3)), 2)", "repeated(pure(ln(3)), 2)",
        "poisson_sampled(1/2, approximate(1, 1/100))", "gaussian(1/4)",
        "repeated(fixed_size_sampled(3, chain(l1(1), laplace(3))), 2)",
        "concentrated(1/8)", "all_of(renyi(2, 1/3), renyi(9, 2))",
        "all_of(approximate(0, 1/3), approximate(1, 1/9), approximate(2, 0))", "bounded_range(ln(3))",
        "chain(linf(3), exponential(2))", "chain(monotone(3), exponential(2))", "chain(linf(3), permute_and_flip(2))",
        "dominated_by(tuple_of(1/3, 2/3), tuple_of(2/3, 1/3))",
        "repeated(dominated_in_order(tuple_of(1/2, 1/2), tuple_of(1/8, 7/8)), 2)",
        "repeated(cyclic_poisson_sampled(1/3, 3, 10, chain(l1(1), laplace(3))), 2)",
        "repeated(shuffled_response(9, 3/4), 2)", "shuffled(9, 1/2 + ln(2))",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "event",
    [
        Event(RepeatAndSelect((Event(Laplace(F(2))),), mean=F(2))), Event(GivenVotes((F(9), F(1)), F(2)), 2),
        Event(Profile("a function", lambda epsilon: F(1))),
        *(Event(Gaussian(F(2)), 1, scheme) for scheme in (
            FixedSizeOfAtLeast(10, 2), TruncatedPoisson(F(1, 9), 3, 9), WithReplacement(9, 3),
            BallsInBins(9))),
    ],
    ids=str,
)  # fmt: skip
def test_an_event_of_which_the_kernel_knows_no_bound_is_named(event):
    with pytest.raises(NoTheorem, match=r"for a certificate, got (1|2) x ") as told:
        Rounds.of("change_one", [Event(Gaussian(F(2))), event])
    assert str(event) in str(told.value)
    assert "\n" not in str(told.value)


def test_counts_and_lists_have_the_limits_of_the_kernel():
    assert str(round_of(Event(Laplace(F(2)), 10**6))).endswith(", 1000000)")
    with pytest.raises(NoTheorem, match="count must be at most 1000000 for a certificate, got 1000001 of laplace"):
        round_of(Event(Laplace(F(2)), 10**6 + 1))
    with pytest.raises(NoTheorem, match="count must be at most 1000000 for a certificate, got 1001000 of laplace"):
        round_of(Event(Laplace(F(2)), 1001, CyclicPoisson(F(1, 9), 9, 9000)))
    for many in (0, 10_001):
        with pytest.raises(NoTheorem, match=f"events must be 1 to 10000 of them for a certificate, got {many}"):
            Rounds.of("none", [Event(Laplace(F(2)))] * many)


def test_tables_have_one_size_where_samples_have_one():
    events = [
        Event(Gaussian(F(2)), 1, FixedSize(10, 2)),
        Event(Laplace(F(2))),
        Event(Laplace(F(2)), 1, FixedSize(10, 3)),
    ]
    assert Rounds.of("change_one", events).domain == "sized_table(rows, 10)"
    with pytest.raises(NoTheorem, match="rows must be one number for a certificate, got 10 and 11"):
        Rounds.of("change_one", [*events, Event(Laplace(F(2)), 1, FixedSize(11, 3))])
