"""Whatever `check` accepts has its law exactly, and what breaks that is refused: random small certificates, enumerated.

The law of a round is summed by its definition, slot by slot and offset by offset, by a reading of the certificate that
shares nothing with `draws` or `check`: levels are intervals of a uniform number, tails are summed by their own formula.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction as F
from functools import lru_cache

import pytest

from refdp.sampling.potentials import Potential
from refdp.sampling.slots.certificate import Block, Certificate, Tail
from refdp.sampling.slots.check import Refused, check
from tests.examples import few
from tests.sampling import laws

Interval = tuple[F, F]
HAIR = 1 + F(1, 2**80)
"""`check` has enclosures, so it does not accept what fits without a hair to spare."""
FAR = 5
"""So many integers of each tail are summed one by one."""


@lru_cache(maxsize=4096)
def weight(q: Potential, k: int) -> Interval:
    """e^-q(k), the potential by its coefficients, the exponential by mpmath."""
    return laws.exp_minus(sum((c * abs(k) ** i for i, c in enumerate(q.coefficients, 1)), F(0)))


def part_of_unit(bound: F, level: int) -> F:
    """P(level + V < bound), V uniform."""
    return min(F(1), max(F(0), bound - level))


def returned(c: Certificate) -> dict[int, Interval]:
    """P(a round returns k), times S B, for each k in a block or near in a tail; by the rules of a round."""
    found: dict[int, Interval] = {}

    def add(k: int, low: F, high: F) -> None:
        a, b = found.get(k, (F(0), F(0)))
        found[k] = a + low, b + high

    for block in c.blocks:
        for k in range(block.start, block.start + 2**c.offset_digits):
            low, high = (end / c.height for end in weight(c.potential, k))
            for level in range(block.slots):
                add(k, *((F(1), F(1)) if level < block.full else (part_of_unit(low, level), part_of_unit(high, level))))
    for tail in c.tails:
        for g in range(FAR):
            add(tail.sign * (tail.start + g), *in_tail(c, tail, g))
    return found


def in_tail(c: Certificate, tail: Tail, g: int) -> Interval:
    """n_T B min(share, 1) (1 - r) r^g e^-(q(K + g) - q(K) - rho g), r = e^-rho."""
    q, start = c.potential, tail.start
    if tail.slots < 1:
        return F(0), F(0)
    (low, high), (near_low, near_high) = weight(q, start), weight(q, start + 1)
    r_low, r_high = near_low / high, near_high / low
    room = tail.slots * c.height * 2**c.offset_digits
    share_low, share_high = min(F(1), low / (1 - r_low) / room), min(F(1), high / (1 - r_high) / room)
    (w_low, w_high) = weight(q, start + g)
    bend_low, bend_high = w_low / (high * r_high**g), w_high / (low * r_low**g)
    all_of_it = tail.slots * 2**c.offset_digits
    return (
        all_of_it * share_low * (1 - r_high) * r_low**g * min(F(1), bend_low),
        all_of_it * share_high * (1 - r_low) * r_high**g * bend_high,
    )


def is_exact(c: Certificate) -> bool:
    """Whether there are slots enough, every integer is in one place, and rounds return k in proportion to e^-q(k)."""
    if sum(c.sizes()) > 2**c.slot_digits or not c.tails:
        return False
    inside = [k for b in c.blocks for k in range(b.start, b.start + 2**c.offset_digits)]
    tails = [tail.sign * (tail.start + g) for tail in c.tails for g in range(FAR)]
    first = min(tails) if c.potential.two_sided else 0
    if sorted(inside + tails) != list(range(first, max(tails) + 1)):
        return False
    for k, (low, high) in returned(c).items():
        least, most = (end / c.height for end in weight(c.potential, k))
        if high < least or most < low:
            return False
    return True


def ceiling(x: F) -> int:
    return -(-x.numerator // x.denominator)


def random_potential(r: random.Random) -> Potential:
    """Of degree 1 to 3; q(4) is a few units."""
    degree = r.randint(1, 3)
    chosen = [F(r.randint(0, 9), r.randint(3, 12) * 3**i) for i in range(degree)]
    chosen[r.randrange(degree)] += F(1, r.randint(2, 6) * 2**degree)
    return Potential(tuple(chosen), r.random() < 0.7)


def right(r: random.Random) -> Certificate:
    """A certificate that is right: the fewest slots for each block, or one more; all full ones, or one fewer."""
    q, digits = random_potential(r), r.choice([0, 0, 1, 2])
    width, sides = 2**digits, r.randint(1, 4)
    height = F(1, r.randint(1, 9)) * r.choice([F(1), F(7, 8), F(9, 11)])
    while q(sides * width) - q(sides * width - width) > F(1, 2):
        q = Potential(tuple(c / 2 for c in q.coefficients), q.two_sided)
    blocks = []
    for j in range(-sides if q.two_sided else 0, sides):
        start = j * width
        near, far = sorted((abs(start), abs(start + width - 1)))
        top, bottom = weight(q, near)[1] / height, weight(q, far)[0] / height
        slots = ceiling(top * HAIR) + r.choice([0, 0, 1])
        full = min(slots, bottom.numerator // bottom.denominator)
        blocks.append(Block(start, slots, max(0, full - r.choice([0, 0, 1])), float(top)))
    edge, tails = sides * width, []
    for sign, start in ((1, edge), (-1, edge + 1)) if q.two_sided else ((1, edge),):
        (_, high), (_, after) = weight(q, start), weight(q, start + 1)
        room = high / (1 - after / high) / (height * width)
        tails.append(Tail(start, sign, ceiling(room * HAIR) + r.choice([0, 0, 1])))
    taken = sum(b.slots for b in blocks) + sum(t.slots for t in tails)
    digits_of_slots = max(taken - 1, 1).bit_length() + r.choice([0, 0, 1])
    rates = tuple(float(c) for c in q.coefficients)
    return Certificate(q, digits_of_slots, digits, height, rates, tuple(blocks), tuple(tails))


def changed(c: Certificate, j: int, **fields: int) -> Certificate:
    """With another block j."""
    return replace(c, blocks=tuple(replace(b, **fields) if i == j else b for i, b in enumerate(c.blocks)))


def near_misses(c: Certificate, r: random.Random) -> Iterator[tuple[str, Certificate]]:
    """The certificate with one number off by one, or two; or with a height off by a hair."""
    j, i = r.randrange(len(c.blocks)), r.randrange(len(c.tails))
    block, tail = c.blocks[j], c.tails[i]

    def tails(**fields: int) -> Certificate:
        return replace(c, tails=tuple(replace(t, **fields) if n == i else t for n, t in enumerate(c.tails)))

    yield "a slot less", changed(c, j, slots=block.slots - 1, full=min(block.full, block.slots - 1))
    yield "one more full", changed(c, j, full=block.full + 1)
    yield "all full", changed(c, j, full=block.slots)
    yield "moved", changed(c, j, start=block.start + r.choice([-1, 1]))
    yield "overlapping", replace(c, blocks=(*c.blocks[: j + 1], *c.blocks[j:]))
    yield "a gap", replace(c, blocks=c.blocks[:j] + c.blocks[j + 1 :])
    yield "tail early", tails(start=tail.start - 1)
    yield "tail late", tails(start=tail.start + 1)
    yield "tail turned", tails(sign=-tail.sign)
    yield "tail with a slot less", tails(slots=tail.slots - 1)
    yield "no tail", replace(c, tails=c.tails[:i] + c.tails[i + 1 :])
    yield "fewer slots", replace(c, slot_digits=c.slot_digits - 1)
    yield "lower", replace(c, height=c.height * F(7, 8))
    yield "higher", replace(c, height=c.height * F(9, 8))
    yield (
        "another law",
        replace(c, potential=Potential(tuple(2 * a for a in c.potential.coefficients), c.potential.two_sided)),
    )


def accepted(c: Certificate) -> bool:
    try:
        check(c)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_what_is_accepted_is_exact_and_what_is_right_is_accepted(seed: int) -> None:
    r, kept = random.Random(seed), dict[str, int]()
    for _ in range(few(20)):
        c = right(r)
        assert is_exact(c)
        assert accepted(c)
        for name, wrong in near_misses(c, r):
            kept[name] = kept.get(name, 0) + accepted(wrong)
            assert is_exact(wrong) or not accepted(wrong), name
    spare = {"a slot less", "one more full", "fewer slots", "tail with a slot less"}
    assert {name for name, n in kept.items() if n} <= spare  # which may be right all the same


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 120))
def test_what_is_accepted_of_many_thousands_is_exact(seed: int) -> None:
    """96,000 certificates."""
    r = random.Random(seed)
    for _ in range(300):
        assert all(is_exact(wrong) or not accepted(wrong) for _, wrong in near_misses(right(r), r))


def test_the_enumeration_finds_out_each_breach() -> None:
    """That is: it can fail."""
    r, seen = random.Random(5), set[str]()
    for _ in range(40):
        seen |= {name for name, wrong in near_misses(right(r), r) if not is_exact(wrong)}
    assert seen == {name for name, _ in near_misses(right(r), r)}


def tail_at(c: Certificate, i: int, by: F) -> Certificate:
    """The height with which tail i needs 1 + by of its slots; everything else has slots to spare."""
    t = c.tails[i]
    (low, _), (after, _) = weight(c.potential, t.start), weight(c.potential, t.start + 1)
    made = at_height(c, low / (1 - after / low) / (t.slots * 2**c.offset_digits * (1 + by)), 0, 999, 0)
    return replace(made, tails=tuple(t if j == i else s for j, s in enumerate(made.tails)))


@pytest.mark.parametrize("seed", range(40))
def test_a_tail_that_is_too_heavy_by_a_hair_is_refused(seed: int) -> None:
    """By 2^-60 of its slots; one that is lighter by as much is accepted."""
    r = random.Random(seed)
    c = right(r)
    i = r.randrange(len(c.tails))
    with pytest.raises(Refused, match="must fit its slots"):
        check(tail_at(c, i, F(1, 2**60)))
    assert not is_exact(tail_at(c, i, F(1, 2**60)))
    check(tail_at(c, i, -F(1, 2**60)))
    assert is_exact(tail_at(c, i, -F(1, 2**60)))


@pytest.mark.parametrize("seed", range(40))
def test_a_block_is_covered_and_full_to_within_a_hair(seed: int) -> None:
    """Heights at which a block lacks 2^-60 of coverage, or of soundness, and those at which it has as much to spare."""
    r = random.Random(seed)
    c = right(r)
    j = r.randrange(len(c.blocks))
    near, far = sorted((abs(c.blocks[j].start), abs(c.blocks[j].start + 2**c.offset_digits - 1)))
    slots, full = r.randint(1, 5), r.randint(1, 5)
    for by, fits in ((F(1, 2**60), True), (-F(1, 2**60), False)):
        covered = at_height(c, weight(c.potential, near)[0] / slots * (1 + by), j, slots, 0)
        sound = at_height(c, weight(c.potential, far)[0] / full * (1 - by), j, 99, full)
        assert (accepted(covered), is_exact(covered)) == (fits, fits)
        assert (accepted(sound), is_exact(sound)) == (fits, fits)


@pytest.mark.parametrize("seed", range(10))
def test_what_enclosures_do_not_tell_is_refused(seed: int) -> None:
    """A block that lacks 2^-99 of coverage, or of soundness: less than the ends are known to."""
    r = random.Random(seed)
    c = right(r)
    j = r.randrange(len(c.blocks))
    near, far = sorted((abs(c.blocks[j].start), abs(c.blocks[j].start + 2**c.offset_digits - 1)))
    tiny = F(1, 2**99)
    assert not accepted(at_height(c, weight(c.potential, near)[0] * (1 - tiny), j, 1, 0))
    assert not accepted(at_height(c, weight(c.potential, far)[1] * (1 + tiny), j, 99, 1))


def at_height(c: Certificate, height: F, j: int, slots: int, full: int) -> Certificate:
    """Another height, with block j as it is given; everything else has slots to spare, and nothing else is full."""
    q, blocks = c.potential, []
    for b in c.blocks:
        near_0 = min(abs(b.start), abs(b.start + 2**c.offset_digits - 1))
        top = weight(q, near_0)[1] / height
        blocks.append(replace(b, slots=ceiling(top) + 1, full=0, level=float(top)))
    blocks[j] = replace(blocks[j], slots=slots, full=full)
    tails = []
    for t in c.tails:
        (_, high), (_, after) = weight(q, t.start), weight(q, t.start + 1)
        tails.append(replace(t, slots=ceiling(high / (1 - after / high) / (height * 2**c.offset_digits)) + 1))
    taken = sum(b.slots for b in blocks) + sum(t.slots for t in tails)
    return replace(c, height=height, blocks=tuple(blocks), tails=tuple(tails), slot_digits=(taken - 1).bit_length())
