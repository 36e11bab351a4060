"""Additive noise: M(x) = x + Z with P[Z = z] proportional to exp(log_weight(z)), and what its formulas must meet.

The noise gives formulas only.  The obligations below say what must hold of them; no noise can choose its yardstick.
On a grid, x and Z are multiples of the parameter `granularity`; on the reals, exp(log_weight) is a density.

Normal noise on the reals has an exact delta at each epsilon: at distance d the loss ln(p / q) is linear in the output,
so the worst event is a half line, and both laws give it a normal tail.  Source: BW18 Thm 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from refdp.spec import registry
from refdp.spec.distances import absolute_distance
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement, equal
from refdp.spec.tails import Tails, readings_of
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, both, exp, name, normal_tail, term


@dataclass(frozen=True, slots=True)
class AdditiveNoise:
    """Formulas of an additive noise; every formula's own parameters are among `parameters`.

    log_weight(z): ln P[Z = z] up to a constant; tail_offset - tail_rate |z| bounds it from above;
    privacy_maps[measure](d_in): the privacy loss at distance d_in; normaliser: the sum (integral) of exp(log_weight),
    in terms of `ratio` = exp(log_weight(granularity)) on a grid, absent where there is no closed form;
    deviation: the standard deviation of a normal density, absent for all other noise;
    far_output(bound, d_in): at and below it the loss between the inputs 0 and d_in exceeds the bound, absent where
    the loss is bounded; tails: how rare large noise is, absent where nothing is claimed.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    log_weight: Formula
    tail_rate: Formula
    tail_offset: Formula
    privacy_maps: Mapping[str, Formula]
    normaliser: Formula | None = None
    deviation: Formula | None = None
    far_output: Formula | None = None
    tails: Tails | None = None

    reserved: ClassVar[str] = (
        "z y a b alpha u v d d_1 d_2 k j d_in ratio dimension order epsilon delta proposal_scale bound h r t s level "
        "beta"
    )

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        found = [(self.log_weight, "z"), (self.tail_rate, ""), (self.tail_offset, "")]
        found += [(f, "d_in") for f in self.privacy_maps.values()]
        more = ((self.normaliser, "ratio"), (self.far_output, "bound d_in"), (self.deviation, ""))
        found += [(f, own) for f, own in more if f is not None]
        return (*found, *readings_of(self.tails))

    @property
    def on_grid(self) -> bool:
        """Whether it lives on a grid (else on the reals)."""
        return "granularity" in self.parameters

    @property
    def domain(self) -> Term:
        """The set that inputs and outputs range over."""
        return domain("grid", name("granularity")) if self.on_grid else domain("reals")

    def loss(self, subject: Term, output: Fraction, a: Fraction, b: Fraction) -> Fraction:
        """ln(P[M(a) = output] / P[M(b) = output]), exact: the normaliser is the same for both and cancels."""
        values = registry.values(self, subject)
        weights = (evaluate(self.log_weight.at(z=term(output - x)), values) for x in (a, b))
        return Fraction(next(weights)) - Fraction(next(weights))


NORMS: Mapping[str, tuple[str, Term]] = {
    "pure": ("l1", name("d_1") + name("d_2") <= name("d")),
    "concentrated": ("l2", name("d_1") ** 2 + name("d_2") ** 2 <= name("d") ** 2),
}
"""For vectors of independent noises: the metric of each measure, and how two coordinates' distances add up in it."""


def privacy_map(noise: AdditiveNoise, measure: str) -> Formula:
    """The map for that measure; TermError if the noise has none."""
    if measure not in noise.privacy_maps:
        raise TermError(f"{noise.stem} has no privacy map for {measure}")
    return noise.privacy_maps[measure]


def tail_is_geometric(noise: AdditiveNoise) -> Statement:
    """The weights fall at least geometrically on both sides, so their sum (integral) is finite and a law exists."""
    bound = noise.tail_offset.at() - noise.tail_rate.at() * abs(name("z"))
    falls = (noise.log_weight.at() <= bound, 0 < noise.tail_rate.at())
    return _with(noise, both(*falls, *((0 < name("granularity"),) if noise.on_grid else ())))


def loss_is_bounded(noise: AdditiveNoise) -> Statement:
    """Pure DP: between inputs a and b at most d_in apart, the loss at every output y is at most the privacy map."""
    y, a, b, d_in = map(name, ("y", "a", "b", "d_in"))
    show = noise.log_weight.at(z=y - a) - noise.log_weight.at(z=y - b) <= privacy_map(noise, "pure").at()
    return Statement((*registry.hypotheses(noise), absolute_distance.at(u=a, v=b) <= d_in), show)


def renyi_exponent_is_bounded(noise: AdditiveNoise) -> Statement:
    """p^alpha q^(1 - alpha) is the weight shifted to alpha a + (1 - alpha) b times e^(alpha (alpha - 1) rho).

    It holds for every real alpha and at the exact distance |a - b|: rho = privacy_map(|a - b|).
    """
    y, a, b, alpha = map(name, ("y", "a", "b", "alpha"))
    weight, rho = noise.log_weight, privacy_map(noise, "concentrated").at(d_in=absolute_distance.at(u=a, v=b))
    left = alpha * weight.at(z=y - a) + (1 - alpha) * weight.at(z=y - b)
    right = weight.at(z=y - (alpha * a + (1 - alpha) * b)) + alpha * (alpha - 1) * rho
    return Statement(registry.hypotheses(noise), equal(left, right))


def parallelogram_law_holds(noise: AdditiveNoise) -> Statement:
    """log_weight(u + v) + log_weight(u - v) = 2 log_weight(u) + 2 log_weight(v): no shifted lattice sum is larger."""
    u, v = name("u"), name("v")
    weight = noise.log_weight
    left = weight.at(z=u + v) + weight.at(z=u - v)
    return Statement(registry.hypotheses(noise), equal(left, 2 * weight.at(z=u) + 2 * weight.at(z=v)))


def unbounded_obligations(noise: AdditiveNoise) -> dict[str, Statement]:
    """There is a law, and from `far_output` down the loss between 0 and d_in > 0 exceeds every bound."""
    if noise.far_output is None:
        raise TermError(f"{noise.stem} has no far_output")
    h, d_in, bound = name("h"), name("d_in"), name("bound")
    y = noise.far_output.at() - h
    show = bound < noise.log_weight.at(z=y) - noise.log_weight.at(z=y - d_in)
    beyond = Statement((*registry.hypotheses(noise), 0 < d_in, 0 <= bound, 0 <= h), show)
    return {"tail_is_geometric": tail_is_geometric(noise), "loss_exceeds_every_bound": beyond}


def map_grows(noise: AdditiveNoise, measure: str) -> Statement:
    """A larger distance has no smaller loss."""
    d_1, d_2 = name("d_1"), name("d_2")
    grows = privacy_map(noise, measure)
    given = (*registry.hypotheses(noise), 0 <= d_1, d_1 <= d_2)
    return Statement(given, grows.at(d_in=d_1) <= grows.at(d_in=d_2))


def losses_accumulate(noise: AdditiveNoise, measure: str) -> Statement:
    """The losses of two coordinates add up to at most the loss at their joint distance."""
    d_1, d_2, d = name("d_1"), name("d_2"), name("d")
    loss, given = privacy_map(noise, measure), registry.hypotheses(noise)
    show = loss.at(d_in=d_1) + loss.at(d_in=d_2) <= loss.at(d_in=d)
    return Statement((*given, 0 <= d_1, 0 <= d_2, 0 <= d, NORMS[measure][1]), show)


def privacy_obligations(noise: AdditiveNoise, measure: str, vector: bool) -> dict[str, Statement]:
    """What must hold for the noise to have its privacy map under `measure`, by name, in order."""
    found = {"tail_is_geometric": tail_is_geometric(noise)}
    if measure == "pure":
        found["loss_is_bounded"] = loss_is_bounded(noise)
    elif measure == "concentrated":
        found["renyi_exponent_is_bounded"] = renyi_exponent_is_bounded(noise)
        found["map_grows.concentrated"] = map_grows(noise, measure)
        if noise.on_grid:
            found["parallelogram_law_holds"] = parallelogram_law_holds(noise)
    else:
        raise TermError(f"additive noise is proved under pure or concentrated DP, got {measure}")
    if vector:
        found[f"losses_accumulate.{measure}"] = losses_accumulate(noise, measure)
    return found


def log_concavity(noise: AdditiveNoise) -> dict[str, Statement]:
    """Symmetric, and from each grid point k >= 0 to the next the weight falls by a factor that never grows.

    Then the sum beyond K is at most w(K + 1) / (1 - w(K + 2) / w(K + 1)), which is how the normaliser is enclosed.
    """
    k, j, step = name("k"), name("j"), name("granularity")
    fall = noise.log_weight.at(z=(k + 1) * step) - noise.log_weight.at(z=k * step)
    later = noise.log_weight.at(z=(j + 1) * step) - noise.log_weight.at(z=j * step)
    mirror = equal(noise.log_weight.at(z=-k * step), noise.log_weight.at(z=k * step))
    given = (*registry.hypotheses(noise), 0 <= k, k <= j)
    return {"weights_are_log_concave": Statement(given, both(mirror, later <= fall, fall < 0))}


def _with(noise: AdditiveNoise, show: Term) -> Statement:
    """The statement under the conditions of the noise."""
    return Statement(registry.hypotheses(noise), show)


def ends(deviation: Term, d_in: Term, epsilon: Term) -> tuple[Term, Term]:
    """How far the half line on which the loss is at least epsilon begins above either mean, in deviations."""
    middle, half = epsilon * deviation / d_in, d_in / (2 * deviation)
    return middle - half, middle + half


def exact_delta(deviation: Term, d_in: Term, epsilon: Term) -> Term:
    """The greatest P(S) - e^epsilon Q(S) over events S, for normal laws P and Q with means d_in > 0 apart."""
    near, far = ends(deviation, d_in, epsilon)
    return normal_tail(near) - exp(epsilon) * normal_tail(far)


def deviation_of(noise: AdditiveNoise) -> Formula:
    """The standard deviation; TermError if the noise is not normal noise on the reals."""
    if noise.deviation is None or noise.on_grid:
        raise TermError(f"{noise.stem} is not normal noise on the reals")
    return noise.deviation


def normal_obligations(noise: AdditiveNoise) -> dict[str, Statement]:
    """What must hold for `exact_delta` to be the noise's, by name, in order."""
    sigma, z, d_in, epsilon = deviation_of(noise).at(), *map(name, ("z", "d_in", "epsilon"))
    given, weight = registry.hypotheses(noise), noise.log_weight
    near, far = ends(sigma, d_in, epsilon)
    normal = both(0 < sigma, equal(weight.at(), -(z**2) / (2 * sigma**2)))
    loss = weight.at(z=z - d_in) - weight.at()
    begins = epsilon * sigma**2 / d_in + d_in / 2
    same = both(equal(begins, d_in + sigma * near), equal(begins, sigma * far))
    return {
        "weight_is_normal": Statement(given, normal),
        "loss_is_linear": Statement((*given, 0 < d_in), equal(loss - epsilon, (z - begins) * d_in / sigma**2)),
        "half_line_begins": Statement((*given, 0 < d_in), same),
    }
