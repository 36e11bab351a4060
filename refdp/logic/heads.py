"""What a certificate says of itself: the one step by which it concludes.  Nothing is judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def only_step(content: str) -> Mapping[str, Any]:
    """The only step of a certificate, with its rule and its data; empty where it has none or several.

    ValueError where it is no JSON.
    """
    try:
        found = json.loads(content)
    except RecursionError:
        raise ValueError("a certificate must not be nested so deep") from None
    match found:
        case {"steps": [{"rule": str(), "data": dict()} as step]}:
            return dict(step)
    return {}
