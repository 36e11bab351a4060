"""What models are worked out with from noisy answers: symmetric matrices, directions, coefficients, in floats.

None of it sees the table, but where a fit is compared with the one without noise: no float here carries a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]


def symmetric(entries: Sequence[Fraction], size: int) -> Floats:
    """The matrix of these entries, row by row, made symmetric by (M + M^T) / 2."""
    import numpy as np

    m = np.array([float(one) for one in entries], dtype=np.float64).reshape(size, size)
    return np.asarray((m + m.T) / 2)


def covariance(moments: Floats) -> Floats:
    """The covariance of the columns from the sum of z z^T, z = (1, columns); with fewer than 1 row as of 1."""
    import numpy as np

    rows = max(1.0, float(moments[0, 0]))
    mean = moments[0, 1:] / rows
    return np.asarray(moments[1:, 1:] / rows - np.outer(mean, mean))


def directions(matrix: Floats, count: int) -> tuple[Floats, Floats]:
    """The first `count` eigenvalues, greatest first, and their unit eigenvectors, one a row, first entries positive."""
    import numpy as np

    values, vectors = np.linalg.eigh(matrix)
    found = vectors[:, ::-1].T[:count]
    signs = np.where(found[np.arange(len(found)), np.abs(found).argmax(axis=1)] < 0, -1.0, 1.0)
    return np.asarray(values[::-1][:count]), np.asarray(found * signs[:, None])


def share_explained(matrix: Floats, rows: Floats) -> float:
    """The part of the trace that lies in the span of these orthonormal rows."""
    import numpy as np

    total = float(np.trace(matrix))
    return float(np.trace(rows @ matrix @ rows.T)) / total if total > 0 else 1.0


def ridge_solution(moments: Floats, deviation: float) -> tuple[Floats, float]:
    """The coefficients of the last column by the others, and the weight of the ridge that keeps them stable.

    The weight is what lifts the least eigenvalue to sqrt(2 size) deviations: about the size of symmetric noise of
    variance deviation^2 / 2.  The idea is AdaSSP's; here the eigenvalue is of the noisy matrix, and costs nothing.
    """
    import numpy as np

    gram, target = moments[:-1, :-1], moments[:-1, -1]
    needed = (2 * len(gram)) ** 0.5 * deviation
    least = float(np.linalg.eigvalsh(gram)[0])
    weight = max(0.0, needed - least)
    if weight == 0.0 and least <= 0.0:
        return np.asarray(np.linalg.pinv(gram) @ target), 0.0
    return np.asarray(np.linalg.solve(gram + weight * np.eye(len(gram)), target)), weight


def mean_square(moments: Floats, coefficients: Floats) -> float:
    """The mean square of the errors of the last column, from the sum of z z^T alone."""
    import numpy as np

    by = np.append(coefficients, -1.0)
    return max(0.0, float(by @ moments @ by)) / max(1.0, float(moments[0, 0]))


def require_arrays() -> None:
    """ValueError where numpy is missing."""
    try:
        import numpy as np  # noqa: F401
    except ImportError:
        raise ValueError("this model needs numpy, which the extra `bulk` of refdp installs") from None
