"""Accounts: the (epsilon, delta) of a composition, from pairs of laws that dominate its parts, or their divergences.

What is known of a part is a theorem.  Under pure, approximate or Gaussian DP its measure gives the pair; under zCDP and
Renyi DP the divergences are what is known; or the part is noise after a map of data whose stability is the theorem, and
the formula of the noise gives the pair.  An engine of this package works out how much the parts cost together, from
numbers that the certificate holds: it searches for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from math import floor, isqrt
from typing import Any

from refdp.kernel.judgements import KernelError, Private, Relation, Stable, require
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import ExactReal, exact, exact_real
from refdp.spec import registry
from refdp.spec.domains import domain, is_within
from refdp.spec.noise import AdditiveNoise
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, name, names, number, substitute

ENGINE = "refdp.accounting.certified"
"""The module that knows the engines, which has `greatest_delta`."""
ARB = "Arb"
"""Who is trusted for the arithmetic of every engine, besides the engine itself."""
MOST_COPIES = 10**6
"""Most times that one part is counted."""
FEW_STEPS = 3
"""A whole vector whose squares sum to at most so much has coordinates 0, 1 and -1 alone."""
Number = Fraction | ExactReal


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of laws, by its name and numbers, that dominates one run of a part in either order of its inputs.

    response(epsilon, delta); normal(mu^2); laplace(epsilon); discrete_laplace(epsilon of a step, steps);
    discrete_gaussian(variance in steps, steps); bounded_range(length of the interval that holds all losses);
    finite(p, q, p, q, ...).  ordered(p, q, ...) dominates in one order alone: with a row more, or the input 0, first.

    Or what is known of the run in its place: concentrated(rho); renyi(order, epsilon, order, epsilon, ...);
    points(epsilon, delta, epsilon, delta, ...); shuffled_response(users, truth) and shuffled(users, epsilon), of which
    the engine makes a pair of laws.
    """

    name: str
    numbers: tuple[Number, ...]
    count: int = 1
    """How many independent copies there are."""
    rate: Fraction | None = None
    """With which probability a row is in the sample that is seen; None: no sample is drawn."""
    scheme: str = "poisson"
    """How it is drawn: poisson, of tables with a row added or removed; replaced, likewise, a row being replaced; or
    fixed_size, of as many of the rows each time, a row being replaced."""


@dataclass(frozen=True, slots=True)
class Run:
    """A mechanism, and on which inputs, how near to each other, something is known of it."""

    subject: Term
    inputs: tuple[Term, str, Term]
    """Domain, metric and d_in."""

    @property
    def near(self) -> str:
        """The inputs in words."""
        domain, metric, d_in = self.inputs
        return f"{domain} under {metric}({d_in})"


NOTHING = Pair("response", (ExactReal(), Fraction(0)))
"""The pair of equal laws."""


@rule
def account(
    *ms: Relation,
    noises: list[str],
    rates: list[str],
    counts: list[str],
    epsilon: str,
    delta: str,
    engine: str,
    evidence: dict[str, str],
) -> Assuming:
    """
      |- M_1 : d_in |-> e_1     |- M_2 : d_in |-> e_2     ...     all numbers
      the product of the pairs of e_1, e_2, ... has delta(epsilon) <= delta, as the engine finds from `evidence`
    -----------------------------------------------------------------------------------------------  [engine, Arb]
      |- compose(M_1, M_2, ...) : d_in |-> approximate(epsilon, delta)          same domain, metric and d_in

    e: pure, approximate, gaussian, concentrated or renyi.  With a count k >= 2, M is repeated(M, k).  With a rate, M is
    poisson_sampled(rate, M): symmetric(1) alone.  With a noise N the premise is |- T : d_in |-> d, and M is
    chain(T, N).  The pairs of M and N are in docs/soundness.md.
    """
    require(len(ms) == len(noises) == len(rates) == len(counts) > 0, "each premise needs a noise, a rate and a count")
    parts = list(map(part, ms, noises, rates, counts))
    inputs = parts[0][0].inputs
    for run, _ in parts:
        require(
            run.inputs == inputs, f"cannot compose: inputs of one part are {run.near}, of another {parts[0][0].near}"
        )
    losses, trusts = within([pair for _, pair in parts], epsilon, delta, engine, evidence)
    subjects = [run.subject for run, _ in parts]
    subject = apply("compose", *subjects) if len(subjects) > 1 else subjects[0]
    return Assuming(Private(subject, *inputs, "approximate", losses), trusts)


def within(
    pairs: list[Pair], epsilon: str, delta: str, engine: str, evidence: Mapping[str, str]
) -> tuple[tuple[Term, Term], frozenset[str]]:
    """epsilon and delta, if the engine shows them of the product of the pairs, and who is believed for it."""
    at, limit = exact(epsilon, "epsilon"), exact(delta, "delta")
    require(at >= 0 and 0 <= limit < 1, f"epsilon must be >= 0, and delta >= 0 and < 1, got {at} and {limit}")
    found, trusts = greatest_delta(pairs, at, engine, evidence)
    require(found <= limit, f"the engine shows a delta of about {float(found):.6g} at {epsilon}, and not {delta}")
    return (number(at), number(limit)), trusts | {ARB}


def greatest_delta(
    pairs: list[Pair], epsilon: Fraction, engine: str, evidence: Mapping[str, str]
) -> tuple[Fraction, frozenset[str]]:
    """At least the delta of the product of the pairs, in both orders, and who is believed for it."""
    module: Any = import_module(ENGINE)
    found: tuple[Fraction, frozenset[str]] = module.greatest_delta(pairs, epsilon, engine, evidence)
    return found


def part(m: Relation, noise: str, rate: str, count: str) -> tuple[Run, Pair]:
    """One part of a composition, and the pairs that dominate it."""
    require(isinstance(m, Private | Stable), "account takes private and stable claims")
    require(not names(m.term) and not m.given, f"all parameters must be numbers, got {m.term}")
    run, pair = of_noise(m, read(noise), sampled=bool(rate)) if noise else of_measure(m)
    if rate:
        run, pair = _sampled(run, pair, exact(rate, "rate"))
    times = exact(count, "count")
    require(times.denominator == 1 and 1 <= times <= MOST_COPIES, f"count must be 1 to {MOST_COPIES}, got {count}")
    if times > 1:
        run = replace(run, subject=apply("repeated", run.subject, number(times)))
    return run, replace(pair, count=pair.count * int(times))


def of_measure(m: Relation) -> tuple[Run, Pair]:
    """The mechanism of the claim, and the pair that every mechanism within its loss is dominated by."""
    if not isinstance(m, Private) or m.measure not in LOSSES:
        raise KernelError(f"without a noise, a pair is known under {', '.join(LOSSES)}, got {m.term}")
    return Run(m.subject, (m.domain, m.metric, m.d_in)), LOSSES[m.measure](*m.d_out)


def _response(epsilon: Term, *delta: Term) -> Pair:
    """Randomised response at epsilon, which tells everything with probability delta, if there is one."""
    e, failure = exact_real(str(epsilon), "epsilon"), sum((exact(str(d), "delta") for d in delta), Fraction(0))
    require(e >= 0 and 0 <= failure <= 1, f"epsilon must be >= 0 and delta from 0 to 1, got {e} and {failure}")
    return Pair("response", (e, failure))


def _normal(mu_squared: Term) -> Pair:
    """Two normal laws of variance 1, mu apart."""
    squared = exact(str(mu_squared), "mu_squared")
    require(squared >= 0, f"mu_squared must be >= 0, got {squared}")
    return Pair("normal", (squared,)) if squared > 0 else NOTHING


def _concentrated(rho: Term) -> Pair:
    """All that is known is zCDP."""
    found = exact(str(rho), "rho")
    require(found >= 0, f"rho must be >= 0, got {rho}")
    return Pair("concentrated", (found,)) if found > 0 else NOTHING


def renyi(*bounds: Term) -> Pair:
    """All that is known are Renyi divergences: order, epsilon, order, epsilon, ..."""
    numbers = tuple(exact(str(one), "order or epsilon") for one in bounds)
    require(len(numbers) > 0 and len(numbers) % 2 == 0, "there must be an order, and an epsilon of each")
    for order, epsilon in zip(numbers[::2], numbers[1::2], strict=True):
        require(order > 1 and epsilon >= 0, f"an order must be > 1, and its epsilon >= 0, got {order} and {epsilon}")
    return Pair("renyi", numbers)


def points(*bounds: Term) -> Pair:
    """All that is known are points of the curve: epsilon, delta, epsilon, delta, ..."""
    numbers = tuple(exact(str(one), "epsilon or delta") for one in bounds)
    require(len(numbers) > 0 and len(numbers) % 2 == 0, "there must be an epsilon, and a delta of each")
    for epsilon, delta in zip(numbers[::2], numbers[1::2], strict=True):
        fits = epsilon >= 0 and 0 <= delta <= 1
        require(fits, f"epsilon must be >= 0 and delta from 0 to 1, got {epsilon} and {delta}")
    return Pair("points", numbers)


def finite(first: Term, second: Term, *, ordered: bool) -> Pair:
    """Two laws on finitely many outcomes, by their masses."""
    one, other = (tuple(exact(str(mass), "a mass") for mass in law.arguments) for law in (first, second))
    require(len(one) == len(other) > 0, f"two laws must have as many outcomes, got {len(one)} and {len(other)}")
    laws = min(*one, *other) >= 0 and sum(one) == sum(other) == 1
    require(laws, "the masses of a law must be >= 0 and sum to 1")
    masses = tuple(mass for outcome in zip(one, other, strict=True) for mass in outcome)
    return Pair("ordered" if ordered else "finite", masses)


def bounded_range(length: Term) -> Pair:
    """All losses are in an interval of that length, in either order of the inputs."""
    found = exact_real(str(length), "the length")
    require(found >= 0, f"the length of an interval must be >= 0, got {length}")
    return Pair("bounded_range", (found,)) if found > 0 else NOTHING


LOSSES: Mapping[str, Callable[..., Pair]] = {
    "pure": _response, "approximate": _response, "gaussian": _normal, "concentrated": _concentrated, "renyi": renyi,
}  # fmt: skip
"""Measure -> the pair of a loss under it, or what is known in its place."""


def of_noise(m: Relation, noise: Term, *, sampled: bool) -> tuple[Run, Pair]:
    """T followed by the noise, and the pair of its noise moved as far as T goes."""
    if not isinstance(m, Stable):
        raise KernelError(f"noise must follow a stable claim, got {m.term}")
    one, dimension = (noise.arguments[0], noise.arguments[1]) if noise.operator == "coordinatewise" else (noise, None)
    kind = registry.lookup(one.operator, AdditiveNoise)
    require(not names(noise), f"all parameters of {noise} must be numbers")
    values = registry.values(kind, one)
    inputs = substitute(kind.domain, registry.bound(kind, one))
    whole = inputs if dimension is None else domain("vector", inputs, dimension)
    require(is_within(m.output_domain, whole), f"{m.output_domain} does not lie in {whole}")
    metrics = ("absolute",) if dimension is None else ("l1", "l2")
    require(m.output_metric in metrics, f"the noise needs {' or '.join(metrics)}, got {m.output_metric}")
    run, far = Run(apply("chain", m.subject, noise), (m.domain, m.metric, m.d_in)), m.d_out[0]
    root = far.arguments[0] if m.output_metric == "l2" and far.operator == "sqrt" else None
    distance = exact(str(far if root is None else root), "d_out")
    require(distance >= 0, f"d_out must be >= 0, got {far}")
    if m.output_metric != "l2":
        return run, moved(kind, values, distance)
    squared = distance**2 if root is None else distance
    return run, moved_in_l2(kind, values, squared, int(exact(str(dimension))), sampled=sampled)


def moved(kind: AdditiveNoise, values: Mapping[str, Fraction], distance: Fraction) -> Pair:
    """The pair of the noise of a number moved so far, or of a vector in L1."""
    is_normal, scale, step = shape_of(kind, values)
    if step is None:
        if is_normal:
            return _normal(number(distance**2 / scale**2))
        return Pair("laplace", (distance / scale,)) if distance > 0 else NOTHING
    steps = Fraction(floor(distance / step))
    if steps == 0:
        return NOTHING
    if is_normal:
        return Pair("discrete_gaussian", (scale**2 / step**2, steps))
    return Pair("discrete_laplace", (step / scale, steps))


def moved_in_l2(
    kind: AdditiveNoise, values: Mapping[str, Fraction], squared: Fraction, dimension: int, *, sampled: bool
) -> Pair:
    """The pair of normal noise of a vector of that dimension, moved by a distance in L2 of that square."""
    is_normal, scale, step = shape_of(kind, values)
    require(is_normal, f"{kind.stem} needs a distance in L1")
    if step is None:
        return _normal(number(squared / scale**2))
    variance, most = scale**2 / step**2, floor(squared / step**2)
    if most == 0:
        return NOTHING
    if most <= FEW_STEPS and not sampled:  # that many coordinates move by one step, each with noise of its own
        return Pair("discrete_gaussian", (variance, Fraction(1)), min(most, dimension))
    return Pair("discrete_gaussian", (variance, Fraction(min(most, isqrt(dimension * most)))))


def shape_of(kind: AdditiveNoise, values: Mapping[str, Fraction]) -> tuple[bool, Fraction, Fraction | None]:
    """Whether the noise is normal, else Laplace's, by its formula; its scale, and the step of its grid if it has one.

    KernelError for other noise.
    """
    others = [parameter for parameter in kind.parameters if parameter != "granularity"]
    s, z, weight = name(others[0]), name("z"), kind.log_weight.at()
    known = {-(z**2) / (2 * s**2): True, -abs(z) / s: False}
    require(len(others) == 1 and weight in known, f"no pair of {kind.stem} is known")
    scale, step = values[others[0]], values["granularity"] if kind.on_grid else None
    require(scale > 0 and (step is None or step > 0), f"scale and granularity of {kind.stem} must be > 0")
    return known[weight], scale, step


def _sampled(run: Run, pair: Pair, rate: Fraction) -> tuple[Run, Pair]:
    """The part on a Poisson sample of the rows."""
    domain, metric, d_in = run.inputs
    one_row = (domain.operator, metric, d_in) == ("table", "symmetric", number(1))
    require(one_row, f"a sample must be of tables, one row added or removed, got {run.near}")
    return replace(run, subject=apply("poisson_sampled", number(rate), run.subject)), on_sample(pair, rate)


BOUNDS = ("concentrated", "renyi", "points", "shuffled_response", "shuffled")
"""What is known in the place of a pair of laws, or of the answers of all users: of samples it says nothing."""


def on_sample(pair: Pair, rate: Fraction, scheme: str = "poisson") -> Pair:
    """The pair on a sample, from that between the samples of the scheme that are neighbours."""
    require(0 <= rate <= 1, f"rate must be from 0 to 1, got {rate}")
    if pair.name == "bounded_range" and rate < 1:  # then no loss is greater than the interval is long
        pair = replace(pair, name="response", numbers=(*pair.numbers, Fraction(0)))
    require(pair.name not in BOUNDS, f"what is known by {pair.name} alone has no bound on samples")
    if rate == 0:
        return NOTHING
    if rate == 1:
        return moved_twice(pair) if scheme == "replaced" and pair != NOTHING else pair
    return replace(pair, rate=rate, scheme=scheme)


def moved_twice(pair: Pair) -> Pair:
    """The pair of noise that is moved twice as far."""
    first, *rest = pair.numbers
    match pair.name, rest:
        case "normal", []:
            return replace(pair, numbers=(4 * exact(first),))
        case "laplace", []:
            return replace(pair, numbers=(2 * exact(first),))
        case (("discrete_laplace" | "discrete_gaussian"), [steps]):
            return replace(pair, numbers=(first, 2 * exact(steps)))
    raise KernelError(f"a pair {pair.name} is not that of noise")
