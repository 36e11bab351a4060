"""Selection: which of many answers is the greatest.

`report noisy max` in five bodies: what is released (the place, or the value) and the noise decide whether it is
private.  Every answer may change by 1, all of them at once.
"""

from refdp.programs import ALL, MONO, choice, claim, exp, exponential, laplace


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="DR14 Claim 3.9")
@claim(epsilon="epsilon/2", adjacency=MONO, expected="PROVED", source="DR14 Claim 3.9")
def noisy_max(q, epsilon):
    """Laplace noise, the place is released.  With many answers epsilon is approached.

    Known as: ShadowDP and CheckDP noisymax, StatDP noisy_max_v1a, DP-Sniper ReportNoisyMax1, DP-Finder
    reportNoisyMax, DiPC NMax1.
    """
    best, place = None, None
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if best is None or noisy > best:
            best, place = noisy, i
    return place


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="DWZK19")
@claim(rho="epsilon**2/8", adjacency=ALL, expected="REFUTED", source="a charge that only the exponential mechanism has")
def noisy_max_exponential(q, epsilon):
    """One-sided exponential noise, the place is released; its law is that of permute-and-flip.

    Known as: StatDP noisy_max_v2a, DP-Sniper ReportNoisyMax2, DP-Finder expMech (rate epsilon/2), DiPC NMax2.
    """
    best, place = None, None
    for i, x in enumerate(q):
        noisy = x + exponential(2 / epsilon)
        if best is None or noisy > best:
            best, place = noisy, i
    return place


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="DWWZK18 noisy_max_v1b")
def noisy_max_value(q, epsilon):
    """Laplace noise, the greatest noisy value is released instead of its place: n epsilon / 2, so wrong from n = 3 on.

    With two answers the bound is met with equality.  Known as: CheckDP BadNoisyMax, StatDP noisy_max_v1b, DP-Sniper
    ReportNoisyMax3, DiPC NMax3.
    """
    best = None
    for x in q:
        noisy = x + laplace(2 / epsilon)
        if best is None or noisy > best:
            best = noisy
    return best


@claim(epsilon="epsilon", adjacency=ALL, expected="REFUTED", source="DWWZK18 noisy_max_v2b")
def noisy_max_exponential_value(q, epsilon):
    """One-sided exponential noise, the greatest noisy value is released: no epsilon at all, from n = 1 on.

    Known as: StatDP noisy_max_v2b, DP-Sniper ReportNoisyMax4, DiPC NMax4.
    """
    best = None
    for x in q:
        noisy = x + exponential(2 / epsilon)
        if best is None or noisy > best:
            best = noisy
    return best


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="DWZK19")
def noisy_max_with_gap(q, epsilon):
    """Laplace noise; the place is released and how far the greatest noisy answer is above the next one."""
    best, second, place = None, None, None
    for i, x in enumerate(q):
        noisy = x + laplace(2 / epsilon)
        if best is None or noisy > best:
            best, second, place = noisy, best, i
        elif second is None or noisy > second:
            second = noisy
    if second is None:
        return place
    return place, best - second


@claim(epsilon="epsilon", adjacency=ALL, where="n >= 1", expected="PROVED", source="MT07 Thm 6")
def exponential_mechanism(q, epsilon):
    """A place, with probability in proportion to exp(epsilon q / 2)."""
    weights = []
    for x in q:
        weights.append(exp(epsilon * x / 2))
    return choice(weights)


@claim(epsilon="epsilon", adjacency=MONO, where="n >= 1", expected="PROVED", source="MT07 Thm 6")
@claim(epsilon="epsilon", adjacency=ALL, where="n >= 1", expected="REFUTED", source="MT07 Thm 6")
def exponential_mechanism_monotone(q, epsilon):
    """A place, with probability in proportion to exp(epsilon q): half the noise, for answers that move together."""
    weights = []
    for x in q:
        weights.append(exp(epsilon * x))
    return choice(weights)
