"""Records and parameters as values: what the function sees of the variables of a row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.sensitivities.language.values import Cases, Record, Value, alternatives, join
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Label, Missing
from refdp.terms.leaves import integer, rational, truth
from refdp.terms.operations import conjunction, equal, negation
from refdp.terms.term import Term


def record_value(kind: Kind, slots: Iterator[Term]) -> Value:
    """The record whose variables these are."""
    if isinstance(kind, Category):
        return _category(kind, next(slots))
    if isinstance(kind, Missing):
        missing = next(slots)
        inner = record_value(kind.kind, slots)
        there = tuple((conjunction(negation(missing), guard), one) for guard, one in alternatives(inner))
        return Cases(((missing, None), *there))
    if isinstance(kind, Fields):
        found = [(key, record_value(one, slots)) for key, one in kind.kinds]
        if all(isinstance(key, int) for key, _ in found):
            return tuple(value for _, value in found)
        return Record(tuple((str(key), value) for key, value in found))
    return next(slots)


def _category(kind: Category, place: Term) -> Value:
    """The label at the place."""
    guards = [equal(place, integer(number)) for number in range(len(kind.labels))]
    if all(isinstance(label, str) for label in kind.labels) and len(kind.labels) > 1:
        return Cases(tuple(zip(guards, map(_label, kind.labels), strict=True)))
    found = _label(kind.labels[-1])
    for guard, label in reversed(list(zip(guards[:-1], kind.labels[:-1], strict=True))):
        found = join(guard, _label(label), found)
    return found


def _label(label: Label) -> Value:
    """A label as a value."""
    if isinstance(label, str):
        return label
    return truth(label) if isinstance(label, bool) else integer(label)


def concrete_value(value: Concrete) -> Value:
    """A parameter with a fixed value."""
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, Fraction | int):
        return integer(int(value)) if value.denominator == 1 else rational(value)
    if isinstance(value, tuple):
        return tuple(concrete_value(one) for one in value)
    if isinstance(value, dict):
        return Record(tuple((key, concrete_value(one)) for key, one in value.items()))
    return value
