"""Answers from finitely many: randomised response, RAPPOR, and a geometric law that is cut off."""

from refdp.programs import ALL, bernoulli, claim, each, exp, uniform


@claim(epsilon="epsilon", adjacency=ALL, expected="PROVED", source="War65")
def randomised_response(bit: bool, epsilon):
    """The bit, flipped with probability 1 / (1 + e^epsilon)."""
    return bit != bernoulli(1 / (1 + exp(epsilon)))


@claim(epsilon="epsilon", adjacency=ALL, where="epsilon < 1", expected="REFUTED", source="BCJSV20 randomised response")
@claim(epsilon="ln((1 + epsilon)/(1 - epsilon))", adjacency=ALL, where="epsilon < 1", expected="PROVED", source="War65")
def randomised_response_linear(bit: bool, epsilon):
    """The bit, flipped with probability (1 - epsilon) / 2: ln((1 + epsilon) / (1 - epsilon)) > epsilon."""
    return bit != bernoulli((1 - epsilon) / 2)


def any_bits(x, y):
    """Every two bits are neighbours."""
    return True


@claim(
    epsilon="8*ln((1 - f/2)/(f/2))",
    adjacency=each(any_bits, changed=8),
    where="0 < f and f < 1",
    expected="PROVED",
    source="EPK14 Thm 1",
)
@claim(
    epsilon="8*ln(21/19)",
    adjacency=each(any_bits, changed=8),
    given={"f": "19/20"},
    expected="PROVED",
    source="BSBV21 OneTimeRAPPOR",
)
def one_time_rappor(bits: list[bool], f):
    """The permanent answer of RAPPOR: each bit of a Bloom filter set or cleared with probability f/2 each.

    So it is flipped with probability f/2.  The filters of two values, of four hashes each, differ in at most 8 bits;
    DP-Sniper's has 20 bits, f = 95/100 and murmur3 for a hash, with which the values 6 and 7 differ in all 8.
    """
    for bit in bits:
        yield bit != bernoulli(f / 2)


@claim(
    epsilon="8*ln(41/39)",
    adjacency=each(any_bits, changed=8),
    given={"f": "3/4", "p": "9/20", "r": "11/20"},
    expected="PROVED",
    source="EPK14 Thm 2; BSBV21 RAPPOR",
)
def rappor(bits: list[bool], f, p, r):
    """One report of RAPPOR: 1 with probability r where the permanent answer is 1, and p where it is 0."""
    for bit in bits:
        permanent = bit != bernoulli(f / 2)
        if permanent:
            yield bernoulli(r)
        else:
            yield bernoulli(p)


def counts_up_to_five(x, y):
    """Both are counts from 0 to 5, at most 1 apart."""
    return 0 <= x <= 5 and 0 <= y <= 5 and abs(x - y) <= 1


@claim(
    epsilon="ln(1 + 1/A)",
    adjacency=counts_up_to_five,
    given={"A": 8, "M": 5},
    expected="PROVED",
    source="BV18 Alg. 4.8",
)
def truncated_geometric(count: int, A: int, M: int):
    """A count from 0 to M with geometric noise that is cut off, drawn as one integer: the least z with F(z) >= drawn.

    In the paper A = 2^k with k = ceil(ln(2 / epsilon)), so epsilon = 1/10 gives A = 8.
    """
    total = 2 * A + 1
    for _ in range(M - 1):
        total *= A + 1
    drawn = uniform(1, total)
    for z in range(M):
        part = 1
        for j in range(M):
            if z <= j < count or count <= j <= z:
                part *= A
            else:
                part *= A + 1
        reached = part if z < count else total - part
        if drawn <= reached:
            return z
    return M
