"""Programs of every kind that is read, each with the data and parameters to try it on."""

LISTS = """
def threshold_own(q, epsilon, N, T):
    T = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + laplace(4 * N / epsilon) >= T:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False
===
def while_over_data(q, epsilon, N, T):
    out = []
    rho = laplace(2 / epsilon)
    count, i = 0, 0
    while i < len(q) and count < N:
        if not q[i] + laplace(4 / epsilon) >= T + rho:
            out.append(False)
        else:
            out.append(True)
            count = count + 1
        i += 1
    return out
===
def while_true(q, T):
    i = 0
    while True:
        if i >= len(q):
            break
        x = q[i]
        i = i + 1
        if x > T:
            continue
        yield x + laplace(1), i
===
def while_reads_after(q, T):
    i = 0
    while i < len(q):
        i += 1
        if i < len(q) and T > 0:
            yield i
    yield i
===
def while_backwards(q, T):
    i = 0
    while not len(q) <= i:
        y = q[i]
        yield y > T, i
        i += 1
    return
===
def first_above(q, T):
    for i, x in enumerate(q):
        if x + laplace(1) > T:
            return i
    return None
===
def first_above_else(q, T):
    for i, x in enumerate(q, 1):
        if x + laplace(1) > T:
            place = i
            break
    else:
        place = -1
    return place
===
def best_of_none(q, epsilon):
    best = None
    place = None
    for i, x in enumerate(q):
        v = x + laplace(2 / epsilon)
        if best is None or v > best:
            best, place = v, i
    return place
===
def best_and_second(q, epsilon):
    best, second, place = None, None, None
    for i, x in enumerate(q):
        v = x + laplace(2 / epsilon)
        if best is None or v > best:
            best, second, place = v, best, i
        elif second is None or v > second:
            second = v
    if second is None:
        return place
    return place, best - second
===
def best_between_numbers(q, epsilon):
    best, place = None, None
    for i, x in enumerate(q):
        v = x + laplace(2 / epsilon)
        if best is None or v > best:
            best, place = v, i
    return 7, place, len(q), best
===
def best_of_infinity(q, epsilon):
    best = float("-inf")
    place = 0
    for i in range(len(q)):
        v = q[i] + laplace(2 / epsilon)
        if v > best:
            best = v
            place = i
    return place, best
===
def best_by_max(q, epsilon):
    best = -float("inf")
    for x in q:
        best = max(best, x + laplace(1 / epsilon))
    return best
===
def least_by_min(q, T):
    least = T
    for x in q:
        least = min(x + laplace(1), least, 2)
    return least
===
def of_values(q, epsilon):
    values = [x + exponential(2 / epsilon) for x in q]
    return values.index(max(values))
===
def of_argmax(q, epsilon):
    values = []
    for x in q:
        values.append(x + laplace(1))
    return argmax(values), max(values), min(values), len(values), sum(values)
===
def least_place(q):
    noisy = [x + laplace(1) for x in q if x > 0]
    return noisy.index(min(noisy))
===
def choice_of(q, epsilon):
    return choice([exp(epsilon * x / 2) for x in q])
===
def choice_made(q, epsilon):
    weights = []
    for x in q:
        weights.append(exp(epsilon * x))
    weights.append(1)
    place = choice(weights)
    return place + 1
===
def choice_named(q, epsilon):
    weights = []
    for x in q:
        w = exp(epsilon * x)
        weights += [w]
    return choice(weights)
===
def sums(q, epsilon):
    return sum(q) + laplace(1 / epsilon), len(q), sum(2 * x for x in q if x > 0)
===
def greatest(q):
    return max(q) + laplace(1), min(q)
===
def mapped(q, epsilon):
    return [x + laplace(1 / epsilon) for x in q]
===
def mapped_twice(q):
    a = [x + laplace(1) for x in q]
    b = [x - 1 for x in q]
    return max(a) - min(b)
===
def listed_pairs(q):
    out = []
    for i, x in enumerate(q):
        out.append((i, x > 0))
    return out
===
def list_and_count(q, T):
    above, count = [], 0
    for x in q:
        if x + laplace(1) > T:
            above.append(x > 1)
            count += 1
    return above, count
===
def blocks(q, epsilon, M, T: int):
    base, following, total = 0, 0, 0
    for i in range(min(T, len(q))):
        if (i + 1) % M == 0:
            base += total + q[i] + laplace(1 / epsilon)
            following = base
            total = 0
        else:
            following += q[i] + laplace(1 / epsilon)
            total += q[i]
        yield following
===
def by_parts(q, M):
    for i in range(len(q)):
        yield q[i] + laplace(1) if i // M % 2 == 0 else None
===
def to_limit(q, N):
    for i in range(N):
        yield q[i]
===
def to_number(q, n):
    for i in range(n):
        yield q[i] + laplace(1), n
===
def from_one(q):
    best = q[0] + laplace(1)
    place = 0
    for i in range(1, len(q)):
        v = q[i] + laplace(1)
        if v > best:
            best = v
            place = i
    return place
===
def last(q):
    return q[-1] + laplace(1), q[0]
===
def at_place(q, k):
    return q[k] + laplace(1)
===
def texts(q, T):
    for x in q:
        y = x + laplace(1)
        yield "above" if y > T else "equal" if y == T else "below"
===
def text_kept(q, T):
    answer = "none"
    for x in q:
        if x + laplace(1) > T:
            answer = "above"
        elif answer == "none":
            answer = "below"
    return answer
===
def mixed_kept(q, T):
    answer = None
    for x in q:
        if x > T:
            answer = x + laplace(1)
        elif x < T and answer is not None:
            answer = "lost"
        elif answer == "lost":
            answer = None
    return answer
===
def counts_none(q, T):
    count = None
    for x in q:
        if x > T:
            count = 1 if count is None else count + 1
    if count:
        yield count
    if not count:
        yield "nothing"
===
def short_circuits(q, T):
    for x in q:
        if x > T and bernoulli("1/2"):
            yield 1
        elif x < T or not bernoulli("1/3"):
            yield 2
        else:
            yield 3 if bernoulli("1/4") else 4
===
def chained(q, T):
    for x in q:
        yield 0 <= x < T + laplace(1) < 3
===
def chances(q):
    for x in q:
        yield bernoulli("3/4" if x > 0 else "1/4")
===
def explicit_weights(q, T):
    for x in q:
        yield choice([1, T * T, 0, 2])
        yield choice([1, 3 if x > 1 else 2])
===
def integers(q, N):
    for x in q:
        yield uniform(1, N + 1) + x
===
def flags(q, T):
    first = True
    found = False
    for x in q:
        if first:
            first = False
            yield "first"
        found = found or x > T
    yield found
    yield first
===
def flipped(q, T):
    on = False
    for x in q:
        on = not on
        if on:
            yield x
===
def skipping(q, T):
    for x in q:
        if x < T:
            if x < 0:
                continue
            y = 1
        else:
            y = 2
        if y == 1 and x == 0:
            continue
        yield y + laplace(1)
===
def nested(q, M):
    for x in q:
        total = 0
        for j in range(M):
            if j == 1 and x > 1:
                break
            total += x + laplace(1)
        else:
            total = -total
        yield total
===
def pairs(q):
    found = 0
    for x in q:
        for y in q:
            if x < y:
                found += 1
    return found + laplace(1)
===
def rounds(q, N):
    total = 0
    for _ in range(N):
        total += laplace(1)
    i = 0
    for i in range(len(q)):
        total += q[i]
    return total, i
===
def halves(q, epsilon):
    epsilon = epsilon / 2
    yield sum(q) + laplace(1 / epsilon)
    epsilon /= 2
    yield len(q) + laplace(1 / epsilon)
===
def growing(q, epsilon):
    scale = 1
    for x in q:
        scale = scale * 2
        yield x + laplace(scale / epsilon)
===
def moving(q, epsilon):
    k = 1
    for x in q:
        k += 2
        yield x + laplace(k / epsilon), k
    yield k
===
def spending(q, epsilon, N):
    left = N
    for x in q:
        if left <= 0:
            break
        if x + laplace(1) > 0:
            left -= 2
            yield True
        else:
            left -= 1
            yield False
===
def swapped(q):
    a, b = 0, 1
    for x in q:
        a, b = b, a + x
    return a, b + laplace(1)
===
def turned(q):
    a, b, c = 0, 1, 2
    for x in q:
        a, b, c = b, c, a
    return a, b, c
===
def absolute(q, T):
    for x in q:
        yield abs(x - T) + laplace(1), -x, +T
===
def powers(q, N, M):
    for x in q:
        yield x * 2**N + laplace(N**2), x / 2 ** (M - 1), 7 // N, 7 % M, -7 // M
===
def truths(q):
    count = 0
    for x in q:
        count += x > 0
        count += (x > 1) * x
    return count + True
===
def of_truth(q):
    for x in q:
        if x:
            yield 1
        elif not x:
            yield 0
===
def nothing(q):
    for x in q:
        y = x + laplace(1)
===
def nothing_yet(q, T):
    out = []
    if T > 1:
        return []
    for x in q:
        out.append(x + laplace(1))
    return out
===
def new_list(q, T):
    total = 0
    for x in q:
        total += x
    return [total + laplace(1), T, None]
===
def dead(q, T):
    for x in q:
        yield x
        continue
        yield 5
    return
    yield 6
===
def checked(q, T):
    assert T != 2
    if T == 1:
        raise ValueError("no")
    for x in q:
        yield x / T
===
def checked_otherwise(q, T):
    for x in q:
        if T < 3:
            pass
        else:
            raise ValueError("no")
            yield 5
        yield x + T
===
def divided(q, T):
    for x in q:
        yield x / T + laplace(1)
===
def none_in_sum(q, T):
    best = None
    for x in q:
        if x > T:
            best = x
    return best + laplace(1)
===
def annotated(q: list[float], T: "int" = 3) -> list:
    out: list[float] = []
    y: float
    for x in q:
        y = x * T
        out.append(y + laplace(1))
    return out
===
LIMIT = 2
HALF = Fraction(1, 2)
def constants(q, T):
    for x in q:
        if x > LIMIT * HALF:
            yield x * HALF + laplace(LIMIT)
===
def n_own(q):
    n = len(q)
    n += 1
    for x in q:
        n += x
    return n
===
def old_and_new(q):
    old, new = 0, 1
    for x in q:
        old, new = new, old + x
    return old
===
def while_cond(q, N):
    total, steps = sum(q), 0
    while total > 0 and steps < N:
        total = total - 1 - steps
        steps += 1
    return steps, total + laplace(1)
===
def while_else(q, T):
    i = 0
    while i != len(q):
        if q[i] > T:
            break
        i += 1
    else:
        yield "all"
    yield i
===
def unused_index(q):
    total = 0
    for i, x in enumerate(q):
        total += x
    total = total + laplace(1)
    for i, x in enumerate(q):
        total += i * x
    return total
===
def two_loops(q, T):
    high = 0
    for x in q:
        if x > T:
            high += 1
    for x in q:
        yield x + laplace(1) > high
===
def returns_early(q, T):
    count = 0
    for x in q:
        if x + laplace(1) > T:
            count += 1
            if count == 2:
                return "two"
    return count
===
def comprehended_names(q, T):
    x = T
    total = sum([x + 1 for x in q])
    return total + x + laplace(1)
===
def list_truth(q, T):
    found = [x for x in q if x > T]
    if found:
        return max(found)
    return len(found)
===
def longest(q):
    run, longest = 0, 0
    for x in q:
        run = run + 1 if x > 0 else 0
        longest = max(longest, run)
    return longest + laplace(1)
===
def noisy(x, scale):
    'A helper.'
    return x + laplace(scale) if x > 0 else x - exponential(scale)
def twice(y):
    return noisy(y, 1) - noisy(y, 2)
def helped(q, T):
    for y in q:
        yield twice(y + T)
===
def any_or_all(q, T):
    return any(x > T for x in q), all([x > 0 for x in q]), all(x + laplace(1) > T for x in q)
===
def by_key(q):
    values = [x + laplace(1) for x in q]
    return max(range(len(values)), key=lambda i: values[i])
===
def literal_lists(q, T):
    return max([T, 1, 0]) + laplace(1), sum([T, T]), argmax([0, T])
===
def over_range(q, N):
    return [q[i] + laplace(1) for i in range(len(q))], N
===
def breaks_out(q, T):
    for x in q:
        while True:
            x = x - 1
            if x < T:
                break
        yield x + 1
===
def counts_down(q, N):
    left = N
    for x in q:
        if left == 0:
            return
        left -= 1
        yield x + laplace(left + 1)
===
def same_name(q, T):
    for i in range(2):
        for x in q:
            yield x + i
    for i in range(len(q)):
        yield q[i] - i
===
def while_noisy(q, T):
    i = 0
    while i < len(q) and q[i] + laplace(2) < T:
        i += 1
    return i
===
def while_drawing(q, N):
    count = 0
    while bernoulli("1/2") and count < N:
        count += 1
        if count == 1:
            continue
        yield count
    yield None
===
def breaks_twice(q, T):
    i = 0
    while True:
        if i >= len(q):
            break
        if q[i] > T:
            break
        i += 1
    return i
===
def counts_or_none(q, T):
    count = None
    for x in q:
        if x > T:
            count = 1 if count is None else count * 1
    if count:
        yield count
    if not count:
        yield "nothing"
===
def appends_itself(q, T):
    values = [T]
    for x in q:
        values.append(max(values) - x)
    return min(values), sum(values) + laplace(1)
===
def starts_later(q, k):
    for i, x in enumerate(q, k):
        yield max([x, 0]) + sum([i, x]) + laplace(1)
===
def several_at_once(q, T):
    a = b = laplace(1) + T
    for x in q:
        a = b = x + a
    return a, b
===
def either_draw(q, T):
    for x in q:
        y = laplace(1) if x > T else exponential(2)
        yield y + x
"""
LIST_DATA = ([], [1], [0, 2], [3, -1, 1])

SCALARS = """
def mechanism(x, epsilon):
    return x + laplace(1 / epsilon)
===
def parallel(x, epsilon, k):
    return [x + laplace(k / epsilon) for _ in range(k)]
===
def parallel_yields(x, k):
    for i in range(k):
        yield i, x + laplace(1)
===
def reassigned(x, T):
    x = x + T
    for i in range(3):
        x = x / 2
    return x + laplace(1)
===
def cut(x, T):
    return max(0, min(x, T)) + laplace(1)
===
def geometric(x: int, N, M):
    base = 2**N + 1
    drawn = uniform(1, base)
    for z in range(M):
        part = 1
        for j in range(M):
            if z <= j < x or x <= j <= z:
                part *= 2**N
            else:
                part *= base
        if drawn <= (part if z < x else base - part):
            return z
    return M
"""

TRUTHS = """
def response(bit: bool):
    return bit if bernoulli("3/4") else not bit
===
def response_equal(bit: bool, T):
    return bit == bernoulli(T / 4)
===
def response_branch(bit: bool):
    if bernoulli("1/2"):
        return bit
    return bernoulli("1/2")
"""

BITS = """
def responses(bits: list[bool]):
    return [bit != bernoulli("1/4") for bit in bits]
===
def counted(bits: list[bool]):
    return sum(bits) + discrete_laplace(1)
===
def any_bit(bits: list[bool]):
    found = False
    for bit in bits:
        found = found or bit
    return found != bernoulli("1/3")
===
def chosen_bit(bits: list[bool], T):
    for bit in bits:
        yield choice([2, 1] if bit else [1, T])
"""
