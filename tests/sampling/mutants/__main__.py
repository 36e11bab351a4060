"""`python -m tests.sampling.mutants [NAME [I/N]]`: whether each mutant dies whose name or file contains NAME."""

import sys

from tests.mutating import main
from tests.sampling.mutants.table import MUTANTS

if __name__ == "__main__":
    sys.exit(main(MUTANTS, "refdp/sampling/", sys.argv[1:]))
