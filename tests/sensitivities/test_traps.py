"""Python that is easily misread is read as Python runs it, or refused: by each part."""

from fractions import Fraction
from itertools import product

import pytest

from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.program import ROW
from refdp.sensitivities.program import outcome as read_outcome
from tests.sensitivities.assignments import assignment, concrete
from tests.sensitivities.brute_force import NotExact, exact_function, outcome
from tests.sensitivities.traps import traps

TRAPS = traps()
EVERY = pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])


def tables(trap, rows=3):
    size = rows if len(trap.domain) <= 4 else 2
    return [table for length in range(size + 1) for table in product(trap.domain, repeat=length)]


def python(function, table):
    """What Python does: the coordinates in order, or the name of what was raised; none where it is no number."""
    try:
        found = outcome(function, table)
    except NotExact:
        return []
    return found if isinstance(found, str) else [v for label, v in found.items() if label[-1:] != ("length",)]


def meaning(found):
    """The same of what refdp says that it does."""
    return [] if found.exception == "None returned" else found.exception or [Fraction(v) for v in found.numbers]


@EVERY
def test_traps_are_interpreted_as_python_runs_them(trap):
    kind = declaration(trap.declared).record
    try:
        source = parse_source(trap.text, "query")
    except Unsupported:
        return
    function = exact_function(trap.text, "query")
    for table in tables(trap):
        try:
            found = answer_of(source, [concrete(record) for record in table], record=kind).outcome
        except (Unsupported, NoOutcome):
            continue
        assert meaning(found) == python(function, table), table


@EVERY
def test_traps_are_read_as_python_runs_them(trap):
    known = declaration(trap.declared)
    try:
        program = read_program(parse_source(trap.text, "query"), known)
    except (NotAFold, Unsupported):
        return
    function = exact_function(trap.text, "query")
    for table in tables(trap):
        found = read_outcome(program, [assignment(known.record, ROW, record) for record in table], {})
        assert meaning(found) == python(function, table), table


def test_traps_symbols_of_bounds_alone_are_no_parameters():
    source = parse_source("def query(rows):\n    return sum(rows)\n", "query")
    assert answer_of(source, [Fraction(1)], {"lower": Fraction(0)}).outcome.numbers == (Fraction(1),)
