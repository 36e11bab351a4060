"""Laws with symbols: what is demanded of public parameters holds just where the laws, enumerated there, keep the claim.

Each law is written down here by hand; both are evaluated at the same random rational parameters.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction as F
from itertools import product
from math import gcd, inf, lcm
from random import Random

import mpmath
import pytest

from refdp.programs.checking.proof import check
from refdp.programs.checking.public import Refused, public
from refdp.programs.checking.ratios import HIGHEST, Ratio, Ratios, plain, term
from refdp.programs.checking.symbolic import (
    MOST_OPEN,
    Chance,
    Laws,
    Leaf,
    bounded,
    demanded_of_laws,
    difference,
    exponents,
    logarithm,
    sizes,
)
from refdp.programs.execution import Drawn, TooManyPaths
from refdp.programs.language.reading import programs_in
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, make, rational, truth, variable
from refdp.terms.operations import (
    add,
    at_most,
    conjunction,
    disjunction,
    divide,
    equal,
    exponential,
    less,
    multiply,
    negation,
    real,
)
from refdp.terms.polynomials import ONE, atom
from refdp.terms.term import Term
from tests.examples import few
from tests.numerics.oracle import fraction

HEADER = """
from refdp.programs import ALL, ONE, bernoulli, choice, claim, each, exp, uniform

def any_bits(x, y):
    return True

def steps(x, y):
    return 0 <= x <= 2 and 0 <= y <= 2 and abs(x - y) <= 1

def up(x, y):
    return x == 0 and y == 1

"""
Law = Mapping[object, F]
Values = Mapping[str, F]


def coin(p: F) -> Law:
    """True with probability p."""
    return {True: p, False: 1 - p}


def pushed(law: Law, function: Callable) -> Law:
    """The law of a function of the outcome, itself random: it gives a law."""
    found: dict[object, F] = {}
    for outcome, chance in law.items():
        for one, share in function(outcome).items():
            found[one] = found.get(one, F(0)) + chance * share
    return found


def sure(outcome: object) -> Law:
    return {outcome: F(1)}


BOTH = tuple(product((False, True), repeat=2))

PROGRAMS: dict[str, tuple[str, Callable[[object, Values], Law]]] = {
    "flipped": ("return bit != bernoulli(p)", lambda x, v: pushed(coin(v["p"]), lambda b: sure(x != b))),
    "kept if true": ("return bit and bernoulli(p)", lambda x, v: pushed(coin(v["p"]), lambda b: sure(x and b))),
    "true if heads": ("return bit or bernoulli(p)", lambda x, v: pushed(coin(v["p"]), lambda b: sure(x or b))),
    "mixture": (
        "if bernoulli(p):\n        return bit\n    return bernoulli(q)",
        lambda x, v: pushed(coin(v["p"]), lambda b: sure(x) if b else coin(v["q"])),
    ),
    "two answers": (
        "yield bit and bernoulli(p)\n    yield bit or bernoulli(q)",
        lambda x, v: (
            {(x and b, x or c): F(0) for b, c in BOTH}
            | pushed(coin(v["p"]), lambda b: pushed(coin(v["q"]), lambda c: sure((x and b, x or c))))
        ),
    ),
    "choice": (
        "k = choice([p, q, 1])\n    if bit:\n        return k\n    return 2 - k",
        lambda x, v: {
            k if x else 2 - k: weight / (v["p"] + v["q"] + 1) for k, weight in enumerate((v["p"], v["q"], F(1)))
        },
    ),
    "uniform": (
        "k = uniform(-1, 2)\n    if not bernoulli(p) and bit:\n        return max(k, 0)\n    return k",
        lambda x, v: pushed(
            coin(v["p"]),
            lambda b: pushed({k: F(1, 4) for k in (-1, 0, 1, 2)}, lambda k: sure(k if b or not x else max(k, 0))),
        ),
    ),
    "probability of a quotient": (
        "return bit != bernoulli(p / (p + q))",
        lambda x, v: pushed(coin(v["p"] / (v["p"] + v["q"])), lambda b: sure(x != b)),
    ),
}
PARAMETERS = ("p", "q", "R", "d")
ANY = 'where="0 < p and p < 1 and 0 < q and q < 1 and R >= 1 and 0 <= d and d < 1"'


def asked(body: str, claim: str, data: str = "bit: bool") -> object:
    """The program with a claim."""
    text = f"@claim({claim}, {ANY})\ndef program({data}, p, q, R, d):\n    {body}\n"
    return programs_in(HEADER + text, "test.py")[0]


def demanded(program, seconds: float = 30.0) -> list[Term]:
    """The statements that are demanded; the hypotheses are what was claimed to be known."""
    return [one.conclusion for one in demanded_of_laws(program, program.claims[0], ("z3",), seconds)]


def holds(statements: list[Term], values: Values) -> bool:
    """Whether all of them are true at these parameters."""
    at = {variable(name, "Real"): value for name, value in values.items()}
    return all(evaluate(one, at) for one in statements)


def excess(first: Law, second: Law, factor: F) -> F:
    """The greatest P[E given a] - factor P[E given b]."""
    return sum((max(p - factor * second.get(o, F(0)), F(0)) for o, p in first.items()), F(0))


def points(seed: str, count: int) -> list[Values]:
    """Random parameters, with R near a quotient that matters now and then."""
    random, found = Random(seed), []
    for _ in range(count):
        p, q = (F(random.randint(1, 23), 24) for _ in range(2))
        near = random.choice([1 / (1 - p), (1 - p) / p, p / (1 - p), (p + q * (1 - p)) / (q * (1 - p)), 1 / p, 1 / q])
        r = max(F(1), near * random.choice([F(1), F(1), F(99, 100), F(101, 100), F(random.randint(10, 60), 10)]))
        found.append({"p": p, "q": q, "R": r, "d": F(random.randint(0, 12), 12) * F(random.choice((0, 1, 1)))})
    return found


def compared(seed: str, statements: list[Term], pairs: list[tuple[object, object]], law, power: int, times: int) -> set:
    """Whether claim and demand agree at many parameters; which truths were met."""
    met = set()
    for values in points(seed, few(200)):
        factor = values["R"] ** power
        laws = [(law(a, values), law(b, values)) for a, b in pairs]
        if times:  # pure: so many elements that each are answered alone
            truth = all(
                a.get(o, F(0)) ** times <= factor * b.get(o, F(0)) ** times for a, b in laws for o in {**a, **b}
            )
        else:
            truth = all(excess(a, b, factor) <= values["d"] for a, b in laws)
        assert holds(statements, values) == truth, values
        met.add(truth)
    return met


BITS = [(False, True), (True, False)]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(("epsilon", "power"), [("ln(R)", 1), ("2*ln(R)", 2), ("ln(R) + 2*ln(R)", 3)])
def test_pure_claims_are_demanded_where_they_hold_and_nowhere_else(name: str, epsilon: str, power: int) -> None:
    body, law = PROGRAMS[name]
    statements = demanded(asked(body, f'epsilon="{epsilon}", adjacency=ALL'))
    assert compared(f"{name} {epsilon}", statements, BITS, law, power, 1) >= {False}


@pytest.mark.parametrize("name", PROGRAMS)
def test_claims_with_delta_are_demanded_where_they_hold_and_nowhere_else(name: str) -> None:
    body, law = PROGRAMS[name]
    statements = demanded(asked(body, 'epsilon="ln(R)", delta="d", adjacency=ALL'))
    assert compared(f"{name} delta", statements, BITS, law, 1, 0) == {False, True}


@pytest.mark.parametrize("changed", [1, 2, 3])
def test_so_many_elements_of_a_list_may_change(changed: int) -> None:
    """c elements that differ cost c times what one costs."""
    body = "for bit in bits:\n        yield bit != bernoulli(p)"
    program = asked(body, f'epsilon="ln(R)", adjacency=each(any_bits, changed={changed})', "bits: list[bool]")
    law = PROGRAMS["flipped"][1]
    assert compared(f"list {changed}", demanded(program), BITS, law, 1, changed) == {False, True}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            "seen = False\n    for bit in bits:\n        seen = bit != (seen != bernoulli(p))\n        yield seen",
            "by itself",
        ),
        ("yield bits[0] != bernoulli(p)", "by itself"),
        ("if bernoulli(q):\n        return\n    for bit in bits:\n        yield bit != bernoulli(p)", "by itself"),
        ("for k, bit in enumerate(bits):\n        yield (k, bit != bernoulli(p))", "by itself"),
        ("for k, bit in enumerate(bits):\n        yield bit != bernoulli(p / (1 + k))", "by itself"),
    ],
)  # fmt: skip
def test_lists_that_are_not_answered_element_by_element_are_refused(body: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        demanded(asked(body, 'epsilon="ln(R)", adjacency=each(any_bits, changed=1)', "bits: list[bool]"))


@pytest.mark.parametrize("relation", ["steps", "up"])
def test_integers_are_compared_where_the_relation_says(relation: str) -> None:
    """x is released with probability p, else one of 0, 1, 2: and only related integers matter."""
    body = "if bernoulli(p):\n        return x\n    return uniform(0, 2)"
    program = asked(body, f'epsilon="ln(R)", adjacency={relation}', "x: int")
    pairs = [(0, 1), (1, 0)] if relation == "up" else [(0, 1), (1, 0), (1, 2), (2, 1)]
    if relation == "up" and program.claims[0].adjacency.one_direction:
        pairs = [(0, 1)]

    def law(x: int, v: Values) -> Law:
        return {k: (1 - v["p"]) / 3 + (v["p"] if k == x else 0) for k in range(3)}

    assert compared(relation, demanded(program), pairs, law, 1, 1) >= {False}


REFUSED = {
    "no finite draw": ("return bit != (0 < laplace(p))", "finitely many"),
    "a limit that is no number": ("return bit != (uniform(0, N) == 1)", "limits of uniform draws must be numbers"),
    "a released number that hangs on a parameter": ("if bit:\n        return p\n    return q", "finitely many"),
    "a course that hangs on a parameter": ("if p < q:\n        return bit\n    return False", "same for all public"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_laws_that_are_not_finite_or_hang_on_parameters_otherwise_are_refused(name: str) -> None:
    body, why = REFUSED[name]
    text = HEADER.replace("uniform\n", "laplace, uniform\n")
    source = f'@claim(epsilon="ln(R)", adjacency=ALL, {ANY})\ndef program(bit: bool, p, q, R, d, N: int):\n    {body}\n'
    program = programs_in(text + source, "test.py")[0]
    with pytest.raises(Refused, match=why):
        demanded(program)


def test_a_loop_of_as_many_rounds_as_a_parameter_says_has_no_laws_to_compare() -> None:
    """Nor is it followed until Python's stack is full: a certificate without alignments asks for these laws."""
    loop = "for _ in range(N):\n        yield bit != bernoulli(p)"
    source = f'@claim(epsilon="ln(R)", adjacency=ALL, {ANY})\ndef program(bit: bool, p, q, R, d, N: int):\n    {loop}\n'
    program = programs_in(HEADER + source, "test.py")[0]
    with pytest.raises(TooManyPaths, match="goes round more than 1000 times"):
        demanded(program)
    checked = check(program, program.claims[0], (), ("z3",), 30.0)
    assert (checked.verdict, "more than 1000 times" in checked.reason) == ("UNKNOWN", True)


@pytest.mark.parametrize(
    ("exponent", "epsilon", "verdict"),
    [
        (1000, 1000, "PROVED"), (1001, 1001, "PROVED"), (2002, 1001, "UNKNOWN"), (1001, 2002, "PROVED"),
        (10**6, 10**6, "PROVED"), (10**6, 2 * 10**6, "PROVED"), (2 * 10**6, 10**6, "UNKNOWN"),
        (10**6, 10**6 - 1, "UNKNOWN"), (10**60, 10**60, "PROVED"), (10**60 + 1, 10**60, "UNKNOWN"),
    ],
)  # fmt: skip
def test_a_power_of_e_has_no_more_digits_than_are_written(exponent: int, epsilon: int, verdict: str) -> None:
    """Python writes no number of more than 4,300 digits: asking a solver of e^1000000 once was an internal error."""
    one = asked(f"return bit != bernoulli(1 / (1 + exp({exponent})))", f'epsilon="{epsilon}", adjacency=ALL')
    assert check(one, one.claims[0], (), ("z3",), 30.0).verdict == verdict


@pytest.mark.parametrize(
    ("rate", "epsilon", "verdict"),
    [
        ("exp(-1)", "3/5", "PROVED"), ("exp(-1)", "1/2", "UNKNOWN"), ("exp(-1) / 2", "3/2", "PROVED"),
        ("exp(-1) / 2", "1", "UNKNOWN"), ("exp(1)", "10", "UNKNOWN"), ("1 - exp(-2)", "2", "PROVED"),
        ("1 - exp(-2)", "3/2", "UNKNOWN"), ("exp(-1) - exp(-2)", "2", "PROVED"), ("exp(-2) - exp(-1)", "9", "UNKNOWN"),
        ("exp(1000)" + 10 * " / 10**40" + " / 10**35", "1000", "PROVED"),
        ("exp(1000)" + 10 * " / 10**40" + " / 10**34", "1000", "UNKNOWN"),
    ],
)  # fmt: skip
def test_a_rate_that_is_a_number_with_powers_of_e_is_between_0_and_1_by_its_value(
    rate: str, epsilon: str, verdict: str
):
    """exp(-1) was UNKNOWN where 1/exp(1) was PROVED: solvers were asked whether it is at most 1, and know nothing of e.

    Losses: ln(e - 1) = .541, ln(2 e - 1) = 1.490, ln(e^2 - 1) = 1.855, ln(1 / (1/e - 1/e^2) - 1) = 1.194.
    """
    one = asked(f"return bit != bernoulli({rate})", f'epsilon="{epsilon}", adjacency=ALL')
    assert check(one, one.claims[0], (), ("z3",), 30.0).verdict == verdict


def test_a_thousand_rounds_are_followed() -> None:
    """Each once was a call inside the one before, for which Python has no room."""
    for rounds, verdict in ((1000, "PROVED"), (1001, "UNKNOWN")):
        one = asked(f"k = 0\n    for _ in range({rounds}):\n        k += 1\n    return bit != bernoulli(1 / (1 + R))",
                    'epsilon="ln(R)", adjacency=ALL')  # fmt: skip
        assert check(one, one.claims[0], (), ("z3",), 30.0).verdict == verdict


def test_a_probability_must_be_one_wherever_the_claim_is_made() -> None:
    """Without the assumption, p = 2 is allowed: what is demanded is false there."""
    program = asked(PROGRAMS["flipped"][0], 'epsilon="ln(R)", adjacency=ALL')
    statements = demanded(program)
    inside = {"p": F(1, 2), "q": F(1, 2), "R": F(5), "d": F(0)}
    assert holds(statements, inside)
    for wrong in (F(2), F(-1, 2), F(9, 8)):
        assert not holds(statements, inside | {"p": wrong})
    weights = demanded(asked(PROGRAMS["choice"][0], 'epsilon="ln(R)", adjacency=ALL'))
    assert holds(weights, inside | {"R": F(9)})
    assert not holds(weights, inside | {"p": F(-1, 100), "R": F(9)})


@pytest.mark.parametrize(
    ("draw", "exists"),
    [
        ("bernoulli(p)", lambda p, q: 0 <= p <= 1),
        ("uniform(0, 3) >= 0 and bernoulli(p)", lambda p, q: 0 <= p <= 1),
        ("bernoulli(p) and bernoulli(q)", lambda p, q: 0 <= p <= 1 and 0 <= q <= 1),
        ("bernoulli(p / (p + q))", lambda p, q: p >= 0 and q >= 0 and p + q > 0),
        ("choice([p, q]) == 0", lambda p, q: p >= 0 and q >= 0 and p + q > 0),
    ],
)
def test_a_draw_that_changes_no_answer_must_exist_all_the_same(draw: str, exists: Callable[[F, F], bool]) -> None:
    """No law depends on p or q, so that nothing else is demanded of them."""
    body = f"if {draw}:\n        return True\n    return True"
    statements = demanded(asked(body, 'epsilon="ln(R)", adjacency=ALL'))
    for p, q in product((F(-1, 2), F(0), F(1, 2), F(1), F(3)), repeat=2):
        assert holds(statements, {"p": p, "q": q, "R": F(2), "d": F(0)}) == exists(p, q), (p, q)


P, Q = variable("p", "Real"), variable("q", "Real")


@pytest.mark.parametrize(
    ("family", "parameters", "exists"),
    [
        ("bernoulli", (P,), lambda p, q: 0 <= p <= 1),
        ("bernoulli", (divide(P, Q),), lambda p, q: q > 0 and 0 <= p <= q),
        ("choice", (P, Q), lambda p, q: p >= 0 and q >= 0 and p + q > 0),
        ("uniform", (integer(0), integer(3)), lambda p, q: True),
    ],
)
@pytest.mark.parametrize("data", ["bit: bool", "x: float"])
def test_what_a_chance_must_be_is_demanded_whatever_else_is(family: str, parameters: tuple[Term, ...], exists, data):
    """By the chances alone: of the draws that a program makes the same is demanded where it makes them, too."""
    program = asked("return True", 'epsilon="ln(R)", adjacency=ALL', data)
    laws = Laws(program, program.claims[0], public(program, program.claims[0], ()), inf)
    chances = Chance("uniform", (integer(0), integer(1)), 0), Chance(family, parameters, 0)
    laws.leaves[truth(True)] = [Leaf((), chances)]
    statements = list(laws.sense())
    for p, q in product((F(-1, 2), F(0), F(1, 2), F(1), F(3)), repeat=2):
        assert holds(statements, {"p": p, "q": q}) == exists(p, q), (p, q)


def test_a_delta_that_is_a_power_of_e_is_compared() -> None:
    """e^d >= 1 for d >= 0, and every claim with delta >= 1 is true."""
    claim = "@claim(epsilon='0', delta='exp(d)', adjacency=ALL, where='0 <= d')"
    text = f"{claim}\ndef program(bit: bool, d):\n    return bit\n"
    program = programs_in(HEADER + text, "test.py")[0]
    assert check(program, program.claims[0], (), ("z3",), 10.0).verdict == "PROVED"


def test_so_many_answers_may_be_likelier_and_no_more() -> None:
    """Of differences d_0, d_1, ... of either sign, the positive ones are demanded to add up to delta at most."""
    for count in (MOST_OPEN, MOST_OPEN + 1):
        names = [f"p{k}" for k in range(count)]
        differences = [Ratio(atom(variable(name, "Real"))) for name in names]
        program = asked("return bit", 'epsilon="ln(R)", delta="d", adjacency=ALL')
        laws = Laws(program, program.claims[0], public(program, program.claims[0], ()), inf)
        wanted = bounded(differences, Ratio(atom(variable("d", "Real"))), 1, laws, ())
        if count > MOST_OPEN:
            with pytest.raises(Refused, match=f"at most {MOST_OPEN} answers"):
                list(wanted)
            continue
        statements = list(wanted)
        for k in range(count):
            at = {variable(name, "Real"): F(-1) for name in names} | {variable(f"p{k}", "Real"): F(1)}
            for delta in (F(1, 2), F(1)):
                assert all(evaluate(one, at | {variable("d", "Real"): delta}) for one in statements) == (delta >= 1)


def test_exponentials_in_probabilities_are_compared_that_are_in_no_claim() -> None:
    """1 / (1 + e^p) and e^p / (1 + e^p): the loss is p, as an exponential of p is."""
    program = asked("return bit != bernoulli(1 / (1 + exp(p)))", 'epsilon="ln(R)", adjacency=ALL')
    name = variable("power.0", "Real")
    for power, r in product((F(3, 2), F(2), F(3)), repeat=2):
        at = {variable(v, "Real"): F(1, 2) for v in ("p", "q", "d")} | {variable("R", "Real"): r, name: power}
        assert all(evaluate(one, at) for one in demanded(program)) == (power <= r)


def test_what_a_delta_is_divided_by_is_demanded_to_be_positive() -> None:
    statements = demanded(asked("return True", 'epsilon="ln(R)", delta="d / (p - q)", adjacency=ALL'))
    for p, q in ((F(1, 2), F(1, 4)), (F(1, 4), F(1, 2)), (F(1, 2), F(1, 2))):
        assert holds(statements, {"p": p, "q": q, "R": F(2), "d": F(1, 4)}) == (p > q)


def test_a_list_of_a_given_number_of_elements_is_compared_as_any_other() -> None:
    """Each element is answered by itself: the laws are those of lists of one, whatever n is."""
    body, claim = (
        "for bit in bits:\n        yield bit != bernoulli(p)",
        'epsilon="ln(R)", adjacency=each(any_bits, changed=1)',
    )
    given = asked(body, f'{claim}, given={{"n": 3}}', "bits: list[bool]")
    assert set(demanded(given)) == set(demanded(asked(body, claim, "bits: list[bool]")))


def test_the_limits_of_a_uniform_draw_are_numbers_in_order() -> None:
    program = asked("return bit", 'epsilon="ln(R)", adjacency=ALL')
    shared, drawn = public(program, program.claims[0], ()), variable("draw.1", "Int")
    for low, high in product(range(-1, 3), repeat=2):
        one = Drawn(1, "uniform", (integer(low), integer(high)), drawn)
        if low <= high:
            assert sizes([one, one], shared) == [high - low + 1] * 2
        else:
            with pytest.raises(Refused, match="the first at most the second"):
                sizes([one], shared)


def test_integers_are_compared_as_the_real_numbers_that_they_are() -> None:
    count = variable("N", "Int")
    found = Ratios((count,))(divide(rational(1), real(count)))
    for n in (1, 2, 7):
        assert F(evaluate(term(found.above), {count: n})) / F(evaluate(term(found.bottom), {count: n})) == F(1, n)


def test_laws_of_no_neighbours_are_not_compared() -> None:
    """Nothing would be demanded, and anything proved."""
    text = '@claim(epsilon="ln(R)", adjacency=never)\ndef program(bit: bool, R):\n    return bit\n'
    never = "def never(x, y):\n    return x < y and y < x\n\n"
    program = programs_in(HEADER + never + text, "test.py")[0]
    with pytest.raises(Refused, match="some data must have neighbours"):
        demanded(program)


def test_only_rho_is_not_compared_by_laws() -> None:
    with pytest.raises(Refused, match="only where epsilon is claimed"):
        demanded(asked(PROGRAMS["flipped"][0], 'rho="R", adjacency=ALL'))


def test_what_is_proved_by_solvers_is_what_holds_at_every_parameter() -> None:
    """(1 - p) / p is the loss where p <= 1/2, and one way round only."""
    body = PROGRAMS["flipped"][0]
    for claim, expected in (
        ('epsilon="ln((1 - p) / p)", adjacency=ALL, where="0 < p and p <= 1/2"', "PROVED"),
        ('epsilon="ln((1 - p) / p)", adjacency=ALL, where="1/4 < p and p <= 3/4"', "UNKNOWN"),
        ('epsilon="ln(1 / p) ", adjacency=ALL, where="0 < p and p <= 1/2"', "PROVED"),
        ('epsilon="ln(1 / (2 * p))", adjacency=ALL, where="0 < p and p <= 1/2"', "UNKNOWN"),
    ):
        source = f"@claim({claim})\ndef program(bit: bool, p):\n    {body}\n"
        program = programs_in(HEADER + source, "test.py")[0]
        assert check(program, program.claims[0], (), ("z3",), 20.0).verdict == expected, claim


def test_logarithms_are_read_with_whole_factors_only() -> None:
    r = variable("R", "Real")
    text = "@claim(epsilon={!r}, adjacency=ALL, where='R > 1')\ndef program(bit: bool, R):\n    return not bit\n"
    found = {}
    for epsilon in ("ln(R)", "3*ln(R)", "ln(R)/2", "R", "R + ln(R)", "0*ln(R)"):
        program = programs_in(HEADER + text.format(epsilon), "test.py")[0]
        one = program.claims[0].epsilon
        found[epsilon] = (logarithm(one), list(exponents(one)))
    assert found["ln(R)"] == ((1, r), [])
    assert found["3*ln(R)"] == ((3, r), [])
    assert found["ln(R)/2"][0] is None
    assert found["R"] == (None, [r])
    assert found["R + ln(R)"] == (None, [r])


def test_nothing_is_divided_by_0() -> None:
    with pytest.raises(Refused, match="divided by 0"):
        plain(F(0)).inverse()
    assert plain(F(3)).inverse().above == plain(F(1, 3)).above


@pytest.mark.parametrize("unit", [1, 3])
@pytest.mark.parametrize("times", range(-3, 4))
def test_e_to_a_multiple_of_what_is_known_is_that_power_of_the_variable(times: int, unit: int) -> None:
    x = variable("x", "Real")
    ratios = Ratios((x,))
    ratios.learn_exponent(divide(x, rational(unit)))
    found = ratios.power(multiply(rational(F(times, unit)), x))
    name = ratios.name(next(iter(ratios.units)))
    for value in (F(1, 2), F(3)):
        above, below = (evaluate(term(part), {name: value}) for part in (found.above, found.bottom))
        assert F(above) / F(below) == value**times


@pytest.mark.parametrize("parts", [(2, 3), (3, 2), (6, 1), (4, 6, 1)])
def test_powers_of_e_have_a_unit_that_all_of_their_exponents_are_multiples_of(parts: tuple[int, ...]) -> None:
    x = variable("x", "Real")
    exponents_of_x = [divide(x, integer(part)) for part in parts]
    ratios = Ratios((x,))
    for one in exponents_of_x:
        ratios.learn_exponent(one)
    own = atom(variable("power.0", "Real"))
    unit = lcm(*parts)
    assert [ratios.power(one) for one in exponents_of_x] == [Ratio(own) ** (unit // part) for part in parts]


def test_what_is_taken_for_true_of_powers_of_e_is_true_of_them_and_of_little_else() -> None:
    """Of e^x: that it is positive, at least 1 + x, and 1 - x at most 1 over it; of e itself, bounds."""
    x = variable("x", "Real")
    for exponent, share in ((x, F(1)), (divide(x, rational(3)), F(1, 3))):
        ratios = Ratios((x,))
        ratios.learn_exponent(exponent)
        name = ratios.name(next(iter(ratios.units)))
        for at, power in product([F(k, 2) for k in range(-6, 7)], [F(k, 4) for k in range(-3, 12)]):
            said = all(evaluate(one, {x: at, name: power}) for one in ratios.facts())
            assert said == (power > 0 and power >= 1 + share * at and (1 - share * at) * power <= 1)
    ratios = Ratios(())
    ratios.learn_exponent(rational(F(1, 2)))
    name = ratios.name(next(iter(ratios.units)))
    with mpmath.workprec(4000):
        near = [fraction(mpmath.sqrt(mpmath.e)) + F(k, 10**6) for k in (-1, 0, 1)]
    assert [all(evaluate(one, {name: at}) for one in ratios.facts()) for at in near] == [False, True, False]


def test_every_number_in_an_exponent_is_a_power_of_one_variable_as_low_as_can_be() -> None:
    random = Random(0)
    for _ in range(1000):
        numbers = [F(random.randint(1, 60), random.randint(1, 4)) * random.choice((1, -1)) for _ in range(3)]
        ratios = Ratios(())
        ratios.learn([exponential(rational(one)) for one in numbers])
        (unit,) = ratios.units.values()
        powers = [one / unit for one in numbers]
        assert {one.denominator for one in powers} == {1}
        assert gcd(*(int(one) for one in powers)) == 1
        value = F(random.randint(2, 9))  # whatever the variable is: the same power above as would be below
        for one in numbers:
            found = ratios.power(rational(one))
            above, below = (F(evaluate(term(part), {ratios.name(ONE): value})) for part in (found.above, found.bottom))
            assert above / below == value ** int(one / unit)


def test_a_claim_of_many_digits_is_compared_as_any_other() -> None:
    """e^epsilon was e^(1/10^9) to a power of nine digits, multiplied out one by one."""
    text = (
        '@claim(epsilon="{}", adjacency=ALL)\ndef program(bit: bool):\n    return bit != bernoulli(1/(1 + exp({})))\n'
    )
    for digits, claimed, expected in (
        ("0.123456789", "0.123456789", "PROVED"),
        ("123.456789123", "123.456789123", "PROVED"),
        ("123.456789123", "123.456789122", "UNKNOWN"),
        ("0.123456789", "0.123456788", "UNKNOWN"),
        ("0.123", "0.246", "PROVED"),
    ):
        program = programs_in(HEADER + text.format(claimed, digits), "test.py")[0]
        assert check(program, program.claims[0], (), ("z3",), 20.0).verdict == expected, claimed


def test_powers_that_no_solver_gets_are_refused() -> None:
    ratios = Ratios(())
    for one in (F(1), F(HIGHEST), F(-HIGHEST)):
        ratios.learn_exponent(rational(one))
        ratios.power(rational(one))
    for one in (F(HIGHEST + 1), F(-HIGHEST - 1)):
        ratios.learn_exponent(rational(one))
        with pytest.raises(Refused, match=f"at most {HIGHEST} times"):
            ratios.power(rational(one))
    assert plain(F(2)) ** HIGHEST == plain(F(2**HIGHEST))
    for power in (HIGHEST + 1, -1):
        with pytest.raises(Refused, match=f"a power from 0 to {HIGHEST}"):
            plain(F(2)) ** power


def test_a_broken_claim_of_delta_shows_every_answer_that_is_too_likely() -> None:
    """With probability 1/2 the answer is one of 10..12 for both; else it is 0 or 1 for one, and 2 for the other."""
    kept = "if bit:\n        return uniform(0, 1)\n    return 2"
    body = f"if bernoulli(1/2):\n        return choice([1, 1, 2]) + 10\n    {kept}"
    for delta, expected in ((', delta="1/4"', 2), ("", 1)):
        source = f'@claim(epsilon="0"{delta}, adjacency=up_only)\ndef program(bit: bool):\n    {body}\n'
        text = HEADER + "def up_only(x, y):\n    return x == 1 and y == 0\n\n" + source
        program = programs_in(text, "test.py")[0]
        found = check(program, program.claims[0], (), ("z3",), 10.0)
        assert found.verdict == "UNKNOWN"
        assert found.broken is not None
        assert len(found.broken.outputs) == expected


def test_of_a_power_of_e_that_is_not_written_in_digits_nothing_is_known_from_above() -> None:
    """e^1010 / 10^439 is .398, forty times 1/100, with e^1000 in its place 1/50,000; 0 beside 1 alone is compared."""
    low = "exp(1010)" + 10 * " / 10**40" + " / 10**39"
    body = f"if bit:\n        return bernoulli(1 / 100)\n    return bernoulli({low})"
    one = asked(body, 'epsilon="ln(2*R)", adjacency=up')
    assert check(one, one.claims[0], (), ("z3",), 30.0).verdict == "UNKNOWN"


def test_answers_that_are_known_not_to_be_likelier_are_not_among_those_that_may_be() -> None:
    """More than may be: each is less likely by 1 - R, of which solvers know that it is at most 0."""
    weights = ", ".join(["p", "1 - p"] * MOST_OPEN)
    one = asked(f"return choice([{weights}])", 'epsilon="ln(R)", delta="d", adjacency=any_bits')
    assert check(one, one.claims[0], (), ("z3",), 30.0).verdict == "PROVED"


def test_what_stands_for_a_condition_is_not_negative_only_where_it_holds() -> None:
    """Comparisons of random polynomials, and several of which one must hold, at 1,000 random places."""
    chance, met = Random(12), set()
    for _ in range(few(4_000)):
        sides = [
            add(multiply(rational(chance.randint(-3, 3)), P), multiply(Q, rational(chance.randint(-3, 3))))
            for _ in range(4)
        ]
        signs = [chance.choice((less, at_most)) for _ in range(2)]
        one, other = (sign(sides[i], sides[2 + i]) for i, sign in enumerate(signs))
        condition = disjunction(one, other) if chance.random() < 0.7 else one
        if condition.operator not in ("<", "<=", "any_of"):
            continue
        ratio, is_strict = difference(condition, Ratios((P, Q)))
        at = {name: F(chance.randint(-4, 4), chance.randint(1, 3)) for name in (P, Q)}
        value = F(evaluate(term(ratio.above), at))
        assert not ratio.below
        shown, truth_of_it = value > 0 if is_strict else value >= 0, evaluate(condition, at)
        assert truth_of_it or not shown
        assert shown == truth_of_it or condition.operator == "any_of"
        met.add((condition.operator, shown, truth_of_it))
    assert len(met) == 7


@pytest.mark.parametrize(
    "condition", [negation(equal(P, Q)), conjunction(less(P, Q), less(Q, P)), variable("b", "Bool"), make("or", "Bool")]
)
def test_other_conditions_on_data_are_refused(condition: Term) -> None:
    with pytest.raises(Refused, match="a comparison of numbers"):
        difference(condition, Ratios((P, Q)))


@pytest.mark.parametrize(("epsilon", "verdict"), [("ln(3)", "PROVED"), ("ln(29/10)", "UNKNOWN"), ("ln(4)", "PROVED")])
@pytest.mark.parametrize("released", ["choice([x, 1 - x])", "choice([1 - x, x]) == 0", "bernoulli(x)"])
def test_weights_that_are_data_are_compared(released: str, epsilon: str, verdict: str) -> None:
    near = "def inside(x, y):\n    return 1/4 <= x <= 3/4 and 1/4 <= y <= 3/4\n\n\n"
    claim = f"@claim(epsilon='{epsilon}', adjacency=each(inside))\n"
    program = programs_in(f"{HEADER}{near}{claim}def program(x: float):\n    return {released}\n", "test.py")[0]
    assert check(program, program.claims[0], (), ("z3",), 10.0).verdict == verdict


@pytest.mark.parametrize("released", ["choice([x, 1 - x])", "choice([x, 2 * x])"])
def test_weights_that_may_all_be_nothing_are_no_law(released: str) -> None:
    text = f"{HEADER}@claim(epsilon='100', adjacency=ALL)\ndef program(x: float):\n    return {released}\n"
    program = programs_in(text, "test.py")[0]
    assert check(program, program.claims[0], (), ("z3",), 10.0).verdict == "UNKNOWN"
