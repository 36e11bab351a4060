"""`python -m tests.accounting.mutants [NAME [I/N]]`: mutants whose name or file contains NAME, and whether each dies."""

import sys

from tests.accounting.mutants.table import MUTANTS
from tests.mutating import main

if __name__ == "__main__":
    sys.exit(main(MUTANTS, "refdp/accounting/", sys.argv[1:]))
