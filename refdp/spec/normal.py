"""Normal noise on the reals: the exact delta at each epsilon, and what the formulas of the noise must meet for it.

At distance d the loss ln(p / q) is linear in the output, so the worst event is a half line, and both laws give it a
normal tail.  Source: BW18 Thm 8.
"""

from __future__ import annotations

from refdp.spec import registry
from refdp.spec.formulas import Formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.statements import Statement, equal
from refdp.spec.terms import Term, TermError, both, exp, name, normal_tail


def ends(deviation: Term, d_in: Term, epsilon: Term) -> tuple[Term, Term]:
    """How far the half line on which the loss is at least epsilon begins above either mean, in deviations."""
    middle, half = epsilon * deviation / d_in, d_in / (2 * deviation)
    return middle - half, middle + half


def exact_delta(deviation: Term, d_in: Term, epsilon: Term) -> Term:
    """The greatest P(S) - e^epsilon Q(S) over events S, for normal laws P and Q with means d_in > 0 apart."""
    near, far = ends(deviation, d_in, epsilon)
    return normal_tail(near) - exp(epsilon) * normal_tail(far)


def deviation_of(noise: AdditiveNoise) -> Formula:
    """The standard deviation; TermError if the noise is not normal noise on the reals."""
    if noise.deviation is None or noise.on_grid:
        raise TermError(f"{noise.stem} is not normal noise on the reals")
    return noise.deviation


def normal_obligations(noise: AdditiveNoise) -> dict[str, Statement]:
    """What must hold for `exact_delta` to be the noise's, by name, in order."""
    sigma, z, d_in, epsilon = deviation_of(noise).at(), *map(name, ("z", "d_in", "epsilon"))
    given, weight = registry.hypotheses(noise), noise.log_weight
    near, far = ends(sigma, d_in, epsilon)
    normal = both(0 < sigma, equal(weight.at(), -(z**2) / (2 * sigma**2)))
    loss = weight.at(z=z - d_in) - weight.at()
    begins = epsilon * sigma**2 / d_in + d_in / 2
    same = both(equal(begins, d_in + sigma * near), equal(begins, sigma * far))
    return {
        "weight_is_normal": Statement(given, normal),
        "loss_is_linear": Statement((*given, 0 < d_in), equal(loss - epsilon, (z - begins) * d_in / sigma**2)),
        "half_line_begins": Statement((*given, 0 < d_in), same),
    }
