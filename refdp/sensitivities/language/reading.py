"""A table function read from its source: `read_program` gives its normal form, and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language import (
    calls,
    comprehensions,
    constructors,
    expressions,
    extremes,
    functions,
    iteration,
    lengths,
    methods,
    modules,
    ordering,
    passes,
    scope,
    sequences,
    statements,
)
from refdp.sensitivities.language.answers import Answer, answer
from refdp.sensitivities.language.normal import normal_form
from refdp.sensitivities.language.numpy_numbers import insist_on_own_numbers
from refdp.sensitivities.language.objects import Block, Entry, Listing, Piece, Variable
from refdp.sensitivities.language.plain import plain
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.source import NotAFold, Source, Unsupported
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.tables import concrete_value, record_value
from refdp.sensitivities.language.values import Reference, Unbound, Value
from refdp.sensitivities.program import ROW, Pass, Program
from refdp.terms.leaves import TRUE, variable

__all__ = ["NotAFold", "Unsupported", "read_answer", "read_program"]

TABLE = 0
"""The address of the table."""
SERVICES: Mapping[str, Callable[..., Any]] = {
    "length": lengths.length, "any_of": iteration.any_of, "generate": comprehensions.generate, "call": calls.call,
    "closure": calls.closure,
    "zip": sequences.zipped, "slice": sequences.slice_of, "nth": sequences.nth, "positions": sequences.positions,
    "extend": sequences.extend, "member": calls.member, "not_builtin": scope.not_builtin, "fold": passes.fold,
    "collected": comprehensions.collected,
}  # fmt: skip
MEANINGS = {**expressions.MEANINGS, **comprehensions.MEANINGS, **calls.MEANINGS, **statements.MEANINGS}
CALLS = {**functions.CALLS, **extremes.CALLS, **constructors.CALLS, **modules.CALLS, **ordering.CALLS}


def read_program(source: Source, declaration: Declaration) -> Program:
    """The program that the function is, for every table.

    Raises: Unsupported where Python is not read; NotAFold where it is, but needs more than passes over the rows.
    """
    row = record_value(declaration.record, iter(declaration.record.slots(ROW)))
    x, found = read_answer(source, declaration, (Block((Entry(TRUE, row),)),))
    steps, results = normal_form(x.passes, (found.exception, *found.numbers))
    program = Program(
        source.name,
        declaration.record,
        declaration.parameters,
        tuple(Pass(*(tuple(getattr(v, part) for v in one) for part in ("name", "start", "step"))) for one in steps),
        results[1:],
        found.labels,
        results[0],
        declaration.assumption,
    )
    return normalised(plain(program))


def normalised(program: Program) -> Program:
    """The program without the variables that plain terms do not need."""
    passes = [[Variable(*v) for v in zip(p.state, p.start, p.step, strict=True)] for p in program.passes]
    steps, results = normal_form(passes, (program.exception, *program.output))
    kept = tuple(Pass(*(tuple(getattr(v, part) for v in p) for part in ("name", "start", "step"))) for p in steps)
    return replace(program, passes=kept, output=results[1:], exception=results[0])


def read_answer(source: Source, declaration: Declaration, table: tuple[Piece, ...]) -> tuple[Reader, Answer]:
    """What the function answers on a table, and the reader with the passes that it takes."""
    insist_on_own_numbers(source)
    x = Reader(source, declaration, MEANINGS, CALLS, methods.METHODS, SERVICES)
    state = State({}, {TABLE: Listing(table, "the table, which belongs to the caller")})
    scope.read_module(x, state)
    x.frames = x.frame = 1
    if source.tree.decorator_list:
        raise x.unsupported(source.tree.decorator_list[0], "a decorator", "write a plain function")
    scope.refuse_generator(x, source.tree)
    state.names = _arguments(x, state)
    x.stack.append(source.name)
    try:
        x.block(state, source.tree.body)
        return x, answer(x, state)
    except RecursionError:
        raise x.not_a_fold(source.tree, "the function is nested too deeply to be read") from None


def _arguments(x: Reader, state: State) -> dict[str, Value]:
    """The names at the start: the table, and parameters by their declared values, symbols or defaults."""
    tree, declared = x.source.tree, x.declaration
    names = calls.parameters(x, tree)
    if not tree.args.args:
        raise x.unsupported(tree, "a function without parameters", "let the first parameter be the list of rows")
    found: dict[str, Value] = {name: Unbound(name) for name in sorted(scope.locals_of(tree))}
    found[names[0]] = Reference(TABLE)
    given, defaults = dict(calls.closure(x, state, tree).fixed), calls.defaults(tree)
    for name in names[1:]:
        if name in declared.symbolic:
            if re.fullmatch(r"row\d*", name):
                raise ValueError(f"a parameter without a value must not be called {name}, which stands for a row")
            found[name] = variable(name, declared.symbolic[name])
        elif name in declared.values:
            found[name] = concrete_value(declared.values[name])
        elif name in given:
            found[name] = given[name]
        elif name in defaults:
            raise calls.not_constant(x, defaults[name])
        else:
            raise ValueError(f"parameter {name} of {tree.name} must have a value, got none")
    return found
