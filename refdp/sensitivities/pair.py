"""Two neighbouring tables on which a function moves further than was claimed: exact, and checked by running it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.program import Outcome
from refdp.sensitivities.records import Concrete


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tables, values of the symbolic parameters, and what the function does on each table."""

    first: tuple[Concrete, ...]
    second: tuple[Concrete, ...]
    parameters: Mapping[str, Fraction]
    outcomes: tuple[Outcome, Outcome]
    distance: Fraction | None
    """Distance of the answers (its square under L2); None where they are infinitely far apart."""
    answers: tuple[str, str] = ("", "")
    """Both answers as text, with their keys and with what is no number."""
