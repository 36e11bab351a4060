"""Equalities for tests: true, false, and true only where nothing is divided by zero."""

from __future__ import annotations

from tests.provers.statements import statement

SCALE, VARIANCE = ["0 < scale"], ["0 < variance"]
LAPLACE, GAUSS = "integral(exp(-abs(z) / scale), z)", "integral(exp(-z**2 / (2 * variance)), z)"

TRUE = {
    "laplace normaliser": statement(SCALE, f"{LAPLACE} == 2 * scale"),
    "shifted laplace normaliser": statement(SCALE, "integral(exp(-abs(z - u) / scale), z) == 2 * scale"),
    "laplace density": statement(SCALE, "integral(exp(-abs(z) / scale) / (2 * scale), z) == 1"),
    "half of laplace": statement(SCALE, "integral(indicator(0 <= z) * exp(-z / scale), z) == scale"),
    "gaussian normaliser": statement(VARIANCE, f"{GAUSS} == sqrt(2 * pi() * variance)"),
    "standard gaussian": statement([], "integral(exp(-z**2 / 2), z) == sqrt(2 * pi())"),
    "binomial": statement([], "(x + y)**2 == x**2 + 2 * x * y + y**2"),
    "rational": statement(["0 < t"], "(t - 1 / t) / (t + 1 / t) == (t**2 - 1) / (t**2 + 1)"),
    "exponents add": statement([], "exp(a) * exp(b) == exp(a + b)"),
    "logarithms add": statement(["0 < a", "1 <= b"], "ln(a * b) == ln(a) + ln(b)"),
    "cancelled": statement(["0 < x"], "x / x == 1"),
}
FALSE = {
    "laplace normaliser, half": statement(SCALE, f"{LAPLACE} == scale"),
    "laplace normaliser, squared": statement(SCALE, f"{LAPLACE} == 2 * scale**2"),
    "laplace normaliser without scale": statement(SCALE, f"{LAPLACE} == 2"),
    "laplace on one side only": statement([*SCALE, "0 < z"], f"{LAPLACE} == scale"),
    "gaussian normaliser without root": statement(VARIANCE, f"{GAUSS} == 2 * pi() * variance"),
    "gaussian normaliser without 2": statement(VARIANCE, f"{GAUSS} == sqrt(pi() * variance)"),
    "gaussian normaliser without variance": statement(VARIANCE, f"{GAUSS} == sqrt(2 * pi())"),
    "gaussian exponent without 2": statement(
        VARIANCE, "integral(exp(-z**2 / variance), z) == sqrt(2 * pi() * variance)"
    ),
    "gaussian off by a millionth": statement(VARIANCE, f"{GAUSS} == sqrt(2 * pi() * variance) * (1 + 1/1000000)"),
    "diverges": statement(SCALE, "integral(exp(abs(z) / scale), z) == 2 * scale"),
    "does not vanish": statement(SCALE, "integral(scale, z) == 2 * scale"),
    "binomial without 2": statement([], "(x + y)**2 == x**2 + x * y + y**2"),
    "exponents multiply": statement([], "exp(a) * exp(b) == exp(a * b)"),
    "abs of positives only": statement([], "abs(x) == x"),
}
UNDEFINED = {
    "division by what may be 0": (statement([], "x / x == 1"), "division by x"),
    "division by what is not 0 for a reason sympy does not see": (statement(["x != 0"], "x / x == 1"), "division by x"),
    "division by 0 times": (statement([], "0 * (1 / x) == 0"), "division by x"),
    "logarithm of what may be negative": (statement([], "ln(x) - ln(x) == 0"), "ln(x)"),
    "logarithm of what may be 0": (statement(["0 <= x"], "ln(x) - ln(x) == 0"), "ln(x)"),
    "root of what may be negative": (statement([], "sqrt(x)**2 == x"), "sqrt(x)"),
    "variance of any sign": (statement([], f"{GAUSS} == sqrt(2 * pi() * variance)"), "division by 2 * variance"),
    "one name for two things": (statement([*SCALE, "0 < z"], f"{LAPLACE} == 2 * scale"), "both a free name"),
    "an order": (statement([], "x <= x"), "equalities only"),
    "no arithmetic": (statement([], "table(x) == table(x)"), "table"),
}
