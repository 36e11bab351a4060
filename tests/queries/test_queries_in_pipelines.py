"""A user's own query becomes a private mechanism: proved, chained, run, certified; and what does not fit is refused."""

import json
import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

import refdp
from refdp.commands.check import check
from refdp.pipeline import PipelineError
from tests.queries import textbook
from tests.trust.test_loaded_by_check import SEARCHING

FILE = Path(textbook.__file__)
WHOLE = {"records": "integers 0..100"}
NUMBERS = {"bounds": (0, 100)}
TABLES = [(), (0,), (51,), (50, 51, 100), (3, 3, 99, 12), (100,) * 5]


def query(name, neighbours, **given):
    """The query, proved once for all tests that ask for it so."""
    asked = (name, neighbours, repr(given))
    if asked not in MADE:
        MADE[asked] = refdp.query(f"{FILE}:{name}", neighbours, run=False, **given)
    return MADE[asked]


MADE = {}


BOUNDS = {"count": 1, "counted": 1, "mean": 100, "clamped": 10, "squares": 10_000, "greatest": 100}
"""How far one row moves each query, added, removed or replaced; rows are whole numbers from 0 to 100."""


def test_six_queries_with_noise_are_private_and_replay_in_a_fresh_process(tmp_path):
    """Twelve theorems: each neighbouring relation, each query run as Python runs it, each certificate replayed."""
    theorems = {}
    for neighbours, metric in (("add_remove", "symmetric"), ("change_one", "change_one")):
        for name, bound in BOUNDS.items():
            step = "1/10" if name == "mean" else 1
            found = query(name, neighbours, **WHOLE, **({"granularity": step} if name == "mean" else {}))
            assert (found.map(1), found.map(3)) == (bound, 3 * bound)
            mechanism = found >> refdp.discrete_laplace(2 * bound, step)
            theorem = theorems[f"{name}.{neighbours}"] = refdp.theorem(mechanism, 1)
            assert str(theorem.claim.term).endswith(f"table(bounded(1, 0, 100)), {metric}(1), pure(1/2))")
            assert "refdp's reading of Python" in theorem.trusts
            refdp.write_certificate(theorem, tmp_path / f"{name}.{neighbours}.json")
            run = getattr(textbook, name)
            for table in TABLES:
                exact = run([F(r) for r in table])
                rounded = (F(exact) / F(step) + F(1, 2)).__floor__() * F(step)
                assert found(table) == (rounded if name == "mean" else exact)
            assert isinstance(mechanism.invoke(TABLES[2]), int | F)
    judged = check(tmp_path)["certificates"]
    assert len(judged) == len(theorems) == 12
    for one in judged:
        theorem = theorems[Path(one["path"]).stem]
        assert (one["verdict"], one["conclusion"]) == ("PROVED", str(theorem.claim.term))
        assert one["trusts"] == sorted(theorem.trusts)


def test_of_two_bounds_of_one_query_theorems_have_the_closer_one():
    close = query("count", "add_remove", **WHOLE) >> refdp.discrete_laplace(2)
    loose = query("count", "add_remove", **WHOLE, claim=3) >> refdp.discrete_laplace(2)
    for one in (close, loose):
        assert str(refdp.theorem(one, 1).claim.term).endswith("pure(1/2))")
    assert (close.map(1), loose.map(1)) == (F(1, 2), F(3, 2))


def test_claimed_bound_is_taken_and_a_smaller_one_refused():
    assert query("count", "add_remove", **WHOLE, claim=3).map(1) == 3
    with pytest.raises(PipelineError, match="moves further than claimed: on "):
        query("clamped", "add_remove", **WHOLE, claim=9)
    with pytest.raises(PipelineError, match="moves further than claimed"):
        query("mean", "add_remove", **WHOLE, claim="1/10")


def test_parameter_is_fixed_and_stands_in_the_subject():
    found = query("clamped", "add_remove", **WHOLE, set={"cap": 7})
    assert found.map(1) == 7
    assert "list_of(fixed('cap', 7))" in str(found.subject)
    assert found([3, 50]) == 10


def test_columns_of_several_kinds_and_missing_cells_are_read():
    columns = {"age": "integers 0..120 or missing", "sex": "F | M"}
    found = query("women_over", "add_remove", column=columns)
    rows = "record(field('age', optional(bounded(1, 0, 120))), field('sex', labels('F', 'M')))"
    assert str(found.input_domain) == f"table({rows})"
    assert found.map(1) == 1
    table = [{"age": 50, "sex": "F"}, {"sex": "F", "age": None}, {"age": 41, "sex": "M"}]
    assert found(table) == 1
    for wrong in ({"age": 121, "sex": "F"}, {"age": 50, "sex": "X"}, {"age": 50}, {"age": 50, "sex": "F", "x": 1}):
        with pytest.raises(PipelineError, match="must be a member of"):
            found([wrong])


def test_vector_of_answers_is_near_in_the_norm_that_was_asked_for():
    for norm, metric, bound in (("L1", "l1", 2), ("L2", "l2", None), ("Linf", "linf", 1)):
        found = query("halves", "change_one", **WHOLE, norm=norm)
        assert (found.output_metric, str(found.output_domain)) == (metric, "vector(grid(1), 2)")
        assert bound is None or found.map(1) == bound
    gaussian = query("halves", "change_one", **WHOLE, norm="L2") >> refdp.discrete_gaussian(1, 1, 2)
    theorem = refdp.theorem(gaussian, 1)
    assert theorem.claim.measure == "concentrated"
    assert F(1) <= theorem.claim.d_out[0].rational < F(1) + F(1, 10**9)
    chosen = query("halves", "add_remove", **WHOLE, norm="Linf", claim=1) >> refdp.exponential(2)
    assert chosen([1, 2, 99]) in (0, 1)
    assert str(refdp.theorem(chosen, 1).claim.d_out[0]) == "1"


def test_mean_of_a_public_number_of_rows_lies_on_a_finer_grid():
    found = query("plain_mean", "change_one", **WHOLE, size=10)
    assert str(found.output_domain) == "grid(1/10)"
    assert found.map(1) == 10
    assert found(list(range(10))) == F(9, 2)
    theorem = refdp.theorem(found >> refdp.discrete_laplace(10, "1/10"), 1)
    assert "sized_table(bounded(1, 0, 100), 10), change_one(1), pure(1)" in str(theorem.claim.term)
    with pytest.raises(PipelineError, match="must be a member of"):
        found(list(range(9)))


def test_real_answers_are_rounded_before_noise_on_a_grid():
    found = query("clamped", "add_remove", **NUMBERS, claim=10)
    assert (str(found.output_domain), found.map(1)) == ("reals()", 10)
    with pytest.raises(PipelineError, match=r"output domain reals\(\) does not lie in the input domain grid\(1\)"):
        found >> refdp.discrete_laplace(10)
    rounded = query("clamped", "add_remove", **NUMBERS, claim=10, granularity="1/4")
    assert rounded([F(1, 3), F(1, 3)]) == F(3, 4)
    third = query("clamped", "add_remove", **NUMBERS, set={"cap": "1/3"}, claim="1/3", granularity="1/4")
    assert third.map(1) == F(1, 2)


@pytest.mark.parametrize("claim", [{}, {"claim": 5}])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_query_that_raises_is_told_so_with_a_table_and_what_is_raised(neighbours, claim):
    """Whether a bound was claimed or not: it is no matter of how far the answers are apart."""
    sentence = r"inverses raises ZeroDivisionError on \[0\]; it must answer on every table of its domain"
    with pytest.raises(PipelineError, match=f"^{sentence}$"):
        query("inverses", neighbours, records="integers 0..5", **claim)


TRAPS = [
    ("mean", {"neighbours": "add_remove", "size": 10}, "neighbours must be change_one where size is given"),
    ("plain_mean", {"neighbours": "change_one"}, "it may raise an exception on some table"),
    ("plain_mean", {"neighbours": "add_remove"}, "plain_mean raises ZeroDivisionError on \\[\\]; it must"),
    ("first", {"neighbours": "change_one"}, "nothing is proved of first"),
    ("first", {"neighbours": "add_remove", "claim": 1}, "nothing is proved of first|moves further"),
    ("count", {"neighbours": "symmetric"}, "neighbours must be one of"),
    ("count", {"neighbours": "change_one", "size": "1/2"}, "size must be a whole number"),
    ("count", {"neighbours": "add_remove", "granularity": 0}, "granularity must be > 0"),
    ("count", {"neighbours": "add_remove", "norm": "L3"}, "norm must be"),
    ("nothing", {"neighbours": "add_remove"}, "must define the function nothing"),
]


@pytest.mark.parametrize(("name", "given", "reason"), TRAPS)
def test_query_that_says_less_than_a_pipeline_needs_is_refused(name, given, reason):
    with pytest.raises(ValueError, match=reason):
        query(name, given.pop("neighbours"), **WHOLE, **given)


@pytest.mark.parametrize("records", ["true | false"])
def test_rows_that_the_kernel_has_no_domain_for_are_refused(records):
    with pytest.raises(ValueError, match=r"rows of a query in a pipeline must be|nothing is proved"):
        refdp.query(f"{FILE}:counted", "add_remove", records=records, run=False)


def test_parts_that_do_not_fit_are_refused_with_both_types():
    of_ten = query("plain_mean", "change_one", **WHOLE, size=10)
    for noise in (refdp.discrete_laplace(1), refdp.discrete_laplace(1, "1/3")):
        with pytest.raises(PipelineError, match=r"grid\(1/10\) does not lie in the input domain grid\("):
            of_ten >> noise
    with pytest.raises(PipelineError, match=r"the output metric absolute is not the input metric linf|does not lie in"):
        query("count", "add_remove", **WHOLE) >> refdp.exponential(1)


def test_text_that_is_changed_is_another_query(tmp_path):
    path = tmp_path / "own.py"
    path.write_text("def f(rows):\n    return sum(1 for r in rows if r > 5)\n")
    one = refdp.query(f"{path}:f", "add_remove", records="integers 0..9", run=False)
    path.write_text("def f(rows):\n    return sum(1 for r in rows if r > 6)\n")
    other = refdp.query(f"{path}:f", "add_remove", records="integers 0..9", run=False)
    assert one.subject != other.subject
    assert (one([6]), other([6])) == (1, 0)


def test_second_judge_looks_at_a_query_unless_it_is_left_out():
    assert refdp.query(f"{FILE}:count", "add_remove", **WHOLE).map(1) == 1


def test_check_of_a_query_loads_neither_search_nor_second_judge(tmp_path):
    refdp.write_certificate(refdp.theorem(query("count", "add_remove", **WHOLE), 1), tmp_path / "one.json")
    code = (
        "import sys, json\nfrom refdp.commands.check import replayed_here\n"
        f"found = replayed_here([{str(tmp_path / 'one.json')!r}])\n"
        "assert found['replayed'] == 1, found\n"
        "print(json.dumps([m for m in sys.modules if m.startswith('refdp.')]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert "refdp.sensitivities.theorems" in loaded
    assert not [m for m in loaded if m.startswith(SEARCHING)]


@pytest.mark.parametrize("records", ["integers 0..", "integers ..90", "0..", "..70"])
def test_rows_with_one_bound_are_read_by_a_query_in_a_pipeline(records):
    made = refdp.query(f"{FILE}:counted", "add_remove", records=records, run=False) >> refdp.discrete_laplace(1)
    assert made.map(1) == 1
    rows = [F(1), F(5), F(7)]
    assert isinstance(made(tuple(rows)), int | F)
    with pytest.raises(PipelineError, match="the input must be a member of"):
        made((F(-1), F(100)))
