"""Words and numbers of a page: foreign text made visible, numbers as people read them."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from typing import Any
from unicodedata import category

LONGEST = 2_000
"""Characters of a value that are shown; the JSON has all."""
UNSEEN = ("Cc", "Cs", "Cf", "Co", "Cn", "Zl", "Zp")
"""Characters that show nothing, or turn the order of others round."""
RATIO = re.compile(r"[0-9]{1,400}(/[0-9]{1,400})?")
DECIMAL = re.compile(r"[0-9]{1,400}(\.[0-9]{1,400})?([eE]-?[0-9]{1,3})?")
RAISED = str.maketrans(
    "-0123456789",
    "\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ZERO}\N{SUPERSCRIPT ONE}\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}"
    "\N{SUPERSCRIPT FOUR}\N{SUPERSCRIPT FIVE}\N{SUPERSCRIPT SIX}\N{SUPERSCRIPT SEVEN}\N{SUPERSCRIPT EIGHT}"
    "\N{SUPERSCRIPT NINE}",
)
MINUS, TIMES, INFINITY = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}", "\N{INFINITY}"


def shown(value: Any) -> Any:
    """What a page shows of a value: every character of foreign text is seen; markup of this package is left alone."""
    if not isinstance(value, str) or hasattr(value, "__html__") or value.isascii() and value.isprintable():
        return value
    return "".join(_seen(c) for c in value)


def _seen(character: str) -> str:
    """The character, or its escape where one would not see it."""
    if character in "\n\t" or category(character) not in UNSEEN:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode()


def clipped(text: str, longest: int = LONGEST) -> str:
    """The beginning of a long text, and how much is left out."""
    if len(text) <= longest:
        return text
    return f"{text[:longest]} ... ({grouped(len(text) - longest)} more characters in the JSON)"


def grouped(n: int) -> str:
    """A whole number with its thousands apart.

    >>> grouped(1234567)
    '1,234,567'
    """
    return f"{n:,}" if n.bit_length() < 200 else "more than 10^60"


def at_most(text: str | int | None) -> str:
    """An error as a short decimal that is not less; what is not read as a number, as it is.

    >>> at_most("1/1000000000"), at_most("0.05"), at_most("1/3"), at_most(0)
    ('1e-9', '0.05', '0.334', '0')
    """
    value = _fraction(str(text))
    if value is None:
        return clipped(str(text), 80)
    with_three = Context(prec=3, rounding=ROUND_CEILING, Emin=-999_999, Emax=999_999)
    exactly = Context(prec=900)
    top, bottom = exactly.create_decimal(value.numerator), exactly.create_decimal(value.denominator)
    return str(with_three.divide(top, bottom).normalize()).lower().replace("e+", "e")


def _fraction(text: str) -> Fraction | None:
    """The number that a short text stands for, if it stands for one."""
    is_number = RATIO.fullmatch(text) or DECIMAL.fullmatch(text)
    try:
        return Fraction(text) if is_number else None
    except ZeroDivisionError:
        return None


def seconds(value: float | str | None) -> str:
    """Seconds as text, nothing where they are not known."""
    if isinstance(value, str) and DECIMAL.fullmatch(value):
        value = float(value)
    if value is None or isinstance(value, str):
        return clipped(value or "", 20)
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def brief(value: float) -> str:
    """A coordinate in few characters, with a true minus sign.

    >>> brief(0.25), brief(1e-9), brief(20000), brief(0)
    ('0.25', '10\u207b\u2079', '20,000', '0')
    """
    if value in (float("inf"), float("-inf")):
        return INFINITY if value > 0 else f"{MINUS}{INFINITY}"
    size, sign = abs(value), MINUS if value < 0 else ""
    if size and not 1e-4 <= size < 1e6:
        digits, _, power = f"{size:.3g}".partition("e") if "e" in f"{size:.3g}" else f"{size:.2e}".partition("e")
        head = f"{float(digits):g}{TIMES}" if float(digits) != 1 else ""
        return f"{sign}{head}10{str(int(power)).translate(RAISED)}"
    return f"{sign}{size:,.6g}" if size >= 1000 else f"{sign}{size:.4g}"
