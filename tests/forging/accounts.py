"""`python -m tests.forging.accounts [COUNT [SEED]]`: forges certificates of accounts.

The forger changes noise, rates, counts, epsilon, delta, the engine and its evidence, premises and steps, and writes
what makes the rest fit.  What is accepted must be true: delta is worked out here in floats, from below, from the
conclusion alone, for counts with noise on a grid and for samples of them.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import exp, floor, log, prod
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import refdp
from refdp.accounting.certified import ENCLOSURES
from refdp.accounting.evidence import evidence_for
from refdp.commands.check import replayed_file
from refdp.derivations import theorem
from refdp.kernel import rules
from refdp.kernel.certificate import certificate
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.accounts import part
from refdp.kernel.theorem import RULES, Theorem
from refdp.terms.reading import read
from refdp.terms.term import Term
from refdp.transformations import count
from tests.forging.texts import NOT_THERE

SECONDS = 4.0
UNIT = 300
"""Losses are rounded down to whole parts of 1 / UNIT, so that delta is from below."""
REACH, WIDE = 24, 400
"""Outcomes that are looked at, and those beyond which there is no mass to speak of."""
NOISES = ("discrete_laplace(2, 1)", "discrete_laplace(5, 1)", "discrete_gaussian(3, 1)", "discrete_gaussian(2, 1)")
LAWS: Mapping[str, Callable[[float], Callable[[int], float]]] = {
    "discrete_laplace": lambda s: lambda k: exp(-abs(k) / s),
    "discrete_gaussian": lambda s: lambda k: exp(-(k**2) / (2 * s * s)),
}
Way = Callable[[Random, dict[str, Any], dict[str, Any]], str]
"""Changes a certificate, perhaps by parts of another, and says how."""
Columns = tuple[Sequence[str], Sequence[str], Sequence[str]]
ASKED: tuple[tuple[Columns, str], ...] = (
    (([NOISES[0]], [""], ["3"]), "1"),
    (([NOISES[2]], [""], ["6"]), "2"),
    (([NOISES[2], NOISES[0]], ["", ""], ["2", "1"]), "1"),
    (([NOISES[0]], ["1/2"], ["2"]), "1/2"),
    (([NOISES[3], NOISES[1]], ["1/4", ""], ["2", "2"]), "1"),
    (([NOISES[2]], ["1/10"], ["4"]), "1/4"),
    ((["", NOISES[3]], ["", ""], ["2", "1"]), "3/2"),
    (([""], ["1/3"], ["3"]), "1/2"),
)
"""Noises (where empty: the theorem of a count with discrete Laplace noise), rates and counts; epsilon."""


@cache
def genuine() -> list[dict[str, Any]]:
    """The certificates of the accounts above, at hardly more than their delta; none of them is changed in place."""
    counted, private = theorem(count(), 1), theorem(count() >> refdp.discrete_laplace(2), 1)
    return [certificate(accounted(counted, private, columns, epsilon), "") for columns, epsilon in ASKED]


def accounted(counted: Theorem, private: Theorem, columns: Columns, epsilon: str) -> Theorem:
    """The theorem of an account; the engines are tried in turn."""
    noises, rates, counts = columns
    premises = [counted if noise else private for noise in noises]
    pairs = [part(t.claim, *data)[1] for t, *data in zip(premises, noises, rates, counts, strict=True)]
    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        shown = evidence_for(pairs, Fraction(epsilon), Fraction(middle, 1000), 1.0)
        low, high = (middle, high) if shown is None else (low, middle)
    found = evidence_for(pairs, Fraction(epsilon), Fraction(high, 1000), 1.0)
    if found is None:
        raise ValueError("no engine shows it")
    return rules.account(*premises, noises=noises, rates=rates, counts=counts, epsilon=epsilon,
                         delta=Fraction(high, 1000), engine=found.engine, evidence=found.numbers)  # fmt: skip


def forged(
    random: Random, seeds: Sequence[dict[str, Any]], ways: Sequence[Way] | None = None
) -> tuple[str, dict[str, Any]]:
    """What was changed, and the changed certificate."""
    content, donor = (json.loads(json.dumps(random.choice(seeds))) for _ in range(2))
    said = []
    for _ in range(random.choice((1, 1, 2, 2, 3))):
        try:
            said.append(random.choice(ways or WAYS)(random, content, donor))
        except NOT_THERE:
            said.append("nothing")
    if random.random() < 0.85:
        fit(content)
    return "; ".join(said), content


def data_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The data of the account."""
    found: dict[str, Any] = content["steps"][-1]["data"]
    return found


def fit(content: dict[str, Any]) -> None:
    """Write the conclusion and the trusts that the steps give, where they give any."""
    theorems: list[Theorem] = []
    try:
        for one in content["steps"]:
            theorems.append(RULES[one["rule"]](*(theorems[p] for p in one["premises"]), **one["data"]))
        content["conclusion"], content["trusts"] = str(theorems[-1].claim.term), sorted(theorems[-1].trusts)
    except (KernelError, *NOT_THERE):
        said = data_of(content)
        near, _, _ = content["conclusion"].rpartition(", approximate(")
        content["conclusion"] = f"{near}, approximate({said.get('epsilon')}, {said.get('delta')}))"


def other_loss(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Less epsilon or delta."""
    key = random.choice(("epsilon", "delta"))
    data = data_of(content)
    data[key] = str(
        Fraction(data[key]) * random.choice((Fraction(0), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)))
    )
    return f"{key} becomes {data[key]}"


def other_part(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Another noise, rate or count."""
    data, key = data_of(content), random.choice(("noises", "rates", "counts"))
    place = random.randrange(len(data[key]))
    data[key][place] = random.choice({
        "noises": ("", *NOISES, "laplace(2)", "discrete_gaussian(3, 2)", "coordinatewise(discrete_laplace(2, 1), 1)"),
        "rates": ("", "0", "1", "1/2", "1/100", "-1", "3/2"), "counts": ("1", "2", "3", "10", "0", "1/2", "-1"),
    }[key])  # fmt: skip
    return f"{key} become {data[key]}"


def other_evidence(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Another engine, the evidence of another, numbers changed, removed or added."""
    data, which = data_of(content), random.randrange(7)
    if which == 0:
        data["engine"] = random.choice([*ENCLOSURES, "", "loose", "Arb"])
    elif which == 1:
        data["evidence"] = data_of(donor)["evidence"]
    elif which == 2:
        data["engine"], data["evidence"] = (data_of(donor)[key] for key in ("engine", "evidence"))
    elif which == 3:
        data["evidence"] = {}
    elif which == 4:
        data["evidence"].pop(random.choice(list(data["evidence"])))
    elif which == 5:
        side = random.choice(("both", "remove", "add"))
        data["evidence"][f"{side} {random.choice(('wide', 'bits', 'step'))}"] = random.choice(("1", "2", "100", "1/9"))
    else:
        key = random.choice(list(data["evidence"]))
        number = Fraction(data["evidence"][key]) * Fraction(random.choice((1, 3, 50)), random.choice((1, 2, 7, 60)))
        data["evidence"][key] = str(random.choice((number, max(1, int(number)), -number, 0)))
    return f"evidence, way {which}"


def other_frame(random: Random, content: dict[str, Any], donor: dict[str, Any]) -> str:
    """Steps, premises, lists or keys removed, doubled or taken from another."""
    data, which = data_of(content), random.randrange(8)
    step = content["steps"][-1]
    if which == 0:
        for key in ("noises", "rates", "counts"):
            data[key] = []
        step["premises"] = random.choice(([], step["premises"]))
    elif which == 1:
        key = random.choice(("noises", "rates", "counts"))
        data[key] = data[key] * random.choice((0, 2))
    elif which == 2:
        step["premises"] = step["premises"] * 2
    elif which == 3:
        content["conclusion"] = donor["conclusion"]
    elif which == 4:
        data.pop(random.choice(list(data)))
    elif which == 5:
        step["premises"] = [random.randrange(len(content["steps"]) - 1) for _ in step["premises"]]
    elif which == 6:
        content["trusts"] = random.choice(([], ["Arb"], [f"engine: {random.choice(list(ENCLOSURES))}"]))
    else:
        one = random.choice(content["steps"][:-1])
        for key, value in one["data"].items():
            if isinstance(value, dict) and "d_in" in value:
                one["data"][key] = {**value, "d_in": random.choice(("0", "2", "1/2"))}
    return f"frame, way {which}"


WAYS: tuple[Way, ...] = (
    other_loss, other_loss, other_part, other_part, other_evidence, other_evidence, other_evidence, other_frame,
)  # fmt: skip


def is_true(conclusion: str) -> tuple[bool, str]:
    """Whether a conclusion about counts is true, as far as a delta from below tells."""
    said = read(conclusion)
    if said.operator != "private":
        return False, "it is about no mechanism"
    subject, inputs, near, far, *given = said.arguments
    if given or str(inputs) != "table(records())" or near.operator != "symmetric":
        return False, "it is of another form"
    steps = floor(near.arguments[0].rational)
    if far.operator == "pure":
        return False, "no account concludes it"
    epsilon, delta = (float(one.rational) for one in far.arguments)
    runs = runs_of(subject)
    if steps > 1 and any(rate < 1 for _, rate in runs):
        return False, "samples of several edits"
    for side in (1, -1):
        losses = {0: 1.0}
        for noise, rate in runs:
            losses = added(losses, losses_of(noise, rate, steps, side))
        least = sum(mass * max(0.0, 1 - exp(epsilon - loss / UNIT)) for loss, mass in losses.items())
        if least > delta * (1 + 1e-9) + 1e-12:
            return False, f"delta is at least {least:.9g}"
    return True, "a count with noise"


def runs_of(subject: Term, rate: float = 1.0) -> list[tuple[Term, float]]:
    """The noise and the rate of each draw."""
    match subject.operator:
        case "compose":
            return [run for one in subject.arguments for run in runs_of(one, rate)]
        case "repeated":
            return runs_of(subject.arguments[0], rate) * int(subject.arguments[1].rational)
        case "poisson_sampled":
            return runs_of(subject.arguments[1], float(subject.arguments[0].rational))
        case "chain" if str(subject.arguments[0]) == "count(records())":
            noise = subject.arguments[1]
            return [(noise.arguments[0] if noise.operator == "coordinatewise" else noise, rate)]
    raise ValueError(f"{subject} is no count with noise")


def losses_of(noise: Term, rate: float, steps: int, side: int) -> dict[int, float]:
    """The law of the loss of one draw, in units, rounded down."""
    scale, step = (float(one.rational) for one in noise.arguments)
    weight = LAWS[noise.operator](scale / step)
    whole = sum(map(weight, range(-WIDE, WIDE + 1)))
    found: dict[int, float] = {}
    for k in range(-REACH, REACH + 1):
        there, here = weight(k - floor(steps / step)) / whole, weight(k) / whole
        mixed = rate * there + (1 - rate) * here
        p, q = (mixed, here) if side == 1 else (here, mixed)
        if p > 0:
            place = floor(log(p / q) * UNIT) if q > 0 else 10**9
            found[place] = found.get(place, 0.0) + p * (1 - 1e-12)
    return found


def added(one: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    """The law of the sum of two independent losses; what is very rare is left out."""
    found: dict[int, float] = {}
    for (a, p), (b, q) in ((x, y) for x in one.items() for y in other.items()):
        if (mass := prod((p, q))) > 1e-9:
            found[a + b] = found.get(a + b, 0.0) + mass
    return found


def campaign(
    times: int,
    seed: int,
    tell: Callable[[str], None] = print,
    seeds: Sequence[dict[str, Any]] | None = None,
    ways: Sequence[Way] | None = None,
    is_true: Callable[[str], tuple[bool, str]] = is_true,
) -> Counter[str]:
    """So many forged certificates: what became of them; a false theorem is told."""
    found: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        seeds, path = seeds or genuine(), Path(folder) / "forged.json"
        for number in range(times):
            how, content = forged(Random(f"{seed} {number}"), seeds, ways)
            path.write_text(json.dumps(content), encoding="utf-8")
            judged = replayed_file(path, "z3", None, SECONDS)
            if "internal_error" in judged:
                found["internal errors"] += 1
                tell(f"internal error {number}: {how}: {judged['reason']}")
            elif judged["verdict"] == "PROVED":
                holds, why = is_true(judged["conclusion"])
                found["accepted and true" if holds else "FALSE"] += 1
                if not holds:
                    tell(f"FALSE {number}: {how}: {judged['conclusion']}: {why}")
            else:
                found["refused" if judged["verdict"] == "REJECTED" else "undecided"] += 1
    return found


def main() -> None:
    """Forge, and say what became of it."""
    times, seed = (int(one) for one in [*sys.argv[1:], *("2000", "2026")[len(sys.argv) - 1 :]])
    found = campaign(times, seed)
    print(f"refdp {refdp.__version__}: {sum(found.values())} forged: {dict(found)}")
    raise SystemExit(1 if found["FALSE"] or found["internal errors"] else 0)


if __name__ == "__main__":
    main()
