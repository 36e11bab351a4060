"""Where a test function keeps its statement: known to the plugin without loading anything."""

from __future__ import annotations

from typing import Any

ATTRIBUTE = "__refdp_statement__"


def statement_of(item: Any) -> Any:
    """The statement of a collected test, None where it has none."""
    function = getattr(item, "function", None)
    return getattr(function, "__dict__", {}).get(ATTRIBUTE)
