"""Adapters against the real libraries, at the pinned releases; run by `make test-long` after `make audit-envs`."""

import math
from fractions import Fraction

import pytest

from refdp.auditing.targets import Session, TargetError, of_library, serialised
from refdp.auditing.targets.words import refdp_word
from tests.auditing.environments import python_of

pytestmark = pytest.mark.long

SUM = "t.make_sum(vector_domain(atom_domain(bounds=(0, 10)), size=3), symmetric_distance())"
LAPLACE = "m.make_laplace(atom_domain(T=int), absolute_distance(T=int), scale)"
RDP = "rdp.RdpAccountant().compose(GaussianDpEvent(x[0]), x[1]).get_epsilon(x[2])"


@pytest.mark.parametrize("name", ["opendp-0.14.1", "opendp-0.14.2", "opendp-0.15.1", "opendp-0.16.0"])
def test_opendp_chains_are_called_drawn_from_and_asked_for_their_map(name):
    with Session(of_library("opendp", f"{SUM} >> {LAPLACE}", python_of(name), scale=1.0)) as session:
        assert session.about["version"] == name.removeprefix("opendp-")
        assert refdp_word(session.about["input_metric"]) == "symmetric"
        assert refdp_word(session.about["output_measure"]) == "pure"
        assert session.ask("map", 2).value == 10.0
        assert session.ask("check", (2, 10.0)).value is True
        draws = session.draw([1, 2, 3], 200).value
        assert {type(draw) for draw in draws} == {int}
        assert abs(sum(draws) / 200 - 6) < 2  # the standard deviation of the mean is 0.1: false alarm < 1e-50


@pytest.mark.parametrize(("name", "bound"), [("opendp-0.3.0", 0), ("opendp-0.4.0", 1), ("opendp-0.5.0", 1)])
def test_opendp_before_maps_is_asked_for_the_least_distance_that_it_accepts(name, bound):
    with Session(of_library("opendp", "t.make_sized_bounded_sum(2, (0, 1))", python_of(name))) as session:
        assert session.ask("map", 2).value == bound
        assert session.call([0, 1]).value == 1
        assert session.call("no list").kind == "raised"


def test_opendp_recipes_reach_the_modules_that_they_name_and_no_others():
    python = python_of("opendp-0.16.0")
    with Session(
        of_library("opendp", "t.make_identity(vector_domain(atom_domain(T=int)), symmetric_distance())", python)
    ) as session:
        assert session.call([1, 2]).value == [1, 2]
    with (
        pytest.raises(TargetError, match="opendp has no measurement"),
        Session(of_library("opendp", "measurement", python)),
    ):
        pass
    with Session(
        of_library("opendp", "dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), 1.0)", python)
    ) as session:
        assert session.ask("map", 1).value == 1.0


def test_opendp_pipelines_are_read_from_what_it_serialised():
    text = (
        '{"__function__": "make_count", "__module__": "transformations", "__kwargs__": {"input_domain": {"__function__"'
        ': "vector_domain", "__module__": "domains", "__kwargs__": {"atom_domain": {"__function__": "atom_domain", '
        '"__module__": "domains", "__kwargs__": {"bounds": null, "nan": null, "T": "i32"}, "__version__": "0.16.0"}, '
        '"size": null}, "__version__": "0.16.0"}, "input_metric": {"__function__": "symmetric_distance", "__module__": '
        '"metrics", "__kwargs__": {}, "__version__": "0.16.0"}, "TO": "i32"}, "__version__": "0.16.0"}'
    )
    with Session(serialised(text, python_of("opendp-0.16.0"))) as session:
        assert session.call([5, 6]).value == 2
        assert session.ask("map", 3).value == 3


def test_diffprivlib_mechanisms_are_drawn_from_and_its_tools_are_called():
    python = python_of("diffprivlib-0.6.6")
    with Session(of_library("diffprivlib", "mechanisms.Laplace(epsilon=1, sensitivity=1)", python)) as session:
        draws = session.draw(0.0, 100).value
        assert len(set(draws)) == 100
        assert all(math.isfinite(draw) for draw in draws)
    with Session(of_library("diffprivlib", "tools.mean(x, bounds=(0, 4), epsilon=1)", python)) as session:
        assert session.ask("handed", [1.0, 3.0]).value == [("LaplaceTruncated", 2.0, 2.0)]
        assert session.call([1.0, 3.0]).kind == "value"
        assert session.ask("handed", [1.0, 9.0]).value == [("LaplaceTruncated", 2.0, 2.5)]


def test_dp_accounting_gives_epsilon_of_events():
    with Session(of_library("dp_accounting", RDP, python_of("dp-accounting-0.6.0"))) as session:
        once, many = session.call((2.0, 1, 1e-5)).value, session.call((2.0, 100, 1e-5)).value
        classical = 1 / 8 + math.sqrt(2 * math.log(1e5)) / 2  # the least of a / 8 + ln(1 / delta) / (a - 1) over a > 1
        assert 0 < once < classical < many
        assert session.call((-1.0, 1, 1e-5)).kind == "raised"


@pytest.mark.parametrize("accountant", ["RDPAccountant", "PRVAccountant", "GaussianAccountant"])
def test_opacus_accountants_run_without_torch(accountant):
    text = f"epsilon(accountants.{accountant}(), [(x[0], x[1], x[2])], x[3])"
    with Session(of_library("opacus", text, python_of("opacus-1.6.0"))) as session:
        few, many = session.call((1.0, 0.01, 100, 1e-5)).value, session.call((1.0, 0.01, 1000, 1e-5)).value
        assert 0 < few < many < Fraction(5)
