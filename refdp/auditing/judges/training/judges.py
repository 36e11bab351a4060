"""The four judges that need no training: pairs, noise, lots, set-up.

1. pairs    without noise, what a step releases on lots that differ by a row: exact distances, against what is claimed
2. noise    all gradients 0: the spread of what is released, layer by layer, and whether numbers, layers and steps are
            independent of each other
3. lots     which rows are in which lots, against independent coins
4. set-up   the public numbers on n and on n + 1 rows

A REFUTED of 1 and 4 is exact; one of 2 and 3 holds but for a chance of `error`.  NOT_REFUTED tells what was looked at,
and UNKNOWN why nothing was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, isqrt
from typing import Any

from refdp.auditing.evidence.binomial import tail
from refdp.auditing.judges.training.loops import Loop
from refdp.numerics.enclosures import Balls, interval, precision

BITS = 128
DIMENSION = 4
"""Numbers of a gradient on which pairs are judged; layers of larger ones are no different."""
SAMPLES = 4000
"""Numbers of noise that are looked at for each size of a lot."""
MOST_ROWS = 256
"""Rows of gradient 0 of a lot, at most."""
STEPS = 2
"""Steps on each size of a lot, whose noise is compared with that of all others."""
ROWS, LOTS, MOST_LOTS = 40, 200, 20_000
"""Rows and lots on which the making of lots is judged, at least; and lots, at most."""
SIZES = (1, 2, 3, 10, 11, 12, 13, 100, 101, 1000, 1001)
"""Numbers of rows n: the set-up is compared on n and n + 1."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one judge found of one loop."""

    judge: str
    verdict: str
    text: str
    error: Fraction | None = None
    """The chance that REFUTED is wrong, at most; None where it is exact."""
    ceiling: Fraction | None = None
    """Of canaries: the epsilon beyond which they show nothing."""


def lots_that_differ(loop: Loop) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """The pairs that are claimed to be near each other; without empty lots, a row of 0 stands for no row."""
    import numpy as np

    for text, first, second in all_lots_that_differ(float(loop.plan.norm), loop.claim.is_finite):
        if first or loop.claim.may_be_empty:
            yield text, first, second
        else:
            zero = np.zeros(DIMENSION)
            yield f"a row of 0 / and{text.removeprefix('no row /')}", [zero], [zero, *second]


def all_lots_that_differ(norm: float, is_finite: bool) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Pairs of lots that differ by one row, of which gradients are given in units of the norm."""
    import numpy as np

    e, ones = np.eye(DIMENSION) * norm, np.ones(DIMENSION) * norm
    v, slant = e[0], np.array([3.0, 4.0, 0.0, 0.0]) * norm
    yield "no row / C e_1", [], [v]
    yield "C e_1 / and -3 C e_1", [v], [v, -3 * v]
    yield "C e_1 / and -C e_1", [v], [v, -v]
    yield "no row / C (1, 1, 1, 1)", [], [ones]
    yield "no row / 10^6 C (3, 4, 0, 0)", [], [1e6 * slant]
    yield "no row / C (3, 4, 0, 0) / 10", [], [slant / 10]
    yield "3 rows of 0 / and C e_2", [0 * v] * 3, [0 * v, 0 * v, 0 * v, e[1]]
    yield "5 rows of C e_1 / and -100 C e_1", [v] * 5, [*[v] * 5, -100 * v]
    yield "9 rows of C (1, 1, 1, 1) / and one of -C (1, 1, 1, 1)", [ones] * 9, [*[ones] * 9, -ones]
    if not is_finite:
        yield "no row / infinite", [], [np.full(DIMENSION, np.inf)]
        yield "no row / not a number", [], [np.full(DIMENSION, np.nan)]


def on_pairs(loop: Loop) -> Finding:
    """The distance on lots that differ by a row, exactly; and whether every lot is answered."""
    farthest, where, bound = Fraction(-1), "", loop.claim.sensitivity * (1 + loop.claim.slack)
    for text, first, second in lots_that_differ(loop):
        answers = [loop.answer(one, DIMENSION, False) for one in (first, second)]
        if all(one is None for one in answers):
            continue
        if any(one is None for one in answers):
            return Finding("pairs", "REFUTED", f"{text}: on one of the two nothing is released")
        square = squared_distance(answers[0], answers[1]) * loop.claim.unit**2 if finite(answers) else None
        if square is None or square > bound**2:
            far = "infinite" if square is None else f"{root_below(square):.6g}"
            return Finding("pairs", "REFUTED", f"{text}: distance {far}, claimed {float(loop.claim.sensitivity):.6g}")
        if square > farthest:
            farthest, where = square, text
    if farthest < 0:
        return Finding("pairs", "UNKNOWN", "nothing was released of any lot")
    rounded = " (more by the rounding of floats)" if farthest > loop.claim.sensitivity**2 else ""
    return Finding(
        "pairs",
        "NOT_REFUTED",
        f"largest distance {root_below(farthest):.6g} ({where}), claimed {float(loop.claim.sensitivity):.6g}{rounded}",
    )


def finite(answers: Sequence[Any]) -> bool:
    """Whether all numbers are finite."""
    import numpy as np

    return all(bool(np.isfinite(one).all()) for one in answers)


def squared_distance(a: Any, b: Any) -> Fraction:
    """The square of the distance of two arrays, exactly, each float being the number that it is."""
    return sum(((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(a.tolist(), b.tolist(), strict=True)), Fraction(0))


def root_below(square: Fraction) -> float:
    """About the root, to be shown."""
    return isqrt(square.numerator * 4**64 // square.denominator) / 2**64


def on_noise(loop: Loop, error: Fraction) -> Finding:
    """The spread of what is released where all gradients are 0, in every step, on lots of several sizes.

    The share of numbers of a layer within the quartiles of the claimed noise is 1/2, and a little more where it is
    rounded; more than that refutes the claim, less says that there is more noise than is claimed.  Of two independent
    numbers that are as likely above 0 as below, and are not 0, the signs agree with probability 1/2: so do those of
    neighbouring numbers of a step, of two layers, and of two steps, whatever their lots.
    """
    import numpy as np

    sizes = sorted({0, 1, 2, min(MOST_ROWS, int(4 * loop.plan.lot))} - (set() if loop.claim.may_be_empty else {0}))
    layers, calls = loop.layers(SAMPLES), STEPS * len(sizes)
    share = error / (calls * (len(layers) + 2 * (1 + comb(len(layers), 2))) + 2 * comb(calls, 2) + len(sizes))
    loose, silent = "", list[int]()
    drawn: list[tuple[int, Any]] = []
    for size in sizes:
        where = f"lots of {size} rows of gradient 0"
        answers = [loop.answer([np.zeros(SAMPLES)] * size, SAMPLES, True) for _ in range(STEPS)]
        released = [np.asarray(one, dtype=np.float64) * float(loop.claim.unit) for one in answers if one is not None]
        if not released:
            silent.append(size)
        elif len(released) < STEPS:
            return Finding("noise", "UNKNOWN", f"{where}: in some steps something is released, and in some nothing")
        if not finite(released):
            return Finding("noise", "REFUTED", f"{where}: what is released is not finite")
        for one in released:
            found, more = within_step(loop, one, np.split(one, np.cumsum(layers)[:-1]), share)
            if found:
                return Finding("noise", "REFUTED", f"{where}, {found}", error)
            loose = more or loose
            for other_size, other in drawn:
                if found := agreement(one, other, share):
                    beside = "" if other_size == size else f" and of {other_size} rows"
                    return Finding("noise", "REFUTED", f"{where}{beside}, two steps: {found}", error)
            drawn.append((size, one))
    looked_at = list(dict.fromkeys(size for size, _ in drawn))
    if not looked_at:
        return Finding("noise", "UNKNOWN", "nothing was released of lots of gradient 0")
    for size in silent:
        there = f"lots of {size} rows of gradient 0: nothing is released, and of lots of {looked_at[0]} rows it is"
        if tells(loop, size, looked_at[0], share):
            return Finding("noise", "REFUTED", there, error)
        return Finding("noise", "UNKNOWN", f"{there} in some steps alone")
    each = f" in {len(layers)} layers" if len(layers) > 1 else ""
    return Finding(
        "noise", "NOT_REFUTED", f"deviation as claimed, {float(loop.claim.deviation):.4g}, and signs independent, by "
        f"{SAMPLES} numbers{each} of each of {STEPS} steps on lots of {', '.join(map(str, looked_at))} rows{loose}",
        error,
    )  # fmt: skip


def within_step(loop: Loop, drawn: Any, parts: Sequence[Any], share: Fraction) -> tuple[str, str]:
    """What refutes the noise of one step, or nothing; and in what way it is more than is claimed, or nothing."""
    loose = ""
    for place, part in enumerate(parts, 1):
        found, more = spread(loop, part, share)
        if found:
            return f"layer {place} of {len(parts)}: {found}" if len(parts) > 1 else found, ""
        loose = more or loose
    pairs = [("neighbouring numbers of a step", drawn[1::2], drawn[::2])]
    pairs += [(f"layers {i} and {j}", one, other) for (i, one), (j, other) in combinations(enumerate(parts, 1), 2)]
    for what, one, other in pairs:
        if found := agreement(one, other, share):
            return f"{what}: {found}", ""
    return "", loose


def tells(loop: Loop, silent: int, answered: int, share: Fraction) -> bool:
    """Whether nothing is ever released of lots of the one size and something always of the other.

    If a step released nothing by chance, with one probability for both, all answers would be so with at most 4^-times.
    """
    import numpy as np

    times = ceil(1 / share).bit_length() // 2 + 1
    asked = [
        [loop.answer([np.zeros(DIMENSION)] * size, DIMENSION, True) is None for _ in range(times)]
        for size in (silent, answered)
    ]
    return all(asked[0]) and not any(asked[1])


def spread(loop: Loop, drawn: Any, share: Fraction) -> tuple[str, str]:
    """In what way there is less noise than is claimed, or nothing; and in what way there is more, or nothing."""
    import numpy as np

    deviation, count = float(loop.claim.deviation), len(drawn)
    inner = int((np.abs(drawn) <= 0.6745 * deviation).sum())
    low, high = within_share(Fraction(6745, 10000), loop)
    if tail(count, inner, high).upper <= share:
        few = f"{inner} of {count} numbers within 0.6745 deviations, of which half should be"
        return f"{few}; deviation {drawn.std():.4g}, claimed {deviation:.4g}", ""
    if tail(count, count - inner, 1 - low).upper <= share:
        return "", f"; more noise than is claimed: deviation {drawn.std():.4g}"
    return "", ""


def within_share(deviations: Fraction, loop: Loop) -> tuple[Fraction, Fraction]:
    """Bounds of P[|Z| <= so many deviations], for noise that may be rounded to multiples of the grid."""
    balls, half = Balls(BITS), loop.claim.grid / (2 * loop.claim.deviation)
    ends = []
    for z in (deviations - half, deviations + half):
        with precision(BITS):
            ends.append(interval(1 - 2 * balls.function("normal_tail", balls.number(max(z, Fraction(0)))), BITS))
    return max(Fraction(0), ends[0].lower), min(Fraction(1), ends[1].upper)


def agreement(one: Any, other: Any, share: Fraction) -> str:
    """How the signs of two rows of numbers go together more, or less, than those of independent ones; else nothing."""
    import numpy as np

    count = min(len(one), len(other))
    products = np.sign(one[:count]) * np.sign(other[:count])
    alike, unlike = int((products > 0).sum()), int((products < 0).sum())
    known = alike + unlike
    if known == 0 or min(tail(known, found, Fraction(1, 2)).upper for found in (alike, unlike)) > share:
        return ""
    return f"signs agree in {alike} of {known} pairs, and should in half of them"


def on_lots(loop: Loop, error: Fraction) -> Finding:
    """Rows in lots against what is claimed, which is independent coins for each row and lot unless there is a period.

    By coins: how many rows are in lots, sizes of lots, how often a row is in a block of lots, and in the same place of
    the next block, two rows in one lot, and empty lots.  With a period: that a row keeps to its own lots, exactly, and
    how many rows are in lots.
    """
    import numpy as np

    rate, period = loop.plan.rate, loop.claim.period
    rows, steps = period * ceil(ROWS / period), period * ceil(LOTS / period)
    epoch = int(1 / rate) if period == 1 else 0
    if 2 * epoch <= MOST_LOTS:
        steps = max(steps, 2 * epoch)
    lots = np.array([np.asarray(one, dtype=np.int64) for one in loop.lots(rows, steps)]).reshape(steps, rows)
    if (lots > 1).any():
        return Finding("lots", "REFUTED", f"a row is {int(lots.max())} times in one lot")
    if period > 1:
        own = np.array([lots[place::period].any(axis=0) for place in range(period)]).sum(axis=0)
        if (own > 1).any():
            row = int(np.flatnonzero(own > 1)[0])
            first, *others = np.flatnonzero(lots[:, row]).tolist()
            other = next(one for one in others if (one - first) % period)
            return Finding("lots", "REFUTED", f"a row is in lots {first} and {other}, of a period of {period}")
    tests = counts_of_lots(loop, lots, rate)
    share = error / (2 * len(tests))
    for text, trials, found, chance in tests:
        few, many = tail(trials, trials - found, 1 - chance).upper, tail(trials, found, chance).upper
        if min(few, many) <= share:
            return Finding(
                "lots", "REFUTED", f"{text}: {found} of {trials}, by coins {float(chance * trials):.4g}", error
            )
    if epoch > steps:
        return Finding("lots", "UNKNOWN", f"whether lots are shuffled is not seen at a rate below 2/{MOST_LOTS}")
    kept = [f"all rows keep to a period of {period}"] if period > 1 else []
    return Finding("lots", "NOT_REFUTED", "; ".join([*kept, *(f"{t}: {f} of {n}" for t, n, f, _ in tests)]), error)


def counts_of_lots(loop: Loop, lots: Any, rate: Fraction) -> list[tuple[str, int, int, Fraction]]:
    """What is counted, how many there are of it, how many were found, and the chance of each, all independent."""
    steps, rows = lots.shape
    tests = [("members of lots", steps * rows // loop.claim.period, int(lots.sum()), rate)]
    if loop.claim.period > 1:
        return tests
    mode = int((rows + 1) * rate)
    if mode <= rows:
        chance = comb(rows, mode) * rate**mode * (1 - rate) ** (rows - mode)
        tests.append((f"lots of {mode} rows", steps, int((lots.sum(axis=1) == mode).sum()), chance))
    pairs = rows // 2
    both = int((lots[:, 1 : 2 * pairs : 2] * lots[:, : 2 * pairs : 2]).sum())
    tests.append(("two rows in one lot", steps * pairs, both, rate**2))
    block = max(1, int(1 / rate))
    if block > 1 and steps // block:
        once = sum(int((lots[i : i + block].sum(axis=0) == 1).sum()) for i in starts(steps, block))
        chance = block * rate * (1 - rate) ** (block - 1)
        tests.append((f"rows in exactly one of {block} lots", rows * (steps // block), once, chance))
        two = [lots[i : i + block] * lots[i + block : i + 2 * block] for i in starts(steps, 2 * block)]
        again, where = sum(int(one.sum()) for one in two), f"rows in a lot and in that {block} lots later"
        tests += [(where, rows * block * len(two), again, rate**2)] if two else []
    if rate < 1:
        empty = sum(not one.any() for one in loop.lots(1, steps))
        tests.append(("empty lots of a table of one row", steps, empty, 1 - rate))
    return tests


def starts(steps: int, block: int) -> range:
    """Where blocks of lots begin."""
    return range(0, steps // block * block, block)


def on_setup(loop: Loop) -> Finding:
    """The public numbers on n and n + 1 rows: they must be the same, and those of the account."""
    plan = loop.plan
    said = {"rate": plan.rate, "steps": Fraction(plan.steps), "divisor": plan.lot}
    for rows in SIZES:
        one, more = loop.setup(rows), loop.setup(rows + 1)
        if one != more:
            return Finding("set-up", "REFUTED", f"{rows} / {rows + 1} rows: {numbers(one)} / {numbers(more)}")
        if different := {key for key, value in said.items() if one.get(key, value) != value}:
            return Finding("set-up", "REFUTED", f"{', '.join(sorted(different))} not as accounted for: {numbers(one)}")
        if unsaid := said.keys() - one.keys():
            return Finding("set-up", "UNKNOWN", f"the set-up does not say {', '.join(sorted(unsaid))}: {numbers(one)}")
    return Finding("set-up", "NOT_REFUTED", f"the same on n and n + 1 rows, n = {', '.join(map(str, SIZES))}")


def numbers(setup: Mapping[str, Fraction]) -> str:
    """The numbers in short."""
    return ", ".join(f"{key} {short(value)}" for key, value in setup.items())


def short(value: Fraction) -> str:
    """A number as a fraction, or in few digits where that is long."""
    return str(value) if value.denominator < 10**6 else f"{float(value):.6g}"
