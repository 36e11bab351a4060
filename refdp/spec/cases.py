"""Case by case: goals without abs, min, max or indicator that together imply a goal.

Every step keeps its meaning whatever value x/0 has, so none needs a side condition: (1) a conjunction is proved part by
part, earlier parts becoming hypotheses, denominators first; (2) abs(u) is u where 0 <= u and -u where u < 0, and
likewise min, max, indicator; (3) integers are also real numbers, so a goal that holds for all reals holds for all
integers, also after a < b between integers was sharpened to a + 1 <= b; (4) where denominators are known to be
non-zero, a comparison is multiplied out (`quotients`), for either sign of their factors.  The proof is in
docs/soundness.md, lemma "cases".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from refdp.spec.goals import COMPARISONS, Goal, conjuncts, goal, is_integral, is_whole, negation
from refdp.spec.quotients import signs, without_division
from refdp.spec.statements import Statement
from refdp.terms.term import Term, TermError, apply, number, subterms

BRANCHING = frozenset({"abs", "min", "max", "indicator"})
TOTAL = BRANCHING | COMPARISONS | {"number", "name", "+", "-", "*", "/", "negate", "all_of", "exp", "pi"}
"""What a conclusion may consist of, besides whole powers."""
FALSE = Term("<", (number(0), number(0)))
MAXIMUM_CASES = 256
"""Most cases in which a statement is refuted."""

Facts = tuple[Term, ...]
"""Comparisons of which a case says that they do not all hold."""


@lru_cache(maxsize=256)
def contradictions(statement: Statement) -> tuple[Facts, ...]:
    """The statement is true if in none of these cases, in this order, all facts hold at once; TermError if too many."""
    found: list[Facts] = []
    partial = next((s for s in subterms(statement.conclusion) if not is_total(s)), None)
    if partial is not None:
        raise TermError(f"{str(partial)[:80]} has no value everywhere")
    for part in parts(goal(statement)):
        for case in branches(part):
            denied = [Goal((*case.given, denial), FALSE, case.integers) for denial in denials(case.show)]
            found += [facts(signed) for g in denied for signed in signs(g)]
            if len(found) > MAXIMUM_CASES:
                raise TermError(f"the statement must have at most {MAXIMUM_CASES} cases: {statement}")
    return tuple(found)


def is_total(t: Term) -> bool:
    """Whether `t` has a value wherever its parts have one, with some value for x/0."""
    return t.operator in TOTAL or t.operator == "**" and is_whole(t.arguments[1])


def denials(show: Term) -> tuple[Term, ...]:
    """What holds, one or the other, where `show` does not; an equation fails on either side."""
    if show.operator not in COMPARISONS:
        raise TermError(f"{show} is not a comparison")
    if show.operator == "==":
        a, b = show.arguments
        return Term("<", (a, b)), Term("<", (b, a))
    return (negation(show),)


def facts(g: Goal) -> Facts:
    """The comparisons among the hypotheses, multiplied out, sharpened between integers, and each != by its square."""
    plain = without_division(Goal(tuple(t for t in g.given if t.operator in COMPARISONS), g.show, g.integers))
    return tuple(sharpened(squared(t), g.integers) for t in plain.given)


def squared(t: Term) -> Term:
    """0 < (a - b)^2 for a != b; otherwise `t`."""
    return Term("<", (number(0), (t.arguments[0] - t.arguments[1]) ** 2)) if t.operator == "!=" else t


def case_goals(g: Goal) -> Iterator[tuple[Goal, ...]]:
    """Each case of the goal, in forms of which one has to hold; the last is the case itself."""
    for part in parts(g):
        for case in branches(part):
            relaxed = over_reals(case)
            yield without_division(relaxed), relaxed, case


def parts(g: Goal) -> Iterator[Goal]:
    """One goal for each part of the conclusion, the last part first, each with the parts before it as hypotheses."""
    given = g.given
    for part in reversed(list(conjuncts(g.show))):
        yield Goal(given, part, g.integers)
        given = (*given, part)


def branches(g: Goal) -> Iterator[Goal]:
    """The goal for each way in which the conditions inside abs, min, max and indicator can turn out."""
    found = [s for t in (*g.given, g.show) for s in subterms(t)]
    if any(s.operator == "integral" for s in found):
        raise TermError("an integral has no cases: a condition in it may depend on the name that it binds")
    split = next(filter(is_innermost, found), None)
    if split is None:
        yield g
        return
    for condition, value in alternatives(split):
        given = tuple(replaced(t, split, value) for t in g.given)
        if negation(condition) not in given:
            yield from branches(Goal((*given, condition), replaced(g.show, split, value), g.integers))


def is_innermost(t: Term) -> bool:
    """Whether `t` branches on a comparison and nothing inside it branches."""
    if t.operator not in BRANCHING or t.operator == "indicator" and t.arguments[0].operator not in COMPARISONS:
        return False
    return not any(s.operator in BRANCHING for a in t.arguments for s in subterms(a))


def alternatives(t: Term) -> tuple[tuple[Term, Term], tuple[Term, Term]]:
    """Condition and value of the two branches of abs, min, max or indicator."""
    a, b = t.arguments[0], t.arguments[-1]
    match t.operator:
        case "abs":
            condition, then, otherwise = number(0) <= a, a, -a
        case "min":
            condition, then, otherwise = a <= b, a, b
        case "max":
            condition, then, otherwise = a <= b, b, a
        case _:
            condition, then, otherwise = a, number(1), number(0)
    return (condition, then), (negation(condition), otherwise)


def replaced(t: Term, old: Term, new: Term) -> Term:
    """`t` with every `old` in it replaced."""
    if t == old:
        return new
    arguments = tuple(replaced(a, old, new) for a in t.arguments)
    if arguments == t.arguments:
        return t
    folds = not (t.operator == "/" and arguments[1] == number(0))  # x/0 stays: it has some value, we know not which
    return apply(t.operator, *arguments) if folds else Term(t.operator, arguments)


def over_reals(g: Goal) -> Goal:
    """The goal with its integer names ranging over the reals, and with sharper hypotheses in exchange."""
    given = tuple(sharpened(t, g.integers) for t in g.given if t.operator != "integer")
    return Goal(given, g.show, frozenset())


def sharpened(t: Term, integers: frozenset[str]) -> Term:
    """a + 1 <= b for a < b between integers; otherwise `t`."""
    if t.operator == "<" and integers and all(is_integral(a, integers) for a in t.arguments):
        return t.arguments[0] + 1 <= t.arguments[1]
    return t
