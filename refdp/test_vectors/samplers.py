"""Samplers by name, run on tapes: the scalar specification on flips, exact slots and look-ups on octets.

Each gives its output and how many flips or octets it used; vectors/README.md says what each does, step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.sampling.coins import Coins
from refdp.sampling.lazy import geometric
from refdp.sampling.lookup import Categorical, Exponentials, LookupDraws, Masses
from refdp.sampling.tree import OutOfBits
from refdp.sampling.words import Recorded
from refdp.test_vectors import laws
from refdp.test_vectors.certificates import slots_of
from refdp.test_vectors.numbers import VectorError, rational, shown, whole
from refdp.test_vectors.tapes import record_of, tape_of_flips

EXHAUSTED = "out_of_tape"
"""The output where the tape ends before the sampler does."""
MOST_DRAWS = 1000
LARGEST_RANGE = 10**30
MOST_ELEMENTS = 1000
Output = str | list[str]


@dataclass(frozen=True, slots=True)
class Draw:
    """An output, and how many flips or octets it took."""

    output: Output
    used: int


@dataclass(frozen=True, slots=True)
class Sampler:
    """What is run, whether its tape is read in flips or in octets, and whether it has an input."""

    unit: str
    run: Callable[[Any, Any, Any, Any], Output]
    has_input: bool = False


def text_of(x: Any) -> Output:
    """An output as text: a number, or a list of numbers."""
    return [str(one) for one in x] if isinstance(x, tuple | list) else str(Fraction(x))


def _parameters(found: Any, *names: str) -> list[Fraction]:
    """The parameters of these names, and no others."""
    if not isinstance(found, dict) or set(found) != set(names):
        raise VectorError(f"params must be {', '.join(names)}, got {shown(found)}")
    return [rational(found[name], name) for name in names]


def _scheme(stem: str) -> Sampler:
    """The scalar sampler of a mechanism, by its registered scheme."""

    def run(params: Any, x: Any, tape: Any, _: Any) -> Output:
        mechanism = laws.measurement_of(stem, laws.values_of(stem, params))
        return text_of(mechanism.invoke(laws.input_of(stem, x), tape))

    return Sampler("flips", run, has_input=True)


def _primitive(name: str, draw: Callable[[Coins, Fraction], Any]) -> Sampler:
    """A primitive of the scalar samplers, with one parameter."""
    return Sampler("flips", lambda params, _x, tape, _: text_of(draw(Coins(tape), *_parameters(params, name))))


def _small(x: Fraction, most: int) -> int:
    """A whole number, small enough."""
    return whole(str(x), "n", 1, most)


def _count(params: Any) -> int:
    """How many numbers are drawn."""
    return whole(params["count"], "count", 1, MOST_DRAWS)


def _slots_one(params: Any, _x: Any, source: Recorded, group: Any) -> Output:
    """One draw by exact slots."""
    _parameters(params)
    return text_of(slots_of(group).one(source))


def _slots_many(params: Any, _x: Any, source: Recorded, group: Any) -> Output:
    """Many draws by exact slots, from digits in the order in which arrays read them."""
    _parameters(params, "count")
    return text_of(slots_of(group).many(_count(params), source))


def _law(params: Any) -> Categorical:
    """A law on 0, 1, ...: by its masses, or by exponents."""
    for name, build in (("masses", Masses), ("exponents", Exponentials)):
        found = params.get(name) if isinstance(params, dict) else None
        if isinstance(found, list) and 1 <= len(found) <= MOST_ELEMENTS and set(params) <= {name, "count"}:
            law: Categorical = build(tuple(rational(one, name) for one in found))
            return law
    raise VectorError(f"params must have masses or exponents, 1 to {MOST_ELEMENTS} of them, got {shown(params)}")


def _lookup_one(params: Any, _x: Any, source: Recorded, _: Any) -> Output:
    """One draw from a finite law."""
    return text_of(LookupDraws(_law(params)).one(source))


def _lookup_many(params: Any, _x: Any, source: Recorded, _: Any) -> Output:
    """Many draws from a finite law."""
    return text_of(LookupDraws(_law(params)).many(_count(params), source))


SAMPLERS: Mapping[str, Sampler] = {
    **{f"scalar.{stem}": _scheme(stem) for stem in laws.FAMILIES},
    "scalar.bernoulli": _primitive("p", Coins.bernoulli),
    "scalar.bernoulli_exp": _primitive("gamma", Coins.bernoulli_exp),
    "scalar.geometric_exp": _primitive("gamma", Coins.geometric_exp),
    "scalar.uniform": _primitive("n", lambda coins, n: coins.uniform(_small(n, LARGEST_RANGE))),
    "scalar.permutation": _primitive("n", lambda coins, n: coins.permutation(_small(n, MOST_ELEMENTS))),
    "words.geometric": Sampler(
        "octets", lambda params, _x, source, _: text_of(geometric(_positive(*_parameters(params, "rho")), source))
    ),
    "words.slots.one": Sampler("octets", _slots_one),
    "words.slots.many": Sampler("octets", _slots_many),
    "words.lookup.one": Sampler("octets", _lookup_one),
    "words.lookup.many": Sampler("octets", _lookup_many),
}


def _positive(rho: Fraction) -> Fraction:
    """A rate of reasonable size."""
    if not Fraction(1, 10**20) <= rho <= 1000:
        raise VectorError(f"rho must be from 1/10^20 to 1000, got {rho}")
    return rho


def sampler(name: Any) -> Sampler:
    """The sampler of that name; VectorError if there is none."""
    if not isinstance(name, str) or name not in SAMPLERS:
        raise VectorError(f"algorithm must be one of {', '.join(SAMPLERS)}, got {shown(name)}")
    return SAMPLERS[name]


def drawn(name: Any, params: Any, x: Any, content: bytes, group: Any) -> Draw:
    """What the sampler makes of the tape."""
    found = sampler(name)
    if found.has_input == (x is None):
        raise VectorError(f"{name} must have {'an' if found.has_input else 'no'} input, got {shown(x)}")
    tape = tape_of_flips(content) if found.unit == "flips" else record_of(content)
    try:
        return Draw(found.run(params, x, tape, group), tape.used)
    except OutOfBits:
        return Draw(EXHAUSTED, tape.used)
