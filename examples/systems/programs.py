"""Deployed randomisers, counters of streams and votes, written as programs: what `refdp prove` says of each."""

from refdp.programs import L1, ONE, bernoulli, claim, each, exp, gaussian, laplace, uniform


def any_bits(x, y):
    """Every two bits are neighbours."""
    return True


def shares(x, y):
    """Every two numbers from 0 to 1 are neighbours."""
    return 0 <= x <= 1 and 0 <= y <= 1


def places(x, y):
    """Every two of the places 0, 1 and 2 are neighbours."""
    return 0 <= x <= 2 and 0 <= y <= 2


@claim(epsilon="epsilon", adjacency=each(any_bits, changed=2), expected="PROVED", source="App17")
def count_mean_sketch(cells: list[bool], epsilon):
    """A row of cells, one of which is set by the hash of the datum; each is flipped at half of the loss."""
    for cell in cells:
        yield cell != bernoulli(1 / (1 + exp(epsilon / 2)))


@claim(epsilon="epsilon", adjacency=each(any_bits, changed=2), expected="REFUTED", source="App17")
def count_mean_sketch_at_full_loss(cells: list[bool], epsilon):
    """The same, where each cell is flipped at the whole loss: two cells differ."""
    for cell in cells:
        yield cell != bernoulli(1 / (1 + exp(epsilon)))


@claim(epsilon="epsilon", adjacency=each(any_bits), expected="PROVED", source="App17")
def hadamard_sketch(signs: list[bool], epsilon, size: int):
    """One sign, at a place that is drawn without the datum, flipped at the whole loss."""
    place = uniform(0, size - 1)
    for i, sign in enumerate(signs):
        if i == place:
            yield i
            yield int(sign != bernoulli(1 / (1 + exp(epsilon))))


@claim(epsilon="epsilon", adjacency=shares, expected="PROVED", source="DKY17")
def one_bit_mean(x: float, epsilon):
    """One bit, whose rate is affine in the datum."""
    return bernoulli(1 / (exp(epsilon) + 1) + x * (exp(epsilon) - 1) / (exp(epsilon) + 1))


@claim(epsilon="epsilon", adjacency=each(any_bits, changed=2), expected="PROVED", source="DKY17")
def bucket_bits(buckets: list[bool], epsilon):
    """The bits of all buckets, of which a datum sets one, each flipped at half of the loss."""
    for bit in buckets:
        yield bit != bernoulli(1 / (exp(epsilon / 2) + 1))


@claim(epsilon="epsilon", adjacency=each(any_bits, changed=2), expected="PROVED", source="WBLJ17")
def optimised_unary(bits: list[bool], epsilon):
    """A set bit is told with probability 1/2, another with 1 / (e^epsilon + 1): one is set and one is cleared."""
    for bit in bits:
        if bit:
            yield bernoulli(1 / 2)
        else:
            yield bernoulli(1 / (exp(epsilon) + 1))


@claim(epsilon="epsilon", adjacency=places, expected="PROVED", source="KBR16")
def response_of_three(value: int, epsilon):
    """The value with probability e^epsilon / (e^epsilon + 2), and else one of the two others."""
    other = uniform(1, 2)
    if bernoulli(exp(epsilon) / (exp(epsilon) + 2)):
        return value
    wrong = value + other
    return wrong - 3 if wrong > 2 else wrong


@claim(epsilon="2*epsilon", adjacency=L1, expected="PROVED", source="refdp")
def votes_with_noise(votes, epsilon):
    """PATE: the place of the greatest of noisy votes."""
    noisy = [vote + laplace(1 / epsilon) for vote in votes]
    return noisy.index(max(noisy))


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="CSS11")
def prefixes_with_noise(q, epsilon):
    """Every prefix, with noise that grows with the length of the stream."""
    total = 0
    for x in q:
        total = total + x
        yield total + laplace(len(q) / epsilon)


@claim(epsilon="epsilon", adjacency=ONE, expected="REFUTED", source="CSS11")
def prefixes_with_noise_of_one(q, epsilon):
    """Every prefix, with the noise of one answer."""
    total = 0
    for x in q:
        total = total + x
        yield total + laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="CSS11")
def noise_before_sums(q, epsilon):
    """Noise on each element, and then prefixes."""
    total = 0
    for x in q:
        total = total + x + laplace(1 / epsilon)
        yield total


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="CSS11")
def two_levels(q, epsilon):
    """Sums of blocks of three and of the elements since the last, each element in two sums."""
    block = 0
    done = 0
    inside = 0
    for i, x in enumerate(q):
        block = block + x
        inside = inside + x + laplace(2 / epsilon)
        yield done + inside
        if i % 3 == 2:
            done = done + block + laplace(2 / epsilon)
            block = 0
            inside = 0


@claim(epsilon="epsilon", adjacency=ONE, expected="PROVED", source="CSS11")
def tree_of_three_levels(q, epsilon):
    """Elements, pairs and fours: each element is in three sums."""
    pair = 0
    four = 0
    for i, x in enumerate(q):
        pair = pair + x
        four = four + x
        yield x + laplace(3 / epsilon)
        if i % 2 == 1:
            yield pair + laplace(3 / epsilon)
            pair = 0
        if i % 4 == 3:
            yield four + laplace(3 / epsilon)
            four = 0


@claim(epsilon="epsilon", adjacency=ONE, expected="REFUTED", source="CSS11")
def tree_with_noise_of_two(q, epsilon):
    """The same tree with the noise of two levels."""
    pair = 0
    four = 0
    for i, x in enumerate(q):
        pair = pair + x
        four = four + x
        yield x + laplace(2 / epsilon)
        if i % 2 == 1:
            yield pair + laplace(2 / epsilon)
            pair = 0
        if i % 4 == 3:
            yield four + laplace(2 / epsilon)
            four = 0


@claim(rho="1/(2*sigma*sigma)", adjacency=L1, expected="PROVED", source="BS16")
def normal_noise(q, sigma):
    """Normal noise on each element, of which all together move by 1 at most."""
    for x in q:
        yield x + gaussian(sigma)
