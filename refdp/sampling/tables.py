"""Samplers that are made once for each law, and when: what is made, and with what, never changes the law of a draw.

A table takes 1 to 11 ms to make.  Where the one table of every scale draws (`exponential`), it saves 2 to 5 us a draw
and has paid after some thousand; elsewhere it saves the flips of a scheme, 35 to 100 us, and has paid after 10 to 280.
It is made once `break_even` draws have been asked for, so that neither way is much the worse.
numpy, where it is installed, does the same in arrays: from the same digits the same numbers.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from refdp.sampling.exponential import has_any_scale
from refdp.sampling.lookup import Categorical, LookupDraws
from refdp.sampling.potentials import Potential
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.words import Source

BREAK_EVEN = 64
"""Draws by a scheme that take about as long as making a table: in the middle of 10 and 280."""
BREAK_EVEN_OF_NOISE = 2000
"""The same of draws from the one table of every scale."""
MOST_TABLES = 64
"""Tables that are kept."""
FEW = 8
"""As many draws are made as fast without arrays."""
MANY = 50_000
"""So many take longer without numpy than loading it."""


class Slower(UserWarning):
    """numpy is not installed: the same numbers take longer."""


@cache
def has_numpy() -> bool:
    """Whether numpy can be loaded; where it cannot, says so once."""
    try:
        import_module("numpy")
    except ImportError:
        said = "numpy is not installed: draws are as exact and 100 to 200 times slower; pip install 'refdp[bulk]'"
        warnings.warn(said, Slower, stacklevel=2)
        return False
    return True


def uses_arrays(n: int) -> bool:
    """Whether n draws are made in arrays."""
    return n >= FEW and (n >= MANY or "numpy" in sys.modules) and has_numpy()


def is_array(x: Any) -> bool:
    """Whether x is an array of numpy; numpy is not loaded for that."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray)


class Table:
    """Independent draws from a law, in exact arithmetic or in arrays; ValueError where the law is out of reach."""

    __slots__ = ("_arrays", "draws")

    def __init__(self, law: Potential | Categorical) -> None:
        self.draws = SlotDraws(certificate(law)) if isinstance(law, Potential) else LookupDraws(law)
        self._arrays: Any = None

    def one(self, source: Source) -> int:
        """One draw."""
        return self.draws.one(source)

    def many(self, n: int, source: Source) -> list[int]:
        """n draws."""
        if not uses_arrays(n):
            return self.draws.many(n, source)
        drawn: list[int] = self.array(n, source).tolist()
        return drawn

    def array(self, n: int, source: Source) -> Any:
        """The same draws, as an array of int64; OverflowError if one is none."""
        return self.arrays().sample(n, source)

    def arrays(self) -> Any:
        """What makes them."""
        if self._arrays is None:
            self._arrays = import_module("refdp.sampling.bulk.drawing").sampler(self.draws)
        return self._arrays


def break_even(law: Potential | Categorical) -> int:
    """How many draws of a law must have been asked for before a table of its own is made."""
    return BREAK_EVEN_OF_NOISE if isinstance(law, Potential) and has_any_scale(law) else BREAK_EVEN


class Shelf:
    """The tables that were made, the oldest of which goes where there are too many; threads may share it."""

    __slots__ = ("_asked", "_made")

    def __init__(self) -> None:
        self._made: dict[Potential | Categorical, Table | None] = {}
        self._asked: dict[Potential | Categorical, int] = {}

    def find(self, law: Potential | Categorical, n: int, at_once: bool = False) -> Table | None:
        """The table of a law, if it was made, or is worth making for n more draws, or `at_once`; None if not."""
        with suppress(KeyError):  # one look: another thread may drop it after a first
            return self._made[law]
        asked = self._asked.pop(law, 0) + n
        if asked < break_even(law) and not at_once:
            self._keep(self._asked, law, asked)
            return None
        table = table_of(law)
        self._keep(self._made, law, table)
        return table

    def known(self, law: Potential | Categorical) -> Table | None:
        """The table of a law, if it was made."""
        return self._made.get(law)

    @staticmethod
    def _keep(shelf: dict[Any, Any], law: Potential | Categorical, entry: Any) -> None:
        """Put it there; drop the oldest."""
        shelf[law] = entry
        for oldest in list(shelf)[:-MOST_TABLES]:
            shelf.pop(oldest, None)


SHELF = Shelf()
"""The tables of this process.  Laws of parameters only: none that was made of data."""


def table_of(law: Potential | Categorical) -> Table | None:
    """A new table; None where the law is out of reach, such as scales above 2^50 or so."""
    try:
        return Table(law)
    except (ValueError, ArithmeticError):
        return None
