"""Gaussian noise: private with a delta only, so every pure claim is refuted.  Nothing is proved of these programs."""

from refdp.programs import ALL, claim, gaussian


@claim(epsilon="1/sigma", adjacency=ALL, expected="REFUTED")
@claim(epsilon="4/sigma", adjacency=ALL, expected="REFUTED")
def gaussian_mechanism(x: float, sigma):
    """One number with Gaussian noise."""
    return x + gaussian(sigma)


@claim(epsilon="1/sigma", adjacency=ALL, expected="REFUTED")
def gaussian_sparse_vector(q, sigma, T):
    """The sparse vector technique with Gaussian noise, stopped at the first answer above."""
    threshold = T + gaussian(sigma)
    for x in q:
        if x + gaussian(2 * sigma) >= threshold:
            yield True
            break
        yield False
