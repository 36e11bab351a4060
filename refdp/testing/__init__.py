"""Statements about privacy as tests: `from refdp.testing import sampler_matches, satisfies, law`.

pytest finds the plugin by itself where refdp is installed; a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdp.testing import law
    from refdp.testing.claims import satisfies
    from refdp.testing.samplers import sampler_matches

HOME = {
    "sampler_matches": "refdp.testing.samplers",
    "satisfies": "refdp.testing.claims",
}
"""The module in which each public name is defined."""

__all__ = ["law", "sampler_matches", "satisfies"]


def __getattr__(name: str) -> Any:
    if name == "law":
        return import_module("refdp.testing.law")
    if name not in HOME:
        raise AttributeError(f"refdp.testing has no {name!r}")
    return getattr(import_module(HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME, "law"])
