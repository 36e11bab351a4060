"""A failure planted into every place of a function that holds an expression: readings fail where Python fails.

A place that a reader never looks at is one where Python may raise without its knowledge.
"""

import ast
import re
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.program import EXCEPTIONS
from refdp.sensitivities.records import Number
from refdp.terms.exact_values import NotRational
from tests.planting import places, planted
from tests.sensitivities.language.functions_of_numbers import NUMBERS
from tests.sensitivities.language.running import bounded_result, compiled, really, require

REALS = Number()
TABLES = [list(map(Fraction, rows)) for rows in ([], [4], [1, 3], [2, -5, 7])]
FAILURES = ("1 // 0", "[][0]", "next(iter([]))", "int('a')")
WHOLE = "FAILURE"
ON_SOME_TABLES = "FAILURE if len(rows) > 1 else ORIGINAL"
SECTIONS = (Path(__file__).parent / "every_construct.txt").read_text(encoding="utf-8").split("==== ")[1:]
TEXTS = [*(NUMBERS[name] for name in sorted(NUMBERS)[::3]), *(one.partition("\n")[2] for one in SECTIONS)]
NOT_PLANTED = {
    "Await", "AsyncFor", "AsyncFunctionDef", "AsyncWith", "Expression", "FunctionType", "Interactive", "JoinedStr",
    "MatchClass", "MatchMapping", "MatchValue", "TryStar", "TypeAlias", "TypeVar",
}  # fmt: skip
"""What stands in no plain function, and patterns and texts, which hold expressions of some kinds alone."""


def by_python(text: str) -> list[tuple[dict[str, Fraction], str]]:
    """What Python does on each table, nothing where it makes no function."""
    try:
        function = compiled(text, "f")
    except Exception:
        return []
    return [once(function, rows) for rows in TABLES]


def once(function: Any, rows: Any) -> tuple[dict[str, Fraction], str]:
    """What Python does on one table, also where it raises what `really` knows nothing of."""
    try:
        return really(function, rows, {})
    except Exception as error:
        return {}, type(error).__name__


def as_a_pass(source: Any) -> bool:
    """Whether the function is read as passes over rows, with loops left alone."""
    try:
        read_program(source, Declaration(REALS))
    except NotAFold:
        return True
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1)
def outcomes() -> dict[tuple[str, str], list[str]]:
    """For each kind of place, how every planted text was met; AssertionError where a reading is not Python's."""
    found: dict[tuple[str, str], list[str]] = {}
    for text in TEXTS:
        for place in range(len(list(places(ast.parse(text))))):
            for what in (WHOLE, ON_SOME_TABLES):
                try:
                    changed, kind = planted(text, place, what.replace("FAILURE", FAILURES[place % len(FAILURES)]))
                    compile(changed, "<test>", "exec")
                except (SyntaxError, ValueError):
                    continue
                found.setdefault(kind, []).extend(met(changed))
    return found


def met(text: str) -> list[str]:
    """How reader and interpreter meet a text: "refused" or "agrees"."""
    expected = by_python(text)
    if not expected:  # what raises where a file is loaded is seen where the second judge loads it
        return ["not loaded"]
    source, found = parse_source(text, "f"), []
    try:
        if not as_a_pass(source):
            raise ValueError
        seen = [bounded_result(source, Declaration(REALS), rows) for rows in TABLES]
        require(seen, expected, text)
        found.append("agrees")
    except ValueError:
        found.append("refused")
    for rows, truth in zip(TABLES, expected, strict=True):
        try:
            one = answer_of(source, tuple(rows), record=REALS).outcome
        except (NoOutcome, NotRational, Unsupported):
            found.append("refused")
        else:
            numbers, exception = truth
            exception = "" if exception in EXCEPTIONS[-3:] else exception
            require((list(one.numbers), one.exception), (list(numbers.values()), exception), (text, rows))
            found.append("agrees")
    return found


def grammar() -> set[tuple[str, str]]:
    """Every kind of node with each of its fields that hold expressions, as Python's own grammar has them."""
    kinds = [one for one in vars(ast).values() if isinstance(one, type) and issubclass(one, ast.AST) and one.__doc__]
    return {
        (name, field)
        for one in kinds
        for name, inner in re.findall(r"\b(\w+)\(([^)]*)\)", one.__doc__ or "")
        for field in re.findall(r"\bexpr[?*]? (\w+)", inner)
        if name not in NOT_PLANTED
    }


@pytest.mark.once
def test_readings_fail_where_python_fails_or_are_refused():
    met_with = [one for ways in outcomes().values() for one in ways]
    assert met_with.count("agrees") > 500
    assert met_with.count("refused") > 500


@pytest.mark.once
def test_a_failure_was_planted_into_every_place_of_the_grammar():
    only_stored = {("Delete", "targets"), ("For", "target"), ("comprehension", "target"), ("withitem", "optional_vars")}
    only_stored |= {
        ("FormattedValue", "format_spec"),
        ("Assign", "targets"),
        ("AugAssign", "target"),
        ("AnnAssign", "target"),
        ("NamedExpr", "target"),
    }
    assert grammar() - outcomes().keys() == only_stored
