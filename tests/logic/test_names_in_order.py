"""What the top of a file reads before it is bound is found: there Python raises NameError."""

import ast

import pytest

from refdp.logic.names_in_order import read_too_early

EARLY = (
    "def f(rows, cap=LIMIT):\n    return cap\nLIMIT = 5",
    "def f(rows, *, cap=LIMIT):\n    return cap\nLIMIT = 5",
    "A = B\nB = 1",
    "A = [B for _ in range(2)]\nB = 1",
    "A = [x for x in x]\nx = [1]",
    "A = B = 1\nC = D",
    "A: int = B\nB = 1",
    "A: int\nB = A",
    "f = lambda x=B: x\nB = 1",
    "@g\ndef f(rows):\n    return 1\ndef g(f):\n    return f",
    "class A(B):\n    pass\nclass B:\n    pass",
    "class A:\n    x = B\nB = 1",
    "class A:\n    def f(self, x=B):\n        return x\nB = 1",
    "class A:\n    x = 1\nB = x",
    "A = [lambda: 1, B]\nB = 1",
    "A = nowhere",
)
IN_ORDER = (
    "LIMIT = 5\ndef f(rows, cap=LIMIT):\n    return cap",
    "def f(rows):\n    return LIMIT\nLIMIT = 5",
    "f = lambda x: x + B\nB = 1",
    "A = [x for x in range(3)]\nB = {k: v for k, v in zip(A, A) if k}",
    "class A:\n    x = 1\n    y = x\n    def f(self):\n        return B\nB = 1",
    "try:\n    import numpy as np\nexcept ImportError:\n    np = None\nA = np",
    "from __future__ import annotations\ndef f(rows: Table) -> Table:\n    return rows\nclass Table:\n    pass",
    'if __name__ == "__main__":\n    print(LIMIT)\nLIMIT = 1',
    "A = sum([1, 2]) + len(__name__)",
)


def is_executed(text):
    """Whether Python runs the text to its end."""
    try:
        exec(compile(text, "file.py", "exec", dont_inherit=True), {"__name__": "file"})
    except (NameError, UnboundLocalError):
        return False
    return True


@pytest.mark.parametrize("text", EARLY)
def test_names_what_is_read_before_it_is_bound_is_found(text):
    assert not is_executed(text)
    assert read_too_early(ast.parse(text)) is not None


@pytest.mark.parametrize("text", IN_ORDER)
def test_names_nothing_is_found_where_python_runs_the_file(text):
    assert is_executed(text)
    assert read_too_early(ast.parse(text)) is None


def test_names_what_is_known_anyway_may_be_read():
    tree = ast.parse("def f(q, epsilon):\n    return laplace\nA = laplace")
    assert read_too_early(tree) is not None
    assert read_too_early(tree, {"laplace"}) is None
