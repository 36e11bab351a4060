"""Report noisy max with Gumbel noise: the candidate whose score plus independent Gumbel noise is greatest.

Claims: the law is that of the exponential mechanism at the same scale, and so is the privacy.
It exists to prove things about; its draws are those of `exponential`, which has its law.
Source: DKSS21.
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
    """The scale of the noise."""
    return scale


GUMBEL_NOISY_MAX = register(
    NoisyMax(
        stem="gumbel_noisy_max",
        parameters=("scale",),
        conditions=(read("0 < scale"),),
        example={"scale": term(2)},
        noise="gumbel",
        scale=noise_scale,
        same_law_as="exponential",
    )
)
draws("gumbel_noisy_max", BySameLaw("exponential"))
