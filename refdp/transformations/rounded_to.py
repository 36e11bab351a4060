"""Round a number, or each coordinate of a vector, to a grid: what real answers need before noise on the grid.

Claims: numbers at most a whole multiple of the granularity apart stay so, and likewise vectors in Linf; in L1 and L2
each coordinate may add one step.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError, Transformation, transformation
from refdp.spec.registry import register
from refdp.spec.rounding import Rounding
from refdp.spec.signatures import ROUNDED_NORMS, rounding_signature
from refdp.terms.reading import read
from refdp.terms.term import term

ROUNDED_TO = register(
    Rounding(
        stem="rounded_to",
        parameters=("granularity",),
        conditions=(read("0 < granularity"),),
        example={"granularity": term(1)},
    )
)


def rounded_to(granularity: Exactly, dimension: Exactly | None = None, norm: str = "l1") -> Transformation:
    """numbers -> the nearest multiple of granularity > 0, exact; with a dimension, vectors in `norm`: l1, l2 or linf.

    Raises ValueError for other parameters.

    >>> rounded_to("1/10")("2/3")
    Fraction(7, 10)
    """
    step = exact(granularity, "granularity")
    if dimension is None:
        return transformation(ROUNDED_TO, rounding_signature(ROUNDED_TO, "absolute"), granularity=step)
    n = exact(dimension, "dimension")
    if n.denominator != 1 or n < 1:
        raise PipelineError(f"dimension must be a whole number >= 1, got {n}")
    if norm not in ROUNDED_NORMS:
        raise PipelineError(f"norm must be one of {', '.join(ROUNDED_NORMS)}, got {norm}")
    return transformation(ROUNDED_TO, rounding_signature(ROUNDED_TO, norm), granularity=step, dimension=n)
