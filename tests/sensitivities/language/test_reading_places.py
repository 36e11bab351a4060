"""Places of a state whose names look alike are kept apart: functions do on every table what Python does."""

from itertools import product

import pytest

from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.program import ROW
from refdp.sensitivities.program import outcome as read_outcome
from tests.sensitivities.assignments import assignment
from tests.sensitivities.brute_force import exact_function, outcome

RENEWED_LIST = """
    values = [0, 0]
    for x in rows:
        values[1] = max(values[1], 5)
        values = [v + 1 for v in values]
    return sum(values)
"""
RENEWED_DICT = """
    sums = {"a": 0, "b": 0}
    for x in rows:
        if x == 1:
            continue
        sums["b"] = max(sums["b"], x)
        sums = {k: v + x for k, v in sums.items()}
    return 10 * sums["a"] + sums["b"]
"""
LISTS_WITHOUT_A_NAME = """
    list0, list1, list2, list3, list4 = (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)
    a = [1, 1]
    b = a
    for x in rows:
        list0, list1, list2 = (list0[0] + x, 1), (list1[0] + x, 2), (list2[0] + x, 3)
        list3, list4 = (list3[0] + x, 4), (list4[0] + x, 5)
        a[0] += 2
        b[1] += 3
    return a[0] + 100 * a[1] + list0[0] + list1[1] + list2[0] + list3[1] + list4[0]
"""
FLAGS = """
    _broke, _raised, _returned, _answer = 0, 0, 0, 0
    for x in rows:
        _broke += x
        _raised += 1
        _returned -= x
        _answer = x
        if _broke > 2:
            return _raised
    return _broke + 10 * _raised + 100 * _returned + 1000 * _answer
"""
KEYS = """
    found = {}
    for x in rows:
        found["a.present"] = x > 1
        if x:
            found["a"] = x > 0
            found["a!present"] = x
    return 100 * found.get("a", 5) + 10 * found.get("a.present", 3) + found.get("a!present", 4)
"""
MACHINES = """
    m1, m2, m3, m4, m5, m6 = {"s": 1}, {"s": 1}, {"s": 1}, {"s": 1}, {"s": 1}, {"s": 1}
    s, kept = 0, []
    for x in rows:
        s += x
        kept.append(s)
    for k in kept:
        for m in (m1, m2, m3, m4, m5, m6):
            m["s"] += 2 * k
    return m1["s"] + m2["s"] + m3["s"] + m4["s"] + m5["s"] + m6["s"]
"""
FUNCTIONS = [RENEWED_LIST, RENEWED_DICT, LISTS_WITHOUT_A_NAME, FLAGS, KEYS, MACHINES]


@pytest.mark.parametrize("body", FUNCTIONS)
def test_places_that_look_alike_are_kept_apart(body):
    text = f"def query(rows):{body}"
    program = read_program(parse_source(text, "query"), declaration("integers 0..2"))
    function = exact_function(text, "query")
    for table in (t for n in range(4) for t in product(range(3), repeat=n)):
        found = read_outcome(program, [assignment(program.record, ROW, x) for x in table], {})
        assert found.numbers == tuple(outcome(function, table).values()), table


@pytest.mark.parametrize("body", FUNCTIONS)
def test_places_have_names_of_their_own(body):
    program = read_program(parse_source(f"def query(rows):{body}", "query"), declaration("integers 0..2"))
    names = [state.value for one in program.passes for state in one.state]
    assert len(set(names)) == len(names)
