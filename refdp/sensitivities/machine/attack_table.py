"""The table of attacks: what each statement says, and what the machine does."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.machine.attacks import Attack, attacks
from refdp.sensitivities.machine.pair import MachinePair, distance


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One attack, run."""

    family: str
    statement: str
    function: str
    arithmetic: str
    n: int
    """Rows of the smaller table."""
    ideal: Fraction
    observed: Fraction | None
    """How far apart the answers are; None where one is infinite or no number."""
    excess: Fraction | None
    """How much further than the statement says; None where infinitely far."""
    seconds: float
    pair: MachinePair
    script: str
    """Python that computes both answers and prints their exact distance."""

    @property
    def refutes(self) -> bool:
        """Whether the statement is false on the machine."""
        return self.pair.refutes


def attack_table(wanted: Iterable[Attack] | None = None) -> list[AttackRow]:
    """Every attack, run: family, statement, function, arithmetic, n, ideal, observed, excess, seconds."""
    return [_row(attack) for attack in (attacks() if wanted is None else wanted)]


def _row(attack: Attack) -> AttackRow:
    """The attack, run on its pair."""
    start = time.process_time()
    run = attack.run()
    outcomes = (run(attack.first), run(attack.second))
    pair = MachinePair(attack.first, attack.second, outcomes, distance(*outcomes), attack.ideal)
    return AttackRow(
        family=attack.family,
        statement=attack.statement,
        function=attack.function,
        arithmetic=attack.format_.name,
        n=min(len(attack.first), len(attack.second)),
        ideal=attack.ideal,
        observed=pair.distance,
        excess=pair.excess,
        seconds=time.process_time() - start,
        pair=pair,
        script=attack.script(),
    )
