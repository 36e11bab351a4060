"""The second judge contradicts false proofs of programs, and nothing that is true."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import refdp
from refdp.commands.prove import questions
from refdp.commands.second_judging import program_question
from refdp.programs.judging import judge
from refdp.second_judge.data import Constants
from refdp.second_judge.programs import (
    Effort,
    Question,
    Relation,
    judged,
    judged_all,
    loss,
    packed_term,
    seen,
)
from refdp.second_judge.shifting import apart, evaluated
from refdp.terms.leaves import TRUE, integer, rational, variable
from refdp.terms.operations import divide, subtract

EPSILON = variable("epsilon", "Real")
IMPORT = "from refdp.programs import *\n"
SOME = Effort(60)


def proved(text: str, path: Path, adjacency: str = "ALL", epsilon: str = "epsilon", **more: str) -> Question:
    """The question of a proof that the first judge found of the function f."""
    words = "".join(f", {name}={value!r}" for name, value in more.items())
    more_names = ", ADD_REMOVE" if "ADD_REMOVE" in adjacency else ""
    source = (
        "from refdp.programs import ALL, ONE, L1, MONO, argmax, bernoulli, choice, claim, discrete_laplace, each, exp\n"
        f"from refdp.programs import exponential, laplace, uniform{more_names}\n\n\n"
        f"@claim(epsilon={epsilon!r}, adjacency={adjacency}{words}){text}"
    )
    file = path / "program.py"
    file.write_text(source)
    ((asked, program),) = questions(f"{file}:f")
    found = judge(asked, program, asked.about(program)[1], 20.0)  # type: ignore[arg-type]
    assert found.verdict == "PROVED", found.reason
    return program_question(found)


TEXTS = {
    "sum": """
def f(q, epsilon):
    return sum(q) + laplace(1 / epsilon)
""",
    "fold": """
def f(q, epsilon):
    ys = [max(0, min(x, 1)) for x in q]
    return sum(ys) + laplace(1 / epsilon)
""",
    "count": """
def f(q: list[bool], epsilon):
    return sum(1 for x in q if x) + laplace(1 / epsilon)
""",
    "extremes": """
def f(q, epsilon):
    yield max(q) + laplace(2 / epsilon)
    yield min(q) + laplace(2 / epsilon)
""",
    "argmax": """
def f(q, epsilon):
    ys = [x + laplace(2 / epsilon) for x in q]
    return ys.index(max(ys))
""",
    "append": """
def f(q, epsilon):
    out = []
    for x in q:
        out.append(x + laplace(1 / epsilon))
    return out
""",
    "while": """
def f(q, epsilon):
    out = []
    i = 0
    while i < len(q):
        out.append(q[i] + laplace(1 / epsilon))
        i += 1
    return out
""",
    "text": """
def f(q, epsilon, T):
    n = 0
    for x in q:
        if x > T:
            n += 1
    return 'many' if n + laplace(1 / epsilon) > 5 else 'few'
""",
    "greatest": """
def f(q, epsilon):
    first = laplace(1 / epsilon)
    best, place, i = 0, 0, 0
    for x in q:
        noisy = x + laplace(2 / epsilon)
        if i == 0 or noisy > best:
            best, place = noisy, i
        i += 1
    return place, first
""",
    "infinity": """
def f(x, epsilon):
    noisy = x + laplace(1 / epsilon)
    return -float('inf') if noisy > 1 else noisy
""",
    "noise before the loop": """
def f(q, epsilon):
    noise = laplace(1 / epsilon)
    total = 0
    for x in q:
        total += x
    return total + noise
""",
    "vector": """
def f(q, epsilon, T):
    t = T + laplace(2 / epsilon)
    for x in q:
        if x + laplace(4 / epsilon) >= t:
            yield True
            break
        yield False
""",
    "scores": """
def f(q, epsilon):
    return choice([exp(epsilon * x / 2) for x in q])
""",
    "integers": """
def f(q: list[int], epsilon):
    return [x + discrete_laplace(1 / epsilon) for x in q]
""",
    "number of elements": """
def f(q, epsilon, n):
    return sum(q) + laplace(n / epsilon)
""",
    "bit": """
def f(bit: bool, epsilon):
    return bit != bernoulli(1 / (1 + exp(epsilon)))
""",
}
SUM = f"from refdp.programs import ONE, claim, laplace\n@claim(epsilon='epsilon', adjacency=ONE){TEXTS['sum']}"
ALL = ("infinity", "extremes", "argmax", "greatest", "vector", "scores", "number of elements", "bit")
"""Those that are claimed under ALL; the others under ONE."""
NOT_EMPTY = ("extremes", "argmax", "greatest", "scores", "number of elements")
"""Those that need data."""


def question(name: str, path: Path) -> Question:
    """The question of one of the texts."""
    more = {"where": "n >= 1"} if name in NOT_EMPTY else {}
    return proved(TEXTS[name], path, "ALL" if name in ALL else "ONE", **more)


@pytest.mark.parametrize("name", TEXTS)
def test_a_true_proof_is_followed_on_every_pair_and_a_smaller_bound_is_contradicted(name: str, tmp_path: Path) -> None:
    asked = question(name, tmp_path)
    found = judged(asked, SOME)
    assert (found.contradiction, found.unclear) == ("", "")
    assert found.counted == found.tried >= 60
    smaller = replace(asked, epsilon=divide(EPSILON, integer(3)))
    assert "was proved" in judged(smaller, SOME).contradiction


Z = "laplace(1 / epsilon)"
NOISY = f"sum(q) + {Z}"
RELEASED = {
    "a list": f"return [{NOISY}, {NOISY}]",
    "draws before": "z = laplace(1 / epsilon)\n    w = laplace(1 / epsilon)\n    return [sum(q) + z, sum(q) + w]",
    "draws between": f"z = {Z}\n    s = sum(q)\n    w = {Z}\n    return [s + z, s + w]",
    "pairs": f"return [(1, {NOISY}), (2, {NOISY})]",
    "one": f"z = {NOISY}\n    return [z + {NOISY}]",
    "a named list": f"out = [{NOISY}, {NOISY}]\n    return out",
    "an annotated list": f"out: list = [{NOISY}]\n    out.append({NOISY})\n    return out",
    "a list that grows": f"out = [{NOISY}]\n    out += [{NOISY}]\n    return out",
    "a list and a loop": (
        f"out = [{NOISY}]\n    for x in q:\n        out.append(x + laplace(1 / epsilon))\n    return out"
    ),
    "branches": f"s = sum(q)\n    if c:\n        return [s + {Z}, s + {Z}]\n    return [s + {Z}]",
    "a tuple": f"return ({NOISY}, {NOISY})",
    "yields": f"yield {NOISY}\n    yield 1, {NOISY}",
}  # fmt: skip
"""Ways of releasing two noisy sums, which are 2 epsilon-DP, or less."""


@pytest.mark.parametrize("name", RELEASED)
def test_every_way_of_releasing_is_followed(name: str, tmp_path: Path) -> None:
    text = f"\ndef f(q, epsilon, c: bool):\n    {RELEASED[name]}\n"
    asked = proved(text, tmp_path, "ONE", "2*epsilon")
    found = judged(asked, SOME)
    assert (found.contradiction, found.unclear) == ("", "")
    assert found.counted == found.tried >= 60
    idle = replace(asked, alignments=tuple({**one, "shifts": []} for one in asked.alignments))
    assert judged(replace(idle, finite=False), SOME).contradiction


@pytest.mark.parametrize("name", ["sum", "append", "while", "vector", "integers", "bit", "extremes"])
def test_an_alignment_without_its_shifts_is_contradicted(name: str, tmp_path: Path) -> None:
    asked = question(name, tmp_path)
    assert asked.alignments
    idle = replace(asked, alignments=tuple({**one, "shifts": []} for one in asked.alignments))
    assert judged(replace(idle, finite=False), SOME).contradiction


def test_a_shift_costs_whatever_no_group_says(tmp_path: Path) -> None:
    """Nothing of groups, charges and bounds reaches the judge: it adds up what the shifted draws cost."""
    asked = question("sum", tmp_path)
    assert set(asked.alignments[0]) == {"shifts", "item", "others", "edits"}
    assert "the shifts cost" in judged(replace(asked, epsilon=integer(0)), SOME).contradiction


EDITED = {
    "count": "    count = 0\n    for x in q:\n        if x > 3:\n            count += 1\n",
    "number of elements": "    count = len(q)\n",
    "both": "    a = 0\n    for x in q:\n        if x < 0:\n            a += 1\n    count = max(a, len(q))\n",
    "clamped": "    count = 0\n    for x in q:\n        count += max(0, min(x, 1))\n",
    "by index": "    count = 0\n    for i in range(len(q)):\n        if q[i] > 3:\n            count += 1\n",
    "comprehension": "    count = sum(1 for x in q if x > 3)\n",
    "two loops": (
        "    a = 0\n    for x in q:\n        if x > 3:\n            a = 1\n    yield a + laplace(2 / epsilon)\n"
        "    count = 0\n    for x in q:\n        if x > 5:\n            count = 1\n    count = count / 2\n"
    ),
}  # fmt: skip
"""Counts, which noise of scale 1 / epsilon follows; in the last one with another answer of half the loss before it."""


@pytest.mark.parametrize(
    ("name", "adjacency"),
    [*((name, "ADD_REMOVE") for name in EDITED), *((name, "each(ADD_REMOVE, changed=2)") for name in list(EDITED)[:2])],
)
def test_a_proof_about_added_elements_is_followed_and_a_smaller_bound_is_contradicted(
    name: str, adjacency: str, tmp_path: Path
) -> None:
    last = "yield" if "yield" in EDITED[name] else "return"
    text = f"\ndef f(q, epsilon):\n{EDITED[name]}    {last} count + laplace(1 / epsilon)\n"
    asked = proved(text, tmp_path, adjacency, "epsilon" if adjacency == "ADD_REMOVE" else "2*epsilon")
    found = judged(asked, SOME)
    assert (found.contradiction, found.unclear) == ("", "")
    assert found.counted == found.tried >= 60
    assert all(part.edit is not None for part in asked.parts)
    smaller = replace(asked, epsilon=divide(EPSILON, integer(3)))
    assert "was proved" in judged(smaller, SOME).contradiction
    idle = replace(asked, alignments=tuple({**one, "shifts": []} for one in asked.alignments))
    assert judged(idle, SOME).contradiction


def test_a_proof_about_lists_of_one_length_is_contradicted_by_added_elements(tmp_path: Path) -> None:
    asked = proved("\ndef f(q, epsilon):\n    return sum(q) + laplace(1 / epsilon)\n", tmp_path, "ONE")
    more = replace(asked, parts=(Relation(TRUE, 1, edit="added"), Relation(TRUE, 1, edit="removed")))
    edits = {"loops": [1], "size": "q.len"}
    forged = replace(more, alignments=tuple({**asked.alignments[0], "edits": edits} for _ in range(2)))
    assert "the shifts cost" in judged(forged, SOME).contradiction


EARLY = {
    "while": "i = 0\n    while i < len(q):\n        if q[i] > 3:\n            count += 1\n        i += 1\n",
    "break": "for x in q:\n        if x > 3:\n            count = 1\n            break\n",
    "else": "for x in q:\n        if x > 3:\n            break\n    else:\n        count = 1\n",
    "condition": "i = 0\n    while i < len(q) and count < 1:\n        count = 1 if q[i] > 3 else 0\n        i += 1\n",
    "any": "if any(x > 3 for x in q):\n        count = 1\n",
    "break after work": (
        "for x in q:\n        if x > 3:\n            count = 1\n            if x > 5:\n                break\n"
        "            count = 1\n    count = min(count, 1)\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EARLY)
def test_a_loop_that_one_run_leaves_earlier_is_followed_to_the_end_of_the_data(name: str, tmp_path: Path) -> None:
    text = f"\ndef f(q, epsilon):\n    count = 0\n    {EARLY[name]}    return count + laplace(1 / epsilon)\n"
    asked = proved(text, tmp_path, "ADD_REMOVE")
    found = judged(asked, SOME)
    assert found.contradiction == ""
    if name == "else":  # its shift speaks of a flag that is no variable of the text
        assert "broke" in found.unclear
        return
    assert found.unclear == ""
    assert found.counted == found.tried >= 60
    assert "was proved" in judged(replace(asked, epsilon=divide(EPSILON, integer(3))), Effort(200)).contradiction


def test_lists_are_apart_where_one_lacks_what_the_other_has() -> None:
    for first, second in product(lists(3), repeat=2):
        length, *lacking = apart(first, second)
        for one, nulls in zip((first, second), lacking, strict=True):
            assert length == len(one) + len(nulls)
            assert nulls <= set(range(length))
        whole = [[one.pop(0) if k not in nulls else None for k in range(length)]
                 for one, nulls in zip((list(first), list(second)), lacking, strict=True)]  # fmt: skip
        assert all(a == b for a, b in zip(*whole, strict=True) if None not in (a, b))
        assert not lacking[0] & lacking[1]


def lists(longest: int) -> list[tuple[int, ...]]:
    return [one for size in range(longest + 1) for one in product((1, 2), repeat=size)]


def finite(body: str, epsilon: Any, data: str = "bit: bool", **more: Any) -> Question:
    """A question about a function of finitely many draws, with no alignment."""
    sort = "Bool" if "bool" in data else "Int"
    related = more.pop("related", TRUE)
    given: dict[str, Any] = {
        "parameters": {}, "conditions": (), "given": {}, "delta": None, "rho": None, "length": None,
        "one_direction": False, **more,
    }  # fmt: skip
    words = "".join(f", {name}" for name in given["parameters"])
    source = f"from refdp.programs import bernoulli, choice, exp, laplace, uniform\ndef f({data}{words}):\n    {body}\n"
    return Question(
        source, "f", "list" in data, sort, parts=(Relation(related, changed=1),), epsilon=epsilon, finite=True, **given
    )


@pytest.mark.parametrize(
    ("body", "epsilon", "parameters"),
    [
        ("return bit != bernoulli(f)", integer(0), {"f": "Real"}),
        ("return bit != bernoulli(0)", EPSILON, {"epsilon": "Real"}),
        ("return bit != bernoulli(1 / (1 + epsilon))", EPSILON, {"epsilon": "Real"}),
        ("return 'inf' if bit else float('inf')", integer(0), {}),
        ("return 1 if bit else True", integer(0), {}),
        ("return [bit]", integer(5), {}),
        ("yield 1\n    if bit:\n        yield 1", integer(5), {}),
        ("return 1 / bit", integer(5), {}),
    ],
)
def test_a_law_that_breaks_the_claim_is_contradicted(body: str, epsilon: Any, parameters: dict[str, str]) -> None:
    between = [subtract(integer(1), variable(name, "Real")) for name in parameters]
    from refdp.terms.leaves import ZERO
    from refdp.terms.operations import less

    conditions = [less(ZERO, variable(name, "Real")) for name in parameters] + [less(ZERO, one) for one in between]
    asked = finite(body, epsilon, parameters=parameters, conditions=tuple(conditions))
    assert judged(asked).contradiction


def test_a_map_that_squeezes_values_together_is_no_proof() -> None:
    """2..100 into 51..100 at loss 0: the laws differ, and a shift may not speak of its own draw."""
    body = "x = uniform(1, 100)\n    return 0 if x >= 51 or (bit and x > 1) else 1"
    asked = finite(body, integer(0))
    assert judged(asked).contradiction
    draw = variable("draw.1", "Int")
    shift = {
        "site": 1,
        "source": 0,
        "target": -1,
        "released": [["0"]],
        "shown": 0,
        "usual": packed_term(draw),
        "chosen": None,
    }
    forged = {"shifts": [shift], "item": None, "others": None, "edits": None}
    found = judged(replace(asked, finite=False, alignments=(forged,), sites={1: 3}), SOME)
    assert "a shift speaks of a draw" in found.contradiction


@pytest.mark.parametrize(
    ("site", "source", "target", "word", "why"),
    [
        (1, 0, 1, "rest.1", "draws that come later"),
        (2, 1, 1, "best.1", "speaks of the state"),
        (2, 1, 1, "draw.2", "speaks of the state"),
    ],
)
def test_a_shift_speaks_of_earlier_draws_alone(
    site: int, source: int, target: int, word: str, why: str, tmp_path: Path
) -> None:
    """The greatest values of a loop are not yet drawn before it; what its other rounds add comes before all states."""
    asked = question("greatest", tmp_path)
    (proof,) = asked.alignments
    kept = [one for one in proof["shifts"] if one["site"] != site]
    seen_as = {"site": site, "source": source, "target": target, "released": [], "shown": 0, "chosen": None}
    shift = {**seen_as, "usual": packed_term(variable(word, "Real"))}
    others = {"loop": 1, "value": packed_term(variable("draw.2", "Real"))}
    forged = {"shifts": [shift, *kept], "item": 0, "others": others, "edits": None}
    assert why in judged(replace(asked, alignments=(forged,)), SOME).contradiction


def test_a_true_law_is_confirmed_and_delta_is_spent() -> None:
    body = "return bit if bernoulli(1 / 10) else None"
    assert judged(finite(body, integer(0))).contradiction
    assert judged(finite(body, integer(0), delta=rational(Fraction(9, 100)))).contradiction
    found = judged(finite(body, integer(0), delta=rational(Fraction(1, 10))))
    assert (found.contradiction, found.counted) == ("", found.tried)


def test_a_law_with_too_many_ways_shows_nothing() -> None:
    found = judged(finite("return uniform(1, 10 ** 9)", integer(0)))
    assert (found.counted, found.contradiction) == (0, "")
    assert "many values" in found.unclear


@pytest.mark.parametrize(
    "body", ["return bernoulli(3 / 2)", "return choice([])", "return choice([1, -1])", "return uniform(2, 1)"]
)
def test_a_draw_that_does_not_exist_is_contradicted(body: str) -> None:
    assert judged(finite(body, integer(9))).contradiction


def test_a_scale_that_is_not_positive_is_contradicted(tmp_path: Path) -> None:
    asked = question("sum", tmp_path)
    wrong = replace(asked, source=asked.source.replace("1 / epsilon", "1 - epsilon"))
    assert "not > 0" in judged(wrong, SOME).contradiction


@pytest.mark.parametrize(
    ("epsilon", "body"),
    [
        ("ln(3)", 'def f(x: bool):\n    return x != bernoulli("1/4")'),
        ("ln(3)", 'def f(x: bool):\n    return x != (choice(["1/4", "0.75"]) == 0)'),
        ("2*ln(3)", 'def f(q: list[bool]):\n    return [x != bernoulli("0.25") for x in q]'),
        ("4", 'def f(x):\n    return x + laplace("0.25")'),
    ],
)
def test_parameters_that_are_written_as_texts_are_numbers(epsilon: str, body: str, tmp_path: Path) -> None:
    adjacency = "each(ALL, changed=2)" if "list" in body else "ALL"
    asked = proved(f"\n{body}\n", tmp_path, adjacency, epsilon)
    said = judged(asked, SOME)
    assert not said.contradiction
    assert said.counted > 0
    assert judged(replace(asked, epsilon=rational(Fraction(1, 2))), SOME).contradiction


@pytest.mark.parametrize(
    ("raises", "change"),
    [
        ("UnboundLocalError", ("return sum", "laplace = 1 if epsilon < 0 else laplace\n    return sum")),
        ("TypeError", ("sum(q)", "sum(q, key=abs)")),
        ("TypeError", ("sum(q)", "sum(q) + max(1, 2, default=0)")),
        ("ZeroDivisionError", ("1 / epsilon", "1 / (epsilon - epsilon)")),
        ("IndexError", ("sum(q)", "q[len(q)]")),
    ],
)
def test_a_run_that_raises_contradicts_a_proof(raises: str, change: tuple[str, str], tmp_path: Path) -> None:
    """Section 3 of docs/program_proofs.md: neither run raises, or the proof is of another program than Python's."""
    asked = question("sum", tmp_path)
    found = judged(replace(asked, source=asked.source.replace(*change)), SOME)
    assert f"CPython raises {raises}" in found.contradiction


def test_a_law_of_runs_that_raise_contradicts_a_proof() -> None:
    for body in ("return 1 / 0", "return bit + None", "return 1 if bernoulli(1 / 2) else [][0]"):
        assert "CPython raises" in judged(finite(body, integer(9))).contradiction


def test_noise_that_is_another_function_is_seen(tmp_path: Path) -> None:
    asked = question("sum", tmp_path)
    wrong = replace(asked, source=asked.source.replace("\n\n\n@", "\n\n\nlaplace = abs\n@"))
    assert judged(wrong, SOME).contradiction


@pytest.mark.parametrize(
    ("family", "before", "value", "moved", "cost"),
    [
        ("laplace", 2, 1, 4, "1.5"),
        ("laplace", 2, -4, 1, "-1.5"),
        ("discrete_laplace", 1, 0, -2, "2"),
        ("exponential", 4, 1, 3, "0.5"),
        ("gaussian", 1, 0, 2, "2"),
    ],
)
def test_what_a_shift_costs_is_the_ratio_of_densities(
    family: str, before: int, value: int, moved: int, cost: str
) -> None:
    assert str(loss(family, [before], value, [before], moved).normalize()) == cost


def test_outputs_are_the_same_only_if_no_reader_tells_them_apart() -> None:
    assert seen([1, Fraction(1, 2)]) == seen([Fraction(1), Fraction(1, 2)])
    different = [1, True, "1", None, "None", float("inf"), "inf", [1], (1,), {"a": 1}]
    assert len({repr(seen(one)) for one in different}) == len(different)


def test_terms_arrive_as_they_were_sent() -> None:
    x, y = variable("x", "Real"), variable("y", "Real")
    term = packed_term(divide(subtract(x, y), integer(2)))
    assert evaluated(term, {"x": Fraction(3), "y": Fraction(1)}.__getitem__) == 1


def test_constants_come_with_what_stands_beside_them() -> None:
    assert {Fraction(7), Fraction(6), Fraction(8), Fraction(15, 2)} <= set(Constants.of("a = 7", []).numbers)


def test_the_claims_of_a_file_are_judged_by_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from refdp.second_judge import programs

    asked = question("sum", tmp_path)
    started = []
    answers = programs.answers
    monkeypatch.setattr(programs, "answers", lambda *given: started.append(1) or answers(*given))
    both = judged_all([asked, replace(asked, epsilon=integer(0))], SOME)
    assert [bool(one.contradiction) for one in both] == [False, True]
    assert started == [1]


def test_a_verdict_without_a_run_says_so(tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text(SUM)
    found = refdp.prove(file, run=False)
    assert found["verdict"] == "PROVED"
    assert found["second_judge"]["pairs"] == 0
    assert found["second_judge"]["reason"] == "it was not to be run"
    assert refdp.prove(file)["second_judge"] == {"pairs": 200, "tried": 200, "agrees": True}


def test_a_proof_that_running_contradicts_is_an_internal_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from refdp.commands import second_judging

    file = tmp_path / "p.py"
    file.write_text(SUM)
    kept = second_judging.program_question
    monkeypatch.setattr(second_judging, "program_question", lambda found: replace(kept(found), epsilon=integer(0)))
    found = refdp.prove(file, certificates=tmp_path / "c")
    assert (found["verdict"], found["certificate"], found["trusts"]) == ("UNKNOWN", None, [])
    assert "the second judge contradicts" in found["internal_error"]
    assert not (tmp_path / "c").exists()
