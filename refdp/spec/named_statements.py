"""Named statements: facts about numbers that are not obligations of a mechanism or a transformation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from refdp.spec.formulas import Formula
from refdp.spec.statements import Statement
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class NamedStatements:
    """Statements under one stem, by name; each may be true or false."""

    stem: str
    statements: Mapping[str, Statement]
    parameters: tuple[str, ...] = ()
    conditions: tuple[Term, ...] = ()
    example: Mapping[str, Term] = field(default_factory=dict)
    reserved: ClassVar[str] = ""
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()
