"""Accounts as theorems: what the rule writes, what evidence shows, and every condition without which it is refused."""

import pytest

from refdp.kernel import rules
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.kernel.judgements import Holds, KernelError
from refdp.kernel.rules.accounts import Pair, part
from refdp.numerics.exact import exact_real
from refdp.terms.reading import read
from tests.exactness.claims import private, stable
from tests.exactness.entering import entered, given, lookup
from tests.kinds import summed

TABLES = "table(records())"
NOISES = {
    "discrete_gaussian(3, 1)": "discrete_gaussian(9, 1)",
    "discrete_laplace(2, 1)": "discrete_laplace(1/2, 1)",
    "gaussian(2)": "normal(1/4)",
    "laplace(2)": "laplace(1/2)",
}


def pure(loss="1/2", measure="pure", domain=TABLES, near="symmetric", d_in=1, subject="m()"):
    losses = tuple(read(one) for one in loss.split(";"))
    return given(private(subject, domain, near, d_in, measure, losses))


def counting(outputs="grid(1)", far="absolute", d_out="1", domain=TABLES, near="symmetric"):
    found = stable("count(records())", domain, near, 1, outputs, far, 1)
    return given(type(found)(*(getattr(found, f) for f in ("subject", "domain", "metric", "d_in", "output_domain",
                                                           "output_metric")), (read(d_out),)))  # fmt: skip


def account(*ms, noises=None, rates=None, counts=None, **others):
    blank = [""] * len(ms)
    words = {"epsilon": "2", "delta": "1/10", "engine": "lattice", "evidence": {"both bits": "64"}} | others
    return rules.account(*ms, noises=noises or blank, rates=rates or blank, counts=counts or ["1"] * len(ms), **words)


@pytest.fixture(autouse=True)
def mechanism():
    """m() is a mechanism."""
    with entered(lookup("m", "finite(3)", {})):
        yield


def test_the_claim_is_about_all_parts_and_names_engine_and_arithmetic():
    found = account(pure(), counting(), noises=["", "discrete_gaussian(3, 1)"], rates=["", ""], counts=["2", "1"])
    assert str(found.claim.term) == (
        "private(compose(repeated(m(), 2), chain(count(records()), discrete_gaussian(3, 1))), table(records()), "
        "symmetric(1), approximate(2, 1/10))"
    )
    assert found.trusts == {"Arb", "engine: lattice"}
    alone = account(pure(), epsilon="1/2", delta="1/1000").claim
    assert (str(alone.subject), list(map(str, alone.d_out))) == ("m()", ["1/2", "1/1000"])


CIRCLE = {"both order": "6", "both size": "21", "both count": "10", "both bits": "160"}


@pytest.mark.parametrize(
    ("engine", "evidence", "premise", "epsilon", "delta", "less"),
    [
        ("closed forms", {"both bits": "128"}, pure("1/4", "gaussian"), "1", "2/125", "1/200"),
        ("lattice", {"both bits": "64"}, pure("ln(3);1/100", "approximate"), "5/4", "101/10000", "99/10000"),
        ("cells", {"both step": "1/1000", "both bits": "64"}, pure("1/2"), "1/4", "7/50", "1/8"),
        ("quadrature", {"both bits": "64", "both accuracy": "64"}, pure("1/4", "gaussian"), "1", "2/125", "1/200"),
        ("contour", {"both order": "6", "both period": "12", "both count": "200", "both bits": "160"},
         pure("1/4", "gaussian"), "1", "2/125", "1/200"),
        ("periodic contour", CIRCLE, pure("1/2"), "1/4", "7/50", "1/8"),
        ("chords", {"both step": "1/500", "both relative": "18", "both lost": "40"}, pure("1/4", "gaussian"), "1",
         "2/125", "1/200"),
        ("Renyi divergences", {"both order": "9", "both bits": "64"}, pure("1/32", "concentrated"), "1", "1/50",
         "1/9000"),
        ("Renyi divergences", {"both order": "8", "both bits": "64"}, pure("8;1/4", "renyi"), "1", "1/50", "1/9000"),
        ("greatest losses", {"both bits": "64"}, pure("1/2"), "1/2", "0", None),
    ],
)  # fmt: skip
def test_every_engine_shows_what_is_true_and_nothing_less(engine, evidence, premise, epsilon, delta, less):
    words = {"engine": engine, "evidence": evidence, "epsilon": epsilon}
    assert account(premise, delta=delta, **words).trusts == {"Arb", f"engine: {engine}"}
    with pytest.raises(KernelError, match="the engine shows a delta of about"):
        account(premise, **words | ({"delta": delta, "epsilon": "49/100"} if less is None else {"delta": less}))
    for key in evidence:
        fewer = {name: value for name, value in evidence.items() if name != key}
        for broken in (fewer, {**evidence, key: "0"}, {**evidence, key: "-1"}, {**evidence, key: "x"}, {},
                       {**evidence, "both more": "1"}, {**evidence, "remove bits": "64"},
                       {**evidence, key: str(2**190)}, {**evidence, key: f"1/{2**190}"},
                       {**evidence, key: str(2**300)}):  # fmt: skip
            with pytest.raises(KernelError):
                account(premise, delta=delta, **{**words, "evidence": broken})


@pytest.mark.parametrize("noise", list(NOISES))
def test_noise_after_a_query_has_the_pair_of_its_formula(noise):
    on_reals = not noise.startswith("discrete")
    claim, pair = part(counting("reals()" if on_reals else "grid(1)").claim, noise, "", "3")
    name, numbers = NOISES[noise].rstrip(")").split("(")
    assert (pair.name, list(map(str, pair.numbers)), pair.count) == (name, numbers.split(", "), 3)
    assert str(claim.subject) == f"repeated(chain(count(records()), {noise}), 3)"
    still = part(counting("reals()" if on_reals else "grid(1)", d_out="0").claim, noise, "", "1")[1]
    assert still == Pair("response", (exact_real(0), exact_real(0).rational))


@pytest.mark.parametrize(
    ("outputs", "far", "d_out", "noise", "rate", "pair"),
    [
        ("vector(grid(1), 4)", "l1", "2", "coordinatewise(discrete_laplace(2, 1), 4)", "",
         "discrete_laplace(1/2, 2) 1"),
        ("vector(grid(1/2), 4)", "l1", "2", "coordinatewise(discrete_gaussian(3, 1/2), 4)", "",
         "discrete_gaussian(36, 4) 1"),
        ("vector(grid(1), 4)", "l2", "sqrt(2)", "coordinatewise(discrete_gaussian(3, 1), 4)", "",
         "discrete_gaussian(9, 1) 2"),
        ("vector(grid(1), 2)", "l2", "sqrt(3)", "coordinatewise(discrete_gaussian(3, 1), 2)", "",
         "discrete_gaussian(9, 1) 2"),
        ("vector(grid(1), 4)", "l2", "sqrt(2)", "coordinatewise(discrete_gaussian(3, 1), 4)", "1/2",
         "discrete_gaussian(9, 2) 1"),
        ("vector(grid(1), 9)", "l2", "sqrt(5)", "coordinatewise(discrete_gaussian(3, 1), 9)", "",
         "discrete_gaussian(9, 5) 1"),
        ("vector(grid(1), 2)", "l2", "10", "coordinatewise(discrete_gaussian(3, 1), 2)", "",
         "discrete_gaussian(9, 14) 1"),
        ("vector(grid(1), 4)", "l2", "1/2", "coordinatewise(discrete_gaussian(3, 1), 4)", "", "response(0, 0) 1"),
        ("vector(reals(), 4)", "l2", "sqrt(2)", "coordinatewise(gaussian(3), 4)", "", "normal(2/9) 1"),
        ("vector(reals(), 4)", "l1", "2", "coordinatewise(gaussian(3), 4)", "", "normal(4/9) 1"),
    ],
)  # fmt: skip
def test_vectors_move_in_l1_or_in_l2(outputs, far, d_out, noise, rate, pair):
    found = part(counting(outputs, far, d_out).claim, noise, rate, "1")[1]
    assert f"{found.name}({', '.join(map(str, found.numbers))}) {found.count}" == pair


def test_wide_noise_may_be_moved_by_more_steps_than_a_grid_holds():
    far = counting(d_out="1000000")
    words = {"engine": "closed forms", "evidence": {"both bits": "128", "both wide": "1"}}
    found = account(far, noises=["discrete_gaussian(2000000, 1)"], epsilon="1", delta="1/125", **words)
    assert list(map(str, found.claim.d_out)) == ["1", "1/125"]
    for less in ({"delta": "1/200"}, {"epsilon": "1/2"}):
        with pytest.raises(KernelError, match="the engine shows a delta of about"):
            account(far, noises=["discrete_gaussian(2000000, 1)"],
                    **{"epsilon": "1", "delta": "1/125"} | words | less)  # fmt: skip
    with pytest.raises(KernelError, match="shift must be"):
        account(far, noises=["discrete_gaussian(1/2, 1)"], epsilon="1", delta="1/125", **words)


def test_samples_are_written_and_a_sample_of_all_or_none_needs_no_sampling():
    words = {"engine": "lattice", "evidence": {"remove bits": "64", "add bits": "64"}}
    found = account(pure(), rates=["1/10"], counts=["3"], **words).claim
    assert str(found.subject) == "repeated(poisson_sampled(1/10, m()), 3)"
    assert str(account(pure(), rates=["1"]).claim.subject) == "poisson_sampled(1, m())"
    none = account(pure(), rates=["0"], epsilon="0", delta="0", engine="lattice", evidence={"both bits": "64"}).claim
    assert list(map(str, none.d_out)) == ["0", "0"]
    both = account(pure("1/4", "gaussian"), rates=["1/2"], engine="closed forms",
                   evidence={"remove bits": "128", "add bits": "128"})  # fmt: skip
    assert str(both.claim.subject) == "poisson_sampled(1/2, m())"
    assert part(pure("0", "gaussian").claim, "", "1/2", "1")[1].name == "response"
    account(pure("0", "gaussian"), rates=["1/2"], **words)


@pytest.mark.parametrize(
    ("ms", "words", "reason"),
    [
        ([], {}, "each premise needs"),
        ([pure()], {"counts": ["1", "1"]}, "each premise needs"),
        ([pure()], {"noises": ["", ""]}, "each premise needs"),
        ([pure(), pure()], {"rates": [""]}, "each premise needs"),
        ([given(Holds("m", "x", "0"))], {}, "private and stable claims"),
        ([pure(), pure(near="change_one")], {}, "inputs of one part are"),
        ([pure(), pure(domain="table(finite(2))")], {}, "inputs of one part are"),
        ([pure(), pure(d_in=2)], {}, "inputs of one part are"),
        ([pure(), counting(near="change_one")], {"noises": ["", "discrete_laplace(2, 1)"]}, "inputs of one part are"),
        ([pure("e")], {}, "must be numbers"),
        ([pure("1;0", "loss_tail")], {}, "a pair is known under"),
        ([pure("-1/8", "concentrated")], {}, "rho must be >= 0"),
        ([pure("1;1", "renyi")], {}, "an order must be > 1"),
        ([pure("2;-1", "renyi")], {}, "its epsilon >= 0"),
        ([pure("1/8", "concentrated")], {"rates": ["1/2"]}, "has no bound on samples"),
        ([pure("8;1", "renyi")], {"rates": ["1"]}, "has no bound on samples"),
        ([pure("1/8", "concentrated")], {}, "."),
        ([counting()], {}, "a pair is known under"),
        ([pure("-1;0", "approximate")], {}, "epsilon must be >= 0"),
        ([pure("1;2", "approximate")], {}, "delta from 0 to 1"),
        ([pure("-1", "gaussian")], {}, "mu_squared must be >= 0"),
        ([pure("sqrt(2)", "gaussian")], {}, "."),
        ([pure()], {"noises": ["discrete_laplace(2, 1)"]}, "noise must follow a stable claim"),
        ([counting()], {"noises": ["discrete_laplace(s, 1)"]}, "must be numbers"),
        ([counting()], {"noises": ["randomised_response(3/4)"]}, "."),
        ([counting()], {"noises": ["discrete_laplace(-2, 1)"]}, "."),
        ([counting()], {"noises": ["discrete_laplace(2, 1/2)"]}, "does not lie in"),
        ([counting("reals()")], {"noises": ["discrete_laplace(2, 1)"]}, "does not lie in"),
        ([counting("vector(grid(1), 2)", "l1")], {"noises": ["discrete_laplace(2, 1)"]}, "does not lie in"),
        ([counting("vector(grid(1), 2)", "l1")], {"noises": ["coordinatewise(discrete_laplace(2, 1), 3)"]},
         "does not lie in"),
        ([counting("vector(grid(1), 2)", "linf")], {"noises": ["coordinatewise(discrete_laplace(2, 1), 2)"]},
         "needs l1 or l2"),
        ([counting("vector(grid(1), 2)", "l2")], {"noises": ["coordinatewise(discrete_laplace(2, 1), 2)"]},
         "needs a distance in L1"),
        ([counting(far="discrete")], {"noises": ["discrete_laplace(2, 1)"]}, "needs absolute"),
        ([counting("reals()")], {"noises": ["staircase(1, 1/2, 2)"]}, "."),
        ([counting(d_out="-1")], {"noises": ["discrete_laplace(2, 1)"]}, "d_out must be >= 0"),
        ([counting(d_out="1000000")], {"noises": ["discrete_laplace(2, 1)"]}, "shift must be"),
        ([pure()], {"rates": ["2"]}, "rate must be from 0 to 1"),
        ([pure()], {"rates": ["-1/2"]}, "rate must be from 0 to 1"),
        ([pure(near="change_one")], {"rates": ["1/2"]}, "one row added or removed"),
        ([pure(d_in=2)], {"rates": ["1/2"]}, "one row added or removed"),
        ([pure(domain="sized_table(records(), 4)")], {"rates": ["1/2"]}, "one row added or removed"),
        ([pure()], {"counts": ["0"]}, "count must be"),
        ([pure()], {"counts": ["3/2"]}, "count must be"),
        ([pure()], {"counts": ["1000001"]}, "count must be"),
        ([pure()], {"epsilon": "-1"}, "epsilon must be >= 0"),
        ([pure()], {"delta": "1"}, "delta >= 0 and < 1"),
        ([pure()], {"delta": "-1/2"}, "delta >= 0 and < 1"),
        ([pure()], {"engine": "contours"}, "engine must be one of"),
        ([pure()], {"evidence": {"both bits": "64", "both wide": "0"}}, "wide must be a whole number from 1 to"),
        ([pure()], {"evidence": {"both bits": "64", "both wide": "1/2"}}, "wide must be a whole number from 1 to"),
        ([counting()], {"noises": ["discrete_gaussian(3, 1)"], "epsilon": "1/10", "engine": "closed forms",
                        "evidence": {"both bits": "64", "both wide": "1"}}, "where noise is taken for normal noise"),
        ([counting()], {"noises": ["discrete_gaussian(3, 1)"], "engine": "closed forms",
                        "evidence": {"both bits": "64", "both wide": "10"}}, "no closed form"),
        ([counting()], {"noises": ["discrete_gaussian(1/2, 1)"], "engine": "closed forms",
                        "evidence": {"both bits": "64", "both wide": "1"}}, "no closed form"),
        ([counting()], {"noises": ["discrete_gaussian(9, 1)"], "rates": ["1/2"], "engine": "closed forms",
                        "evidence": {f"{side} {name}": "64" for side in ("remove", "add")
                                     for name in ("bits", "wide")}}, "no closed form"),
        ([pure()], {"engine": "contour"}, "the numbers"),
        ([pure()], {"engine": "closed forms", "evidence": {"both bits": "2049"}}, "a whole number from 32 to"),
        ([pure(), pure("1/3")], {"engine": "closed forms"}, "."),
        ([pure("1/4", "gaussian")], {}, "not found to lie on a lattice"),
        ([pure(), pure("1/4", "gaussian")], {"engine": "closed forms"}, "no closed form"),
        ([pure()], {"engine": "quadrature", "evidence": {"both bits": "64", "both accuracy": "64"}}, "."),
        ([pure("1/4", "gaussian")], {"engine": "cells", "evidence": {"both step": "1", "both bits": "64"}}, "."),
        ([pure()], {"engine": "contour", "evidence": {"both order": "1", "both period": "9", "both count": "9",
                                                      "both bits": "160"}}, "needs a Gaussian event"),
        ([pure("1/4", "gaussian")], {"engine": "contour", "evidence": {"both order": "1", "both period": "9",
                                     "both count": "9", "both bits": "40"}}, "bits must be more than"),
        ([pure()], {"engine": "periodic contour", "evidence": CIRCLE | {"both size": "20"}}, "size must be odd"),
        ([pure()], {"engine": "periodic contour", "evidence": CIRCLE | {"both count": "11"}}, "size must be odd"),
        ([pure()], {"engine": "periodic contour", "evidence": CIRCLE | {"both size": "1"}}, "size must be a whole"),
        ([pure()], {"engine": "periodic contour", "evidence": CIRCLE | {"both bits": "40"}}, "bits must be more than"),
        ([pure("1/4", "gaussian")], {"engine": "contour", "evidence": {"both order": "2", "both period": "10",
                                     "both count": "1000000", "both bits": "2000"}}, "count must be at most 20000"),
        ([pure()], {"engine": "periodic contour", "evidence": CIRCLE | {
            "both size": "1000001", "both count": "500000", "both bits": "2048"}}, "count must be at most 19531"),
        ([pure("1/4", "gaussian")], {"engine": "periodic contour", "evidence": CIRCLE}, "common lattice"),
        ([pure(), pure("1/4", "gaussian")], {"engine": "periodic contour", "evidence": CIRCLE}, "common lattice"),
        ([pure()], {"rates": ["1/2"], "evidence": {"remove bits": "64"}}, "."),
        ([pure()], {"rates": ["1/2"]}, "about remove or add"),
    ],
)  # fmt: skip
def test_what_is_not_as_it_must_be_is_refused(ms, words, reason):
    with pytest.raises(KernelError, match=reason):
        account(*ms, **words)


def test_a_genuine_certificate_replays_and_edited_ones_do_not():
    count = summed("count")
    theorem = rules.account(rules.instantiate(count, values={"rows": "records()", "d_in": "1"}),
                            noises=["discrete_gaussian(3, 1)"], rates=[""], counts=["6"], epsilon="2", delta="1/200",
                            engine="lattice", evidence={"both bits": "64"})  # fmt: skip
    found = parsed(text_of(certificate(theorem, "")))
    assert replay(found, lambda asked, by: frozenset(by)).theorem.claim == theorem.claim
    for key, value in (
        ("delta", "1/100000"), ("epsilon", "1"), ("counts", ["60"]), ("noises", ["discrete_gaussian(1, 1)"]),
        ("engine", "closed forms"), ("engine", ""), ("evidence", {}), ("evidence", {"both bits": "2"}),
        ("counts", []), ("noises", []), ("rates", ["1/2"]),
    ):  # fmt: skip
        edited = parsed(text_of(certificate(theorem, "")))
        edited["steps"][-1]["data"][key] = value
        with pytest.raises(KernelError):
            replay(edited, lambda asked, by: frozenset(by))
