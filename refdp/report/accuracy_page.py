"""The table of docs/accuracy.md: Hoeffding's bound for randomised response beside the exact binomial tail."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb

from refdp.accuracies import accuracy
from refdp.report.marks import between

BEGIN, END = "<!-- begin of the generated table -->", "<!-- end of the generated table -->"
TRUTHS = (Fraction(3, 4), Fraction(9, 10))
SIZES = (10, 100, 1000)
BETA = Fraction(1, 20)


def table() -> str:
    """One row for each truth and number of answers."""
    out = [
        "| truth | n | Hoeffding's radius | it is reached with probability | exact radius |",
        "|--:|--:|--:|--:|--:|",
    ]
    out += [row(truth, n) for truth in TRUTHS for n in SIZES]
    return "\n".join(out)


def row(truth: Fraction, n: int) -> str:
    """The bound's radius; the exact probability that it is reached; the exact radius; each for the worst of three."""
    radius = accuracy(f"randomised_response({truth})", BETA, n=n)
    laws = [(ones, masses(truth, n, ones)) for ones in (0, n // 2, n)]
    reached = max(tail(truth, n, ones, law, radius) for ones, law in laws)
    least = max(exact_radius(truth, n, ones, law) for ones, law in laws)
    return f"| {truth} | {n} | {shown(radius)} | {shown(reached)} | {shown(least)} |"


def masses(truth: Fraction, n: int, ones: int) -> list[int]:
    """How likely each number of ones among the answers is, times the denominator of truth to the power n."""
    told, lie = truth.numerator, truth.denominator - truth.numerator
    first = [comb(ones, i) * told**i * lie ** (ones - i) for i in range(ones + 1)]
    zeros = n - ones
    second = [comb(zeros, i) * lie**i * told ** (zeros - i) for i in range(zeros + 1)]
    found = [0] * (n + 1)
    for i, p in enumerate(first):
        for j, q in enumerate(second):
            found[i + j] += p * q
    return found


def off(truth: Fraction, n: int, ones: int, answers: int) -> Fraction:
    """How far the estimate from so many ones among the answers is off."""
    return abs((Fraction(answers, n) - (1 - truth)) / (2 * truth - 1) - Fraction(ones, n))


def tail(truth: Fraction, n: int, ones: int, law: Sequence[int], radius: Fraction) -> Fraction:
    """The probability that the estimate is at least the radius off."""
    far = sum(p for answers, p in enumerate(law) if off(truth, n, ones, answers) >= radius)
    return Fraction(far, truth.denominator**n)


def exact_radius(truth: Fraction, n: int, ones: int, law: Sequence[int]) -> Fraction:
    """The least number that the estimate is more than off with probability at most BETA."""
    left = Fraction(1)
    for size, answers in sorted((off(truth, n, ones, k), k) for k in range(n + 1)):
        left -= Fraction(law[answers], truth.denominator**n)
        if left <= BETA:
            return size
    return Fraction(0)


def shown(x: Fraction) -> str:
    """Three significant digits of a number in (0, 10), rounded up."""
    if x == 0:
        return "0"
    digits = next(d for d in range(3, 400) if x * 10 ** (d - 2) >= 1)
    units = ceil(x * 10**digits)
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}"


def updated(page: str) -> str:
    """The page with its table made anew; ValueError where the marks of the table are missing."""
    return between(page, BEGIN, END, table)
