"""A second judge of every PROVED: CPython runs the file on random neighbouring data, and nothing may contradict.

It is written from docs/sensitivity.md and docs/program_proofs.md, and shares nothing with the engines but terms.
"""
