"""The conditions under which a relation between two runs proves a sensitivity, for tables of every length.

For each pass, with state s in the first run and t in the second, and I(edited, s, t, rows):

    init    I(no, start, start', 0)
    before  I(no, s, t, r), a row x        =>  I(no, step(s, x), step'(t, x), r + 1)
    edit    I(no, s, t, r), the edited row =>  I(yes, s or step(s, g), step'(t, g or g'), r or r + 1)
    after   I(yes, s, t, r), a row x       =>  I(yes, step(s, x), step'(t, x), r + 1)

A later pass may use I(yes, ..., all rows) of the earlier ones.  At the end: the same exception, or answers within the
claim.  Why they suffice is proved in docs/sensitivity.md, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from refdp.sensitivities.checking.invariants import EDITED, GHOST, LENGTH, OTHER, ROWS, Invariants, first, second
from refdp.sensitivities.program import ROW, Program
from refdp.sensitivities.question import SIZE, Neighbours, Question, moves_at_most
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, variables
from refdp.terms.operations import add, at_most, conjunction, disjunction, equal, less, real, substitute
from refdp.terms.term import Term

Edit = Literal["add_remove", "change_one", "swap"]
"""How the tables differ; "swap": two rows that follow each other are exchanged."""
Mapped = dict[Term, Term]
ONE = integer(1)


@dataclass(frozen=True, slots=True)
class Condition:
    """The hypotheses imply the conclusion, for all values of the variables."""

    name: str
    hypotheses: tuple[Term, ...]
    conclusion: Term


def conditions(question: Question, edit: Edit, proposed: Invariants) -> Iterator[Condition]:
    """What must hold so that the answers of two tables that differ by one `edit` are within the claim.

    `question.edits` and `question.tables` play no part here.
    """
    setting = Setting(question.program, question.neighbours, edit, proposed)
    yield from map(tidy, setting.passes())
    outcomes = [tuple(substitute(t, run) for t in question.program.output) for run in (setting.one, setting.two)]
    raised = [substitute(question.program.exception, run) for run in (setting.one, setting.two)]
    near = moves_at_most((outcomes[0], raised[0]), (outcomes[1], raised[1]), question.norm, question.claim)
    yield tidy(Condition("out", setting.known(len(question.program.passes)), near))


def tidy(condition: Condition) -> Condition:
    """The condition with one hypothesis a fact, without those on counters alone where nothing else speaks of them."""
    whole = conjunction(*condition.hypotheses)
    facts = whole.arguments if whole.operator == "all_of" else (whole,)
    rest = tuple(h for h in facts if not set(variables(h)) <= {ROWS, SIZE, LENGTH} or h is FALSE)
    counted = {ROWS, SIZE, LENGTH} & set(variables(*rest, condition.conclusion))
    return Condition(condition.name, facts if counted else rest, condition.conclusion)


@dataclass(frozen=True, slots=True)
class Setting:
    """Two runs of a program on tables that differ by one edit."""

    program: Program
    neighbours: Neighbours
    edit: Edit
    proposed: Invariants

    @property
    def one(self) -> Mapped:
        """The states of the first run."""
        return {s: first(s) for one in self.program.passes for s in one.state}

    @property
    def two(self) -> Mapped:
        """The states of the second run."""
        return {s: second(s) for one in self.program.passes for s in one.state}

    @property
    def lengths(self) -> tuple[Term, Term]:
        """The numbers of rows of both tables; SIZE is that of the smaller one of the neighbours asked about."""
        if self.edit == "swap":
            return LENGTH, LENGTH
        return SIZE, add(SIZE, ONE) if self.edit == "add_remove" else SIZE

    def record(self, name: str) -> Mapped:
        """The row that a step reads, as the record `name`."""
        return dict(zip(self.program.record.slots(ROW), self.program.record.slots(name), strict=True))

    def known(self, index: int) -> tuple[Term, ...]:
        """What holds throughout pass `index`: of parameters, of the edited records, and of earlier passes."""
        facts = [self.program.assumption, at_most(ZERO, SIZE), self.program.record.constraint(GHOST)]
        if self.edit != "add_remove":
            facts.append(self.program.record.constraint(OTHER))
        facts += self.some_length() if self.edit == "swap" else []
        facts += [at_most(ONE, SIZE)] if self.edit == "change_one" else []
        for earlier in range(index):
            facts += self.holding(earlier, TRUE, self.lengths)
        return tuple(facts)

    def some_length(self) -> list[Term]:
        """What is known of LENGTH, that of either neighbour."""
        longer = equal(LENGTH, add(SIZE, ONE)) if self.neighbours == "add_remove" else FALSE
        return [disjunction(equal(LENGTH, SIZE), longer)]

    def holding(self, index: int, edited: Term, rows: tuple[Term, Term]) -> list[Term]:
        """The relation of pass `index` after so many rows in each run, and the invariant of each run."""
        facts = [self.relation(index, edited, rows[0], {})]
        if self.proposed.singles:
            for states, read, length in zip((self.one, self.two), rows, self.lengths, strict=True):
                facts.append(substitute(self.proposed.singles[index], {**states, ROWS: read, LENGTH: length}))
        return facts

    def relation(self, index: int, edited: Term, rows: Term, states: Mapping[Term, Term]) -> Term:
        """The relation of pass `index`, where these states have these values."""
        return substitute(self.proposed.relations[index], {EDITED: edited, ROWS: rows, **states})

    def passes(self) -> Iterator[Condition]:
        """The conditions of all passes."""
        yield from self.single_run() if self.proposed.singles else ()
        for index in range(len(self.program.passes)):
            yield from self.one_pass(index)

    def one_pass(self, index: int) -> Iterator[Condition]:
        """init, before, edit and after."""
        now, known, row = self.program.passes[index], self.known(index), self.record(ROW)
        starts = [tuple(substitute(t, run) for t in now.start) for run in (self.one, self.two)]
        yield Condition(f"{index}.init", known, self.relation(index, FALSE, ZERO, self.states(index, *starts)))
        taken = self.program.record.constraint(ROW)
        for name, edited in (("before", FALSE), ("after", TRUE)):
            ahead = add(ROWS, ONE) if name == "after" and self.edit == "add_remove" else ROWS
            left = [at_most(ZERO, ROWS), less(ROWS, self.lengths[0])]
            facts = (*known, taken, *left, *self.holding(index, edited, (ROWS, ahead)))
            steps = self.states(index, self.after(index, self.one, row), self.after(index, self.two, row))
            yield Condition(f"{index}.{name}", facts, self.relation(index, edited, add(ROWS, ONE), steps))
        yield self.at_the_edit(index, known)

    def at_the_edit(self, index: int, known: tuple[Term, ...]) -> Condition:
        """The condition for the place where the tables differ."""
        ghost, other = self.record(GHOST), self.record(OTHER)
        mine, theirs = {
            "add_remove": ((), (ghost,)),
            "change_one": ((ghost,), (other,)),
            "swap": ((ghost, other), (other, ghost)),
        }[self.edit]
        rows = add(ROWS, integer(len(mine)))
        facts = (*known, at_most(ZERO, ROWS), at_most(rows, self.lengths[0]), *self.holding(index, FALSE, (ROWS, ROWS)))
        steps = self.states(index, self.after(index, self.one, *mine), self.after(index, self.two, *theirs))
        return Condition(f"{index}.edit", facts, self.relation(index, TRUE, rows, steps))

    def after(self, index: int, run: Mapped, *records: Mapped) -> tuple[Term, ...]:
        """The states of a run after it has read these records."""
        now = self.program.passes[index]
        values = dict(run)
        for record in records:
            values |= sorted_as(now.state, tuple(substitute(t, {**values, **record}) for t in now.step))
        return tuple(values[s] for s in now.state)

    def states(self, index: int, mine: tuple[Term, ...], theirs: tuple[Term, ...]) -> Mapped:
        """New values of the states of both runs."""
        state = self.program.passes[index].state
        return sorted_as(tuple(map(first, state)), mine) | sorted_as(tuple(map(second, state)), theirs)

    def single_run(self) -> Iterator[Condition]:
        """The invariants of a single run hold at its start and are kept by each step, whichever table it is."""
        for index, now in enumerate(self.program.passes):
            common = self.known_of_single_run(index)
            single = self.proposed.singles[index]
            start = substitute(single, {**sorted_as(now.state, now.start), ROWS: ZERO})
            yield Condition(f"{index}.single.init", common, start)
            left = [at_most(ZERO, ROWS), less(ROWS, LENGTH), self.program.record.constraint(ROW)]
            kept = substitute(single, {**sorted_as(now.state, now.step), ROWS: add(ROWS, ONE)})
            yield Condition(f"{index}.single.step", (*common, *left, single), kept)

    def known_of_single_run(self, passes: int) -> tuple[Term, ...]:
        """What holds of a run after so many passes, whichever table it is."""
        ended = (substitute(single, {ROWS: LENGTH}) for single in self.proposed.singles[:passes])
        return (self.program.assumption, at_most(ZERO, SIZE), *self.some_length(), *ended)


def sorted_as(state: tuple[Term, ...], values: tuple[Term, ...]) -> Mapped:
    """Each state variable with its value, as a real number where it is one."""
    return {s: real(v) if s.sort == "Real" else v for s, v in zip(state, values, strict=True)}
