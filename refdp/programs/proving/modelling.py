"""A form of alignment with unknown coefficients, over a few rounds of a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refdp.programs.adjacency import Relation
from refdp.programs.checking.alignment import Alignment, Group
from refdp.programs.checking.conditions import Product
from refdp.programs.checking.public import Public, public
from refdp.programs.proving.bounds import Charges, bounds
from refdp.programs.proving.charging import Charging, charging
from refdp.programs.proving.guessing import Example, Guesser, Values
from refdp.programs.proving.outcomes import Witness
from refdp.programs.proving.settings import approximation, near, settings
from refdp.programs.proving.templates import Template, template
from refdp.programs.proving.unrolling import Unrolled, unrolled
from refdp.programs.proving.witnesses import witness
from refdp.programs.steps import Stepwise
from refdp.programs.syntax import Claim
from refdp.terms.leaves import rational, variable
from refdp.terms.operations import disjunction, substitute
from refdp.terms.term import Term

LITTLE = Fraction(1, 10**9)
"""What a claim may be exceeded by, as it is only about known: the checker decides exactly."""


@dataclass(slots=True)
class Part:
    """One part of the adjacency of a claim, and what is found out about it."""

    stepwise: Stepwise
    claim: Claim
    relation: Relation
    end: float
    examples: list[Example] = field(default_factory=list)
    told: dict[Term, Unrolled] = field(default_factory=dict)
    """What guessers were told must not be, and where it came from."""
    charged: Charging | None = None

    @property
    def public(self) -> Public:
        """The public parameters, no term of which has a name yet."""
        counters = (variable(loop.counter, "Int") for loop in self.stepwise.loops)
        return public(self.stepwise.program, self.claim, counters)

    @property
    def charging(self) -> Charging:
        """How draws are charged."""
        if self.charged is None:
            self.charged = charging(self.stepwise, self.claim, self.relation, self.public)
        return self.charged

    def charged_form(self, form: Alignment) -> Alignment:
        """A form of alignment in which draws and lists are charged."""
        return replace(form, charges=self.charging.charges, lists=self.charging.lists)

    @property
    def claimed(self) -> Term | None:
        """The loss that is claimed, None where another kind of claim is made."""
        given = self.public.given
        return None if self.claim.epsilon is None else substitute(self.claim.epsilon, given)

    def witnesses(self) -> tuple[Witness, ...]:
        """The examples so far; none of lists of which an element is null."""
        if self.relation.edit is not None:
            return ()
        return tuple(witness(self.told[one.wrong], one) for one in self.examples)

    def most(self, setting: Mapping[Term, Term]) -> Term:
        """About the greatest loss that the claim allows, and a little more."""
        if self.claimed is not None:
            return rational(near(approximation(self.claimed, setting)) + LITTLE)
        if self.claim.rho is None:
            raise ValueError("a claim must say epsilon or rho")
        rho = approximation(substitute(self.claim.rho, self.public.given), setting)
        return rational(near((2 * rho) ** 0.5) + LITTLE)


class Model:
    """The unknown alignment over a few rounds, at several settings."""

    def __init__(self, part: Part, form: Alignment, rounds: int, pumped: bool, is_coarse: bool) -> None:
        self.part, self.rates = part, part.charging.rates
        limits = [variable(f"bound.{g}", "Real") for g in range(len(self.rates))]
        groups = tuple(Group(rate, limit) for rate, limit in zip(self.rates, limits, strict=True))
        form = replace(part.charged_form(form), groups=groups)
        self.template: Template = template(part.stepwise, form, is_coarse)
        names, shared = (u.variable for u in self.template.unknowns), part.public
        known = replace(shared, parameters=(*shared.parameters, *limits, *names))
        product = Product(part.stepwise, part.relation, self.template.alignment, known)
        chosen = settings(part.stepwise, part.claim, shared, rounds)
        self.unrolled: list[Unrolled] = unrolled(product, chosen, rounds, pumped)

    def guesser(self) -> Guesser:
        """What looks for coefficients that keep to the claim."""
        wrong = []
        for one in self.unrolled:
            rates = tuple(rational(near(approximation(r, one.setting))) for r in self.rates)
            wrong.append(disjunction(*one.wrong, one.exceeding(rates, self.part.most(one.setting))))
            self.part.told[wrong[-1]] = one
        return Guesser(self.template.unknowns, wrong, self.part.examples, self.part.end)

    def product(self, values: Values) -> Product:
        """Two runs aligned by these coefficients, with bounds for what is charged."""
        filled = self.template.filled(values)
        weights = [w for _, w in filled.charges.values()] + [w.high - w.low for w in filled.lists.values()]
        limits = bounds(Charges(self.unrolled, values, weights, self.part.end), self.rates, self.part.claimed)
        alignment = tidied(filled, [Group(r, b) for r, b in zip(self.rates, limits, strict=True)])
        return Product(self.part.stepwise, self.part.relation, alignment, self.part.public)


def tidied(alignment: Alignment, groups: list[Group]) -> Alignment:
    """The alignment with these groups, without what is charged nothing."""
    used = {site for site, _ in alignment.shifts}
    charges = {site: one for site, one in alignment.charges.items() if site in used}
    kept = sorted({g for g, _ in charges.values()} | {one.group for one in alignment.lists.values()})
    place = {g: k for k, g in enumerate(kept)}
    return replace(
        alignment,
        groups=tuple(groups[g] for g in kept),
        charges={site: (place[g], weight) for site, (g, weight) in charges.items()},
        lists={name: replace(one, group=place[one.group]) for name, one in alignment.lists.items()},
    )
