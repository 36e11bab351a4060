"""Decimals are read exactly, and none whose exponent would fill the memory, wherever a user writes one."""

from fractions import Fraction

import pytest

from refdp.programs.language.errors import Unsupported as NotSupported
from refdp.programs.language.reading import programs_in
from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.terms.decimals import written_decimal
from refdp.terms.expressions import NotRead, read_number

HUGE = ("0e99999999999", "0.0E-99999999999", "1e-99999999999", f"0e{'9' * 1000}", "0e4_01")
PROGRAM = """from refdp.programs import ALL, claim
@claim(epsilon=0, adjacency=ALL)
def f(bit: bool):
    x = {}
    return 1
"""


@pytest.mark.parametrize("text", ["0.1", "1_0.5e-3", "2E5", ".5", "3.", "0e400", "1e-400"])
def test_a_decimal_is_the_number_that_is_written(text):
    assert written_decimal(text) == Fraction(text.replace("_", ""))


@pytest.mark.parametrize("text", HUGE)
def test_a_number_of_a_great_exponent_is_refused_wherever_it_stands(text):
    with pytest.raises(ValueError, match="exponents must be at most 400"):
        written_decimal(text)
    with pytest.raises(NotRead, match="exponents must be at most 400"):
        read_number(text, {}, "claim")
    source, kind = parse_source(f"def f(rows):\n    return {text} * len(rows)\n", "f"), declaration("0..1")
    with pytest.raises(Unsupported):
        read_program(source, kind)
    with pytest.raises(Unsupported):
        answer_of(source, [Fraction(1)], record=kind.record)
    with pytest.raises(NotSupported, match="exponents must be at most 400"):
        programs_in(PROGRAM.format(text), "p.py")
