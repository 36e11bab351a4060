"""A formula is the term that its source writes down; what is no line of arithmetic is refused in tests/kernel too."""

import ast
import importlib.util
import inspect
from fractions import Fraction
from pathlib import Path

import pytest

from refdp.spec.formulas import Real, _definition, exp, formula, indicator, ln, normal_tail, pi, require_whole, sqrt
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, number


@formula
def several(x: Real, y: Real) -> Real:
    """Everything that a formula may be made of."""
    return max(abs(x) ** 2 - 1 / 3, min(x, y), -y) * indicator(x <= y) + 2 / (y + 4)


@formula
def transcendental(x: Real) -> Real:
    return exp(ln(x) + sqrt(x) * pi()) * normal_tail(x)


@formula
def constant() -> Real:
    return 1 / 3 + 1 / 6


def test_formula_is_the_term_that_it_writes():
    assert several.term == read("max(max(abs(x) ** 2 - 1/3, min(x, y)), -y) * indicator(x <= y) + 2 / (y + 4)")
    assert transcendental.term == read("exp(ln(x) + sqrt(x) * pi()) * normal_tail(x)")
    assert constant.term == number(Fraction(1, 2))


def test_formula_says_its_name_parameters_and_where_it_stands():
    assert str(constant) == "constant() = 1/2"
    assert (several.name, several.parameters) == ("several", ("x", "y"))
    path, _, line = several.where.rpartition(":")
    assert path.endswith("test_formulas.py")
    assert Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1] == "@formula"
    assert several.source.startswith("@formula\ndef several(")


@pytest.mark.parametrize(("x", "y"), [(0, 0), (1, 2), (-3, 5), (Fraction(1, 2), Fraction(1, 2)), (4, -1)])
def test_formula_called_is_what_python_computes(x, y):
    expected = max(abs(x) ** 2 - Fraction(1, 3), min(x, y), -y) * int(x <= y) + Fraction(2) / (y + 4)
    assert several(x, y) == expected


def test_formula_called_where_it_has_no_rational_value_is_refused():
    with pytest.raises(TermError, match="division by zero"):
        several(0, -4)
    with pytest.raises(TermError, match="not a rational number"):
        transcendental(2)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3)])
def test_formula_called_with_another_number_of_arguments_is_refused(arguments):
    with pytest.raises(TermError, match="several takes 2 arguments"):
        several(*arguments)


@pytest.mark.parametrize("wrong", [0.5, True, "1", None])
def test_formula_called_with_what_is_not_exact_is_refused(wrong):
    with pytest.raises(TermError):
        several(wrong, 1)


def test_formula_at_some_arguments_keeps_the_other_names():
    assert several.at(y=name("z")) == read(
        "max(max(abs(x) ** 2 - 1/3, min(x, z)), -z) * indicator(x <= z) + 2 / (z + 4)"
    )
    assert several.at(x=name("y"), y=name("x")) == read(
        "max(max(abs(y) ** 2 - 1/3, min(y, x)), -x) * indicator(y <= x) + 2 / (x + 4)"
    )
    assert several.at() == several.term


def test_formula_at_what_it_does_not_read_is_refused():
    with pytest.raises(TermError, match="several has no parameter scale"):
        several.at(scale=1)
    with pytest.raises(TermError):
        several.at(x=0.5)


@formula
def whole(row: Real, lower: Real, scale: Real) -> Real:
    return max(lower, min(row * 2 - 3, abs(row))) + indicator(scale * row <= 1 / 2)


@formula
def half(row: Real) -> Real:
    return row / 2


@formula
def halves(row: Real) -> Real:
    return row + 1 / 2


@formula
def squared(row: Real) -> Real:
    return row**2


@formula
def rooted(row: Real) -> Real:
    return sqrt(row * row)


def test_formula_is_whole_by_its_shape():
    assert require_whole(whole, ("row", "lower")) is None
    for f in (half, halves, squared, rooted, transcendental):
        with pytest.raises(TermError, match="not integer-valued by its shape"):
            require_whole(f, ("row", "x"))


def test_formula_that_reads_no_integer_is_not_whole_and_is_refused():
    with pytest.raises(TermError, match="whole is not integer-valued by its shape: lower"):
        require_whole(whole, ("row",))


SHAPES = {
    "plain": "@formula\ndef f(x):\n    return x + 1\n",
    "with words": '@formula\ndef f(x):\n    """x and one more."""\n    return x + 1\n\n\nother = 3\n',
    "an end on the next line": "@formula\ndef f(x):\n    return (\n        x + 1\n    )\n",
    "several lines": "@formula\ndef f(\n    x,\n):\n    return x + \\\n        1\n",
    "words behind": "@formula\ndef f(x):\n    return x + 1  # one more\n    # and no more\nother = 3\n",
    "no last line": "@formula\ndef f(x):\n    return x + 1",
    "in one line": "@formula\ndef f(x): return x + 1\n",
    "in a class": "class A:\n    @formula\n    def f(x):\n        return x + 1\n\n    other = 3\n\n\nf = A.f\n",
    "of constants": "@formula\ndef f(x):\n    return 1 + 0 * x\n",
}


def loaded(tmp_path, text, name=None):
    path = tmp_path / f"{name or f'shape_{abs(hash(text))}'}.py"
    path.write_text(f"from refdp.spec.formulas import formula\n\n\n{text}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("shape", SHAPES)
def test_the_text_of_a_formula_is_that_of_its_statement(shape, tmp_path):
    """Wherever the lines of its code end."""
    text = SHAPES[shape]
    found = loaded(tmp_path, text).f
    (statement,) = (one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef))
    assert ast.dump(ast.parse(found.source).body[0]) == ast.dump(statement)
    assert found(2) == (1 if shape == "of constants" else 3)


@pytest.mark.parametrize(
    "text",
    [
        "@formula\ndef f(x):\n    return x + 1\n    return x\n",
        "@formula\ndef f(x):\n    return x + 1\n\n\n    x = 2\n",
        "@formula\ndef f(x):\n    return x + 1\n    # words\n    pass\n",
        "@formula\ndef f(x):\n    return x\n    if x:\n        return 2 * x\n",
        "@formula\ndef f(x):\n    return x + 1; x = 3\n",
        "@formula\ndef f(x):\n    return x + 1\n# words\n    return 2\n",
        "@formula\ndef f(x):\n    return x + 1\n\n  # words\n\n# more\n    x = 2\n",
    ],
)
def test_what_is_never_reached_is_part_of_the_statement(text, tmp_path):
    """Python leaves it out of the code, whose lines end before it."""
    with pytest.raises(TermError, match="its body must be one return of arithmetic"):
        loaded(tmp_path, text)


def test_a_file_that_was_changed_is_read_again(tmp_path):
    """As a notebook does that imports a module anew."""
    before = loaded(tmp_path, "@formula\ndef f(x):\n    return x + 1\n", "changed").f
    after = loaded(tmp_path, "@formula\ndef f(x):\n    return 1000 * x + 1\n", "changed").f
    assert (before.term, after.term) == (read("x + 1"), read("1000 * x + 1"))
    assert after(2) == 2001


def test_code_without_places_is_read_by_its_text(monkeypatch):
    """As under `python -X no_debug_ranges`: it does not say where its lines end."""

    class Code:
        co_firstlineno = constant_function.__code__.co_firstlineno

        def co_positions(self):
            return iter(())

    class Bare:
        __code__ = Code()

    source = inspect.getsource(constant_function)
    monkeypatch.setattr("refdp.spec.formulas.inspect.getsource", lambda function: source)
    text, statement = _definition(Bare(), __file__)
    assert text == source
    assert ast.dump(statement) == ast.dump(ast.parse(source).body[0])


def constant_function():
    return 1 + 1
