"""Pipelines: transformations and measurements with their maps, chained by `>>`, run exactly.

    clamped_sum(0, 12) >> discrete_laplace(scale=25)

A pipeline holds a subject (what it is, as a term) and maps; it knows no proof.  `refdp.theorem` proves its map.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from numbers import Integral
from operator import index
from typing import Any, NoReturn, Protocol, overload

from refdp.numerics.exact import ExactReal, NotExact, decide, exact, exact_number, exact_real, upper_bound
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import mass
from refdp.sampling.drawing import Randomness, require_source
from refdp.sampling.entropy import Bits
from refdp.sampling.single import Single
from refdp.sampling.tables import has_numpy, is_array
from refdp.sampling.words import SYSTEM_WORDS, Source
from refdp.spec import registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.conversions import concentrated_of_pure, epsilon_of_concentrated, epsilon_of_renyi
from refdp.spec.domains import contains, is_domain, is_within
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.samplers import SCHEMES
from refdp.spec.semantics import value
from refdp.spec.signatures import Signature, noise_signature
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, names, substitute

Exactly = int | Fraction | str
"""An exact number as users write it: int, Fraction or text such as "3/10"."""
Loss = Fraction | ExactReal
D_IN, LENGTH = Term("name", (), "d_in"), Term("name", (), "n")
NUMBERS = frozenset({"reals", "grid", "bounded", "interval", "finite", "category"})
"""The domains of single numbers."""


class PipelineError(ValueError):
    """A pipeline was built or used where its domains, metrics or parameters do not fit."""


@dataclass(frozen=True, slots=True, repr=False)
class Transformation:
    """A deterministic map of data with its stability map: inputs within d_in give outputs within map(d_in)."""

    subject: Term
    input_domain: Term
    input_metric: str
    output_domain: Term
    output_metric: str
    d_out: Term
    """The stability map, as a term in d_in."""
    when: tuple[Term, ...] = ()
    """What d_in must meet for the map to be stated there."""
    parts: tuple[Transformation, Transformation] | None = None
    """The two that it is chained of: its subject alone does not say in which metric they meet."""
    at_one: bool = False
    """Whether the map is stated at d_in = 1 alone."""

    def __repr__(self) -> str:
        return f"{self.subject}: {self.input_domain}, {self.input_metric} -> {self.output_domain}, {self.output_metric}"

    def map(self, d_in: Exactly) -> Loss:
        """The least distance of outputs that is proved for inputs at distance d_in; rounded up if irrational.

        PipelineError where the map says nothing of that distance.
        """
        _insist_stated(self, d_in)
        return _mapped(self.d_out, d_in)

    def check(self, d_in: Exactly, d_out: Exactly) -> bool:
        """Whether inputs within d_in always give outputs within d_out."""
        _insist_stated(self, d_in)
        return _checked(self.d_out, d_in, d_out)

    def __call__(self, x: Any) -> Any:
        """T(x), exact."""
        return self.invoke(x)

    def invoke(self, x: Any) -> Any:
        """T(x), exact; PipelineError unless x is a member of the input domain.

        An array of whole numbers is a table of one column; a table of it that T makes is one of int64.
        """
        if is_array(x):
            column = _column(self.input_domain, x)
            if column is not None:
                return _transformed(self.subject, column)
        return value(self.subject, _member(self.input_domain, x))

    @overload
    def __rshift__(self, other: Transformation) -> Transformation: ...
    @overload
    def __rshift__(self, other: Measurement) -> Measurement: ...
    def __rshift__(self, other: Transformation | Measurement) -> Transformation | Measurement:
        """First self, then other; PipelineError if domain or metric do not meet."""
        if not isinstance(other, Transformation | Measurement):
            raise PipelineError(
                f"what follows a transformation must be one, too, or a measurement, got {other!r}"
                + "; a function of an output follows the measurement" * isinstance(other, Function)
            )
        inputs = _with_candidates(other.input_domain, self.output_domain)
        if not is_within(self.output_domain, inputs):
            raise PipelineError(f"the output domain {self.output_domain} does not lie in the input domain {inputs}")
        if self.output_metric != other.input_metric:
            raise PipelineError(f"the output metric {self.output_metric} is not the input metric {other.input_metric}")
        subject, near = apply("chain", self.subject, other.subject), {"d_in": self.d_out}
        when = (*self.when, *(substitute(condition, near) for condition in other.when))
        if self.input_domain.operator == "table":  # whose distances are whole, so that the least decides
            _insist(when, Fraction(1))
        if other.at_one and not self.check(1, 1):
            raise PipelineError(f"the map of {other.subject} is stated at d_in = 1, but {self.subject} moves further")
        if isinstance(other, Transformation):
            far = substitute(other.d_out, near)
            return Transformation(
                subject, self.input_domain, self.input_metric, other.output_domain, other.output_metric, far, when,
                (self, other), self.at_one or other.at_one,
            )  # fmt: skip
        losses = tuple(substitute(t, near) for t in other.d_out)
        at_one = self.at_one or other.at_one
        is_plain = self.parts is None and other.recipe is None and not at_one
        recipe = None if is_plain else Recipe("chain", (self, other))
        return Measurement(subject, self.input_domain, self.input_metric, other.measure, losses, recipe, at_one, when)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a measurement was made of others, where its subject alone does not say: which rule, and of what."""

    rule: str
    parts: tuple[Transformation | Measurement, ...]
    data: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Function:
    """A registered function of an output alone: post-processing costs nothing."""

    subject: Term


@dataclass(frozen=True, slots=True, repr=False)
class Measurement:
    """A random map of data with its privacy map: inputs within d_in give output laws within map(d_in)."""

    subject: Term
    input_domain: Term
    input_metric: str
    measure: str
    d_out: tuple[Term, ...]
    """The privacy map, as terms in d_in: (epsilon), (epsilon, delta), (rho) or (order, epsilon)."""
    recipe: Recipe | None = field(default=None, compare=False)
    at_one: bool = False
    """Whether the map is stated at d_in = 1 alone."""
    when: tuple[Term, ...] = ()
    """What d_in must meet for the map to be stated there."""
    _single: Single = field(default_factory=Single, init=False, compare=False)

    def __repr__(self) -> str:
        return f"{self.subject}: {self.input_domain}, {self.input_metric} -> {self.measure}"

    def map(self, d_in: Exactly) -> Any:
        """The least privacy loss that is proved at distance d_in, a tuple under measures of two numbers."""
        _insist_stated(self, d_in)
        found = tuple(_mapped(t, d_in) for t in self.d_out)
        return found[0] if len(found) == 1 else found

    def check(self, d_in: Exactly, d_out: Exactly | tuple[Exactly, ...]) -> bool:
        """Whether inputs within d_in always give output laws within d_out."""
        _insist_stated(self, d_in)
        bounds = d_out if isinstance(d_out, tuple) else (d_out,)
        if len(bounds) != len(self.d_out):
            raise PipelineError(f"d_out must be {len(self.d_out)} number(s) under {self.measure}, got {len(bounds)}")
        return all(_checked(t, d_in, bound) for t, bound in zip(self.d_out, bounds, strict=True))

    def __rshift__(self, function: Function) -> Measurement:
        """First self, then a function of its output, under the same map."""
        if not isinstance(function, Function):
            raise PipelineError(f"what follows a measurement must be a function of its output, got {function!r}")
        wanted, there = _columns(function.subject), _dimension(self.subject)
        if wanted is not None and there is not None and wanted != there:
            raise PipelineError(f"matrix must have a column for each of the {there} numbers it gets, got {wanted}")
        subject = apply("post_process", function.subject, self.subject)
        recipe = Recipe("post_process", (self,), {"function": function.subject})
        return replace(self, subject=subject, recipe=recipe)

    def to_concentrated(self) -> Measurement:
        """The same under zCDP: a pure epsilon is epsilon^2 / 2."""
        if self.measure != "pure":
            raise PipelineError(f"the measure must be pure to become concentrated, got {self.measure}")
        return self._converted("concentrated", concentrated_of_pure(self.d_out[0]))

    def to_renyi(self, order: Exactly) -> Measurement:
        """The same under Renyi DP at an order > 1: rho is order rho."""
        if self.measure != "concentrated":
            raise PipelineError(f"the measure must be concentrated to become renyi, got {self.measure}")
        at = Term("number", (), exact(order, "order"))
        if at.rational <= 1:
            raise PipelineError(f"order must be > 1, got {order}")
        return self._converted("renyi", at, self.d_out[0] * at)

    def to_approximate(self, delta: Exactly = 0) -> Measurement:
        """The same under approximate DP, at a delta with 0 < delta < 1; of a pure epsilon at delta = 0."""
        chosen = Term("number", (), exact(delta, "delta"))
        if self.measure == "pure":
            if chosen.rational != 0:
                raise PipelineError(f"delta must be 0 where pure DP becomes approximate, got {delta}")
            return self._converted("approximate", self.d_out[0], chosen)
        if self.measure not in ("concentrated", "renyi"):
            raise PipelineError(f"the measure must be pure, concentrated or renyi, got {self.measure}")
        if not 0 < chosen.rational < 1:
            raise PipelineError(f"delta must be > 0 and < 1, got {delta}")
        if self.measure == "concentrated":
            return self._converted("approximate", epsilon_of_concentrated(self.d_out[0], chosen), chosen)
        order, epsilon = self.d_out
        return self._converted("approximate", epsilon_of_renyi(order, epsilon, chosen), chosen)

    def _converted(self, measure: str, *losses: Term) -> Measurement:
        """The same under another measure."""
        recipe = Recipe("convert", (self,), {"order": losses[0], "delta": losses[-1]})
        return replace(self, measure=measure, d_out=losses, recipe=recipe)

    def __call__(self, x: Any, bits: Bits | None = None, source: Source | None = None) -> Any:
        """One exact draw of M(x): `invoke`, which a whole number need not go through each time."""
        if x.__class__ is int and bits is None and source is None:
            draw = self._single.draw or self._single.found(self.subject, self._refuse)
            if draw is not None:
                return draw(x)
        return self.invoke(x, bits, source)

    def _refuse(self) -> NoReturn:
        """PipelineError: what was given is no input."""
        raise PipelineError(f"the input must be a member of {self.input_domain}")

    def invoke(self, x: Any, bits: Bits | None = None, source: Source | None = None) -> Any:
        """One exact draw of M(x) from the operating system's entropy, or from flips or digits supplied (for tests).

        A mechanism on numbers, or noise on a vector, gives ints for ints if its granularity is whole, and int64 for an
        array of int64, OverflowError where that cannot hold M(x); all other numbers are Fractions.
        """
        randomness = Randomness(bits, source)
        if is_array(x) and self.subject.operator == "coordinatewise":
            return randomness.on_array(self.subject.arguments[0], _of_length(x, self.subject.arguments[1]))
        if bits is None and (chosen := randomness.choice(self.subject, x)) is not None:
            return chosen
        if is_array(x) and _is_straight(self.subject):
            column = _column(self.input_domain, x)
            if column is not None:
                return randomness.draw(self.subject, column, _transformed)
        found = randomness.draw(self.subject, _member(self.input_domain, x))
        return _whole(found) if _are_whole(x) and _keeps_whole(self.subject) else found

    def each(
        self,
        inputs: Any,
        scales: Any = None,
        *,
        out: Any = None,
        bits: Bits | None = None,
        source: Source | None = None,
    ) -> Any:
        """Independent draws of M(x), one for each x of `inputs`: the privacy map holds for each on its own.

        A list or tuple gives a tuple, of ints where `invoke` gives one; an array of whole numbers of any type, for a
        mechanism on single numbers, gives int64 of the same shape, or is written to `out`, an array of any integers,
        which may be `inputs`.  With `scales`, one for each input, noise has them in place of its own scale, and the map
        of M at that scale holds.  OverflowError where an output does not fit; `out` is then partly written.

        >>> from refdp import truncated_geometric
        >>> truncated_geometric(scale="1/10000", lower=0, upper=9).each([3, 4])
        (3, 4)
        """
        randomness = Randomness(bits, source)
        if is_array(inputs):
            if scales is not None:
                return randomness.at_scales(self.subject, inputs, scales, out)
            return randomness.on_array(self.subject, inputs, out)
        if not isinstance(inputs, list | tuple):
            raise PipelineError(f"inputs must be a list, a tuple or an array, got {inputs!r}")
        if out is not None:
            raise PipelineError("out must not be given but for an array")
        if scales is None and bits is None and source is None and all(x.__class__ is int for x in inputs):
            return tuple([self(x) for x in inputs])
        members = [_member(self.input_domain, x) for x in inputs]
        if scales is not None:
            found = randomness.at_scales(self.subject, members, scales)
        elif self.subject.operator in SCHEMES and self.input_domain.operator in NUMBERS:
            found = randomness.several(self.subject, members)
        else:
            return tuple([self.invoke(x, bits, source) for x in inputs])
        return _whole(found) if _are_whole(inputs) and _keeps_whole(self.subject) else found

    def reports(self, inputs: Any, hashes: Any = None, *, source: Source | None = None) -> Any:
        """Independent reports of a local randomiser, one for each input: the privacy map holds for each on its own.

        An array or list of values, or of filters with a row of bits each, gives `Reports`: drawn in arrays, by the
        million, from the law of M, each report from flips of its own.  Of a sketch the inputs are values, and row v of
        `hashes` has the hash of v by each function.  numpy must be there; PipelineError where it is not, or where M has
        no reports, or an input is none.

        >>> from refdp import symmetric_unary_encoding
        >>> found = symmetric_unary_encoding(3, "2/3").reports([0, 2, -1])
        >>> len(found), len(found[0])
        (3, 3)
        """
        if not has_numpy():
            raise PipelineError("numpy must be installed for reports in bulk: pip install 'refdp[bulk]'")
        require_source(source)
        try:
            drawn = import_module("refdp.sampling.bulk.reports").drawn
            return drawn(self.subject, inputs, hashes, source or SYSTEM_WORDS)
        except ValueError as error:
            raise PipelineError(str(error)) from None

    def pmf(self, output: Any, x: Any, bits: int = 64) -> Interval:
        """A certified enclosure of P[M(x) = output], of one point where it is rational."""
        return mass(self.subject, exact_data(output), _member(self.input_domain, x), bits)


def measurement(kind: registry.Kind, signature: Signature, **parameters: Fraction | Term) -> Measurement:
    """The measurement of a registered kind at exact parameters; PipelineError if they break a condition."""
    values = _terms(kind, parameters)
    change = _substitution(values)
    losses = tuple(change(t) for t in signature.d_out)
    when = tuple(change(c) for c in signature.conditions if "d_in" in names(c) and c != (0 <= D_IN))
    return Measurement(
        change(signature.subject), change(signature.domain), signature.metric, signature.far, losses, when=when
    )


def row_domain(written: Term | str, parameter: str) -> Term:
    """The domain of rows that a text such as "grid(1)" or a term writes down; PipelineError if it is none."""
    found = read(written) if isinstance(written, str) else written
    if not isinstance(found, Term) or not is_domain(found):
        raise PipelineError(f'{parameter} must be a domain such as "grid(1)" or "records()", got {written!r}')
    return found


def noise_measurement(
    noise: AdditiveNoise, measure: str, dimension: Exactly | None, **parameters: Fraction
) -> Measurement:
    """Additive noise on a number or, with a dimension, independently on each coordinate of a vector."""
    if dimension is None:
        return measurement(noise, noise_signature(noise, measure), **parameters)
    n = exact(dimension, "dimension")
    if n.denominator != 1 or n < 1:
        raise PipelineError(f"dimension must be a whole number >= 1, got {n}")
    return measurement(noise, noise_signature(noise, measure, vector=True), **parameters, dimension=n)


class Searching(Protocol):
    """A kind whose answers a search finds, at parameters of which the conditions hold."""

    def require_reachable(self, values: Mapping[str, Fraction]) -> None:
        """TermError where the search would not end soon enough, whatever the table."""


def reachable(kind: Searching, given: Mapping[str, Exactly]) -> dict[str, Fraction]:
    """The exact parameters; PipelineError where the search would not end soon: of others the conditions tell."""
    values = {key: exact(value, key) for key, value in given.items()}
    if values["dimension"].denominator == 1 and min(values.values()) > 0:
        try:
            kind.require_reachable(values)
        except TermError as unreachable:
            raise PipelineError(str(unreachable)) from None
    return values


def transformation(kind: registry.Kind, signature: Signature, **parameters: Fraction | Term) -> Transformation:
    """The transformation of a registered kind at exact parameters; PipelineError if they break a condition."""
    if signature.output_domain is None:
        raise PipelineError(f"{kind.stem} is not a transformation")
    change = _substitution(_terms(kind, parameters))
    inputs, outputs = change(signature.domain), change(signature.output_domain)
    far = change(signature.d_out[0])
    when = tuple(change(c) for c in signature.conditions if c.operator == "multiple" and "d_in" in names(c))
    at_one = signature.d_in == Term("number", (), Fraction(1))
    return Transformation(
        change(signature.subject), inputs, signature.metric, outputs, signature.far, far, when, at_one=at_one
    )


def _terms(kind: registry.Kind, parameters: dict[str, Fraction | Term]) -> dict[str, Term]:
    """The parameters as terms, every condition checked."""
    values = {key: v if isinstance(v, Term) else Term("number", (), v) for key, v in parameters.items()}
    for condition in kind.conditions:
        if not names(closed := substitute(condition, values)) and not registry.condition_holds(closed, {}):
            raise PipelineError(_refusal(condition, values))
    return values


def _refusal(condition: Term, values: dict[str, Term]) -> str:
    """`scale must be > 0, got 0`: the condition in words, with the values of its names."""
    got = ", ".join(f"{key} = {values[key]}" for key in sorted(names(condition)) if key in values)
    match condition.operator, condition.arguments:
        case (("<" | "<="), (low, Term("name", (), key))) if low.operator == "number":
            return f"{key} must be {'>' if condition.operator == '<' else '>='} {low}, got {values[str(key)]}"
        case (("<" | "<="), (Term("name", (), key), high)) if high.operator == "number":
            return f"{key} must be {condition.operator} {high}, got {values[str(key)]}"
        case "integer", (Term("name", (), key),):
            return f"{key} must be a whole number, got {values[str(key)]}"
        case "multiple", (a, b):
            return f"{a} must be a whole multiple of {b}, got {got}"
    return f"{condition} must hold, got {got}"


def _substitution(values: dict[str, Term]) -> Any:
    """Replaces parameters in a term."""
    return lambda t: substitute(t, values)


def _insist_stated(one: Transformation | Measurement, d_in: Exactly) -> None:
    """PipelineError where the map says nothing of that distance."""
    distance = exact(d_in, "d_in")
    if one.at_one and distance != 1:
        raise PipelineError(f"d_in must be 1, where the map of {one.subject} is stated, got {d_in}")
    _insist(one.when, distance)


def _insist(when: tuple[Term, ...], distance: Fraction) -> None:
    """PipelineError unless all that is asked of d_in holds of that distance."""
    values = {"d_in": Term("number", (), distance)}
    for condition in when:
        closed = substitute(condition, values)
        if not (decide(closed) if closed.operator in ("<", "<=") else registry.condition_holds(closed, {})):
            if condition.operator != "multiple":
                raise PipelineError(f"{condition} must hold, got {distance}")
            moved, step = substitute(condition, values).arguments
            got = f"{exact_number(moved)} at d_in = {distance}"
            raise PipelineError(f"what is rounded must move by a whole multiple of {step}, got {got}")


def _mapped(d_out: Term, d_in: Exactly) -> Loss:
    """The map at d_in; a rational upper bound of 12 digits where it is not of the form a + ln(b)."""
    distance = exact(d_in, "d_in")
    if distance < 0:
        raise PipelineError(f"d_in must be >= 0, got {distance}")
    closed = substitute(d_out, {"d_in": Term("number", (), distance)})
    try:
        return exact_number(closed)
    except NotExact:
        return upper_bound(closed)


def _checked(d_out: Term, d_in: Exactly, bound: Exactly) -> bool:
    """Whether the map at d_in is at most the bound, decided exactly."""
    closed = substitute(d_out, {"d_in": Term("number", (), exact(d_in, "d_in"))})
    limit = exact_real(bound, "d_out").term
    return decide(closed <= limit)


def _member(domain: Term, x: Any) -> Any:
    """`x` with its numbers exact; PipelineError unless it is a member of the domain.

    A number that is no category may be given as a text: what refuses a float says so.
    """
    found = exact_data(x)
    if isinstance(found, str) and domain.operator in ("reals", "grid", "bounded", "interval"):
        with suppress(NotExact):
            found = exact(found, "input")
    if isinstance(found, tuple) and domain.operator in NUMBERS:
        raise PipelineError(
            f"the input must be one number, a member of {domain}, got {len(found)}: for one vector give the mechanism "
            "a dimension, for independent draws, one of each number, call `each`"
        )
    if isinstance(found, tuple):
        domain = _with_candidates(domain, apply("vector", domain, Term("number", (), Fraction(len(found)))))
    if names(domain) or not contains(domain, found):
        raise PipelineError(f"the input must be a member of {domain}")
    return found


def _column(domain: Term, x: Any) -> Any:
    """The array as int64, if it is a table of that domain; None where that is to be seen row by row."""
    numbers = import_module("refdp.sampling.bulk.drawing").checked(x)
    return numbers if import_module("refdp.sampling.bulk.columns").is_member(domain, numbers) else None


def _transformed(subject: Term, x: Any) -> Any:
    """T(x) of a table, in arrays where they suit it."""
    if is_array(x):
        columns = import_module("refdp.sampling.bulk.columns")
        try:
            return columns.value(subject, x)
        except columns.Unfit:
            x = exact_data(x)
    return value(subject, x)


def _columns(function: Term) -> int | None:
    """How many numbers the function of an output decodes; None for one that takes any output."""
    return len(function.arguments[0].arguments[0].arguments) if function.operator == "decode_output" else None


def _dimension(subject: Term) -> int | None:
    """How many numbers the mechanism answers with, where its name says so."""
    last = subject.arguments[-1] if subject.operator == "chain" else subject
    count = last.arguments[-1] if last.operator == "coordinatewise" else None
    return int(count.rational) if count is not None and count.operator == "number" else None


def _is_straight(subject: Term) -> bool:
    """Whether data reach every mechanism within it through transformations alone."""
    match subject.operator:
        case "chain":
            mechanism = subject.arguments[1]
            return mechanism.operator == "coordinatewise" or mechanism.operator in SCHEMES or _is_straight(mechanism)
        case "compose":
            return all(map(_is_straight, subject.arguments))
        case "post_process":
            return _is_straight(subject.arguments[1])
    return False


def _are_whole(x: Any) -> bool:
    """Whether x is a whole number, or a list or tuple of such."""
    return all(map(_are_whole, x)) if isinstance(x, list | tuple) else _is_whole(x)


def _is_whole(x: Any) -> bool:
    """Whether x is a whole number: numpy's durations say that they are `Integral`, too, but are no index."""
    return isinstance(x, Integral) and hasattr(x, "__index__")


def _keeps_whole(subject: Term) -> bool:
    """Whether a registered mechanism on single numbers, or on each coordinate, makes whole numbers of whole numbers."""
    inner = subject.arguments[0] if subject.operator == "coordinatewise" else subject
    if inner.operator not in SCHEMES:
        return False
    kind = registry.kind_of(inner.operator)
    if not isinstance(kind, AdditiveNoise | ClampedGeometric | FiniteLaw):
        return False
    granularity = registry.bound(kind, inner).get("granularity")
    return granularity is None or granularity.rational.denominator == 1


def _whole(found: Any) -> Any:
    """Fractions that are whole, as ints."""
    return tuple(map(int, found)) if isinstance(found, tuple) else int(found)


def _of_length(x: Any, dimension: Term) -> Any:
    """The array `x`; PipelineError unless it is a vector of that many elements."""
    if x.shape != (dimension.rational,):
        raise PipelineError(f"the input must be an array of shape ({dimension},), got {x.shape}")
    return x


def _with_candidates(domain: Term, scores: Term) -> Term:
    """A domain of scores of any number of candidates, or of data of any length, at that of `scores`; others stay."""
    if scores.operator != "vector":
        return domain
    dimension = scores.arguments[1]
    if domain.operator == "vector" and domain.arguments[1] == LENGTH:
        return substitute(domain, {"n": dimension})
    if names(domain) != frozenset({"candidates"}):
        return domain
    if dimension.operator == "number" and dimension.rational < 1:
        raise PipelineError(f"candidates must be >= 1, got {dimension}")
    return substitute(domain, {"candidates": dimension})


def exact_data(x: Any) -> Any:
    """`x` with whole numbers made Fraction and lists and arrays made tuples, also in records; a float is refused."""
    if is_array(x):
        return exact_data(import_module("refdp.sampling.bulk.drawing").checked(x).tolist())
    if isinstance(x, list | tuple):
        return tuple(map(exact_data, x))
    if isinstance(x, Mapping):
        return {key: exact_data(value) for key, value in x.items()}
    if isinstance(x, bool):
        return x
    if isinstance(x, float | int):
        return exact(x, "input")
    return Fraction(index(x)) if _is_whole(x) else x


__all__ = [
    "Exactly",
    "Function",
    "Measurement",
    "PipelineError",
    "Recipe",
    "Transformation",
    "exact_data",
    "measurement",
    "noise_measurement",
    "row_domain",
    "transformation",
]
