"""Words of the operating system: each handed out once, also across threads and forks; and their stand-ins."""

import copy
import importlib.util
import math
import pickle
import ssl
import sys
import threading

import pytest

from refdp.sampling.tree import OutOfBits, Tape
from refdp.sampling.words import LONG, STIRS, SYSTEM_WORDS, Flipped, Recorded, SystemWords, is_system, words
from tests.sampling.forks import drawn_after_fork, forks


def word_of(source: SystemWords):
    return lambda: source.digits(256).to_bytes(32)


@pytest.mark.parametrize("count", [1, 7, 16, 63, 64, 65, 128, 200])
def test_digits_are_in_range_and_balanced(count: int) -> None:
    """False-alarm rate of the balance check <= 1e-9 (Hoeffding)."""
    drawn = [SYSTEM_WORDS.digits(count) for _ in range(500)]
    assert all(0 <= value < 2**count for value in drawn)
    n = 500 * count
    assert abs(sum(value.bit_count() for value in drawn) - n / 2) <= math.sqrt(n * math.log(2e9) / 2)


@pytest.mark.parametrize("count", [1, 3, 64, 65, 100])
def test_digits_take_the_first_digits_of_each_word(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdp.sampling.words.os.urandom", lambda size: b"\xff" * size)
    assert SystemWords().digits(count) == 2**count - 1


def test_octets_are_as_many_as_asked_for() -> None:
    assert [len(SYSTEM_WORDS.octets(size)) for size in (0, 1, 100, LONG, 3 * LONG)] == [0, 1, 100, LONG, 3 * LONG]
    assert SYSTEM_WORDS.octets(32) != SYSTEM_WORDS.octets(32)


def test_there_is_no_seed() -> None:
    with pytest.raises(TypeError):
        SystemWords(1)


def test_is_system_holds_of_the_one_source_only() -> None:
    class Lookalike(SystemWords):
        pass

    assert is_system(SYSTEM_WORDS)
    assert not any(is_system(other) for other in (SystemWords(), Lookalike(), Recorded(b""), Flipped(Tape([]))))


def test_copies_and_pickles_are_the_source_itself() -> None:
    for other in (copy.copy(SYSTEM_WORDS), copy.deepcopy(SYSTEM_WORDS), pickle.loads(pickle.dumps(SYSTEM_WORDS))):
        assert other is SYSTEM_WORDS


@forks
def test_a_forked_child_draws_other_words_than_its_parent() -> None:
    SYSTEM_WORDS.digits(1)  # words wait in the buffer
    here, there = drawn_after_fork(word_of(SYSTEM_WORDS))
    assert len(there) == 32
    assert here != there


def test_long_records_are_openssl_s_seeded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[bytes] = []
    monkeypatch.setattr("refdp.sampling.words.ssl.RAND_add", lambda seed, entropy: seeds.append(seed))
    monkeypatch.setattr("refdp.sampling.words.ssl.RAND_bytes", lambda size: bytes(size))
    for size in (LONG - 1, LONG, 2 * LONG):
        SYSTEM_WORDS.octets(size)
    assert len(set(seeds)) == (2 if STIRS else 0)
    assert all(len(seed) == 32 for seed in seeds)


@pytest.mark.parametrize(
    ("version", "number", "stirs"),
    [("OpenSSL 3.0.13 30 Jan 2024", (3, 0, 0, 13, 0), True), ("OpenSSL 1.1.1w", (1, 1, 1, 23, 15), True),
     ("OpenSSL 1.1.0h", (1, 1, 0, 8, 15), False), ("LibreSSL 3.8.2", (2, 0, 0, 0, 0), False),
     ("LibreSSL 9", (9, 0, 0, 0, 0), False), ("BoringSSL", (1, 1, 1, 0, 0), False)],
)  # fmt: skip
def test_only_openssl_s_own_generators_are_seeded_anew(
    version: str, number: tuple[int, ...], stirs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others ignore the seed, and older ones have one generator for all threads."""
    monkeypatch.setattr(ssl, "OPENSSL_VERSION", version)
    monkeypatch.setattr(ssl, "OPENSSL_VERSION_INFO", number)
    spec = sys.modules[SystemWords.__module__].__spec__
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    assert fresh.STIRS is stirs


def test_no_record_is_openssl_s_where_it_takes_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdp.sampling.words.STIRS", False)
    monkeypatch.setattr("refdp.sampling.words.ssl.RAND_bytes", lambda size: bytes(size))
    assert SYSTEM_WORDS.octets(2 * LONG) != bytes(2 * LONG)


@forks
def test_a_forked_child_draws_other_octets_than_its_parent() -> None:
    SYSTEM_WORDS.octets(1)
    here, there = drawn_after_fork(lambda: SYSTEM_WORDS.octets(32))
    assert here != there


@pytest.mark.usefixtures("frequent_switches")
def test_threads_are_handed_each_word_once(monkeypatch: pytest.MonkeyPatch) -> None:
    numbered = iter(range(1, 10**9))
    monkeypatch.setattr(
        "refdp.sampling.words.os.urandom",
        lambda size: b"".join(next(numbered).to_bytes(8, sys.byteorder) for _ in range(size // 8)),
    )
    source, drawn = SystemWords(), [[] for _ in range(6)]
    workers = [threading.Thread(target=lambda m=m: m.extend(source.digits(64) for _ in range(5000))) for m in drawn]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    handed_out = [word for mine in drawn for word in mine]
    assert len(set(handed_out)) == len(handed_out) == 30_000


def test_a_record_is_read_in_order() -> None:
    record = Recorded(bytes([0b10110011, 0xFF, 1, 2, 3, 4]))
    assert record.digits(3) == 0b101
    assert record.digits(9) == 0b111111110
    assert (record.octets(2), record.used) == (b"\x02\x03", 5)
    with pytest.raises(OutOfBits):
        record.octets(2)
    assert record.octets(1) == b"\x04"


def test_flips_are_digits_the_first_the_most_significant() -> None:
    source = Flipped(Tape([1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1]))
    assert (source.digits(3), source.octets(1)) == (6, bytes([0b10000011]))


def test_words_have_the_least_significant_octet_first() -> None:
    assert words(Recorded(bytes([1, 0, 0, 2])), 2, 16) == [1, 512]
    assert words(Recorded(b""), 0, 64) == []
