"""A file that Python does not take, or that ends with an exception where it is loaded, has no function to prove."""

from __future__ import annotations

from pathlib import Path

import pytest

import refdp
from refdp.programs.language.errors import Unsupported

PROGRAM = """from refdp.programs import ALL, claim, laplace
{}
@claim(epsilon="epsilon", adjacency=ALL)
def f(x: float, epsilon):
    return x + laplace(1 / epsilon)
"""
QUERY = "{}\ndef f(rows):\n    return sum(rows)\n"
RAISING = {
    "A = [1][3]": "IndexError", "A = {1: 2}[3]": "KeyError", "A = 1 / 0": "ZeroDivisionError",
    'A = 1 + "a"': "TypeError",
}  # fmt: skip
GONE = ["import math\nA = math.nothing", "from math import nothing", "import statistics.nothing"]
UNBOUND = ["A = B + 1", "A = A", "def g(a: Missing): return a", "def g(a=Missing): return a"]
NO_PYTHON = [
    "def g(a, a): return a",
    "def g(a):\n    break",
    "def g(a):\n    return *a",
    "def g(a):\n    return [(yield x) for x in a]",
    "def g(a):\n    nonlocal b",
    "def g(a):\n    return [x async for x in a]",
    "import math\nfrom __future__ import annotations",
]


def program(folder: Path, top: str) -> Path:
    """A file with a true claim under that top."""
    path = folder / "p.py"
    path.write_text(PROGRAM.format(top))
    return path


@pytest.mark.parametrize("top", [one for one in RAISING if "{" not in one])
def test_a_program_of_a_file_that_raises_is_not_proved(top: str, tmp_path: Path) -> None:
    found = refdp.prove(program(tmp_path, top), certificates=tmp_path / "c")
    assert (found["verdict"], found.get("certificate")) == ("UNKNOWN", None)
    assert f"Python raises {RAISING[top]} where it loads the file" in found["reason"]
    assert found["second_judge"]["pairs"] == 0


@pytest.mark.parametrize("top", RAISING)
def test_a_query_of_a_file_that_raises_is_not_proved(top: str, tmp_path: Path) -> None:
    (tmp_path / "q.py").write_text(QUERY.format(top))
    found = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", bounds=(0, 1), claim=1, certificates=tmp_path)
    assert (found["verdict"], found["bound"]) == ("UNKNOWN", None)
    assert f"Python raises {RAISING[top]} where it loads the file" in found["reason"]
    assert "internal_error" not in found


@pytest.mark.parametrize("top", UNBOUND)
def test_what_reads_a_name_before_it_is_bound_is_not_read(top: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="before it is bound"):
        refdp.prove(program(tmp_path, top), certificates=tmp_path, run=False)
    (tmp_path / "q.py").write_text(QUERY.format(top))
    with pytest.raises(ValueError, match="before it is bound"):
        refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", bounds=(0, 1), certificates=tmp_path, run=False)


@pytest.mark.parametrize("top", NO_PYTHON)
def test_what_python_does_not_compile_is_not_read(top: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="not Python"):
        refdp.prove(program(tmp_path, top), certificates=tmp_path, run=False)
    (tmp_path / "q.py").write_text(QUERY.format(top))
    with pytest.raises(ValueError, match="must be Python"):
        refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", bounds=(0, 1), certificates=tmp_path, run=False)


@pytest.mark.parametrize("top", ["A = exit", "import os", "from fractions import Fraction\nA = Fraction"])
def test_what_a_file_may_name_is_judged(top: str, tmp_path: Path) -> None:
    (tmp_path / "q.py").write_text(QUERY.format(top))
    found = refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", bounds=(0, 1), claim=1, certificates=tmp_path)
    assert (found["verdict"], found["second_judge"]["pairs"]) == ("PROVED", 200)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import refdp.programs as p", "p"),
        ("import refdp.programs", "refdp.programs"),
        ("from refdp import programs", "programs"),
    ],
)
def test_draws_of_an_imported_module_are_judged(line: str, name: str, tmp_path: Path) -> None:
    text = PROGRAM.replace("ALL, claim, laplace", "ALL, claim").replace("laplace(", f"{name}.laplace(")
    (tmp_path / "p.py").write_text(text.format(line))
    found = refdp.prove(tmp_path / "p.py", certificates=tmp_path)
    assert (found["verdict"], found["second_judge"]["pairs"]) == ("PROVED", 200)


@pytest.mark.parametrize("top", GONE)
def test_a_name_that_its_module_lacks_is_refused_before_anything_is_run(top: str, tmp_path: Path) -> None:
    (tmp_path / "q.py").write_text(QUERY.format(top))
    with pytest.raises(ValueError, match=r"math\.nothing|statistics\.nothing"):
        refdp.sensitivity(f"{tmp_path / 'q.py'}:f", "add_remove", bounds=(0, 1), claim=1, run=False)
    with pytest.raises(ValueError, match=r"math\.nothing|statistics\.nothing"):
        refdp.prove(program(tmp_path, top), run=False)
