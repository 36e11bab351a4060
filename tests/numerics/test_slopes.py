"""Slopes: on a box, values and derivatives lie in the enclosures; what has no derivative is refused."""

from fractions import Fraction
from random import Random

import mpmath
import pytest

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.elementary import Undecided
from refdp.numerics.intervals import Interval
from refdp.numerics.slopes import Sloped, Slopes
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError
from tests.numerics.oracle import fraction, number

TERMS = [
    "x * y - 3 * x / (y + 4)",
    "(x - y) ** 3 + x ** 0 * y + x ** 1",
    "exp(-x / 2) * normal_tail(y)",
    "ln(x + 3) / sqrt(y + 5) - pi()",
    "normal_tail(x - y / 3) - exp(x) * normal_tail(x + y / 3)",
    "-x + indicator(x <= 7) * y - indicator(y < -3)",
]


def real(t: Term, at: dict[str, mpmath.mpf]) -> mpmath.mpf:
    """The term, by mpmath."""
    a = [real(argument, at) for argument in t.arguments if t.operator != "indicator"]
    match t.operator:
        case "number":
            return number(t.rational)
        case "name":
            return at[str(t.value)]
        case "indicator":
            x, y = (real(side, at) for side in t.arguments[0].arguments)
            return mpmath.mpf(int(x <= y))
        case "pi":
            return +mpmath.pi
        case "negate":
            return -a[0]
        case "normal_tail":
            return mpmath.erfc(a[0] / mpmath.sqrt(2)) / 2
        case "**":
            return a[0] ** int(a[1])
    functions = {"exp": mpmath.exp, "ln": mpmath.log, "sqrt": mpmath.sqrt}
    binary = {"+": mpmath.fadd, "-": mpmath.fsub, "*": mpmath.fmul, "/": mpmath.fdiv}
    return (functions | binary)[t.operator](*a)


def sloped(text: str, box: dict[str, Interval], bits: int = 64) -> Sloped:
    slopes = Slopes(len(box), Intervals(bits))
    found: Sloped = evaluate(read(text), {v: slopes.coordinate(x, i) for i, (v, x) in enumerate(box.items())}, slopes)
    return found


def holds(interval: Interval, value: mpmath.mpf, slack: Fraction) -> bool:
    return interval.lower - slack <= fraction(value) <= interval.upper + slack


@pytest.mark.parametrize("text", TERMS)
def test_values_and_derivatives_lie_in_the_enclosures(text: str) -> None:
    random, t, tiny = Random(text), read(text), mpmath.mpf(10) ** -40
    for _ in range(30):
        lows = [Fraction(random.randint(-20, 20), 10) for _ in "xy"]
        width = Fraction(random.randint(0, 10), 10)
        box = {v: Interval(low, low + width) for v, low in zip("xy", lows, strict=True)}
        found = sloped(text, box)
        for _ in range(4):
            at = {v: low + width * Fraction(random.randint(0, 8), 8) for v, low in zip("xy", lows, strict=True)}
            with mpmath.workdps(90):
                point = {v: number(x) for v, x in at.items()}
                assert holds(found.value, real(t, point), Fraction(1, 10**60))
                for i, v in enumerate("xy"):
                    ahead, back = (real(t, {**point, v: point[v] + step}) for step in (tiny, -tiny))
                    assert holds(found.slopes[i], (ahead - back) / (2 * tiny), Fraction(1, 10**30))


@pytest.mark.parametrize("text", TERMS[:5])
def test_enclosures_at_a_point_are_narrow(text: str) -> None:
    found = sloped(text, {"x": Interval(Fraction(1), Fraction(1)), "y": Interval(Fraction(1, 2), Fraction(1, 2))})
    for enclosure in (found.value, *found.slopes):
        assert enclosure.upper - enclosure.lower < Fraction(1, 10**15)


@pytest.mark.parametrize("text", ["abs(x)", "min(x, 1)", "max(x, 1)"])
def test_what_has_a_kink_has_no_slope(text: str) -> None:
    with pytest.raises(TermError, match="has no derivative everywhere"):
        sloped(text, {"x": Interval(Fraction(2), Fraction(3))})


@pytest.mark.parametrize("text", ["1 / x", "ln(x)", "sqrt(x)", "indicator(x <= 1/2)", "1 / (x - x)"])
def test_what_may_have_no_value_or_jump_on_the_box_is_undecided(text: str) -> None:
    with pytest.raises(Undecided):
        sloped(text, {"x": Interval(Fraction(0), Fraction(1))})
