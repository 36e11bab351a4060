"""An account is exact, and its text is read back only if it is what the account writes."""

import json
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdp.releases.account import MAXIMUM_BITS, MAXIMUM_BYTES, Account, Charge, read_account, text_of
from refdp.releases.errors import BudgetExceeded, InputError

NOON = "2017-09-20T12:00:00Z"
amounts = st.fractions(min_value=F(1, 10**6), max_value=10, max_denominator=10**6)


def account(*charges: F | str, total: F | str = F(1)) -> Account:
    """An account of `total` with those charges."""
    return Account("add_remove", "a table", F(total), tuple(Charge(F(c), "count", NOON) for c in charges))


@given(amounts, st.lists(amounts, max_size=12))
def test_remaining_is_total_minus_charges_exactly(total: F, charges: list[F]) -> None:
    current, spent = account(total=total), F(0)
    for epsilon in charges:
        if spent + epsilon <= total:
            current, spent = current.charged(Charge(epsilon, "count", NOON)), spent + epsilon
        else:
            with pytest.raises(BudgetExceeded, match=f"what is left of the budget, {total - spent} of {total}, got "):
                current.charged(Charge(epsilon, "count", NOON))
        assert current.remaining == total - spent >= 0
    assert read_account(text_of(current).encode()) == current


def test_the_last_drop_can_be_spent_and_nothing_after_it() -> None:
    current = account("1/3", "1/3", "1/3")
    assert current.remaining == 0
    with pytest.raises(BudgetExceeded, match=r"left of the budget, 0 of 1, got 1/1000000"):
        current.charged(Charge(F(1, 10**6), "count", NOON))


def test_text_has_the_documented_form() -> None:
    current = Account("change_one", "sha256:ab", F(3, 2), (Charge(F(1, 2), 'histogram "Å"', NOON),))
    assert json.loads(text_of(current)) == {
        "format": "refdp-budget/1",
        "measure": "pure",
        "neighbours": "change_one",
        "data": "sha256:ab",
        "total": "3/2",
        "charges": [{"epsilon": "1/2", "query": 'histogram "Å"', "time": NOON}],
    }


@pytest.mark.parametrize("epsilon", [0, F(0), -1, F(-1, 2), "0", "-1/3"])
def test_a_charge_that_is_not_positive_is_refused(epsilon: Any) -> None:
    with pytest.raises(InputError, match="epsilon must be > 0, got"):
        Charge(epsilon, "count", NOON)


@pytest.mark.parametrize("epsilon", [0.5, float("nan"), float("inf"), True, None, "half", "1/0", [1], "ln(3)"])
def test_a_charge_that_is_not_exact_is_refused(epsilon: Any) -> None:
    with pytest.raises(InputError, match="epsilon must be "):
        Charge(epsilon, "count", NOON)


def test_amounts_are_read_exactly_from_text() -> None:
    assert Charge("0.1", "count", NOON).amount == F(1, 10)  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["", "a\nb", "\0", "\ud800", "x" * 10_001, None, 3])
def test_a_description_that_is_no_line_of_text_is_refused(query: Any) -> None:
    with pytest.raises(InputError, match="query must be 1 to 10000 printable characters"):
        Charge(F(1), query, NOON)


def test_amounts_that_could_not_be_printed_are_refused() -> None:
    with pytest.raises(InputError, match=f"at most {MAXIMUM_BITS} bits"):
        Charge(F(1, 2**MAXIMUM_BITS), "count", NOON)
    near = account(F(1, 2 ** (MAXIMUM_BITS - 1)))
    with pytest.raises(InputError, match=f"remainder of at most {MAXIMUM_BITS} bits"):
        near.charged(Charge(F(1, 3), "count", NOON))
    assert read_account(text_of(near).encode()) == near


GOOD = json.loads(text_of(account("1/2", "1/4")))


def edited(**changes: Any) -> Any:
    """The good file with some keys changed."""
    return {**GOOD, **changes}


def charged(**changes: Any) -> Any:
    """The good file with some keys of its first charge changed."""
    return edited(charges=[{**GOOD["charges"][0], **changes}, GOOD["charges"][1]])


def without(key: str) -> Any:
    """The good file without a key."""
    return {k: v for k, v in GOOD.items() if k != key}


WRONG: tuple[Any, ...] = (None, 1, True, [1], {"a": "b"}, "")
TAMPERED: dict[str, Any] = {
    **{f"no {key}": without(key) for key in GOOD},
    **{f"{key} {value!r}": edited(**{key: value}) for key in GOOD for value in WRONG},
    **{f"charge {key} {value!r}": charged(**{key: value}) for key in GOOD["charges"][0] for value in WRONG},
    "another format": edited(format="refdp-budget/2"),
    "another measure": edited(measure="zcdp"),
    "another relation": edited(neighbours="replace"),
    "unknown key": edited(comment="hello"),
    "unknown key of a charge": charged(comment="hello"),
    "charges beyond the total": charged(epsilon="4/5"),
    "a total below the charges": edited(total="1/2"),
    "negative charge": charged(epsilon="-1/2"),
    "zero charge": charged(epsilon="0"),
    "zero total": edited(total="0", charges=[]),
    "not in lowest terms": charged(epsilon="2/4"),
    "a whole number over one": edited(total="1/1"),
    "decimal": charged(epsilon="0.5"),
    "spaces": charged(epsilon=" 1/2"),
    "other digits": charged(epsilon="\u0661/2"),
    "over zero": charged(epsilon="1/0"),
    "exponent": charged(epsilon="1e-1"),
    "long number": charged(epsilon="1/" + "9" * 4001),
    "number beyond what can be printed": charged(epsilon="1/" + "9" * 3990),
    "float": charged(epsilon=0.5),
    "another time": charged(time="yesterday"),
    "a charge that is a list": edited(charges=[["1/2", "count", NOON]]),
    "a list": [GOOD],
    "text": "refdp-budget/1",
    "null": None,
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_file_that_was_tampered_with_is_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_account(json.dumps(TAMPERED[name]).encode())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_file_that_is_tampered_with_was_good() -> None:
    assert read_account(json.dumps(GOOD).encode()) == account("1/2", "1/4")


TEXT = text_of(account("1/2", "1/4"))
MALFORMED: dict[str, bytes] = {
    "empty": b"",
    "truncated": TEXT[:-5].encode(),
    "two values": (TEXT + TEXT).encode(),
    "repeated key": TEXT.replace('"total"', '"total": "9",\n "total"').encode(),
    "repeated key of a charge": TEXT.replace('"epsilon"', '"epsilon": "1/9", "epsilon"').encode(),
    "NaN": TEXT.replace('"1/2"', "NaN").encode(),
    "Infinity": TEXT.replace('"1/2"', "Infinity").encode(),
    "JSON number": TEXT.replace('"1/2"', "1").encode(),
    "byte order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "Latin-1": TEXT.replace("count", "\xe9").encode("latin-1"),
    "nested lists": b"[" * 100_000,
    "nested objects": b'{"a":' * 100_000,
    "nested charges": TEXT.replace('"1/2"', "[" * 50_000 + "]" * 50_000).encode(),
    "too large": TEXT.encode() + b" " * MAXIMUM_BYTES,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_account(MALFORMED[name])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda a: account(total="2"), "the budget file says total 1, got 2"),
        (
            lambda a: Account("change_one", a.data, a.total),
            "the budget file says neighbours add_remove, got change_one",
        ),
        (lambda a: Account(a.neighbours, "another table", a.total), "the budget file is about other data"),
    ],
)
def test_terms_that_differ_are_refused(change: Callable[[Account], Account], sentence: str) -> None:
    current = account("1/2")
    current.require(account())
    with pytest.raises(InputError, match=sentence):
        current.require(change(current))


def test_a_digest_is_not_repeated_in_an_error() -> None:
    digest = "sha256:" + "ab" * 32
    with pytest.raises(InputError) as caught:
        Account("add_remove", digest, F(1)).require(Account("add_remove", "sha256:" + "cd" * 32, F(1)))
    assert "abab" not in str(caught.value)
    assert "cdcd" not in str(caught.value)
