"""Help for quotients by the public number of rows: with n^k in front, the move is a polynomial (untrusted).

change_one:  n^k (f(T) - f(T')) = P(sums, edited rows, n);  |P| <= n^k claim;  so the answer moves by at most the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from refdp.logic.asking import valid
from refdp.sensitivities.checking.clauses import Condition, conditions
from refdp.sensitivities.checking.invariants import GHOST, OTHER, Hint, Invariants, first, second
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.search.additive import records
from refdp.sensitivities.search.ranges import Ranges
from refdp.sensitivities.search.single_runs import Adding, adding
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number, parts, variables
from refdp.terms.operations import (
    add,
    at_most,
    conjunction,
    equal,
    multiply,
    negate,
    negation,
    real,
    substitute,
    subtract,
)
from refdp.terms.polynomials import Monomial, Polynomial, polynomial, term_of
from refdp.terms.term import Term

SECONDS = 0.2
"""Longest question whether a condition on the number of rows holds."""
HIGHEST = 4
"""Highest power of n that is multiplied with."""
ONE = integer(1)


def with_quotient_hints(question: Question, found: Invariants) -> Invariants | None:
    """The invariants with hints for the last condition; None where the answer is no such quotient."""
    if question.neighbours != "change_one" or len(question.program.output) != 1:
        return None
    sums = adding(question.program.passes[0])
    whole = _by_rows(question, sums)
    cleared = (_moved(question, sums, whole, power) for power in range(HIGHEST + 1))
    apart = next((one for one in cleared if one is not None), None)
    if apart is None:
        return None
    *_, out = conditions(question, question.neighbours, found)
    return replace(found, hints=(*found.hints, *_hints(question, out, sums, whole, *apart)))


def _by_rows(question: Question, sums: tuple[Adding, ...]) -> Term:
    """The answer, with the number of rows for what counts them, where there is a row."""
    counts = {one.state: SIZE for one in sums if _counts(one)}
    output = substitute(question.program.output[0], counts)
    public = {SIZE, *question.program.parameters}
    facts = [question.program.assumption, at_most(ONE, SIZE)]
    known: dict[Term, Term] = {}
    for one in parts(output):
        if one.sort == "Bool" and one.arguments and set(variables(one)) <= public:
            if valid("z3", facts, one, SECONDS).verdict == "unsat":
                known[one] = TRUE
            elif valid("z3", facts, negation(one), SECONDS).verdict == "unsat":
                known[one] = FALSE
    return substitute(output, known)


def _moved(question: Question, sums: tuple[Adding, ...], whole: Term, power: int) -> tuple[int, Term, Term] | None:
    """The power of n, n^power times the move, and n^power times the claim; None if these are no polynomials."""
    before = {one.state: first(one.state) for one in sums}
    ghost, other = records(question.program, GHOST), records(question.program, OTHER)
    gained = {one.state: subtract(substitute(one.more, other), substitute(one.more, ghost)) for one in sums}
    after = {state: add(state_before, gained[state]) for state, state_before in before.items()}
    apart = polynomial(substitute(whole, before)) - polynomial(substitute(whole, after))
    found, claim = _cleared(apart, power), _cleared(polynomial(question.claim), power)
    if found is None or claim is None:
        return None
    sources = (whole, *before.values(), *after.values(), question.claim, SIZE)
    return power, term_of(found, "Real", sources), term_of(claim, "Real", sources)


def _cleared(found: Polynomial, power: int) -> Polynomial | None:
    """n^power times the polynomial, without a quotient by n; None where one is left."""
    cleared: dict[Monomial, Fraction] = {}
    for monomial, coefficient in found.coefficients.items():
        exponents = dict(monomial)
        left = power + exponents.pop(SIZE, 0)
        for one in [a for a in exponents if a.operator == "/"]:
            degree = _degree(one)
            if degree is None:
                return None
            left -= degree * exponents.pop(one)
        if left < 0:
            return None
        product = frozenset({*exponents.items(), *([(SIZE, left)] if left else [])})
        cleared[product] = cleared.get(product, Fraction(0)) + coefficient
    return Polynomial({m: c for m, c in cleared.items() if c})


def _degree(quotient: Term) -> int | None:
    """The k of 1 / n^k; None of other quotients."""
    bottom = polynomial(quotient.arguments[1]).coefficients
    if polynomial(quotient.arguments[0]).coefficients != {frozenset(): Fraction(1)} or len(bottom) != 1:
        return None
    ((monomial, coefficient),) = bottom.items()
    exponents = dict(monomial)
    return exponents[SIZE] if coefficient == 1 and set(exponents) == {SIZE} else None


def _hints(
    question: Question, out: Condition, sums: tuple[Adding, ...], whole: Term, power: int, moved: Term, claim: Term
) -> Iterator[Hint]:
    """The move as a polynomial; how large that is; the conclusion."""
    answers, equations = _answers(question, sums), _equations(out, sums)
    scaled = [_scaled(power, answer) for answer in answers]
    plain = [_plain(question, sums, whole, power, run) for run in (first, second)]
    known = [equal(a, b) for a, b in zip(scaled, plain, strict=True)]
    yield from (Hint("out", same, equations) for same in known)
    same = equal(subtract(*plain), moved)
    yield Hint("out", same, tuple(h for h in out.hypotheses if h.operator == "=="))
    inside = list(_inside(question, sums))
    given = tuple(h for h in out.hypotheses if h.operator != "==")
    yield from (Hint("out", one, given) for one in inside)
    own = {*(first(one.state) for one in sums), SIZE, *question.program.parameters, *_slots(question)}
    small = _between(moved, claim)
    yield Hint("out", small, (*inside, *(h for h in given if set(variables(h)) <= own)))
    apart = _between(_scaled(power, subtract(*answers)), claim)
    yield Hint("out", apart, (*known, same, small))
    near = _between(subtract(*answers), question.claim)
    public = tuple(h for h in out.hypotheses if set(variables(h)) <= {SIZE, *question.program.parameters})
    yield Hint("out", near, (apart, *public))
    yield Hint("out", out.conclusion, (near, *equations))


def _answers(question: Question, sums: tuple[Adding, ...]) -> list[Term]:
    """The answer of both runs."""
    runs = [{one.state: run(one.state) for one in sums} for run in (first, second)]
    return [substitute(question.program.output[0], run) for run in runs]


def _equations(out: Condition, sums: tuple[Adding, ...]) -> tuple[Term, ...]:
    """What is known of the number of rows, and of the states that count them."""
    counts = {SIZE, *(run(one.state) for one in sums if _counts(one) for run in (first, second))}
    return tuple(h for h in out.hypotheses if set(variables(h)) <= counts)


def _counts(one: Adding) -> bool:
    """Whether the state counts the rows."""
    return is_number(one.more) and one.more.rational == 1 and one.start is ZERO


def _scaled(power: int, term: Term) -> Term:
    """n^power times the term."""
    for _ in range(power):
        term = multiply(real(SIZE), term)
    return term


def _plain(question: Question, sums: tuple[Adding, ...], whole: Term, power: int, run: Callable[[Term], Term]) -> Term:
    """n^power times the answer of a run, as a polynomial."""
    states = {one.state: run(one.state) for one in sums}
    found = _cleared(polynomial(substitute(whole, states)), power)
    return ZERO if found is None else term_of(found, "Real", (whole, *states.values(), SIZE))


def _between(term: Term, limit: Term) -> Term:
    """-limit <= term <= limit."""
    return conjunction(at_most(negate(limit), term), at_most(term, limit))


def _slots(question: Question) -> list[Term]:
    """The variables of the edited records."""
    return [slot for name in (GHOST, OTHER) for slot in records(question.program, name).values()]


def _inside(question: Question, sums: tuple[Adding, ...]) -> Iterator[Term]:
    """Between which bounds what an edited row adds lies."""
    bounds = Ranges(question.program)
    for one in sums:
        low, high = bounds.of(one.more)
        if low is None or high is None or low is high:
            continue
        for name in (GHOST, OTHER):
            more = substitute(one.more, records(question.program, name))
            yield conjunction(at_most(low, more), at_most(more, high))
