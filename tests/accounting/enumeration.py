"""Truth by definition: delta as a sum of (P(y) - x Q(y))_+ over all outcomes y, in 60 decimal digits."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache, reduce

from refdp.accounting.losses import DiscreteGaussian, DiscreteLaplace, Finite, FixedSize, Mixture, Response, Sampled

DIGITS = 60
ERROR = Fraction(1, 10**45)
"""More than these sums are wrong by: thousands of terms <= 1, each to 60 digits, and tails below 10^-46."""


def decimal(x):
    x = Fraction(x)
    return Decimal(x.numerator) / Decimal(x.denominator)


def real(x):
    """a + ln b."""
    return decimal(x.rational) + decimal(x.argument).ln()


def outcomes(loss):
    """(P(y), Q(y)) for all y, or for all that have more than 10^-50 of the mass."""
    match loss:
        case Response(epsilon, delta):
            e, d = real(epsilon).exp(), decimal(delta)
            high, low = (1 - d) * e / (1 + e), (1 - d) / (1 + e)
            return [(d, Decimal(0)), (high, low), (low, high), (Decimal(0), d)]
        case Finite(pairs):
            return [(decimal(p), decimal(q)) for p, q in pairs]
        case DiscreteLaplace() | DiscreteGaussian():
            return noise(loss)
        case Sampled(base, rate, "remove"):
            return [(mixture(p, q, rate), q) for p, q in outcomes(base)]
        case Sampled(base, rate, "add"):
            return [(q, mixture(p, q, rate)) for p, q in outcomes(base)]
        case Mixture(parts):
            return [(decimal(w) * p, decimal(w) * q) for w, part in parts for p, q in outcomes(part)]
    raise TypeError(loss)


@lru_cache(maxsize=64)
def noise(loss):
    """Noise on the whole numbers: hundreds of powers of e, and random tests ask for few different ones."""
    match loss:
        case DiscreteLaplace(epsilon, shift):
            return shifted(lambda k: -decimal(epsilon) * abs(k), shift)
        case DiscreteGaussian(variance, shift):
            return shifted(lambda k: -k * k / (2 * decimal(variance)), shift)
    raise TypeError(loss)


def mixture(p, q, rate):
    return decimal(rate) * p + decimal(1 - rate) * q


def shifted(log_weight, shift):
    """Noise with these weights at `shift` and at 0."""
    reach = next(k for k in range(1, 10**6) if log_weight(k) < -125)
    weights = {k: log_weight(k).exp() if k else Decimal(1) for k in range(-reach - shift, reach + shift + 1)}
    total = sum(weights.values())
    none = Decimal(0)
    return [(weights.get(k - shift, none) / total, weights.get(k, none) / total) for k in weights]


def delta(parts, epsilon):
    """delta at e^epsilon of the product of pairs (loss, count), within ERROR."""
    with localcontext(Context(prec=DIGITS)):
        x = decimal(epsilon).exp()
        if isinstance(parts[0][0], FixedSize):
            return Fraction(fixed_size(parts[0][0], x))
        return Fraction(sum(max(Decimal(0), p - x * q) for p, q in product(tuple(parts))))


@lru_cache(maxsize=8)
def product(parts):
    """(P(y), Q(y)) for all y of a product of pairs, kept for the next epsilon."""
    factors = [outcomes(loss) for loss, count in parts for _ in range(count)]
    return reduce(merged, factors)


def merged(one, other):
    """The product of two pairs; outcomes with equal masses are counted together."""
    found = {}
    for p, q in one:
        for r, s in other:
            pair = (p * r, q * s)
            found[pair] = found.get(pair, 0) + 1
    return [(n * p, n * q) for (p, q), n in found.items()]


def fixed_size(loss, x):
    """The definition: (rate P + (1 - rate) Q, Q) at x >= 1, (P, rate Q + (1 - rate) P) below."""
    pairs = outcomes(loss.base)
    if x >= 1:
        return sum(max(Decimal(0), mixture(p, q, loss.rate) - x * q) for p, q in pairs)
    return sum(max(Decimal(0), p - x * mixture(q, p, loss.rate)) for p, q in pairs)
