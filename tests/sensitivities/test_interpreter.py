"""The interpreter does what Python does, on exact numbers; and every run ends."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source, Unsupported, parse_source
from refdp.sensitivities.records import Concrete
from refdp.terms.exact_values import NotRational
from tests.counting import counted
from tests.sensitivities.table_functions import NUMBERS, RECORDS

TABLES: tuple[tuple[Concrete, ...], ...] = tuple(
    tuple(map(Fraction, row))
    for row in ([], [3], ["7/2"], [0], [2, 9], [3, 5], [5, 5, "1/3"], [10, 0, 1, 3], [-1, 4, 4, "9/2", 6, 2])
)
PEOPLE: tuple[tuple[Concrete, ...], ...] = (
    (),
    ({"age": Fraction(30), "city": "a"},),
    ({"age": None, "city": "b"}, {"age": Fraction(7, 2), "city": "a"}),
    ({"age": Fraction(1), "city": "c", "income": Fraction(9)}, {"age": Fraction(2), "city": "b"}),
)


class Exactly(ast.NodeTransformer):
    """Python's own run made exact: `/` of ints and decimals as Fractions."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.copy_location(ast.Call(ast.Name("_divide", ast.Load()), [node.left, node.right], []), node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):
            return node
        return ast.copy_location(ast.Call(ast.Name("_decimal", ast.Load()), [ast.Constant(repr(node.value))], []), node)


def divide(a: Any, b: Any) -> Any:
    return Fraction(a) / b if isinstance(a, int) and isinstance(b, int) else a / b


def compiled(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"_divide": divide, "_decimal": Fraction}
    tree = ast.fix_missing_locations(Exactly().visit(ast.parse(text)))
    exec(compile(tree, "<test>", "exec", optimize=0), names)
    return names


def plain(value: Concrete) -> Any:
    """What a reader would write down."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def places(value: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """Every part of an answer with the keys that lead to it."""
    if not isinstance(value, dict | list | tuple):
        return [((), repr(value) if isinstance(value, str) else value)]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [((key, *path), leaf) for key, one in inner for path, leaf in places(one)]


def by_python(function: Callable[..., Any], rows: tuple[Concrete, ...]) -> Any:
    try:
        return places(function([plain(row) for row in rows]))
    except Exception as error:
        return type(error).__name__


@lru_cache(maxsize=2)
def parsed(text: str, name: str) -> Source:
    return parse_source(text, name)


def by_refdp(text: str, name: str, rows: tuple[Concrete, ...]) -> Any:
    found = answer_of(parsed(text, name), rows)
    return found.exception or [(path, value) for path, value in found.values if value != "empty"]


BANKS = {"numbers": (NUMBERS, TABLES), "records": (RECORDS, PEOPLE)}
NAMES = [
    (bank, n.name) for bank, (text, _) in BANKS.items() for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)
]
PYTHON = {bank: compiled(text) for bank, (text, _) in BANKS.items()}


@pytest.mark.parametrize(("bank", "name"), [pair for pair in NAMES if pair[1] != "clamp"])
def test_interpreter_does_what_python_does(bank: str, name: str) -> None:
    text, tables = BANKS[bank]
    for rows in tables:
        assert by_refdp(text, name, rows) == by_python(PYTHON[bank][name], rows), rows


def test_interpreter_is_held_against_many_functions_some_of_which_raise() -> None:
    outcomes = [
        by_python(PYTHON[bank][name], rows) for bank, name in NAMES for rows in BANKS[bank][1] if name != "clamp"
    ]
    raised = {o for o in outcomes if isinstance(o, str)}
    assert len(NAMES) >= 60
    assert {"ZeroDivisionError", "IndexError", "KeyError", "ValueError", "TypeError", "StatisticsError"} <= raised


def outcome(body: str, *rows: int, **parameters: Concrete) -> Any:
    names = ", ".join(["rows", *parameters])
    text = f"def f({names}):\n" + "\n".join(f"    {line}" for line in body.splitlines())
    return answer_of(parse_source(text, "f"), [Fraction(r) for r in rows], parameters, steps=100_000).outcome


def test_float_literal_is_the_decimal_it_writes() -> None:
    assert outcome("return 0.1 + 0.2").numbers == (Fraction(3, 10),)
    assert outcome("return 0.12345678901234567890123").numbers == (Fraction("0.12345678901234567890123"),)


def test_irrational_root_has_no_outcome() -> None:
    with pytest.raises(NotRational):
        outcome("return sum(rows) ** 0.5", 2)
    assert outcome("return sum(rows) ** 0.5", 4).numbers == (2,)
    assert outcome("import math\nreturn math.sqrt(-1)").exception == "ValueError"


ENDLESS = {
    "loop": "while True: pass",
    "generator": "return sum(1 for a in range(10 ** 9) for b in range(10 ** 9))",
    "range": "return list(range(10 ** 18))",
    "length": "return [0] * 10 ** 12",
    "doubling": "x = [1]\nfor _ in range(200): x = x + x\nreturn len(x)",
    "text": "x = 'ab'\nfor _ in range(200): x = x + x\nreturn len(x)",
    "power": "return 10 ** 10 ** 10",
    "towers": "x = 3\nfor _ in range(60): x = x * x\nreturn x",
    "shift": "return 1 << 10 ** 12",
    "fractions": "x = 1 / 3\nfor _ in range(60): x = x * x + 1\nreturn x",
    "digits": "return round(1 / 3, 10 ** 9)",
    "nesting": "x = []\nfor _ in range(100000): x = [x]\nreturn x",
    "equality": "x = y = 0\nfor _ in range(60): x, y = [x, x], [y, y]\nreturn x == y",
    "hash": "x = (0,)\nfor _ in range(60): x = (x, x)\nreturn {x: 1}",
    "answer": "x = 0\nfor _ in range(60): x = [x, x]\nreturn x",
    "recursion": "def g(n): return g(n + 1)\nreturn g(0)",
    "membership": "return 0.5 in range(10 ** 15), [1] in [[0]] * 1000000",
    "growing": "for x in rows: rows.append(x)\nreturn 0",
    "endless": "import itertools\nreturn sum(1 for _ in itertools.product(range(1000), repeat=10))",
    "factorial": "import math\nreturn math.factorial(10 ** 9)",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_run_that_would_not_end_is_given_up(name: str) -> None:
    with counted() as calls, pytest.raises(NoOutcome):
        outcome(ENDLESS[name], 1)
    assert calls.number < 20_000_000


UNSETTLED = {
    "order of a set": "return [x for x in {1, 2, 3}]",
    "identity": "return rows[0] is 1",
    "float or int": "return rows[int(rows[0] / 1) * 2 / 2]",
    "kind of a number": "return isinstance(rows[0], int)",
    "text of a number": "return {str(rows[0] / 3): 1}",
    "a set as the answer": "return set(rows)",
    "numpy's division by zero": "import numpy as np\nreturn 1 / float(np.sum(rows * 0))",
    "a bit of a number that may be a float": "return int(rows[0]) << rows[0] / 1",
    "a tiny text": "return float('1e-999999999')",
    "a generator as the answer": "return (x for x in rows)",
}


@pytest.mark.parametrize("name", UNSETTLED)
def test_run_that_python_leaves_open_has_no_outcome(name: str) -> None:
    with pytest.raises(NoOutcome):
        outcome(UNSETTLED[name], 1, 2)


def test_set_whose_order_does_not_matter_has_an_outcome() -> None:
    assert outcome("return sum(x for x in set(rows))", 1, 2, 2).numbers == (3,)
    assert sorted(outcome("return {x: x for x in set(rows)}", 1, 2, 2).numbers) == [1, 2]


FOREIGN = {
    "a function of an unknown module": "import os\ndef f(rows): return os.getpid()",
    "an unknown function": "import numpy as np\ndef f(rows): return np.random.normal()",
    "a constant that is bound twice": "A = 1\nA = 2\ndef f(rows): return A",
    "a constant in a branch": "if 1:\n    A = 1\ndef f(rows): return A",
    "a list that another function changes": "A = []\ndef g(): A.append(1)\ndef f(rows): return sum(A)",
    "a list with another name": "A = [1]\nB = A\nB.append(3)\ndef f(rows): return sum(A)",
    "a global": "A = 1\ndef f(rows):\n    global A\n    A += 1\n    return A",
    "a decorator": "def d(g): return g\n@d\ndef f(rows): return 1",
    "a function that is bound again": "def f(rows): return 1\nf = len",
    "a generator": "def f(rows):\n    yield 1",
    "exec": "exec('A = 3')\ndef f(rows): return A",
    "a default that changes": "def f(rows, seen=[]):\n    seen.append(1)\n    return len(seen)",
    "a module that is changed": "import math\nmath.floor = len\ndef f(rows): return math.floor(1)",
    "an attribute of a number": "def f(rows): return rows[0].real + 1",
    "an attribute of an exception": "def f(rows):\n    try: 1 / 0\n    except Exception as e: return e.args[0]",
    "an unknown constant": "import math\ndef f(rows): return math.ulp + 1",
    "names from everywhere": "from numpy import *\ndef f(rows): return sum(rows)",
    "a class": "class C: pass\ndef f(rows): return C()",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_source_whose_meaning_is_not_in_its_text_is_refused(name: str) -> None:
    with pytest.raises(Unsupported, match=r"<text>:\d+:\d+: .* is not read; "):
        answer_of(parse_source(FOREIGN[name], "f"), [Fraction(1)])


def test_parameter_without_a_value_is_a_type_error_as_in_python() -> None:
    source = parse_source("def f(rows, k): return k", "f")
    assert answer_of(source, []).outcome.exception == "TypeError"
    values: Mapping[str, Concrete] = {"k": Fraction(3)}
    assert answer_of(source, [], values).outcome.numbers == (3,)


def test_dict_answers_agree_in_any_order_and_lists_do_not() -> None:
    from refdp.sensitivities.language.concrete.answers import distance

    first, second = (
        answer_of(parse_source(f"def f(rows): return {t}", "f"), []) for t in ("{1: 2, 3: 4}", "{3: 4, 1: 5}")
    )
    assert distance(first, second, "L1") == 3
    shorter, other = (answer_of(parse_source(f"def f(rows): return {t}", "f"), []) for t in ("[1]", "None"))
    assert distance(first, shorter, "L1") is None
    assert distance(shorter, other, "Linf") is None
    assert distance(other, other, "L2") == 0


@pytest.mark.parametrize(("a", "b"), [*itertools.product(("inf", "-inf", "nan", "3"), repeat=2)])
def test_infinities_are_compared_as_python_compares_them(a: str, b: str) -> None:
    found = outcome(f"a, b = float('{a}'), float('{b}')\nreturn a < b, a == b, a <= b, max(a, b) == a, a != b")
    x, y = float(a), float(b)
    assert found.numbers == (x < y, x == y, x <= y, max(x, y) == x, x != y)
