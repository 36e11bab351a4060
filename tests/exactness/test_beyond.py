"""Beyond global sensitivity, by enumeration against the definitions: thresholds, several selections, unknown keys."""

from fractions import Fraction as F
from itertools import accumulate, combinations, permutations, product

import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.numerics.arithmetic import Intervals
from refdp.sampling.schemes import draw
from refdp.spec import above_threshold, unknown_keys
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.crossings import crossed
from refdp.spec.distances import metric
from refdp.spec.registry import kind_of
from refdp.spec.semantics import law as law_of
from refdp.spec.unknown_keys import ThresholdedCounts
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import name, number
from tests.claimed import (
    above_threshold as claims_above,
)
from tests.claimed import (
    discrete_above_threshold,
    exponential,
    laplace_stability_keys,
    stability_histogram,
    stability_keys,
    top_k,
)
from tests.exactness.branching import CutOff, law_by_answers
from tests.exactness.claims import ln_of
from tests.exactness.definition import satisfied, worst_excess, worst_ratio
from tests.exactness.entering import entered, written
from tests.exactness.enumeration import holds_everywhere, lemma
from tests.exactness.laws import chances, share
from tests.exactness.powers import Powers

FAR = 48
"""Noise beyond so many steps is left out of laws by hand; it has less than 2^-40 of the probability."""
TINY = F(1, 2**40)
LESS = F(999, 1000)


def geometric(powers, scale):
    """Noise -> mass, within FAR: proportional to base^-|k / scale|."""
    ratio = powers.power(-1 / scale)
    return {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-FAR, FAR + 1)}


def above_by_hand(answers, threshold, limit, of_threshold, of_answers):
    """Outcome -> mass: each noise of the threshold, and the masses of the answers' noises added up."""
    below = dict(zip(of_answers, accumulate(of_answers.values()), strict=True))

    def less(q, t):
        """P[q + N < t]."""
        return F(0) if t - q - 1 < -FAR else below[min(t - q - 1, FAR)]

    found = {}
    for r, p in of_threshold.items():
        runs = {((), False): p}
        for i, q in enumerate(answers):
            hidden, after = less(q, threshold + r), {}
            for (places, done), mass in runs.items():
                if done:
                    after[places, True] = mass
                    continue
                more = (*places, F(i))
                after[places, False] = mass * hidden
                after[more, len(more) == limit] = mass * (1 - hidden)
            runs = after
        for (places, _), mass in runs.items():
            found[places] = found.get(places, F(0)) + mass
    return found


def answers_and_moved(chance, how):
    """Answers, and those that differ by at most d_in, in one direction under monotone."""
    size, d_in = chance.randint(1, 3), chance.randint(0, 2)
    first = tuple(F(chance.randint(-2, 2)) for _ in range(size))
    signs = [(-1, 1)] if how == "linf" else [(0, 1), (-1, 0)]
    low, high = chance.choice(signs)
    return first, tuple(q + chance.randint(low * d_in, high * d_in) for q in first), F(d_in)


@pytest.mark.parametrize("how", ["linf", "monotone"])
def test_above_threshold_is_never_exceeded_and_has_the_law_by_hand(how):
    """Up to three answers, one or two of them looked for."""
    theorem = {"linf": discrete_above_threshold.pure, "monotone": discrete_above_threshold.monotone}[how]().claim
    kind, compared = kind_of("discrete_above_threshold"), 0
    assert theorem.metric == how
    for number_of, chance in enumerate(chances(f"above threshold {how}", slow=3)):
        powers, limit, threshold = Powers(chance.randint(2, 5)), chance.randint(1, 2), chance.randint(-1, 1)
        scales = [F(1, chance.randint(1, 2)) for _ in range(2)]
        a, b, d_in = answers_and_moved(chance, how)
        assert metric(how).within(a, b, d_in)
        subject = read(f"discrete_above_threshold({threshold}, {limit}, {scales[0]}, {scales[1]}, 1)")
        laws = [kind.law(subject, x, powers) for x in (a, b)]
        assert all(sum(law.values()) == 1 and min(law.values()) >= 0 for law in laws)
        if number_of % 3 == 0:
            by_hand = above_by_hand(a, threshold, limit, *(geometric(powers, s) for s in scales))
            assert by_hand.keys() == laws[0].keys()
            assert all(abs(by_hand[y] - p) < TINY for y, p in laws[0].items())
            compared += 1
        values = {"threshold_scale": scales[0], "answer_scale": scales[1], "positives": F(limit), "d_in": d_in}
        loss = powers.power(evaluate(theorem.d_out[0], values))
        assert loss == powers.power(d_in / scales[0] + limit * d_in * (2 if how == "linf" else 1) / scales[1])
        both = [tuple(laws), tuple(laws[::-1])]
        assert satisfied("pure", (ln_of(loss),), both)
    assert compared > share(250, slow=3)


def test_above_threshold_comes_near_its_loss():
    """Of 3 in units of the noise: many answers below show the threshold's noise, one answer above its own, twice."""
    pair = [tuple(map(F, (*[3] * 8, -4))), tuple(map(F, (*[4] * 8, -5)))]
    law = [
        kind_of("discrete_above_threshold").law(read("discrete_above_threshold(0, 1, 1, 1, 1)"), x, Powers(3))
        for x in pair
    ]
    assert 27 * LESS < worst_ratio([tuple(law), tuple(law[::-1])]) <= 27


def test_above_threshold_with_laplace_noise_is_never_exceeded():
    """By enclosures; the probabilities sum to 1."""
    theorem, kind, arithmetic = claims_above.pure().claim, kind_of("above_threshold"), Intervals(96)
    nothing = arithmetic.number(F(0))
    for chance in chances("above_threshold", slow=4):
        limit, threshold = chance.randint(1, 2), F(chance.randint(-2, 2), 2)
        scales = [F(chance.randint(1, 3), chance.randint(1, 2)) for _ in range(2)]
        a, b, d_in = answers_and_moved(chance, "linf")
        laws = [
            kind.law(read(f"above_threshold({threshold}, {limit}, {scales[0]}, {scales[1]})"), x, arithmetic)
            for x in (a, b)
        ]
        assert all(1 in sum(law.values(), nothing) for law in laws)
        values = {"threshold_scale": scales[0], "answer_scale": scales[1], "positives": F(limit), "d_in": d_in}
        factor = arithmetic.function("exp", arithmetic.number(evaluate(theorem.d_out[0], values)))
        for p, q in (laws, laws[::-1]):
            assert all(p[y].lower <= (factor * q[y]).upper for y in p)


def threshold_kind(scales, losses):
    """Discrete noise of these scales, its losses these times d_in; without other parameters."""
    formulas = {
        "threshold_scale": written("threshold_scale", "", number(scales[0])),
        "answer_scale": written("answer_scale", "", number(scales[1])),
        "threshold_loss": written("threshold_loss", "d_in", number(losses[0]) * name("d_in")),
        "answer_loss": written("answer_loss", "d_in", number(losses[1]) * name("d_in")),
    }
    conditions = tuple(
        map(read, ("integer(positives)", "1 <= positives", "0 < granularity", "multiple(threshold, granularity)"))
    )
    example = {"threshold": number(0), "positives": number(1), "granularity": number(1)}
    return AboveThreshold("m", tuple(example), conditions, example, noise="discrete_laplace", **formulas)


def test_above_threshold_follows_from_its_obligations_alone():
    """Losses that are right, too small by a thousandth, or too large: where the obligations hold, so does the claim."""
    axes = {"granularity": [1], "positives": [1], "threshold": [0], "d_in": range(3), "h": range(-2, 3)}
    proved = wrong = 0
    for chance in chances("above threshold from obligations", slow=2):
        powers, scales = Powers(chance.randint(2, 4)), [F(1, chance.randint(1, 2)) for _ in range(2)]
        losses = [chance.choice([1, 1, 1, LESS, 2]) / s for s in scales]
        kind = threshold_kind(scales, losses)
        needed = above_threshold.privacy_obligations(kind)
        holds = {key: holds_everywhere(s, range(-3, 4), axes) for key, s in needed.items()}
        assert holds["threshold_moves_by_its_loss"] == (losses[0] * scales[0] >= 1)
        assert holds["answer_moves_by_its_loss"] == (losses[1] * scales[1] >= 1)
        if not all(holds.values()):
            wrong += 1
            continue
        proved += 1
        a, b, d_in = answers_and_moved(chance, "linf")
        with entered(kind):
            lemmas = [lemma("m", key, s) for key, s in needed.items()]
            claim = rules.above_threshold(*lemmas, stem="m", metric="linf").claim
            laws = [kind.law(read("m(0, 1, 1)"), x, powers) for x in (a, b)]
        bound = evaluate(claim.d_out[0], {"d_in": d_in, "positives": F(1)})
        assert bound == d_in * (losses[0] + 2 * losses[1])
        assert satisfied("pure", (ln_of(powers.power(bound)),), [tuple(laws), tuple(laws[::-1])])
    assert min(proved, wrong) > share(200, slow=2)


def in_one_attempt(coins):
    """The coins, whose attempts at a noise of scale 1 succeed at once: by the lemma on attempts the law is the same."""
    succeeds = (1 + coins.powers.power(F(-1))) / 2

    def until(attempt):
        found = attempt()
        if found is None:
            raise CutOff
        coins.probability /= succeeds
        return found

    coins.until = until
    return coins


def drawn_law(subject, x, powers):
    """Outcome -> mass by the sampler's steps, noise beyond 4 steps left out; and what is left out at most."""
    found, _ = law_by_answers(lambda coins: draw(subject, x, in_one_attempt(coins)), powers, 12)
    return found, 1 - sum(found.values())


def test_above_threshold_draws_have_the_law():
    """Each primitive answers with its stated law; only noise beyond 4 steps is missing."""
    for chance in chances("draws above a threshold", 120):
        powers, threshold, limit = Powers(chance.randint(6, 9)), chance.randint(-1, 1), chance.randint(1, 2)
        answers = tuple(F(chance.randint(-1, 1)) for _ in range(chance.randint(1, 2)))
        subject = read(f"discrete_above_threshold({threshold}, {limit}, 1, 1, 1)")
        found, missing = drawn_law(subject, answers, powers)
        law = kind_of("discrete_above_threshold").law(subject, answers, powers)
        assert 0 <= missing < F(1, 500)
        assert all(found.get(y, F(0)) <= p <= found.get(y, F(0)) + missing for y, p in law.items())
        assert found.keys() <= law.keys()


def test_crossings_of_no_answers_are_certain():
    for on_grid in (False, True):
        assert 1 in crossed((), (), (F(2), F(3)), on_grid, Intervals(96))


def chances_by_hand(powers, scale, count, threshold):
    """P[count + Z >= threshold], by the masses."""
    return sum(p for k, p in geometric(powers, scale).items() if count + k >= threshold)


def told_by_hand(powers, scale, threshold, table, most):
    """Outcome -> mass, with counts: all those of `most` and more are one."""
    ratio, found = powers.power(-1 / scale), {(): F(1)}
    masses = {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-most, most + 1)}
    for key in sorted(set(table)):
        count = table.count(key)
        told = {("less",): None} | {(key, c): masses[c - count] for c in range(threshold, most)}
        told[key, most] = ratio ** (most - count) / (1 + ratio)
        told["less",] = 1 - sum(p for p in told.values() if p is not None)
        found = {
            (*y, *(() if one == ("less",) else (one,))): p * q for y, p in found.items() for one, q in told.items()
        }
    return found


def tables_and_edited(chance, neighbours):
    """A table of up to two keys, and one with a row more or less, or with another row."""
    first = [chance.randint(0, 1) for _ in range(chance.randint(0, 4))]
    second = list(first)
    if neighbours == "add_remove" or not second:
        second.append(chance.randint(0, 2))
    else:
        second[chance.randrange(len(second))] = chance.randint(0, 2)
    if neighbours == "change_one" and len(second) != len(first):
        first.append(chance.randint(0, 2))
    return tuple(map(F, first)), tuple(map(F, second))


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("counts", [True, False])
def test_thresholded_counts_are_never_exceeded(neighbours, counts):
    """With counts by hand, beyond all counts merged, where all ratios are the same; without by the law. Delta is least.

    Some pair of tables needs all of delta: one where a key occurs once, and one where it does not occur.
    """
    book = stability_histogram if counts else stability_keys
    claim, needs_all = getattr(book, neighbours)().claim, 0
    for chance in chances(f"thresholded counts {neighbours} {counts}"):
        powers, scale, threshold = Powers(chance.randint(2, 5)), F(1, chance.randint(1, 2)), chance.randint(1, 5)
        tables = tables_and_edited(chance, neighbours)
        assert metric(claim.metric).within(*tables, F(1))
        if counts:
            laws = [told_by_hand(powers, scale, threshold, x, 9) for x in tables]
        else:
            laws = [law_of(read(f"stability_keys(grid(1), {scale}, {threshold})"), x, powers) for x in tables]
        assert all(sum(law.values()) == 1 for law in laws)
        values = {"scale": scale, "threshold": F(threshold)}
        factor = powers.power(evaluate(claim.d_out[0], values))
        delta = evaluate(claim.d_out[1], values, powers)
        assert abs(delta - chances_by_hand(powers, scale, 1, threshold)) < TINY
        both = [tuple(laws), tuple(laws[::-1])]
        assert worst_excess(both, factor) <= delta
        needs_all += worst_excess(both, factor) == delta
    assert needs_all > share(150)


def test_keys_of_laplace_counts_are_never_exceeded():
    claim, arithmetic = laplace_stability_keys.add_remove().claim, Intervals(96)
    for chance in chances("laplace keys"):
        scale, threshold = F(chance.randint(1, 4), chance.randint(1, 3)), 1 + F(chance.randint(0, 9), 2)
        laws = [
            law_of(read(f"laplace_stability_keys(grid(1), {scale}, {threshold})"), x, arithmetic)
            for x in tables_and_edited(chance, "add_remove")
        ]
        values = {"scale": arithmetic.number(scale), "threshold": arithmetic.number(threshold)}
        epsilon, delta = (evaluate(t, values, arithmetic) for t in claim.d_out)
        factor, nothing = arithmetic.function("exp", epsilon), arithmetic.number(F(0))
        for p, q in (laws, laws[::-1]):
            assert 1 in sum(p.values(), nothing)
            excess = sum(max((p[y] - factor * q.get(y, nothing)).lower, F(0)) for y in p)
            assert excess <= delta.upper


def test_thresholded_counts_follow_from_their_obligations_alone():
    """Thresholds from 0, losses too small by a thousandth: where the obligations hold, so does the claim."""
    axes = {"d_in": range(3), "h": range(-2, 3)}
    proved = wrong = 0
    for chance in chances("thresholded counts from obligations"):
        powers, scale, threshold = Powers(chance.randint(2, 5)), F(1, chance.randint(1, 2)), chance.randint(0, 4)
        loss = chance.choice([1, 1, 1, LESS, 2]) / scale
        kind = ThresholdedCounts(
            "m", ("rows",), (), {"rows": read("grid(1)")}, noise="discrete_laplace", gives_counts=False,
            scale=written("scale", "", number(scale)), threshold=written("threshold", "", number(threshold)),
            loss=written("loss", "d_in", number(loss) * name("d_in")),
        )  # fmt: skip
        needed = unknown_keys.privacy_obligations(kind)
        holds = {key: holds_everywhere(s, range(-3, 4), axes) for key, s in needed.items()}
        assert holds["threshold_is_at_least_1"] == (threshold >= 1)
        assert holds["count_moves_by_its_loss"] == (loss * scale >= 1)
        if not all(holds.values()):
            wrong += 1
            continue
        proved += 1
        neighbours = chance.choice(["add_remove", "change_one"])
        tables = tables_and_edited(chance, neighbours)
        with entered(kind):
            lemmas = [lemma("m", key, s) for key, s in needed.items()]
            claim = rules.thresholded_counts(*lemmas, stem="m", neighbours=neighbours).claim
            laws = [law_of(read("m(grid(1))"), x, powers) for x in tables]
        epsilon, delta = (evaluate(t, {}, powers) for t in claim.d_out)
        assert epsilon == loss * (1 if neighbours == "add_remove" else 2)
        assert worst_excess([tuple(laws), tuple(laws[::-1])], powers.power(epsilon)) <= delta
    assert min(proved, wrong) > share(200)


def test_keys_are_drawn_from_the_law_and_counts_belong_to_them():
    for chance in chances("draws of keys", 120):
        powers, threshold = Powers(chance.randint(6, 9)), chance.randint(1, 3)
        table = tuple(F(chance.randint(0, 1)) for _ in range(chance.randint(0, 3)))
        keys, missing = drawn_law(read(f"stability_keys(grid(1), 1, {threshold})"), table, powers)
        law = law_of(read(f"stability_keys(grid(1), 1, {threshold})"), table, powers)
        assert 0 <= missing < F(1, 500)
        assert all(keys.get(y, F(0)) <= p <= keys.get(y, F(0)) + missing for y, p in law.items())
        told, _ = drawn_law(read(f"stability_histogram(grid(1), 1, {threshold})"), table, powers)
        by_hand = told_by_hand(powers, F(1), threshold, table, 9)
        assert all(p <= by_hand[y] for y, p in told.items() if all(count < 9 for _, count in y))
        of_keys = {}
        for y, p in told.items():
            shown = tuple(key for key, _ in y)
            of_keys[shown] = of_keys.get(shown, F(0)) + p
        assert of_keys == keys


def scores_and_moved(chance, how):
    """Scores, and those that differ by at most d_in, in one direction under monotone."""
    candidates, d_in = chance.randint(1, 4), chance.randint(1, 2)
    low, high = (-1, 1) if how == "linf" else chance.choice([(0, 1), (-1, 0)])
    first = tuple(F(chance.randint(0, 3)) for _ in range(candidates))
    return first, tuple(s + chance.randint(low * d_in, high * d_in) for s in first), F(d_in)


def peeled_by_hand(weights, k):
    """Outcome -> mass: each candidate by its share of the weights that are left."""
    found = {}
    for named in permutations(range(len(weights)), k):
        left, mass = sum(weights), F(1)
        for i in named:
            mass *= weights[i] / left
            left -= weights[i]
        found[tuple(map(F, named))] = mass
    return found


@pytest.mark.parametrize("how", ["linf", "monotone"])
def test_several_selections_are_never_exceeded_and_have_the_law_by_hand(how):
    """With half of the loss they would be; the one selection of monotone scores is among them, at k = 1."""
    several = {"linf": top_k.peeled, "monotone": top_k.peeled_monotone}[how]().claim
    shot = {"linf": top_k.one_shot, "monotone": top_k.one_shot_monotone}[how]().claim
    assert (several.metric, several.d_out, several.given) == (how, shot.d_out, shot.given)
    sharp = 0
    for chance in chances(f"peeled {how}"):
        powers, scale = Powers(chance.randint(2, 4)), F(1, chance.randint(1, 2))
        *pair, d_in = scores_and_moved(chance, how)
        k = chance.randint(1, min(2, len(pair[0])))
        laws = [law_of(read(f"peeled(exponential({scale}), {k})"), x, powers) for x in pair]
        shots = [law_of(read(f"one_shot(gumbel_noisy_max({scale}), {k})"), x, powers) for x in pair]
        assert laws == [peeled_by_hand([powers.power(s / scale) for s in x], k) for x in pair] == shots
        loss = evaluate(several.d_out[0], {"scale": scale, "k": F(k), "d_in": d_in})
        assert loss == k * (2 if how == "linf" else 1) * d_in / scale
        both = [tuple(laws), tuple(laws[::-1])]
        assert satisfied("pure", (ln_of(powers.power(loss)),), both)
        sharp += worst_ratio(both) > powers.power(k * d_in / scale) if how == "linf" else worst_ratio(both) > 1
    assert sharp > share(20)


def test_one_noise_for_each_score_has_the_winners_of_every_part():
    """P[the greatest of a set is i] is what the noise's integral gives, 1 / sum of e^((s_j - s_i) / scale), whichever
    candidates are compared: that is the definition of the noise, and no product of shares of what is left."""
    for chance in chances("one shot"):
        powers, scale, n = Powers(chance.randint(2, 4)), F(1, chance.randint(1, 2)), chance.randint(1, 4)
        scores = tuple(F(chance.randint(-2, 2)) for _ in range(n))
        law = law_of(read(f"one_shot(gumbel_noisy_max({scale}), {n})"), scores, powers)
        assert sum(law.values()) == 1
        for size in range(1, n + 1):
            for part in combinations(range(n), size):
                i = chance.choice(part)
                first = sum(p for y, p in law.items() if next(j for j in y if j in part) == i)
                assert first == 1 / sum(powers.power((scores[j] - scores[i]) / scale) for j in part)


def test_monotone_scores_lose_half_by_the_rule_alone():
    claim = exponential.monotone().claim
    assert claim.metric == "monotone"
    for chance in chances("monotone"):
        powers, scale = Powers(chance.randint(2, 4)), F(1, chance.randint(1, 2))
        *pair, d_in = scores_and_moved(chance, "monotone")
        laws = [law_of(read(f"exponential({scale})"), x, powers) for x in pair]
        loss = evaluate(claim.d_out[0], {"scale": scale, "d_in": d_in})
        assert loss == d_in / scale
        assert satisfied("pure", (ln_of(powers.power(loss)),), [tuple(laws), tuple(laws[::-1])])


def test_peeling_permute_and_flip_is_never_exceeded():
    claim = top_k.peeled_flips().claim
    for chance in chances("peeled flips"):
        powers, scale = Powers(chance.randint(2, 4)), F(1, chance.randint(1, 2))
        *pair, d_in = scores_and_moved(chance, "linf")
        k = chance.randint(1, min(2, len(pair[0])))
        laws = [law_of(read(f"peeled(permute_and_flip({scale}), {k})"), x, powers) for x in pair]
        assert all(sum(law.values()) == 1 for law in laws)
        loss = evaluate(claim.d_out[0], {"scale": scale, "k": F(k), "d_in": d_in})
        assert satisfied("pure", (ln_of(powers.power(loss)),), [tuple(laws), tuple(laws[::-1])])


def test_candidates_are_drawn_one_after_another_from_the_law():
    for chance in chances("draws of several", 60):
        powers, scores = Powers(chance.randint(2, 3)), tuple(F(chance.randint(0, 1)) for _ in range(3))
        subject = read("peeled(permute_and_flip(1), 2)")
        found, cut = law_by_answers(lambda coins, s=subject, x=scores: draw(s, x, coins), powers, 9)
        assert (found, cut) == ({y: p for y, p in law_of(subject, scores, powers).items() if p}, 0)


def test_the_noise_of_a_threshold_is_needed_and_so_is_that_of_the_answers():
    """The false claims that the ledger refutes are not refuted where they are true: at d_in = 0, or with more loss."""
    for loss, text in product(
        ("0", "1"),
        ("private(above_exact_threshold(0, 1, 1), vector(reals(), 2), linf(0), pure({}))",
         "private(exact_answers_above_threshold(0, 1, 1), vector(reals(), 2), linf(0), pure({}))"),
    ):  # fmt: skip
        with pytest.raises(KernelError):
            rules.unlikely_elsewhere(
                claim=text.format(loss), a="tuple_of(0, 1)", b="tuple_of(0, 1)", event="tuple_of(tuple_of(0))"
            )
