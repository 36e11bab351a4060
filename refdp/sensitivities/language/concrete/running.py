"""One run: the source, the arithmetic, what is left of the budget, and the basic operations on values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.arithmetic import Arithmetic
from refdp.sensitivities.language.concrete.budget import Budget
from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.values import is_iterable
from refdp.sensitivities.language.source import Source, Unsupported
from refdp.terms.exact_values import NotRational

DEEPEST = 30
"""Most calls of the source's functions within one another."""


@dataclass(slots=True)
class Run:
    """What all parts of the interpreter share."""

    source: Source
    arithmetic: Arithmetic
    budget: Budget
    call: Callable[..., Any]
    """call(run, function, arguments, named arguments, node)."""
    reversed_sets: bool = False
    """Whether sets are walked through in the opposite order; Python settles none."""
    walked_set: bool = False
    """Whether the order of a set was asked for."""
    depth: int = 0
    module_values: dict[str, Any] = field(default_factory=dict)

    def items(self, value: Any) -> Iterator[Any]:
        """The elements; TypeError of the user's function where it has none."""
        if not is_iterable(value):
            raise Raised("TypeError")
        return self._walk(iter(self._in_some_order(value) if isinstance(value, set | frozenset) else value))

    def _walk(self, walk: Iterator[Any]) -> Iterator[Any]:
        """The elements, each a step."""
        while True:
            self.budget.spend()
            try:
                one = next(walk)
            except StopIteration:
                return
            except Raised as raised:
                if raised.name == "StopIteration":  # map and filter end there, others raise it
                    raise NoOutcome("StopIteration is raised where elements are asked for") from None
                raise
            except RecursionError:
                raise
            except RuntimeError:  # a dict that changed while it is walked through
                raise Raised("RuntimeError") from None
            yield one

    def listed(self, value: Any) -> list[Any]:
        """The elements as a list."""
        return list(self.items(value))

    def truth(self, value: Any) -> bool:
        """Whether a branch on it is taken."""
        return bool(guarded(bool, value))

    def index(self, value: Any) -> int:
        """The number as an index; NoOutcome where it depends on whether a whole number is an int or a float."""
        if isinstance(value, Fraction) and value.denominator == 1:
            raise NoOutcome(f"{value} is used as an index, and may be a float")
        return int(guarded(operator.index, value))

    def unsupported(self, node: ast.AST, construct: str) -> Unsupported:
        """The error for a construct that is not interpreted."""
        return self.source.unsupported(node, construct, "rewrite it with plain loops, branches and arithmetic")

    def _in_some_order(self, value: set[Any] | frozenset[Any]) -> list[Any]:
        """The elements of a set, in an order that does not depend on how Python hashes."""
        self.budget.weigh(value)
        self.walked_set = self.walked_set or len(value) > 1
        return sorted(value, key=repr, reverse=self.reversed_sets)


def guarded(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """function(*arguments, **named); what it raises is raised by the user's function."""
    try:
        return function(*arguments, **named)
    except (Raised, NoOutcome, NotRational, Unsupported, RecursionError):
        raise
    except MemoryError:
        raise NoOutcome("the run needs too much memory") from None
    except (ArithmeticError, LookupError, TypeError, ValueError, RuntimeError) as error:
        raise Raised(type(error).__name__) from None
