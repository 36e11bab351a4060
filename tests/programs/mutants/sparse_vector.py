"""Mutants of the sparse vector technique."""

from tests.programs.mutants.editing import Variant, of, right, wrong
from tests.programs.mutants.selection import CLAIM, WIDER

LOOP = "    for x in q:"
MORE = "count >= N -> count > N"
ENDLESS = "            if count >= N:\n                break\n -> "
UNCOUNTED = "            count += 1\n -> "
REVERSED = ">= threshold -> <= threshold"


def bits(function: str, family: str, adjacency: str, factor: int) -> list[Variant]:
    """Mutants of the technique that says which answers are above; `factor` N / epsilon is the scale of their noise."""
    level, noise = f"{family}(2 / epsilon)", f"{family}({factor} * N / epsilon)"
    above = f"        if x + {noise} >= threshold:\n            yield True"
    noisy = f"        noisy = x + {noise}\n        if noisy >= threshold:\n            yield noisy"
    wider = "each(two_apart)" if adjacency == "ALL" else "ALL"
    return of(
        function,
        wrong("half the noise on the threshold", f"{level} -> {family}(1 / epsilon)"),
        wrong("half the noise on answers", f"{noise} -> {family}({factor // 2} * N / epsilon)"),
        wrong("9/10 of the noise on answers", f"{noise} -> {family}({9 * factor} * N / (10 * epsilon))"),
        wrong("two thirds of the noise on the threshold", f"{level} -> {family}(4 / (3 * epsilon))"),
        wrong("noise does not grow with N", f"{noise} -> {family}({factor} / epsilon)"),
        wrong("no noise on the threshold", f"threshold = T + {level} -> threshold = T"),
        wrong("no noise on answers", f"x + {noise} -> x"),
        wrong("one noise for all answers", f"{LOOP} ->     noise = {noise}\n{LOOP}", f"x + {noise} -> x + noise"),
        wrong("N + 1 answers above", MORE),
        wrong("no limit", ENDLESS),
        wrong("answers above are not counted", UNCOUNTED),
        wrong("9/10 of the claim", CLAIM),
        wrong("more answers are neighbours", f"adjacency={adjacency} -> adjacency={wider}"),
        wrong("the noisy answer is released", f"{above} -> {noisy}"),
        wrong("the answer is released", f"{above} -> {above.replace('True', 'x')}"),
        right("above instead of at least", ">= threshold -> > threshold"),
        right("below instead of above", REVERSED)
        if adjacency == "ALL"
        else right("no answer but the first above", "count >= N -> count >= 1"),
    )


def refreshed() -> list[Variant]:
    """Mutants of the technique that draws new noise for the threshold."""
    first, again = (
        "    threshold = T + laplace(2 * N / epsilon)\n    count",
        "            threshold = T + laplace(2 * N / epsilon)",
    )
    return of(
        "sparse_vector_refreshed",
        wrong("less noise at first", f"{first} ->     threshold = T + laplace(2 / epsilon)\n    count"),
        wrong("less noise later", f"{again} ->             threshold = T + laplace(2 / epsilon)"),
        wrong("no noise later", f"{again} ->             threshold = T"),
        wrong(
            "new noise after each answer",
            "yield False -> yield False\n            threshold = T + laplace(2 * N / epsilon)",
        ),
        wrong("half the noise on answers", "laplace(4 * N / epsilon) -> laplace(2 * N / epsilon)"),
        wrong("noise does not grow with N", "laplace(4 * N / epsilon) -> laplace(4 / epsilon)"),
        wrong("N + 1 answers above", MORE),
        wrong("no limit", ENDLESS),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        right("the noise is kept", f"{again}\n -> "),
        right("above instead of at least", ">= threshold -> > threshold"),
    )


def charged_more() -> list[Variant]:
    """Mutants of Lee and Clifton's, which is right for a greater epsilon."""
    return [
        *of(
            "lee_clifton",
            wrong("9/10 of the claim", "(1 + 6*N)/4*epsilon -> (1 + 6*N)/4*9/10*epsilon"),
            wrong("one answer free", "(1 + 6*N)/4*epsilon -> (1 + 5*N)/4*epsilon"),
            wrong("the claim for monotone answers", "(1 + 6*N)/4*epsilon -> (1 + 3*N)/4*epsilon"),
            wrong("half the noise on the threshold", "laplace(4 / epsilon) -> laplace(2 / epsilon)"),
            wrong("half the noise on answers", "laplace(4 / (3 * epsilon)) -> laplace(2 / (3 * epsilon))"),
            wrong("N + 1 answers above", MORE),
            wrong("no limit", ENDLESS),
            wrong("answers may change by 2", WIDER),
            right("more noise on answers", "laplace(4 / (3 * epsilon)) -> laplace(4 / epsilon)"),
            claim=1,
        ),
        *of(
            "lee_clifton",
            wrong("answers may change by 2", "adjacency=MONO -> adjacency=each(two_apart)"),
            wrong("9/10 of the claim", "(1 + 3*N)/4*epsilon -> (1 + 3*N)/4*9/10*epsilon"),
            wrong("N + 1 answers above", MORE),
            claim=2,
        ),
        *of(
            "lee_clifton",
            wrong("all answers in all directions", "adjacency=MONO -> adjacency=ALL"),
            wrong("two answers above", '"N": 1 -> "N": 2'),
            claim=3,
        ),
    ]


def numeric() -> list[Variant]:
    """Mutants of the technique that releases fresh noisy answers."""
    fresh = "            yield x + laplace(3 * N / epsilon)"
    test = "        if x + laplace(6 * N / epsilon) >= threshold:"
    return of(
        "numeric_sparse_vector",
        wrong("half the noise on the threshold", "laplace(3 / epsilon) -> laplace(3 / (2 * epsilon))"),
        wrong("half the noise on answers", "laplace(6 * N / epsilon) -> laplace(3 * N / epsilon)"),
        wrong("two thirds of the fresh noise", "yield x + laplace(3 * N -> yield x + laplace(2 * N"),
        wrong("fresh noise does not grow with N", "yield x + laplace(3 * N -> yield x + laplace(3"),
        wrong("no fresh noise", f"{fresh} ->             yield x"),
        wrong(
            "the noisy instead of the fresh answer",
            f"{test} ->         noisy = x + laplace(6 * N / epsilon)\n        if noisy >= threshold:",
            f"{fresh} ->             yield noisy",
        ),
        wrong("N + 1 answers above", MORE),
        wrong("no limit", ENDLESS),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        wrong("two fresh answers", f"{fresh} -> {fresh}\n{fresh}"),
        wrong("a fresh answer is released of one below, too", "yield False -> yield x + laplace(3 * N / epsilon)"),
        wrong("no noise on the threshold", "T + laplace(3 / epsilon) -> T"),
    )


def gaps() -> list[Variant]:
    """Mutants of the technique that releases gaps."""
    gap = "yield noisy - threshold"
    return of(
        "gap_sparse_vector",
        wrong("half the noise on the threshold", "laplace(2 / epsilon) -> laplace(1 / epsilon)"),
        wrong("half the noise on answers", "laplace(4 * N / epsilon) -> laplace(2 * N / epsilon)"),
        wrong("9/10 of the noise on answers", "laplace(4 * N / epsilon) -> laplace(18 * N / (5 * epsilon))"),
        wrong("the noisy answer instead of the gap", f"{gap} -> yield noisy"),
        wrong("the gap of the answer itself", f"{gap} -> yield x - threshold"),
        wrong("the noisy answer, too", f"{gap} -> yield noisy - threshold, noisy"),
        wrong("the gap of answers below, too", "yield False -> yield noisy - threshold"),
        wrong("N + 1 answers above", MORE),
        wrong("no limit", ENDLESS),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        right("twice the gap", f"{gap} -> yield 2 * (noisy - threshold)"),
    )


def adaptive() -> list[Variant]:
    """Mutants of the technique that spends less on answers far above."""
    return of(
        "adaptive_sparse_vector",
        wrong("an answer far above costs nothing", "            spent += 1\n -> "),
        wrong("an answer above costs half", "spent += 2 -> spent += 1"),
        wrong("less is spent on the threshold", "spent = 2 * N -> spent = N"),
        wrong("one more", "4 * N - 2 -> 4 * N - 1"),
        wrong("half the noise on the threshold", "laplace(2 / epsilon) -> laplace(1 / epsilon)"),
        wrong("half the rough noise", "laplace(8 * N / epsilon) -> laplace(4 * N / epsilon)"),
        wrong("half the fine noise", "laplace(4 * N / epsilon) -> laplace(2 * N / epsilon)"),
        wrong("the noisy answer instead of the gap", '"far above", rough -> "far above", rough + threshold'),
        wrong("no end", "        if spent > 4 * N - 2:\n            break\n -> "),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        wrong("the rough gap with the fine one", '"above", fine -> "above", fine, rough'),
    )


SPARSE_VECTOR = [
    *bits("sparse_vector", "laplace", "ALL", 4),
    *bits("discrete_sparse_vector", "discrete_laplace", "ALL", 4),
    *bits("sparse_vector_monotone", "laplace", "MONO", 2),
    *refreshed(),
    *charged_more(),
    *numeric(),
    *gaps(),
    *adaptive(),
]
