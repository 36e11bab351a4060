"""What `refdp export` prints: the file, or what was written to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAYS = {
    "whole": "the claim is proved in it",
    "premises": "the claim is proved in it, from premises that solvers proved",
    "obligations": "what its certificate proves of numbers is proved in it, the claim is not",
    "nothing": "nothing of it is proved in it",
}


def print_export(found: Mapping[str, Any]) -> None:
    """Print the file, or where it is and what is proved in it."""
    if found["file"] is None:
        print(found["text"], end="")
        return
    print(f"{found['file']}: {found['claim']}, {SAYS[found['status']]}")
    for one in found["premises"]:
        print(f"  premise {one['name']}: {' or '.join(one['solvers'])}")
    for one in found["missing"]:
        print(f"  {one['rule']}: {one['reason']}")
