"""Exact draws by the million, in numpy arrays: what is not decided in floats with a proved margin is decided exactly.

The same digits give the same numbers as in exact arithmetic; the theorem and the bounds are in docs/bulk_sampling.md.
"""
