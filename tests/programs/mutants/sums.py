"""Mutants of the programs that add up, and of those that answer each element by itself."""

from tests.programs.mutants.editing import Variant, of, right, wrong
from tests.programs.mutants.selection import CLAIM

TWO_CHANGE = "adjacency=ONE -> adjacency=each(ONE, changed=2)"
BY_TWO = "adjacency=ONE -> adjacency=each(two_apart, changed=1)"
ALL_CHANGE = "adjacency=ONE -> adjacency=ALL"


def smart_sum(function: str) -> list[Variant]:
    """Mutants of a sum of prefixes in blocks."""
    block, single = "block + x + laplace(1 / epsilon)", "released += x + laplace(1 / epsilon)"
    return of(
        function,
        wrong("9/10 of the claim", 'epsilon="2*epsilon" -> epsilon="9/5*epsilon"'),
        wrong("half the noise on blocks", f"{block} -> block + x + laplace(1 / (2 * epsilon))"),
        wrong("half the noise on answers", f"{single} -> released += x + laplace(1 / (2 * epsilon))"),
        wrong("no noise on blocks", f"{block} -> block + x"),
        wrong("no noise on answers", f"{single} -> released += x"),
        wrong("all answers change", ALL_CHANGE),
        wrong("two answers change", TWO_CHANGE),
        wrong("an answer changes by 2", BY_TWO),
        wrong("blocks are never forgotten", "            block = 0\n -> "),
        wrong("answers are doubled", f"{single} -> released += 2 * x + laplace(1 / epsilon)"),
        right("blocks begin one later", "(i + 1) % M -> i % M"),
        right("blocks end after T", "(i + 1) % M == 0 -> i >= T and (i + 1) % M == 0"),
    )


def additive(function: str, value: str, family: str, adjacency: str) -> list[Variant]:
    """Mutants of one answer with noise, its scale 1/epsilon."""
    draw = f"{family}(1 / epsilon)"
    wider = f"adjacency={adjacency} -> adjacency=each(two_apart" + (")" if adjacency == "ALL" else ", changed=1)")
    return of(
        function,
        wrong("half the noise", f"{draw} -> {family}(1 / (2 * epsilon))"),
        wrong("9/10 of the noise", f"{draw} -> {family}(9 / (10 * epsilon))"),
        wrong("noise that does not grow", f"{draw} -> {family}(1)"),
        wrong("9/10 of the claim", CLAIM),
        wrong("a change by 2", wider),
        wrong("the answer doubled", f"{value} + {draw} -> 2 * {value} + {draw}"),
        wrong("noise of one sign", f"{value} + {draw} -> {value} + abs({draw})"),
        right("the noise taken away", f"{value} + {draw} -> {value} - {draw}"),
        right("half the answer", f"{value} + {draw} -> {value} / 2 + {draw}")
        if family == "laplace"
        else right("the answer negated", f"{value} + {draw} -> {draw} - {value}"),
    )


def histogram(function: str, family: str, adjacency: str, claim: int = 0) -> list[Variant]:
    """Mutants of a list of answers, each with noise of its own, its scale 1/epsilon."""
    draw = f"{family}(1 / epsilon)"
    return of(
        function,
        wrong("half the noise", f"{draw} -> {family}(1 / (2 * epsilon))"),
        wrong("9/10 of the noise", f"{draw} -> {family}(9 / (10 * epsilon))"),
        wrong("9/10 of the claim", CLAIM),
        wrong("all answers change", f"adjacency={adjacency} -> adjacency={'MONO' if adjacency == 'L1' else 'ALL'}"),
        wrong(
            "a change by 2", f"adjacency={adjacency} -> adjacency=each(ALL, total=2)" if adjacency == "L1" else BY_TWO
        ),
        wrong("the answers doubled", f"x + {draw} -> 2 * x + {draw}"),
        wrong("one noise for all", f"    return [x + {draw} ->     noise = {draw}\n    return [x + noise"),
        right("half as much noise, half the answers", f"x + {draw} -> x / 2 + {family}(1 / (2 * epsilon))")
        if family == "laplace"
        else right("the noise taken away", f"x + {draw} -> x - {draw}"),
        claim=claim,
    )


def totals() -> list[Variant]:
    """Mutants of the sum of all answers."""
    twice = "    return total + laplace ->     first = total + laplace(1 / epsilon)\n    return first, total + laplace"
    return [
        *additive("partial_sum", "total", "laplace", "ONE"),
        *of(
            "partial_sum",
            wrong("all answers change", ALL_CHANGE),
            wrong("two answers change", TWO_CHANGE),
            wrong("the sum twice", twice),
            wrong("the first answer twice", "total += x -> total += x\n        if total == x:\n            total += x"),
            wrong("answers above 0 are doubled", "total += x -> total += max(x, 2 * x)"),
        ),
        *of(
            "partial_sum",
            wrong("changes of 2 together", "adjacency=L1 -> adjacency=each(ALL, total=2)"),
            wrong("changes of 1 in the sum of squares", "adjacency=L1 -> adjacency=L2"),
            claim=1,
        ),
        *of(
            "sum_beside_noisy_size",
            wrong("half the noise on the sum", "q[0] + laplace(1 / epsilon) -> q[0] + laplace(1 / (2 * epsilon))"),
            wrong("half the noise on the size", "q[1] + laplace(1 / epsilon) -> q[1] + laplace(1 / (2 * epsilon))"),
            wrong("9/10 of the claim", CLAIM),
            wrong("no noise on the sum", "q[0] + laplace(1 / epsilon) -> q[0]"),
            wrong("each changes by 1", "adjacency=L1 -> adjacency=ALL"),
            wrong("the sum doubled", "return q[0] -> return 2 * q[0]"),
            right("twice the noise on the size", "q[1] + laplace(1 / epsilon) -> q[1] + laplace(2 / epsilon)"),
        ),
        *of(
            "bounded_sum",
            wrong("two answers change", "changed=1 -> changed=2"),
            wrong("answers change by 2", "each(within_one -> each(two_apart_within_one"),
            wrong("half the noise", "laplace(1 / epsilon) -> laplace(1 / (2 * epsilon))"),
            wrong("9/10 of the claim", CLAIM),
            wrong("the sum doubled", "sum(q) -> 2 * sum(q)"),
            wrong("the sum is released, too", "return sum(q) -> return sum(q), sum(q)"),
            right("half the sum", "sum(q) -> sum(q) / 2"),
        ),
    ]


def prefixes() -> list[Variant]:
    """Mutants of the sums of all prefixes."""
    draw, loop = "laplace(1 / epsilon)", "    for x in q:"
    return of(
        "prefix_sum",
        wrong("all answers change", ALL_CHANGE),
        wrong("two answers change", TWO_CHANGE),
        wrong("an answer changes by 2", BY_TWO),
        wrong("half the noise", f"{draw} -> laplace(1 / (2 * epsilon))"),
        wrong("9/10 of the claim", CLAIM),
        wrong(
            "one noise for all",
            f"{loop} ->     noise = {draw}\n{loop}",
            f"released += x + {draw} -> released += x + noise",
        ),
        wrong("an answer is added twice", "yield released -> yield released + x"),
        wrong("answers are doubled", "released += x -> released += 2 * x"),
        wrong(
            "noise is not kept",
            f"released += x + {draw} -> released += x",
            f"yield released -> yield released + {draw}",
        ),
        wrong(
            "the first answer without noise",
            f"released += x + {draw} -> noise = {draw}\n        if released == 0:\n"
            "            released = x\n        else:\n            released += x + noise",
        ),
        right("each answer by itself", "released += x -> released = x"),
    )


SUMS = [
    *totals(),
    *prefixes(),
    *smart_sum("smart_sum"),
    *smart_sum("smart_sum_shadowdp"),
    *smart_sum("smart_sum_checkdp"),
    *additive("geometric_mechanism", "x", "discrete_laplace", "ALL"),
    *additive("laplace_mechanism", "x", "laplace", "ALL"),
    *additive("noisy_histogram_first", "q[0]", "laplace", "ALL"),
    *of(
        "noisy_histogram_first",
        wrong("two answers added up", "q[0] + laplace -> q[0] + q[1] + laplace", "n >= 1 -> n >= 2"),
        wrong(
            "two answers with one noise",
            "return q[0] + laplace(1 / epsilon) -> noise = laplace(1 / epsilon)\n    return q[0] + noise, q[1] + noise",
            "n >= 1 -> n >= 2",
        ),
    ),
    *histogram("noisy_histogram", "laplace", "ONE"),
    *histogram("noisy_histogram", "laplace", "L1", 1),
    *histogram("discrete_histogram", "discrete_laplace", "L1"),
    *of(
        "noisy_histogram_scale_epsilon",
        wrong("also for less epsilon", "epsilon >= 1 -> epsilon >= 99/100"),
        wrong("for every epsilon", ', where="epsilon >= 1" -> '),
        wrong("half the noise", "laplace(epsilon) -> laplace(epsilon / 2)"),
        wrong("all answers change", "adjacency=L1 -> adjacency=ALL"),
        wrong("the answers doubled", "[x + -> [2 * x +"),
        right("only for more epsilon", "epsilon >= 1 -> epsilon >= 2"),
        claim=1,
    ),
    *of(
        "noisy_histogram_scale_epsilon",
        wrong("9/10 of the claim", 'epsilon="1/epsilon" -> epsilon="9/(10*epsilon)"'),
        wrong("another claim", 'epsilon="1/epsilon" -> epsilon="1"'),
        claim=2,
    ),
    *of(
        "laplace_parallel",
        wrong("half the noise", "laplace(k / epsilon) -> laplace(k / (2 * epsilon))"),
        wrong("noise that does not grow", "laplace(k / epsilon) -> laplace(1 / epsilon)"),
        wrong("9/10 of the claim", CLAIM),
        wrong("one answer more", "range(k) -> range(k + 1)"),
        wrong("a change by 2", "adjacency=ALL -> adjacency=each(two_apart)"),
        wrong("the answer doubled", "yield x -> yield 2 * x"),
        right("one answer less", "range(k) -> range(k - 1)"),
        right(
            "one noise for all",
            "    for _ ->     noise = laplace(k / epsilon)\n    for _",
            "yield x + laplace(k / epsilon) -> yield x + noise",
        ),
    ),
]
