"""Functions made by a grammar: they are read as Python runs them, and no verdict contradicts enumeration.

The long run and the quick one together run and read all 520 on all small tables, and hold 1,560 verdicts, on the guess,
its double and a thousandth less, against enumeration; the quick one has half of the runs and some of the verdicts.
"""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.program import ROW
from refdp.sensitivities.program import outcome as read_outcome
from tests.examples import few
from tests.sensitivities.assignments import assignment, concrete
from tests.sensitivities.brute_force import exact_function, outcome
from tests.sensitivities.grammar import exact_sensitivity, queries
from tests.sensitivities.thinning import mostly_long
from tests.sensitivities.verdicts import contradiction, judged

PARTS = 20
QUICK = 7
"""Of the parts every seventh is judged each time."""


@cache
def all_queries():
    """Not made before a test asks: every process that collects this file would make them."""
    return tuple(queries(seed=4, many=520))


def part(place):
    return all_queries()[place::PARTS]


def tables(query, rows):
    return [t for size in range(rows + 1) for t in product(query.rows.domain, repeat=size)]


def numbers(found):
    """The coordinates of an answer in order, or what was raised."""
    if isinstance(found, str):
        return found
    return [value for label, value in found.items() if label[-1:] != ("length",)]


def program_of(query):
    return read_program(parse_source(query.text, "query"), declaration(query.rows.declared))


def read_by(query):
    """What the function does as the interpreter runs it, and as it is read, if it is."""
    source, kind = parse_source(query.text, "query"), declaration(query.rows.declared).record
    yield lambda table: answer_of(source, [concrete(record) for record in table], record=kind).outcome
    try:
        program = program_of(query)
    except (NotAFold, Unsupported):
        return
    yield lambda table: read_outcome(program, [assignment(program.record, ROW, record) for record in table], {})


@pytest.mark.parametrize("place", mostly_long(range(PARTS), 2))
def test_grammar_is_interpreted_and_read_as_python_runs_it(place):
    read = 0
    for query in part(place):
        function, ways = exact_function(query.text, "query"), list(read_by(query))
        read += len(ways) == 2
        for table in tables(query, 2):
            wanted = numbers(outcome(function, table))
            for way in ways:
                found = way(table)
                assert (found.exception or [Fraction(value) for value in found.numbers]) == wanted, (query.text, table)
    assert read >= 0.8 * len(part(place)), "of all functions nine tenths are read"


def guess(query):
    """What tables of at most two rows suggest, and what those of three say; a thousand where there is no bound."""
    two, three = exact_sensitivity(query, 2), exact_sensitivity(query, 3)
    return Fraction(1000) if two == math.inf else two, three


def wrong(query, folder, factor, seconds):
    """What is wrong with the verdict on the guess times the factor, and the verdict; refused Python has none."""
    claim, true = guess(query)
    try:
        found = judged(query, folder, claim, factor, seconds)
    except Unsupported:
        return "", ""
    return contradiction(query, found, claim, Fraction(factor), true), found.verdict


@pytest.mark.long
@pytest.mark.parametrize("place", range(PARTS))
@pytest.mark.parametrize("factor", ["1", "2"])
def test_grammar_verdicts_do_not_contradict_enumeration(place, factor, tmp_path):
    for query in part(place):
        assert wrong(query, tmp_path, factor, 4.0)[0] == "", query.text


@pytest.mark.parametrize("place", mostly_long(range(PARTS), QUICK))
def test_grammar_claims_that_are_attained_are_refuted_a_thousandth_below(place, tmp_path):
    found = [wrong(query, tmp_path, "999/1000", 3.0) for query in part(place)]
    assert [problem for problem, _ in found if problem] == []
    assert [verdict for _, verdict in found].count("PROVED") == 0
    assert [verdict for _, verdict in found].count("REFUTED") >= 0.85 * len(found)


def test_grammar_verdicts_of_some_are_decided_without_contradiction(tmp_path):
    found = [wrong(part(place)[0], tmp_path, "1", 4.0) for place in range(few(7))]
    assert [problem for problem, _ in found if problem] == []
    assert sum(verdict in ("PROVED", "REFUTED") for _, verdict in found) >= 0.5 * len(found)
