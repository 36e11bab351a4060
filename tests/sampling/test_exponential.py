"""One exponential variable for every scale: laws by walking the tree, and arrays that agree whatever the margin."""

from fractions import Fraction as F

import numpy as np
import pytest

from refdp.sampling.bulk.exponential import PerElement, Scales, table
from refdp.sampling.exponential import DIGITS, at_least, floor_of, prefix, rest_below
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.tree import law_of
from refdp.sampling.words import Flipped, Recorded
from tests.examples import few
from tests.sampling import laws
from tests.sampling.streams import Stream

FEW = 2
"""Digits of E behind the point, where the tree is walked."""
SMALL = SlotDraws(certificate(prefix(FEW), slot_digits=6))


@pytest.mark.parametrize("scale", [F(1, 3), F(1), F(22, 7), F(5)])
def test_floor_has_the_geometric_law(scale: F) -> None:
    """G from a table, then floor(scale E): cells hold no, one or two integers."""

    def run(bits):
        source = Flipped(bits)
        return floor_of(scale, SMALL.one(source), source, FEW)

    law = law_of(run, 13)
    assert laws.is_law(law, laws.geometric(1 / scale))
    assert law.unresolved <= F(3, 10)


@pytest.mark.parametrize(("g", "lowest", "highest"), [(0, 0, 1), (1, 2, 3), (3, 6, 7), (4, 8, 9)])
def test_floor_is_each_integer_of_the_cell(g: int, lowest: int, highest: int) -> None:
    """8 E lies in [2 g, 2 g + 2), E's first two digits being known: the rest tells which of both integers it is."""
    for octet, expected in ((b"\x00", lowest), (b"\xff", highest)):
        assert floor_of(F(8), g, Recorded(octet * 64), FEW) == expected


@pytest.mark.parametrize("gamma", [F(0), F(1, 8), F(1, 4), F(1, 3), F(1), F(5, 2)])
def test_at_least_has_probability_e_to_the_minus_gamma(gamma: F) -> None:
    def run(bits):
        source = Flipped(bits)
        return at_least(gamma, SMALL.one(source), source, FEW)

    law = law_of(run, 14)
    assert laws.is_law(law, laws.truth_with(laws.exp_minus(gamma)))
    assert law.unresolved <= F(3, 20)


def test_wrong_laws_are_found_out() -> None:
    """That is: the tests above can fail."""

    def run(bits):
        source = Flipped(bits)
        return floor_of(F(5), SMALL.one(source), source, FEW)

    law = law_of(run, 13)
    assert not laws.is_law(law, laws.geometric(F(1, 4)))
    assert not laws.is_law(law, laws.geometric(F(1, 8)))


@pytest.mark.parametrize("f", [F(1, 3), F(1, 10**9), 1 - F(1, 10**9)])
@pytest.mark.parametrize("digits", [2, DIGITS])
def test_rest_below_is_the_law_of_the_rest(f: F, digits: int) -> None:
    c = F(1, 2**digits)
    (a, b), (d, e) = laws.exp_minus(c * f), laws.exp_minus(c)
    found = rest_below(f, digits)(60)
    assert (1 - b) / (1 - d) <= found.upper
    assert found.lower <= (1 - a) / (1 - e)
    assert found.upper - found.lower <= f / 2**58


def scales(numerator: int, denominator: int, n: int) -> Scales:
    """The same scale for n elements."""
    return Scales(np.full(n, numerator, np.int64), np.full(n, denominator, np.int64))


def test_arrays_ask_the_exact_question() -> None:
    """floor(t E) as an array against floor_of, for the G's of the same stream and cells that hold no integer."""
    each, g = scales(22, 7, 2_000), table().sample(2_000, Stream(4))
    drawn = PerElement().geometric(each, Stream(4))
    nothing, decided = Recorded(b""), 0
    for i in range(0, 2_000, 10):
        low, high = (F(22, 7) * (int(g[i]) + end) / 2**DIGITS for end in (0, 1))
        if int(low) == int(high):
            decided += 1
            assert drawn[i] == floor_of(F(22, 7), int(g[i]), nothing) == int(low)
    assert decided > 190


def exact_mass(q, k: int) -> float:
    return float(laws.proportional(q, range(-300, 301))(k)[0])


@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_per_element_draws_fit_the_law(sign: int) -> None:
    """On fixed digits: counts of -1, 0 and 1 within 6.2 standard deviations, which chance exceeds at 6e-10."""
    n = few(100_000)
    for family, q in (("laplace", lambda k: F(abs(k) * 7, 22)), ("gaussian", lambda k: F(k * k * 49, 2 * 484))):
        drawn, p = getattr(PerElement(), family)(scales(22, 7, n), Stream(2)), exact_mass(q, sign)
        assert abs(np.count_nonzero(drawn == sign) - n * p) < 6.2 * (n * p) ** 0.5


@pytest.mark.parametrize(
    ("numerator", "denominator"),
    [([0], [1]), ([1], [0]), ([-1], [1]), ([2**50], [1]), ([1], [2**50]), ([1, 2], [1])],
)
def test_scales_outside_their_range_are_refused(numerator: list[int], denominator: list[int]) -> None:
    with pytest.raises(ValueError, match="numerators and denominators must be"):
        Scales(np.array(numerator, np.int64), np.array(denominator, np.int64))


def test_draws_beyond_int64_are_an_error_and_no_wrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scale of 2^50 - 1 times E = 2^12 is within; times 2^14 - 1, of probability e^-16383, it is beyond."""

    class Far:
        def __init__(self, g: int) -> None:
            self.g = g

        def sample(self, n: int, _: object) -> np.ndarray:
            return np.full(n, self.g)

    scales = Scales(np.array([2**50 - 1]), np.array([1]))
    monkeypatch.setattr("refdp.sampling.bulk.exponential.table", lambda: Far(1 << 61))
    assert PerElement().geometric(scales, Stream(0))[0] // 2**13 == 2**49 - 1
    monkeypatch.setattr("refdp.sampling.bulk.exponential.table", lambda: Far(2**63 - 2**49))
    for draw in (PerElement().geometric, PerElement().laplace):
        with pytest.raises(OverflowError, match="range of int64"):
            draw(Scales(np.array([2**50 - 1, 2**50 - 1]), np.array([1, 1])), Stream(0))


def test_scales_of_another_type_are_refused() -> None:
    with pytest.raises(ValueError, match="must be int64"):
        Scales(np.array([1.0]), np.array([1], np.int64))


def test_margins_may_not_be_narrowed() -> None:
    with pytest.raises(ValueError, match="slack must be >= 1"):
        PerElement(0.5)


class Given:
    """In place of the table: the G's that it is given."""

    def __init__(self, g: list[int]) -> None:
        self.g = np.array(g, np.int64)

    def sample(self, n: int, source: Stream) -> np.ndarray:
        assert n == self.g.size
        return self.g


FRACTIONS = [F(22, 7), F(10**12 + 1, 3), F(355, 113), F(2**40 + 1, 2**9 + 1), F(10**6, 7), F(3 * 10**12 + 1, 7)]


def test_floats_next_to_an_integer_give_the_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    """G just below and above where t G / 2^49 passes an integer: a margin that is too narrow errs here."""
    cases = []
    for t in FRACTIONS:
        for whole in range(1, 200):
            k = whole * max(1, int(t) // 37)
            cases += [(t, int(k * 2**DIGITS / t) + d) for d in (-2, -1, 0, 1, 2)]
    each = Scales(*(np.array([end[i] for t, _ in cases for end in [t.as_integer_ratio()]], np.int64) for i in (0, 1)))
    monkeypatch.setattr("refdp.sampling.bulk.exponential.table", lambda: Given([g for _, g in cases]))
    found, here = PerElement().geometric(each, Stream(1)), Stream(1)
    assert found.tolist() == [floor_of(t, g, here) for t, g in cases]


def test_floats_next_to_gamma_accept_what_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """G within some units of 2^49 gamma, where gamma is large and floats are off by several."""
    cases = []
    for sigma in (F(22, 7), F(355, 113), F(10**6, 7), F(10**12 + 1, 3)):
        t = int(sigma) + 1
        for y in range(1, 200):
            k = y * max(1, t // 40)
            gamma = (k - sigma**2 / t) ** 2 / (2 * sigma**2)
            cases += [(sigma, k, gamma, max(0, int(gamma * 2**DIGITS) + d)) for d in (-9, -3, -1, 0, 1, 3, 9)]
    each = Scales(*(np.array([s.as_integer_ratio()[i] for s, *_ in cases], np.int64) for i in (0, 1)))
    whole = each.numerator // each.denominator + 1
    monkeypatch.setattr("refdp.sampling.bulk.exponential.table", lambda: Given([g for *_, g in cases]))
    y, here = np.array([k for _, k, *_ in cases], np.int64), Stream(1)
    found = PerElement()._accepted(y, each, whole, Stream(1))
    assert found.tolist() == [at_least(gamma, g, here) for _, _, gamma, g in cases]
