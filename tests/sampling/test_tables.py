"""Tables are made once they are worth it, kept, and never change the law: they draw as the certified samplers do."""

from fractions import Fraction as F

import pytest

from refdp.sampling import tables
from refdp.sampling.lookup import LookupDraws, Masses
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from refdp.sampling.tables import BREAK_EVEN_OF_NOISE, MOST_TABLES, Shelf, Table, table_of
from refdp.sampling.words import Recorded
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream

HALF = Masses((F(1, 2), F(1, 2)))


def test_tables_are_made_once_they_are_worth_it():
    shelf, law = Shelf(), laplace(3)
    assert shelf.find(law, BREAK_EVEN_OF_NOISE - 1) is None
    found = shelf.find(law, 1)
    assert found is not None
    assert shelf.find(law, 1) is found


def test_tables_are_made_at_once_where_that_is_asked():
    assert Shelf().find(laplace(3), 1, at_once=True) is not None
    assert Shelf().find(laplace(3), BREAK_EVEN_OF_NOISE) is not None


def test_tables_out_of_reach_are_none_and_are_not_looked_for_again(monkeypatch):
    shelf, law = Shelf(), gaussian(2**70)
    assert shelf.find(law, 1, at_once=True) is None
    monkeypatch.setattr(tables, "table_of", lambda law: pytest.fail("looked for again"))
    assert shelf.find(law, BREAK_EVEN_OF_NOISE) is None


def test_tables_that_are_kept_are_not_too_many():
    shelf = Shelf()
    laws = [laplace(i) for i in range(1, MOST_TABLES + 2)]
    for law in laws:
        shelf.find(law, 1)
    assert shelf.find(laws[0], BREAK_EVEN_OF_NOISE - 1) is None  # what was asked of the oldest is forgotten
    assert shelf.find(laws[-1], BREAK_EVEN_OF_NOISE - 1) is not None


def test_a_table_that_another_thread_drops_meanwhile_is_made_again():
    class Dropped(dict):
        """Where each entry goes between a look and the next."""

        def __contains__(self, key: object) -> bool:
            return True

    shelf = Shelf()
    shelf._made = Dropped()
    assert shelf.find(laplace(1), BREAK_EVEN_OF_NOISE) is not None


@pytest.mark.parametrize("law", [laplace("22/7"), gaussian(1000), HALF])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 300])
def test_tables_draw_the_same_with_arrays_and_without(law, n):
    digits = [Stream(3) for _ in range(3)]
    draws = LookupDraws(law) if isinstance(law, Masses) else SlotDraws(certificate(law))
    expected = draws.many(n, digits[0])
    table = Table(law)
    assert table.many(n, digits[1]) == expected
    assert table.array(n, digits[2]).tolist() == expected
    assert len({d.used for d in digits}) == 1


def test_tables_draw_one_as_the_certified_sampler():
    draws, table = SlotDraws(certificate(laplace(5))), table_of(laplace(5))
    record = bytes(range(1, 200))
    assert table.one(Recorded(record)) == draws.one(Recorded(record))


def test_a_machine_without_numpy_says_so(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(tables, "import_module", missing)
    with pytest.warns(tables.Slower, match="numpy is not installed"):
        assert not tables.has_numpy.__wrapped__()
