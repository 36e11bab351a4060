"""Smooth sensitivity of order statistics: what bounds it at one table, and why that is smooth over all tables."""
