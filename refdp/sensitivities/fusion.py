"""Several passes as one: what needs no earlier result is moved into the first pass, and sums are taken apart.

`fused(program)` does the same as the program on every table and for all parameters for which the program has an
outcome.  The proof stands in docs/sensitivity.md, "One pass instead of several".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count

from refdp.sensitivities.program import ROW, Pass, Program
from refdp.sensitivities.sums import NotSeparable, Summation
from refdp.terms.leaves import ZERO, integer, is_number, make, variable, variables
from refdp.terms.operations import add, choice, equal, real, substitute
from refdp.terms.polynomials import Monomial, polynomial
from refdp.terms.term import Term


def fused(program: Program) -> Program:
    """The program with as few passes as fusion gets; itself where it has one pass."""
    if len(program.passes) < 2:
        return program
    work = _Fusion(program, [program.passes[0]])
    for state, _, step in _lines(program.passes[0]):
        work.remember(state, step)
    for later in program.passes[1:]:
        work.take(Pass(later.state, work.renamed(later.start), work.renamed(later.step)))
    output, (exception,) = work.renamed(program.output), work.renamed((program.exception,))
    return replace(program, passes=work.finished((*output, exception)), output=output, exception=exception)


@dataclass(slots=True)
class _Fusion:
    """The passes so far, and what the final states that are no states any more became."""

    program: Program
    passes: list[Pass]
    known: dict[Term, Term] = field(default_factory=dict)
    sums: dict[frozenset[tuple[Monomial, Fraction]], Term] = field(default_factory=dict)
    """The variable that starts at 0 and to which each row adds this polynomial."""
    added: dict[Term, Term] = field(default_factory=dict)
    """What each row adds to the variables that fusion made."""

    @property
    def prefix(self) -> str:
        """What the names of new sums begin with, and no other name."""
        names = {str(v.value) for one in self.program.passes for v in variables(*one.state, *one.start, *one.step)}
        prefixes = (f"{'sum' * times}!" for times in count(1))
        return next(p for p in prefixes if not any(name.startswith(p) for name in names))

    def renamed(self, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Terms in what the final states of earlier passes became."""
        return tuple(substitute(t, self.known) for t in terms)

    def remember(self, state: Term, step: Term) -> None:
        """A state of the first pass that is a sum may serve as that sum."""
        first = self.passes[0]
        start = first.start[first.state.index(state)]
        more = increment(state, step)
        if is_number(start) and start.rational == 0 and more is not None and not _reads(more, first.state):
            self.sums.setdefault(_key(more), state)

    def take(self, later: Pass) -> None:
        """Put each state of a later pass into the first pass, or among the ends, or leave it in a pass after."""
        ends = self._ends(later)
        staying, moved = _shared_out(later, self._independent(later), frozenset(ends))
        self.passes[0] = _joined(self.passes[0], _only(later, moved))
        self.known |= {state: end for state, end in ends.items() if state not in staying | moved}
        if staying:
            self.passes.append(_only(later, staying))

    def _ends(self, later: Pass) -> dict[Term, Term]:
        """The states of a later pass that are sums, as terms for the end."""
        free = self._independent(later)
        row = frozenset(self.program.record.slots(ROW)) | free
        everything = variables(*later.start, *later.step)
        end = frozenset(everything) - row - frozenset(self.program.parameters)
        found = {}
        for state, start, step in _lines(later):
            more = increment(state, step)
            if more is None and (settled := _settled(state, start, step, {*row, *later.state})) is not None:
                ended = choice(equal(self._accumulated(integer(1)), ZERO), start, settled)
                found[state] = real(ended) if state.sort == "Real" else ended
                continue
            if more is None or _reads(more, later.state) - free:
                continue
            try:
                found[state] = add(start, Summation(row, end, self._accumulated).of(more))
            except NotSeparable:
                continue
        return found

    def _independent(self, later: Pass) -> frozenset[Term]:
        """The largest set of states that need nothing but the rows, the parameters and each other."""
        public = {*self.program.record.slots(ROW), *self.program.parameters}
        free, before = set(later.state), len(later.state) + 1
        while len(free) < before:
            before = len(free)
            known = public | free
            free = {s for s, start, step in _lines(later) if s in free and known >= {*variables(start, step)}}
        return frozenset(free)

    def _accumulated(self, more: Term) -> Term:
        """The variable of the first pass to which each row adds this much; a new one where there is none."""
        key = _key(more)
        if key not in self.sums:
            self.sums[key] = variable(f"{self.prefix}{len(self.added)}", more.sort)
            self.added[self.sums[key]] = more
        return self.sums[key]

    def finished(self, wanted: tuple[Term, ...]) -> tuple[Pass, ...]:
        """The passes, the first one with the sums that are asked for."""
        wanted += tuple(t for one in self.passes[1:] for t in (*one.start, *one.step))
        asked = [v for v in self.added if v in set(variables(*wanted))]
        steps = tuple(add(v, self.added[v]) for v in asked)
        starts = tuple(make("number", v.sort, value=Fraction(0)) for v in asked)
        return (_joined(self.passes[0], Pass(tuple(asked), starts, steps)), *self.passes[1:])


def _settled(state: Term, start: Term, step: Term, moving: set[Term]) -> Term | None:
    """The value of a state after the first step and every further one; None where something that moves is read."""
    once = substitute(step, {state: start})
    is_fixed = not moving & set(variables(once)) and substitute(step, {state: once}) is once
    return once if is_fixed else None


def increment(state: Term, step: Term) -> Term | None:
    """What a step adds to the state, a term without it; None where the step is no such sum."""
    if step is state:
        return make("number", state.sort, value=Fraction(0))
    if state not in variables(step):
        return None
    if step.operator == "ite":
        condition, yes, no = step.arguments
        more, others = increment(state, yes), increment(state, no)
        if more is None or others is None or state in variables(condition):
            return None
        return choice(condition, more, others)
    if step.operator == "+":
        return _of_sum(state, *step.arguments)
    return None


def _of_sum(state: Term, a: Term, b: Term) -> Term | None:
    """What a sum of two terms, one of which has the state, adds to it."""
    with_state, other = (a, b) if state in variables(a) else (b, a)
    if state in variables(other):
        return None
    more = increment(state, with_state)
    return None if more is None else add(more, other)


def _shared_out(later: Pass, free: frozenset[Term], ended: frozenset[Term]) -> tuple[frozenset[Term], frozenset[Term]]:
    """Which states stay in their pass, and which are moved; the rest end as sums.

    Nobody but a state itself reads a state that ends; one that is moved is read by moved ones and by sums, and one
    that stays is read by others that stay.
    """
    staying = frozenset(later.state) - free - ended
    while True:
        read = {v for s, _, step in _lines(later) for v in _reads(step, later.state) - {s}}
        moved = frozenset(s for s in free - staying if s in read or s not in ended)
        stuck = {v for s, _, step in _lines(later) if s in staying for v in _reads(step, later.state)}
        stuck |= {s for s, _, step in _lines(later) if staying & _reads(step, later.state)}
        stuck |= (ended & read) - free
        if stuck <= staying:
            return staying, moved
        staying |= stuck


def _lines(one: Pass) -> Iterator[tuple[Term, Term, Term]]:
    """Each state with its first and its next value."""
    return zip(one.state, one.start, one.step, strict=True)


def _only(one: Pass, kept: frozenset[Term]) -> Pass:
    """The pass with these states only."""
    lines = [line for line in _lines(one) if line[0] in kept]
    return Pass(tuple(s for s, _, _ in lines), tuple(a for _, a, _ in lines), tuple(b for _, _, b in lines))


def _joined(one: Pass, more: Pass) -> Pass:
    """Two passes side by side."""
    return Pass(one.state + more.state, one.start + more.start, one.step + more.step)


def _reads(term: Term, state: tuple[Term, ...]) -> frozenset[Term]:
    """The states in a term."""
    return frozenset(variables(term)) & frozenset(state)


def _key(term: Term) -> frozenset[tuple[Monomial, Fraction]]:
    """The same for terms that are one polynomial."""
    return frozenset(polynomial(term).coefficients.items())
