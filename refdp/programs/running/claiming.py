"""What a decorator says about a program, kept as data: nothing here reads or judges it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from refdp.programs.adjacency import Adjacency

Function = TypeVar("Function", bound=Callable[..., Any])
Predicate = Callable[[Any, Any], Any]
"""Whether two elements of the data are related."""
Expression = str | int | Fraction
"""A number or a statement in the public parameters, such as "(1 + 6*N)/4*epsilon"."""


@dataclass(frozen=True, slots=True)
class Each:
    """Neighbours are data whose elements are pairwise related, the changes being within the budgets that are given."""

    predicate: Predicate | Adjacency
    changed: int | None = None
    """How many elements may differ."""
    total: Expression | None = None
    """The greatest sum of |new - old|."""
    squares: Expression | None = None
    """The greatest sum of (new - old)^2."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim as its author wrote it."""

    adjacency: Adjacency | Each | Predicate
    epsilon: Expression | None = None
    delta: Expression | None = None
    rho: Expression | None = None
    where: str | None = None
    given: Mapping[str, Expression] = field(default_factory=dict)
    expected: str | None = None
    source: str = ""


def each(
    predicate: Predicate | Adjacency,
    changed: int | None = None,
    total: Expression | None = None,
    squares: Expression | None = None,
) -> Each:
    """Neighbours are data whose elements are pairwise related, the changes being within the budgets that are given."""
    return Each(predicate, changed, total, squares)


def claim(
    *,
    adjacency: Adjacency | Each | Predicate,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    rho: Expression | None = None,
    where: str | None = None,
    given: Mapping[str, Expression] | None = None,
    expected: str | None = None,
    source: str = "",
) -> Callable[[Function], Function]:
    """The function itself, with one claim more in its attribute `claims`, which lists them from top to bottom."""
    claimed = Claimed(adjacency, epsilon, delta, rho, where, dict(given or {}), expected, source)

    def decorated(function: Function) -> Function:
        vars(function)["claims"] = (claimed, *vars(function).get("claims", ()))
        return function

    return decorated
