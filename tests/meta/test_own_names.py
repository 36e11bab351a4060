"""No test leaves other builtins to the tests after it."""

import builtins

from tests.conftest import restored_builtins


def test_what_was_done_to_builtins_is_found_and_undone():
    length = len
    vars(builtins).update(LIMIT=5, len=abs)
    del vars(builtins)["sum"]
    assert restored_builtins() == ["LIMIT", "len", "sum"]
    assert len is length
    assert sum([1, 2]) == 3
    assert not hasattr(builtins, "LIMIT")
    assert restored_builtins() == []
