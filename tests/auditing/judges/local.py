"""A function of this process as a target, without a process of its own: for tests, which trust what they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from refdp.auditing.targets import Outcome
from refdp.auditing.targets.outcomes import GARBAGE, RAISED, VALUE
from refdp.auditing.targets.workers import wire

PLAIN = (bool, int, float, str, type(None))


class Local:
    """What a `Session` offers to judges that draw, of a function `f(x)`, or `f(x, n)` if it is batched.

    There are no limits: a function that does not end does not end.
    """

    def __init__(
        self, function: Callable[..., Any], *, batched: bool = False, privacy_map: Callable[[Any], Any] | None = None
    ) -> None:
        self.function, self.batched, self.map = function, batched, privacy_map
        name = getattr(function, "__qualname__", type(function).__name__)
        self.about: dict[str, Any] = {"library": "", "version": "", "target": name}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None

    def draw(self, x: Any, n: int) -> Outcome:
        """n outputs for an input, as a list."""
        found = _outcome(lambda: self.function(x, n) if self.batched else [self.function(x) for _ in range(n)])
        if found.kind != VALUE:
            return found
        values = _listed(found.value)
        if values is None or len(values) != n:
            return Outcome(GARBAGE, text=f"{n} draws were asked for, got {str(found.value)[:80]}")
        return Outcome(VALUE, [plain(y) for y in values])

    def repeat(self, x: Any, n: int) -> list[Outcome]:
        """n outcomes for an input."""
        return [_outcome(lambda: plain(self._one(x))) for _ in range(n)]

    def _one(self, x: Any) -> Any:
        """One output."""
        return self.function(x, 1)[0] if self.batched else self.function(x)

    def ask(self, what: str, value: Any = None) -> Outcome:
        """What the map gives for a distance."""
        if what != "map" or self.map is None:
            return Outcome(RAISED, "LookupError", f"the target has no operation {what}")
        given = self.map
        return _outcome(lambda: given(value))


def _outcome(run: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(VALUE, run())
    except Exception as error:
        return Outcome(RAISED, type(error).__name__, str(error)[:500])


def plain(y: Any) -> Any:
    """The output as another process would send it: numbers of numpy as Python's, what is no plain data as its text."""
    return y if type(y) in PLAIN else wire.decoded(wire.encoded(y))


def _listed(values: Any) -> list[Any] | None:
    """A list, or what numpy makes one of."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    return list(values) if isinstance(values, Sequence) and not isinstance(values, str | bytes) else None
