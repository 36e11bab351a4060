"""A listed law is just the masses that are written down; what is no law, or no row, is refused."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.semantics import law
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.laws import chances, random_laws

LAW = "listed(tuple_of(tuple_of(1/2, 1/2, 0), tuple_of(1/4, 1/4, 1/2)))"


def written(laws):
    """The laws as a listed mechanism."""
    rows = (f"tuple_of({', '.join(str(p) for p in one.values())})" for one in laws.values())
    return f"listed(tuple_of({', '.join(rows)}))"


def test_listed_law_is_the_masses_of_the_row():
    for chance in chances("listed", 100):
        laws = random_laws(chance, range(chance.randint(1, 4)), chance.randint(1, 4), 0)
        subject = read(written(laws))
        assert read(str(subject)) == subject
        assert all(law(subject, F(x)) == one for x, one in laws.items())


@pytest.mark.parametrize("x", [F(2), F(-1), F(1, 2), (F(0),), "0"])
def test_listed_law_has_the_inputs_of_its_rows_alone(x):
    with pytest.raises(TermError, match="not in the domain"):
        law(read(LAW), x)


@pytest.mark.parametrize(
    "subject",
    [
        "listed(tuple_of(tuple_of(1/2, 1/3), tuple_of(1/2, 1/2)))",
        "listed(tuple_of(tuple_of(3/2, -1/2)))",
        "listed(tuple_of(tuple_of(1), tuple_of(1/2, 1/2)))",
        "listed(tuple_of(tuple_of()))",
        "listed(tuple_of(1, 1))",
        "listed(tuple_of())",
        "listed(1)",
        "listed(tuple_of(tuple_of(1)), tuple_of(tuple_of(1)))",
        "listed(tuple_of(tuple_of(p, 1 - p)))",
    ],
)
def test_listed_law_that_is_none_is_refused(subject):
    with pytest.raises(TermError):
        law(read(subject), F(0))


def test_listed_law_is_enumerated_and_refuted_as_any_other():
    found = rules.finite_mechanism(
        subject=LAW, domain="finite(2)", metric="discrete", d_in="1", measure="approximate", factor="1"
    )
    assert [str(t) for t in found.claim.d_out] == ["0", "1/2"]
    claim = f"private({LAW}, finite(2), discrete(1), approximate(0, 49/100))"
    assert rules.unlikely_elsewhere(claim=claim, a="1", b="0", event="tuple_of(2)").trusts == frozenset()
    with pytest.raises(KernelError, match="does not break"):
        rules.unlikely_elsewhere(claim=claim, a="0", b="1", event="tuple_of(2)")
