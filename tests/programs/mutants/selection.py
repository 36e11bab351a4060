"""Mutants of the programs that select an answer."""

from tests.programs.mutants.editing import Variant, of, right, wrong

CLAIM = 'epsilon="epsilon" -> epsilon="9/10*epsilon"'
WIDER = "adjacency=ALL -> adjacency=each(two_apart)"
LOOP = "    for i, x in enumerate(q):"


def noisy_max(function: str, family: str) -> list[Variant]:
    """Mutants of a noisy maximum whose place is released."""
    draw = f"{family}(2 / epsilon)"
    return of(
        function,
        wrong("half the noise", f"{draw} -> {family}(1 / epsilon)"),
        wrong("9/10 of the noise", f"{draw} -> {family}(9 / (5 * epsilon))"),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        wrong("answers are doubled", f"x + {draw} -> 2 * x + {draw}"),
        wrong("the value is released, too", "return place -> return place, best"),
        wrong("the value is released", "return place -> return best"),
        wrong("one noise for all", f"{LOOP} ->     noise = {draw}\n{LOOP}", f"x + {draw} -> x + noise"),
        wrong("no noise on the first answer", f"x + {draw} -> x + {draw}\n        if i == 0:\n            noisy = x"),
        wrong(
            "no noise from the sixth answer on", f"x + {draw} -> x + {draw}\n        if i >= 5:\n            noisy = x"
        ),
        right("of equal ones the last", "noisy > best -> noisy >= best"),
    )


SELECTION = [
    *noisy_max("noisy_max", "laplace"),
    *noisy_max("noisy_max_exponential", "exponential"),
    *noisy_max("discrete_noisy_max", "discrete_laplace"),
    *of(
        "noisy_max",
        right("the least instead of the greatest", "noisy > best -> noisy < best"),
    ),
    *of(
        "noisy_max",
        wrong("9/10 of the claim", 'epsilon="epsilon/2" -> epsilon="9/20*epsilon"'),
        wrong("answers move in all directions", "adjacency=MONO -> adjacency=ALL"),
        wrong("half the noise", "laplace(2 / epsilon) -> laplace(1 / epsilon)"),
        wrong("the value is released", "return place -> return best"),
        wrong(
            "every second answer is negated",
            "        noisy = x + ->         if i % 2 == 0:\n            x = -x\n        noisy = x +",
        ),
        claim=1,
    ),
    *of(
        "noisy_max_exponential",
        wrong("the least instead of the greatest", "noisy > best -> noisy < best"),
        wrong("noise is taken away", "x + exponential -> x - exponential"),
    ),
    *of(
        "noisy_max_with_gap",
        wrong("half the noise", "laplace(2 / epsilon) -> laplace(1 / epsilon)"),
        wrong("9/10 of the noise", "laplace(2 / epsilon) -> laplace(9 / (5 * epsilon))"),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        wrong("the value instead of the gap", "place, best - second -> place, best"),
        wrong("the second value instead of the gap", "place, best - second -> place, second"),
        wrong("the sum instead of the gap", "place, best - second -> place, best + second"),
        wrong("the gap to the best before", "elif second is None or noisy > second -> elif second is None"),
        wrong("the gap and the second value", "place, best - second -> place, best - second, second"),
        right("half the gap", "place, best - second -> place, (best - second) / 2"),
    ),
    *of(
        "exponential_mechanism",
        wrong("twice the weight", "epsilon * x / 2 -> epsilon * x"),
        wrong("10/9 of the weight", "epsilon * x / 2 -> 5 * epsilon * x / 9"),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers may change by 2", WIDER),
        wrong("two choices", "return choice(weights) -> first = choice(weights)\n    return first, choice(weights)"),
        wrong("answers above 0 are doubled", "epsilon * x / 2 -> epsilon * max(x, 2 * x) / 2"),
        right(
            "every answer twice",
            "        weights.append ->         weights.append(exp(epsilon * x / 2))\n        weights.append",
        ),
    ),
    *of(
        "exponential_mechanism_monotone",
        wrong("10/9 of the weight", "exp(epsilon * x) -> exp(10 * epsilon * x / 9)"),
        wrong("9/10 of the claim", CLAIM),
        wrong("answers move in all directions", "adjacency=MONO -> adjacency=ALL"),
        wrong("answers may change by 2", "adjacency=MONO -> adjacency=each(two_apart)"),
        wrong("two choices", "return choice(weights) -> first = choice(weights)\n    return first, choice(weights)"),
        wrong(
            "answers and their opposites",
            "        weights.append ->         weights.append(exp(-epsilon * x))\n        weights.append",
        ),
    ),
]
