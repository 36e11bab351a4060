"""The mutants."""

from tests.accounting.mutants.judging import JUDGING
from tests.accounting.mutants.trying import Mutant

MUTANTS: tuple[Mutant, ...] = JUDGING
