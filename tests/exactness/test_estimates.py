"""Estimates from reports against their definition: mean and variance over every tuple of reports, by enumeration."""

from fractions import Fraction as F
from itertools import product

import pytest

import refdp.derivations  # noqa: F401  (it registers the mechanisms)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.one_bit_mean import ONE_BIT_MEAN
from refdp.spec import obligations
from refdp.spec.finite import FiniteLaw
from refdp.spec.rates import BitOfRate
from refdp.spec.semantics import law as law_of
from refdp.spec.semantics import written as data_term
from refdp.spec.supported import order_of
from refdp.spec.tails import Estimator
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import apply, number
from tests.exactness.entering import entered, written
from tests.exactness.enumeration import holds_everywhere, lemma
from tests.exactness.laws import chances, share
from tests.exactness.test_local import bits_by_hand, bitwise_kind, masses_by_hand, supported_kind, sylvester

UNIT = [F(i, 8) for i in range(9)]


def joint_moments(laws):
    """Mean and variance of a sum of independent draws, by going through every tuple of them."""
    whole = {F(0): F(1)}
    for law in laws:
        found = {}
        for (z, p), (d, q) in product(whole.items(), law.items()):
            found[z + d] = found.get(z + d, 0) + p * q
        whole = found
    mean = sum(z * p for z, p in whole.items())
    return mean, sum((z - mean) ** 2 * p for z, p in whole.items())


def yes_by_hand(support, size, report, v):
    """What a report says of a value, by the definition of each relation; None where it is not asked."""
    match support:
        case "subset":
            return v in report
        case "hadamard":
            return sylvester(order_of(size))[v + 1][report] == 1
        case "one_bit":
            return report[1] if report[0] == v else None
        case "bits":
            return report[v]
        case "sent":
            return dict(zip(*report, strict=True)).get(v)
        case "finite":
            return report == v


def random_reports(chance):
    """A kind without parameters, its reports by hand under each input, which inputs have a value, and its support."""
    which = chance.choice(["bits", "sent", "subset", "hadamard", "one_bit", "finite"])
    size = chance.randint(2, 4 if which in ("subset", "hadamard") else 3)
    if which in ("bits", "sent"):
        relation = chance.choice(["value", "exchange", "l1"])
        kept, raised = sorted((chance.choice(UNIT), chance.choice(UNIT)), reverse=chance.random() < 0.9)
        sent = chance.randint(1, size) if which == "sent" else None
        kind = bitwise_kind(relation, size, kept, raised, 1, sent)
        if relation == "value":
            filters = {F(x): tuple(int(i == x) for i in range(size)) for x in range(-1, size)}
        else:
            filters = {tuple(map(F, bits)): bits for bits in product((0, 1), repeat=size)}
        laws = {x: bits_by_hand(bits, kept, raised, sent) for x, bits in filters.items()}
        return kind, which, size, laws, lambda x, v: filters[x][v] == 1
    told, chosen = chance.choice(UNIT), chance.randint(1, size - 1) if which == "subset" else 0
    if which == "finite":
        miss = (1 - told) / (size - 1)
        laws = {F(x): {F(y): told if x == y else miss for y in range(size)} for x in range(size)}
        return finite_kind(size, told, miss), which, size, laws, lambda x, v: x == v
    kind = supported_kind(which, size, chosen, told, 1)
    return (
        kind,
        which,
        size,
        {F(x): masses_by_hand(which, size, chosen, told, x) for x in range(size)},
        lambda x, v: x == v,
    )


def finite_kind(size, hit, miss):
    """A finite law of two masses, without parameters."""
    pmf = f"indicator(output == input) * {hit} + (1 - indicator(output == input)) * {miss}"
    total = f"(output + 1) * {miss} + indicator(input <= output) * ({hit} - {miss})"
    formulas = {
        "size": written("size", "", number(F(size))),
        "pmf": written("pmf", "output input", pmf),
        "cumulative": written("cumulative", "output input", total),
        "ratio_bound": written("ratio_bound", "", "1"),
        "hit": written("hit", "", number(hit)),
        "miss": written("miss", "", number(miss)),
    }
    return FiniteLaw("m", (), (), {}, **formulas)


def made(kind, rule):
    """The claim of a rule, its lemmas given, if each obligation holds; None otherwise."""
    needed = obligations.decoding("m")
    inside = {name: range(4) for name in ("input", "output")}
    if not all(holds_everywhere(s, (0,), inside) for s in needed.values()):
        return None
    try:
        return rule(*(lemma("m", key, s) for key, s in needed.items()), stem="m").claim
    except KernelError as error:  # both probabilities are the same, or the kind asks of some values alone
        if "division by zero" in str(error) or "does not speak of every result" in str(error):
            return str(error)
        raise


def decoded(laws, said, share_asked, own, other):
    """For each report's law the law of what it adds."""
    found = []
    for law in laws:
        added = {}
        for y, p in law.items():
            answer = said(y)
            z = F(0) if answer is None else (answer - other) / (share_asked * (own - other))
            added[z] = added.get(z, 0) + p
        found.append(added)
    return found


def closed(claim, n, having):
    """Own, other and variance of a claim, in numbers."""
    values = {"n": F(n), "having": F(having), "hashes": F(1)}
    return [F(evaluate(t, values)) for t in claim.said]


def test_frequency_estimate_is_the_mean_and_the_variance_over_every_report():
    """Random kinds, also with answers of the wrong order: where the claim's conditions hold, it is right."""
    tried = skipped = 0
    for chance in chances("frequency_estimate"):
        kind, which, size, laws, has = random_reports(chance)
        with entered(kind):
            claim = made(kind, rules.frequency_estimate)
            if claim is None or isinstance(claim, str):
                skipped += 1
                continue
            assert all(law_of(read("m()"), x) == law for x, law in laws.items())
            v, n = chance.randrange(size), chance.randint(1, 3)
            inputs = [chance.choice(list(laws)) for _ in range(n)]
            having = sum(bool(has(x, v)) for x in inputs)
            own, other, variance = claim.said[0], claim.said[1], claim.said[2]
            own, other = (F(evaluate(t, {})) for t in (own, other))
            if own <= other:
                assert not evaluate_condition(claim)
                skipped += 1
                continue
            asked = {"sent": None, "one_bit": F(1, size)}.get(which, F(1))
            if asked is None:
                asked = F(int(kind.sent.term.rational), size)
            adding = decoded(
                [laws[x] for x in inputs],
                lambda y, of=(which, size, v): yes_by_hand(of[0], of[1], y, of[2]),
                asked,
                own,
                other,
            )
            mean, spread = joint_moments(adding)
            assert (mean, spread) == (having, evaluate(variance, {"n": F(n), "having": F(having)}))
            told = {"values": {}, "inputs": str(data_term(tuple(inputs))), "value": str(v)}
            with pytest.raises(KernelError, match="the claim is true of these inputs"):
                rules.another_estimate(claim=str(claim.term), **told)
            other_claim = apply(claim.kind, claim.subject, claim.said[0], claim.said[1], variance + 1, *claim.given)
            assert rules.another_estimate(claim=str(other_claim), **told).claim.claim.said[2] == variance + 1
            tried += 1
    assert tried > share(300)
    assert skipped > share(100)


def evaluate_condition(claim):
    """Whether the condition that a yes is likelier of what has the value holds."""
    condition = next(c for c in claim.given if c.operator == "<" and not {"n", "having"} & set(map(str, c.arguments)))
    a, b = (evaluate(t, {}) for t in condition.arguments)
    return a < b


def test_balanced_estimate_is_the_mean_and_the_variance_over_every_report():
    """Random families in which two values collide as often as is asked, and others, of which nothing is said."""
    tried = 0
    for chance in chances("balanced_estimate"):
        kind, which, size, laws, _ = random_reports(chance)
        with entered(kind):
            claim = made(kind, rules.balanced_estimate)
            if isinstance(claim, str) and "speak" in claim:
                assert which in ("sent", "one_bit") or (which == "bits" and kind.relation != "value")
            if claim is None or isinstance(claim, str):
                continue
            assert which != "one_bit"
            assert which != "sent" or kind.sent.term == number(F(size))
            functions = size * chance.randint(1, 2)
            value = tuple(F(chance.randrange(size)) for _ in range(functions))
            agreeing = set(chance.sample(range(functions), functions // size))
            apart = tuple(
                v if i in agreeing else chance.choice([x for x in laws if x != v]) for i, v in enumerate(value)
            )
            inputs = chance.choice([[value], [apart], [value, apart], [apart, apart, value]])
            having, n = inputs.count(value), len(inputs)
            own, other, variance = closed(claim, n, having)
            if own <= other:
                continue
            reports = [{(j, y): p / functions for j in range(functions) for y, p in laws[x[j]].items()} for x in inputs]
            adding = decoded(
                reports,
                lambda y, of=(which, size, value): yes_by_hand(*of[:2], y[1], int(of[2][y[0]])),
                F(1),
                own,
                other,
            )
            assert joint_moments(adding) == (having, variance)
            told = {"values": {"hashes": str(functions)}, "value": str(data_term(value))}
            good = str(data_term(tuple(inputs)))
            with pytest.raises(KernelError, match="the claim is true of these inputs"):
                rules.another_estimate(claim=str(claim.term), inputs=good, **told)
            wrong = apply(claim.kind, claim.subject, claim.said[0], claim.said[1], claim.said[2] + 1, *claim.given)
            assert rules.another_estimate(claim=str(wrong), inputs=good, **told)
            bad = list(apart)
            place = next(iter(agreeing))
            bad[place] = next(x for x in laws if x not in (value[place], F(-1)))
            with pytest.raises(KernelError, match="the hashes are not balanced"):
                rules.another_estimate(claim=str(wrong), inputs=str(data_term((tuple(bad),))), **told)
            tried += 1
    assert tried > share(200)


def test_number_estimate_is_the_mean_and_the_variance_of_a_bit():
    """Random rates, of which some are not proportional and some no probabilities: the lemma fails there."""
    proved = wrong = 0
    for chance in chances("number_estimate"):
        first, slope, bend = chance.choice(UNIT), chance.choice(UNIT), chance.choice([F(0), F(0), F(1, 8)])
        rate = f"{first} + {slope} * input + {bend} * input * (1 - input)"
        offset = chance.choice([first, first, first + F(1, 8)])
        width = 1 / slope if slope else F(8)
        formulas = {
            "lower": written("lower", "", "0"), "upper": written("upper", "", "1"),
            "rate": written("rate", "input", rate), "ratio_bound": written("ratio_bound", "", "8"),
        }  # fmt: skip
        e = Estimator(written("offset", "", number(offset)), written("width", "", number(width)), ())
        kind = BitOfRate("m", (), (), {}, **formulas, estimator=e)
        points = [F(i, 4) for i in range(5)]
        with entered(kind):
            needed = obligations.decoding("m")
            if not all(holds_everywhere(s, (0,), {"input": points}) for s in needed.values()):
                assert bend or slope == 0 or offset != first or first + slope > 1
                wrong += 1
                continue
            claim = rules.number_estimate(*(lemma("m", key, s) for key, s in needed.items()), stem="m").claim
            for x in points:
                r = first + slope * x
                law = {width * (1 - offset): r}
                law[width * -offset] = law.get(width * -offset, 0) + 1 - r
                assert joint_moments([law]) == (x, evaluate(claim.said[2], {"input": x}))
                told = {"values": {}, "inputs": f"tuple_of({x})", "value": "0"}
                with pytest.raises(KernelError, match="the claim is true of these inputs"):
                    rules.another_estimate(claim=str(claim.term), **told)
                for place in range(3):
                    said = list(claim.said)
                    said[place] = said[place] + F(1, 3)
                    if place != 0 or slope:
                        off = apply(claim.kind, claim.subject, *said, *claim.given)
                        changed = [F(evaluate(t, {"input": x})) for t in said]
                        law = {changed[1] * (1 - changed[0]): r}
                        law[changed[1] * -changed[0]] = law.get(changed[1] * -changed[0], 0) + 1 - r
                        if joint_moments([law]) != (x, changed[2]):
                            assert rules.another_estimate(claim=str(off), **told)
        proved += 1
    assert min(proved, wrong) > share(50)


SUBJECTS = [
    "symmetric_unary_encoding({k}, {t})", "optimised_unary_encoding({k}, {r})", "one_bit_flip({k}, {t})",
    "hadamard_response({k}, {t})", "k_ary_randomised_response({k}, {t})", "subset_selection({k}, 1, {t})",
    "d_bit_flip({k}, {d}, {t})",
]  # fmt: skip


def test_enumerated_estimate_is_the_general_one_at_its_numbers():
    for chance in chances("enumerated_estimate", 200):
        k, t, r = chance.randint(2, 4), F(chance.randint(5, 7), 8), chance.randint(2, 5)
        subject = chance.choice(SUBJECTS).format(k=k, t=t, r=r, d=chance.randint(1, k))
        claim = rules.enumerated_estimate(subject=subject).claim
        general = refdp_claim(claim.subject.operator)
        parameters = dict(zip(parameters_of(claim.subject.operator), claim.subject.arguments, strict=True))
        for n, having in ((1, 0), (1, 1), (5, 2)):
            at = {"n": F(n), "having": F(having)}
            numbers = {key: value.rational for key, value in parameters.items()}
            assert [evaluate(s, at) for s in claim.said] == [evaluate(s, at | numbers) for s in general.said]


def refdp_claim(stem):
    """The general claim about a registered mechanism."""
    from refdp.proofs.lines import proved

    return proved(f"{stem}.estimate").claim


def parameters_of(stem):
    from refdp.spec.registry import kind_of

    return kind_of(stem).parameters


def test_the_estimate_of_one_bit_mean_reads_its_own_formulas():
    assert ONE_BIT_MEAN.estimator is not None
    for x, ratio in product((F(0), F(1, 2), F(1)), (F(2), F(4))):
        offset, width = 1 / (ratio + 1), (ratio + 1) / (ratio - 1)
        r = offset + x / width
        assert width * (r - offset) == x
