"""Programs whose claim holds for few data and is false for many: a bounded argument must not prove them."""

from dataclasses import dataclass

from refdp.programs.question import Question
from tests.programs.mutants.editing import IMPORTS


@dataclass(frozen=True)
class Late:
    """A program that breaks its claim for data of `first` elements, and of no fewer."""

    name: str
    first: int
    text: str

    @property
    def question(self) -> Question:
        """What is asked about it."""
        return Question(f"{IMPORTS}\n\n{self.text}", self.name, 0)


LATE = [
    Late("greatest_of_seven", 8, """
@claim(epsilon="epsilon", adjacency=ALL)
def greatest_of_seven(q, epsilon):
    best = None
    for x in q:
        noisy = x + laplace(7 / epsilon)
        if best is None or noisy > best:
            best = noisy
    return best
"""),
    Late("twelve_prefixes", 13, """
@claim(epsilon="epsilon", adjacency=ALL)
def twelve_prefixes(q, epsilon):
    total = 0
    for x in q:
        total += x + laplace(12 / epsilon)
        yield total
"""),
    Late("noise_ends", 12, """
@claim(epsilon="epsilon", adjacency=ONE)
def noise_ends(q, epsilon):
    for i, x in enumerate(q):
        noise = laplace(1 / epsilon)
        if i < 11:
            yield x + noise
        else:
            yield x
"""),
    Late("noise_is_reused", 10, """
@claim(epsilon="epsilon", adjacency=ONE)
def noise_is_reused(q, epsilon):
    noise = laplace(1 / epsilon)
    for i, x in enumerate(q):
        if i % 9 == 0:
            yield x + noise
"""),
    Late("one_counts_twice", 8, """
@claim(epsilon="epsilon", adjacency=L1)
def one_counts_twice(q, epsilon):
    total = 0
    for i, x in enumerate(q):
        total += x
        if i == 7:
            total += x
    return total + laplace(1 / epsilon)
"""),
    Late("seven_alternate", 8, """
@claim(epsilon="epsilon", adjacency=ALL)
def seven_alternate(q, epsilon):
    total, sign = 0, 1
    for x in q:
        total += sign * x
        sign = -sign
    return total + laplace(7 / epsilon)
"""),
    Late("limit_ends", 10, """
@claim(epsilon="epsilon", adjacency=ALL)
def limit_ends(q, epsilon, T):
    threshold = T + laplace(2 / epsilon)
    count = 0
    for i, x in enumerate(q):
        if x + laplace(4 / epsilon) >= threshold:
            yield True
            count += 1
            if count >= 1 and i < 8:
                break
        else:
            yield False
"""),
    Late("seven_above", 8, """
@claim(epsilon="epsilon", adjacency=ALL)
def seven_above(q, epsilon, T):
    threshold = T + laplace(2 / epsilon)
    for x in q:
        yield x + laplace(28 / epsilon) >= threshold
"""),
    Late("gap_of_eight", 9, """
@claim(epsilon="epsilon", adjacency=ALL)
def gap_of_eight(q, epsilon, T):
    threshold = T + laplace(2 / epsilon)
    for x in q:
        noisy = x + laplace(8 / epsilon)
        if noisy >= threshold:
            yield noisy
            break
        yield False
"""),
    Late("noise_fades", 9, """
@claim(epsilon="epsilon", adjacency=ONE)
def noise_fades(q, epsilon):
    scale = 8
    for x in q:
        yield x + laplace(1 / epsilon) * scale
        scale = scale - 1
"""),
    Late("blocks_of_seven", 8, """
@claim(epsilon="epsilon", adjacency=ONE)
def blocks_of_seven(q, epsilon):
    block = 0
    for i, x in enumerate(q):
        if i == 7:
            yield block + x
        else:
            block += x
            yield x + laplace(1 / epsilon)
"""),
    Late("seven_coins", 8, """
@claim(epsilon="7*epsilon", adjacency=ALL)
def seven_coins(q: list[bool], epsilon):
    for bit in q:
        yield bit != bernoulli(1 / (1 + exp(epsilon)))
"""),
    Late("discrete_greatest_of_ten", 11, """
@claim(epsilon="epsilon", adjacency=ALL)
def discrete_greatest_of_ten(q: list[int], epsilon):
    best = None
    for x in q:
        noisy = x + discrete_laplace(10 / epsilon)
        if best is None or noisy > best:
            best = noisy
    return best
"""),
    Late("tenth_is_chosen", 10, """
@claim(epsilon="epsilon", adjacency=ALL, where="n >= 1")
def tenth_is_chosen(q, epsilon):
    weights = []
    for i, x in enumerate(q):
        if i == 9:
            weights.append(exp(epsilon * x))
        else:
            weights.append(exp(epsilon * x / 2))
    return choice(weights)
"""),
]  # fmt: skip
