"""Report noisy max with Laplace noise: the candidate whose score plus independent Laplace noise is greatest.

Claim: (2 d_in / scale)-DP for scores each of which moves by at most d_in, for the candidate alone, without its score.
It exists to prove things about; there is no sampler.
Source: DR14 Claim 3.9.
"""

from __future__ import annotations

from refdp.spec.formulas import Real, formula
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def noise_scale(scale: Real) -> Real:
    """The scale of the noise."""
    return scale


@formula
def privacy_map(d_in: Real, scale: Real) -> Real:
    """Epsilon when each score moves by at most d_in: the winner's noise may have to move by twice that."""
    return 2 * d_in / scale


LAPLACE_NOISY_MAX = register(
    NoisyMax(
        stem="laplace_noisy_max",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(2)},
        noise="laplace",
        scale=noise_scale,
        privacy_map=privacy_map,
    )
)
