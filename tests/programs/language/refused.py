"""What is outside the subset is refused, with the place and what to write instead."""

REFUSED = """
# 2:14 a list made here
def f(q, epsilon):
    values = [x for x in q] * 2
    return values
===
# 3:13 the list values here
def f(q, epsilon):
    values = [x for x in q]
    other = values
    other.append(1)
    return values
===
# 6:16 return of another list than the one that was appended to
def f(q, epsilon):
    out = []
    for x in q:
        out.append(x + laplace(1 / epsilon))
    if len(q) > 3:
        return [1, 2]
    return out
===
# 3:15 q[i - 1] in a loop over the data
def f(q, epsilon):
    for i in range(len(q)):
        yield q[i - 1]
===
# 4:12 y may have no value here
def f(q, epsilon):
    for x in q:
        y = x
    return y
===
# 3:15 a product of two values that depend on data or draws
def f(q, epsilon):
    for x in q:
        yield x * laplace(1)
===
# 3:15 laplace of a value that depends on data or draws
def f(q, epsilon):
    for x in q:
        yield laplace(x)
===
# 2:14 a loop over sorted(q)
def f(q, epsilon):
    for x in sorted(q):
        yield x
===
# 2:12 max without arguments or with keywords
def f(q, epsilon):
    return max(q, key=lambda x: -x)
===
# 2:5 a function within a function
def f(q, epsilon):
    def g(x):
        return x
    return g(q[0])
===
# 2:12 a call of f
def f(q, epsilon):
    return f(q, epsilon / 2)
===
# 2:5 global
def f(q, epsilon):
    global T
    T = 1
===
# 1:1 * in the parameters
def f(q, *others):
    return 1
===
# 2:5 import
def f(q, epsilon):
    import random
    return random.random()
===
# 2:8 is of numbers or texts
def f(q, epsilon):
    if epsilon is 1:
        return 2
===
# 3:12 a call of the variable max
def f(q, epsilon):
    max = 3
    return max(q)
===
# 2:5 try
def f(q, epsilon):
    try:
        return 1
    except ValueError:
        return 2
===
# 2:12 a tuple of one
def f(q, epsilon):
    return (1,)
===
# 2:16 a tuple within a tuple
def f(q, epsilon):
    return (1, (2, 3))
===
# 2:5 an assignment to (a, *b)
def f(q, epsilon):
    a, *b = q
    return a
===
# 4:9 the list row made within a loop or a branch
def f(q, epsilon):
    out = []
    for x in q:
        row = []
        row.append(x)
        out.append(max(row))
    return out
===
# 1:1 return of two lists
def f(q, epsilon):
    a, b = [], []
    for x in q:
        a.append(x)
        b.append(x)
    return a, b
===
# 7:5 return of a list here and of a value elsewhere
def f(q, epsilon):
    out = []
    for x in q:
        out.append(x)
        if x > 1:
            return None
    return out
===
# 4:5 return of a value in a function that yields
def f(q, epsilon):
    for x in q:
        yield x
    return 3
===
# 2:9 the value of yield here
def f(q, epsilon):
    x = yield 1
===
# 2:12 a dictionary here
def f(q, epsilon):
    return {1: 2}
===
# 2:12 an f-string here
def f(q, epsilon):
    return f"{epsilon}"
===
# 2:5 an assignment to q
def f(q, epsilon):
    q = [1]
    return q
===
# 2:12 laplace with keywords
def f(q, epsilon):
    return laplace(scale=1)
===
# 2:5 a call of print
def f(q, epsilon):
    print(q[0])
===
# 2:13 := here
def f(q, epsilon):
    return (y := 3)
===
# 2:5 an assignment to q[0]
def f(q, epsilon):
    q[0] = 1
    return 3
===
# 5:9 flag holds a truth value here and a number there
def f(q, epsilon):
    if q[0] > 1:
        flag = True
    else:
        flag = 2
    return flag
===
# 2:12 a where a number is needed
def f(q, epsilon):
    return "a" + 1
===
# 3:9 assert of values that depend on data or draws
def f(q, epsilon):
    for x in q:
        assert x > 0
===
# 2:12 a call of round
def f(q, epsilon):
    return round(q[0])
===
# 2:12 int of a number that is not an integer
def f(q, epsilon):
    return int(laplace(1))
===
# 2:12 the name undefined
def f(q, epsilon):
    return undefined
===
# 3:15 1 % x of values that depend on data or draws
def f(q, epsilon):
    for x in q:
        yield 1 % x
===
# 5:18 range(k)
def f(q, epsilon):
    k = 0
    for x in q:
        k = k + x
        for i in range(k):
            yield i
===
# 1:1 a statement at the top of the file
async def f(q, epsilon):
    return 1
===
# 3:5 q[...] in a loop that does not stop at the end of the data
def f(q, epsilon):
    i = 0
    while laplace(1) < 5:
        yield q[i]
        i += 1
===
# 4:12 q[i] at a place that is not public
def f(q, epsilon):
    i = 0
    while i < len(q):
        if q[i] > 1:
            i += 1
        i += 1
        yield i
===
# 1:1 a program without data
def f():
    return 1
===
# 1:10 data of type dict
def f(q: dict, epsilon):
    return 1
===
# 2:14 a comprehension with two loops
def f(q, epsilon):
    values = [x for x in q for y in q]
    return max(values)
===
# 2:5 lambda here
def f(q, epsilon):
    lambda x: x
===
# 3:16 not Python ('[' was never closed)
def f(q, epsilon):
    for x in q:
        return [x
===
# 3:9 the list weights made within a loop or a branch
def f(q, epsilon):
    for x in q:
        weights = [1, 2]
        yield choice(weights)
===
# 1:1 return of two lists
def f(q, epsilon):
    out = []
    if epsilon > 1:
        return out
    other = []
    return other
===
# 3:16 out may have no value here
def f(q, epsilon):
    if epsilon > 1:
        return out
    out = []
    for x in q:
        out.append(x)
    return out
===
# 2:5 the name énergie
def f(q, epsilon):
    énergie = 1
    return énergie
===
# 3:12 None where a number is needed
def f(q, epsilon):
    x = None
    return x + 1
===
# 2:12 this operator
def f(q, epsilon):
    return q[0] @ 2
===
# 2:12 q[0] / q[1] of values that depend on data or draws
def f(q, epsilon):
    return q[0] / q[1]
===
# 2:12 q[0] // 2 of values that depend on data or draws
def f(q, epsilon):
    return q[0] // 2
===
# 2:12 2 ** q[0] of values that depend on data or draws
def f(q, epsilon):
    return 2 ** q[0]
===
# 2:12 log of a value that depends on data or draws
def f(q, epsilon):
    return log(q[0])
===
# 2:12 uniform of bounds that are not integers
def f(q, epsilon):
    return uniform(0, epsilon)
===
# 2:12 choice of this
def f(q, epsilon):
    return choice([])
===
# 2:12 bernoulli with 0 arguments
def f(q, epsilon):
    return bernoulli()
===
# 2:14 a slice here
def f(q, epsilon):
    return q[0:1]
===
# 2:20 the data q as a whole
def f(q, epsilon):
    return q[0] in q
===
# 2:12 a list here
def f(q, epsilon):
    out = [[1], [2]]
    return out
===
# 2:5 del
def f(q, epsilon):
    del q
===
# 2:5 with
def f(q, epsilon):
    with q:
        pass
===
# 2:12 a where a number is needed
def f(q, epsilon):
    return "a" < "b"
===
# 2:12 the constant 1j
def f(q, epsilon):
    return 1j
===
# 2:12 ~
def f(q, epsilon):
    return ~1
===
# 2:13 a where a number is needed
def f(q, epsilon):
    return -"a"
===
# 2:17 a loop over zip(q, q)
def f(q, epsilon):
    for i, x in zip(q, q):
        pass
===
# 2:17 a loop over enumerate(q, q[0])
def f(q, epsilon):
    for i, x in enumerate(q, q[0]):
        pass
===
# 2:14 range(0, len(q), 2)
def f(q, epsilon):
    for i in range(0, len(q), 2):
        pass
===
# 2:5 yield from here
def f(q, epsilon):
    yield from q
===
# 2:5 match
def f(q, epsilon):
    match q[0]:
        case 1:
            return 2
===
# 3:12 an index into something other than the data here
def f(q, epsilon):
    values = [x for x in q]
    return values[0]
===
# 3:14 a loop over values
def f(q, epsilon):
    values = [x for x in q]
    for v in values:
        yield v
===
# 3:5 a call of values.sort
def f(q, epsilon):
    values = [x for x in q]
    values.sort()
    return values
===
# 2:16 the list weights used for choice and for something else
def f(q, epsilon):
    weights = [1]
    if max(weights) > 0:
        return choice(weights)
    return 0
===
# 2:12 a call of q.count
def f(q, epsilon):
    return q.count(1)
===
# 3:9 raise where data or draws decide
def f(q, epsilon):
    if q[0] > 0:
        raise ValueError("x")
    return 1
===
# 2:22 and/or of values that are not True or False
def f(q, epsilon):
    if (q[0] > 0) or 3:
        return 1
===
# 2:18 nan where a number is needed
def f(q, epsilon):
    return float("nan")
===
# 2:12 max without arguments or with keywords
def f(q, epsilon):
    return max()
===
# 1:19 a parameter n where the data are one number
def f(q, epsilon, n, m: list):
    return m[0]
===
# 2:5 nonlocal
def f(q, epsilon):
    nonlocal x
"""
