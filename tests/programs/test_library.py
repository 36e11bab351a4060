"""The library of programs: the ledger has all of it, every certificate replays, and verdicts are as said."""

import json
from fractions import Fraction
from importlib import resources

import pytest

from refdp.claims import programs
from refdp.commands.check import replayed_file
from refdp.commands.library import listed
from refdp.programs.events import chance
from refdp.programs.judging import judge
from refdp.programs.library import FILES
from refdp.programs.probabilities import text
from refdp.programs.question import Question
from refdp.terms.leaves import integer, rational
from tests.made import certificates
from tests.programs.earlier import earlier

CLAIMS = {c.identifier: c for c in programs()}
FOLDER = resources.files("refdp") / "proofs" / "certificates" / "programs"
BY_HAND = {
    "bounded_sum.one", "one_time_rappor.eight_bits", "one_time_rappor.eight_bits_at_95", "rappor.eight_bits",
    "truncated_geometric.near",
}  # fmt: skip
"""Claims whose neighbours are a relation of the file: no rule of the kernel says them."""
QUICK = ("partial_sum.one", "noisy_max.all", "sparse_vector.all", "stoddard.all", "prefix_sum.all", "smart_sum.one")
"""Claims that are judged each time; the others in the long run."""


def test_library_names_each_of_its_files():
    folder = resources.files("refdp") / "programs" / "library"
    assert {p.name for p in folder.iterdir() if p.name.endswith(".py")} == {"__init__.py", *FILES}


def test_ledger_has_every_claim_of_the_library_and_no_other():
    assert sorted(c.formal for c in CLAIMS.values()) == sorted(listed())


def test_ledger_expects_what_the_decorators_do():
    for claim in CLAIMS.values():
        question, program = listed()[claim.formal]
        assert program.claims[question.number].expected == claim.expected, claim.identifier
        assert claim.sentence.endswith(".")


def test_every_claim_has_a_certificate_of_its_verdict_about_the_text_as_it_is():
    assert {p.name for p in certificates() if p.parent.name == "programs"} == {
        f"{identifier}.json" for identifier in CLAIMS
    }
    for identifier, claim in CLAIMS.items():
        found = json.loads((FOLDER / f"{identifier}.json").read_text(encoding="utf-8"))
        question, _ = listed()[claim.formal]
        [step] = found["steps"]
        if identifier in BY_HAND:
            assert (step["rule"], claim.expected) == ("engine_proves", "PROVED")
            assert json.loads(step["data"]["question"])["claim"] == str(question.number)
            assert (list(found["sources"].values()), step["data"]["function"]) == ([question.source], question.function)
            continue
        assert step["rule"] == {"PROVED": "program_is_private", "REFUTED": "program_exceeds"}[claim.expected]
        assert (list(found["sources"].values()), step["data"]["function"]) == ([question.source], question.function)


@pytest.mark.parametrize("identifier", list(CLAIMS)[::6])
def test_certificate_replays(identifier):
    found = replayed_file(FOLDER / f"{identifier}.json", None, None, 60.0)
    assert found["verdict"] == CLAIMS[identifier].expected


@pytest.mark.parametrize("identifier", list(CLAIMS)[1::6])
def test_certificate_in_the_format_of_before_shows_the_same(identifier, tmp_path):
    stored = FOLDER / f"{identifier}.json"
    if identifier in BY_HAND:
        pytest.skip("no rule about programs says it")
    question, _ = listed()[CLAIMS[identifier].formal]
    before = earlier(question, stored.read_text(encoding="utf-8"))
    (tmp_path / "one.json").write_text(json.dumps(before, indent=1), encoding="utf-8")
    then, now = (replayed_file(one, None, None, 60.0) for one in (tmp_path / "one.json", stored))
    assert then["verdict"] == CLAIMS[identifier].expected
    assert {key: then[key] for key in ("verdict", "conclusion", "trusts", "rules", "texts")} == {
        key: now[key] for key in ("verdict", "conclusion", "trusts", "rules", "texts")
    }


@pytest.mark.long
@pytest.mark.parametrize("identifier", CLAIMS)
def test_every_certificate_replays_with_either_solver(identifier):
    for solver in ("z3", "cvc5"):
        found = replayed_file(FOLDER / f"{identifier}.json", solver, None, 60.0)
        assert found["verdict"] == CLAIMS[identifier].expected


def judged(identifier):
    question, program = listed()[CLAIMS[identifier].formal]
    return judge(question, *question.about(program), 60)


@pytest.mark.parametrize("identifier", QUICK)
def test_verdict_is_the_expected_one(identifier):
    assert judged(identifier).verdict == CLAIMS[identifier].expected


@pytest.mark.long
@pytest.mark.parametrize("identifier", CLAIMS)
def test_every_verdict_is_the_expected_one(identifier):
    assert judged(identifier).verdict == CLAIMS[identifier].expected


def test_counterexample_of_lee_and_clifton_has_the_known_closed_forms():
    """At epsilon = 27/50 the probabilities are those that DiPC published."""
    _, program = listed()[CLAIMS["lee_clifton.all"].formal]
    parameters = {"epsilon": rational(Fraction(27, 50)), "T": rational(0), "N": integer(1)}
    event = ((False,), (True,))
    old, new = (chance(program, parameters, tuple(map(Fraction, data)), event) for data in ((-1, 0), (0, -1)))
    assert text(old) == "(56 - 63*e^(-27/200) + 26*e^(-81/200) - 9*e^(-27/50))/112"
    assert text(new) == "(19*e^(-81/200) - 9*e^(-27/50))/112"


def test_question_with_another_adjacency_is_another_question():
    question, program = listed()[CLAIMS["sparse_vector_monotone.mono"].formal]
    asked = Question(question.source, question.function, question.number, adjacency="ONE")
    _, claim = asked.about(program)
    assert (claim.adjacency.name, claim.expected) == ("ONE", None)
    with pytest.raises(ValueError, match="adjacency must be one of ALL, ONE, L1, L2, MONO, ADD_REMOVE, got SOME"):
        Question(question.source, question.function, 0, adjacency="SOME").about(program)
    with pytest.raises(ValueError, match="N must be an integer, got 1/2"):
        Question(question.source, question.function, 0, given={"N": "1/2"}).about(program)
