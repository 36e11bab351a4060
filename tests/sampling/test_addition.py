"""data + noise in int64: the sum of the integers, or an error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.sampling.bulk.addition import add, added

LEAST, GREATEST = -(2**63), 2**63 - 1
edges = st.sampled_from([LEAST, LEAST + 1, -1, 0, 1, GREATEST - 1, GREATEST]) | st.integers(LEAST, GREATEST)


@given(edges, edges)
def test_a_sum_is_that_of_the_integers_or_an_error(a: int, b: int) -> None:
    data, noise = np.array([0, a, 5], np.int64), np.array([0, b, -7], np.int64)
    if LEAST <= a + b <= GREATEST:
        assert added(data, noise).tolist() == [0, a + b, -2]
    else:
        with pytest.raises(OverflowError, match="exceeds the range of int64"):
            added(data, noise)


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64])
@given(edges, edges)
def test_noise_of_any_width_is_added_as_integers_are(kind: type[np.signedinteger], a: int, b: int) -> None:
    ends = np.iinfo(kind)
    b = max(int(ends.min), min(b, int(ends.max)))
    data, out = np.array([0, a, 5], np.int64), np.zeros(3, np.int64)
    if LEAST <= a + b <= GREATEST:
        add(data, np.array([0, b, -7], kind), out)
        assert out.tolist() == [0, a + b, -2]
    else:
        with pytest.raises(OverflowError, match="exceeds the range of int64"):
            add(data, np.array([0, b, -7], kind), out)


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="must be int64"):
        added(np.array([1.5]), np.array([1], np.int64))
    with pytest.raises(TypeError, match="must be int64"):
        added(np.array([1], np.int64), np.array([1], np.int32))
