"""`python -m tests.sampling.mutants [NAME]`: every mutant whose name contains NAME, and whether it dies.

The exit code is 1 if one lives, or if a test fails without any mutant.
"""

import sys

from tests.accounting.mutants.trying import copy_of_the_checkout, dies, fails
from tests.sampling.mutants.table import MUTANTS


def main(part: str) -> int:
    """How many mutants live."""
    chosen = [m for m in MUTANTS if part in m.name]
    with copy_of_the_checkout() as root:
        tests = tuple(dict.fromkeys(test for m in chosen for test in m.tests))
        if fails(root, tests):
            print("a test fails without any mutant")
            return 1
        lived = 0
        for mutant in chosen:
            died = dies(root, mutant)
            lived += not died
            file = mutant.file.removeprefix("refdp/sampling/")
            print(f"{'dies' if died else 'LIVES':6} {file:24} {mutant.name}", flush=True)
    print(f"{len(chosen)} mutants, {lived} live")
    return lived


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1] if len(sys.argv) > 1 else "")))
