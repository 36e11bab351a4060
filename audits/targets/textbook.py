"""Textbook mechanisms, right and wrong, as functions that draw many outputs at once: f(x, n).

Only the standard library; the generator of `random` is seeded by the operating system when it is imported.
"""

from random import expovariate, gauss

SIGMA = 3.7307
"""Gaussian noise of this standard deviation is enough for (1, 10^-5) at sensitivity 1; 3.73063163... is the least."""


def laplace_noise(scale):
    """A draw of the Laplace law."""
    return scale * (expovariate(1.0) - expovariate(1.0))


def laplace(x, n):
    """x plus Laplace noise of scale 1: (1, 0) for inputs within 1."""
    return [x + laplace_noise(1.0) for _ in range(n)]


def laplace_half(x, n):
    """x plus Laplace noise of scale 1/2: (2, 0) and no better."""
    return [x + laplace_noise(0.5) for _ in range(n)]


def gaussian(x, n):
    """x plus Gaussian noise: (1, 10^-5) for inputs within 1."""
    return [gauss(x, SIGMA) for _ in range(n)]


def gaussian_half(x, n):
    """x plus Gaussian noise of half the standard deviation: delta(1) = 0.0104."""
    return [gauss(x, SIGMA / 2) for _ in range(n)]


def svt5(answers, n):
    """Sparse vector after Stoddard et al., Algorithm 5 of Lyu, Su and Li 2017: answers without noise; no epsilon."""
    thresholds = [laplace_noise(2.0) for _ in range(n)]
    return [[answer >= threshold for answer in answers] for threshold in thresholds]


def svt6(answers, n):
    """Sparse vector after Chen et al., Algorithm 6 of Lyu, Su and Li 2017: no limit to the positive answers."""
    thresholds = [laplace_noise(2.0) for _ in range(n)]
    return [[answer + laplace_noise(2.0) >= threshold for answer in answers] for threshold in thresholds]
