"""Another library's training step as a loop: a function in a process of its own, asked over a pipe.

The function takes a pair (what, given), `given` a dictionary, and answers

    "answer"  gradients, size, noisy   what a step releases of a lot: a list of `size` numbers, or None
    "lots"    rows, steps              for each lot the numbers of its rows, 0 <= number < rows
    "setup"   rows                     a dictionary of numbers: rate, steps, divisor, and any others that are public

where `given` also has the numbers of the plan as floats, the sizes of the layers, and the options of the campaign file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.auditing.judges.training.loops import StepClaim, StepError
from refdp.auditing.targets import Session
from refdp.auditing.targets.outcomes import VALUE

if TYPE_CHECKING:
    import numpy as np

    from refdp.auditing.judges.training.loops import Lot

    Floats = np.ndarray[Any, np.dtype[np.float64]]

FINE = Fraction(1, 2**20)
"""The grid of noise in floats, over its deviation: the law of rounded noise is not told from theirs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The public numbers of the account, and what is claimed of a step."""

    rate: Fraction
    steps: int
    lot: Fraction
    norm: Fraction
    noise_multiplier: Fraction
    sensitivity: Fraction
    slack: Fraction
    layers: int = 2
    period: int = 1
    is_finite: bool = False
    may_be_empty: bool = True

    @property
    def deviation(self) -> Fraction:
        """Of the noise on each number that is released."""
        return self.noise_multiplier * self.sensitivity


@dataclass(frozen=True, slots=True)
class ForeignLoop:
    """The step of a session's target."""

    session: Session
    plan: Plan
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What the target says that it is."""
        return str(self.session.about.get("target", "step"))

    @property
    def claim(self) -> StepClaim:
        """As the campaign file says; a released number is what it is."""
        p = self.plan
        return StepClaim(
            p.sensitivity, p.deviation, p.deviation * FINE, slack=p.slack, period=p.period, is_finite=p.is_finite,
            may_be_empty=p.may_be_empty,
        )  # fmt: skip

    def layers(self, size: int) -> Sequence[int]:
        """As many as the campaign file says, of about the same size; fewer where there are not enough numbers."""
        count = min(self.plan.layers, size)
        return [size // count + (place < size % count) for place in range(count)]

    def answer(self, gradients: Sequence[Any], size: int, noisy: bool) -> Floats | None:
        """What the step releases; StepError where it does not answer, or with something else."""
        import numpy as np

        given = {"gradients": [one.tolist() for one in gradients], "size": size, "noisy": noisy}
        found = self._asked("answer", given | {"layers": list(self.layers(size))})
        if found is None:
            return None
        if not (isinstance(found, list) and len(found) == size and all(type(one) in (int, float) for one in found)):
            raise StepError(f"of a lot a step must release {size} numbers or nothing, got {briefly(found)}")
        try:
            return np.array(found, dtype=np.float64)
        except OverflowError:
            raise StepError("what a step releases must be numbers that floats have, got one that is longer") from None

    def lots(self, rows: int, steps: int) -> Sequence[Lot]:
        """How often each row is in each lot; StepError where the answer is something else."""
        import numpy as np

        found = self._asked("lots", {"rows": rows, "steps": steps})
        if not (isinstance(found, list) and len(found) == steps):
            raise StepError(f"lots must be a list of {steps}, got {briefly(found)}")
        for lot in found:
            if not (isinstance(lot, list) and all(type(row) is int and 0 <= row < rows for row in lot)):
                raise StepError(f"a lot must be a list of rows from 0 to {rows - 1}, got {briefly(lot)}")
        return [np.bincount(np.array(lot, dtype=np.int64), minlength=rows) for lot in found]

    def setup(self, rows: int) -> Mapping[str, Fraction]:
        """The public numbers; a float that is nearest to a number of the account is that number."""
        found = self._asked("setup", {"rows": rows})
        numbers = isinstance(found, dict) and all(type(one) in (int, float, Fraction) for one in found.values())
        if not (numbers and all(type(key) is str for key in found)):
            raise StepError(f"a set-up must be a dictionary of numbers by their names, got {briefly(found)}")
        known = {"rate": self.plan.rate, "steps": Fraction(self.plan.steps), "divisor": self.plan.lot}
        return {key: exactly(key, one, known) for key, one in found.items()}

    def _asked(self, what: str, given: Mapping[str, Any]) -> Any:
        """What the function answers."""
        numbers = {name: float(getattr(self.plan, name)) for name in ("rate", "lot", "norm", "noise_multiplier")}
        numbers |= {"plan_steps": self.plan.steps, "period": self.plan.period}
        outcome = self.session.call((what, {**numbers, **self.options, **given}))
        if outcome.kind != VALUE:
            raise StepError(f"{what} of {shown(given)}: {outcome}")
        return outcome.value


def exactly(key: str, value: float | Fraction, known: Mapping[str, Fraction]) -> Fraction:
    """A number of a set-up; StepError where it is not finite, or longer than a float may be."""
    try:
        found, near = Fraction(value), float(value)
    except (ValueError, OverflowError):
        raise StepError(f"{key[:40]} of a set-up must be finite, and no longer than a float may be") from None
    return known[key] if key in known and near == float(known[key]) else found


def briefly(answer: Any) -> str:
    """The beginning of an answer, to be shown."""
    try:
        return str(answer)[:80]
    except ValueError:  # Python writes no integer of more than some thousand digits
        return "a number that is too long to be shown"


def shown(given: Mapping[str, Any]) -> str:
    """What was asked, in short."""
    if "gradients" in given:
        return f"a lot of {len(given['gradients'])} rows of {given['size']} numbers"
    return ", ".join(f"{key} = {value}" for key, value in given.items())
