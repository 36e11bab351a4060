"""Linear regression by sufficient statistics: least squares with a ridge from noisy X^T X, X^T y and y^T y.

They are blocks of the sum of z z^T over z = (1, features, target), all scaled to [-1, 1].  The ridge is chosen from the
noisy matrix and the public sigma.
Source: DTTZ14 (the matrix).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from refdp.models import arrays
from refdp.models.fitting import Comparison, Fit, Record, noisy_moments
from refdp.pipeline import Exactly, PipelineError
from refdp.transformations.prepared_columns import Numbers


def linear_regression(
    rows: Sequence[Record],
    target: Numbers,
    features: Sequence[Numbers],
    epsilon: Exactly,
    delta: Exactly,
    *,
    neighbours: str = "add_remove",
    norm: Exactly | None = None,
) -> Fit:
    """Coefficients of the target by the features, (epsilon, delta)-DP for one row added or removed, or replaced.

    Rows (1, scaled features, scaled target) are clipped to `norm`; without one none is.  Raises ValueError for what
    does not fit, and where numpy is missing.
    """
    arrays.require_arrays()
    if not isinstance(target, Numbers):
        raise PipelineError("target must be a column of numbers for linear_regression")
    listed, table = tuple(features), tuple(rows)
    moments = noisy_moments(table, (*listed, target), epsilon, delta, neighbours, norm)
    size = 2 + len(listed)
    coefficients, ridge = arrays.ridge_solution(arrays.symmetric(moments.released, size), float(moments.sigma))
    half = float(target.upper - target.lower) / 2

    def compared() -> Comparison:
        """The root of the mean square of the errors, in the unit of the target."""
        true = arrays.symmetric(moments.exact(), size)
        best = arrays.ridge_solution(true, 0.0)[0]
        private, plain = (half * sqrt(arrays.mean_square(true, one)) for one in (coefficients, best))
        drawn = {"coefficients": [float(one) for one in best[1:]]}
        return Comparison(f"root mean square error of {target.column}", private, plain, drawn)

    model = told([float(one) for one in coefficients], target, listed) | {"ridge": ridge}
    drawn = {"columns": [one.column for one in listed], "coefficients": [float(one) for one in coefficients[1:]]}
    return Fit(
        "linear_regression", moments.theorem, "discrete_gaussian", moments.sigma, size**2, moments.released, model,
        compared, drawn=drawn,
    )  # fmt: skip


def told(scaled: Sequence[float], target: Numbers, features: Sequence[Numbers]) -> dict[str, Any]:
    """The intercept and coefficients in the units of the columns.

    >>> told([0.0, 1.0], Numbers("y", 0, 10), [Numbers("x", 0, 2)])
    {'intercept': 0.0, 'coefficients': {'x': 5.0}}
    """
    half, middle = float(target.upper - target.lower) / 2, float(target.upper + target.lower) / 2
    found, intercept = dict[str, float](), middle + half * scaled[0]
    for one, coefficient in zip(features, scaled[1:], strict=True):
        found[one.column] = half * coefficient / (float(one.upper - one.lower) / 2)
        intercept -= found[one.column] * float(one.upper + one.lower) / 2
    return {"intercept": intercept, "coefficients": found}
