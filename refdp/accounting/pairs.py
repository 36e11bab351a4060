"""Dominating pairs of events: one row for each sampling scheme, neighbouring relation and kind of base.

What has no row is refused with one sentence.  Lemmas and proofs: docs/accounting_proofs.md, section 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

from refdp.accounting import events, losses
from refdp.accounting.binomials import drawn, tail
from refdp.accounting.events import NEIGHBOURS, Event, Noise, NoTheorem
from refdp.accounting.losses import Base, Composition, Direction, Loss, composition, mixture, require
from refdp.numerics.cancellation import size
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.exact import ExactReal

Pairs = dict[Direction, Loss]
DIRECTIONS: dict[str, tuple[Direction, ...]] = {
    "add_remove": ("remove", "add"),
    "change_one": ("replace",),
    "none": ("remove", "add"),
}
"""The ordered kinds of neighbours; under `none`, from the first input to the second and back."""
LOCAL = (
    events.RandomisedResponse,
    events.KAryRandomisedResponse,
    events.ShuffledRandomisedResponse,
    events.Shuffled,
)
MOST_BITS = 2000
"""Most binary digits of a power of the argument of a logarithm that is worked out exactly."""
NOTHING = losses.Response(ExactReal())
"""The pair of what reveals nothing."""


def dominating_pairs(event: Event, neighbours: str) -> Pairs:
    """A pair of laws for each direction, of which as many as `turns(event)` dominate one run.

    NoTheorem where no row of the table fits.
    """
    require(neighbours in NEIGHBOURS, "neighbours", f"one of {', '.join(NEIGHBOURS)}", neighbours)
    if neighbours == "add_remove" and isinstance(event.mechanism, LOCAL):
        raise NoTheorem(
            f"{event.mechanism.stem} answers for each row, so no two tables under add_remove have answers to compare; "
            "neighbours must be change_one or none"
        )
    if isinstance(event.mechanism, events.RepeatAndSelect):
        return selected(event, event.mechanism, neighbours)
    if isinstance(event.mechanism, events.GivenVotes) and (event.sampling is not None or neighbours != "none"):
        raise NoTheorem(
            "given_votes speaks of one table and its neighbours, so neighbours must be none, without sampling"
        )
    if isinstance(event.mechanism, events.Shuffle) and event.sampling is not None:
        raise NoTheorem(f"{event.mechanism.stem} is of all users: shuffled answers of a sample have no theorem here")
    match event.sampling, neighbours:
        case None, _:
            return unsampled(event, neighbours)
        case _, "none":
            raise NoTheorem("rows are sampled from tables, so neighbours must be add_remove or change_one, got none")
        case events.Poisson(rate=rate), "add_remove":
            return poisson_add_remove(event, rate)
        case events.Poisson(rate=rate), _:
            return poisson_change_one(event, rate)
        case events.TruncatedPoisson() as scheme, _:
            return truncated_poisson(event, scheme, neighbours)
        case events.WithReplacement(rows=rows, sample=draws), "change_one":
            return with_replacement(event, rows, draws)
        case events.CyclicPoisson(rate=rate), "add_remove":
            return poisson_add_remove(event, rate)  # in each of `turns`; the other steps do not see the row
        case events.BallsInBins() as scheme, "add_remove":
            return balls_in_bins(event, scheme)
        case ((events.CyclicPoisson() | events.BallsInBins()), _):
            raise NoTheorem(
                "steps that see a row in turn or by chance have a theorem here for rows added or removed alone"
            )
        case events.WithReplacement(), _:
            raise NoTheorem("draws with replacement have a theorem here where a row is replaced: give change_one")
        case events.FixedSize(rows=rows, sample=sample), "change_one":
            return fixed_size_change_one(event, Fraction(sample, rows))
        case events.FixedSizeOfAtLeast(least_rows=least, sample=sample), "change_one":
            return fixed_size_change_one(event, Fraction(sample, least))
        case events.FixedSizeOfAtLeast(least_rows=least, sample=sample), _:
            return fixed_size_add_remove(event, Fraction(sample, least + 1))
    raise NoTheorem(
        "samples of a fixed size need a public least number of rows under add_remove, where no two tables have as many "
        "rows: give least_rows in place of rows, or neighbours change_one"
    )


def selected(event: Event, mechanism: events.RepeatAndSelect, neighbours: str) -> Pairs:
    """The profile of the best of several runs: Lemma 1.23."""
    from refdp.accounting.repeated import Selected

    if event.sampling is not None:
        raise NoTheorem(
            "the best of several runs has no theorem here on a sample; each run may be on samples of its own"
        )
    run = compositions(neighbours, mechanism.events)
    profile = losses.Profile(str(mechanism), Selected(tuple(run.values()), mechanism))
    return dict.fromkeys(DIRECTIONS[neighbours], profile)


def unsampled(event: Event, neighbours: str) -> Pairs:
    """The mechanism's own pair: Lemmas 1.3 (noise), 1.9 (k-ary response), 1.10 (epsilon, delta), 1.11 (finite laws)."""
    mechanism, loss = event.mechanism, _loss(event)
    if not isinstance(mechanism, events.Finite) or mechanism.is_symmetric():
        return dict.fromkeys(DIRECTIONS[neighbours], loss)
    if neighbours == "change_one":
        raise NoTheorem(
            "a finite law under change_one must be the same read backwards, for any row may replace any other; "
            "give a pair that dominates both directions, or neighbours none for two inputs"
        )
    return both_ways(losses.Finite(mechanism.outcomes))


def both_ways(loss: losses.Finite) -> Pairs:
    """A pair from the first law to the second, and back."""
    backwards = losses.Finite(tuple((q, p) for p, q in loss.outcomes))
    return {"remove": loss, "add": backwards}


def poisson_add_remove(event: Event, rate: Fraction) -> Pairs:
    """(rate P + (1 - rate) Q, Q) and (Q, rate P + (1 - rate) Q): Lemma 1.4."""
    base = _base(event, "Poisson sampling")
    if rate == 1:
        return unsampled(event, "add_remove")
    return {side: losses.Sampled(base, rate, side) for side in DIRECTIONS["add_remove"]}


def poisson_change_one(event: Event, rate: Fraction) -> Pairs:
    """Two mixtures with noise moved to either side: Lemma 1.5; what is private only under replacement gets nothing."""
    mechanism = event.mechanism
    if not isinstance(mechanism, Noise):
        raise NoTheorem(
            f"Poisson sampling of {mechanism.stem} has no amplification under change_one: samples that differ by a row "
            "more are not among the neighbours for which it is private"
        )
    base = mechanism.loss()
    return {"replace": moved(base, 2) if rate == 1 else losses.Sampled(base, rate, "replace")}


def moved(base: Base, times: int) -> Base:
    """Noise moved so many times the sensitivity; of a pure epsilon so many times that: what so many rows cost."""
    match base:
        case losses.Normal(mu_squared=mu_squared):
            return losses.Normal(times**2 * mu_squared)
        case losses.Laplace(epsilon=epsilon):
            return losses.Laplace(times * epsilon)
        case losses.DiscreteLaplace(epsilon=rate, shift=shift):
            return losses.DiscreteLaplace(rate, times * shift)
        case losses.DiscreteGaussian(variance=variance, shift=shift):
            return losses.DiscreteGaussian(variance, times * shift)
        case losses.Response(epsilon=pure, delta=delta) if delta == 0:
            return losses.Response(repeated(pure, times))
    raise NoTheorem("only noise, and what is epsilon-DP, has a bound here for samples that differ by several rows")


def repeated(epsilon: ExactReal, times: int) -> ExactReal:
    """times * epsilon; rounded up to a rational number where it is no short a + ln b."""
    if size(epsilon.argument) * times <= MOST_BITS:
        return ExactReal(epsilon.rational * times, epsilon.argument**times)
    return ExactReal(times * (epsilon.rational + ln_bounds(epsilon.argument, 256)[1]))


def truncated_poisson(event: Event, scheme: events.TruncatedPoisson, neighbours: str) -> Pairs:
    """Two rows' cost where the shared rows alone fill the sample, one row's where they do not: Lemma 1.16."""
    base, rate = _base(event, "a truncated Poisson sample"), scheme.rate
    seldom = poisson_add_remove if neighbours == "add_remove" else poisson_change_one
    one = seldom(event, rate)
    full = tail(scheme.most_rows - 1, rate, scheme.largest)
    if full == 0:
        return one
    twice = moved(base, 2)
    if neighbours == "add_remove":
        two: Pairs = {side: losses.Sampled(twice, rate, side) if rate < 1 else twice for side in one}
    else:
        two = {"replace": moved(twice, 2) if rate == 1 else losses.Sampled(twice, rate, "replace")}
    return {side: mixture([(1 - full, one[side]), (full, two[side])]) for side in one}


def with_replacement(event: Event, rows: int, draws: int) -> Pairs:
    """The mean over how often a row is drawn, if it is, of a sample of a fixed size at the rate of that: Lemma 1.17."""
    base = _base(event, "a sample with replacement")
    share, law = drawn(rows, draws)
    parts = [(mass, _many(base, times)) for mass, times in law if mass]
    if share == 1:
        return {"replace": mixture(parts)}
    return {"replace": mixture([(mass, losses.FixedSize(part, share)) for mass, part in parts])}


def _many(base: Base, times: int) -> Base:
    """What so many rows cost; on a grid, where they are very many, that of a mechanism that tells everything."""
    if isinstance(base, losses.DiscreteLaplace | losses.DiscreteGaussian) and times * base.shift > losses.LARGEST_SHIFT:
        if isinstance(base, losses.DiscreteLaplace):  # whatever is seen, the loss is at most this
            return losses.Response(ExactReal(times * base.shift * base.epsilon))
        return losses.Response(ExactReal(), Fraction(1))
    return moved(base, times)


def fixed_size_change_one(event: Event, share: Fraction) -> Pairs:
    """The pair of `losses.FixedSize`: Lemma 1.6."""
    base = _base(event, "a sample of a fixed size")
    whole = unsampled(event, "change_one")
    return whole if share == 1 else {"replace": losses.FixedSize(base, share)}


def fixed_size_add_remove(event: Event, share: Fraction) -> Pairs:
    """Sampling at that rate of what is private where one row of the sample is replaced: Lemma 1.14."""
    base = _base(event, "a sample of a fixed size")
    unsampled(event, "change_one")  # its refusals: the pair must hold for a row replaced by any other
    return {side: losses.Sampled(base, share, side) for side in DIRECTIONS["add_remove"]}


def balls_in_bins(event: Event, scheme: events.BallsInBins) -> Pairs:
    """The pair of one of steps // turns steps, as often as there are turns: Lemmas 1.21 and 1.22."""
    loss = _loss(event)
    if not isinstance(loss, losses.Normal):
        raise NoTheorem(f"steps by chance have a theorem here for Gaussian noise, and not for {event.mechanism.stem}")
    from refdp.accounting.allocation import allocated_noise

    return both_ways(allocated_noise(loss.mu_squared, scheme.steps // scheme.turns))


def turns(event: Event) -> int:
    """How often the pair of an event stands for what one run of it costs."""
    match event.sampling:
        case events.CyclicPoisson(batches=batches, steps=steps):
            return ceil(Fraction(steps, batches))  # in at most so many steps a row may be: Lemma 1.20
        case events.BallsInBins(turns=several):
            return several
    return 1


def _loss(event: Event) -> Base | losses.Known:
    """What the mechanism states of itself."""
    if isinstance(event.mechanism, events.RepeatAndSelect):
        raise NoTheorem("of the best of several runs there is a profile alone")
    return event.mechanism.loss()


def _base(event: Event, scheme: str) -> Base:
    """The pair of the mechanism, if it is a pair of laws."""
    loss = _loss(event)
    if isinstance(loss, losses.BoundedRange):  # then no loss is greater than the range is long
        return losses.Response(loss.epsilon)
    if isinstance(loss, losses.Known):
        raise NoTheorem(f"{scheme} of {event.mechanism.stem} has no theorem here: no pair of laws is known")
    return loss


def compositions(neighbours: str, stated: Iterable[Event]) -> dict[Direction, Composition]:
    """The product of the dominating pairs for each direction, no composition twice: Lemma 1.2."""
    rows = [(dominating_pairs(event, neighbours), event.count * turns(event)) for event in stated]
    require(neighbours in NEIGHBOURS, "neighbours", f"one of {', '.join(NEIGHBOURS)}", neighbours)
    found: dict[Direction, Composition] = {}
    for side in DIRECTIONS[neighbours]:
        product = composition([(pairs[side], count) for pairs, count in rows] or [(NOTHING, 1)])
        if product not in found.values():
            found[side] = product
    return found


def loosely(event: Event) -> bool:
    """Whether its dominating pair is a bound that no tables need attain."""
    if isinstance(event.sampling, events.TruncatedPoisson | events.WithReplacement | events.BallsInBins):
        return True
    if isinstance(event.mechanism, events.PermuteAndFlip | events.LaplaceNoisyMax | events.Shuffle):
        return True
    return event.sampling is not None and isinstance(event.mechanism, events.BoundedRange | events.Exponential)


def unattained(stated: Sequence[Event]) -> list[Event]:
    """The events whose pairs need not be attained; permute and flip, once and alone, attains its own (Lemma 1.25)."""
    alone = sum(event.count for event in stated) == 1 and all(event.sampling is None for event in stated)
    if alone and isinstance(stated[0].mechanism, events.PermuteAndFlip):
        return []
    if alone and isinstance(stated[0].mechanism, events.Shuffle) and stated[0].mechanism.is_tight:
        return []
    return [event for event in stated if loosely(event)]


def attained(neighbours: str, stated: Sequence[Event]) -> dict[Direction, Composition]:
    """The product of pairs that some tables reach, in place of the bounds of shuffled answers: Lemmas 1.28 and 1.29."""
    alone, products = sum(event.count for event in stated) == 1, dict[Direction, Composition]()
    for side in DIRECTIONS[neighbours]:
        parts = list[tuple[Loss, int]]()
        for event in stated:
            if isinstance(event.mechanism, events.Shuffle):
                loss: Loss = event.mechanism.attained(alone)
            else:
                loss = dominating_pairs(event, neighbours)[side]
            parts.append((loss, event.count * turns(event)))
        products[side] = composition(parts)
    return products


def in_order(event: Event) -> Event:
    """Shuffled answers as what is as private as each of them: all that holds of them at delta 0."""
    if isinstance(event.mechanism, events.Shuffle):
        return replace(event, mechanism=events.Approximate(event.mechanism.epsilon))
    return event


def in_every_turn(event: Event) -> Event:
    """Balls in bins as noise of which it is known at which steps the row takes part: by (C) that costs no less."""
    if isinstance(event.sampling, events.BallsInBins):
        return replace(event, count=event.count * event.sampling.turns, sampling=None)
    return event
