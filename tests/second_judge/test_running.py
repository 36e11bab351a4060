"""What is run can reach nothing but its own data, has limits, and computes exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from refdp.second_judge.allowed import may_be_run
from refdp.second_judge.process import answers
from refdp.second_judge.wire import NotSent, packed, unpacked


def ran(source: str, *rows: Any, **words: Any) -> dict[str, Any]:
    (found,) = answers(
        source,
        [
            {
                "kind": "query",
                "function": "f",
                "runs": [[list(map(packed, rows)), {k: packed(v) for k, v in words.items()}]],
            }
        ],
    )
    return found[0]


@pytest.mark.parametrize(
    "body",
    [
        "return rows.__class__",
        "return (lambda: 0).__globals__",
        "return [x for x in rows].__iter__().gi_frame",
        "g = (x for x in rows)\n    return g.gi_frame.f_back.f_globals",
        "try:\n        1 / 0\n    except Exception as e:\n        return e.__traceback__",
        "return '{0.__class__}'.format(rows)",
        "return __builtins__",
        "return type(rows).mro()",
        "match rows:\n        case object(__class__=c):\n            return c",
        "global __builtins__",
        "import os as __builtins__",
        "class C:\n        __match_args__ = ('__class__',)\n    return C",
        "def __getattr__(x):\n        return x\n    return 0",
        "return 1j",
    ],
)
def test_what_leads_to_python_itself_is_not_run(body: str) -> None:
    assert may_be_run(f"def f(rows):\n    {body}\n") is not None


def test_asynchronous_code_is_not_run() -> None:
    assert may_be_run("async def g():\n    pass\n") is not None


@pytest.mark.parametrize(
    "body",
    [
        "return open('/etc/passwd').read()",
        "import os\n    return os.getpid()",
        "import sys\n    return len(sys.modules)",
        "import subprocess\n    return subprocess.run(['true'])",
        "import socket\n    return socket.socket()",
        "from statistics import sys\n    return sys.path",
        "from fractions import sys\n    return len(sys.path)",
        "return eval('1')",
        "return exec('x = 1')",
        "return getattr(rows, 'append')",
        "return type(type(1))('X', (), {})",
        "return vars()",
        "import numpy as np\n    return np.sum(rows)",
        "try:\n        return open('/etc/passwd')\n    except BaseException:\n        return 1",
        "return str(0.1)",
        "return 2 ** 0.3",
    ],
)
def test_what_is_not_at_hand_shows_nothing(body: str) -> None:
    source = f"def f(rows):\n    {body}\n"
    assert may_be_run(source) is None
    assert "unclear" in ran(source, 1)


def test_a_library_may_be_imported_that_is_not_used() -> None:
    source = (
        "import numpy as np\nimport os\nfrom typing import Sequence\nfrom pathlib import Path\n"
        "HERE = Path(__file__).parent / 'x'\n"
        "def f(rows: Sequence[float]) -> np.ndarray | None:\n    return 3\n"
        "if __name__ == '__main__':\n    print(open('x').read())\n"
    )
    assert may_be_run(source) is None
    assert ran(source) == {"answer": ["i", "0x3"]}


def test_a_library_that_may_change_the_files_data_is_not_guessed_at() -> None:
    source = "import random\nW = [1, 2]\nrandom.shuffle(W)\ndef f(rows):\n    return W[0]\n"
    assert "unclear" in ran(source)


def test_an_endless_run_is_ended_and_costs_no_other() -> None:
    source = "def f(rows):\n    while rows:\n        pass\n    return 1\n"
    runs = [[[], {}], [[packed(1)], {}], [[], {}]]
    (found,) = answers(source, [{"kind": "query", "function": "f", "runs": runs}])
    assert [next(iter(one)) for one in found] == ["answer", "unclear", "answer"]


def test_memory_is_limited() -> None:
    assert ran("def f(rows):\n    return len([0] * 10 ** 10)\n") == {"unclear": "MemoryError"}


def test_a_process_that_is_killed_answers_none() -> None:
    source = "def f(rows):\n    return 7 ** 7 ** 9 if not rows else sum(range(10 ** 13))\n"
    assert answers(source, [{"kind": "query", "function": "f", "runs": [[[packed(1)], {}]]}], seconds=2) == [None]


def test_every_run_starts_with_a_fresh_file() -> None:
    source = "SEEN = []\ndef f(rows):\n    SEEN.append(1)\n    return len(SEEN)\n"
    (found,) = answers(source, [{"kind": "query", "function": "f", "runs": [[[], {}], [[], {}]]}])
    assert found == [{"answer": ["i", "0x1"]}] * 2


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 / 3", Fraction(1, 3)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("1_000.5", Fraction(2001, 2)),
        ("2 ** -1", Fraction(1, 2)),
        ("4 ** 0.5", Fraction(2)),
        ("7.5 // 2", Fraction(3)),
        ("7.5 % 2", Fraction(3, 2)),
        ("divmod(7.5, 2)", (Fraction(3), Fraction(3, 2))),
        ("round(2.5)", 2),
        ("round(0.125, 2)", Fraction(12, 100)),
        ("int(-2.5)", -2),
        ("float('0.1') * 3", Fraction(3, 10)),
        ("isinstance(1 / 2, float)", True),
        ("isinstance(1, float)", False),
        ("isinstance(1, (int, float))", True),
        ("(4.0).is_integer()", True),
        ("min(float('inf'), 3)", 3),
        ("math.sqrt(9)", Fraction(3)),
        ("math.floor(2.5)", 2),
        ("math.fsum([0.1] * 10)", Fraction(1)),
        ("statistics.mean([1, 2])", Fraction(3, 2)),
        ("statistics.median([1, 2])", Fraction(3, 2)),
        ("statistics.pvariance([0, 1])", Fraction(1, 4)),
        ("statistics.variance([0, 1])", Fraction(1, 2)),
        ("sum([0.1, 0.2, 3])", Fraction(33, 10)),
        ("type(0.5) == float", True),
        ("'aa'.count('aa')", 1),
    ],
)
def test_numbers_are_exact(expression: str, value: Any) -> None:
    found = ran(f"import math\nimport statistics\ndef f(rows):\n    return {expression}\n")
    assert unpacked(found["answer"]) == value


def test_a_part_of_a_list_is_divided_in_place() -> None:
    source = "def f(rows):\n    d = {'a': 1}\n    d['a'] /= 3\n    n = 1\n    n /= 3\n    n **= 2\n    return [d, n]\n"
    assert unpacked(ran(source)["answer"]) == [{"a": Fraction(1, 3)}, Fraction(1, 9)]


@pytest.mark.parametrize(
    ("expression", "raised"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("[][0.5]", "TypeError"),
        ("range(2.0)", "TypeError"),
        ("{}[1]", "KeyError"),
        ("math.sqrt(-1)", "ValueError"),
        ("statistics.mean([])", "StatisticsError"),
        ("round(1.5, 1.0)", "TypeError"),
    ],
)
def test_what_python_raises_is_raised(expression: str, raised: str) -> None:
    assert ran(f"import math\nimport statistics\ndef f(rows):\n    return {expression}\n") == {"raised": raised}


def test_a_float_that_was_rounded_is_not_sent() -> None:
    with pytest.raises(NotSent):
        packed(0.1)


def test_values_arrive_as_they_were_sent() -> None:
    value = {"a": [1, Fraction(-1, 3), True, None, "x"], 2: (10**5000, float("inf"))}
    assert unpacked(packed(value)) == value


def test_a_name_that_pythons_module_has_not_raises_as_in_python() -> None:
    assert ran("def f(rows):\n    import math\n    return math.loader\n", 1) == {"raised": "AttributeError"}
