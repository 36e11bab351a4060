"""Scales for claims, and noise: right and wrong ones, from global generators, from the machine, and none."""

import math
import os
import random
import secrets
import time

MACHINE = random.SystemRandom()
FIXED = random.Random(7)
PER_PROCESS = random.Random(os.urandom(16))


def laplace_scale(x):
    """sensitivity / epsilon: what is needed, rounded up."""
    epsilon, _, sensitivity = x
    return math.nextafter(sensitivity / epsilon, math.inf)


def laplace_scale_low(x):
    return laplace_scale(x) * (1 - 1e-6)


def by_name(x):
    """The same for (sensitivity, epsilon)."""
    return math.nextafter(x[0] / x[1], math.inf)


def classical(x):
    """The standard deviation of the textbook formula, right for epsilon <= 1 only."""
    epsilon, delta, sensitivity = x
    return sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon


def analytic(x):
    """The least standard deviation, by bisection in floats, made greater by one part in 10^9."""
    epsilon, delta, sensitivity = x
    low, high = 1e-3 * sensitivity, 1e3 * sensitivity
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if gaussian_delta(epsilon, middle / sensitivity) <= delta else (middle, high)
    return high * (1 + 1e-9)


def analytic_low(x):
    return analytic(x) * (1 - 1e-6)


def gaussian_delta(epsilon, sigma):
    tails = [math.erfc((epsilon * sigma + s / (2 * sigma)) / math.sqrt(2)) / 2 for s in (-1, 1)]
    return tails[0] - math.exp(epsilon) * tails[1]


def nothing(x):
    return 0.0


def negative(x):
    return -1.0


def not_a_number(x):
    return math.nan


def from_global(x):
    return x + random.gauss(0, 1)


def from_numpy_imported_late(x):
    """numpy's global generator, loaded by the first draw."""
    import numpy as np

    return x + float(np.random.normal())


CALLS = [0]


def from_numpy_imported_later_still(x):
    """Its own global generator at first, numpy's from the tenth draw on."""
    CALLS[0] += 1
    return from_numpy_imported_late(x) if CALLS[0] > 9 else x + random.gauss(0, 1)


def from_numpy_with_a_generator_of_its_own(x):
    """No global state: a new generator at each draw, seeded by the machine."""
    import numpy as np

    return x + float(np.random.default_rng().normal())


def from_machine(x):
    return x + MACHINE.gauss(0, 1)


def bit_from_machine(x):
    return x ^ secrets.randbits(1)


def fixed(x):
    """The same noise in every process; another with each draw."""
    return x + FIXED.gauss(0, 1)


def own_state(x):
    """Fresh in each process, but a fork repeats it."""
    return x + PER_PROCESS.gauss(0, 1)


def constant(x):
    return x


def reseeded(x):
    """Gives the global generator a seed itself: no noise at all."""
    random.seed(1)
    return x + random.gauss(0, 1)


def raises(x):
    raise ValueError("no noise today")


def slow_when_large(x):
    """Noise from 0 to 7, with a loop as long as the noise is large."""
    k = secrets.randbits(3)
    for _ in range(2000 * k):
        pass
    return x + k


def steady(x):
    """Noise that is drawn before, and takes as long whatever it is."""
    k = secrets.randbits(3)
    for _ in range(2000):
        pass
    return x - k


def words(x):
    return "one"


def late(x):
    time.sleep(60)
