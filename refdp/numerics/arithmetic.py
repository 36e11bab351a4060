"""The arithmetic of intervals: formulas are evaluated in it where their values are irrational."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.numerics.elementary import Undecided, down, exp_bounds, ln_bounds, sqrt_bounds, up
from refdp.numerics.intervals import Interval
from refdp.numerics.normal import normal_tail_bounds, pi_bounds
from refdp.terms.term import TermError


@dataclass(frozen=True, slots=True)
class Intervals:
    """Interval arithmetic with `bits` binary digits, as an arithmetic of `refdp.terms.evaluation`."""

    bits: int = 64

    def number(self, value: Fraction) -> Interval:
        n, d = value.numerator, value.denominator
        return Interval(down(n, d, self.bits), up(n, d, self.bits), self.bits)

    def function(self, name: str, *arguments: Interval) -> Interval:
        match name, arguments:
            case "pi", ():
                return Interval(*pi_bounds(self.bits), self.bits)
            case "normal_tail", (x,):  # it falls
                most, least = (normal_tail_bounds(end, self.bits) for end in (x.lower, x.upper))
                return Interval(least[0], most[1], self.bits)
            case "min", (x, y):
                return Interval(min(x.lower, y.lower), min(x.upper, y.upper), self.bits)
            case "max", (x, y):
                return Interval(max(x.lower, y.lower), max(x.upper, y.upper), self.bits)
            case (("exp" | "ln" | "sqrt"), (x,)):  # each increases
                check_domain(name, x)
                bounds = {"exp": exp_bounds, "ln": ln_bounds, "sqrt": sqrt_bounds}[name]
                least = bounds(x.lower, self.bits)
                greatest = least if x.lower == x.upper else bounds(x.upper, self.bits)
                return Interval(least[0], greatest[1], self.bits)
        raise TermError(f"{name} of {len(arguments)} argument(s) has no enclosure")

    def holds(self, comparison: str, a: Interval, b: Interval) -> bool:
        """True or False only if that holds for every x in a and y in b; Undecided otherwise."""
        points = a.lower == a.upper == b.lower == b.upper
        always, never = {
            "<=": (a.upper <= b.lower, a.lower > b.upper),
            "<": (a.upper < b.lower, a.lower >= b.upper),
            "==": (points, a.upper < b.lower or b.upper < a.lower),
            "!=": (a.upper < b.lower or b.upper < a.lower, points),
        }[comparison]
        if not always and not never:
            raise Undecided(f"{self.bits} bits do not decide {comparison}")
        return always


def check_domain(name: str, x: Interval) -> None:
    """TermError if `name` has no value at any number of x, Undecided if it may have none at some."""

    def outside(end: Fraction) -> bool:
        return name != "exp" and (end < 0 or name == "ln" and end == 0)

    if outside(x.upper):
        raise TermError(f"{name} has no value at a number {'<=' if name == 'ln' else '<'} 0")
    if outside(x.lower):
        raise Undecided(f"the argument of {name} may be outside its domain")
