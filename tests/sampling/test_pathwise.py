"""Pathwise refinement: from the same digits, arrays hold the numbers of exact arithmetic, whatever the margin."""

import pytest

from refdp.sampling.bulk.slots import BulkSlots
from refdp.sampling.slots.build import certificate
from refdp.sampling.slots.draws import SlotDraws
from tests.examples import few
from tests.sampling import pathwise
from tests.sampling.families import COARSE
from tests.sampling.noises import laplace
from tests.sampling.pathwise import MARGINS, TABLE, Row


def suite_draws(name: str) -> int:
    """How many draws of a family are quick."""
    return few(250 if "each" in name or "10^4" in name else 40_000 if "slots" in name else 3_000)


QUICK = [name for name in TABLE if "10^4 candidates" not in name]


def agree(found: list[Row], draws: int) -> None:
    """All rows are identical; what is left to exact arithmetic is what the margin says."""
    assert [row.margin for row in found if not row.identical or row.draws != draws] == []
    exact = [row.exact for row in found]
    assert exact == sorted(exact)  # a wider margin never leaves it less
    assert len({row.table for row in found if row.family.partition(":")[0] != "finite"}) <= 1


@pytest.mark.parametrize("name", QUICK)
def test_paths_agree(name: str) -> None:
    compared, family = TABLE[name]
    draws = suite_draws(name)
    agree(list(compared(family, draws)), draws)


@pytest.mark.long
@pytest.mark.parametrize("name", TABLE)
def test_paths_agree_on_a_million_draws(name: str) -> None:
    compared, family = TABLE[name]
    agree(list(compared(family, 1_000_000)), 1_000_000)


@pytest.mark.parametrize("name", COARSE)
def test_paths_agree_where_many_places_are_not_full(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pathwise.SLOTS, name, COARSE[name].certificate.potential)
    monkeypatch.setattr(pathwise, "bulk_slots", lambda _: BulkSlots(COARSE[name]))
    draws = few(10_000)
    found = list(pathwise.slots(name, draws))
    agree(found, draws)
    assert found[0].exact > 0
    assert found[0].floats > draws // 20
    assert [row.floats for row in found if row.margin == "infinite"] == [0]


def test_every_margin_and_family_is_in_the_table() -> None:
    assert {name.partition(":")[0] for name in TABLE} == {"slots", "finite", "each"}
    assert list(MARGINS) == ["proved", "2^-8", "infinite"]
    scales = ("1/1000", "1/3", "22/7", "3000000000001/3", "281474976710656")
    for kind in ("slots: laplace", "slots: gaussian", "each: geometric", "each: laplace", "each: gaussian"):
        assert all(f"{kind} {scale}" in TABLE for scale in scales)


def test_numbers_that_differ_are_seen() -> None:
    """That is: the comparison can fail, at one number in a thousand and at one digit more."""
    right = SlotDraws(certificate(laplace(3)))

    def off(n: int, source) -> list[int]:
        drawn = right.many(n, source)
        return [*drawn[:-1], drawn[-1] + 1]

    def greedy(n: int, source) -> list[int]:
        drawn = right.many(n, source)
        source.octets(1)
        return drawn

    sides = {"here": (BulkSlots(right).sample, {"rounds": 0, "open": 0, "exact": 0})}
    for exact, identical in ((right.many, True), (off, False), (greedy, False)):
        assert [row.identical for row in pathwise.rows("", 1_000, sides, exact)] == [identical]
