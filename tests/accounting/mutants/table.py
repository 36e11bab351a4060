"""The mutants."""

from tests.accounting.mutants.accounts import ACCOUNTS
from tests.accounting.mutants.contour import CONTOUR
from tests.accounting.mutants.grids import GRIDS
from tests.accounting.mutants.judging import JUDGING
from tests.accounting.mutants.products import PRODUCTS
from tests.accounting.mutants.sums import SUMS
from tests.accounting.mutants.theorems import THEOREMS
from tests.mutating import Mutant

MUTANTS: tuple[Mutant, ...] = (*SUMS, *GRIDS, *CONTOUR, *THEOREMS, *ACCOUNTS, *JUDGING, *PRODUCTS)
