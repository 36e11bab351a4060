"""DP-SGD: what training costs, with the sampling scheme and the neighbouring relation said, never assumed.

Each row has its gradient clipped to Euclidean norm C; noise of noise_multiplier times C is added to the sum of a batch.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from refdp.accounting.accounts import Account
from refdp.accounting.events import LARGEST_TABLE, Event, FixedSize, Gaussian, NoTheorem, Poisson
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import LARGEST_COUNT, number, shown, whole

SCHEMES = ("poisson", "fixed_size", "shuffle")


def sgd_account(
    *,
    rows: object,
    batch: object,
    noise_multiplier: object,
    sampling: str,
    neighbours: str,
    epochs: object = None,
    steps: object = None,
) -> Account:
    """The account of training on `rows` rows with batches of (on average) `batch`: epochs, or steps, one of the two.

    poisson: each row is in each batch with probability batch / rows; a row added moves the sum by C.
    fixed_size: each batch is drawn anew from all sets of that size; a row replaced moves the sum by 2 C.
    shuffle: refused.  The steps of e epochs are e rows / batch, rounded up.

    Raises LossError for bad numbers and NoTheorem where nothing is proved.
    """
    _require_theorem(sampling)
    n = whole(rows, "rows", LARGEST_TABLE)
    size = whole(batch, "batch", n)
    count = _steps(n, size, epochs, steps)
    sigma = number(noise_multiplier, "noise_multiplier")
    require(sigma > 0, "noise_multiplier", "> 0", sigma)
    if sampling == "poisson":
        return Account(neighbours, (Event(Gaussian(sigma), count, Poisson(Fraction(size, n))),))
    return Account(neighbours, (Event(Gaussian(sigma, Fraction(2)), count, FixedSize(n, size)),))


def _require_theorem(sampling: str) -> None:
    """NoTheorem for batches of which nothing is proved, LossError for what is none."""
    if sampling not in SCHEMES:
        raise LossError(f"sampling must be one of {', '.join(SCHEMES)}, got {shown(sampling)}")
    if sampling == "shuffle":
        raise NoTheorem(
            "batches cut from a shuffled table are not independent samples: Poisson amplification does not hold for "
            "them, and no other is proved here; without amplification, under change_one an epoch costs one Gaussian "
            "event of sensitivity 2"
        )


def _steps(rows: int, batch: int, epochs: object, steps: object) -> int:
    """The number of batches."""
    if (epochs is None) == (steps is None):
        raise LossError("one of epochs and steps must be given, got " + ("neither" if epochs is None else "both"))
    if steps is not None:
        return whole(steps, "steps", LARGEST_COUNT)
    length = number(epochs, "epochs")
    require(length > 0, "epochs", "> 0", length)
    return whole(ceil(length * rows / batch), "steps", LARGEST_COUNT)
