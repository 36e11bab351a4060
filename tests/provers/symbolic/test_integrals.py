"""Bound names: told apart from free ones, and names they must be."""

from __future__ import annotations

import pytest

from refdp.provers.symbolic.integrals import bound_name, free_and_bound
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.provers.statements import statement


def test_free_and_bound_names_are_told_apart():
    s = statement(["0 < z"], "integral(exp(-abs(z) * integral(exp(-w**2), w)), z) == x")
    assert free_and_bound(s) == ({"z", "x"}, {"z", "w"})


def test_an_integral_is_over_a_name():
    assert bound_name(read("integral(x, z)")) == "z"
    with pytest.raises(TermError, match="an integral is over a name, got z \\+ 1"):
        bound_name(read("integral(x, z + 1)"))
