"""What an ordinary Python function of a table does on one table, exactly: its text is interpreted, never executed.

Every run ends: it has a budget of steps, and numbers and lists have a largest size.  What depends on something that
Python leaves open (the order of a set, whether two equal numbers are one object) or on whether a whole number is an
int or a float has no outcome, rather than one of several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.answers import Answer, answer
from refdp.sensitivities.language.concrete.arithmetic import EXACT, Arithmetic
from refdp.sensitivities.language.concrete.budget import Budget
from refdp.sensitivities.language.concrete.calls import call
from refdp.sensitivities.language.concrete.expressions import evaluate
from refdp.sensitivities.language.concrete.failures import NoOutcome, Raised
from refdp.sensitivities.language.concrete.module_names import Unclear
from refdp.sensitivities.language.concrete.names import module_value
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.values import Function
from refdp.sensitivities.language.numpy_numbers import insist_on_own_numbers
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.records import Concrete, Fields, Kind, Missing, Number

STEPS = 1_000_000


def answer_of(
    source: Source,
    rows: Sequence[Concrete],
    parameters: Mapping[str, Concrete] | None = None,
    arithmetic: Arithmetic = EXACT,
    steps: int = STEPS,
    record: Kind | None = None,
) -> Answer:
    """What the function does on these rows; parameters without a value here have the default of the source.

    A symbol that stands in bounds or claims alone is no parameter, and plays no part.

    A number of a row is an int where `record` says so; without `record`, where it is whole.

    Raises:
        NoOutcome, NotRational: the run has no exact outcome.
        Unsupported: the run meets a construct that is not interpreted.
        ValueError: a parameter has no value.
    """
    if arithmetic is EXACT:
        insist_on_own_numbers(source)
    first, walked = _once(source, rows, parameters or {}, arithmetic, steps, record, False)
    if walked and not _once(source, rows, parameters or {}, arithmetic, steps, record, True)[0].agrees(first):
        raise NoOutcome("the answer depends on the order of a set")
    return first


def _once(
    source: Source,
    rows: Sequence[Concrete],
    parameters: Mapping[str, Concrete],
    arithmetic: Arithmetic,
    steps: int,
    record: Kind | None,
    reversed_sets: bool,
) -> tuple[Answer, bool]:
    """One run with sets in one order; whether such an order was asked for."""
    one = Run(source, arithmetic, Budget(steps), call, reversed_sets)
    try:
        function = _function(one)
        if source.tree.args.posonlyargs[1:] or source.tree.args.vararg or source.tree.args.kwarg:
            raise one.unsupported(source.tree, "a parameter by place alone, or for any number of values,")
        table = [value(arithmetic, row, record) for row in rows]
        taken = [a.arg for a in (*source.tree.args.args, *source.tree.args.kwonlyargs)]
        arguments = {name: value(arithmetic, parameters[name], None) for name in taken if name in parameters}
        return answer(one, call(one, function, [table], arguments, source.tree)), one.walked_set
    except Raised as raised:
        return Answer((), raised.name), one.walked_set
    except RecursionError:
        raise NoOutcome("the run nests too deep") from None
    except MemoryError:
        raise NoOutcome("the run needs too much memory") from None


def _function(one: Run) -> Function:
    """The function itself."""
    try:
        found = module_value(one, one.source.name, evaluate)
    except Unclear as unclear:
        raise one.unsupported(one.source.tree, str(unclear)) from None
    if not isinstance(found, Function):
        raise one.unsupported(one.source.tree, "a name that is no function")
    return found


def value(arithmetic: Arithmetic, given: Concrete, kind: Kind | None) -> Any:
    """A value of a table or of a parameter as the function sees it, made anew."""
    if isinstance(kind, Missing):
        kind = kind.kind
    if isinstance(given, Fraction):
        is_integer = kind.is_integer if isinstance(kind, Number) else given.denominator == 1
        return arithmetic.number(given, is_integer)
    inner = dict(kind.kinds) if isinstance(kind, Fields) else {}
    if isinstance(given, tuple):
        return tuple(value(arithmetic, part, inner.get(i)) for i, part in enumerate(given))
    if isinstance(given, dict):
        return {key: value(arithmetic, part, inner.get(key)) for key, part in given.items()}
    return given
