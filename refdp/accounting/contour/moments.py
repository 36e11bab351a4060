"""Gaussian noise, continuous and sampled or on a grid and sampled or not: moments as sums over a grid of outcomes.

In units of sigma, Q has the density phi(x), the unsampled loss is a(x) = mu x - mu^2 / 2, r(x) = 1 - q + q e^(a(x)),
and the tilted weight and the loss at x are phi r(x)^(c + 1), ln r(x) (remove); phi r(x)^-c, -ln r(x) (add);
phi r(x)^(c + 1) r(-x)^-c, ln r(x) - ln r(-x) (replace).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, cos, exp, expm1, floor, log, log1p, pi, sqrt

from flint import acb, arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.contour.factors import Cloud, Line
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.losses import Direction
from refdp.numerics.enclosures import normal_tail

WIDEST_TURN = 2
"""mu d <= 2 < pi, d being half the width of the strip."""
MOST_NODES = 2 * 10**5
OUTCOME = 8
"""Steps of work that one outcome counts as."""
SKETCHED = 36
"""Accuracy of the grid on which floats find ln M(c)."""
WIDE = 5
"""Of noise on the integers with a greater variance, the normaliser is sqrt(2 pi variance) in floats."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The outcomes step * n, n = first ... last (`step` is chosen, or sigma^-1 for noise on a grid), and the strip."""

    step: Fraction
    strip: Fraction
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Tilted:
    """The tilted law of the outcomes, and the loss."""

    direction: Direction
    mu: arb
    half: arb
    """mu^2 / 2."""
    rate: arb
    rest: arb
    """1 - q."""
    order: arb

    def outcome(self, x: arb) -> tuple[arb, arb]:
        """ln of the tilted weight at x, without the factor of phi, and the loss."""
        up = self.ratio(x).log()
        match self.direction:
            case "remove":
                return (self.order + 1) * up - x * x / 2, up
            case "add":
                return -self.order * up - x * x / 2, -up
        down = self.ratio(-x).log()
        return (self.order + 1) * up - self.order * down - x * x / 2, up - down

    def ratio(self, x: arb) -> arb:
        """r(x)."""
        return self.rest + self.rate * (self.mu * x - self.half).exp()

    def share(self, x: arb) -> arb:
        """q e^(a(x)) / r(x), which rises: mu times it is the slope of ln r."""
        return 1 / (1 + self.rest / self.rate * (self.half - self.mu * x).exp())


@dataclass(frozen=True, slots=True)
class GaussianMoments:
    """mu_squared > 0; rate = 1 means unsampled (direction remove); variance: that of noise on the integers."""

    mu_squared: Fraction
    rate: Fraction
    direction: Direction
    variance: Fraction | None = None

    def infinite_mass(self) -> arb:
        """0."""
        return arb(0)

    def mu(self) -> arb:
        """The shift in units of sigma."""
        return ball(self.mu_squared).sqrt()

    def nodes(self, order: Fraction, accuracy: int, reach: float) -> int:
        """How many outcomes the grid has."""
        grid = self.grid(order, accuracy, reach)
        return grid.last - grid.first

    def grid(self, order: Fraction, accuracy: int, reach: float) -> Grid:
        """A grid with errors near 2^-accuracy M(c) for |t| <= reach: floats choose it, `cloud` bounds the errors."""
        c, mu, q, aim = float(order), sqrt(self.mu_squared), float(self.rate), (accuracy + 4) * log(2)
        left, right = self._ends(c, mu, q, aim)
        powers = c if self.direction != "remove" else 0.0
        width = min(sqrt(aim / (0.5 + powers * mu * mu / 8)), WIDEST_TURN / mu) * 0.999
        turns = aim + width**2 / 2 + self.turn() * reach * mu * width - powers * log(cos(mu * width / 2))
        step = 2 * pi * width / turns if self.variance is None else float(self.variance) ** -0.5
        first, last = floor(left / step) - 1, ceil(right / step) + 1
        if last - first > MOST_NODES:
            raise OutOfReach(f"the moments of Gaussian noise need {last - first} outcomes, more than {MOST_NODES}")
        return Grid(Fraction(step), Fraction(width), first, last)

    def _ends(self, c: float, mu: float, q: float, aim: float) -> tuple[float, float]:
        """Where the tails of Lemma 5.5 are about e^-aim M(c)."""
        kept = -c * log(1 - q) if self.direction != "remove" else 0.0
        if self.direction == "add":
            return -sqrt(2 * (aim + kept)), max(sqrt(2 * aim), mu / 2)
        growth = log(q) + c * (c + 1) * mu * mu / 2
        excess = growth - max(0.0, growth + c * log(q))
        return -max(sqrt(2 * aim), mu / 2), (c + 1) * mu + sqrt(2 * max(1.0, aim + excess + kept))

    def turn(self) -> int:
        """A bound of |arg e^(L(x + iy))| / (mu |y|), Lemma 5.4."""
        return 2 if self.direction == "replace" and self.rate > Fraction(1, 2) else 1

    def moment(self, order: Fraction, accuracy: int) -> arb:
        """M(c)."""
        return self.cloud(order, accuracy, arb(0)).moment()

    def growth(self, order: Fraction) -> float:
        """ln M(c), nearly, in floats."""
        grid = self.grid(order, SKETCHED, 0.0)
        c, mu, q, step = float(order), sqrt(self.mu_squared), float(self.rate), float(grid.step)
        found = [self._sketched(step * n, c, mu, q) for n in range(grid.first, grid.last + 1)]
        work.step(len(found))
        top = max(found)
        total = top + log(sum([exp(one - top) for one in found]))
        if self.variance is None or self.variance > WIDE:
            return total + log(step) - log(2 * pi) / 2
        return total - log(sum(exp(-n * n * step * step / 2) for n in range(-40, 41)))

    def _sketched(self, x: float, c: float, mu: float, q: float) -> float:
        """ln of the tilted weight at x, in floats, without the factor of phi."""
        up = _ln_ratio(mu * x - mu * mu / 2, q)
        match self.direction:
            case "remove":
                return (c + 1) * up - x * x / 2
            case "add":
                return -c * up - x * x / 2
        return (c + 1) * up - c * _ln_ratio(-mu * x - mu * mu / 2, q) - x * x / 2

    def moments(self, line: Line, accuracy: int, effort: Effort) -> list[acb]:
        """M at each point."""
        return self.cloud(line.order, accuracy, line.reach).moments(line, effort)

    def cloud(self, order: Fraction, accuracy: int, reach: arb) -> Cloud:
        """M(c + it) for |t| <= reach, all errors bounded (Lemmas 5.3 to 5.6)."""
        grid = self.grid(order, accuracy, float(reach.mid()))
        step = ball(grid.step) if self.variance is None else 1 / ball(self.variance).sqrt()
        points = [step * n for n in range(grid.first, grid.last + 1)]
        work.step(OUTCOME * len(points))
        unit = step / (2 * arb.pi()).sqrt() if self.variance is None else 1 / theta(self.variance)
        pairs = list(map(self.tilted(order).outcome, points))
        weights = [unit * weight.exp() for weight, _ in pairs]
        error = tail = sum(self.tails(points[0], points[-1], order), arb(0))
        if self.variance is None:
            apart = self.aliasing(grid, order, arb(0))
            if not apart < 1:
                raise OutOfReach("the grid of outcomes of Gaussian noise is too wide")
            whole = (sum(weights, arb(0)) + tail) / (1 - apart)
            error = tail + whole * self.aliasing(grid, order, reach)
        return Cloud(weights, [loss for _, loss in pairs], error)

    def tilted(self, order: Fraction) -> Tilted:
        """The law of the outcomes at c, in balls of the working precision."""
        half, rest = ball(self.mu_squared / 2), ball(1 - self.rate)
        return Tilted(self.direction, self.mu(), half, ball(self.rate), rest, ball(order))

    def aliasing(self, grid: Grid, order: Fraction, reach: arb) -> arb:
        """The error of the sum over the whole grid, relative to M(c), for |t| <= reach (Lemmas 5.3 and 5.4)."""
        mu, d = self.mu(), ball(grid.strip)
        if not mu * d < WIDEST_TURN + 1:
            raise OutOfReach("no strip of analyticity was found for Gaussian noise")
        secant = (mu * d / 2).sec() ** ball(order) if self.direction != "remove" else arb(1)
        growth = (d * d / 2 + self.turn() * reach * mu * d).exp() * secant
        return 2 * growth / (2 * arb.pi() * d / ball(grid.step)).expm1()

    def tails(self, left: arb, right: arb, order: Fraction) -> tuple[arb, arb]:
        """At least the weight of the grid beyond either end (Lemma 5.5)."""
        law = self.tilted(order)
        mu, q, c = law.mu, law.rate, law.order
        if not (left <= -mu / 2 and right >= (mu / 2 if self.direction == "add" else (c + 1) * mu)):
            raise OutOfReach("the tails of Gaussian noise could not be bounded")
        if self.direction == "add":
            return law.rest**-c * normal_tail(-left), law.ratio(right) ** -c * normal_tail(right)
        growth = q * ball(self.mu_squared * order * (order + 1) / 2).exp()
        above = law.rest * normal_tail(right) + growth * normal_tail(right - (c + 1) * mu)
        if self.direction == "replace":
            return law.ratio(-left) ** -c * normal_tail(-left), law.rest**-c * above
        return law.rest * normal_tail(-left) + growth * normal_tail(-left + (c + 1) * mu), above


def _ln_ratio(a: float, q: float) -> float:
    """ln(1 - q + q e^a) in floats, whatever a is."""
    if q >= 1:
        return a
    return log1p(q * expm1(a)) if a < 700 else a + log(q)


def theta(variance: Fraction) -> arb:
    """The sum of e^(-n^2 / (2 variance)) over the integers n."""
    flat = variance > Fraction(1, 6)  # Poisson: it is sqrt(2 pi v) times the sum of e^(-2 pi^2 v n^2)
    rate = 2 * arb.pi() ** 2 * ball(variance) if flat else 1 / ball(2 * variance)
    total, n, term = arb(1), 0, arb(1)
    while not term < arb(2) ** -bits():
        n += 1
        term = 2 * (-rate * n * n).exp()
        total += term
    # what is left is below 2 sum_(i > n) e^(-rate i n) <= term e^(-rate n) / (1 - e^(-rate n)), and rate >= 3
    total += arb(0, term.abs_upper())
    return total * (2 * arb.pi() * ball(variance)).sqrt() if flat else total


def bits() -> int:
    """The working precision."""
    from flint import ctx

    return int(ctx.prec)
