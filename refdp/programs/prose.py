"""Terms as a textbook writes them: sums with their signs, comparisons without negative parts, equations as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm

from refdp.terms.leaves import is_number
from refdp.terms.operations import disjunction, less, negation
from refdp.terms.term import Term

RELATIONS = {"<=": "<=", "<": "<", "==": "=="}
Namer = Callable[[str], str]
Linear = dict[str, Fraction]
"""Text of a part -> its coefficient; the constant has the empty text."""


def sentences(statement: Term, name: Namer) -> list[str]:
    """A statement as one sentence for each part of a conjunction; two inequalities that meet become an equation."""
    parts = conjuncts(statement)
    found = dict.fromkeys(sentence(one, name) for one in parts)
    for one in list(found):
        turned = re.fullmatch(r"(.*) <= (.*)", one)
        if turned and (back := f"{turned[2]} <= {turned[1]}") in found:
            found = dict.fromkeys(f"{turned[1]} == {turned[2]}" if s == one else s for s in found if s != back)
    return list(found)


def conjuncts(statement: Term) -> list[Term]:
    """The parts of a conjunction; a choice is one, of what holds in either case."""
    if statement.operator == "all_of":
        return [part for one in statement.arguments for part in conjuncts(one)]
    if statement.operator == "ite":
        condition, yes, no = statement.arguments
        denied = negation(less(*reversed(condition.arguments))) if condition.operator == "<=" else condition
        otherwise = [disjunction(denied, part) for part in conjuncts(no)]
        return [*(disjunction(negation(condition), part) for part in conjuncts(yes)), *otherwise]
    return [statement]


def sentence(statement: Term, name: Namer) -> str:
    """One statement."""
    operator, arguments = statement.operator, statement.arguments
    if operator == "not" and arguments[0].operator in ("<=", "<"):
        inner = arguments[0]
        return comparison("<" if inner.operator == "<=" else "<=", inner.arguments[1], inner.arguments[0], name)
    if operator in ("<=", "<") or operator == "==" and arguments[0].sort != "Bool":
        return comparison(operator, arguments[0], arguments[1], name)
    if operator == "not":
        return f"not ({sentence(arguments[0], name)})"
    if operator == "any_of" and (found := implication(arguments, name)):
        return found
    if operator in ("all_of", "any_of"):
        return (" and " if operator == "all_of" else " or ").join(bracketed(one, name) for one in arguments)
    if operator == "==":
        return " == ".join(bracketed(one, name) for one in arguments)
    if operator == "ite":
        condition, yes, no = (sentence(one, name) for one in arguments)
        return f"if {condition} then {yes} else {no}"
    return composed(statement, name)


def implication(parts: tuple[Term, ...], name: Namer) -> str:
    """A disjunction some parts of which are denied as what follows where they are not; empty if none is."""
    denied = [one.arguments[0] for one in parts if one.operator == "not"]
    others = [one for one in parts if one.operator != "not"]
    if not denied:
        return ""
    if not others:
        denied, others = denied[:-1], [parts[-1]]
    given = " and ".join(sentence(one, name) for one in denied)
    return f"if {given} then {' or '.join(sentence(one, name) for one in others)}" if given else ""


def bracketed(statement: Term, name: Namer) -> str:
    """A statement within another one."""
    found = sentence(statement, name)
    return found if not statement.arguments else f"({found})"


def comparison(operator: str, left: Term, right: Term, name: Namer) -> str:
    """Both sides with whole and positive coefficients."""
    found = linear(left, name)
    for part, c in linear(right, name).items():
        found[part] = found.get(part, Fraction(0)) - c
    if operator == "<" and left.sort == right.sort == "Int":
        operator, found[""] = "<=", found.get("", Fraction(0)) + 1
    found = {part: c for part, c in found.items() if c}
    scale = Fraction(lcm(*(c.denominator for c in found.values())), gcd(*(c.numerator for c in found.values())) or 1)
    sides = [{p: abs(c) * scale for p, c in found.items() if (c > 0) == way} for way in (True, False)]
    return f"{total(sides[0])} {RELATIONS[operator]} {total(sides[1])}"


def expression(term: Term, name: Namer) -> str:
    """A number or truth value."""
    return sentence(term, name) if term.sort == "Bool" and term.arguments else total(linear(term, name))


def total(found: Mapping[str, Fraction]) -> str:
    """A sum of parts, what is taken away after what is not, and constants after those."""
    text = ""
    for part, c in sorted(found.items(), key=lambda item: (item[1] < 0, item[0] == "")):
        if c:
            text += (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
            text += summand(abs(c), part)
    return text or "0"


def summand(c: Fraction, part: str) -> str:
    """c part."""
    if not part:
        return str(c)
    if " " in part and c != 1:
        part = f"({part})"
    above, below = c.as_integer_ratio()
    return f"{'' if above == 1 else f'{above}*'}{part}{'' if below == 1 else f'/{below}'}"


def linear(term: Term, name: Namer) -> Linear:
    """A term as a sum of parts with coefficients."""
    arguments = term.arguments
    if is_number(term):
        return {"": term.rational}
    if term.operator == "real":
        return linear(arguments[0], name)
    if term.operator == "+":
        return added(linear(one, name) for one in arguments)
    if term.operator == "*" and any(map(is_number, arguments)):
        factor, other = arguments if is_number(arguments[0]) else reversed(arguments)
        return {part: c * factor.rational for part, c in linear(other, name).items()}
    return {composed(term, name): Fraction(1)}


def added(parts: Iterable[Linear]) -> Linear:
    """The sum."""
    found: Linear = {}
    for one in parts:
        for part, c in one.items():
            found[part] = found.get(part, Fraction(0)) + c
    return found


def composed(term: Term, name: Namer) -> str:
    """A part that is no sum."""
    if not term.arguments:
        return name(str(term.value)) if term.operator == "name" else str(term.value)
    if term.operator == "ite":
        condition, yes, no = (expression(one, name) for one in term.arguments)
        return f"({yes} if {condition} else {no})"
    inner = [expression(one, name) for one in term.arguments]
    if term.operator in ("*", "/"):
        first, second = inner
        first = f"({first})" if " " in first else first
        second = f"({second})" if any(sign in second for sign in (" /*" if term.operator == "/" else " /")) else second
        return f"{first}{term.operator}{second}"
    return f"{term.operator}({', '.join(inner)})"
