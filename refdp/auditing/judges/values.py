"""Values as campaign files write them: plain TOML, and tables with one key for what TOML has not.

{none = true} is None; {float = "nan"}, {float = "0x1p-3"}, {int = "7"}, {fraction = "1/3"}, {bytes = "00ff"},
{tuple = [...]} and {dict = [[key, value], ...]} are what their names say, the parts being such values again.
"""

from __future__ import annotations

from typing import Any

from refdp.auditing.judges.task import TaskError
from refdp.auditing.targets.workers import wire

PARTS = ("tuple", "list")
SINGLE = ("float", "int", "fraction", "bytes")


def plain(data: Any) -> Any:
    """The value that the data stand for; TaskError where they stand for none."""
    if isinstance(data, list):
        return [plain(one) for one in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        ((key, content),) = data.items()
        if key == "none" and content is True:
            return None
        if key in SINGLE and isinstance(content, str):
            return _single(key, content)
        if key in PARTS and isinstance(content, list):
            return {"tuple": tuple, "list": list}[key](map(plain, content))
        if key == "dict" and isinstance(content, list) and all(_is_pair(one) for one in content):
            return {plain(k): plain(v) for k, v in content}
    raise TaskError(
        f"a value must be plain, or a table with one of none, dict, {', '.join((*PARTS, *SINGLE))}, got {data}"
    )


def _is_pair(data: Any) -> bool:
    """Whether it is a key that is no list or table, and a value."""
    return isinstance(data, list) and len(data) == 2 and not isinstance(data[0], list)


def _single(key: str, content: str) -> Any:
    """A number or octets; TaskError where the text is none."""
    try:
        if key == "float" and "0x" not in content.lower():
            return float(content)  # C99's form without 0x would be read in base 16
        return wire.decoded({key: content})
    except ValueError:
        raise TaskError(f"a value {key} must be written as {key}s are, got {content[:80]}") from None
