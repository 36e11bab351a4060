"""The mutants."""

from tests.accounting.mutants.contour import CONTOUR
from tests.accounting.mutants.sums import SUMS
from tests.accounting.mutants.trying import Mutant

MUTANTS: tuple[Mutant, ...] = (*SUMS, *CONTOUR)
