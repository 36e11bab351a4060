"""Logistic regression: coefficients of least regularised loss, by output perturbation or objective perturbation.

A row is its label, 1 or -1, times (1, features scaled to [-1, 1]).  Noise on the coefficients is discrete Gaussian by
their sensitivity in L2 with a delta, without one discrete Laplace by that in L1.  Or a random linear term is added to
what is minimised, and the minimum rounded.
Source: CMS11 Alg. 1 (with another noise, for minimisers as a computer finds them) and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, expm1, sqrt

from refdp.derivations import theorem
from refdp.kernel import rules
from refdp.mechanisms.discrete_laplace import discrete_laplace
from refdp.mechanisms.rounded_logistic_objective import rounded_logistic_objective
from refdp.models.fitting import Comparison, Fit, Record, chance_of, enough_noise, exact_distance, loss_of
from refdp.numerics.elementary import up
from refdp.numerics.exact import exact, upper_bound
from refdp.pipeline import Exactly, Measurement, PipelineError, Transformation, exact_data
from refdp.terms.term import ln, number
from refdp.transformations.prepared_columns import Labels, Numbers, signed_columns
from refdp.transformations.regularised_minimisers import logistic_minimiser
from refdp.transformations.rounded_to import rounded_to

STEP = Fraction(1, 256)
"""The grid of scaled columns."""
TOLERANCE = Fraction(1, 4096)
"""How long the gradient may be at what is taken for a minimum: a row moves it by up to the norm, which is above 1."""
FINENESS = 4096
"""Coefficients are rounded to less than this part of how far a row moves them."""
SPARE = Fraction(1, 10**6)
"""What the scale has to spare where roots in its theorem are rounded up, step by step."""
REGULARISATION = 10
LEAST, MOST = Fraction(1, 1000), 10**6
"""The least and the greatest regularisation."""
MOST_FEATURES = 50
PERTURBED = ("output", "objective")
SCALE_BITS = 16
"""Binary digits of the scale of the random term, 1 / rate."""
Noise = tuple[str, Fraction]
"""The stem of a mechanism, and the scale of its noise: of a random linear term 1 / rate."""


def logistic_regression(
    rows: Sequence[Record],
    target: Labels,
    features: Sequence[Numbers],
    epsilon: Exactly,
    delta: Exactly | None = None,
    *,
    regularisation: Exactly = REGULARISATION,
    neighbours: str = "add_remove",
    norm: Exactly | None = None,
    perturb: str = "output",
) -> Fit:
    """Coefficients of the log odds of the target's second label, for one row added or removed, or replaced.

    epsilon-DP, or (epsilon, delta)-DP with a delta.  regularisation from 1/1000 to 10^6, and public: it is that of the
    sum of the losses, so n times that of their mean.  Rows (1, scaled features) are clipped to `norm`; without one none
    is.  Rows of another label count nowhere.  perturb: output, for noise on the coefficients, or objective, for a
    random linear term in what is minimised, without a delta.  Raises ValueError for what does not fit.
    """
    listed, table, loss = tuple(features), tuple(rows), loss_of(epsilon)
    if len(listed) > MOST_FEATURES:
        raise PipelineError(f"features must be at most {MOST_FEATURES}, got {len(listed)}")
    weight, size = exact(regularisation, "regularisation"), 1 + len(listed)
    if not LEAST <= weight <= MOST:
        raise PipelineError(f"regularisation must be from 1/1000 to 10^6, got {regularisation}")
    if perturb not in PERTURBED:
        raise PipelineError(f"perturb must be {' or '.join(PERTURBED)}, got {perturb or 'nothing'}")
    length = Fraction(ceil(64 * sqrt(size)), 64) if norm is None else exact(norm, "norm")
    signed = signed_columns(target, listed, STEP, 1, neighbours)
    metric = "l1" if delta is None else "l2"
    plain = signed >> logistic_minimiser(length, weight, TOLERANCE, size, STEP, neighbours, metric)
    chance = None if delta is None else chance_of(delta)
    if perturb == "objective":
        if delta is not None:
            raise PipelineError(f"delta must be left out where the objective is perturbed, got {delta}")
        noisy, noise = _perturbed_objective(signed, loss, length, weight, size, neighbours)
    else:
        noisy, noise = _perturbed_output(plain, metric, loss, chance, size)
    proved = rules.weaken(theorem(noisy, 1), d_out=[str(loss), *([] if chance is None else [str(chance)])])
    released = noisy(table)

    def compared() -> Comparison:
        """The share of the rows with a label whose label is named rightly."""
        vectors = [z for z in signed(exact_data(table)) if any(z)]
        best = plain(exact_data(table))
        private, without_noise = (share_right(vectors, by) for by in (released, best))
        drawn = {"coefficients": [float(one) for one in best[1:]]}
        return Comparison("share of rows whose label is right", private, without_noise, drawn)

    drawn = {"columns": [one.column for one in listed], "coefficients": [float(one) for one in released[1:]]}
    model = told(released, target, listed)
    return Fit("logistic_regression", proved, *noise, size, released, model, compared, drawn=drawn)


def _perturbed_output(
    minimised: Transformation, metric: str, loss: Fraction, chance: Fraction | None, size: int
) -> tuple[Measurement, Noise]:
    """The coefficients, whose distance is in that metric, with noise, rounded to a grid first."""
    step = _finest(exact_distance(minimised))
    coefficients = minimised >> rounded_to(step, size, metric)
    if chance is None:
        scale = exact_distance(coefficients) * (1 + SPARE) / loss
        return coefficients >> discrete_laplace(scale, step, dimension=size), ("discrete_laplace", scale)
    noisy, sigma = enough_noise(coefficients, step, size, loss, chance)
    return noisy, ("discrete_gaussian", sigma)


def _perturbed_objective(
    signed: Transformation, loss: Fraction, length: Fraction, weight: Fraction, size: int, neighbours: str
) -> tuple[Measurement, Noise]:
    """The coefficients of least loss with a random linear term; its rate spends what the determinant leaves."""
    curved = length**2 / (4 * weight)
    left = loss - upper_bound(ln(number(1 + curved)))
    if left <= 0:
        least = ceil(1000 * float(length) ** 2 / (4 * expm1(min(float(loss), 100)))) / 1000
        if least >= MOST:
            raise PipelineError(
                f"epsilon must be greater where the objective is perturbed: no regularisation up to 10^6 leaves any of"
                f" it, got {loss}"
            )
        raise PipelineError(
            f"regularisation must be more than {least} where the objective is perturbed at this epsilon, got {weight}"
        )
    share = left / (length if neighbours == "add_remove" else 2 * length)
    scale = up(share.denominator, share.numerator, SCALE_BITS)
    step = _finest(size * scale / weight)
    perturbed = rounded_logistic_objective(length, weight, 1 / scale, size, step, STEP, neighbours)
    return signed >> perturbed, ("rounded_logistic_objective", scale)


def _finest(moved: Fraction) -> Fraction:
    """A power of two below a part in FINENESS of how far coefficients are moved."""
    return Fraction(1, 2 ** max(0, (ceil(FINENESS / moved) - 1).bit_length()))


def share_right(rows: Sequence[Sequence[Fraction]], by: Sequence[Fraction]) -> float:
    """The share of rows, features times label, that lie on the side of their label; 0 of none."""
    right = sum(sum((a * b for a, b in zip(row, by, strict=True)), Fraction(0)) > 0 for row in rows)
    return right / max(1, len(rows))


def told(by: Sequence[Fraction], target: Labels, features: Sequence[Numbers]) -> dict[str, object]:
    """Intercept and coefficients of the log odds of the second label, in the units of the columns.

    >>> told([Fraction(0), Fraction(1)], Labels("y", ("no", "yes")), [Numbers("x", 0, 2)])
    {'label': 'yes', 'intercept': -1.0, 'coefficients': {'x': 1.0}}
    """
    found, intercept = dict[str, float](), float(by[0])
    for one, coefficient in zip(features, by[1:], strict=True):
        found[one.column] = float(coefficient / ((one.upper - one.lower) / 2))
        intercept -= found[one.column] * float(one.upper + one.lower) / 2
    return {"label": target.labels[1], "intercept": intercept, "coefficients": found}
