"""Kinds of records, values and proposals as JSON, and back.  Numbers are text; whatever is not expected is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from refdp.logic.strict_json import Forged, Json, entries, exact, insist, items, one_entry, text_of, whole
from refdp.sensitivities.checking.invariants import Hint, Invariants
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Label, Missing, Number
from refdp.terms.leaves import is_number, parts
from refdp.terms.smtlib import read, written
from refdp.terms.term import Term

DEEPEST = 20
"""Deepest nesting of kinds and of values."""


def value_json(value: Concrete) -> Json:
    """A value as JSON."""
    if isinstance(value, Fraction):
        return {"number": str(value)}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, tuple):
        return [value_json(v) for v in value]
    return {"fields": {k: value_json(v) for k, v in value.items()}} if isinstance(value, dict) else value


def value_of(found: Json, depth: int = 0) -> Concrete:
    """The value that JSON stands for."""
    insist(depth <= DEEPEST, "a value is nested too deep")
    if found is None or isinstance(found, bool):
        return found
    if isinstance(found, list):
        return tuple(value_of(v, depth + 1) for v in found)
    key, value = one_entry(found)
    if key == "fields":
        insist(isinstance(value, dict), "fields must be an object")
        return {k: value_of(v, depth + 1) for k, v in value.items()}
    insist(key in ("number", "text"), f"a value must be a number or a text, got {key[:40]}")
    return exact(value) if key == "number" else text_of(value)


def kind_json(kind: Kind) -> Json:
    """A kind of record as JSON."""
    if isinstance(kind, Number):
        bounds = [None if bound is None else written(bound) for bound in (kind.lower, kind.upper)]
        return {"number": {"lower": bounds[0], "upper": bounds[1], "is_integer": kind.is_integer}}
    if isinstance(kind, Category):
        return {"category": [value_json(_concrete(label)) for label in kind.labels]}
    if isinstance(kind, Missing):
        return {"missing": kind_json(kind.kind)}
    return {"fields": [[value_json(_concrete(key)), kind_json(inner)] for key, inner in kind.kinds]}


def said(found: Json, known: Mapping[str, Term]) -> Term:
    """The number or the statement that a question says in text, over known symbols."""
    term = read(text_of(found), known)
    # by any other number a term is multiplied
    by_zero = any(one.operator == "/" and is_number(one.arguments[1]) for one in parts(term))
    insist(not by_zero, "a question may not divide by 0")
    return term


def kind_of(found: Json, known: Mapping[str, Term], depth: int = 0) -> Kind:
    """The kind that JSON stands for; bounds are over the known symbols."""
    insist(depth <= DEEPEST, "a kind is nested too deep")
    key, inner = one_entry(found)
    if key == "number":
        lower, upper, is_integer = entries(inner, "lower", "upper", "is_integer")
        bounds = [None if bound is None else said(bound, known) for bound in (lower, upper)]
        insist(isinstance(is_integer, bool), "is_integer must be true or false")
        logical = any(bound is not None and bound.sort == "Bool" for bound in bounds)
        insist(not logical, "a bound must be a number")
        return Number(bounds[0], bounds[1], is_integer)
    if key == "category":
        return Category(tuple(_label(label) for label in items(inner)))
    if key == "missing":
        kind = kind_of(inner, known, depth + 1)
        insist(isinstance(kind, Number | Category), "what may be missing must be a number or a category")
        return Missing(kind)  # type: ignore[arg-type]
    insist(key == "fields", f"a kind must be number, category, missing or fields, got {key[:40]}")
    pairs = [items(pair) for pair in items(inner)]
    insist(all(len(pair) == 2 for pair in pairs), "a field must be a key and a kind")
    return Fields(tuple((_key(name), kind_of(kind, known, depth + 1)) for name, kind in pairs))


def invariants_json(found: Invariants) -> Json:
    """A proposal as JSON."""
    return {
        "relations": list(map(written, found.relations)),
        "singles": list(map(written, found.singles)),
        "splits": [[written(v), list(map(written, values))] for v, values in found.splits],
        "hints": list(map(_hint_json, found.hints)),
    }


def _hint_json(hint: Hint) -> Json:
    """A hint as JSON; without the terms whose values do not matter where there are none."""
    texts: list[Json] = [hint.condition, written(hint.statement), list(map(written, hint.given))]
    return [*texts, list(map(written, hint.whatever))] if hint.whatever else texts


def invariants_of(found: Json, known: Mapping[str, Term]) -> Invariants:
    """The proposal that JSON stands for, over the known symbols."""
    relations, singles, splits, hints = entries(found, "relations", "singles", "splits", "hints")
    term: Callable[[Json], Term] = lambda text: read(text_of(text), known)  # noqa: E731
    insist(all(len(items(s)) == 2 for s in items(splits)), "a split must be a variable and its values")
    insist(
        all(len(items(h)) in (3, 4) for h in items(hints)),
        "a hint must be a condition, a statement, what it is given and perhaps terms whose values do not matter",
    )
    several: Callable[[Json], tuple[Term, ...]] = lambda texts: tuple(map(term, items(texts)))  # noqa: E731
    return Invariants(
        tuple(map(term, items(relations))),
        tuple(map(term, items(singles))),
        tuple((term(v), tuple(map(term, items(values)))) for v, values in splits),
        tuple(Hint(text_of(name), term(s), *map(several, lists)) for name, s, *lists in map(items, items(hints))),
    )


def _concrete(label: Label) -> Concrete:
    """A label as a value."""
    return Fraction(label) if isinstance(label, int) and not isinstance(label, bool) else label


def _label(found: Json) -> Label:
    """The label that JSON stands for."""
    value = value_of(found)
    if isinstance(value, Fraction):
        return whole(str(value))
    if isinstance(value, str | bool):
        return value
    raise Forged("a label must be a text, a whole number or a truth value")


def _key(found: Json) -> str | int:
    """The key of a field."""
    label = _label(found)
    insist(not isinstance(label, bool), "a key must be a text or a whole number")
    return label
