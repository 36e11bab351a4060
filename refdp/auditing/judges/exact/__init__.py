"""Exact: a mechanism whose law is given, or worked out over all bits, against its claim, without statistics."""
