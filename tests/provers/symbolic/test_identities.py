"""sympy's opinion alone: right integrals simplify to 0, wrong or undefined ones do not."""

from __future__ import annotations

import pytest

from refdp.provers.symbolic.identities import is_identity
from tests.provers.symbolic.equalities import FALSE, TRUE, UNDEFINED


@pytest.mark.parametrize("case", TRUE)
def test_sympy_agrees(case):
    assert is_identity(TRUE[case]) == ""


@pytest.mark.parametrize("case", FALSE)
def test_sympy_does_not_agree_with_what_is_wrong(case):
    assert is_identity(FALSE[case]) != ""


@pytest.mark.parametrize("case", UNDEFINED)
def test_sympy_does_not_agree_with_what_may_have_no_value(case):
    s, reason = UNDEFINED[case]
    assert reason in is_identity(s)
