"""The docket is read strictly; its verdicts are those of theorems, and its sums are exact."""

import tomllib
from copy import deepcopy
from fractions import Fraction

import pytest

from refdp.claims import Claim, claim
from refdp.docket import CERTAINTIES, ENTRIES, VERDICTS, DocketError, decimal, entries, entry, verdict, within
from refdp.docket import number as term_of
from refdp.numerics.exact import decide
from tests.made import certificate_of

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


def test_verdicts_of_all_entries_are_those_of_their_certificates():
    found = {slug: verdict(one, of) for slug, one in BY_SLUG.items()}
    assert set(found.values()) <= set(VERDICTS)
    assert found["apple_safari_domains"] == "PROVED"
    assert found["google_mobility_reports"] == found["wikimedia_page_views"] == "PROVED_IF"
    assert found["census_redistricting"] == found["google_rappor_report"] == "PROVED_AT_OTHER_NUMBERS"
    assert found["google_search_trends_symptoms"] == found["meta_urls"] == found["census_dhc"] == "AMBIGUOUS"
    assert found["uber_flex"] == found["linkedin_pripearl"] == "NOT_STATABLE"


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
    assert right["apple_lookup_hints"] == 8
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
