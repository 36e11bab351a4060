"""Functions of a list of numbers, for the tests: each is read, and run by Python."""

NUMBERS = {
    "clamped sum": "def f(rows):\n    return sum(min(max(x, 0), 10) for x in rows)",
    "mean": "def f(rows):\n    return sum(rows) / len(rows)",
    "guarded mean": "def f(rows):\n    n = len(rows)\n    return n and sum(rows) / n",
    "mean or zero": "def f(rows):\n    if not rows:\n        return 0\n    return sum(rows) / len(rows)",
    "none": "def f(rows):\n    if len(rows) == 0:\n        return None\n    return sum(rows) / len(rows)",
    "variance": """
def f(rows):
    m = sum(rows) / len(rows)
    return sum((x - m) ** 2 for x in rows) / len(rows)
""",
    "sample variance": """
def f(rows):
    n = len(rows)
    if n < 2:
        return 0
    m = sum(rows) / n
    return sum((x - m) ** 2 for x in rows) / (n - 1)
""",
    "break and continue": """
def f(rows):
    total = 0
    count = 0
    for x in rows:
        if x < 0:
            continue
        total += x
        count += 1
        if count > 2:
            break
    else:
        total = total - 100
    return total, count
""",
    "early return": """
def f(rows):
    for x in rows:
        if x > 5:
            return x
        if x < -2:
            return -1
    return 0
""",
    "early return or none": "def f(rows):\n    for x in rows:\n        if x > 4:\n            return x",
    "derived rows": """
def f(rows):
    kept = [min(x, 10) for x in rows if x > 0]
    doubled = [2 * x for x in kept]
    return sum(kept), len(kept), sum(doubled), max(doubled) if doubled else 0
""",
    "appended rows": """
def f(rows):
    kept = []
    for x in rows:
        if x > 0:
            kept.append(x)
            kept.append(-x / 2)
    total = 0
    for y in kept:
        total += y
    return {"total": total, "count": len(kept)}
""",
    "running list": """
def f(rows):
    sums = []
    total = 0
    for x in rows:
        total += x
        sums.append(total)
    return max(sums), len(sums), sum(sums)
""",
    "differences": "def f(rows):\n    return sum(abs(a - b) for a, b in zip(rows, rows[1:]))",
    "differences twice": """
def f(rows):
    return max(abs(a - 2 * b + c) for a, b, c in zip(rows, rows[1:], rows[2:]))
""",
    "all but last": """
def f(rows):
    return sum(b - a for a, b in zip(rows[:-1], rows[1:])), sum(rows[:-1]), sum(rows[-2:])
""",
    "previous": """
def f(rows):
    previous = None
    jumps = 0
    for x in rows:
        if previous is not None and x > previous:
            jumps += 1
        previous = x
    return jumps
""",
    "last of loop": "def f(rows):\n    for x in rows:\n        y = x + 1\n    return y",
    "leaking variable": "def f(rows):\n    x = 7\n    for x in rows:\n        pass\n    return x",
    "shadowed comprehension": """
def f(rows):
    x = 3
    found = [x * 2 for x in rows if x > 1]
    return x + sum(found) + sum(x for x in found)
""",
    "unbound on a branch": "def f(rows):\n    if sum(rows) > 3:\n        y = 1\n    return y",
    "histogram": """
def f(rows):
    counts = [0] * 4
    for x in rows:
        counts[min(max(int(x), 0), 3)] += 1
    return counts
""",
    "histogram without clamp": """
def f(rows):
    counts = [0] * 4
    for x in rows:
        counts[int(x)] += 1
    return counts
""",
    "bins by comparison": """
EDGES = [0, 2, 5]
def f(rows):
    counts = [0, 0, 0]
    for x in rows:
        for j in range(3):
            if x >= EDGES[j] and (j == 2 or x < EDGES[j + 1]):
                counts[j] += 1
    return counts
""",
    "list comprehension of bins": """
def f(rows):
    return [sum(1 for x in rows if b <= x < b + 2) for b in (0, 2, 4)]
""",
    "first k": "def f(rows):\n    return sum(x for i, x in enumerate(rows) if i < 2)",
    "slices": "def f(rows):\n    return sum(rows[:2]), len(rows[1:]), sum(rows[1:3]), len(rows[:])",
    "first and last": "def f(rows):\n    return rows[0] - rows[-1]",
    "second": "def f(rows):\n    return rows[1]",
    "by places": """
def f(rows):
    t = 0
    for i in range(len(rows)):
        t += i * rows[i]
    return t
""",
    "enumerate from one": "def f(rows):\n    return sum(x / i for i, x in enumerate(rows, 1))",
    "alternating": """
def f(rows):
    sign = 1
    t = 0
    for x in rows:
        t += sign * x
        sign = -sign
    return t
""",
    "extremes": "def f(rows):\n    return max(rows) - min(rows)",
    "extremes with default": """
def f(rows):
    return max(rows, default=0), min((x for x in rows if x > 1), default=-1)
""",
    "best by key": "def f(rows):\n    return max(rows, key=lambda x: -abs(x - 2))",
    "running max": """
def f(rows):
    best = float("-inf")
    for x in rows:
        if x > best:
            best = x
    return best if rows else 0
""",
    "any and all": "def f(rows):\n    return any(x > 5 for x in rows), all(x > -2 for x in rows)",
    "short circuit": "def f(rows):\n    return any(x != 0 and 1 / x > 2 for x in rows)",
    "any raises late": "def f(rows):\n    return any(6 / x > 2 for x in rows)",
    "division in a loop": "def f(rows):\n    t = 0\n    for x in rows:\n        t += 1 / x\n    return t",
    "conditional division": "def f(rows):\n    return sum(1 / x if x else 0 for x in rows)",
    "floor and modulus": """
def f(rows):
    return sum(x // 2 for x in rows), sum(x % 3 for x in rows), sum(x // -2 for x in rows)
""",
    "divmod": """
def f(rows):
    t = 0
    for x in rows:
        q, r = divmod(x, 3)
        t += q * 10 + r
    return t
""",
    "rounding": """
def f(rows):
    return sum(round(x) for x in rows), sum(round(x, 1) for x in rows), sum(int(x) for x in rows)
""",
    "round mean": "def f(rows):\n    return round(sum(rows) / max(len(rows), 1), 1)",
    "math": """
import math
def f(rows):
    return math.fabs(sum(math.floor(x) for x in rows)) - sum(math.ceil(x) for x in rows)
""",
    "statistics": "from statistics import mean\ndef f(rows):\n    return mean(rows)",
    "statistics variance": """
import statistics as st
def f(rows):
    return st.pvariance(rows), st.variance(rows)
""",
    "negative root": """
import math
def f(rows):
    return math.sqrt(4) if sum(rows) > 0 else math.sqrt(sum(rows) - 1)
""",
    "hypot": """
import math
def f(rows):
    return sum(math.hypot(3 * x, 4 * x) for x in rows) + math.hypot(-len(rows)) + math.hypot() + math.hypot(1, 2, 2)
""",
    "helper": """
LOW, HIGH = 0, 10
def clamp(x, low=0, high=8):
    if x < low:
        return low
    if x > high:
        return high
    return x
def f(rows):
    return sum(clamp(x, high=7) for x in rows) + sum(map(clamp, rows))
""",
    "helper with loop": """
def total(values, start=0):
    for v in values:
        start += v
    return start
def f(rows):
    return total(rows) - total([abs(x) for x in rows], start=1)
""",
    "lambda": """
def f(rows):
    clip = lambda x: max(0, min(x, 5))
    return sum(map(clip, filter(lambda x: x > -3, rows)))
""",
    "filter": "def f(rows):\n    kept = list(filter(None, rows))\n    return len(kept), sum(kept)",
    "chained comparison": "def f(rows):\n    return sum(1 for x in rows if 0 <= x < 3 <= x + 2)",
    "boolean arithmetic": "def f(rows):\n    return sum((x > 0) + (x > 2) * 2 for x in rows) + True",
    "truthiness": """
def f(rows):
    n = 0
    for x in rows:
        if x:
            n += 1
        elif not n:
            n -= 1
    return n
""",
    "or default": "def f(rows):\n    return sum(x or 9 for x in rows)",
    "assert": "def f(rows):\n    for x in rows:\n        assert x > -3, 'too small'\n    return len(rows)",
    "raise": """
def f(rows):
    t = 0
    for x in rows:
        if x > 5:
            raise ValueError('large')
        t += x
        if t < -4:
            raise KeyError
    return t
""",
    "try": """
def f(rows):
    t = 0
    for x in rows:
        try:
            t += 4 / (x - 1)
            t += 1
        except ZeroDivisionError:
            t -= 1
    return t
""",
    "try mean": """
import statistics
def f(rows):
    try:
        m = statistics.mean(rows)
    except ValueError:
        return -1
    return m
""",
    "swap": "def f(rows):\n    a, b = 0, 1\n    for x in rows:\n        a, b = b, a + x\n    return a, b",
    "two passes": """
def f(rows):
    peak = max(rows)
    near = 0
    for x in rows:
        if x * 2 >= peak:
            near += 1
    return peak * near / len(rows)
""",
    "three passes": """
def f(rows):
    n = len(rows)
    m = sum(rows) / n if n else 0
    spread = sum(abs(x - m) for x in rows)
    return sum(1 for x in rows if abs(x - m) * n > spread)
""",
    "length in the loop": "def f(rows):\n    return sum(x / len(rows) for x in rows)",
    "sum in the loop": """
def f(rows):
    t = 0
    for x in rows:
        if x * 2 > sum(rows):
            t += 1
    return t
""",
    "saturating": """
def f(rows):
    t = 0
    for x in rows:
        t = max(-5, min(5, t + x))
    return t
""",
    "exponential average": """
def f(rows):
    a = 0
    for x in rows:
        a = a / 2 + x / 2
    return a
""",
    "two names of one list": """
def f(rows):
    a = [0, 0]
    b = a
    for x in rows:
        b[0] += x
        a[1] += b[0]
    return a
""",
    "aliases by branch": """
def f(rows):
    a = [0]
    b = [0]
    c = a if len(rows) > 1 else b
    for x in rows:
        c[0] += x
    a[0] += 100
    return a[0], b[0], c[0]
""",
    "returned list goes on": """
def f(rows):
    found = [0, 0]
    for x in rows:
        found[0] += x
        if x > 4:
            return found
        found[1] += 1
    return found
""",
    "while of constants": """
def f(rows):
    k = 3
    t = 0
    while k > 0:
        t += sum(1 for x in rows if x > k)
        k -= 1
    return t
""",
    "next": "def f(rows):\n    return next((x for x in rows if x > 2), -1) + next(x for x in rows if x > 0)",
    "powers": """
def f(rows):
    return sum(x ** 2 - x ** 0 for x in rows), sum(x ** -1 for x in rows if x != 0), sum(x ** -2 for x in rows)
""",
    "nested comprehension": """
def f(rows):
    return sum(v for x in rows if x > 0 for v in (x, 2 * x) if v < 9)
""",
    "nested loops of constants": """
def f(rows):
    grid = [[0, 0], [0, 0]]
    for x in rows:
        for i in range(2):
            for j in (0, 1):
                if x > i + 2 * j:
                    grid[i][j] += 1
    return grid
""",
    "min of tuple": "def f(rows):\n    return min(sum(rows), 3), max(1, len(rows), 2)",
    "list equality": """
def f(rows):
    a = [1, 2]
    return a == [1, 2], (1, len(rows)) == (1, 2), a != [1]
""",
    "membership": """
def f(rows):
    return sum(1 for x in rows if x in (1, 2, 3)), 2 in rows, 5 not in [x for x in rows if x > 1]
""",
    "zip of derived": """
def f(rows):
    a = [x + 1 for x in rows]
    b = [x * x for x in rows]
    return sum(u * v for u, v in zip(a, b))
""",
    "prefix sums": """
def f(rows):
    b = [sum(1 for x in rows if x == k) for k in range(3)]
    out = []
    t = 0
    for v in b:
        t += v
        out.append(t)
    return out
""",
    "product": "import math\ndef f(rows):\n    return math.prod(x for x in rows if x > 1)",
    "nested function": """
def f(rows):
    def square(x):
        return x * x
    return sum(square(x) for x in rows)
""",
    "unpacking mismatch": "def f(rows):\n    a, b = (1, 2, 3) if len(rows) > 2 else (1, 2)\n    return a + b",
    "index error": "def f(rows):\n    return [1, 2][len(rows)]",
    "chained assignment": """
def f(rows):
    a = b = 0
    for x in rows:
        a += x
        b -= 1
    return a, b
""",
    "list reversed by sum": """
def f(rows):
    xs = [1, 2] + [x for x in rows] + [3]
    return len(xs), sum(xs), sum(i * v for i, v in enumerate(xs))
""",
    "conditional list": """
def f(rows):
    if len(rows) > 2:
        xs = [x for x in rows if x > 0]
    else:
        xs = [1, 2, 3]
    return len(xs), sum(xs)
""",
    "code in order": "def f(rows):\n    return bool([1 / x for x in rows]) and rows[3]",
    "state after break": """
def f(rows):
    seen = 0
    for x in rows:
        seen += 1
        if x == 1:
            found = seen
            break
    else:
        found = -1
    for x in rows:
        if x > found:
            seen += 10
    return seen
""",
    "effects before and after a caught exception": """
def f(rows):
    seen = []
    d = {0: 0}
    t = 0
    for x in rows:
        try:
            seen.append(x)
            seen.append(1 / x)
            d[0] += 1 / (x - 1)
            t += len([1 / (x - 2)])
        except ZeroDivisionError:
            t += 100
    return len(seen), sum(seen), d[0], t
""",
    "returned in a try": """
def inverse(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        return 7
def f(rows):
    return sum(inverse(x) for x in rows)
""",
    "caught again": """
def f(rows):
    t = 0
    for x in rows:
        try:
            try:
                t += [1, 2, 3][int(x)] / x
            except IndexError:
                t += 10 / (x - 3)
        except (ZeroDivisionError, ValueError):
            t += 1000
    return t
""",
    "not caught": """
def f(rows):
    try:
        return 1 / sum(rows)
    except KeyError:
        return 0
""",
    "zip of known lists that change later": """
def f(rows):
    a = [1, 2, 3]
    t = 0
    for u, v in zip(a, (4, 5)):
        t += u * v
    for i in range(3):
        a[i] += t
    for i, u in enumerate(a):
        a[i] = u * len(rows)
    return a
""",
    "list that changes under the loop": """
def f(rows):
    a = [1, 2, 3]
    t = 0
    for u in a:
        a[2] += len(rows)
        t += u
    return t
""",
    "lambda after a comprehension": """
def f(rows):
    k = 2
    g = lambda v: v * k
    found = [g(x) for x in rows]
    k = 5
    return sum(found) + g(1)
""",
    "comprehension in a comprehension": """
def f(rows):
    return [sum(x * y for y in (1, k) if y < x) for k in range(3) for x in [k, len(rows)]]
""",
    "loop over a generator that assigns": """
def f(rows):
    x = 100
    t = 0
    for y in (x + 1 for x in rows):
        x += y
        t += x
    return x, t
""",
    "nested early returns": """
def g(v, w):
    if v > w:
        return v
    for j in range(3):
        if v + j > w:
            return w + j
    if v == w:
        return None
def f(rows):
    t = 0
    for x in rows:
        r = g(x, 2)
        if r is None:
            continue
        t += r
        if t > 20:
            return g(t, 1) or 0
    return t
""",
    "equal truth values": """
def f(rows):
    return sum(1 for x in rows if (x > 1) == (x < 3)), sum((x > 0) is not None for x in rows)
""",
    "state of many kinds": """
def f(rows):
    last = "none"
    n = 0
    for x in rows:
        if last == "none":
            last = x
        elif last is None:
            last = (x, n)
        elif x > 4:
            last = None
        else:
            n += 1
    if last == "none":
        return -1
    return n + (0 if last is None else 1)
""",
    "values in a tuple of lists": """
def f(rows):
    low, high = [], []
    for x in rows:
        (low if x < 1 else high).append(x)
    return sum(low) - sum(high), len(low) * len(high)
""",
    "negative slices": """
def f(rows):
    return sum(rows[-2:]), sum(rows[1:-1]), len(rows[:-3]), sum(rows[-3:-1])
""",
    "infinite bounds": """
import math
def f(rows):
    low, high = math.inf, -math.inf
    for x in rows:
        low, high = min(low, x), max(high, x)
    return high - low if low <= high else 0
""",
    "round half": """
def f(rows):
    return [round(len(rows) / 2), round(-len(rows) / 2), round(len(rows) * 25, -1)]
""",
    "conversions": """
def f(rows):
    return sum(int(x > 1) + bool(x) + float(x) for x in rows) + int(-sum(rows) / 3)
""",
    "min of equal": """
def f(rows):
    best = min(((abs(x - 1), i) for i, x in enumerate(rows)), default=(0, -1))
    return best[1]
""",
    "frequencies": """
from collections import Counter
def f(rows):
    c = Counter()
    for x in rows:
        c[x > 1] += 1
    c.update([True, False])
    return c[True], c[0], c.get("x", 5), max(c.values())
""",
    "first place": """
def f(rows):
    counts = [sum(x > k for x in rows) for k in (0, 2)]
    return counts.index(1), rows.index(2)
""",
    "strict zip": """
def f(rows):
    t = 0
    a = [x + 1 for x in rows]
    for u, v in zip(a, rows, strict=True):
        t += u * v
    for u, v in zip((1, 2), (3, 4, 5), strict=True):
        t += u * v
    return t
""",
    "from keys": """
def f(rows):
    d = dict.fromkeys(range(3), 0)
    for x in rows:
        d[int(x)] += 1
    return d
""",
    "list made anew": """
def f(rows):
    total = [0, 0]
    for x in rows:
        total = [t + x * k for k, t in enumerate(total, 1)]
        total[0] += 1
    return total
""",
    "list made anew on a branch": """
def f(rows):
    total = [0, 0]
    for x in rows:
        total[1] += 1
        if x > 1:
            total = [total[1], total[0] + x]
    total[0] += 1
    return total
""",
    "dict made anew": """
def f(rows):
    d = {"a": 0, "b": 1}
    for x in rows:
        d = {k: v + (x if k == "a" else 1) for k, v in d.items()}
    return d
""",
}
FOLDLESS = {
    "median": "import statistics\ndef f(rows):\n    return statistics.median(rows)",
    "median by hand": """
def f(rows):
    s = sorted(rows)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2
""",
    "trimmed": "def f(rows):\n    s = sorted(rows)\n    kept = s[1:-1]\n    return sum(kept), len(kept)",
    "pairs": "def f(rows):\n    return sum(abs(a - b) for a in rows for b in rows)",
    "nested loops": """
def f(rows):
    t = 0
    for a in rows:
        for b in rows:
            if a > b:
                t += a
    return t
""",
    "sorted by key": "def f(rows):\n    return sorted(rows, key=lambda x: -abs(x), reverse=True)[0]",
    "sorted filtered": "def f(rows):\n    s = sorted([x for x in rows if x > 0])\n    return s[0] + s[-1]",
    "by neighbours": "def f(rows):\n    return sum(rows[i] - rows[i - 1] for i in range(1, len(rows)))",
    "kept in order": """
def f(rows):
    kept = []
    for x in rows:
        if not kept or x > kept[-1]:
            kept.append(x)
    return len(kept), sum(kept)
""",
    "median low": """
import statistics
def f(rows):
    return statistics.median_low([x for x in rows if x != 1]) - statistics.median_high(rows)
""",
}
