"""What is true of a question about a table function: Python runs it on tables; nothing of the checkers is used."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from itertools import product
from typing import Any, Literal

from tests.sensitivities.brute_force import NotExact, distance, exact_function, outcome

Truth = Literal["true", "false", "unknown"]
MOST_PAIRS = 1_500
MOST_ROWS = 3
SYMBOLS: Mapping[str, tuple[Fraction, ...]] = {
    "Int": tuple(map(Fraction, (-2, 0, 1, 3))),
    "Real": (Fraction(-2), Fraction(0), Fraction(1, 2), Fraction(4)),
}


class Unreadable(ValueError):
    """A claim that this file does not read."""


def truth(claim: Mapping[str, Any], verdict: str, evidence: Any, must_answer: bool = False) -> tuple[Truth, str]:
    """Whether the verdict about the claim in exact arithmetic is right, as far as small tables tell.

    A theorem says that the function answers; the formats of before say nothing of two tables on which it raises alike.
    """
    try:
        if verdict == "REFUTED":
            return refuted(claim, evidence, must_answer)
        return proved(claim, must_answer)
    except (NotExact, Unreadable, KeyError, SyntaxError) as error:
        return "unknown", f"{type(error).__name__} {error}"


def refuted(claim: Mapping[str, Any], evidence: Mapping[str, Any], must_answer: bool) -> tuple[Truth, str]:
    """By running the function on both tables of the pair."""
    first, second = ([concrete(row) for row in evidence[key]] for key in ("first", "second"))
    symbols = {name: Fraction(value) for name, value in evidence["parameters"].items()}
    rows = min(len(first), len(second))
    known = {**symbols, "n": Fraction(rows)}
    if not all(belongs(claim["record"], row, known) for row in (*first, *second)):
        return "false", "a row is none of the records"
    if value(claim["assumption"], known) is not True:
        return "false", "the assumption does not hold"
    if edits(first, second, claim) > int(claim["edits"]):
        return "false", "the tables are no neighbours"
    moved = moves(claim, first, second, symbols, must_answer)
    if moved > bound(claim, known):
        return "true", "Python moves further"
    return "false", f"Python moves by {moved}"


def proved(claim: Mapping[str, Any], must_answer: bool) -> tuple[Truth, str]:
    """By every small table of some rows, with every edit; more than one edit is a walk of so many."""
    tried = 0
    for symbols in assignments(claim["symbols"]):
        rows = samples(claim["record"], symbols)
        for first, second in neighbours(rows, claim):
            if (tried := tried + 1) > MOST_PAIRS:
                break
            known = {**symbols, "n": Fraction(min(len(first), len(second)))}
            if value(claim["assumption"], known) is not True:
                continue
            moved = moves(claim, first, second, symbols, must_answer)
            if moved > bound(claim, known):
                return "false", f"it moves by {moved} between {first} and {second}"
    return ("true", "small tables") if tried else ("unknown", "no tables")


def moves(
    claim: Mapping[str, Any], first: Sequence[Any], second: Sequence[Any], symbols: Mapping[str, Any], must_answer: bool
) -> Any:
    """How far Python's answer moves; squared under L2.  Infinitely where it must answer and raises."""
    function = exact_function(claim["source"], claim["function"])
    values = taken(function, {name: concrete(one) for name, one in claim["values"].items()} | dict(symbols))
    answers = [outcome(function, rows, values) for rows in (first, second)]
    if must_answer and any(isinstance(one, str) for one in answers):
        return math.inf
    return distance(*answers, claim["norm"])


def taken(function: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the function's own parameters: others stand in claims and bounds alone."""
    names = list(signature(function).parameters)[1:]
    return {name: one for name, one in values.items() if name in names}


def bound(claim: Mapping[str, Any], known: Mapping[str, Any]) -> Fraction:
    """What is claimed; squared under L2, in which a negative claim stays one."""
    found = Fraction(value(claim["claim"], known))
    return found * abs(found) if claim["norm"] == "L2" else found


def concrete(found: Any) -> Any:
    """A value that JSON stands for."""
    if found is None or isinstance(found, bool):
        return found
    ((kind, inner),) = found.items() if isinstance(found, dict) and len(found) == 1 else ((None, None),)
    match kind:
        case "number":
            number = Fraction(inner)
            return int(number) if number.denominator == 1 else number
        case "text":
            return inner
        case "tuple" | "list":
            return tuple(map(concrete, inner))
        case "fields" | "dict" | "object":
            return {concrete(key): concrete(one) for key, one in inner}
    raise Unreadable(f"a value {found}")


def samples(kind: Mapping[str, Any], known: Mapping[str, Any]) -> list[Any]:
    """Some records: ends, what is beside them, and some between."""
    ((name, inner),) = kind.items()
    if name == "number":
        ends = [None if end is None else Fraction(value(end, known)) for end in (inner["lower"], inner["upper"])]
        between = [Fraction(x) for x in (0, 1, 5, Fraction(11, 2), 6, 7, 18, -3, 1000)]
        found = [end for end in ends if end is not None] + between
        kept = [
            x for x in dict.fromkeys(found) if (ends[0] is None or ends[0] <= x) and (ends[1] is None or x <= ends[1])
        ]
        return [int(x) if x.denominator == 1 else x for x in kept if not inner["is_integer"] or x.denominator == 1]
    if name == "category":
        return [concrete(one) for one in inner]
    if name == "missing":
        return [None, *samples(inner, known)]
    if name == "fields":
        keys = [concrete(key) for key, _ in inner]
        columns = [samples(one, known)[:3] for _, one in inner]
        rows = [dict(zip(keys, row, strict=True)) for row in product(*columns)]
        places = keys == list(range(len(keys)))
        return [tuple(row.values()) if places else row for row in rows]
    raise Unreadable(f"records {name}")


def belongs(kind: Mapping[str, Any], row: Any, known: Mapping[str, Any]) -> bool:
    """Whether the row is one of the records."""
    ((name, inner),) = kind.items()
    if name == "number":
        if isinstance(row, bool) or not isinstance(row, int | Fraction):
            return False
        low, high = (None if end is None else value(end, known) for end in (inner["lower"], inner["upper"]))
        return (low is None or low <= row) and (high is None or row <= high) and (
            not inner["is_integer"] or Fraction(row).denominator == 1)  # fmt: skip
    if name == "category":
        return any(type(row) is type(one) and row == one for one in map(concrete, inner))
    if name == "missing":
        return row is None or belongs(inner, row, known)
    if name == "fields":
        members = row if isinstance(row, dict) else dict(enumerate(row)) if isinstance(row, tuple) else {}
        return [*members] == [concrete(key) for key, _ in inner] and all(
            belongs(one, members[concrete(key)], known) for key, one in inner)  # fmt: skip
    raise Unreadable(f"records {name}")


def edits(first: Sequence[Any], second: Sequence[Any], claim: Mapping[str, Any]) -> float:
    """How many edits are needed, at least those that counts tell; of lists the order counts."""
    change = claim["neighbours"] == "change_one"
    if change and len(first) != len(second):
        return math.inf
    if claim["tables"] == "multisets":
        one, other = (Counter(map(repr, table)) for table in (first, second))
        gone, new = (one - other).total(), (other - one).total()
        return max(gone, new) if change else gone + new
    if change:
        return sum(repr(a) != repr(b) for a, b in zip(first, second, strict=True))
    return inserted(list(map(repr, first)), list(map(repr, second)))


def inserted(first: list[str], second: list[str]) -> int:
    """The least number of rows added and removed between two lists."""
    lengths = {(i, 0): 0 for i in range(len(first) + 1)} | {(0, j): 0 for j in range(len(second) + 1)}
    for i, a in enumerate(first, 1):
        for j, b in enumerate(second, 1):
            lengths[i, j] = lengths[i - 1, j - 1] + 1 if a == b else max(lengths[i - 1, j], lengths[i, j - 1])
    return len(first) + len(second) - 2 * lengths[len(first), len(second)]


def neighbours(rows: list[Any], claim: Mapping[str, Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Pairs of tables: the first few rows in every order, and each edit; then so many of them."""
    count = int(claim["edits"])
    for size in range(MOST_ROWS + 1):
        for table in product(rows[:6], repeat=size):
            first = list(table)
            if size > 0 if claim["neighbours"] == "change_one" else count > 1:
                yield first, first
                if claim["tables"] == "multisets" and size > 1:
                    yield first, first[::-1]
            if count < 1:
                continue
            if claim["neighbours"] == "add_remove":
                for row in rows:
                    more = first + [row] * count
                    yield first, more
                    yield more, first
                    yield first, [row] * count + first
            elif size >= count:
                for row in rows:
                    yield first, [row] * count + first[count:]
                    yield first, first[:-count] + [row] * count


def assignments(symbols: Mapping[str, str]) -> Iterator[dict[str, Fraction]]:
    """Values of the symbols."""
    return (dict(zip(symbols, one, strict=True)) for one in product(*(SYMBOLS[sort] for sort in symbols.values())))


# Expressions of certificates, read apart from the package.

TOKEN = re.compile(r"\|[^|]*\||[()]|[^\s()|]+")
OPERATORS: Mapping[str, Callable[..., Any]] = {
    "and": lambda *a: all(a), "or": lambda *a: any(a), "not": lambda a: not a, "=>": lambda a, b: not a or b,
    "=": lambda a, *b: all(a == x for x in b), "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "+": lambda *a: sum(a), "*": lambda *a: math.prod(a),
    "-": lambda a, *b: a - sum(b) if b else -a, "/": lambda a, b: Fraction(a) / b, "ite": lambda a, b, c: b if a else c,
    "root": lambda a: Fraction(math.isqrt(int(a * 10**80)), 10**40), "to_real": lambda a: a,
    "to_int": math.floor, "distinct": lambda a, b: a != b, "xor": lambda a, b: a != b,
}  # fmt: skip


def value(text: str, known: Mapping[str, Any]) -> Any:
    """What an expression is where its names have these values; Unreadable where this file cannot tell."""
    tokens = TOKEN.findall(text)
    try:
        found, rest = tree(tokens)
        if rest:
            raise Unreadable(text)
        return evaluated(found, dict(known))
    except (IndexError, ValueError, TypeError, KeyError, ZeroDivisionError) as error:
        raise Unreadable(f"{text}: {error}") from None


def tree(tokens: list[str]) -> tuple[Any, list[str]]:
    """The first expression of the tokens, and the others."""
    first, rest = tokens[0], tokens[1:]
    if first != "(":
        return first, rest
    found: list[Any] = []
    while rest[0] != ")":
        one, rest = tree(rest)
        found.append(one)
    return found, rest[1:]


def evaluated(found: Any, known: dict[str, Any]) -> Any:
    """The value of a tree."""
    if isinstance(found, str):
        name = found.strip("|")
        return found == "true" if found in ("true", "false") else known[name] if name in known else Fraction(found)
    if found[0] == "let":
        return evaluated(found[2], known | {name.strip("|"): evaluated(one, known) for name, one in found[1]})
    return OPERATORS[found[0]](*(evaluated(one, known) for one in found[1:]))
