"""refdp: an executable reference for differential privacy; every claim in it carries a proof that anyone can replay."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

HOME: dict[str, str] = {}
"""The module in which each public name is defined; a name is imported when it is first used."""


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"refdp has no {name!r}")
    return getattr(import_module(HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME])
