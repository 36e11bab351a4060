"""Objective perturbation against its definition: densities by mpmath, in one dimension and two, and their integral."""

from fractions import Fraction as F
from itertools import pairwise

import mpmath
import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.numerics.arithmetic import Intervals
from refdp.proofs.lemmas import objective_is_private
from refdp.spec.densities import log_ratio
from refdp.spec.distances import METRICS
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from tests.exactness.laws import chances, share
from tests.exactness.test_regularised_minimiser import fraction, image
from tests.exactness.test_rescaled_rows import neighbour, vector

METRIC = {"add_remove": "symmetric", "change_one": "change_one"}


def log_density(table, w, known):
    """The logarithm of the density at w, but for the constant of the noise: by the definition of the loss."""
    size, weight = len(w), fraction(known["regularisation"])
    found = [weight * c for c in w]
    rises = [[weight if i == j else mpmath.mpf(0) for j in range(size)] for i in range(size)]
    for row in table:
        z = image(row, known["norm"], known["granularity"])
        p = 1 / (1 + mpmath.exp(sum(a * b for a, b in zip(w, z, strict=True))))
        for i in range(size):
            found[i] -= p * z[i]
            for j in range(size):
                rises[i][j] += p * (1 - p) * z[i] * z[j]
    determinant = rises[0][0] if size == 1 else rises[0][0] * rises[1][1] - rises[0][1] * rises[1][0]
    return -fraction(known["rate"]) * mpmath.sqrt(sum(g * g for g in found)) + mpmath.log(determinant)


@pytest.mark.parametrize("neighbours", METRIC)
@pytest.mark.parametrize("size", [1, 2])
def test_no_point_is_denser_than_the_claim_says(size, neighbours):
    """The exact ratio of densities at random points, rows and parameters; some of it is nearly reached."""
    claim, nearly = objective_is_private("logistic_objective", neighbours).claim, 0
    with mpmath.workprec(120):
        for chance in chances(f"objective {size} {neighbours}"):
            known = {
                "norm": F(chance.randint(1, 4), 2), "granularity": F(1, 8), "dimension": F(size),
                "regularisation": chance.choice([F(1, 100), F(1, 4), F(1), F(20)]),
                "rate": chance.choice([F(1, 100), F(1, 2), F(3)]),
            }  # fmt: skip
            d_in = chance.choice([0, 1, 1, 1, 2])
            table = tuple(vector(chance, size, known["norm"]) for _ in range(chance.randint(0, 3)))
            other = neighbour(
                chance, table, neighbours, d_in, lambda s=size, n=known["norm"], c=chance: vector(c, s, n)
            )
            assert METRICS[METRIC[neighbours]].within(table, other, F(d_in))
            values = {key: Intervals(80).number(v) for key, v in (known | {"d_in": F(d_in)}).items()}
            enclosed = evaluate(claim.d_out[0], values, Intervals(80))
            w = tuple(fraction(F(chance.randint(-40, 40), chance.choice([2, 8, 80]))) for _ in range(size))
            lost = log_density(table, w, known) - log_density(other, w, known)
            assert abs(lost) <= fraction(enclosed.upper) + mpmath.mpf(2) ** -60
            nearly += d_in > 0 and 3 * abs(lost) >= 2 * fraction(enclosed.upper)
    assert nearly >= share(5)


def test_the_exact_ratio_is_that_of_the_definition():
    with mpmath.workprec(120):
        for chance in chances("ratio of densities", 300):
            known = {
                "norm": F(1), "granularity": F(1, 8), "regularisation": F(chance.randint(1, 8), 4),
                "rate": F(chance.randint(1, 8), 4), "dimension": F(1),
            }  # fmt: skip
            tables = [tuple(vector(chance, 1, F(1)) for _ in range(chance.randint(0, 3))) for _ in range(2)]
            w = F(chance.randint(-40, 40), 8)
            subject = read(f"logistic_objective(1, {known['regularisation']}, {known['rate']}, 1, 1/8)")
            found = evaluate(log_ratio(subject, (w,), *tables), {}, Intervals(100))
            expected = log_density(tables[0], [fraction(w)], known) - log_density(tables[1], [fraction(w)], known)
            slack = mpmath.mpf(2) ** -60
            assert fraction(found.lower) - slack <= expected <= fraction(found.upper) + slack


@pytest.mark.parametrize("table", [(), ((F(1),),), ((F(1),), (F(-1, 2),), (F(3, 4),))])
def test_the_density_is_that_of_the_minimum(table):
    """Its integral up to w is the probability that the linear term is at least the gradient less it, by its own law."""
    known = {"norm": F(1), "granularity": F(1, 8), "regularisation": F(1, 2), "rate": F(1)}

    def density(w):
        return mpmath.exp(log_density(table, [w], known)) * fraction(known["rate"]) / 2

    def gradient(w):
        return w / 2 - sum(fraction(z) / (1 + mpmath.exp(w * fraction(z))) for (z,) in table)

    for w in (-3, -0.5, 0.25, 2):
        mass = mpmath.quad(density, [*mpmath.linspace(-60, w, 40)])
        g = gradient(mpmath.mpf(w))
        expected = mpmath.exp(g) / 2 if g < 0 else 1 - mpmath.exp(-g) / 2
        assert abs(mass - expected) < 1e-3


def cells(table, known, step, ends):
    """The exact masses of the rounded minimum in one dimension: by the law of the random term at the gradient there."""

    def below(w):
        """P[the minimum is below w]: the term is at least less the gradient at w."""
        g = fraction(known["regularisation"]) * w
        for row in table:
            (z,) = image(row, known["norm"], known["granularity"])
            g -= z / (1 + mpmath.exp(w * z))
        g *= fraction(known["rate"])
        return mpmath.exp(g) / 2 if g < 0 else 1 - mpmath.exp(-g) / 2

    edges = [below(fraction(step) * (k - mpmath.mpf(1) / 2)) for k in range(-ends, ends + 2)]
    return [high - low for low, high in pairwise(edges)]


@pytest.mark.parametrize("neighbours", METRIC)
def test_no_rounded_outcome_is_likelier_than_the_claim_says(neighbours):
    """The exact masses of 17 outcomes at random rows and parameters; half of the loss is not enough for some."""
    claim, beyond_half = objective_is_private("rounded_logistic_objective", neighbours).claim, 0
    with mpmath.workprec(120):
        for chance in chances(f"rounded objective {neighbours}"):
            step = chance.choice([F(1, 16), F(1, 2), F(4)])
            known = {
                "norm": F(chance.randint(1, 4), 2), "granularity": F(1, 8), "dimension": F(1), "step": step,
                "regularisation": chance.choice([F(1, 100), F(1, 4), F(1), F(20)]),
                "rate": chance.choice([F(1, 100), F(1, 2), F(3)]),
            }  # fmt: skip
            table = tuple(vector(chance, 1, known["norm"]) for _ in range(chance.randint(0, 3)))
            other = neighbour(chance, table, neighbours, 1, lambda n=known["norm"], c=chance: vector(c, 1, n))
            values = {key: Intervals(80).number(v) for key, v in (known | {"d_in": F(1)}).items()}
            limit = fraction(evaluate(claim.d_out[0], values, Intervals(80)).upper)
            for p, q in zip(*(cells(one, known, step, 8) for one in (table, other)), strict=True):
                if min(p, q) > mpmath.mpf(2) ** -60:
                    lost = abs(mpmath.log(p / q))
                    assert lost <= limit + mpmath.mpf(2) ** -40
                    beyond_half += lost > limit / 2
    assert beyond_half >= share(5)
