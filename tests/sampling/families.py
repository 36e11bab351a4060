"""The laws and scales on which the samplers are tried."""

from collections.abc import Sequence
from fractions import Fraction as F
from functools import lru_cache

import numpy as np

from refdp.numerics.intervals import Interval
from refdp.sampling.bulk.exponential import Scales
from refdp.sampling.lookup import Bounds, Categorical, Exponentials, Masses
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from tests.sampling.noises import gaussian, laplace

SCALES = [F(1, 1000), F(1, 3), F(22, 7), F(10**12) + F(1, 3), F(2**48)]
SLOTS = (
    {f"laplace {scale}": laplace(scale) for scale in SCALES}
    | {f"gaussian {scale}": gaussian(scale) for scale in SCALES}
    | {
        "laplace 1000": laplace(1000),
        "gaussian 1000": gaussian(1000),
        "k^4": Potential((F(0), F(0), F(0), F(1, 10**9))),
        "|k| and k^3": Potential((F(1, 700), F(0), F(1, 10**10))),
        "k^8": Potential((F(0),) * 7 + (F(1, 10**40),)),
        "geometric": Potential((F(1, 5000),), two_sided=False),
        "geometric 2^48": Potential((F(1, 2**48),), two_sided=False),
        "geometric 1/3": Potential((F(3),), two_sided=False),
    }
)

COARSE = {
    "laplace 300": SlotDraws(certificate(laplace(300), slot_digits=9, resolution=2)),
    "gaussian 300": SlotDraws(certificate(gaussian(300), slot_digits=9, resolution=4)),
    "laplace 5": SlotDraws(certificate(laplace(5), slot_digits=7, resolution=4)),
}
"""Few slots: many of them are not full, many are tails, and some are void."""

SMALL_LAWS: dict[str, Masses | Exponentials] = {
    "one value": Masses((F(1),)),
    "a coin": Masses((F(1, 2), F(1, 2))),
    "dyadic": Masses((F(3, 4), F(1, 8), F(1, 8))),
    "thirds": Masses((F(1, 3), F(2, 3))),
    "sevenths": Masses((F(1, 7),) * 7),
    "nearly nothing": Masses((F(1, 2**70), 1 - F(1, 2**69), F(1, 2**70))),
    "randomised response, ln 3 nearly": Exponentials((F(11, 10), F(0), F(11, 10), F(11, 10))),
    "exponential mechanism": Exponentials(tuple(F(-(k % 13) * k, 40) for k in range(60))),
    "alone": Exponentials((F(-5),)),
    "truncated geometric": Exponentials(tuple(F(abs(k), 3) for k in range(-9, 10))),
}
LAWS = SMALL_LAWS | {
    "randomised response 3/4": Masses((F(3, 4), F(1, 4))),
    "k-ary, 10 values": Masses((F(1, 19),) * 4 + (F(10, 19),) + (F(1, 19),) * 5),
    "rational": Masses((*(F(k * k + 1, 10**6 + 3) for k in range(100)), 1 - F(328450, 10**6 + 3))),
    "10^4 candidates": Exponentials(tuple(F(k * k % 997, 200) for k in range(10**4))),
    "10^4 masses": Masses(tuple(F(2 * k + 1, 10**8) for k in range(10**4))),
}


class Remembered:
    """A law whose enclosures are worked out once for each precision: else each comparison would."""

    def __init__(self, law: Categorical) -> None:
        self.size = law.size
        self._cdf = lru_cache(maxsize=8)(law.cdf)

    def cdf(self, bits: int) -> Sequence[Interval]:
        return self._cdf(bits)


def wider(b: Bounds, by: int) -> Bounds:
    """Bounds around the same cdf, in order and in range."""
    return Bounds(tuple(max(0, a - by) for a in b.low), tuple(min(2**64, a + by) for a in b.high))


WIDENED = {"proved": lambda b: b, "2^51": lambda b: wider(b, 2**50), "infinite": lambda b: wider(b, 2**64)}
"""The last leave every draw to enclosures."""

EACH = {str(scale): (scale,) for scale in SCALES} | {"mixed": (*SCALES, F(2**49, 3), F(7), F(1, 2**49))}
ELEMENTS = [f"{kind} {name}" for kind in ("geometric", "laplace", "gaussian") for name in EACH]


def fractions(name: str, n: int) -> list[F]:
    """The scales of n elements."""
    return (list(EACH[name]) * (n // len(EACH[name]) + 1))[:n]


def scales(name: str, n: int) -> Scales:
    """The same as arrays."""
    ends = np.array([scale.as_integer_ratio() for scale in EACH[name]], np.int64)
    numerator, denominator = np.resize(ends, (n, 2)).T.copy()
    return Scales(numerator, denominator)
