"""Files, groups and cases as they are asked: what `write` fills in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Case = dict[str, Any]
"""The fields of a case that are not worked out, with its flag and its comment."""


@dataclass(frozen=True, slots=True)
class Group:
    """Fields of a group, and its cases."""

    algorithm: str
    cases: list[Case]
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class File:
    """Cases of one type about one thing."""

    kind: str
    algorithm: str
    groups: list[Group]

    @property
    def name(self) -> str:
        """The name of the file."""
        words = "".join(f"_{c.lower()}" if c.isupper() else c for c in self.kind).lstrip("_")
        return f"{words}_{self.algorithm}_test.json" if self.algorithm != self.kind else f"{words}_test.json"


def case(flag: str, comment: str, **fields: Any) -> Case:
    """A case with one flag."""
    return {"flags": [flag], "comment": comment, **fields}
