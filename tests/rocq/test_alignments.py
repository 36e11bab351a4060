"""Programs for Rocq: what is written of a proof about a randomised program, which needs no prover."""

import json
import re
from fractions import Fraction

import pytest

from refdp.programs.judging import judge
from refdp.programs.question import Question
from refdp.rocq.claims import NOTHING, PREMISES, WHOLE, file_of, formal_text
from refdp.rocq.conditions import is_public_fact, tactic_for
from refdp.rocq.formulas import plain_name
from refdp.rocq.programs import NUMBERED, TAKEN_HERE
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import add, at_most, conjunction, divide, equal, less, multiply, real, subtract
from scripts import rocq
from tests.made import certificates

HEAD = "from refdp.programs import ALL, MONO, ONE, bernoulli, claim, discrete_laplace, exponential, laplace\n\n"
REASONS = {
    "exponential_mechanism.all": "choices and uniform draws",
    "exponential_mechanism_monotone.mono": "choices and uniform draws",
    "noisy_max_with_gap.all": "the greatest of others",
    "randomised_response.all": "truth values",
    "randomised_response_linear.all_in_truth": "truth values",
    "bounded_sum.one": "the engine of program",
    "one_time_rappor.eight_bits": "the engine of program",
    "one_time_rappor.eight_bits_at_95": "the engine of program",
    "rappor.eight_bits": "the engine of program",
    "truncated_geometric.near": "the engine of program",
}
"""The proved claims of the library that are not written, and why."""


@pytest.fixture(scope="module")
def files():
    certificates()
    names = {claim.identifier for claim in rocq.programs() if claim.expected == "PROVED"}
    return {one["claim"]: one for one in rocq.exported(names)}


def written(body, claimed='epsilon="epsilon", adjacency=ALL', seconds=30.0):
    """The file about a program whose claim is proved."""
    source = f"{HEAD}@claim({claimed})\n{body}"
    name = re.search(r"def (\w+)", body)[1]
    asked = Question(source, name, 0)
    found = judge(asked, *asked.read(), seconds)
    assert found.verdict == "PROVED", found
    theorem = rocq.theorem_of(json.loads(found.certificate))
    return file_of(theorem, name, "a program", formal_text(theorem))


@pytest.mark.once
def test_proofs_about_programs_of_the_library_are_written(files):
    proved = {name for name, one in files.items() if one["status"] in (WHOLE, PREMISES)}
    assert {name: one["status"] for name, one in files.items() if name not in proved} == dict.fromkeys(REASONS, NOTHING)
    assert len(proved) == 31
    for name, reason in REASONS.items():
        assert reason in " ".join(files[name]["missing"].values()), name


@pytest.mark.once
def test_every_premise_is_a_hypothesis_under_what_the_solvers_were_asked(files):
    for one in files.values():
        for premise in one["premises"]:
            assert premise["solvers"]
            assert premise["smt"].count("(check-sat)") == 1
            assert one["text"].count(f"\nHypothesis {premise['name']} :\n") == 1
        assert one["text"].count("\nHypothesis program_") == len(one["premises"])
        assert "Axiom" not in one["text"]
        assert "Admitted" not in one["text"]


@pytest.mark.once
def test_the_program_is_written_as_it_is(files):
    text = files["sparse_vector.all"]["text"]
    assert (
        "draw (laplace noise (2 / epsilon)) (fun draw_1 : R =>\n    done (Step 0 [] (on ((T + draw_1), 0%Z)))" in text
    )
    assert "draw (laplace noise ((IZR (4%Z * N)%Z) / epsilon)) (fun draw_2 : R =>" in text
    assert "if (at_most threshold_0 ((x (Z.to_nat i)) + draw_2)) then" in text
    assert "[[truth true]] (finish 0%Z)" in text
    assert "[[truth false]] (again" in text
    assert text.rstrip().endswith("End program_sparse_vector_conditions.")


@pytest.mark.once
def test_the_theorem_says_what_the_claim_says(files):
    assert (
        "  forall noise : noises, forall (T epsilon : R) (N n : Z), 0 <= IZR n -> 0 < epsilon -> 1 <= IZR N -> "
        "private (Tables.linf (Z.to_nat n) 1) (program_sparse_vector noise epsilon T N n) (pure epsilon)."
    ) in files["sparse_vector.all"]["text"]


def test_an_own_program_is_written():
    found = written("def noisy(x: float, epsilon):\n    return x + laplace(1 / epsilon)\n")
    assert found["status"] in (WHOLE, PREMISES)
    assert "done (Step 0 [[number (x + draw_1)]] (finish 0%Z))" in found["text"]


@pytest.mark.parametrize(
    "name", ["x", "noise", "i", "count_1", "draw", "the_data", "step", "program_f", "near", "le_IZR"]
)
def test_no_parameter_takes_a_name_of_the_file(name):
    found = written(
        f"def noisy(q: float, {name}):\n    return q + laplace(1 / {name})\n",
        f'epsilon="{name}", adjacency=ALL, where="{name} > 0"',
    )
    assert found["status"] == NOTHING
    assert f"the parameter {name} has a name that the file needs itself" in " ".join(found["missing"].values())


def test_a_variable_that_is_called_like_the_data_is_another():
    body = """def last(q: list[float], epsilon):
    x = 0
    for y in q:
        x = y
        yield x + laplace(1 / epsilon)
"""
    found = written(body, 'epsilon="epsilon", adjacency=ONE')
    assert found["status"] in (WHOLE, PREMISES)
    assert "let x :=" not in found["text"]
    assert "number ((x (Z.to_nat i)) + draw_1)" in found["text"]


@pytest.mark.parametrize("function", ["forall", "step", "draw", "Definition", "noises"])
def test_a_program_may_be_called_anything(function):
    found = written(f"def {function}(x: float, epsilon):\n    return x + laplace(1 / epsilon)\n")
    assert re.search(rf"\nTheorem program_(v_)?{function}_is_private :\n", found["text"])


@pytest.mark.parametrize("name", ["Variable", "Definition", "Parameter", "forall"])
def test_a_parameter_that_is_a_word_of_rocq_gets_an_underscore(name):
    found = written(f"def noisy(q: float, epsilon, {name}):\n    return q + {name} + laplace(1 / epsilon)\n")
    assert found["status"] in (WHOLE, PREMISES)
    assert re.search(rf"forall \(({name}_ epsilon|epsilon {name}_) : R\)", found["text"])
    assert re.search(rf"\(noise : noises\) \(epsilon {name}_ : R\)", found["text"])


STATES = """def counts(q: list[float], epsilon, T):
    {name} = 2
    low = 3
    for v in q:
        noisy = v + laplace(1 / epsilon)
        if noisy > T:
            {name} += 2
            yield "up"
        else:
            low += 2
            if noisy > T - 1:
                yield {between}
            else:
                yield "low"
"""


@pytest.mark.parametrize("name", ["first", "second", "paid", "given", "program_counts_turn"])
def test_no_variable_takes_a_name_that_proofs_number(name):
    found = written(STATES.format(name=name, between='"between"'), 'epsilon="epsilon", adjacency=ONE')
    assert found["status"] in (WHOLE, PREMISES)
    assert re.search(rf"let '\(.*\bv_{name}_0\b.*\) := s in", found["text"])
    assert not re.search(rf"let '\(.*\b{name}_0\b.*\) := s in", found["text"])


def test_a_variable_that_is_called_like_what_is_numbered_from_the_second_on_is_refused_beside_two():
    kept = written(STATES.format(name="released", between='"between"'), 'epsilon="epsilon", adjacency=ONE')
    assert "released_0" in kept["text"]
    found = written(STATES.format(name="released", between='"between", "it"'), 'epsilon="epsilon", adjacency=ONE')
    assert found["status"] == NOTHING
    assert "a variable released of a program that at once releases more than one thing" in " ".join(
        found["missing"].values()
    )


def test_truth_values_that_are_not_the_same_are_denied_as_a_condition_says_it():
    body = """def flags(q: list[float], epsilon, T):
    flag = False
    for v in q:
        noisy = v + laplace(1 / epsilon)
        if flag == (noisy >= T):
            flag = True
        else:
            flag = False
        yield "a"
"""
    text = written(body, 'epsilon="epsilon", adjacency=ONE')["text"]
    for run in ("first", "second"):
        assert re.search(rf"pose proof \(proj2 \(negb_true_iff _\) {run}_\d\) as {run}_not_\d\.", text)


@pytest.mark.once
def test_theorems_that_proofs_name_are_no_parameters(files):
    used = {word for one in files.values() for word in re.findall(r"\b[a-z]\w*\b", "\n".join(one["body"]))}
    known = {name for module in ("Alignments", "Privacy", "Decisions", "Laws") for name in rocq.statements(module)}
    proofs = {name for name in used & known if "_" in name}
    assert len(proofs) > 20
    assert {name for name in proofs if name not in TAKEN_HERE and plain_name(name) == name} == set()


def test_names_of_the_file_are_told():
    assert {"noise", "x", "i", "draw"} < TAKEN_HERE
    assert NUMBERED.fullmatch("draw_1")
    assert not NUMBERED.fullmatch("epsilon")


A, B, N = variable("a", "Real"), variable("b", "Real"), variable("N", "Int")
POSITIVE = conjunction(less(rational(0), A), at_most(integer(1), N))
HALF = multiply(rational(Fraction(1, 2)), A)


@pytest.mark.parametrize(
    ("conclusion", "is_one"),
    [
        (less(rational(0), divide(rational(2), A)), True),
        (less(rational(0), divide(multiply(rational(4), real(N)), A)), True),
        (equal(multiply(HALF, divide(rational(2), A)), rational(1)), True),
        (equal(multiply(HALF, divide(rational(3), A)), rational(1)), False),
        (at_most(multiply(divide(A, real(N)), real(N)), A), True),
        (at_most(A, multiply(divide(A, real(N)), multiply(rational(2), real(N)))), False),
        (less(rational(0), B), False),
        (less(rational(0), subtract(A, rational(1))), False),
        (equal(multiply(divide(rational(1), B), B), rational(1)), False),
        (less(rational(0), divide(rational(1), add(A, B))), False),
        (less(A, A), False),
    ],
)
def test_public_facts_are_signs_and_algebra(conclusion, is_one):
    assert is_public_fact((POSITIVE,), conclusion) is is_one


def test_what_is_only_known_to_be_no_less_than_0_is_not_positive():
    assert not is_public_fact((at_most(rational(0), A),), less(rational(0), A))


def test_what_rocq_does_not_prove_by_itself_is_a_premise():
    assert tactic_for((POSITIVE,), less(rational(0), divide(rational(2), A))) == "public_fact"
    assert tactic_for((), at_most(multiply(A, B), multiply(B, B))) is None


@pytest.mark.once
def test_near_misses_of_programs_are_there(files):
    assert len(list(rocq.less_noise(files.values()))) == len(rocq.LESS_NOISE)
    for text in rocq.less_noise(files.values()):
        assert text.count("999 / 1000") == 1
    whole = {one["text"] for one in files.values()}
    changed = list(rocq.without_a_premise(files.values()))
    assert len(changed) >= rocq.CHANGED
    assert not whole & set(changed)


def test_only_a_program_that_draws_real_numbers_is_about_noises():
    found = written("def noisy(x: int, epsilon):\n    return x + discrete_laplace(1 / epsilon)\n")
    assert found["status"] in (WHOLE, PREMISES)
    assert "noises" not in found["text"]
    real = written("def noisy(x: float, epsilon):\n    return x + laplace(1 / epsilon)\n")
    assert "forall noise : noises" in real["text"]
    assert "that there is one is not proved in Rocq" in " ".join(real["text"].split("*)")[0].split())


def test_what_no_shift_asks_for_is_not_foretold():
    body = """def shadow(q: list[float], epsilon):
    i = 10
    s = 3
    for i, x in enumerate(q):
        y = x + laplace(1 / epsilon)
        s = s + i
        if y >= 3:
            yield 1, s, i
        else:
            yield 0, i, s
    yield s, i, 0
"""
    found = written(body, 'epsilon="2 * epsilon", adjacency=ONE')
    assert found["status"] in (WHOLE, PREMISES) or "foretold" in " ".join(found["missing"].values())
    assert "tells (-1) n" not in found["text"]


@pytest.mark.parametrize("name", ["unset", "unset_1", "L", "Step", "Empty_set"])
def test_odd_names_are_refused_or_written(name):
    found = written(
        f"def noisy(q: float, {name}):\n    return q + laplace(1 / {name})\n",
        f'epsilon="{name}", adjacency=ALL, where="{name} > 0"',
    )
    assert found["status"] == (NOTHING if name != "L" else found["status"])
