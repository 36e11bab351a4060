"""Principal components: the eigenvectors of the covariance from the noisy second moments of the scaled columns.

The sum of z z^T over z = (1, columns) holds the number of rows and their sums, too, so that the covariance follows from
it.  Noise is independent on all entries; the mean of the matrix and its transpose is used, in which the noise of an
entry off the diagonal has half the variance, as symmetric noise of the same guarantee may have.
Source: DTTZ14.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refdp.models import arrays
from refdp.models.fitting import Comparison, Fit, Record, noisy_moments, whole
from refdp.pipeline import Exactly
from refdp.transformations.prepared_columns import Numbers


def principal_components(
    rows: Sequence[Record],
    features: Sequence[Numbers],
    components: int,
    epsilon: Exactly,
    delta: Exactly,
    *,
    neighbours: str = "add_remove",
    norm: Exactly | None = None,
) -> Fit:
    """The directions of most variance of the scaled features, (epsilon, delta)-DP for one row added or removed.

    Or replaced, under change_one.  Rows (1, scaled features) are clipped to `norm`; without one none is.  Raises
    ValueError for what does not fit, and where numpy is missing.
    """
    arrays.require_arrays()
    listed, table = tuple(features), tuple(rows)
    count = whole(components, "components", max(1, len(listed)))
    moments = noisy_moments(table, listed, epsilon, delta, neighbours, norm)
    size = 1 + len(listed)
    noisy = arrays.covariance(arrays.symmetric(moments.released, size))
    values, found = arrays.directions(noisy, count)

    def compared() -> Comparison:
        """The share of the variance that the directions explain."""
        true = arrays.covariance(arrays.symmetric(moments.exact(), size))
        best = arrays.directions(true, count)[1]
        private, plain = (arrays.share_explained(true, one) for one in (found, best))
        drawn = {"components": [[float(x) for x in row] for row in best]}
        what = f"share of the variance of the scaled columns in {count} directions"
        return Comparison(what, private, plain, drawn)

    names = [one.column for one in listed]
    model: dict[str, Any] = {
        "components": [dict(zip(names, map(float, row), strict=True)) for row in found],
        "noisy_variances": [float(one) for one in values],
    }
    drawn = {"columns": names, "components": [[float(x) for x in row] for row in found]}
    return Fit(
        "principal_components", moments.theorem, "discrete_gaussian", moments.sigma, size**2, moments.released, model,
        compared, drawn=drawn,
    )  # fmt: skip
