"""A function in both readings: executed as Python with draws from a tape, and as the program that is read from it.

Draws take few values, the same in both: what the scale has to do with them is seen, not which law they have.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from inspect import isgenerator
from itertools import product
from types import CodeType
from typing import Any

from refdp.programs.syntax import (
    Append,
    Assign,
    Branch,
    Choose,
    Draw,
    Emit,
    Look,
    Loop,
    Program,
    Require,
    Statement,
    Stop,
)
from refdp.terms.exact_values import MEANING
from refdp.terms.leaves import parts
from refdp.terms.term import Term

RAISES = (("an exception",),)
Outcome = Any
MOST_DRAWS = 30


class TooLong(Exception):
    """A run draws too often."""


@dataclass
class Tape:
    """Which of its outcomes each draw takes; every tape is gone through."""

    chosen: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    used: int = 0

    def take(self, outcomes: Sequence[Any]) -> Any:
        if self.used >= MOST_DRAWS:
            raise TooLong
        if self.used == len(self.chosen):
            self.chosen.append(0)
            self.sizes.append(len(outcomes))
        self.used += 1
        return outcomes[self.chosen[self.used - 1]]

    def advance(self) -> bool:
        while self.chosen and self.chosen[-1] + 1 == self.sizes[-1]:
            self.chosen.pop()
            self.sizes.pop()
        self.used = 0
        if self.chosen:
            self.chosen[-1] += 1
        return bool(self.chosen)


def outcomes(family: str, parameters: Sequence[Any]) -> Sequence[Any]:
    """The values that a draw takes here."""
    if family == "bernoulli":
        check(0 <= parameters[0] <= 1)
        return (False, True) if 0 < parameters[0] < 1 else (parameters[0] == 1,)
    if family == "uniform":
        check(parameters[0] <= parameters[1])
        return range(int(parameters[0]), int(parameters[1]) + 1)
    if family == "choice":
        check(all(w >= 0 for w in parameters) and any(parameters))
        return [place for place, w in enumerate(parameters) if w]
    check(parameters[0] > 0)
    if family == "discrete_laplace":
        return (-1, 0, 2) if parameters[0] > 1 else (0, 1)
    first = Fraction(parameters[0]) / 3
    return (first, 2 * first + 1) if family == "exponential" else (-first, 2 * first)


def check(condition: bool) -> None:
    if not condition:
        raise ValueError("a parameter of a draw")


def stand_in(value: Fraction) -> Fraction:
    """In place of e^value, which is not rational."""
    return 1 + Fraction(value) ** 2


def weighed(run: Callable[[Tape], Outcome]) -> dict[Outcome, Fraction]:
    """How often each outcome comes up, each draw's outcomes being as likely."""
    tape, found = Tape(), dict[Outcome, Fraction]()
    for _ in range(4_000):
        outcome = run(tape)
        weight = Fraction(1)
        for size in tape.sizes[: tape.used]:
            weight /= size
        found[outcome] = found.get(outcome, Fraction(0)) + weight
        if not tape.advance():
            return found
    raise TooLong


def executed(text: str, name: str, data: Any, parameters: Mapping[str, Any]) -> dict[Outcome, Fraction]:
    """The outcomes of the function as Python executes it."""

    def run(tape: Tape) -> Outcome:
        scope = names(tape)
        exec(exactly_dividing(text.replace("from refdp.programs import *", "")), scope)
        try:
            return released(scope[name](data, **parameters))
        except (ValueError, TypeError, IndexError, ZeroDivisionError, AssertionError, ArithmeticError):
            return RAISES

    return weighed(run)


@cache
def exactly_dividing(text: str) -> CodeType:
    """The program in which two whole numbers divided are a fraction: `2 / 3` would be a float."""
    return compile(ast.fix_missing_locations(Exactly().visit(ast.parse(text))), "program", "exec")


class Exactly(ast.NodeTransformer):
    """Makes the dividend of every division a fraction where it is a whole number."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """As `exact_dividend(a) / b`."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = ast.Call(ast.Name("exact_dividend", ast.Load()), [node.left], [])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """As `x = exact_dividend(x) / b`."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        dividend = ast.Call(ast.Name("exact_dividend", ast.Load()), [ast.Name(node.target.id, ast.Load())], [])
        return ast.Assign([node.target], ast.BinOp(dividend, ast.Div(), node.value))


def names(tape: Tape) -> dict[str, Any]:
    """The names of refdp.programs, with draws from the tape."""

    def draw(family: str) -> Callable[..., Any]:
        def drawn(*parameters: Any) -> Any:
            if family == "choice":
                parameters = tuple(parameters[0])
            return tape.take(outcomes(family, [Fraction(p) if isinstance(p, str) else p for p in parameters]))

        return drawn

    families = ("laplace", "discrete_laplace", "exponential", "gaussian", "bernoulli", "choice", "uniform")
    found: dict[str, Any] = {family: draw(family) for family in families}
    found |= dict.fromkeys(("ALL", "ONE", "L1", "L2", "MONO"), None)
    found |= {"claim": lambda **_: lambda function: function, "exp": stand_in, "Fraction": Fraction}
    found["float"] = lambda value: float(value) if isinstance(value, str) else value
    found["exact_dividend"] = lambda value: Fraction(value) if type(value) is int else value
    found["argmax"] = lambda values: list(values).index(max(values))
    return found


def released(value: Any) -> Outcome:
    """What is released, as a sequence of parts."""
    if isgenerator(value) or isinstance(value, list):
        return tuple(map(item, value))
    if isinstance(value, tuple) and any(isinstance(one, list) for one in value):
        (listed,) = (one for one in value if isinstance(one, list))
        return (*map(item, listed), tuple(map(scalar, (one for one in value if one is not listed))))
    return (item(value),)


def item(value: Any) -> tuple[Any, ...]:
    return tuple(map(scalar, value)) if isinstance(value, tuple) else (scalar(value),)


def scalar(value: Any) -> Any:
    return str(value) if value in (float("inf"), float("-inf")) else value


def interpreted(program: Program, data: Any, parameters: Mapping[str, Any]) -> dict[Outcome, Fraction]:
    """The outcomes of the program that was read."""
    return weighed(lambda tape: Run(program, data, dict(parameters), tape).outcome())


class Left(Exception):
    """A loop or the program is left."""


class Broken(Left):
    """A loop is left."""


@dataclass
class Run:
    """One run of a program."""

    program: Program
    data: Any
    values: dict[str, Any]
    tape: Tape
    emitted: list[tuple[Any, ...]] = field(default_factory=list)
    lists: dict[str, list[Any]] = field(default_factory=dict)

    def outcome(self) -> Outcome:
        if self.program.data.is_list:
            self.values["n"] = len(self.data)
        try:
            self.block(self.program.body)
        except Left:
            pass
        except (ValueError, IndexError):
            return RAISES
        return tuple(self.emitted)

    def block(self, body: Sequence[Statement]) -> None:
        for one in body:
            self.statement(one)

    def statement(self, one: Statement) -> None:
        match one:
            case Assign(target, value):
                self.values[target] = self.value(value)
            case Draw(target, family, parameters):
                self.values[target] = self.tape.take(outcomes(family, [self.value(p) for p in parameters]))
            case Append(weights, value):
                self.lists.setdefault(weights, []).append(self.value(value))
            case Choose(target, weights):
                self.values[target] = self.tape.take(outcomes("choice", self.lists.get(weights, [])))
            case Look(target, index):
                self.values[target] = self.element(int(self.value(index))) if self.program.data.is_list else self.data
            case Branch(condition, yes, no):
                self.block(yes if self.value(condition) else no)
            case Emit(items):
                self.emitted.append(tuple(self.value(i) if isinstance(i, Term) else i for i in items))
            case Require(condition):
                check(self.value(condition))
            case Loop():
                self.loop(one)
            case _:
                raise Left if isinstance(one, Stop) else Broken

    def loop(self, one: Loop) -> None:
        self.values[one.counter] = 0
        try:
            while (one.limit is None or self.values[one.counter] < self.value(one.limit)) and self.value(one.condition):
                if one.element is not None:
                    self.values[one.element] = self.element(self.values[one.counter])
                self.block(one.body)
                self.values[one.counter] += 1
        except Broken:
            pass

    def element(self, index: int) -> Any:
        if not 0 <= index < len(self.data):
            raise IndexError
        return self.data[index]

    def value(self, term: Term) -> Any:
        found: dict[Term, Any] = {}
        for part in parts(term):
            found[part] = self.part(part, [found[a] for a in part.arguments])
        result = found[term]
        if term.sort == "Bool" and not isinstance(result, bool):
            raise AssertionError(f"{term} must be a truth value, got {result}")
        return result

    def part(self, part: Term, arguments: list[Any]) -> Any:
        if part.operator == "name":
            found = self.values[str(part.value)] if str(part.value) in self.values else UNSET[part.sort]
            if (part.sort == "Bool") != isinstance(found, bool):
                raise AssertionError(f"{part} must be of the sort {part.sort}, got {found}")
            if part.sort == "Int" and Fraction(found).denominator != 1:
                raise AssertionError(f"{part} must be an integer, got {found}")
            return found
        if part.operator in ("number", "truth"):
            return part.value
        if part.operator == "/":
            return Fraction(arguments[0]) / arguments[1] if arguments[1] else Fraction(0)
        if part.operator == "exp":
            return stand_in(arguments[0])
        if part.operator == "**":
            return Fraction(arguments[0]) ** int(arguments[1]) if Fraction(arguments[1]).denominator == 1 else 0
        if part.operator == "mod":
            return arguments[0] % arguments[1] if arguments[1] else 0
        return MEANING[part.operator](*arguments)


UNSET: Mapping[str, Any] = {"Bool": False, "Int": 0, "Real": Fraction(0)}
"""What a variable is taken for that is read where its value does not matter."""


def differences(program: Program, text: str, cases: Iterator[tuple[Any, Mapping[str, Any]]]) -> list[str]:
    """Where the two readings differ, in words."""
    found = []
    for data, parameters in cases:
        a, b = executed(text, program.name, data, parameters), interpreted(program, data, parameters)
        if a != b:
            found.append(f"{program.name}({data}, {dict(parameters)}): Python {a}, read {b}")
    return found


HEAD = "from refdp.programs import *\nfrom fractions import Fraction\n\n"
VALUES: dict[str, tuple[Any, ...]] = {
    "epsilon": (Fraction(1, 2),), "N": (1, 2), "M": (1, 2), "k": (1, 2), "T": tuple(map(Fraction, range(3))),
}  # fmt: skip


def claimed(body: str) -> str:
    """The text of a file in which the function has a claim."""
    before, last, after = f"\n{body.strip()}\n".rpartition("\ndef ")
    return f'{HEAD}{before}\n@claim(epsilon="1", adjacency=ALL){last}{after}'


def cases(body: str, data: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """All data with all values of the parameters."""
    heading = [line for line in body.splitlines() if line.startswith("def ")][-1]
    names = [name for name in VALUES if f" {name}," in heading or f" {name})" in heading or f" {name}:" in heading]
    for one in data:
        for values in product(*(VALUES[name] for name in names)):
            sized = {"n": len(one)} if ", n)" in heading else {}
            parameters = dict(zip(names, values, strict=True)) | sized
            if "T: int" in heading:
                parameters["T"] = int(parameters["T"])
            yield exact(one), parameters


def exact(data: Any) -> Any:
    """Whole numbers as fractions, which Python divides exactly."""
    if isinstance(data, list):
        return [exact(one) for one in data]
    return data if isinstance(data, bool) else Fraction(data)
