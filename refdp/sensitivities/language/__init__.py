"""Python functions read as data: the source, its meaning on one table, and its normal form for every table."""
