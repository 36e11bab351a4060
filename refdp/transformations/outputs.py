"""Functions of an output alone, for post-processing: clamp it, multiply it, decode a vector by a matrix,
or the user's own.

Post-processing costs nothing because it reads only the output.  A user's function that closes over other values is
refused; that the rest reads only its argument is a named assumption.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.spec.linear import matrix_of, product_with
from refdp.spec.registry import register
from refdp.spec.semantics import PostFunction
from refdp.terms.reading import read
from refdp.terms.term import term


def _each(output: Any, change: Any) -> Any:
    """`change` applied to a number, or to every number of a vector."""
    return tuple(_each(o, change) for o in output) if isinstance(output, tuple) else change(output)


def _clamped(output: Any, values: Mapping[str, Fraction]) -> Any:
    """Every number moved to the nearer bound if it lies outside."""
    return _each(output, lambda y: max(values["lower"], min(y, values["upper"])))


def _multiplied(output: Any, values: Mapping[str, Fraction]) -> Any:
    """Every number times the factor."""
    return _each(output, lambda y: y * values["factor"])


def _decoded(output: Any, values: Mapping[str, Any]) -> Any:
    """The matrix times the output."""
    return product_with(matrix_of(values["matrix"]), output)


CLAMP_OUTPUT = register(
    PostFunction(
        stem="clamp_output",
        parameters=("lower", "upper"),
        conditions=(read("lower <= upper"),),
        example={"lower": term(0), "upper": term(1)},
        run=_clamped,
    )
)
MULTIPLY_OUTPUT = register(
    PostFunction(
        stem="multiply_output",
        parameters=("factor",),
        conditions=(),
        example={"factor": term(2)},
        run=_multiplied,
    )
)
DECODE_OUTPUT = register(
    PostFunction(
        stem="decode_output",
        parameters=("matrix",),
        conditions=(),
        example={"matrix": read("tuple_of(tuple_of(1, 0), tuple_of(1, 1))")},
        run=_decoded,
    )
)
