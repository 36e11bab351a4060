"""Sparse vector that releases numbers of the answers above the threshold; False stands for an answer below."""

from refdp.programs import ALL, claim, laplace


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="LSL17 Alg. 7; DR14 Alg. 3")
def numeric_sparse_vector(q, epsilon, T, N):
    """An answer above is released with fresh noise.

    Known as: CheckDP and ShadowDP numsparsevector, DP-Sniper NumericalSVT, LightDP's example.
    """
    threshold = T + laplace(3 / epsilon)
    count = 0
    for x in q:
        if x + laplace(6 * N / epsilon) >= threshold:
            yield x + laplace(3 * N / epsilon)
            count += 1
            if count >= N:
                break
        else:
            yield False


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="WDKZ20 gap sparse vector")
def gap_sparse_vector(q, epsilon, T, N):
    """How far a noisy answer is above the noisy threshold is released, at no further cost."""
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        noisy = x + laplace(4 * N / epsilon)
        if noisy >= threshold:
            yield noisy - threshold
            count += 1
            if count >= N:
                break
        else:
            yield False


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="DWZK19 Alg. 2")
def adaptive_sparse_vector(q, epsilon, T, N, sigma):
    """An answer that is far above is found with more noise and costs half; the gaps are released.

    `spent` counts in units of epsilon / (4 N).  What is released also says which of the two noises was used, which
    the published algorithm hides.  CheckDP's adaptivesparsevector has sigma = 16.
    """
    threshold = T + laplace(2 / epsilon)
    spent = 2 * N
    for x in q:
        if spent > 4 * N - 2:
            break
        rough = x + laplace(8 * N / epsilon) - threshold
        if rough >= sigma:
            yield "far above", rough
            spent += 1
        else:
            fine = x + laplace(4 * N / epsilon) - threshold
            if fine >= 0:
                yield "above", fine
                spent += 2
            else:
                yield "below"


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="WDKZ20 BadGapSVT")
def bad_gap_sparse_vector(q, epsilon, T, N):
    """The noisy answer itself is released instead of the gap: about n epsilon / 4, so wrong from n = 5 on.

    DiPC's svt3 is this one, and not the algorithm 3 of LSL17.
    """
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        noisy = x + laplace(4 * N / epsilon)
        if noisy >= threshold:
            yield noisy
            count += 1
            if count >= N:
                break
        else:
            yield False


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="LSL17 Alg. 3")
def roth(q, epsilon, T, N):
    """The noisy answer itself is released, and its noise is half of what the gap needs: about n epsilon / 2.

    From lecture notes.  Known as: StatDP iSVT4, DP-Sniper SVT3, DP-Finder alg3.
    """
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        noisy = x + laplace(2 * N / epsilon)
        if noisy >= threshold:
            yield noisy
            count += 1
            if count >= N:
                break
        else:
            yield False
