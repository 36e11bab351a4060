"""Measurements of OpenDP around which its users must write a little code, as plain functions."""

import random
from functools import cache

import opendp.prelude as dp

dp.enable_features("contrib", "honest-but-curious")

# Randomized response on vectors of bits (issues 2707 and 2930), whose inputs and outputs are octets.


@cache
def randomized_bits():
    """Vectors with at most one bit set, each bit flipped with probability 1/4."""
    return dp.m.make_randomized_response_bitvec(dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5)


def bits(octets):
    """The released octets."""
    return list(randomized_bits()(bytes(octets)))


def bits_epsilon(d_in):
    """What the map says of them."""
    return randomized_bits().map(d_in)


# Releases that are amplified by sampling, composed on one sample (issue 2933).

POPULATION, SAMPLE, RELEASES = 40, 2, 3
SAMPLING = random.SystemRandom()


@cache
def composed():
    """RELEASES noisy sums of a sample of 0s and 1s, each amplified, composed by the library."""
    space = dp.vector_domain(dp.atom_domain(bounds=(0, 1)), size=SAMPLE), dp.symmetric_distance()
    noisy = dp.t.make_sum(*space) >> dp.m.then_laplace(0.5)
    return dp.c.make_composition([dp.c.make_population_amplification(noisy, POPULATION)] * RELEASES)


def sampled_sums(population):
    """The releases for a sample without replacement of a population of POPULATION."""
    return composed()(SAMPLING.sample(population, SAMPLE))


def sampled_sums_epsilon(d_in):
    """What the map says of them, for one member of the population replaced (a distance of two)."""
    return composed().map(d_in)


# Keys are released where noisy counts pass a threshold (issue 2922); distances of counts are triples there.


@cache
def thresholded():
    """Counts with Gaussian noise of scale 2, of which those that reach 4 are released."""
    space = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)), dp.l02inf_distance(dp.absolute_distance(T=int))
    return dp.m.make_gaussian_threshold(*space, scale=2.0, threshold=4)


def keys_by_gaussian(keys):
    """The released counts of the keys."""
    return thresholded()({key: keys.count(key) for key in sorted(set(keys))})


def keys_by_gaussian_claim(d_in):
    """What the map says of them, where so many rows with a key of their own are added or removed: rho and delta."""
    return thresholded().map((d_in, d_in, 1))
