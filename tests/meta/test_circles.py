"""No file imports one that imports it, by whatever way: at the top, within a function, for its types, by a call."""

import ast
from collections.abc import Iterable, Iterator, Mapping

import pytest

from tests.meta.repository import python_files, tree

pytestmark = pytest.mark.once

PROOFS = "refdp.proofs"
"""What the folder proofs is imported as."""


def module_of(path: str) -> str:
    """What a file is imported as."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"refdp.{name}" if name.startswith("proofs") else name


def imported(nodes: Iterable[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import among them, those for the checking of types alone too."""
    yield from (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def called(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What is imported by a call, `import_module("a.b")`."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module":
            yield from (one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


def targets(node: ast.Import | ast.ImportFrom) -> list[str]:
    """What an import may name: of `from a import b` both a.b, which may be a file, and a."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module}.{alias.name}" for alias in node.names]


def graph(trees: Mapping[str, ast.AST]) -> dict[str, set[str]]:
    """The files that each file imports."""
    found: dict[str, set[str]] = {}
    for name, module in trees.items():
        nodes = list(ast.walk(module))
        asked = [*(one for node in imported(nodes) for one in targets(node)), *called(nodes)]
        nearest = (one if one in trees else one.rpartition(".")[0] for one in asked)
        found[name] = {one for one in nearest if one in trees and one != name}
    return found


def circles(arrows: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The sets of files that lead to one another, each sorted."""
    left = {name: set(ends) for name, ends in arrows.items()}
    while ends := [name for name, others in left.items() if not others & left.keys()]:
        for name in ends:  # what leads to nothing that is left is in no circle
            del left[name]
    reached: dict[str, frozenset[str]] = {}
    for name in left:
        seen, waiting = set[str](), list(arrows[name])
        while waiting:
            if (one := waiting.pop()) not in seen:
                seen.add(one)
                waiting += arrows[one]
        reached[name] = frozenset(seen)
    found = {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in left if a in reached[a]}
    return sorted(map(sorted, found))


def test_no_file_imports_one_that_imports_it():
    trees = {module_of(path): tree(path) for path in python_files("refdp/", "proofs/")}
    arrows = graph(trees)
    assert sum(map(len, arrows.values())) > 3_000
    assert any(name.startswith(PROOFS) for name in arrows)
    assert circles(arrows) == []


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ({"a": "import b", "b": "from a import x"}, [["a", "b"]]),
        ({"a": "def f():\n    from p.b import x", "p.b": "from p import c", "p.c": "import a"}, [["a", "p.b", "p.c"]]),
        ({"a": "import b", "b": "if TYPE_CHECKING:\n    from a import x", "c": "import a"}, [["a", "b"]]),
        ({"a": "import b", "b": "def f():\n    return import_module('a').x"}, [["a", "b"]]),
        ({"a": "import b, c", "b": "import c", "c": "import json"}, []),
        ({"a": "import b", "b": "import a", "c": "import d", "d": "import c, a"}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_a_circle_is_found_where_there_is_one(sources, found):
    assert circles(graph({name: ast.parse(source) for name, source in sources.items()})) == found
