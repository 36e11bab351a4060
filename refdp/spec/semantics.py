"""What a subject does: the value of a transformation at an input, and the exact law of a finite mechanism.

A subject is a term: a registered stem with its parameters, or one of
    chain(T, M)  compose(M, N)  parallel(PARTITION, M_0, ..., M_k)  post_process(F, M)  coordinatewise(M, n)
    adaptive(M, N)  repeated(M, k)  poisson_sampled(RATE, M)  fixed_size_sampled(SIZE, M)  estimate(M, n)
    listed(tuple_of(MASSES, ...)), see refdp.spec.listed     public_coordinate(M, n)     reports_of_one(M, N, n)
    peeled(M, k)     one_shot(M, k)     tested(M, SCALE, THRESHOLD), see refdp.spec.propose_test_release
Composed mechanisms draw independently of each other; parallel gives M_i the rows that PARTITION sends to i.
adaptive gives the outcome of M to N under the name PREVIOUS; poisson_sampled gives M each row with probability RATE,
fixed_size_sampled one of the sets of SIZE rows, all equally likely;
peeled names k candidates, one after another, each by M of those that are left, and one_shot the k whose scores with
the noise of the noisy maximum M are the greatest, in order;
public_coordinate gives one of the n coordinates of its input to M, each as likely, and tells which with the outcome;
reports_of_one keeps one outcome of M to itself, and gives n independent reports by N of it;
estimate is the estimate that belongs to M from the mean of n independent outputs, one for each input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.cells import CellSum
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.domains import LONGEST_LIST, contains, domain
from refdp.spec.finite import FiniteLaw, FiniteWeights
from refdp.spec.formulas import Formula
from refdp.spec.level_sums import LevelSums
from refdp.spec.linear import LinearMap
from refdp.spec.listed import listed_law
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.minimisers import Minimiser
from refdp.spec.noise import AdditiveNoise
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.peeling import one_shot_law, peeled_law
from refdp.spec.propose_test_release import is_pair, tested_law
from refdp.spec.queries import MachineQuery, TableQuery
from refdp.spec.rates import BitOfRate
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rounding import Rounding
from refdp.spec.rows import RowFunction, RowSum
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.supported import SupportedLaw
from refdp.spec.unknown_keys import ThresholdedCounts
from refdp.terms.evaluation import RATIONALS, Arithmetic, evaluate
from refdp.terms.term import PREVIOUS, Term, TermError, apply, name, number, substitute, term

MOST_REPORTS = 1000
"""Most reports of one kept outcome whose joint law is worked out."""
DataMap = (
    RowFunction
    | RowSum
    | RescaledSum
    | CellSum
    | Rounding
    | LinearMap
    | LevelSums
    | (MedianBounds | Minimiser | TableQuery | MachineQuery)
)
"""The registered things that map data, without a draw."""
ReportLaw = BitwiseLaw | SupportedLaw | AboveThreshold | ThresholdedCounts
"""The mechanisms whose outcomes are reports: bits, sets and the like, no numbers."""
NumberLaw = FiniteLaw | FiniteWeights | ClampedGeometric | WeightedSelection | FlipSelection | NoisyMax | BitOfRate
"""The mechanisms of finitely many outcomes, which are numbers."""
FiniteMechanism = NumberLaw | ReportLaw


@dataclass(frozen=True, slots=True)
class PostFunction:
    """A registered function of an output and of the parameters, which reads nothing else."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    run: Callable[[Any, Mapping[str, Any]], Any]
    """The output, and what the parameters are: exact numbers, and terms where they are none."""
    reserved: ClassVar[str] = ""
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def image(self, function: Term, output: Any) -> Any:
        """What the closed function makes of an output."""
        return self.run(output, {**registry.bound(self, function), **registry.values(self, function)})


def value(subject: Term, x: Any) -> Any:
    """T(x) for a closed transformation; TermError if the subject is none."""
    if subject.operator == "chain":
        return value(subject.arguments[1], value(subject.arguments[0], x))
    kind = registry.kind_of(subject.operator)
    if not isinstance(kind, DataMap):
        raise TermError(f"{subject} is not a transformation")
    return kind.apply(subject, x)


def _tested(subject: Term, pair: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of the release of M(value), or of none, at a pair of a distance and a value."""
    mechanism, scale, threshold = subject.arguments
    if not is_pair(pair):
        raise TermError(f"the input of {subject} must be a whole number and a value")
    return tested_law(law(mechanism, pair[1], arithmetic), scale, threshold, pair[0], arithmetic)


def _kind(stem: str) -> Any:
    """The registered kind, or None for combinators."""
    return registry.kind_of(stem) if stem in registry.stems() else None


def law(subject: Term, x: Any, arithmetic: Arithmetic = RATIONALS) -> dict[Any, Any]:
    """Outcome -> probability of M(x), for a closed mechanism with finitely many outcomes."""
    arguments = subject.arguments
    match subject.operator:
        case "chain":
            return law(arguments[1], value(arguments[0], x), arithmetic)
        case "compose":
            return _product([law(m, x, arithmetic) for m in arguments], arithmetic)
        case "parallel":
            parts = split(arguments[0], len(arguments) - 1, x)
            return _product([law(m, p, arithmetic) for m, p in zip(arguments[1:], parts, strict=True)], arithmetic)
        case "post_process":
            return _pushed(arguments[0], law(arguments[1], x, arithmetic))
        case "adaptive":
            return _adaptive(arguments[0], arguments[1], x, arithmetic)
        case "repeated":
            times = whole_number(arguments[1], 1, LONGEST_LIST)
            return _product([law(arguments[0], x, arithmetic)] * times, arithmetic)
        case "poisson_sampled":
            return _sampled(arguments[0], arguments[1], x, arithmetic)
        case "fixed_size_sampled":
            return _sampled_exactly(arguments[0], arguments[1], x, arithmetic)
        case "listed":
            return listed_law(subject, x, arithmetic)
        case "public_coordinate":
            return _of_one_coordinate(arguments[0], arguments[1], x, arithmetic)
        case "reports_of_one":
            return _reports_of_one(arguments[0], arguments[1], arguments[2], x, arithmetic)
        case "peeled":
            return peeled_law(lambda scores: law(arguments[0], scores, arithmetic), arguments[1], x)
        case "tested":
            return _tested(subject, x, arithmetic)
        case "one_shot":
            return one_shot_law(arguments[0], arguments[1], x, arithmetic)
        case "estimate":
            return _estimated(arguments[0], arguments[1], x, arithmetic)
    kind = registry.kind_of(subject.operator)
    if not isinstance(kind, FiniteMechanism):
        raise TermError(f"{subject} has no finite law")
    if not _is_input(kind, subject, x):
        raise TermError(f"the input is not in the domain of {subject}")
    return kind.law(subject, x, arithmetic)


def _is_input(kind: FiniteMechanism, subject: Term, x: Any) -> bool:
    """Whether x is a member of the mechanism's own domain: elsewhere its masses need not be a law."""
    if isinstance(kind, WeightedSelection | FlipSelection | NoisyMax):
        return isinstance(x, tuple) and len(x) > 0 and all(isinstance(score, Fraction) for score in x)
    if isinstance(kind, AboveThreshold):
        answers = substitute(kind.domain, registry.bound(kind, subject))
        return isinstance(x, tuple) and len(x) > 0 and all(contains(answers, answer) for answer in x)
    return contains(substitute(kind.domain, registry.bound(kind, subject)), x)


def split(partition: Term, parts: int, table: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of the table by the part, 0 to parts - 1, that the row function `partition` sends them to."""
    kind = registry.lookup(partition.operator, RowFunction)
    labels = [kind.apply(partition, (row,)) for row in table]
    pairs = list(zip(labels, table, strict=True))
    return [tuple(row for label, row in pairs if label == (Fraction(i),)) for i in range(parts)]


def has_loss(subject: Term) -> bool:
    """Whether it is additive noise on a grid: alone, after transformations, on coordinates, or several at once."""
    match subject.operator, subject.arguments:
        case "chain", (_, second):
            return has_loss(second)
        case "compose", parts:
            return all(map(has_loss, parts))
        case "parallel", (_, *parts):
            return all(map(has_loss, parts))
        case "coordinatewise", (one, _):
            return has_loss(one)
    kind = _kind(subject.operator)
    return isinstance(kind, AdditiveNoise) and kind.on_grid


def loss(subject: Term, output: Any, a: Any, b: Any) -> Fraction:
    """ln(P[M(a) = output] / P[M(b) = output]) where `has_loss`, exactly; TermError if it is no outcome."""
    match subject.operator, subject.arguments:
        case "chain", (first, second):
            return loss(second, output, value(first, a), value(first, b))
        case "compose", parts:
            return sum((loss(m, y, a, b) for m, y in zip(parts, output, strict=True)), Fraction(0))
        case "parallel", (partition, *parts):
            splits = [split(partition, len(parts), table) for table in (a, b)]
            return sum((loss(m, *rest) for m, *rest in zip(parts, output, *splits, strict=True)), Fraction(0))
        case "coordinatewise", (one, dimension):
            coordinates = [(one, *point) for point in zip(output, a, b, strict=True)]
            if len(coordinates) != evaluate(dimension, {}):
                raise TermError(f"{output} is not an outcome of {subject}")
            return sum((loss(*point) for point in coordinates), Fraction(0))
    noise = registry.lookup(subject.operator, AdditiveNoise)
    if not all(contains(substitute(noise.domain, registry.bound(noise, subject)), x) for x in (output, a, b)):
        raise TermError(f"{output} is not an outcome of {subject}")
    return noise.loss(subject, output, a, b)


def draws_numbers(subject: Term) -> bool:
    """Whether the outcomes are countably many numbers: noise on a grid or a finite mechanism, alone, after a map of
    the data, or on a sample of the rows."""
    match subject.operator, subject.arguments:
        case (("chain" | "poisson_sampled" | "fixed_size_sampled"), (_, second)):
            return draws_numbers(second)
        case "listed", _:
            return True
    kind = _kind(subject.operator)
    return isinstance(kind, NumberLaw) or (isinstance(kind, AdditiveNoise) and kind.on_grid)


def whole_number(t: Term, least: int, greatest: int) -> int:
    """The value of a closed term; TermError unless it is whole and from `least` to `greatest`."""
    found = Fraction(evaluate(t, {}))
    if found.denominator != 1 or not least <= found <= greatest:
        raise TermError(f"{t} must be a whole number from {least} to {greatest}")
    return int(found)


def _adaptive(first: Term, second: Term, x: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of (y, z): y drawn by the first, z by the second with y for PREVIOUS."""
    joint: dict[Any, Any] = {}
    for y, p in law(first, x, arithmetic).items():
        for z, q in law(substitute(second, {PREVIOUS: term(Fraction(y))}), x, arithmetic).items():
            joint[y, z] = p * q
    return joint


def _sampled(rate: Term, mechanism: Term, table: Sequence[Any], arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of the mechanism on a sample: each row is in it with probability `rate`, independently."""
    chance = Fraction(evaluate(rate, {}))
    if not 0 <= chance <= 1 or 2 ** len(table) > LONGEST_LIST:
        raise TermError(f"a rate must be in [0, 1] and a table short, got {rate} and {len(table)} rows")
    samples: dict[tuple[Any, ...], Fraction] = {(): Fraction(1)}
    for row in table:
        kept: dict[tuple[Any, ...], Fraction] = {}
        for sample, p in samples.items():
            for longer, q in (((*sample, row), chance), (sample, 1 - chance)):
                kept[longer] = kept.get(longer, Fraction(0)) + p * q
        samples = kept
    return _mixture(samples, mechanism, arithmetic)


def _sampled_exactly(size: Term, mechanism: Term, table: Sequence[Any], arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of the mechanism on a sample of `size` rows: each set of so many positions is as likely as another."""
    chosen = whole_number(size, 1, len(table))
    if comb(len(table), chosen) > LONGEST_LIST:
        raise TermError(f"there are more than {LONGEST_LIST} samples")
    found = Counter(combinations(table, chosen))
    chances = {sample: Fraction(count, found.total()) for sample, count in found.items()}
    return _mixture(chances, mechanism, arithmetic)


def _mixture(samples: Mapping[tuple[Any, ...], Fraction], mechanism: Term, arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of the mechanism on a random table."""
    mixed: dict[Any, Any] = {}
    for sample, p in samples.items():
        for y, q in law(mechanism, sample, arithmetic).items():
            mixed[y] = mixed[y] + arithmetic.number(p) * q if y in mixed else arithmetic.number(p) * q
    return mixed


def _product(laws: Sequence[Mapping[Any, Any]], arithmetic: Arithmetic) -> dict[Any, Any]:
    """The joint law of independent draws."""
    joint: dict[Any, Any] = {(): arithmetic.number(Fraction(1))}
    for one in laws:
        if len(joint) * len(one) > LONGEST_LIST:
            raise TermError(f"a joint law has more than {LONGEST_LIST} outcomes")
        joint = {(*head, y): p * q for head, p in joint.items() for y, q in one.items()}
    return joint


def _estimated(subject: Term, n: Term, inputs: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of the estimate from the mean of independent outputs M(x_1), ..., M(x_n)."""
    kind = registry.lookup(subject.operator, FiniteLaw)
    bits = substitute(apply("vector", kind.domain, n), registry.bound(kind, subject))
    if kind.estimator is None or not contains(bits, inputs) or len(inputs) == 0:
        raise TermError(f"{subject} has no estimate from these inputs")
    total = {Fraction(0): arithmetic.number(Fraction(1))}
    for x in inputs:
        total = _summed(total, kind.law(subject, x, arithmetic))
    values, estimate, found = registry.values(kind, subject), kind.estimator.at(name("mean")), dict[Any, Any]()
    for s, p in total.items():
        image = Fraction(evaluate(estimate, {**values, "mean": s / len(inputs)}))
        found[image] = found[image] + p if image in found else p
    return found


def _of_one_coordinate(mechanism: Term, n: Term, x: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of (i, M(x_i)) for a uniform i below n."""
    size = whole_number(n, 1, LONGEST_LIST)
    if not isinstance(x, tuple) or len(x) != size:
        raise TermError(f"the input must be a vector of {size} coordinates")
    chance, found = arithmetic.number(Fraction(1, size)), dict[Any, Any]()
    for i, one in enumerate(x):
        found |= {(i, y): chance * p for y, p in law(mechanism, one, arithmetic).items()}
        if len(found) > LONGEST_LIST:
            raise TermError(f"there are more than {LONGEST_LIST} outcomes")
    return found


def _reports_of_one(kept: Term, reporting: Term, n: Term, x: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """The law of n independent reports of one outcome that is kept."""
    times, found = whole_number(n, 1, MOST_REPORTS), dict[Any, Any]()
    for y, p in law(kept, x, arithmetic).items():
        one = _product([law(reporting, exact_outcome(y), arithmetic)] * times, arithmetic)
        for reports, q in one.items():
            found[reports] = found[reports] + p * q if reports in found else p * q
        if len(found) > LONGEST_LIST:
            raise TermError(f"there are more than {LONGEST_LIST} outcomes")
    return found


def exact_outcome(outcome: Any) -> Any:
    """An outcome as an input: bits are numbers."""
    return tuple(map(exact_outcome, outcome)) if isinstance(outcome, tuple) else Fraction(outcome)


def outcomes(subject: Term) -> Term:
    """The domain of the outcomes of a registered mechanism, where they may be another's inputs; TermError elsewhere."""
    kind = registry.kind_of(subject.operator)
    match kind:
        case BitwiseLaw(sent=None):
            found = domain("vector", domain("finite", number(2)), kind.dimension.at())
        case BitOfRate():
            return domain("finite", number(2))
        case FiniteLaw():
            found = kind.domain
        case _:
            raise TermError(f"the outcomes of {subject} are no inputs of another mechanism")
    return substitute(found, registry.bound(kind, subject))


def _summed(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> dict[Any, Any]:
    """The law of the sum of two independent draws."""
    found: dict[Any, Any] = {}
    for (a, p), (b, q) in product(first.items(), second.items()):
        found[a + b] = found[a + b] + p * q if a + b in found else p * q
    return found


def _pushed(function: Term, one: Mapping[Any, Any]) -> dict[Any, Any]:
    """The law of function(output)."""
    kind = registry.lookup(function.operator, PostFunction)
    pushed = dict[Any, Any]()
    for y, p in one.items():
        image = kind.image(function, y)
        pushed[image] = pushed[image] + p if image in pushed else p
    return pushed


def data(written: Term) -> Any:
    """The input or outcome that a term writes down: a rational, a text, or tuple_of(...) of such."""
    match written.operator:
        case "tuple_of":
            return tuple(map(data, written.arguments))
        case "text":
            return written.value
    return Fraction(evaluate(written, {}))


def written(x: Any) -> Term:
    """The term that writes down an input or outcome."""
    if isinstance(x, tuple):
        return apply("tuple_of", *map(written, x))
    return Term("text", (), x) if isinstance(x, str) else term(Fraction(x))
