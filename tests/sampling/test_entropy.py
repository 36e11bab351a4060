"""The operating system's bits: fair, never handed out twice, not across threads and not across a fork."""

import copy
import math
import os
import pickle
import threading
from collections.abc import Callable

import pytest

from refdp.sampling.entropy import SYSTEM, Bits, SystemBits, flips, is_system, system_bits
from refdp.sampling.pages import SIZE, page
from tests.sampling.forks import drawn_after_fork, forks

WORD = 256


def word(bits: Bits) -> list[int]:
    """The next 256 flips: two independent words agree with probability 2^-256."""
    return [bits() for _ in range(WORD)]


def test_flips_are_the_bits_of_the_bytes() -> None:
    for content in (b"\x00", b"\x80", b"\x00\xff", bytes(range(256))):
        assert list(flips(content)) == [byte >> place & 1 for byte in content for place in range(7, -1, -1)]


def test_system_bits_are_zero_or_one_and_balanced() -> None:
    """False-alarm rate of the balance check <= 2 exp(-2 t^2 / n) <= 1e-9 (Hoeffding)."""
    n = 20_000
    drawn = [system_bits()() for _ in range(n)]
    assert set(drawn) == {0, 1}
    assert abs(sum(drawn) - n / 2) <= math.sqrt(n * math.log(2e9) / 2)


def test_system_bits_has_no_seed() -> None:
    with pytest.raises(TypeError):
        system_bits(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        SystemBits(1)  # type: ignore[call-arg]


def test_is_system_holds_of_the_one_source_only() -> None:
    class Lookalike(SystemBits):
        pass

    others: list[Bits] = [lambda: SYSTEM(), SYSTEM.__call__, Lookalike(), SystemBits(), lambda: 0]
    assert is_system(system_bits())
    assert not any(is_system(bits) for bits in others)


def test_copies_and_pickles_are_the_source_itself() -> None:
    for other in (copy.copy(SYSTEM), copy.deepcopy(SYSTEM), pickle.loads(pickle.dumps(SYSTEM))):
        assert other is SYSTEM


@forks
def test_a_forked_child_draws_other_bits_than_its_parent() -> None:
    SYSTEM()  # the buffer holds more than a word
    here, there = drawn_after_fork(lambda: bytes(word(SYSTEM)))
    assert len(there) == WORD
    assert here != there


def delivered(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every chunk that `os.urandom` delivers from now on."""
    chunks: list[bytes] = []
    urandom = os.urandom

    def fetch(size: int) -> bytes:
        chunks.append(urandom(size))
        return chunks[-1]

    monkeypatch.setattr("refdp.sampling.entropy.os.urandom", fetch)
    return chunks


def drawn_by_threads(draw: Callable[[], int], threads: int, each: int) -> list[int]:
    """What `threads` threads draw, `each` flips apiece."""
    drawn: list[list[int]] = [[] for _ in range(threads)]
    workers = [
        threading.Thread(target=lambda mine: mine.extend(draw() for _ in range(each)), args=(mine,)) for mine in drawn
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [flip for mine in drawn for flip in mine]


@pytest.mark.usefixtures("frequent_switches")
def test_threads_are_handed_each_bit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    chunks, bits = delivered(monkeypatch), SystemBits()
    drawn = drawn_by_threads(bits, threads=8, each=10_000)
    assert len(drawn) == 80_000
    assert len(drawn) <= 8 * sum(map(len, chunks))
    assert set(drawn) == {0, 1}


@pytest.mark.usefixtures("frequent_switches")
def test_threads_are_handed_each_place_of_a_page_once() -> None:
    """Two threads that find a page empty fill two; numbers of the page that is dropped go to one thread or to none."""
    numbers = page(lambda size: bytes([7]) * size, "B")
    drawn = drawn_by_threads(lambda: numbers.take() or 0, threads=8, each=600)
    assert drawn.count(7) == SIZE - 1
