"""Normal variables rounded to whole numbers: their law by the coin-flip tree, and the same numbers in arrays."""

from fractions import Fraction as F

import numpy as np
import pytest
from mpmath import iv
from mpmath.libmp import to_rational

from refdp.auditing.evidence.binomial import tail
from refdp.sampling.bulk import rounded_normal as bulk
from refdp.sampling.bulk.lanes import Lanes
from refdp.sampling.bulk.rounded_normal import MARGIN, rounded_normals
from refdp.sampling.lazy import Uniform
from refdp.sampling.rounded_normal import is_kept, rounded, rounded_normal
from refdp.sampling.tree import law_of
from refdp.sampling.words import SYSTEM_WORDS, Flipped
from tests.examples import few
from tests.sampling.laws import is_law
from tests.sampling.streams import Stream

ALARM = F(1, 10**10)


def below(x):
    """Rationals around P[N <= x], by mpmath: an error function of interval arithmetic is a sum of it."""
    iv.prec = 200
    z = iv.mpf(x.numerator) / x.denominator
    term, total = z, z  # z - z^3 / (2 3) + z^5 / (2^2 2! 5) - ...
    for n in range(1, 200):
        term = -term * z * z / (2 * n)
        total += term / (2 * n + 1)
    found = iv.mpf(1) / 2 + total / iv.sqrt(2 * iv.pi)
    return tuple(F(*to_rational(end)) for end in found._mpi_)


def kept(k, sigma):
    """P[K = k is kept and rounded to j] for j = k, k + 1: an integral of e^(-((k + u)^2 - k^2) / (2 sigma^2)) in u."""
    iv.prec = 200
    square = iv.mpf((F(k) / sigma).numerator) / (F(k) / sigma).denominator
    factor = iv.exp(square * square / 2) * iv.sqrt(2 * iv.pi) * sigma.numerator / sigma.denominator
    low, high = (F(*to_rational(end)) for end in factor._mpi_)

    def expected(j):
        ends = (F(k), k + F(1, 2)) if j == k else (k + F(1, 2), F(k + 1)) if j == k + 1 else None
        if ends is None:
            return F(0), F(1) if j is None else F(0)
        (a, b), (c, d) = (below(end / sigma) for end in ends)
        return (c - b) * low, (d - a) * high

    return expected


@pytest.mark.parametrize(("k", "sigma"), [(0, F(1, 2)), (0, F(2)), (1, F(1)), (2, F(3, 2)), (3, F(5))])
def test_the_coin_flip_tree_of_what_is_kept_is_that_of_the_law(k, sigma):
    """K itself is drawn by slots, whose law has its own tests."""
    law = law_of(lambda bits: rounded(k, sigma, Flipped(bits)), 12)
    expected = kept(k, sigma)
    assert is_law(law, expected)
    assert law.unresolved < F(1, 10)
    for j in (k, k + 1):
        assert law.admits(j, *expected(j))


def test_the_tree_of_another_law_is_noticed():
    law = law_of(lambda bits: rounded(2, F(5, 4), Flipped(bits)), 12)
    assert not law.admits(2, *kept(2, F(3, 2))(2))


@pytest.mark.parametrize("sigma", [F(1, 3), F(1), F(7, 2), F(100), F(10**6), F(2**30)])
def test_arrays_hold_the_same_numbers_whatever_the_margin(sigma):
    n = (
        few(400) if sigma > 4 else few(8_000)
    )  # only where x is not next to 0 may the bounds of e^-x be seen to be wrong
    drawn = [rounded_normals(sigma, n, Stream(5), margin) for margin in (MARGIN, 2.0**-8, 2.0)]
    # More digits are revealed of what is decided exactly only where 64 do not tell, so that all three read the same.
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] == drawn[2]).all()


def test_floats_tell_nearly_all(monkeypatch):
    decided = []
    monkeypatch.setattr(bulk, "is_kept", lambda *given: (decided.append(given), is_kept(*given))[1])
    assert rounded_normals(F(100), 1_000, Stream(5)).size == 1_000
    assert len(decided) < 50
    assert rounded_normals(F(100), 1_000, Stream(5), 2.0).size == 1_000
    assert len(decided) > 1_000


def test_floats_tell_nothing_next_to_what_decides():
    """V is e^-x itself, cut to 64 digits, or next to it: exact arithmetic tells the sides apart."""
    sigma, k = F(9, 2), 3
    from tests.sampling.laws import exp_minus

    for digits in range(1, 1 << 8):
        u = F(digits, 1 << 8)
        low, _ = exp_minus((2 * k + u) * u / (2 * sigma**2))
        v = int(low * 2**64)
        sides = [
            is_kept(k, sigma, Uniform(Stream(1), digits << 312, 320), Uniform(Stream(2), v + off, 64))
            for off in (-2, 2)
        ]
        assert sides == [True, False]


@pytest.mark.parametrize("sigma", [F(3, 2), F(50), F(3000)])
def test_shares_of_arrays_are_those_of_the_law(sigma):
    """False alarms: at most 1e-10 of each of six tests."""
    n = few(100_000)
    drawn = rounded_normals(sigma, n)
    for edge in (int(sigma / 2), int(sigma), int(2 * sigma)):
        low, high = below((edge + F(1, 2)) / sigma)
        for found, share in ((int((drawn <= edge).sum()), high), (int((-drawn <= edge).sum()), high)):
            assert tail(n, found, share).upper > ALARM / 2
            assert tail(n, n - found, 1 - low).upper > ALARM / 2


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, (1 << 15) + 1])
def test_there_are_as_many_draws_as_are_asked_for(n):
    assert rounded_normals(4, n, SYSTEM_WORDS).shape == (n,)


@pytest.mark.parametrize("sigma", [0, -1, 0.5, "x"])
def test_a_deviation_is_exact_and_positive(sigma):
    with pytest.raises((ValueError, TypeError), match="sigma must be"):
        rounded_normals(sigma, 1)
    with pytest.raises((ValueError, TypeError), match="sigma must be"):
        rounded_normal(sigma)


def test_a_margin_that_is_not_proved_is_refused():
    with pytest.raises(ValueError, match="margin must be >="):
        rounded_normals(1, 1, margin=2.0**-50)


def coins(rate, n, source=SYSTEM_WORDS):
    """What lots are made of."""
    return Lanes(source).bernoulli(n, rate)


@pytest.mark.parametrize("rate", [F(0), F(1), F(1, 3), F(1, 2), F(1, 2**70), 1 - F(1, 2**70), F(999, 1000)])
def test_coins_come_up_at_their_rate(rate):
    n = few(100_000)
    found = int(coins(rate, n).sum())
    assert tail(n, found, rate).upper > ALARM / 2
    assert tail(n, n - found, 1 - rate).upper > ALARM / 2


@pytest.mark.parametrize("rate", [F(1, 3), F(2, 3), F(1, 10), F(999, 1000), 1 - F(1, 2**200)])
@pytest.mark.parametrize("same", [0, 1, 5, 6, 7, 63, 64, 65, 130])
@pytest.mark.parametrize("lanes", [1, 64, 1000])
def test_a_coin_is_decided_by_the_first_digit_that_is_not_the_rate_s(rate, same, lanes):
    """However many digits of the uniform number are those of the rate itself."""
    digits = [int(rate * 2 ** (i + 1)) % 2 for i in range(same + 1)]

    class Digits(Stream):
        def octets(self, size):
            digit = digits[self.used] if self.used < same else 1 - digits[same]
            self.used += 1
            return bytes([255 * digit] * size)

    assert (coins(rate, lanes, Digits(1)) == (digits[same] == 1)).all()


def test_coins_are_an_array_of_truth_values():
    assert coins(F(1, 2), 0).dtype == np.bool_
