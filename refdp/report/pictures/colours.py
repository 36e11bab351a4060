"""The colours of the pictures, which every kind of colour vision tells apart."""

FIRST, SECOND, BOUND, SHADE = "#0072b2", "#d55e00", "#222222", "#f5e6a8"
"""M(x), M(x') or what is claimed, a bound, an event."""
