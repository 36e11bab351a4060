"""Noisy votes on a given table: against exact moments of small laws, and integrals of the noise."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from mpmath import mp, mpf

from refdp.accounting import losses
from refdp.accounting.accounts import Account, Limits
from refdp.accounting.balls import ball
from refdp.accounting.events import Event, Gaussian, GivenVotes, NoTheorem, Poisson
from refdp.accounting.losses import LossError
from refdp.accounting.pairs import dominating_pairs
from refdp.accounting.stated.votes import likely
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import precision


def moment(p, q, order):
    return sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))


def test_laws_with_a_likely_outcome_never_diverge_more_than_their_bound():
    """1,000 pairs of laws on three outcomes, each both ways; the moment of the higher order is exact."""
    for seed in range(1000):
        random = Random(seed)
        rare = Fraction(1, 10 ** random.randrange(4))
        laws = []
        for _ in "PQ":
            weights = [Fraction(random.randrange(4, 9)), *(rare * random.randrange(1, 9) for _ in range(2))]
            laws.append([w / sum(weights) for w in weights])
        missed = max(1 - law[0] for law in laws)
        for p, q in (laws, laws[::-1]):
            for order, r in ((2, Fraction(2)), (3, Fraction(3, 2)), (2, Fraction(5))):
                higher = int((order - 1) * r + 1)
                with precision(160):
                    bound = likely(Fraction(order), r, ball(moment(p, q, higher)).log(), missed)
                assert ln_bounds(moment(p, q, order), 160)[0] / (order - 1) <= bound


def to_mp(x):
    x = Fraction(x)
    return mpf(x.numerator) / x.denominator


def law_of(votes, sigma):
    """The law of the index, by integrals."""
    found = []
    for i, mine in enumerate(votes):
        others = [v for j, v in enumerate(votes) if j != i]

        def density(z, mine=mine, others=others):
            below = mp.mpf(1)
            for other in others:
                below *= mp.ncdf((z - other) / sigma)
            return mp.npdf((z - mine) / sigma) / sigma * below

        # The trapezoidal rule on a smooth density with normal tails: its error is below e^(-2 pi^2 sigma^2 / step^2).
        step = sigma / 3
        found.append(step * mp.fsum(density(mine + k * step) for k in range(-30, 31)))
    return found


@pytest.mark.parametrize("change", [1, 2])
@pytest.mark.parametrize(("votes", "sigma"), [((9, 3), 2), ((6, 5, 1), 3)])
def test_votes_never_cost_more_than_is_said_of_them(votes, sigma, change):
    """Every neighbour, both ways, by integrals; where one leads clearly, less is said than of other votes."""
    said = dict(GivenVotes(votes, sigma, change).loss().bounds)
    first = law_of(votes, mpf(sigma))
    moves = [
        m for m in product((-1, 0, 1), repeat=len(votes)) if sum(map(abs, m)) == change and (change == 1 or sum(m) == 0)
    ]
    for move in moves:
        second = law_of([v + m for v, m in zip(votes, move, strict=True)], mpf(sigma))
        for p, q in ((first, second), (second, first)):
            for order in (Fraction(3, 2), Fraction(4), Fraction(17)):
                a = to_mp(order)
                found = mp.log(sum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True))) / (a - 1)
                assert found <= to_mp(said[order]) + mpf(10) ** -9
    clear = dict(GivenVotes((40, 3), sigma, change).loss().bounds)
    assert clear[Fraction(4)] < Fraction(4 * change, 2 * sigma**2) / 100
    tied = dict(GivenVotes((5, 5, 5), sigma, change).loss().bounds)
    assert tied[Fraction(4)] == Fraction(4 * change, 2 * sigma**2)


def test_the_lead_of_neighbours_counts_and_not_that_of_the_votes_given():
    """Two candidates, of whom the second one comes nearer by the change."""
    votes = GivenVotes((12, 2), 2)
    with precision(100):
        assert votes.missed() > Fraction(1, 500)  # P[N(0, 8) > 8] = 0.0023, and of 10 it is 0.0002
    p, q = law_of((12, 2), mpf(2)), law_of((11, 3), mpf(2))
    divergence = mp.log(sum(x**2 / y for x, y in zip(q, p, strict=True)))
    assert divergence <= to_mp(dict(votes.loss().bounds)[Fraction(2)])


def test_what_is_said_of_votes_is_said_to_be_of_these_alone():
    event = Event(GivenVotes((700, 150, 150), 40), 100)
    assert str(event) == "100 x given_votes(votes=[700, 150, 150], sigma=40, change=2)"
    (said,) = event.trusts
    assert said.startswith("assumption: the votes are those given")
    answer = Account("none", (event,)).epsilon_bounds("1e-5", Limits(Fraction(1)))
    assert said in answer.trusts
    of_any = Account("none", (Event(Gaussian(40, 1), 200),)).epsilon_bounds("1e-5")
    assert answer.bounds.upper < of_any.bounds.lower / 10
    assert isinstance(dominating_pairs(event, "none")["remove"], losses.Renyi)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_votes_are_of_one_table(neighbours):
    with pytest.raises(NoTheorem, match="neighbours must be none"):
        dominating_pairs(Event(GivenVotes((7, 2), 3)), neighbours)
    with pytest.raises(NoTheorem, match="without sampling"):
        dominating_pairs(Event(GivenVotes((7, 2), 3), 1, Poisson("1/2")), "none")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: GivenVotes((7,), 3), "votes must be a list of 2 to 10000 numbers"),
        (lambda: GivenVotes("72", 3), "votes must be a list"),
        (lambda: GivenVotes((7, "x"), 3), "votes must be a number"),
        (lambda: GivenVotes((7, 2), 0), "sigma must be > 0"),
        (lambda: GivenVotes((7, 2), 1, 3), "change must be 1 or 2, got 3"),
    ],
)
def test_bad_votes_get_one_clear_sentence(wrong, sentence):
    with pytest.raises(LossError, match=sentence):
        wrong()
