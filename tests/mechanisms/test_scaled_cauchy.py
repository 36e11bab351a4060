"""scaled_cauchy: every formula is needed as it stands, and what has no law or no density is refused."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.rounded_scaled_cauchy import ROUNDED_SCALED_CAUCHY
from refdp.mechanisms.scaled_cauchy import SCALED_CAUCHY
from refdp.mechanisms.scaled_laplace import SCALED_LAPLACE
from refdp.provers.algebra.known import SUMS, known
from refdp.spec.bound_noise import privacy_loss, privacy_obligations
from refdp.spec.obligations import obligations, privacy
from refdp.spec.samplers import sampler_obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError, number
from tests.exactness.entering import written
from tests.exactness.variants import verdict
from tests.kinds import believed, lemmas, mechanism, registered

READS = {"rarity": "z", "spread": "c h", "cosh_of_loss": "growth scale"}
WRONG = [
    ("density_falls_as_a_square", "rarity", "1 + z**2 / 2"),
    ("density_falls_as_a_square", "rarity", "z**2"),
    ("narrow_noise_is_at_most_so_much_denser", "spread", "1 + c**2"),
    ("narrow_noise_is_at_most_so_much_denser", "spread", "1 + c**2 + 999 * h**2 / 1000"),
    ("wide_noise_is_at_most_so_much_denser", "spread", "1 + h**2"),
    ("spread_is_greatest_at_the_ends", "spread", "c * (1 - (c - 2) ** 2)"),
    ("spread_is_within_the_map", "cosh_of_loss", "1 + 1 / (2 * scale**2)"),
    ("spread_is_within_the_map", "cosh_of_loss", "(1 + growth**2 + 1 / scale**2) / (2 * growth)"),
    (
        "spread_is_within_the_map", "cosh_of_loss",
        "999 * max(1 + 1 / (2 * scale**2), (1 + growth**2 + 1 / scale**2) / (2 * growth)) / 1000",
    ),
    ("cosh_is_at_least_1", "cosh_of_loss", "1 / growth"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "field", "body"), WRONG)
def test_scaled_cauchy_with_a_wrong_formula_is_not_proved(key, field, body):
    wrong = replace(SCALED_CAUCHY, stem="m", **{field: written(field, READS[field], read(body))})
    assert verdict(wrong, key) == "disproved"


def test_what_was_found_by_hand_is_an_identity_for_both_and_no_other_formula():
    for stem in ("scaled_cauchy", "rounded_scaled_cauchy"):
        obligations = privacy(stem)
        found_by_hand = sorted(SUMS.keys() & obligations)
        assert len(found_by_hand) == 3
        for key in found_by_hand:
            statement = obligations[key]
            found = known(f"{stem}.{key}", statement)
            theorem = rules.algebra(obligation=f"{stem}.{key}", digest=statement.digest, cases=found)
            assert theorem.trusts == frozenset()
            wrong = [found[0].replace("product(1", "product(2", 1)]
            with pytest.raises(KernelError, match="the sum is not 0"):
                rules.algebra(obligation=f"{stem}.{key}", digest=statement.digest, cases=wrong)
    for spread in ("1 + c**2 + 999 * h**2 / 1000", "1 + h**2"):
        kind = replace(SCALED_CAUCHY, stem="m", spread=written("spread", "c h", read(spread)))
        with registered(kind):
            statement = privacy_obligations(kind)["narrow_noise_is_at_most_so_much_denser"]
            found = known("m.narrow_noise_is_at_most_so_much_denser", statement)
            with pytest.raises(KernelError):
                rules.algebra(
                    obligation="m.narrow_noise_is_at_most_so_much_denser", digest=statement.digest, cases=found
                )
    assert known("laplace.loss_is_bounded", privacy("laplace")["loss_is_bounded"]) is None


def test_noise_without_a_map_has_no_theorem():
    for change in ({"spread": None}, {"cosh_of_loss": None}):
        with registered(replace(SCALED_CAUCHY, stem="m", **change)), pytest.raises(KernelError, match="no privacy map"):
            rules.bound_noise(*mechanism("scaled_cauchy").premises, stem="m")
    with pytest.raises(KernelError, match="no privacy map"):
        rules.bound_noise(stem="scaled_laplace")
    with pytest.raises(TermError, match="no privacy map"):
        privacy_loss(SCALED_LAPLACE, number(2))
    assert obligations("scaled_laplace") == {}


def test_lemmas_missing_more_or_of_another_are_refused():
    found = lemmas("scaled_cauchy", privacy("scaled_cauchy"))
    wrong = [found[:i] + found[i + 1 :] for i in range(len(found))]
    wrong += [[], found[::-1], [*found, found[0]], [*found[:-1], believed("composition.weaken")]]
    wrong += [lemmas("rounded_scaled_cauchy", privacy("rounded_scaled_cauchy"))]
    for premises in wrong:
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.bound_noise(*premises, stem="scaled_cauchy")
    for stem in ("laplace", "median_with_smooth_bound", "nothing", ""):
        with pytest.raises(KernelError, match="is not a registered"):
            rules.bound_noise(stem=stem)


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (SCALED_CAUCHY, {"conditions": ()}, "must have the condition 0 < scale"),
        (SCALED_CAUCHY, {"parameters": ()}, "must have the parameter scale"),
        (ROUNDED_SCALED_CAUCHY, {"conditions": SCALED_CAUCHY.conditions}, "must have the condition 0 < granularity"),
    ],
)
def test_a_kind_that_says_nothing_is_refused(kind, change, said):
    with pytest.raises(TermError, match=said):
        replace(kind, stem="m", **change)


@pytest.mark.parametrize("parameter", ["z", "h", "c", "t", "growth", "cosh", "d_in"])
def test_a_parameter_with_the_name_of_a_quantified_one_is_refused(parameter):
    kind = replace(
        SCALED_CAUCHY, stem="m", parameters=("scale", parameter), example={"scale": number(1), parameter: number(1)}
    )
    with pytest.raises(TermError, match="must not be called"), registered(kind):
        pass


PAIR = "private({}, record(field(0, reals()), field(1, above(reals(), 0))), smooth({}), pure({}))"


@pytest.mark.parametrize(
    ("subject", "a", "b", "output"),
    [
        ("scaled_cauchy(1)", "tuple_of(0, 0)", "tuple_of(0, 0)", "0"),
        ("scaled_cauchy(1)", "tuple_of(0, 1)", "tuple_of(2, 1)", "0"),
        ("scaled_cauchy(1)", "tuple_of(0, 1)", "tuple_of(0, 3)", "0"),
        ("scaled_cauchy(1)", "tuple_of(0, -1)", "tuple_of(0, -1)", "0"),
        ("scaled_cauchy(1)", "tuple_of(0, 1)", "tuple_of(0, 2)", "tuple_of(0, 0)"),
        ("scaled_cauchy(0)", "tuple_of(0, 1)", "tuple_of(0, 2)", "0"),
        ("scaled_cauchy(1)", "0", "0", "0"),
        ("scaled_cauchy(1)", "tuple_of(0, 1, 1)", "tuple_of(0, 1, 1)", "0"),
        ("rounded_scaled_cauchy(1, 1)", "tuple_of(0, 1)", "tuple_of(0, 2)", "0"),
    ],
)
def test_densities_where_there_are_none_refute_nothing(subject, a, b, output):
    with pytest.raises(KernelError):
        rules.denser_elsewhere(claim=PAIR.format(subject, 2, 0), a=a, b=b, output=output)


def test_the_same_claim_is_refuted_where_there_are():
    claim = PAIR.format("scaled_cauchy(1)", 2, 0)
    assert rules.denser_elsewhere(claim=claim, a="tuple_of(0, 1)", b="tuple_of(0, 2)", output="0").trusts == frozenset()


def test_a_density_of_another_shape_has_no_ratio():
    for body in ("1 / z", "ln(2 + z**2)", "indicator(0 <= z)"):
        kind = replace(SCALED_CAUCHY, stem="m", rarity=written("rarity", "z", read(body)))
        with registered(kind), pytest.raises(TermError, match="not continuous by its shape"):
            kind.log_ratio(read("m(1)"), F(1), (F(0), F(1)), (F(0), F(2)))


def test_scaled_cauchy_on_the_reals_has_no_sampler():
    with pytest.raises(TermError, match="has no sampler"):
        sampler_obligations("scaled_cauchy")
