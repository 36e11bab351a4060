"""1BitMean: one bit for a number from 0 to `greatest`, 1 with a probability that grows from 1/(ratio + 1) linearly.

Claim: ln(ratio)-DP between any two numbers, at the ends of the range 0 and `greatest` exactly.
Source: DKY17.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.rates import BitOfRate
from refdp.spec.registry import register
from refdp.spec.samplers import CoinOfRate, draws
from refdp.spec.signatures import mechanism_signature
from refdp.spec.tails import Estimator
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def lower() -> Real:
    """The least number."""
    return 0


@formula
def upper(greatest: Real) -> Real:
    """The greatest number."""
    return greatest


@formula
def rate(input: Real, greatest: Real, ratio: Real) -> Real:  # noqa: A002
    """With what probability the bit is 1."""
    return 1 / (ratio + 1) + input / greatest * (ratio - 1) / (ratio + 1)


@formula
def ratio_bound(ratio: Real) -> Real:
    """e^epsilon: the ends of the range."""
    return ratio


@formula
def offset(ratio: Real) -> Real:
    """The mean of bits for numbers that are all 0."""
    return 1 / (ratio + 1)


@formula
def width(greatest: Real, ratio: Real) -> Real:
    """How far the estimates from a 1 and from a 0 are apart."""
    return greatest * (ratio + 1) / (ratio - 1)


ONE_BIT_MEAN = register(
    BitOfRate(
        stem="one_bit_mean",
        parameters=("greatest", "ratio"),
        conditions=(read("0 < greatest"), read("1 <= ratio")),
        example={"greatest": term(1), "ratio": term(4)},
        lower=lower,
        upper=upper,
        rate=rate,
        ratio_bound=ratio_bound,
        estimator=Estimator(offset, width, (read("1 < ratio"),)),
    )
)
draws("one_bit_mean", CoinOfRate())


def one_bit_mean(greatest: Exactly, ratio: Exactly) -> Measurement:
    """A number from 0 to greatest -> one bit; greatest > 0, ratio = e^epsilon >= 1, exact.

    Raises ValueError for others.

    >>> str(one_bit_mean(24, 4).map(1))
    'ln(4)'
    """
    return measurement(
        ONE_BIT_MEAN,
        mechanism_signature(ONE_BIT_MEAN),
        greatest=exact(greatest, "greatest"),
        ratio=exact(ratio, "ratio"),
    )
