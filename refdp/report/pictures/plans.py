"""Which picture a claim has, and what its caption says; nothing is drawn here and matplotlib is not loaded."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.claims import Claim
from refdp.commands.witness import plain
from refdp.kernel.judgements import Private, Relation, Stable
from refdp.kernel.reading import relation
from refdp.kernel.theorem import Theorem
from refdp.numerics.masses import registry_noise
from refdp.report.pictures.instances import Instance, instance_of, is_table_pair
from refdp.report.pictures.kinds import DIVERGENCES, FRONTIER, LAWS, PROFILE, TABLES
from refdp.report.pictures.laws import laws, least_deltas
from refdp.spec.classical import calibration
from refdp.spec.semantics import written
from refdp.terms.reading import read
from refdp.terms.term import names

FRONTIER_SHOWS = (
    "The classical Gaussian theorem over delta in (0, 1), on a logarithmic and on a linear axis: below the line it "
    "holds at each point that was decided, above it fails; shaded, the regions on which it is proved for all epsilon "
    "and delta; crosses, points at which claims of the ledger are refuted; dashed, where this claim says that it holds."
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to draw for a claim: which kind of picture, of what instance, with which caption."""

    claim: str
    kind: str
    instance: Instance
    caption: str


def plan_of(claim: Claim, theorem: Theorem) -> Plan | None:
    """The picture of a claim; None where a picture would say nothing that the page does not."""
    if is_classical(claim.formal):
        general = relation(read(claim.formal))
        return Plan(claim.identifier, FRONTIER, Instance(general, {}, None, None), FRONTIER_SHOWS)
    found = instance_of(claim, theorem)
    kind = None if found is None else kind_of(found)
    if found is None or kind is None or not can_be_drawn(found, kind):
        return None
    return Plan(claim.identifier, kind, found, capital(caption(found, kind)))


def plans_of(claim: Claim, theorem: Theorem) -> list[Plan]:
    """Every picture of these kinds that a claim has, the one of its page first."""
    found = instance_of(claim, theorem)
    first = plan_of(claim, theorem)
    kinds = [] if found is None or is_table_pair(found) else [LAWS, PROFILE, DIVERGENCES]
    others = [
        Plan(claim.identifier, kind, found, capital(caption(found, kind)))
        for kind in kinds
        if found is not None and isinstance(found.claim, Private) and can_be_drawn(found, kind)
    ]
    return [*([first] if first else []), *(one for one in others if first is None or one.kind != first.kind)]


def capital(words: str) -> str:
    """The words with a capital at their beginning."""
    return words[0].upper() + words[1:]


def is_classical(formal: str) -> bool:
    """Whether a claim is about the sigma of the classical Gaussian theorem, with its constant 5/4."""
    sigma = f"gaussian({calibration(Fraction(5, 4))})"
    return formal.startswith(f"private({sigma}, ")


def can_be_drawn(found: Instance, kind: str) -> bool:
    """Whether the numbers of that picture can be had."""
    match kind:
        case "laws":
            return laws(found) is not None
        case "profile":
            return least_deltas(found, [Fraction(0)]) is not None
        case "divergences":
            both = laws(found)
            return both is not None and not both.is_density and min(both.q) > 0
    return True


def kind_of(found: Instance) -> str | None:
    """The kind of picture that an instance has."""
    if is_table_pair(found):
        return TABLES
    if isinstance(found.claim, Stable):
        return None
    if found.event:
        return LAWS
    return {"pure": LAWS, "concentrated": DIVERGENCES, "approximate": PROFILE}.get(found.claim.measure)


def _is_continuous(claim: Relation) -> bool:
    """Whether the laws are densities, which are drawn but not summed."""
    noise = registry_noise(claim.subject)
    return noise is not None and not noise.on_grid


def caption(found: Instance, kind: str) -> str:
    """What the picture shows, in words."""
    x, y = (plain(written(z)) for z in (found.x, found.y))
    at = f"At {found.parameters}: " if found.values else ""
    pair = f"x = {x} and x' = {y}"
    if kind == TABLES:
        return f"{at}the tables {pair}; the rows in which they differ are marked."
    if kind == LAWS:
        event = f"the {'output' if _is_continuous(found.claim) else 'event'} of the witness"
        event = event if found.event else "the outcomes that are likelier under x"
        return f"{at}the laws of M(x) and M(x') for {pair}, with {event} shaded; below, the loss of each outcome."
    if kind == DIVERGENCES:
        return f"{at}the Renyi divergence of M(x) from M(x') for {pair}, for each order, and the claimed bound."
    curve = f"{at}the least delta for each epsilon, for {pair}"
    if not isinstance(found.claim, Private) or found.claim.measure not in ("pure", "approximate"):
        return f"{curve}."
    return f"{curve}, and {'the curve' if names(found.claim.term) else 'the point'} that is claimed."
