"""A repaired version of every program of the library that is wrong: it must be proved."""

from tests.programs.mutants.editing import of, right

PLACE = (
    "best = None\n    for x in q -> best, place = None, None\n    for i, x in enumerate(q)",
    "best = noisy\n -> best, place = noisy, i\n",
    "return best -> return place",
)
LIMITED = ("T): -> T, N):", "    for x in q: ->     count = 0\n    for x in q:")
STOPS = "            count += 1\n            if count >= N:\n                break\n"
ANSWERS = f":\n            yield True\n{STOPS}        else:\n            yield False"
SMART = ("smart_sum", "smart_sum_shadowdp", "smart_sum_checkdp")
TWICE = tuple(
    f"{sum_of} + x + laplace(1 / epsilon) -> {sum_of} + x + laplace(2 / epsilon)".replace("+= + ", "+= ")
    for sum_of in ("block", "released +=")
)

REPAIRS = [
    *of("wishart_noise", right("noise on either side", "exponential(3 / epsilon) -> laplace(1 / epsilon)")),
    *of("sum_beside_exact_size", right("noise on the size", "q[1] -> q[1] + laplace(1 / epsilon)")),
    *of("discrete_noisy_max_value", right("the place is released", *PLACE)),
    *of("noisy_max_value", right("the place is released", *PLACE)),
    *of("noisy_max_exponential_value", right("the place is released", *PLACE)),
    *of(
        "noisy_max_exponential",
        right("charged as what has no more than its epsilon", "epsilon**2/8 -> epsilon**2/2"),
        claim=1,
    ),
    *of("noisy_histogram_scale_epsilon", right("more noise", "laplace(epsilon) -> laplace(1 / epsilon)")),
    *of(
        "randomised_response_linear",
        right("more lies", "bernoulli((1 - epsilon) / 2) -> bernoulli(1 / (1 + exp(epsilon)))"),
    ),
    *of(
        "exponential_mechanism_monotone", right("half the weight", "exp(epsilon * x) -> exp(epsilon * x / 2)"), claim=1
    ),
    *of("sparse_vector_monotone", right("more noise", "laplace(2 * N / epsilon) -> laplace(4 * N / epsilon)"), claim=1),
    *of(
        "lee_clifton",
        right("noise that grows with N", "laplace(4 / (3 * epsilon)) -> laplace(8 * N / (3 * epsilon))"),
    ),
    *of(
        "stoddard",
        right(
            "noise on the answers, and a limit",
            *LIMITED,
            f"yield x >= threshold -> if x + laplace(4 * N / epsilon) >= threshold{ANSWERS}",
        ),
    ),
    *of(
        "chen",
        right(
            "a limit, and more noise",
            *LIMITED,
            f"yield x + laplace(2 / epsilon) >= threshold -> if x + laplace(4 * N / epsilon) >= threshold{ANSWERS}",
        ),
    ),
    *of("bad_gap_sparse_vector", right("the gap is released", "yield noisy -> yield noisy - threshold")),
    *of(
        "roth",
        right(
            "the gap is released, and more noise",
            "yield noisy -> yield noisy - threshold",
            "laplace(2 * N / epsilon) -> laplace(4 * N / epsilon)",
        ),
    ),
    *of("partial_sum", right("one answer changes", "adjacency=ALL -> adjacency=ONE"), claim=2),
    *of("bad_partial_sum", right("more noise", "laplace(1 / (2 * epsilon)) -> laplace(1 / epsilon)")),
    *of("prefix_sum", right("one answer changes", "adjacency=ALL -> adjacency=ONE"), claim=2),
    *(one for function in SMART for one in of(function, right("more noise", *TWICE), claim=1)),
    *of(
        "bad_smart_sum",
        right("noise on the blocks", "released = block + x -> released = block + x + laplace(1 / epsilon)"),
    ),
    *of("gaussian_mechanism", right("Laplace noise", "gaussian(sigma) -> laplace(sigma)")),
    *of("gaussian_mechanism", right("Laplace noise", "gaussian(sigma) -> laplace(sigma)"), claim=1),
    *of(
        "gaussian_sparse_vector",
        right(
            "Laplace noise, and twice as much",
            "gaussian(sigma) -> laplace(2 * sigma)",
            "gaussian(2 * sigma) -> laplace(4 * sigma)",
        ),
    ),
]
