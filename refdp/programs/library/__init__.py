"""The programs of the literature, right and wrong ones, as Python functions that run and that proofs read."""
