"""The range of a row's expression as the machine computes it: every operation rounded, every bound exact.

Rounding is monotone, so that the rounded ends of an exact range are the ends of the rounded one.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.formats import FLOAT64, Format, IntegerFormat, rounded


class NotRecognised(ValueError):
    """The function is not a sum of the kind that has an adjusted bound; the message says what stands in the way."""


@dataclass(frozen=True, slots=True)
class Range:
    """Every value is between the ends, and is a number of the format, be it a Python int or a float."""

    lower: Fraction
    upper: Fraction
    is_whole: bool = False
    """Every value is a whole number."""
    is_float: bool = False
    """Every value is surely a float, and no Python int."""

    def hull(self, other: Range) -> Range:
        """The values of either."""
        whole, floats = self.is_whole and other.is_whole, self.is_float and other.is_float
        return Range(min(self.lower, other.lower), max(self.upper, other.upper), whole, floats)


Fields = Mapping[str | int, Range | None]
"""The fields of a record; None where a field is no number."""
Known = Mapping[str, Range | Fields]
"""What is known of names: numbers, and records."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Reads expressions of one format."""

    form: Format
    known: Known

    def of(self, node: ast.expr) -> Range:
        """The range of an expression.  NotRecognised where it is none of the kind."""
        match node:
            case ast.Constant(bool()):
                pass
            case ast.Constant(int(whole)):
                return self.whole(Fraction(whole), Fraction(whole), False)
            case ast.Constant(float()):
                return self.written(Fraction(ast.unparse(node)))
            case ast.Name(name) if isinstance(found := self.known.get(name), Range):
                return found
            case ast.Subscript(ast.Name(name), ast.Constant(str() | int() as key)):
                fields = self.known.get(name)
                if isinstance(fields, Mapping) and (field := fields.get(key)) is not None:
                    return field
            case ast.UnaryOp(ast.USub(), inner):
                found = self.of(inner)
                return self._within(Range(-found.upper, -found.lower, found.is_whole, found.is_float))
            case ast.Call(ast.Name(function), [*arguments], []) if arguments:
                return self._call(function, [self.of(argument) for argument in arguments])
            case ast.IfExp(test, yes, no):
                self.checked(test)
                return self.of(yes).hull(self.of(no))
            case ast.BinOp(left, operator, right):
                return self._arithmetic(operator, self.of(left), self.of(right))
        raise NotRecognised(f"line {node.lineno}: {ast.unparse(node)[:60]} is not bounded in machine arithmetic")

    def checked(self, test: ast.expr) -> None:
        """A condition that cannot raise and that sees nothing but the row.  NotRecognised otherwise."""
        match test:
            case ast.Compare(ast.Subscript(ast.Name(name), ast.Constant(str() | int() as key)), [operator], [one]) if (
                isinstance(operator, ast.Eq | ast.NotEq) and isinstance(one, ast.Constant)
            ):
                fields = self.known.get(name)
                if not isinstance(fields, Mapping) or key not in fields:
                    raise NotRecognised(f"line {test.lineno}: {ast.unparse(test)[:60]} is about an unknown field")
            case ast.Compare(first, operators, others) if not any(isinstance(o, ast.In | ast.NotIn) for o in operators):
                for part in (first, *others):
                    self.of(part)
            case ast.BoolOp(_, parts):
                for part in parts:
                    self.checked(part)
            case ast.UnaryOp(ast.Not(), inner):
                self.checked(inner)
            case _:
                raise NotRecognised(f"line {test.lineno}: {ast.unparse(test)[:60]} is no comparison of numbers")

    def rounded(self, value: Fraction) -> Fraction:
        """The float nearest to the value.  NotRecognised where it overflows."""
        if isinstance(self.form, IntegerFormat):
            raise NotRecognised(f"a float beside numbers of {self.form.name} is not bounded in machine arithmetic")
        found = rounded(value, self.form)
        if isinstance(found, str):
            raise NotRecognised(f"a value may exceed the largest {self.form.name}")
        return found

    def written(self, value: Fraction) -> Range:
        """A number that is written with a point: rounded to the format, maybe by way of a double."""
        slack = Fraction(0) if self.form == FLOAT64 else abs(value) * FLOAT64.unit
        return Range(self.rounded(value - slack), self.rounded(value + slack), False, True)

    def whole(self, lower: Fraction, upper: Fraction, is_float: bool) -> Range:
        """Whole numbers, all of which the format has: be they ints or floats, they are the same numbers."""
        if isinstance(self.form, IntegerFormat):
            low, high = Fraction(self.form.lowest), Fraction(self.form.highest)
        else:
            high = min(1 / self.form.unit, self.form.largest)
            low = -high
        if not low <= lower <= upper <= high:
            raise NotRecognised(f"whole numbers from {lower} to {upper} are not all {self.form.name} numbers")
        return Range(lower, upper, True, is_float)

    def _within(self, one: Range) -> Range:
        """The range, where whole numbers have been seen to stay in the format."""
        return self.whole(one.lower, one.upper, one.is_float) if one.is_whole else one

    def _call(self, function: str, arguments: list[Range]) -> Range:
        """min, max, abs and float."""
        first = arguments[0]
        whole, floats = all(one.is_whole for one in arguments), all(one.is_float for one in arguments)
        if function in ("min", "max") and len(arguments) > 1:
            choose = min if function == "min" else max
            ends = choose(one.lower for one in arguments), choose(one.upper for one in arguments)
            return Range(*ends, whole, floats)
        if function == "abs" and len(arguments) == 1:
            sizes = abs(first.lower), abs(first.upper)
            least = Fraction(0) if first.lower <= 0 <= first.upper else min(sizes)
            return self._within(Range(least, max(sizes), whole, floats))
        if function == "float" and len(arguments) == 1 and not isinstance(self.form, IntegerFormat):
            return Range(first.lower, first.upper, whole, True)
        raise NotRecognised(f"{function}() is not bounded in machine arithmetic")

    def _arithmetic(self, operator: ast.operator, left: Range, right: Range) -> Range:
        """A sum, difference, product or quotient; of whole numbers whole, but for a quotient."""
        match operator:
            case ast.Add():
                ends = [left.lower + right.lower, left.upper + right.upper]
            case ast.Sub():
                ends = [left.lower - right.upper, left.upper - right.lower]
            case ast.Mult():
                ends = [a * b for a in (left.lower, left.upper) for b in (right.lower, right.upper)]
            case ast.Div() if right.lower > 0 or right.upper < 0:
                ends = [a / b for a in (left.lower, left.upper) for b in (right.lower, right.upper)]
            case _:
                raise NotRecognised(f"{type(operator).__name__} of this range is not bounded in machine arithmetic")
        low, high = min(ends), max(ends)
        if left.is_whole and right.is_whole and not isinstance(operator, ast.Div):
            return self.whole(low, high, left.is_float or right.is_float)
        floats = left.is_float or right.is_float or isinstance(operator, ast.Div)
        if isinstance(operator, ast.Div) and not (left.is_float or right.is_float) and self.form != FLOAT64:
            raise NotRecognised(f"a quotient of ints is a float64 and no {self.form.name}")
        return Range(self.rounded(low), self.rounded(high), False, floats)
