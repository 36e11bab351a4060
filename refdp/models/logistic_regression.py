"""Logistic regression by output perturbation: coefficients of least regularised loss, and noise on each of them.

A row is its label, 1 or -1, times (1, features scaled to [-1, 1]).  With a delta the noise is discrete Gaussian by the
sensitivity in L2, without one discrete Laplace by that in L1.
Source: CMS11 Alg. 1 (with another noise, for minimisers as a computer finds them).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, sqrt

from refdp.derivations import theorem
from refdp.kernel import rules
from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.models.fitting import Comparison, Fit, Record, enough_noise, exact_distance, loss_of
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, PipelineError, exact_data
from refdp.transformations.prepared_columns import Labels, Numbers, signed_columns
from refdp.transformations.regularised_minimisers import logistic_minimiser
from refdp.transformations.rounded_to import rounded_to

STEP = Fraction(1, 256)
"""The grid of scaled columns."""
TOLERANCE = Fraction(1, 4096)
"""How long the gradient may be at what is taken for a minimum: a row moves it by up to the norm, which is above 1."""
FINENESS = 4096
"""Coefficients are rounded to less than this part of how far a row moves them."""
SPARE = Fraction(1, 10**6)
"""What the scale has to spare where roots in its theorem are rounded up, step by step."""
REGULARISATION = 10
LEAST, MOST = Fraction(1, 1000), 10**6
"""The least and the greatest regularisation."""
MOST_FEATURES = 50


def logistic_regression(
    rows: Sequence[Record],
    target: Labels,
    features: Sequence[Numbers],
    epsilon: Exactly,
    delta: Exactly | None = None,
    *,
    regularisation: Exactly = REGULARISATION,
    neighbours: str = "add_remove",
    norm: Exactly | None = None,
) -> Fit:
    """Coefficients of the log odds of the target's second label, for one row added or removed, or replaced.

    epsilon-DP, or (epsilon, delta)-DP with a delta.  regularisation from 1/1000 to 10^6, and public: it is that of the
    sum of the losses, so n times that of their mean.  Rows (1, scaled features) are clipped to `norm`; without one none
    is.  Rows of another label count nowhere.  Raises ValueError for what does not fit.
    """
    listed, table, loss = tuple(features), tuple(rows), loss_of(epsilon)
    if len(listed) > MOST_FEATURES:
        raise PipelineError(f"features must be at most {MOST_FEATURES}, got {len(listed)}")
    weight, size = exact(regularisation, "regularisation"), 1 + len(listed)
    if not LEAST <= weight <= MOST:
        raise PipelineError(f"regularisation must be from 1/1000 to 10^6, got {regularisation}")
    length = Fraction(ceil(64 * sqrt(size)), 64) if norm is None else exact(norm, "norm")
    metric = "l1" if delta is None else "l2"
    signed = signed_columns(target, listed, STEP, 1, neighbours)
    minimised = logistic_minimiser(length, weight, TOLERANCE, size, STEP, neighbours, metric)
    step = Fraction(1, 2 ** max(0, (ceil(FINENESS / exact_distance(minimised)) - 1).bit_length()))
    coefficients = signed >> minimised >> rounded_to(step, size, metric)
    noisy: Measurement
    if delta is None:
        scale = exact_distance(coefficients) * (1 + SPARE) / loss
        noisy = coefficients >> discrete_laplace(scale, step, dimension=size)
        proved = rules.weaken(theorem(noisy, 1), d_out=[str(loss)])
    else:
        chance = exact(delta, "delta")
        if not 0 < chance < 1:
            raise PipelineError(f"delta must be > 0 and < 1, got {delta}")
        noisy, scale = enough_noise(coefficients, step, size, loss, chance)
        proved = rules.weaken(theorem(noisy, 1), d_out=[str(loss), str(chance)])
    released = noisy(table)

    def compared() -> Comparison:
        """The share of the rows with a label whose label is named rightly."""
        vectors = [z for z in signed(exact_data(table)) if any(z)]
        best = coefficients(exact_data(table))
        private, plain = (share_right(vectors, by) for by in (released, best))
        drawn = {"coefficients": [float(one) for one in best[1:]]}
        return Comparison("share of rows whose label is right", private, plain, drawn)

    stem = "discrete_laplace" if delta is None else "discrete_gaussian"
    drawn = {"columns": [one.column for one in listed], "coefficients": [float(one) for one in released[1:]]}
    model = told(released, target, listed)
    return Fit("logistic_regression", proved, stem, scale, size, released, model, compared, drawn=drawn)


def share_right(rows: Sequence[Sequence[Fraction]], by: Sequence[Fraction]) -> float:
    """The share of rows, features times label, that lie on the side of their label; 0 of none."""
    right = sum(sum((a * b for a, b in zip(row, by, strict=True)), Fraction(0)) > 0 for row in rows)
    return right / max(1, len(rows))


def told(by: Sequence[Fraction], target: Labels, features: Sequence[Numbers]) -> dict[str, object]:
    """Intercept and coefficients of the log odds of the second label, in the units of the columns.

    >>> told([Fraction(0), Fraction(1)], Labels("y", ("no", "yes")), [Numbers("x", 0, 2)])
    {'label': 'yes', 'intercept': -1.0, 'coefficients': {'x': 1.0}}
    """
    found, intercept = dict[str, float](), float(by[0])
    for one, coefficient in zip(features, by[1:], strict=True):
        found[one.column] = float(coefficient / ((one.upper - one.lower) / 2))
        intercept -= found[one.column] * float(one.upper + one.lower) / 2
    return {"label": target.labels[1], "intercept": intercept, "coefficients": found}
