"""Every small change of a JSON value: each leaf, each member of each list and object, one at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]
Change = tuple[str, Any]
"""What was changed, and the changed value."""


def mutations(value: Any) -> Iterator[Change]:
    """Every value that differs from `value` in one small change; the description says where and how."""
    for path, part in parts(value):
        for how, other in changes(part):
            if json.dumps(other) != json.dumps(part):
                yield f"{'.'.join(map(str, path)) or 'all'}: {how}", replaced(value, path, other)


def parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every part of a JSON value with the path that leads to it, the whole first."""
    yield path, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from parts(member, (*path, key))


def replaced(value: Any, path: Path, other: Any) -> Any:
    """The value with the part at `path` replaced."""
    if not path:
        return other
    if isinstance(value, dict):
        return {key: replaced(v, path[1:], other) if key == path[0] else v for key, v in value.items()}
    return [replaced(v, path[1:], other) if i == path[0] else v for i, v in enumerate(value)]


def changes(part: Any) -> Iterator[Change]:
    """The changes of one part: of its type, and small ones that keep it."""
    for other in (None, True, 0, "", [], {}, [part], {"x": part}):
        yield f"becomes {type(other).__name__}", other
    if isinstance(part, str):
        yield from of_text(part)
    elif isinstance(part, list):
        yield from of_list(part)
    elif isinstance(part, dict):
        yield from of_object(part)
    else:
        yield from ((f"becomes {n}", n) for n in (part + 1, part - 1, -part - 1, 10**20, str(part)))


def of_text(text: str) -> Iterator[Change]:
    """Cut, longer, turned around, in capitals, and with each number in it one more or doubled."""
    yield "is cut", text[:-1]
    yield "starts later", text[1:]
    yield "goes on", text + "x"
    yield "is called", f"f({text})"
    yield "is turned around", text[::-1]
    yield "is in capitals", text.upper()
    for found in re.finditer(r"\d+", text):
        for how, n in (("one more", int(found[0]) + 1), ("doubled", 2 * int(found[0])), ("made 0", 0)):
            yield f"has {found[0]} at {found.start()} {how}", f"{text[: found.start()]}{n}{text[found.end() :]}"
    for old, new in ((" < ", " <= "), ("<=", "<"), (" + ", " - "), (" * ", " / "), ("private", "stable")):
        yield f"has {old.strip()} as {new.strip()}", text.replace(old, new)


def of_list(items: list[Any]) -> Iterator[Change]:
    """Each member dropped or doubled, neighbours swapped, and one more."""
    for i, item in enumerate(items):
        yield f"loses {i}", items[:i] + items[i + 1 :]
        yield f"has {i} twice", [*items[: i + 1], item, *items[i + 1 :]]
        yield f"has {i} last", [*items[:i], *items[i + 1 :], item]
    yield "is turned around", items[::-1]
    yield "has one more", [*items, items[-1] if items else 0]


def of_object(found: dict[str, Any]) -> Iterator[Change]:
    """Each key dropped or renamed, the order turned around, and one key more."""
    for key in found:
        yield f"loses {key}", {k: v for k, v in found.items() if k != key}
        yield f"renames {key}", {f"{k}_" if k == key else k: v for k, v in found.items()}
    yield "is turned around", dict(reversed(found.items()))
    yield "has one more", {**found, "smt_lib": "(check-sat)"}
