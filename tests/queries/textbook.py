"""Queries as an analyst writes them."""


def count(rows):
    n = 0
    for r in rows:
        if r > 50:
            n += 1
    return n


def counted(rows):
    return sum(1 for r in rows if r > 50)


def mean(rows):
    if not rows:
        return 0
    return sum(rows) / len(rows)


def clamped(rows, cap=10):
    return sum(min(max(r, 0), cap) for r in rows)


def squares(rows):
    return sum(r * r for r in rows)


def greatest(rows):
    best = 0
    for r in rows:
        if r > best:
            best = r
    return best


def plain_mean(rows):
    return sum(rows) / len(rows)


def halves(rows):
    return {"low": sum(1 for r in rows if r <= 50), "high": sum(1 for r in rows if r > 50)}


def first(rows):
    return rows[0] if rows else 0


def women_over(rows, age=40):
    return sum(1 for r in rows if r["sex"] == "F" and r["age"] is not None and r["age"] > age)


def inverses(rows):
    return sum(10 // r for r in rows)
