"""Pictures show what the code computes: laws are laws, curves are the definition's, the files are up to date."""

from fractions import Fraction
from math import exp, isclose, log
from xml.etree import ElementTree as ET

import pytest

import refdp
from refdp.claims import claim, ledger, programs
from refdp.cli.app import app
from refdp.report.certificates import theorem_of
from refdp.report.paths import FOLDER, page_path, picture_path
from refdp.report.pictures import laws as numbers
from refdp.report.pictures.curves import claimed_points, limit
from refdp.report.pictures.drawing import runs
from refdp.report.pictures.kinds import DIVERGENCES, FRONTIER, LAWS, PROFILE, TABLES
from refdp.report.pictures.of_claims import claim_makers
from refdp.report.pictures.plans import plan_of
from refdp.report.pictures.tables import verdict
from refdp.report.pictures.writing import MARK, pictures, svg_of, write
from refdp.report.witnesses.relations import largest_loss
from refdp.spec.distances import greatest_ratio, hockey_stick, metric, renyi_moment
from refdp.spec.semantics import law
from scripts.made_once import EXAMPLES
from tests.command_line import CliRunner
from tests.made import pages
from tests.meta.repository import ROOT
from tests.report.drawings import differences

run = CliRunner().invoke
LARGEST = 40_000
"""Longest picture, in characters."""


@pytest.fixture(scope="module")
def plans():
    """Claim -> its picture, for the claims that have one; made once, because every certificate is replayed for it."""
    return {c.identifier: plan for c in ledger() if (plan := plan_of(c, theorem_of(c))) is not None}


def of_kind(plans, *kinds):
    return {identifier: plan for identifier, plan in plans.items() if plan.kind in kinds}


def written(identifier):
    return (ROOT / picture_path(identifier)).read_text(encoding="utf-8")


def test_pictures_exist_of_every_kind(plans):
    assert {plan.kind for plan in plans.values()} == {LAWS, PROFILE, DIVERGENCES, TABLES, FRONTIER}


def test_pictures_are_there_for_the_claims_that_have_one_and_no_other(plans):
    made = {path.relative_to(ROOT).as_posix() for path in pages() if path.is_relative_to(ROOT / FOLDER)}
    here = {name for name in {*made, *EXAMPLES} if name.endswith(".svg") and not name.endswith(".tree.svg")}
    assert here == {picture_path(identifier) for identifier in plans}


@pytest.mark.parametrize("name", [n for n in EXAMPLES if n.endswith(".svg") and not n.endswith(".tree.svg")])
def test_pictures_in_git_are_what_the_code_draws(plans, name):
    (plan,) = [plan for identifier, plan in plans.items() if picture_path(identifier) == name]
    assert differences(svg_of(plan), (ROOT / name).read_text(encoding="utf-8")) == [], "run: make pages"


def test_pictures_are_small_well_formed_and_name_their_claim(plans):
    for identifier in plans:
        text = written(identifier)
        root = ET.fromstring(text)
        assert root.tag.endswith("svg")
        assert len(text) < LARGEST, identifier
        assert identifier in {e.text for e in root.iter()}
        assert MARK in text
        page = (ROOT / page_path(identifier)).read_text(encoding="utf-8")
        assert f"]({identifier.partition('.')[2]}.svg)" in page


@pytest.mark.parametrize("kind", [LAWS, PROFILE, DIVERGENCES, TABLES, FRONTIER])
def test_pictures_are_what_the_code_draws(plans, kind):
    """The same elements and the same texts; the same numbers within a pixel, whatever release of matplotlib drew."""
    identifier, plan = next(iter(of_kind(plans, kind).items()))
    assert differences(svg_of(plan), written(identifier)) == [], "run: make pages"


def test_pictures_are_the_same_every_time(plans):
    plan = plans["randomised_response.pure"]
    assert svg_of(plan) == svg_of(plan)


def test_pictures_show_neighbours_and_laws(plans):
    for identifier, plan in of_kind(plans, LAWS, DIVERGENCES).items():
        found = plan.instance
        near = Fraction(str(found.claim.d_in))
        assert metric(found.claim.metric).within(found.x, found.y, near), identifier
        both = numbers.laws(found, numbers.FAR)
        step = float(both.outcomes[1] - both.outcomes[0]) if both.is_density else 1.0
        allowed = 0.05 if both.is_density else 1e-12  # a density by the trapezoid rule, on 160 intervals
        assert all(isclose(sum(one) * step, 1, abs_tol=allowed) for one in (both.p, both.q)), identifier


def finite_pair(plans, identifier):
    """The exact laws of a picture, by the definition."""
    found = plans[identifier].instance
    return [law(found.claim.subject, z) for z in (found.x, found.y)], numbers.laws(found)


def test_pictures_have_the_losses_of_the_definition(plans):
    (p, q), both = finite_pair(plans, "k_ary_randomised_response.pure")
    assert isclose(max(both.losses), log(greatest_ratio(p, q)))


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_pictures_have_the_delta_of_the_definition(plans, factor):
    (p, q), both = finite_pair(plans, "k_ary_randomised_response.approximate")
    expected = float(hockey_stick(p, q, Fraction(factor)))
    assert isclose(numbers.hockey_stick(both, log(factor)), expected, abs_tol=1e-15)


@pytest.mark.parametrize("order", [2, 3, 7])
def test_pictures_have_the_divergence_of_the_definition(plans, order):
    (p, q), both = finite_pair(plans, "randomised_response.concentrated")
    expected = log(renyi_moment(p, q, order)) / (order - 1)
    assert isclose(numbers.divergence(both, order), expected)


def test_pictures_have_a_claim_above_the_least_delta_where_it_is_true(plans):
    for identifier, plan in of_kind(plans, PROFILE).items():
        true, points = claim(identifier).expected == "PROVED", claimed_points(plan.instance)
        least = numbers.least_deltas(plan.instance, [Fraction(epsilon) for epsilon, _ in points])
        for smallest, (_, delta) in zip(least, points, strict=True):
            assert (smallest <= delta + 1e-12) == true or abs(smallest - delta) < 1e-9, identifier


def test_pictures_of_the_frontier_show_the_region_of_the_claim(plans):
    found = plans["gaussian.classical"].instance
    assert (limit(found, "epsilon", 21.0), limit(found, "delta", 1.0)) == (4.465, 0.5)
    assert limit(plans["gaussian.classical_without_condition_on_epsilon"].instance, "epsilon", 21.0) == 21.0


def test_pictures_of_true_claims_keep_the_loss_within_the_bound(plans):
    for identifier, plan in of_kind(plans, LAWS).items():
        most = numbers.value_of(largest_loss(plan.instance.claim))
        worst = max(numbers.laws(plan.instance).losses)
        assert (worst <= most + 1e-12) == (claim(identifier).expected == "PROVED"), identifier


def test_pictures_of_tables_say_which_inequality_fails(plans):
    found = plans["histogram.add_remove_bound_under_change_one"].instance
    assert verdict(found) == "2 apart (l1), and not at most 1 as claimed"


def test_pictures_are_not_made_where_they_would_say_nothing(plans):
    assert plans.keys() & {"laplace.normalised", "laplace.pure_vector", "count.add_remove"} == set()


def test_runs_are_the_stretches_of_marked_places():
    assert runs([]) == runs([False]) == []
    assert runs([True, False, True, True]) == [(0, 0), (2, 3)]


def test_pictures_of_claims_that_have_none_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("refdp.report.pictures.writing.pictures", lambda _: iter([("a/new.svg", "<svg/>")]))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "old.svg").write_text(f"{MARK}\n<svg/>")
    (tmp_path / "a" / "pure.tree.svg").write_text("<svg/>")
    write(tmp_path)
    assert {p.name for p in (tmp_path / "a").iterdir()} == {"new.svg", "pure.tree.svg"}


def test_pictures_can_be_asked_for_by_pattern():
    assert [name for name, _ in pictures("randomised_response.p*")] == ["randomised_response/pure.svg"]


def test_plot_writes_the_picture_of_a_claim(tmp_path):
    out = tmp_path / "picture.svg"
    done = run(app, ["plot", "laplace.pure", "--out", str(out)])
    assert (done.exit_code, done.stdout.startswith(f"{out}: At scale = 1, d_in = 1: ")) == (0, True)
    assert ET.parse(out).getroot().tag.endswith("svg")
    assert refdp.plot("laplace.pure", out)["kind"] == "laws"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["laplace.normalised", "--kind", "laws", "--out", "a.svg"],
            "kind must be one of those that fit laplace.normalised (derivation), got laws",
        ),
        (["nowhere.json", "--out", "a.svg"], "nowhere.json"),
        (["laplace.pure", "--out", "nowhere/a.svg"], "out must be a file in a folder that exists, got nowhere/a.svg"),
        (["nothing.pure", "--out", "a.svg"], "claim must be one of the ledger's"),
        (["laplace.pure", "--out", "a.jpg"], "out must be a file that ends in .svg, .png or .pdf, got a.jpg"),
    ],
)
def test_plot_refuses_bad_input_in_one_sentence(arguments, sentence):
    done = run(app, ["plot", *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_plot_says_which_extra_is_missing(plans, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ValueError, match="pictures need matplotlib, which the extra `report` of refdp installs"):
        svg_of(plans["laplace.pure"])


def test_hockey_stick_at_0_is_the_total_variation():
    both = numbers.Laws((Fraction(0), Fraction(1)), (0.75, 0.25), (0.25, 0.75))
    assert isclose(numbers.hockey_stick(both, 0), 0.5)
    assert isclose(numbers.hockey_stick(both, log(2)), 0.75 - exp(log(2)) * 0.25)


GREAT = [
    (1000, (0.5, 0.5), (0.25, 0.75), 0.0),
    (1000, (0.5, 0.5), (0.0, 1.0), 0.5),
    (701, (1.0,), (1e-306,), 1 - exp(701 - 306 * log(10))),
]


@pytest.mark.parametrize(("epsilon", "p", "q", "delta"), GREAT)
def test_hockey_stick_at_an_epsilon_whose_power_is_no_float(epsilon, p, q, delta):
    both = numbers.Laws(tuple(map(Fraction, range(len(p)))), p, q)
    assert isclose(numbers.hockey_stick(both, epsilon), delta, rel_tol=1e-9)


def test_a_claim_of_a_great_epsilon_has_a_profile(tmp_path):
    assert (
        run(app, ["plot", "traps.shared_coins", "--kind", "profile", "--out", str(tmp_path / "a.svg")]).exit_code == 0
    )


def test_losses_that_are_all_infinite_have_no_picture(tmp_path):
    done = run(app, ["plot", "traps.shared_coins", "--kind", "losses", "--out", str(tmp_path / "a.svg")])
    assert (done.exit_code, "kind must be one of those that fit traps.shared_coins (" in done.stderr) == (2, True)


NOTHING_TO_DRAW = (
    "claim must be one about epsilon that one event refutes, to have a picture",
    "a picture needs outcomes that are finitely many, or one event of numbers",
)


@pytest.mark.long
@pytest.mark.parametrize("found", [*ledger(), *programs()], ids=lambda one: one.identifier)
def test_every_kind_of_every_claim_is_drawn_without_a_warning(found):
    """Warnings are errors in this suite; in a PNG each character needs a glyph."""
    for maker in claim_makers(found, 60.0).values():
        try:
            content = maker().content(".png")
        except ValueError as error:
            content = str(error)
        assert content in NOTHING_TO_DRAW or content.startswith(b"\x89PNG")
