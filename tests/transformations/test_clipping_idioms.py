"""Idioms of clipping: each moves as far as is claimed, and in floats it is what libraries write."""

from fractions import Fraction as F
from math import isclose, sqrt
from random import Random

import pytest

from refdp.kernel.judgements import Refuted
from refdp.spec.distances import l2_distance_squared
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.claimed import clipping_idioms as claims

NORM, GUARD = 3.0, 0.25
FINE = "1/1000000000"
FLOATS = {
    f"clipped_vector_sum(3, 3, {FINE})": lambda n: min(1.0, NORM / n) if n else 1.0,
    f"guarded_clipped_sum(3, 1/4, 3, {FINE})": lambda n: min(1.0, NORM / (n + GUARD)),
    f"automatic_clipped_sum(3, 1/4, 3, {FINE})": lambda n: NORM / (n + GUARD),
    f"nearest_clipped_sum(3, 3, {FINE})": lambda n: 1 / max(1.0, n / NORM),
    f"layered_clipped_sum(3, 1, 3, {FINE})": lambda n: 1 / max(1.0, n / NORM),
    f"clipped_total(3, 3, {FINE})": lambda n: 1.0 if n <= NORM else NORM / n,
}
"""What libraries write, of the norm n of one vector."""


def moved(subject, first, second):
    """How far the images are apart, squared."""
    return l2_distance_squared(*(value(read(subject), tuple(tuple(map(F, r)) for r in t)) for t in (first, second)))


@pytest.mark.parametrize("subject", FLOATS)
def test_clipping_idioms_are_what_libraries_write(subject):
    rng = Random(subject)
    for scale in (0, 1, 3, 100, 10**6):
        for _ in range(20):
            v = [rng.uniform(-scale, scale) for _ in range(3)]
            factor = FLOATS[subject](sqrt(sum(c * c for c in v)))
            found = value(read(subject), (tuple(map(F, v)),))
            assert all(isclose(a, factor * c, rel_tol=1e-9, abs_tol=2e-9) for a, c in zip(found, v, strict=True))


def test_layers_are_clipped_each_by_itself():
    subject = read("layered_clipped_sum(5, 2, 4, 1)")
    assert value(subject, (tuple(map(F, (6, 8, 1, 1))),)) == (3, 4, 1, 1)
    assert value(subject, (tuple(map(F, (1, 1, -6, -8))),)) == (1, 1, -3, -4)
    with pytest.raises(TermError, match="breaks multiple"):
        value(read("layered_clipped_sum(5, 3, 4, 1)"), ())


@pytest.mark.parametrize("layers", [1, 2, 3, 7])
def test_layers_move_by_the_root_of_their_number_times_the_norm(layers):
    assert moved(f"layered_clipped_sum(5, {layers}, {layers}, 1)", (), ((9,) * layers,)) == 25 * layers


def test_total_clipped_turns_round():
    assert moved("clipped_total(5, 2, 1)", ((3, 4),), ((3, 4), (-9, -12))) == 100
    assert moved("clipped_total(5, 2, 1)", (), ((3, 4),)) == 25


def test_nearest_is_longer_by_half_a_step_in_each_coordinate():
    """Norm 1, dimension 4: 2, which is 1 + sqrt(4) / 2. Towards zero it is 0."""
    halves = (F(1, 2),) * 4
    assert moved("nearest_clipped_sum(1, 4, 1)", (), (halves,)) == 4
    assert moved("clipped_vector_sum(1, 4, 1)", (), (halves,)) == 0


@pytest.mark.parametrize("length", [1, 10, 10**9])
def test_automatic_never_attains_the_norm(length):
    image = moved("automatic_clipped_sum(1, 1/100, 1, 1/1000000000000)", (), ((length,),))
    assert F(98, 100) < image < 1


@pytest.mark.parametrize("stem", ["automatic", "guarded"])
def test_vector_0_stays_0(stem):
    assert value(read(f"{stem}_clipped_sum(1, 1/100, 2, 1)"), ((F(0), F(0)),)) == (0, 0)


@pytest.mark.parametrize(
    ("notion", "a", "b"),
    [
        ("layers_by_one_norm", "tuple_of()", "tuple_of(tuple_of(1, 1))"),
        ("nearest_by_the_norm", "tuple_of()", "tuple_of(tuple_of(1/2, 1/2, 1/2, 1/2))"),
        ("total_by_the_norm", "tuple_of(tuple_of(3, 4))", "tuple_of(tuple_of(3, 4), tuple_of(-9, -12))"),
        ("automatic_by_less", "tuple_of()", "tuple_of(tuple_of(10))"),
    ],
)
def test_clipping_idioms_with_the_bound_that_is_written_instead_are_refuted_by_two_tables(notion, a, b):
    theorem = getattr(claims, notion)()
    assert isinstance(theorem.claim, Refuted)
    assert {key: theorem.premises[0].data[key] for key in ("a", "b")} == {"a": a, "b": b}
