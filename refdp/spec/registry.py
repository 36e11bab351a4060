"""The registry: the mechanisms and transformations that claims and certificates may name, by stem."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol, TypeVar

from refdp.spec.formulas import ALLOWED, FUNCTIONS, Formula
from refdp.terms.evaluation import evaluate, truth
from refdp.terms.term import Term, TermError, apply, name, substitute

COMPARISONS = frozenset({"<=", "<", "==", "!="})


class Kind(Protocol):
    """What every registered thing has: a stem, parameters in order, conditions on them, and an example."""

    @property
    def stem(self) -> str:
        """Its name in claims, in certificates and in the file tree."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters, in order."""

    @property
    def conditions(self) -> tuple[Term, ...]:
        """What its parameters must satisfy."""

    @property
    def example(self) -> Mapping[str, Term]:
        """Parameters that satisfy the conditions, so that no claim about it is vacuous."""

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each of its formulas, with the names that it may read besides the parameters."""

    @property
    def reserved(self) -> str:
        """The names that its obligations quantify over: no parameter may bear one."""


K = TypeVar("K", bound=Kind)
_KINDS: dict[str, Kind] = {}


def register(kind: K) -> K:
    """Enter `kind` under its stem, once.

    TermError if its example breaks its conditions, or a name in it means two things: then an obligation would bind
    what the claim leaves free.
    """
    if kind.stem in _KINDS:
        raise TermError(f"{kind.stem} is registered already")
    _require_own_names(kind)
    if tuple(kind.example) != kind.parameters:
        raise TermError(f"the example of {kind.stem} must give {', '.join(kind.parameters)}")
    for condition in kind.conditions:
        if not condition_holds(condition, kind.example):
            raise TermError(f"the example of {kind.stem} breaks {condition}")
    _KINDS[kind.stem] = kind
    return kind


def _require_own_names(kind: Kind) -> None:
    """Parameters are none of the quantified names, and formulas read parameters and their own variables only."""
    clashes = [p for p in kind.parameters if p in kind.reserved.split()]
    if clashes:
        raise TermError(f"a parameter of {kind.stem} must not be called {clashes[0]}")
    for f, own in kind.readings:
        strangers = set(f.parameters) - set(kind.parameters) - set(own.split())
        if strangers:
            raise TermError(f"{f.name} of {kind.stem} must not read {min(strangers)}")


def is_integer_parameter(kind: Kind, parameter: str) -> bool:
    """Whether the conditions make the parameter an integer."""
    return apply("integer", name(parameter)) in kind.conditions


def require_conditions(kind: Kind, *conditions: Term) -> None:
    """Those conditions are among the kind's; TermError otherwise."""
    absent = [c for c in conditions if c not in kind.conditions]
    if absent:
        raise TermError(f"{kind.stem} must have the condition {absent[0]}")


def lookup(stem: str, expected: type[K]) -> K:
    """The registered thing of that stem and kind; TermError if there is none."""
    found = _KINDS.get(stem)
    if not isinstance(found, expected):
        raise TermError(f"{stem!r} is not a registered {expected.__name__}")
    return found


def kind_of(stem: str) -> Kind:
    """The registered thing of that stem, whatever its kind; TermError if there is none."""
    if stem not in _KINDS:
        raise TermError(f"{stem!r} is not registered")
    return _KINDS[stem]


def kinds() -> tuple[Kind, ...]:
    """Every registered thing, in order of registration."""
    return tuple(_KINDS.values())


def stems() -> tuple[str, ...]:
    """Every registered stem, in order of registration."""
    return tuple(_KINDS)


def subject(kind: Kind) -> Term:
    """The thing with all its parameters as names: `discrete_laplace(scale, granularity)`."""
    return apply(kind.stem, *map(name, kind.parameters))


def hypotheses(kind: Kind) -> tuple[Term, ...]:
    """The conditions that are comparisons: what an obligation may assume (the others are not needed there)."""
    return tuple(c for c in kind.conditions if c.operator in COMPARISONS)


def bound(kind: Kind, s: Term) -> dict[str, Term]:
    """Parameter -> argument of the subject `s`; TermError if their numbers differ."""
    if s.operator != kind.stem or len(s.arguments) != len(kind.parameters):
        raise TermError(f"{s} is not {kind.stem}({', '.join(kind.parameters)})")
    return dict(zip(kind.parameters, s.arguments, strict=True))


def values(kind: Kind, s: Term) -> dict[str, Fraction]:
    """Parameter -> exact rational value of the closed subject `s`, the conditions checked."""
    arguments = bound(kind, s)
    for condition in kind.conditions:
        if not condition_holds(condition, arguments):
            raise TermError(f"{s} breaks {condition}")
    return {key: evaluate(value, {}) for key, value in arguments.items() if is_numeric(value)}


def is_numeric(t: Term) -> bool:
    """Whether `t` is arithmetic, as against a domain or a text."""
    return t.operator in ALLOWED or t.operator in FUNCTIONS


def condition_holds(condition: Term, arguments: Mapping[str, Term]) -> bool:
    """Whether a condition holds of closed arguments: comparisons, integer(a), multiple(a, b), has_length(list, n)."""
    closed = substitute(condition, arguments)
    if closed.operator == "has_length":
        labels, length = closed.arguments
        return bool(evaluate(length, {}) == len(labels.arguments))
    if closed.operator == "multiple":
        a, b = (evaluate(x, {}) for x in closed.arguments)
        return bool(b != 0 and (a / b).denominator == 1)
    return truth(closed, {})


def evaluated(f: Formula, arguments: Mapping[str, Fraction]) -> Fraction:
    """The formula at those of `arguments` that it names."""
    return f(*(arguments[p] for p in f.parameters))
