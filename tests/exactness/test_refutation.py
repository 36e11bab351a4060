"""Refutations against the definition: what is false by ever so little is refuted, what is true never is."""

from fractions import Fraction as F
from itertools import combinations

import pytest

import refdp.derivations  # noqa: F401  (it registers what the claims are about)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.provers.witnesses import NoWitness, refuted_by_event
from refdp.spec.distances import Law
from refdp.spec.semantics import written
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import apply, ln, number
from tests.exactness.claims import FACTORS, ln_of, private, stable
from tests.exactness.definition import near, pairs_of, satisfied, worst_excess, worst_ratio
from tests.exactness.entering import entered, exactly, lookup, row_map
from tests.exactness.laws import chances, random_laws, share, tables

INPUTS = tuple(range(3))
LESS = F(1, 1000)


def event_of(outcomes):
    """The event as a term."""
    return apply("tuple_of", *(written(F(y)) for y in outcomes))


def refutes(claim, a, b, event) -> bool:
    """Whether the rule refutes the claim by this event."""
    try:
        found = rules.unlikely_elsewhere(claim=claim.term, a=str(a), b=str(b), event=event)
    except KernelError:
        return False
    return found.claim.claim == claim


def breaks(claim, p: Law, q: Law, outcomes) -> bool:
    """Whether P(E) > e^epsilon Q(E) + delta, by definition; e^epsilon is rational here."""
    epsilon, delta = claim.d_out[0], claim.d_out[1].rational if len(claim.d_out) == 2 else F(0)
    factor = F(1) if epsilon == number(0) else epsilon.arguments[0].rational
    return sum(p[y] for y in outcomes) > factor * sum(q[y] for y in outcomes) + delta


def events(outcomes):
    """Every event but the empty one."""
    return [e for n in range(1, len(outcomes) + 1) for e in combinations(outcomes, n)]


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_unlikely_elsewhere_refutes_by_just_the_events_that_break_a_claim(measure):
    """Random claims, true, tight or false, random pairs and events, among them pairs that are too far apart."""
    found = {True: 0, False: 0}
    for chance in chances(f"unlikely_elsewhere {measure}"):
        laws = random_laws(chance, INPUTS, 3, chance.randint(0, 1))
        factor = F(chance.randint(8, 14), 8)
        delta = [] if measure == "pure" else [number(F(chance.randint(0, 3), 16))]
        claim = private("m()", "finite(3)", "absolute", 1, measure, [ln_of(factor), *delta])
        a, b = chance.choice(INPUTS), chance.choice(INPUTS)
        event = chance.sample(range(3), chance.randint(1, 3))
        with entered(lookup("m", "finite(3)", laws)):
            said = refutes(claim, a, b, event_of(event))
        assert said == (abs(a - b) <= 1 and breaks(claim, laws[a], laws[b], event))
        found[said] += 1
    assert min(found.values()) > share(50)


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_a_tight_claim_is_refuted_by_no_event_and_one_a_thousandth_below_by_its_worst(measure):
    """All pairs and all events; below the least loss, the event of all outcomes that exceed is a witness, found too
    by the search."""
    for chance in chances(f"tight {measure}", 500):
        laws = random_laws(chance, INPUTS, 3, int(measure == "pure"))
        pairs = pairs_of(laws, near(INPUTS, "absolute", 1))
        ratio, factor = worst_ratio(pairs), chance.choice(FACTORS)
        excess = worst_excess(pairs, factor)
        tight = [ln_of(ratio)] if measure == "pure" else [ln_of(factor), number(excess)]
        below = [ln_of(ratio - LESS)] if measure == "pure" else [ln_of(factor), number(excess - LESS)]
        if (measure == "pure" and ratio <= 1 + LESS) or excess <= LESS:
            continue
        true, false = (private("m()", "finite(3)", "absolute", 1, measure, d) for d in (tight, below))
        assert satisfied(measure, true.d_out, pairs)
        with entered(lookup("m", "finite(3)", laws)):
            for a, b in near(INPUTS, "absolute", 1)[:: chance.randint(2, 4)]:
                assert not any(refutes(true, a, b, event_of(e)) for e in events((0, 1, 2)))
            limit = ratio - LESS if measure == "pure" else factor
            assert any(refutes_by_excess(false, a, b, laws, limit) for a, b in near(INPUTS, "absolute", 1))
            assert refuted_by_event(str(false.term), {}, map(F, INPUTS)).claim.claim == false
            with pytest.raises(NoWitness):
                refuted_by_event(str(true.term), {}, map(F, INPUTS))


def refutes_by_excess(claim, a, b, laws, factor):
    """Whether the outcomes whose mass under a is more than `factor` times that under b are a witness."""
    event = [y for y in range(3) if laws[a][y] > factor * laws[b][y]]
    return bool(event) and refutes(claim, a, b, event_of(event))


NO_EVENTS = ("tuple_of()", "tuple_of(0, 0)", "tuple_of(0, 1, 0)", "0", "tuple_of(1/2)", "tuple_of(7)")


@pytest.mark.parametrize("event", NO_EVENTS)
def test_an_event_of_nothing_or_of_one_outcome_twice_refutes_nothing(event):
    """Masses 3/4 and 1/4: the claim (0, 1/2) is tight, and would fall to an outcome that counts twice."""
    laws = {x: {y: F(3 if x == y else 1, 4) for y in range(2)} for x in range(2)}
    claim = private("m()", "finite(2)", "discrete", 1, "approximate", (number(0), number(F(1, 2))))
    false = private("m()", "finite(2)", "discrete", 1, "approximate", (number(0), number(F(499, 1000))))
    with entered(lookup("m", "finite(2)", laws)):
        assert not refutes(claim, 0, 1, read(event))
        assert refutes(false, 0, 1, read("tuple_of(0)"))
        assert not refutes(false, 0, 2, read("tuple_of(0)"))


def test_additive_noise_is_refuted_by_just_the_outputs_whose_loss_is_too_large():
    """The exact loss against the claim; under approximate DP with a delta above 0 one outcome refutes nothing."""
    found = {True: 0, False: 0}
    for chance in chances("refuted noise"):
        scale, d_in = F(chance.randint(1, 4), chance.randint(1, 2)), chance.randint(1, 2)
        epsilon = F(chance.randint(0, 4), 4)
        claim = private(f"discrete_laplace({scale}, 1)", "grid(1)", "absolute", d_in, "pure", (number(epsilon),))
        a, b, y = (chance.randint(-2, 2) for _ in range(3))
        said = refutes(claim, a, b, event_of([y]))
        assert said == (abs(a - b) <= d_in and F(abs(y - b) - abs(y - a)) / scale > epsilon)
        found[said] += 1
        loose = private(*words(claim), "approximate", (number(epsilon), number(F(1, 10**9))))
        assert not refutes(loose, a, b, event_of([y]))
    assert min(found.values()) > share(50)


def words(claim):
    """Subject, domain, metric and d_in as text."""
    return str(claim.subject), str(claim.domain), claim.metric, claim.d_in.rational


def test_irrational_masses_are_told_apart_by_enclosures():
    """The exponential mechanism with two candidates, against its odds: 1/(1 + e^(-t)) is the mass of the better."""
    said = {True: 0, False: 0}
    for chance in chances("enclosed", 300):
        gap, epsilon = chance.randint(1, 3), F(chance.randint(1, 30), 10)
        claim = private("exponential(2)", "vector(grid(1), 2)", "linf", gap, "pure", (number(epsilon),))
        a, b = f"tuple_of({gap}, 0)", f"tuple_of(0, {gap})"
        # P[M(a) = 0] / P[M(b) = 0] = e^(gap / 2): the two sums are equal.
        found = refutes(claim, a, b, read("tuple_of(0)")) if F(gap, 2) != epsilon else None
        assert found in (F(gap, 2) > epsilon, None)
        said[F(gap, 2) > epsilon] += 1
    assert min(said.values()) > share(50)


ROWS = (0, 1, 2)
TABLES = tables(ROWS, 2)


def test_unstable_pair_refutes_by_just_the_pairs_that_break_a_claim():
    """Arbitrary row functions and filters, random tables and distances; all pairs where the claim is true."""
    found = {True: 0, False: 0}
    for chance in chances("unstable_pair"):
        images = {r: chance.choice([0, 1, 2, None]) for r in ROWS}
        near_metric = chance.choice(["symmetric", "change_one"])
        d_in, d_out = chance.randint(0, 2), F(chance.randint(0, 2), 2)
        a, b = chance.choice(TABLES), chance.choice(TABLES)
        claim = stable("t()", "table(finite(3))", near_metric, d_in, "table(finite(3))", "symmetric", d_out)
        image = [tuple(images[r] for r in t if images[r] is not None) for t in (a, b)]
        with entered(row_map("t", "finite(3)", "finite(3)", images)):
            try:
                refuted = rules.unstable_pair(claim=claim.term, a=written(exactly(a)), b=written(exactly(b)))
            except KernelError:
                refuted = None
        expected = (a, b) in near(TABLES, near_metric, d_in) and not is_near(*image, d_out)
        assert (refuted is not None) == expected
        found[expected] += 1
    assert min(found.values()) > share(50)


def is_near(u, v, d_out):
    """Whether at most so many rows are in one table and not in the other."""
    return sum(abs(u.count(r) - v.count(r)) for r in {*u, *v}) <= d_out


def test_false_instance_refutes_a_family_by_its_false_instances_only():
    """k-ary randomised response claimed at ln(bound(k, truth)): an instance within the conditions must be false."""
    bounds = ["truth / (1 - truth)", "truth * (k - 1) / (1 - truth)", "k * truth", "2 * truth / (1 - truth)"]
    found = {True: 0, False: 0}
    for chance in chances("false_instance"):
        bound, k, truth = chance.choice(bounds), chance.randint(2, 5), F(chance.randint(1, 9), 10)
        general = (
            f"private(k_ary_randomised_response(k, truth), finite(k), discrete(1), pure(ln({bound})), "
            "integer(k), 2 <= k, 1 <= truth * k, truth < 1)"
        )
        claimed = evaluate(read(bound), {"k": F(k), "truth": truth})
        worst = max(truth * (k - 1) / (1 - truth), (1 - truth) / (k - 1) / truth)
        false = claimed < worst and truth * k >= 1
        try:
            values = {"k": str(k), "truth": str(truth)}
            theorem = rules.false_instance(witness(k, truth, claimed), claim=general, values=values)
        except KernelError:
            assert not false
        else:
            assert false
            assert theorem.claim.claim.term == read(general)
        found[false] += 1
    assert min(found.values()) > share(50)


def witness(k, truth, claimed):
    """The refuted closed claim: 0 is told for 0 with probability truth, for 1 with (1 - truth) / (k - 1)."""
    subject = f"k_ary_randomised_response({k}, {truth})"
    claim = private(subject, f"finite({k})", "discrete", 1, "pure", (ln(claimed),))
    return rules.unlikely_elsewhere(claim=claim.term, a="0", b="1", event="tuple_of(0)")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pure(ln(2))", "pure(ln(4))"), ("discrete(1)", "absolute(1)"), ("discrete(1)", "discrete(2)"),
        ("finite(2)", "finite(3)"), ("3/4", "4/5"), ("pure(ln(2))", "approximate(ln(2), 0)"),
        ("pure(ln(2)))", "pure(ln(2)), 1 <= 0)"),
    ],
)  # fmt: skip
def test_false_instance_of_something_else_is_refused(old, new):
    """A larger loss, another metric, distance, domain, subject or measure, a condition that does not hold."""
    claim = "private(randomised_response(3/4), finite(2), discrete(1), pure(ln(2)))"
    false = rules.unlikely_elsewhere(claim=claim, a="0", b="1", event="tuple_of(0)")
    assert rules.false_instance(false, claim=claim, values={}).claim == false.claim
    stronger = claim.replace("ln(2)", "ln(3/2)")
    assert rules.false_instance(false, claim=stronger, values={}).claim.claim.term == read(stronger)
    with pytest.raises(KernelError):
        rules.false_instance(false, claim=claim.replace(old, new), values={})
