"""A second opinion on an equality: both sides in mpmath, integrals by quadrature, at exact points.

Nothing of sympy is used.  Agreement proves nothing; a difference stops a proof.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import mpmath

from refdp.provers.symbolic.integrals import bound_name
from refdp.spec.statements import Statement
from refdp.terms.evaluation import COMPARE, truth
from refdp.terms.term import Term, TermError, subterms

POINTS = 6
"""Points at which both sides are compared."""
DIGITS = 30
"""Decimal digits of the arithmetic."""
TOLERANCE = Fraction(1, 10**12)
"""Relative difference that counts as agreement."""
VALUES = tuple(Fraction(n, d) for n, d in ((1, 1), (2, 1), (1, 2), (3, 1), (2, 3), (5, 4), (0, 1), (7, 3)))

Real = Any
"""An mpmath number."""
Point = Mapping[str, Fraction]


def difference(statement: Statement) -> tuple[str, Point | None]:
    """("", None) if both sides agree at POINTS points; else why not, with the point where they differ."""
    points = list(sample(statement))
    if not points:
        return "no point was found that satisfies the hypotheses", None
    with mpmath.workdps(DIGITS):
        for point in points:
            try:
                a, b = (value(side, to_real(point)) for side in statement.show.arguments)
            except (TermError, ZeroDivisionError, ArithmeticError) as error:
                return f"numerically: {error}", point
            if not abs(a - b) <= to_mpf(TOLERANCE) * (1 + abs(a)):
                return f"the sides are {mpmath.nstr(a, 8)} and {mpmath.nstr(b, 8)} at {_text(point)}", point
    return "", None


def sample(statement: Statement) -> Iterator[Point]:
    """Up to POINTS points that satisfy the hypotheses, the origin first; the same ones for the same statement."""
    names, found = statement.variables, list[Point]()
    chance = random.Random(statement.digest)
    for attempt in range(500 if names else 1):
        point = {v: _draw(chance, v in statement.integers) if attempt else Fraction(0) for v in names}
        if point not in found and all(truth(g, point) for g in statement.given):
            found.append(point)
            yield point
        if len(found) == POINTS:
            return


def _draw(chance: random.Random, integer: bool) -> Fraction:
    """A small rational number or integer of either sign."""
    size = Fraction(chance.randrange(8)) if integer else chance.choice(VALUES)
    return -size if chance.randrange(2) else size


def value(t: Term, at: Mapping[str, Real]) -> Real:
    """The value of `t`; TermError where it has none."""
    match t.operator:
        case "number":
            return to_mpf(t.rational)
        case "name":
            return at[str(t.value)]
        case "pi":
            return +mpmath.pi
        case "integral":
            return integral(t, at)
        case "indicator":
            condition = t.arguments[0]
            if condition.operator not in COMPARE:
                raise TermError(f"{condition} is not a comparison")
            return mpmath.mpf(int(COMPARE[condition.operator](*(value(a, at) for a in condition.arguments))))
    if t.operator not in FUNCTIONS:
        raise TermError(f"{t.operator} has no numerical value in {t}")
    result = FUNCTIONS[t.operator](*(value(a, at) for a in t.arguments))
    if isinstance(result, mpmath.mpc) or not mpmath.isfinite(result):
        raise TermError(f"{t} has no real value")
    return result


FUNCTIONS: Mapping[str, Any] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "**": lambda a, b: a ** int(b), "negate": lambda a: -a, "abs": abs, "min": min, "max": max,
    "exp": mpmath.exp, "ln": mpmath.log, "sqrt": mpmath.sqrt,
    "normal_tail": lambda a: mpmath.erfc(a / mpmath.sqrt(2)) / 2,
}  # fmt: skip


def integral(t: Term, at: Mapping[str, Real]) -> Real:
    """integral(f, z) by quadrature, cut at the kinks of f; TermError if the quadrature doubts itself."""
    f, z = t.arguments[0], bound_name(t)
    cuts = sorted({k for s in subterms(f) if s.operator in ("abs", "min", "max", "indicator") for k in kinks(s, z, at)})
    result, error = mpmath.quad(
        lambda x: value(f, {**at, z: x}), [-mpmath.inf, *(cuts or [0]), mpmath.inf], error=True, maxdegree=9
    )
    if not error <= to_mpf(TOLERANCE) * (1 + abs(result)):
        raise TermError(f"quadrature of {t} does not converge")
    return result


def kinks(t: Term, z: str, at: Mapping[str, Real]) -> Iterator[Real]:
    """Where the argument of abs, or the difference of the two of min, max or a comparison, is 0, if affine in z."""
    inner = t.arguments[0].arguments if t.operator == "indicator" else t.arguments
    w = [value(inner[0], {**at, z: mpmath.mpf(x)}) for x in range(3)]
    if len(inner) == 2:
        w = [a - value(inner[1], {**at, z: mpmath.mpf(x)}) for x, a in enumerate(w)]
    slope = w[1] - w[0]
    if slope != 0 and abs(w[2] - w[1] - slope) < mpmath.mpf(10) ** (5 - DIGITS):
        yield -w[0] / slope


def to_mpf(value: Fraction) -> Real:
    """A rational number, rounded."""
    return mpmath.mpf(value.numerator) / value.denominator


def to_real(point: Point) -> dict[str, Real]:
    """A point, rounded."""
    return {v: to_mpf(x) for v, x in point.items()}


def _text(point: Point) -> str:
    """A point for a reader."""
    return ", ".join(f"{v} = {x}" for v, x in point.items()) or "no names"
