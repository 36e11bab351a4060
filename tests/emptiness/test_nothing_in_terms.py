"""What terms, definitions and rules of the kernel say where there is nothing: no parts, no outcomes, no conditions."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.logic import obligation
from refdp.spec import distances, obligations
from refdp.spec.cases import BRANCHING, case_goals, contradictions
from refdp.spec.densities import StatedDensity
from refdp.spec.errors import shortfall
from refdp.spec.formulas import _check
from refdp.spec.goals import INTEGRAL, goal, negation
from refdp.spec.named_statements import NamedStatements
from refdp.spec.noise import AdditiveNoise
from refdp.spec.obligations import _Made
from refdp.spec.primitives import DIGITS, HALF, Primitive, primitive_obligations
from refdp.spec.registry import condition_holds, lookup
from refdp.spec.samplers import SignedGeometric, _drawn_inside
from refdp.spec.selection import WeightedSelection
from refdp.spec.semantics import has_loss, law, loss
from refdp.spec.statements import Statement
from refdp.spec.well_formed import require_mechanism
from refdp.terms.evaluation import RATIONALS, evaluate, truth
from refdp.terms.folding import FOLDED
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, both, name, names, number
from tests.exactness.entering import entered, written
from tests.kinds import believed, lemmas, registered, rowwise

NOTHING = both()
"""The statement that nothing is claimed: all of no statements."""
RESPONSE = "private(randomised_response(3/4), finite(2), discrete(1), pure(0))"


def statement(show, *given):
    return Statement(tuple(map(read, given)), read(show) if isinstance(show, str) else show)


STATED = NamedStatements(
    "voids",
    {
        "nothing": statement(NOTHING),
        "never": statement("abs(x) <= -1", "x < 0", "0 <= x"),
        "negative": statement("abs(x) <= -1", "x < 0"),
    },
)


def by_no_sum(key):
    """|- the statement, by algebra without any sum."""
    return rules.algebra(obligation=f"voids.{key}", digest=obligation(f"voids.{key}").digest, cases=[])


def test_a_statement_of_no_parts_is_true_and_proved_by_no_sum():
    assert truth(NOTHING, {})
    assert contradictions(STATED.statements["nothing"]) == () == tuple(case_goals(goal(STATED.statements["nothing"])))
    with registered(STATED):
        assert str(by_no_sum("nothing").claim.term.operator) == "holds"
        with pytest.raises(KernelError, match="cases must be"):
            by_no_sum("negative")


def test_a_statement_has_no_cases_only_where_its_hypotheses_contradict_each_other():
    never, negative = STATED.statements["never"], STATED.statements["negative"]
    assert negation(never.given[0]) == never.given[1]
    assert contradictions(never) == () == tuple(case_goals(goal(never)))
    assert len(contradictions(negative)) == 1
    with registered(STATED):
        assert by_no_sum("never").trusts == frozenset()


def test_arithmetic_of_nothing_is_no_term_and_has_no_value():
    for operator in sorted(FOLDED):
        with pytest.raises((TypeError, TermError)):
            apply(operator)
    for operator in sorted((BRANCHING | INTEGRAL) - {"+", "-", "*", "**", "negate"}):
        with pytest.raises(TermError, match="takes"):
            read(f"{operator}()")
    for operator in ("min", "max"):
        with pytest.raises(ValueError, match="empty"):
            evaluate(Term(operator), {})


def test_a_comparison_beside_what_has_no_arguments_must_stand_in_an_indicator():
    def here(z, s):
        """Whose globals are this file's."""

    _check(read("indicator(z <= 0) + pi()"), ("z", "s"), here)
    for body in ("pi() + (z <= 0)", "indicator(z <= 0) + (z <= 0)"):
        with pytest.raises(TermError, match="stands outside"):
            _check(read(body), ("z", "s"), here)


def test_vectors_without_coordinates_are_one_vector():
    """The greatest of no distances is 0: there is one such vector, and it is no neighbour of any other."""
    for metric in (distances.l1_distance, distances.l2_distance_squared, distances.linf_distance):
        assert metric((), ()) == 0
        with pytest.raises(distances.DistanceError):
            metric((), (F(0),))


def test_divergences_of_no_outcomes_are_sums_of_nothing_and_conclude_nothing(monkeypatch):
    """What has no outcomes is no law: its masses do not sum to 1."""
    assert distances.greatest_ratio({}, {}) == 0 == distances.renyi_moment({}, {}, 2)
    assert distances.greatest_ratio({0: F(1)}, {}) is None is distances.renyi_moment({0: F(1)}, {}, 2)
    asked = {"subject": "randomised_response(3/4)", "domain": "finite(2)", "metric": "discrete", "d_in": "1"}
    pair, tail = {"a": "0", "b": "1", "event": "tuple_of(0)"}, "tail(randomised_response(3/4), finite(2), {}, {})"
    wrong = tail.format("mistake(at_least(1))", "at_most(1/5)")
    rules.finite_mechanism(**asked)
    rules.unlikely_elsewhere(claim=RESPONSE, **pair)
    rules.likelier_error(claim=wrong, at="0")
    for rule in ("privacy", "refutation", "inaccuracy"):
        monkeypatch.setattr(f"refdp.kernel.rules.{rule}.law", lambda *_: {})
    with pytest.raises(KernelError, match="are not a law"):
        rules.finite_mechanism(**asked)
    with pytest.raises(KernelError, match="has no law there"):
        rules.unlikely_elsewhere(claim=RESPONSE, **pair)
    with pytest.raises(KernelError, match="has no law there"):
        rules.likelier_error(claim=wrong, at="0")


def test_a_selection_among_no_candidates_has_no_law_and_no_error():
    kind, subject = lookup("exponential", WeightedSelection), read("exponential(1)")
    with pytest.raises(TermError, match="not in the domain"):
        law(subject, ())
    with pytest.raises(ValueError, match="empty"):
        kind.law(subject, (), RATIONALS)
    with pytest.raises(ValueError, match="empty"):
        shortfall(F(0), ())
    with pytest.raises(KernelError):
        rules.likelier_error(
            claim="tail(exponential(1), vector(reals(), 0), shortfall(at_least(1)), at_most(0))", at="tuple_of()"
        )


def test_draws_of_no_mechanisms_have_one_outcome_and_are_no_subject():
    """The joint law of no draws is certain of the empty outcome, whose loss is 0; no rule concludes anything of it."""
    for subject in (read("compose()"), read("parallel(clamp(0, 5, 1))")):
        assert law(subject, (F(1),)) == {(): 1}
        assert has_loss(subject)
        assert loss(subject, (), (F(1),), ()) == 0
        with pytest.raises(TermError):
            require_mechanism(subject)
        claim = f"private({subject}, table(grid(1)), symmetric(1), pure(-1))"
        with pytest.raises(KernelError):
            rules.unlikely_elsewhere(claim=claim, a="tuple_of(1)", b="tuple_of()", event="tuple_of(tuple_of())")


def test_a_list_of_no_labels_keeps_conditions_that_no_number_of_labels_meets():
    general = rowwise("category_of")
    rules.instantiate(general, values={"labels": "list_of('A')", "dimension": "1", "d_in": "1"})
    empty = rules.instantiate(general, values={"labels": "list_of()", "d_in": "1"})
    for size in range(3):
        kept = [c for c in empty.claim.given if "dimension" in names(c)]
        assert not all(condition_holds(c, {"dimension": number(size)}) for c in kept)
        for theorem, values in ((empty, {}), (general, {"labels": "list_of()", "d_in": "1"})):
            with pytest.raises(KernelError):
                rules.instantiate(theorem, values={**values, "dimension": str(size)})


ZERO, ONE, TWO = (written("constant", "", str(k)) for k in range(3))
BARE = AdditiveNoise("bare", (), (), {}, written("w", "z", "-abs(z)"), ONE, ZERO, {}, normaliser=TWO)
"""Laplace noise of scale 1: no parameters, no conditions."""
NORMAL = AdditiveNoise("standard_normal", (), (), {}, written("w", "z", "-(z ** 2) / 2"), ONE, ONE, {}, deviation=ONE)


@pytest.mark.parametrize(("normaliser", "wrong"), [(ONE, True), (TWO, False)])
def test_of_a_density_without_conditions_just_a_wrong_normaliser_is_refuted(normaliser, wrong):
    stated = StatedDensity("stated_bare", (), (), {}, BARE.log_weight, normaliser)
    with registered(BARE, stated):
        lemma = believed("bare.integral_is_the_normaliser")
        if wrong:
            found = rules.wrong_normaliser(lemma, stem="stated_bare", of="bare", values={})
            assert str(found.claim.term) == "refuted(normalised(stated_bare()))"
        else:
            with pytest.raises(KernelError, match="integrates to 1"):
                rules.wrong_normaliser(lemma, stem="stated_bare", of="bare", values={})


@pytest.mark.parametrize(("delta", "wrong"), [("0", True), ("1/10", True), ("1/5", False), ("1", False)])
def test_of_normal_noise_without_conditions_just_too_small_a_delta_is_refuted(delta, wrong):
    """At distance 1 and epsilon 1 the exact delta is about 0.127."""
    claim = f"private(standard_normal(), reals(), absolute(1), approximate(1, {delta}))"
    with registered(NORMAL):
        premises = lemmas("standard_normal", obligations.exact_delta("standard_normal"))
        if wrong:
            assert str(rules.normal_noise_exceeds(*premises, claim=claim).claim.claim.term) == claim
        else:
            with pytest.raises(KernelError, match="is not more than"):
                rules.normal_noise_exceeds(*premises, claim=claim)


def test_noise_without_conditions_is_drawn_anywhere_but_by_what_is_still_to_be_proved():
    """Its weights at k steps are those of -k at the granularity 1 alone; no condition says so, and none is assumed."""
    free = AdditiveNoise("free", ("granularity",), (), {"granularity": number(1)}, BARE.log_weight, ONE, ZERO, {})
    with entered(free, schemes={"free": SignedGeometric(ONE)}):
        ((key, wanted),) = _drawn_inside(free, (), {}).items()
    assert key == "free.draws_have_the_weights"
    assert wanted.given == (0 <= name("k"),)
    assert truth(wanted.conclusion, {"k": F(2), "granularity": F(1)})
    assert not truth(wanted.conclusion, {"k": F(2), "granularity": F(3)})


def test_a_loop_that_assumes_nothing_asks_no_condition_and_keeps_its_obligations():
    half = {"given": (), "start": {"rest": HALF}}
    for chance, is_so in ((HALF, True), (number(1) / 3, False)):
        loop = type(DIGITS)(within=DIGITS.within, cases=DIGITS.cases, value=DIGITS.value, law=chance,
                            steps=DIGITS.steps, **half)  # fmt: skip
        free = Primitive("half", (), (), {}, "True with that probability", loop=loop)
        wanted = primitive_obligations(free)["start_has_the_law"]
        assert (wanted.given, truth(wanted.conclusion, {})) == ((), is_so)
    with pytest.raises(TermError, match="must have the condition 0 <= p"):
        Primitive("half", (), (), {}, "True with that probability", loop=DIGITS)


def test_obligations_that_were_made_of_no_world_are_of_no_other():
    assert _Made(()).is_of(())
    assert _Made(()).by_stem == {}
    assert not _Made(()).is_of((STATED,))
    assert not _Made((STATED,)).is_of(())
