"""Case by case: goals without abs, min, max or indicator that together imply a goal.

Every step keeps its meaning in SMT-LIB's logic, where x/0 is some fixed but unknown value, so none needs a side
condition: (1) a conjunction is proved part by part, earlier parts becoming hypotheses, denominators first; (2) abs(u)
is u where 0 <= u and -u where u < 0, and likewise min, max, indicator; (3) integers are also real numbers, so a goal
that holds for all reals holds for all integers, also after a < b between integers was sharpened to a + 1 <= b; (4)
where denominators are known to be non-zero, a comparison is multiplied out (`quotients`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from refdp.provers.smt.encode import Writer, goal_text
from refdp.provers.smt.goals import COMPARISONS, Goal, conjuncts, goal
from refdp.provers.smt.quotients import without_division
from refdp.spec.statements import Statement
from refdp.spec.terms import Term, TermError, apply, number, subterms

MAXIMUM_CASES = 64
"""More cases than this are not tried."""
BRANCHING = frozenset({"abs", "min", "max", "indicator"})

Case = tuple[str, ...]
"""SMT-LIB texts of which one has to be unsatisfiable; the last is the case itself, earlier ones are sharper."""


def whole(statement: Statement) -> tuple[Case, ...]:
    """The statement as one case."""
    return ((goal_text(goal(statement)),),)


@lru_cache(maxsize=16)
def cases(statement: Statement) -> tuple[Case, ...]:
    """The cases that together prove the statement; none if there are too many, or with too large numbers in them."""
    found = []
    try:
        for goals in case_goals(goal(statement)):
            found.append(tuple(dict.fromkeys(map(goal_text, goals))))
            if len(found) > MAXIMUM_CASES:
                return ()
    except TermError:
        return ()
    return tuple(found)


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
    split = next((s for t in (*g.given, g.show) for s in subterms(t) if is_innermost(s)), None)
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


def negation(comparison: Term) -> Term:
    """The comparison that holds exactly where `comparison` does not."""
    a, b = comparison.arguments
    operator, swap = {"<=": ("<", True), "<": ("<=", True), "==": ("!=", False), "!=": ("==", False)}[
        comparison.operator
    ]
    return Term(operator, (b, a) if swap else (a, b))


def replaced(t: Term, old: Term, new: Term) -> Term:
    """`t` with every `old` in it replaced."""
    if t == old:
        return new
    arguments = tuple(replaced(a, old, new) for a in t.arguments)
    if arguments == t.arguments:
        return t
    folds = not (t.operator == "/" and arguments[1] == number(0))  # x/0 stays: it has some value in SMT-LIB
    return apply(t.operator, *arguments) if folds else Term(t.operator, arguments)


def over_reals(g: Goal) -> Goal:
    """The goal with its integer names ranging over the reals, and with sharper hypotheses in exchange."""
    writer = Writer(g.integers)
    given = tuple(sharpened(t, writer) for t in g.given if t.operator != "integer")
    return Goal(given, g.show, frozenset())


def sharpened(t: Term, writer: Writer) -> Term:
    """a + 1 <= b for a < b between integers; otherwise `t`."""
    if t.operator == "<" and all(map(writer.is_integral, t.arguments)):
        return t.arguments[0] + 1 <= t.arguments[1]
    return t
