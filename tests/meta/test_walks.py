"""The straight walk of every claim of the ledger is short: at most six files and 500 lines, but for a few by name."""

import pytest

from refdp.claims import claim, ledger
from refdp.commands.source_spans import ROOT, Span
from refdp.commands.straight_walk import length, straight_walk
from refdp.report.certificates import theorem_of

pytestmark = pytest.mark.once

MOST_FILES, MOST_LINES = 6, 500
LONGER = {
    # noise on a count: two registered things, each with its formulas and with the class of its kind beside what the
    # kind must meet, then distances, proof and rule; one file of all classes would part them from their obligations,
    # and the accuracy of all noise and the stability of all sums would be read in seven files
    "composition.parallel_on_overlapping_parts": 7,
    "composition.parallel_bound_under_change_one": 7,
    "ten_row_table.six_thresholds": 7,
    "ten_row_table.eight_points_at_half_the_cost": 7,
    # the same kind of sum as clipped_vector_sum: its file has the formulas that they share
    "clipped_vector_mean.add_remove": 7,
    "clipped_vector_mean.by_count": 7,
    "clipped_vector_mean.sized_change_one": 7,
    "clipping_idioms.automatic": 7,
    "clipping_idioms.guarded": 7,
    "clipping_idioms.layers": 7,
    "clipping_idioms.nearest": 7,
    "clipping_idioms.total": 7,
    # a matrix and what moves: the map, how far its columns go, which entries one person changes, then noise and rules
    "linear.decoded": 8,
    "linear.pan_private_state_for_free": 7,
    "linear.user_at_event_level": 7,
    "linear.window_at_event_level": 8,
    "prefix_sums.noise_for_one_sum": 7,
    "tree_sums.noise_for_one_node": 7,
    "tree_sums.noise_of_one_level_fewer": 7,
    "two_level_sums.noise_for_the_entry_alone": 7,
    # a sum in cells or of moments: the map, its kind, the places of rows or what rescales them, then noise and rules
    "cluster_sums.add_remove_l1": 7,
    "cluster_sums.add_remove_l2": 7,
    "cluster_sums.change_one_l1": 7,
    "cluster_sums.change_one_l2": 7,
    "cluster_sums.noise_for_the_sizes_alone": 8,
    "cluster_sums.two_rounds_for_one": 8,
    "class_counts.noise_for_one_histogram": 7,
    # steps of noise on clipped sums, and an event in some of them
    "clipped_vector_sum.training_at_the_price_of_a_step": 7,
    "clipped_vector_sum.training_with_noise_of_an_added_row": 7,
    "clipped_vector_sum.training_with_noise_of_the_mean": 7,
    "clipped_vector_mean.training_by_count": 8,
    "second_moments.add_remove": 7,
    "second_moments.change_one": 7,
    "second_moments.laplace_noise_by_the_l2_bound": 8,
    # coefficients of least loss: the map and its kind, how rows are clipped first, then noise and rules
    "regularised_minimisers.logistic_add_remove": 7,
    "regularised_minimisers.logistic_change_one": 7,
    "regularised_minimisers.logistic_in_l1": 7,
    "regularised_minimisers.huber_add_remove": 7,
    "regularised_minimisers.huber_change_one": 7,
    "regularised_minimisers.average_add_remove": 7,
    "regularised_minimisers.laplace_noise_by_the_l2_bound": 8,
    # weighted ranks are scored by the formula of ranks
    "quantile_scores.add_remove": 7,
    "quantile_scores.change_one": 7,
    "quantile_scores.without_the_factor_2": 8,
    # noise scaled to what comes with a median, and a density of both
    "median_with_local_bound.with_cauchy_noise": 7,
    "median_with_local_bound.with_laplace_noise": 7,
    # two registered things, one in the other
    "one_bit_mean.memoised_at_the_loss_of_one_report": 7,
    # a mechanism with noise of another, whose formulas and sampler it takes
    "discrete_above_threshold.sampler_law": 7,
    "stability_keys.sampler_law": 7,
    "laplace_stability_keys.add_remove": 7,
    "laplace_stability_keys.threshold_without_the_1": 7,
}
"""The claims whose walks lead through more files, with how many."""


def walk(identifier):
    listed = claim(identifier)
    return straight_walk(listed, theorem_of(listed))


def shown(identifier):
    """The lines of the walk, as text."""
    texts = {}
    for one in walk(identifier):
        lines = (ROOT / one.file).read_text(encoding="utf-8").splitlines()
        texts.setdefault(one.file, []).extend(lines[one.first - 1 : one.last])
    return {file: "\n".join(lines) for file, lines in texts.items()}


def test_walks_of_all_claims_are_short():
    found = {c.identifier: length(straight_walk(c, theorem_of(c))) for c in ledger()}
    assert len(found) >= 396
    assert {name: n["files"] for name, n in found.items() if n["files"] > MOST_FILES} == LONGER
    assert max(n["lines"] for n in found.values()) <= MOST_LINES
    assert min(n["files"] for n in found.values()) >= 2


@pytest.mark.parametrize(
    ("identifier", "read"),
    [
        (
            "discrete_laplace.pure",
            {
                "refdp/spec/distances.py": ('Metric("absolute"', 'Measure("pure"'),
                "refdp/mechanisms/discrete_laplace.py": "def log_weight(",
                "refdp/spec/noise.py": ("class AdditiveNoise:", "def loss_is_bounded("),
                "refdp/ledger/mechanisms.toml": ("[discrete_laplace.pure]", "proof = "),
                "refdp/kernel/rules/privacy.py": "def additive_noise(",
            },
        ),
        (
            "histogram.add_remove_l1",
            {
                "refdp/spec/distances.py": 'Metric("l1"',
                "refdp/transformations/histogram.py": "HISTOGRAM = register(",
                "refdp/spec/rows.py": ("class RowSum:", "def sum_obligations("),
                "refdp/ledger/transformations.toml": ("[histogram.add_remove_l1]", "proof = "),
                "proofs/lemmas.py": "def sum_is_stable(",
                "refdp/kernel/rules/stability.py": "def sum_of_rows(",
            },
        ),
        (
            "traps.halves_by_rank",
            {
                "refdp/statements/traps.py": "_smaller_half + _larger_half <= 1",
                "refdp/ledger/documents.toml": ("[traps.halves_by_rank]", "proof = "),
                "proofs/lemmas.py": "def false_at(",
                "refdp/kernel/rules/statements.py": "def false_statement(",
            },
        ),
    ],
)
def test_walks_lead_from_the_words_to_the_rule(identifier, read):
    found = shown(identifier)
    assert found.keys() == read.keys()
    for file, texts in read.items():
        for text in [texts] if isinstance(texts, str) else texts:
            assert text in found[file], (file, text)


@pytest.mark.parametrize(
    ("identifier", "kinds"),
    [
        ("ten_row_table.six_thresholds", ["AdditiveNoise", "RowSum"]),
        ("laplace.renyi_tight", ["AdditiveNoise"]),
        ("gaussian.analytic", ["AdditiveNoise"]),
        ("exponential.pure", ["WeightedSelection"]),
    ],
)
def test_walks_show_the_class_of_each_kind(identifier, kinds):
    found = "\n".join(shown(identifier).values())
    assert all(f"class {kind}:" in found for kind in kinds)


def test_walks_stop_at_claims_that_are_cited():
    found = shown("composition.chain_privacy")
    assert not any("mechanisms" in file or "transformations" in file for file in found)
    assert "def chain_privacy(" in found["proofs/composition.py"]


def test_walks_count_each_line_once():
    assert length(frozenset({Span("a", 1, 3), Span("a", 2, 5), Span("b", 2, 2)})) == {"files": 2, "lines": 6}
