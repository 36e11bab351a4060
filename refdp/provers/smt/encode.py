"""SMT-LIB 2.6 text of a statement: if the text is unsatisfiable then the statement holds.

The text declares the names, asserts each hypothesis and asserts the negation of the conclusion.  Division by
zero: SMT-LIB makes x/0 an arbitrary value of the solver's choice, so an unsatisfiable text means that under every
such choice the hypotheses imply the conclusion.  The conclusion contains d != 0 for each denominator d.  Innermost
first: a denominator without division in it means what it says, hence is not zero, hence the quotient by it is the
true one, hence the next denominator means what it says; so in the end `show` means what it says too.  A hypothesis
must not divide by a name (`Statement` refuses it), so no hypothesis can lean on a value of x/0.

No text of the statement reaches the output except names, and those escaped to `$` and letters, digits, `_` and `.`:
a name is neither mistaken for a function of the solver (z3 has a constant `pi`) nor able to bring commands of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from refdp.spec.goals import Goal, goal, is_integral, is_whole
from refdp.spec.statements import Statement
from refdp.terms.term import Term, names, number, subterms

HELPERS = {
    "abs": "(define-fun {name} ((x {sort})) {sort} (ite (<= {zero} x) x (- x)))",
    "min": "(define-fun {name} ((x {sort}) (y {sort})) {sort} (ite (<= x y) x y))",
    "max": "(define-fun {name} ((x {sort}) (y {sort})) {sort} (ite (<= x y) y x))",
}


class NotEncodable(ValueError):
    """A statement is outside the arithmetic that SMT solvers decide."""


def smt_lib(statement: Statement) -> str:
    """The SMT-LIB text whose unsatisfiability proves `statement`; NotEncodable if there is none."""
    return goal_text(goal(statement))


def goal_text(g: Goal) -> str:
    """The SMT-LIB text whose unsatisfiability proves the goal; NotEncodable if there is none."""
    try:
        writer = Writer(frozenset(v for v, sort in sorts(g).items() if sort == "Int"))
        asserted = [writer.statement(a) for a in g.given] + [f"(not {writer.statement(g.show)})"]
        lines = [f"(set-logic {logic(g)})", *(f"(declare-const {symbol(v)} {s})" for v, s in sorts(g).items())]
    except RecursionError:
        raise NotEncodable("the statement nests too deep for the encoder") from None
    lines += [writer.helpers[key] for key in sorted(writer.helpers)]
    lines += [f"(assert {a})" for a in asserted]
    return "\n".join([*lines, "(check-sat)", ""])


def sorts(g: Goal) -> dict[str, str]:
    """The sort of each name, in order."""
    variables = sorted(names(g.show).union(*map(names, g.given)))
    return {v: "Int" if v in g.integers else "Real" for v in variables}


@dataclass(slots=True)
class Writer:
    """Writes terms as SMT-LIB, and remembers which helper functions they need."""

    integers: frozenset[str]
    helpers: dict[str, str] = field(default_factory=dict)

    def statement(self, t: Term) -> str:
        """A comparison, a conjunction, or `integer(x)` as a Boolean expression."""
        match t.operator:
            case "all_of":
                return f"(and {' '.join(map(self.statement, t.arguments))})" if t.arguments else "true"
            case "integer":
                x = self.expression(t.arguments[0], real=True)
                return "true" if self.is_integral(t.arguments[0]) else f"(is_int {x})"
            case "<=" | "<" | "==" | "!=":
                real = not all(map(self.is_integral, t.arguments))
                a, b = (self.expression(x, real) for x in t.arguments)
                return {"==": f"(= {a} {b})", "!=": f"(not (= {a} {b}))"}.get(t.operator, f"({t.operator} {a} {b})")
        raise NotEncodable(f"{t} is not a comparison")

    def expression(self, t: Term, real: bool) -> str:
        """The term as an expression of sort Real, or of sort Int, which only integral terms have."""
        match t.operator:
            case "number":
                return literal(t.rational, real)
            case "name":
                s = symbol(str(t.value))
                return f"(to_real {s})" if real and t.value in self.integers else s
            case "indicator":
                yes, no = literal(Fraction(1), real), literal(Fraction(0), real)
                return f"(ite {self.statement(t.arguments[0])} {yes} {no})"
            case "**":
                return self.power(t, real)
            case "exp" | "ln" | "sqrt" | "normal_tail" | "pi":
                raise NotEncodable(f"{t.operator} cannot be sent to a solver: compare logarithms or squares instead")
        return f"({self.function(t, real)} {' '.join(self.expression(a, real) for a in t.arguments)})"

    def function(self, t: Term, real: bool) -> str:
        """The function that the term applies to its arguments."""
        if t.operator in HELPERS:
            return self.helper(t.operator, HELPERS[t.operator], real)
        if t.operator not in ("+", "-", "*", "/", "negate"):
            raise NotEncodable(f"{t.operator} is not arithmetic that a solver decides, in {t}")
        return "-" if t.operator == "negate" else t.operator

    def power(self, t: Term, real: bool) -> str:
        """A whole power as repeated multiplication; x ** 0 is 1."""
        base, exponent = t.arguments
        if not is_whole(exponent):
            raise NotEncodable(f"the exponent must be a whole number >= 0, got {exponent} in {t}")
        n = int(exponent.rational)
        if n < 2:
            return self.expression(base, real) if n else literal(Fraction(1), real)
        head = self.helper(f"power-{n}", f"(define-fun {{name}} ((x {{sort}})) {{sort}} (*{' x' * n}))", real)
        return f"({head} {self.expression(base, real)})"

    def helper(self, stem: str, definition: str, real: bool) -> str:
        """The name of a defined function; its definition is written once into the text."""
        sort = "Real" if real else "Int"
        name = f"{stem}-{sort}"
        self.helpers[name] = definition.format(name=name, sort=sort, zero=literal(Fraction(0), real))
        return name

    def is_integral(self, t: Term) -> bool:
        """Whether the term has sort Int, as its shape tells.

        Without integer names nothing has, since a logic of reals alone has no sort Int.
        """
        return bool(self.integers) and is_integral(t, self.integers)


def literal(value: Fraction, real: bool) -> str:
    """A rational number: SMT-LIB has non-negative integers and decimals only, the rest is arithmetic on them."""
    point = ".0" if real else ""
    size = f"{abs(value.numerator)}{point}"
    if value.denominator != 1:
        size = f"(/ {size} {value.denominator}{point})"
    return f"(- {size})" if value < 0 else size


def symbol(name: str) -> str:
    """A symbol for `name`, distinct for distinct names and from every function of SMT-LIB.

    >>> symbol("d_in"), symbol("a|b")
    ('$d_in', '$a.7c.b')
    """
    return "$" + "".join(c if c.isascii() and (c.isalnum() or c == "_") else f".{ord(c):x}." for c in name)


def logic(g: Goal) -> str:
    """The smallest logic without quantifiers that has what the goal uses."""
    found, kinds = [s for t in (g.show, *g.given) for s in subterms(t)], set(sorts(g).values())
    if any(s.operator == "integer" for s in found):
        kinds = {"Int", "Real"}
    if any(s.operator == "/" or s.operator == "number" and s.rational.denominator != 1 for s in found):
        kinds.add("Real")
    kind = "R" if "Int" not in kinds else "IR" if "Real" in kinds else "I"
    return f"QF_{'N' if any(map(is_nonlinear, found)) else 'L'}{kind}A"


def is_nonlinear(t: Term) -> bool:
    """Whether `t` itself multiplies two names or divides by anything but a number that is not 0."""
    match t.operator:
        case "*":
            return all(map(names, t.arguments))
        case "/":
            return t.arguments[1].operator != "number" or t.arguments[1] == number(0)
        case "**":
            return bool(names(t.arguments[0])) and t.arguments[1].value not in (0, 1)
    return False
