"""Whatever `lookup.check` accepts says of U only what the masses say: random small laws, bounds off by one, all ends.

Between two neighbouring ends of the bounds `known` is the same for every U, so that looking at the ends is looking at
all 2^64 beginnings of U.
"""

import random
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction as F
from itertools import accumulate

import numpy as np
import pytest

from refdp.numerics.intervals import Interval
from refdp.sampling.bulk.lookup import BulkLookup
from refdp.sampling.lazy import Uniform
from refdp.sampling.lookup import DIGITS, Bounds, LookupDraws, Masses, Refused, bounds, check
from tests.examples import few
from tests.sampling.streams import Stream

ONE = 2**DIGITS


def random_law(r: random.Random) -> Masses:
    """Of 2 to 6 values; dyadic, or with a small denominator, or with masses near 2^-64."""
    size = r.randint(2, 6)
    parts = [r.choice([1, 2, 3, r.randint(1, 99), r.randint(1, 2**66)]) for _ in range(size)]
    if r.random() < 0.3:
        parts[-1] = 2 ** r.choice([8, 64, 70]) * 2**67 - sum(parts[:-1])
    return Masses(tuple(F(part, sum(parts)) for part in parts))


def near_misses(b: Bounds, r: random.Random) -> Iterator[Bounds]:
    """The bounds with one end off by one, or by many; two exchanged; one missing."""
    for off in (-1, 1, r.randint(-(2**50), 2**50)):
        i = r.randrange(len(b.low))
        yield Bounds((*b.low[:i], b.low[i] + off, *b.low[i + 1 :]), b.high)
        yield Bounds(b.low, (*b.high[:i], b.high[i] + off, *b.high[i + 1 :]))
    yield Bounds(b.high, b.low)
    yield Bounds(b.low[::-1], b.high[::-1])
    yield Bounds(b.low, b.high[:-1])


def is_right(law: Masses, b: Bounds) -> bool:
    """By the definition of a draw, at each end and next to it, with 64 digits and with 16."""
    cdf = list(accumulate(law.masses))
    draws = object.__new__(LookupDraws)
    draws.law, draws.bounds = law, b
    ends = {end + i for end in (0, ONE - 1, *b.low, *b.high) for i in (-2, -1, 0, 1)}
    try:
        for size in (DIGITS, 16):
            for digits in {min(max(end, 0), ONE - 1) >> DIGITS - size for end in ends}:
                known = draws.known(Uniform(Stream(0), digits, size))
                least, most = F(digits, 2**size), F(digits + 1, 2**size)
                if known is not None and not ((known == 0 or cdf[known - 1] <= least) and most <= cdf[known]):
                    return False
    except IndexError:
        return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_what_is_accepted_says_what_is_true(seed: int) -> None:
    r, refused, wrong = random.Random(seed), 0, 0
    for _ in range(few(60)):
        law = random_law(r)
        made = bounds(law)
        check(law, made)
        assert is_right(law, made)
        for b in near_misses(made, r):
            right = is_right(law, b)
            wrong += not right
            try:
                check(law, b)
            except Refused:
                refused += 1
            else:
                assert right
    assert refused >= wrong > few(60)  # that is: the enumeration finds breaches


@pytest.mark.parametrize("seed", range(20))
def test_arrays_know_what_single_draws_know(seed: int) -> None:
    """At each end of the bounds, as they are found and as they are wider."""
    r = random.Random(seed)
    law = random_law(r)
    made = bounds(law)
    for by in (0, 1, 2**50):
        low, high = (max(0, a - by) for a in made.low), (min(ONE, a + by) for a in made.high)
        draws = LookupDraws(law, Bounds(tuple(low), tuple(high)))
        ends = sorted({min(max(e + i, 0), ONE - 1) for e in (*made.low, *made.high) for i in (-by, -1, 0, 1, by)})
        found = BulkLookup(draws)._known(np.array(ends, np.uint64), np.array(ends, np.uint64))
        single = [draws.known(Uniform(Stream(0), digits, DIGITS)) for digits in ends]
        assert found.tolist() == [-1 if k is None else k for k in single]
        exact = [bisect_right(list(accumulate(law.masses)), F(digits, ONE)) for digits in ends]
        assert all(k is None or k == right for k, right in zip(single, exact, strict=True))


class Extreme:
    """A law of another kind, whose first of two values has probability 0, or 1."""

    size = 2

    def __init__(self, p: int) -> None:
        self.p = F(p)

    def cdf(self, bits: int) -> list[Interval]:
        return [Interval(self.p, self.p, bits)]


@pytest.mark.parametrize("p", [0, 1])
def test_bounds_that_arrays_cannot_hold_are_refused(p: int) -> None:
    """2^64 and -1 are no words; wider bounds are accepted, and enclosures decide."""
    end = p * ONE
    with pytest.raises(Refused, match="must be around"):
        check(Extreme(p), Bounds((end,), (end,)))
    law, wider = Extreme(p), Bounds((max(0, end - 1),), (max(1, end),))
    check(law, wider)
    draws = LookupDraws(law, wider)
    assert BulkLookup(draws).sample(1_000, Stream(1)).tolist() == draws.many(1_000, Stream(1)) == [1 - p] * 1_000


def test_a_law_that_miscounts_its_values_is_refused() -> None:
    law = Extreme(1)
    law.size = 3
    with pytest.raises(Refused, match="bounds for each value but the last"):
        check(law, Bounds((ONE - 1,), (ONE,)))
