"""What a reader must trust needs nothing beyond Python; the rules between the layers are in pyproject.toml."""

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.meta.repository import offences, python_files

pytestmark = pytest.mark.once

STANDARD_ONLY = (
    "refdp/kernel/",
    "refdp/mechanisms/",
    "refdp/numerics/exact.py",
    "refdp/numerics/arithmetic.py",
    "refdp/numerics/elementary.py",
    "refdp/numerics/intervals.py",
    "refdp/numerics/normal.py",
    "refdp/pipeline.py",
    "refdp/sampling/",
    "refdp/spec/",
    "refdp/transformations/",
)


ARRAYS = "refdp/sampling/bulk/"
"""Needs numpy; nothing imports it unasked."""


def foreign(module: ast.Module) -> Iterator[int]:
    """The lines of imports of anything but the standard library and refdp, wherever in the module they stand."""
    at_home = sys.stdlib_module_names | {"refdp"}
    for node in ast.walk(module):
        if isinstance(node, ast.Import) and not {alias.name.split(".")[0] for alias in node.names} <= at_home:
            yield node.lineno
        if isinstance(node, ast.ImportFrom) and (node.level or str(node.module).split(".")[0] not in at_home):
            yield node.lineno


def test_imports_of_the_trusted_base_are_standard():
    files = [name for name in python_files(*STANDARD_ONLY) if not name.startswith(ARRAYS)]
    assert offences(foreign, files) == []


def test_imports_that_are_not_standard_are_found():
    source = "import json, z3\nfrom refdp.spec import terms\ndef f():\n    from sympy.abc import x\nfrom . import a"
    assert sorted(foreign(ast.parse(source))) == [1, 4, 5]
