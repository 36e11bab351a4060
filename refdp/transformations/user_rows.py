"""The user's own row functions: map every row, or keep the rows for which a predicate holds.

A function that closes over other values is refused: it could read other rows.  That the rest reads only its row is an
assumption, which every theorem about it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from refdp.pipeline import PipelineError, Transformation, exact_data, row_domain, transformation
from refdp.spec.domains import contains
from refdp.spec.registry import register
from refdp.spec.rows import RowFunction
from refdp.spec.signatures import function_signature
from refdp.terms.reading import read
from refdp.terms.term import Term, name, text

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {}


def named(function: Callable[[Any], Any]) -> Term:
    """The name under which `function` is run; PipelineError if it is none or closes over other values."""
    if not callable(function):
        raise PipelineError(f"a row function must be a function of a row, got {function!r}")
    if getattr(function, "__closure__", None):
        held = ", ".join(function.__code__.co_freevars)
        raise PipelineError(f"a row function must read only its row, got {function.__qualname__}, which holds {held}")
    key = f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', repr(function))}"
    if _FUNCTIONS.setdefault(key, function) is not function:
        key = f"{key} #{len(_FUNCTIONS)}"
        _FUNCTIONS[key] = function
    return text(key)


def _image(row: Any, arguments: Mapping[str, Term]) -> Any:
    """function(row), which must lie in the declared domain of the output rows."""
    found = exact_data(_FUNCTIONS[str(arguments["function"].value)](row))
    if not contains(arguments["output_rows"], found):
        raise PipelineError(f"the row function must return members of {arguments['output_rows']}")
    return found


def _kept(row: Any, arguments: Mapping[str, Term]) -> Any:
    """The row if the predicate holds of it, else None."""
    return row if _FUNCTIONS[str(arguments["function"].value)](row) else None


MAP_ROWS = register(
    RowFunction(
        stem="map_rows",
        parameters=("function", "input_rows", "output_rows"),
        conditions=(),
        example={"function": text("f"), "input_rows": read("grid(1)"), "output_rows": read("grid(1)")},
        input_rows=name("input_rows"),
        output_rows=name("output_rows"),
        run=_image,
        is_user_code=True,
    )
)
FILTER_ROWS = register(
    RowFunction(
        stem="filter_rows",
        parameters=("function", "rows"),
        conditions=(),
        example={"function": text("f"), "rows": read("grid(1)")},
        input_rows=name("rows"),
        output_rows=name("rows"),
        run=_kept,
        keeps_rows=False,
        is_user_code=True,
    )
)


def map_rows(
    function: Callable[[Any], Any], input_rows: str, output_rows: str, neighbours: str = "add_remove"
) -> Transformation:
    """table -> (function(row) for each row); the domains are written as "grid(1)", "records()" and so on.

    Raises ValueError for what is no function of a row, and what is no domain.
    """
    signature = function_signature(MAP_ROWS, neighbours)
    domains = {
        "input_rows": row_domain(input_rows, "input_rows"),
        "output_rows": row_domain(output_rows, "output_rows"),
    }
    return transformation(MAP_ROWS, signature, function=named(function), **domains)


def filter_rows(predicate: Callable[[Any], bool], rows: str, neighbours: str = "add_remove") -> Transformation:
    """table -> the rows for which predicate(row) holds; how many there are is private.

    Raises ValueError for what is no function of a row, and what is no domain.
    """
    signature = function_signature(FILTER_ROWS, neighbours)
    return transformation(FILTER_ROWS, signature, function=named(predicate), rows=row_domain(rows, "rows"))


__all__ = ["filter_rows", "map_rows"]
