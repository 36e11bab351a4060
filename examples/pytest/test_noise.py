"""Statements about noise.py: `python -m pytest examples/pytest` tests them."""

from random import Random

import noise

from refdp.testing import Table, Whole, law, moves_at_most, sampler_matches, satisfies


def tenth_too_wide(n: int, rng: Random) -> list[int]:
    """A wrong sampler: the first test must see that."""
    return [noise.discrete_laplace(3.3, rng) for _ in range(n)]


def zero_twice(n: int, rng: Random) -> list[int]:
    """A wrong sampler: 0 drawn as +0 and as -0."""
    return [(1 - 2 * rng.getrandbits(1)) * noise.geometric(1 / 3, rng) for _ in range(n)]


@sampler_matches(law.discrete_laplace(scale=3), mutants=[tenth_too_wide, zero_twice])
def test_noise_has_its_law(n: int, rng: Random) -> list[int]:
    """Draws n times; rng is seeded by the plugin."""
    return [noise.discrete_laplace(3.0, rng) for _ in range(n)]


def half_the_noise(x: list[int], n: int, rng: Random) -> list[int]:
    """A wrong release: the second test must see that."""
    return [noise.release(x, 2.0, rng) for _ in range(n)]


@satisfies(epsilon=1, pairs=[([], [10]), ([3, 10], [3])], mutants=[half_the_noise], samples=4000)
def test_release_is_private(x: list[int], n: int, rng: Random) -> list[int]:
    """Releases x n times."""
    return [noise.release(x, 1.0, rng) for _ in range(n)]


def unclamped(x: list[int]) -> int:
    """A wrong sum: the third test must see that."""
    return sum(x)


@moves_at_most(10, space=Table(Whole(-100, 100)), mutants=[unclamped])
def test_sum_moves_by_at_most_a_row(x: list[int]) -> int:
    """The sum, exactly."""
    return noise.clamped_sum(x, 10)
