"""The state of a privacy budget, exactly, and its text: total, charges, and what is left.

    measure        a charge                 the charges of all releases together
    pure           epsilon                  sum of epsilon
    approximate    epsilon and delta        sum of epsilon, sum of delta
    concentrated   rho                      sum of rho
    renyi          epsilon at one order     sum of epsilon

The order of a budget in Renyi DP, and the (epsilon, delta) that a budget in rho or at an order is converted to, are
fixed when the budget is made.  That sums bound whatever is chosen in view of earlier answers is the kernel's rule
`filtered`; no such rule is known for privacy curves, so no account is run again over charges.

The text is JSON with every number as text, `"format": "refdp-budget/1"`.  Only what `text_of` writes is read back:
unknown or repeated keys, JSON numbers, fractions not in lowest terms and charges beyond the total are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn

from refdp.numerics.cancellation import NotExact
from refdp.numerics.exact import Exactly, decide, exact
from refdp.releases.errors import BudgetExceeded, InputError
from refdp.spec.conversions import epsilon_of_concentrated, epsilon_of_renyi
from refdp.terms.term import Term, number

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


AMOUNTS: Mapping[str, str] = {"pure": "epsilon", "approximate": "epsilon", "concentrated": "rho", "renyi": "epsilon"}
"""Measure -> what a charge is called, besides its delta under the measure approximate."""


@dataclass(frozen=True, slots=True)
class Charge:
    """`amount`, and `delta` where the measure has one, were spent on `query` at `time` (UTC)."""

    amount: Fraction
    """Read exactly from an int, a Fraction or text, as `total` is."""
    query: str
    time: str
    delta: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", checked_amount("epsilon", self.amount))
        if self.delta is not None:
            object.__setattr__(self, "delta", checked_delta("delta", self.delta))
        checked_text("query", self.query)
        if not TIME.fullmatch(checked_text("time", self.time)):
            raise InputError(f"time must be written as 2017-09-20T12:00:00Z, got {shown(self.time)}")


@dataclass(frozen=True, slots=True)
class Account:
    """A budget of `total` for the privacy of `data` under `neighbours`: its charges sum to at most `total`."""

    neighbours: str
    data: str
    """`sha256:` and the digest of the table, or a name that the curator declares."""
    total: Fraction
    charges: tuple[Charge, ...] = ()
    measure: str = "pure"
    delta: Fraction | None = None
    """Under approximate the total of delta; under concentrated and renyi the delta that is promised, if any."""
    order: Fraction | None = None
    """Under renyi, the order of all charges."""
    promised: Fraction | None = None
    """The epsilon that a budget in rho, or at an order, promises together with `delta`."""

    def __post_init__(self) -> None:
        if self.measure not in AMOUNTS:
            raise InputError(f"measure must be one of {', '.join(AMOUNTS)}, got {shown(self.measure)}")
        if self.neighbours not in NEIGHBOURS:
            raise InputError(f"neighbours must be {' or '.join(NEIGHBOURS)}, got {shown(self.neighbours)}")
        checked_text("data", self.data)
        object.__setattr__(self, "total", checked_amount("total", self.total))
        self._require_parts()
        left, failures = self.total, self.delta or Fraction(0)
        for charge in self.charges:
            left -= charge.amount
            failures -= charge.delta or Fraction(0)
            if left < 0 or failures < 0:
                raise InputError(f"the charges must sum to at most the total of {self.total}, got more")
            if too_long(left) or too_long(failures):
                raise InputError(f"what is left must have at most {MAXIMUM_BITS} bits, got more")

    def _require_parts(self) -> None:
        """InputError unless there is what the measure has, and nothing else."""
        if self.delta is not None:
            object.__setattr__(self, "delta", checked_delta("delta", self.delta))
        if (self.measure == "renyi") != (self.order is not None):
            raise InputError(f"order must be given for a budget in Renyi DP, and for no other, got {shown(self.order)}")
        if self.order is not None and checked_amount("order", self.order) <= 1:
            raise InputError(f"order must be > 1, got {self.order}")
        if self.measure == "pure" and self.delta is not None:
            raise InputError(f"delta must be left out of a budget in pure DP, got {self.delta}")
        if self.measure == "approximate" and (self.delta is None or self.promised is not None):
            raise InputError("a budget in approximate DP must have a total of epsilon and one of delta")
        if self.measure in ("concentrated", "renyi") and (self.delta is None) != (self.promised is None):
            raise InputError("a promise must be an epsilon and a delta, got one of them")
        if self.promised is not None:
            require_promise(self)
        for charge in self.charges:
            if (charge.delta is not None) != (self.measure == "approximate"):
                raise InputError("delta must be charged under approximate DP, and under no other measure")

    @property
    def amount(self) -> str:
        """What a charge is called."""
        return AMOUNTS[self.measure]

    @property
    def remaining(self) -> Fraction:
        """Total minus the sum of the charges, exactly; >= 0."""
        return self.total - sum((charge.amount for charge in self.charges), Fraction(0))

    @property
    def remaining_delta(self) -> Fraction:
        """Under approximate the total of delta minus that of the charges, exactly; else 0."""
        if self.measure != "approximate" or self.delta is None:
            return Fraction(0)
        return self.delta - sum((charge.delta or Fraction(0) for charge in self.charges), Fraction(0))

    @property
    def left(self) -> str:
        """What is left, in words: 1/2, or 1/2 and delta 1/1000."""
        return str(self.remaining) + (f" and delta {self.remaining_delta}" if self.measure == "approximate" else "")

    def charged(self, charge: Charge) -> Account:
        """The account after `charge`; BudgetExceeded, saying what is left, where that does not suffice."""
        for name, spent, left, total in (
            (self.amount, charge.amount, self.remaining, self.total),
            ("delta", charge.delta or Fraction(0), self.remaining_delta, self.delta),
        ):
            if spent > left:
                raise BudgetExceeded(
                    f"{name} must be at most what is left of the budget, {left} of {total}, got {spent}"
                )
            if too_long(left - spent):
                raise InputError(f"{name} must leave a remainder of at most {MAXIMUM_BITS} bits, got a longer one")
        return replace(self, charges=(*self.charges, charge))

    def require(self, expected: Account) -> None:
        """InputError where this account, from a file, is not about the same budget as `expected`."""
        for name in ("measure", "neighbours", "total", "delta", "order", "promised"):
            here, there = getattr(self, name), getattr(expected, name)
            if here != there:
                raise InputError(f"the budget file says {name} {here}, got {there}")
        if self.data != expected.data:  # unsaid: a digest tells much about a small table
            raise InputError("the budget file is about other data, or about another version of it")


def require_promise(account: Account) -> None:
    """InputError unless the total, converted once, is within the (epsilon, delta) that is promised."""
    promised, delta = account.promised, account.delta
    checked_amount("epsilon", promised or 0)
    if delta is None or promised is None or not 0 < delta < 1:
        raise InputError(f"delta must be > 0 and < 1 where a budget is converted, got {delta}")
    converted = converted_epsilon(account.measure, account.total, account.order, delta)
    if not decide(converted <= number(promised)):
        raise InputError(f"a total of {account.total} must be within the epsilon of {promised} that is promised")


def converted_epsilon(measure: str, total: Fraction, order: Fraction | None, delta: Fraction) -> Term:
    """The epsilon of a total of rho, or of epsilon at an order, at delta."""
    if measure == "concentrated":
        return epsilon_of_concentrated(number(total), number(delta))
    if order is None:
        raise InputError("order must be given for a budget in Renyi DP, got none")
    return epsilon_of_renyi(number(order), number(total), number(delta))


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


def checked_delta(name: str, amount: Exactly) -> Fraction:
    """`amount` as a Fraction >= 0 and < 1; InputError otherwise."""
    value = Fraction(0) if amount in (0, "0") else checked_amount(name, amount)
    if value >= 1:
        raise InputError(f"{name} must be < 1, got {value}")
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
    name = account.amount
    charges = [
        {name: str(c.amount), **({} if c.delta is None else {"delta": str(c.delta)}), "query": c.query, "time": c.time}
        for c in account.charges
    ]
    held = {key: str(value) for key in FURTHER if (value := getattr(account, key)) is not None}
    return json.dumps(
        {
            "format": FORMAT,
            "measure": account.measure,
            "neighbours": account.neighbours,
            "data": account.data,
            "total": str(account.total),
            **held,
            "charges": charges,
        },
        ensure_ascii=False,
        indent=1,
    )


FURTHER = ("delta", "order", "promised")
"""What the account of some measures says besides."""


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
    held = [key for key in FURTHER if isinstance(read, dict) and key in read]
    fields = _fields(read, ("format", "measure", "neighbours", "data", "total", *held, "charges"))
    if fields["format"] != FORMAT:
        raise InputError(f"format must be {FORMAT}, got something else")
    if not isinstance(fields["charges"], list):
        raise InputError("charges must be a list, got something else")
    if not isinstance(fields["measure"], str) or fields["measure"] not in AMOUNTS:
        raise InputError(f"measure must be one of {', '.join(AMOUNTS)}, got something else")
    name, deltas = AMOUNTS[fields["measure"]], ("delta",) if fields["measure"] == "approximate" else ()
    charges = [_fields(c, (name, *deltas, "query", "time")) for c in fields["charges"]]
    return Account(
        neighbours=fields["neighbours"],
        data=fields["data"],
        total=read_rational("total", fields["total"]),
        charges=tuple(
            Charge(read_rational(name, c[name]), c["query"], c["time"], *(read_rational(d, c[d]) for d in deltas))
            for c in charges
        ),
        measure=fields["measure"],
        **{key: read_rational(key, fields[key]) for key in held},
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
