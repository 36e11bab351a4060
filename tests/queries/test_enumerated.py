"""What is proved of random queries holds of every pair of small neighbouring tables, run by Python; with noise, too."""

from fractions import Fraction as F
from itertools import permutations, product

import pytest

from refdp import discrete_laplace, theorem
from refdp.commands.own_query import proved_query
from refdp.numerics.exact import decide
from refdp.pipeline import PipelineError
from refdp.sensitivities.language.source import NotAFold, Unsupported
from refdp.spec.distances import METRICS
from refdp.spec.domains import contains
from refdp.spec.semantics import loss
from refdp.terms.term import number
from tests.queries.random_queries import KIND, ROWS, random_query

MOST = 3
TABLES = [table for n in range(MOST + 1) for table in product(map(F, ROWS), repeat=n)]
NEAR = {"add_remove": "symmetric", "change_one": "change_one"}


def pairs(metric, size):
    """Every pair of small tables one edit apart, as multisets, of the public size where there is one."""
    known = [t for t in TABLES if size is None or len(t) == size]
    return [(u, v) for u in known for v in known if METRICS[metric].within(u, v, F(1))]


PAIRS = {(near, size): pairs(metric, size) for near, metric in NEAR.items() for size in (None, 2, 3)
         if size is None or near == "change_one"}  # fmt: skip


def exactly(value):
    """The number that Python means: the quotient of two of its whole numbers is a float."""
    return F(value).limit_denominator(1_000) if isinstance(value, float) else F(value)


def answers(text, size):
    """What Python answers on each table; an exception where it raises."""
    place = {}
    exec(compile(text, "<query>", "exec"), place)
    found = {}
    for table in TABLES:
        if size is None or len(table) == size:
            try:
                value = place["f"](list(table))
                found[table] = tuple(map(exactly, value.values())) if isinstance(value, dict) else exactly(value)
            except ZeroDivisionError as error:
                found[table] = error
    return found


def proof(text, path, near, size, norm):
    """What is proved of the query; None where nothing is."""
    path.write_text(text, encoding="utf-8")
    try:
        return proved_query(f"{path}:f", near, KIND, None, norm, size, {}, 10.0, False, None)[0]
    except (PipelineError, Unsupported, NotAFold):
        return None


def compared(seed, path):
    """How many pairs of tables were compared with what is proved of one random query."""
    near = ("add_remove", "change_one")[seed % 2]
    size = (None, None, 2, 3)[seed // 2 % 4] if near == "change_one" else None
    text, norm = random_query(seed), ("L1", "Linf")[seed // 8 % 2]
    made = proof(text, path, near, size, norm)
    if made is None:
        return 0
    found = answers(text, size)
    bound = made.map(1)
    for table, answer in found.items():
        assert not isinstance(answer, Exception), (text, table)
        assert made(table) == answer, (text, table)
        assert contains(made.output_domain, answer), (text, table, made.output_domain)
        assert {made(other) for other in permutations(table)} == {answer}, (text, table)
    for u, v in PAIRS[near, size]:
        assert METRICS[made.output_metric].within(found[u], found[v], bound), (text, u, v, bound)
    is_number = made.output_metric == "absolute"
    if is_number and bound > 0 and made.output_domain.operator == "grid":
        with_noise(made, bound, found, PAIRS[near, size][:: max(1, len(PAIRS[near, size]) // 20)])
    return len(PAIRS[near, size])


def with_noise(made, bound, found, some):
    """The loss of discrete Laplace noise on the query, at outputs around its answers, is within its theorem."""
    step = made.output_domain.arguments[0].rational
    mechanism = made >> discrete_laplace(2 * bound, step)
    [far] = theorem(mechanism, 1).claim.d_out
    assert far == number(F(1, 2))
    for u, v in some:
        for output in (found[u], found[v], found[u] + 5 * step, found[v] - 7 * step):
            assert decide(number(loss(mechanism.subject, output, u, v)) <= far)


def test_what_is_proved_of_random_queries_holds_of_every_small_pair(tmp_path):
    """At least 1,000 pairs of 6 or more proved queries; `make test-long` takes 1,000 queries."""
    instances = [compared(seed, tmp_path / f"q{seed}.py") for seed in range(14)]
    assert sum(instances) >= 1_000
    assert sum(map(bool, instances)) >= 6


@pytest.mark.long
def test_what_is_proved_of_a_thousand_random_queries_holds_of_every_small_pair(tmp_path):
    instances = [compared(seed, tmp_path / f"q{seed}.py") for seed in range(14, 1_600)]
    assert sum(map(bool, instances)) >= 1_000
