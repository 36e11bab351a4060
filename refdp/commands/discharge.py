"""How the obligations behind claims are discharged: by which means, how many twice, and which not and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from refdp.kernel.judgements import Holds
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.provers.answers import SolverDisagreement
from refdp.provers.lemmas import OPINIONS
from refdp.provers.opinions import Opinions, agreed, ask
from refdp.spec.statements import Statement

SECONDS = 10.0
"""Most seconds that an oracle may take for a second opinion."""
FURTHER = ("z3", "cvc5")
"""Whom to ask for a second opinion, in this order; about numbers alone, Arb and sympy too."""


def leaves(theorem: Theorem) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each obligation that the theorem rests on, with the means by which it was proved: rules, or oracles by name."""
    for premise in theorem.premises:
        yield from leaves(premise)
    if isinstance(theorem.claim, Holds) and not theorem.premises:
        yield f"{theorem.claim.stem}.{theorem.claim.name}", means_of(theorem)


def means_of(theorem: Theorem) -> tuple[str, ...]:
    """The rule of the kernel that proved it by itself, or the oracles that are named; encoders are no means."""
    return oracles_in(theorem.data["by"]) if theorem.rule == "oracle" else (f"rule {theorem.rule}",)


def oracles_in(trusts: list[str]) -> tuple[str, ...]:
    """The oracles among the names that are trusted; "A and B" are two."""
    return tuple(one for name in trusts if not name.startswith("refdp ") for one in name.split(" and "))


def discharged(means: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """What `refdp verify --json` says of obligations; a second opinion is asked for where there is none."""
    pairs, once, contradicted = Counter[str](), list[dict[str, str]](), list[dict[str, str]]()
    for identifier, first in sorted(means.items()):
        try:
            found, reason = both(identifier, first)
        except SolverDisagreement as error:
            contradicted.append({"obligation": identifier, "reason": str(error)})
            continue
        if len(found) > 1:
            pairs[" and ".join(found[:2])] += 1
        else:
            once.append({"obligation": identifier, "reason": f"{found[0]}; {reason}"})
    return {
        "total": len(means),
        "twice": pairs.total(),
        "pairs": dict(pairs.most_common()),
        "once": once,
        "disagreements": len(contradicted),
        "contradicted": contradicted,
    }


def both(identifier: str, first: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The means that prove the obligation, two if they can be had, else why not.  Raises SolverDisagreement."""
    statement = obligation(identifier)
    opinions = dict(OPINIONS.get(statement.digest, {}))
    further = iter(FURTHER if statement.variables else (*FURTHER, "arb", "sympy"))
    while len(found := named(first, statement, opinions)) < 2 and (oracle := next(further, "")):
        if oracle not in opinions:
            opinions[oracle] = ask(oracle, statement, SECONDS)
    reasons = [f"{oracle}: {answer.reason}" for oracle, answer in opinions.items() if answer.verdict != "proved"]
    return found, "; ".join(reasons)


def named(first: tuple[str, ...], statement: Statement, opinions: Opinions) -> tuple[str, ...]:
    """The means so far, each once.  Raises SolverDisagreement if an oracle says that the statement is false."""
    if any(answer.contradicts for answer in opinions.values()):
        raise SolverDisagreement(f"{', '.join(first)} proves it, and a solver has a counterexample: {statement}")
    return tuple(dict.fromkeys((*first, *oracles_in(sorted(agreed(statement, opinions))))))
