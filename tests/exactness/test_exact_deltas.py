"""Exact deltas, against their definition: the excess of one law over e^epsilon times the other, summed up."""

import math
from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.provers.lemmas import lemmas as proved
from refdp.spec import classical, obligations
from refdp.terms.term import exp, ln, number, sqrt, substitute
from tests.claimed import gaussian
from tests.exactness.laws import chances, share

HAIR = F(1, 10**6)
"""What quadrature in floating point may be wrong by, relatively, and more."""


def density(z, sigma):
    return math.exp(-z * z / (2 * sigma * sigma)) / (sigma * math.sqrt(2 * math.pi))


def excess(sigma, d, epsilon, pieces=400):
    """The integral of (p - e^epsilon q)+ for normal densities d apart, by Simpson's rule where that is not 0."""

    def loss(z):
        return (z * z - (z - d) * (z - d)) / (2 * sigma * sigma)

    low, high = d / 2, d / 2 + 1
    while loss(high) < epsilon:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if loss(middle) < epsilon else (low, middle)
    begins, t = (low - d) / sigma, math.exp(epsilon)
    step = sigma * (9 - begins if begins < 0 else min(9, 24 / max(1, begins))) / pieces
    values = [density(low + step * k - d, sigma) - t * density(low + step * k, sigma) for k in range(pieces + 1)]
    return step / 3 * (values[0] + values[-1] + 4 * sum(values[1::2]) + 2 * sum(values[2:-1:2]))


def instance(sigma, d, epsilon, delta):
    return f"private(gaussian({sigma}), reals(), absolute({d}), approximate({epsilon}, {delta}))"


def test_normal_noise_has_the_delta_of_its_definition_and_no_smaller_one():
    theorem, lemmas, judged = gaussian.analytic(), proved("gaussian", obligations.exact_delta("gaussian")), 0
    for chance in chances("normal noise"):
        sigma, d = F(chance.randint(2, 60), 10), F(chance.randint(1, 30), 10)
        epsilon = F(chance.randint(0, 40), 10)
        found = F(excess(float(sigma), float(d), float(epsilon)))
        if found < F(1, 10**12):
            continue
        values = {"sigma": str(sigma), "d_in": str(d), "epsilon": str(epsilon)}
        above, below = found * (1 + HAIR), found * (1 - HAIR)
        assert rules.instantiate(theorem, values=values, d_out=[str(epsilon), str(above)])
        assert rules.normal_noise_exceeds(*lemmas, claim=instance(sigma, d, epsilon, below))
        judged += 1
        if judged % 10 == 0:
            with pytest.raises(KernelError, match="is not an upper bound"):
                rules.instantiate(theorem, values=values, d_out=[str(epsilon), str(below)])
            with pytest.raises(KernelError, match="is not more than"):
                rules.normal_noise_exceeds(*lemmas, claim=instance(sigma, d, epsilon, above))
            near = float(d) * chance.random()
            assert excess(float(sigma), near, float(epsilon)) <= above
    assert judged > share(600)


@pytest.mark.parametrize("region", classical.REGIONS)
def test_classical_noise_has_at_most_its_delta_on_its_region(region):
    r = classical.region(region)
    largest = float(r.largest_epsilon.rational) if r.largest_epsilon.operator == "number" else 2 * math.log(2.5)
    for chance in chances(f"classical {region}", 300):
        delta = float(r.largest_delta) * 10 ** (-9 * chance.random() ** 2)
        epsilon = largest * (1 - chance.random() ** 3)
        if epsilon > 0:
            sigma = math.sqrt(2 * math.log(float(r.constant) / delta)) / epsilon
            assert excess(sigma, 1, epsilon) <= delta * (1 + 1e-9)


@pytest.mark.parametrize(
    ("region", "epsilon", "delta"),
    [
        ("half", "2233/500", "1/2"),
        ("small_delta", "421/50", "1/100000"),
        ("constant_6_5", "22/5", "1/2"),
        ("every_delta", "947/250", "9/10"),
    ],
)
def test_classical_noise_is_false_a_little_outside(region, epsilon, delta):
    """At its corner the first region ends where the theorem does, to a thousandth."""
    r, values = classical.region(region), {"epsilon": F(epsilon), "delta": F(delta), "d_in": F(1)}
    sigma = substitute(classical.calibration(r.constant), {key: number(x) for key, x in values.items()})
    assert rules.normal_noise_exceeds(
        *proved("gaussian", obligations.exact_delta("gaussian")), claim=instance(sigma, 1, epsilon, delta)
    )


@pytest.mark.parametrize("change", [F(999, 1000), F(1, 2)])
def test_less_noise_than_is_needed_is_refuted(change):
    lemmas, c = proved("gaussian", obligations.exact_delta("gaussian")), sqrt(2 * ln(number(F(5, 2))))
    at_the_frontier = c * change / number(F(4465, 1000))
    assert rules.normal_noise_exceeds(*lemmas, claim=instance(at_the_frontier, 1, "893/200", "1/2"))
    assert rules.normal_noise_exceeds(*lemmas, claim=instance(c / number(F(893, 200)), 1 / change, "893/200", "1/2"))
    assert rules.normal_noise_exceeds(*lemmas, claim=instance(F(42247, 10000) * change, 1, 1, "1/1000000"))
    halved = exp(number(0)) * change / 1000000
    assert rules.normal_noise_exceeds(*lemmas, claim=instance(F(42246, 10000), 1, 1, halved))


GRIDS = {
    "discrete_gaussian": lambda z, x: z * z / (2 * x * x),
    "discrete_laplace": lambda z, x: abs(z) / x,
}
"""Minus the log weight at z for the parameter x."""


def summed(stem, x, step, shift, epsilon):
    """The sum of (p - e^epsilon q)+ over the grid, for inputs that many steps apart."""
    reach = 120 if stem == "discrete_laplace" else 40
    weight = {k: math.exp(-GRIDS[stem](k * step, x)) for k in range(-reach - shift, reach + shift + 1)}
    t, whole = math.exp(epsilon), sum(weight.values())
    return sum(max(weight[k - shift] - t * weight[k], 0.0) for k in range(-reach, reach + 1)) / whole


@pytest.mark.parametrize("stem", GRIDS)
def test_grid_noise_has_the_delta_of_its_definition_and_no_smaller_one(stem):
    lemmas, judged = proved(stem, obligations.log_concavity(stem)), 0
    for chance in chances(f"grid {stem}", 500):
        step, x = F(1, chance.choice([1, 1, 2, 3])), F(chance.randint(3, 12), 10)
        d = step * chance.randint(1, 4) + chance.choice([0, step / 2])
        epsilon = F(chance.randint(0, 14), 10)
        deltas = [summed(stem, float(x), float(step), s, float(epsilon)) for s in range(math.floor(d / step) + 1)]
        found = F(max(deltas))
        if found < F(1, 10**9):
            continue
        claim = f"private({stem}({x}, {step}), grid({step}), absolute({d}), approximate({epsilon}, {{}}))"
        above, below = claim.format(found * (1 + HAIR)), claim.format(found * (1 - HAIR))
        assert rules.grid_noise(*lemmas, claim=above)
        assert rules.grid_noise_exceeds(*lemmas, claim=below)
        judged += 1
        if judged % 10 == 0:
            with pytest.raises(KernelError, match="the sums do not show"):
                rules.grid_noise(*lemmas, claim=below)
            with pytest.raises(KernelError, match="the sums do not refute"):
                rules.grid_noise_exceeds(*lemmas, claim=above)
    assert judged > share(300)
