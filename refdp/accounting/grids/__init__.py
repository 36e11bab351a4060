"""Certified two-sided delta(epsilon) on a grid of privacy losses: chords from above, tangents from below."""

from refdp.accounting.grids.engine import Grids

__all__ = ["Grids"]
