"""Sparse vector: which answers are above a threshold, one after the other.

Above is True, below False; it stops after N answers above.  Every answer may change by 1, all of them at once.
"""

from refdp.programs import ALL, MONO, claim, laplace


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="LSL17 Alg. 1")
def sparse_vector(q, epsilon, T, N):
    """The sparse vector technique as it is right.

    Known as: CheckDP sparsevector, ShadowDP sparsevectorN (sparsevector with N = 1), StatDP SVT, DP-Sniper SVT1,
    DP-Finder alg1, DiPC svt1.
    """
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + laplace(4 * N / epsilon) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="LSL17 Alg. 2; DR14 Alg. 2")
def sparse_vector_refreshed(q, epsilon, T, N):
    """The threshold gets fresh noise after each answer above.  Known as: DP-Sniper SVT2, DP-Finder alg2, DiPC svt2."""
    threshold = T + laplace(2 * N / epsilon)
    count = 0
    for x in q:
        if x + laplace(4 * N / epsilon) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
            threshold = T + laplace(2 * N / epsilon)
        else:
            yield False


@claim(epsilon="epsilon", adjacency=MONO, expected="PROVED", source="LSL17")
@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="LSL17")
def sparse_vector_monotone(q, epsilon, T, N):
    """Half the noise on the answers, enough where all of them move the same way.

    Known as: CheckDP svt_increasing and svt_decreasing.
    """
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + laplace(2 * N / epsilon) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="LSL17 Alg. 4")
@claim(epsilon="(1 + 6*N)/4*epsilon", adjacency=ALL, expected="PROVED", source="LSL17")
@claim(epsilon="(1 + 3*N)/4*epsilon", adjacency=MONO, expected="PROVED", source="LSL17")
@claim(epsilon="epsilon", adjacency=MONO, given={"N": 1}, expected="PROVED", source="LSL17")
def lee_clifton(q, epsilon, T, N):
    """The noise on the answers does not grow with N.

    Known as: CheckDP BadSVT3, StatDP iSVT3, DP-Sniper SVT4, DP-Finder alg4, DiPC svt4.
    """
    threshold = T + laplace(4 / epsilon)
    count = 0
    for x in q:
        if x + laplace(4 / (3 * epsilon)) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="LSL17 Alg. 5")
def stoddard(q, epsilon, T):
    """No noise on the answers, and no limit: no epsilon at all.

    Known as: CheckDP BadSVT1, StatDP iSVT1, DP-Sniper SVT5, DP-Finder alg5, DiPC svt5.
    """
    threshold = T + laplace(2 / epsilon)
    for x in q:
        yield x >= threshold


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="LSL17 Alg. 6")
def chen(q, epsilon, T):
    """Noise on the answers, but no limit: epsilon grows with the number of answers.

    Known as: CheckDP BadSVT2, StatDP iSVT2, DP-Sniper SVT6, DP-Finder aboveThreshold, DiPC svt6.
    """
    threshold = T + laplace(2 / epsilon)
    for x in q:
        yield x + laplace(2 / epsilon) >= threshold
