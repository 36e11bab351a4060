"""Certified accounting: two-sided bounds of delta(epsilon) and epsilon(delta) under composition."""
