"""`python -m tests.forging.rounds [COUNT [SEED]]`: forges certificates of accounts of rounds.

The forger changes what is known of rounds, the neighbours, epsilon, delta, the engine and its evidence, empties lists
and removes parts, and writes what makes the rest fit.  What is accepted must be true: delta is worked out here in
floats, from below, from the conclusion alone, for noise on a grid moved as far as it may be and for responses.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import exp, log
from random import Random
from typing import Any

import refdp
from refdp.accounting.evidence import evidence_for
from refdp.accounting.rounds import Rounds
from refdp.kernel import rules
from refdp.kernel.certificate import certificate
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import enclose
from refdp.spec.terms import Term, number, read
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
)
"""Domain and metric, rounds, epsilon."""
CIRCLE = {"both order": "6", "both size": "61", "both count": "30", "both bits": "160"}
ROUNDS = (
    "pure(0)", "pure(1/9)", "pure(ln(2))", "approximate(1/9, 1/1000)", "gaussian(1/100)", "concentrated(1/8)",
    "pure(-1)", "chain(l1(1), discrete_laplace(9, 1))", "chain(l1(1/2), discrete_laplace(2, 1))",
    "chain(l2(1), laplace(9))", "poisson_sampled(1/9, pure(1))", "poisson_sampled(0, pure(9))",
    "poisson_sampled(1, pure(1/9))", "repeated(pure(1/9), 2)", "repeated(pure(1), 0)",
    "fixed_size_sampled(1, pure(1))", "rounds(pure(1/9))",
)  # fmt: skip


def genuine() -> list[dict[str, Any]]:
    """The certificates of the accounts above, at hardly more than their delta."""
    found = list(on_circles())
    for (domain, near), said, epsilon in ASKED:
        about = Rounds(domain, near, tuple(map(read, said)))
        for thousandths in range(1, 1000):
            delta = Fraction(thousandths, 1000)
            if (shown := evidence_for(about.pairs(), Fraction(epsilon), delta, 1.0)) is not None:
                found.append(certificate(rules.account_rounds(
                    domain=domain, near=near, d_in="1", rounds=said, epsilon=epsilon, delta=delta,
                    engine=shown.engine, evidence=shown.numbers,
                ), ""))  # fmt: skip
                break
    return found


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
            for _ in range(int(one.arguments[1].rational) if one.operator == "repeated" else 1):
                run = one.arguments[0] if one.operator == "repeated" else one
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
    if run.operator == "chain":
        norm, noise = run.arguments
        scale, step = (float(one.rational) for one in noise.arguments)
        weight, moves = (
            LAWS[noise.operator](scale / step),
            int(norm.arguments[0].rational // noise.arguments[1].rational),
        )
        whole = sum(map(weight, range(-WIDE, WIDE + 1)))
        return tuple(lambda k, m=m: weight(k - m) / whole for m in (moves, -moves, 0))  # type: ignore[return-value]
    if run.operator == "gaussian":  # from below: less than any of its losses
        return (lambda k: float(k == 0),) * 3
    epsilon, delta = run.arguments[0], run.arguments[1] if len(run.arguments) > 1 else number(0)
    t, d = exp(float(enclose(epsilon).lower)), float(delta.rational)
    masses: Mapping[int, float] = {0: d, 1: (1 - d) * t / (1 + t), 2: (1 - d) / (1 + t), 3: 0.0}
    return (lambda k: masses.get(k, 0.0), lambda k: masses.get(3 - k, 0.0), lambda k: masses.get(3 - k, 0.0))


def main() -> None:
    """Forge, and say what became of it."""
    times, seed = (int(one) for one in [*sys.argv[1:], *("2000", "2026")[len(sys.argv) - 1 :]])
    found = accounts.campaign(times, seed, print, genuine(), WAYS, is_true)
    print(f"refdp {refdp.__version__}: {sum(found.values())} forged: {dict(found)}")
    raise SystemExit(1 if found["FALSE"] or found["internal errors"] else 0)


if __name__ == "__main__":
    main()
