"""Keys of dicts and elements of sets: labels and constants that a value is one of, each with its guard."""

from __future__ import annotations

from collections.abc import Hashable

from refdp.sensitivities.language.facts import leaves
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Cases, Record, Value
from refdp.terms.leaves import FALSE, TRUE, is_number
from refdp.terms.operations import conjunction, disjunction, negation
from refdp.terms.term import Term

MOST_KEYS = 1024
Keys = list[tuple[Term, Hashable]]


def constants(state: State, value: Value) -> Keys | None:
    """The constants that a value is one of; None where it may be any number, or is no constant at all."""
    if isinstance(value, Cases):
        return _cases(state, value)
    if isinstance(value, Term):
        return _numbers(state, value)
    if isinstance(value, tuple):
        return _tuple(state, value)
    return [(TRUE, value)] if isinstance(value, str) or value is None else None


def _cases(state: State, value: Cases) -> Keys | None:
    """Of every case that is possible."""
    found: Keys = []
    for guard, one in value.cases:
        guard = state.simplified(guard)
        if guard is FALSE:
            continue
        inner = constants(state, one)
        if inner is None:
            return None
        found += [(conjunction(guard, test), key) for test, key in inner]
    return found


def _numbers(state: State, value: Term) -> Keys | None:
    """A constant, a truth value, or a choice of constants."""
    if value.sort == "Bool" and value.operator != "truth":
        return [(value, True), (negation(value), False)]
    chosen = leaves(value)
    if chosen is None:
        return None
    guards = [(state.simplified(guard), _plain(one)) for guard, one in chosen]
    return [(guard, key) for guard, key in guards if guard is not FALSE]


def _plain(constant: Term) -> Hashable:
    """A constant as Python holds it."""
    if not is_number(constant):
        return constant.value is True
    found = constant.rational
    return int(found) if found.denominator == 1 else found


def _tuple(state: State, value: tuple[Value, ...] | Record) -> Keys | None:
    """Tuples of constants."""
    found: dict[tuple[Hashable, ...], Term] = {(): TRUE}
    for part in value if isinstance(value, tuple) else ():
        inner = constants(state, part)
        if inner is None or len(found) * len(inner) > MOST_KEYS:
            return None
        longer: dict[tuple[Hashable, ...], Term] = {}
        for key, guard in found.items():
            for test, last in inner:
                both = state.simplified(conjunction(guard, test))
                if both is not FALSE:
                    longer[(*key, last)] = disjunction(longer.get((*key, last), FALSE), both)
        found = longer
    return [(guard, key) for key, guard in found.items()]
