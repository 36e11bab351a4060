"""Training loops as an audit sees them: what a step releases of the gradients of a lot, how lots are made, the set-up.

A loop says what it claims: how far one row moves what a step releases, and the deviation of the noise on it.  refdp's
own step is one (`refdp.learning.loops.StepLoop`), and a step of another library is one through an adapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class Claimed(Protocol):
    """What the account says of all steps together, for a row added or removed."""

    @property
    def epsilon(self) -> Fraction:
        """The privacy loss."""

    @property
    def delta(self) -> Fraction:
        """But for this much."""


class Loop(Protocol):
    """What is audited.  What a step releases is in units of `unit`."""

    @property
    def name(self) -> str:
        """The word for it."""

    @property
    def plan(self) -> Numbers:
        """The public numbers of which the account is made."""

    @property
    def unit(self) -> Fraction:
        """What a released number 1 stands for."""

    @property
    def grid(self) -> Fraction:
        """Noise is rounded to multiples of this, or to something finer."""

    @property
    def slack(self) -> Fraction:
        """By which share distances may be more than is claimed, because the step is worked out in floats."""

    @property
    def sensitivity(self) -> Fraction:
        """How far a row that comes or goes is said to move what a step releases, in L2."""

    @property
    def deviation(self) -> Fraction:
        """The standard deviation that the noise on each number is said to have."""

    @property
    def period(self) -> int:
        """A row is said to be in lots of one remainder modulo this alone, that of its own: 1 for independent coins."""

    @property
    def is_finite(self) -> bool:
        """Whether the claim is about finite gradients alone."""

    @property
    def may_be_empty(self) -> bool:
        """Whether the claim is about empty lots, too."""

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
