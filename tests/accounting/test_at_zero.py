"""epsilon at delta = 0: the greatest ratio of probabilities, exact where it can be, infinite where there is none."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from mpmath import exp, log, mp, mpf

from refdp.accounting import losses
from refdp.accounting.accounts import Account, Bounds, Limits, Question
from refdp.accounting.events import (
    Approximate,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Finite,
    FixedSize,
    Gaussian,
    KAryRandomisedResponse,
    Laplace,
    Poisson,
    Profile,
    RandomisedResponse,
    Renyi,
    stated_profile,
)
from refdp.accounting.greatest import Greatest, Log, Unbounded, greatest_loss
from refdp.accounting.losses import LossError
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.exact import ExactReal
from tests.accounting.test_enumerated import enumerated, law
from tests.examples import few, lots

BITS = 200
WIDTH = Fraction(1, 10**9)
HAIR = Fraction(1, 10**6)


def at_zero(*events, neighbours="add_remove", **limits):
    (answer,) = Account(neighbours, events).answers([Question(Fraction(0))], Limits(**limits))
    return answer


def sampled(cells, rate, side):
    """The pair of a Poisson sample, from that of the whole table: first with the row, second without."""
    mixed = [(rate * p + (1 - rate) * q, q) for p, q in cells]
    return mixed if side == "remove" else [(q, m) for m, q in mixed]


def greatest_ratio(pairs):
    """The greatest P / Q over all sequences of outcomes, by enumeration; None for infinity."""
    found = Fraction(0)
    for outcomes in product(*pairs):
        p = q = Fraction(1)
        for a, b in outcomes:
            p, q = p * a, q * b
        if p and not q:
            return None
        found = max(found, p / q if q else found)
    return found


def random_cells(random, may_vanish):
    """Two laws of three outcomes; at times one of the second law's, of the first's, or both have probability 0."""
    first, second = law(random), law(random)
    if may_vanish and random.random() < 0.3:
        first = [Fraction(0), first[0] + first[1], first[2]]
    if may_vanish and random.random() < 0.2:
        second = [second[0] + second[1], Fraction(0), second[2]]
    return tuple(zip(first, second, strict=True))


@pytest.mark.parametrize("seeds", lots(few(1000)), ids=str)
def test_the_least_epsilon_at_delta_zero_is_that_of_every_sequence_of_outcomes(seeds):
    for seed in seeds:
        insist_on_the_least_epsilon(seed)


def insist_on_the_least_epsilon(seed):
    random = Random(seed)
    rate = Fraction(random.randrange(1, 10), 10)
    plain, drawn = (random_cells(random, may_vanish=True) for _ in range(2))
    count = random.randrange(1, 3)
    answer = at_zero(Event(Finite(plain), count), Event(Finite(drawn), 1, Poisson(rate)))
    sides = {
        "remove": [list(plain)] * count + [sampled(drawn, rate, "remove")],
        "add": [[(q, p) for p, q in plain]] * count + [sampled(drawn, rate, "add")],
    }
    ratios = {side: greatest_ratio(pairs) for side, pairs in sides.items()}
    if None in ratios.values():
        assert answer.bounds == Bounds(None, None)
        assert answer.note.startswith("epsilon is infinite at delta 0: an outcome is possible for one")
        return
    most = max(ratios.values())
    low, high = ln_bounds(most, BITS)
    assert answer.bounds.lower <= high
    assert low <= answer.bounds.upper
    assert answer.bounds.within(WIDTH)
    assert answer.reason is None
    assert max(enumerated(pairs, most) for pairs in sides.values()) == 0
    if most > 1:  # a hair below, some event breaks it
        assert max(enumerated(pairs, most * (1 - HAIR)) for pairs in sides.values()) > 0
    assert ratios[answer.direction] == most
    assert answer.note == f"epsilon is {'0' if most == 1 else f'ln({most})'}, exactly"


def replaced_ratio(e, q):
    return log((1 - q + q * exp(e)) / (1 - q + q * exp(-e)))


@pytest.mark.parametrize("scale", ["1/3", 1, 7, "1000000"])
@pytest.mark.parametrize("rate", ["1/1000", "1/2", "99/100"])
def test_sampled_noise_has_the_greatest_ratio_of_its_mixtures(scale, rate):
    with mp.workdps(60):
        e, q = 1 / mpf(Fraction(scale).numerator) * Fraction(scale).denominator, mpf(Fraction(rate).numerator)
        q /= Fraction(rate).denominator
        cases = [
            (Laplace(scale), "add_remove", Poisson(rate), log(1 + q * (exp(e) - 1))),
            (Laplace(scale), "change_one", Poisson(rate), replaced_ratio(e, q)),
            (DiscreteLaplace(scale, 2), "add_remove", Poisson(rate), log(1 + q * (exp(2 * e) - 1))),
            (DiscreteLaplace(scale, 2), "change_one", Poisson(rate), replaced_ratio(2 * e, q)),
            (Laplace(scale), "change_one", None, e),
        ]
        for mechanism, neighbours, sampling, truth in cases:
            answer = at_zero(Event(mechanism, 5, sampling), neighbours=neighbours, width="1e-30")
            assert answer.bounds.within(Fraction(1, 10**30))
            lower, upper = (mpf(end.numerator) / end.denominator for end in (answer.bounds.lower, answer.bounds.upper))
            assert lower - mpf(10) ** -50 <= 5 * truth <= upper + mpf(10) ** -50
        share = log(1 + mpf(3) / 10 * (exp(e) - 1))
        fixed = at_zero(Event(Laplace(scale), 1, FixedSize(10, 3)), neighbours="change_one")
        lower, upper = (mpf(end.numerator) / end.denominator for end in (fixed.bounds.lower, fixed.bounds.upper))
        assert lower - mpf(10) ** -50 <= share <= upper + mpf(10) ** -50


def test_what_is_exact_is_said_exactly():
    events = (Event(Approximate("1/2 + ln(3)"), 3), Event(Laplace(2)), Event(RandomisedResponse("3/4")))
    answer = at_zero(*events, neighbours="change_one")
    assert answer.note == "epsilon is 2 + ln(81), exactly"
    low, high = (2 + end for end in ln_bounds(Fraction(81), BITS))
    assert answer.bounds.lower <= high
    assert low <= answer.bounds.upper
    rational = at_zero(Event(Laplace(3), 2), Event(DiscreteLaplace(5, 2)))
    assert rational.bounds == Bounds(Fraction(16, 15), Fraction(16, 15))
    assert rational.note == "epsilon is 16/15, exactly"
    assert at_zero().bounds == Bounds(Fraction(0), Fraction(0))
    response = at_zero(Event(KAryRandomisedResponse(4, "1/2")), neighbours="change_one")
    assert response.note == "epsilon is ln(3), exactly"


def test_a_number_too_long_to_show_is_bounded_all_the_same():
    answer = at_zero(Event(RandomisedResponse("3/4"), 10**9), neighbours="none", width="1e-9")
    assert answer.note is None
    assert answer.bounds.within(WIDTH)
    low, high = (10**9 * end for end in ln_bounds(Fraction(3), BITS))
    assert answer.bounds.lower <= high
    assert low <= answer.bounds.upper


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Event(Gaussian(1)), "Gaussian noise has unbounded losses"),
        (Event(Gaussian(1), 7, Poisson("1/100")), "Gaussian noise has unbounded losses"),
        (Event(DiscreteGaussian(3)), "discrete Gaussian noise has unbounded losses"),
        (Event(Approximate(1, "1/100")), "what is private but for a delta of 1/100 may then tell everything"),
        (Event(Approximate(1, "1/100"), 1, Poisson("1/2")), "what is private but for a delta of 1/100 may then"),
        (Event(Finite((("1/2", 0), ("1/2", 1)))), "an outcome is possible for one of two neighbours alone"),
        (Event(Concentrated("1/2")), "Gaussian noise is rho-zCDP, and its losses are unbounded"),
        (Event(Renyi(((2, "1/10"),))), "Gaussian noise of some scale is within the Renyi bounds"),
        (Event(stated_profile([[1, "1/100"], [2, "1/1000"]])), "of 2 stated points none has delta 0"),
    ],
)
def test_where_no_epsilon_holds_that_is_the_answer_and_why(event, why):
    for events in ((event,), (Event(Laplace(1)), event), (event, Event(Profile("p", lambda e: Fraction(1))))):
        answer = at_zero(*events)
        assert answer.bounds == Bounds(None, None)
        assert answer.reason is None
        assert answer.note.startswith(f"epsilon is infinite at delta 0: {why}")


def test_noise_that_ends_in_one_direction_alone_is_infinite_in_the_other():
    """A row added to a sample of Gaussian noise has losses of at most -ln(1 - rate); a row removed any."""
    from refdp.accounting.greatest import greatest_loss
    from refdp.accounting.losses import Normal, Sampled

    found = greatest_loss(Sampled(Normal(Fraction(1)), Fraction(1, 4), "add"))
    assert found == Greatest(Fraction(0), (Log(-1, Fraction(3, 4)),))
    assert found.exact(2).argument == Fraction(16, 9)


def test_bounds_that_are_nothing_cost_nothing_and_stated_points_their_least_epsilon():
    assert at_zero(Event(Renyi(((2, 0), (3, 1))), 5)).bounds == Bounds(Fraction(0), Fraction(0))
    points = stated_profile([["1/2", "1/100"], [2, 0], [3, 0]])
    assert at_zero(Event(points, 3)).bounds == Bounds(Fraction(6), Fraction(6))


def test_what_is_not_known_is_not_said_to_be_infinite():
    answer = at_zero(Event(Profile("a curve", lambda e: Fraction(1))), Event(Laplace(2)))
    assert answer.bounds == Bounds(Fraction(1, 2), None)
    assert answer.reason == "of a curve no bound of the losses is known, and so no epsilon at delta 0"
    assert answer.note is None


def test_other_questions_are_answered_beside_it():
    questions = [Question(Fraction(1, 10)), Question(Fraction(0)), Question(epsilon=Fraction(1, 4))]
    found = Account("add_remove", (Event(Laplace(2)),)).answers(questions)
    assert [answer.question for answer in found] == questions
    assert found[1].bounds == Bounds(Fraction(1, 2), Fraction(1, 2))
    assert found[0].bounds.upper < Fraction(1, 2)
    assert found[2].bounds.lower > 0


def test_a_target_of_delta_zero_is_refused_for_both():
    with pytest.raises(LossError, match="delta must be strictly between 0 and 1, got 0"):
        Question(Fraction(0), Fraction(1))


def test_of_a_mixture_the_greatest_of_the_parts_counts():
    half, laplace, response_ = Fraction(1, 2), losses.Laplace(Fraction(1, 3)), losses.response(Fraction(2, 3))
    both = losses.Mixture(((half, laplace), (half, response_)))
    assert greatest_loss(both) == greatest_loss(response_)
    unbounded = losses.Mixture(((half, losses.Normal(Fraction(1))), (half, response_)))
    assert isinstance(greatest_loss(unbounded), Unbounded)
    sampled_ = losses.Mixture(((half, losses.Sampled(laplace, half, "remove")), (half, losses.Laplace(Fraction(1, 9)))))
    assert greatest_loss(sampled_) == greatest_loss(losses.Sampled(laplace, half, "remove"))


def test_losses_in_a_range_are_at_most_its_length():
    found = greatest_loss(losses.BoundedRange(ExactReal(Fraction(1, 2), Fraction(3))))
    low, high = found.ends(BITS)
    assert low <= Fraction(1, 2) + ln_bounds(Fraction(3), BITS)[1]
    assert high >= Fraction(1, 2) + ln_bounds(Fraction(3), BITS)[0]
