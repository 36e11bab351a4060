"""Wrong samplers: what defects make of a tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from refdp.mechanisms.discrete_gaussian import proposal_scale
from refdp.sampling.coins import Coins
from refdp.sampling.tree import OutOfBits
from refdp.test_vectors import laws
from refdp.test_vectors.numbers import VectorError, shown
from refdp.test_vectors.samplers import EXHAUSTED, Output, drawn
from refdp.test_vectors.tapes import tape_of_flips

Mutant = Callable[[str, Any, Any, bytes, Any], Output]


def bits_reversed(name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """Of each octet the least significant bit comes first."""
    turned = bytes(int(f"{octet:08b}"[::-1], 2) for octet in content)
    return drawn(name, params, x, turned, group).output


def octets_repeated(name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """The first eight octets again and again: a generator that is seeded anew for each call."""
    repeated = (content[:8] * (len(content) // 8 + 1))[: len(content)]
    return drawn(name, params, x, repeated, group).output


def flips_negated(name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """Heads for tails."""
    return drawn(name, params, x, bytes(255 - octet for octet in content), group).output


def step_too_high(name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """Geometric numbers on 1, 2, ... where they should be on 0, 1, ..."""
    output = drawn(name, params, x, content, group).output
    if output == EXHAUSTED:
        return output
    step = Fraction(params.get("granularity", "1"))
    return [str(Fraction(one) + step) for one in output] if isinstance(output, list) else str(Fraction(output) + step)


def minus_zero_kept(name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """Minus zero is not drawn again."""
    values = laws.values_of("discrete_laplace", params)
    step = values.get("granularity", Fraction(1))
    coins = Coins(tape_of_flips(content))
    magnitude = coins.geometric_exp(step / values["scale"])
    minus = coins.bernoulli(Fraction(1, 2))
    return str(Fraction(x) + (-magnitude if minus else magnitude) * step)


def nothing_rejected(name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """The proposal of the discrete Gaussian is taken whatever it is: discrete Laplace noise."""
    values = {"granularity": Fraction(1)} | laws.values_of("discrete_gaussian", params)
    scale = {"scale": str(proposal_scale(values)), "granularity": str(values["granularity"])}
    return drawn("scalar.discrete_laplace", scale, x, content, group).output


TAPES: Mapping[str, Mutant] = {
    mutant.__name__: mutant
    for mutant in (
        bits_reversed, octets_repeated, flips_negated, step_too_high, minus_zero_kept, nothing_rejected,
    )
}  # fmt: skip
SLOTS = ("words.slots.one", "words.slots.many")
ONLY: Mapping[str, tuple[str, ...]] = {
    "minus_zero_kept": ("scalar.discrete_laplace",),
    "nothing_rejected": ("scalar.discrete_gaussian",),
    "step_too_high": ("scalar.discrete_laplace", "scalar.geometric_exp", "words.geometric", *SLOTS),
}
"""Defects of some samplers alone."""


def fits(mutant: str, name: str) -> bool:
    """Whether the sampler can have the defect."""
    return mutant in TAPES and name in ONLY.get(mutant, (name,))


def mutated(mutant: Any, name: str, params: Any, x: Any, content: bytes, group: Any) -> Output:
    """What the defect makes of the tape; VectorError where the sampler cannot have it."""
    if not isinstance(mutant, str) or not fits(mutant, name):
        raise VectorError(f"mutant must be one of {', '.join(TAPES)} that {name} can have, got {shown(mutant)}")
    try:
        return TAPES[mutant](name, params, x, content, group)
    except OutOfBits:
        return EXHAUSTED
