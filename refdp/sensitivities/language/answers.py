"""What a function returns, as numbers with labels, and when it raises or returns None instead."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from refdp.sensitivities.language.objects import Entry, Listing, Object
from refdp.sensitivities.language.reader import Reader
from refdp.sensitivities.language.renewal import content as reached
from refdp.sensitivities.language.state import State
from refdp.sensitivities.language.values import Cases, Dead, Infinity, Poison, Record, Value, alternatives, join
from refdp.sensitivities.program import EXCEPTIONS
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer
from refdp.terms.operations import choice, negation, whole
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Answer:
    """The coordinates of what is returned, and a place in EXCEPTIONS."""

    numbers: tuple[Term, ...]
    labels: tuple[str, ...]
    exception: Term


def answer(x: Reader, state: State) -> Answer:
    """The answer at the end of the function."""
    value = join(state.returned, state.answer, None)
    raised = state.has_raised()
    state.assume(negation(raised))
    code, found = _numbers(state, value)
    pairs = _flat(x, state, found, "")
    labels = () if len(pairs) == 1 and pairs[0][0] == "" else tuple(label for label, _ in pairs)
    return Answer(tuple(whole(term) for _, term in pairs), labels, choice(raised, state.raised, code))


def _numbers(state: State, value: Value) -> tuple[Term, Value]:
    """A place in EXCEPTIONS where the answer is None or infinite, and what it is otherwise."""
    live = [(state.simplified(guard), one) for guard, one in alternatives(value)]
    code, rest = ZERO, []
    for guard, one in live:
        outcome = _outcome(one)
        if outcome and guard is not FALSE:
            code = choice(guard, integer(EXCEPTIONS.index(outcome)), code)
            state.assume(negation(guard))
        elif guard is not FALSE:
            rest.append((guard, one))
    rest = [(guard, one) for guard, one in rest if state.simplified(guard) is not FALSE]
    return code, rest[0][1] if len(rest) == 1 else Cases(tuple(rest)) if rest else Dead()


def _outcome(value: Value) -> str:
    """An answer that is no number, as an outcome of its own."""
    if isinstance(value, Infinity):
        return "-inf returned" if value.negative else "inf returned"
    return "None returned" if value is None else ""


def _flat(x: Reader, state: State, value: Value, label: str) -> list[tuple[str, Term]]:
    """Every number within the answer."""
    if isinstance(value, Term):
        return [(label, value)]
    if isinstance(value, Dead):
        return []
    inner: list[tuple[Hashable, Value]]
    if isinstance(value, tuple):
        inner = list(enumerate(value))
    elif isinstance(value, Record):
        inner = list(value.items)
    elif (content := reached(state, value)) is not None:
        inner = _contents(x, state, content)
    else:
        raise x.not_a_fold(x.source.tree, _reason(value))
    return [
        pair for key, one in inner for pair in _flat(x, state, one, f"{label}.{_text(key)}" if label else _text(key))
    ]


def _contents(x: Reader, state: State, content: Object) -> list[tuple[Hashable, Value]]:
    """The elements of a list or a dict, all of which must be there."""
    if isinstance(content, Listing):
        entries = [piece for piece in content.pieces if isinstance(piece, Entry)]
        if len(entries) < len(content.pieces) or any(state.simplified(e.guard) is not TRUE for e in entries):
            raise x.not_a_fold(x.source.tree, "how many numbers are returned depends on the rows")
        return [(place, one.value) for place, one in enumerate(entries)]
    if content.kind == "set":
        raise x.unsupported(x.source.tree, "a set as the answer", "return its length or a dict")
    if content.loose and len(content.items) > 1:
        raise x.not_a_fold(
            x.source.tree,
            "the order of the answer's keys depends on the rows, and is seen with it; begin with every key",
        )
    present = [(key, one) for key, (guard, one) in content.items.items() if state.simplified(guard) is TRUE]
    if len(present) < sum(state.simplified(guard) is not FALSE for guard, _ in content.items.values()):
        raise x.not_a_fold(
            x.source.tree,
            "which keys the answer has depends on the rows, and a key of one table only is infinitely far from none; "
            "begin with every key",
        )
    return present


def _reason(value: Value) -> str:
    """Why a value is no answer of numbers."""
    if isinstance(value, Poison):
        return f"what is returned is {value.reason}"
    if isinstance(value, Cases):
        return "of which kind the answer is depends on the rows"
    if isinstance(value, Infinity):
        return "the answer is infinite"
    return (
        "the answer is a text"
        if isinstance(value, str)
        else "the answer is None in part"
        if value is None
        else ("the answer is neither a number nor a list or a dict of numbers")
    )


def _text(key: Hashable) -> str:
    """A key as a label: of a tuple, its parts with commas."""
    return ",".join(_text(one) for one in key) if isinstance(key, tuple) else str(key)
