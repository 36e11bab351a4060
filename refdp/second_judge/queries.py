"""The second judge of sensitivities: the function runs in CPython on random neighbouring tables.

Its answers must not move further than was proved, and must be those that refdp works out where it reads the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from refdp.second_judge.allowed import may_be_run
from refdp.second_judge.data import (
    Columns,
    Constants,
    Declared,
    Draw,
    Kind,
    Labels,
    Maybe,
    Number,
    fitted,
    kind_of,
    literal,
    neighbour,
    size_of,
    table,
)
from refdp.second_judge.numbers import approximate, exceeds
from refdp.second_judge.opinion import Opinion
from refdp.second_judge.process import SECONDS, NotRun, answers
from refdp.second_judge.wire import packed, unpacked
from refdp.terms.leaves import variable
from refdp.terms.term import Term

INTERPRETER = "refdp's interpreter"
"""The name among others of what runs a text without executing it."""
PAIRS = 200
"""How many pairs of tables are tried."""
RUNS_A_SECOND = 20
"""Where more runs are asked for than usual, their process may take a second for each so many."""
ATTEMPTS = 5
"""How many times as many are drawn, as some are none: the same table twice, or an assumption that does not hold."""
LONG_PAIRS = 8
"""How many pairs, the last ones, are of long tables: they take the time of many others."""
LONGEST_TEXT = 160
"""Longest text of a table in a sentence."""
LONGEST_PUBLIC = 500
"""Most rows of a table whose number of rows is said to be public."""
Path = tuple[Any, ...]
Answer = Mapping[Any, Any] | str
"""The parts of an answer by their places, in order, or by labels; or the name of what was raised."""
Other = Callable[[Sequence[Any], Mapping[str, Any]], Answer | None]
"""What refdp takes the function to do on rows, with these arguments; None where it does not say."""


@dataclass(frozen=True, slots=True)
class Question:
    """A proved bound, in the words of the question."""

    source: str
    function: str
    record: Declared
    neighbours: str
    norm: str
    edits: int
    in_any_order: bool
    claim: Term
    """In symbols and n."""
    values: Mapping[str, str] = field(default_factory=dict)
    """As they were written."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """Further values of parameters, as they are."""
    symbols: Sequence[Term] = ()
    assumption: Term | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring tables, arguments, and how far the answers may be apart."""

    first: list[Any]
    second: list[Any]
    arguments: Mapping[str, Any]
    claim: Fraction


@dataclass(frozen=True, slots=True)
class Ran:
    """What CPython answered."""

    answer: Answer
    is_rounded: bool = False
    """Whether an irrational root was rounded on the way, by far less than any move that counts."""


def judged(asked: Question, others: Mapping[str, Other], pairs: int = PAIRS, run: bool = True) -> Opinion:
    """Whether anything contradicts the bound: a run of the function, or what `others` say that it answers, by name."""
    why = may_be_run(asked.source) if run else "it was not to be run"
    found = Opinion(why_not=why or "")
    drawn = list(drawn_pairs(asked, pairs, found))
    results = [] if why else ran(asked, drawn, found)
    if found.unloaded:
        return found
    for pair, outcomes in zip(drawn, results or [(None, None)] * len(drawn), strict=True):
        first, second = (None if one is None else one.answer for one in outcomes)
        found.counted += first is not None and second is not None
        for rows, one in zip((pair.first, pair.second), outcomes, strict=True):
            note(found, rows, None if one is None else one.answer)
            if not agree(found, others, rows, pair.arguments, None if one is None or one.is_rounded else one.answer):
                return found
        if first is None or second is None:
            continue
        move = distance(first, second, asked.norm)
        limit = pair.claim * abs(pair.claim) if asked.norm == "L2" else pair.claim
        if move is None or exceeds(move, limit) or pair.claim < 0:
            apart = "infinitely far" if move is None else f"{move}{' (squared)' * (asked.norm == 'L2')}"
            found.contradiction = (
                f"CPython answers {shown(first)} on {shown(pair.first)} and {shown(second)} on {shown(pair.second)}"
                f"{with_arguments(pair.arguments)}: {apart} apart, and {pair.claim} was proved"
            )
            return found
    if found.raised and not found.answered:
        found.nothing = f"the function raises {found.raised} on each table with rows that was run"
    elif not found.counted and not found.compared:
        found.nothing = f"neither CPython nor refdp's interpreter answers on any of {found.tried} pairs of tables"
    return found


def refuted(asked: Question, pair: Pair) -> Opinion:
    """Whether CPython, too, moves further than claimed between the two tables of a refutation."""
    found = Opinion(tried=1, why_not=may_be_run(asked.source) or "")
    if found.why_not:
        return found
    for first, second in ran(asked, [pair], found):
        if first is None or second is None or first.is_rounded or second.is_rounded:
            continue
        found.counted += 1
        move = distance(first.answer, second.answer, asked.norm)
        limit = pair.claim * abs(pair.claim) if asked.norm == "L2" else pair.claim
        if move is not None and move <= limit and pair.claim >= 0:
            found.contradiction = (
                f"CPython answers {shown(first.answer)} on {shown(pair.first)} and {shown(second.answer)} on "
                f"{shown(pair.second)}{with_arguments(pair.arguments)}: {move} apart, no more than {pair.claim}"
            )
    return found


def claim_at(asked: Question, rows: Sequence[int], values: Mapping[Term, Fraction]) -> Fraction:
    """The claim for tables of so many rows, where symbols have these values."""
    return Fraction(approximate(asked.claim, {**values, variable("n", "Int"): Fraction(min(rows))}))


def arguments_of(asked: Question, symbols: Mapping[str, Fraction]) -> dict[str, Any]:
    """The arguments besides the table, where symbols have these values."""
    fixed = {name: literal(text) for name, text in asked.values.items()}
    fixed |= {name: plain(value) for name, value in asked.given.items()}
    return fixed | {name: whole(number) for name, number in symbols.items()}


def plain(value: Any) -> Any:
    """A value whose numbers are all Fractions as the function sees it: whole numbers are ints, lists are lists."""
    if isinstance(value, Fraction):
        return whole(value)
    return list(map(plain, value)) if isinstance(value, list | tuple) else value


def rows_of(asked: Question, rows: Sequence[Any]) -> list[Any]:
    """Rows whose numbers are all Fractions, as the function sees them."""
    kind = kind_of(asked.record, {str(symbol.value): symbol for symbol in asked.symbols})
    return [fitted(kind, row) for row in rows]


def drawn_pairs(asked: Question, pairs: int, found: Opinion) -> Iterator[Pair]:
    """Neighbouring tables that fulfil every condition; half of them are made from the text's own constants."""
    size = variable("n", "Int")
    kind = kind_of(asked.record, {str(symbol.value): symbol for symbol in asked.symbols})
    said = [str(asked.assumption), *asked.values.values(), *words_of(asked.record)]
    constants = Constants.of(asked.source, said)
    digest = hashlib.sha256(repr((asked.source, asked.function, said, asked.neighbours, str(asked.claim))).encode())
    random, public = Random(digest.digest()), public_size(asked.assumption)
    for attempt in range(pairs * ATTEMPTS):
        if found.tried == pairs:
            return
        from_text = attempt % 2 == 0
        values = {one: symbol_value(random, constants, one.sort == "Int", from_text) for one in asked.symbols}
        draw = Draw(
            random, constants, dict(values), from_text, is_long=found.tried >= pairs - min(LONG_PAIRS, pairs // 10)
        )
        made = pair_of(asked, kind, draw, public)
        if made is None:
            continue
        known = {**values, size: Fraction(min(map(len, made)))}
        try:
            if asked.assumption is not None and approximate(asked.assumption, known) is not True:
                continue
            claim = Fraction(approximate(asked.claim, known))
        except ArithmeticError:
            continue
        found.tried += 1
        yield Pair(*made, arguments_of(asked, {str(one.value): number for one, number in values.items()}), claim)


def public_size(assumption: Term | None) -> int | None:
    """The number of rows that is assumed, if it is one; None where tables of that size would take too long."""
    match None if assumption is None else (assumption.operator, assumption.arguments):
        case "==", (one, other) if {one.operator, other.operator} == {"name", "number"}:
            named, size = (one, other) if one.operator == "name" else (other, one)
            if named.value == "n" and isinstance(size.value, Fraction) and size.value <= LONGEST_PUBLIC:
                return int(size.value)
    return None


def pair_of(asked: Question, kind: Kind, draw: Draw, public: int | None) -> tuple[list[Any], list[Any]] | None:
    """Two neighbouring tables that differ, of a public size where there is one; None where the draw gives none."""
    try:
        rows = table(draw, kind, size_of(draw) if public is None else public)
        other = neighbour(draw, kind, rows, asked.neighbours, asked.edits, asked.in_any_order)
    except (LookupError, ArithmeticError):
        return None
    if other is None or typed(rows) == typed(other):
        return None
    return rows, other


def typed(value: Any) -> Any:
    """A value in which 1 and True are different."""
    return repr(value)


def whole(number: Fraction) -> int | Fraction:
    """An int where the number is one."""
    return int(number) if number.denominator == 1 else number


def symbol_value(random: Random, constants: Constants, is_whole: bool, from_text: bool) -> Fraction:
    """A value of a symbol."""
    if from_text and random.random() < 0.7:
        found = random.choice(constants.numbers)
    else:
        found = Fraction(random.randint(-12, 12), 1 if is_whole else random.choice((1, 1, 2, 3)))
    return Fraction(found // 1) if is_whole else found


def words_of(record: Declared) -> list[str]:
    """The texts that declare the records."""
    if isinstance(record, str):
        return [record]
    if isinstance(record, Number | Labels | Maybe | Columns):
        return []
    return list(record.values()) if isinstance(record, Mapping) else list(record)


def ran(asked: Question, pairs: Sequence[Pair], found: Opinion) -> list[tuple[Ran | None, Ran | None]]:
    """What CPython answers on each pair; None where a run shows nothing."""
    runs = []
    for pair in pairs:
        words = {name: packed(value) for name, value in pair.arguments.items()}
        runs += [(list(map(packed, rows)), words) for rows in (pair.first, pair.second)]
    try:
        job = {"kind": "query", "function": asked.function, "runs": runs}
        (results,) = answers(asked.source, [job], max(SECONDS, len(runs) // RUNS_A_SECOND))
    except NotRun as reason:
        results, found.why_not = None, str(reason)
    if results is None:
        found.why_not = found.why_not or "the runs were ended, as they took too long or too much memory"
        return []
    outcomes = [outcome_of(one, found) for one in results]
    return list(zip(outcomes[::2], outcomes[1::2], strict=True))


def outcome_of(result: Mapping[str, Any], found: Opinion) -> Ran | None:
    """What one run showed."""
    if "unclear" in result:
        found.unclear = found.unclear or str(result["unclear"])
        return None
    if "unloaded" in result:
        found.unloaded = str(result["unloaded"])
        return None
    if "raised" in result:
        return Ran(str(result["raised"]))
    return Ran(dict(places(unpacked(result["answer"]), ())), "rounded" in result)


def places(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Every number, text, truth value and None of an answer, with its place."""
    if isinstance(value, list | tuple | dict):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))
        if path and not value:
            yield path, "empty"
    elif isinstance(value, bool) or value is None:
        yield path, value
    elif isinstance(value, int | Fraction):
        yield path, Fraction(value)
    else:
        yield path, repr(value) if isinstance(value, str) else str(value)


def distance(first: Answer, second: Answer, norm: str) -> Fraction | None:
    """How far apart two answers are, squared under L2; None where infinitely far.

    An exception on one table only, another one, other keys, another order of keys: infinitely far.
    """
    if isinstance(first, str) or isinstance(second, str):
        return Fraction(0) if first == second else None
    if list(first) != list(second):
        return None
    moves = []
    for path, one in first.items():
        other = second[path]
        if isinstance(one, bool | Fraction) and isinstance(other, bool | Fraction):
            moves.append(abs(Fraction(one) - Fraction(other)))
        elif one != other or type(one) is not type(other):
            return None
    if norm == "Linf":
        return max(moves, default=Fraction(0))
    return sum((move * move for move in moves) if norm == "L2" else moves, Fraction(0))


def note(found: Opinion, rows: Sequence[Any], answer: Answer | None) -> None:
    """Whether the function answered, or what it raised, on a table with rows; a rounded answer is one, too."""
    if rows:
        found.answered = found.answered or isinstance(answer, Mapping)
        found.raised = answer if isinstance(answer, str) else found.raised


def agree(
    found: Opinion, others: Mapping[str, Other], rows: Sequence[Any], arguments: Mapping[str, Any], ran: Answer | None
) -> bool:
    """Whether refdp takes the function to do what CPython does; else the contradiction is found."""
    said = {"CPython": ran} | {name: other(rows, arguments) for name, other in others.items()}
    found.compared = found.compared or said[INTERPRETER] is not None
    known = [(name, answer) for name, answer in said.items() if answer is not None]
    note(found, rows, said[INTERPRETER])
    for name, answer in known[1:]:
        if not same(known[0][1], answer):
            found.contradiction = (
                f"on {shown(rows)}{with_arguments(arguments)} {known[0][0]} answers {shown(known[0][1])}, "
                f"and {name} {shown(answer)}"
            )
            return False
    return True


def same(first: Answer, second: Answer) -> bool:
    """Whether two answers are the same, in whatever order their keys are."""
    if isinstance(first, str) or isinstance(second, str):
        return first == second
    if any(isinstance(key, str) for key in (*first, *second)):
        return labelled(first) == labelled(second)
    return dict(first) == dict(second)


def labelled(answer: Mapping[Any, Any]) -> dict[str, Any]:
    """An answer by labels such as "a.0"; of a part that is no number the label alone."""
    found = {}
    for path, value in answer.items():
        names = [",".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in path]
        found[path if isinstance(path, str) else ".".join(names)] = value
    return found


def shown(value: Any) -> str:
    """Rows or an answer in a sentence."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and all(isinstance(key, tuple) for key in value):
        value = labelled(value)
    if isinstance(value, Mapping) and list(value) == [""]:
        value = value[""]
    text = written(value)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 3] + "..."


def written(value: Any) -> str:
    """A value as Python writes it, with fractions such as 1/3."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, list | tuple):
        inner = ", ".join(map(written, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r}: {written(part)}' for key, part in value.items())}}}"
    return str(value) if isinstance(value, str) else repr(value)


def with_arguments(arguments: Mapping[str, Any]) -> str:
    """with a = 1, b = 2."""
    said = ", ".join(f"{name} = {written(value)}" for name, value in arguments.items())
    return f" with {said}" if said else ""
