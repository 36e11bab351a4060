"""What a record of the table is: a number, a category, a value that may be missing, or named or numbered fields.

A kind lays out its variables (`slots`), says which values they may have (`constraint`), and reads an assignment back
into the Python value that the function would see (`value`).  A category is its place in the list of its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.terms.leaves import TRUE, ZERO, integer, variable
from refdp.terms.operations import at_most, conjunction, disjunction
from refdp.terms.term import Term, Value

Label = str | int | bool
Concrete = Fraction | str | bool | None | tuple["Concrete", ...] | dict[str, "Concrete"]
"""A record as the function sees it; every number is a Fraction."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, between bounds that may be public parameters; None is no bound."""

    lower: Term | None = None
    upper: Term | None = None
    is_integer: bool = False

    def slots(self, name: str) -> tuple[Term, ...]:
        """One variable."""
        return (variable(name, "Int" if self.is_integer else "Real"),)

    def constraint(self, name: str) -> Term:
        """Within the bounds."""
        (x,) = self.slots(name)
        low = TRUE if self.lower is None else at_most(self.lower, x)
        return conjunction(low, TRUE if self.upper is None else at_most(x, self.upper))

    def value(self, name: str, values: Mapping[Term, Value]) -> Concrete:
        """The number."""
        return Fraction(values[self.slots(name)[0]])


@dataclass(frozen=True, slots=True)
class Category:
    """One of the listed labels, which are text, whole numbers or truth values."""

    labels: tuple[Label, ...]

    def slots(self, name: str) -> tuple[Term, ...]:
        """One variable: the place of the label."""
        return (variable(name, "Int"),)

    def constraint(self, name: str) -> Term:
        """One of the places."""
        (x,) = self.slots(name)
        return conjunction(at_most(ZERO, x), at_most(x, integer(len(self.labels) - 1)))

    def value(self, name: str, values: Mapping[Term, Value]) -> Concrete:
        """The label."""
        label = self.labels[int(values[self.slots(name)[0]])]
        return Fraction(label) if isinstance(label, int) and not isinstance(label, bool) else label


@dataclass(frozen=True, slots=True)
class Missing:
    """A value of another kind, or None."""

    kind: Number | Category

    def slots(self, name: str) -> tuple[Term, ...]:
        """Whether it is missing, and the value, which says nothing then."""
        return (variable(f"{name}.missing", "Bool"), *self.kind.slots(name))

    def constraint(self, name: str) -> Term:
        """Of the kind unless missing."""
        return disjunction(self.slots(name)[0], self.kind.constraint(name))

    def value(self, name: str, values: Mapping[Term, Value]) -> Concrete:
        """The value, or None."""
        return None if values[self.slots(name)[0]] else self.kind.value(name, values)


@dataclass(frozen=True, slots=True)
class Fields:
    """Several values: a dict where the keys are text, a tuple where they are 0, 1, 2, ..."""

    kinds: tuple[tuple[str | int, Kind], ...]

    def inner(self, name: str) -> Iterator[tuple[str | int, Kind, str]]:
        """Key, kind and name of each field."""
        return ((key, kind, f"{name}.{key}") for key, kind in self.kinds)

    def slots(self, name: str) -> tuple[Term, ...]:
        """The variables of all fields."""
        return tuple(slot for _, kind, inner in self.inner(name) for slot in kind.slots(inner))

    def constraint(self, name: str) -> Term:
        """The constraints of all fields."""
        return conjunction(*(kind.constraint(inner) for _, kind, inner in self.inner(name)))

    def value(self, name: str, values: Mapping[Term, Value]) -> Concrete:
        """A dict or a tuple."""
        found = [(key, kind.value(inner, values)) for key, kind, inner in self.inner(name)]
        if all(isinstance(key, int) for key, _ in found):
            return tuple(value for _, value in found)
        return {str(key): value for key, value in found}


Kind = Number | Category | Missing | Fields
