"""An identity proves a statement only if it is one, in every case, with weights and factors that make it positive."""

from itertools import product

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.algebra import MOST_WORK, require_contradiction
from refdp.numerics.polynomials import NotPolynomial, Workshop
from refdp.spec.cases import contradictions
from refdp.spec.named_statements import NamedStatements
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from tests.kinds import registered


def stated(show, *given, integers=""):
    return Statement(tuple(map(read, given)), read(show), frozenset(integers.split()))


FACTS = NamedStatements(
    "facts",
    {
        "sum": stated("x + y <= 2", "x <= 1", "y <= 1"),
        "square": stated("2 * x * y <= x ** 2 + y ** 2"),
        "product": stated("0 <= x * y", "0 <= x", "0 <= y"),
        "strict_product": stated("0 < x * y", "0 < x", "0 < y"),
        "weak_product": stated("0 < x * y", "0 <= x", "0 < y"),
        "triangle": stated("abs(x + y) <= abs(x) + abs(y)"),
        "equation": stated("x == y", "x + z == y + z"),
        "multiple": stated("x * z == y * z", "x == y"),
        "apart": stated("x + 1 <= y", "x < y", integers="x y"),
        "reals_apart": stated("x + 1 <= y", "x < y"),
        "one_integer_apart": stated("x + 1 <= y", "x < y", integers="x"),
        "distinct": stated("1 <= (x - y) ** 2", "x != y", integers="x y"),
        "inverse": stated("0 < 1 / x", "0 < x"),
        "undivided": stated("x / x == 1"),
        "vacuous": stated("x < x", "1 < 0"),
        "void": stated("abs(x) == 1", "1 <= x", "x <= 1", "0 <= x"),
        "even": stated("2 * n != 7", integers="n"),
        "real_even": stated("2 * n != 7"),
        "quadratic": stated("0 <= x ** 2 - x", integers="x"),
        "real_quadratic": stated("0 <= x ** 2 - x"),
        "exponential": stated("0 <= exp(x) - exp(x)"),
    },
)


@pytest.fixture(autouse=True)
def facts():
    with registered(FACTS):
        yield


def concluded(key, *cases, digest=None):
    statement = FACTS.statements[key]
    return rules.algebra(obligation=f"facts.{key}", digest=digest or statement.digest, cases=list(cases))


BELOW = "vanishes(product(1), equation(0, -1), product(2, 1))"
ABOVE = "vanishes(product(1), equation(0, 1), product(2, 1))"
ONE_LESS = "vanishes(product(1), product(1, 0), product(1, 1)"
PROOFS = {
    "sum": ["vanishes(product(1, 0), product(1, 1), product(1, 2))"],
    "square": ["vanishes(product(1, 0), product(1, square(x - y)))"],
    "product": ["vanishes(product(1, 2), product(1, 0, 1))"],
    "strict_product": ["vanishes(product(1, 2), product(1, 0, 1))"],
    "equation": ["vanishes(product(1, 1), equation(0, -1))", "vanishes(product(1, 1), equation(0, 1))"],
    "multiple": ["vanishes(product(1, 1), equation(0, -z))", "vanishes(product(1, 1), equation(0, z))"],
    "apart": ["vanishes(product(1), product(1, 0), product(1, 1))"],
    "distinct": ["vanishes(product(1), product(1, 0), product(1, 1))"],
    "inverse": ["vanishes(product(1, 0), equation(1, 1))", "vanishes(product(1), product(1, 2))"],
    "vacuous": ["vanishes(product(2, 0), product(2))"],
    "even": [f"split(n - 4, {BELOW}, {ABOVE})"],
    "quadratic": [f"split(x - 1, {ONE_LESS}, product(1, square(x))), {ONE_LESS}, product(1, square(x - 1))))"],
    "void": ["vanishes(product(1, 0), product(1, 4))", "vanishes(product(1, 1), product(1, 4))"],
}


@pytest.mark.parametrize("key", PROOFS)
def test_algebra_concludes_by_an_identity_and_trusts_nobody(key):
    theorem = concluded(key, *PROOFS[key])
    assert (theorem.claim.name, theorem.claim.digest, theorem.trusts) == (
        key, FACTS.statements[key].digest, frozenset(),
    )  # fmt: skip


def test_algebra_proves_a_triangle_inequality_in_each_of_its_cases():
    """Where the signs of x, y and x + y do not fit together, they are the contradiction, without the conclusion."""
    cases = contradictions(FACTS.statements["triangle"])
    assert [str(facts[-1]) for facts in cases] == [
        "x + y < x + y", "x + -y < x + y", "-x + y < x + y", "-x + -y < x + y",
        "x + y < -(x + y)", "x + -y < -(x + y)", "-x + y < -(x + y)", "-x + -y < -(x + y)",
    ]  # fmt: skip
    assert concluded("triangle", *map(contradiction, cases)).trusts == frozenset()


def contradiction(facts):
    """Found by trying: two or three of the facts, each once or twice."""
    for chosen in product(range(3), repeat=len(facts)):
        summands = ", ".join(f"product({weight}, {i})" for i, weight in enumerate(chosen) if weight)
        written = read(f"vanishes({summands})")
        try:
            require_contradiction(facts, written, frozenset(), Workshop(100))
        except KernelError:
            continue
        return written
    raise ValueError("no contradiction was found")


REFUSED = {
    "a sum that is not 0": ("sum", ["vanishes(product(1, 1), product(1, 2))"], "the sum is not 0"),
    "a weight off by a thousandth": (
        "sum", ["vanishes(product(1001/1000, 0), product(1, 1), product(1, 2))"], "the sum is not 0",
    ),
    "a square off by a thousandth": (
        "square", ["vanishes(product(1, 0), product(1, square(x - 1001/1000 * y)))"], "the sum is not 0",
    ),
    "a multiplier off by a thousandth": (
        "multiple", ["vanishes(product(1, 1), equation(0, 1001/1000 * z))", PROOFS["multiple"][1]], "is not 0",
    ),
    "a negative weight": (
        "reals_apart", ["vanishes(product(1), product(-1, 0), product(-1, 1))"], "a weight must be > 0",
    ),
    "a weight of 0": ("sum", ["vanishes(product(0, 0))"], "a weight must be > 0"),
    "a weight that is no number": ("sum", ["vanishes(product(x, 0))"], "expected a rational number"),
    "a missing case": ("equation", PROOFS["equation"][:1], "cases must be 2 sums, got 1"),
    "no case at all": ("sum", [], "cases must be 1 sums, got 0"),
    "a case too many": ("sum", PROOFS["sum"] * 2, "cases must be 1 sums, got 2"),
    "cases in another order": ("equation", PROOFS["equation"][::-1], "the sum is not 0"),
    "a strict sign of a weak fact": ("weak_product", ["vanishes(product(1, 2), product(1, 0, 1))"], "is positive"),
    "a strict sign of a square": ("square", ["vanishes(product(1, square(x - x)))"], "no summand is positive"),
    "a strict sign of an equation": ("multiple", ["vanishes(equation(0, 0))"] * 2, "no summand is positive"),
    "an empty sum": ("sum", ["vanishes()"], "no summand is positive"),
    "integers taken for reals": ("reals_apart", PROOFS["apart"], "the sum is not 0"),
    "one of two taken for an integer": ("one_integer_apart", PROOFS["apart"], "the sum is not 0"),
    "an order used as an equation": ("sum", ["vanishes(product(1), equation(0, 1))"], "is no equation"),
    "an equation used as an order": ("multiple", ["vanishes(product(1, 0))"] * 2, "is no order"),
    "an equation times a quotient": ("multiple", ["vanishes(equation(0, 1 / z))"] * 2, "makes no polynomial"),
    "an equation times a function": ("multiple", ["vanishes(equation(0, exp(z)))"] * 2, "makes no polynomial"),
    "a square of no polynomial": ("square", ["vanishes(product(1, square(sqrt(x))))"], "makes no polynomial"),
    "a square of two": ("square", ["vanishes(product(1, square(x, y)))"], "too many values"),
    "a fact that is not there": ("sum", ["vanishes(product(1, 3))"], "there is no fact 3"),
    "a fact before the first": ("sum", ["vanishes(product(1, -1))"], "there is no fact -1"),
    "half a fact": ("sum", ["vanishes(product(1, 1/2))"], "there is no fact 1/2"),
    "a fact by name": ("sum", ["vanishes(product(1, x))"], "expected a rational number"),
    "a product of five": ("product", ["vanishes(product(1, 0, 0, 0, 0, 1))"], "at most 4 factors"),
    "a product of nothing": ("sum", ["vanishes(product())"], r"expected product\(...\) or equation"),
    "an equation of three": ("multiple", ["vanishes(equation(0, 1, 1))"] * 2, r"expected product\(...\) or equation"),
    "another summand": ("sum", ["vanishes(negated(1, 0))"], r"expected product\(...\) or equation"),
    "a split of reals taken for integers": ("real_even", PROOFS["even"], "the sum is not 0"),
    "a square root of reals taken for integers": ("real_quadratic", PROOFS["quadratic"], "the sum is not 0"),
    "a split in which one part is wrong": (
        "even", [f"split(n - 4, {BELOW}, {ABOVE})".replace("equation(0, 1)", "equation(0, 2)")], "the sum is not 0",
    ),
    "a split with the parts exchanged": ("even", [f"split(n - 4, {ABOVE}, {BELOW})"], "the sum is not 0"),
    "a fact of the other part": ("even", [f"split(n - 4, {BELOW}, vanishes(product(1, 2)))"], "there is no fact 2"),
    "a split that proves one part": ("even", [BELOW], "there is no fact 1"),
    "a split with one part": ("even", ["split(n - 4, vanishes(product(1)))"], "not enough values"),
    "a split with three parts": (
        "even", ["split(n - 4, vanishes(product(1)), vanishes(product(1)), vanishes(product(1)))"], "too many values",
    ),
    "a split at a quotient": ("even", ["split(1 / n, vanishes(product(1)), vanishes(product(1)))"], "no polynomial"),
    "a split at a logarithm": ("even", ["split(ln(n), vanishes(product(1)), vanishes(product(1)))"], "no polynomial"),
    "another shape": ("sum", ["product(1, 0)"], r"expected vanishes\(...\)"),
    "no term": ("sum", ["product(1, 0"], "not a term"),
    "a float": ("sum", ["vanishes(product(1.0, 0))"], "no float literal"),
    "a denominator that may be 0": ("undivided", ["vanishes(product(1, 0))"] * 5, "is no order"),
    "what is no polynomial": ("exponential", ["vanishes(product(1, 0))"], "exp makes no polynomial"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_algebra_refuses(what):
    key, cases, why = REFUSED[what]
    with pytest.raises(KernelError, match=why):
        concluded(key, *cases)


def test_algebra_of_another_digest_is_refused():
    with pytest.raises(KernelError, match="have changed"):
        concluded("sum", *PROOFS["sum"], digest=FACTS.statements["square"].digest)


def test_algebra_of_no_obligation_is_refused():
    with pytest.raises(KernelError, match="has no obligation 'other'"):
        rules.algebra(obligation="facts.other", digest=FACTS.statements["sum"].digest, cases=[])


@pytest.mark.parametrize("cases", ["vanishes(product(1, 0))", {"0": "vanishes(product(1, 0))"}, 1])
def test_algebra_of_another_shape_is_refused(cases):
    with pytest.raises(KernelError, match="it takes no such cases"):
        rules.algebra(obligation="facts.sum", digest=FACTS.statements["sum"].digest, cases=cases)


OVERSIZE = {
    "a high power": ("square((x ** 8) ** 9)", "degree"),
    "a power of powers": ("square(((x + y + 1) ** 60) ** 60)", "work|terms|degree"),
    "many terms": ("square((a + b + c + d + e + f) ** 12)", "work|terms"),
    "many terms of a product": ("square((a + b + c + d + e) ** 5), square((f + g + h) ** 5)", "work|terms"),
    "a long number": (f"square({'9' * 400} * x)", "binary digits"),
    "a number that grows": ("square((((3 * x - 3 * x + 3) ** 64) ** 64) ** 64)", "binary digits"),
    "a long text": (f"square({'x + ' * 6000}x)", "at most 20000 characters"),
    "a deep text": (f"square({'(' * 70}x{')' * 70})", "nest at most"),
}


@pytest.mark.parametrize("what", OVERSIZE)
def test_algebra_of_oversize_is_refused_soon(what):
    factor, why = OVERSIZE[what]
    with pytest.raises(KernelError, match=why):
        concluded("sum", f"vanishes(product(1, {factor}), product(1, 0))")


def test_algebra_counts_the_work_of_all_summands_together():
    many = f"vanishes({', '.join(['product(1, square(x + y + z))'] * 50)}, product(1))"
    facts, enough = contradictions(FACTS.statements["sum"])[0], Workshop(MOST_WORK)
    with pytest.raises(KernelError, match="the sum is not 0"):
        require_contradiction(facts, read(many), frozenset(), enough)
    spent = MOST_WORK - enough.left
    with pytest.raises(NotPolynomial, match="takes too much work"):
        require_contradiction(facts, read(many), frozenset(), Workshop(spent - 1))


def test_algebra_of_a_statement_with_too_many_cases_is_refused():
    wide = stated(f"0 <= {' + '.join(f'abs(x{i})' for i in range(9))}")
    with registered(NamedStatements("wide", {"sum": wide})), pytest.raises(KernelError, match="at most 256 cases"):
        rules.algebra(obligation="wide.sum", digest=wide.digest, cases=[])
