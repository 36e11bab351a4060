"""The functions of traps.txt, each with its kind of record and a small domain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Trap:
    """A module with a function `query`."""

    name: str
    declared: str | Mapping[str, str] | Sequence[str]
    domain: tuple[Any, ...]
    text: str


def traps() -> list[Trap]:
    """Every section of traps.txt."""
    sections = (Path(__file__).parent / "traps.txt").read_text(encoding="utf-8").split("==== ")[1:]
    return [trap(*section.split("\n", 1)) for section in sections]


def trap(title: str, text: str) -> Trap:
    """One section: `name: kind`, `name: kind, kind` or `name: column: kind; column: kind`."""
    name, kind = (part.strip() for part in title.split(":", 1))
    if ";" in kind:
        columns = dict(tuple(part.strip() for part in column.split(":")) for column in kind.split(";"))
        rows = [dict(zip(columns, row, strict=True)) for row in product(*map(values, columns.values()))]
        return Trap(name, columns, tuple(rows), text)
    if "," in kind:
        kinds = [part.strip() for part in kind.split(",")]
        return Trap(name, kinds, tuple(product(*map(values, kinds))), text)
    return Trap(name, kind, tuple(values(kind)), text)


def values(kind: str) -> list[Any]:
    """Every value of a kind, which has few."""
    if kind.endswith(" or missing"):
        return [*values(kind.removesuffix(" or missing")), None]
    if "|" in kind:
        labels = [part.strip() for part in kind.split("|")]
        whole = all(part.lstrip("-").isdecimal() for part in labels)
        return [int(part) if whole else {"true": True, "false": False}.get(part, part.strip("\"'")) for part in labels]
    low, high = kind.removeprefix("integers ").split("..")
    return [x if kind.startswith("integers ") else Fraction(x) for x in range(int(low), int(high) + 1)]
