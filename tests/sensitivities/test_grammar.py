"""Functions made by a grammar: they are read as Python runs them, and no verdict contradicts enumeration."""

import math
from fractions import Fraction
from itertools import product

import pytest

from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.interpreter import run
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.program import ROW
from refdp.sensitivities.program import outcome as read_outcome
from tests.sensitivities.assignments import assignment, concrete
from tests.sensitivities.brute_force import exact_function, outcome
from tests.sensitivities.grammar import exact_sensitivity, queries
from tests.sensitivities.verdicts import contradiction, judged

QUERIES = queries(seed=4, many=520)
PARTS = 20


def part(place):
    return QUERIES[place::PARTS]


def tables(query, rows):
    return [t for size in range(rows + 1) for t in product(query.rows.domain, repeat=size)]


def numbers(found):
    """The coordinates of an answer in order, or what was raised."""
    if isinstance(found, str):
        return found
    return [value for label, value in found.items() if label[-1:] != ("length",)]


def program_of(query):
    return read_program(parse_source(query.text, "query"), declaration(query.rows.declared))


@pytest.mark.parametrize("place", range(PARTS))
def test_grammar_is_interpreted_as_python_runs_it(place):
    for query in part(place):
        source, kind = parse_source(query.text, "query"), declaration(query.rows.declared).record
        function = exact_function(query.text, "query")
        for table in tables(query, 2):
            found = run(source, [concrete(record) for record in table], record=kind)
            meant = found.exception or [Fraction(value) for value in found.numbers]
            assert meant == numbers(outcome(function, table)), (query.text, table)


@pytest.mark.parametrize("place", range(PARTS))
def test_grammar_is_read_as_python_runs_it(place):
    for query in part(place):
        try:
            program = program_of(query)
        except (NotAFold, Unsupported):
            continue
        function = exact_function(query.text, "query")
        for table in tables(query, 2):
            rows = [assignment(program.record, ROW, record) for record in table]
            found = read_outcome(program, rows, {})
            meant = found.exception or [Fraction(value) for value in found.numbers]
            assert meant == numbers(outcome(function, table)), (query.text, table)


def test_grammar_is_mostly_read():
    read = 0
    for query in QUERIES[::4]:
        try:
            program_of(query)
            read += 1
        except (NotAFold, Unsupported):
            pass
    assert read >= 0.9 * len(QUERIES[::4])


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


@pytest.mark.parametrize("place", range(PARTS))
def test_grammar_claims_that_are_attained_are_refuted_a_thousandth_below(place, tmp_path):
    found = [wrong(query, tmp_path, "999/1000", 3.0) for query in part(place)]
    assert [problem for problem, _ in found if problem] == []
    assert [verdict for _, verdict in found].count("PROVED") == 0
    assert [verdict for _, verdict in found].count("REFUTED") >= 0.85 * len(found)


def test_grammar_verdicts_of_some_are_decided_without_contradiction(tmp_path):
    found = [wrong(part(place)[0], tmp_path, "1", 4.0) for place in range(PARTS)]
    assert [problem for problem, _ in found if problem] == []
    assert sum(verdict in ("PROVED", "REFUTED") for _, verdict in found) >= 0.5 * PARTS
