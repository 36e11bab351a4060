"""Functions of a list of dicts or tuples, for the tests: each is read, and run by Python."""

from refdp.sensitivities.records import Category, Fields, Missing, Number

SPECIES = Category(("Adelie", "Gentoo", "Chinstrap"))
PENGUIN = Fields(
    (
        ("species", SPECIES),
        ("mass", Missing(Number())),
        ("year", Number(is_integer=True)),
        ("sex", Missing(Category(("f", "m")))),
    )
)
PAIR = Fields(((0, Number()), (1, Category((0, 1, 2)))))
FLAG = Fields((("on", Category((False, True))), ("code", Category((1, 5, 7))), ("x", Number())))

PENGUINS = {
    "count of a label": "def f(rows):\n    return sum(1 for r in rows if r['species'] == 'Gentoo')",
    "labels in a tuple": """
def f(rows):
    return sum(r['species'] in ('Gentoo', 'Adelie', 'Emperor') for r in rows)
""",
    "unknown label": """
def f(rows):
    return sum(1 for r in rows if r['species'] == 'Emperor'), sum(1 for r in rows if r['species'] != 'Emperor')
""",
    "missing key": "def f(rows):\n    return sum(r['wings'] for r in rows)",
    "missing left out": "def f(rows):\n    return sum(r['mass'] for r in rows if r['mass'] is not None)",
    "missing by truth": "def f(rows):\n    return sum(r['mass'] for r in rows if r['mass'])",
    "missing used": "def f(rows):\n    return sum(r['mass'] for r in rows)",
    "missing as zero": "def f(rows):\n    return sum(r['mass'] or 0 for r in rows)",
    "missing compared": "def f(rows):\n    return sum(1 for r in rows if r['mass'] > 3)",
    "missing equal": """
def f(rows):
    return sum(1 for r in rows if r['mass'] == 3), sum(1 for r in rows if r['mass'] == None)
""",
    "get": "def f(rows):\n    return sum(r.get('year', 0) + r.get('wings', 2) for r in rows)",
    "group by with every key": """
def f(rows):
    counts = {'Adelie': 0, 'Gentoo': 0, 'Chinstrap': 0}
    for r in rows:
        counts[r['species']] += 1
    return counts
""",
    "group by with a key less": """
def f(rows):
    counts = {'Adelie': 0, 'Gentoo': 0}
    for r in rows:
        counts[r['species']] += 1
    return counts
""",
    "group by read of every key": """
from collections import Counter
SPECIES = ['Adelie', 'Gentoo', 'Chinstrap']
def f(rows):
    counts = Counter(r['species'] for r in rows)
    return [counts[s] for s in SPECIES], len(counts), sum(counts.values())
""",
    "group by get": """
def f(rows):
    counts = {}
    for r in rows:
        counts[r['species']] = counts.get(r['species'], 0) + r['year']
    return {s: counts.get(s, 0) for s in ('Adelie', 'Gentoo')}
""",
    "group by setdefault": """
def f(rows):
    sums = {}
    for r in rows:
        sums.setdefault(r['species'], 0)
        sums[r['species']] += 2
    return sums['Adelie'] if 'Adelie' in sums else -1
""",
    "group by defaultdict": """
from collections import defaultdict
def f(rows):
    sums = defaultdict(int)
    for r in rows:
        if r['mass'] is not None and r['sex'] is not None:
            sums[r['species'], r['sex']] += r['mass']
    return {'total': sum(v for v in sums.values()), 'groups': len(sums), 'one': sums['Adelie', 'f']}
""",
    "marginals": """
def f(rows):
    table = {(s, x): 0 for s in ('Adelie', 'Gentoo', 'Chinstrap') for x in ('f', 'm', None)}
    for r in rows:
        table[(r['species'], r['sex'])] += 1
    return table
""",
    "means of groups": """
def f(rows):
    means = {}
    for s in ('Adelie', 'Gentoo'):
        masses = [r['mass'] for r in rows if r['species'] == s and r['mass'] is not None]
        means[s] = sum(masses) / len(masses) if masses else 0
    return means
""",
    "means with max": """
def clean(rows):
    return [r for r in rows if r['mass'] is not None]
def f(rows):
    good = clean(rows)
    return sum(min(max(r['mass'], 0), 5 + 0 * r['mass']) for r in good) / max(1, len(good))
""",
    "iteration of a full dict": """
def f(rows):
    counts = {'f': 0, 'm': 0}
    for r in rows:
        if r['sex'] in counts:
            counts[r['sex']] += 1
    total = 0
    for k, v in counts.items():
        total = total * 3 + v
        counts[k] = v * 2
    return total, counts
""",
    "last label": """
def f(rows):
    last = None
    changes = 0
    for r in rows:
        if last is not None and r['species'] != last:
            changes += 1
        last = r['species']
    return changes
""",
    "runs of labels": """
def f(rows):
    return sum(1 for a, b in zip(rows, rows[1:]) if a['species'] != b['species'])
""",
    "label methods": "def f(rows):\n    return sum(1 for r in rows if r['species'].lower().startswith('g'))",
    "distinct labels": """
def f(rows):
    return len({r['species'] for r in rows}), len(set(r['sex'] for r in rows))
""",
    "seen": """
def f(rows):
    seen = set()
    new = 0
    for r in rows:
        if r['species'] not in seen:
            seen.add(r['species'])
            new += r['year']
    return new
""",
    "best record": """
def f(rows):
    best = max(rows, key=lambda r: r['year'])
    return best['year'] * 10 + (best['species'] == 'Gentoo')
""",
    "first record": "def f(rows):\n    return rows[0]['year'] if rows and rows[0]['mass'] is not None else 0",
    "whole numbers as keys": """
def f(rows):
    counts = {0: 0, 1: 0}
    for r in rows:
        counts[r['year'] % 2] += 1
    return counts
""",
    "sorted keys": """
from collections import Counter
def f(rows):
    counts = Counter(r['species'] for r in rows)
    out = 0
    for s in sorted(counts):
        out = out * 4 + counts[s]
    return out
""",
    "tuple rows built": """
def f(rows):
    pairs = [(r['year'], r['mass']) for r in rows if r['mass'] is not None]
    return sum(y * m for y, m in pairs)
""",
    "columns": """
def f(rows):
    years = [r['year'] for r in rows]
    return sum(years) - len(years) * min(years, default=0)
""",
    "copied record": """
def f(rows):
    t = 0
    for r in rows:
        c = r.copy()
        c['year'] = c['year'] + 1
        t += c['year'] - r['year']
    return t
""",
    "unpacked values": """
def f(rows):
    t = 0
    for r in rows:
        s, m, y, x = r.values()
        t += y
    return t
""",
    "keys in record": "def f(rows):\n    return sum(('mass' in r) + ('wings' in r) + len(r) for r in rows)",
}
PAIRS = {
    "sums of groups": """
def f(rows):
    sums = [0, 0, 0]
    for x, g in rows:
        sums[g] += x
    return sums
""",
    "weights": "def f(rows):\n    return sum(x * w for x, w in rows) / max(1, sum(w for _, w in rows))",
    "index of pairs": "def f(rows):\n    return max(r[0] for r in rows) + rows[-1][1]",
    "group of a third": """
def f(rows):
    counts = [0, 0]
    for r in rows:
        counts[r[1]] += 1
    return counts
""",
    "extremes of pairs": "def f(rows):\n    return min(rows)[1]",
    "dot": """
def f(rows):
    return sum(a * b for a, b in rows), [sum(x for x, g in rows if g == k) for k in range(3)]
""",
    "category as key": """
def f(rows):
    d = {}
    for x, g in rows:
        d[g] = x
    return d.get(1, -1), len(d), d.get(True, -1)
""",
    "dict of tuples": """
def f(rows):
    best = {0: (0, 0), 1: (0, 0), 2: (0, 0)}
    for x, g in rows:
        total, n = best[g]
        best[g] = (total + x, n + 1)
    return {g: t / n if n else 0 for g, (t, n) in best.items()}
""",
    "group with lists made before": """
def f(rows):
    groups = {0: [], 1: [], 2: []}
    for x, g in rows:
        groups[0].append(x)
    return sum(groups[0]), len(groups[1])
""",
    "whole record state": """
def f(rows):
    last = (0, 0)
    t = 0
    for r in rows:
        if r[1] == last[1]:
            t += r[0] - last[0]
        last = r
    return t
""",
}
FLAGS = {
    "flags": """
def f(rows):
    return sum(r['on'] for r in rows), sum(r['x'] for r in rows if r['on']), sum(1 for r in rows if not r['on'])
""",
    "flags as keys": """
def f(rows):
    counts = {True: 0, False: 0}
    for r in rows:
        counts[r['on']] += 1
    return counts[1], counts[0]
""",
    "flag equals one": """
def f(rows):
    return sum(1 for r in rows if r['on'] == 1), sum(1 for r in rows if r['on'] in (0, 2))
""",
    "codes": """
def f(rows):
    return sum(r['code'] * 2 for r in rows), sum(1 for r in rows if r['code'] == 5), sum(r['code'] > 4 for r in rows)
""",
    "codes as keys": """
def f(rows):
    d = {1: 0, 5: 0, 7: 0}
    for r in rows:
        d[r['code']] += r['x']
    return d
""",
    "code index error": """
def f(rows):
    d = [0] * 7
    for r in rows:
        d[r['code']] += 1
    return d
""",
    "flag and missing key": """
def f(rows):
    d = {True: 0}
    for r in rows:
        d[r['on']] += 1
    return d[1]
""",
}
