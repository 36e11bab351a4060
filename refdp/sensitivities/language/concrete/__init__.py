"""A plain interpreter of Python functions on one concrete table, which shares no code with the symbolic reader."""
