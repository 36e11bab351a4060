"""Sums beside other states when a row is changed: the sums as they are, templates for the others (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.sensitivity.checking.invariants import Invariants
from refdp.sensitivity.question import Question


def mixed(question: Question) -> Iterator[Invariants]:
    """What is inductive of templates, with the relations of the sums."""
    yield from ()
