"""Sequences of releases: each mechanism, and within a budget its loss, is chosen in view of all earlier outcomes.

    rounds(LOSS_1, ..., LOSS_k)   any k rounds: whatever the earlier outcomes, the mechanism of round i is within LOSS_i
    filtered(TOTAL)               any rounds, finitely many, whose losses may be chosen, too: no round begins that would
                                  bring the sum of all losses above TOTAL

A loss is written as the measure that it is under: pure(e), approximate(e, d), concentrated(rho), renyi(order, e).  A
claim about such a subject is about every way to choose; the draws of a round are independent of those before.
"""

from __future__ import annotations

from refdp.kernel.judgements import Private, require
from refdp.kernel.rules.settle import total
from refdp.kernel.theorem import rule
from refdp.numerics.exact import decide, exact
from refdp.spec.distances import measure, metric
from refdp.spec.domains import has_neighbours
from refdp.spec.terms import Term, apply, names, number, read
from refdp.spec.well_formed import SEQUENTIAL, require_domain, require_loss

MOST_ROUNDS = 10_000


@rule
def rounds(*, domain: str, near: str, d_in: str, losses: list[str]) -> Private:
    """
      1 <= k     all losses under one measure: pure, approximate, concentrated, or renyi at one order
    -------------------------------------------------------------------------------------------------
      |- rounds(LOSS_1, ..., LOSS_k) : near(d_in) |-> LOSS_1 + ... + LOSS_k
    """
    require(1 <= len(losses) <= MOST_ROUNDS, f"there must be 1 to {MOST_ROUNDS} rounds, got {len(losses)}")
    found = [_loss(one) for one in losses]
    name, order = found[0].operator, found[0].arguments[0]
    for one in found:
        require(one.operator == name, f"all rounds must be under one measure, got {one.operator} and {name}")
        require(name != "renyi" or one.arguments[0] == order, f"all rounds must be at one order, got {one} at {order}")
    columns = list(zip(*(one.arguments for one in found), strict=True))
    kept, added = (columns[:1], columns[1:]) if name == "renyi" else ([], columns)
    d_out = (*(column[0] for column in kept), *(total(tuple(column)) for column in added))
    return _about(apply("rounds", *found), domain, near, d_in, name, d_out)


@rule
def filtered(*, domain: str, near: str, d_in: str, total: str) -> Private:
    """
      TOTAL under pure, approximate, concentrated, or renyi at one order
    --------------------------------------------------------------------
      |- filtered(TOTAL) : near(d_in) |-> TOTAL
    """
    limit = _loss(total)
    return _about(apply("filtered", limit), domain, near, d_in, limit.operator, limit.arguments)


def _loss(written: str) -> Term:
    """A loss that is known, and whose losses add up along a sequence."""
    found = read(written)
    require_loss(found)
    require(found.operator in SEQUENTIAL, f"a loss must be under {', '.join(SEQUENTIAL)}, got {found}")
    require(not names(found), f"a loss must be known, got {found}")
    amounts = found.arguments
    if found.operator == "renyi":
        require(decide(1 < amounts[0]), f"the order must be > 1, got {amounts[0]}")
        amounts = amounts[1:]
    for one in amounts:
        require(decide(0 <= one), f"a loss must be >= 0, got {found}")
    return found


def _about(subject: Term, domain: str, near: str, d_in: str, far: str, d_out: tuple[Term, ...]) -> Private:
    """The claim, if two inputs may be so near."""
    inputs, distance = read(domain), number(exact(d_in, "d_in"))
    metric(near)
    require_domain(inputs)
    require(not names(inputs), f"the domain must be closed, got {inputs}")
    require(has_neighbours(inputs, near), f"no two members of {inputs} are neighbours under {near}")
    require(decide(0 <= distance), f"d_in must be >= 0, got {distance}")
    require(len(d_out) == len(measure(far).parameters), f"{far} takes {', '.join(measure(far).parameters)}")
    return Private(subject, inputs, near, distance, far, d_out)
