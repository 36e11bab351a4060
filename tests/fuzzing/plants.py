"""Defects that are planted in refdp, to see that the fuzzer sees them: each leaves out one thing that is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from refdp.programs import adjacency
from refdp.programs.checking import charges, conditions, finite, proof
from refdp.programs.language import claims, module, parameters, reading
from refdp.terms.leaves import TRUE, integer, rational
from refdp.terms.operations import at_most, conjunction
from refdp.terms.term import Term

Plant = Callable[[pytest.MonkeyPatch], None]


def no_list_of_what_is_allowed(patch: pytest.MonkeyPatch) -> None:
    """Anything may stand at the top of a file: `laplace` may be bound again in a class body."""
    patch.setattr(module, "insist_on_allowed", lambda *_: None)


def no_types_of_literals(patch: pytest.MonkeyPatch) -> None:
    """1 and 1.0 are one output."""
    patch.setattr(reading, "insist_on_one_type", lambda *_: None)


def no_comparison_of_laws(patch: pytest.MonkeyPatch) -> None:
    """Whatever the laws are, they keep to the claim."""
    patch.setattr(finite, "compared", lambda *_: 1)


def no_charge(patch: pytest.MonkeyPatch) -> None:
    """A shift costs nothing."""
    patch.setattr(conditions, "followed", lambda *given: replace(charges.followed(*given), charge=None))


def no_bound(patch: pytest.MonkeyPatch) -> None:
    """Whatever is lost is within the claim."""
    patch.setattr(proof, "within", lambda *_: TRUE)


def one_is_all(patch: pytest.MonkeyPatch) -> None:
    """All elements may change where one may."""
    patch.setitem(claims.NAMED, "ONE", replace(adjacency.ALL, name="ONE"))


def all_is_one(patch: pytest.MonkeyPatch) -> None:
    """One element may change where all may."""
    patch.setitem(claims.NAMED, "ALL", replace(adjacency.ONE, name="ALL"))


def counts_are_at_least_1(patch: pytest.MonkeyPatch) -> None:
    """N, M and k are at least 1 also where they are annotated as real numbers."""
    before = parameters._assumed

    def assumed(term: Term) -> Term:
        least = at_most(rational(1) if term.sort == "Real" else integer(1), term)
        return conjunction(before(term), least if term.value in parameters.COUNTS and term.sort != "Bool" else TRUE)

    patch.setattr(parameters, "_assumed", assumed)


def no_where(patch: pytest.MonkeyPatch) -> None:
    """A claim speaks of all parameters, also where its conditions exclude them."""
    before: Any = claims._claim
    patch.setattr(claims, "_claim", lambda *given: replace(before(*given), where=TRUE))


PLANTS: Mapping[str, Plant] = {
    one.__name__: one
    for one in (
        no_list_of_what_is_allowed, no_types_of_literals, no_comparison_of_laws, no_charge, no_bound, one_is_all,
        all_is_one, counts_are_at_least_1, no_where,
    )
}  # fmt: skip
