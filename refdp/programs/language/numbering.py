"""Names, sites and branches numbered in the order in which they stand in the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from refdp.logic.graphs import substitute, variables
from refdp.logic.terms import Term, variable
from refdp.programs.syntax import Append, Assign, Branch, Choose, Draw, Emit, Look, Loop, Require, Statement

PLACED = re.compile(r"(\w+)\.[\d_]+\.[\d_]+(\..+)?")
"""A name that the reader made: what it is, line and column, and which part of it."""


@dataclass(slots=True)
class Numbering:
    """Numbers what it sees for the first time."""

    names: dict[str, str] = field(default_factory=dict)
    sites: Iterator[int] = field(default_factory=lambda: count(1))
    branches: Iterator[int] = field(default_factory=lambda: count(1))

    def block(self, body: Iterable[Statement]) -> tuple[Statement, ...]:
        """The statements with their numbers."""
        return tuple(map(self.statement, body))

    def statement(self, one: Statement) -> Statement:
        """One statement."""
        match one:
            case Assign(target, value):
                return replace(one, value=self.term(value), target=self.name(target))
            case Draw(target, _, parameters):
                renamed = tuple(map(self.term, parameters))
                return replace(one, parameters=renamed, target=self.name(target), site=next(self.sites))
            case Append(weights, value):
                return replace(one, weights=self.name(weights), value=self.term(value))
            case Choose(target, weights):
                return replace(one, weights=self.name(weights), target=self.name(target), site=next(self.sites))
            case Look(target, index):
                return replace(one, index=self.term(index), target=self.name(target))
            case Emit(items):
                return replace(one, items=tuple(self.term(i) if isinstance(i, Term) else i for i in items))
            case Require(condition):
                return replace(one, condition=self.term(condition))
            case Branch() | Loop():
                return self._nested(one)
        return one

    def _nested(self, one: Branch | Loop) -> Statement:
        """A branch or a loop."""
        if isinstance(one, Branch):
            condition, number = self.term(one.condition), next(self.branches)
            return replace(one, condition=condition, number=number, yes=self.block(one.yes), no=self.block(one.no))
        limit = None if one.limit is None else self.term(one.limit)
        return replace(one, limit=limit, condition=self.term(one.condition), body=self.block(one.body))

    def term(self, one: Term) -> Term:
        """A term in the new names."""
        renamed = {v: variable(self.name(str(v.value)), v.sort) for v in variables(one)}
        return substitute(one, {old: new for old, new in renamed.items() if old is not new})

    def name(self, name: str) -> str:
        """The new name: laplace.1 for the first draw from that family that stands in the program."""
        found = PLACED.fullmatch(name)
        if found is None:
            return name
        stem, part = name.removesuffix(found[2] or ""), found[2] or ""
        if stem not in self.names:
            taken = sum(one.startswith(f"{found[1]}.") for one in self.names)
            self.names[stem] = f"{found[1]}.{taken + 1}"
        return self.names[stem] + part
