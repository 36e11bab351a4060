"""Lambdas, defaults and early exits: what is read is what Python does, or it is refused."""

from fractions import Fraction

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.scope import locals_of
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.records import Number
from tests.sensitivities.language.running import agrees, tables

INTEGERS = Number(is_integer=True)
READ = {
    "default of a lambda from the function": "k = 100\ndef f(rows):\n    k = 1\n    g = lambda r, w=k: w\n"
    "    return sum(g(r) for r in rows)",
    "default of an inner function": "k = 100\ndef f(rows):\n    k = 1\n    def g(r, w=k):\n        return w\n"
    "    return sum(g(r) for r in rows)",
    "default before the name is bound again": "def f(rows):\n    k = 1\n    g = lambda r, w=k: w\n    k = 100\n"
    "    return sum(g(r) for r in rows)",
    "body after the name is bound again": "def f(rows):\n    k = 1\n    g = lambda r: k\n    k = 100\n"
    "    return sum(g(r) for r in rows)",
    "default of a helper": "K = 2\ndef g(r, w=K):\n    return w\ndef f(rows):\n    K = 100\n"
    "    return sum(g(r) for r in rows) + K",
    "lambda of the file": "K = 2\ng = lambda r: K\ndef f(rows):\n    K = 100\n    return sum(g(r) for r in rows) + K",
    "lambda that calls a lambda": "def f(rows):\n    g = lambda r: min(r, 1)\n    h = lambda r: g(r) + g(2)\n"
    "    return sum(h(r) for r in rows)",
    "lambda that calls one with the same parameter": "def f(rows):\n    k = 1\n    g = lambda a: a + k\n"
    "    h = lambda a: g(2 * a) + a\n    return sum(h(r) for r in rows)",
    "key that calls a lambda": (
        "def f(rows):\n    g = lambda a: -a\n    return max(rows, key=lambda b: g(b), default=0)"
    ),
    "constant of a lambda around it": "def f(rows):\n    g = lambda a: (lambda b: a + b)\n"
    "    return sum(g(2)(r) for r in rows)",
    "any of map": "def f(rows):\n    return 1 if any(map(lambda r: 1 / r > 0, [1, 0])) else 0",
    "all of map": "def f(rows):\n    return 1 if all(map(lambda r: 1 / r > 1, [1, 0])) else 0",
    "in map": "def f(rows):\n    return 1 if 1 in map(lambda r: 1 / r, [1, 0]) else 0",
    "in a generator": "def f(rows):\n    return 1 if 1 in (1 / r for r in [1, 0]) else 0",
    "any of map over rows": "def f(rows):\n    return 1 if any(map(lambda r: 6 / r > 0, rows)) else 0",
    "in map over rows": "def f(rows):\n    return 1 if 6 in map(lambda r: 6 / r, rows) else 0",
    "any of filter": "def f(rows):\n    return 1 if any(filter(lambda r: 1 / r > 0, [1, 0])) else 0",
    "any of a generator": "def f(rows):\n    return 1 if any(1 / r > 0 for r in [1, 0]) else 0",
    "count in a text": (
        "def f(rows):\n    return 'aa'.count('aa') + 'banana'.count('an') + 'x'.count('') + 'ab'.count('c')"
    ),
}
REFUSED = {
    "lambda that reads a parameter of its caller": "a = 100\ndef f(rows):\n    g = lambda r: a\n"
    "    h = lambda a: g(a)\n    return sum(h(r) for r in rows)",
    "lambda that reads a local which its caller hides": "def f(rows):\n    a = 100\n    g = lambda r: a + r\n"
    "    h = lambda a: g(a)\n    return sum(h(r) for r in rows)",
    "curried lambda of the rows": "def f(rows):\n    g = lambda a: (lambda b: a + b)\n"
    "    return sum(g(r)(1) for r in rows)",
    "curried lambda, its name bound again": "def f(rows):\n    g = lambda a: (lambda b: a + b)\n"
    "    h = [g(r) for r in rows]\n    a = 100\n    return sum(one(1) for one in h) + a",
    "curried lambda of the file": "a = 100\ng = lambda a: (lambda b: a + b)\ndef f(rows):\n    a = 5\n"
    "    h = g(2)\n    return sum(h(r) for r in rows) + a",
    "default of the rows": "def f(rows):\n    n = len(rows)\n    g = lambda r, w=n: w\n"
    "    return sum(g(r) for r in rows)",
    "default that is a list": "def f(rows):\n    g = lambda r, w=[]: w.append(r) or len(w)\n"
    "    return sum(g(r) for r in rows)",
}


@pytest.mark.parametrize("name", READ)
def test_functions_within_functions_do_what_python_does(name):
    text = READ[name]
    try:
        read_program(parse_source(text, "f"), Declaration(INTEGERS))
        fold = True
    except NotAFold:
        fold = False
    agrees(text, INTEGERS, tables(INTEGERS, 3, count=12, longest=4), fold=fold)


@pytest.mark.parametrize("name", REFUSED)
def test_functions_that_stand_for_something_else_in_each_call_are_refused(name):
    with pytest.raises(Unsupported, match=r"<text>:\d+:\d+: "):
        read_program(parse_source(REFUSED[name], "f"), Declaration(INTEGERS))


WITHIN = {
    "in a comprehension": "[k for r in rows]",
    "in a generator": "sum(k for r in rows)",
    "in a set": "{k for r in rows}",
    "in a dict": "{0: k for r in rows}",
    "in a lambda": "list(map(lambda r: k, rows))",
    "in a condition": "[r for r in rows if k]",
}


@pytest.mark.parametrize("inner", WITHIN.values(), ids=list(WITHIN))
def test_name_of_the_function_around_without_a_value_is_refused(inner):
    """By its version Python raises NameError or UnboundLocalError there, and the other one at a neighbour."""
    text = (
        f"def f(rows):\n    if sum(rows) > 0:\n        x = {inner}\n    else:\n        x = k\n    return 0\n    k = 1\n"
    )
    source = parse_source(text, "f")
    with pytest.raises(Unsupported, match="a name of the function around that may have no value yet"):
        read_program(source, Declaration(INTEGERS))
    with pytest.raises(NoOutcome, match="a name of the function around is read that has no value yet"):
        answer_of(source, (Fraction(1),))
    assert answer_of(source, (Fraction(0),)).exception == "UnboundLocalError"


@pytest.mark.parametrize("inner", WITHIN.values(), ids=list(WITHIN))
def test_name_of_the_function_around_with_a_value_is_read(inner):
    text = f"def f(rows):\n    k = 1\n    x = {inner}\n    return len(rows)\n"
    agrees(text, INTEGERS, tables(INTEGERS, 3, longest=4))


GENERATORS = {
    "after the answer": "def f(rows):\n    return 0\n    yield rows",
    "after an answer without a value": "def f(rows):\n    return k\n    k = 1\n    for r in rows:\n        yield r",
    "where no condition holds": "def f(rows):\n    if False:\n        yield 1\n    return len(rows)",
    "in an expression": "def f(rows):\n    return 1 if True else (yield 0)",
    "from": "def f(rows):\n    return 0\n    yield from rows",
    "in a default": "def f(rows):\n    return 0\n    g = lambda n=(yield): n",
    "in a decorator": "def f(rows):\n    return 0\n    @(yield)\n    def g(n):\n        return n",
    "in a helper": "def g(n):\n    return n\n    yield n\n\ndef f(rows):\n    return 1 if g(len(rows)) else 0",
    "in a lambda": "def f(rows):\n    g = lambda n: n if True else (yield n)\n    return 1 if g(len(rows)) else 0",
    "in an inner function": "def f(rows):\n    def g(n):\n        return n\n        yield n\n    return 1 - (not g(2))",
}


@pytest.mark.parametrize("text", GENERATORS.values(), ids=list(GENERATORS))
def test_a_yield_makes_a_generator_wherever_it_stands(text):
    """What a call gives is an object then, which is no number, is true, and is another at each call."""
    with pytest.raises(Unsupported, match="yield is not read"):
        read_program(parse_source(text, "f"), Declaration(INTEGERS))
    with pytest.raises(Unsupported):
        answer_of(parse_source(text, "f"), (Fraction(1),))


def test_a_yield_of_another_function_makes_no_generator():
    text = "def g(n):\n    yield n\n\ndef f(rows):\n    h = lambda: (yield 1)\n    return len(rows)\n"
    program = read_program(parse_source(text, "f"), Declaration(INTEGERS))
    assert len(program.passes) == 1


@pytest.mark.parametrize("inner", ["g = lambda n=(k := 1): n", "def g(n=(k := 1)):\n        return n"])
def test_a_default_binds_names_of_the_function_around(inner):
    """Also where no run comes: k was taken for the number at the top of the file, and Python raises."""
    text = f"k = 3\n\ndef f(rows):\n    return k\n    {inner}\n"
    assert locals_of(parse_source(text, "f").tree) == {"g", "k"}
    raising, answering = (
        read_program(parse_source(one, "f"), Declaration(INTEGERS)) for one in (text, text.replace("k := 1", "1"))
    )
    assert raising.exception != answering.exception
