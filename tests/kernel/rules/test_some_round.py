"""likelier_in_some_round refutes claims about rounds by what happens in some of them, and refuses the rest."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.mechanisms
import refdp.transformations  # noqa: F401  (importing them registers what the claims are about)
from refdp.kernel import rules
from refdp.kernel.certificate import DERIVED, certificate, parsed, replay, text_of
from refdp.kernel.judgements import KernelError
from refdp.terms.reading import read
from refdp.terms.term import TermError
from refdp.transformations.unclamped_sum import UNCLAMPED_SUM
from tests.exactness.entering import lookup
from tests.kinds import registered

LOOP = (
    "private({rounds}(poisson_sampled({rate}, chain({sum}(1, {dimension}, 1/4), "
    "coordinatewise({noise}, {dimension}))), {k}), {domain}, {near}, {loss})"
)
WORDS = {
    "rounds": "repeated", "rate": "1/2", "sum": "clipped_vector_sum", "dimension": "1", "noise": "gaussian(1/4)",
    "k": "3", "domain": "table(vector(reals(), 1))", "near": "symmetric(1)", "loss": "approximate(2, 1/10)",
}  # fmt: skip
ROW, NONE, EVENT = "tuple_of(tuple_of(1))", "tuple_of()", "at_least(1/2)"
DIRECT = "private(repeated(chain(clipped_vector_sum(1, 1, 1/4), coordinatewise({}, 1)), 2), {}, symmetric(1), {})"


def refuted(a=ROW, b=NONE, event=EVENT, **changed):
    return rules.likelier_in_some_round(claim=LOOP.format(**WORDS | changed), a=a, b=b, event=event)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"noise": "discrete_gaussian(1/4, 1/4)", "event": "at_least(3/4)"},
        {"rounds": "mapped_rounds"},
        {"rate": "1"},
        {"k": "1"},
        {"k": "1000000", "loss": "approximate(1/10, 1/100)", "noise": "gaussian(1/20)"},
        {"loss": "pure(1)"},
        {"near": "change_one(1)", "b": "tuple_of(tuple_of(-1))", "loss": "approximate(1, 0)"},
        {"sum": "clipped_mean_by_count"},
        {
            "a": NONE,
            "b": "tuple_of(tuple_of(-1))",
            "event": "at_least(-1/2)",
            "loss": "approximate(0, 1/10)",
            "rate": "1",
        },
        {"event": "at_least(2/3)", "noise": "discrete_gaussian(1/4, 1/4)"},
    ],
    ids=str,
)
def test_events_in_some_round_refute_and_their_certificates_replay(changed):
    found = refuted(**changed)
    assert found.trusts == frozenset()
    again = replay(parsed(text_of(certificate(found, DERIVED))), lambda statement, by: frozenset({"nobody"}))
    assert again.theorem.claim == found.claim


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"noise": "gaussian(4)"}, "does not break"),
        ({"rate": "0"}, "does not break"),
        ({"a": NONE, "b": ROW}, "does not break"),
        ({"a": NONE}, "does not break"),
        ({"event": "at_least(-100)"}, "does not break"),
        ({"event": "at_least(100)"}, "does not break"),
        ({"loss": "approximate(2, 1)"}, "does not break"),
        ({"a": "tuple_of(tuple_of(1), tuple_of(1))"}, "are more than 1 apart"),
        ({"near": "change_one(1)"}, "are more than 1 apart"),
        ({"a": "tuple_of(1)"}, "must be members"),
        ({"dimension": "2", "domain": "table(vector(reals(), 2))", "a": "tuple_of(tuple_of(1, 0))"}, "one number"),
        ({"noise": "laplace(1)"}, "expected normal noise"),
        ({"noise": "discrete_laplace(1, 1/4)"}, "expected normal noise"),
        ({"noise": "discrete_gaussian(1, 2/3)"}, "is no input of"),
        ({"rate": "3/2"}, "rate|between|from 0 to 1"),
        ({"rate": "-1/2"}, "rate|between|from 0 to 1"),
        ({"k": "0"}, "must be a whole number|at least|1 to"),
        ({"k": "1000001"}, "must be a whole number from 1 to 1000000"),
        ({"k": "3/2"}, "whole"),
        ({"rounds": "coordinatewise"}, "expected a claim about rounds"),
        ({"loss": "concentrated(1)"}, "expected a claim about rounds under pure or approximate DP"),
        ({"loss": "gaussian(1)"}, "expected a claim about rounds under pure or approximate DP"),
        ({"loss": "approximate(2, 1/10), 0 < rate"}, "without conditions|closed claim"),
        ({"domain": "table(rows)"}, "closed claim"),
        ({"event": "at_least(1, 2)"}, "at_least"),
        ({"event": "at_least('1')"}, "."),
        ({"event": "tuple_of()"}, "an event must be at_least"),
        ({"event": "tuple_of(1, 1)"}, "an event must be at_least"),
        ({"event": "tuple_of(1)"}, "is not registered"),
        ({"event": "at_most(1)"}, "."),
    ],
    ids=str,
)
def test_what_is_no_refutation_is_refused(changed, reason):
    with pytest.raises((KernelError, TermError), match=reason):
        refuted(**changed)


def test_tables_of_many_rows_are_refused():
    rows = f"tuple_of({', '.join(['tuple_of(1)'] * 11)})"
    fewer = f"tuple_of({', '.join(['tuple_of(1)'] * 10)})"
    with pytest.raises(KernelError, match="at most 10 rows"):
        refuted(a=rows, b=fewer)
    assert refuted(a="tuple_of(tuple_of(1), tuple_of(1))", b=ROW, event="at_least(3/2)", loss="approximate(1, 1/100)")


def test_whole_tables_are_read_too():
    claim = DIRECT.format("gaussian(1/4)", "table(vector(reals(), 1))", "approximate(1, 1/10)")
    assert rules.likelier_in_some_round(claim=claim, a=ROW, b=NONE, event=EVENT).trusts == frozenset()


def test_masses_that_are_no_law_refute_nothing():
    claim = "private(repeated(listed(tuple_of(tuple_of(1, 1), tuple_of(0, 1))), 2), finite(2), discrete(1), pure(0))"
    with pytest.raises((KernelError, TermError)):
        rules.likelier_in_some_round(claim=claim, a="0", b="1", event="tuple_of(0)")


def test_a_law_without_outcomes_is_no_law():
    with registered(lookup("m", "finite(2)", {F(0): {}, F(1): {}})):
        claim = "private(repeated(m(), 2), finite(2), discrete(1), pure(0))"
        with pytest.raises(KernelError, match="has no law there"):
            rules.likelier_in_some_round(claim=claim, a="0", b="1", event="tuple_of(0)")


def test_thresholds_far_away_are_refused_and_not_guessed():
    with pytest.raises(Exception, match=r"steps|told apart"):
        refuted(noise="discrete_gaussian(1/4, 1/4)", event="at_least(10000000)")


def test_outcomes_of_a_finite_law_refute_and_no_half_line_of_them_does():
    claim = "private(repeated(listed(tuple_of(tuple_of(3/4, 1/4), tuple_of(1/4, 3/4))), 3), finite(2), discrete(1), {})"
    asked = {"a": "0", "b": "1", "event": "tuple_of(0)"}
    assert rules.likelier_in_some_round(claim=claim.format("pure(1/2)"), **asked).trusts == frozenset()
    with pytest.raises(KernelError, match="does not break"):
        rules.likelier_in_some_round(claim=claim.format("pure(2/3)"), **asked)
    with pytest.raises(KernelError, match="expected noise on an answer about a table"):
        rules.likelier_in_some_round(claim=claim.format("pure(1/2)"), **asked | {"event": "at_least(1/2)"})


@pytest.mark.parametrize(("loss", "breaks"), [("approximate(1, 1/10)", True), ("approximate(1, 98/100)", False)])
def test_one_number_with_noise_needs_no_vector(loss, breaks):
    claim = f"private(repeated(chain(clamped_sum(0, 1, 1), gaussian(1/4)), 2), table(grid(1)), symmetric(1), {loss})"
    asked = {"claim": claim, "a": "tuple_of(1)", "b": "tuple_of()", "event": "at_least(3/4)"}
    if breaks:
        assert rules.likelier_in_some_round(**asked).trusts == frozenset()
    else:
        with pytest.raises(KernelError, match="does not break"):
            rules.likelier_in_some_round(**asked)


READS_BITS = replace(
    UNCLAMPED_SUM,
    stem="sum_of_bits",
    input_rows=read("bounded(granularity, 0, granularity)"),
    unbounded_row=None,
    unbounded_units=None,
)


@pytest.mark.parametrize("rounds", ["repeated", "mapped_rounds"])
@pytest.mark.parametrize("step", ["{}", "poisson_sampled(1, {})"])
def test_rows_that_the_mechanism_does_not_read_refute_nothing(rounds, step):
    """No map of rows leads to them: on bits the sum moves by 1, whatever rows the claim is about."""
    with registered(READS_BITS):
        one = step.format("chain(sum_of_bits(1), gaussian(1))")
        asked = {"b": "tuple_of()", "event": "at_least(1/2)"}
        claim = f"private({rounds}({one}, 2), table(reals()), symmetric(1), {{}})"
        with pytest.raises(KernelError, match="must be what"):
            rules.likelier_in_some_round(claim=claim.format("approximate(50, 1/10)"), a="tuple_of(100)", **asked)
        assert rules.likelier_in_some_round(claim=claim.format("pure(1/2)"), a="tuple_of(1)", **asked)


@pytest.mark.parametrize(
    ("subject", "domain", "near", "inputs", "reason"),
    [
        ("mapped_rounds(listed(tuple_of(tuple_of(1, 0), tuple_of(0, 1))), 2)", "finite(2)", "discrete(1)", "01", "map"),
        ("repeated(chain(mean(0, 1, 1, 1), gaussian(1/9)), 2)", "sized_table(grid(1), 1)", "change_one(1)",
         ("tuple_of(1)", "tuple_of(0)"), ""),
        ("repeated(poisson_sampled(1, chain(mean(0, 1, 1, 1), gaussian(1/9))), 2)", "table(grid(1))",
         "change_one(1)", ("tuple_of(1)", "tuple_of(0)"), "must be what"),
        ("repeated(chain(multiply_output(2), gaussian(1/9)), 2)", "reals()", "absolute(1)", "10", "a sum of rows"),
    ],
)  # fmt: skip
def test_what_a_mechanism_reads_is_known_or_refused(subject, domain, near, inputs, reason):
    claim, (a, b) = f"private({subject}, {domain}, {near}, pure(1/2))", inputs
    if not reason:
        assert rules.likelier_in_some_round(claim=claim, a=a, b=b, event="at_least(1/2)").trusts == frozenset()
        return
    with pytest.raises((KernelError, TermError), match=reason):
        rules.likelier_in_some_round(claim=claim, a=a, b=b, event="at_least(1/2)")
