"""Statements for tests: obligations as mechanisms have them, and near misses of them."""

from __future__ import annotations

from refdp.spec.statements import Statement
from refdp.terms.reading import read


def statement(given: list[str], show: str, integers: str = "") -> Statement:
    """The statement that the texts write down; `integers` lists names."""
    return Statement(tuple(map(read, given)), read(show), frozenset(integers.split()))


NEAR = ["0 < scale", "abs(a - b) <= d_in"]
LOSS = "-abs(y - a) / scale + abs(y - b) / scale"
POSITIVE = ["0 < v"]
RENYI = "-(alpha * (y - a)**2) / (2 * v) - (1 - alpha) * (y - b)**2 / (2 * v)"
SHIFTED = "-(y - alpha * a - (1 - alpha) * b)**2 / (2 * v)"
JOINT = ["0 < v", "0 <= d_1", "0 <= d_2", "0 <= d", "d_1**2 + d_2**2 <= d**2"]
RANGE = ["2 <= k", "0 <= y", "y < k", "1 <= p * k", "p < 1"]
INPUTS = ["0 <= a", "a < k", "0 <= b", "b < k"]
BOUNDS = ["L <= U", "0 <= d_in"]


def pmf(x: str) -> str:
    """k-ary randomised response: the mass of y at the input x."""
    return f"(p * indicator(y == {x}) + (1 - indicator(y == {x})) * (1 - p) / (k - 1))"


def cumulative(y: str) -> str:
    """k-ary randomised response: the mass of 0 .. y at the input x."""
    return f"(({y} + 1) * (1 - p) / (k - 1) + indicator(x <= {y}) * (p - (1 - p) / (k - 1)))"


def clamp(x: str) -> str:
    """x moved into [L, U]."""
    return f"max(L, min({x}, U))"


TRUE = {
    "laplace loss": statement(NEAR, f"{LOSS} <= d_in / scale"),
    "gaussian renyi": statement(POSITIVE, f"{RENYI} == {SHIFTED} + (alpha - 1) * alpha * abs(a - b)**2 / (2 * v)"),
    "losses add up": statement(JOINT, "d_1**2 / (2 * v) + d_2**2 / (2 * v) <= d**2 / (2 * v)"),
    "gaussian tail": statement(POSITIVE, "-z**2 / (2 * v) <= v / 2 - abs(z)"),
    "k-ary ratio": statement(RANGE + INPUTS, f"{pmf('a')} <= p * (k - 1) / (1 - p) * {pmf('b')}", "k y a b"),
    "k-ary cumulative": statement(
        [*RANGE, "0 <= x", "x < k"], f"{cumulative('y')} - {cumulative('(y - 1)')} == {pmf('x')}", "k y x"
    ),
    "clamp to add": statement(BOUNDS, f"abs({clamp('x')}) * d_in <= d_in * max(abs(L), abs(U))"),
    "clamp to change": statement(BOUNDS, f"abs({clamp('x')} - {clamp('y')}) * d_in <= d_in * (U - L)"),
    "integers are apart": statement(["x < y"], "x + 1 <= y", "x y"),
    "an integer by hypothesis": statement(["integer(x)", "0 < x"], "1 <= x"),
    "an indicator of reals": statement([], "abs(indicator(x == y) - indicator(x == z)) <= 1"),
    "integers that do not occur": statement([], "indicator(x == 0) <= 1", "n"),
    "powers": statement([], "x**0 + x**1 + x**2 == 1 + x + x * x"),
    "numbers alone": statement([], "indicator(1 <= 2) == 1"),
    "nested division": statement(["0 < x"], "1 / (1 / x) == x"),
    "parts of a conjunction": statement(["0 < x"], "all_of(0 < 1 / x, abs(x) == x)"),
}
FALSE = {
    "laplace loss at twice the scale": statement(NEAR, f"{LOSS} <= d_in / (2 * scale)"),
    "laplace loss at any distance": statement(NEAR[:1], f"{LOSS} <= d_in / scale"),
    "laplace loss at any scale": statement(NEAR[1:], f"{LOSS} <= d_in / scale"),
    "laplace loss at scale 0": statement(["0 <= scale", NEAR[1]], f"{LOSS} <= d_in / scale"),
    "laplace loss is smaller": statement(NEAR, f"{LOSS} < d_in / scale"),
    "gaussian renyi without alpha": statement(
        POSITIVE, f"{RENYI} == {SHIFTED} + (alpha - 1) * abs(a - b)**2 / (2 * v)"
    ),
    "linear losses add up": statement(JOINT, "d_1 / (2 * v) + d_2 / (2 * v) <= d / (2 * v)"),
    "gaussian tail is below": statement(POSITIVE, "-z**2 / (2 * v) < v / 2 - abs(z)"),
    "k-ary ratio as in the binary one": statement(RANGE + INPUTS, f"{pmf('a')} <= p / (1 - p) * {pmf('b')}", "k y a b"),
    "k-ary ratio with a small p": statement(
        [*RANGE[:3], *INPUTS, "0 <= p", "p < 1"], f"{pmf('a')} <= p * (k - 1) / (1 - p) * {pmf('b')}", "k y a b"
    ),
    "k-ary ratio with p = 1": statement(
        [*RANGE[:4], *INPUTS, "p <= 1"], f"{pmf('a')} <= p * (k - 1) / (1 - p) * {pmf('b')}", "k y a b"
    ),
    "clamp to add, one bound": statement(BOUNDS, f"abs({clamp('x')}) * d_in <= d_in * abs(U)"),
    "clamp to change, any bounds": statement(BOUNDS[1:], f"abs({clamp('x')} - {clamp('y')}) * d_in <= d_in * (U - L)"),
    "clamp to change, half": statement(BOUNDS, f"abs({clamp('x')} - {clamp('y')}) * d_in <= d_in * (U - L) / 2"),
    "reals are apart": statement(["x < y"], "x + 1 <= y"),
    "one of two is an integer": statement(["x < y"], "x + 1 <= y", "x"),
    "division by what may be zero": statement([], "x / x == 1"),
    "zero divided by what may be zero": statement([], "0 * (1 / x) == 0"),
    "division inside a condition": statement([], "indicator(1 / x < 0) <= 1"),
    "second part of a conjunction": statement(["0 < x"], "all_of(0 < 1 / x, x <= 1)"),
}
