"""Sequences of releases: each mechanism, and within a budget its loss, is chosen in view of all earlier outcomes.

    rounds(LOSS_1, ..., LOSS_k)   any k rounds: whatever the earlier outcomes, the mechanism of round i is within LOSS_i
    filtered(TOTAL)               any rounds, finitely many, whose losses may be chosen, too: no round begins that would
                                  bring the sum of all losses above TOTAL
    mapped_rounds(M, k)           k rounds of M itself, each on the rows after a chosen map that reads one at a time

A loss is written as the measure that it is under: pure(e), approximate(e, d), concentrated(rho), renyi(order, e).  A
claim about such a subject is about every way to choose; the draws of a round are independent of those before.
"""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Private, merged, require
from refdp.kernel.rules.settle import settled
from refdp.kernel.rules.settle import total as added_up
from refdp.kernel.theorem import rule
from refdp.spec.distances import metric
from refdp.spec.domains import has_neighbours, is_table
from refdp.spec.signatures import counted
from refdp.spec.well_formed import SEQUENTIAL, require_domain, require_loss
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, substitute

MOST_ROUNDS = 10_000
KEPT_BY_ROWS = ("symmetric", "change_one")
"""The metrics of tables that no map of single rows makes greater."""


@rule
def rounds(*, domain: str, near: str, d_in: str, losses: list[str]) -> Private:
    """
      1 <= k     all losses are >= 0, under one measure: pure, approximate, concentrated, or renyi at one order > 1
    ---------------------------------------------------------------------------------------------------------------
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
    d_out = (*(column[0] for column in kept), *(added_up(column) for column in added))
    return _about(apply("rounds", *found), domain, near, d_in, found, d_out)


@rule
def filtered(*, domain: str, near: str, d_in: str, total: str) -> Private:
    """
      TOTAL is >= 0, under pure, approximate, concentrated, or renyi at one order > 1
    ---------------------------------------------------------------------------------
      |- filtered(TOTAL) : near(d_in) |-> TOTAL
    """
    limit = _loss(total)
    return _about(apply("filtered", limit), domain, near, d_in, [limit], limit.arguments)


@rule
def mapped_rounds(m: Private, *, domain: str, k: str = "k", d_out: list[str] | None = None) -> Private:
    """
      |- M : near(d_in) |-> e  on tables of rows     near: symmetric or change_one     k a whole number, at least 1
    -----------------------------------------------------------------------------------------------------------------
      |- mapped_rounds(M, k) : near(d_in) |-> k e  on tables of as many rows in any domain

    e: pure, approximate, concentrated or renyi, of which the order stays.  Before each round a map of rows into those
    that M reads is chosen in view of all earlier outcomes; M is run on the mapped table, on fresh coins.
    """
    require(isinstance(m, Private), "mapped_rounds takes a private claim")
    require(m.measure in SEQUENTIAL, f"losses under {m.measure} are not known to add up along a sequence")
    near = f"{m.domain} under {m.metric}"
    require(is_table(m.domain) and m.metric in KEPT_BY_ROWS, f"expected a table and its rows, got {near}")
    inputs, times = read(domain), read(k)
    require_domain(inputs)
    alike = inputs.operator == m.domain.operator and inputs.arguments[1:] == m.domain.arguments[1:]
    require(alike, f"expected a domain of tables as {m.domain}, of any rows, got {inputs}")
    kept, added = (m.d_out[:1], m.d_out[1:]) if m.measure == "renyi" else ((), m.d_out)
    losses, subject = (*kept, *(times * loss for loss in added)), apply("mapped_rounds", m.subject, times)
    count = tuple(substitute(c, {"k": times}) for c in counted("k"))
    return settled(replace(m, subject=subject, domain=inputs, d_out=losses, given=merged(m.given, count)), d_out)


def _loss(written: str) -> Term:
    """A loss of those that add up along a sequence."""
    found = read(written)
    require_loss(found)
    return found


def _conditions(loss: Term) -> tuple[Term, ...]:
    """What must hold of the numbers of a loss."""
    orders = loss.arguments[:1] if loss.operator == "renyi" else ()
    return (*(1 < order for order in orders), *(0 <= amount for amount in loss.arguments[len(orders) :]))


def _about(subject: Term, domain: str, near: str, d_in: str, losses: list[Term], d_out: tuple[Term, ...]) -> Private:
    """The claim, if two inputs may be so near; closed conditions are decided."""
    inputs, distance = read(domain), read(d_in)
    metric(near)
    require_domain(inputs)
    require(has_neighbours(inputs, near), f"no two members of {inputs} are neighbours under {near}")
    given = merged((0 <= distance,), *map(_conditions, losses))
    return settled(Private(subject, inputs, near, distance, losses[0].operator, d_out, given))
