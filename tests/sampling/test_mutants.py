"""One error at a time in the samplers: each must be noticed by the tests named beside it."""

import pytest

from tests.accounting.mutants.trying import ROOT, Mutant, applied, copy_of_the_checkout, dies
from tests.sampling.mutants.table import MUTANTS


def test_there_are_enough_mutants() -> None:
    assert len({(m.file, m.name) for m in MUTANTS}) == len(MUTANTS) >= 20


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.file}: {m.name}")
def test_mutants_change_the_code_as_it_stands(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text()
    assert applied(mutant, text) != text


@pytest.mark.long
def test_mutants_all_die() -> None:
    with copy_of_the_checkout() as root:
        assert [m.name for m in MUTANTS if not dies(root, m)] == []
