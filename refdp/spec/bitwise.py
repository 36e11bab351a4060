"""Bitwise laws: reports of independent bits, each more likely 1 where the input sets it than elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import LONGEST_LIST, domain
from refdp.spec.formulas import Formula, require_whole
from refdp.spec.statements import Statement
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, TermError, both, ln, name, number

RELATIONS = ("value", "exchange", "l1")
"""Which inputs are neighbours: any two values; filters with as many ones, of which some were exchanged; any filters."""


@dataclass(frozen=True, slots=True)
class BitwiseLaw:
    """Each bit of the report is 1 with probability `kept` where the input sets it, else `raised`, independently.

    relation `value`: an input is a value from 0 to dimension - 1, which sets its own bit, or -1, which sets none; any
    two are neighbours, with loss ln(ratio_bound).  `exchange` and `l1`: an input is a filter, a vector of dimension
    bits, and sets those that are 1; under either metric filters at distance d_in have loss d_in ln(ratio_bound).
    sent: where it is given, so many positions are chosen, each set as likely as any other and independently of the
    input; they are told, and of the bits just theirs.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    relation: str
    dimension: Formula
    kept: Formula
    raised: Formula
    ratio_bound: Formula
    sent: Formula | None = None
    reserved: ClassVar[str] = "d_in n order delta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        own = (self.dimension, self.kept, self.raised, self.ratio_bound, self.sent)
        return tuple((f, "") for f in own if f is not None)

    @property
    def domain(self) -> Term:
        """The set that inputs range over."""
        if self.relation == "value":
            return domain("category", self.dimension.at())
        return domain("vector", domain("finite", number(2)), self.dimension.at())

    @property
    def epsilon(self) -> Term:
        """The privacy loss: of any two values, or of filters d_in apart."""
        loss = ln(self.ratio_bound.at())
        return loss if self.relation == "value" else name("d_in") * loss

    def filter(self, x: Any, dimension: int) -> tuple[bool, ...]:
        """Which bits an input sets."""
        return tuple(i == x for i in range(dimension)) if self.relation == "value" else tuple(b == 1 for b in x)

    def law(self, subject: Term, x: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x): the bits, or the positions that are sent and their bits."""
        values = registry.values(self, subject)
        bits = self.filter(x, int(evaluate(self.dimension.term, values)))
        sent = len(bits) if self.sent is None else int(evaluate(self.sent.term, values))
        if not 0 <= sent <= len(bits) or comb(len(bits), sent) * 2 ** min(sent, 64) > LONGEST_LIST:
            raise TermError(f"{subject} has more than {LONGEST_LIST} outcomes")
        given = {key: arithmetic.number(value) for key, value in values.items()}
        chances = {s: evaluate(f.term, given, arithmetic) for s, f in ((True, self.kept), (False, self.raised))}
        one, share = arithmetic.number(Fraction(1)), arithmetic.number(Fraction(1, comb(len(bits), sent)))
        found = dict[Any, Any]()
        for places in combinations(range(len(bits)), sent):
            for report in product((0, 1), repeat=sent):
                p = share
                for place, bit in zip(places, report, strict=True):
                    chance = chances[bits[place]]
                    p = p * (chance if bit else one - chance)
                found[report if self.sent is None else (places, report)] = p
        return found


def whole_parameters(m: BitwiseLaw) -> tuple[str, ...]:
    """The parameters that its conditions make integers."""
    return tuple(p for p in m.parameters if registry.is_integer_parameter(m, p))


def law_obligations(m: BitwiseLaw) -> dict[str, Statement]:
    """There are bits, as many are sent as there can be, and each is likelier 1 where it is set, but never certain."""
    if m.relation not in RELATIONS:
        raise TermError(f"the relation of {m.stem} must be one of {', '.join(RELATIONS)}, got {m.relation}")
    whole, given, size = whole_parameters(m), registry.hypotheses(m), m.dimension.at()
    for f in _counts(m):
        require_whole(f, whole)
    sent = size if m.sent is None else m.sent.at()
    kept, raised = m.kept.at(), m.raised.at()
    return {
        "some_bits_are_sent": Statement(given, both(1 <= sent, sent <= size), frozenset(whole)),
        "bits_are_likelier_where_set": Statement(given, both(0 < raised, raised <= kept, kept < 1), frozenset(whole)),
    }


def _counts(m: BitwiseLaw) -> Iterator[Formula]:
    """The formulas that count bits."""
    yield m.dimension
    if m.sent is not None:
        yield m.sent


def privacy_obligations(m: BitwiseLaw) -> dict[str, Statement]:
    """The law obligations, and: the ratio bounds a bit that falls with one that rises; under l1 one of either kind."""
    kept, raised, ratio, given = m.kept.at(), m.raised.at(), m.ratio_bound.at(), registry.hypotheses(m)
    whole = frozenset(whole_parameters(m))
    if m.relation == "l1":
        show = both(kept <= ratio * raised, 1 - raised <= ratio * (1 - kept))
        return law_obligations(m) | {"ratio_bounds_a_changed_bit": Statement(given, show, whole)}
    show = kept * (1 - raised) <= ratio * (raised * (1 - kept))
    return law_obligations(m) | {"ratio_bounds_an_exchanged_bit": Statement(given, show, whole)}
