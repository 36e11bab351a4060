"""What the names and annotations of parameters say: which holds the data, whether they are a list, what is assumed."""

import ast
import re
from fractions import Fraction as F

import pytest

from refdp.programs.language.errors import Unsupported
from refdp.programs.language.parameters import Signature, signature
from refdp.programs.language.reading import program_in
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import variables


def read(text: str) -> Signature:
    """The parameters of a function."""
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    return signature(function)


HALVES = [F(k, 2) for k in range(-4, 7)]
ASSUMED = {
    "epsilon": lambda value: value > 0,
    "sigma: float": lambda value: value > 0,
    "delta": lambda value: 0 <= value < 1,
    "N": lambda value: value >= 1,
    "M: int": lambda value: value >= 1,
    "k": lambda value: value >= 1,
    "N: float": lambda value: True,
    "i: int": lambda value: True,
    "T": lambda value: True,
}


@pytest.mark.parametrize("parameter", ASSUMED)
def test_what_is_assumed_of_a_parameter_is_what_its_name_says(parameter: str) -> None:
    """That it is positive, a count, or a delta; of any other name nothing, whatever its type."""
    found = read(f"def f(q, {parameter}):\n    return 0\n")
    (term,) = found.public.values()
    assert set(variables(found.assumption)) <= {term}
    for value in HALVES if term.sort == "Real" else range(-3, 4):
        assert evaluate(found.assumption, {term: value}) == ASSUMED[parameter](value), value


USES = {
    "return max(x)": True,
    "return sum(x)": True,
    "return argmax(enumerate(x, 1))": True,
    "return x[0]": True,
    "for one in x:\n        yield one": True,
    "return [one for one in x]": True,
    "return max(y)": False,
    "return max(x, 0)": False,
    "return abs(x)": False,
    "return noisy(x)": False,
    "return y[0]": False,
    "for one in y:\n        yield one": False,
    "return [x for one in y]": False,
}


@pytest.mark.parametrize("body", USES)
def test_data_without_a_type_are_a_list_where_they_are_used_as_one(body: str) -> None:
    """It is their own use that counts, and a function of lists, of nothing else."""
    assert read(f"def f(x, y):\n    {body}\n").data.is_list == USES[body]


@pytest.mark.parametrize("heading", ["q, epsilon, n=1", "q: list, n: int = 2, epsilon=1", "q, epsilon, *, n=1"])
def test_the_number_of_elements_has_no_default(heading):
    """Python would take the default, and the claim was read with the number of elements in its place."""
    text = f'@claim(epsilon="n*epsilon", adjacency=ALL)\ndef f({heading}):\n    return sum(q) + laplace(1 / epsilon)\n'
    with pytest.raises(Unsupported, match="a default of n, which is the number of elements"):
        program_in("from refdp.programs import *\n" + text, "file.py", "f")
    without = re.sub(r"n(: int)? ?= ?\d", r"n\1", text).replace(", epsilon=1", ", epsilon")
    assert program_in("from refdp.programs import *\n" + without, "file.py", "f").length == "n"
