"""`less` answers as the real numbers do, and what is stated with it has its law: by walking the coin-flip tree."""

import ast
from fractions import Fraction as F
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refdp.sampling
from refdp.numerics.intervals import Interval
from refdp.sampling.entropy import Bits
from refdp.sampling.lazy import Uniform, bernoulli, exp_minus, geometric, inverse_cdf, less
from refdp.sampling.tree import OutOfBits, Tape, law_of
from refdp.sampling.words import Flipped, Recorded
from tests.sampling import laws

DEPTH = 12


def rational(p: F, width: F = F(0)):
    """Enclosures of p, off centre and `width` times too wide."""
    return lambda bits: Interval(p - width / 2**bits, p + 2 * width / 2**bits, bits)


def uniform(bits: Bits) -> Uniform:
    return Uniform(Flipped(bits))


@given(st.fractions(0, 1, max_denominator=99), st.integers(0, 255), st.sampled_from([F(0), F(1, 3), F(2**30)]))
def test_less_answers_as_the_real_numbers_do(p: F, digits: int, width: F) -> None:
    """The digits that follow are all alternating: U = digits / 256 + 2/3 / 256."""
    u = Uniform(Recorded(b"\xaa" * 512), digits, 8)
    assert less(u, rational(p, width)) == ((digits + F(2, 3)) / 256 < p)


def test_less_reveals_nothing_where_the_digits_known_decide() -> None:
    nothing = Recorded(b"")
    assert less(Uniform(nothing, 5, 3), rational(F(6, 8)))
    assert not less(Uniform(nothing, 5, 3), rational(F(5, 8)))
    with pytest.raises(OutOfBits):
        less(Uniform(nothing, 5, 3), rational(F(11, 16)))


@pytest.mark.parametrize("p", [F(0), F(1), F(1, 2), F(1, 3), F(5, 7), F(1, 1000), F(4095, 4096)])
@pytest.mark.parametrize("width", [F(0), F(1), F(2**33)])
def test_bernoulli_has_its_law(p: F, width: F) -> None:
    law = law_of(lambda bits: bernoulli(rational(p, width), Flipped(bits)), DEPTH)
    assert laws.is_law(law, laws.truth_with((p, p)))
    assert law.unresolved <= F(16 if width > 1 else 2, 2**DEPTH)


@pytest.mark.parametrize("gamma", [F(0), F(1, 1000), F(1, 3), F(1), F(7, 2), F(10**9)])
def test_bernoulli_of_an_exponential_has_its_law(gamma: F) -> None:
    law = law_of(lambda bits: bernoulli(exp_minus(gamma), Flipped(bits)), DEPTH)
    assert laws.is_law(law, laws.truth_with(laws.exp_minus(gamma)))
    assert law.unresolved <= F(2, 2**DEPTH)


@pytest.mark.parametrize("rho", [F(1, 3), F(1, 2), F(1), F(7, 3), F(20)])
def test_geometric_has_its_law(rho: F) -> None:
    law = law_of(lambda bits: geometric(rho, Flipped(bits)), DEPTH)
    assert laws.is_law(law, laws.geometric(rho))
    assert law.unresolved <= F(1, 100)


@pytest.mark.parametrize("digits", [1, 2**40, 2**63, 2**64 - 1])
def test_geometric_is_the_floor_of_the_logarithm(digits: int) -> None:
    """G = g just where e^(-rho (g + 1)) <= U < e^(-rho g), U being the tape as a number; rho = 2^-48."""
    rho, record = F(1, 2**48), digits.to_bytes(8) + b"\x55" * 64
    g, u = geometric(rho, Recorded(record)), F(int.from_bytes(record), 2 ** (8 * len(record)))
    (low, _), (_, high) = laws.exp_minus(rho * g), laws.exp_minus(rho * (g + 1))
    assert high <= u < low


@pytest.mark.parametrize("masses", [(F(1),), (F(1, 3), F(2, 3)), (F(1, 4), F(1, 8), F(5, 8)), (F(1, 7),) * 7])
def test_inverse_cdf_has_its_law(masses: tuple[F, ...]) -> None:
    cdf = [sum(masses[: k + 1]) for k in range(len(masses) - 1)]
    law = law_of(lambda bits: inverse_cdf(uniform(bits), lambda k: rational(cdf[k]), 0, len(masses) - 1), DEPTH)
    assert laws.is_law(law, lambda k: (masses[k], masses[k]))
    assert law.unresolved <= F(len(masses), 2**DEPTH)


def test_wrong_programs_are_found_out() -> None:
    """That is: the tests above can fail."""
    half = laws.truth_with((F(1, 2), F(1, 2)))
    assert not laws.is_law(law_of(lambda b: bernoulli(rational(F(513, 1024)), Flipped(b)), DEPTH), half)
    assert not laws.is_law(law_of(lambda b: not bernoulli(exp_minus(F(1)), Flipped(b)), DEPTH), half)
    assert not laws.is_law(law_of(lambda b: geometric(F(1, 2), Flipped(b)) + 1, DEPTH), laws.geometric(F(1, 2)))
    assert not laws.is_law(law_of(lambda b: geometric(F(2), Flipped(b)), DEPTH), laws.geometric(F(1)))


def test_digits_are_used_in_order() -> None:
    tape = Tape([1, 0, 1, 1])
    u = uniform(tape)
    u.reveal(1)
    u.reveal(2)
    assert (u.digits, u.size, u.cell()) == (5, 3, (F(5, 8), F(6, 8)))
    assert tape.used == 3


EXACT = ("lazy", "words", "potentials", "lookup", "exponential", "slots/draws")


def test_no_module_that_decides_exactly_has_a_float_or_imports_random_or_numpy() -> None:
    folder = Path(refdp.sampling.__file__).parent
    for stem in EXACT:
        nodes = list(ast.walk(ast.parse((folder / f"{stem}.py").read_text())))
        imported = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        imported |= {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}
        assert not imported & {"random", "numpy", "flint", "time"}
        assert not [n.lineno for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, float)]


def test_lazy_is_short() -> None:
    assert len((Path(refdp.sampling.__file__).parent / "lazy.py").read_text().splitlines()) <= 80
