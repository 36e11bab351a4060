"""What comes of the search for a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.programs.checking.alignment import Alignment
from refdp.terms.term import Value


@dataclass(frozen=True, slots=True)
class Proved:
    """An alignment with invariants for each part of the adjacency: a proposal that `checking` believes or not."""

    alignments: tuple[Alignment, ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """Neighbouring data that some alignments do not do for, and what is released then but for numbers that vary."""

    parameters: Mapping[str, Fraction]
    old: tuple[Value, ...]
    new: tuple[Value, ...]
    released: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class NotProved:
    """Why no proof was found, and data that may show that there is none."""

    reason: str
    witnesses: tuple[Witness, ...] = ()
