"""Names, sites and branches numbered in the order in which they stand in the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from refdp.programs.language.rewriting import Rewriting
from refdp.terms.leaves import variable, variables
from refdp.terms.operations import substitute
from refdp.terms.term import Term

PLACED = re.compile(r"(\w+)\.[\d_]+\.[\d_]+(\..+)?")
"""A name that the reader made: what it is, line and column, and which part of it."""


@dataclass(slots=True)
class Numbering(Rewriting):
    """Numbers what it sees for the first time."""

    names: dict[str, str] = field(default_factory=dict)
    sites: Iterator[int] = field(default_factory=lambda: count(1))
    branches: Iterator[int] = field(default_factory=lambda: count(1))

    def site(self, site: int) -> int:
        """The next number."""
        return next(self.sites)

    def number(self, number: int) -> int:
        """The next number."""
        return next(self.branches)

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
            self.names[stem] = f"{found[1]}.{sum(one.startswith(f'{found[1]}.') for one in self.names) + 1}"
        return self.names[stem] + part
