"""What type checkers read of refdp's public names is what refdp.HOME says."""

import inspect
import re
import runpy

import pytest

import refdp
from tests.meta.repository import ROOT, tree


def test_types_are_those_of_the_public_names():
    written = (ROOT / "refdp/__init__.pyi").read_text(encoding="utf-8")
    assert written == runpy.run_path(str(ROOT / "scripts/public_types.py"))["stub"]()


def test_types_name_every_public_name_once():
    """Read from the file, not by whoever wrote it; that each is defined there, mypy says of the whole package."""
    imports = [node for node in tree("refdp/__init__.pyi").body if hasattr(node, "names")]
    assert {alias.asname: node.module for node in imports for alias in node.names} == refdp.HOME


def test_a_star_brings_the_public_names_and_nothing_else():
    brought = {}
    exec("from refdp import *", brought)
    assert brought.keys() - {"__builtins__"} == refdp.HOME.keys()


@pytest.mark.parametrize("name", sorted(name for name in refdp.HOME if inspect.isfunction(getattr(refdp, name))))
def test_every_public_function_says_what_it_raises(name):
    said = inspect.getdoc(getattr(refdp, name))
    assert re.search(r"\bRaises:? |; else NotExact\.", said)
