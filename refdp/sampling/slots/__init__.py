"""Exact slots: rejection sampling of P(k) ~ exp(-q(k)) by stacked rectangles; the theorem is in docs/bulk_sampling.md."""
