"""Each sentence of the ledger says what its formal text says: its numbers, its mechanisms, nothing about all others.

A formal text about one instance under a sentence that promises the rule is what these tests look for.
"""

import re
from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.claims import Claim, ledger, programs
from refdp.report.generality import GENERAL, NUMBERS, OF_A_RULE, OF_OUTCOMES, numbers_of, reach, subject, things
from refdp.terms.reading import read
from refdp.terms.term import names
from tests.made import certificate_of
from tests.meta.repository import ROOT

CLAIMS = {c.identifier: c for c in ledger()}
ABOUT_SUBJECTS = {i: c for i, c in CLAIMS.items() if subject(c) is not None}
WORDS = {
    "one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "hundred": 100, "thousand": 1000, "fair": F(1, 2), "half": F(1, 2), "median": 3, "doubles": 2,
}  # fmt: skip
"""What numbers may be called in a sentence."""
CALLED = {
    "discrete_laplace": ("discrete Laplace noise", "noisy count"),
    "laplace": ("Laplace noise",),
    "discrete_gaussian": ("discrete Gaussian noise",),
    "gaussian": ("normal noise", "Gaussian noise"),
    "symmetric_unary_encoding": ("one bit for each", "count mean sketch"),
    "hadamard_entry_response": ("sign of the Hadamard matrix", "Hadamard count mean sketch"),
    "permanent_response": ("permanent response", "signs of the column, each flipped"),
    "k_ary_randomised_response": ("k-ary randomised response", "told truly", "told among", "answered truly"),
    "randomised_response": ("randomised response", "answered truly"),
    "count": ("count", "number of rows"),
    "threshold_count": ("threshold count", "rows at most"),
    "point_count": ("point count", "rows equal to"),
    "clamped_sum": ("clamped sum",),
    "clamp_output": ("clamped", "merged"),
    "category_of": ("island", "category"),
    "drop_missing": ("missing",),
    "fill_missing": ("missing",),
    "map_rows": ("function on each row",),
    "filter_rows": ("filter",),
    "laplace_without_half": ("exp(-|z| / scale) / scale",),
    "attribute_means": ("attribute means",),
    "histogram": ("point counts", "histogram"),
    "rank_scores": ("median",),
    "exponential": ("exponential mechanism",),
    "permute_and_flip": ("permute and flip",),
    "gumbel_noisy_max": ("Gumbel noise",),
    "linear": ("steps", "entry", "tree"),
    "decode_output": ("decoded",),
    "clipped_vector_sum": ("sum of clipped vectors", "sum of clipped gradients"),
    "clipped_mean_of_sized": ("mean of exactly size clipped vectors",),
    "clipped_mean_by_count": ("clipped vectors over the private number of rows",),
    "layered_clipped_sum": ("equal layers, each clipped",),
    "guarded_clipped_sum": ("times min(1, norm / (length + guard))",),
    "automatic_clipped_sum": ("times norm / (length + guard)",),
    "nearest_clipped_sum": ("rounded to the nearest",),
    "scaled_cauchy": ("Cauchy noise",),
    "scaled_laplace": ("Laplace noise",),
    "scaled_student": ("Student's noise",),
    "signed_columns": ("scaled columns times -1 or 1",),
    "logistic_minimiser": ("coefficients of logistic regression",),
    "huber_minimiser": ("coefficients of a support vector machine",),
    "linear_loss_minimiser": ("coefficients of a linear loss",),
    "linear_loss_average_minimiser": (
        "of a linear loss with a ridge, at which the gradient of the mean",
        "for the mean of losses",
    ),
    "rounded_to": ("rounded to", "on multiples of a step"),
    "median_with_distance": ("distance to where it moves further",),
    "truncated_geometric": ("discrete Laplace noise of scale 1, clamped",),
    "clipped_total": ("clipped in place of the vectors",),
}
"""Stem -> what a sentence may call it, but for its own claims."""
METRICS_OF_ROWS = ("symmetric", "change_one")
CONDITIONS = ("<=", "<", "==", "!=", "integer", "multiple", "has_length")
COMBINED = (
    "chain",
    "post_process",
    "compose",
    "repeated",
    "parallel",
    "adaptive",
    "poisson_sampled",
    "fixed_size_sampled",
)
SAYS_PRIVACY = re.compile(r"\bDP\b|-DP\b|zCDP|mechanism")
ABOUT_OUTCOMES = ("outcome", "event", "answer", "bit", "probabilit")


def mentioned(sentence: str) -> set[F]:
    """Every number that the sentence says, in digits or in words."""
    said = {F(WORDS[w]) for w in re.findall(r"[a-z]+", sentence.lower()) if w in WORDS}
    said |= {F(10) ** int(power) for power in re.findall(r"10\^(-?\d+)", sentence)}
    said |= {F(n) for n in re.findall(r"\d+/\d+|\d+\.\d+|\d+", sentence.replace(" 000", "000"))}
    return said | {F(2) ** int(power) for power in re.findall(r"2\^(\d+)", sentence)}


def says(sentence: str, written) -> bool:
    """Whether the sentence says the closed term: a number by its value, what has a logarithm as it is written."""
    if written.operator == "number":
        return written.value in mentioned(sentence)
    if written.operator == "tuple_of":
        masses = {m.value for row in written.arguments for m in row.arguments} - {0, 1, -1}
        return not masses or bool(masses & mentioned(sentence))
    return str(written) in sentence


def unsaid(c: Claim) -> list[str]:
    """The numbers of the formal text that its sentence does not say: of the subject, of the distance, of the bound."""
    about = subject(c)
    lacking = [f"{stem}.{p} = {v}" for stem, p, v in numbers_of(about) if not says(c.sentence, v)]
    whole = read(c.formal)
    for relation in whole.arguments[2:] if whole.operator == "private" else ():
        if relation.operator in METRICS_OF_ROWS and str(relation.arguments[0]) == "1":
            lacking += [] if re.search(r"\brows?\b|table|person", c.sentence) else [f"{relation}: no row is mentioned"]
        elif relation.operator not in ("discrete", *CONDITIONS) and not names(relation):
            lacking += [f"{relation}: {a}" for a in relation.arguments if str(a) != "0" and not says(c.sentence, a)]
    return lacking


def unnamed(c: Claim) -> list[str]:
    """The mechanisms and transformations of the formal text, other than what the claim is filed under, not named."""
    sentence = c.sentence.lower()
    return [
        stem
        for stem in things(subject(c))
        if stem != c.stem and not any(word.lower() in sentence for word in CALLED.get(stem, (stem.replace("_", " "),)))
    ]


def about_mechanisms(c: Claim) -> bool:
    """Whether the sentence of a statement about numbers speaks of privacy, and of no outcome, event or answer."""
    return bool(SAYS_PRIVACY.search(c.sentence)) and not any(w in c.sentence for w in ABOUT_OUTCOMES)


def test_sentence_says_the_numbers_of_its_formal_text():
    assert {i: lacking for i, c in ABOUT_SUBJECTS.items() if (lacking := unsaid(c))} == {}


def test_sentence_names_what_its_formal_text_is_about():
    assert {i: lacking for i, c in ABOUT_SUBJECTS.items() if (lacking := unnamed(c))} == {}


def test_sentence_of_an_inequality_says_nothing_about_mechanisms():
    """What is true of a few numbers is said of outcomes, events or answers: the step to all is a written proof."""
    assert [i for i, c in CLAIMS.items() if i not in ABOUT_SUBJECTS and about_mechanisms(c)] == []


@pytest.mark.parametrize(
    ("identifier", "promises"),
    [
        ("composition.post_process", "A function of the output alone keeps epsilon."),
        ("composition.group_pure", "Three rows added or removed: three times epsilon."),
        ("composition.weaken", "A larger epsilon holds too."),
        ("composition.sequential_pure", "Independent mechanisms on the same data: the epsilons add up."),
        ("composition.sequential_approximate", "Independent mechanisms on the same data: epsilons and deltas add up."),
        ("composition.poisson_approximate", "(1, 1/1000)-DP on a sample with rate 1/10 is (0.15857, 1/10000)-DP."),
        ("composition.concentrated_to_renyi", "(1/8)-zCDP has Renyi divergence at most 10/8 at order 10."),
        ("profiles.gaussian_to_concentrated", "mu-Gaussian DP is (mu^2/2)-zCDP."),
        ("definitions.pure_is_ratio", "Pure DP is the printed form at every smaller epsilon, with what delta is left."),
        ("definitions.pure_from_the_ratio", "The printed form is pure DP with ln(e^epsilon + delta)."),
        ("definitions.loss_tail_implies_approximate",
         "If the loss is more than epsilon with probability at most delta, the mechanism is (epsilon, delta)-DP."),
        ("definitions.two_steps", "Two apart it is (2 ln(2), (1 + e^ln(2)) / 10)-DP: group privacy's factor."),
    ],
)  # fmt: skip
def test_sentence_that_promises_more_than_an_instance_is_found(identifier, promises):
    """The sentences as they once stood."""
    c = replace(CLAIMS[identifier], sentence=promises)
    assert unsaid(c) or unnamed(c)


@pytest.mark.parametrize(
    "promises",
    ["A bounded ratio suffices: pure DP need only be checked on singletons.", "The line is the delta of pure DP."],
)
def test_sentence_that_promises_privacy_over_an_inequality_is_found(promises):
    assert about_mechanisms(replace(CLAIMS["definitions.pointwise_pure"], sentence=promises))


def test_claim_that_is_an_instance_of_a_rule_is_concluded_by_that_rule():
    """By the last step of its certificate; and the rule has a written proof."""
    sections = (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")
    instances = [c for c in CLAIMS.values() if c.rule]
    assert len(instances) > 40
    for c in instances:
        assert certificate_of(c.identifier)["steps"][-1]["rule"] == c.rule, c.identifier
        assert f"\n## {c.rule}\n" in sections
        assert c.expected == "PROVED", f"{c.identifier}: a refuted instance refutes the rule"


def test_claim_about_combined_mechanisms_says_of_which_rule_it_is_an_instance():
    books = ("composition", "definitions")
    combined = {i for i, c in ABOUT_SUBJECTS.items() if c.book in books and subject(c).operator in COMBINED}
    assert sorted(i for i in combined if CLAIMS[i].expected == "PROVED" and not CLAIMS[i].rule) == []


def test_reach_is_read_off_the_formal_text():
    assert reach(CLAIMS["laplace.pure"]) == reach(CLAIMS["posterior.odds_move_by_the_factor"]) == GENERAL
    assert reach(CLAIMS["laplace.accuracy_of_a_mean"]) == reach(CLAIMS["profiles.noise"]) == GENERAL
    assert reach(CLAIMS["composition.pointwise_group"]) == reach(CLAIMS["definitions.ratio_is_pure"]) == OF_OUTCOMES
    assert reach(CLAIMS["composition.sequential_pure"]) == reach(CLAIMS["composition.post_process"]) == OF_A_RULE
    assert reach(CLAIMS["gaussian.analytic_calibrated"]) == reach(CLAIMS["notebook_numbers.areas"]) == NUMBERS
    assert reach(replace(CLAIMS["composition.post_process"], rule="")) == NUMBERS


def conditions(formal: str) -> list[str]:
    """What the claim about a program assumes, and the values that it is about."""
    found = re.search(r"(?: where (?P<where>.*?))?(?: at (?P<at>.*?))?, adjacency", formal)
    where, at = (found[key] or "" for key in ("where", "at"))
    return [*filter(None, where.split(" and ")), *(v.partition(" = ")[2] for v in filter(None, at.split(", ")))]


def test_sentence_about_a_program_says_what_is_assumed():
    assert conditions("f.py:f: epsilon=8*ln(21/19) at f = 19/20, p = 1, adjacency ALL") == ["19/20", "1"]
    lacking = {}
    for c in programs():
        absent = [one for one in conditions(c.formal) if one not in c.sentence and not says(c.sentence, read(one))]
        lacking |= {c.identifier: absent} if absent else {}
    assert lacking == {}
