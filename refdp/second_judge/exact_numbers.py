"""Python's numbers made exact: what Python rounds to a float is a rational number here, or has no value.

A text is rewritten in three places only: a float is the decimal that is written, `/` divides exactly, and so does `**`.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

MOST_BITS = 100_000
"""Most binary digits of a power."""

ROOT_BITS = 300
"""Binary digits after the point of an irrational root."""


class Unclear(BaseException):
    """The run leaves exact numbers, or needs what is not at hand: it shows nothing."""

    raised: Unclear | None = None
    """The last one, which a run cannot hide by catching it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        Unclear.raised = self


class Rounded:
    """Whether an irrational root was rounded since this was last set."""

    happened = False


class Exact(Fraction):
    """A rational number that stands for a float: whatever a float cannot do, it cannot do either."""

    __slots__ = ()

    def __str__(self) -> str:
        raise Unclear("the text of a number")

    __repr__ = __str__

    def __format__(self, specification: str) -> str:
        raise Unclear("the text of a number")

    def __round__(self, ndigits: Any = None) -> Any:
        if ndigits is None:
            return Fraction.__round__(self)
        if not isinstance(ndigits, int):
            raise TypeError("'float' object cannot be interpreted as an integer")
        return exact(Fraction.__round__(self, ndigits))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def is_integer(self) -> bool:
        """Whether it is whole."""
        return Fraction(self).denominator == 1

    def __reduce__(self) -> Any:
        return Exact, (Fraction(self),)

    __hash__ = Fraction.__hash__


def _unlike_floats(self: Exact) -> Any:
    """What Fractions have and floats have not, or the other way round."""
    raise Unclear("an attribute of a number that only floats or only fractions have")


for _name in ("limit_denominator", "hex", "from_float", "from_decimal", "fromhex"):
    setattr(Exact, _name, property(_unlike_floats))


def exact(value: Any) -> Any:
    """The number for one that Python would round; infinities and nan stay floats."""
    if isinstance(value, float):
        return Exact(value) if math.isfinite(value) else value
    return Exact(value)


def finite(value: Any) -> Fraction:
    """An int or exact number as a Fraction; TypeError for what is no number, Unclear for infinities."""
    if isinstance(value, float):
        if math.isfinite(value):
            return Fraction(value)
        raise Unclear("a function of an infinite number")
    if not isinstance(value, int | Fraction):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return Fraction(value)


def _lifted(name: str) -> Callable[..., Any]:
    """A method of Fraction with an Exact as its result; of an infinite operand only the sign of this one counts."""
    method = getattr(Fraction, name)

    def result(self: Exact, *others: Any) -> Any:
        if others and isinstance(others[0], float):
            return exact(getattr(float(operator.gt(self, 0) - operator.lt(self, 0)), name)(others[0]))
        found = method(self, *others)
        return found if found is NotImplemented else exact(found)

    return result


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(Exact, f"__{_name}__", _lifted(f"__{_name}__"))
    setattr(Exact, f"__r{_name}__", _lifted(f"__r{_name}__"))
for _name in ("__neg__", "__pos__", "__abs__"):
    setattr(Exact, _name, _lifted(_name))


def quotient(a: Any, b: Any) -> Any:
    """a / b, exactly for whole numbers too."""
    return Exact(a) / b if isinstance(a, int) and isinstance(b, int) else a / b


def power(a: Any, b: Any) -> Any:
    """a ** b, exactly; Unclear where it is not rational."""
    if not (isinstance(a, int | Fraction) and isinstance(b, int | Fraction)):
        if isinstance(a, float) or isinstance(b, float):
            raise Unclear("a power of an infinite number")
        return a**b
    base, exponent = Fraction(a), Fraction(b)
    if base == 0 and exponent < 0:
        raise ZeroDivisionError("0.0 cannot be raised to a negative power")
    if exponent.denominator == 2 and base >= 0:
        base, exponent = root(base), exponent * 2
    if exponent.denominator != 1:
        if base in (0, 1):
            return Exact(base)
        raise Unclear("a power that may be irrational")
    if abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > MOST_BITS:
        raise Unclear(f"a power has more than {MOST_BITS} binary digits")
    whole = isinstance(a, int) and isinstance(b, int) and b >= 0
    return int(base) ** int(exponent) if whole else Exact(base ** int(exponent))


def root(value: Any) -> Exact:
    """The square root, at most 2^-300 below it where it is irrational; ValueError below 0."""
    number = finite(value)
    if number < 0:
        raise ValueError("math domain error")
    top, bottom = math.isqrt(number.numerator), math.isqrt(number.denominator)
    if top * top != number.numerator or bottom * bottom != number.denominator:
        Rounded.happened = True
        return Exact(Fraction(math.isqrt((number.numerator << 2 * ROOT_BITS) // number.denominator), 1 << ROOT_BITS))
    return Exact(Fraction(top, bottom))


OPERATIONS: dict[type[ast.operator], tuple[str, Callable[..., Any]]] = {
    ast.Div: ("__quotient__", quotient),
    ast.Pow: ("__power__", power),
}
"""The operators that are rewritten, with the names of what stands for them."""


def put(operation: Callable[..., Any], container: Any, key: Any, value: Any) -> None:
    """container[key] = operation(container[key], value)."""
    container[key] = operation(container[key], value)


HELPERS: dict[str, Any] = {
    **dict(OPERATIONS.values()),
    "__put__": put,
    "__exact__": Exact,
}
"""What a rewritten text calls; no text can write these names."""


def rewritten(text: str, change: Callable[[ast.Module], ast.Module] = lambda tree: tree) -> ast.Module:
    """The text, and what `change` makes of it, as a tree without floats and without division that rounds."""
    tree: ast.Module = _Rewriter(text).visit(change(ast.parse(text)))
    return ast.fix_missing_locations(tree)


class _Rewriter(ast.NodeTransformer):
    """Floats, `/` and `**`."""

    def __init__(self, text: str) -> None:
        self.lines = [line.encode() for line in text.splitlines(keepends=True)]

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):
            return node
        written = repr(node.value)
        if node.end_lineno == node.lineno:
            written = self.lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode().replace("_", "")
        try:
            Fraction(written)
        except ValueError:
            written = repr(node.value)
        return _call(node, "__exact__", ast.Constant(written))

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        if any(isinstance(part, ast.Constant) and isinstance(part.value, float) for part in ast.walk(node)):
            raise Unclear("a pattern with a decimal")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name, _ = OPERATIONS.get(type(node.op), ("", None))
        return _call(node, name, node.left, node.right) if name else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name, _ = OPERATIONS.get(type(node.op), ("", None))
        if not name:
            return node
        target = node.target
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            function = ast.Name(name, ast.Load())
            return ast.copy_location(
                ast.Expr(_call(node, "__put__", function, target.value, target.slice, node.value)), node
            )
        if not isinstance(target, ast.Name) and not (
            isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
        ):
            raise Unclear("an assignment that divides a part of a list")
        old = deepcopy(target)
        old.ctx = ast.Load()
        return ast.copy_location(ast.Assign([target], _call(node, name, old, node.value)), node)


def _call(node: ast.AST, name: str, *arguments: ast.expr) -> ast.Call:
    """A call at the place of a node."""
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), node)
