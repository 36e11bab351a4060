"""Every PROVED of the library of programs and of the corpora of queries, on 10,000 pairs of data each."""

from __future__ import annotations

from pathlib import Path

import pytest

from refdp.commands.prove import questions
from refdp.commands.second_judging import interpreted, program_question, question_of, read
from refdp.programs.judging import judge
from refdp.second_judge import programs, queries
from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.judging import Case, claim_of
from tests.meta.repository import ROOT

PAIRS = 10_000
AT_LENGTH = programs.Effort(PAIRS, leaves=2_000_000, most=250_000, seconds=1_200)
LIBRARY = [(asked, program) for asked, program in questions(None) if program.claims[asked.number].expected == "PROVED"]
CORPORA = [
    pytest.param(campaign, place, id=f"{campaign}-{place}-{one.target.rpartition(':')[2]}")
    for campaign in ("queries.toml", "library.toml", "penguins.toml")
    for place, one in enumerate(read_campaign(ROOT / "examples" / "sensitivity" / campaign))
    if one.expected == "PROVED" and one.claim is not None
]


@pytest.mark.long
@pytest.mark.parametrize("place", range(len(LIBRARY)), ids=[f"{q.function}-{q.number}" for q, _ in LIBRARY])
def test_every_proof_of_the_library_is_confirmed(place: int) -> None:
    asked, program = LIBRARY[place]
    found = judge(asked, program, asked.about(program)[1], 60.0)
    assert found.verdict == "PROVED"
    said = programs.judged(program_question(found), AT_LENGTH)
    assert said.contradiction == ""
    assert said.counted > 0
    assert said.counted == said.tried


@pytest.mark.long
@pytest.mark.parametrize(("campaign", "place"), CORPORA)
def test_every_bound_of_the_corpora_is_confirmed(campaign: str, place: int) -> None:
    one = read_campaign(Path(ROOT / "examples" / "sensitivity" / campaign))[place]
    case = Case.of(one, 60.0)
    bound = claim_of(one, case.given)
    proof = Judgement("PROVED", one, case.source, case.given, one.tables or "multisets", bound=bound)  # type: ignore[arg-type]
    said = queries.judged(question_of(proof), {queries.INTERPRETER: interpreted(proof), **read(proof)}, PAIRS)
    assert (said.contradiction, said.nothing) == ("", "")
    assert said.counted == said.tried >= PAIRS / 2


def test_there_are_proofs_to_confirm() -> None:
    assert len(LIBRARY) == 41
    assert len(CORPORA) > 100
