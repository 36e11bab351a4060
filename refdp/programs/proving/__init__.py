"""Untrusted: alignments of two runs and invariants are looked for; what is found is checked by `checking`."""
