"""The six algorithms that Lyu, Su and Li (2017) compare, each claimed to be 2-private by those who proposed it.

`x` is the list of answers, of which each may change by 1; the threshold is 0.  An output lists, for each answer that
was looked at, True for above and False for below; the third tells the noisy answer instead of True.  Noise is drawn
from the operating system, in floats: but for the third, nothing depends on it but comparisons.
"""

from __future__ import annotations

from math import log
from random import SystemRandom
from typing import Any

EPSILON = 2.0
Output = list[Any]
random = SystemRandom().random


def laplace(scale: float) -> float:
    """Laplace noise of that scale."""
    noise = -scale * log(1.0 - random())
    return noise if random() < 0.5 else -noise


def svt1(x: list[float], limit: int = 1) -> Output:
    """Algorithm 1, right: the noise of the answers grows with the number of answers above that are allowed."""
    threshold, output = laplace(2 / EPSILON), []
    for answer in x:
        output.append(answer + laplace(4 * limit / EPSILON) >= threshold)
        if output.count(True) == limit:
            break
    return output


def svt2(x: list[float], limit: int = 3) -> Output:
    """Algorithm 2, right (Dwork and Roth 2014): the threshold gets fresh noise after each answer above."""
    threshold, output = laplace(2 * limit / EPSILON), []
    for answer in x:
        output.append(answer + laplace(4 * limit / EPSILON) >= threshold)
        if output.count(True) == limit:
            break
        if output[-1]:
            threshold = laplace(2 * limit / EPSILON)
    return output


def svt3(x: list[float]) -> Output:
    """Algorithm 3, wrong (Roth 2011), with one answer above: the noisy answer that was compared is told."""
    threshold, output = laplace(2 / EPSILON), []
    for answer in x:
        noisy = answer + laplace(2 / EPSILON)
        if noisy >= threshold:
            return [*output, noisy]
        output.append(False)
    return output


def svt4(x: list[float], limit: int = 10) -> Output:
    """Algorithm 4, wrong (Lee and Clifton 2014): the noise of the answers does not grow with the limit."""
    threshold, output = laplace(4 / EPSILON), []
    for answer in x:
        output.append(answer + laplace(4 / (3 * EPSILON)) >= threshold)
        if output.count(True) == limit:
            break
    return output


def svt5(x: list[float]) -> Output:
    """Algorithm 5, wrong (Stoddard, Chen and Machanavajjhala 2014): no noise on the answers, and no limit."""
    threshold = laplace(2 / EPSILON)
    return [answer >= threshold for answer in x]


def svt6(x: list[float]) -> Output:
    """Algorithm 6, wrong (Chen, Xiao, Zhang and Xu 2015): noise on the answers, but no limit."""
    threshold = laplace(2 / EPSILON)
    return [answer + laplace(2 / EPSILON) >= threshold for answer in x]
