"""Exact sampling: fair coin flips, the exact scalar primitives made of them, and the walk of their coin-flip tree."""
