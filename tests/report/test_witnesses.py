"""The witness on a page is worked out: inputs, event, both values, and the inequality that fails."""

from fractions import Fraction

import pytest

from refdp.claims import claim, ledger
from refdp.commands.witness import by_hand
from refdp.kernel import rules
from refdp.report.certificates import theorem_of
from refdp.report.witnesses import WORKINGS, worked
from refdp.report.witnesses.relations import probability
from refdp.report.witnesses.tables import more
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from tests.kinds import registered


def text(identifier):
    return "\n".join(worked(theorem_of(claim(identifier))))


@pytest.mark.parametrize("identifier", [c.identifier for c in ledger() if c.expected == "REFUTED"])
def test_worked_says_something_of_every_false_claim(identifier):
    assert len(text(identifier)) > 100
    assert "None" not in text(identifier)


@pytest.mark.parametrize("identifier", ["laplace.pure", "composition.pointwise_group"])
def test_worked_says_nothing_of_a_true_claim(identifier):
    assert text(identifier) == ""


def test_worked_gives_exact_probabilities():
    found = text("composition.greatest_instead_of_sum")
    truth = Fraction(3, 4)
    assert "- inputs `x = 0` and `x' = 1`, within `discrete(1)`\n- the event `E = {(0, 0)}`" in found
    assert f"| `P[M(x) in E]` | `{truth**2}` | 0.5625 |" in found
    assert f"| `e^epsilon P[M(x') in E]` | `{3 * (1 - truth) ** 2}` | 0.1875 |" in found
    assert f"it is more: `{truth**2}` > `{3 * (1 - truth) ** 2}`." in found


def test_worked_gives_the_logarithm_of_noise_exactly():
    found = text("discrete_laplace.half_noise")
    assert "| `ln(P[M(x) in E] / P[M(x') in E])` | `1` | 1 |" in found
    assert "it is more: `1` > `1/2`." in found


def test_worked_gives_both_images_and_their_distance():
    found = text("histogram.add_remove_bound_under_change_one")
    assert "- `T(x) = (1, 0)`\n- `T(x') = (0, 1)`" in found
    assert "| distance of `T(x)` and `T(x')` (l1) | `2` | 2 |" in found
    assert "it is more: `2` > `1`." in found


def test_worked_gives_the_exact_delta():
    assert "| their difference, the exact delta | " in text("gaussian.classical_just_outside")
    assert "it is more: `0.500098506931" in text("gaussian.classical_just_outside")


def test_worked_says_by_how_much_where_the_decimals_are_the_same():
    assert more(read("1/3"), Fraction(1, 4)) == "`1/3` > `1/4`"
    hair = Fraction(1, 3) - Fraction(1, 10**15)
    assert more(Fraction(1, 3), hair) == f"`1/3` > `{hair}` (by 1 * 10^-15)"


def test_worked_gives_the_output_at_which_a_density_is_too_large():
    found = text("laplace.scale_999_thousandths")
    assert "- the output `y = 0`" in found
    assert f"it is more: `{Fraction(1000, 999)}` > `1`." in found


def test_worked_gives_the_probability_of_an_error():
    found = text("randomised_response.accuracy_with_4_n")
    assert "| the probability of the event | `1/4` | 0.25 |" in found
    assert "| as claimed | `11/50` | 0.22 |" in found


def test_worked_gives_rows_beyond_any_bound():
    assert "| 1000 | 1001 | 1001 |" in text("unclamped_sum.finite_sensitivity")


def test_worked_gives_the_values_at_which_a_statement_fails():
    show = read("ln(x) <= x / 3")
    facts = NamedStatements("facts", {"wrong": Statement((read("1 <= x"), read("x <= 4")), show)})
    with registered(facts):
        digest = facts.statements["wrong"].digest
        theorem = rules.false_statement(obligation="facts.wrong", digest=digest, values={"x": "3"})
        found = "\n".join(worked(theorem))
    assert found.startswith("Take `x = 3`.\n\n| | condition | left side | right side | |\n")
    assert "| given | `1 <= x` | 1 | 3 | holds |" in found
    assert "| to be shown | `ln(x) <= x / 3` | 1.098612288668" in found
    assert found.endswith(" | 1 | **fails** |\n")


def test_worked_prints_what_a_rule_that_it_does_not_know_was_given(monkeypatch):
    monkeypatch.delitem(WORKINGS, "unstable_pair")
    found = text("clamped_sum.width_under_add_remove")
    assert "By the rule `unstable_pair`, with:" in found
    assert "- b: `tuple_of(5)`" in found


def test_worked_probability_is_that_of_the_event():
    subject, event = read("randomised_response(3/4)"), (Fraction(0),)
    assert (
        probability(subject, Fraction(0), event).lower
        == probability(subject, Fraction(0), event).upper
        == Fraction(3, 4)
    )
    assert probability(subject, Fraction(1), event).upper == Fraction(1, 4)
    assert probability(subject, Fraction(1), ()).upper == 0


@pytest.mark.parametrize(
    ("identifier", "digits"),
    [
        ("gaussian.classical_without_condition_on_epsilon", "0.0000226537436479"),
        ("gaussian.classical_just_outside", "0.500098506931"),
        ("gaussian.classical_at_small_delta_outside", "0.000161114753516"),
        ("gaussian.classical_with_constant_6_5", "0.517657772549"),
        ("discrete_gaussian.approximate_a_hair_below", "0.00724877684595"),
    ],
)
def test_worked_gives_certified_digits_of_an_exact_delta(identifier, digits):
    """The digits by mpmath: tests/exactness/test_exact_deltas.py and tests/numerics/test_lattice.py."""
    assert f"the exact delta | \N{EM DASH} | {digits}" in text(identifier)
    spoken = by_hand(theorem_of(claim(identifier)))
    assert any("their exact delta at epsilon = " in s and f"is in [{digits[:8]}" in s for s in spoken)
