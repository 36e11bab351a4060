"""Staircase noise as a density: M(x) = x + Z, Z's density falling in two steps per sensitivity, as stairs do.

On k sensitivity <= |z| < (k + gamma) sensitivity it is a e^(-k epsilon), on the rest of that level a e^(-(k + 1)
epsilon), with a = (1 - e^-epsilon) / (2 sensitivity (gamma + (1 - gamma) e^-epsilon)).  It exists to prove things
about; there is no sampler.
Source: GV16
"""

from __future__ import annotations

from refdp.spec.formulas import Real, formula
from refdp.spec.level_noise import LevelNoise
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def width(sensitivity: Real) -> Real:
    """The length of a level: of two steps together."""
    return sensitivity


@formula
def inner(sensitivity: Real, gamma: Real) -> Real:
    """The length of the first of the two."""
    return gamma * sensitivity


@formula
def log_height(height: Real, epsilon: Real) -> Real:
    """ln of the density on the steps of that height, up to a constant."""
    return -(height * epsilon)


@formula
def privacy_map(epsilon: Real) -> Real:
    """The least epsilon between inputs that are one sensitivity apart."""
    return epsilon


@formula
def normaliser(ratio: Real, sensitivity: Real, gamma: Real) -> Real:
    """The integral over z of exp(log_height), where ratio = e^-epsilon."""
    return 2 * sensitivity * (gamma + (1 - gamma) * ratio) / (1 - ratio)


STAIRCASE = register(
    LevelNoise(
        stem="staircase",
        parameters=("epsilon", "sensitivity", "gamma"),
        conditions=(read("0 < epsilon"), read("0 < sensitivity"), read("0 < gamma"), read("gamma < 1")),
        example={"epsilon": term(1), "sensitivity": term(1), "gamma": read("1/3")},
        width=width,
        inner=inner,
        log_height=log_height,
        privacy_map=privacy_map,
        normaliser=normaliser,
    )
)
