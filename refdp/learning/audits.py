"""Audits of a training step, in the order of what they can see: pairs, noise, lots, set-up, and canaries last.

1. pairs    without noise, what a step releases on lots that differ by a row: exact distances, against what is claimed
2. noise    all gradients 0: the spread of what is released, and whether numbers of one step repeat
3. lots     which rows are in which lots, against independent coins
4. set-up   the public numbers on n and on n + 1 rows
5. canaries trainings with and without a row, or with many rows put in by coins: the weakest of all

A REFUTED of 1 and 4 is exact; one of 2 and 3 holds but for a chance of `error` in all, and one of 5 but for a chance
of `canary_error`: with less, they show nothing.  NOT_REFUTED tells what was looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from refdp.auditing.evidence.binomial import tail
from refdp.learning.canaries import canary_runs, one_run
from refdp.learning.loops import Loop
from refdp.learning.variants import Claim
from refdp.numerics.enclosures import Balls, interval, precision

BITS = 128
DIMENSION = 4
"""Numbers of a gradient on which pairs are judged; layers of larger ones are no different."""
SAMPLES = 4000
"""Numbers of noise that are looked at for each size of a lot."""
ROWS, LOTS = 40, 200
"""Rows and lots on which the making of lots is judged."""
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


@dataclass(frozen=True, slots=True)
class Effort:
    """With which error, over all judges of a loop, and how many trainings and canaries."""

    error: Fraction = Fraction(1, 10**9)
    canary_error: Fraction = Fraction(1, 20)
    runs: int = 100
    canaries: int = 1000
    guesses: int = 200

    def __post_init__(self) -> None:
        for name in ("error", "canary_error"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} must be > 0 and < 1, got {getattr(self, name)}")
        if self.runs < 2:
            raise ValueError(f"runs must be at least 2, got {self.runs}")
        if not 2 <= self.guesses <= self.canaries or self.guesses % 2:
            raise ValueError(f"guesses must be even, and from 2 to the number of canaries, got {self.guesses}")


def audited(
    loop: Loop,
    claim: Claim,
    effort: Effort = Effort(),
    many_runs: bool = True,
) -> Iterator[Finding]:
    """What each judge finds, in order; judges that count share their error.  `many_runs`: the slowest judge as well."""
    error = effort.error / 2
    yield on_pairs(loop)
    yield on_noise(loop, error)
    yield on_lots(loop, error)
    yield on_setup(loop)
    error = effort.canary_error / 2
    yield Finding("one run", *one_run(loop, claim, effort.canaries, effort.guesses, error))
    if many_runs:
        yield Finding("many runs", *canary_runs(loop, claim, effort.runs, error))


def lots_that_differ(norm: float) -> Iterator[tuple[str, list[Any], list[Any]]]:
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
    yield "no row / infinite", [], [np.full(DIMENSION, np.inf)]
    yield "no row / not a number", [], [np.full(DIMENSION, np.nan)]
    yield "3 rows of 0 / and C e_2", [0 * v] * 3, [0 * v, 0 * v, 0 * v, e[1]]
    yield "5 rows of C e_1 / and -100 C e_1", [v] * 5, [*[v] * 5, -100 * v]
    yield "9 rows of C (1, 1, 1, 1) / and one of -C (1, 1, 1, 1)", [ones] * 9, [*[ones] * 9, -ones]


def on_pairs(loop: Loop) -> Finding:
    """The distance on lots that differ by a row, exactly; and whether every lot is answered."""
    farthest, where = Fraction(0), "none"
    for text, first, second in lots_that_differ(float(loop.plan.norm)):
        answers = [loop.answer(one, DIMENSION, False) for one in (first, second)]
        if any(one is None for one in answers):
            if all(one is None for one in answers):
                continue
            return Finding("pairs", "REFUTED", f"{text}: on one of the two nothing is released")
        square = squared_distance(answers[0], answers[1]) * loop.unit**2 if finite(answers) else None
        if square is None or square > loop.sensitivity**2:
            far = "infinite" if square is None else f"{root_below(square):.6g}"
            return Finding("pairs", "REFUTED", f"{text}: distance {far}, claimed {float(loop.sensitivity):.6g}")
        if square > farthest:
            farthest, where = square, text
    return Finding(
        "pairs",
        "NOT_REFUTED",
        f"largest distance {root_below(farthest):.6g} ({where}), claimed {float(loop.sensitivity):.6g}",
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
    """The spread of what is released where all gradients are 0, on lots of several sizes.

    The share of numbers within the quartiles of the claimed noise is 1/2, and a little more where it is rounded; more
    than that refutes the claim, less says that there is more noise than is claimed.  Two neighbouring numbers of a step
    are equal as often as a grid makes them, or less.
    """
    import numpy as np

    sizes, loose = sorted({0, 1, 2, int(4 * loop.plan.lot)}), ""
    width, deviation = float(loop.unit), float(loop.deviation)
    share = error / (2 * len(sizes))
    for size in sizes:
        rows = [np.zeros(SAMPLES)] * size
        found = loop.answer(rows, SAMPLES, True)
        if found is None:
            continue
        drawn = np.asarray(found, dtype=np.float64) * width
        same = int((drawn[1::2] == drawn[::2]).sum())
        if tail(SAMPLES // 2, same, equal_share(loop)).upper <= share:
            return Finding("noise", "REFUTED", f"{same} of {SAMPLES // 2} pairs of numbers of a step are equal", error)
        inner = int((np.abs(drawn) <= 0.6745 * deviation).sum())
        low, high = within_share(Fraction(6745, 10000), loop)
        if tail(SAMPLES, inner, high).upper <= share:
            return Finding(
                "noise", "REFUTED", f"lots of {size} rows of gradient 0: {inner} of {SAMPLES} numbers within 0.6745 "
                f"deviations, of which half should be; deviation {drawn.std():.4g}, claimed {deviation:.4g}", error,
            )  # fmt: skip
        if tail(SAMPLES, SAMPLES - inner, 1 - low).upper <= share:
            loose = f"; more noise than is claimed: deviation {drawn.std():.4g}"
    return Finding(
        "noise", "NOT_REFUTED", f"deviation as claimed, {deviation:.4g}, by {SAMPLES} numbers for each of lots of "
        f"{', '.join(map(str, sizes))} rows{loose}", error,
    )  # fmt: skip


def within_share(deviations: Fraction, loop: Loop) -> tuple[Fraction, Fraction]:
    """Bounds of P[|Z| <= so many deviations], for noise that may be rounded to multiples of the unit."""
    balls, half = Balls(BITS), loop.unit / (2 * loop.deviation)
    ends = []
    for z in (deviations - half, deviations + half):
        with precision(BITS):
            ends.append(interval(1 - 2 * balls.function("normal_tail", balls.number(max(z, Fraction(0)))), BITS))
    return max(Fraction(0), ends[0].lower), min(Fraction(1), ends[1].upper)


def equal_share(loop: Loop) -> Fraction:
    """At least the chance that two independent numbers are equal: no mass is above a unit times the density at 0."""
    return min(Fraction(1), loop.unit / loop.deviation * Fraction(2, 5) + Fraction(1, 1000))


def on_lots(loop: Loop, error: Fraction) -> Finding:
    """Rows in lots against independent coins of the rate: sizes, how often a row is in a block of lots, empty lots."""
    import numpy as np

    rate, share = loop.plan.rate, error / 6
    lots = loop.lots(ROWS, LOTS)
    tests = [("members of lots", LOTS * ROWS, sum(int(one.sum()) for one in lots), rate)]
    block = max(1, int(1 / rate))
    if block > 1 and LOTS // block:
        once = sum(int((np.sum(lots[i : i + block], axis=0) == 1).sum()) for i in starts(block))
        chance = block * rate * (1 - rate) ** (block - 1)
        tests.append((f"rows in exactly one of {block} lots", ROWS * (LOTS // block), once, chance))
    if rate < 1:
        empty = sum(not one.any() for one in loop.lots(1, LOTS))
        tests.append(("empty lots of a table of one row", LOTS, empty, 1 - rate))
    for text, trials, found, chance in tests:
        few, many = tail(trials, trials - found, 1 - chance).upper, tail(trials, found, chance).upper
        if min(few, many) <= share:
            return Finding(
                "lots", "REFUTED", f"{text}: {found} of {trials}, by coins {float(chance * trials):.4g}", error
            )
    return Finding("lots", "NOT_REFUTED", "; ".join(f"{t}: {f} of {n}" for t, n, f, _ in tests), error)


def starts(block: int) -> range:
    """Where blocks of lots begin."""
    return range(0, LOTS // block * block, block)


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
    return Finding("set-up", "NOT_REFUTED", f"the same on n and n + 1 rows, n = {', '.join(map(str, SIZES))}")


def numbers(setup: Mapping[str, Fraction]) -> str:
    """The numbers in short."""
    return ", ".join(f"{key} {value}" for key, value in setup.items())
