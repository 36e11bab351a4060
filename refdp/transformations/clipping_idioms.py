"""Clipping as training libraries write it: by layers, with a guard in the denominator, always, to the nearest, last.

Claims, each about one row added or removed, in any dimension, in L2: by layers, sqrt(layers) norm; guarded or
automatic, norm; rounded to the nearest, norm + sqrt(dimension) granularity / 2; the sum clipped in place of the rows,
2 norm.  Beside each stands the bound that is often written instead.
Source: ACGMM16 Alg. 1; BWZK23 (automatic clipping).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term
from refdp.transformations.clipped_vector_sum import CLIPPED_VECTOR_SUM


@formula
def number_of_layers(layers: Real) -> Real:
    """In how many equal parts a vector is cut."""
    return layers


@formula
def guarded(root: Real, norm: Real, guard: Real) -> Real:
    """The factor min(1, norm / (root + guard)), whose denominator is never 0."""
    return min(1, norm / (root + guard))


@formula
def automatic(root: Real, norm: Real, guard: Real) -> Real:
    """The factor norm / (root + guard) of every vector: short ones are scaled up."""
    return norm / (root + guard)


LAYERED_CLIPPED_SUM = register(
    replace(
        CLIPPED_VECTOR_SUM,
        stem="layered_clipped_sum",
        parameters=("norm", "layers", "dimension", "granularity"),
        conditions=(
            *CLIPPED_VECTOR_SUM.conditions,
            read("integer(layers)"),
            read("1 <= layers"),
            read("multiple(dimension, layers)"),
        ),
        example={"norm": term(5), "layers": term(2), "dimension": term(4), "granularity": term(1)},
        layers=number_of_layers,
    )
)
_WITH_A_GUARD = replace(
    CLIPPED_VECTOR_SUM,
    parameters=("norm", "guard", "dimension", "granularity"),
    conditions=(*CLIPPED_VECTOR_SUM.conditions, read("0 < guard")),
    example={"norm": term(5), "guard": term(1), "dimension": term(2), "granularity": term(1)},
    keeps_root=True,
)
GUARDED_CLIPPED_SUM = register(replace(_WITH_A_GUARD, stem="guarded_clipped_sum", factor=guarded))
AUTOMATIC_CLIPPED_SUM = register(replace(_WITH_A_GUARD, stem="automatic_clipped_sum", factor=automatic))
NEAREST_CLIPPED_SUM = register(replace(CLIPPED_VECTOR_SUM, stem="nearest_clipped_sum", rounding="nearest"))
CLIPPED_TOTAL = register(replace(CLIPPED_VECTOR_SUM, stem="clipped_total", stage="total"))
