"""An error that is likelier, or less likely, than an accuracy claim says."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from refdp.commands.witness import plain
from refdp.kernel.judgements import Tail
from refdp.kernel.reading import tail
from refdp.kernel.rules.inaccuracy import happens
from refdp.kernel.theorem import Theorem
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import masses, weight
from refdp.report.decimals import BITS
from refdp.report.witnesses.relations import probability
from refdp.report.witnesses.tables import table
from refdp.spec import registry
from refdp.spec.errors import error
from refdp.spec.noise import AdditiveNoise
from refdp.spec.semantics import data
from refdp.terms.reading import read

ZERO = Interval(Fraction(0), Fraction(0))
WORDS = {"at_least": "at least", "more_than": "more than", "at_most": "at most", "probability": "just"}


def _event(claim: Tail) -> str:
    """The event whose probability is claimed, and the claim, in words."""
    said = f"{WORDS.get(claim.event, claim.event)} `{claim.threshold}`"
    return f"The claim: {claim.error} {said} with probability {WORDS.get(claim.bound, claim.bound)} `{claim.beta}`."


def likelier_noise(step: Theorem) -> Iterator[str]:
    """The weights inside the threshold, and those of the next points beyond it: enough to be too likely."""
    claim = tail(read(step.data["claim"]))
    noise = registry.lookup(claim.subject.operator, AdditiveNoise)
    values, points = registry.values(noise, claim.subject), int(step.data["points"])
    inside, outside = ZERO, ZERO
    for k in count():
        z = k * values["granularity"]
        both = [weight(noise, s * z, values, BITS) for s in ((1, -1) if k else (1,))]
        if happens(claim, z):
            outside, points = sum(both, outside), points - 1
        else:
            inside = sum(both, inside)
        if points == 0:
            break
    yield from (_event(claim), "")
    beyond = f"`T`, those of {step.data['points']} more grid point(s) on each side"
    rows = [("`S`, the weights inside the threshold", inside), (beyond, outside)]
    share = outside / (inside + outside)
    yield from table([*rows, ("`T / (S + T)`, less than the probability", share), ("as claimed", claim.beta)])
    yield from ("", "Even what is counted here is more than is claimed.", "")


def likelier_error(step: Theorem) -> Iterator[str]:
    """The probability of the error at one input, every mass summed."""
    claim, x = tail(read(step.data["claim"])), data(read(step.data["at"]))
    found = masses(claim.subject, x, BITS)
    p = probability(claim.subject, x, [y for y in found if happens(claim, error(claim.error).of(y, x))])
    yield from (_event(claim), "", f"Take the input `x = {plain(read(step.data['at']))}`.", "")
    yield from table([("the probability of the event", p), ("as claimed", claim.beta)])
    yield ""


def another_probability(step: Theorem) -> Iterator[str]:
    """The probability that is proved, and the one that is claimed."""
    claim, known = tail(read(step.data["claim"])), step.premises[0].claim
    yield from (_event(claim), "", f"The derivation proves `{known.term}`.", "")
    if isinstance(known, Tail):
        yield from table([("the probability that is proved", known.beta), ("as claimed", claim.beta)])
        yield from ("", "They cannot both be right.", "")
