"""Where a test function keeps its statement: known to the plugin without loading anything."""

from __future__ import annotations

from typing import Any

ATTRIBUTE = "__refdp_statement__"
CASE = "refdp_case"
"""The parameter of a test that makes a statement for each of its cases."""


class Cases:
    """Stands for the statements of a test that is parametrised by them."""

    own = (CASE,)
    mutants = ()


CASES = Cases()


def statement_of(item: Any) -> Any:
    """The statement of a collected test, None where it has none."""
    found = getattr(getattr(item, "function", None), "__dict__", {}).get(ATTRIBUTE)
    return item.callspec.params[CASE] if found is CASES else found
