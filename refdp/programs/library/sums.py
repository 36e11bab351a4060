"""Sums, and sums of prefixes, where one element changes by at most 1, or all of them by at most 1 together."""

from refdp.programs import ALL, L1, ONE, claim, each, laplace


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="DMNS06 Prop. 1")
@claim(epsilon="epsilon", adjacency=L1, expected="PROVED", source="DMNS06 Prop. 1")
@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="DMNS06 Prop. 1")
def partial_sum(q, epsilon):
    """The noisy sum.  Known as: LightDP, ShadowDP and CheckDP partialsum."""
    total = 0
    for x in q:
        total += x
    return total + laplace(1 / epsilon)


def within_one(x, y):
    """Both are at most 1 in size, and at most 1 apart."""
    return abs(x) <= 1 and abs(y) <= 1 and abs(x - y) <= 1


@claim(epsilon="epsilon", adjacency=each(within_one, changed=1), expected="PROVED", source="BGDTV18 Sum")
def bounded_sum(q, epsilon):
    """The noisy sum of numbers between -1 and 1; DP-Finder's Sum has four of them."""
    return sum(q) + laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=ONE, expected="REFUTED", source="WDKZ20 BadPartialSum")
def bad_partial_sum(q, epsilon):
    """The noisy sum with half the noise: 2 epsilon."""
    total = 0
    for x in q:
        total += x
    return total + laplace(1 / (2 * epsilon))


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="WDWKZ19 prefix sum")
@claim(epsilon="epsilon", adjacency=L1, expected="PROVED", source="WDWKZ19 prefix sum")
@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="BSBV21 Table III")
def prefix_sum(q, epsilon):
    """The sum of every prefix, each a noisy answer more than the one before.

    DP-Sniper's PrefixSum is claimed under ALL, where the truth is n epsilon.
    """
    released = 0
    for x in q:
        released += x + laplace(1 / epsilon)
        yield released


@claim(epsilon="2*epsilon", adjacency=ONE, expected="PROVED", source="CSS11")
@claim(epsilon="epsilon", adjacency=ONE, expected="REFUTED", source="CSS11")
def smart_sum(q, epsilon, M: int, T: int):
    """The sum of every prefix, the sum of M answers getting fresh noise: the published body, also LightDP's.

    LightDP writes i + 1 % M, which Python reads as i + (1 % M).
    """
    base, released, block = 0, 0, 0
    for i, x in enumerate(q):
        if i > T:
            break
        if (i + 1) % M == 0:
            base += block + x + laplace(1 / epsilon)
            released = base
            block = 0
        else:
            released += x + laplace(1 / epsilon)
            block += x
        yield released


@claim(epsilon="2*epsilon", adjacency=ONE, expected="PROVED", source="WDWKZ19 smart sum")
@claim(epsilon="epsilon", adjacency=ONE, expected="REFUTED", source="WDWKZ19 smart sum")
def smart_sum_shadowdp(q, epsilon, M: int, T: int):
    """ShadowDP's smart sum: the sum of a block is added to what was released already."""
    released, block = 0, 0
    for i, x in enumerate(q):
        if i > T:
            break
        if (i + 1) % M == 0:
            released += block + x + laplace(1 / epsilon)
            block = 0
        else:
            released += x + laplace(1 / epsilon)
            block += x
        yield released


@claim(epsilon="2*epsilon", adjacency=ONE, expected="PROVED", source="WDKZ20 smart sum")
@claim(epsilon="epsilon", adjacency=ONE, expected="REFUTED", source="WDKZ20 smart sum")
def smart_sum_checkdp(q, epsilon, M: int, T: int):
    """CheckDP's smart sum: a block's sum is released alone, without the blocks before it."""
    released, block = 0, 0
    for i, x in enumerate(q):
        if i > T:
            break
        if (i + 1) % M == 0:
            released = block + x + laplace(1 / epsilon)
            block = 0
        else:
            released += x + laplace(1 / epsilon)
            block += x
        yield released


@claim(epsilon="2*epsilon", adjacency=ONE, expected="REFUTED", source="WDKZ20 BadSmartSum")
def bad_smart_sum(q, epsilon, M: int, T: int):
    """CheckDP's smart sum without the noise on the blocks: no epsilon at all."""
    released, block = 0, 0
    for i, x in enumerate(q):
        if i > T:
            break
        if (i + 1) % M == 0:
            released = block + x
            block = 0
        else:
            released += x + laplace(1 / epsilon)
            block += x
        yield released
