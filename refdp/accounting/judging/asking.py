"""Putting one question to a foreign accountant, whatever it raises and however long it takes."""

from __future__ import annotations

import copy
import inspect
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from refdp.accounting.judging.readings import Answer, Unreadable, answer

Kind = Literal["epsilon", "delta"]
"""What is asked for: epsilon at a delta, or delta at an epsilon."""
Events = Sequence[Any]
"""What is composed: events, and pairs (event, count)."""
TIMEOUT = 120.0
"""Seconds that an accountant may take for one answer, and refdp for its own, unless said otherwise."""


class Unanswerable(TypeError):
    """What was given as an accountant is none that is known here; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An accountant gave no number; the sentence says what it did."""

    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Late(Failure):
    """An accountant was not back in time."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, and after how long."""

    said: Answer | Failure
    seconds: float


class Asked(Protocol):
    """An accountant that can be asked about any composition."""

    name: str

    def __call__(self, events: Events, kind: Kind, at: float) -> object:
        """What it says of epsilon at a delta, or of delta at an epsilon."""


@dataclass(slots=True)
class Function:
    """A callable (events, delta) -> epsilon; or (events, epsilon) -> delta where that is asked for."""

    name: str
    function: Callable[[Events, float], object]

    def __call__(self, events: Events, kind: Kind, at: float) -> object:
        return self.function(events, at)


@dataclass(slots=True)
class Standing:
    """An accountant that has composed its events already."""

    name: str
    accountant: Any

    def __call__(self, events: Events, kind: Kind, at: float) -> object:
        return self.accountant.get_epsilon(at) if kind == "epsilon" else self.accountant.get_delta(at)


@dataclass(slots=True)
class Protocolled:
    """Accountants with compose(event, count), get_epsilon(delta) and get_delta(epsilon), each made by a factory.

    The events of one composition are composed once, and asked about as often as wanted.
    """

    name: str
    factory: Callable[[], Any]
    last: tuple[Events, Any] | None = None

    def __call__(self, events: Events, kind: Kind, at: float) -> object:
        if self.last is None or self.last[0] is not events:
            self.last = (events, self._composed(events))
        accountant = self.last[1]
        return accountant.get_epsilon(at) if kind == "epsilon" else accountant.get_delta(at)

    def _composed(self, events: Events) -> Any:
        accountant = self.factory()
        for event, count in map(counted, events):
            after = accountant.compose(event) if count is None else accountant.compose(event, count)
            accountant = accountant if after is None else after
        return accountant


def counted(item: Any) -> tuple[Any, int | None]:
    """An item of a composition as an event and its count; None where none is given."""
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], int):
        return item
    return item, None


def asked(foreign: Any, name: str | None = None) -> Asked:
    """The accountant that `foreign` is: an instance, class or factory of the protocol, or a callable of two arguments.

    An instance is copied before anything is composed onto it.  Raises: Unanswerable.
    """
    name = name or str(getattr(foreign, "__name__", type(foreign).__name__))
    if isinstance(foreign, Function | Protocolled | Standing):
        return foreign
    if hasattr(foreign, "compose") and not isinstance(foreign, type):
        return Protocolled(name, lambda: copy.deepcopy(foreign))
    if not callable(foreign):
        raise Unanswerable(f"foreign must be callable or have compose and get_epsilon, got {type(foreign).__name__}")
    if _takes_nothing(foreign):
        return Protocolled(name, foreign)
    return Function(name, foreign)


def _takes_nothing(f: Callable[..., Any]) -> bool:
    """Whether f() is a call: f is a class or factory of accountants, then."""
    try:
        inspect.signature(f).bind()
    except (TypeError, ValueError):
        return False
    return True


def ask(foreign: Asked, events: Events, kind: Kind, at: float, timeout: float = TIMEOUT) -> Reply:
    """What the accountant says, as exact numbers; Failure where it raises, says NaN, or is not back in time.

    It runs in a thread of its own, which is left behind when time is over: Python cannot stop it.
    """
    start, box = time.monotonic(), list[Answer | Failure]()
    thread = threading.Thread(target=lambda: box.append(_said(foreign, events, kind, at)), daemon=True)
    thread.start()
    thread.join(timeout)
    return Reply(box[0] if box else Late(f"no answer in {timeout:g} s"), time.monotonic() - start)


def _said(foreign: Asked, events: Events, kind: Kind, at: float) -> Answer | Failure:
    try:
        return answer(foreign(events, kind, at))
    except Unreadable as unreadable:
        return Failure(str(unreadable))
    except (Exception, SystemExit) as error:  # foreign code may raise whatever it likes
        first = str(error).strip().splitlines()
        return Failure(f"raises {type(error).__name__}{': ' + first[0][:200] if first else ''}")
