"""How much a run may do: steps, and the size of what it builds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.work import step


@dataclass(slots=True)
class Budget:
    """Steps that are left; an element that is copied, compared or hashed is a step too."""

    left: int

    def spend(self, steps: int = 1) -> None:
        """Take steps away; NoOutcome where there are not so many."""
        step(steps)
        self.left -= steps
        if self.left < 0:
            raise NoOutcome("the run takes too many steps")

    def weigh(self, value: Any) -> None:
        """A step for each part of a value, counted as often as it is reached."""
        waiting = [value]
        while waiting:
            one = waiting.pop()
            self.spend()
            if isinstance(one, str):
                self.spend(len(one))
            elif isinstance(one, list | tuple | set | frozenset):
                waiting.extend(one)
                self.spend(len(one))
            elif isinstance(one, dict):
                waiting.extend((*one.keys(), *one.values()))
                self.spend(len(one))
