"""A failure that depends on the data, planted into every place of a program that holds an expression: never PROVED.

Python raises at one of two neighbours and not at the other, which is no differential privacy at all.  A place that
the reader never looks at is one where that may happen without its knowledge.
"""

import ast
from pathlib import Path

import pytest

import refdp
from refdp.programs.language.errors import Unsupported
from tests.planting import places, planted

SECTIONS = (Path(__file__).parent / "every_construct.txt").read_text(encoding="utf-8").split("==== ")[1:]
PROGRAMS = {name: text for name, _, text in (one.partition("\n") for one in SECTIONS)}
HEAD = "from refdp.programs import ALL, L1, ONE, bernoulli, choice, claim, exp, laplace\n"
IS_HIGH = {"scalar": "x > 1", "helper": "x > 1", "one bit": "x"}
"""What is so of one of the two data alone; of lists, that their sum is above 1."""
DATA = {"scalar": (1, 2), "helper": (1, 2), "one bit": (False, True)}
FAILURES = ("1 // (1 - (IS_HIGH))", "1 // 0 if IS_HIGH else ORIGINAL", "nothing if IS_HIGH else ORIGINAL")
PARAMETERS = {"epsilon": 1, "T": 0, "N": 2, "k": 1}
RUNS = 6


def raises(text, name):
    """For each of the two data, whether Python raises in every run, in none, or (None) in some."""
    names = {}
    exec(text, names)
    function = names["f"]
    code = function.__code__
    taken = code.co_varnames[: code.co_argcount]
    given = {key: value for key, value in PARAMETERS.items() if key in taken}
    found = []
    for data in DATA.get(name, ([1, 0], [2, 0])):
        ends = {ended(function, data, given) for _ in range(RUNS)}
        found.append(ends.pop() if len(ends) == 1 else None)
    return found


def ended(function, data, given):
    """The name of the exception that a run ends with, or nothing."""
    try:
        answer = function(data, **given)
        list(answer) if hasattr(answer, "__next__") else answer
    except Exception as error:
        return type(error).__name__
    return ""


def verdict(text, folder):
    """What is said of the program, without running it."""
    (folder / "p.py").write_text(text)
    try:
        return refdp.prove(folder / "p.py", run=False, certificates=folder, timeout=20)["verdict"]
    except Unsupported:
        return "refused"


@pytest.mark.parametrize("name", PROGRAMS)
def test_failures_that_tell_the_data_are_never_proved(name, tmp_path):
    text = HEAD + PROGRAMS[name]
    assert verdict(text, tmp_path) == "PROVED"
    looked_at = 0
    for place in range(len(list(places(ast.parse(text))))):
        for what in FAILURES:
            try:
                changed, _ = planted(text, place, what.replace("IS_HIGH", IS_HIGH.get(name, "sum(x) > 1")))
                low, high = raises(changed, name)
            except Exception:  # no Python, or none that loads
                continue
            if None in (low, high) or low == high:
                continue
            looked_at += 1
            assert verdict(changed, tmp_path) != "PROVED", changed
    assert looked_at >= 10
