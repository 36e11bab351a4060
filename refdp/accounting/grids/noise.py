"""Tails of the loss of continuous noise, and of Poisson sampling of it.  Lemma 4.1 of docs/accounting_proofs.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from flint import arb

from refdp.accounting.grids.tails import ALWAYS, NEVER, Anchor, Event, Tails, best, looked, nearest


class Noise(Protocol):
    """A pair (P, Q) without infinite losses, equal to (Q, P) up to reflection."""

    @property
    def ends(self) -> tuple[arb, arb] | None:
        """The least and the greatest loss, atoms both; None if there is no atom."""

    def above(self, t: arb) -> list[Event]:
        """The event {loss > t} or {loss >= t} is among these; the first is an event whatever number t is."""


@dataclass(frozen=True, slots=True)
class NormalNoise:
    """P = N(mu, 1), Q = N(0, 1): the loss mu y - mu^2 / 2 exceeds t where y > t / mu + mu / 2."""

    mu: arb
    root: arb

    @property
    def ends(self) -> None:
        return None

    def above(self, t: arb) -> list[Event]:
        looked(2)
        y, half = t / self.mu, self.mu / 2
        return [Event(((y - half) / self.root).erfc() / 2, ((y + half) / self.root).erfc() / 2)]


@dataclass(frozen=True, slots=True)
class LaplaceNoise:
    """P, Q = Laplace noise of scale 1 around epsilon and 0: P(loss > t) = 1 - e^((t - epsilon) / 2) / 2 inside."""

    epsilon: arb

    @property
    def ends(self) -> tuple[arb, arb]:
        return -self.epsilon, self.epsilon

    def above(self, t: arb) -> list[Event]:
        looked(1)
        inside = Event(1 - ((t - self.epsilon) / 2).exp() / 2, ((-t - self.epsilon) / 2).exp() / 2)
        return clipped(inside, t, *self.ends)


@dataclass(frozen=True, slots=True)
class RangeNoise:
    """Densities proportional to e^y and e^-y on [0, epsilon]: the loss 2 y - epsilon has no atoms (Lemma 1.19)."""

    epsilon: arb

    @property
    def ends(self) -> None:
        return None

    def above(self, t: arb) -> list[Event]:
        looked(1)
        scale, e = self.epsilon.expm1(), self.epsilon
        inside = Event((e.exp() - ((e + t) / 2).exp()) / scale, ((e - t) / 2).expm1() / scale)
        return clipped(inside, t, -e, e)


def clipped(inside: Event, t: arb, low: arb, high: arb) -> list[Event]:
    """Candidates for {loss > t} where it is ALWAYS below `low`, NEVER from `high` on, and `inside` between."""
    if t > low and t < high:
        return [inside]
    if t < low:
        return [ALWAYS]
    if t >= high:
        return [NEVER]
    return [ALWAYS if abs(t.mid() - low.mid()) < abs(t.mid() - high.mid()) else NEVER, ALWAYS, NEVER, inside]


def _mixed(event: Event, rate: arb) -> arb:
    """(rate P + (1 - rate) Q)(E)."""
    return event.q + rate * (event.p - event.q)


def _thresholds(ratio: arb) -> tuple[arb | None, bool]:
    """(ln ratio, or None where that is -infinity; whether this is certain)."""
    if ratio > 0:
        return ratio.log(), True
    return (None, True) if ratio <= 0 else (arb(ratio.upper()).log(), False)


@dataclass(frozen=True, slots=True)
class Plain:
    """The noise without sampling."""

    noise: Noise

    @property
    def anchor(self) -> Anchor | None:
        return anchored(self.noise.ends)

    @property
    def infinite(self) -> arb:
        return arb(0)

    def tails(self, b: arb, x: arb) -> Tails:
        return best(self.noise.above(b), x)


def anchored(ends: tuple[arb, arb] | None) -> Anchor | None:
    """Atoms at both ends."""
    if ends is None:
        return None
    first, last = map(nearest, ends)
    return Anchor(first, last, last - first)


@dataclass(frozen=True, slots=True)
class Remove:
    """(rate P + (1 - rate) Q, Q): the loss exceeds b where that of (P, Q) exceeds ln((e^b - 1 + rate) / rate)."""

    noise: Noise
    rate: arb

    @property
    def ends(self) -> tuple[arb, arb] | None:
        if (ends := self.noise.ends) is None:
            return None
        return self._loss(ends[0]), self._loss(ends[1])

    def _loss(self, t: arb) -> arb:
        return (self.rate * t.expm1()).log1p()

    @property
    def anchor(self) -> Anchor | None:
        return anchored(self.ends)

    @property
    def infinite(self) -> arb:
        return arb(0)

    def tails(self, b: arb, x: arb) -> Tails:
        t, certain = _thresholds((x - 1 + self.rate) / self.rate)
        if t is None:
            return Tails(ALWAYS)
        events = [Event(_mixed(event, self.rate), event.q) for event in self.noise.above(t)]
        return best(events if certain else [ALWAYS, *map(_up_to_always, events)], x)


def _up_to_always(event: Event) -> Event:
    """Balls that hold every number from P(E) to 1, and from Q(E) to 1."""
    return Event(event.p.union(arb(1)), event.q.union(arb(1)))


@dataclass(frozen=True, slots=True)
class Add:
    """(Q, rate P + (1 - rate) Q): the loss exceeds b where that of (P, Q) is below ln((e^-b - 1 + rate) / rate)."""

    noise: Noise
    rate: arb

    @property
    def anchor(self) -> Anchor | None:
        if (ends := Remove(self.noise, self.rate).ends) is None:
            return None
        return anchored((-ends[1], -ends[0]))

    @property
    def infinite(self) -> arb:
        return arb(0)

    def tails(self, b: arb, x: arb) -> Tails:
        t, certain = _thresholds((1 / x - 1 + self.rate) / self.rate)
        if t is None:
            return Tails(NEVER)
        events = [Event(1 - event.q, 1 - _mixed(event, self.rate)) for event in self.noise.above(t)]
        return best(events if certain else [NEVER, *map(_down_to_never, events)], x)


def _down_to_never(event: Event) -> Event:
    """Balls that hold every number from 0 to P(E), and from 0 to Q(E)."""
    return Event(event.p.union(arb(0)), event.q.union(arb(0)))
