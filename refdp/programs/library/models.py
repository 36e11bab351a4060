"""What models were said to be private with, and are not: one-sided noise on second moments, means by exact sizes."""

from refdp.programs import L1, ONE, claim, exponential, laplace


@claim(epsilon="epsilon", adjacency=ONE, where="n >= 1", expected="REFUTED", source="JXZ16")
def wishart_noise(q, epsilon):
    """The second moment of one column with Wishart noise of 2 degrees of freedom, which is exponential noise.

    Such noise is never below 0, and in more columns never takes a matrix below itself: so it is no noise at all for
    whoever sees an outcome below what one of the tables may give.
    """
    return q[0] + exponential(3 / epsilon)


@claim(epsilon="epsilon", adjacency=L1, where="n >= 2", expected="REFUTED", source="SCLBJ16")
def sum_beside_exact_size(q, epsilon):
    """The sum of a cluster with noise, and its size as it is, by which k-means would divide it."""
    return q[0] + laplace(1 / epsilon), q[1]


@claim(epsilon="epsilon", adjacency=L1, where="n >= 2", expected="PROVED", source="SCLBJ16")
def sum_beside_noisy_size(q, epsilon):
    """Both with noise."""
    return q[0] + laplace(1 / epsilon), q[1] + laplace(1 / epsilon)
