"""Random neighbouring tables, half of them made from what the text itself says: its numbers, labels and lengths.

How records and parameters are declared is read here from the words of the question, as docs/how_to/sensitivity.md says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from refdp.second_judge.numbers import approximate
from refdp.terms.expressions import read_number
from refdp.terms.term import Term

MOST_CONSTANTS = 300
"""Most numbers of a text that are used."""
LONGEST = 120
"""Most rows of a table, but for the few that are long."""
LONG = 2_000
"""Most rows of a long table: what a text does only from some number of rows on is seen up to here."""
COMMON_SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8)
OR_MISSING = " or missing"
DENOMINATORS = (1, 1, 1, 2, 3, 4, 10)
SPREADS = (2, 10, 10, 100, 1000, 10**6)
HALF = Fraction(1, 2)
NUMBER = re.compile(r"\d+\.?\d*(?:[eE][-+]?\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Constants:
    """The numbers and texts that a text writes, and numbers beside them."""

    numbers: tuple[Fraction, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, source: str, words: Sequence[str]) -> Constants:
        """Those of a source and of the words of the question."""
        values = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
        written = [Fraction(v) if isinstance(v, int) else Fraction(repr(v)) for v in values if is_finite(v)]
        written += [Fraction(one) for word in words for one in NUMBER.findall(word)]
        written = list(dict.fromkeys(w for w in written if abs(w) < 10**12))[:MOST_CONSTANTS]
        beside = [n for w in written for n in (w, w + 1, w - 1, w + HALF, w - HALF, -w, 2 * w, w / 2)]
        texts = tuple(dict.fromkeys(v for v in values if isinstance(v, str) and len(v) <= 40))
        return cls(tuple(dict.fromkeys(beside)) or (Fraction(0),), texts)

    def sizes(self) -> tuple[int, ...]:
        """Numbers of rows that the text speaks of, and those beside them."""
        return tuple(int(n) for n in self.numbers if n.denominator == 1 and 0 <= n <= LONGEST)

    def long_sizes(self) -> tuple[int, ...]:
        """The same, of long tables."""
        return tuple(int(n) for n in self.numbers if n.denominator == 1 and LONGEST < n <= LONG)


def is_finite(value: object) -> bool:
    """Whether a constant is a number, no truth value and no infinity."""
    if isinstance(value, float):
        return value - value == 0
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Draw:
    """What random values are made of: the source of chance, the text's constants, and the values of the symbols."""

    random: Random
    constants: Constants
    symbols: Mapping[Term, Any]
    from_text: bool
    """Whether values are made from the text's constants."""
    is_long: bool = False
    """Whether a table is long, where the text speaks of such a number of rows."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number between bounds."""

    lower: Term | None
    upper: Term | None
    is_whole: bool

    def value(self, draw: Draw) -> int | Fraction:
        """A number within the bounds; LookupError where there is none."""
        low, high = (None if end is None else approximate(end, draw.symbols) for end in (self.lower, self.upper))
        if self.is_whole:
            low, high = (
                (None if low is None else Fraction(-(-low // 1))),
                (None if high is None else Fraction(high // 1)),
            )
        if low is not None and high is not None and low > high:
            raise LookupError("no number is within the bounds")
        found = self._made(draw, low, high)
        found = Fraction(round(found)) if self.is_whole else found
        found = found if low is None else max(low, found)
        found = found if high is None else min(high, found)
        return int(found) if self.is_whole else found

    def _made(self, draw: Draw, low: Fraction | None, high: Fraction | None) -> Fraction:
        """A number near what the text says, or anywhere."""
        random = draw.random
        ends = [end for end in (low, high) if end is not None]
        if draw.from_text:
            if ends and random.random() < 0.3:
                return random.choice(ends)
            known = [value for value in draw.symbols.values() if not isinstance(value, bool)]
            if known and random.random() < 0.3:
                return Fraction(random.choice(known)) + random.choice((-1, 0, 0, 1, HALF))
            within = [n for n in draw.constants.numbers if (low is None or low <= n) and (high is None or n <= high)]
            return random.choice(within or ends or draw.constants.numbers)
        if low is not None and high is not None and random.random() < 0.7:
            return low + (high - low) * Fraction(random.randint(0, 12), 12)
        return Fraction(random.randint(-(spread := random.choice(SPREADS)), spread), random.choice(DENOMINATORS))


@dataclass(frozen=True, slots=True)
class Labels:
    """One of these."""

    labels: tuple[Any, ...]

    def value(self, draw: Draw) -> Any:
        """A label, of those that the text names where it names some."""
        named = [one for one in self.labels if one in draw.constants.texts or is_finite(one)]
        return draw.random.choice(named if draw.from_text and named and draw.random.random() < 0.7 else self.labels)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or None."""

    kind: Number | Labels

    def value(self, draw: Draw) -> Any:
        """None now and then."""
        return None if draw.random.random() < 0.25 else self.kind.value(draw)


@dataclass(frozen=True, slots=True)
class Columns:
    """A dict, or a tuple where the columns are 0, 1, 2, ..."""

    kinds: tuple[tuple[str | int, Number | Labels | Maybe], ...]

    def value(self, draw: Draw) -> Any:
        """A value in each column."""
        found = [(name, kind.value(draw)) for name, kind in self.kinds]
        if all(isinstance(name, int) for name, _ in found):
            return tuple(value for _, value in found)
        return dict(found)


Kind = Number | Labels | Maybe | Columns


Declared = str | Mapping[str, str] | Sequence[str] | Kind
"""The words that declare the records or their columns, or the kind itself where there are no words."""


def kind_of(declared: Declared, symbols: Mapping[str, Term]) -> Kind:
    """The kind of the records."""
    if isinstance(declared, Number | Labels | Maybe | Columns):
        return declared
    if isinstance(declared, str):
        return one_kind(declared, symbols)
    pairs: list[tuple[str | int, str]]
    pairs = list(declared.items()) if isinstance(declared, Mapping) else list(enumerate(declared))
    return Columns(tuple((name, one_kind(text, symbols)) for name, text in pairs))


def one_kind(text: str, symbols: Mapping[str, Term]) -> Number | Labels | Maybe:
    """What one column may hold."""
    text = text.strip()
    if text.endswith(OR_MISSING):
        inner = one_kind(text.removesuffix(OR_MISSING), symbols)
        return inner if isinstance(inner, Maybe) else Maybe(inner)
    if text in ("numbers", "integers"):
        return Number(None, None, text == "integers")
    if "|" in text:
        return Labels(tuple(labels(text)))
    lower, _, upper = text.removeprefix("integers ").partition("..")
    ends = [read_number(end, symbols, "a bound") if end.strip() else None for end in (lower, upper)]
    return Number(ends[0], ends[1], text.startswith("integers "))


def labels(text: str) -> Iterator[Any]:
    """The labels: whole numbers and truth values where all are such, else texts; what is neither is read as Python."""
    parts = [part.strip() for part in text.split("|")]
    read = [literal(part) for part in parts]
    if all(isinstance(one, int) for one in read) or not any(one is None or is_finite(one) for one in read):
        yield from read
    elif all(re.fullmatch(r"-?\d+", part) or not is_number_like(part) for part in parts):
        yield from parts
    else:
        yield from read


def is_number_like(text: str) -> bool:
    """Whether a reader would take a text for a number, a truth value or None."""
    return not isinstance(literal(text), str)


def literal(text: str) -> Any:
    """The value that a text writes: a number, a truth value, None, a list of these, else the text itself.

    >>> literal("1/3"), literal("[1, 2.5]"), literal("inf"), literal("Gentoo")
    (Fraction(1, 3), [1, Fraction(5, 2)], inf, 'Gentoo')
    """
    text = text.strip()
    if text.lower() in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text.lower()]
    if text.lower().lstrip("+-") in ("inf", "infinity", "nan"):
        return float(text)
    if text.startswith("[") and text.endswith("]"):
        return [literal(part) for part in parts_of(text[1:-1])]
    try:
        return int(text) if re.fullmatch(r"[+-]?\d+", text) else Fraction(text)
    except ValueError:
        pass
    except ZeroDivisionError:
        return text
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text.strip("'\"")
    return Fraction(repr(found)) if isinstance(found, float) and is_finite(found) else found


def parts_of(text: str) -> Iterator[str]:
    """The parts between the commas that stand in no brackets."""
    depth, part = 0, ""
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            yield part
            part = ""
        else:
            part += letter
    if part.strip():
        yield part


def fitted(kind: Kind, value: Any) -> Any:
    """A value of a kind whose numbers are all Fractions, as the function sees it."""
    match kind:
        case Maybe():
            return None if value is None else fitted(kind.kind, value)
        case Labels():
            return next((one for one in kind.labels if one == value and is_truth(one) == is_truth(value)), value)
        case Columns():
            parts = {name: fitted(one, value[name]) for name, one in kind.kinds}
            return tuple(parts.values()) if isinstance(value, list | tuple) else parts
    return int(value) if kind.is_whole else value


def is_truth(value: object) -> bool:
    """Whether it is True or False."""
    return isinstance(value, bool)


def table(draw: Draw, kind: Kind, size: int) -> list[Any]:
    """A table of so many rows, of few different values now and then."""
    if size > 12 or draw.random.random() < 0.4:
        palette = [kind.value(draw) for _ in range(draw.random.randint(1, 3))]
        return [draw.random.choice(palette) for _ in range(size)]
    return [kind.value(draw) for _ in range(size)]


def size_of(draw: Draw) -> int:
    """A number of rows."""
    if draw.is_long and (long := draw.constants.long_sizes()):
        return draw.random.choice(long)
    known = draw.constants.sizes()
    if draw.from_text and known and draw.random.random() < 0.6:
        return draw.random.choice(known)
    return draw.random.choice(COMMON_SIZES)


def neighbour(
    draw: Draw, kind: Kind, rows: Sequence[Any], neighbours: str, edits: int, in_any_order: bool
) -> list[Any] | None:
    """A table within so many edits; None where there is none."""
    found = list(rows)
    for _ in range(draw.random.randint(1, min(edits, 6))):
        if neighbours == "change_one":
            if not found:
                return None
            found[draw.random.randrange(len(found))] = kind.value(draw)
        elif found and draw.random.random() < 0.5:
            del found[draw.random.randrange(len(found))]
        else:
            found.insert(draw.random.randint(0, len(found)), kind.value(draw))
    if in_any_order:
        draw.random.shuffle(found)
    return found
