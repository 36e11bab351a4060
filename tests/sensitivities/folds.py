"""Programs of one pass, written as what each state starts at, becomes, and what comes out."""

from refdp.sensitivities.program import Pass, Program
from refdp.sensitivities.records import Number
from refdp.terms.leaves import TRUE, ZERO, integer, rational, variable
from refdp.terms.operations import choice, equal, larger, smaller

ONE = integer(1)


def fold(record, states, output, exception=ZERO, parameters=(), assumption=TRUE):
    """states: name -> (sort, start, step of the mapping of all states)."""
    known = {name: variable(name, sort) for name, (sort, _, _) in states.items()}
    steps = tuple(step(known) for _, _, step in states.values())
    only = Pass(tuple(known.values()), tuple(start for _, start, _ in states.values()), steps)
    found = output(known)
    return Program(
        "f",
        record,
        tuple(parameters),
        (only,),
        tuple(found) if isinstance(found, list | tuple) else (found,),
        exception=exception(known) if callable(exception) else exception,
        assumption=assumption,
    )


def numbers(lower, upper):
    """Records that are numbers between whole or given bounds."""
    return Number(*(rational(b) if isinstance(b, int) else b for b in (lower, upper)))


def clamp(x, lower, upper):
    return smaller(larger(x, lower), upper)


def on_empty(count, default, result):
    return choice(equal(count, ZERO), default, result)
