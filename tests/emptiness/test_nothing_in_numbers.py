"""What numbers, texts of certificates and events say where there is nothing: no paths, no enclosures, no fields."""

from fractions import Fraction as F
from math import inf

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.logic import obligation
from refdp.numerics import cancellation
from refdp.numerics.elementary import Undecided
from refdp.numerics.exact import decide, upper_bound
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import LARGEST_INDEX, tail_sum
from refdp.numerics.polynomials import ONE, ZERO, Workshop, bounded
from refdp.programs.events import apart, chance, is_in, may_be_in
from refdp.programs.execution import Drawn, Execution, Path
from refdp.programs.language.reading import programs_in
from refdp.programs.probabilities import enclosure, number, probability
from refdp.programs.probabilities.calculus import Calculus
from refdp.programs.probabilities.cases import whole_ends
from refdp.programs.probabilities.closing import Binomial, _binomials, _over
from refdp.programs.probabilities.evaluation import Evaluation
from refdp.programs.probabilities.numbers import ZERO as ZERO_NUMBER
from refdp.programs.probabilities.polytopes import Density, Integration
from refdp.programs.probabilities.sums import NotComputed
from refdp.programs.steps import inside, stepwise
from refdp.programs.syntax import Branch, Draw, Emit, Loop
from refdp.sensitivities.checking.pairs import edits_apart, records
from refdp.sensitivities.records import Fields
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import FALSE, TRUE, integer, make, rational, variable
from refdp.terms.operations import at_most, conjunction, disjunction, negation
from refdp.terms.reading import read
from refdp.terms.smtlib import read as read_smtlib
from refdp.terms.term import both
from tests.kinds import registered

FLAG = variable("flag", "Bool")


def test_no_conjuncts_hold_and_no_disjuncts_do_not():
    assert decide(both())
    for operator, joined, value in (("all_of", conjunction, TRUE), ("any_of", disjunction, FALSE)):
        assert joined() is value
        assert evaluate(make(operator, "Bool"), {}) is evaluate(value, {})
        assert joined(value, FLAG) is FLAG


def test_a_certificate_writes_no_operator_without_arguments():
    known = {"flag": FLAG}
    for operator in ("and", "or", "=", "<=", "distinct", "+", "-", "not", ""):
        with pytest.raises(ValueError, match="must"):
            read_smtlib(f"({operator})", known)
    assert read_smtlib("(let () flag)", known) is FLAG
    with pytest.raises(ValueError, match="may not speak of stranger"):
        read_smtlib("(let () stranger)", known)


@pytest.mark.parametrize("statement", ["1 / (exp(1) - exp(1)) <= 0", "0 < 1 / (exp(1) - exp(1))"])
def test_what_no_precision_encloses_is_neither_decided_nor_bounded(statement):
    with pytest.raises(Undecided):
        decide(read(statement))
    with pytest.raises(Undecided, match="has no enclosure"):
        upper_bound(read("1 / (exp(1) - exp(1))"))


def closed(text):
    return Statement((), read(text))


CLOSED = NamedStatements("boxes", {"so": closed("exp(1) <= 3"), "not": closed("3 <= exp(1)"),
                                   "near": closed("exp(1) * exp(1) <= exp(2)")})  # fmt: skip


def test_a_box_without_names_is_cut_into_nothing():
    """What one enclosure does not show of a closed statement is not shown; what it shows is."""
    with registered(CLOSED):
        asked = {key: {"obligation": f"boxes.{key}", "digest": obligation(f"boxes.{key}").digest}
                 for key in CLOSED.statements}  # fmt: skip
        assert rules.branch_and_bound(**asked["so"]).trusts == frozenset()
        for key, why in (("not", "it is false at"), ("near", "empty")):
            with pytest.raises(KernelError, match=why):
                rules.branch_and_bound(**asked[key])


def test_the_polynomial_of_no_terms_is_0_and_the_term_of_no_names_a_number():
    workshop = Workshop(100)
    assert bounded({}) == ZERO == workshop.polynomial(read("x - x")) == bounded({(("x", 1),): F(0)})
    assert bounded(ONE) == ONE == workshop.polynomial(read("x + 1 - x"))


def test_rows_without_fields_are_all_alike_and_still_counted():
    kind = Fields(())
    assert (kind.slots("row"), kind.constraint("row"), kind.value("row", {})) == ((), TRUE, ())
    rows = records(kind, [(), ()], {})
    assert rows == [(), ()]
    assert edits_apart(rows, rows[:1], "add_remove", "multisets") == 1
    for stranger in ((F(1),), {"a": F(1)}, None):
        with pytest.raises(ValueError, match="a row must be as declared"):
            records(kind, [stranger], {})


def test_outputs_of_no_parts_are_one_output():
    """The empty output lies in the event of it, and two such events do not exclude each other."""
    assert is_in((), ()) is TRUE is is_in(((), ()), ((), ()))
    assert is_in(((),), ((True,),)) is FALSE
    assert may_be_in(Path({}), ((True,),))
    for one in ((), ((),), ((), ())):
        assert not apart(one, one)
        assert apart(one, (*one, ()))
    assert apart(((True,),), ((False,),))


TEXT = """from refdp.programs import ALL, bernoulli, claim


@claim(epsilon="0", adjacency=ALL)
def program(bit: bool):
    {body}
"""


def program_of(body):
    (program,) = programs_in(TEXT.format(body=body), "file.py")
    return program


def test_an_event_that_no_path_reaches_has_probability_0():
    once = program_of("return bernoulli(1/3)")
    for event, found in (((), 0), (((), ()), 0), (((1,),), 0), (((True, True),), 0), (((True,),), F(1, 3))):
        assert chance(once, {}, (True,), event) == number(F(found))
    twice = program_of("yield True\n    if bernoulli(1/3):\n        yield True\n    else:\n        yield False")
    for event, found in ((((False,), (True,)), 0), (((True,), (True,)), F(1, 3))):
        assert chance(twice, {}, (True,), event) == number(F(found))


TESTED = Branch(FLAG, (), (), 1)
FORKING = {
    "branch": (TESTED,),
    "before": (TESTED, Emit((None,))),
    "released": (Emit((FLAG,)),),
    "loop": (Loop("k", None, None, (), FLAG),),
    "round": (Loop("k", integer(1), None, (TESTED,)),),
}


@pytest.mark.parametrize("body", FORKING.values(), ids=FORKING)
def test_statements_have_no_path_only_where_all_are_called_infeasible(body):
    """One that says both goes one way, and out of a loop."""
    free, torn = Path({"flag": FLAG}), Path({"flag": FLAG}, (FLAG, negation(FLAG)))
    assert list(Execution(lambda *_: rational(0), feasible=lambda path: False).block(body, free)) == []
    assert len(list(Execution(lambda *_: rational(0)).block(body, torn))) == 1


def test_a_program_without_loops_and_draws_is_one_step_from_start_to_end():
    (step,) = stepwise(program_of("return True")).steps
    assert (step.source, step.target, step.path.drawn, step.updates) == (0, -1, (), {})
    assert list(inside(TESTED)) == []


def test_the_first_draw_of_a_path_is_its_draw_number_0():
    twice = (Draw("b", "bernoulli", (), 1),) * 2
    ((path, _),) = Execution(lambda *_: rational(0)).block(twice, Path({}))
    assert [str(one.variable.value) for one in path.drawn] == ["draw.1.0", "draw.1.1"]


def test_a_sum_of_no_summands_is_0_and_cancels_whatever_it_is_multiplied_by():
    three = cancellation.monomial(3, F(1, 2))
    assert cancellation.times({}, three) == {} == cancellation.times(three, {})
    assert cancellation.vanishes({})
    assert not cancellation.vanishes(three)
    assert cancellation.logarithm({}) == (1, 1)
    assert cancellation.linear(cancellation.Quotient({}, cancellation.ONE)) == (0, 1, 1)
    assert decide(read("exp(1) - exp(1) == 0 * exp(2)"))
    assert not decide(read("exp(1) - exp(1) == 3 * exp(1/2)"))


def test_a_tail_that_begins_where_no_point_is_looked_at_is_not_enclosed():
    with pytest.raises(Undecided, match="is not enclosed"):
        tail_sum(lambda k: Interval(F(1), F(1)), LARGEST_INDEX, 64)


def test_the_polynomial_0_is_divided_by_every_factor_and_no_factors_leave_it():
    assert _over({}, Binomial(2, 1)) == {}
    assert _over({0: F(1)}, Binomial(2, 1)) is None
    assert _over({0: F(1), 2: F(1)}, Binomial(2, 1)) == {0: 1}
    assert list(_binomials(0, [])) == []


def test_the_one_integer_from_0_to_0_is_its_two_ends():
    assert whole_ends(ZERO_NUMBER, ZERO_NUMBER) == (0, 0)
    for ends in ((number(1), ZERO_NUMBER), (ZERO_NUMBER, number(F(1, 2)))):
        with pytest.raises(NotComputed, match="integers in order"):
            whole_ends(*ends)


def test_no_conditions_are_held_by_every_outcome_and_no_alternatives_by_none():
    evaluation = Evaluation({}, frozenset())
    assert evaluation.holds(make("all_of", "Bool"))
    assert not evaluation.holds(make("any_of", "Bool"))
    draw = Drawn(1, "bernoulli", (rational(F(1, 3)),), FLAG)
    assert probability((), (draw,)) == number(1)
    assert probability((FLAG,), (draw,)) == number(F(1, 3))


def test_without_inequalities_the_measure_is_that_of_everything():
    for sides in ((-1, 1), (1,)):
        integration = Integration([Density(F(2), sides)], False, inf)
        assert integration.measure([]) == {(0, 0): 1}
        never = (F(0),), F(1)
        assert integration.measure([never]) == {}


def test_a_coefficient_without_summands_adds_nothing_to_an_antiderivative():
    """On the lattice p(z) - p(z - 1), p a polynomial with such coefficients, is still z e^z."""

    class Padded(Calculus):
        def _weighted(self, j, k):
            return super()._weighted(j, k) | {j + 1: {}}

    plain, padded = (list(kind(F(1), False, True)._antiderivatives(1, 1)) for kind in (Calculus, Padded))
    assert plain == padded != []


@pytest.mark.parametrize("scale", [F(1), F(3, 2)])
def test_normal_draws_without_bounds_between_them_or_on_one_side_have_their_mass(scale):
    """P[X <= 0] = 1/2, and P[X <= Y] = 1/2 for two draws of one law."""
    x, y = (variable(f"draw.{k}", "Real") for k in (1, 2))
    drawn = tuple(Drawn(k, "gaussian", (rational(scale),), one) for k, one in ((1, x), (2, y)))
    for condition in (at_most(x, rational(0)), at_most(rational(0), x), at_most(x, y)):
        found = enclosure(probability((condition,), drawn), 12)
        assert found.lower <= F(1, 2) <= found.upper
