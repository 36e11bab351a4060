"""Values that are no data: functions of the source, functions of the library, modules, exceptions."""

from __future__ import annotations

import ast
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from typing import Any

from refdp.sensitivities.language.concrete.scopes import Scope


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function or a lambda of the source, where it was defined."""

    name: str
    arguments: ast.arguments
    body: tuple[ast.stmt, ...]
    scope: Scope | None
    defaults: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Library:
    """A function of the library by its full name, "statistics.mean"; "len" for a builtin."""

    name: str


@dataclass(frozen=True, slots=True)
class Module:
    """A module by its full name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A method of a value, such as xs.append."""

    value: Any
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Callback:
    """A function that the library made, such as operator.itemgetter(0)."""

    function: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Exceptional:
    """A class of exceptions by name, or an exception of that class."""

    name: str
    is_class: bool


NOT_DATA = (Function, Library, Module, Method, Callback, Exceptional)
ITERABLE = (list, tuple, dict, set, frozenset, str, range, Iterator, KeysView, ValuesView, ItemsView)


_KNOWN: dict[type, bool] = {}
"""Class -> whether its values have elements, as far as it was asked."""


def is_iterable(value: Any) -> bool:
    """Whether it has elements; each class is asked about once, as abstract classes take long to ask."""
    kind = type(value)
    found = _KNOWN.get(kind)
    if found is None:
        found = _KNOWN[kind] = issubclass(kind, ITERABLE)
    return found


def is_number(value: Any) -> bool:
    """Whether it is a number of the arithmetic, an int or a bool."""
    return value is not None and not is_iterable(value) and not isinstance(value, NOT_DATA)
