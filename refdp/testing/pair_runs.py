"""A claim of privacy judged: pairs of runs on neighbours, events learned from a part that is set aside, looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.bit_patterns import low_bits
from refdp.auditing.evidence.e_values import BITS, NOTHING, EValue
from refdp.auditing.evidence.learning import learned_events
from refdp.auditing.evidence.pairs import Claim, Counts, PairTest, count, merged
from refdp.numerics.intervals import Interval
from refdp.testing.trials import Source, Trial

FIRST_LOOK = 64
MOST_AT_ONCE = 2**15
VIEWS: Mapping[str, Callable[[Any], Any]] = {"output": lambda y: y, "low_bits": low_bits}
"""Functions of an output by which events are learned."""


@dataclass(frozen=True, slots=True)
class Question:
    """The claim, the pairs of inputs, alpha for each, the most pairs of outputs, and how many teach the events."""

    claim: Claim
    pairs: tuple[tuple[Any, Any], ...]
    alpha: Fraction
    samples: int
    train: int
    views: tuple[str, ...]


@dataclass(slots=True)
class Watched:
    """What is known of one pair of inputs: its events, its counts of this run, and the e-value of earlier nights."""

    test: PairTest
    earlier: EValue
    counts: Counts = field(default_factory=dict)
    invalid: int = 0
    """How many outputs held NaN."""
    path: list[tuple[int, float]] = field(default_factory=list)

    @property
    def pairs(self) -> int:
        """Pairs of outputs that were counted in this run."""
        return sum(self.counts.values())

    @property
    def e_value(self) -> EValue:
        """The e-value of this night times those of earlier ones, each of fresh draws."""
        return self.test.e_value(self.counts) * self.earlier


def watch(question: Question, trial: Trial, source: Source) -> tuple[Watched, ...]:
    """Draw on each pair of inputs until one refutes the claim or all have had their samples."""
    found: list[Watched] = []
    for place, pair in enumerate(question.pairs):
        known = _known(question, trial, source, place)
        found.append(known)
        if _drawn(question, trial, source, pair, known, lambda: _keep(trial, source, found)):
            break
    return tuple(found)


def _known(question: Question, trial: Trial, source: Source, place: int) -> Watched:
    """What is remembered of the pair, or a beginning with events learned from fresh outputs."""
    role = f"{source.role}\n{place}"
    if role not in trial.memory.kept:
        first, second = (trial.values(source, question.train, {"x": x}) for x in question.pairs[place])
        events = learned_events(question.claim, first, second, views(question.views, [*first, *second]))
        test = PairTest(question.claim, events, question.alpha)
        trial.memory.kept[role] = Watched(test, _earlier(trial, source, place), invalid=invalid([*first, *second]))
    found: Watched = trial.memory.kept[role]
    return found


def _drawn(
    question: Question, trial: Trial, source: Source, pair: tuple[Any, Any], known: Watched, keep: Callable[[], None]
) -> bool:
    """Whether the claim is refuted on this pair; looks are after 64 pairs of outputs and after each eighth more."""
    while True:
        n, e = known.pairs, known.e_value
        if n >= 2 * (known.path[-1][0] if known.path else 0) and n:
            known.path.append((n, float(e.log10)))
        if e.refutes(known.test.alpha):
            return True
        if n >= question.samples:
            return False
        more = min(question.samples, n + MOST_AT_ONCE, max(FIRST_LOOK, n + n // 8 + 1)) - n
        first, second = (trial.values(source, more, {"x": x}) for x in pair)
        known.counts = merged(known.counts, count(known.test.events, zip(first, second, strict=True)))
        known.invalid += invalid([*first, *second])
        keep()


def _keep(trial: Trial, source: Source, found: Sequence[Watched]) -> None:
    """Write the e-values of this night, for the tested function itself."""
    if trial.account is not None and not source.role:
        trial.account.keep({"pairs": [_e_json(known.test.e_value(known.counts), known.pairs) for known in found]})


def _e_json(e: EValue, pairs: int) -> dict[str, Any]:
    """A lower bound of the e-value's logarithm, None for 0."""
    return {"ln": None if e.ln is None else str(e.ln.lower), "pairs": pairs}


def _earlier(trial: Trial, source: Source, place: int) -> EValue:
    """The product over earlier nights of e-values, each of a night of its own: no more than they were."""
    found = NOTHING
    if trial.account is None or source.role:
        return found
    for record in trial.account.earlier:
        if place < len(record["pairs"]):
            ln = record["pairs"][place]["ln"]
            found = found * EValue(None if ln is None else Interval(Fraction(ln), Fraction(ln), BITS))
    return found


def views(names: Iterable[str], outputs: Sequence[Any]) -> list[tuple[str, Callable[[Any], Any]]]:
    """The views of those names that tell something: low bits only where there are floats."""
    floats = any(isinstance(y, float) for y in outputs)
    chosen = [(name.replace("_", " "), VIEWS[name]) for name in names if name != "low_bits" or floats]
    return chosen or [("output", VIEWS["output"])]


def invalid(outputs: Iterable[Any]) -> int:
    """How many outputs are NaN, or sequences that hold it."""
    return sum(_is_nan(y) for y in outputs)


def _is_nan(y: Any) -> bool:
    """Whether a value is NaN or holds it."""
    if isinstance(y, float):
        return y != y
    return isinstance(y, list | tuple) and any(map(_is_nan, y))
