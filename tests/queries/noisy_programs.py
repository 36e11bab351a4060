"""Randomised programs as somebody writes them."""

from refdp.programs import ALL, L1, claim, discrete_laplace


@claim(epsilon="epsilon", adjacency=ALL)
@claim(epsilon="epsilon", adjacency=L1)
def greatest(q: list[int], epsilon):
    """The place of the greatest noisy answer."""
    best, place = None, None
    for i, x in enumerate(q):
        noisy = x + discrete_laplace(2 / epsilon)
        if best is None or noisy > best:
            best, place = noisy, i
    return place


@claim(epsilon="epsilon", adjacency=ALL)
def too_little(x: int, epsilon):
    """Half the noise."""
    return x + discrete_laplace(1 / (2 * epsilon))
