"""Claims about lists to which elements are added: proved at the true loss, never below it, and held against CPython.

The truth is worked out from Python's own answers: what an integer answer moves by between any two lists that are an
element apart, over the scale of its noise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from refdp.logic.strict_json import Forged
from refdp.programs.adjacency import ADD_REMOVE, LENGTH, Adjacency, Relation
from refdp.programs.certificates.content import content_of
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import check
from refdp.programs.counterexample import allowed, are_neighbours
from refdp.programs.judgement import Judgement
from refdp.programs.judging import judge
from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import program_in
from refdp.programs.nulls import counts_elements, shared_steps
from refdp.programs.question import Question
from refdp.programs.syntax import Claim, Data, Program
from refdp.terms.leaves import TRUE, integer, rational

HEAD = "from refdp.programs import ADD_REMOVE, ALL, claim, discrete_laplace, each, laplace\n\n"
EDITS = {1: "ADD_REMOVE", 2: "each(ADD_REMOVE, changed=2)"}


def text(body: str, epsilon: str, edits: int = 1, data: str = "list[int]", scale: str = "1/epsilon") -> str:
    """A program that releases the answer of a function with noise of that scale."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return (
        f'{HEAD}@claim(epsilon="{epsilon}", adjacency={EDITS[edits]})\n'
        f"def f(q: {data}, epsilon: float):\n{lines}\n    return answer + discrete_laplace({scale})\n"
    )


def answered(body: str, q: Sequence[Any]) -> int:
    """The answer by CPython."""
    names: dict[str, Any] = {"q": list(q)}
    exec(body.strip("\n"), {}, names)
    return int(names["answer"])


def apart(first: Sequence[Any], edits: int, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Every list that has so many elements more at most."""
    yield tuple(first)
    if edits:
        for place, one in product(range(len(first) + 1), values):
            yield from apart((*first[:place], one, *first[place:]), edits - 1, values)


def moves(body: str, values: Sequence[Any], edits: int = 1, longest: int = 3) -> int:
    """How far the answer moves at least, between neighbours of few elements."""
    best = 0
    for size in range(longest + 1):
        for first in product(values, repeat=size):
            here = answered(body, first)
            if edits == 1:
                best = max([best, *(abs(answered(body, other) - here) for other in apart(first, 1, values))])
                continue
            for middle in apart(first, 1, values):  # one more, and one less or one more again
                near = [*apart(middle, 1, values), *(middle[:k] + middle[k + 1 :] for k in range(len(middle)))]
                best = max([best, *(abs(answered(body, other) - here) for other in near)])
    return best


def judged(source: str, seconds: float = 20.0) -> Judgement:
    """What refdp says of the one claim."""
    asked = Question(source, "f", 0)
    return judge(asked, *asked.read(), seconds)


EVERYDAY: dict[str, tuple[str, int]] = {
    "count": ("answer = 0\nfor x in q:\n    if x > 2:\n        answer += 1", 1),
    "size": ("answer = len(q)", 1),
    "twice the size": ("answer = 2 * len(q)", 2),
    "clamped sum": ("answer = 0\nfor x in q:\n    answer += min(max(x, -1), 5)", 5),
    "generator": ("answer = sum(1 for x in q if x > 2)", 1),
    "enumerated": ("answer = 0\nfor i, x in enumerate(q):\n    if x > 2:\n        answer += 1", 1),
    "by index": ("answer = 0\nfor i in range(len(q)):\n    if q[i] > 2:\n        answer += 1", 1),
    "while": ("answer = 0\ni = 0\nwhile i < len(q):\n    if q[i] > 2:\n        answer += 1\n    i += 1", 1),
    "skipped": ("answer = 0\nfor x in q:\n    if x < 0:\n        continue\n    answer += min(x, 4)", 4),
    "both": ("answer = 0\nfor x in q:\n    answer += 1 if x > 2 else -1", 1),
    "at most": ("answer = 0\nfor x in q:\n    if answer < 3:\n        answer += 1", 1),
    "counted and size": ("answer = 0\nfor x in q:\n    if x > 2:\n        answer += 1\nanswer += len(q)", 2),
    "greatest": ("answer = 0\nfor x in q:\n    answer = max(answer, min(max(x, 0), 5))", 5),
    "stops": ("answer = 0\nfor x in q:\n    if x > 2:\n        answer = 1\n        break", 1),
    "any": ("answer = 0\nif any(x > 2 for x in q):\n    answer = 1", 1),
    "long or not": ("answer = 0\nif len(q) > 3:\n    answer = 1", 1),
    "greater": ("count = 0\nfor x in q:\n    if x > 2:\n        count += 1\nanswer = max(2 * count, len(q))", 2),
    "flag": ("answer = 0\nfor x in q:\n    if x > 2:\n        answer = 1", 1),
}
VALUES = (-2, 0, 1, 3, 7)


@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_answers_are_proved_at_their_true_loss_and_refuted_below_it(name):
    body, most = EVERYDAY[name]
    assert moves(body, VALUES) == most
    found = judged(text(body, f"{most}*epsilon"))
    assert found.verdict == "PROVED", found.reason
    below = judged(text(body, f"{most}*epsilon*19/20"))
    assert below.verdict == "REFUTED", below.reason


@pytest.mark.parametrize(("name", "most"), [("count", 2), ("size", 2), ("clamped sum", 12), ("flag", 1)])
def test_two_edits_move_further_and_are_refuted_below(name, most):
    # A clamped sum moves by 10 where two elements are added, and by 6 where one is added and another removed.
    body, _ = EVERYDAY[name]
    twice = moves(body, VALUES, edits=2, longest=2)
    assert twice == min(most, 10)
    assert judged(text(body, f"{twice}*epsilon", edits=2)).verdict == "PROVED"
    assert judged(text(body, f"{twice}*epsilon*19/20", edits=2)).verdict == "REFUTED"


UNBOUNDED = {
    "sum": "answer = 0\nfor x in q:\n    answer += x",
    "places": "answer = 0\nfor i, x in enumerate(q):\n    if x > 0:\n        answer += i",
    "after a break": "answer = 0\nfor x in q:\n    if x > 2:\n        break\n    answer += 1",
    "last": "answer = 0\nfor x in q:\n    answer = x",
    "turns": "answer = 0\nsign = 1\nfor x in q:\n    answer += sign * 2\n    sign = -sign",
    "square of the size": "answer = 0\nfor x in q:\n    answer += len(q)",
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_what_an_element_more_moves_further_is_never_proved(name):
    body = UNBOUNDED[name]
    assert moves(body, VALUES) > 1
    found = judged(text(body, "epsilon"))
    assert found.verdict == "REFUTED", found.reason


HISTOGRAM = """
    a = b = c = 0
    for x in q:
        if x < 0:
            a += 1
        elif x < 3:
            b += 1
        else:
            c += 1
    yield a + laplace(1/epsilon)
    yield b + laplace(1/epsilon)
    yield c + laplace(1/epsilon)
"""


def test_histogram_costs_what_one_of_its_bins_does_and_no_less():
    source = f'{HEAD}@claim(epsilon="EPSILON", adjacency=ADD_REMOVE)\ndef f(q: list[int], epsilon: float):{HISTOGRAM}'
    assert judged(source.replace("EPSILON", "epsilon")).verdict == "PROVED"
    assert judged(source.replace("EPSILON", "9*epsilon/10")).verdict == "REFUTED"


def test_elements_released_one_by_one_tell_how_many_there_are():
    source = HEAD + (
        '@claim(epsilon="100*epsilon", adjacency=ADD_REMOVE)\ndef f(q: list[int], epsilon: float):\n'
        "    for x in q:\n        yield min(max(x, 0), 1) + discrete_laplace(1/epsilon)\n"
    )
    assert judged(source).verdict == "REFUTED"


def test_scale_made_of_the_number_of_elements_is_not_proved():
    source = text("answer = min(len(q), 1)", "2*epsilon", scale="(1 + len(q))/epsilon")
    assert judged(source).verdict == "REFUTED"


def test_noise_that_one_run_alone_draws_is_not_followed():
    source = HEAD + (
        '@claim(epsilon="epsilon", adjacency=ADD_REMOVE)\ndef f(q: list[int], epsilon: float):\n'
        "    answer = 0\n    for x in q:\n        noise = laplace(1/epsilon)\n        if noise > 1:\n"
        "            answer += 1\n    return answer\n"
    )
    assert judged(source).verdict != "PROVED"


@pytest.mark.parametrize(
    "body",
    [
        "if len(q) > 0:\n    answer = 1 // 0\nelse:\n    answer = 0",
        "answer = 1 // len(q)",
        "answer = max(q)",
        "answer = q[0]",
    ],
)
def test_exceptions_that_hang_on_the_number_of_elements_are_never_proved(body):
    # Lists of two lengths may raise different exceptions, or one of them none.
    for epsilon in ("0", "1000*epsilon"):
        source = text(body, epsilon)
        try:
            assert judged(source).verdict != "PROVED"
        except Unsupported:
            continue


def test_exceptions_of_two_kinds_are_no_event_that_refutes():
    # One list is too short, and the other fails the assertion: both raise, and Python tells which.
    source = HEAD + (
        '@claim(epsilon="epsilon", adjacency=ADD_REMOVE)\ndef f(q: list[int], epsilon: float):\n'
        "    answer = min(len(q), 1)\n    if len(q) == 0:\n        return 1 / len(q)\n    assert 2 > 3\n"
        "    return answer + laplace(1/epsilon)\n"
    )
    assert judged(source).verdict == "UNKNOWN"


def test_text_of_an_exception_is_no_text_of_a_program():
    source = HEAD + (
        '@claim(epsilon="0", adjacency=ADD_REMOVE)\ndef f(q: list[int], epsilon: float):\n'
        "    if len(q) > 0:\n        return 'an exception'\n    return 1 / len(q)\n"
    )
    with pytest.raises(Unsupported, match="how an exception is told"):
        program_in(source, "file.py", "f")


# Random answers, held against CPython.


def random_body(random: Random) -> str:
    """A loop or two over the data, or their number: an integer that may move by little or by much."""
    pick: Callable[..., str] = lambda *options: random.choice(options)  # noqa: E731
    value = pick("1", "1", "1", "min(max(x, 0), 3)", "min(max(x, -2), 2)", "x", "i", "2", "(1 if x > 0 else -1)", "-1")
    test = pick("x > 2", "x == 0", "x >= 1", "x < 0", "answer < 2", "answer == 0", "i < 2", "other > 1", "x != 3")
    update = pick(f"answer += {value}", f"answer += {value}", f"answer = {value}", "answer = answer + other",
                  "answer -= 1", f"answer = max(answer, {value})", f"answer = min(answer + {value}, 4)")  # fmt: skip
    more = pick("other += 1", "answer += 1")
    inner = pick(
        update, f"if {test}:\n    {update}", f"if {test}:\n    {update}\nelse:\n    {more}",
        f"if {test}:\n    continue\n{update}", f"if {test}:\n    break\n{update}", f"{update}\nother = {value}",
    )  # fmt: skip
    lines = ["answer = 0", "other = 0", "for i, x in enumerate(q):", *(f"    {one}" for one in inner.split("\n"))]
    match random.randrange(5):
        case 0:
            lines.append(f"answer += {pick('len(q)', '2 * len(q)', 'min(len(q), 2)', 'other')}")
        case 1:
            lines += [f"if {pick('len(q) > 2', 'answer > 1', 'other > 0')}:", f"    answer {pick('+=', '=')} 1"]
        case 2:
            lines += ["for x in q:", f"    if {pick('x > 0', 'x > answer', 'other < 3')}:", "        answer += 1"]
    return "\n".join(lines)


def held_against_python(seed: int) -> str:
    """The verdict of a claim about a random answer, which CPython's answers must not contradict."""
    random = Random(f"added elements {seed}")
    body, edits = random_body(random), random.choice((1, 1, 1, 2))
    least = moves(body, (-1, 0, 1, 3), edits, longest=3 if edits == 1 else 2)
    times = Fraction(random.choice((1, 1, 1, 2, 3))) if random.random() < 0.3 else Fraction(max(least, 1))
    times *= random.choice((Fraction(1), Fraction(1), Fraction(99, 100), Fraction(1, 2)))
    found = judged(text(body, f"{times}*epsilon", edits), 3.0)
    if found.verdict == "PROVED":
        assert least <= times, f"{seed}: {body}\nmoves by {least}, and {times} was proved"
    if found.verdict == "REFUTED":
        shown = content_of(str(found.certificate)).evidence["counterexample"]
        old, new = (tuple(map(int, shown[side])) for side in ("old", "new"))
        assert len(old) + len(new) - 2 * in_both(old, new) <= edits
        assert abs(answered(body, old) - answered(body, new)) > times, f"{seed}: {body}\n{old} {new} {times}"
    return found.verdict


def in_both(old: tuple[int, ...], new: tuple[int, ...]) -> int:
    if not old or not new:
        return 0
    if old[0] == new[0]:
        return 1 + in_both(old[1:], new[1:])
    return max(in_both(old[1:], new), in_both(old, new[1:]))


def test_verdicts_on_random_answers_are_those_of_python():
    verdicts = [held_against_python(seed) for seed in range(25)]
    assert {"PROVED", "REFUTED"} <= set(verdicts)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_verdicts_on_a_thousand_random_answers_are_those_of_python(part):
    verdicts = [held_against_python(seed) for seed in range(1000 + 50 * part, 1050 + 50 * part)]
    assert verdicts.count("PROVED") >= 3


# What is refused, and what a certificate cannot do.


LIST = "q: list[float], epsilon: float"


@pytest.mark.parametrize(
    ("claimed", "signature", "message"),
    [
        ("adjacency=ADD_REMOVE", "q: float, epsilon: float", "data that are one number"),
        ("adjacency=ADD_REMOVE", f"{LIST}, n: int", "is public"),
        ("adjacency=ADD_REMOVE, delta='1/(1 + n)'", LIST, "is public"),
        ("adjacency=ADD_REMOVE, where='n > 1'", LIST, "is public"),
        ("adjacency=ADD_REMOVE, given={'n': 2}", LIST, "is public"),
        ("adjacency=each(ADD_REMOVE)", LIST, "changed=2"),
        ("adjacency=each(ADD_REMOVE, total=1)", LIST, "changed=2"),
        ("adjacency=each(ADD_REMOVE, changed=1, total=1)", LIST, "changed=2"),
    ],
)
def test_claims_that_make_no_sense_are_refused(claimed, signature, message):
    head = f"{HEAD}@claim(epsilon='epsilon', {claimed})\ndef f({signature}):\n"
    with pytest.raises(Unsupported, match=message):
        program_in(f"{head}    return laplace(1/epsilon)\n", "file.py", "f")


def test_budget_of_no_elements_proves_nothing():
    source = text("answer = len(q)", "0", edits=2).replace("changed=2", "changed=0")
    assert judged(source).verdict == "UNKNOWN"


def test_laws_are_never_compared_without_an_alignment():
    # By its elements alone, each answer is as likely in both runs: the lists differ in how many there are.
    source = HEAD.replace("laplace", "bernoulli") + (
        '@claim(epsilon="0", adjacency=ADD_REMOVE)\ndef f(q: list[bool]):\n'
        "    for x in q:\n        yield bernoulli('1/2')\n"
    )
    source = source.replace("discrete_bernoulli, ", "")
    asked = Question(source, "f", 0)
    program, claim = asked.read()
    found = check(program, claim, (), ("z3",), 10.0)
    assert (found.verdict, found.reason) == ("UNKNOWN", "laws are compared only for lists of one length")
    assert judged(source).verdict == "REFUTED"


@pytest.fixture(scope="module")
def proof() -> tuple[Program, Claim, tuple[Alignment, ...]]:
    found = judged(text(EVERYDAY["counted and size"][0], "2*epsilon"))
    assert found.verdict == "PROVED"
    content = content_of(str(found.certificate))
    return content.program, content.claim, content.alignments()


def test_proof_of_one_direction_is_no_proof_of_the_other(proof):
    program, claim, (added, removed) = proof
    assert check(program, claim, (added, removed), ("z3",), 20.0).verdict == "PROVED"
    for wrong in ((added,), (removed,), (), (added, removed, added)):
        assert check(program, claim, wrong, ("z3",), 20.0).verdict == "UNKNOWN"


def test_nothing_can_be_taken_from_a_proof(proof):
    from dataclasses import replace

    program, claim, (added, removed) = proof
    emptied = [
        replace(added, shifts={}), replace(added, invariants={}), replace(added, charges={}), replace(added, groups=()),
        replace(added, invariants=dict.fromkeys(added.invariants, TRUE)),
        replace(added, invariants={place: added.invariants[place] for place in list(added.invariants)[1:]}),
    ]  # fmt: skip
    for one in emptied:
        assert check(program, claim, (one, removed), ("z3",), 20.0).verdict == "UNKNOWN"
    others = shared_steps(program, claim)
    assert counts_elements(others)
    assert len(others.loops) == 2


def test_proof_for_equal_lengths_is_none_for_added_elements():
    source = text("answer = 0\nfor x in q:\n    answer += x", "epsilon").replace("=ADD_REMOVE", "=each(ALL, changed=1)")
    found = judged(source)
    assert found.verdict == "PROVED", found.reason
    content = content_of(str(found.certificate))
    claim = Claim(ADD_REMOVE, content.claim.epsilon)
    alignments = content.alignments() * 2
    assert check(content.program, claim, alignments, ("z3",), 20.0).verdict == "UNKNOWN"


# Neighbours, decided.


def test_neighbours_are_lists_with_an_element_more_or_less_and_no_others():
    either = Adjacency("two", (Relation(TRUE, 2, edit="either"),))
    lists = [one for size in range(4) for one in product((Fraction(0), Fraction(1)), repeat=size)]
    count = 0
    for old, new in product(lists, repeat=2):
        edits = len(old) + len(new) - 2 * in_both(old, new)
        one_sided = edits == abs(len(old) - len(new))
        assert are_neighbours(ADD_REMOVE, {}, old, new) == (edits <= 1 and one_sided)
        assert are_neighbours(either, {}, old, new) == (edits <= 2)
        count += 1
    assert count == 225


def test_counterexample_needs_lists_and_no_public_number():
    numbers = Program("f", Data("q", True), {}, TRUE, (), ())
    claim = Claim(ADD_REMOVE, rational(1))
    assert allowed(numbers, claim, {}, (), (Fraction(1),))
    assert not allowed(numbers, claim, {}, (Fraction(2),), (Fraction(1),))
    assert not allowed(Program("f", Data("q", False), {}, TRUE, (), ()), claim, {}, (Fraction(1),), (Fraction(1),))
    assert not allowed(numbers, Claim(ADD_REMOVE, LENGTH), {}, (), (Fraction(1),))
    assert not allowed(numbers, Claim(ADD_REMOVE, rational(1), given={"n": integer(0)}), {}, (), (Fraction(1),))


def test_kernel_says_tables_an_edit_apart():
    found = judged(text(EVERYDAY["count"][0], "epsilon"))
    said = json.loads(str(found.certificate))
    assert "table(grid(1)), insert_delete(1)" in json.dumps(said["conclusion"]), said["conclusion"]
    with pytest.raises(Forged, match="adjacency must be one of"):
        content_of(str(found.certificate).replace('"ADD_REMOVE"', '"ADDED"'))
