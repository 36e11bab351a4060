"""The canonical text of JSON, its SHA-256, and how a page holds it so that no text within can end it.

Canonical: keys sorted, no blanks, ASCII (`json.dumps(x, sort_keys=True, separators=(",", ":"))`), so that whoever
parses the JSON of a page gets the same text and the same hash.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

IDENTIFIER = "refdp-audit"
BEGIN, END = f'<script type="application/json" id="{IDENTIFIER}">', "</script>"
ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""What HTML might read; such characters stand in the texts of JSON only, where the escape means the same."""


def canonical(data: Any) -> str:
    """The canonical text; ValueError for what is not JSON, or is nested too deep."""
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"))
    except TypeError as error:
        raise ValueError(f"a report must be JSON: {error}") from None
    except RecursionError:
        raise ValueError("a report must not be nested so deep") from None


def digest(data: Any) -> str:
    """The SHA-256 of the canonical text, in hexadecimal digits."""
    return sha256(canonical(data).encode()).hexdigest()


def embedded(text: str) -> str:
    """The canonical text as a part of a page that no browser runs."""
    return f"{BEGIN}{text.translate(ESCAPED)}{END}"


def extracted(page: str) -> Any:
    """The JSON that the page holds; ValueError where it holds none."""
    _, begin, rest = page.partition(BEGIN)
    text, end, _ = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"a page must hold its JSON in {BEGIN}")
    return json.loads(text)
