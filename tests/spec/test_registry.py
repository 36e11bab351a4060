"""The registry: one thing per stem, whose example meets its conditions and whose names mean one thing."""

from dataclasses import replace
from fractions import Fraction

import pytest

from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.k_ary_randomised_response import K_ARY_RANDOMISED_RESPONSE
from refdp.spec import registry
from refdp.spec.formulas import Real, formula
from refdp.spec.noise import AdditiveNoise
from refdp.spec.rows import RowSum
from refdp.terms.reading import read
from refdp.terms.term import TermError, term
from tests.kinds import instead, registered

STEMS = registry.stems()


@pytest.mark.parametrize("stem", STEMS)
def test_registered_example_meets_the_conditions(stem):
    """Else a claim could hold because nothing meets them."""
    kind = registry.kind_of(stem)
    assert tuple(kind.example) == kind.parameters
    assert all(registry.condition_holds(c, kind.example) for c in kind.conditions)


@pytest.mark.parametrize("stem", STEMS)
def test_registered_names_mean_one_thing(stem):
    kind = registry.kind_of(stem)
    assert not set(kind.parameters) & set(kind.reserved.split())
    for f, own in kind.readings:
        assert set(f.parameters) <= set(kind.parameters) | set(own.split())


def test_registered_twice_under_one_stem_is_refused():
    with pytest.raises(TermError, match="discrete_laplace is registered already"):
        registry.register(DISCRETE_LAPLACE)


@pytest.mark.parametrize(
    "example",
    [{}, {"scale": term(1)}, {"granularity": term(1), "scale": term(1)},
     {"scale": term(1), "granularity": term(1), "more": term(1)}],
)  # fmt: skip
def test_registered_with_an_example_of_other_parameters_is_refused(example):
    with pytest.raises(TermError, match="the example of wrong must give scale, granularity"):
        registry.register(replace(DISCRETE_LAPLACE, stem="wrong", example=example))


def test_registered_with_an_example_that_breaks_a_condition_is_refused():
    with pytest.raises(TermError, match="the example of wrong breaks 0 < scale"):
        registry.register(replace(DISCRETE_LAPLACE, stem="wrong", example={"scale": term(0), "granularity": term(1)}))
    empty = (*DISCRETE_LAPLACE.conditions, read("scale < 0"))
    with pytest.raises(TermError, match="breaks scale < 0"):
        registry.register(replace(DISCRETE_LAPLACE, stem="wrong", conditions=empty))


def test_registered_with_a_condition_on_what_is_no_parameter_is_refused():
    """A condition on d_in or on an output would be a hypothesis of every obligation."""
    for condition in ("d_in <= 0", "0 <= z", "a == b"):
        with pytest.raises(TermError, match="has no value"):
            registry.register(
                replace(DISCRETE_LAPLACE, stem="wrong", conditions=(*DISCRETE_LAPLACE.conditions, read(condition)))
            )
    assert "wrong" not in registry.stems()


@formula
def of_a_stranger(z: Real, scale: Real, stranger: Real) -> Real:
    return -abs(z) / scale + stranger


def test_registered_with_a_formula_that_reads_a_stranger_is_refused():
    with pytest.raises(TermError, match="of_a_stranger of wrong must not read stranger"):
        registry.register(replace(DISCRETE_LAPLACE, stem="wrong", log_weight=of_a_stranger))


def test_lookup_of_another_kind_or_of_nothing_is_refused():
    assert registry.lookup("discrete_laplace", AdditiveNoise) is DISCRETE_LAPLACE
    for stem, kind in (("discrete_laplace", RowSum), ("nothing", AdditiveNoise), ("", RowSum)):
        with pytest.raises(TermError, match=f"'{stem}' is not a registered {kind.__name__}"):
            registry.lookup(stem, kind)
    with pytest.raises(TermError, match="'nothing' is not registered"):
        registry.kind_of("nothing")


def test_subject_binds_its_parameters_in_order():
    assert str(registry.subject(DISCRETE_LAPLACE)) == "discrete_laplace(scale, granularity)"
    assert registry.bound(DISCRETE_LAPLACE, read("discrete_laplace(2, x)")) == {
        "scale": term(2),
        "granularity": read("x"),
    }
    for other in ("discrete_laplace(2)", "discrete_laplace(1, 2, 3)", "laplace(1, 2)", "discrete_laplace"):
        with pytest.raises(TermError, match="is not discrete_laplace"):
            registry.bound(DISCRETE_LAPLACE, read(other))


def test_values_are_exact_and_meet_the_conditions():
    assert registry.values(DISCRETE_LAPLACE, read("discrete_laplace(2 / 6, 1)")) == {
        "scale": Fraction(1, 3), "granularity": Fraction(1),
    }  # fmt: skip
    assert registry.values(registry.kind_of("column"), read("column('age', 2)")) == {"granularity": Fraction(2)}


@pytest.mark.parametrize(
    "subject", ["discrete_laplace(0, 1)", "discrete_laplace(1, -1)", "discrete_laplace(x, 1)",
                "discrete_laplace('1', 1)", "discrete_laplace(sqrt(2), 1)", "discrete_laplace(records(), 1)"]
)  # fmt: skip
def test_values_that_are_none_or_break_a_condition_are_refused(subject):
    with pytest.raises(TermError):
        registry.values(DISCRETE_LAPLACE, read(subject))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("multiple(x, y)", False), ("multiple(y, x)", True), ("multiple(y, x - x)", False), ("integer(y)", True),
        ("integer(x)", False), ("has_length(list_of('a', 'b'), y)", False), ("has_length(list_of('a', 'b'), 2)", True),
        ("x < y", True), ("y <= x", False),
    ],
)  # fmt: skip
def test_condition_is_decided_at_closed_arguments(condition, holds):
    assert registry.condition_holds(read(condition), {"x": read("1/2"), "y": term(3)}) is holds


def test_condition_that_a_kind_must_have_and_has_not_is_refused():
    whole = read("integer(k)")
    assert registry.require_conditions(K_ARY_RANDOMISED_RESPONSE, whole, read("2 <= k")) is None
    assert registry.is_integer_parameter(K_ARY_RANDOMISED_RESPONSE, "k")
    assert not registry.is_integer_parameter(K_ARY_RANDOMISED_RESPONSE, "truth")
    with pytest.raises(TermError, match=r"must have the condition integer\(truth\)"):
        registry.require_conditions(K_ARY_RANDOMISED_RESPONSE, read("integer(truth)"))


def test_hypotheses_are_the_comparisons_alone():
    assert [str(c) for c in registry.hypotheses(K_ARY_RANDOMISED_RESPONSE)] == ["2 <= k", "1 <= truth * k", "truth < 1"]


def test_variants_of_a_test_leave_the_registry_as_it_was():
    variant = replace(DISCRETE_LAPLACE, conditions=DISCRETE_LAPLACE.conditions[:1])
    with registered(replace(variant, stem="another")), instead(variant):
        assert registry.kind_of("discrete_laplace") is variant
        assert set(registry.stems()) == {*STEMS, "another"}
    assert registry.kind_of("discrete_laplace") is DISCRETE_LAPLACE
    assert set(registry.stems()) == set(STEMS)
