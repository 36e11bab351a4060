"""How a test function becomes a statement: pytest sees the parameters that are not the statement's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, Protocol, TypeVar

from refdp.testing.entropy import GIVEN
from refdp.testing.findings import Finding
from refdp.testing.refusals import StatementError
from refdp.testing.statement_mark import ATTRIBUTE, CASE, CASES
from refdp.testing.trials import Function, Source, Trial

PARAMETERS = "__refdp_parameters__"
"""Where a test keeps the names of all parameters of its function."""
F = TypeVar("F", bound=Callable[..., Any])


class Statement(Protocol):
    """What is claimed of a test function, and how that is judged."""

    @property
    def own(self) -> tuple[str, ...]:
        """The parameters that the function must have and that this statement fills."""

    @property
    def statistical(self) -> bool:
        """Whether it needs a share of the budget."""

    @property
    def sentence(self) -> str:
        """What is claimed, in words."""

    @property
    def identity(self) -> str:
        """All that the evidence of earlier nights depends on, in full; the code of the function is not among it."""

    @property
    def mutants(self) -> Sequence[tuple[str, Function]]:
        """Wrong functions that must be caught, by name."""

    @property
    def kind(self) -> str:
        """The kind of question, in the words of `refdp audit`."""

    def judge(self, trial: Trial, mutants: Sequence[Source]) -> Finding:
        """What the function comes to, and its mutants; exceptions of the function are its own."""


def stated(function: F, statement: Any) -> F:
    """The function as a test that pytest collects; StatementError unless it can be called as the statement needs.

    `statement` is a Statement, or CASES where each case of the test has one of its own.
    """
    _callable(function)
    signature = inspect.signature(function)
    missing = [name for name in statement.own if name not in signature.parameters]
    if missing and statement is not CASES:
        raise StatementError(f"{function.__name__} must take {' and '.join(statement.own)}, got {signature}")
    for name, mutant in statement.mutants:
        _fits(name, mutant, signature)

    @wraps(function)
    def test(*arguments: Any, **named: Any) -> Any:
        if CASE in named or statement is not CASES and not arguments and not named.keys() >= set(statement.own):
            told = "a function, or a method of a plain class, that pytest runs with refdp's plugin"
            hint = "where refdp is not installed in pytest's environment, -p refdp.testing.plugin loads it"
            raise RuntimeError(f"{function.__name__} states a claim: it must be {told} ({hint})")
        return function(*arguments, **named)

    test.__signature__ = _seen(signature, statement)  # type: ignore[attr-defined]
    test.__dict__ |= {ATTRIBUTE: statement, PARAMETERS: frozenset(signature.parameters)}
    return test  # type: ignore[return-value]


def _seen(signature: inspect.Signature, statement: Any) -> inspect.Signature:
    """The parameters that pytest is to fill: those that the statement does not, and its case where it has many."""
    left = [p for p in signature.parameters.values() if p.name not in {*statement.own, *GIVEN}]
    case = [inspect.Parameter(CASE, inspect.Parameter.KEYWORD_ONLY)] if statement is CASES else []
    return signature.replace(parameters=[*left, *case])


def _callable(function: Any) -> None:
    """StatementError unless it is a plain function that makes one statement."""
    if not inspect.isfunction(function):
        raise StatementError(f"a statement must stand above a function, got {type(function).__name__}")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise StatementError(f"{function.__name__} must be a plain function, got an async one: draw inside asyncio.run")
    if ATTRIBUTE in function.__dict__:
        raise StatementError(f"{function.__name__} must make one statement, got two: write a function for each")
    if hasattr(function, "hypothesis"):
        raise StatementError(f"{function.__name__} must not be under @given: draws must not be chosen by Hypothesis")


def _fits(name: str, mutant: Function, signature: inspect.Signature) -> None:
    """StatementError unless the mutant asks for nothing that the test does not."""
    if not callable(mutant) or inspect.iscoroutinefunction(mutant):
        raise StatementError(f"mutants must be plain functions, got {name}")
    try:
        asked = inspect.signature(mutant).parameters.values()
    except (ValueError, TypeError):
        return
    needed = [p.name for p in asked if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if unknown := [n for n in needed if n not in {*signature.parameters, *GIVEN}]:
        raise StatementError(f"mutant {name} must take what the test takes, {signature}, got also {unknown[0]}")


def named(mutants: Any) -> tuple[tuple[str, Function], ...]:
    """The mutants with names that differ."""
    if not isinstance(mutants, list | tuple):
        raise StatementError("mutants must be a list of functions")
    found: dict[str, Function] = {}
    for number, mutant in enumerate(mutants, 1):
        name = getattr(mutant, "__name__", "") or f"{number}"
        name = f"{number}" if name == "<lambda>" else name
        if name in found:
            raise StatementError(f"mutants must have names that differ, got {name} twice")
        found[name] = mutant
    return tuple(found.items())


def sources(test: Function, statement: Statement, fixtures: Mapping[str, Any], instance: Any) -> tuple[Source, ...]:
    """The tested function and its mutants, each with the fixtures that it asks for filled in."""
    found = [Source("", partial(test, **fixtures), getattr(test, PARAMETERS))]
    for name, mutant in statement.mutants:
        takes = _taken(mutant, frozenset({*getattr(test, PARAMETERS), *GIVEN}))
        known = {n: value for n, value in {**fixtures, "self": instance}.items() if n in takes}
        found.append(Source(name, partial(mutant, **known), takes))
    return tuple(found)


def _taken(mutant: Function, everything: frozenset[str]) -> frozenset[str]:
    """The names of the parameters of a mutant; all that there are where it takes any."""
    try:
        parameters = inspect.signature(mutant).parameters
    except (ValueError, TypeError):
        return everything
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return everything
    return frozenset(parameters)
