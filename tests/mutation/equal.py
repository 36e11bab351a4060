"""The mutants that are shown to do the same: which, and the one line that shows it."""

from __future__ import annotations

Key = tuple[str, str, str, str, str]

EQUAL: dict[Key, str] = {}
"""By file, function, operator, text before and after."""
