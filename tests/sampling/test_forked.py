"""No draw twice, however a process was forked: by Python, by the C library, into a PID namespace, by a server.

Two of the words that are compared, 64 fair digits each, are alike with probability 2^-64: fewer than 10^4 pairs are
compared in a run, so a right source fails with probability below 1e-15.  The server's rates are stated there.
"""

import ctypes
import mmap
import multiprocessing
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest

import refdp
from refdp.sampling import pages
from refdp.sampling.chunks import run_of
from refdp.sampling.drawing import Randomness
from refdp.sampling.entropy import SYSTEM
from refdp.sampling.words import LONG, SYSTEM_WORDS, Recorded
from tests.sampling.forks import drawn_after_fork, drawn_in_child, fork_below_python, fork_into_namespace, forks

pytestmark = [
    forks,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks by Linux's C library"),
]
WIDE = refdp.discrete_laplace(scale=2**60)


def of_coins(coins: object = Randomness(source=SYSTEM_WORDS).coins()) -> bytes:
    """64 flips of coins that were made, and flipped, before the fork."""
    return sum(coins.flip() << i for i in range(64)).to_bytes(8)  # type: ignore[attr-defined]


def released() -> bytes:
    """A draw of scale 2^60, as an engineer asks for it."""
    return int(WIDE(0)).to_bytes(16, signed=True)


def in_chunks() -> bytes:
    """Draws of scale 2^60 in bulk."""
    first = next(iter(run_of(WIDE.subject, refdp.exact(0), 200, SYSTEM_WORDS).chunks()))
    return b"".join(int(k).to_bytes(16, signed=True) for k in first.plus(0))[:16]


DRAWS: dict[str, Callable[[], bytes]] = {
    "words": lambda: SYSTEM_WORDS.digits(64).to_bytes(8),
    "flips": lambda: sum(SYSTEM() << i for i in range(64)).to_bytes(8),
    "short records": lambda: SYSTEM_WORDS.octets(8),
    "long records": lambda: SYSTEM_WORDS.octets(2 * LONG)[:8],
    "coins kept": of_coins,
    "draws": released,
    "draws in bulk": in_chunks,
}


@pytest.fixture(params=DRAWS)
def draw(request: pytest.FixtureRequest) -> Callable[[], bytes]:
    """A way to draw, used once: the process is warm."""
    found = DRAWS[request.param]
    found()
    return found


@pytest.mark.parametrize("fork", [os.fork, fork_below_python])
def test_children_of_one_process_repeat_neither_it_nor_each_other(
    draw: Callable[[], bytes], fork: Callable[[], int]
) -> None:
    children = [drawn_in_child(draw, fork) for _ in range(4)]
    assert all(children)
    assert len({*children, draw()}) == 5


def test_words_wait_wherever_the_kernel_wipes_private_pages() -> None:
    memory, promised = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), []
    for advice in (18, -1):  # MADV_WIPEONFORK, and none that there is
        try:
            memory.madvise(advice)
            promised.append(advice)
        except OSError:
            pass
    assert pages.CAN_WAIT is (promised == [18])


def test_coins_of_the_system_s_words_keep_no_flips() -> None:
    """Those of a record do: WordFlips reads eight at a time, and a fork would copy what is left of them."""
    assert Randomness(source=SYSTEM_WORDS).coins().from_system
    assert not Randomness(source=Recorded(b"")).coins().from_system


def test_children_of_children_repeat_nothing(draw: Callable[[], bytes]) -> None:
    def below() -> bytes:
        return b"".join(drawn_after_fork(draw, fork_below_python))

    size = len(draw())
    found = below() + b"".join(drawn_in_child(below, fork_below_python) for _ in range(2))
    parts = {found[i : i + size] for i in range(0, len(found), size)}
    assert len(parts) == 6


def namespaced(draw: Callable[[], bytes]) -> bytes:
    """What process 1 of a namespace and its child, which is process 1 too, draw; empty where none is allowed."""

    def first() -> bytes:
        draw()
        here, there = drawn_after_fork(lambda: os.getpid().to_bytes(4) + draw(), fork_into_namespace)
        return here + there

    try:
        return drawn_in_child(lambda: drawn_in_child(first, fork_into_namespace))
    except PermissionError:
        return b""


def test_a_child_with_its_parent_s_process_identifier_repeats_nothing(draw: Callable[[], bytes]) -> None:
    found = namespaced(draw)
    if not found:
        pytest.skip("no new PID namespace is allowed here")
    here, there = found[: len(found) // 2], found[len(found) // 2 :]
    assert here[:4] == there[:4] == (1).to_bytes(4)
    assert len(here) > 8
    assert here != there


def test_openssl_alone_would_repeat_there() -> None:
    """That is: the test above can fail, and why long records are stirred."""
    import ssl

    found = namespaced(lambda: ssl.RAND_bytes(32))
    if not found:
        pytest.skip("no new PID namespace is allowed here")
    if not ssl.OPENSSL_VERSION.startswith("OpenSSL 3"):
        pytest.skip(f"{ssl.OPENSSL_VERSION} may know a fork by other means")
    assert found[: len(found) // 2] == found[len(found) // 2 :]


def test_a_page_that_is_not_wiped_would_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is: the tests above can fail."""
    from refdp.sampling.words import SystemWords

    monkeypatch.setattr(pages, "WIPE_ON_FORK", 0)  # MADV_NORMAL
    source = SystemWords()
    source.digits(1)
    here, there = drawn_after_fork(lambda: source.digits(256).to_bytes(32), fork_below_python)
    assert len(there) == 32
    assert (here == there) is pages.CAN_WAIT


def test_without_pages_nothing_waits_and_nothing_repeats(
    draw: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "CAN_WAIT", False)
    monkeypatch.setattr(SYSTEM, "_page", pages.EMPTY)
    monkeypatch.setattr(SYSTEM_WORDS, "_page", pages.EMPTY)
    children = [drawn_in_child(draw, fork_below_python) for _ in range(3)]
    assert len({*children, draw()}) == 4
    assert SYSTEM._page is SYSTEM_WORDS._page is pages.EMPTY


def word() -> int:
    """A word of a worker of a pool."""
    return SYSTEM_WORDS.digits(64)


def test_workers_that_multiprocessing_forks_repeat_nothing() -> None:
    word()
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = [pool.apply(word) for _ in range(40)] + [word()]
    assert len(set(found)) == 41


def test_subinterpreters_repeat_nothing() -> None:
    """Each imports the package anew, in one process; a fork below Python follows."""
    program = """if True:
        import sys
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        sys.stdout.flush()
        told = "from refdp.sampling.words import SYSTEM_WORDS as s; print(s.digits(64), s.digits(64), flush=True)"
        for _ in range(3):
            interpreters.run_string(interpreters.create(), told)
        exec(told)
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    if "interpreters" in ran.stderr:
        pytest.skip(f"no subinterpreters here: {ran.stderr[-200:]}")
    found = ran.stdout.split()
    assert len(set(found)) == len(found) == 8, ran.stderr


WORKERS, EACH, RUN = 8, 1_000, 64
NARROW = refdp.discrete_laplace(scale=1)


def served(listening: socket.socket) -> None:
    """One request of a worker of the server: its first draws of both scales."""
    connection = listening.accept()[0]
    with connection, connection.makefile("w") as answer:
        for mechanism in (NARROW, WIDE):
            print(*(int(mechanism(0)) for _ in range(EACH)), file=answer)


@pytest.fixture(scope="module")
def answers() -> list[list[list[int]]]:
    """What 8 workers answer that a server forks below Python when it is warm: both lists of each."""
    for _ in range(100):
        NARROW(0), WIDE(0)
    libc, found = ctypes.PyDLL(None), list[list[list[int]]]()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        workers = []
        for _ in range(WORKERS):
            number = int(libc.fork())
            if number == 0:
                try:
                    served(listening)
                finally:
                    os._exit(0)
            workers.append(number)
        for _ in range(WORKERS):
            with socket.create_connection(listening.getsockname(), timeout=60) as asking, asking.makefile() as lines:
                found.append([[int(k) for k in line.split()] for line in lines])
    for number in workers:
        os.waitpid(number, 0)
    return found


def test_workers_of_a_server_have_no_run_of_64_draws_of_scale_1_in_common(answers: list[list[list[int]]]) -> None:
    """Two draws agree with probability below 0.281: 28 * 937^2 pairs of runs, each 0.281^64, alarm below 1e-27."""
    runs = [{tuple(one[0][i : i + RUN]) for i in range(EACH - RUN + 1)} for one in answers]
    assert [len(one[0]) for one in answers] == [EACH] * WORKERS
    assert len(set().union(*runs)) == sum(map(len, runs)) == WORKERS * (EACH - RUN + 1)


def test_workers_of_a_server_never_draw_a_number_of_scale_2_60_twice(answers: list[list[list[int]]]) -> None:
    """Two draws agree with probability at most 2^-61: 8000^2 / 2 pairs alarm below 2e-11."""
    found = sorted(k for one in answers for k in one[1])
    assert len(found) == WORKERS * EACH
    assert all(a != b for a, b in pairwise(found))
