"""A page of random numbers: each is taken once and wiped, and whatever a fork wiped is taken for nothing."""

import mmap

import pytest

from refdp.sampling import pages
from refdp.sampling.pages import EMPTY, NO_ADVICE, SIZE, WIPE_ON_FORK, can_wait, page
from tests.sampling.forks import drawn_in_child, fork_below_python, forks

pytestmark = pytest.mark.skipif(not pages.CAN_WAIT, reason="the kernel wipes no page on a fork")


def octets(size: int) -> bytes:
    return bytes(i % 251 for i in range(size))


def test_a_page_gives_each_number_once_but_the_first_and_keeps_none() -> None:
    found = page(octets, "B")
    taken = [found.take() for _ in range(SIZE - 1)]
    assert taken == list(octets(SIZE))[:0:-1]
    assert found.take() is None
    assert bytes(found._numbers) == b"\x01" + bytes(SIZE - 1)


def test_a_number_is_wiped_when_it_is_taken() -> None:
    found = page(lambda size: b"\xff" * size, "Q")
    assert [found.take(), found.take()] == [2**64 - 1] * 2
    assert list(found._numbers).count(2**64 - 1) == SIZE // 8 - 3


def test_a_short_page_has_no_more_numbers_than_were_fetched() -> None:
    found = page(lambda size: b"\x07" * 4, "B")
    assert [found.take() for _ in range(5)] == [7, 7, 7, None, None]


def test_an_empty_page_gives_nothing() -> None:
    assert EMPTY.take() is None


def test_a_wiped_page_gives_nothing_and_zeros_are_numbers() -> None:
    zeros = page(bytes, "Q")
    assert zeros.take() == 0
    zeros._numbers[0] = 0  # as a fork leaves it
    assert zeros.take() is None


@forks
def test_the_kernel_wipes_the_page_of_a_child() -> None:
    found = page(lambda size: b"\xff" * size, "B")
    assert drawn_in_child(lambda: bytes(found._numbers), fork_below_python) == bytes(SIZE)
    assert found.take() == 255


@forks
def test_numbers_that_are_in_hand_while_the_process_forks_are_taken_on_one_side() -> None:
    """A handler of a signal may fork while a page is being filled."""
    theirs: list[bytes] = []

    def fetch(size: int) -> bytes:
        content = b"\xee" * size
        theirs.append(drawn_in_child(lambda: bytes(filled_in_child(content)), fork_below_python))
        return content

    def filled_in_child(content: bytes) -> list[int]:
        numbers = waiting[0]
        numbers[1:] = content[1:]
        return [numbers[0]]  # the mark, when the child goes on to fill the page

    waiting: list[memoryview] = []
    wiped = pages._wiped_on_fork

    def kept() -> mmap.mmap:
        memory = wiped()
        waiting.append(memoryview(memory))
        return memory

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_wiped_on_fork", kept)
        found = page(fetch, "B")
    assert theirs == [b"\x00"]
    assert found.take() == 0xEE


class Kernel(mmap.mmap):
    """Memory of a kernel that takes some advice; nothing is done by it."""

    takes: tuple[int, ...] = ()

    def madvise(self, option: int, *_: int) -> None:
        if option not in self.takes:
            raise OSError(22, "Invalid argument")


@pytest.mark.parametrize(("takes", "waits"), [((), False), ((WIPE_ON_FORK,), True), ((WIPE_ON_FORK, NO_ADVICE), False)])
def test_nothing_waits_unless_the_kernel_promises_and_promises_not_anything(
    takes: tuple[int, ...], waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refdp.sampling.pages.mmap.mmap", type("Taking", (Kernel,), {"takes": takes}))
    assert can_wait() is waits


def test_nothing_waits_where_there_is_no_such_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refdp.sampling.pages.sys.platform", "darwin")
    assert not can_wait()
