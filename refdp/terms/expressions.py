"""Claims and assumptions as users write them: arithmetic in public names, read as data.

max(abs(lower), abs(upper))        (upper - lower) / n        sqrt(2)        lower <= upper and n >= 1
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import reduce

from refdp.terms import operations
from refdp.terms.decimals import written_decimal
from refdp.terms.leaves import integer, is_number, rational, truth
from refdp.terms.operations import at_most, equal, less, negation
from refdp.terms.term import Term

LONGEST = 2_000
"""Longest expression that is read, in characters."""
LARGEST_POWER = 8
Maker = Callable[..., Term]
CALLS: Mapping[str, tuple[int, Maker]] = {
    "abs": (1, operations.absolute),
    "sqrt": (1, operations.root),
    "min": (2, operations.smaller),
    "max": (2, operations.larger),
}
"""The functions, each with the number of arguments it takes; min and max take more, too."""
OPERATORS: Mapping[type[ast.operator], Maker] = {
    ast.Add: operations.add,
    ast.Sub: operations.subtract,
    ast.Mult: operations.multiply,
    ast.Div: operations.divide,
}
COMPARISONS: Mapping[type[ast.cmpop], Maker] = {
    ast.Lt: less,
    ast.LtE: at_most,
    ast.Gt: lambda a, b: less(b, a),
    ast.GtE: lambda a, b: at_most(b, a),
    ast.Eq: equal,
    ast.NotEq: lambda a, b: negation(equal(a, b)),
}


class NotRead(ValueError):
    """The text is not an expression of the kind that is read."""


def read_number(text: str, names: Mapping[str, Term], what: str) -> Term:
    """The number that the text writes, in the public names.  NotRead otherwise; `what` names it in the message."""
    found = _read(text, names, what)
    if found.sort == "Bool":
        raise NotRead(f"{what} must be a number, got the statement {text}")
    return found


def read_statement(text: str, names: Mapping[str, Term], what: str) -> Term:
    """The statement that the text writes, in the public names.  NotRead otherwise."""
    found = _read(text, names, what)
    if found.sort != "Bool":
        raise NotRead(f"{what} must be a statement such as lower <= upper, got the number {text}")
    return found


def _read(text: str, names: Mapping[str, Term], what: str) -> Term:
    """The term of a text."""
    if len(text) > LONGEST:
        raise NotRead(f"{what} must have at most {LONGEST} characters, got {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return _Reader(text.strip(), names, what).term(tree)
    except (SyntaxError, RecursionError, MemoryError, OverflowError) as error:
        raise NotRead(f"{what} must be an expression such as max(abs(lower), abs(upper)), got {text}") from error


class _Reader:
    """Reads one expression."""

    __slots__ = ("names", "text", "what")

    def __init__(self, text: str, names: Mapping[str, Term], what: str) -> None:
        self.text, self.names, self.what = text, names, what

    def term(self, node: ast.expr) -> Term:
        """The term of a node."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name(name):
                return self._name(name)
            case ast.UnaryOp(ast.USub(), inner):
                return operations.negate(self._number(inner))
            case ast.UnaryOp(ast.Not(), inner):
                return negation(self._statement(inner))
            case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))) if 0 <= power <= LARGEST_POWER:
                return reduce(operations.multiply, [self._number(left)] * power, integer(1))
            case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
                return self._arithmetic(OPERATORS[type(operator)], left, right)
            case ast.Compare(first, operators, others):
                return self._comparison([first, *others], operators)
            case ast.BoolOp(operator, values):
                join = operations.conjunction if isinstance(operator, ast.And) else operations.disjunction
                return join(*map(self._statement, values))
            case ast.Call(ast.Name(function), arguments, []) if function in CALLS:
                return self._call(function, arguments)
        raise self._refusal(f"+, -, *, /, comparisons, {', '.join(CALLS)} and names", node)

    def _constant(self, node: ast.Constant) -> Term:
        """A number, exactly as it is written."""
        if isinstance(node.value, bool):
            return truth(node.value)
        if isinstance(node.value, int):
            return integer(node.value)
        written = ast.get_source_segment(self.text, node) or ""
        if not isinstance(node.value, float) or abs(node.value) > 1e100:
            raise self._refusal("numbers", node)
        try:
            return rational(written_decimal(written))
        except ValueError as error:
            raise NotRead(f"{self.what}: {error}") from None

    def _name(self, name: str) -> Term:
        if name not in self.names:
            known = ", ".join(self.names) or "none"
            raise NotRead(f"{self.what} must use the public names only ({known}), got {name}")
        return self.names[name]

    def _arithmetic(self, operation: Maker, left: ast.expr, right: ast.expr) -> Term:
        """a + b, a - b, a * b or a / b, where no number but 0 may be divided by 0."""
        a, b = self._number(left), self._number(right)
        if operation is operations.divide and is_number(b) and b.rational == 0:
            raise NotRead(f"{self.what} must not divide by 0, got {self.text}")
        return operation(a, b)

    def _comparison(self, nodes: list[ast.expr], operators: list[ast.cmpop]) -> Term:
        """a < b <= c."""
        if any(type(o) not in COMPARISONS for o in operators):
            raise self._refusal("<, <=, >, >=, == and !=", nodes[0])
        found = [self._number(n) for n in nodes]
        made = (COMPARISONS[type(o)](a, b) for o, a, b in zip(operators, found, found[1:], strict=False))
        return operations.conjunction(*made)

    def _call(self, function: str, arguments: list[ast.expr]) -> Term:
        arity, make = CALLS[function]
        if len(arguments) < arity or (arity == 1 and len(arguments) > 1):
            raise NotRead(f"{function} in {self.what} must have {arity} argument(s), got {len(arguments)}")
        found = [self._number(a) for a in arguments]
        if function == "sqrt" and is_number(found[0]) and found[0].rational < 0:
            raise NotRead(f"{self.what} must not take the root of a negative number, got {self.text}")
        return make(*found) if arity == 1 else reduce(make, found)

    def _number(self, node: ast.expr) -> Term:
        found = self.term(node)
        if found.sort == "Bool":
            raise self._refusal("numbers", node)
        return found

    def _statement(self, node: ast.expr) -> Term:
        found = self.term(node)
        if found.sort != "Bool":
            raise self._refusal("statements", node)
        return found

    def _refusal(self, wanted: str, node: ast.expr) -> NotRead:
        return NotRead(f"{self.what} must be made of {wanted}, got {ast.get_source_segment(self.text, node)}")
