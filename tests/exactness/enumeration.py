"""Obligations decided by trying every point of a finite box, and the lemmas that this makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.provers.counterexamples import violates
from refdp.spec.statements import Statement

Axes = Mapping[str, Iterable[Fraction | int]]


def holds_everywhere(statement: Statement, axis: Iterable[int], axes: Axes | None = None) -> bool:
    """Whether the statement holds wherever its names take values of the axis, or of their own one."""
    own = axes or {}
    values = [[Fraction(v) for v in own.get(name, axis)] for name in statement.variables]
    points = (dict(zip(statement.variables, point, strict=True)) for point in product(*values))
    return not any(violates(statement, point) for point in points)


def lemma(stem: str, key: str, statement: Statement) -> Theorem:
    """The obligation as a lemma, on the word of whoever tried every point."""
    return rules.oracle(obligation=f"{stem}.{key}", digest=statement.digest, by=["exact enumeration"])
