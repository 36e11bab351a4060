"""Slips of careless authors, and rarer programs and queries: they are Python, they end, and they are the same again."""

import ast
from random import Random
from textwrap import indent

import pytest

from tests.fuzzing.modules import is_python
from tests.fuzzing.programs import Writer as ProgramWriter
from tests.fuzzing.queries import query
from tests.fuzzing.query_terms import Writer as QueryWriter
from tests.fuzzing.rarer_programs import RARER
from tests.fuzzing.rarer_queries import RARER as RARER_QUERIES
from tests.fuzzing.slips import ends, slipped

COUNT = """total = 0
for x in q:
    if x > T:
        total += 1
return total + laplace(1 / epsilon)"""


def test_slips_make_another_function_that_is_python_and_ends() -> None:
    found = [slipped(COUNT, ["q", "epsilon", "T"], "q", Random(seed)) for seed in range(120)]
    assert found == [slipped(COUNT, ["q", "epsilon", "T"], "q", Random(seed)) for seed in range(120)]
    assert all(is_python("def f(q, epsilon, T):\n" + indent(one, "    ")) for one in found)
    assert all(map(ends, found))
    assert COUNT not in found
    assert len(set(found)) > 100


@pytest.mark.parametrize(("body", "is_ended"), [
    ("while True:\n    pass", False), ("for x in q:\n    q.append(x)", False), ("for x in q:\n    q += [x]", False),
    ("for x in q:\n    kept.append(x)", True), ("for x in q:\n    total += x", True), ("return 1", True),
])  # fmt: skip
def test_loops_that_do_not_end_are_not_written(body: str, is_ended: bool) -> None:
    assert ends(body) == is_ended


@pytest.mark.parametrize("family", RARER)
def test_rarer_programs_are_python(family: str) -> None:
    for seed in range(20):
        written = ProgramWriter(Random(seed), family).program(RARER[family][1])
        ast.parse(written.source('epsilon="1"'))
        assert written.family == family
        assert "epsilon" in written.signature.public or "epsilon" not in "".join(written.body)


@pytest.mark.parametrize("form", RARER_QUERIES)
def test_rarer_queries_are_python(form: str) -> None:
    for seed in range(20):
        w = QueryWriter(Random(seed))
        w.records()
        body = RARER_QUERIES[form][0](w)
        ast.parse("def f(rows):\n" + indent("\n".join([*w.lead, body.text]), "    "))
        assert body.add is body.change is None


def test_some_queries_are_rarer_or_careless() -> None:
    known = {seed for seed in range(60) if query(seed).upper is not None}
    chosen = {seed for seed in range(60) if Random(f"slips {seed}").random() < 0.12 and not query(seed).symbols}
    assert len(known) >= 15
    assert len(chosen) >= 3
    assert not known & chosen
