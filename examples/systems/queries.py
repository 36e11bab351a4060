"""What learning and user-level counting ask of a table: what `refdp sensitivity` says of each."""

import math
from statistics import median


def lloyd_step(points, first=0, second=10):
    """One step of k-means in one dimension: sum and size of each cluster."""
    sums = [0, 0]
    sizes = [0, 0]
    for p in points:
        k = 0 if abs(p - first) <= abs(p - second) else 1
        sums[k] += p
        sizes[k] += 1
    return sums + sizes


def lloyd_step_in_the_plane(points, ax=0, ay=0, bx=1, by=1):
    """One step of k-means in two dimensions."""
    sums = [0, 0, 0, 0]
    sizes = [0, 0]
    for p in points:
        first = (p[0] - ax) ** 2 + (p[1] - ay) ** 2
        second = (p[0] - bx) ** 2 + (p[1] - by) ** 2
        k = 0 if first <= second else 1
        sums[2 * k] += p[0]
        sums[2 * k + 1] += p[1]
        sizes[k] += 1
    return sums + sizes


def regression_sums(rows):
    """The sums from which a straight line is fitted."""
    x = sum(r[0] for r in rows)
    xx = sum(r[0] * r[0] for r in rows)
    y = sum(r[1] for r in rows)
    xy = sum(r[0] * r[1] for r in rows)
    return [x, xx, y, xy]


def second_moments(rows):
    """Second moments of the rows of the unit disc; others are left out."""
    a = b = c = 0
    for r in rows:
        if r[0] * r[0] + r[1] * r[1] <= 1:
            a += r[0] * r[0]
            b += r[0] * r[1]
            c += r[1] * r[1]
    return [a, b, b, c]


def clipped_second_moments(rows):
    """Second moments of rows that are clipped to the unit disc."""
    a = b = c = 0
    for r in rows:
        norm = math.sqrt(r[0] * r[0] + r[1] * r[1])
        scale = min(1, 1 / norm) if norm > 0 else 1
        x = r[0] * scale
        y = r[1] * scale
        a += x * x
        b += x * y
        c += y * y
    return [a, b, b, c]


def clipped_sum(rows, clip=1):
    """The sum of clipped vectors: v min(1, clip / norm)."""
    a = b = 0
    for r in rows:
        norm = math.sqrt(r[0] * r[0] + r[1] * r[1])
        scale = min(1, clip / norm) if norm > 0 else 1
        a += r[0] * scale
        b += r[1] * scale
    return [a, b]


def clipped_gradients(rows, weight=2, clip=1):
    """The sum of clipped gradients of a linear model."""
    a = b = 0
    for r in rows:
        error = weight * r[0] - r[2]
        u = error * r[0]
        v = error * r[1]
        norm = math.sqrt(u * u + v * v)
        scale = min(1, clip / norm) if norm > 0 else 1
        a += u * scale
        b += v * scale
    return [a, b]


def clipped_total(rows, clip=1):
    """The sum is clipped in place of the rows."""
    a = b = 0
    for r in rows:
        a += r[0]
        b += r[1]
    norm = math.sqrt(a * a + b * b)
    if norm > clip:
        a = a * clip / norm
        b = b * clip / norm
    return [a, b]


def clipped_sum_of_eight(rows, clip=1):
    """The sum of clipped vectors of eight numbers."""
    total = [0, 0, 0, 0, 0, 0, 0, 0]
    for r in rows:
        norm = math.sqrt(sum(x * x for x in r))
        scale = clip / max(norm, clip)
        for i in range(8):
            total[i] += r[i] * scale
    return total


def distinct_users(rows):
    """How many users there are."""
    return len({r["user"] for r in rows})


def user_sums(rows):
    """The spending of all users, each capped at 100."""
    sums = {}
    for r in rows:
        sums[r["user"]] = sums.get(r["user"], 0) + r["spent"]
    return sum(min(100, total) for total in sums.values())


def joined_rows(rows):
    """How many pairs of rows have the same user."""
    return sum(1 for a in rows for b in rows if a["user"] == b["user"])


def median_of_rows(rows):
    """The median, or 0 of no rows."""
    return median(rows) if rows else 0
