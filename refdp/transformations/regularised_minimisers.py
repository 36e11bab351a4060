"""Coefficients of least regularised loss: logistic regression and a smooth support vector machine, for private use.

A row is a vector z = y x, the features x times the label y, 1 or -1; it is clipped to a Euclidean norm.  The sum of
l(w . z) over the rows and of (regularisation / 2) |w|^2 is minimised, up to a gradient of length `tolerance`.
Claims: d_in rows added or removed move the coefficients by at most (d_in norm + 2 tolerance) / regularisation in L2,
d_in rows replaced by at most (2 d_in norm + 2 tolerance) / regularisation, in any dimension, if |l'| <= 1 and l is
convex; in L1 sqrt(dimension) times as far.  Where l is linear that is attained, but for the tolerance.
Source: CMS11 Thm 6 (output perturbation, of exact minimisers of means over a public number of rows).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refdp.pipeline import Exactly, PipelineError, Transformation, reachable, transformation
from refdp.spec.formulas import Real, formula
from refdp.spec.minimisers import Minimiser
from refdp.spec.registry import register
from refdp.spec.signatures import minimiser_signature
from refdp.terms.reading import read
from refdp.terms.term import term
from refdp.transformations.clipped_vector_sum import CLIPPED_VECTOR_SUM


@formula
def logistic_slope(power: Real) -> Real:
    """The derivative of ln(1 + e^-margin), where power = e^margin."""
    return -1 / (1 + power)


@formula
def huber_slope(margin: Real, width: Real) -> Real:
    """The derivative of the hinge loss max(0, 1 - margin), rounded between 1 - width and 1 + width."""
    return -min(1, max(0, (1 + width - margin) / (2 * width)))


@formula
def linear_slope() -> Real:
    """The derivative of the loss -margin."""
    return -1


@formula
def one() -> Real:
    """How steep each of these losses is at most."""
    return 1


@formula
def logistic_rise() -> Real:
    """The second derivative of the logistic loss is at most a quarter."""
    return 1 / 4


@formula
def huber_rise(width: Real) -> Real:
    """How fast the slope of the rounded hinge rises."""
    return 1 / (2 * width)


@formula
def no_rise() -> Real:
    """The slope of a line is the same everywhere."""
    return 0


LOGISTIC_MINIMISER = register(
    Minimiser(
        stem="logistic_minimiser",
        parameters=("norm", "regularisation", "tolerance", "dimension", "granularity"),
        conditions=(*CLIPPED_VECTOR_SUM.conditions, read("0 < regularisation"), read("0 < tolerance")),
        example={
            "norm": term(1),
            "regularisation": term(2),
            "tolerance": term(Fraction(1, 1000)),
            "dimension": term(2),
            "granularity": term(Fraction(1, 8)),
        },
        clipped=CLIPPED_VECTOR_SUM,
        slope=logistic_slope,
        steepness=one,
        rise=logistic_rise,
    )
)
HUBER_MINIMISER = register(
    replace(
        LOGISTIC_MINIMISER,
        stem="huber_minimiser",
        parameters=("norm", "regularisation", "width", "tolerance", "dimension", "granularity"),
        conditions=(*LOGISTIC_MINIMISER.conditions, read("0 < width")),
        example={
            "norm": term(1),
            "regularisation": term(2),
            "width": term(Fraction(1, 2)),
            "tolerance": term(Fraction(1, 1000)),
            "dimension": term(2),
            "granularity": term(Fraction(1, 8)),
        },
        slope=huber_slope,
        rise=huber_rise,
    )
)
LINEAR_LOSS_MINIMISER = register(
    replace(LOGISTIC_MINIMISER, stem="linear_loss_minimiser", slope=linear_slope, rise=no_rise)
)
LINEAR_LOSS_AVERAGE_MINIMISER = register(
    replace(LINEAR_LOSS_MINIMISER, stem="linear_loss_average_minimiser", averaged=True)
)


def logistic_minimiser(
    norm: Exactly,
    regularisation: Exactly,
    tolerance: Exactly,
    dimension: Exactly,
    granularity: Exactly = 1,
    neighbours: str = "add_remove",
    metric: str = "l2",
) -> Transformation:
    """table of vectors label x features -> the coefficients of logistic regression with a ridge, exact to a tolerance.

    norm > 0 in the unit of the rows: longer ones are scaled down to it, and rounded towards zero to multiples of
    granularity > 0.  regularisation > 0 and public; for the mean of the losses over a public number n of rows it is n
    times theirs.  The gradient at what is returned is no longer than tolerance > 0.  The map is in `metric`, l1 or l2.
    dimension is at most 100, regularisation at least norm^2 / 2^32, and no parameter has more than 256 binary digits
    above or below its /.
    Raises ValueError for others.

    >>> [round(float(w), 3) for w in logistic_minimiser(1, 1, "1/1000", 2)(((1, 0), (1, 0), (0, -1)))]
    [0.675, -0.401]
    """
    given = {"norm": norm, "regularisation": regularisation, "tolerance": tolerance, "dimension": dimension}
    return _minimiser(LOGISTIC_MINIMISER, neighbours, metric, **given, granularity=granularity)


def huber_minimiser(
    norm: Exactly,
    regularisation: Exactly,
    width: Exactly,
    tolerance: Exactly,
    dimension: Exactly,
    granularity: Exactly = 1,
    neighbours: str = "add_remove",
    metric: str = "l2",
) -> Transformation:
    """table of vectors label x features -> the coefficients of a smooth support vector machine, exact to a tolerance.

    The hinge loss is rounded between the margins 1 - width and 1 + width, width > 0, and regularisation is at least
    norm^2 / (2^31 width); the rest is as for `logistic_minimiser`.  Raises ValueError for others.

    >>> [round(float(w), 3) for w in huber_minimiser(1, 1, "1/2", "1/1000", 2)(((1, 0), (1, 0), (0, -1)))]
    [1.0, -0.75]
    """
    given = {"norm": norm, "regularisation": regularisation, "width": width, "tolerance": tolerance}
    return _minimiser(HUBER_MINIMISER, neighbours, metric, **given, dimension=dimension, granularity=granularity)


def _minimiser(kind: Minimiser, neighbours: str, metric: str, **given: Exactly) -> Transformation:
    """The transformation of that kind at exact parameters."""
    if metric not in ("l1", "l2"):
        raise PipelineError(f"metric must be l1 or l2, got {metric}")
    return transformation(kind, minimiser_signature(kind, neighbours, metric), **reachable(kind, given))
