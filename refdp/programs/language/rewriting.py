"""Statements with other names, terms and numbers: a walk that keeps everything by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from refdp.programs.syntax import Append, Assign, Branch, Choose, Draw, Emit, Look, Loop, Require, Statement
from refdp.terms.term import Term


@dataclass(slots=True)
class Rewriting:
    """What is done to each part of a statement: here, nothing."""

    def term(self, one: Term) -> Term:
        """A term in its place."""
        return one

    def name(self, name: str) -> str:
        """The name of a variable or a list that is assigned."""
        return name

    def site(self, site: int) -> int:
        """The number of a draw."""
        return site

    def number(self, number: int) -> int:
        """The number of a branch."""
        return number

    def block(self, body: Iterable[Statement]) -> tuple[Statement, ...]:
        """Statements one after the other."""
        return tuple(map(self.statement, body))

    def statement(self, one: Statement) -> Statement:
        """One statement, its parts in the order in which they stand."""
        match one:
            case Assign(target, value):
                return replace(one, value=self.term(value), target=self.name(target))
            case Draw(target, _, parameters, site):
                renamed = tuple(map(self.term, parameters))
                return replace(one, parameters=renamed, target=self.name(target), site=self.site(site))
            case Append(weights, value):
                return replace(one, weights=self.name(weights), value=self.term(value))
            case Choose(target, weights, site):
                return replace(one, weights=self.name(weights), target=self.name(target), site=self.site(site))
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
            condition, number = self.term(one.condition), None if one.number is None else self.number(one.number)
            return replace(one, condition=condition, number=number, yes=self.block(one.yes), no=self.block(one.no))
        limit = None if one.limit is None else self.term(one.limit)
        return replace(one, limit=limit, condition=self.term(one.condition), body=self.block(one.body))
