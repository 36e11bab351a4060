"""The programs of the literature, right and wrong ones, as Python functions that run and that proofs read."""

FILES = (
    "selection.py",
    "sparse_vector.py",
    "sparse_vector_with_numbers.py",
    "sums.py",
    "histograms.py",
    "models.py",
    "responses.py",
    "discrete.py",
    "gaussian.py",
)
"""The files, in the order in which they are judged."""
