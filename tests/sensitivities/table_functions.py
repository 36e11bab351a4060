"""Functions of a table, as an analyst writes them; the tests run them with Python itself too."""

NUMBERS = """
import heapq
import math
import statistics
import itertools
from collections import Counter, defaultdict
from functools import reduce
from operator import itemgetter
from statistics import median, StatisticsError

EDGES = [0, 2, 5, 10]
WEIGHTS = {"low": 1, "high": 2}
LIMIT = 5

def clamp(x, lo, hi):
    return max(lo, min(hi, x))

def total(rows): return sum(rows)
def clamped(rows, lo=0, hi=10): return sum(clamp(x, lo, hi) for x in rows)
def count(rows): return len([x for x in rows if x > 2])
def mean(rows): return sum(rows) / len(rows)
def guarded_mean(rows): return sum(rows) / len(rows) if rows else 0
def by_max(rows): return max(rows)
def by_default(rows): return max(rows, default=-1), min(rows, default=1)
def spread(rows): return max(rows) - min(rows)
def middle(rows): return median(rows)
def low_high(rows): return statistics.median_low(rows), statistics.median_high(rows)
def variances(rows): return statistics.variance([x / 7 for x in rows]), statistics.pvariance([x / 7 for x in rows])
def quartiles(rows): return statistics.quantiles(rows) if len(rows) != 1 else 0
def most_common(rows): return statistics.mode(rows)
def module_mean(rows): return statistics.mean(rows)
def trimmed(rows): s = sorted(rows)[1:-1]; return sum(s) / len(s)
def middle_by_hand(rows):
    s = sorted(rows)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2
def largest_by(rows): return sorted(rows, key=lambda x: abs(x - 3))[:2]
def descending(rows): return sorted(rows, reverse=True)
def histogram(rows):
    counts = [0] * (len(EDGES) - 1)
    for x in rows:
        for i in range(len(EDGES) - 1):
            if EDGES[i] <= x < EDGES[i + 1]:
                counts[i] += 1
                break
    return counts
def groups(rows):
    found = {}
    for x in rows:
        key = "low" if x < 3 else "high"
        found[key] = found.get(key, 0) + x * WEIGHTS[key]
    return found
def defaults(rows):
    d = defaultdict(int)
    for x in rows:
        d[x > 2] += 1
    return dict(d)
def counter(rows): return Counter(x > 2 for x in rows)
def commonest(rows): return Counter(rows).most_common(1)[0]
def distinct(rows): return len(set(rows))
def doubled(rows): return len(set(rows) & {2 * x for x in rows})
def prefix(rows): return list(itertools.accumulate(rows))
def differences(rows): return [b - a for a, b in itertools.pairwise(rows)]
def gap(rows): return max(abs(b - a) for a, b in zip(rows, rows[1:]))
def folded(rows): return reduce(lambda a, b: 2 * a + b, rows)
def while_loop(rows):
    i = found = 0
    while i < len(rows) and found < LIMIT:
        found += rows[i]
        i += 1
    return found, i
def while_else(rows):
    i = 0
    while i < len(rows):
        if rows[i] > 8: break
        i += 1
    else:
        return -1
    return i
def first_large(rows): return next(x for x in rows if x > 4)
def first_or_none(rows): return next((x for x in rows if x > 4), None)
def attempt(rows):
    try:
        return 1 / (rows[0] - 2)
    except ZeroDivisionError:
        return 0
    finally:
        rows.append(1)
def attempts(rows):
    found = []
    for x in rows:
        try:
            found.append(10 // x)
        except (ArithmeticError, ValueError) as error:
            found.append(-1)
        else:
            found.append(0)
    return found
def overriding(rows):
    try:
        return rows[0]
    except LookupError:
        return -5
    finally:
        if len(rows) > 1:
            return 99
def checked(rows):
    if not rows:
        raise ValueError("nothing")
    assert all(x >= 0 for x in rows), "negative"
    return len(rows)
def statistic_error(rows):
    try:
        return statistics.mean(rows)
    except StatisticsError:
        return 0
def nested(rows): return sum(abs(a - b) for a in rows for b in rows)
def pairs(rows): return sum(1 for i in range(len(rows)) for j in range(i) if rows[i] < rows[j])
def combinations(rows): return sum(a * b for a, b in itertools.combinations(rows, 2))
def matrix(rows):
    m = [[0] * 2 for _ in range(2)]
    for i, x in enumerate(rows):
        m[i % 2][int(x > 3)] += x
    return m
def shared(rows):
    m = [[0]] * 2
    for x in rows:
        m[0][0] += x
    return m
def rounding(rows): return [(round(x), int(x), math.floor(x), math.ceil(x)) for x in rows]
def digits(rows): return [round(x, 1) for x in rows]
def remainders(rows): return [x % 3 for x in rows], [x // 2 for x in rows], [-x % 3 for x in rows]
def powers(rows): return [x ** 2 for x in rows], [(x / 3 + 1) ** -1 for x in rows]
def roots(rows): return math.sqrt(sum(1 for x in rows if x > 2) ** 2)
def squares(rows): return math.fsum(x // 1 for x in rows), math.prod(rows)
def product(rows): return math.prod(x + 1 for x in rows)
def unpacked(rows):
    first, *rest = rows
    return first - sum(rest)
def starred(rows): return max(*rows, 0), [*rows, 1][-1]
def swap(rows):
    a, b = 0, 1
    for x in rows:
        a, b = b, a + x
    return a, b
def sliced(rows): return rows[::2], rows[::-1], rows[-2:], rows[1:2]
def deleted(rows):
    del rows[0]
    return rows
def replaced(rows):
    rows[1:2] = [7, 7]
    return rows
def popped(rows): return rows.pop() + rows.pop(0)
def sorting(rows):
    rows.sort(key=lambda x: -x)
    return rows
def extended(rows):
    xs = []
    xs += rows
    xs.extend(x + 1 for x in rows)
    xs.insert(1, 100)
    return xs
def removed(rows):
    rows.remove(3)
    return rows.index(5), rows.count(5)
def searching(rows): return 3 in rows, 3 not in set(rows), (3, 5) == tuple(rows)
def chained(rows): return sum(0 < x <= 3 < 5 for x in rows)
def logic(rows): return [x and 1 for x in rows], [x or 7 for x in rows], not rows
def walrus(rows): return [y for x in rows if (y := x * 2) > 4], len(rows)
def closure(rows):
    n = 0
    def add(x):
        nonlocal n
        n += x
        return n
    return [add(x) for x in rows]
def recursion(rows): return rows[0] + recursion(rows[1:]) if rows else 0
def keywords(rows): return clamp(hi=4, lo=1, x=len(rows))
def argument_error(rows): return clamp(rows[0])
def type_error(rows): return sum(rows) + None
def index_error(rows): return rows[2]
def key_error(rows): return {1: 2, 3: 4}[rows[0]]
def unbound(rows):
    for x in rows:
        y = x
    return y
def text(rows): return {f"bin{len(rows)}": 1, "_".join(["a", "b"]).upper(): 2}
def mapped(rows): return list(map(abs, filter(lambda x: x > 1, rows)))
def zipped(rows): return [a * b for a, b in zip(rows, EDGES)], dict(zip("ab", rows))
def strict(rows): return [a * b for a, b in zip(rows, EDGES, strict=True)]
def everything(rows): return all(x > 1 for x in rows), any(x > 8 for x in rows)
def bounds(rows): return 0.1 + 0.2 == 0.3, 1e-3 * len(rows), 1_000.5
def infinities(rows): return max([float("-inf"), *rows]) > 3, min(rows + [math.inf]) < 2
def backwards(rows): return [x for x in reversed(rows)], list(enumerate(rows, 1))
def conditional(rows): return sum(x if x < 5 else 5 if x < 8 else 0 for x in rows)
def runs(rows): return sum(1 for i, x in enumerate(rows) if i == 0 or x != rows[i - 1])
def sets(rows): s = set(rows); return len({1, 2, 3} - s), len({1} | s), len({1, 5} ^ s), {1} <= s
def items(rows): return sum(k * v for k, v in Counter(rows).items())
def merged(rows): return {**{"a": 1}, "n": len(rows)} | {"b": 2}
def continues(rows):
    found = 0
    for x in rows:
        if x == 3:
            continue
        if x > 9:
            break
        found += x
    else:
        found += 1000
    return found
def setdefault(rows):
    d = {}
    for x in rows:
        d.setdefault(x > 3, []).append(x)
    return {k: len(v) for k, v in d.items()}
def popping(rows):
    d = {"a": 1, "b": len(rows)}
    return d.pop("b"), d.pop("c", 5), d.pop("a"), d.pop("z")
def changing(rows):
    d = {x: 1 for x in rows}
    for k in d:
        d[k + 100] = 1
    return len(d)
def bits(rows): return len(rows) << 3, 6 & len(rows), ~len(rows), 5 ^ len(rows)
def tuples(rows): return sorted((x % 2 == 0, x) for x in rows)[-1]
def getter(rows): return max(((x, i) for i, x in enumerate(rows)), key=itemgetter(0))[1]
def divided(rows): return divmod(len(rows), 2), [x / 3 for x in rows], len(rows) / 2
def reused(rows):
    it = iter(rows)
    return sum(it), sum(it), list(zip(iter(rows), iter(rows)))
def nothing(rows): pass
def keyed(rows): return dict.fromkeys(rows, 1), dict.fromkeys("ab")
def extreme(rows): return heapq.nlargest(2, rows), heapq.nsmallest(1, rows, key=lambda x: -x)
def best(rows): d = Counter(rows); return max(d, key=d.get)
def updated(rows):
    c = Counter(rows)
    c.update(rows)
    c.update({3: 10})
    c |= Counter([3, 7])
    return c, c + Counter(rows), c - Counter([3])
def stops(rows): return sum(next(iter([])) for _ in rows)
"""
RECORDS = """
def ages(rows): return sum(r["age"] for r in rows)
def missing(rows): return sum(r["age"] for r in rows if r["age"] is not None)
def unchecked(rows): return sum(r["age"] + 1 for r in rows)
def by_city(rows):
    found = {"a": 0, "b": 0}
    for r in rows:
        found[r["city"]] += 1
    return found
def cities(rows): return len({r["city"] for r in rows})
def lookup(rows): return [r.get("income", 3) for r in rows], "age" in rows[0]
def upper(rows): return [r["city"].upper() == "A" for r in rows]
def grouped(rows):
    found = {}
    for r in rows:
        found.setdefault(r["city"], []).append(r["age"] or 0)
    return {city: max(v) for city, v in sorted(found.items())}
def kinds(rows): return [isinstance(r['city'], (int, str)) for r in rows], isinstance(rows, (list, tuple))
def no_key(rows): return rows[0]["nothing"]
def no_method(rows): return [r["age"].upper() for r in rows if r["age"] is None]
"""
