"""`refdp account`: certified bounds of what a composition of events costs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from refdp.accounting.accounts import Account, Answer, Limits, Question, Step
from refdp.accounting.inputs.anything import events_of
from refdp.accounting.inputs.relations import neighbours_of
from refdp.accounting.inputs.spec import data_of, read_spec
from refdp.accounting.losses import LossError
from refdp.accounting.marked_history import marked_history
from refdp.accounting.numbers import (
    decimal_above,
    decimal_below,
    exponent_of_ten,
    number,
    scientific_above,
    scientific_below,
)
from refdp.accounting.sgd import training_spec
from refdp.commands.account_noise import calibrated
from refdp.logic.internal_errors import KEY, sentence_in


def account(
    spec: Any = None,
    *,
    sgd: bool = False,
    noise_multiplier: object = None,
    rate: object = None,
    lot_size: object = None,
    rows: object = None,
    steps: object = None,
    epochs: object = None,
    sampling: str | None = None,
    delta: object = None,
    epsilon: object = None,
    calibrate: str | None = None,
    digits: int = 4,
    neighbours: object = None,
    width: object = "1e-9",
    timeout: float = 60.0,
    memory: int = 2 * 10**9,
    certificates: str | Path | None = None,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """Bounds of epsilon at each delta and of delta at each epsilon, the object of `refdp account --json`.

    `spec`: the path of a .json or .toml file, its data, an Account, or, with `neighbours`, events of any kind that
    is read; `-` is a document on standard input, and a list of rows [noise multiplier, rate, steps] a history of
    Opacus. `sgd` instead of it: training on batches, each with noise of `noise_multiplier` times the clipping norm,
    where a row is in a batch with probability `rate`, or lot_size / rows, for `steps` steps or `epochs`; `sampling`:
    poisson, which is taken unless said, fixed_size or balls_in_bins, as of `sgd_account`.

    `delta` and `epsilon`: a number or several.  `width`: of epsilon; of delta, relative to it.  Lower bounds are
    rounded down and upper bounds up.  `calibrate`: the parameter that is looked for, with so many `digits`, to meet
    one epsilon at one delta.  `certificates`: a folder for the theorems of the upper ends, which `refdp check` replays.
    An interrupt ends the work with what is decided by then.

    Raises LossError for bad input and NoTheorem for events of which nothing is proved, or no theorem can be made.
    """
    limits = Limits(number(width, "width"), timeout, memory)
    words = (noise_multiplier, rate, lot_size, rows, steps, epochs, sampling)
    training: dict[str, Any] = dict(zip(TRAINING, words, strict=True))
    if calibrate is not None:
        if certificates is not None:
            raise LossError("certificates must be left out with calibrate: give them for the account at what it finds")
        spec, neighbours = _trained(spec, neighbours, sgd, training | {"sought": calibrate})
        spec, read = _to_calibrate(spec, neighbours, calibrate)
        told, met = calibrated(spec, calibrate, _several(epsilon), _several(delta), digits, limits)
        nothing = {"answers": [], "seconds": told["seconds"], "trusts": []}
        found = nothing if met is None else account(met, delta=delta, width=width, timeout=timeout, step=step)
        return found | {"calibrated": told} | ({} if read is None else {"read": read})
    questions = [Question(delta=number(one, "delta")) for one in _several(delta)]
    questions += [Question(epsilon=number(one, "epsilon")) for one in _several(epsilon)]
    if not questions:
        raise LossError("a question must be asked: delta or epsilon must be given, got neither")
    stated, read = stated_account(spec, neighbours, sgd, training)
    more = {} if read is None else {"read": read}
    if certificates is None:
        answers = stated.answers(questions, limits, step)
        return _object(stated, limits, answers, [_answer(one, limits.width) for one in answers]) | more
    from refdp.commands.account_certificates import certified, rounds_for

    about = rounds_for(stated, questions, certificates)
    answers = stated.answers(questions, limits, step)
    each = [_answer(one, limits.width) for one in answers]
    for place, (answer, told_of) in enumerate(zip(answers, each, strict=True)):
        step(place, len(each), "certificates")
        told_of |= certified(about, answer, told_of, limits, certificates)
    return _object(stated, limits, answers, each) | more


TRAINING = ("noise_multiplier", "rate", "lot_size", "rows", "steps", "epochs", "sampling")
"""The words that go with `sgd`."""
AS_WRITTEN = "a history: each number as the shortest decimal that it has"
"""What is said of how numbers were read that somebody's accountant kept as floats."""
KEPT = "the value that is found is that of its last row, or where ? is written; its other rows are kept"
"""What is said of a history that is calibrated."""


def _to_calibrate(spec: Any, neighbours: object, sought: str) -> tuple[Any, str | None]:
    """The data of the spec; of a history the spec with its mark, and how it was read."""
    found = data_of(spec)
    if not is_history(found):
        _require_none_besides(neighbours)
        return found, None
    relation = neighbours_of("add_remove" if neighbours is None else neighbours)
    return marked_history(found, sought, relation), f"{AS_WRITTEN}; {KEPT}"


def is_history(found: Any) -> bool:
    """Whether this is what Opacus keeps: an accountant, its state, or its rows."""
    return isinstance(found, list) or "history" in found if isinstance(found, list | Mapping) else is_accountant(found)


def is_accountant(found: Any) -> bool:
    """Whether this has the history of an accountant of Opacus."""
    return isinstance(getattr(found, "history", None), list | tuple)


def stated_account(
    spec: Any, neighbours: object = None, sgd: bool = False, training: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Account, str | None]:
    """The account that is asked about, as in `account`, and how its numbers were read where that is to be said."""
    spec, neighbours = _trained(spec, neighbours, sgd, training)
    spec, read = _document(spec)
    return account_of(spec, "add_remove" if read is not None and neighbours is None else neighbours), read


def _document(spec: Any) -> tuple[Any, str | None]:
    """The history in a document, and how it was read; the account of another document; anything else as it is."""
    if not isinstance(spec, str | Path):
        return spec, None
    found = data_of(spec)
    if is_history(found):
        return {"history": found if isinstance(found, list) else found["history"]}, AS_WRITTEN
    stated = read_spec(found)
    return Account(stated.neighbours, stated.events), None


def _trained(spec: Any, neighbours: object, sgd: bool, training: Mapping[str, Any]) -> tuple[Any, object]:
    """The spec of training where that is asked for; LossError for what goes with a spec alone, or with sgd alone."""
    given = [name for name in TRAINING if training.get(name) is not None]
    if not sgd:
        if given:
            raise LossError(f"{given[0]} must be given with sgd alone, got it without")
        if spec is None:
            raise LossError("spec must be given: a file, - for standard input, or sgd with its numbers; got nothing")
        return spec, neighbours
    if spec is not None:
        raise LossError(f"spec must not be given with sgd, got {spec}")
    relation = neighbours_of("add_remove" if neighbours is None else neighbours).relation
    return training_spec(**training, neighbours=relation), None


def account_of(spec: Any, neighbours: object = None) -> Account:
    """The account that a spec states; `neighbours` must be given where the spec does not, and only there."""
    if isinstance(spec, Account):
        _require_none_besides(neighbours)
        return spec
    document = isinstance(spec, str | Path) or isinstance(spec, Mapping) and not {"mechanism", "history"} & spec.keys()
    if document:
        _require_none_besides(neighbours)
        stated = read_spec(spec)
        return Account(stated.neighbours, stated.events)
    if neighbours is None:
        raise LossError("neighbours must be given with events: add_remove, change_one or none, got nothing")
    relation = neighbours_of(neighbours)
    return Account(relation.relation, tuple(events_of(spec, relation)))


def _require_none_besides(neighbours: object) -> None:
    """LossError where neighbours are given besides those of the spec."""
    if neighbours is not None:
        raise LossError(f"neighbours must stand in the spec alone, got {neighbours} besides")


def _several(value: object) -> list[object]:
    """One value, or several, as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple | set | range) else [value]


def _object(stated: Account, limits: Limits, answers: list[Answer], each: list[dict[str, Any]]) -> dict[str, Any]:
    """The answers as plain data; those of a single question also at the top."""
    shared = {
        "neighbours": stated.neighbours,
        "events": described(stated),
        "width": decimal(limits.width),
        "answers": each,
        "seconds": f"{max(answer.seconds for answer in answers):.2f}",
        "trusts": sorted({name for answer in answers for name in answer.trusts}),
    }
    return shared | each[0] if len(each) == 1 else shared


def described(stated: Account) -> list[str]:
    """The events in words, equal ones taken together."""
    counts: dict[str, int] = {}
    for event in stated.events:
        name = f"{event.name} on {event.sampling}" if event.sampling else event.name
        counts[name] = counts.get(name, 0) + event.count
    return [f"{count} x {name}" for name, count in counts.items()]


def _answer(answer: Answer, width: Fraction) -> dict[str, Any]:
    """One answer as plain data, with digits enough for the width."""
    found: dict[str, Any] = {}
    digits = max(0, -exponent_of_ten(width)) + 3
    low, high = answer.bounds.lower, answer.bounds.upper
    if answer.question.delta is not None:
        found["at"] = {"delta": decimal(answer.question.delta)}
        found["epsilon"] = {"lower": decimal_below(low, digits), "upper": decimal_above(high, digits)}
    else:
        found["at"] = {"epsilon": decimal(answer.question.epsilon or Fraction(0))}
        low, high = low or Fraction(0), Fraction(1) if high is None else high
        found["delta"] = {"lower": scientific_below(low, digits), "upper": scientific_above(high, digits)}
    found |= {
        "engine": answer.engine,
        "direction": answer.direction,
        "trusts": sorted(answer.trusts),
        "seconds": f"{answer.seconds:.2f}",
    }
    noted = found if answer.note is None else found | {"note": answer.note}
    return noted if answer.reason is None else noted | told(answer.reason)


def told(reason: str) -> dict[str, str]:
    """Why an interval is wider than asked for, and, where it is for that, the internal error."""
    sentence = sentence_in(reason)
    return {"reason": reason} | ({} if sentence is None else {KEY: sentence})


def decimal(x: Fraction) -> str:
    """The number in short: as a decimal where it is one of few digits, else as a fraction."""
    if x == 0:
        return "0"
    for digits in (1, 2, 3, 6, 12, 18):
        if Fraction(text := scientific_above(x, digits)) == x:
            return text
    return str(x)


__all__ = ["account", "account_of"]
