"""Sums of rows that are scaled to a length, as training code writes them, and as it should not be written."""

import math


def least_of_one_and_ratio(rows, clip=1):
    total = [0, 0, 0]
    for row in rows:
        norm = math.sqrt(sum(x * x for x in row))
        scale = min(1, clip / norm) if norm > 0 else 1
        for i in range(3):
            total[i] += row[i] * scale
    return total


def ratio_to_the_greater(rows, clip=1):
    a = b = 0
    for x, y in rows:
        scale = clip / max(math.hypot(x, y), clip)
        a += x * scale
        b += y * scale
    return [a, b]


def eight_coordinates(rows, clip=1):
    total = [0] * 8
    for row in rows:
        scale = clip / max(math.sqrt(sum(x * x for x in row)), clip)
        for i in range(8):
            total[i] += row[i] * scale
    return total


def branch_if_longer(rows, clip=1):
    a = b = 0
    for row in rows:
        u = row[2] * row[0]
        v = row[2] * row[1]
        norm = math.sqrt(u * u + v * v)
        if norm > clip:
            u = u * clip / norm
            v = v * clip / norm
        a += u
        b += v
    return [a, b]


def squares_compared(rows, clip=1):
    a = b = 0
    for x, y in rows:
        square = x**2 + y**2
        scale = 1 if square <= clip * clip else clip / math.sqrt(square)
        a += x * scale
        b += y * scale
    return [a, b]


def guarded(rows, clip=1):
    a = b = 0
    for x, y in rows:
        scale = min(1, clip / (math.hypot(x, y) + 0.000001))
        a += x * scale
        b += y * scale
    return [a, b]


def scaled_up_too(rows, clip=1):
    """Every row but 0 has the length `clip` afterwards, and no more."""
    a = b = 0
    for x, y in rows:
        norm = math.hypot(x, y)
        if norm > 0:
            a += x * clip / norm
            b += y * clip / norm
    return [a, b]


def gradient(rows, w0=1, w1=2, clip=1):
    found = [0, 0, 0]
    for row in rows:
        error = w0 * row[0] + w1 * row[1] - row[2]
        own = [error * row[0], error * row[1], error]
        norm = math.sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2])
        scale = min(1, clip / norm) if norm > 0 else 1
        for i in range(3):
            found[i] += scale * own[i]
    return found


def layers(rows, clip=1):
    a = b = c = d = 0
    for row in rows:
        one = clip / max(math.hypot(row[0], row[1]), clip)
        other = clip / max(math.hypot(row[2], row[3]), clip)
        a += row[0] * one
        b += row[1] * one
        c += row[2] * other
        d += row[3] * other
    return [a, b, c, d]


def sum_and_count(rows, clip=1):
    a = b = n = 0
    for x, y in rows:
        scale = clip / max(math.hypot(x, y), clip)
        a += x * scale
        b += y * scale
        n += 1
    return [a, b, n]


def sums_by_sign(rows, clip=1):
    below, above = [0, 0], [0, 0]
    for row in rows:
        scale = clip / max(math.hypot(row[0], row[1]), clip)
        if row[2] > 0:
            above[0] += row[0] * scale
            above[1] += row[1] * scale
        else:
            below[0] += row[0] * scale
            below[1] += row[1] * scale
    return below + above


def longer_norm(rows, clip=1):
    """The norm of three coordinates, two of which are released."""
    a = b = 0
    for row in rows:
        scale = clip / max(math.sqrt(row[0] ** 2 + row[1] ** 2 + row[2] ** 2), clip)
        a += row[0] * scale
        b += row[1] * scale
    return [a, b]


def by_a_public_lot(rows, lot=10, clip=1):
    a = b = 0
    for x, y in rows:
        scale = clip / max(math.hypot(x, y), clip)
        a += x * scale
        b += y * scale
    return [a / lot, b / lot]


def second_moments(rows, clip=1):
    found = [0, 0, 0]
    for row in rows:
        scale = clip / max(math.hypot(row[0], row[1]), clip)
        x = row[0] * scale
        y = row[1] * scale
        found[0] += x * x
        found[1] += x * y
        found[2] += y * y
    return found


def norm_of_others(rows, clip=1):
    a = b = 0
    for row in rows:
        scale = clip / max(math.hypot(row[0], row[2]), clip)
        a += row[0] * scale
        b += row[1] * scale
    return [a, b]


def norm_of_one_less(rows, clip=1):
    a = b = c = 0
    for row in rows:
        scale = clip / max(math.hypot(row[0], row[2]), clip)
        a += row[0] * scale
        b += row[1] * scale
        c += row[2] * scale
    return [a, b, c]


def greatest_coordinate(rows, clip=1):
    a = b = 0
    for x, y in rows:
        scale = clip / max(abs(x), abs(y), clip)
        a += x * scale
        b += y * scale
    return [a, b]


def greater_of_one_and_ratio(rows, clip=1):
    a = b = 0
    for x, y in rows:
        norm = math.hypot(x, y)
        scale = max(1, clip / norm) if norm > 0 else 1
        a += x * scale
        b += y * scale
    return [a, b]


def guard_of_the_wrong_sign(rows, clip=1):
    a = b = 0
    for x, y in rows:
        norm = math.hypot(x, y)
        scale = min(1, clip / (norm - 0.5)) if norm > 1 else 1
        a += x * scale
        b += y * scale
    return [a, b]


def divided_by_a_norm_of_zero(rows, clip=1):
    a = b = 0
    for x, y in rows:
        norm = math.hypot(x, y)
        a += x * clip / norm
        b += y * clip / norm
    return [a, b]


def branches_exchanged(rows, clip=1):
    a = b = 0
    for x, y in rows:
        norm = math.hypot(x, y)
        scale = 1 if norm > clip else clip / max(norm, clip)
        a += x * scale
        b += y * scale
    return [a, b]


def one_left_as_it_is(rows, clip=1):
    a = b = 0
    for x, y in rows:
        scale = clip / max(math.hypot(x, y), clip)
        a += x * scale
        b += y
    return [a, b]


def one_counted_twice(rows, clip=1):
    a = b = 0
    for x, y in rows:
        scale = clip / max(math.hypot(x, y), clip)
        a += 2 * x * scale
        b += y * scale
    return [a, b]


def scaled_to_a_little_more(rows, clip=1):
    a = b = 0
    for x, y in rows:
        scale = (clip + 0.01) / max(math.hypot(x, y), clip)
        a += x * scale
        b += y * scale
    return [a, b]


def clipped_total(rows, clip=5):
    """The sum is clipped, in place of the rows."""
    a = b = 0
    for x, y in rows:
        a += x
        b += y
    norm = math.hypot(a, b)
    if norm > clip:
        return [a * clip / norm, b * clip / norm]
    return [a, b]
