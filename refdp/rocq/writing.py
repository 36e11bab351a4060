"""What is written of one claim so far, for Rocq, and what a step's writer gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refdp.kernel.theorem import Theorem

Writer = Callable[["Export", Theorem, Sequence[str]], str]
"""Writes one step, given the names of the theorems that its premises have become; what the step's is called.

NotInRocq where the library has no word for it.
"""


@dataclass(slots=True)
class Export:
    """The lines of a file, the modules of the library that they use, and the obligations that they prove."""

    lines: list[str] = field(default_factory=list)
    modules: set[str] = field(default_factory=set)
    obligations: list[dict[str, Any]] = field(default_factory=list)
    premises: list[dict[str, Any]] = field(default_factory=list)
    """What theorems of the file take as premises: a condition that solvers discharged, with the text they were given."""

    def uses(self, *modules: str) -> None:
        """These modules of the library are needed, by their qualified names."""
        self.modules |= set(modules)

    def says(self, name: str, statement: str, proof: Iterable[str], about: str = "") -> str:
        """Add a theorem with its proof, under a comment; its name."""
        head = ["", f"(* {about} *)"] if about else [""]
        self.lines += [*head, f"Theorem {name} :", f"  {statement}.", "Proof.", *proof, "Qed."]
        return name


Writers = Mapping[str, Writer]
"""Rule -> what writes a step of it."""
