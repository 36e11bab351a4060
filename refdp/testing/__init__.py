"""Statements about privacy as tests: `from refdp.testing import sampler_matches, satisfies, law`.

pytest finds the plugin by itself where refdp is installed; a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdp.auditing.neighbours import Choice, Real, Record, Table, Vector, Whole
    from refdp.testing import law
    from refdp.testing.claims import satisfies
    from refdp.testing.findings import RefdpInconclusive
    from refdp.testing.known_answers import vectors
    from refdp.testing.moves import moves_at_most
    from refdp.testing.samplers import sampler_matches

HOME = {
    "RefdpInconclusive": "refdp.testing.findings",
    "moves_at_most": "refdp.testing.moves",
    "sampler_matches": "refdp.testing.samplers",
    "satisfies": "refdp.testing.claims",
    "vectors": "refdp.testing.known_answers",
    **dict.fromkeys(("Choice", "Real", "Record", "Table", "Vector", "Whole"), "refdp.auditing.neighbours"),
}
"""The module in which each public name is defined."""

__all__ = [
    "Choice", "Real", "Record", "RefdpInconclusive", "Table", "Vector", "Whole", "law", "moves_at_most",
    "sampler_matches", "satisfies", "vectors",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "law":
        return import_module("refdp.testing.law")
    if name not in HOME:
        raise AttributeError(f"refdp.testing has no {name!r}")
    return getattr(import_module(HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME, "law"])
