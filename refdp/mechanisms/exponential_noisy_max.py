"""Report noisy max with exponential noise: the candidate whose score plus one-sided exponential noise is greatest.

Claims: (2 d_in / scale)-DP for scores each of which moves by at most d_in; the law is that of permute and flip.
It exists to prove things about; its draws are those of `permute_and_flip`, which has its law.
Source: MS20; DKSS21.
"""

from __future__ import annotations

from refdp.spec.formulas import Real, formula
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.registry import register
from refdp.spec.samplers import BySameLaw, draws
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def noise_scale(scale: Real) -> Real:
    """The scale of the noise: its mean."""
    return scale


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """Epsilon when each score moves by at most d_in: the winner's noise may have to move by twice that."""
    return 2 * d_in / scale


EXPONENTIAL_NOISY_MAX = register(
    NoisyMax(
        stem="exponential_noisy_max",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(2)},
        noise="exponential",
        scale=noise_scale,
        privacy_map=privacy_map,
        same_law_as="permute_and_flip",
    )
)
draws("exponential_noisy_max", BySameLaw("permute_and_flip"))
