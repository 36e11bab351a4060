"""`check` accepts what the search finds and refuses every certificate that breaks one of its conditions."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from math import factorial, inf, nan

import numpy as np
import pytest

from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.certificate import Block, Certificate, Tail
from refdp.sampling.slots.check import ERROR, FINE, Refused, check, error_bound, tail_share
from tests.counting import counted
from tests.sampling import laws
from tests.sampling.families import SLOTS
from tests.sampling.noises import gaussian, laplace

SMALL = certificate(gaussian(3), slot_digits=8, resolution=1)
"""24 blocks of two integers or so."""


@pytest.mark.parametrize("family", SLOTS)
def test_check_accepts_what_is_found(family: str) -> None:
    check(certificate(SLOTS[family]))


@pytest.mark.parametrize("family", ["laplace 1000", "gaussian 1000", "laplace 1000000000001/3", "k^8"])
def test_check_takes_few_calls(family: str) -> None:
    """About 50 ms of processor time."""
    made = certificate(SLOTS.get(family) or laplace(F(10**12) + F(1, 3)))
    with counted() as calls:
        check(made)
    assert calls.number < 200_000


@pytest.mark.parametrize("family", ["laplace 1000", "gaussian 22/7", "k^4", "geometric"])
def test_check_accepts_only_what_the_definition_says(family: str) -> None:
    """Coverage and soundness at every integer of some blocks, by mpmath: not only at the ends."""
    made = certificate(SLOTS[family])
    for block in made.blocks[:: len(made.blocks) // 9]:
        for k in range(block.start, block.start + made.width, 7):
            low, high = laws.exp_minus(made.potential(k))
            assert block.full * made.height <= low
            assert high <= block.slots * made.height


def changed(j: int, change: Callable[[Block], Block]) -> Callable[[Certificate], Certificate]:
    """The certificate with its block j changed."""

    def run(c: Certificate) -> Certificate:
        blocks = list(c.blocks)
        blocks[j] = change(blocks[j])
        return replace(c, blocks=tuple(blocks))

    return run


def tail(i: int, **fields: int) -> Callable[[Certificate], Certificate]:
    return lambda c: replace(c, tails=tuple(replace(t, **fields) if j == i else t for j, t in enumerate(c.tails)))


MIDDLE = len(SMALL.blocks) // 2  # it starts at 0
WRONG: dict[str, tuple[Callable[[Certificate], Certificate], str]] = {
    "one slot less": (changed(MIDDLE, lambda b: replace(b, slots=b.slots - 1)), "coverage"),
    "one slot less on the left": (changed(3, lambda b: replace(b, slots=b.slots - 1, full=0)), "coverage"),
    "one more full": (changed(MIDDLE, lambda b: replace(b, full=b.full + 1)), "soundness"),
    "one more full on the left": (changed(2, lambda b: replace(b, full=b.full + 1)), "soundness"),
    "more full than slots": (changed(0, lambda b: replace(b, full=b.slots + 1)), "full must be"),
    "fewer than none full": (changed(0, lambda b: replace(b, full=-1)), "full must be"),
    "too low": (lambda c: replace(c, height=c.height * F(9, 10)), "coverage|level"),
    "too high": (lambda c: replace(c, height=c.height * F(11, 10)), "soundness|level"),
    "no height": (lambda c: replace(c, height=F(0)), "height must be"),
    "a gap": (lambda c: replace(c, blocks=c.blocks[:5] + c.blocks[6:]), "must start where"),
    "a block twice": (lambda c: replace(c, blocks=c.blocks[:5] + c.blocks[4:]), "must start where|a slot for each"),
    "shifted": (lambda c: replace(c, blocks=tuple(replace(b, start=b.start + 2) for b in c.blocks)), "tails must"),
    "no block": (lambda c: replace(c, blocks=()), "start at 0"),
    "a missing block": (lambda c: replace(c, blocks=c.blocks[1:]), "tails must start"),
    "no left tail": (lambda c: replace(c, tails=c.tails[:1]), "tails must start"),
    "a tail too late": (tail(0, start=SMALL.tails[0].start + 1), "tails must start"),
    "a tail too early": (tail(1, start=SMALL.tails[1].start - 1), "tails must start"),
    "a tail on the wrong side": (tail(1, sign=1), "tails must start"),
    "a tail without slots": (tail(1, slots=0), "must have a slot"),
    "too few slots": (lambda c: replace(c, slot_digits=7), "a slot for each"),
    "too many digits": (lambda c: replace(c, slot_digits=17), "slot_digits must be"),
    "wider blocks": (lambda c: replace(c, offset_digits=c.offset_digits + 1), "must start where"),
    "no polynomial": (lambda c: replace(c, taylor=0), "taylor must be"),
    "a polynomial of higher degree": (lambda c: replace(c, taylor=9), "taylor must be"),
    "too wide": (lambda c: replace(c, offset_digits=46), "offset_digits must be"),
    "a level above": (changed(4, lambda b: replace(b, level=b.level + (b.level + 1) * 2.0**-45)), "level at .* is off"),
    "a level below": (changed(4, lambda b: replace(b, level=b.level - (b.level + 1) * 2.0**-45)), "level at .* is off"),
    "a negative level": (changed(0, lambda b: replace(b, level=-b.level)), "level at .* is off"),
    "a rate off by 2^-51": (lambda c: replace(c, rates=(0.0, c.rates[1] * (1 + 2.0**-51))), "must be the coefficient"),
    "a rate of a zero": (lambda c: replace(c, rates=(2.0**-999, c.rates[1])), "must be the coefficient"),
    "a tiny rate": (lambda c: replace(c, rates=(2.0**-1001, c.rates[1])), "a rate must be"),
    "too few rates": (lambda c: replace(c, rates=c.rates[:1]), "a rate for each"),
    "other weights": (lambda c: replace(c, potential=gaussian(4)), "must be the coefficient"),
    "full slots that wrap": (changed(3, lambda b: replace(b, full=np.int64(b.slots))), "must be ints"),
    "slots that wrap": (changed(3, lambda b: replace(b, slots=np.int64(b.slots))), "must be ints"),
    "a start that wraps": (changed(3, lambda b: replace(b, start=np.int64(b.start))), "must be ints"),
    "a polynomial whose bound wraps": (lambda c: replace(c, taylor=np.int64(2)), "must be ints"),
    "a polynomial of degree True": (lambda c: replace(c, taylor=True), "must be ints"),
    "digits that wrap": (lambda c: replace(c, offset_digits=np.int8(c.offset_digits)), "must be ints"),
    "a tail that wraps": (tail(0, slots=np.int64(1)), "must be ints"),
    "a level of few digits": (changed(3, lambda b: replace(b, level=np.float32(b.level))), "finite floats"),
    "no level": (changed(3, lambda b: replace(b, level=nan)), "finite floats"),
    "an infinite level": (changed(3, lambda b: replace(b, level=inf)), "finite floats"),
    "a level beyond slots": (changed(3, lambda b: replace(b, level=1e300)), "level at .* is off"),
    "an infinite rate": (lambda c: replace(c, rates=(0.0, inf)), "finite floats"),
    "a rate that is no float": (lambda c: replace(c, rates=(0.0, c.potential.coefficients[1])), "finite floats"),
    "a height that is a float": (lambda c: replace(c, height=float(c.height)), "must be a Fraction"),
    "blocks that may change": (lambda c: replace(c, blocks=list(c.blocks)), "must be tuples"),
    "two sides": (lambda c: replace(c, potential=replace(c.potential, two_sided=False)), "tails must start"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_check_refuses(name: str) -> None:
    change, sentence = WRONG[name]
    check(SMALL)
    with pytest.raises(ValueError, match=sentence):
        check(change(SMALL))


@pytest.mark.parametrize("family", ["laplace 1000", "gaussian 281474976710656", "k^8"])
def test_check_refuses_a_polynomial_whose_error_exceeds_the_margin(family: str) -> None:
    """The search takes the least degree with half the margin: two less make far more."""
    made = certificate(SLOTS[family])
    with pytest.raises(Refused, match="exceeds the margin"):
        check(replace(made, taylor=made.taylor - 2))


def test_blocks_may_reach_the_largest_integer_and_not_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another largest integer; and with one block less on either side, so that only the other reaches so far."""
    end = SMALL.tails[0].start
    shorter = replace(SMALL, blocks=SMALL.blocks[:-1], tails=(Tail(end - SMALL.width, 1, 1), SMALL.tails[1]))
    longer = replace(SMALL, blocks=SMALL.blocks[1:], tails=(SMALL.tails[0], Tail(end - SMALL.width + 1, -1, 1)))
    monkeypatch.setattr("refdp.sampling.slots.check.LARGEST", end)
    check(SMALL)
    for largest in (end - 1, end - SMALL.width):
        monkeypatch.setattr("refdp.sampling.slots.check.LARGEST", largest)
        for wide in (SMALL, shorter, longer):
            with pytest.raises(Refused, match="within 2\\^60 of 0"):
                check(wide)


def test_check_refuses_a_law_on_one_side_with_blocks_on_the_other() -> None:
    on_one_side = replace(SMALL, potential=replace(SMALL.potential, two_sided=False), tails=SMALL.tails[:1])
    with pytest.raises(Refused, match="the first block must start at 0"):
        check(on_one_side)


def test_check_refuses_a_level_below_0_however_near() -> None:
    """The weight of -1 is 10^-21 of a slot."""
    made = certificate(laplace(F(1, 60)))
    assert 0 < made.blocks[0].level < 2.0**-60
    check(made)
    with pytest.raises(Refused, match=r"level at .* is off"):
        check(replace(made, blocks=(replace(made.blocks[0], level=-(2.0**-70)), *made.blocks[1:])))


def test_check_refuses_blocks_where_weights_differ_by_more_than_e() -> None:
    """Coverage and soundness hold: full = 0."""
    flat = Block(-4, 9, 0, 0.0), Block(0, 9, 0, 0.0)
    q = Potential((F(1, 2),))
    levels = [float(sum(laws.exp_minus(q(k))) / 2) for k in (1, 0)]
    blocks = tuple(replace(b, level=level) for b, level in zip(flat, levels, strict=True))
    made = Certificate(q, 6, 2, F(1), (0.5,), blocks, (Tail(4, 1, 1), Tail(5, -1, 1)))
    with pytest.raises(Refused, match="differ by more than e"):
        check(made)


def test_check_refuses_a_tail_that_does_not_fit() -> None:
    q = laplace(1)
    (low, high), slots = laws.exp_minus(F(1)), 9
    level = float((low + high) / 2 * 8)
    blocks = Block(-1, slots, 0, level), Block(0, slots, 8, 8.0)
    tails = Tail(1, 1, 3), Tail(2, -1, 1)  # share = 1.55
    with pytest.raises(Refused, match="must fit its slots"):
        check(Certificate(q, 5, 0, F(1, 8), (1.0,), blocks, tails))


@pytest.mark.parametrize("family", ["laplace 22/7", "gaussian 1000", "geometric", "k^4"])
def test_tail_share_is_the_mass_of_the_envelope(family: str) -> None:
    """By mpmath: w(K) / (1 - e^-rho), in units of n_T height B; and the weights stay below the envelope."""
    made = certificate(SLOTS[family])
    q, far = made.potential, made.tails[-1]
    rho, (low, high) = q(far.start + 1) - q(far.start), laws.exp_minus(q(far.start))
    (small, large), unit = laws.exp_minus(rho), far.slots * made.height * made.width
    share = tail_share(made, far, 64)
    assert low / (1 - small) / unit <= share.upper
    assert share.lower <= high / (1 - large) / unit
    assert share.upper - share.lower <= share.upper / 2**66  # 4 digits more than the bound needs are worked out
    assert all(q(far.start + g) >= q(far.start) + rho * g for g in (1, 2, 10**6))


@pytest.mark.parametrize("taylor", range(1, 9))
def test_error_bound_is_the_remainder_and_the_roundings(taylor: int) -> None:
    assert error_bound(1, 1 << FINE, taylor) == -(-(1 << ERROR) // factorial(taylor + 1)) + 2 ** (ERROR - 27)
    assert error_bound(5, 0, taylor) == 2 ** (ERROR - 27)
