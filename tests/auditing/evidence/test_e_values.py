"""E-values and the ledger: products, means, and what they refuse."""

from fractions import Fraction as F

import pytest

from refdp.auditing.evidence.e_values import NOTHING, EValue, average, error
from refdp.auditing.evidence.ledger import Ledger, Overspent, split
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.exact import NotExact
from refdp.numerics.intervals import Interval


def e(x) -> EValue:
    return EValue(Interval(*ln_bounds(F(x), 128), 128))


def test_e_values_refute_only_above_one_over_alpha():
    assert e(1001).refutes("1/1000")
    assert not e(1000).refutes("1/1000")  # the enclosure of ln 1000 does not lie above itself
    assert not EValue(None).refutes("1/2")
    assert not NOTHING.refutes("999/1000")


def test_e_value_refutes_by_its_lower_end_alone():
    wide = EValue(Interval(ln_bounds(F(10), 64)[0], ln_bounds(F(10**9), 64)[1]))
    assert not wide.refutes("1/100")
    assert wide.refutes("1/9")


def test_e_values_multiply_and_average():
    assert (e(40) * e(50)).refutes("1/1999")
    assert not (e(40) * e(50)).refutes("1/2001")
    assert (e(40) * EValue(None)).ln is None
    mean = average([e(40), e(60), EValue(None)])
    assert mean.refutes(F(3, 99))
    assert not mean.refutes(F(3, 101))
    assert average([EValue(None)]).ln is None


@pytest.mark.parametrize("weights", [[F(2, 3), F(2, 3)], [F(-1, 3), F(1)], [F(1, 2)], [0.5, 0.5]])
def test_average_refuses_weights_that_are_none(weights):
    with pytest.raises(ValueError, match="weights"):
        average([e(1), e(2)], weights)


@pytest.mark.parametrize("alpha", [0, 1, "2", "-1/2"])
def test_error_is_strictly_between_0_and_1(alpha):
    with pytest.raises(ValueError, match="alpha must be > 0 and < 1"):
        error(alpha)


def test_error_is_no_float():
    with pytest.raises(NotExact, match="1e-09"):
        error(1e-9)


def test_log10_is_a_lower_bound():
    assert F(2) - F(1, 10**20) < e(100).log10 <= 2
    assert F(-2) - F(1, 10**20) < e("1/100").log10 <= -2


def test_ledger_splits_one_alpha_by_declared_shares():
    ledger = Ledger(error("1e-9"), (("scale", F(1, 2)), ("pairs", F(1, 4))))
    assert ledger.share("scale") == F(1, 2 * 10**9)
    assert ledger.reserve("floats", "1/4").spent == 1
    assert sum(split("1e-9", "abc").share(name) for name in "abc") == F(1, 10**9)


def test_ledger_refuses_to_overspend():
    ledger = split("1e-9", ["scale", "pairs"])
    with pytest.raises(Overspent, match="at most 1"):
        ledger.reserve("one more", "1/1000000")
    with pytest.raises(Overspent):
        Ledger(F(1, 100), (("a", F(2, 3)), ("b", F(2, 3))))


def test_ledger_refuses_names_that_are_unknown_or_stand_twice():
    ledger = Ledger(error("1e-9"), (("scale", F(1, 2)),))
    with pytest.raises(ValueError, match="no share"):
        ledger.share("pairs")
    with pytest.raises(ValueError, match="one share"):
        ledger.reserve("scale", "1/4")
    with pytest.raises(ValueError, match="> 0"):
        ledger.reserve("free", 0)
