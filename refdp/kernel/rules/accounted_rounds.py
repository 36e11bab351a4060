"""Accounts of rounds: what mechanisms cost together, each chosen in view of all earlier outcomes.

    rounds(ROUND_1, ..., ROUND_k)   as in `sequences`; a ROUND says what is known of the mechanism that is run:

    pure(e), approximate(e, d), gaussian(mu^2)   it is within that loss
    chain(l1(d), NOISE), chain(l2(d), NOISE)     it adds the noise to each number of an answer that moves by at most d
    poisson_sampled(rate, ROUND)                 it is run on a Poisson sample; ROUND is about tables with a row more
    fixed_size_sampled(m, ROUND)                 it is run on m of the rows; ROUND is about m rows, one of them replaced
    repeated(ROUND, k)                           k rounds, and of each that is known

A claim about them is about every way to choose.  Which pair of laws dominates a round stands in docs/soundness.md.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refdp.kernel.judgements import KernelError, Private, require
from refdp.kernel.rules.accounts import LOSSES, MOST_COPIES, NOTHING, Pair, moved, on_sample, shape_of, within
from refdp.kernel.rules.sequences import MOST_ROUNDS
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import exact
from refdp.spec import registry
from refdp.spec.distances import metric
from refdp.spec.domains import has_neighbours, is_table
from refdp.spec.noise import AdditiveNoise
from refdp.spec.terms import Term, apply, name, names, number, read
from refdp.spec.well_formed import require_domain, require_round

ROWS = name("rows")
"""What stands for any domain of rows."""
SCHEMES = {
    ("table", "symmetric"): "poisson",
    ("table", "change_one"): "replaced",
    ("sized_table", "change_one"): "replaced",
}
"""Tables and neighbours, at the distance 1, of which Poisson samples are accounted for, and in which way."""
Inputs = tuple[Term, str, Term]
"""The domain, the metric and d_in."""


@rule
def account_rounds(
    *,
    domain: str,
    near: str,
    d_in: str,
    rounds: list[str],
    epsilon: str,
    delta: str,
    engine: str,
    evidence: dict[str, str],
) -> Assuming:
    """
      1 <= k     all numbers are known     on samples: tables, symmetric(1) or change_one(1)
      the product of the pairs of the rounds has delta(epsilon) <= delta, as the engine finds from `evidence`
    ---------------------------------------------------------------------------------------------  [engine, Arb]
      |- rounds(ROUND_1, ..., ROUND_k) : near(d_in) |-> approximate(epsilon, delta)
    """
    require(1 <= len(rounds) <= MOST_ROUNDS, f"there must be 1 to {MOST_ROUNDS} rounds, got {len(rounds)}")
    inputs, distance, said = read(domain), number(exact(d_in, "d_in")), [read(one) for one in rounds]
    metric(near)
    require_domain(inputs)
    rows, *others = inputs.arguments if is_table(inputs) else (inputs,)
    closed = (rows == ROWS or not names(rows)) and not any(map(names, others))
    require(closed, f"the domain must have no names but rows in the place of all rows, got {inputs}")
    require(distance.rational >= 0, f"d_in must be >= 0, got {d_in}")
    require(has_neighbours(inputs, near), f"no two members of {inputs} are neighbours under {near}")
    pairs = [pair_of_round(one, (inputs, near, distance)) for one in said]
    losses, trusts = within(pairs, epsilon, delta, engine, evidence)
    return Assuming(Private(apply("rounds", *said), inputs, near, distance, "approximate", losses), trusts)


def pair_of_round(said: Term, inputs: Inputs) -> Pair:
    """The pair of laws that dominates what a round says."""
    require_round(said)
    match said.operator, said.arguments:
        case "repeated", (one, count):
            times = exact(str(count), "count")
            whole = times.denominator == 1 and 1 <= times <= MOST_COPIES
            require(whole, f"a round must be repeated 1 to {MOST_COPIES} times, got {count}")
            return replace(pair_of_run(one, inputs), count=int(times))
    return pair_of_run(said, inputs)


def pair_of_run(said: Term, inputs: Inputs) -> Pair:
    """The pair of one run, on a sample or not."""
    match said.operator, said.arguments:
        case "poisson_sampled", (rate, one):
            pair, scheme = pair_of_mechanism(one), scheme_of(inputs)
            is_moved = pair.name != "response" or pair == NOTHING
            seen = scheme == "poisson" or is_moved
            require(seen, f"where a row is replaced, a Poisson sample must be seen through noise, got {one}")
            return on_sample(pair, exact(str(rate), "rate"), scheme)
        case "fixed_size_sampled", (sample, one):
            pair, size = pair_of_mechanism(one), size_of(inputs)
            drawn = exact(str(sample), "sample")
            require(drawn <= size, f"a sample must have at most {size} rows, got {sample}")
            return on_sample(pair, drawn / size, "fixed_size")
    return pair_of_mechanism(said)


def scheme_of(inputs: Inputs) -> str:
    """How Poisson samples of the tables are accounted for."""
    domain, near, distance = inputs
    scheme = SCHEMES.get((domain.operator, near))
    if scheme is None or distance != number(1):
        raise KernelError(
            f"a sample must be of tables, one row added, removed or replaced, got {domain} under {near}({distance})"
        )
    return scheme


def size_of(inputs: Inputs) -> Fraction:
    """How many rows the tables have of which a sample of a fixed size is drawn, a row being replaced."""
    domain, near, distance = inputs
    fits = (domain.operator, near, distance) == ("sized_table", "change_one", number(1))
    require(fits, f"a sample of a fixed size must be of sized tables, one row replaced, got {domain} under {near}")
    return exact(str(domain.arguments[1]), "size")


def pair_of_mechanism(said: Term) -> Pair:
    """The pair of a mechanism that sees the whole table, or the sample."""
    match said.operator, said.arguments:
        case "chain", (Term("l1" | "l2" as norm, (far,)), noise):
            return pair_of_noise(norm, far, noise)
        case measure, losses if measure in LOSSES:
            return LOSSES[measure](*losses)
    raise KernelError(
        f"a round must be within a loss, pure, approximate or gaussian, or noise after l1 or l2, got {said}"
    )


def pair_of_noise(norm: str, far: Term, noise: Term) -> Pair:
    """The pair of noise on the numbers of an answer that moves so far in the norm."""
    kind = registry.lookup(noise.operator, AdditiveNoise)
    require(not names(noise), f"all parameters of {noise} must be numbers")
    values, distance = registry.values(kind, noise), exact(str(far), "the distance")
    require(distance >= 0, f"an answer must move by >= 0, got {far}")
    normal, _, step = shape_of(kind, values)
    require(norm == "l1" or (normal and step is None), f"{noise} needs a distance in L1")
    return moved(kind, values, distance)
