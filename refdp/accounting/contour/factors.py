"""Moments M(s) = E_P[e^(s L); L finite] of one pair along the line s = c + it, with what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from flint import acb, acb_mat, arb, ctx

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.circle import Circle, Ends
from refdp.accounting.curves import Effort, OutOfReach


def error_ball(radius: arb) -> acb:
    """All complex numbers of modulus at most `radius`."""
    top = arb(0, radius.abs_upper())
    return acb(top, top)


@dataclass(frozen=True, slots=True)
class Line:
    """The points c + i h j for j = 0 ... count on the line, h = 2 pi / R, with the period R."""

    order: Fraction
    period: Fraction | Circle
    count: int

    @property
    def length(self) -> arb:
        """R."""
        return ball(self.period) if isinstance(self.period, Fraction) else self.period.length

    @property
    def step(self) -> arb:
        """h."""
        return 2 * arb.pi() / self.length

    @property
    def reach(self) -> arb:
        """T = h count, the end of the line."""
        return self.step * self.count

    def points(self) -> list[acb]:
        """All of them."""
        order, step = ball(self.order), self.step
        return [acb(order, step * j) for j in range(self.count + 1)]

    def kernels(self, points: list[acb]) -> list[acb]:
        """By what the moments at these points are multiplied."""
        if not isinstance(self.period, Fraction):
            return self.period.kernels(points)
        return [1 / (s * (s + 1)) for s in points]

    def beyond(self) -> arb:
        """By what moments beyond T are multiplied, at most, with all that follow them (Lemmas 5.7 and 5.12)."""
        return 1 / (arb.pi() * self.reach) if isinstance(self.period, Fraction) else self.period.beyond(self.count)

    def ends(self, epsilon: Fraction) -> Ends:
        """Where delta is worked out for epsilon."""
        return ([(ball(epsilon), arb(1))], arb(0)) if isinstance(self.period, Fraction) else self.period.ends(epsilon)


class Decay(Protocol):
    """How far |M(c + it)| is below M(c)."""

    def bound(self, t: arb) -> arb:
        """At least |M(c + iu)| / M(c) for every u >= t; at most 1."""

    def estimate(self, t: float) -> float:
        """Nearly the logarithm of `bound`."""


class Factor(Protocol):
    """The moments of one pair, at the working precision, with an error of about 2^-accuracy M(c)."""

    def infinite_mass(self) -> arb:
        """P(L = infinity), exactly 0 if it is 0."""

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point of the line."""

    def decay(self, order: Fraction) -> Decay | None:
        """A decay along the line, where one is known."""

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """About how many exponentials the moments are sums of."""


NANOSECONDS = 60
"""About what one multiplication in a product of matrices takes."""
DIGITS = 300
"""So many binary digits more make an operation on balls as dear as one of few digits is, about."""
BYTES = 400
"""About what one entry of the matrices takes while they are made."""
BLOCK = 1024
"""So many exponentials are worked on at once."""
LARGEST_WORK = 10**9
"""Most multiplications for the moments of one pair."""


@dataclass(frozen=True, slots=True)
class Cloud:
    """M(c + it) as the sum of weight e^(i t loss) up to an error of modulus at most `error`, for |t| <= some reach."""

    weights: list[arb]
    losses: list[arb]
    error: arb

    def moment(self) -> arb:
        """M(c)."""
        return sum(self.weights, arb(0)) + arb(0, self.error.abs_upper())

    def moments(self, line: Line, effort: Effort) -> list[acb]:
        """M at each point of the line: sums of (w_n z_n^(a g)) z_n^b for j = a g + b, as products of matrices."""
        side = int(line.count**0.5) + 1
        affordable(len(self.weights), side, line, effort)
        total = acb_mat(side, side)
        for start in range(0, len(self.weights), BLOCK):
            effort.check()
            total += _product(self.weights[start : start + BLOCK], self.losses[start : start + BLOCK], side, line.step)
        error = error_ball(self.error)
        return [value + error for value in total.entries()[: line.count + 1]]


def affordable(nodes: int, side: int, line: Line, effort: Effort) -> None:
    """OutOfReach, with numbers, if the matrices cost too much."""
    products, memory = nodes * side * side, 2 * side * BYTES * min(nodes, BLOCK) + nodes * BYTES
    seconds = products * NANOSECONDS / 1e9
    why = (
        f"the contour needs {line.count} points up to t = {float(line.reach.mid()):.3g} with {nodes} exponentials in "
        f"each, about {seconds:.0f} s and {memory / 1e6:.0f} MB: the moments of so few smooth events decay too slowly"
    )
    if products > LARGEST_WORK or memory > effort.memory:
        raise OutOfReach(why)
    effort.afford(seconds, why)


def _product(weights: list[arb], losses: list[arb], side: int, step: arb) -> acb_mat:
    """The matrix of sums over n of w_n e^(i h (side g + b) l_n), g and b from 0 to side - 1."""
    fine = powers([acb(0, step * loss).exp() for loss in losses], side)
    coarse = powers([acb(0, step * side * loss).exp() for loss in losses], side)
    rows = [w * z for row in coarse for w, z in zip(weights, row, strict=True)]
    columns = [z for column in zip(*fine, strict=True) for z in column]
    return acb_mat(side, len(weights), rows) * acb_mat(len(weights), side, columns)


def charge(operations: int) -> None:
    """Counts so many operations on balls of the working precision as work."""
    work.step(operations * (1 + ctx.prec // DIGITS))


def powers(base: list[acb], count: int) -> list[list[acb]]:
    """base^0 ... base^(count - 1), entry by entry, each in about log2 steps: rectangles grow with each product."""
    rows = [[acb(1)] * len(base), base]
    for j in range(2, count):
        rows.append([x * y for x, y in zip(rows[j // 2], rows[j - j // 2], strict=True)])
    return rows[:count]
