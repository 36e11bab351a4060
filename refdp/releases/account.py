"""The state of a privacy budget, exactly, and its text: total, charges, and what is left.

The text is JSON with every number as text, `"format": "refdp-budget/1"`.  Only what `text_of` writes is read back:
unknown or repeated keys, JSON numbers, fractions not in lowest terms and charges beyond the total are refused.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn

from refdp.numerics.cancellation import NotExact
from refdp.numerics.exact import Exactly, exact
from refdp.releases.errors import BudgetExceeded, InputError

FORMAT = "refdp-budget/1"
NEIGHBOURS = ("add_remove", "change_one")
MAXIMUM_BYTES = 2**24
"""Of the text of an account."""
MAXIMUM_TEXT = 10_000
"""Longest description of a query, or name of the data, in characters."""
MAXIMUM_BITS = 4_000
"""Largest numerator and denominator of an amount, and of what is left: their text stays below Python's own limit."""
RATIONAL = re.compile(r"0|[1-9][0-9]*(?:/[1-9][0-9]*)?")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@dataclass(frozen=True, slots=True)
class Charge:
    """`epsilon` was spent on `query` at `time` (UTC)."""

    epsilon: Fraction
    """Read exactly from an int, a Fraction or text, as `total` is."""
    query: str
    time: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_amount("epsilon", self.epsilon))
        checked_text("query", self.query)
        if not TIME.fullmatch(checked_text("time", self.time)):
            raise InputError(f"time must be written as 2017-09-20T12:00:00Z, got {shown(self.time)}")


@dataclass(frozen=True, slots=True)
class Account:
    """A budget of `total` for pure privacy of `data` under `neighbours`: its charges sum to at most `total`."""

    neighbours: str
    data: str
    """`sha256:` and the digest of the table, or a name that the curator declares."""
    total: Fraction
    charges: tuple[Charge, ...] = ()
    measure: str = "pure"

    def __post_init__(self) -> None:
        if self.measure != "pure":
            raise InputError(f"measure must be 'pure', got {shown(self.measure)}")
        if self.neighbours not in NEIGHBOURS:
            raise InputError(f"neighbours must be {' or '.join(NEIGHBOURS)}, got {shown(self.neighbours)}")
        checked_text("data", self.data)
        object.__setattr__(self, "total", checked_amount("total", self.total))
        left = self.total
        for charge in self.charges:
            left -= charge.epsilon
            if left < 0:
                raise InputError(f"the charges must sum to at most the total of {self.total}, got more")
            if too_long(left):
                raise InputError(f"what is left must have at most {MAXIMUM_BITS} bits, got more")

    @property
    def remaining(self) -> Fraction:
        """Total minus the sum of the charges, exactly; >= 0."""
        return self.total - sum((charge.epsilon for charge in self.charges), Fraction(0))

    def charged(self, charge: Charge) -> Account:
        """The account after `charge`; BudgetExceeded, saying what is left, where that does not suffice."""
        left = self.remaining
        if charge.epsilon > left:
            raise BudgetExceeded(f"epsilon must be at most what is left of the budget, {left} of {self.total}, "
                                 f"got {charge.epsilon}")  # fmt: skip
        if too_long(left - charge.epsilon):
            raise InputError(f"epsilon must leave a remainder of at most {MAXIMUM_BITS} bits, got a longer one")
        return replace(self, charges=(*self.charges, charge))

    def require(self, expected: Account) -> None:
        """InputError where this account, from a file, is not about the same budget as `expected`."""
        for name in ("measure", "neighbours", "total"):
            here, there = getattr(self, name), getattr(expected, name)
            if here != there:
                raise InputError(f"the budget file says {name} {here}, got {there}")
        if self.data != expected.data:  # unsaid: a digest tells much about a small table
            raise InputError("the budget file is about other data, or about another version of it")


def too_long(amount: Fraction) -> bool:
    """Whether the amount has a numerator or denominator beyond MAXIMUM_BITS."""
    return max(amount.numerator.bit_length(), amount.denominator.bit_length()) > MAXIMUM_BITS


def checked_amount(name: str, amount: Exactly) -> Fraction:
    """`amount` as a Fraction > 0; InputError otherwise."""
    try:
        value = exact(amount, name)
    except NotExact as error:
        raise InputError(str(error)) from None
    if too_long(value):
        raise InputError(f"{name} must have at most {MAXIMUM_BITS} bits, got more")
    if value <= 0:
        raise InputError(f"{name} must be > 0, got {value}")
    return value


def checked_text(name: str, text: object) -> str:
    """`text` where it is 1 to MAXIMUM_TEXT printable characters; InputError otherwise."""
    if not isinstance(text, str) or not 1 <= len(text) <= MAXIMUM_TEXT or not text.isprintable():
        raise InputError(f"{name} must be 1 to {MAXIMUM_TEXT} printable characters, got {shown(text)}")
    return text


def shown(value: object) -> str:
    """`value` as an error repeats it: in one line, cut off where it is long."""
    return value[:80].__repr__() if isinstance(value, str) else repr(value)[:80]


def text_of(account: Account) -> str:
    """The account as JSON."""
    charges = [{"epsilon": str(c.epsilon), "query": c.query, "time": c.time} for c in account.charges]
    return json.dumps(
        {
            "format": FORMAT,
            "measure": account.measure,
            "neighbours": account.neighbours,
            "data": account.data,
            "total": str(account.total),
            "charges": charges,
        },
        ensure_ascii=False,
        indent=1,
    )


def read_account(content: bytes) -> Account:
    """The account that `content`, the bytes of a budget file, writes down; InputError if they are not one."""
    if len(content) > MAXIMUM_BYTES:
        raise InputError(f"it must have at most {MAXIMUM_BYTES} bytes, got more")
    try:
        read = json.loads(
            content.decode("utf-8"), object_pairs_hook=_unrepeated, parse_int=_refused, parse_float=_refused,
            parse_constant=_refused,
        )  # fmt: skip
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("it must be JSON in UTF-8, got something else") from None
    fields = _fields(read, ("format", "measure", "neighbours", "data", "total", "charges"))
    if fields["format"] != FORMAT:
        raise InputError(f"format must be {FORMAT}, got something else")
    if not isinstance(fields["charges"], list):
        raise InputError("charges must be a list, got something else")
    charges = [_fields(c, ("epsilon", "query", "time")) for c in fields["charges"]]
    return Account(
        neighbours=fields["neighbours"],
        data=fields["data"],
        total=read_rational("total", fields["total"]),
        charges=tuple(Charge(read_rational("epsilon", c["epsilon"]), c["query"], c["time"]) for c in charges),
        measure=fields["measure"],
    )


def read_rational(name: str, text: object) -> Fraction:
    """The fraction that `text` writes down in lowest terms, such as 1/2; InputError otherwise."""
    if not isinstance(text, str) or len(text) > MAXIMUM_BITS or not RATIONAL.fullmatch(text):
        raise InputError(f'{name} must be an exact rational as text, such as "1/2", got something else')
    if str(Fraction(text)) != text:
        raise InputError(f"{name} must be in lowest terms, got {shown(text)}")
    return Fraction(text)


def _fields(read: object, keys: tuple[str, ...]) -> dict[str, Any]:
    """`read` where it is an object with exactly these keys."""
    if not isinstance(read, dict) or set(read) != set(keys):
        raise InputError(f"an object must have exactly the keys {', '.join(keys)}, got something else")
    return read


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as a dictionary; InputError where a key comes twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InputError("an object must have each key once, got one twice")
    return found


def _refused(text: str) -> NoReturn:
    raise InputError(f"a number must be written as text, got {shown(text)}")
