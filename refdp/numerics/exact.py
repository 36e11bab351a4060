"""Exact numbers and decided comparisons: True and False are facts, everything else raises `Undecided`.

`exact` reads a rational, `exact_real` also a + ln(b); `decide` settles a closed statement by rational arithmetic,
by symbolic cancellation (ties) and by intervals of rising precision.  No float is read, made or compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from numbers import Integral
from operator import index

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.cancellation import NotExact, linear, quotient, root, size, vanishes
from refdp.numerics.elementary import Undecided
from refdp.numerics.intervals import Interval
from refdp.terms import term as terms
from refdp.terms.evaluation import COMPARE, evaluate, truth
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply

PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)
"""The binary digits with which intervals are tried."""
LONGEST_TEXT = 400
"""Longest text that is read as a number, in characters."""
LARGEST_SIZE = 13_000
"""Longest numerator or denominator of an ExactReal, in binary digits: it can be printed and read again."""
INDICATOR, BRANCHING = frozenset({"indicator"}), frozenset({"indicator", "abs", "min", "max"})
_DECIMAL = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?)", re.ASCII)


def exact(value: object, parameter: str = "value") -> Fraction:
    """The rational number `value`: an int of any type, a Fraction, or text such as "3/10", "0.1", "1e-6", "-2".

    Raises NotExact for anything else; for a float it says what to write instead.

    >>> exact("0.1"), exact("1e-3"), exact(7)
    (Fraction(1, 10), Fraction(1, 1000), Fraction(7, 1))
    """
    if isinstance(value, float):
        raise NotExact(f"{parameter} must be exact, got the float {_advice(value)}")
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value.numerator, value.denominator)
    if isinstance(value, str) and len(value) <= LONGEST_TEXT and _DECIMAL.fullmatch(value.strip()):
        with suppress(ZeroDivisionError):
            return Fraction(value)
    if (integer := integer_of(value)) is not None:
        return Fraction(integer)
    raise NotExact(f'{parameter} must be an int, a Fraction or text such as "3/10" or "0.1", got {_shown(value)}')


def integer_of(value: object) -> int | None:
    """The int that any type of integers holds, numpy's too; None for anything else, truth values and durations."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not hasattr(value, "__index__"):
        return None
    return int(index(value))


def positive(value: object, parameter: str = "value") -> Fraction:
    """The exact number, where it is > 0.  ValueError otherwise."""
    found = exact(value, parameter)
    if found <= 0:
        raise ValueError(f"{parameter} must be > 0, got {found}")
    return found


def _advice(value: float) -> str:
    """The float as it prints, and how to write the number that was meant."""
    written = float.__repr__(value)
    if not _DECIMAL.fullmatch(written):  # nan, inf
        return written
    meant, itself = Fraction(written), Fraction(value)
    aside = f" (the float itself is {_shown(itself)})" if meant != itself else ""
    return f'{written}; write "{written}" for {_shown(meant)}{aside}'


def _shown(value: object) -> str:
    """`value` for an error message, at most 100 characters."""
    try:
        shown = str(value) if isinstance(value, Fraction | Term) else repr(value)
    except ValueError:  # Python prints no integer of more than 4300 digits
        return "a number too long to print"
    return shown if len(shown) <= 100 else f"{shown[:97]}..."


@dataclass(frozen=True, slots=True, eq=False)
class ExactReal:
    """rational + ln(argument), argument > 0: comparisons are decided exactly, equality symbolically.

    e^r is irrational for rational r != 0 (Lindemann), so a + ln b = c + ln d only if a = c and b = d.  What is not
    equal is told apart by intervals; Undecided where the last of PRECISIONS does not suffice.
    """

    rational: Fraction = Fraction(0)
    argument: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rational", exact(self.rational, "rational"))
        object.__setattr__(self, "argument", exact(self.argument, "argument of ln"))
        if self.argument <= 0:
            raise NotExact(f"argument of ln must be > 0, got {_shown(self.argument)}")
        if max(size(self.rational), size(self.argument)) > LARGEST_SIZE:
            raise NotExact(f"a + ln(b) must have at most {LARGEST_SIZE} binary digits; take a rational upper bound")

    @property
    def term(self) -> Term:
        """rational + ln(argument) as a term, 0 and ln(1) left out."""
        if self.argument == 1:
            return terms.number(self.rational)
        return terms.ln(self.argument) if self.rational == 0 else self.rational + terms.ln(self.argument)

    def __str__(self) -> str:
        return str(self.term)

    def __hash__(self) -> int:
        return hash(self.rational) if self.argument == 1 else hash((self.rational, self.argument))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, bool) or not isinstance(other, int | Fraction | ExactReal):
            return NotImplemented
        real = exact_real(other)
        return self.rational == real.rational and self.argument == real.argument

    def __lt__(self, other: Real) -> bool:
        return decide(self.term < exact_real(other).term)

    def __le__(self, other: Real) -> bool:
        return decide(self.term <= exact_real(other).term)

    def __gt__(self, other: Real) -> bool:
        return exact_real(other) < self

    def __ge__(self, other: Real) -> bool:
        return exact_real(other) <= self

    def __neg__(self) -> ExactReal:
        return ExactReal(-self.rational, 1 / self.argument)

    def __add__(self, other: Real) -> ExactReal:
        real = exact_real(other)
        return ExactReal(self.rational + real.rational, self.argument * real.argument)

    def __sub__(self, other: Real) -> ExactReal:
        return self + -exact_real(other)

    def __rsub__(self, other: Real) -> ExactReal:
        return -self + other

    def __mul__(self, factor: Fraction | int) -> ExactReal:
        """The multiple; NotExact where a part of ln(argument) is asked for that is not ln of a rational."""
        return exact_real(exact_number(self.term * exact(factor, "factor")))

    __radd__, __rmul__ = __add__, __mul__


Real = int | Fraction | ExactReal
"""What an ExactReal is added to and compared with."""
Exactly = int | Fraction | str
"""What `exact` reads."""


def Ln(x: Exactly) -> ExactReal:
    """ln(x), x > 0; else NotExact.

    >>> Ln(3) + Fraction(1, 2) < 2 * Ln("9/4"), Ln(9) == 2 * Ln(3), str(1 - Ln(2))
    (True, True, '1 + ln(1/2)')
    """
    return ExactReal(argument=exact(x, "argument of ln"))


def exact_real(value: object, parameter: str = "value") -> ExactReal:
    """a + ln(b): what `exact` reads, an ExactReal, or text such as "ln(3)", "1/2 + ln(3)", "2*ln(3)"; else NotExact."""
    if isinstance(value, ExactReal):
        return value
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or _DECIMAL.fullmatch(value.strip()):
        return ExactReal(exact(value, parameter))
    try:
        number = exact_number(read(value.strip()))
    except ValueError as error:  # TermError, NotExact
        expected = f'{parameter} must be a number such as "3/10", "0.1" or "1/2 + ln(3)"'
        raise NotExact(f"{expected}, got {_shown(value)}: {error}") from None
    return number if isinstance(number, ExactReal) else ExactReal(number)


def exact_number(t: Term) -> Fraction | ExactReal:
    """The closed term `t` as a rational number, or as a + ln(b) with b != 1; NotExact if it is not found to be one."""
    with suppress(ValueError):  # a TermError, or a number too long to print in one
        return Fraction(evaluate(t, {}))
    try:
        next(_enclosures(t))  # so it has a value, as `quotient` demands: 1 / (1 / (exp(1) - exp(1))) has none
        a, b, n = linear(quotient(resolve(t, BRANCHING)))
    except (StopIteration, Undecided):
        raise NotExact(f"{_shown(t)} is not found to be of the form a + ln(b)") from None
    return ExactReal(a, root(b, n)) if b != 1 else a


def decide(statement: Term) -> bool:
    """Whether a closed statement holds: a comparison, integer(x), or all_of such.

    Raises Undecided where that is not found out, TermError where the statement is open or means nothing.

    >>> decide(read("1/4 * exp(ln(3)) <= 3/4")), decide(read("exp(1) < 27/10"))
    (True, False)
    """
    if statement.operator == "all_of":
        return all(map(decide, statement.arguments))
    with suppress(ValueError):  # a TermError, or a number too long to print in one
        return truth(statement, {})
    if statement.operator == "integer":
        try:
            number = exact_number(statement.arguments[0])
        except NotExact as error:
            raise Undecided(str(error)) from None
        return isinstance(number, Fraction) and number.denominator == 1  # a + ln(b) with b != 1 is irrational
    if statement.operator not in COMPARE:
        raise TermError(f"{_shown(statement)} is not a statement")
    return _compared(statement.operator, *statement.arguments)


def _compared(comparison: str, a: Term, b: Term) -> bool:
    """a <= b, a < b, a == b or a != b; an enclosure of both sides shows that they have values."""
    untested = True
    for arithmetic, (x, y) in _enclosures(a, b):
        with suppress(Undecided):
            return arithmetic.holds(comparison, x, y)
        if untested and _tied(a, b):
            return comparison in ("<=", "==")
        untested = False
    raise Undecided(f"{_shown(apply(comparison, a, b))} is not decided by {PRECISIONS[-1]} bits")


def _tied(a: Term, b: Term) -> bool:
    """Whether two terms that have values are equal by cancellation; False proves nothing."""
    with suppress(ValueError, Undecided):  # NotExact, or a TermError for a power too long to work out
        return a == b or vanishes(quotient(resolve(a - b, BRANCHING)).top)
    return False


def _enclosures(*closed: Term) -> Iterator[tuple[Intervals, list[Interval]]]:
    """Enclosures of the terms at each of PRECISIONS that yields any."""
    resolved = [resolve(t) for t in closed]
    for arithmetic in map(Intervals, PRECISIONS):
        try:
            enclosures = [evaluate(t, {}, arithmetic) for t in resolved]
        except Undecided:
            continue
        yield arithmetic, enclosures


def resolve(t: Term, operators: frozenset[str] = INDICATOR) -> Term:
    """The closed term `t` with each of the `operators` replaced by the branch that it takes."""
    arguments = [resolve(a, operators) for a in t.arguments]
    match t.operator if t.operator in operators else "", arguments:
        case "indicator", [statement]:
            return terms.number(int(decide(statement)))
        case "abs", [a]:
            return a if decide(0 <= a) else -a
        case "min", [a, b]:
            return a if decide(a <= b) else b
        case "max", [a, b]:
            return b if decide(a <= b) else a
    return apply(t.operator, *arguments) if arguments else t


def enclose(t: Term, bits: int = 64) -> Interval:
    """An interval that holds the closed term `t`, by arithmetic with `bits` binary digits; Undecided if none."""
    found: Interval = evaluate(resolve(t), {}, Intervals(bits))
    return found


def upper_bound(t: Term, digits: int = 12) -> Fraction:
    """A decimal number of at most `digits` significant digits >= the closed term `t`, nearly the least."""
    found = None
    for _, (x,) in _enclosures(t):
        least, found = _decimal_above(x.lower, digits), _decimal_above(x.upper, digits)
        with suppress(Undecided):
            if least == found or decide(t <= terms.number(least)):
                return least
    if found is None:
        raise Undecided(f"{_shown(t)} has no enclosure with {PRECISIONS[-1]} bits")
    return found


def lower_bound(t: Term, digits: int = 12) -> Fraction:
    """A decimal number of at most `digits` significant digits <= the closed term `t`, nearly the greatest."""
    return -upper_bound(-t, digits)


def _decimal_above(x: Fraction, digits: int) -> Fraction:
    """The least decimal number of `digits` significant digits that is >= x."""
    if x == 0:
        return x
    e = (x.numerator.bit_length() - x.denominator.bit_length()) * 30103 // 100000  # about log10 |x|
    e += (abs(x) >= Fraction(10) ** (e + 1)) - (abs(x) < Fraction(10) ** e)
    unit = Fraction(10) ** (e + 1 - digits)
    return ceil(x / unit) * unit


__all__ = [
    "Exactly", "ExactReal", "Interval", "Intervals", "Ln", "NotExact", "Real", "Undecided",
    "decide", "enclose", "exact", "exact_number", "exact_real", "lower_bound", "positive", "resolve", "upper_bound",
]  # fmt: skip
