"""An output that says nothing of the target is no answer: an exception, NaN, an object that shows its address alone."""

from __future__ import annotations

from typing import Any

import pytest

from refdp.auditing.judges.privacy.planted import silent, unanswered
from refdp.auditing.targets.workers import wire


class Box:
    """What a target may answer with that tells nothing of itself."""


def received(value: Any) -> Any:
    """A value as it comes over the wire."""
    return wire.decoded(wire.encoded(value))


@pytest.mark.parametrize("value", [object(), Box(), (x for x in "a"), map(str, "a"), lambda: 0])
def test_an_object_of_which_only_the_address_is_seen_is_no_answer(value: Any) -> None:
    assert "only the address is seen" in unanswered(received(value))
    assert "gave no answer" in silent([[received(value)] * 3, [received(value)] * 3])


@pytest.mark.parametrize("value", [{1, 2}, 1 + 2j, {"a": 1}, [1, 2], "x at 0x10", None, 0, range(3)])
def test_an_object_that_shows_what_it_holds_is_an_answer(value: Any) -> None:
    assert unanswered(received(value)) == ""
    assert silent([[received(value)] * 3, [received(value)] * 3]) == ""
