"""Local randomisers against their definition: laws, least losses, supports and samplers, by exact enumeration."""

from fractions import Fraction as F
from itertools import combinations, product
from math import comb, prod

import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Law
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.sampling.tree import law_of as tree_law
from refdp.spec import bitwise, rates, supported
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.distances import metric
from refdp.spec.rates import BitOfRate
from refdp.spec.registry import kind_of
from refdp.spec.semantics import law as law_of
from refdp.spec.supported import SUPPORTS, SupportedLaw, order_of
from refdp.terms.reading import read
from refdp.terms.term import apply, ln, name, number, substitute
from tests.claimed import (
    d_bit_flip,
    hadamard_entry_response,
    hadamard_response,
    one_bit_flip,
    one_bit_mean,
    optimised_unary_encoding,
    permanent_response,
    rappor,
    subset_selection,
    symmetric_unary_encoding,
)
from tests.exactness.branching import law_by_answers
from tests.exactness.claims import ln_of
from tests.exactness.definition import worst_ratio
from tests.exactness.entering import entered, given, written
from tests.exactness.enumeration import holds_everywhere, lemma
from tests.exactness.laws import chances, random_laws, share, tabulated
from tests.exactness.powers import Powers

UNIT = [F(i, 8) for i in range(9)]
LESS = F(999, 1000)


def bits_by_hand(filter_, kept, raised, sent=None):
    """Independent bits, of all positions or of each set of so many, as likely as the next."""
    found = {}
    for places in combinations(range(len(filter_)), len(filter_) if sent is None else sent):
        for report in product((0, 1), repeat=len(places)):
            chances = [kept if filter_[i] else raised for i in places]
            mass = prod((p if bit else 1 - p for p, bit in zip(chances, report, strict=True)), start=F(1))
            found[report if sent is None else (places, report)] = mass / comb(len(filter_), len(places))
    return found


def neighbours_by_hand(relation, size, d_in):
    """Each pair of neighbours: input and filter, twice."""
    if relation == "value":
        every = [(F(x), tuple(int(i == x) for i in range(size))) for x in range(-1, size)]
        return [(a, b) for a in every for b in every]
    every = [(tuple(map(F, bits)), bits) for bits in product((0, 1), repeat=size)]
    moves = [(a, b, [y - x for x, y in zip(a[1], b[1], strict=True)]) for a in every for b in every]
    if relation == "exchange":
        return [(a, b) for a, b, m in moves if m.count(1) == m.count(-1) <= d_in]
    return [(a, b) for a, b, m in moves if m.count(1) + m.count(-1) <= d_in]


def bitwise_kind(relation, size, kept, raised, ratio, sent=None):
    """The kind without parameters."""
    fields = {"dimension": size, "kept": kept, "raised": raised, "ratio_bound": ratio}
    formulas = {key: written(key, "", number(F(v))) for key, v in fields.items()}
    more = {} if sent is None else {"sent": written("sent", "", number(F(sent)))}
    return BitwiseLaw("m", (), (), {}, relation=relation, **formulas, **more)


def worst_of(laws, pairs):
    """The greatest ratio over the pairs of inputs."""
    return worst_ratio([(laws[a[1]], laws[b[1]]) for a, b in pairs])


def test_bitwise_law_follows_from_its_obligations_alone():
    """Random probabilities, also 0, 1 and out of order: where the obligations hold, so does the claim, and it is least.

    The ratio is that of the bits that can differ, or 999/1000 of it, with which some obligation fails.
    """
    proved = wrong = 0
    for chance in chances("bitwise_law"):
        relation, size = chance.choice(["value", "exchange", "l1"]), chance.randint(1, 3)
        kept, raised = sorted((chance.choice(UNIT), chance.choice(UNIT)), reverse=chance.random() < 0.9)
        sent = chance.choice([None, None, chance.randint(1, size)])
        d_in = 1 if relation == "value" else chance.randint(0, size)
        pairs = neighbours_by_hand(relation, size, d_in)
        laws = {bits: bits_by_hand(bits, kept, raised, sent) for _, bits in {a for a, _ in pairs}}
        inside = 0 < raised and kept < 1
        one_bit = max(kept / raised, (1 - raised) / (1 - kept)) if inside else F(3)
        ratio = one_bit if relation == "l1" else kept * (1 - raised) / (raised * (1 - kept)) if inside else F(3)
        ratio *= chance.choice([1, LESS])
        kind = bitwise_kind(relation, size, kept, raised, ratio, sent)
        needed = bitwise.privacy_obligations(kind)
        holds = {key: holds_everywhere(s, (0,)) for key, s in needed.items()}
        assert all(holds[key] for key in bitwise.law_obligations(kind)) == (0 < raised <= kept < 1)
        if not all(holds.values()):
            wrong += 1
            continue
        proved += 1
        with entered(kind):
            claim = rules.bitwise_law(*(lemma("m", key, s) for key, s in needed.items()), stem="m").claim
            assert all(law_of(read("m()"), x) == laws[bits] for x, bits in {a for a, _ in pairs})
        loss = ln(number(ratio))
        assert claim.d_out == (loss if relation == "value" else name("d_in") * loss,)
        assert claim.metric == ("discrete" if relation == "value" else relation)
        assert all(metric(claim.metric).within(a[0], b[0], F(d_in)) for a, b in pairs)
        worst = worst_of(laws, pairs)
        assert worst <= ratio**d_in
        most = min(size if sent is None else sent, d_in * (1 if relation == "l1" else 2))
        reached = most == d_in * (1 if relation == "l1" else 2)
        assert not reached or worst == ratio**d_in
    assert min(proved, wrong) > share(200)


def test_neighbours_under_exchange_are_those_by_definition():
    every = [tuple(map(F, bits)) for bits in product((0, 1), repeat=4)]
    for d_in in (F(0), F(1, 2), F(1), F(3, 2), F(2), F(3)):
        near = {(a, b) for a in every for b in every if metric("exchange").within(a, b, d_in)}
        assert near == {(a[0], b[0]) for a, b in neighbours_by_hand("exchange", 4, d_in)}
    assert not metric("exchange").within((F(0),), (F(0),), F(-1))


def masses_by_hand(support, size, chosen, told, x):
    """Report -> mass, by the definition of each of them."""
    match support:
        case "subset":
            hits = {y: x in y for y in combinations(range(size), chosen)}
        case "hadamard":
            matrix = sylvester(order_of(size))
            hits = {z: matrix[x + 1][z] == 1 for z in range(len(matrix))}
        case "hadamard_entry":
            matrix = sylvester(order_of(size))
            hits = {(row, bit): matrix[row][x] == (-1) ** bit for row in range(size) for bit in (0, 1)}
        case "one_bit":
            hits = {(j, bit): bit == int(j == x) for j in range(size) for bit in (0, 1)}
    many = sum(hits.values())
    return {y: told / many if hit else (1 - told) / (len(hits) - many) for y, hit in hits.items()}


def sylvester(order):
    """The Hadamard matrix of an order that is a power of 2, by doubling."""
    if order == 1:
        return [[1]]
    half = sylvester(order // 2)
    return [row + row for row in half] + [row + [-entry for entry in row] for row in half]


def supported_kind(support, size, chosen, told, ratio):
    """The kind without parameters."""
    formulas = {
        key: written(key, "", number(F(v))) for key, v in {"size": size, "told": told, "ratio_bound": ratio}.items()
    }
    more = {"chosen": written("chosen", "", number(F(chosen)))} if support == "subset" else {}
    return SupportedLaw("m", (), (), {}, support=support, **formulas, **more)


def test_supported_law_follows_from_its_obligations_alone():
    """Random sizes and probabilities: where the obligations hold the law is that by hand, and the claim is least."""
    proved = wrong = 0
    for chance in chances("supported_law"):
        support, size, told = chance.choice(SUPPORTS), chance.randint(1, 5), chance.choice([*UNIT, F(9, 8)])
        chosen = chance.randint(0, size) if support == "subset" else 0
        odds = F(size - chosen, chosen) if support == "subset" and chosen else F(1)
        ratio = told * odds / (1 - told) if told < 1 else F(3)
        ratio = max(ratio, 1 / ratio if ratio else F(3)) * chance.choice([1, LESS])
        kind = supported_kind(support, size, chosen, told, ratio)
        needed = supported.privacy_obligations(kind)
        holds = {key: holds_everywhere(s, (0,)) for key, s in needed.items()}
        if support == "subset" and not 0 < chosen < size:
            assert not holds["some_reports_support"]
        if not all(holds.values()):
            wrong += 1
            continue
        proved += 1
        laws = {F(x): masses_by_hand(support, size, chosen, told, x) for x in range(size)}
        with entered(kind):
            claim = rules.supported_law(*(lemma("m", key, s) for key, s in needed.items()), stem="m").claim
            assert all(law_of(read("m()"), x) == law for x, law in laws.items())
        assert claim.d_out == (ln(number(ratio)),)
        worst = worst_ratio([(p, q) for p in laws.values() for q in laws.values()])
        assert worst == (ratio if size > 1 else 1)
    assert min(proved, wrong) > share(200)


def test_supports_have_the_share_that_is_proved_of_them():
    """Every size up to 12, every value: as many reports as `share` says, by the matrix and the sets themselves."""
    for support, size in product(SUPPORTS, range(1, 13)):
        for chosen in range(1, size) if support == "subset" else (0,):
            kind = supported_kind(support, size, chosen, F(1, 2), 1)
            part = supported.share(kind).rational
            every = list(supported.reports(support, size, chosen))
            assert len(every) == len(set(every)) == supported.number_of_reports(support, size, chosen)
            for x in range(size):
                assert sum(supported.supports(support, y, x) for y in every) == part * len(every)
                by_hand = masses_by_hand(support, size, chosen, F(1), x)
                assert {y for y in every if supported.supports(support, y, x)} == {y for y, p in by_hand.items() if p}


def test_row_0_of_the_hadamard_matrix_would_be_supported_by_every_column():
    """Why values begin at row 1; the law of a value that all reports support, or none, is refused."""
    assert all(supported.supports("hadamard", z, -1) for z in range(8))


def test_bit_of_rate_follows_from_its_obligations_alone():
    """Affine rates of random ends: the obligations at every point of a grid; the ratio is that of the ends."""
    proved = wrong = 0
    for chance in chances("bit_of_rate"):
        low, high = chance.choice(UNIT), chance.choice(UNIT)
        ends = (low, high)
        inside = 0 < min(ends) and max(ends) < 1
        ratio = max(max(ends) / min(ends), (1 - min(ends)) / (1 - max(ends))) if inside else F(3)
        ratio *= chance.choice([1, LESS])
        rate = number(low) + read("input") / 4 * number(high - low)
        formulas = {"lower": number(0), "upper": number(4), "ratio_bound": number(ratio)}
        formulas = {key: written(key, "", body) for key, body in formulas.items()}
        kind = BitOfRate("m", (), (), {}, rate=written("rate", "input", rate), **formulas)
        needed = rates.privacy_obligations(kind)
        if not all(holds_everywhere(s, range(-1, 6)) for s in needed.values()):
            wrong += 1
            continue
        proved += 1
        with entered(kind):
            claim = rules.bit_of_rate(*(lemma("m", key, s) for key, s in needed.items()), stem="m").claim
            laws = [law_of(read("m()"), F(i, 3)) for i in range(13)]
        assert laws == [{0: 1 - p, 1: p} for p in (low + F(i, 12) * (high - low) for i in range(13))]
        worst = worst_ratio([(p, q) for p in laws for q in laws])
        assert worst == ratio if inside else worst <= ratio
        assert str(claim.term) == f"private(m(), interval(0, 4), discrete(1), pure({ln(number(ratio))}))"
    assert min(proved, wrong) > share(200)


def test_public_coordinate_is_the_least_loss():
    """Random laws of a mechanism of two or three inputs: the loss between vectors of them is that between inputs."""
    for chance in chances("public_coordinate"):
        size, n = chance.randint(2, 3), chance.randint(1, 2)
        laws = random_laws(chance, range(size), size)
        ratio = worst_ratio([(p, q) for p in laws.values() for q in laws.values()])
        vectors = list(product(range(size), repeat=n))
        joint = {v: {(i, y): p / n for i, x in enumerate(v) for y, p in laws[x].items()} for v in vectors}
        with entered(tabulated("m", laws, ratio)):
            one = rules.finite_mechanism(subject="m()", domain=f"finite({size})", metric="discrete", d_in="1")
            claim = rules.public_coordinate(one, n=str(n)).claim
            assert all(law_of(claim.subject, tuple(map(F, v))) == joint[v] for v in vectors)
        assert worst_ratio([(p, q) for p in joint.values() for q in joint.values()]) == ratio
        assert str(claim.term) == (
            f"private(public_coordinate(m(), {n}), vector(finite({size}), {n}), discrete(1), pure({ln_of(ratio)}))"
        )


def test_reports_of_one_response_have_at_most_its_loss():
    """Random laws of what is kept and of what reports it: each law of reports by hand, its loss no more than that."""
    reached = 0
    for chance in chances("reports_of_one"):
        size, n = chance.randint(2, 3), chance.randint(1, 3)
        first, second = (random_laws(chance, range(size), size) for _ in range(2))
        ratio = worst_ratio([(p, q) for p in first.values() for q in first.values()])
        mixed = {x: mixture(first[x], second, n) for x in first}
        with entered(tabulated("m", first, ratio), tabulated("k", second, ratio)):
            one = rules.finite_mechanism(subject="m()", domain=f"finite({size})", metric="discrete", d_in="1")
            claim = rules.reports_of_one(one, given(Law("normalised", read("k()"))), n=str(n)).claim
            assert all(law_of(claim.subject, F(x)) == mixed[x] for x in mixed)
        worst = worst_ratio([(p, q) for p in mixed.values() for q in mixed.values()])
        assert worst <= ratio
        reached += worst > 1
        assert str(claim.term) == (
            f"private(reports_of_one(m(), k(), {n}), finite({size}), discrete(1), pure({ln_of(ratio)}))"
        )
    assert reached > share(300)


def mixture(kept, reports, n):
    """The law of n reports of one outcome, by the definition."""
    found = {}
    for y, p in kept.items():
        for told in product(reports[y], repeat=n):
            found[told] = found.get(told, 0) + p * prod((reports[y][z] for z in told), start=F(1))
    return found


def test_reports_of_one_response_are_drawn_from_their_law():
    """The walk of their coin-flip tree has the masses, as far as it goes."""
    for subject, x in (
        ("reports_of_one(one_bit_mean(1, 3), randomised_response(3/4), 2)", F(1)),
        ("reports_of_one(permanent_response(1, 1/2), rappor(1, 0, 1/4, 3/4), 2)", (F(1),)),
    ):
        found, masses = law_by_coins(subject, x), law_of(read(subject), x)
        assert sum(masses.values()) == 1
        assert all(found.masses.get(y, 0) <= p <= found.masses.get(y, 0) + found.unresolved for y, p in masses.items())
        assert found.unresolved < F(1, 100)


def law_by_coins(subject, x):
    """The law of what is drawn, by every sequence of 14 flips."""
    return tree_law(lambda bits: draw(read(subject), x, Coins(bits)), 14)


def truth(chance, least=F(1, 2)):
    """A probability from `least` to below 1."""
    return least + (1 - least) * F(chance.randint(0, 7), 8)


def of_k(chance):
    return {"k": chance.randint(2, 4), "truth": truth(chance)}


def of_subsets(chance):
    k = chance.randint(2, 5)
    d = chance.randint(1, k - 1)
    return {"k": k, "d": d, "truth": truth(chance, F(d, k))}


def of_buckets(chance):
    k = chance.randint(2, 4)
    return {"k": k, "d": chance.randint(2, k), "truth": truth(chance)}


def of_rappor(chance):
    p = F(chance.randint(1, 7), 8)
    q = p + (1 - p) * F(chance.randint(0, 7), 8)
    return {"bits": chance.randint(2, 4), "f": F(chance.randint(0, 4), 4), "p": p, "q": q}


FAMILIES = {
    "symmetric_unary_encoding": (symmetric_unary_encoding, of_k),
    "optimised_unary_encoding": (
        optimised_unary_encoding, lambda c: {"k": c.randint(2, 4), "ratio": F(c.randint(4, 40), 4)}),
    "permanent_response": (
        permanent_response, lambda c: {"bits": c.randint(2, 4), "f": F(c.randint(1, 8), 8)}),
    "rappor": (rappor, of_rappor),
    "d_bit_flip": (d_bit_flip, of_buckets),
    "one_bit_flip": (one_bit_flip, of_k),
    "subset_selection": (subset_selection, of_subsets),
    "hadamard_response": (hadamard_response, of_k),
    "hadamard_entry_response": (hadamard_entry_response, lambda c: {"m": c.randint(2, 5), "truth": truth(c)}),
    "one_bit_mean": (
        one_bit_mean, lambda c: {"greatest": F(c.randint(1, 9), 2), "ratio": F(c.randint(4, 40), 4)}),
}  # fmt: skip


def by_definition(stem, v, x):
    """The law of M(x), by what is written of M."""
    size = int(v.get("k", v.get("bits", v.get("m", 0))))
    one_hot = tuple(int(i == x) for i in range(size))
    match stem:
        case "symmetric_unary_encoding":
            return bits_by_hand(one_hot, v["truth"], 1 - v["truth"])
        case "optimised_unary_encoding":
            return bits_by_hand(one_hot, F(1, 2), 1 / (v["ratio"] + 1))
        case "d_bit_flip":
            return bits_by_hand(one_hot, v["truth"], 1 - v["truth"], v["d"])
        case "permanent_response":
            return bits_by_hand(tuple(map(int, x)), 1 - v["f"] / 2, v["f"] / 2)
        case "rappor":
            anew = v["f"] / 2 * (v["p"] + v["q"])
            return bits_by_hand(tuple(map(int, x)), *((1 - v["f"]) * v[one] + anew for one in "qp"))
        case "one_bit_mean":
            rate = (1 + x / v["greatest"] * (v["ratio"] - 1)) / (v["ratio"] + 1)
            return {0: 1 - rate, 1: rate}
    support = {"subset_selection": "subset", "hadamard_response": "hadamard", "one_bit_flip": "one_bit"}
    return masses_by_hand(support.get(stem, "hadamard_entry"), size, v.get("d", 0), v["truth"], int(x))


def inputs_of(stem, v):
    """Inputs, and a distance at which pairs of them are neighbours."""
    if stem == "one_bit_mean":
        return [v["greatest"] * F(i, 4) for i in range(5)], 1
    if stem in ("permanent_response", "rappor"):
        return [tuple(map(F, bits)) for bits in product((0, 1), repeat=v["bits"])], 1
    least = -1 if stem in ("symmetric_unary_encoding", "optimised_unary_encoding", "d_bit_flip") else 0
    return [F(x) for x in range(least, v.get("k", v.get("m", 0)))], 1


@pytest.mark.parametrize("stem", FAMILIES)
def test_local_randomiser_of_the_package_has_the_least_loss(stem):
    """At random parameters: its law is that by definition, and the claim's ratio is the greatest one of neighbours."""
    module, parameters = FAMILIES[stem]
    theorem = module.pure()
    for chance in chances(f"least {stem}", 250):
        v = parameters(chance)
        inputs, d_in = inputs_of(stem, v)
        values = {key: str(x) for key, x in v.items()}
        values |= {"d_in": str(d_in)} if "d_in" in str(theorem.claim.term) else {}
        claim = rules.instantiate(theorem, values=values).claim
        assert claim.given == ()
        laws = {x: by_definition(stem, v, x) for x in inputs}
        assert all(law_of(claim.subject, x) == law for x, law in laws.items())
        near = metric(claim.metric).within
        pairs = [(laws[a], laws[b]) for a in inputs for b in inputs if near(a, b, F(d_in))]
        assert claim.d_out == (ln_of(worst_ratio(pairs)),)


@pytest.mark.parametrize("stem", FAMILIES)
def test_local_randomiser_draws_from_its_law(stem):
    """Every sequence of answers of the primitives, none cut off."""
    module, parameters = FAMILIES[stem]
    theorem = module.sampler_law()
    for chance in chances(f"sampler {stem}", 60):
        v = parameters(chance)
        inputs, _ = inputs_of(stem, v)
        x = chance.choice(inputs)
        instance = rules.instantiate(theorem, values={key: str(one) for key, one in v.items()}).claim
        subject = apply(stem, *(number(F(v[p])) for p in kind_of(stem).parameters))
        assert instance.subject == subject
        masses, cut = law_by_answers(lambda coins, m=subject, x=x: draw(m, x, coins), Powers(2), 12)
        expected = {y: p for y, p in by_definition(stem, v, x).items() if p}
        assert cut == 0
        assert {y: p for y, p in masses.items() if p} == expected


def test_public_coordinate_draws_from_its_law():
    subject = read("public_coordinate(k_ary_randomised_response(3, 1/2), 3)")
    x = (F(0), F(2), F(2))
    masses, cut = law_by_answers(lambda coins: draw(subject, x, coins), Powers(2), 12)
    assert cut == 0
    assert masses == law_of(subject, x)


def test_two_reports_of_one_permanent_response_have_less_than_its_loss_and_two_responses_twice_as_much():
    """Reports made of one response have at most its loss: the law of two, against that of two new responses."""
    claim = rules.instantiate(permanent_response.pure(), values={"bits": "2", "f": "1/2", "d_in": "2"}).claim
    filters = [(F(1), F(0)), (F(0), F(1))]
    responses = {x: law_of(claim.subject, x) for x in filters}
    report = {b: bits_by_hand(b, F(3, 4), F(1, 2)) for b in product((0, 1), repeat=2)}
    of_one = {x: mixed(law, {b: squared(report[b]) for b in report}) for x, law in responses.items()}
    assert worst_ratio([(p, q) for p in of_one.values() for q in of_one.values()]) == F(403, 147)
    anew = {x: squared(law) for x, law in responses.items()}
    assert worst_ratio([(p, q) for p in anew.values() for q in anew.values()]) == 81
    assert claim.d_out == (ln_of(F(9)),)


def squared(law):
    """The law of two independent draws."""
    return {(y, z): p * q for y, p in law.items() for z, q in law.items()}


def mixed(law, laws):
    """The law of a draw from a law that is drawn itself."""
    found = {}
    for b, p in law.items():
        for y, q in laws[b].items():
            found[y] = found.get(y, F(0)) + p * q
    return found


def test_outside_their_conditions_there_is_no_instance():
    for module, values in (
        (symmetric_unary_encoding, {"k": "3", "truth": "1/3"}),
        (symmetric_unary_encoding, {"k": "3", "truth": "1"}),
        (symmetric_unary_encoding, {"k": "0", "truth": "2/3"}),
        (symmetric_unary_encoding, {"k": "5/2", "truth": "2/3"}),
        (optimised_unary_encoding, {"k": "3", "ratio": "1/2"}),
        (permanent_response, {"bits": "3", "f": "0", "d_in": "1"}),
        (permanent_response, {"bits": "3", "f": "2", "d_in": "1"}),
        (rappor, {"bits": "3", "f": "1/2", "p": "3/4", "q": "1/2", "d_in": "1"}),
        (rappor, {"bits": "3", "f": "1/2", "p": "0", "q": "1/2", "d_in": "1"}),
        (d_bit_flip, {"k": "3", "d": "4", "truth": "2/3"}),
        (subset_selection, {"k": "3", "d": "3", "truth": "2/3"}),
        (subset_selection, {"k": "3", "d": "0", "truth": "2/3"}),
        (subset_selection, {"k": "4", "d": "2", "truth": "1/3"}),
        (one_bit_mean, {"greatest": "0", "ratio": "2"}),
        (one_bit_mean, {"greatest": "1", "ratio": "1/2"}),
    ):
        with pytest.raises((KernelError, ValueError), match=r"does not hold|division by zero|must"):
            rules.instantiate(module.pure(), values=values)


def test_public_coordinate_of_a_claim_that_is_given_keeps_its_conditions():
    claim = rules.public_coordinate(given(rules.instantiate(one_bit_flip.pure(), values={"k": "3"}).claim)).claim
    assert [str(c) for c in claim.given] == ["1/2 <= truth", "truth < 1", "integer(n)", "1 <= n"]
    assert substitute(claim.domain, {"n": number(4)}) == read("vector(finite(3), 4)")
