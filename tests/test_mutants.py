"""One error at a time in engines and samplers: each must be noticed by the tests named beside it."""

import pytest

from tests.accounting.mutants.table import MUTANTS as OF_ACCOUNTING
from tests.mutating import ROOT, applied, copy_of_the_checkout, dies
from tests.sampling.mutants.table import MUTANTS as OF_SAMPLING

MUTANTS = (*OF_ACCOUNTING, *OF_SAMPLING)


def test_there_are_enough_mutants():
    assert len({(m.file, m.old, m.new) for m in MUTANTS}) == len(MUTANTS)
    assert min(len(OF_ACCOUNTING), len(OF_SAMPLING)) >= 20


def test_mutants_change_the_code_as_it_stands():
    for mutant in MUTANTS:
        text = (ROOT / mutant.file).read_text()
        assert applied(mutant, text) != text, mutant.name


@pytest.mark.long
@pytest.mark.parametrize("mutants", [OF_ACCOUNTING, OF_SAMPLING], ids=["accounting", "sampling"])
def test_mutants_all_die(mutants):
    with copy_of_the_checkout() as root:
        assert [m.name for m in mutants if not dies(root, m)] == []
