"""Literals: a number with a point is the decimal that it writes."""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import lru_cache
from typing import Any

from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.source import Source
from refdp.terms.decimals import written_decimal

LONGEST_LITERAL = 3_000
"""Longest number in the source, in characters."""


def literal(run: Run, node: ast.Constant) -> Any:
    """A literal; a number with a point is the decimal that it writes."""
    value = node.value
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return run.arithmetic.number(Fraction(value), True)
    if not isinstance(value, float):
        raise run.unsupported(node, f"the constant {value!r}")
    return run.arithmetic.number(_decimal(run, run.source, node), False)


@lru_cache(maxsize=4_000)
def _text(source: Source, node: ast.Constant) -> str:
    """The text of a number."""
    return (ast.get_source_segment(source.text, node) or repr(node.value)).replace("_", "")


def _decimal(run: Run, source: Source, node: ast.Constant) -> Fraction:
    """The decimal that a number with a point writes."""
    text = _text(source, node)
    if len(text) > LONGEST_LITERAL:
        raise run.unsupported(node, "a number of so many digits")
    if node.value in (float("inf"), 0.0) and any(digit in "123456789" for digit in text.lower().partition("e")[0]):
        raise run.unsupported(node, f"the number {text[:20]}, which is beyond a float,")
    try:
        return written_decimal(text)
    except ValueError:
        raise run.unsupported(node, f"the exponent of {text[:20]}") from None
