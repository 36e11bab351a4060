"""Lists with nulls: what a proof reads where one of two lists may have elements that the other lacks.

Data that differ by an element more are lists of one length with a null where an element is missing.  A program passes
nulls over, so both runs share the rounds of a loop over the data:

    for x in q:                     for x in q:
        total = total + x               if x is there:
                                            place, reached = reached, reached + 1
                                            total = total + x

What counted the rounds counts the elements that are there, and len(q) is how many of them there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from refdp.programs.adjacency import LENGTH
from refdp.programs.language.context import EXCEPTION
from refdp.programs.language.rewriting import Rewriting
from refdp.programs.steps import BeyondSteps, Stepwise, names, needed, stepwise
from refdp.programs.syntax import Assign, Branch, Break, Claim, Emit, Look, Loop, Program, Require, Statement
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, variable, variables
from refdp.terms.operations import add, negation, substitute
from refdp.terms.term import Term

ONE = integer(1)


def shared_steps(program: Program, claim: Claim) -> Stepwise:
    """The steps that both runs on neighbours go through.  BeyondSteps where the program has none."""
    return stepwise(as_shared(program, claim))


def as_shared(program: Program, claim: Claim) -> Program:
    """The program that both runs on neighbours go through: with nulls where a list may have elements more.

    BeyondSteps where the number of elements is public, or an element is read by its place.
    """
    if not claim.adjacency.edits:
        return program
    insist_on_secret_length(program, claim)
    found = _WithNulls(program)
    body = found.block(program.body)
    return replace(program, body=(*counted(program, found.size), *body) if found.speaks_of_size else body)


def insist_on_secret_length(program: Program, claim: Claim) -> None:
    """BeyondSteps where the data are no list, or the claim is about so many elements."""
    if not program.data.is_list:
        raise BeyondSteps("data to which elements are added must be a list")
    if has_public_length(program, claim):
        raise BeyondSteps("the number of elements must not be public where elements are added or removed")


def has_public_length(program: Program, claim: Claim) -> bool:
    """Whether the claim is about so many elements, which lists with elements more do not have."""
    said = [one for one in (claim.epsilon, claim.delta, claim.rho, claim.where) if one is not None]
    is_said = LENGTH in variables(*said, program.assumption) or LENGTH.value in claim.given
    return is_said or program.length is not None or not program.data.is_list


def size_of(program: Program) -> Term:
    """The variable that holds how many elements are there."""
    return variable(f"{program.data.name}.len", "Int")


def counts_elements(found: Stepwise) -> bool:
    """Whether the first of the loops is one that no text holds: it counts the elements."""
    return bool(found.loops) and found.loops[0].counter == counting_rounds(found.program)


def counting_rounds(program: Program) -> str:
    """The counter of the loop that counts the elements."""
    return f"{size_of(program).value}.loop"


def counted(program: Program, size: Term) -> tuple[Statement, ...]:
    """size = len(q), counted."""
    element, name = element_of(program), str(size.value)
    present = presence_of(element)
    more = Branch(present, (Assign(name, add(size, ONE)),), (), None)
    loop = Loop(counting_rounds(program), LENGTH, element, (more,), line=program.line, present=str(present.value))
    return Assign(name, ZERO), loop


def element_of(program: Program) -> str:
    """The variable that holds the element of a round, where nothing in the text does."""
    return f"{program.data.name}.element"


def presence_of(element: str) -> Term:
    """The variable that says whether the element of a round is there."""
    return variable(f"{element}.there", "Bool")


def breaks(body: Iterable[Statement]) -> bool:
    """Whether a loop may be left by break in these statements, of which none is a loop."""
    return any(isinstance(one, Break) or isinstance(one, Branch) and breaks((*one.yes, *one.no)) for one in body)


def running_on(body: Sequence[Statement], left: Term) -> tuple[Statement, ...]:
    """The statements with a flag for each break: what comes after it is left out by the flag."""
    for place, one in enumerate(body):
        if isinstance(one, Break):
            return (*body[:place], Assign(str(left.value), TRUE))
        if breaks((one,)) and isinstance(one, Branch):
            split = replace(one, yes=running_on(one.yes, left), no=running_on(one.no, left))
            rest = running_on(body[place + 1 :], left)
            return (*body[:place], split, *([Branch(negation(left), rest, (), None)] if rest else []))
    return tuple(body)


@dataclass(slots=True)
class _WithNulls(Rewriting):
    """Statements that pass nulls over."""

    program: Program
    counters: Mapping[Term, Term] = field(default_factory=dict)
    """What stands for the counters of the loops around: how many elements came before the one at hand."""
    speaks_of_size: bool = False

    @property
    def size(self) -> Term:
        """How many elements are there."""
        return size_of(self.program)

    def term(self, one: Term) -> Term:
        """A term, in which the number of elements is counted."""
        self.speaks_of_size = self.speaks_of_size or LENGTH in variables(one)
        return substitute(one, {**self.counters, LENGTH: self.size})

    def statement(self, one: Statement) -> Statement:
        """One statement other than a loop."""
        if isinstance(one, Look):
            raise BeyondSteps("an element must be read in a loop over the data where elements are added or removed")
        if isinstance(one, Emit) and EXCEPTION in one.items:
            # Lists of two lengths may raise different exceptions, which are told alike: so none may be raised.
            return Require(FALSE, "an exception for some number of elements", one.line)
        return Rewriting.statement(self, one)

    def block(self, body: Iterable[Statement]) -> tuple[Statement, ...]:
        """Statements one after the other, loops among them."""
        each = (self.loop(one) if isinstance(one, Loop) else (self.statement(one),) for one in body)
        return tuple(chain.from_iterable(each))

    def loop(self, one: Loop) -> tuple[Statement, ...]:
        """A loop, over the data or not."""
        if one.element is None and (one.limit is None or LENGTH not in variables(one.limit)):
            return (self._nested(one),)
        element = one.element or element_of(self.program)
        if one.limit is not LENGTH or element in names(one.condition):
            raise BeyondSteps("a loop over the data must go over all of them where elements are added or removed")
        place, reached = (variable(f"{one.counter}.{name}", "Int") for name in ("place", "reached"))
        counter, before = variable(one.counter, "Int"), self.counters
        self.counters = {**before, counter: reached}
        condition = self.term(one.condition)
        self.counters = {**before, counter: place}
        inner, present = self.block(one.body), presence_of(element)
        self.counters = before
        counting = (Assign(str(place.value), reached), Assign(str(reached.value), add(reached, ONE)))
        is_counted = {str(place.value), str(reached.value)} & (needed(inner) | names(condition))
        inner = (*counting, *inner) if is_counted else inner
        start = (Assign(str(reached.value), ZERO),) if is_counted else ()
        left = variable(f"{one.counter}.left", "Bool")
        if condition is not TRUE or breaks(inner):
            # Both runs go to the end of the data, and do nothing more once one of them would have left the loop.
            leaves = Assign(str(left.value), TRUE)
            inner = running_on(inner, left)
            inner = inner if condition is TRUE else (Branch(condition, inner, (leaves,), None),)
            inner = (Branch(negation(left), inner, (), None),)
            start = (*start, Assign(str(left.value), FALSE))
        body = (Branch(present, inner, (), None),)
        return (*start, replace(one, element=element, condition=TRUE, body=body, present=str(present.value)))
