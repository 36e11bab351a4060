"""A theorem is made by a rule and in no other way; a rule takes theorems and text, and fails as a KernelError."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest

import refdp.kernel.theorem as kernel
from refdp.kernel import rules
from refdp.kernel.certificate import certificate, replay
from refdp.kernel.judgements import Holds, KernelError, Law
from refdp.kernel.theorem import RULES, Assuming, Theorem, as_text, rule, seal
from refdp.numerics.exact import Ln
from refdp.terms.reading import read
from refdp.terms.term import name, number
from tests.kinds import believed, believing, noise, noisy_count, response


@pytest.fixture
def unsealed(monkeypatch):
    """A kernel without a seal and with a table of rules of its own."""
    mine: dict = {}
    monkeypatch.setattr(kernel, "_SEALED", [])
    monkeypatch.setattr(kernel, "_RULES", mine)
    monkeypatch.setattr(kernel, "RULES", mine)
    return mine


def test_theorem_says_its_claim_rule_and_trusts():
    assert repr(response()) == (
        "|- private(randomised_response(3/4), finite(2), discrete(1), pure(ln(3)))  [finite_mechanism; trusts nothing]"
    )
    assert repr(noise()).endswith("[additive_noise; trusts a test]")


def test_theorem_by_its_constructor_is_refused():
    with pytest.raises(KernelError, match="never by its constructor"):
        Theorem()
    with pytest.raises(KernelError, match="never by its constructor"):
        Theorem(object(), claim=response().claim, rule="finite_mechanism", premises=(), data={}, trusts=frozenset())


def test_theorem_subclassed_is_refused():
    with pytest.raises(KernelError, match="subclassed"):
        type("Mine", (Theorem,), {})


@pytest.mark.parametrize(
    "make", [copy.copy, copy.deepcopy, pickle.dumps, lambda t: t.__reduce__(), lambda t: t.__reduce_ex__(2)]
)
def test_theorem_copied_or_pickled_is_refused(make):
    with pytest.raises((KernelError, TypeError, copy.Error)):
        make(response())


@pytest.mark.parametrize("field", ["claim", "rule", "premises", "data", "trusts", "anything", "__class__"])
def test_theorem_changed_is_refused(field):
    theorem = response()
    with pytest.raises(KernelError, match="immutable"):
        setattr(theorem, field, None)
    with pytest.raises(KernelError, match="immutable"):
        delattr(theorem, field)


def test_theorem_has_no_room_for_more_and_keeps_its_data():
    theorem = response()
    assert not hasattr(theorem, "__dict__")
    with pytest.raises(TypeError):
        theorem.data["subject"] = "anything"


def test_theorem_forged_past_the_seal_does_not_survive_replay():
    """`object.__new__` can make anything in this process; what counts is replay."""
    forged = object.__new__(Theorem)
    honest = response()
    for field in Theorem.__slots__:
        object.__setattr__(forged, field, getattr(honest, field))
    object.__setattr__(forged, "claim", read_claim("pure(0)"))
    assert str(forged.claim.d_out[0]) == "0"
    with pytest.raises(KernelError, match="replay concludes"):
        replay(certificate(forged, ""), believing)
    weaker = rules.weaken(forged, d_out=["0"])
    with pytest.raises(KernelError, match="cannot strengthen"):
        replay(certificate(weaker, ""), believing)


def read_claim(d_out):
    from refdp.kernel.reading import relation

    return relation(read(f"private(randomised_response(3/4), finite(2), discrete(1), {d_out})"))


def test_theorem_whose_data_were_changed_inside_does_not_survive_replay():
    theorem = noisy_count()
    instance = theorem.premises[1]
    instance.data["values"]["scale"] = "100"
    with pytest.raises(KernelError):
        replay(certificate(theorem, ""), believing)


def test_rule_table_is_read_only_and_sealed():
    with pytest.raises(TypeError):
        RULES["anything"] = RULES["oracle"]

    def anything() -> Law:
        return Law("normalised", name("x"))

    with pytest.raises(KernelError, match="sealed"):
        rule(anything)


def test_rule_declared_before_the_seal_is_a_rule_and_twice_is_refused(unsealed):
    def mine(*ms: Holds, stem: str) -> Assuming:
        return Assuming(Law("normalised", read(f"{stem}(1)")), frozenset({"nobody"}))

    inferred = rule(mine)(believed("composition.weaken"), stem="laplace")
    assert (str(inferred.claim.term), inferred.trusts) == ("normalised(laplace(1))", {"nobody", "a test"})
    assert (inferred.rule, inferred.data, len(inferred.premises)) == ("mine", {"stem": "laplace"}, 1)
    with pytest.raises(KernelError, match="declared twice"):
        rule(mine)
    seal()
    with pytest.raises(KernelError, match="sealed"):
        rule(type("F", (), {"__name__": "other"}))


@pytest.mark.parametrize("premise", [None, "theorem", 3, object()])
def test_rule_whose_premise_is_no_theorem_is_refused(premise):
    with pytest.raises(KernelError, match="a premise must be a Theorem"):
        rules.compose(premise)


def test_rule_whose_premise_is_a_claim_is_refused():
    with pytest.raises(KernelError, match="a premise must be a Theorem"):
        rules.pure_to_approximate(response().claim)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"stem": ["discrete_laplace"], "measure": "pure"}, "stem"),
        ({"stem": "discrete_laplace", "measure": {"pure": "pure"}}, "measure"),
        ({"stem": "discrete_laplace", "measure": "pure", "smt_lib": "(check-sat)"}, "smt_lib"),
        ({"stem": "discrete_laplace", "measure": "pure", "lemmas": "none"}, "lemmas"),
        ({"stem": "discrete_laplace", "measure": "pure", "return": "Private"}, "return"),
    ],
)
def test_rule_with_data_of_another_shape_is_refused(data, key):
    with pytest.raises(KernelError, match=f"additive_noise: it takes no such {key}"):
        rules.additive_noise(*noise().premises, **data)


def test_rule_with_a_list_or_mapping_of_another_shape_is_refused():
    digest = believed("composition.weaken").data["digest"]
    for by in ("z3", {"z3": "z3"}):
        with pytest.raises(KernelError, match="it takes no such by"):
            rules.oracle(obligation="composition.weaken", digest=digest, by=by)
    with pytest.raises(KernelError, match="it takes no such values"):
        rules.instantiate(noise(), values=["scale", "1"])
    with pytest.raises(KernelError, match="it takes no such d_out"):
        rules.weaken(noisy_count(), d_out="3")


def test_rule_without_what_it_needs_is_refused():
    with pytest.raises(KernelError, match="stem"):
        rules.finite_law()
    with pytest.raises(KernelError):
        rules.pure_to_approximate()
    with pytest.raises(KernelError):
        rules.pure_to_approximate(response(), response())


@pytest.mark.parametrize(
    "failure", [ValueError, ZeroDivisionError, OverflowError, KeyError, IndexError, TypeError, RecursionError]
)
def test_rule_that_fails_in_any_way_concludes_nothing(unsealed, failure):
    def failing() -> Law:
        raise failure("as it was made to")

    with pytest.raises(KernelError, match=r"failing: .*as it was made to"):
        rule(failing)()


def test_rule_that_concludes_no_judgement_is_refused(unsealed):
    def nothing() -> Law:
        return None

    with pytest.raises(KernelError, match="nothing: "):
        rule(nothing)()


def test_claim_of_more_characters_than_a_term_may_have_is_refused():
    """Each step doubles the claim; were there no limit, 60 steps of a small certificate would be larger than memory."""
    with pytest.raises(KernelError, match=r"must have at most 20000 characters|nest at most 60 deep"):
        repeated(60, "d_in * d_in")
    assert len(str(repeated(5, "d_in * d_in").claim.term)) < 20_000


def repeated(times, value):
    """The claim about noise with its distance replaced again and again."""
    theorem = noise()
    for _ in range(times):
        theorem = rules.instantiate(theorem, values={"d_in": value})
    return theorem


def test_claim_nested_too_deep_is_refused():
    with pytest.raises(KernelError, match="nest at most 60 deep"):
        repeated(3_000, "-d_in")


def test_claim_that_cannot_be_printed_is_refused():
    """Python prints no integer of more than 4300 digits."""
    with pytest.raises(KernelError):
        rules.instantiate(noise(), values={"scale": "0x" + "f" * 5_000})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (3, "3"),
        (Fraction(1, 3), "1/3"),
        (number(2) + name("x"), "2 + x"),
        (Ln(3), "ln(3)"),
        ((1, "a"), ["1", "a"]),
        ({"k": Fraction(1, 2), 3: 4}, {"k": "1/2", "3": "4"}),
        ([["x"]], [["x"]]),
    ],
)
def test_data_become_text(value, text):
    assert as_text(value) == text


@pytest.mark.parametrize("value", [0.5, True, None, b"x", {1}, object(), [0.5], {"k": None}])
def test_data_that_are_not_exact_are_refused(value):
    with pytest.raises(KernelError, match="data of a rule must be text, terms or exact numbers"):
        as_text(value)
