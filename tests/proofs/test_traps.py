"""traps: each listed law is that of the mechanism it stands for, counted out; what is true nearby is not refuted."""

from fractions import Fraction as F
from itertools import product

import pytest

from refdp.claims import claim
from refdp.kernel.judgements import KernelError
from refdp.kernel.reading import relation
from refdp.kernel.rules import unlikely_elsewhere
from refdp.provers.witnesses import NoWitness, refuted_by_event
from refdp.spec.obligations import obligations
from refdp.spec.semantics import law
from refdp.statements.naive_laplace import ABOVE
from refdp.terms.reading import read
from tests.claimed import traps
from tests.statements.checks import variant, verdict

BITS = [F(0), F(1)]


def listed(notion):
    """The laws of the mechanism that the claim speaks of, as lists of masses."""
    subject = relation(read(claim(f"traps.{notion}").formal)).subject
    return [[law(subject, x)[y] for y in sorted(law(subject, x))] for x in BITS]


def counted(outcomes, weigh):
    """The masses of 0, 1, ... from (outcome, weight) pairs."""
    found = [F(0)] * outcomes
    for outcome, weight in weigh:
        found[outcome] += weight
    return found


def test_shared_coins_are_the_law_of_x_xor_r_and_r():
    for x, masses in zip((0, 1), listed("shared_coins"), strict=True):
        assert masses == counted(4, ((2 * (x ^ r) + r, F(1, 2)) for r in (0, 1)))
        alone = counted(2, ((x ^ r, F(1, 2)) for r in (0, 1)))
        assert alone == listed("blinded_bit")[x]


def test_shared_coins_would_do_no_harm_if_they_were_not_shared():
    """x xor R and another coin R' are uniform on four outcomes: 0-DP, and not refuted."""
    uniform = "tuple_of(1/4, 1/4, 1/4, 1/4)"
    fair = f"private(listed(tuple_of({uniform}, {uniform})), finite(2), discrete(1), pure(0))"
    with pytest.raises(NoWitness):
        refuted_by_event(fair, {}, BITS)


def test_response_under_add_remove_is_the_law_of_the_mean():
    """Answers are true with 3/4; the tables are (0) and (0, 1), the outcomes 0, 1/2 and 1."""
    for table, masses in zip([(0,), (0, 1)], listed("response_under_add_remove"), strict=True):
        answers = product((0, 1), repeat=len(table))
        weigh = []
        for given in answers:
            weight = F(1)
            for bit, answer in zip(table, given, strict=True):
                weight *= F(3, 4) if bit == answer else F(1, 4)
            weigh.append((2 * sum(given) // len(given), weight))
        assert masses == counted(3, weigh)


def test_noise_scaled_to_local_sensitivity_is_the_law_of_the_noisy_median():
    """The median moves by the local sensitivity when one bit is replaced; the noise has mass 2^-|z| / 3 at z."""
    for table, masses in zip([(0, 0, 0), (0, 0, 1)], listed("noise_scaled_to_local_sensitivity"), strict=True):
        median = sorted(table)[1]
        neighbours = [(*table[:i], b, *table[i + 1 :]) for i in range(3) for b in (0, 1)]
        local = max(abs(sorted(t)[1] - median) for t in neighbours)
        if local == 0:
            assert masses == counted(2, [(median, F(1))])
        else:
            inside = sum((F(1, 3) * F(1, 2) ** abs(z) for z in range(-60, 1)), F(0))
            assert abs(masses[0] - inside) < F(1, 2**58)
            assert sum(masses) == 1


def test_stability_map_as_privacy_map_is_the_sum_released_as_it_is():
    assert listed("stability_map_as_privacy_map") == [[1, 0], [0, 1]]


def test_not_private_yet_close_is_private_for_a_little_more():
    formal = claim("traps.not_private_yet_close").formal
    assert "299/100" in formal
    with pytest.raises(NoWitness):
        refuted_by_event(formal.replace("299/100", "3"), {}, BITS)


def test_naive_laplace_on_doubles_has_the_probability_of_two_draws():
    reached, missed = listed("naive_laplace_on_doubles")
    assert reached == [F(2, 2**53 - 1), 1 - F(2, 2**53 - 1)]
    assert missed == [0, 1]
    assert ABOVE < 2**53


def test_naive_laplace_on_doubles_is_not_refuted_by_the_other_event():
    formal = claim("traps.naive_laplace_on_doubles").formal
    with pytest.raises(KernelError, match="does not break"):
        unlikely_elsewhere(claim=formal, a="0", b="1", event="tuple_of(1)")


def test_halves_by_rank_is_false_and_twice_the_range_is_true():
    assert traps.halves_by_rank().claim.claim.name == "halves_by_rank"
    assert verdict(obligations("traps")["halves_by_rank"]) == "disproved"
    assert verdict(variant("traps.halves_by_rank", "1", "2")) == "proved"
