"""DP-SGD: what training costs, with the sampling scheme and the neighbouring relation said, never assumed.

Each row has its gradient clipped to Euclidean norm C; noise of noise_multiplier times C is added to the sum of a batch.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

from refdp.accounting.accounts import Account
from refdp.accounting.events import LARGEST_TABLE, BallsInBins, Event, FixedSize, Gaussian, NoTheorem, Poisson
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import LARGEST_COUNT, number, shown, whole

SCHEMES = ("poisson", "fixed_size", "balls_in_bins", "shuffle")


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
    balls_in_bins: an epoch has rows / batch batches, a whole number; each row is in one of them, each as likely and
    whatever the other rows do, anew in each epoch; a row added moves the sum by C.  What is known of it is a bound from
    above.  shuffle: refused.  The steps of e epochs are e rows / batch, rounded up.

    Raises LossError for bad numbers and NoTheorem where nothing is proved.
    """
    _require_theorem(sampling)
    n = whole(rows, "rows", LARGEST_TABLE)
    size = whole(batch, "batch", n)
    count, sigma = _steps(Fraction(n, size), epochs, steps), _multiplier(noise_multiplier)
    if sampling == "balls_in_bins":
        bins = _bins(Fraction(n, size))
        return Account(neighbours, (Event(Gaussian(sigma), _rounds(bins, epochs, count), BallsInBins(bins)),))
    if sampling == "poisson":
        return Account(neighbours, (Event(Gaussian(sigma), count, Poisson(Fraction(size, n))),))
    return Account(neighbours, (Event(Gaussian(sigma, Fraction(2)), count, FixedSize(n, size)),))


def training_spec(
    *,
    noise_multiplier: object = None,
    rate: object = None,
    lot_size: object = None,
    rows: object = None,
    steps: object = None,
    epochs: object = None,
    sampling: str | None = None,
    neighbours: str = "add_remove",
    sought: str | None = None,
) -> dict[str, Any]:
    """The spec of training, by what practitioners know: Poisson batches and add_remove unless said otherwise.

    Each row is in each batch with probability `rate`, or lot_size / rows.  The steps of e epochs are e / rate, rounded
    up.  `sampling` is one of `sgd_account`; fixed_size needs lot_size and rows, and of balls_in_bins the epochs are
    counted, each of 1 / rate steps.  What is `sought`, sigma or count, need not be given.  Raises LossError for bad
    numbers, or where too few or too many are given, and NoTheorem where nothing is proved.
    """
    scheme = "poisson" if sampling is None else sampling
    _require_theorem(scheme)
    if sought == "sigma" and noise_multiplier is None:
        noise_multiplier = 1
    if sought == "count" and steps is None and epochs is None:
        steps, epochs = (None, 1) if scheme == "balls_in_bins" else (1, None)
    if noise_multiplier is None:
        raise LossError("noise_multiplier must be given with sgd, got nothing")
    sigma, chance = _multiplier(noise_multiplier), _rate(rate, lot_size, rows)
    event: dict[str, Any] = {"mechanism": "gaussian", "sigma": sigma, "count": _steps(1 / chance, epochs, steps)}
    if scheme == "poisson":
        event["sampling"] = {"scheme": scheme, "rate": chance}
    elif scheme == "balls_in_bins":
        bins = _bins(1 / chance)
        event["count"] = _rounds(bins, epochs, event["count"])
        event["sampling"] = {"scheme": scheme, "steps": bins, "turns": 1}
    else:
        if rows is None:
            raise LossError("lot_size and rows must be given with sampling fixed_size, in place of rate")
        n = whole(rows, "rows", LARGEST_TABLE)
        event["sensitivity"] = Fraction(2)  # a row replaced moves the sum by twice the clipping norm
        event["sampling"] = {"scheme": scheme, "rows": n, "sample": whole(lot_size, "lot_size", n)}
    return {"neighbours": neighbours, "events": [event]}


def _bins(epoch: Fraction) -> int:
    """The batches of an epoch, in one of which each row is; LossError unless their number is whole."""
    require(epoch.denominator == 1, "1 / rate, or rows / batch, with balls_in_bins", "a whole number", epoch)
    return int(epoch)


def _rounds(bins: int, epochs: object, steps: int) -> int:
    """How often rows are put into bins anew; LossError unless the steps are those of whole epochs."""
    whole_epochs = steps % bins == 0 and (epochs is None or number(epochs, "epochs").denominator == 1)
    told = f"steps of whole epochs, of {bins} each," if epochs is None else "a whole number"
    given = steps if epochs is None else epochs
    require(whole_epochs, "steps" if epochs is None else "epochs", f"{told} with balls_in_bins", given)
    return steps // bins


def _multiplier(value: object) -> Fraction:
    """The noise multiplier; LossError unless it is > 0."""
    sigma = number(value, "noise_multiplier")
    require(sigma > 0, "noise_multiplier", "> 0", sigma)
    return sigma


def _rate(rate: object, lot_size: object, rows: object) -> Fraction:
    """The probability of a row to be in a batch; LossError unless it is given once, and in (0, 1]."""
    if (rate is None) != (lot_size is not None and rows is not None) or (rate is None) != (lot_size is not None):
        raise LossError("rate, or lot_size and rows, must be given with sgd, and not both")
    if rate is None:
        n = whole(rows, "rows", LARGEST_TABLE)
        return Fraction(whole(lot_size, "lot_size", n), n)
    if rows is not None:
        raise LossError("rows must be given with lot_size alone, got it with rate")
    found = number(rate, "rate")
    require(0 < found <= 1, "rate", "> 0 and <= 1", found)
    return found


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


def _steps(epoch: Fraction, epochs: object, steps: object) -> int:
    """The number of batches, of which so many make an epoch."""
    if (epochs is None) == (steps is None):
        raise LossError("one of epochs and steps must be given, got " + ("neither" if epochs is None else "both"))
    if steps is not None:
        return whole(steps, "steps", LARGEST_COUNT)
    length = number(epochs, "epochs")
    require(length > 0, "epochs", "> 0", length)
    return whole(ceil(length * epoch), "steps", LARGEST_COUNT)
