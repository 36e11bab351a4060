"""The page of the house names every room once, draws what the imports say, and speaks of contracts that are there."""

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from scripts.docs_site import house
from tests.meta.repository import ROOT

pytestmark = pytest.mark.once


def test_every_package_and_module_is_a_room() -> None:
    there = {path.stem for path in (ROOT / "refdp").iterdir() if path.suffix == ".py"} - {"__init__", "__main__"}
    there |= {path.parent.name for path in (ROOT / "refdp").glob("*/__init__.py")}
    assert set(house.rooms()) == there
    page = house.page()
    for name, one in house.rooms().items():
        assert page.count(f"| `{name}` |") == 1
        assert page.count(f">{name}</text>") == 1
        assert one.sentence.endswith("."), name
        assert sum(one.lines.values()) > 0
        assert set(one.lines) <= set(house.COLOURS)


def test_kernel_is_believed_and_a_search_proposes() -> None:
    assert set(house.rooms()["kernel"].lines) == {house.BELIEVED}
    assert set(house.rooms()["cli"].lines) == {house.SHOWS}
    assert set(house.rooms()["mechanisms"].lines) == {house.READ}
    assert set(house.rooms()["programs"].lines) == {house.BELIEVED, house.PROPOSES, house.SHOWS}


def closure(arrows: list[tuple[str, str]]) -> set[tuple[str, str]]:
    found = set(arrows)
    while more := {(a, d) for a, b in found for c, d in arrows if b == c} - found:
        found |= more
    return found


def test_arrows_are_the_fewest_that_say_what_imports_what() -> None:
    arrows = house.arrows()
    imports = [(name, one) for name, each in house.rooms().items() for one in each.imports]
    whole = closure(imports)
    assert ("kernel", "terms") in whole
    assert not any(a == b for a, b in whole)
    assert closure(arrows) == whole
    for one in arrows:
        assert one not in closure([other for other in arrows if other != one])


def test_what_imports_stands_above_and_no_two_boxes_touch() -> None:
    places = house.places()
    assert set(places) == set(house.rooms())
    for name, each in house.rooms().items():
        assert all(places[name][1] < places[one][1] for one in each.imports)
    for (x, y), (at, height) in combinations(places.values(), 2):
        assert abs(x - at) >= house.WIDE or abs(y - height) >= house.HIGH
    assert all(house.WIDE / 2 <= x <= house.WIDTH - house.WIDE / 2 for x, _ in places.values())


def test_picture_is_well_formed_and_has_an_arrow_for_each() -> None:
    picture = ET.fromstring(house.picture())
    paths = [one for one in picture.iter() if one.get("marker-end")]
    assert len(paths) == len(house.arrows())


def test_rules_are_contracts_that_forbid_something() -> None:
    page = house.page()
    assert len(house.RULES) == 3
    for rule, name in house.RULES:
        assert rule in page
        assert f"Contract: {name}." in page
        contract = house.contracts()[name]
        assert contract["type"] in ("forbidden", "protected")
    believed = house.contracts()[house.RULES[0][1]]
    assert {"refdp.kernel", "refdp.programs.checking", "refdp.sensitivities.checking"} <= set(
        believed["source_modules"]
    )
    assert {"refdp.programs.proving", "refdp.sensitivities.search", "refdp.report"} <= set(
        believed["forbidden_modules"]
    )
