"""What a subject does: values and laws against their definitions, and only on the domain of the subject."""

from fractions import Fraction
from itertools import permutations

import pytest

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what subjects may name)
from refdp.numerics.arithmetic import Intervals
from refdp.spec.semantics import data, has_loss, law, loss, split, value, written
from refdp.terms.reading import read
from refdp.terms.term import TermError

F = Fraction
ISLANDS = read("category_of('island', list_of('A', 'B'), 2)")
TABLE = ({"island": "B"}, {"island": "A"}, {"island": "C"}, {"island": None}, {}, {"island": "A"})


def test_value_of_a_chain_is_the_value_of_the_value():
    chained = read("chain(clamp(0, 5, 1), clamped_sum(-1, 3, 1))")
    assert value(chained, (F(-2), F(2), F(9))) == F(0) + 2 + 3


@pytest.mark.parametrize("subject", ["discrete_laplace(1, 1)", "nothing(1)", "compose(count(records()))", "x"])
def test_value_of_what_is_no_transformation_is_refused(subject):
    with pytest.raises(TermError):
        value(read(subject), ())


def test_split_sends_each_row_to_its_part_and_others_nowhere():
    assert split(ISLANDS, 2, TABLE) == [(TABLE[1], TABLE[5]), (TABLE[0],)]
    assert split(ISLANDS, 1, TABLE) == [(TABLE[1], TABLE[5])]


RESPONSE = {F(0): F(3, 4), F(1): F(1, 4)}


def test_law_of_randomised_response_and_of_its_combinations():
    assert law(read("randomised_response(3/4)"), F(0)) == RESPONSE
    both = law(read("compose(randomised_response(3/4), randomised_response(2/3))"), F(1))
    assert both == {(F(a), F(b)): F(1 + 2 * a, 4) * F(1 + b, 3) for a in (0, 1) for b in (0, 1)}
    assert law(read("post_process(multiply_output(0), randomised_response(3/4))"), F(0)) == {F(0): F(1)}
    assert law(read("post_process(multiply_output(5), randomised_response(3/4))"), F(0)) == {
        F(0): F(3, 4), F(5): F(1, 4),
    }  # fmt: skip


def test_law_of_permute_and_flip_is_that_of_its_definition():
    """Each order of the candidates in turn, each stopping at the first whose flip comes up."""
    arithmetic = Intervals(64)
    scores, scale = (F(0), F(2), F(1)), 2
    found = law(read(f"permute_and_flip({scale})"), scores, arithmetic)
    flips = [arithmetic.function("exp", arithmetic.number((s - max(scores)) / scale)) for s in scores]
    one = arithmetic.number(F(1))
    for i in range(3):
        total = arithmetic.number(F(0))
        for order in permutations(range(3)):
            before = order[: order.index(i)]
            reached = one
            for j in before:
                reached = reached * (one - flips[j])
            total = total + reached * flips[i] * arithmetic.number(F(1, 6))
        assert total.lower <= found[F(i)].upper
        assert found[F(i)].lower <= total.upper
        assert found[F(i)].upper - found[F(i)].lower < F(1, 10**15)


@pytest.mark.parametrize(
    ("subject", "x"),
    [
        ("randomised_response(3/4)", F(2)),
        ("randomised_response(3/4)", F(1, 2)),
        ("randomised_response(3/4)", (F(0),)),
        ("randomised_response(3/4)", {}),
        ("k_ary_randomised_response(3, 1/2)", F(3)),
        ("truncated_geometric(1, 1, 0, 3)", F(4)),
        ("truncated_geometric(1, 1, 0, 3)", F(1, 2)),
        ("renormalised_geometric(1, 2)", F(3)),
        ("exponential(1)", ()),
        ("exponential(1)", F(1)),
        ("exponential(1)", (1, 2)),
        ("permute_and_flip(1)", ()),
        ("permute_and_flip(1)", ("a", "b")),
    ],
)
def test_law_outside_the_domain_is_refused(subject, x):
    """There the formulas need be no law."""
    with pytest.raises(TermError, match="the input is not in the domain of"):
        law(read(subject), x, Intervals(64))


@pytest.mark.parametrize("subject", ["discrete_laplace(1, 1)", "count(records())", "nothing()", "clamp_output(0, 1)"])
def test_law_of_what_has_no_finite_one_is_refused(subject):
    with pytest.raises(TermError):
        law(read(subject), F(0))


@pytest.mark.parametrize("n", [17, 60])
def test_law_of_more_outcomes_than_can_be_listed_is_refused(n):
    with pytest.raises(TermError, match="more than 100000 outcomes"):
        law(read(f"compose({', '.join(['randomised_response(3/4)'] * n)})"), F(0))
    with pytest.raises(TermError, match="more than 100000 members"):
        law(read(f"k_ary_randomised_response({10**n}, 1/2)"), F(0))


def test_loss_of_noise_is_the_log_ratio_of_its_weights():
    noise = read("discrete_laplace(2, 1)")
    assert loss(noise, F(0), F(0), F(3)) == F(3, 2)
    assert loss(noise, F(1), F(0), F(3)) == F(2, 2) - F(1, 2)
    assert loss(read("discrete_gaussian(2, 1)"), F(5), F(0), F(1)) == F(16 - 25, 8)
    chained = read("chain(count(grid(1)), discrete_laplace(2, 1))")
    assert loss(chained, F(0), (), (F(7), F(7))) == 1
    assert loss(read("compose(discrete_laplace(2, 1), discrete_laplace(1, 1))"), (F(0), F(0)), F(0), F(1)) == F(3, 2)
    parts = read(f"parallel({ISLANDS}, {', '.join(['chain(count(records()), discrete_laplace(1, 1))'] * 2)})")
    assert loss(parts, (F(0), F(0)), (), TABLE) == 3
    assert all(map(has_loss, (noise, chained, parts)))


@pytest.mark.parametrize(
    "subject", ["laplace(1)", "randomised_response(3/4)", "compose(discrete_laplace(1, 1), randomised_response(3/4))",
                "count(records())", "chain(count(records()), laplace(1))", "nothing(1)"]
)  # fmt: skip
def test_loss_is_had_of_grid_noise_only(subject):
    assert not has_loss(read(subject))


@pytest.mark.parametrize(
    ("output", "a", "b"), [(F(1, 2), F(0), F(1)), (F(0), F(1, 2), F(1)), (F(0), F(0), "1"), ((), F(0), F(1))]
)
def test_loss_at_what_cannot_be_is_refused(output, a, b):
    with pytest.raises(TermError, match="is not an outcome of"):
        loss(read("discrete_laplace(1, 1)"), output, a, b)


@pytest.mark.parametrize("x", [F(0), F(-7, 3), "A", 'it\'s "quoted"\n', (), (F(1), ("x", ())), ((F(1, 2),),)])
def test_data_are_written_down_and_read_back(x):
    assert data(written(x)) == x
    assert data(read(str(written(x)))) == x


@pytest.mark.parametrize("text", ["x", "list_of(1)", "sqrt(2)", "tuple_of(x)", "records()", "1 <= 2"])
def test_data_that_are_none_are_refused(text):
    with pytest.raises(TermError):
        data(read(text))
