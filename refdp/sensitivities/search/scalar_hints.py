"""Help for quotients and squares of sums: what solvers need to know of them, in polynomials (untrusted).

Of c rows with sum u of summands in [low, high], and another row that adds g:  |c g - u| <= c (high - low), squared too;
and c q - u^2 <= c^2 (high - low)^2 / 4 where q is the sum of squares.  Then the answer's move,
where c >= 1 and where c = 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.invariants import GHOST, OTHER, Hint, Invariants, first
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.search.additive import records
from refdp.sensitivities.search.ranges import Ranges
from refdp.sensitivities.search.single_runs import Adding, adding, multiplied
from refdp.terms.leaves import ZERO, integer, is_number, rational, variables
from refdp.terms.operations import at_most, conjunction, implication, multiply, negate, substitute, subtract
from refdp.terms.polynomials import normal, polynomial
from refdp.terms.term import Term

ONE = integer(1)


def with_scalar_hints(question: Question, found: Invariants) -> Invariants:
    """The invariants with hints for the last condition and for the steps of sums of squares."""
    hints: list[Hint] = []
    for condition in conditions(question, question.neighbours, found):
        hints += _answer_hints(question, condition) if condition.name == "out" else _step_hints(condition)
    return replace(found, hints=(*found.hints, *hints))


def _step_hints(condition: Condition) -> Iterator[Hint]:
    """Each product that is to be kept by a step, from what it was before and little else."""
    members = condition.conclusion.arguments if condition.conclusion.operator == "all_of" else (condition.conclusion,)
    for before, member in zip(condition.hypotheses[-len(members) :], members, strict=False):
        if member.operator != "<=" or before.operator != "<=" or _degree(member) < 3:
            continue
        own = set(variables(member))
        close = [h for h in condition.hypotheses if h.operator == "<=" and set(variables(h)) <= own and h is not before]
        if member.arguments[0].operator == "*":
            positive = [h for h in close if is_number(h.arguments[0]) and h.arguments[0].rational == 0]
            yield Hint(condition.name, member, (before, *positive))
        else:
            gained = at_most(ZERO, normal(subtract(_slack(member), _slack(before))))
            yield Hint(condition.name, gained, tuple(h for h in close if _degree(h) < 2))
            yield Hint(condition.name, member, (before, gained))


def _slack(member: Term) -> Term:
    """By how much the right side of an inequality is larger."""
    left, right = member.arguments
    return subtract(right, left)


def _degree(member: Term) -> int:
    """The largest number of factors of a monomial in an inequality."""
    monomials = polynomial(_slack(member)).coefficients
    return max((sum(power for _, power in monomial) for monomial in monomials), default=0)


def _answer_hints(question: Question, out: Condition) -> Iterator[Hint]:
    """The hints for the last condition, each proved from those before it."""
    known = [h for h in out.hypotheses if h.operator == "=="]
    for hint in _polynomials(question, out):
        yield hint
        known.append(hint.statement)
    rows = common_rows(question)
    if has_squares(question):
        known = [one for one in known if one.operator != "all_of"]
    else:
        known += [h for h in out.hypotheses if h not in known]
    yield Hint("out", implication(at_most(ONE, rows), out.conclusion), tuple(dict.fromkeys(known)))
    yield Hint("out", implication(at_most(rows, ZERO), out.conclusion), out.hypotheses)


def has_squares(question: Question) -> bool:
    """Whether the sum of squares of a sum's summands is a state, too."""
    (only,) = question.program.passes
    return any(one is other for one, other, _ in multiplied(adding(only)))


def common_rows(question: Question) -> Term:
    """How many rows both tables have in common."""
    return SIZE if question.neighbours == "add_remove" else subtract(SIZE, ONE)


def _polynomials(question: Question, out: Condition) -> Iterator[Hint]:
    """How far each sum is from as many times the edited row, and how large its variance can be."""
    (only,) = question.program.passes
    sums, bounds, rows = adding(only), Ranges(question.program), common_rows(question)
    squared = {one.state: both for one, other, both in multiplied(sums) if one is other}
    for one in sums:
        low, high = bounds.of(one.more)
        if low is None or high is None or low is high or (squared and one.state not in squared):
            continue
        reach = multiply(rows, subtract(high, low))
        for record in records_of(question):
            ahead = subtract(multiply(rows, substitute(one.more, record)), shared(question, one))
            near = conjunction(at_most(negate(reach), ahead), at_most(ahead, reach))
            yield Hint("out", near, _about(out, near))
            if one.state in squared:
                yield Hint("out", at_most(multiply(ahead, ahead), multiply(reach, reach)), (near,))
        if one.state in squared:
            yield from _of_squares(question, out, one, squared[one.state], subtract(high, low))


def _about(out: Condition, statement: Term) -> tuple[Term, ...]:
    """The hypotheses that speak of the variables of the statement alone."""
    own = set(variables(statement))
    return tuple(h for h in out.hypotheses if set(variables(h)) <= own)


def _of_squares(question: Question, out: Condition, one: Adding, both: Term, width: Term) -> Iterator[Hint]:
    """0 <= c q - u^2 <= c^2 (high - low)^2 / 4."""
    rows, moved = common_rows(question), shared(question, one)
    spread = subtract(multiply(rows, shared_term(question, both)), multiply(moved, moved))
    reach = multiply(rows, width)
    upper = at_most(spread, multiply(rational(Fraction(1, 4)), multiply(reach, reach)))
    for statement in (at_most(ZERO, spread), upper):
        yield Hint("out", statement, _about(out, statement))


def records_of(question: Question) -> list[dict[Term, Term]]:
    """The edited records."""
    names = (GHOST,) if question.neighbours == "add_remove" else (GHOST, OTHER)
    return [records(question.program, name) for name in names]


def shared(question: Question, one: Adding) -> Term:
    """What the common rows add to a sum."""
    return shared_term(question, one.moved)


def shared_term(question: Question, term: Term) -> Term:
    """A term in the states, as what it is of the common rows."""
    (only,) = question.program.passes
    own = {s: first(s) for s in only.state}
    if question.neighbours == "change_one":
        ghost = records(question.program, GHOST)
        own |= {one.state: subtract(first(one.state), substitute(one.more, ghost)) for one in adding(only)}
    return substitute(term, own)
