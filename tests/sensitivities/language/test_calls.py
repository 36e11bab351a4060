"""Calls of functions of the file: every heading with every set of arguments, fitting or not, is met as by Python."""

import itertools

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.program import EXCEPTIONS
from refdp.sensitivities.records import Number
from tests.sensitivities.language.running import agrees, bounded_result, compiled, really, tables

HEADINGS = ("a", "a, b", "a, b=5", "a=4, b=5", "a, *, b", "a, *, b=5", "*, a", "*, a=4", "*, a, b=5", "a, /, b", "a, /",
            "a, b=5, /", "")  # fmt: skip
ARGUMENTS = (
    "",
    "1",
    "1, 2",
    "1, 2, 3",
    "a=1",
    "b=2",
    "a=1, b=2",
    "b=2, a=1",
    "1, b=2",
    "1, a=2",
    "1, c=2",
    "1, 2, b=3",
)
FORMS = {
    "helper": "def g({heading}):\n    return {body}\ndef f(rows):\n    return {call}",
    "inner function": "def f(rows):\n    def g({heading}):\n        return {body}\n    return {call}",
    "lambda": "def f(rows):\n    g = lambda {heading}: {body}\n    return {call}",
    "lambda of the file": "g = lambda {heading}: {body}\ndef f(rows):\n    return {call}",
    "caught": "def f(rows):\n    def g({heading}):\n        return {body}\n    try:\n        return {call}\n"
    "    except TypeError:\n        return 9",
}
REALS = Number()
EXCEPTIONS_OF_MODULES = [
    f"{module}.{name}" for module in ("math", "statistics", "collections") for name in EXCEPTIONS[1:-4] if name
]


def body(heading):
    """What tells the parameters apart."""
    names = [one for one in ("a", "b") if one in heading]
    return " + ".join(f"{10**place} * {one}" for place, one in enumerate(names)) or "7"


def read(text, rows):
    """How the reader meets the function on a table, None where it refuses."""
    try:
        return bounded_result(parse_source(text, "f"), Declaration(REALS), rows)
    except ValueError:
        return None


def interpreted(text, rows):
    """How the interpreter meets the function on a table, None where it refuses."""
    try:
        found = answer_of(parse_source(text, "f"), tuple(rows), record=REALS).outcome
    except (NoOutcome, Unsupported):
        return None
    return dict(zip(("",), found.numbers, strict=False)), found.exception


@pytest.mark.parametrize("form", FORMS)
def test_calls_bind_arguments_as_python_does(form):
    met = {read: 0, interpreted: 0}
    for heading, given in itertools.product(HEADINGS, ARGUMENTS):
        text = FORMS[form].format(heading=heading, body=body(heading), call=f"g({given})")
        expected = really(compiled(text, "f"), [], {})
        for way in met:
            found = way(text, [])
            assert found in (None, expected), (text, way.__name__, found, expected)
            met[way] += found is not None
    assert met[read] >= 25
    assert met[interpreted] >= 25


@pytest.mark.parametrize("name", EXCEPTIONS_OF_MODULES)
@pytest.mark.parametrize(
    "text",
    [
        "import {module}\ndef f(rows):\n    if len(rows) > 2:\n        raise {name}('a')\n    return 1",
        "import {module}\ndef f(rows):\n    try:\n        return 1 // len(rows)\n    except {name}:\n        return 0",
    ],
)
def test_exceptions_are_pythons_own_or_those_that_a_module_has(name, text):
    module, _, plain = name.partition(".")
    told = text.format(module=module, name=name)
    if module == "statistics" and plain == "StatisticsError":
        agrees(told, REALS, tables(REALS, 4))
        return
    with pytest.raises(Unsupported):
        read_program(parse_source(told, "f"), Declaration(REALS))
    assert [interpreted(told, rows) for rows in ([], [1, 2, 3])].count(None) == 1
