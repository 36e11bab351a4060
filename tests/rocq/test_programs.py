"""Programs that a seed draws for Rocq: what the generator writes, and what is looked for in their files."""

import keyword

import pytest

import refdp
from refdp.programs.language.reading import Unread, readings_in
from refdp.rocq.claims import PREMISES, WHOLE
from scripts import rocq, rocq_programs
from scripts.rocq_grammar import CALLED, DEALT, DECK, FAMILIES, NOT_OF_ELEMENTS, ODD_NAMES, drawn

DRAWN = [drawn(rocq_programs.SEED, number) for number in range(rocq_programs.COUNT)]
PROVED = 4
"""How many of the first programs are proved here, and exported."""


@pytest.mark.parametrize("one", DRAWN, ids=lambda one: str(one.number))
def test_every_drawn_program_is_read(one):
    (found,) = readings_in(one.text, "drawn.py")
    assert not isinstance(found, Unread), found
    assert (found.name, len(found.claims)) == (one.function, 1)


def test_a_seed_draws_the_same_programs_again_and_another_one_others():
    assert drawn(rocq_programs.SEED, 7) == DRAWN[7]
    assert drawn(rocq_programs.SEED + 1, 7) != DRAWN[7]
    assert len({one.text for one in DRAWN}) == len(DRAWN)


def test_every_kind_of_program_is_drawn():
    assert {one.family for one in DRAWN} == set(FAMILIES)
    text = "\n".join(one.text for one in DRAWN)
    for said in ("ALL", "ONE", "L1", "MONO", "each(", "where=", "given=", "break", "not ", "bernoulli(", "range("):
        assert said in text, said


def test_odd_names_of_every_kind_are_drawn():
    names = {name for one in DRAWN for name in one.names}
    for kind, odd in ODD_NAMES.items():
        assert names & set(odd), kind
    assert names >= set(DECK)
    assert any(not name.isascii() for name in names)
    assert any(one.text.count(one.function) > 1 for one in DRAWN)


def test_every_letter_of_the_deck_is_a_name_soon():
    first = DRAWN[: -(-len(DECK) // DEALT)]
    assert {name for one in first for name in one.names} >= set(DECK)


def test_no_odd_name_is_one_that_python_or_the_program_needs():
    for odd in ODD_NAMES.values():
        for name in odd:
            assert name.isidentifier()
            assert not keyword.iskeyword(name)
    assert not {name for one in DRAWN for name in one.names} & CALLED
    assert NOT_OF_ELEMENTS & {name for odd in ODD_NAMES.values() for name in odd}


@pytest.mark.once
def test_first_programs_are_proved_and_exported(tmp_path):
    verdicts, statuses = [], []
    for one in [one for one in DRAWN if one.family in ("one number", "each element")][:PROVED]:
        path = tmp_path / "drawn.py"
        path.write_text(one.text, encoding="utf-8")
        found = refdp.prove(path, certificates=tmp_path, timeout=rocq_programs.SECONDS)
        verdicts.append(found["verdict"])
        if found["certificate"] is not None:
            made = refdp.export(found["certificate"])
            statuses.append(made["status"])
            assert list(rocq_programs.captured(made["text"])) == []
    assert verdicts.count("PROVED") >= PROVED / 2
    assert "REFUTED" not in verdicts
    assert {WHOLE, PREMISES} & set(statuses)


FILE = """
Definition program_f_turn_1 (noise : noises) (T epsilon : R) (n : Z) (x : Tables.vector) (i : Z) (s : R * bool) :
    law (plain (step (R * bool) (Empty_set))) :=
  let '(a_0, flag_0) := s in
  draw (laplace noise (1 / epsilon)) (fun draw_1 : R =>
    done (Step 0 [] (again (draw_1, flag_0)))
  ).
"""


@pytest.mark.parametrize(
    ("said", "instead", "names"),
    [
        ("T epsilon", "T epsilon", []),
        ("a_0", "draw_1", ["draw_1"]),
        ("T epsilon", "x epsilon", ["x"]),
        ("flag_0", "a_0", ["a_0"]),
        ("(T epsilon", "(draw_1 epsilon", ["draw_1"]),
    ],
)
def test_a_name_that_is_bound_twice_is_seen(said, instead, names):
    assert list(rocq_programs.captured(FILE.replace(said, instead))) == names


def test_a_file_with_less_noise_has_it_at_its_first_draw():
    changed = rocq.with_less_noise(FILE)
    assert "(laplace noise (999 / 1000 * (1 / epsilon)))" in changed
    moved = "    refine (couples_draw _ _ (laplace_moves noise _ 1 [] positive) _); intros draw_1 possible_1;\n"
    assert list(rocq_programs.less_noise([FILE, "no program", FILE + moved])) == [changed + moved]
    assert list(rocq_programs.less_noise([FILE + moved.replace("draw_1", "draw_2")])) == []
    assert list(rocq_programs.less_noise([FILE + moved.replace("moves", "stays")])) == []


def test_reasons_are_counted_without_what_is_of_one_program():
    assert rocq_programs.general("the parameter of_ has a name that the file needs itself") == (
        "a parameter has a name that the file needs itself"
    )
    assert rocq_programs.general("what is foretold, 2*a, is not seen to be at most the number of data") == (
        "what is foretold is not seen to be at most the number of data"
    )
