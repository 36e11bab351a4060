"""One exponential variable for every scale: laws by walking the tree, and arrays that agree whatever the margin."""

import random
from fractions import Fraction as F
from math import isqrt

import mpmath
import numpy as np
import pytest

from refdp.sampling import exponential
from refdp.sampling.bulk import exponential as bulk
from refdp.sampling.bulk.exponential import PerElement, Scales, table
from refdp.sampling.drawing import FAMILIES
from refdp.sampling.exponential import DIGITS, at_least, floor_of, prefix, rest_below, variables
from refdp.sampling.lazy import Uniform
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.tree import law_of
from refdp.sampling.words import Flipped, Recorded
from tests.examples import few
from tests.sampling import laws
from tests.sampling.noises import gaussian, laplace
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
    [([0], [1]), ([1], [0]), ([-1], [1]), ([2**50 + 1], [1]), ([1], [2**50 + 1]), ([1, 2], [1])],
)
def test_scales_outside_their_range_are_refused(numerator: list[int], denominator: list[int]) -> None:
    with pytest.raises(ValueError, match="numerators and denominators "):
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


@pytest.mark.parametrize("given", ["12", {1, 2}, range(1, 3), iter((1, 2)), {1: 2, 3: 4}, (1,), [1, 2, 3]])
def test_scales_are_a_list_a_tuple_or_an_array_of_as_many_numbers(given: object) -> None:
    with pytest.raises(ValueError, match="scales must be a list, a tuple or an array of 2 numbers"):
        exponential.scales_of(given, 2)


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


LAPLACES = [F(1, 3), F(1), F(22, 7), F(5)]


@pytest.mark.parametrize("scale", LAPLACES)
def test_one_laplace_draw_has_its_law(scale: F) -> None:
    """The whole tree: a table of few digits, the whole numbers of a cell, the sign, minus zero drawn again."""
    law = law_of(lambda bits: exponential.laplace(scale.numerator, scale.denominator, Flipped(bits), SMALL), 14)
    assert laws.is_law(law, laws.proportional(lambda k: abs(k) / scale, range(-900, 901)))
    assert law.unresolved <= F(1, 2)


class Refused(Exception):
    """The first proposal was not accepted."""


@pytest.mark.parametrize("variance", [F(1, 9), F(1), F(22, 7)])
@pytest.mark.parametrize("y", [0, 1, -2, 4])
def test_a_gaussian_draw_accepts_a_proposal_with_its_probability(variance: F, y: int, monkeypatch) -> None:
    """A Laplace draw y of scale t = floor(sigma) + 1 with probability e^-((|y| - s/t)^2 / (2 s)).  Source: CKS20."""
    t = isqrt(int(variance)) + 1
    proposed: list[int] = []

    def laplace(numerator, denominator, source, of):
        assert (numerator, denominator, of) == (t, 1, SMALL)
        proposed.append(y)
        if len(proposed) > 1:
            raise Refused
        return y

    def run(bits):
        proposed.clear()
        try:
            found = exponential.gaussian(variance.numerator, variance.denominator, Flipped(bits), SMALL)
        except Refused:
            return False
        assert found == y
        return True

    monkeypatch.setattr(exponential, "laplace", laplace)
    law = law_of(run, 13)
    assert laws.is_law(law, laws.truth_with(laws.exp_minus((abs(y) - variance / t) ** 2 / (2 * variance))))
    assert law.unresolved <= F(1, 4)


@pytest.mark.parametrize("scale", [F(1, 3), F(10**6), F(2**50), F(3 * 2**55, 7), F(2**64), F(2**90), F(2**128)])
def test_floor_of_is_the_same_number_whatever_the_margin(scale: F) -> None:
    """The proved one, a wider one, and one that leaves all to the enclosures: from the same digits."""
    for seed in range(few(60) if scale < 2**100 else 4):
        g = variables().one(Stream(seed))
        digits = [Stream(seed + 1) for _ in range(3)]
        slacks = (1, 2**20, 2**60 if scale < 2**80 else 2**40)
        found = [floor_of(scale, g, source, slack=slack) for slack, source in zip(slacks, digits, strict=True)]
        assert len(set(found)) == 1
        assert len({d.used for d in digits}) == 1
        assert scale * g <= (found[0] + 1) * 2**DIGITS
        assert found[0] * 2**DIGITS < scale * (g + 1)


@pytest.mark.parametrize("digits", [2, 5, DIGITS])
@pytest.mark.parametrize("known", [1, 4, 64, 128])
def test_near_holds_the_number_that_the_rest_makes(digits: int, known: int) -> None:
    """At the ends of what is known of U: F by the inverse of its law, to 300 digits of mpmath."""
    chance = random.Random(digits)
    for _ in range(few(400)):
        u = Uniform(Stream(0), chance.getrandbits(known) | 1, known)
        numerator = chance.getrandbits(known + 3 * digits + 16) + 1
        g, scale = chance.getrandbits(digits + 2), F(numerator, chance.getrandbits(9) + 1)
        low, high = exponential._near(scale.numerator, scale.denominator, g, u, digits, 1)
        for end in (F(u.digits, 2**known), F(u.digits + 1, 2**known) - F(1, 2**200)):
            with mpmath.workprec(900):
                c = mpmath.mpf(2) ** -digits
                rest = -mpmath.log1p(-mpmath.mpf(end.numerator) / end.denominator * -mpmath.expm1(-c)) / c
                whole = mpmath.floor((rest + g) * scale.numerator / scale.denominator * c)
            assert low <= int(whole) <= high
        assert high - low <= 2 + scale * 2**6 / 2 ** min(3 * digits, digits + known - 4)


@pytest.mark.parametrize("f", [F(1, 3), F(1, 10**9), 1 - F(1, 10**9), F(1, 2)])
@pytest.mark.parametrize("digits", [1, 2, 10, DIGITS])
def test_the_series_of_the_rest_holds_it(f: F, digits: int) -> None:
    found, exact = exponential._by_series(f.numerator, f.denominator, digits), rest_below(f, digits)(3 * digits + 40)
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.upper - found.lower < F(1, 2 ** (3 * digits))


def test_laws_of_other_shapes_have_no_draw_of_every_scale() -> None:
    third = F(1, 3)
    assert exponential.draw_of(Potential((third,))) is not None
    assert exponential.draw_of(Potential((F(0), third))) is not None
    for law in (Potential((third, third)), Potential((F(0), F(0), third)), Potential((third,), two_sided=False)):
        assert exponential.draw_of(law) is None


@pytest.mark.parametrize("law", [laplace("22/7"), gaussian("22/7"), gaussian(1000)])
def test_draws_of_every_scale_fit_the_law(law: Potential) -> None:
    """On fixed digits: counts within 6.2 standard deviations, which chance exceeds at 6e-10."""
    draw, digits, n = exponential.draw_of(law), Stream(13), few(30_000)
    drawn = [draw(digits) for _ in range(n)]
    reach = 300 if law(300) > 60 else 9000
    mass = laws.proportional(law, range(-reach, reach + 1))
    for k in (-2, -1, 0, 1, 2):
        p = float(mass(k)[0])
        assert abs(drawn.count(k) - n * p) < 6.2 * (n * p) ** 0.5


def test_the_sign_of_a_laplace_draw_is_that_of_the_arrays() -> None:
    """A digit that is 0 leaves the number as it is; so a record of nothing but zeros is no minus zero drawn again."""
    assert exponential.laplace(1, 1, Recorded(b"\0" * 64)) == 0
    signs = set()
    for seed in range(few(200)):
        here, there = Stream(seed), Stream(seed)
        k, minus = exponential.geometric(50, 1, there), there.digits(1)
        if k:
            signs.add(bool(minus))
            assert exponential.laplace(50, 1, here) == (-k if minus else k)
    assert signs == {False, True}


def test_few_elements_are_decided_by_exact_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else a margin that is far too wide would be noticed by nobody."""
    asked: list[F] = []
    monkeypatch.setattr(bulk, "at_least", lambda gamma, g, source: asked.append(gamma) or at_least(gamma, g, source))
    for sigma in (3, 10**6):
        PerElement().gaussian(scales(sigma, 1, few(20_000)), Stream(3))
    assert len(asked) <= 2


def test_families_of_scales_of_their_own_are_drawn_at_their_scale() -> None:
    """A Gaussian draw takes the variance, numerator and denominator squared."""
    for seed in range(few(100)):
        scale = F(seed + 2, seed % 5 + 1)
        drawn = FAMILIES["discrete_gaussian"](scale, Stream(seed))
        assert drawn == exponential.gaussian(scale.numerator**2, scale.denominator**2, Stream(seed))
        assert FAMILIES["discrete_laplace"](scale, Stream(seed)) == exponential.laplace(
            scale.numerator, scale.denominator, Stream(seed)
        )


@pytest.mark.parametrize(("scale", "asks"), [(F(1, 2**50), False), (F(2**60), True), (F(2**90), True)])
def test_floats_are_asked_where_there_are_several_whole_numbers(scale: F, asks: bool, monkeypatch) -> None:
    asked: list[tuple] = []
    near = exponential._near
    monkeypatch.setattr(exponential, "_near", lambda *given: asked.append(given) or near(*given))
    floor_of(scale, 3, Stream(1))
    assert [(u.size, slack) for *_, u, _, slack in asked] == ([(64 if scale < 2**70 else 128, 1)] if asks else [])
