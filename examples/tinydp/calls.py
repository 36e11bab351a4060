"""How tinydp is called.

Each function takes one input; those that draw take also how many draws, and
random bits.
"""

import tinydp


def uniform(bits):
    """Uniform numbers made of given bits, so that everyone sees the same figures."""
    return lambda: bits(53) / 2**53


def bounded_sum(rows):
    """The sum, clamped to [5, 15]."""
    return tinydp.bounded_sum(rows, 5, 15)


def geometric(x, n, bits):
    """So many draws at epsilon = 1/2."""
    return [tinydp.geometric(x, 0.5, uniform(bits)) for _ in range(n)]


def laplace(x, n, bits):
    """So many draws at epsilon = 1/2."""
    return [tinydp.laplace(x, 0.5, uniform(bits)) for _ in range(n)]


def first_above(answers, n, bits):
    """So many draws at the threshold 0 and epsilon = 1."""
    return [tinydp.first_above(answers, 0, 1.0, uniform(bits)) for _ in range(n)]


def total_epsilon(x):
    """The answer for Laplace noise of that scale.

    x holds the numbers of the grid in its order, and delta.
    """
    scale, count, delta = x
    return tinydp.total_epsilon(1 / scale, count, delta)
