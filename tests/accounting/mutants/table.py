"""The mutants."""

from tests.accounting.mutants.trying import Mutant

MUTANTS: tuple[Mutant, ...] = ()
