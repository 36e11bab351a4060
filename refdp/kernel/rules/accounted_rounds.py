"""Accounts of rounds: what mechanisms cost together, each chosen in view of all earlier outcomes.

    rounds(ROUND_1, ..., ROUND_k)   as in `sequences`; a ROUND says what is known of the mechanism that is run:

    pure(e), approximate(e, d), gaussian(mu^2)   it is within that loss
    concentrated(rho), renyi(order, e)           likewise
    all_of(LOSS, ...)                            it is within each: all under renyi, or all under approximate
    bounded_range(e)                             its losses lie in an interval of length e, in either order of inputs
    dominated_by(tuple_of(p, ...), tuple_of(q, ...))        these laws are as far apart as its own, in either order
    dominated_in_order(tuple_of(p, ...), tuple_of(q, ...))  likewise, p with a row more, or at the input 0, alone
    chain(l1(d), NOISE), chain(l2(d), NOISE)     it adds the noise to each number of an answer that moves by at most d
    chain(linf(d), SELECTION)                    it selects by scores each of which moves by at most d
    chain(monotone(d), SELECTION)                likewise, and no score rises where another falls
    shuffled_response(n, truth)                  n users each tell a bit, rightly with that probability, and the number
                                                 of ones is seen; neighbours differ in the bit of one user
    shuffled(n, e)                               n users each answer by one mechanism, which is e-DP between any two
                                                 values, and the answers are seen in random order; likewise
    poisson_sampled(rate, ROUND)                 it is run on a Poisson sample; ROUND is about tables with a row more
    cyclic_poisson_sampled(rate, b, t, ROUND)    t steps, in turn on Poisson samples of each of b parts of the rows
    fixed_size_sampled(m, ROUND)                 it is run on m of the rows; ROUND is about m rows, one of them replaced
    repeated(ROUND, k)                           k rounds, and of each that is known

A claim about them is about every way to choose.  Which pair of laws dominates a round stands in docs/soundness.md.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from refdp.kernel.judgements import KernelError, Private, require
from refdp.kernel.rules.accounts import (
    LOSSES,
    MOST_COPIES,
    NOTHING,
    Pair,
    bounded_range,
    finite,
    moved,
    on_sample,
    points,
    renyi,
    shape_of,
    within,
)
from refdp.kernel.rules.sequences import MOST_ROUNDS
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import exact, exact_real
from refdp.spec import registry
from refdp.spec.distances import metric
from refdp.spec.domains import has_neighbours, is_table
from refdp.spec.noise import AdditiveNoise
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.well_formed import require_domain, require_round
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, name, names, number

MOST_USERS = 10**6
"""Most users whose answers are shuffled."""
LEAST_LIE = Fraction(1, 2**128)
"""Least probability of each answer of shuffled_response that is not the truth."""
LARGEST_ANSWER = 80
"""Greatest epsilon of an answer that is shuffled."""
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
            found = pair_of_run(one, inputs)
            few = found.count * times <= MOST_COPIES
            require(few, f"a round must have at most {MOST_COPIES} steps in all, got {found.count * times}")
            return replace(found, count=found.count * int(times))
    return pair_of_run(said, inputs)


def pair_of_run(said: Term, inputs: Inputs) -> Pair:
    """The pair of one run, on a sample or not."""
    match said.operator, said.arguments:
        case "poisson_sampled", (rate, one):
            pair, scheme = pair_of_mechanism(one, inputs), scheme_of(inputs)
            seen = scheme == "poisson" or is_noise(one) or pair == NOTHING
            require(seen, f"where a row is replaced, a Poisson sample must be seen through noise, got {one}")
            return on_sample(pair, exact(str(rate), "rate"), scheme)
        case "cyclic_poisson_sampled", (rate, batches, steps, one):
            pair, scheme = pair_of_mechanism(one, inputs), scheme_of(inputs)
            require(scheme == "poisson", "parts of the rows must be sampled where a row is added or removed")
            seen_in = ceil(exact(str(steps), "steps") / exact(str(batches), "batches"))
            require(seen_in <= MOST_COPIES, f"a row must be in at most {MOST_COPIES} steps, got {seen_in}")
            return replace(on_sample(pair, exact(str(rate), "rate")), count=seen_in)
        case "fixed_size_sampled", (sample, one):
            pair, size = pair_of_mechanism(one, inputs), size_of(inputs)
            drawn = exact(str(sample), "sample")
            require(drawn <= size, f"a sample must have at most {size} rows, got {sample}")
            return on_sample(pair, drawn / size, "fixed_size")
    return pair_of_mechanism(said, inputs)


def is_noise(said: Term) -> bool:
    """Whether it is said to be noise, or no worse than noise moved so far."""
    match said.operator, said.arguments:
        case "gaussian", _:
            return True
        case "chain", (Term("l1" | "l2"), _):
            return True
    return False


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


def pair_of_mechanism(said: Term, inputs: Inputs) -> Pair:
    """The pair of a mechanism that sees the whole table, or the sample."""
    match said.operator, said.arguments:
        case "chain", (Term("l1" | "l2" as norm, (far,)), noise):
            return pair_of_noise(norm, far, noise)
        case "chain", (Term("linf" | "monotone" as norm, (far,)), selection):
            return pair_of_selection(norm, far, selection)
        case "bounded_range", (length,):
            return bounded_range(length)
        case "dominated_by", (first, second):
            return finite(first, second, ordered=False)
        case "dominated_in_order", (first, second):
            require_order(inputs)
            return finite(first, second, ordered=True)
        case (("shuffled_response" | "shuffled"), (users, amount)):
            return pair_of_shuffle(said.operator, users, amount, inputs)
        case "all_of", several:
            return pair_of_several(several)
        case measure, losses if measure in LOSSES:
            return LOSSES[measure](*losses)
    raise KernelError(f"a round must be within a loss, noise after l1 or l2, a selection or shuffled, got {said}")


def pair_of_shuffle(how: str, users: Term, amount: Term, inputs: Inputs) -> Pair:
    """What is known of the answers of so many users in random order, the value of one of them being replaced."""
    domain, near, distance = inputs
    replaced = near == "change_one" or (domain, near) == (read("finite(2)"), "discrete")
    one_user = replaced and distance == number(1)
    require(one_user, f"shuffled answers need one row replaced, or the inputs 0 and 1, got {domain} under {near}")
    many = exact(str(users), "users")
    require(many.denominator == 1 and 1 <= many <= MOST_USERS, f"users must be 1 to {MOST_USERS}, got {users}")
    if how == "shuffled":
        epsilon = exact_real(str(amount), "epsilon")
        fits = 0 <= epsilon <= LARGEST_ANSWER
        require(fits, f"epsilon of an answer must be from 0 to {LARGEST_ANSWER}, got {amount}")
        return Pair(how, (many, epsilon))
    truth = exact(str(amount), "truth")
    fits = Fraction(1, 2) <= truth <= 1 - LEAST_LIE
    require(fits, f"truth must be at least 1/2 and at most 1 - 2^-128, got {amount}")
    return Pair(how, (many, truth))


def require_order(inputs: Inputs) -> None:
    """KernelError unless one of two different neighbours has a row more, or they are the inputs 0 and 1."""
    domain, near, distance = inputs
    told_apart = (domain.operator, near) == ("table", "symmetric") or (domain, near) == (read("finite(2)"), "discrete")
    one_step = told_apart and distance == number(1)
    require(one_step, f"an order needs one row more, or the inputs 0 and 1, got {domain} under {near}({distance})")


def pair_of_several(losses: tuple[Term, ...]) -> Pair:
    """What is known where several losses hold at once, all under renyi or all under approximate."""
    measures = {one.operator for one in losses}
    numbers = [number_of for one in losses for number_of in one.arguments]
    if measures == {"renyi"}:
        return renyi(*numbers)
    require(measures == {"approximate"}, "several losses of a round must all be under renyi, or under approximate")
    return points(*numbers)


def pair_of_selection(norm: str, far: Term, selection: Term) -> Pair:
    """The pair of a selection by scores that move so far: by weights, or by noise that is as private as Laplace's."""
    kind = registry.kind_of(selection.operator)
    if not isinstance(kind, WeightedSelection | FlipSelection | NoisyMax):
        raise KernelError(f"after scores there must be a selection, got {selection}")
    require(not names(selection), f"all parameters of {selection} must be numbers")
    values, distance = registry.values(kind, selection), exact(str(far), "the distance")
    require(distance >= 0, f"a score must move by >= 0, got {far}")
    by_weights, scale = is_by_weights(kind), values[kind.parameters[0]]
    require(scale > 0, f"the scale of {selection} must be > 0")
    if by_weights:
        return bounded_range(number((1 if norm == "monotone" else 2) * distance / scale))
    require(norm == "linf", f"{selection} needs a distance of each score")
    return Pair("laplace", (2 * distance / scale,)) if distance > 0 else NOTHING


CONTINUOUS = ("exponential", "laplace", "gumbel")
"""The noise of which Lemma 1.25 speaks: with it there are laws for all real scores."""


def is_by_weights(kind: WeightedSelection | FlipSelection | NoisyMax) -> bool:
    """Whether it draws candidates in proportion to e^(score / s); else it adds exponential or Laplace noise of scale s.

    By its formula, where s is its one parameter; KernelError for other selections.
    """
    require(len(kind.parameters) == 1, f"no pair of {kind.stem} is known")
    s = name(kind.parameters[0])
    match kind:
        case WeightedSelection():
            by_weights, is_known = True, kind.log_weight.at() == name("score") / s
        case FlipSelection():
            by_weights, is_known = False, kind.log_flip.at() == -name("gap") / s
        case _:
            by_weights, is_known = kind.noise == "gumbel", kind.noise in CONTINUOUS and kind.scale.at() == s
    require(is_known, f"no pair of {kind.stem} is known")
    return by_weights


def pair_of_noise(norm: str, far: Term, noise: Term) -> Pair:
    """The pair of noise on the numbers of an answer that moves so far in the norm."""
    kind = registry.lookup(noise.operator, AdditiveNoise)
    require(not names(noise), f"all parameters of {noise} must be numbers")
    values, distance = registry.values(kind, noise), exact(str(far), "the distance")
    require(distance >= 0, f"an answer must move by >= 0, got {far}")
    normal, _, step = shape_of(kind, values)
    require(norm == "l1" or (normal and step is None), f"{noise} needs a distance in L1")
    return moved(kind, values, distance)
