"""Untrusted: alignments of two runs and invariants are looked for; what is found is checked by `checking`."""

from refdp.programs.proving.outcomes import NotProved, Proved, Witness
from refdp.programs.proving.search import prove

__all__ = ["NotProved", "Proved", "Witness", "prove"]
