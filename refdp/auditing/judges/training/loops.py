"""Training loops as an audit sees them: what a step releases of the gradients of a lot, how lots are made, the set-up.

A loop says what it claims: how far one row moves what a step releases, and the deviation of the noise on it.  refdp's
own step is one (`refdp.learning.loops.StepLoop`), and a step of another library is one through an adapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    Released = np.ndarray[Any, np.dtype[np.float64]] | np.ndarray[Any, np.dtype[np.int64]]
    Lot = np.ndarray[Any, np.dtype[np.bool_]] | np.ndarray[Any, np.dtype[np.int64]]


class Numbers(Protocol):
    """The public numbers of which an account is made, all exact."""

    @property
    def rate(self) -> Fraction:
        """How likely a row is in a lot."""

    @property
    def steps(self) -> int:
        """How many lots there are."""

    @property
    def lot(self) -> Fraction:
        """What the sum of a lot is divided by."""

    @property
    def norm(self) -> Fraction:
        """The Euclidean norm that gradients are clipped to."""


@dataclass(frozen=True, slots=True)
class StepClaim:
    """What is said of each step: how far one row moves what it releases, the noise on that, and of which lots."""

    sensitivity: Fraction
    """How far a row that comes or goes moves what a step releases, in L2."""
    deviation: Fraction
    """The standard deviation of the noise on each number."""
    grid: Fraction
    """Noise is rounded to multiples of this, or to something finer."""
    unit: Fraction = Fraction(1)
    """What a released number 1 stands for."""
    slack: Fraction = Fraction(0)
    """By which share distances may be more than is claimed, because the step is worked out in floats."""
    period: int = 1
    """A row is in lots of one remainder modulo this alone, that of its own: 1 for independent coins."""
    is_finite: bool = False
    """Whether the claim is about finite gradients alone."""
    may_be_empty: bool = True
    """Whether the claim is about empty lots, too."""


class Claimed(Protocol):
    """What the account says of all steps together, for a row added or removed."""

    @property
    def epsilon(self) -> Fraction:
        """The privacy loss."""

    @property
    def delta(self) -> Fraction:
        """But for this much."""


class Loop(Protocol):
    """What is audited.  What a step releases is in units of `claim.unit`."""

    @property
    def name(self) -> str:
        """The word for it."""

    @property
    def plan(self) -> Numbers:
        """The public numbers of which the account is made."""

    @property
    def claim(self) -> StepClaim:
        """What is said of each step."""

    def layers(self, size: int) -> Sequence[int]:
        """How many numbers of each layer, one after the other, a gradient of so many numbers has."""

    def answer(self, gradients: Sequence[Any], size: int, noisy: bool) -> Released | None:
        """What a step releases of a lot with these gradients of `size` numbers; None where it releases nothing."""

    def lots(self, rows: int, steps: int) -> Sequence[Lot]:
        """How often each of so many rows is in each of so many lots."""

    def setup(self, rows: int) -> Mapping[str, Fraction]:
        """The numbers that a run on a table of so many rows is made with, and that anybody may see."""


class StepError(RuntimeError):
    """A step cannot be asked, or answers what is no answer: nothing is found out about it."""
