"""The walk of a coin-flip tree gives the law of a program, up to the mass it reports as unresolved."""

from fractions import Fraction as F
from itertools import count, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.sampling.entropy import Bits
from refdp.sampling.tree import MAXIMUM_DEPTH, OutOfBits, PartialLaw, Tape, law_of


def first_one(bits: Bits) -> int:
    """k >= 1 with probability 2^-k."""
    return next(k for k in count(1) if bits())


def test_tape_hands_out_its_flips_and_then_raises() -> None:
    tape = Tape([1, 0, 1])
    assert [tape(), tape(), tape()] == [1, 0, 1]
    assert tape.used == 3
    with pytest.raises(OutOfBits):
        tape()
    assert tape.used == 3


@pytest.mark.parametrize("flips", [[2], [0, -1], [0.0], ["0"], [None]])
def test_tape_refuses_what_is_no_flip(flips: list[int]) -> None:
    with pytest.raises(ValueError, match="must hold flips 0 and 1"):
        Tape(flips)


@pytest.mark.parametrize("depth", range(9))
def test_law_of_first_one_is_two_to_the_minus_k(depth: int) -> None:
    law = law_of(first_one, depth)
    assert law == PartialLaw({k: F(1, 2**k) for k in range(1, depth + 1)}, F(1, 2**depth))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=64))
def test_law_is_the_count_of_paths(outcomes: list[int]) -> None:
    """The definition: a program reads the six flips of a path, of which `outcomes` says what comes out."""

    def run(bits: Bits) -> int:
        return outcomes[sum(bits() << place for place in range(6)) % len(outcomes)]

    law = law_of(run, 6)
    expected = [outcomes[sum(b << i for i, b in enumerate(path)) % len(outcomes)] for path in product((0, 1), repeat=6)]
    assert law.unresolved == 0
    assert all(law.masses[k] == F(expected.count(k), 64) for k in set(expected))
    assert set(law.masses) == set(expected)


def test_a_program_that_never_stops_is_all_unresolved() -> None:
    def never(bits: Bits) -> int:
        while True:
            bits()

    assert law_of(never, 10) == PartialLaw({}, F(1))


def test_a_program_without_flips_is_run_once() -> None:
    runs = count()
    assert law_of(lambda bits: next(runs), 16) == PartialLaw({0: F(1)}, F(0))
    assert next(runs) == 1


def test_each_path_is_run_once() -> None:
    """Each run has an outcome of its own, so the law lists the runs: one of mass 2^-6 for each of the 64 paths."""
    runs = count()
    law = law_of(lambda bits: (next(runs), *(bits() for _ in range(6))), 6)
    assert next(runs) == 64
    assert [path for _, *path in law.masses] == [list(path) for path in product((0, 1), repeat=6)]


def test_lower_and_upper_enclose_every_outcome() -> None:
    law = law_of(first_one, 4)
    assert (law.lower(2), law.upper(2)) == (F(1, 4), F(5, 16))
    assert (law.lower(9), law.upper(9)) == (F(0), F(1, 16))
    assert law.admits(9, F(1, 2**9), F(1, 2**9))
    assert law.admits(2, F(1, 4), F(1, 4))
    assert not law.admits(2, F(0), F(1, 5))
    assert not law.admits(9, F(1, 15), F(1))


def test_a_program_that_reads_more_than_its_flips_is_refused() -> None:
    calls = count()

    def changing(bits: Bits) -> int:
        return bits() + bits() if next(calls) == 0 else 0

    with pytest.raises(ValueError, match="function of its flips alone"):
        law_of(changing, 4)


def test_exceptions_of_the_program_propagate() -> None:
    def failing(bits: Bits) -> int:
        return 1 // bits()

    with pytest.raises(ZeroDivisionError):
        law_of(failing, 4)


@pytest.mark.parametrize("depth", [-1, MAXIMUM_DEPTH + 1, 1.0, True, None])
def test_depth_outside_its_range_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="depth must be"):
        law_of(first_one, depth)
