"""`python -m tests.forging.rounds [COUNT [SEED]]`: forges certificates of accounts of rounds.

The forger changes what is known of rounds, the neighbours, epsilon, delta, the engine and its evidence, empties lists
and removes parts, and writes what makes the rest fit.  What is accepted must be true: delta is worked out here in
floats, from below, from the conclusion alone, for noise on a grid moved as far as it may be, for selections by scores
that move so far, and for responses and laws that are within the bounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, exp, log, sqrt
from random import Random
from typing import Any

import refdp
from refdp.accounting.evidence import evidence_for
from refdp.accounting.rounds import Rounds
from refdp.kernel import rules
from refdp.kernel.certificate import certificate
from refdp.kernel.judgements import KernelError
from refdp.numerics.arithmetic import Intervals
from refdp.numerics.exact import enclose
from refdp.spec.registry import kind_of
from refdp.terms.reading import read
from refdp.terms.term import Term, apply
from tests.forging import accounts
from tests.forging.accounts import LAWS, REACH, UNIT, WIDE, added, data_of, other_evidence, other_loss

TABLES, LOCAL = ("table(rows)", "symmetric"), ("finite(2)", "discrete")
REPLACED = ("table(rows)", "change_one")
NOISE = "chain(l1(1), discrete_laplace(2, 1))"
ASKED: tuple[tuple[tuple[str, str], Sequence[str], str], ...] = (
    (TABLES, [f"repeated({NOISE}, 3)"], "1"),
    (TABLES, [f"repeated(poisson_sampled(1/2, {NOISE}), 2)", "pure(1/3)"], "1/2"),
    (LOCAL, ["repeated(pure(ln(3)), 2)", "approximate(1/2, 1/50)"], "3/2"),
    (REPLACED, [f"poisson_sampled(1/3, {NOISE})", "chain(l1(2), discrete_gaussian(3, 1))"], "1/2"),
    (TABLES, ["chain(l1(1), discrete_gaussian(2, 1))", "poisson_sampled(1/4, pure(1))"], "1"),
    (TABLES, ["repeated(concentrated(1/8), 2)", NOISE], "1"),
    (REPLACED, ["all_of(renyi(2, 1/9), renyi(8, 1/2))", "pure(1/3)"], "1"),
    (LOCAL, ["repeated(chain(linf(1), exponential(4)), 3)", "bounded_range(1/3)"], "1/2"),
    (TABLES, ["repeated(chain(linf(1), permute_and_flip(3)), 3)"], "1/2"),
    (
        LOCAL,
        ["all_of(approximate(1/2, 1/9), approximate(1, 1/99), approximate(2, 0))", "chain(l1(1), laplace(3))"],
        "3/2",
    ),
    (TABLES, ["repeated(dominated_in_order(tuple_of(1/2, 1/2), tuple_of(1/8, 7/8)), 2)"], "1"),
    (LOCAL, ["dominated_by(tuple_of(1/4, 3/4), tuple_of(3/4, 1/4))", "pure(1/9)"], "1/2"),
    (TABLES, [f"cyclic_poisson_sampled(1/2, 3, 7, {NOISE})"], "1/2"),
)
"""Domain and metric, rounds, epsilon."""
CIRCLE = {"both order": "6", "both size": "61", "both count": "30", "both bits": "160"}
ROUNDS = (
    "pure(0)", "pure(1/9)", "pure(ln(2))", "approximate(1/9, 1/1000)", "gaussian(1/100)", "concentrated(1/8)",
    "pure(-1)", "chain(l1(1), discrete_laplace(9, 1))", "chain(l1(1/2), discrete_laplace(2, 1))",
    "chain(l2(1), laplace(9))", "poisson_sampled(1/9, pure(1))", "poisson_sampled(0, pure(9))",
    "poisson_sampled(1, pure(1/9))", "repeated(pure(1/9), 2)", "repeated(pure(1), 0)",
    "fixed_size_sampled(1, pure(1))", "rounds(pure(1/9))", "renyi(1, 0)", "renyi(2, 1/99)", "all_of()",
    "all_of(renyi(2, 1/9), renyi(3/2, 1/99))", "all_of(approximate(1/9, 0), approximate(0, 1/9))", "bounded_range(1/9)",
    "all_of(renyi(2, 1/9), approximate(0, 1/9))", "bounded_range(-1)", "poisson_sampled(1/9, concentrated(1))",
    "poisson_sampled(1/9, bounded_range(2))", "chain(linf(1), exponential(9))", "chain(monotone(1), exponential(4))",
    "chain(monotone(1), permute_and_flip(3))", "chain(linf(1/2), laplace_noisy_max(9))",
    "dominated_by(tuple_of(1/2, 1/2), tuple_of(1/8, 7/8))", "dominated_by(tuple_of(1/2, 1/2), tuple_of(1/2))",
    "dominated_in_order(tuple_of(1/8, 7/8), tuple_of(1/2, 1/2))", "cyclic_poisson_sampled(1/2, 9, 2, pure(1))",
    "repeated(cyclic_poisson_sampled(1/9, 3, 4, chain(l1(1), discrete_laplace(2, 1))), 2)",
)  # fmt: skip


def genuine() -> list[dict[str, Any]]:
    """The certificates of the accounts above, at hardly more than their delta."""
    found = [*on_circles(), *at_zero()]
    for (domain, near), said, epsilon in ASKED:
        about = Rounds(domain, near, tuple(map(read, said)))
        none, shown = 0, (999, evidence_for(about.pairs(), Fraction(epsilon), Fraction(999, 1000), 1.0))
        while shown[0] > none + 1:  # thousandths
            middle = (none + shown[0]) // 2
            less = evidence_for(about.pairs(), Fraction(epsilon), Fraction(middle, 1000), 1.0)
            none, shown = (middle, shown) if less is None else (none, (middle, less))
        delta, evidence = shown
        if evidence is None:
            raise ValueError(f"{said} are not shown at {epsilon}")
        found.append(certificate(rules.account_rounds(
            domain=domain, near=near, d_in="1", rounds=said, epsilon=epsilon, delta=Fraction(delta, 1000),
            engine=evidence.engine, evidence=evidence.numbers,
        ), ""))  # fmt: skip
    return found


def at_zero() -> Iterator[dict[str, Any]]:
    """Accounts of bounded losses at a delta of 0, at hardly more than their epsilon."""
    for (domain, near), said, epsilon in (
        (LOCAL, ["repeated(pure(ln(3)), 2)", "bounded_range(1/3)"], "2531/1000"),
        (TABLES, ["poisson_sampled(1/2, chain(l1(1), discrete_laplace(2, 1)))", "chain(linf(1), exponential(4))"],
         "781/1000"),
    ):  # fmt: skip
        about = Rounds(domain, near, tuple(map(read, said)))
        shown = evidence_for(about.pairs(), Fraction(epsilon), Fraction(0), 1.0)
        if shown is None:
            raise ValueError(f"{said} are not shown at {epsilon}")
        yield certificate(rules.account_rounds(
            domain=domain, near=near, d_in="1", rounds=said, epsilon=epsilon, delta="0", engine=shown.engine,
            evidence=shown.numbers,
        ), "")  # fmt: skip


def on_circles() -> Iterator[dict[str, Any]]:
    """The first and the third account again, by sums around a circle, which are asked for where a lattice is wide."""
    for (domain, near), said, epsilon in (ASKED[0], (LOCAL, ["repeated(pure(ln(3)), 3)"], "3/2")):
        for thousandths in range(1, 1000):
            with suppress(KernelError):
                yield certificate(rules.account_rounds(
                    domain=domain, near=near, d_in="1", rounds=said, epsilon=epsilon,
                    delta=Fraction(thousandths, 1000), engine="periodic contour", evidence=CIRCLE,
                ), "")  # fmt: skip
                break


def other_round(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Another round, one less, one twice, or all of another certificate."""
    data, which = data_of(content), random.randrange(5)
    place = random.randrange(len(data["rounds"]))
    if which == 0:
        data["rounds"].pop(place)
    elif which == 1:
        data["rounds"] = data["rounds"] * random.choice((0, 2))
    elif which == 2:
        data["rounds"] = data_of(donor)["rounds"]
    else:
        data["rounds"][place] = random.choice(ROUNDS)
    return f"rounds become {data['rounds']}"


def other_inputs(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Another domain, metric or distance, or one of these left out; or another conclusion."""
    data, key = data_of(content), random.choice(("domain", "near", "d_in", "gone", "conclusion", "trusts"))
    if key == "gone":
        return f"without {data.popitem()[0]}"
    if key in ("conclusion", "trusts"):
        content[key] = donor[key]
    else:
        data[key] = random.choice({
            "domain": ("table(rows)", "finite(2)", "sized_table(rows, 2)", "table(n)", "rows"),
            "near": ("symmetric", "change_one", "discrete", "hamming"), "d_in": ("0", "1", "2", "1/2", "-1"),
        }[key])  # fmt: skip
    return f"{key} is another"


WAYS = (other_loss, other_loss, other_round, other_round, other_evidence, other_evidence, other_inputs)


def is_true(conclusion: str) -> tuple[bool, str]:
    """Whether a conclusion about rounds is true, as far as a delta from below tells."""
    said = read(conclusion)
    subject, inputs, near, far, *given = said.arguments
    if given or subject.operator != "rounds" or far.operator != "approximate":
        return False, "it is of another form"
    if near.arguments[0].rational < 1:
        return True, "no two inputs are so near, but equal ones"
    epsilon, delta = (float(one.rational) for one in far.arguments)
    for side in (1, -1):
        losses = {0: 1.0}
        for one in subject.arguments:
            times, run = (int(one.arguments[1].rational), one.arguments[0]) if one.operator == "repeated" else (1, one)
            if run.operator == "cyclic_poisson_sampled":
                rate, parts, steps, known = run.arguments
                times, run = times * ceil(steps.rational / parts.rational), apply("poisson_sampled", rate, known)
            for _ in range(times):
                losses = added(losses, losses_of(run, side, inputs, near.operator == "change_one"))
        least = sum(mass * max(0.0, 1 - exp(epsilon - loss / UNIT)) for loss, mass in losses.items())
        if least > delta * (1 + 1e-9) + 1e-12:
            return False, f"delta is at least {least:.9g}"
    return True, "rounds"


def losses_of(run: Term, side: int, inputs: Term, replaced: bool) -> dict[int, float]:
    """The law of the loss of a round, in units, rounded down; on samples of a fixed size that of one attained."""
    rate, moved_back = 1.0, False
    if run.operator == "fixed_size_sampled":
        rate, run = float(run.arguments[0].rational / inputs.arguments[1].rational), run.arguments[1]
    if run.operator == "poisson_sampled":
        rate, run, moved_back = float(run.arguments[0].rational), run.arguments[1], replaced
    there, back, here = laws_of(run)
    found: dict[int, float] = {}
    for k in range(-REACH, REACH + 1):
        with_row = rate * there(k) + (1 - rate) * here(k)
        other = rate * back(k) + (1 - rate) * here(k) if moved_back else here(k)
        p, q = (with_row, other) if side == 1 else (other, with_row)
        if p > 0:
            place = int(log(p / q) * UNIT // 1) if q > 0 else 10**9
            found[place] = found.get(place, 0.0) + p * (1 - 1e-12)
    return found


Law = Callable[[int], float]


def laws_of(run: Term) -> tuple[Law, Law, Law]:
    """Masses where the answer is moved up, down, and not at all; of a loss those of responses, beside one another."""
    match run.operator, run.arguments:
        case "chain", (Term("linf" | "monotone" as norm, (far,)), selection):
            moved = [[far.rational, 0 if norm == "monotone" else -far.rational], [0, 0]]
            laws = [kind_of(selection.operator).law(selection, list(map(Fraction, at)), Intervals()) for at in moved]
            one, other = ({int(y): float(p.lower) for y, p in law.items()} for law in laws)
            return (lambda k: one.get(k, 0.0), lambda k: one.get(1 - k, 0.0), lambda k: other.get(k, 0.0))
        case "chain", (norm, noise):
            scale, step = (float(one.rational) for one in noise.arguments) if len(noise.arguments) == 2 else (0.0, 0.0)
            if step == 0:  # on the reals: from below, as under gaussian
                return (lambda k: float(k == 0),) * 3
            weight, moves = (
                LAWS[noise.operator](scale / step),
                int(norm.arguments[0].rational // noise.arguments[1].rational),
            )
            whole = sum(map(weight, range(-WIDE, WIDE + 1)))
            return tuple(lambda k, m=m: weight(k - m) / whole for m in (moves, -moves, 0))  # type: ignore[return-value]
        case "gaussian", _:  # from below: less than any of its losses
            return (lambda k: float(k == 0),) * 3
        case (("dominated_by" | "dominated_in_order"), (first, second)):
            p, q = (dict(enumerate(float(one.rational) for one in law.arguments)) for law in (first, second))
            alike = sorted(zip(p.values(), q.values(), strict=True)) == sorted(zip(q.values(), p.values(), strict=True))
            if run.operator == "dominated_by" and not alike:  # one order may be all that is so far apart
                return (lambda k: float(k == 0),) * 3
            return (lambda k: p.get(k, 0.0), lambda k: q.get(k, 0.0), lambda k: q.get(k, 0.0))
    t, d = exp(least_epsilon(run)), least_delta(run)
    masses: Mapping[int, float] = {0: d, 1: (1 - d) * t / (1 + t), 2: (1 - d) / (1 + t), 3: 0.0}
    return (lambda k: masses.get(k, 0.0), lambda k: masses.get(3 - k, 0.0), lambda k: masses.get(3 - k, 0.0))


def least_epsilon(run: Term) -> float:
    """Of a response that is within the loss, or within each of several."""
    numbers = [float(enclose(one).lower) for one in run.arguments if run.operator != "all_of"]
    match run.operator:
        case "all_of":
            return min(map(least_epsilon, run.arguments))
        case "concentrated":
            return sqrt(2 * numbers[0]) * (1 - 1e-12)
        case "renyi":
            order, epsilon = numbers
            return max(sqrt(2 * epsilon / order), epsilon) * (1 - 1e-12)
        case "bounded_range":
            return numbers[0] / 2
    return numbers[0]


def least_delta(run: Term) -> float:
    """Of a response that is within the loss, or within each of several."""
    if run.operator == "all_of":
        return min(map(least_delta, run.arguments))
    return float(run.arguments[1].rational) if run.operator == "approximate" else 0.0


def main() -> None:
    """Forge, and say what became of it."""
    times, seed = (int(one) for one in [*sys.argv[1:], *("2000", "2026")[len(sys.argv) - 1 :]])
    found = accounts.campaign(times, seed, print, genuine(), WAYS, is_true)
    print(f"refdp {refdp.__version__}: {sum(found.values())} forged: {dict(found)}")
    raise SystemExit(1 if found["FALSE"] or found["internal errors"] else 0)


if __name__ == "__main__":
    main()
