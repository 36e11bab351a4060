"""There is one class of terms, and one object for each term."""

import ast
import copy
import gc
import os
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction as F
from threading import Barrier

import pytest

from refdp.terms import term as term_module
from refdp.terms.leaves import integer, make, rational, truth, variable
from refdp.terms.operations import add, less, multiply
from refdp.terms.reading import read
from refdp.terms.sorts import with_sorts, without_sorts
from refdp.terms.term import Term, TermError, apply, equal, name, number, text
from tests.meta.repository import ROOT

X, SORTED = name("x"), variable("x", "Real")


def test_no_second_class_of_terms() -> None:
    """A class with an operator and arguments, declared or set, is a term."""
    found = []
    for path in sorted((ROOT / "refdp").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                told = {
                    n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
                }
                told |= {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
                found += [f"{path.relative_to(ROOT)}: {node.name}"] * ({"operator", "arguments"} <= told)
    # The second is what a printer reads of a term: a protocol, of which nothing is made.
    assert found == ["refdp/terms/printing.py: Printed", "refdp/terms/term.py: Term"]


@pytest.mark.parametrize("written", ["1/3", "x", "'a'", "x + 1", "exp(x) <= ln(y)", "f(x, 'a', -2/3)", "all_of()"])
def test_equal_terms_are_one_object(written: str) -> None:
    one = read(written)
    assert read.__wrapped__(written) is one  # type: ignore[attr-defined]
    assert copy.copy(one) is one
    assert copy.deepcopy(one) is one
    assert pickle.loads(pickle.dumps(one)) is one
    assert {one: 1}[read.__wrapped__(written)] == 1  # type: ignore[attr-defined]


def test_what_differs_in_anything_is_another_term() -> None:
    kinds = [
        number(1), name("x"), text("x"), text("1"), apply("f"), apply("x"), apply("f", X), apply("f", X, X),
        integer(1), rational(1), truth(True), truth(False), SORTED, variable("x", "Int"), variable("x", "Bool"),
        integer(0), rational(0),
        make("f", "Real", value="x"), make("f", "Real", value="y"), make("f", "Int", value="x"),
    ]  # fmt: skip
    assert len(set(kinds)) == len(kinds)
    for place, one in enumerate(kinds):
        assert all(one != other for other in kinds[:place])


def test_a_term_does_not_change() -> None:
    for attribute, value in (("operator", "-"), ("arguments", ()), ("value", F(2)), ("sort", "Int"), ("within", None)):
        with pytest.raises(AttributeError, match="does not change"):
            setattr(X, attribute, value)
        with pytest.raises(AttributeError, match="does not change"):
            delattr(X, attribute)
    with pytest.raises(AttributeError):
        X.more = 1  # type: ignore[attr-defined]


def test_terms_with_a_sort_and_without_do_not_mix() -> None:
    for mixed in (lambda: X + SORTED, lambda: SORTED + X, lambda: equal(SORTED, X), lambda: SORTED < 1):
        with pytest.raises(TermError, match="with a sort and one without"):
            mixed()
    with pytest.raises(TermError, match="with a sort and one without"):
        make("+", "Real", SORTED, X)


def test_a_term_has_no_truth_value() -> None:
    for one in (X, X <= 1, SORTED, less(SORTED, rational(1)), truth(True), truth(False)):
        with pytest.raises(TermError, match="no truth value"):
            bool(one)


def test_threads_never_make_two_of_one_term() -> None:
    """Eight threads make the same new terms at the same moment, 200 times, changing places as often as they can."""
    threads, interval = 8, sys.getswitchinterval()
    start = Barrier(threads)

    def terms(turn: int) -> list[Term]:
        start.wait()
        return [apply("f", name(f"thread_{turn}_{k}"), number(F(k, 7))) for k in range(20)]

    try:
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(threads) as pool:
            for turn in range(200):
                first, *others = pool.map(terms, [turn] * threads)
                assert all(a is b for other in others for a, b in zip(first, other, strict=True))
    finally:
        sys.setswitchinterval(interval)


def test_a_fork_makes_terms_though_another_thread_was_making_one() -> None:
    term_module._LOCK.acquire()
    try:
        with ThreadPoolExecutor(1) as pool:  # the fork is that of a thread which does not hold the lock
            child = pool.submit(_forked).result()
    finally:
        term_module._LOCK.release()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _forked() -> int:
    """The process of a child that makes a term and ends."""
    child = os.fork()
    if child == 0:
        os._exit(0 if apply("in_a_child", X).arguments == (X,) else 1)
    return child


def test_terms_that_nobody_holds_are_forgotten() -> None:
    before = len(term_module._KNOWN)
    held = [apply("forgotten", number(k)) for k in range(1000)]
    assert len(term_module._KNOWN) >= before + 1000
    del held
    gc.collect()
    assert len(term_module._KNOWN) < before + 1000


def test_sorts_are_put_on_and_taken_off() -> None:
    sorts = {"x": "Real", "k": "Int"}
    for written in ("x + k * 2", "exp(x) / ln(x)", "x <= k", "x != k", "max(x, k)", "min(x, 2)", "abs(x)", "x ** 9"):
        again = without_sorts(with_sorts(read(written), sorts))
        assert with_sorts(again, sorts) is with_sorts(read(written), sorts)
    for nothing in ("f(x)", "indicator(x <= 1)", "y", "all_of(x <= 1)"):
        with pytest.raises(TermError):
            with_sorts(read(nothing), sorts)
    for lost in (
        truth(True),
        variable("b", "Bool"),
        make("floor", "Int", SORTED),
        make("mod", "Int", integer(3), integer(2)),
    ):
        with pytest.raises(TermError, match="no meaning in a claim"):
            without_sorts(lost)


def test_a_sum_of_many_parts_loses_its_sorts() -> None:
    """What is longer than a text for readers is no other: no text is read on the way."""
    total = rational(0)
    for k in range(400):
        total = add(total, multiply(rational(F(1, k + 2)), variable(f"parameter_{k}", "Real")))
    assert str(total).endswith("...")
    assert str(without_sorts(total)).count("parameter_") == 400
