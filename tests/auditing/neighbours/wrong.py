"""Functions with maps, right and wrong in known ways; run in a worker only."""

import math


def total(rows):
    return sum(rows)


def clamped_total(rows):
    return sum(min(max(row, 0), 10) for row in rows)


def overflowing(rows):
    return (sum(rows) + 2**31) % 2**32 - 2**31


def mean(rows):
    return math.fsum(rows) / len(rows)


def last_even(rows):
    """Depends on the parity of the number of rows."""
    return 3 if len(rows) % 2 else 0


def keeps_missing(rows):
    """NaN passes through what was meant to clamp."""
    return sum(0.0 if row < 0 else 1.0 if row > 1 else row for row in rows)


def sign_of_zero(rows):
    return sum(math.copysign(1.0, row) for row in rows)


def labels(rows):
    return sorted(set(rows))


def rare(rows):
    """Wrong for one value among many and only beside another."""
    return 100 if 2**31 - 1 in rows and -1 in rows else 0


def stops_at_zero(rows):
    if len(rows) == 0:
        raise ValueError("no rows")
    return 0


def first(rows):
    return rows[0] if rows else 0


def squares(coordinates):
    return [2 * c for c in coordinates]


def count_map(d_in):
    return d_in


def no_map(d_in):
    return math.inf


CALLS = 0


def noisy(rows):
    global CALLS
    CALLS += 1
    return CALLS


def same(x):
    """The input: no distance grows."""
    return x
