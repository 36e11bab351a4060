"""numpy's numbers are not Python's own in all things: what could see the difference is not read, the rest agrees."""

from __future__ import annotations

import math
import random
import statistics
import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import Answer
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import NotAFold, Unsupported, parse_source
from refdp.sensitivities.records import Number
from refdp.terms.exact_values import NotRational

WHOLE = Number(is_integer=True)
TABLES = [list(rows) for n in range(3) for rows in product((-1, 0, 1, 2), repeat=n)]
SEES = {
    "truth values are added": "return sum((np.minimum(x, 0) == 0) + (np.maximum(x, 0) == 0) for x in rows)",
    "a truth value by a name": (
        "t = 0\n    for x in rows:\n        v = np.minimum(x, 0) == 0\n        t += v + v\n    return t"
    ),
    "a truth value by a helper": "return sum(is_small(x) + is_small(x) for x in rows)",
    "truth values are subtracted": "return sum((np.abs(x) == 1) - (np.abs(x) == 2) for x in rows)",
    "minus a truth value": "return sum(-(np.abs(x) == 1) for x in rows)",
    "a truth value as an index": "return sum([0, 5][np.abs(x) == 1] for x in rows)",
    "a truth value through `and`": "return sum(((np.abs(x) == 1) and (np.abs(x) < 2)) + (np.abs(x) < 2) for x in rows)",
    "numpy on True": "return len(rows) * (np.minimum(True, True) + np.minimum(True, True))",
    "numpy on `not`": "return sum(np.minimum(not x, True) + np.minimum(not x, True) for x in rows)",
    "a sum that starts at a truth value": "return sum([np.abs(x) == 1 for x in rows], len(rows) == len(rows))",
    "a division that is caught": (
        "t = 0\n    for x in rows:\n        try:\n            t += 6 // np.abs(x)\n"
        "        except ZeroDivisionError:\n            t += 50\n    return t"
    ),
    "an instance": "return sum(5 if isinstance(np.abs(x), int) else 0 for x in rows)",
    "a negative power": "return sum((np.abs(x) + 1) ** -1 for x in rows)",
    "a power by pow": "return sum(pow(np.abs(x) + 1, -1) for x in rows)",
    "a mean of numpy's whole numbers": "return statistics.mean([np.abs(x) for x in [*rows, 1, 2]])",
    "a number and a list": "return sum(5 if np.abs(x) == [1] else 0 for x in rows)",
    "a number in a list of lists": "return sum(5 if np.abs(x) in [[1]] else 0 for x in rows)",
    "where it stands in a list": "return sum([[1], [0], 2].index(np.abs(x)) for x in rows if np.abs(x) < 3)",
    "truth values by map": (
        "if len(rows) == 0:\n        return 0\n    a = np.max(list(map(bool, rows)))\n    return 10 if a + a == 1 else 0"  # noqa: E501
    ),
    "a function under another name": "g = np.abs\n    return sum((g(x) > 0) + (g(x) > 0) for x in rows)",
    "a flag": "return sum(10 if double(np.abs(x) > 0) == 1 else 0 for x in rows)",
    "an instance under another name": "g = isinstance\n    return sum(5 if g(np.abs(x), int) else 0 for x in rows)",
    "an index of floats": "return sum([5, 6, 7][np.maximum(x, 0.5)] if x > 0 else 0 for x in rows)",
    "math.trunc": "return sum(math.trunc(np.abs(x)) for x in rows)",
    "a list that is added to": "t = 0\n    for x in rows:\n        a = [1]\n        a += np.abs(x)\n        t += len(a)\n    return t",  # noqa: E501
    "an empty sum as an index": "return len(rows) + [3, 4][np.sum([0 for x in rows])]",
}
"""Functions that answer otherwise, or raise, with numpy's numbers: each is shown to do so."""
AGREES = {
    "clip": "return sum(float(np.clip(x, 0, 1)) for x in rows)",
    "sum": "return int(np.sum([int(np.minimum(x, 1)) for x in rows]))",
    "counted": "return sum(int(np.abs(x)) > 0 for x in rows) + int(np.sum([x > 0 for x in rows]))",
    "branches": "t = 0\n    for x in rows:\n        if int(np.abs(x)) == 1 and not x > 1:\n            t += 2\n    return t",  # noqa: E501
    "truth values": "return sum((int(np.abs(x)) == 1) + (int(np.minimum(x > 0, x > 1)) == 1) for x in rows)",
    "guarded": "return float(np.sum(rows)) / len(rows) if len(rows) > 0 else 0",
    "an index": "return len(rows) + [3, 4][int(np.sum([0 for x in rows]))]",
    "a constant": "return sum(1 for x in rows if x < np.inf)",
}
HELPERS = "import math\nimport statistics\nimport numpy as np\ndef double(reverse):\n    return reverse + reverse\ndef is_small(x):\n    return np.abs(x) < 2\ndef f(rows):\n    "  # noqa: E501


class PlainNumbers:
    """The functions of numpy that stand above, of Python's own numbers."""

    minimum, maximum, max, abs, sum = min, max, max, abs, sum


def ran(body: str, module: Any) -> list[Any]:
    """What Python answers on each table, or the name of what it raises; `module` stands for numpy."""
    space: dict[str, Any] = {}
    exec(
        HELPERS.replace("import numpy as np\n", "") + body,
        {"np": module, "statistics": statistics, "math": math},
        space,
    )
    space["f"].__globals__.update(space)
    found: list[Any] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for rows in TABLES:
            try:
                found.append(space["f"](list(rows)))
            except Exception as error:
                found.append(type(error).__name__)
    return found


def numbers(found: Answer) -> list[Any]:
    """The numbers that a function answers."""
    return [value for _, value in found.values]


@pytest.mark.parametrize("name", SEES)
def test_what_sees_the_difference_is_not_read(name: str) -> None:
    body = SEES[name]
    assert ran(body, np) != ran(body, PlainNumbers)
    source = parse_source(HELPERS + body, "f")
    with pytest.raises((Unsupported, NotAFold)):
        read_program(source, Declaration(WHOLE))
    for rows, answer in zip(TABLES, ran(body, np), strict=True):
        try:
            found = answer_of(source, [Fraction(x) for x in rows], record=WHOLE)
        except (Unsupported, NoOutcome, NotRational):
            continue
        assert numbers(found) == [answer]


@pytest.mark.parametrize("name", AGREES)
def test_what_does_not_is_read_and_agrees(name: str) -> None:
    source = parse_source(HELPERS + AGREES[name], "f")
    found = [answer_of(source, [Fraction(x) for x in rows], record=WHOLE) for rows in TABLES]
    assert [numbers(one) for one in found] == [[Fraction(float(v))] for v in ran(AGREES[name], np)]


HIDDEN = {
    "wide letters": "import \uff4e\uff55\uff4d\uff50\uff59 as np\ndef f(rows):\n    return sum(np.abs(x) for x in rows)",  # noqa: E501
    "an import in another scope": (
        "import numpy as np\ndef h(x):\n    import math as np\n    return np.sqrt(x)\n"
        "def f(rows):\n    return sum(np.abs(x) for x in rows)"
    ),
    "one name of two modules": (
        "from numpy import floor\ndef h(x):\n    from math import floor\n    return floor(x)\n"
        "def f(rows):\n    return sum((floor(x) > 0) + (floor(x) > 0) for x in rows)"
    ),
    "a name at the top": "import numpy as np\ng = np.abs\ndef f(rows):\n    return sum(g(x) for x in rows)",
    "a part of numpy": "import numpy.linalg\ndef f(rows):\n    return sum(float(numpy.linalg.norm(x)) for x in rows)",
    "float at the top": (
        "import numpy as np\ndef float(x):\n    return x\ndef f(rows):\n    return sum(float(np.abs(x)) for x in rows)"
    ),
    "a parameter int": "import numpy as np\ndef f(rows, int=abs):\n    return sum(int(np.abs(x)) for x in rows)",
    "a helper": "import numpy as np\ndef g(x):\n    return np.abs(x)\ndef f(rows):\n    return sum(g(x) for x in rows)",
    "two conversions": "import numpy as np\ndef f(rows):\n    return sum(float(np.abs(np.abs(x))) for x in rows)",
}
"""Files in which numpy, or what makes its numbers Python's own, is harder to see."""


@pytest.mark.parametrize("name", HIDDEN)
def test_numpy_that_is_harder_to_see_is_not_read(name: str) -> None:
    with pytest.raises((Unsupported, NotAFold)):
        read_program(parse_source(HIDDEN[name], "f"), Declaration(WHOLE))
    with pytest.raises((Unsupported, NoOutcome)):
        answer_of(parse_source(HIDDEN[name], "f"), [Fraction(1)], record=WHOLE)


def test_a_function_that_does_not_use_what_its_file_imports_is_read() -> None:
    text = HELPERS + "return sum((x > 0) + (x > 1) for x in rows)"
    assert read_program(parse_source(text, "f"), Declaration(WHOLE)).name == "f"


FORMS = (
    "({a} + {b})", "({a} - {b})", "({a} * {b})", "float(np.minimum({a}, {b}))",
    "int(np.maximum({a}, {b}))", "int(np.abs({a}))", "np.abs({a})",
    "({a} < {b})", "({a} == {b})", "({a} if {b} else x)", "-{a}", "({a} and {b})", "(not {a})", "({a} // 2)",
    "({a} / {b})", "({a} ** 2)", "[{a}, 3][{b} > 0]", "float(np.clip({a}, 0, {b}))", "int(np.sum([{a}]))",
    "float(np.max([{a}, {b}]))",
)  # fmt: skip
"""What a random expression is made of."""


def expression(draw: random.Random, depth: int) -> str:
    """A random expression of x with functions of numpy, comparisons and arithmetic."""
    if depth == 0:
        return draw.choice(["x", "y", "1", "2", "-1", "True"])
    a, b = (expression(draw, depth - 1) for _ in range(2))
    return draw.choice(FORMS).format(a=a, b=b)


def test_random_functions_of_numpy_that_are_read_agree_with_python() -> None:
    draw, compared = random.Random(2026), 0
    for _ in range(400):
        body = f"y = len(rows)\n    return sum({expression(draw, draw.randint(1, 3))} for x in rows)"
        source = parse_source(HELPERS + body, "f")
        expected = ran(body, np)
        for rows, answer in zip(TABLES, expected, strict=True):
            try:
                found = answer_of(source, [Fraction(x) for x in rows], record=WHOLE)
            except (Unsupported, NoOutcome, NotRational):
                continue
            compared += 1
            if isinstance(answer, str):
                assert found.exception == answer, body
            else:
                assert [float(v) for v in numbers(found)] == [pytest.approx(float(answer), abs=1e-9)], (body, rows)
    assert compared >= 900
