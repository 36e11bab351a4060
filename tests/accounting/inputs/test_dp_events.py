"""Trees of dp_accounting's events: what each means under each relation, and that nothing is skipped.

The classes here have the names and fields of dp_accounting's; the library itself is not needed.
"""

from collections import namedtuple
from enum import Enum
from fractions import Fraction

import pytest

from refdp.accounting import events
from refdp.accounting.events import NOT_PRIVATE, Event, FixedSize, NoTheorem, Poisson
from refdp.accounting.inputs import dp_events
from refdp.accounting.inputs.anything import events_of
from refdp.accounting.inputs.dp_events import NODES
from refdp.accounting.inputs.dp_leaves import DEEPEST, LEAVES
from refdp.accounting.inputs.relations import neighbours_of
from refdp.accounting.losses import LossError, Normal
from refdp.accounting.pairs import compositions


class NeighboringRelation(Enum):
    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2
    REPLACE_SPECIAL = 3


ADD, ONE, SPECIAL = NeighboringRelation
FIELDS = {
    "NoOpDpEvent": (),
    "NonPrivateDpEvent": (),
    "UnsupportedDpEvent": (),
    "RandomizedResponseDpEvent": ("noise_parameter", "num_buckets"),
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "DiscreteLaplaceDpEvent": ("noise_parameter", "sensitivity"),
    "DiscreteGaussianDpEvent": ("sigma", "sensitivity", "dimension"),
    "EpsilonDeltaDpEvent": ("epsilon", "delta"),
    "ExponentialMechanismDpEvent": ("epsilon",),
    "PermuteAndFlipDpEvent": ("epsilon",),
    "SelfComposedDpEvent": ("event", "count"),
    "ComposedDpEvent": ("events",),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SampledWithReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "SampledWithoutReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "SingleEpochTreeAggregationDpEvent": ("noise_multiplier", "step_counts"),
    "RepeatAndSelectDpEvent": ("event", "mean", "shape"),
    "MixtureOfGaussiansDpEvent": ("standard_deviation", "sensitivities", "sampling_probs"),
    "ZCDpEvent": ("rho", "xi"),
    "TruncatedSubsampledGaussianDpEvent": (
        "dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier",
    ),
}  # fmt: skip


def live(name, *values):
    """An object of a class of that name."""
    return type(name, (), dict(zip(FIELDS[name], values, strict=True)))()


def written(name, *values):
    """What `to_named_tuple` makes of it."""
    kind = namedtuple(f"_{name}NamedTupleWrapper", ("module_name", "class_name", *FIELDS[name]))
    return kind("dp_accounting.dp_event", name, *values)


def gaussian(sigma):
    return live("GaussianDpEvent", sigma)


def read(tree, relation=ADD):
    return events_of(tree, neighbours_of(relation))


def test_every_class_has_its_meaning_or_its_refusal():
    assert set(FIELDS) == {*NODES, *LEAVES, "UnsupportedDpEvent"}


@pytest.mark.parametrize(
    ("leaf", "added", "replaced", "special"),
    [
        (("GaussianDpEvent", 2.0), events.Gaussian(2, 1), events.Gaussian(2, 2), events.Gaussian(2, 1)),
        (("LaplaceDpEvent", 2.0), events.Laplace(2, 1), events.Laplace(2, 2), events.Laplace(2, 1)),
        (
            ("DiscreteLaplaceDpEvent", 0.5, 3),
            events.DiscreteLaplace(2, 3),
            events.DiscreteLaplace(2, 6),
            events.DiscreteLaplace(2, 3),
        ),
        (
            ("DiscreteGaussianDpEvent", 2.0, 3.0, 1),
            events.DiscreteGaussian(2, 3),
            events.DiscreteGaussian(2, 6),
            events.DiscreteGaussian(2, 3),
        ),
        (
            ("DiscreteGaussianDpEvent", 2.0, 3.0, None),
            events.Concentrated("9/8"),
            events.Concentrated("9/2"),
            events.Concentrated("9/8"),
        ),
        (
            ("DiscreteGaussianDpEvent", 2.0, 1.5, 1),
            events.Concentrated("9/32"),
            events.DiscreteGaussian(2, 3),
            events.Concentrated("9/32"),
        ),
        (("EpsilonDeltaDpEvent", 0.5, 0.25), *[events.Approximate("1/2", "1/4")] * 3),
        (("ExponentialMechanismDpEvent", 0.5), *[events.BoundedRange("1/2")] * 3),
        (("PermuteAndFlipDpEvent", 0.5), *[events.PermuteAndFlip(4)] * 3),
        (("ZCDpEvent", 0.5, 0.0), *[events.Concentrated("1/2")] * 3),
        (("NonPrivateDpEvent",), *[NOT_PRIVATE] * 3),
        (("GaussianDpEvent", 0.0), *[NOT_PRIVATE] * 3),
        (("LaplaceDpEvent", 0), *[NOT_PRIVATE] * 3),
        (("DiscreteGaussianDpEvent", 0, 1, 1), *[NOT_PRIVATE] * 3),
    ],
)
def test_a_leaf_means_the_same_written_and_live(leaf, added, replaced, special):
    for relation, mechanism in ((ADD, added), (ONE, replaced), (SPECIAL, special)):
        assert read(live(*leaf), relation) == read(written(*leaf), relation) == [Event(mechanism)]


@pytest.mark.parametrize(
    "leaf",
    [
        ("NoOpDpEvent",),
        ("ZCDpEvent", 0, 0),
        ("ExponentialMechanismDpEvent", 0),
        ("PermuteAndFlipDpEvent", 0),
        ("RandomizedResponseDpEvent", 1.0, 5),
        ("RandomizedResponseDpEvent", 0.5, 1),
        ("DiscreteLaplaceDpEvent", 1.0, 0),
        ("DiscreteGaussianDpEvent", 1.0, 0, 1),
        ("MixtureOfGaussiansDpEvent", 1.0, [0.0], [1.0]),
    ],
)
def test_what_reveals_nothing_costs_nothing(leaf):
    assert read(live(*leaf), SPECIAL) == []


def test_class_names_may_be_bytes():
    kind = namedtuple("Wrapper", ("module_name", "class_name", "noise_multiplier"))
    assert read(kind(b"dp_accounting.dp_event", b"GaussianDpEvent", 2.0)) == [Event(events.Gaussian(2))]


def test_randomised_response_needs_two_values():
    response = live("RandomizedResponseDpEvent", 0.5, 4)
    assert read(response, ONE) == [Event(events.KAryRandomisedResponse(4, "5/8"))]
    ((finite,),) = [read(response, SPECIAL)]
    assert finite.mechanism.outcomes == ((Fraction(5, 8), Fraction(1, 4)), (Fraction(3, 8), Fraction(3, 4)))
    with pytest.raises(NoTheorem, match="no two tables under add_remove"):
        compositions("add_remove", read(response, ADD))
    assert read(live("RandomizedResponseDpEvent", 0, 4), ONE) == [Event(NOT_PRIVATE)]


def test_zcdp_with_an_offset_is_renyi():
    ((event,),) = [read(live("ZCDpEvent", 0.5, 0.25))]
    assert all(bound == Fraction(1, 4) + order / 2 for order, bound in event.mechanism.bounds)


def test_compositions_count_as_often_as_they_say():
    thrice = live("SelfComposedDpEvent", gaussian(2), 3)
    tree = live("SelfComposedDpEvent", live("ComposedDpEvent", [gaussian(1), thrice]), 5)
    assert read(tree) == [Event(events.Gaussian(1), 5), Event(events.Gaussian(2), 15)]
    assert read([gaussian(1), tree])[0] == Event(events.Gaussian(1))


def test_poisson_samples_are_moved_by_a_row_added():
    tree = live("SelfComposedDpEvent", live("PoissonSampledDpEvent", 0.25, gaussian(2)), 7)
    for relation in (ADD, ONE, SPECIAL):
        assert read(tree, relation) == [Event(events.Gaussian(2, 1), 7, Poisson("1/4"))]
    laplace = live("PoissonSampledDpEvent", 0.25, live("LaplaceDpEvent", 2))
    assert read(laplace, ONE) == [Event(events.Laplace(2, 1), 1, Poisson("1/4"))]


def test_gaussian_answers_about_one_sample_are_one():
    inner = live("ComposedDpEvent", [gaussian(2), live("SelfComposedDpEvent", gaussian(4), 3), live("NoOpDpEvent")])
    ((event,),) = [read(live("PoissonSampledDpEvent", 0.25, inner))]
    assert event.mechanism.loss() == Normal(Fraction(1, 4) + Fraction(3, 16))
    ((event,),) = [read(live("SampledWithoutReplacementDpEvent", 10, 2, inner), ONE)]
    assert event.mechanism.loss() == Normal(1 + Fraction(12, 16))


def test_a_fixed_sample_is_moved_by_a_row_replaced():
    tree = live("SampledWithoutReplacementDpEvent", 10, 2, gaussian(2))
    assert read(tree, ONE) == [Event(events.Gaussian(2, 2), 1, FixedSize(10, 2))]
    with pytest.raises(NoTheorem, match="special"):
        read(tree, SPECIAL)
    with pytest.raises(NoTheorem, match="fixed size"):
        compositions("add_remove", read(tree, ADD))


def test_what_is_seen_with_a_probability_is_seen_with_that():
    tree = live("PoissonSampledDpEvent", 0.25, gaussian(0))
    ((event,),) = [read(tree)]
    assert event.mechanism.outcomes == ((Fraction(1, 4), 0), (Fraction(3, 4), 1))
    ((event,),) = [read(tree, ONE)]
    assert event.mechanism.outcomes == ((Fraction(1, 4), 0), (Fraction(3, 4), Fraction(3, 4)), (0, Fraction(1, 4)))
    assert read(live("SampledWithoutReplacementDpEvent", 8, 2, gaussian(0)), ONE) == [event]
    assert read(live("PoissonSampledDpEvent", 0.0, gaussian(0))) == []
    assert read(live("PoissonSampledDpEvent", 0.5, live("NoOpDpEvent"))) == []


def test_a_tree_of_one_epoch_costs_its_levels():
    for steps, levels in ((1, 1), (3, 2), (4, 3), ([5, 1024, 7], 11)):
        tree = live("SingleEpochTreeAggregationDpEvent", 2.0, steps)
        assert read(tree, SPECIAL) == [Event(events.Gaussians(Fraction(levels, 4)))]
    with pytest.raises(NoTheorem, match="REPLACE_SPECIAL alone"):
        read(live("SingleEpochTreeAggregationDpEvent", 2.0, 3), ADD)


def test_a_mixture_of_one_sensitivity_is_a_sample():
    mixture = live("MixtureOfGaussiansDpEvent", 2.0, [0.0, 3.0], [0.75, 0.25])
    assert read(mixture) == [Event(events.Gaussian(2, 3), 1, Poisson("1/4"))]
    for wrong in ((2.0, [1.0, 2.0], [0.5, 0.5]), (2.0, [0.0, -1.0, 1.0], [0.5, 0.25, 0.25])):
        with pytest.raises(NoTheorem, match="one sensitivity besides 0"):
            read(live("MixtureOfGaussiansDpEvent", *wrong))
    with pytest.raises(NoTheorem, match="one row added"):
        read(mixture, ONE)
    with pytest.raises(LossError, match="the sum of sampling_probs must be exactly 1"):
        read(live("MixtureOfGaussiansDpEvent", 2.0, [0.0, 3.0], [0.5, 0.25]))
    with pytest.raises(LossError, match="as many as sensitivities"):
        read(live("MixtureOfGaussiansDpEvent", 2.0, [0.0, 3.0], [1.0]))


def test_a_truncated_sample_is_known_where_nothing_is_cut():
    assert read(live("TruncatedSubsampledGaussianDpEvent", 10, 0.25, 11, 2.0)) == [
        Event(events.Gaussian(2), 1, Poisson("1/4"))
    ]


def test_a_truncated_sample_is_of_a_table_that_may_have_a_row_more():
    tree = live("TruncatedSubsampledGaussianDpEvent", 10, 0.25, 10, 2.0)
    for relation, most in ((ADD, 11), (ONE, 10)):
        assert read(tree, relation) == [Event(events.Gaussian(2), 1, events.TruncatedPoisson("1/4", 10, most))]
    with pytest.raises(NoTheorem, match="special"):
        read(tree, SPECIAL)
    (told,) = read(live("TruncatedSubsampledGaussianDpEvent", 10, 0.25, 2, 0.0))
    assert told.mechanism.outcomes == ((Fraction(1, 4), 0), (Fraction(3, 4), 1))
    assert read(live("TruncatedSubsampledGaussianDpEvent", 10, 0.0, 2, 1.0)) == []


def test_draws_with_replacement_move_sums_by_twice_the_norm_each():
    tree = live("SampledWithReplacementDpEvent", 10, 3, live("SelfComposedDpEvent", gaussian(2), 2))
    assert read(tree, ONE) == [Event(events.Gaussians(2), 1, events.WithReplacement(10, 3))]
    for relation in (ADD, SPECIAL):
        with pytest.raises(NoTheorem, match="REPLACE_ONE alone"):
            read(tree, relation)
    (told,) = read(live("SampledWithReplacementDpEvent", 2, 2, gaussian(0)), ONE)
    assert 0 <= told.mechanism.outcomes[0][0] - Fraction(3, 4) < Fraction(1, 10**60)
    assert read(live("SampledWithReplacementDpEvent", 2, 2, live("NoOpDpEvent")), ONE) == []


REFUSED = [
    live("UnsupportedDpEvent"),
    object(),
    3,
    None,
    live("ComposedDpEvent", [gaussian(1), live("UnsupportedDpEvent")]),
    live("RepeatAndSelectDpEvent", live("RepeatAndSelectDpEvent", gaussian(1), 2.0, 1.0), 2.0, 1.0),
    live("PoissonSampledDpEvent", 0.5, live("SampledWithReplacementDpEvent", 10, 2, gaussian(1))),
    live("PoissonSampledDpEvent", 0.5, live("PoissonSampledDpEvent", 0.5, gaussian(1))),
    live("PoissonSampledDpEvent", 0.5, live("SelfComposedDpEvent", live("LaplaceDpEvent", 1), 2)),
    live("PoissonSampledDpEvent", 0.5, live("ComposedDpEvent", [gaussian(1), live("LaplaceDpEvent", 1)])),
    live("PoissonSampledDpEvent", 0.5, live("TruncatedSubsampledGaussianDpEvent", 1, 0.5, 2, 1)),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_what_has_no_theorem_is_refused_and_never_skipped(place):
    for relation in (ADD, ONE, SPECIAL):
        with pytest.raises(NoTheorem) as refusal:
            read(REFUSED[place], relation)
        assert "\n" not in str(refusal.value)


def test_poisson_sampling_is_refused_where_its_row_is():
    tree = live("PoissonSampledDpEvent", 0.5, live("EpsilonDeltaDpEvent", 1.0, 0.0))
    assert compositions("add_remove", read(tree, ADD))
    with pytest.raises(NoTheorem, match="special"):
        read(tree, SPECIAL)
    with pytest.raises(NoTheorem, match="no amplification under change_one"):
        compositions("change_one", read(tree, ONE))


BAD = {
    "negative": (gaussian(-1.0), "noise_multiplier must be >= 0, got -1"),
    "nan": (gaussian(float("nan")), "noise_multiplier must be a number"),
    "probability 2": (live("PoissonSampledDpEvent", 2.0, gaussian(1)), "sampling_probability must be at most 1"),
    "count 0": (live("SelfComposedDpEvent", gaussian(1), 0), "count must be a whole number from 1"),
    "events": (live("ComposedDpEvent", 3), "events must be a list, got 3"),
    "no field": (type("GaussianDpEvent", (), {})(), "GaussianDpEvent must have the field noise_multiplier, got none"),
    "sample": (live("SampledWithoutReplacementDpEvent", 2, 3, gaussian(1)), "sample must be at most rows = 2, got 3"),
    "xi": (live("ZCDpEvent", 1.0, -1.0), "xi must be >= 0, got -1"),
    "noise 2": (live("RandomizedResponseDpEvent", 2.0, 3), "noise_parameter must be at most 1"),
    "rate 0": (live("DiscreteLaplaceDpEvent", 0, 3), "noise_parameter must be > 0"),
    "no steps": (live("SingleEpochTreeAggregationDpEvent", 1.0, []), "step_counts must be at least one"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_field_gets_one_clear_sentence(case):
    tree, sentence = BAD[case]
    with pytest.raises(LossError) as error:
        read(tree, SPECIAL if case == "no steps" else ONE)
    assert sentence in str(error.value)


def test_a_tree_is_bounded(monkeypatch):
    deep = gaussian(1)
    for _ in range(DEEPEST + 1):
        deep = live("SelfComposedDpEvent", deep, 1)
    with pytest.raises(LossError, match="at most 200 levels deep"):
        read(deep)
    assert dp_events.MOST_EVENTS == 100_000
    monkeypatch.setattr(dp_events, "MOST_EVENTS", 1000)
    wide = live("ComposedDpEvent", [gaussian(1)] * 10)
    assert len(read(live("ComposedDpEvent", [wide] * 100))) <= 1000
    with pytest.raises(LossError, match="at most 1000 leaves"):
        read(live("ComposedDpEvent", [wide] * 101))
    often = live("SelfComposedDpEvent", live("SelfComposedDpEvent", gaussian(1), 10**6), 10**6)
    with pytest.raises(LossError, match="count must be a whole number from 1 to 1000000000"):
        read(often)


def test_the_relation_must_be_said():
    with pytest.raises(LossError, match="neighbours must be add_remove, change_one or a NeighboringRelation"):
        read(gaussian(1), "none")
    for wrong in (None, "REPLACE", 3, Enum("Other", "A").A):
        with pytest.raises(LossError, match="neighbours must be one of add_remove, change_one, none, ADD_OR"):
            neighbours_of(wrong)
