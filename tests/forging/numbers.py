"""What terms are as floats, at values of their names that are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from refdp.terms.term import Term

Truth = Literal["true", "false", "unknown"]
NEAR = 1e-9


class Unknown(ValueError):
    """What the forger's own judges do not evaluate."""


class Chosen(dict[str, float]):
    """Values of names, chosen when they are first asked for."""

    def __init__(self, random: Random, known: Mapping[str, float] | None = None) -> None:
        super().__init__(known or {})
        self.random = random

    def __missing__(self, name: str) -> float:
        whole = self.random.random() < 0.5
        self[name] = self.random.choice((1.0, 2.0, 3.0, 5.0)) if whole else self.random.choice(
            (0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.5, 2.5))  # fmt: skip
        return self[name]


OPERATORS: Mapping[str, Callable[..., float]] = {
    "+": lambda *a: sum(a), "-": lambda a, b: a - b,
    "*": lambda *a: math.prod(a), "/": lambda a, b: a / b, "negate": lambda a: -a,
    "**": lambda a, b: a**b, "ln": lambda a: math.log(a) if a > 0 else -math.inf, "exp": math.exp,
    "sqrt": lambda a: math.sqrt(max(a, 0)), "abs": abs, "min": min, "max": max,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "==": lambda a, b: abs(a - b) < NEAR,
    "!=": lambda a, b: abs(a - b) >= NEAR, "indicator": float,
    "integer": lambda a: abs(a - round(a)) < NEAR, "multiple": lambda a, b: b != 0 and abs(a / b - round(a / b)) < NEAR,
    "all_of": lambda *a: all(a), "normal_tail": lambda a: math.erfc(a / math.sqrt(2)) / 2, "pi": lambda: math.pi,
}  # fmt: skip


def number(t: Term, values: Mapping[str, float]) -> float:
    """What a term is at these values; Unknown where this file has no meaning for it."""
    if t.operator == "number":
        return float(t.rational)
    if t.operator == "name":
        return values[str(t.value)]
    if t.operator not in OPERATORS:
        raise Unknown(t.operator)
    found = OPERATORS[t.operator](*(number(one, values) for one in t.arguments))
    if isinstance(found, complex):
        raise ZeroDivisionError
    return found


def is_number(t: Term) -> bool:
    """Whether this file evaluates it."""
    try:
        number(t, Chosen(Random(0)))
    except (Unknown, ArithmeticError):
        return False
    return True
