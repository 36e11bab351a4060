"""Noisy histograms, and one number with Laplace noise."""

from refdp.programs import ALL, L1, ONE, claim, laplace


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="DMNS06 Prop. 1")
@claim(epsilon="epsilon", adjacency=L1, expected="PROVED", source="DMNS06 Prop. 1")
def noisy_histogram(q, epsilon):
    """Every count with noise of its own.  Known as: DP-Sniper NoisyHist1."""
    return [x + laplace(1 / epsilon) for x in q]


@claim(epsilon="epsilon", adjacency=ALL, where="n >= 1", expected="PROVED", source="DWWZK18 histogram")
def noisy_histogram_first(q, epsilon):
    """StatDP's histogram, of which only the first count is looked at."""
    return q[0] + laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=L1, where="epsilon < 1", expected="REFUTED", source="DWWZK18 histogram_eps")
@claim(epsilon="epsilon", adjacency=L1, where="epsilon >= 1", expected="PROVED", source="DWWZK18 histogram_eps")
@claim(epsilon="1/epsilon", adjacency=L1, expected="PROVED", source="DWWZK18 histogram_eps")
def noisy_histogram_scale_epsilon(q, epsilon):
    """The scale is epsilon instead of 1/epsilon: wrong where epsilon < 1, right elsewhere.

    Known as: StatDP histogram_eps, DP-Sniper NoisyHist2.
    """
    return [x + laplace(epsilon) for x in q]


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="DMNS06 Prop. 1")
def laplace_mechanism(x: float, epsilon):
    """One number with Laplace noise.  Known as: DP-Sniper LaplaceMechanism."""
    return x + laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="BSBV21 LaplaceParallel")
def laplace_parallel(x: float, epsilon, k):
    """One number k times over, with k times the noise; DP-Sniper has k = 20."""
    for _ in range(k):
        yield x + laplace(k / epsilon)
