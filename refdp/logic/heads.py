"""What a certificate says of itself: its format, and by which one rule it concludes.  Nothing is judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def head_of(content: str) -> tuple[Mapping[str, Any], str]:
    """The keys of a certificate, and the rule of its only step; empty where it has none or several.

    ValueError where it is no JSON, no keys where it is no object.
    """
    try:
        found = json.loads(content)
    except RecursionError:
        raise ValueError("a certificate must not be nested so deep") from None
    if not isinstance(found, dict):
        return {}, ""
    match found.get("steps"):
        case [{"rule": str(rule)}]:
            return found, rule
    return found, ""
