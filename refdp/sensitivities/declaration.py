"""What the user says about a function: what its records are, and what its public parameters are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from refdp.sensitivities.records import Concrete, Kind
from refdp.terms.leaves import TRUE, variable
from refdp.terms.term import Sort, Term


@dataclass(frozen=True, slots=True)
class Declaration:
    """The records of the table, which is the function's first parameter, and its other parameters.

    A parameter has a fixed value, or is a symbol that stands for every number; else its default in the source counts.
    """

    record: Kind
    values: Mapping[str, Concrete] = field(default_factory=dict)
    symbolic: Mapping[str, Sort] = field(default_factory=dict)
    assumption: Term = TRUE
    """What is known of the symbols; they may also stand in the bounds of records."""

    @property
    def parameters(self) -> tuple[Term, ...]:
        """The symbols as variables."""
        return tuple(variable(name, sort) for name, sort in self.symbolic.items())
