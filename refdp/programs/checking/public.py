"""Public numbers: what is computed from public parameters alone is the same in both runs, whatever it is.

Solvers know no exp, mod, power, ln: such a public term becomes a variable, about which nothing is known but that exp is
positive and at least its tangent.  What holds for every value of the variable holds for the one that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from refdp.programs.adjacency import LENGTH
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import integer, is_number, parts, rational, variable, variables
from refdp.terms.operations import add, at_most, less, substitute
from refdp.terms.term import Term

UNKNOWN = frozenset({"exp", "ln", "mod", "**"})


class Refused(ValueError):
    """A proposal has no chance: it is not well formed."""


@dataclass(frozen=True, slots=True)
class Public:
    """The public parameters of a claim, and what is known of them."""

    parameters: tuple[Term, ...]
    counters: tuple[Term, ...]
    """The counters of loops: how often they went round, which both runs share."""
    assumed: tuple[Term, ...]
    """What holds of the parameters."""
    given: dict[Term, Term]
    """Parameters for one value of which alone the claim is made."""
    named: dict[Term, Term] = field(default_factory=dict)
    """Public term -> the variable that stands for it."""

    def __call__(self, term: Term) -> Term:
        """The term with a variable for each public term that solvers do not know.  Refused where one is not public."""
        fixed = substitute(term, self.given)
        found: dict[Term, Term] = {}
        for part in parts(fixed):
            product = part.operator == "*" and not any(map(is_number, part.arguments))
            if part.operator in UNKNOWN or ((product or part.operator == "/") and self.is_public(part)):
                if not self.is_public(part):
                    raise Refused(f"{part.operator} must be of public parameters, got {part}")
                found[part] = self.named.setdefault(part, variable(f"public.{len(self.named)}", part.sort))
        return substitute(fixed, found)

    def is_public(self, term: Term) -> bool:
        """Whether it speaks of public parameters and counters alone."""
        return set(variables(term)) <= {*self.parameters, *self.counters}

    def exact(self, term: Term) -> Term:
        """The public term with variables for exp and ln alone: products and quotients stay as they are."""
        fixed = substitute(term, self.given)
        if not set(variables(fixed)) <= set(self.parameters):
            raise Refused(f"a rate, a scale and a bound must be of public parameters, got {term}")
        opaque = {p: self.named.setdefault(p, variable(f"public.{len(self.named)}", p.sort))
                  for p in parts(fixed) if p.operator in UNKNOWN}  # fmt: skip
        return substitute(fixed, opaque)

    def known(self) -> Iterator[Term]:
        """What is known of the parameters, and of the variables that stand for exponentials."""
        yield from map(self.exact, self.assumed)
        for term, name in list(self.named.items()):
            if term.operator == "exp":
                yield less(rational(0), name)
                yield at_most(add(rational(1), self.exact(term.arguments[0])), name)


def public(program: Program, claim: Claim, counters: Iterable[Term]) -> Public:
    """The public parameters of one claim about the program."""
    parameters = (*(variable(name, sort) for name, sort in program.parameters.items()), LENGTH)
    given = {p: claim.given[str(p.value)] for p in parameters if str(p.value) in claim.given}
    assumed = (program.assumption, claim.where, at_most(integer(0), LENGTH))
    return Public(tuple(p for p in parameters if p not in given), tuple(counters), assumed, given)
