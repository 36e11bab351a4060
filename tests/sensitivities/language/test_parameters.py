"""What is given to a parameter is read by it, or the function is not run: a default is never taken in its place."""

from fractions import Fraction

import pytest

import refdp
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Unsupported, parse_source

TAKEN = {
    "plain": "def f(rows, k=5):\n    return k * min(sum(rows), 1)\n",
    "by name alone": "def f(rows, *, k=5):\n    return k * min(sum(rows), 1)\n",
    "the table by place alone": "def f(rows, /, k=5):\n    return k * min(sum(rows), 1)\n",
}
NOT_TAKEN = {
    "by place alone": "def f(rows, k=5, /):\n    return k * min(sum(rows), 1)\n",
    "one by place alone, one not": "def f(rows, j=1, /, k=5):\n    return k * min(sum(rows), 1)\n",
    "any names": 'def f(rows, **others):\n    return others.get("k", 5) * min(sum(rows), 1)\n',
    "any number": "def f(rows, *others, k=5):\n    return k * min(sum(rows), 1)\n",
}
ROWS = (Fraction(1), Fraction(1))


@pytest.mark.parametrize("text", TAKEN.values(), ids=list(TAKEN))
@pytest.mark.parametrize(("given", "found"), [({}, 5), ({"k": Fraction(0)}, 0), ({"k": Fraction(7)}, 7)])
def test_value_is_what_python_would_be_given(text, given, found):
    names = {}
    exec(text, names)
    assert names["f"]([1, 1], **{key: int(value) for key, value in given.items()}) == found
    assert [leaf for _, leaf in answer_of(parse_source(text, "f"), ROWS, given).values] == [found]


@pytest.mark.parametrize("text", NOT_TAKEN.values(), ids=list(NOT_TAKEN))
@pytest.mark.parametrize("given", [{}, {"k": Fraction(0)}])
def test_parameters_that_no_name_gives_a_value_to_are_not_run(text, given):
    with pytest.raises(Unsupported, match="a parameter by place alone, or for any number of values, is not read"):
        answer_of(parse_source(text, "f"), ROWS, given)


@pytest.mark.parametrize("text", [NOT_TAKEN["by place alone"], NOT_TAKEN["any number"]])
@pytest.mark.parametrize("more", [{}, {"arithmetic": "float64", "sum": "naive"}])
def test_what_is_true_of_a_value_is_not_refuted_by_the_default(text, more, tmp_path):
    """At k = 0 every answer is 0, and at the default of 5 it is not."""
    (tmp_path / "q.py").write_text(text)
    asked = {"neighbours": "add_remove", "bounds": (0, 1), "set": {"k": 0}, "claim": 0, "run": False}
    with pytest.raises(ValueError, match="is not read"):
        refdp.sensitivity(f"{tmp_path / 'q.py'}:f", **asked, **more)
