"""Questions about a score that are questions about the sensitivity of another program.

Direction: if u moves by at most D, then it never falls where a row is added exactly if 2 u - D n moves by at most D, as
2 (u(y) - u(x)) - D is then in [-D, D].  Range: the difference u(., r) - u(., s) of two candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from refdp.sensitivity.graphs import substitute
from refdp.sensitivity.program import Pass, Program
from refdp.sensitivity.terms import (
    ZERO,
    Term,
    add,
    choice,
    conjunction,
    equal,
    integer,
    multiply,
    subtract,
    variable,
)

COUNTED = variable("counted!", "Int")
"""How many rows were read."""
OTHER = "other!"
"""What the names of the second candidate's states and of the second candidate begin with."""
NOTHING = Pass((), (), ())


def shifted(program: Program, step: Term) -> Program:
    """The program whose answer is twice that of `program` less `step` for each row."""
    first, *others = program.passes or (NOTHING,)
    counting = Pass((*first.state, COUNTED), (*first.start, ZERO), (*first.step, add(COUNTED, integer(1))))
    output = tuple(subtract(multiply(integer(2), value), multiply(step, COUNTED)) for value in program.output)
    return replace(program, passes=(counting, *others), output=output)


def renamed(program: Program, names: Mapping[Term, Term]) -> Program:
    """The program with other states, and with parameters renamed."""
    states = {s: variable(f"{OTHER}{s.value}", s.sort) for one in program.passes for s in one.state}
    known = {**states, **names}

    def mapped(terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(substitute(t, known) for t in terms)

    return replace(
        program,
        parameters=mapped(program.parameters),
        passes=tuple(Pass(mapped(p.state), mapped(p.start), mapped(p.step)) for p in program.passes),
        output=mapped(program.output),
        exception=substitute(program.exception, known),
        assumption=substitute(program.assumption, known),
    )


def difference(one: Program, two: Program) -> Program:
    """The answers of one program less those of another, whose states have other names, pass by pass.

    It raises what the first raises, else what the second does.
    """
    passes = tuple(_side_by_side(one.passes, two.passes))
    return replace(
        one,
        parameters=tuple(dict.fromkeys((*one.parameters, *two.parameters))),
        passes=passes,
        output=tuple(subtract(a, b) for a, b in zip(one.output, two.output, strict=True)),
        exception=choice(equal(one.exception, ZERO), two.exception, one.exception),
        assumption=conjunction(one.assumption, two.assumption),
    )


def _side_by_side(first: tuple[Pass, ...], second: tuple[Pass, ...]) -> Iterator[Pass]:
    """The passes of both, those of one number in one."""
    for a, b in zip_longest(first, second, fillvalue=NOTHING):
        yield Pass((*a.state, *b.state), (*a.start, *b.start), (*a.step, *b.step))
