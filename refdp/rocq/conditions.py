"""Which conditions of proofs about programs and queries Rocq proves itself; each other one is a premise of solvers.

What is told here is told of the condition's text alone.  So only what is sure to be proved is named: linear arithmetic
with few choices, sums of equations, and facts about public parameters that are a matter of signs or of algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random

from refdp.terms.leaves import TRUE, is_number, parts, rational, variables
from refdp.terms.operations import conjunction
from refdp.terms.term import Term

LINEAR = frozenset({"number", "truth", "name", "+", "*", "<", "<=", "==", "not", "all_of", "any_of", "ite"})
"""The operators of linear arithmetic, where one factor of each product is a number."""
ONE = rational(1)
MOST_CHOICES, MOST_FACTS = 4, 40
"""Up to how many choices, and hypotheses and parts of the conclusion, a condition of linear arithmetic may have."""
TRIED = 12
"""At how many points two sides are compared that may be equal."""


def is_plain(hypotheses: Sequence[Term], conclusion: Term) -> bool:
    """Whether it is linear arithmetic with few choices, in which no whole number becomes a real one.

    A condition of this form that is valid is proved by branching and linear arithmetic: in each branch what is said of
    real numbers, or what is said of whole ones, is a contradiction by itself.
    """
    facts = {fact for one in (*hypotheses, conclusion) for fact in _parts(one)}
    choices = set[Term]()
    for part in (one for fact in facts for one in parts(fact)):
        if part.operator not in LINEAR:
            return False
        if part.operator == "*" and not is_number(part.arguments[0]):
            return False
        is_choice = part.operator in ("<", "<=", "==") and part not in facts
        if is_choice or (part.operator == "name" and part.sort == "Bool"):
            choices.add(part)
    return len(choices) <= MOST_CHOICES and len(facts) <= MOST_FACTS


def follows_by_equations(hypotheses: Sequence[Term], conclusion: Term) -> bool:
    """Whether each part of the conclusion is a hypothesis, or an equation that is a sum of multiples of hypotheses.

    What is no sum and no multiple is taken as it stands, so that no choice is looked into.
    """
    facts = set(_parts(conjunction(*hypotheses)))
    wanted = [part for part in _parts(conclusion) if part is not TRUE and part not in facts]
    if any(part.operator != "==" or part.arguments[0].sort == "Bool" for part in wanted):
        return False
    for sort in ("Real", "Int"):
        known = [_difference(f) for f in facts if f.operator == "==" and f.arguments[0].sort == sort]
        basis = _reduced(known)
        if any(_less(_difference(w), basis) for w in wanted if w.arguments[0].sort == sort):
            return False
    return True


Sum = dict[Term, Fraction]
"""A sum of multiples: of what, and how often."""


def _parts(statement: Term) -> tuple[Term, ...]:
    """The parts of a conjunction."""
    return statement.arguments if statement.operator == "all_of" else (statement,)


def _difference(equation: Term) -> Sum:
    """The left side less the right one."""
    found: Sum = {}
    waiting = [(equation.arguments[0], Fraction(1)), (equation.arguments[1], Fraction(-1))]
    while waiting:
        term, times = waiting.pop()
        if term.operator == "+":
            waiting += [(one, times) for one in term.arguments]
        elif term.operator == "*" and is_number(term.arguments[0]):
            waiting.append((term.arguments[1], times * term.arguments[0].rational))
        else:
            what, often = (ONE, times * term.rational) if is_number(term) else (term, times)
            found[what] = found.get(what, Fraction(0)) + often
    return {what: often for what, often in found.items() if often}


def _less(one: Sum, basis: Mapping[Term, Sum]) -> Sum:
    """What is left of a sum when multiples of the basis are taken away: nothing of what a member stands first for."""
    left = dict(one)
    for what, member in basis.items():
        times = left.get(what, Fraction(0))
        for other, often in member.items() if times else ():
            left[other] = left.get(other, Fraction(0)) - times * often
    return {what: often for what, often in left.items() if often}


def _reduced(sums: Iterable[Sum]) -> dict[Term, Sum]:
    """A basis: each member stands first for something, once, that occurs in no later one."""
    basis: dict[Term, Sum] = {}
    for one in sums:
        left = _less(one, basis)
        what = next((w for w in left if w is not ONE), None)
        if what is not None:
            basis[what] = {other: often / left[what] for other, often in left.items()}
    return basis


def is_public_fact(hypotheses: Sequence[Term], conclusion: Term) -> bool:
    """Whether the conclusion says that a product of what is positive is so, or is an equation of rational functions.

    Positive are numbers, and names of which a hypothesis says it.
    """
    facts = set(_parts(conjunction(*hypotheses)))
    if conclusion.operator not in ("<", "<=", "=="):
        return False
    left, right = conclusion.arguments
    positive = {name for fact in facts for name in _said_to_be_positive(fact)}
    if left.sort != "Real" or not all(_is_defined(one, positive) for one in (left, right)):
        return False
    if conclusion.operator != "==" and is_number(left) and left.rational == 0:
        return _is_positive(right, positive)
    return conclusion.operator != "<" and _are_one(left, right)


def _said_to_be_positive(fact: Term) -> Iterable[Term]:
    """The names that a comparison with a number says to be positive."""
    if fact.operator in ("<", "<=") and is_number(fact.arguments[0]) and fact.arguments[1].operator == "name":
        least = fact.arguments[0].rational
        if least > 0 or (least == 0 and fact.operator == "<"):
            yield fact.arguments[1]


def _is_positive(term: Term, positive: set[Term]) -> bool:
    """Whether a term is made of positive ones by sums, products and quotients."""
    match term.operator:
        case "number":
            return term.rational > 0
        case "name":
            return term in positive
        case "+" | "*" | "/" | "real":
            return all(_is_positive(one, positive) for one in term.arguments)
    return False


def _is_defined(term: Term, positive: set[Term]) -> bool:
    """Whether it is a rational function that divides by what is positive alone."""
    if term.operator == "/" and not _is_positive(term.arguments[1], positive):
        return False
    known = term.operator in ("number", "name", "+", "*", "/", "real")
    return known and all(_is_defined(one, positive) for one in term.arguments)


def _are_one(left: Term, right: Term) -> bool:
    """Whether two rational functions are equal at points drawn at random: if they differ, it is at nearly all."""
    drawn = Random(0)
    for _ in range(TRIED):
        at: dict[Term, Fraction] = {}
        for v in variables(left, right):
            low = drawn.randrange(1, 10**6)
            at[v] = Fraction(low) if v.sort == "Int" else Fraction(low, drawn.randrange(1, 10**6))
        if value_at(left, at) != value_at(right, at):
            return False
    return True


def value_at(term: Term, at: Mapping[Term, Fraction]) -> Fraction:
    """The value of a rational function."""
    found: dict[Term, Fraction] = {}
    for part in parts(term):
        inner = [found[one] for one in part.arguments]
        match part.operator:
            case "number":
                found[part] = part.rational
            case "name":
                found[part] = at[part]
            case "+":
                found[part] = sum(inner, Fraction(0))
            case "*":
                found[part] = inner[0] * inner[1]
            case "/":
                found[part] = inner[0] / inner[1]
            case _:
                found[part] = inner[0]
    return found[term]


def tactic_for(hypotheses: Sequence[Term], conclusion: Term) -> str | None:
    """The tactic of Decisions.v that proves a condition; none where it is a premise."""
    if follows_by_equations(hypotheses, conclusion):
        return "equations"
    if is_public_fact(hypotheses, conclusion):
        return "public_fact"
    return "linear" if is_plain(hypotheses, conclusion) else None
