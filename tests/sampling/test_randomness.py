"""No digit twice: threads that draw while the process forks, new processes; records that end; and no way to a seed.

Words of 64 fair digits: m of them are all different but with probability m^2 / 2^65, below 1e-9 for the 10^5 here.
"""

import importlib
import inspect
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest

import refdp
import refdp.releases
import refdp.sampling
from refdp.commands.release import release
from refdp.releases import release as releases
from refdp.releases.errors import InputError
from refdp.sampling.bulk.exponential import PerElement
from refdp.sampling.bulk.lookup import bulk_lookup
from refdp.sampling.bulk.slots import bulk_slots
from refdp.sampling.coins import Coins
from refdp.sampling.entropy import SYSTEM
from refdp.sampling.tree import OutOfBits, Tape
from refdp.sampling.words import SYSTEM_WORDS, Recorded
from tests.sampling.families import LAWS, scales
from tests.sampling.noises import gaussian, laplace

forks = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="forks"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]
SECONDS = 20
CHILDREN, WORDS = 6, 40


def one_by_one() -> int:
    """A word of the buffer."""
    return SYSTEM_WORDS.digits(64)


def past_the_buffer() -> int:
    return int.from_bytes(SYSTEM_WORDS.octets(8))


def flip_by_flip() -> int:
    """64 flips: what is left of the flips of before is dropped in a child, too."""
    return sum(SYSTEM() << i for i in range(64))


def forked(draw: Callable[[], int], count: int = WORDS) -> list[int]:
    """Words that a forked child draws; an alarm ends one that hangs."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(SECONDS)
            os.write(writer, b"".join(draw().to_bytes(8) for _ in range(count)))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        content = answer.read()
    os.waitpid(child, 0)
    return [int.from_bytes(content[i : i + 8]) for i in range(0, len(content), 8)]


class Drawing:
    """Threads that draw until it is left; `words` are what they drew."""

    def __init__(self, draw: Callable[[], int], threads: int = 3) -> None:
        self.draw, self.stop = draw, threading.Event()
        self.words: list[list[int]] = [[] for _ in range(threads)]
        self.threads = [threading.Thread(target=self._run, args=(mine,)) for mine in self.words]

    def _run(self, mine: list[int]) -> None:
        while not self.stop.is_set() and len(mine) < 20_000:
            mine.append(self.draw())

    def __enter__(self) -> "Drawing":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join()


@pytest.mark.parametrize("draw", [one_by_one, past_the_buffer, flip_by_flip])
class TestForks:
    pytestmark = forks

    @pytest.mark.usefixtures("frequent_switches")
    def test_children_forked_while_threads_draw_repeat_nothing(self, draw: Callable[[], int]) -> None:
        with Drawing(draw) as drawing:
            theirs = [forked(draw) for _ in range(CHILDREN)]
        found = [word for part in (*drawing.words, *theirs) for word in part]
        assert [len(part) for part in theirs] == [WORDS] * CHILDREN
        assert all(drawing.words)
        assert len(set(found)) == len(found)

    def test_a_child_forked_by_another_thread_repeats_nothing(self, draw: Callable[[], int]) -> None:
        """The buffer is as the main thread left it, half used."""
        found, theirs = [draw()], list[int]()
        thread = threading.Thread(target=lambda: theirs.extend(forked(draw)))
        thread.start()
        thread.join()
        found += [*theirs, *(draw() for _ in range(WORDS))]
        assert len(theirs) == WORDS
        assert len(set(found)) == len(found)

    def test_a_child_of_a_child_repeats_nothing(self, draw: Callable[[], int]) -> None:
        """The second child draws what its parent would have drawn, were it not for the hook."""
        draw()

        def below() -> int:
            return forked(draw, 1)[0] ^ draw()  # 0 if they are alike

        found = [*forked(below, 3), draw(), 0]
        assert len(set(found)) == len(found) == 5


def test_new_processes_draw_other_digits() -> None:
    """As a pool that spawns does: each imports the package anew."""
    program = "from refdp.sampling.words import SYSTEM_WORDS as s; print(s.octets(32).hex(), s.digits(256))"
    words = [sys.executable, "-c", program]
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=60)[0].split() for process in running]
    found = [word for part in said for word in part] + [SYSTEM_WORDS.octets(32).hex(), str(SYSTEM_WORDS.digits(256))]
    assert len(set(found)) == len(found) == 6


@pytest.mark.usefixtures("frequent_switches")
def test_threads_that_draw_arrays_at_once_repeat_nothing() -> None:
    """Runs of 4 draws, each with about 48 random digits: two are alike with probability below 2^-160."""
    sampler, found = bulk_slots(laplace(2**48)), list[np.ndarray]()
    threads = [threading.Thread(target=lambda: found.append(sampler.sample(2_000))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    runs = [tuple(part[i : i + 4].tolist()) for part in found for i in range(0, 2_000, 4)]
    assert len(set(runs)) == len(runs) == 3_000


SAMPLERS: dict[str, Callable[[Recorded], object]] = {
    "slots": lambda source: bulk_slots(gaussian(1000)).sample(1_000, source),
    "slots, exactly": lambda source: bulk_slots(gaussian(1000)).draws.many(1_000, source),
    "slots, one": lambda source: [bulk_slots(gaussian(1000)).draws.one(source) for _ in range(1_000)],
    "a finite law": lambda source: bulk_lookup(LAWS["exponential mechanism"]).sample(1_000, source),
    "a finite law, one": lambda source: [bulk_lookup(LAWS["thirds"]).draws.one(source) for _ in range(1_000)],
    "scales": lambda source: PerElement().gaussian(scales("mixed", 1_000), source),
}


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("size", [0, 1, 700, 1_999])
def test_a_record_that_is_too_short_is_an_error(name: str, size: int) -> None:
    """It says how much there was; no digit of it is used for a number that is only half drawn."""
    record = Recorded(os.urandom(size))
    with pytest.raises(OutOfBits, match=rf"the record holds {size} octets"):
        SAMPLERS[name](record)
    assert record.used <= size


def is_exception(f: object) -> bool:
    return isinstance(f, type) and issubclass(f, Exception)


def parameters_of(function: Callable[..., object]) -> set[str]:
    return set(inspect.signature(function).parameters)


SEEDS = {"seed", "random_state", "rng", "generator", "source", "bits", "coins", "entropy"}


def test_no_release_takes_a_source_or_a_seed() -> None:
    modules = [
        importlib.import_module(f"refdp.releases.{m.name}") for m in pkgutil.iter_modules(refdp.releases.__path__)
    ]
    functions = [f for m in modules for _, f in inspect.getmembers(m, inspect.isfunction) if f.__module__ == m.__name__]
    functions += [release, refdp.release]
    assert releases.answers in functions
    assert [f.__qualname__ for f in functions if parameters_of(f) & SEEDS] == []


def test_no_sampler_takes_a_seed() -> None:
    """A source of digits may be brought, to replay a record; a seed may not."""
    for one in pkgutil.walk_packages(refdp.sampling.__path__, "refdp.sampling."):
        module = importlib.import_module(one.name)
        made = inspect.getmembers(module, lambda x: inspect.isfunction(x) or inspect.isclass(x))
        functions = [f for _, f in made if f.__module__ == module.__name__ and not is_exception(f)]
        assert [f.__qualname__ for f in functions if parameters_of(f) & {"seed", "random_state", "rng"}] == []


def test_a_release_from_another_source_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if somebody rebinds the name."""
    monkeypatch.setattr(releases, "Coins", lambda: Coins(Tape([0] * 1_000)))
    with pytest.raises(InputError, match="must draw from the operating system's entropy"):
        releases.answers(None, type("Empty", (), {"decimal_columns": {}, "label_columns": {}, "size": 0})())
