"""The docket is read strictly; its verdicts are those of theorems, and its sums are exact."""

import re
import tomllib
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import product

import mpmath
import pytest

from refdp.claims import Claim, claim
from refdp.docket import CERTAINTIES, ENTRIES, VERDICTS, DocketError, decimal, entries, entry, exceeds, verdict, within
from refdp.docket import number as term_of
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.exact import decide
from refdp.proofs.lines import prove
from refdp.provers.witnesses import refuted_by_ends
from refdp.report.generality import subject, things
from refdp.terms.reading import read
from refdp.terms.term import names
from tests.made import certificate_of
from tests.meta.repository import ROOT

BY_SLUG = {one.slug: one for one in entries()}


def of(listed):
    """What the claim's certificate concludes, beside what the ledger expects of it."""
    concluded = certificate_of(listed.identifier)["conclusion"]
    assert concluded.startswith("refuted(") == (listed.expected == "REFUTED"), concluded
    return listed.expected


def given(slug="google_mobility_reports"):
    """An entry as its file has it."""
    return tomllib.loads((ENTRIES / f"{slug}.toml").read_text(encoding="utf-8"))


def test_docket_has_the_deployments_that_it_must_have():
    assert len(BY_SLUG) >= 25
    who = {name for one in BY_SLUG.values() for name in one.blocks["basic"]["data_curators"]}
    assert who >= {
        "Apple",
        "Google",
        "LinkedIn",
        "Meta",
        "Microsoft",
        "Uber",
        "US Census Bureau",
        "Wikimedia Foundation",
    }


def test_every_entry_says_what_nobody_claims_and_where_it_stands():
    for one in BY_SLUG.values():
        assert one.said["not_claimed"], one.slug
        sources = one.blocks["administrative"]["sources"]
        assert sources, one.slug
        assert all(source["certainty"] in CERTAINTIES and source["section"] for source in sources), one.slug


def test_no_verdict_and_no_sum_is_typed_in():
    for path in ENTRIES.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        assert not any(f"{key} =" in text for key in ("verdict", "sum_checked", "sum")), path.name


def test_verdicts_told_on_the_page_of_deployments_are_those_of_their_entries():
    """Its tables name an entry, what was published, and the verdict."""
    page = (ROOT / "docs/deployments.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[[^]]+\]\(docket/(\w+)\.md\) \| (\w+) ([\d.]+) \| (\w+) \|", page, re.MULTILINE)
    assert len(rows) == 9
    for slug, parameter, number, word in rows:
        assert BY_SLUG[slug].parameters[parameter] == number, slug
        assert verdict(BY_SLUG[slug], of) == word, slug


def test_verdicts_of_all_entries_are_those_of_their_certificates():
    found = {slug: verdict(one, of) for slug, one in BY_SLUG.items()}
    assert set(found.values()) <= set(VERDICTS)
    assert found["apple_safari_domains"] == found["apple_emoji"] == found["apple_health_types"] == "PROVED"
    assert {slug for slug, word in found.items() if word == "PROVED_IF"} == {
        "apple_lookup_hints",
        "apple_safari_autoplay",
        "google_mobility_reports",
        "microsoft_one_bit_mean",
        "wikimedia_page_views",
        "wikimedia_page_views_historical",
    }
    assert {slug for slug, word in found.items() if word == "PROVED_AT_OTHER_NUMBERS"} == {
        "apple_quicktype",
        "census_redistricting",
        "google_rappor_permanent",
        "google_rappor_report",
        "microsoft_histogram",
        "uber_flex",
    }
    assert found["google_search_trends_symptoms"] == found["meta_urls"] == found["census_dhc"] == "AMBIGUOUS"
    assert found["linkedin_hiring"] == found["apple_macos_10_12"] == "AMBIGUOUS"
    assert found["linkedin_pripearl"] == found["microsoft_many_counters"] == "NOT_STATABLE"


MECHANISMS = {
    "d_bit_flip": "dBitFlip",
    "discrete_gaussian": "Discrete Gaussian noise",
    "discrete_laplace": "Two-sided geometric noise",
    "gaussian": "Gaussian noise",
    "hadamard_entry_response": "Hadamard count mean sketch",
    "laplace": "Laplace noise",
    "one_bit_mean": "1BitMean",
    "permanent_response": "Permanent randomised response",
    "scaled_laplace": "Laplace noise scaled to twice the smooth elastic sensitivity over epsilon",
    "rappor": "Instantaneous randomised response on permanent bits",
    "symmetric_unary_encoding": "ount mean sketch",
}
"""Stem of a mechanism -> what the record must call its own for a theorem about it to be one of the deployment."""
QUERIES = {"histogram"}
"""Stems of what noise is added to."""
MASSES = {"docket.report_where_hashes_coincide": "docket.instantaneous_report"}
"""Formal claim about masses that are written down, and the one about the mechanism that they are masses of."""


@pytest.mark.parametrize("slug", [slug for slug, one in BY_SLUG.items() if one.formal])
def test_formal_claims_are_about_the_mechanism_of_the_record(slug):
    """A theorem about another mechanism, or about two of its inputs, is none of the deployment."""
    one = BY_SLUG[slug]
    for c in one.formal:
        if c.identifier in MASSES:
            assert MASSES[c.identifier] in one.said["formal"]
            continue
        stems = set(things(subject(c))) - QUERIES
        assert stems, f"{c.identifier} is about no mechanism"
        assert stems <= MECHANISMS.keys(), f"{c.identifier} is about {stems}, which no record has"
        assert all(MECHANISMS[stem] in one.blocks["implementation"]["mechanisms"] for stem in stems), stems
        assert read(c.formal).arguments[1].operator != "finite", f"{c.identifier} is about a few inputs"


@pytest.mark.parametrize("slug", [slug for slug, one in BY_SLUG.items() if one.formal])
def test_formal_claims_hold_at_the_sizes_of_the_record(slug):
    """Sketches, filters, buckets and lists of cells have any size; the one that has a size says so in its entry."""
    one = BY_SLUG[slug]
    for c in one.formal:
        sizes = {"bits", "dimension", "d", "hashes", "k", "m"} & set(names(read(c.formal)))
        assert (
            sizes or c.identifier in MASSES or things(subject(c)) == ("one_bit_mean",) or one.said.get("other_numbers")
        )


def test_distances_of_a_period_have_each_a_theorem():
    one = BY_SLUG["wikimedia_page_views_historical"]
    printed = {int(n) for n in re.findall(r"\d+", one.said["bound"]["k"])}
    proved = {int(str(read(c.formal).arguments[2].arguments[0])) for c in one.formal}
    scales = {int(str(read(c.formal).arguments[0].arguments[0].arguments[0])) for c in one.formal}
    assert printed == proved == scales == {300, 30}
    assert all(n in one.blocks["implementation"]["mechanisms"] for n in ("300", "30"))


def delta_of_normal_noise(mu, epsilon):
    """The exact delta of normal noise with sigma = 1 between numbers mu apart.  Source: BW18."""
    mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
    return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


def test_normal_noise_beside_the_redistricting_data_has_the_printed_rho_at_least():
    whole = read(claim("docket.normal_noise_of_the_same_rho").formal)
    sigma, mu = whole.arguments[0].arguments[0].value, whole.arguments[2].arguments[0].value
    printed = Fraction(BY_SLUG["census_redistricting"].parameters["rho"])
    assert printed <= mu**2 / (2 * sigma**2) < printed + Fraction("0.001")
    with mpmath.workdps(40):
        assert delta_of_normal_noise("2.263", "17.14") < mpmath.mpf("1e-10")
        root = mpmath.sqrt(2 * mpmath.mpf("2.56"))
        assert delta_of_normal_noise(root, "16.48") < mpmath.mpf("1e-10") < delta_of_normal_noise(root, "16.475")


def test_printed_epsilon_of_the_urls_is_that_of_a_mu_that_rounds_to_the_printed_one():
    notes = BY_SLUG["meta_urls"].blocks["administrative"]["notes"]
    low, high = re.search(r"a mu from ([0-9.]+) to ([0-9.]+),", notes).groups()
    assert Fraction("0.3755") < Fraction(low) < Fraction(high) < Fraction("0.3765")
    small, delta = mpmath.mpf("0.00002"), mpmath.mpf("1e-5")
    with mpmath.workdps(40):
        for mu, epsilon in ((low, "1.4525"), (high, "1.4535")):
            assert delta_of_normal_noise(mpmath.mpf(mu) - small, epsilon) < delta
            assert delta_of_normal_noise(mpmath.mpf(mu) + small, epsilon) > delta
        assert delta_of_normal_noise("0.376", "1.4515") > delta > delta_of_normal_noise("0.376", "1.4525")
        of_rho = mpmath.sqrt(2 * mpmath.mpf("0.0728"))
        assert delta_of_normal_noise(of_rho, "1.47575") > delta > delta_of_normal_noise(of_rho, "1.47585")


def test_printed_epsilon_of_housing_units_needs_more_than_the_printed_rho():
    """By the best Renyi order, found here among many."""
    with mpmath.workdps(30):
        found = {
            rho: min(
                a * mpmath.mpf(rho) + mpmath.log(10**10 / a) / (a - 1) + mpmath.log(1 - 1 / a)
                for a in (1 + mpmath.mpf(i) / 100 for i in range(1, 5000))
            )
            for rho in ("0.07", "0.0746", "0.0747")
        }
    assert found["0.07"] < mpmath.mpf("2.465") < found["0.0746"] < found["0.0747"] < mpmath.mpf("2.475")
    assert abs(found["0.0747"] - mpmath.mpf("2.47")) < mpmath.mpf("0.0005")


def test_report_where_hashes_coincide_has_the_masses_of_all_filters_of_one_or_two_ones():
    """Three bits are enough where one filter has one 1 and the other two; the loss is at most that of two and two."""
    q, p = Fraction(11, 16), Fraction(9, 16)
    filters = [x for x in product((0, 1), repeat=3) if 1 <= sum(x) <= 2]

    def law(x):
        chances = [q if bit else p for bit in x]
        for told in product((0, 1), repeat=len(x)):
            masses = [c if t else 1 - c for c, t in zip(chances, told, strict=True)]
            yield masses[0] * masses[1] * masses[2]

    whole = read(claim("docket.report_where_hashes_coincide").formal)
    rows = [[mass.value for mass in row.arguments] for row in whole.arguments[0].arguments[0].arguments]
    assert rows == [list(law(x)) for x in filters]
    greatest = max(a / b for x in rows for y in rows for a, b in zip(x, y, strict=True))
    assert greatest <= Fraction(77, 45) ** 2
    two, one = rows[filters.index((1, 1, 0))], rows[filters.index((0, 0, 1))]
    assert max(a / b for a, b in zip(two, one, strict=True)) == (q / p) ** 2 * (1 - p) / (1 - q)


@pytest.mark.parametrize(
    ("identifier", "exponent"),
    [
        ("docket.hadamard_sketch_sign", 4),
        ("docket.count_mean_sketch_at_two", 1),
        ("docket.count_mean_sketch_at_four", 2),
        ("docket.count_mean_sketch_at_eight", 4),
    ],
)
def test_flip_of_a_sketch_is_the_published_one_rounded_up(identifier, exponent):
    """More noise than published, by less than one in a hundred; and the claim is about sketches of every size."""
    whole = read(claim(identifier).formal)
    randomiser, hashes = whole.arguments[0].arguments
    flip = 1 - randomiser.arguments[1].value
    published = 1 / (1 + mpmath.exp(exponent))
    assert published < mpmath.mpf(flip.numerator) / flip.denominator < published * mpmath.mpf("1.01")
    assert str(randomiser.arguments[0]) == "m"
    assert str(hashes) == "hashes"
    entries_of_it = [one for one in BY_SLUG.values() if identifier in one.said.get("formal", ())]
    assert entries_of_it
    for one in entries_of_it:
        assert any(f"{flip}" in said and "rounded up" in said for said in one.said["assumes"]), one.slug


def test_noise_of_page_views_is_the_published_one_rounded_up():
    sigma = read(claim("docket.page_views").formal).arguments[0].arguments[0].arguments[0].value
    assert Fraction(1000, 3) < sigma**2 < Fraction(1000, 3) * Fraction("1.001")
    assert any(f"{sigma}" in said and "rounded up" in said for said in BY_SLUG["wikimedia_page_views"].said["assumes"])


def test_bit_of_one_counter_has_exactly_the_published_epsilon():
    whole = read(claim("docket.perturbed_bit_as_published").formal)
    published = Fraction(BY_SLUG["microsoft_one_bit_mean"].parameters["epsilon"])
    assert str(whole.arguments[0].arguments[1]) == f"exp({published})"
    assert whole.arguments[3].arguments[0].value == published


@pytest.mark.parametrize(("ratio", "flip"), [(4, Fraction(1, 5)), (9, Fraction(1, 10)), (Fraction(7, 2), Fraction(0))])
def test_perturbed_bit_is_a_bit_of_one_bit_mean_with_another_ratio(ratio, flip):
    """1BitMean with a flip of gamma is 1BitMean with the ratio of the rates at both ends: affine, and as symmetric."""

    def rate(x, r):
        return 1 / Fraction(r + 1) + x * Fraction(r - 1) / (r + 1)

    def perturbed(x):
        return (1 - 2 * flip) * rate(x, ratio) + flip

    other = perturbed(1) / perturbed(0)
    assert other == (1 - perturbed(0)) / (1 - perturbed(1))
    assert all(perturbed(Fraction(i, 7)) == rate(Fraction(i, 7), other) for i in range(8))


@pytest.mark.parametrize(
    ("identifier", "parameters", "does"),
    [
        ("docket.mobility_without_the_cap", {"epsilon": "2.64"}, True),
        ("docket.mobility_without_the_cap", {"epsilon": "2.65"}, False),
        ("docket.page_list_of_true_counts", {"rho": "0.015"}, True),
        ("docket.page_list_of_true_counts", {"rho": "0.0151"}, False),
        ("docket.invariants_in_the_clear", {"rho": "2.56"}, True),
        ("docket.invariants_in_the_clear", {"rho": "2.57"}, False),
        ("docket.mobility_without_the_cap", {"rho": "0.01"}, False),
        ("docket.page_list_of_true_counts", {}, False),
        ("docket.flex_delta_is_negligible", {"rho": "0.015"}, False),
    ],
)
def test_refuted_claim_refutes_a_published_number_that_is_no_more(identifier, parameters, does):
    assert exceeds(claim(identifier), parameters) is does


def test_claim_without_a_delta_follows_from_no_rho():
    listed = claim("docket.invariants_in_the_clear")
    without = replace(listed, formal=re.sub(r"1/1\s*0000000000", "0", listed.formal))
    assert "approximate(448/25, 0)" in " ".join(without.formal.split())
    assert exceeds(without, {"rho": "2.56"}) is False


def test_condition_that_is_refuted_at_a_smaller_number_is_none():
    """1BitMean was refuted without clipping at ln(4), and 0.686 is published: more noise, and no refutation of it."""
    found = given("microsoft_one_bit_mean")
    found["claim"]["conditions"][0]["refuted"] = "docket.counters_without_a_cap"
    assert verdict(entry("changed", found), of) == "PROVED_IF"
    found["privacy_loss"]["privacy_parameters"] = {"epsilon": "1.673"}
    with pytest.raises(DocketError, match=r"counters_without_a_cap must refute .*1\.673.* without the condition"):
        verdict(entry("changed", found), of)


def test_number_that_is_its_own_only_part_is_refused():
    found = given("apple_emoji")
    found["claim"]["parts"] = [{"name": "all of it", "mechanism": "any", "loss": "4", "certainty": "r"}]
    with pytest.raises(DocketError, match="more than the published number once more"):
        entry("changed", found)
    found["claim"]["parts"][0]["multiplicity"] = 2
    assert entry("changed", found).sum_checked is False


def test_every_claim_of_the_book_is_named_by_an_entry():
    named = set()
    for one in BY_SLUG.values():
        named |= {*one.said.get("formal", ()), *one.said.get("beside", ())}
        named |= {condition["refuted"] for condition in one.said.get("conditions", ())}
    from refdp.claims import ledger

    assert {c.identifier for c in ledger() if c.book == "docket"} - named == set()


def test_parts_that_do_not_add_up_are_these():
    """By fractions of the printed decimals, added here anew."""
    wrong = {slug: (one.sum, one.total) for slug, one in BY_SLUG.items() if one.sum_checked is False}
    assert wrong == {
        "google_search_trends_symptoms": (Fraction("1.638") + Fraction("0.021"), Fraction("1.68")),
        "census_dhc": (Fraction("4.96") + Fraction("7.70"), Fraction("15.29")),
    }


def test_parts_that_add_up_are_these():
    right = {slug: one.total for slug, one in BY_SLUG.items() if one.sum_checked}
    assert right["google_mobility_reports"] == 4 * Fraction("0.44") + 2 * Fraction("0.44") == Fraction("2.64")
    assert right["meta_urls"] == 14 * Fraction("0.0052")
    assert right["israel_births"] == 2 * (4 + Fraction("0.99"))
    assert right["linkedin_hiring"] == Fraction("4.8")
    assert BY_SLUG["apple_lookup_hints"].sum_checked is BY_SLUG["apple_emoji"].sum_checked is None
    assert all(one.total in map(Fraction, one.parameters.values()) for one in BY_SLUG.values() if one.parts)
    assert BY_SLUG["linkedin_pripearl"].sum_checked is BY_SLUG["uber_flex"].sum_checked is None


@pytest.mark.parametrize(
    ("slug", "says"),
    [
        ("apple_emoji", "65,546"),
        ("meta_urls", "mu is printed as 0.376"),
        ("uber_flex", "At epsilon 0.01"),
        ("census_redistricting", "17.14 does not follow"),
        ("google_search_trends_symptoms", "0.042 is printed"),
        ("wikimedia_page_views_historical", "3500"),
    ],
)
def test_what_does_not_hold_is_listed(slug, says):
    assert [failure for failure in BY_SLUG[slug].failures() if says in failure]


@pytest.mark.parametrize("slug", ["microsoft_many_counters", "wikimedia_page_views", "census_detailed_dhc_a"])
def test_what_holds_is_no_failure(slug):
    assert all(check.holds for check in BY_SLUG[slug].checks)
    assert list(BY_SLUG[slug].failures()) == []


def test_moved_digit_of_a_part_is_noticed():
    changed = given()
    changed["claim"]["parts"][0]["loss"] = "0.12"
    one = entry("changed", changed)
    assert one.sum_checked is False
    assert list(one.failures()) == ["The parts add up to 2.68, and the published epsilon is 2.64."]


def test_no_parts_are_not_a_sum_of_zero():
    changed = given()
    changed["claim"]["parts"] = []
    assert entry("changed", changed).sum is entry("changed", changed).sum_checked is None


def changed(*path, to):
    """The file of an entry with one value changed, or removed where that is None."""
    found = deepcopy(given())
    inside = found
    for key in path[:-1]:
        inside = inside[key]
    if to is None:
        del inside[path[-1]]
    else:
        inside[path[-1]] = to
    return found


@pytest.mark.parametrize(
    ("path", "to", "says"),
    [
        (("extra",), {}, "the entry must have keys among"),
        (("claim",), None, "the entry must have claim"),
        (("basic",), "Google", "basic must be a table"),
        (("basic", "epsilon"), "1", "basic must have keys among"),
        (("basic", "name"), None, "basic must have name"),
        (("claim", "verdict"), "PROVED", "claim must have keys among"),
        (("claim", "total"), {"epsilon": "8"}, "claim must have keys among"),
        (("claim", "period"), "for ever", "claim.period must be one of"),
        (("claim", "certainty"), "x", "claim.certainty must be one of"),
        (("claim", "not_claimed"), None, "claim must have not_claimed"),
        (("claim", "formal"), [], "claim must have one of formal, missing, no_words, got none"),
        (("claim", "missing"), ["it"], "claim must have one of formal, missing, no_words, got formal, missing"),
        (("claim", "parts", 0, "multiplicity"), 0, "multiplicity must be a whole number >= 1, got 0"),
        (("claim", "parts", 0, "loss"), "-1", "loss must be >= 0, got -1"),
        (("claim", "parts", 0, "certainty"), "z", "the certainty of a part must be one of"),
        (("claim", "parts", 0, "extra"), "z", "a part must have keys among"),
        (("claim", "bound", "radius"), "z", "claim.bound must have keys among"),
        (("administrative", "sources", 0, "section"), None, "a source must have section"),
        (("claim", "conditions", 0, "refuted"), None, "a condition must have refuted"),
        (("claim", "formal"), "docket.mobility_day", "claim.formal must be a list of texts"),
        (("claim", "not_claimed"), [], "claim.not_claimed must name something"),
        (("claim", "parts"), [1], "claim.parts must be a list of tables"),
        (("claim", "per"), 1, "claim.per must be a text"),
        (("basic", "name"), "", "basic.name must be a text"),
        (("privacy_loss", "privacy_parameters"), {"epsilon": 2.64}, "privacy_loss.privacy_parameters must be a table"),
        (("privacy_loss", "privacy_parameters"), {"mu": "1"}, "a published number must have keys among"),
    ],
)  # fmt: skip
def test_entry_that_is_not_well_formed_is_refused(path, to, says):
    with pytest.raises(DocketError, match=f"^changed: {says}"):
        entry("changed", changed(*path, to=to))


@pytest.mark.parametrize("path", [("claim", "formal"), ("claim", "beside")])
def test_entry_that_names_no_claim_is_refused(path):
    with pytest.raises(ValueError, match="claim must be one of the ledger's"):
        entry("changed", changed(*path, to=["docket.none_such"]))


def test_condition_without_formal_claims_is_refused():
    found = changed("claim", "formal", to=[])
    found["claim"]["missing"] = ["it"]
    with pytest.raises(DocketError, match="conditions must stand beside formal claims"):
        entry("changed", found)


def test_verdict_is_refuted_where_a_formal_claim_is():
    one = entry("changed", changed("claim", "formal", to=["docket.mobility_day", "docket.mobility_without_the_cap"]))
    assert verdict(one, of) == "REFUTED"


def test_refuted_claim_at_other_numbers_refutes_no_deployment():
    found = changed("claim", "formal", to=["docket.mobility_without_the_cap"])
    found["claim"]["other_numbers"] = "More places."
    with pytest.raises(DocketError, match=r"must refute .* at the published numbers"):
        verdict(entry("changed", found), of)


def test_refuted_smaller_number_refutes_no_deployment():
    found = changed("claim", "formal", to=["docket.mobility_without_the_cap"])
    found["privacy_loss"]["privacy_parameters"] = {"epsilon": "2.65"}
    with pytest.raises(DocketError, match=r"must refute .* at the published numbers"):
        verdict(entry("changed", found), of)


def test_unknown_claim_gives_no_verdict():
    with pytest.raises(DocketError, match=r"docket\.mobility_day must be proved or refuted, got UNKNOWN"):
        verdict(BY_SLUG["google_mobility_reports"], lambda _: "UNKNOWN")


def test_condition_that_is_not_refuted_is_none():
    found = changed("claim", "conditions", 0, "refuted", to="docket.mobility_day")
    with pytest.raises(DocketError, match=r"docket\.mobility_day must be refuted, got PROVED"):
        verdict(entry("changed", found), of)


@pytest.mark.parametrize("parameters", [{"epsilon": "2.639999"}, {"rho": "2.64"}, {"delta": "2.64"}, {}])
def test_theorem_that_bounds_more_than_was_published_is_no_verdict(parameters):
    one = entry("changed", changed("privacy_loss", "privacy_parameters", to=parameters))
    with pytest.raises(DocketError, match=r"docket\.mobility_day must bound the loss by"):
        verdict(one, of)


@pytest.mark.parametrize(
    ("identifier", "parameters", "is_within"),
    [
        ("docket.page_views", {"rho": "0.015"}, True),
        ("docket.page_views", {"rho": "0.0149999"}, False),
        ("docket.page_views", {"epsilon": "0.015"}, False),
        ("docket.page_views_in_epsilon", {"epsilon": "1", "delta": "1e-7"}, True),
        ("docket.page_views_in_epsilon", {"epsilon": "1"}, False),
        ("docket.page_views_in_epsilon", {"epsilon": "1", "delta": "0.99e-7"}, False),
        ("docket.permanent_bits", {"epsilon": "4.3945"}, True),
        ("docket.permanent_bits", {"epsilon": "4.3944"}, False),
        ("docket.flex_delta", {"epsilon": "100"}, False),
        ("profiles.noise_of_vectors", {"epsilon": "100", "delta": "1", "rho": "100"}, False),
    ],
)
def test_loss_of_a_claim_is_compared_with_what_was_published(identifier, parameters, is_within):
    assert within(claim(identifier), parameters) == is_within


def test_claim_with_open_loss_is_not_within_a_number():
    listed = claim("laplace.pure")
    assert isinstance(listed, Claim)
    with pytest.raises(ValueError, match=r"."):
        within(listed, {"epsilon": "1"})


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction("0.015"), "0.015"), (Fraction(-1, 4), "-0.25"), (Fraction(8), "8"), (Fraction(1, 3), "1/3"),
     (Fraction(0), "0"), (None, "none"), (Fraction("12.66"), "12.66"), (Fraction(1, 10**7), "0.0000001")],
)  # fmt: skip
def test_decimal_prints_the_number(value, text):
    assert decimal(value) == text
    if value is not None:
        assert Fraction(text) == value
        assert decide(term_of(value) <= term_of(Fraction(text)))


def test_flex_noise_is_not_refuted_and_no_smaller_delta_is_concluded_than_it_has():
    """At the ends that refute half of its noise it stands; its own delta at these parameters is about 6 / 10^5."""
    whole = claim("docket.flex_noise").formal
    for pair in (((1, Fraction(10024, 10000)), (0, 1)), ((0, 1), (1, Fraction(10024, 10000)))):
        for ends in ((-60, Fraction(41, 20)), (-963, 12), (-1000, 200)):
            with pytest.raises(KernelError, match="does not break"):
                refuted_by_ends(whole, {}, *pair, ends)
    values = {"scale": "200", "d_in": str(read(whole).arguments[2].arguments[0]), "epsilon": "1/100"}
    family = prove(claim("scaled_laplace.approximate"))
    rules.instantiate(family, values=values, d_out=["1/100", "1/10000"])
    with pytest.raises(KernelError):
        rules.instantiate(family, values=values, d_out=["1/100", "1/100000"])
