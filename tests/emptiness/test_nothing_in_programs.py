"""What checkers of programs say where there is nothing: no relation, no limits of a draw, no output, no data."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp import work
from refdp.programs.adjacency import ADD_REMOVE, Adjacency, Relation
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.charges import drawable
from refdp.programs.checking.finite import holds_exactly, law
from refdp.programs.checking.proof import check
from refdp.programs.checking.public import Refused, public
from refdp.programs.checking.ratios import plain
from refdp.programs.checking.symbolic import Laws, bounded, sizes
from refdp.programs.counterexample import (
    Counterexample,
    are_parameters,
    confirmed,
    fits,
    is_related,
    raises_elsewhere,
)
from refdp.programs.execution import Drawn
from refdp.programs.language.context import EXCEPTION
from refdp.programs.language.reading import programs_in
from refdp.programs.probabilities import number
from refdp.programs.syntax import Draw, Emit
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, make, rational, variable
from refdp.terms.operations import at_most, less, real

HEAD = "from refdp.programs import ALL, L2, bernoulli, claim, laplace\n"
NOTHING = Alignment({})
BITS = ("bit: bool", "bit: bool, s: float")
"""With values for all parameters, and with one that has none: laws are compared as numbers, or with symbols."""


def program_of(body, data="bit: bool", claim='epsilon="0", adjacency=ALL'):
    (program,) = programs_in(f"{HEAD}\n\n@claim({claim})\ndef program({data}):\n    {body}\n", "file.py")
    return program


def verdict(program, alignments=(), claim=None, solvers=("z3",)):
    return check(program, claim or program.claims[0], list(alignments), solvers, 20.0).verdict


def laws_of(program):
    claim = program.claims[0]
    return Laws(program, claim, public(program, claim, ()), work.spent() + 20)


def example(program, old, new, events, claim=None, parameters=None):
    """Whether that refutes the claim."""
    found = Counterexample("program", claim or program.claims[0], parameters or {}, old, new, events,
                           number(0), number(0))  # fmt: skip
    return confirmed(program, found.claim, found)


NOBODY, UNRELATED = Adjacency("NOBODY", ()), Adjacency("UNRELATED", (Relation(FALSE),))
RELEASED = ((False,),), ((True,),)


@pytest.mark.parametrize("adjacency", [NOBODY, UNRELATED])
@pytest.mark.parametrize(("data", "body"), [(one, "return bit") for one in BITS] + [("x: float", "return x")])
@pytest.mark.parametrize("proofs", [(), (NOTHING,)])
def test_a_relation_without_neighbours_proves_nothing(adjacency, data, body, proofs):
    program = program_of(body, data)
    assert verdict(program, proofs, replace(program.claims[0], adjacency=adjacency)) == "UNKNOWN"


def test_a_relation_without_neighbours_compares_and_refutes_nothing():
    program = program_of("return bit")
    for adjacency in (NOBODY, UNRELATED):
        claim = replace(program.claims[0], adjacency=adjacency)
        with pytest.raises(Refused, match="some data must have neighbours"):
            holds_exactly(program, claim, ("z3",), 10.0)
        assert not example(program, (False,), (True,), RELEASED[:1], claim)
    assert example(program, (False,), (True,), RELEASED[:1])


def test_no_events_and_no_statements_refute_nothing_where_elements_are_added():
    program = program_of("return [x for x in q]", "q: list[bool]")
    claim = replace(program.claims[0], adjacency=ADD_REMOVE)
    assert not example(program, (False,), (False, True), (), claim)
    silent, raised = replace(program, body=()), (((EXCEPTION,),),)
    assert not raises_elsewhere(silent.body)
    assert not example(silent, (False,), (False, True), raised, claim)


def test_no_conditions_and_no_solvers_prove_nothing(monkeypatch):
    for data, proofs in (("x: float", (NOTHING,)), (BITS[1], ())):
        program = program_of("return True", data)
        assert verdict(program, proofs) == "PROVED"
        assert verdict(program, proofs, solvers=()) == "UNKNOWN"
        with monkeypatch.context() as patched:
            for source in ("demanded", "demanded_of_laws"):
                patched.setattr(f"refdp.programs.checking.proof.{source}", lambda *_: iter(()))
            assert verdict(program, proofs) == "UNKNOWN"


@pytest.mark.parametrize("data", BITS)
def test_what_releases_nothing_is_certain_of_it(data):
    program = program_of("return bit", data)
    silent = replace(program, body=())
    assert law(silent, program.claims[0], True) == {(): number(1)}
    assert verdict(silent) == "PROVED"
    assert verdict(program) == "UNKNOWN"


def drawing(*limits, data="bit: bool"):
    """A program that releases an integer between limits, which no text makes."""
    body = (Draw("k", "uniform", limits, 1), Emit((variable("k", "Int"),)))
    return replace(program_of("return True", data), body=body)


def test_a_draw_between_limits_without_an_integer_or_without_limits_has_no_law():
    """Python raises; nothing is proved of it, with numbers or symbols, with or without an alignment."""
    for limits, refusal in (((integer(1), integer(0)), Refused), ((), IndexError)):
        program, draw = drawing(*limits), Drawn(1, "uniform", limits, variable("draw.1", "Int"))
        with pytest.raises(refusal):
            law(program, program.claims[0], True)
        shared = public(program, program.claims[0], ())
        with pytest.raises(refusal):
            sizes([draw], shared)
        for data in BITS:
            for proofs in ((), (NOTHING,))[: 1 + len(limits)]:
                assert verdict(drawing(*limits, data=data), proofs) == "UNKNOWN"
    with pytest.raises(IndexError):
        list(drawable(draw, shared))
    for data in BITS:
        assert verdict(drawing(integer(0), integer(1), data=data)) == "PROVED"


def test_a_condition_without_variables_is_decided_by_its_value():
    laws, e = laws_of(program_of("return True", BITS[1])), make("exp", "Real", rational(1))
    for text, goes in (("1", False), ("2.718281828459045", False), ("2.718281828459046", True)):
        far = rational(F(text))
        assert laws.goes(less(e, far)) == goes
        assert laws.goes(less(far, e)) != goes
    assert not laws.decided


def test_without_draws_no_probability_must_make_sense():
    laws = laws_of(program_of("return True", BITS[1]))
    laws.look(True)
    assert list(laws.sense()) == []
    drawn = laws_of(program_of("return bernoulli(s)", BITS[1], 'epsilon="0", adjacency=ALL, where="0 <= s and s <= 1"'))
    drawn.look(True)
    assert at_most(real(ZERO), variable("s", "Real")) in list(drawn.sense())


def test_no_difference_that_is_positive_adds_up_to_nothing_and_one_is_held_against_what_is_allowed():
    laws, half = laws_of(program_of("return True", BITS[1])), plain(F(1, 2))
    assert list(bounded([], half, 1, laws, ())) == []
    assert set(bounded([plain(F(-1)), plain(F(0))], half, 1, laws, ())) == {TRUE}
    assert list(bounded([plain(F(1, 3))], half, 1, laws, ())) == [TRUE]
    assert list(bounded([plain(F(2, 3))], half, 1, laws, ())) == [FALSE]
    for delta in ('"1/2"', '"-1/2"'):
        program = program_of("return True", BITS[1], f'epsilon="0", delta={delta}, adjacency=ALL')
        assert verdict(program) == ("PROVED" if delta == '"1/2"' else "UNKNOWN")


def test_no_parameters_are_those_of_a_program_without_any():
    program = program_of("return bit")
    assert are_parameters(program, {})
    assert not are_parameters(program_of("return bit", BITS[1]), {})
    assert example(program, (False,), (True,), RELEASED[:1])
    assert not example(program, (False,), (True,), RELEASED[:1], parameters={"s": rational(1)})


@pytest.mark.parametrize(("data", "body"), [("q", "return [x for x in q]"), ("q: list[bool]", "return [x for x in q]")])
def test_no_data_are_neighbours_of_themselves_alone_and_refute_nothing(data, body):
    """Both runs on no data have one law, so no event is likelier under one."""
    program = program_of(body, data, 'epsilon="0", adjacency=L2')
    assert fits(program.data, ())
    assert is_related(program.claims[0].adjacency.parts[0], {}, [])
    for events in ((), ((),), RELEASED[:1]):
        assert not example(program, (), (), events)
    one = (True,) if "bool" in data else (F(1),)
    assert not example(program, (), one, ((),))
    zero = (False,) if "bool" in data else (F(0),)
    assert example(program, zero, one, ((zero,),))
