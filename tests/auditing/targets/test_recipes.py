"""Recipes are read, not run: only names, constants, calls, attributes, items and arithmetic."""

import types

import pytest

from refdp.auditing.targets import RecipeError, recipe
from refdp.auditing.targets.workers import building

LIBRARY = types.ModuleType("shop")
EXEC = "import os\ndef cost(price, count=1, *, off=0): return [price, count, off]\nclass Thing:\n    size = 3\n"
exec(compile(EXEC, "shop.py", "exec"), vars(LIBRARY))


def built(text, **values):
    names = {"shop": LIBRARY, "cost": LIBRARY.cost}
    return building.built(recipe(text, values), names, "shop")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cost(2.0**50 + 1, count=-3)", [2.0**50 + 1, -3, 0]),
        ("shop.cost((1, 'a'), [None, True], off={'k': b'x'})", [(1, "a"), [None, True], {"k": b"x"}]),
        ("cost(low, high)[1]", 7),
        ("shop.Thing().size // 2", 1),
        ("cost(int)[0]", int),
        ("16 >> 2", 4),
    ],
)
def test_recipes_give_what_python_would(text, value):
    assert built(text, low=5, high=7) == value


@pytest.mark.parametrize(
    "text",
    [
        "lambda: 1", "[c for c in 'ab']", "cost(*[1])", "cost(**{})", "a if b else c", "a < b", "f'{x}'", "(y := 1)",
        "cost.__globals__", "shop._private", "1; 2", "import os", "", "not x", "{**a}", "x[1:2]", "1j", "a @ b",
        "await x", "(" * 500 + ")" * 500, "1" * 200_000,
    ],
)  # fmt: skip
def test_recipes_refuse_all_else(text):
    with pytest.raises(RecipeError, match="a recipe must"):
        recipe(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("shop.os.system", "os does not belong to shop"),
        ("open", "shop has no open"),
        ("__import__", "shop has no __import__"),
        ("shop.price", "shop has no price"),
    ],
)
def test_recipes_reach_nothing_outside_the_library(text, reason):
    with pytest.raises(building.RecipeError, match=reason):
        built(text)


def test_recipes_are_searched_for_an_underscore_where_they_are_built_too():
    tree = {"is": "attribute", "of": {"is": "name", "name": "cost"}, "attribute": "__globals__"}
    with pytest.raises(building.RecipeError, match="underscore"):
        building.built(tree, {"cost": LIBRARY.cost}, "shop")


@pytest.mark.parametrize(("text", "names"), [("f(x[0], n)", {"x", "n"}), ("f(1)", set()), ("g(f(x))", {"x"})])
def test_recipes_tell_which_names_are_bound_at_each_call(text, names):
    assert building.free_names(recipe(text)) == names


def test_recipes_tell_all_their_names_and_no_attributes_or_keywords():
    assert building.names_in(recipe("t.f(g(x), size=n, names=['dp', m])")) == {"t", "g", "x", "n", "m"}
    assert building.names_in(recipe("f(1, 'dp')", {"f": 2})) == set()
