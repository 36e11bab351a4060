"""`python -m tests.accounting.mutants [NAME [I/N]]`: whether each mutant dies whose name or file contains NAME."""

import sys

from tests.accounting.mutants.table import MUTANTS
from tests.mutating import main

if __name__ == "__main__":
    sys.exit(main(MUTANTS, "refdp/accounting/", sys.argv[1:]))
