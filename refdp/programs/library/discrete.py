"""Programs of the other files with noise on the integers, where answers can be equal."""

from refdp.programs import ALL, L1, claim, discrete_laplace


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="GRS12")
def geometric_mechanism(x: int, epsilon):
    """One integer with discrete Laplace noise."""
    return x + discrete_laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=L1, expected="PROVED", source="GRS12")
def discrete_histogram(q: list[int], epsilon):
    """Every count with noise of its own."""
    return [x + discrete_laplace(1 / epsilon) for x in q]


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="DR14 Claim 3.9")
def discrete_noisy_max(q: list[int], epsilon):
    """The place of the greatest noisy answer, of equal ones the first."""
    best, place = None, None
    for i, x in enumerate(q):
        noisy = x + discrete_laplace(2 / epsilon)
        if best is None or noisy > best:
            best, place = noisy, i
    return place


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="DWWZK18 noisy_max_v1b")
def discrete_noisy_max_value(q: list[int], epsilon):
    """The greatest noisy answer itself."""
    best = None
    for x in q:
        noisy = x + discrete_laplace(2 / epsilon)
        if best is None or noisy > best:
            best = noisy
    return best


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="LSL17 Alg. 1")
def discrete_sparse_vector(q: list[int], epsilon, T: int, N):
    """The sparse vector technique on integers."""
    threshold = T + discrete_laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + discrete_laplace(4 * N / epsilon) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False
