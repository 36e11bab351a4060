"""Logistic regression by objective perturbation: the coefficients of least loss, ridge and random linear term.

M(table) is where the sum of ln(1 + e^(-w . z)) + b . w + (regularisation / 2) |w|^2 is least, over rows z that are
clipped to a Euclidean norm, b with a density in proportion to exp(-rate |b|).  A mechanism over the reals, of exact
minima: it is judged, and no draw of it is made.
Source: CMS11 Alg. 2, Thm 9 (with 2 ln(1 + k) where ln(1 + k) is enough, k = curving norm^2 / regularisation).
"""

from __future__ import annotations

from fractions import Fraction

from refdp.spec.formulas import Real, formula, indicator
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.registry import register
from refdp.spec.rescaled import RescaledSum
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def factor(square: Real, root: Real, norm: Real) -> Real:
    """1 for a vector of norm at most `norm`, else norm over a root of its square."""
    return indicator(square <= norm**2) + indicator(norm**2 < square) * norm / max(norm, root)


@formula
def reach(norm: Real) -> Real:
    """How long a clipped vector is at most."""
    return norm


@formula
def slope(power: Real) -> Real:
    """The derivative of ln(1 + e^-margin), where power = e^margin."""
    return -1 / (1 + power)


@formula
def steepness() -> Real:
    """How steep the loss is at most."""
    return 1


@formula
def curving() -> Real:
    """The second derivative of the loss is at most a quarter."""
    return 1 / 4


CLIPPED = (read("0 < norm"), read("integer(dimension)"), read("1 <= dimension"), read("0 < granularity"))
ROWS = RescaledSum(
    stem="clipped_rows",
    parameters=("norm", "dimension", "granularity"),
    conditions=CLIPPED,
    example={"norm": term(1), "dimension": term(2), "granularity": term(Fraction(1, 8))},
    factor=factor,
    reach=reach,
)
"""How rows are clipped: as those of `clipped_vector_sum`."""
LOGISTIC_OBJECTIVE = register(
    PerturbedObjective(
        stem="logistic_objective",
        parameters=("norm", "regularisation", "rate", "dimension", "granularity"),
        conditions=(*CLIPPED, read("0 < regularisation"), read("0 < rate")),
        example={
            "norm": term(1),
            "regularisation": term(1),
            "rate": term(1),
            "dimension": term(2),
            "granularity": term(Fraction(1, 8)),
        },
        clipped=ROWS,
        slope=slope,
        steepness=steepness,
        curving=curving,
    )
)
