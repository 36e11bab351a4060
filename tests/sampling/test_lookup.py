"""Finite laws: bounds that are wrong are refused, draws have the law, and arrays hold the same numbers."""

from fractions import Fraction as F

import pytest

from refdp.sampling.bulk.lookup import OPEN, bulk_lookup
from refdp.sampling.lookup import Bounds, Exponentials, LookupDraws, Masses, Refused, bounds, check
from refdp.sampling.tree import law_of
from refdp.sampling.words import SYSTEM_WORDS, Flipped, Recorded
from tests.sampling import laws
from tests.sampling.families import SMALL_LAWS as LAWS
from tests.sampling.streams import Stream


def expected(law: Masses | Exponentials):
    """The law by its definition."""
    if isinstance(law, Masses):
        return lambda k: (law.masses[k], law.masses[k])
    least = min(law.exponents)
    return laws.proportional(lambda k: law.exponents[k] - least, range(law.size))


@pytest.mark.parametrize("name", LAWS)
def test_one_has_its_law(name: str) -> None:
    draws = LookupDraws(LAWS[name])
    law = law_of(lambda bits: draws.one(Flipped(bits)), 12)
    assert laws.is_law(law, expected(LAWS[name]))
    assert law.unresolved <= F(LAWS[name].size, 2**12)


@pytest.mark.parametrize("name", LAWS)
def test_bounds_are_around_the_masses_summed(name: str) -> None:
    """By the definition, at every value; and they nearly meet."""
    law, mass, made = LAWS[name], expected(LAWS[name]), bounds(LAWS[name])
    for k in range(law.size - 1):
        low, high = (sum(mass(j)[side] for j in range(k + 1)) for side in (0, 1))
        assert made.low[k] <= 2**64 * high
        assert 2**64 * low <= made.high[k] <= made.low[k] + 1


@pytest.mark.parametrize("bits", [3, 12, 64, 150])
@pytest.mark.parametrize("name", [name for name in LAWS if isinstance(LAWS[name], Exponentials)])
def test_enclosures_of_the_cdf_hold_it(name: str, bits: int) -> None:
    """By the definition, to 300 digits; and they are narrow."""
    law = LAWS[name]
    ends = [laws.exp_minus(q - min(law.exponents)) for q in law.exponents]
    low, high = (sum(end[side] for end in ends) for side in (0, 1))
    for k, found in enumerate(law.cdf(bits)):
        assert found.lower <= sum(end[1] for end in ends[: k + 1]) / low
        assert sum(end[0] for end in ends[: k + 1]) / high <= found.upper
        assert found.upper - found.lower <= F(1, 2**bits)


def test_wrong_laws_are_found_out() -> None:
    """That is: the test of the law can fail."""
    law = law_of(lambda bits: LookupDraws(LAWS["thirds"]).one(Flipped(bits)), 12)
    assert not laws.is_law(law, lambda k: (F(1, 2), F(1, 2)))
    assert not laws.is_law(law, lambda k: (F(2 - k, 3), F(2 - k, 3)))


@pytest.mark.parametrize("digits", [2**64 // 3 - 1, 2**64 // 3, 2**64 // 3 + 1, 0, 2**64 - 1, 3 * 2**62, 3 * 2**62 - 1])
@pytest.mark.parametrize("name", ["thirds", "dyadic"])
def test_draws_next_to_a_bound_are_those_of_the_real_numbers(name: str, digits: int) -> None:
    """U = digits / 2^64 and then alternating digits, for one draw, for arrays and by the definition."""
    law, record = LAWS[name], digits.to_bytes(8) + b"\xaa" * 64
    u = (digits + F(2, 3)) / 2**64
    right = next(k for k in range(law.size) if u < sum(law.masses[: k + 1]))
    first, rest = digits >> 48, (digits % 2**48) << 16
    words = first.to_bytes(2, "little") + rest.to_bytes(8, "little") + b"\xaa" * 64
    assert LookupDraws(law).one(Recorded(record)) == right
    assert bulk_lookup(law).sample(1, Recorded(words)).tolist() == [right]


GOOD = bounds(LAWS["sevenths"])
WRONG = {
    "too high below": Bounds((GOOD.low[0] + 1, *GOOD.low[1:]), GOOD.high),
    "too low above": Bounds(GOOD.low, (*GOOD.high[:-1], GOOD.high[-1] - 1)),
    "negative": Bounds((-1, *GOOD.low[1:]), GOOD.high),
    "exchanged": Bounds(GOOD.high, GOOD.low),
    "out of order": Bounds(GOOD.low, (GOOD.high[1] + 1, *GOOD.high[1:])),
    "too few": Bounds(GOOD.low[1:], GOOD.high[1:]),
    "of another law": bounds(LAWS["thirds"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_bounds_that_are_wrong_are_refused(name: str) -> None:
    check(LAWS["sevenths"], GOOD)
    with pytest.raises(Refused):
        LookupDraws(LAWS["sevenths"], WRONG[name])


@pytest.mark.parametrize("masses", [(F(1, 2),), (F(1, 2), F(2, 3)), (F(0), F(1)), (F(-1), F(2)), (0.5, 0.5), (1,), ()])
def test_masses_that_are_no_law_are_refused(masses: tuple) -> None:
    with pytest.raises(ValueError, match="masses must be"):
        Masses(masses)


@pytest.mark.parametrize("exponents", [(), (0.5,), (1, 2)])
def test_exponents_that_are_not_exact_are_refused(exponents: tuple) -> None:
    with pytest.raises(ValueError, match="exponents must be"):
        Exponentials(exponents)


@pytest.mark.parametrize("n", [0, 1, 65_537])
def test_any_number_of_draws(n: int) -> None:
    drawn = bulk_lookup(LAWS["thirds"]).sample(n)
    assert drawn.shape == (n,)
    assert LookupDraws(LAWS["one value"]).one(SYSTEM_WORDS) == 0


def test_a_draw_that_the_bounds_tell_is_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = LookupDraws(Masses((F(1, 2), F(1, 4), F(1, 4))))
    monkeypatch.setattr(LookupDraws, "decided", lambda *_: pytest.fail("worked out"))
    draw = draws.single(Stream64(5))
    assert {draw() for _ in range(60)} == {0, 1, 2}  # else: below 1e-7


class Stream64:
    """A source of words of 64 digits."""

    def __init__(self, seed: int) -> None:
        self.stream = Stream(seed)

    def word(self) -> int:
        return self.stream.digits(64)


def test_digits_that_end_at_a_bound_tell_the_draw_in_arrays_too() -> None:
    """Of halves and quarters the first 16 digits always tell, up to the last of them."""
    for masses in ((F(1, 2), F(1, 2)), (F(1, 4), F(1, 4), F(1, 2))):
        draws = bulk_lookup(Masses(masses))
        assert OPEN not in draws._table.tolist()
        assert [draws._table.tolist().count(k) for k in range(len(masses))] == [int(m * 2**16) for m in masses]
