"""What attacks compute with: secrets and exact noise in arrays, public subsets, and the estimates that solve for bits.

Secrets and coins are digits of the operating system, noise is drawn exactly; which subsets are asked about is public,
and follows from a seed.  Estimates are floats: an attacker needs no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from hashlib import shake_256
from math import exp, prod
from typing import TYPE_CHECKING, Any

from refdp.attacks.coins import below
from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.sampling.words import SYSTEM_WORDS

if TYPE_CHECKING:
    import numpy as np

    Bits = np.ndarray[Any, np.dtype[np.int64]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

CHUNK = 2_000_000
"""Most numbers that one array of draws holds."""


def chunks(runs: int, numbers: int, step: Callable[[int], None]) -> Iterator[int]:
    """Numbers of runs that add up to `runs`, each with at most about CHUNK numbers; `step` hears what is done."""
    done, size = 0, max(1, CHUNK // max(1, numbers))
    while done < runs:
        step(done)
        part = min(size, runs - done)
        yield part
        done += part


def unpacked(content: bytes, *shape: int) -> Bits:
    """The first digits of the content, as an array of 0 and 1 of that shape."""
    import numpy as np

    bits = np.unpackbits(np.frombuffer(content, dtype=np.uint8), count=prod(shape))
    found: Bits = bits.astype(np.int64).reshape(shape)
    return found


def fair_bits(*shape: int) -> Bits:
    """Independent fair bits of the operating system."""
    return unpacked(SYSTEM_WORDS.octets(-(-prod(shape) // 8)), *shape)


def whole_numbers(numbers: Sequence[Any]) -> Bits:
    """The numbers, or rows of them, as an array."""
    import numpy as np

    return np.array(numbers, dtype=np.int64)


def one_hot(places: Bits, count: int) -> Bits:
    """For each place a row of `count` numbers, 1 at the place and 0 elsewhere."""
    import numpy as np

    found: Bits = (places[:, None] == np.arange(count)).astype(np.int64)
    return found


def random_places(runs: int, count: int) -> Bits:
    """For each run one of the places 0 to count - 1, each as likely."""
    return whole_numbers([below(count) for _ in range(runs)])


def public_subsets(people: int, answers: int, seed: int) -> Bits:
    """For each answer a row that says who is counted: each person with probability 1/2, by SHAKE-256 of the seed."""
    content = shake_256(f"refdp attack {seed} {people} {answers}".encode()).digest(-(-people * answers // 8))
    return unpacked(content, answers, people)


def counts(subsets: Bits, bits: Bits) -> Bits:
    """The number of ones in each subset: shapes (answers, people), (people, runs), (answers, runs)."""
    import numpy as np

    found: Bits = (subsets.astype(np.float64) @ bits.astype(np.float64)).astype(np.int64)  # exact below 2^53
    return found


def noisy(values: Bits, scale: Fraction | None) -> Bits:
    """Each value with fresh noise, P[Z = z] proportional to e^(-|z| / scale); without a scale as it is."""
    if scale is None:
        return values
    found: Bits = discrete_laplace(scale).each(values)
    return found


def guesses(scores: Bits) -> Bits:
    """1 where the score is positive, 0 where it is negative, and a fair coin where it is 0."""
    import numpy as np

    coins = fair_bits(*scores.shape) if (scores == 0).any() else np.zeros_like(scores)
    return np.where(scores == 0, coins, scores > 0).astype(np.int64)


LOTS = 40
"""Digits of the lot that is drawn for each cell where greatest numbers are equal."""


def greatest(cells: Bits) -> Bits:
    """The place of the greatest number of each row; of several one by chance, each as likely but for 2^-LOTS or so."""
    import numpy as np

    ties = cells == cells.max(axis=1, keepdims=True)
    if bool((ties.sum(axis=1) == 1).all()):
        return np.asarray(ties.argmax(axis=1))
    lots = (fair_bits(*cells.shape, LOTS) << np.arange(LOTS)).sum(axis=2)
    return np.asarray((ties * (lots + 1)).argmax(axis=1))


def variance(scale: Fraction | None) -> float:
    """About the variance of that noise: 2 q / (1 - q)^2, q = e^(-1 / scale)."""
    if scale is None:
        return 0.0
    q = exp(-1 / float(scale)) if scale > Fraction(1, 700) else 0.0
    return 2 * q / (1 - q) ** 2


def least_squares(subsets: Bits, answers: Bits, scale: Fraction | None) -> Floats:
    """An estimate of each bit: of all linear ones that of least mean square error, for fair bits and that noise.

    Shapes: subsets (answers, people), answers (answers, runs); the estimate (people, runs).  It minimises |A x - y|^2 +
    4 v |x - 1/2|^2, v the variance of the noise; without noise it is least squares.
    """
    import numpy as np
    from scipy import linalg

    a, weight = subsets.astype(np.float64), 4 * variance(scale)
    centred = answers - a.sum(axis=1, keepdims=True) / 2
    if weight == 0:
        return np.asarray(linalg.pinv(a) @ centred + 0.5)
    gram = a.T @ a + weight * np.eye(a.shape[1])
    return np.asarray(linalg.solve(gram, a.T @ centred, assume_a="pos") + 0.5)


def linear_programming(subsets: Bits, answers: Bits, scale: Fraction | None) -> Floats:
    """An estimate of each bit: the x from 0 to 1 with the least sum of |A x - y|, for each run; shapes as above.

    It is the likeliest under Laplace noise, whatever its scale.
    """
    import numpy as np

    found = [least_absolute(subsets, answers[:, run]) for run in range(answers.shape[1])]
    return np.stack(found, axis=1)


def least_absolute(subsets: Bits, answers: Bits) -> Floats:
    """argmin of the sum of t, -t <= A x - y <= t, 0 <= x <= 1."""
    import numpy as np
    from scipy import sparse
    from scipy.optimize import linprog

    many, people = subsets.shape
    one = sparse.identity(many)
    a = sparse.csr_matrix(subsets.astype(np.float64))
    rows = sparse.vstack([sparse.hstack([a, -one]), sparse.hstack([-a, -one])])
    limits = np.concatenate([answers, -answers]).astype(np.float64)
    costs = np.concatenate([np.zeros(people), np.ones(many)])
    ends = [(0, 1)] * people + [(0, None)] * many
    found = linprog(costs, A_ub=rows, b_ub=limits, bounds=ends, method="highs")
    if found.x is None:
        raise ValueError(f"the linear programme must be solved, got: {found.message}")
    return np.asarray(found.x[:people])


def require_arrays() -> None:
    """ValueError where numpy is missing."""
    try:
        import numpy as np  # noqa: F401
    except ImportError:
        raise ValueError("attacks need numpy, which the extra `bulk` of refdp installs") from None


def require_solvers() -> None:
    """ValueError where scipy is missing."""
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise ValueError("reconstruction needs scipy, which the extra `audit` of refdp installs") from None
