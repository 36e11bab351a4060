"""Certified accounting: two-sided bounds of delta(epsilon) and epsilon(delta) for compositions of private events."""
