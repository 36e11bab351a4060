"""A record as Python sees it, as values of the variables that stand for it, and as exact data."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Missing
from refdp.terms.term import Term, Value


def assignment(kind: Kind, name: str, record: Any) -> Mapping[Term, Value]:
    """The values of the slots of a record."""
    if isinstance(kind, Fields):
        found: dict[Term, Value] = {}
        for key, inner, label in kind.inner(name):
            found |= assignment(inner, label, record[key])
        return found
    if isinstance(kind, Missing):
        missing, *rest = kind.slots(name)
        if record is None:
            return {missing: True} | {slot: Fraction(0) for slot in rest}
        return {missing: False} | assignment(kind.kind, name, record)
    (slot,) = kind.slots(name)
    return {slot: Fraction(kind.labels.index(record) if isinstance(kind, Category) else record)}


def concrete(record: Any) -> Concrete:
    """The record with every number a Fraction."""
    if isinstance(record, dict):
        return {key: concrete(value) for key, value in record.items()}
    if isinstance(record, tuple):
        return tuple(map(concrete, record))
    return Fraction(record) if isinstance(record, int) and not isinstance(record, bool) else record
