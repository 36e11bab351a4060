"""Each judgement is a term, and distinct judgements are distinct terms."""

import pytest

from refdp.kernel.judgements import Holds, KernelError, Law, Private, Refuted, Stable, merged, require
from refdp.terms.reading import read
from refdp.terms.term import name, number

X = name("x")
PRIVATE = Private(read("m(x)"), read("grid(1)"), "absolute", X, "approximate", (X, number(0)), (0 < X,))
STABLE = Stable(read("t()"), read("table(r)"), "symmetric", X, read("grid(1)"), "absolute", (2 * X,), (0 <= X,))


@pytest.mark.parametrize(
    ("judgement", "text"),
    [
        (Holds("m", "n", "d"), "holds('m.n', 'd')"),
        (PRIVATE, "private(m(x), grid(1), absolute(x), approximate(x, 0), 0 < x)"),
        (STABLE, "stable(t(), table(r), symmetric(x), grid(1), absolute(2 * x), 0 <= x)"),
        (Law("normalised", read("m(x)"), (0 < X,)), "normalised(m(x), 0 < x)"),
        (Law("sampler_law", read("m(x)")), "sampler_law(m(x))"),
        (Law("same_law", read("m(x)"), (0 < X,), (read("n(x)"),)), "same_law(m(x), n(x), 0 < x)"),
        (Refuted(STABLE), "refuted(stable(t(), table(r), symmetric(x), grid(1), absolute(2 * x), 0 <= x))"),
    ],
)
def test_judgement_is_a_term(judgement, text):
    assert str(judgement.term) == text
    assert read(text) == judgement.term


def test_condition_that_does_not_hold_is_refused_with_its_sentence():
    assert require(True, "unsaid") is None
    with pytest.raises(KernelError, match=r"^said$"):
        require(False, "said")


def test_merged_conditions_stand_once_in_order():
    assert merged((0 < X, 1 < X), (), (1 < X, 2 < X)) == (0 < X, 1 < X, 2 < X)
