"""The mutants."""

from tests.accounting.mutants.judging import JUDGING
from tests.accounting.mutants.sums import SUMS
from tests.accounting.mutants.trying import Mutant

MUTANTS: tuple[Mutant, ...] = SUMS + JUDGING
