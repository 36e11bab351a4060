"""Why a run has no answer: the function raised, or there is no exact outcome to speak of."""

from __future__ import annotations

import builtins
import statistics


class Raised(Exception):
    """The user's function raised an exception of the class `name`: an outcome like any other."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NoOutcome(ArithmeticError):
    """The run has no exact outcome: too many steps, too large numbers, or a meaning that is not settled."""


def exception_class(name: str) -> type[BaseException] | None:
    """The class of exceptions that a name stands for, if there is one."""
    found = statistics.StatisticsError if name == "StatisticsError" else getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def catches(handler: str, name: str) -> bool:
    """Whether `except handler` catches an exception of the class `name`."""
    above, below = exception_class(handler), exception_class(name)
    return above is not None and below is not None and issubclass(below, above)
