"""The colours of the pictures, which every kind of colour vision tells apart."""

FIRST, SECOND, BOUND, SHADE, PROVED = "#0072b2", "#d55e00", "#222222", "#f5e6a8", "#cfe6f5"
"""M(x), M(x') or what is claimed, a bound, an event, a region that is proved."""
