"""Exact slots: rejection sampling of P(k) ~ exp(-q(k)) by stacked rectangles; theorem in docs/bulk_sampling.md."""
