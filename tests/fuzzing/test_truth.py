"""What the fuzzer takes for true is true: its laws add up to 1, are those of another enumeration, and known numbers."""

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

import mpmath
import pytest

from refdp.programs import law
from refdp.programs.running.numbers import exact_of
from tests.examples import few
from tests.fuzzing.claims import claim
from tests.fuzzing.laws import ANY, Between, Exact, Fast, chance, density, output_of, within
from tests.fuzzing.truth import Asked, Signature, Truth, truth_of
from tests.fuzzing.walking import Law, Unjudged, Whole, loaded, ways

CLOSE = mpmath.mpf("1e-25")


def truth(body: str, data: str = "float", adjacency: str = "ALL", typed: bool = False, **public: str) -> Truth:
    """What is true of a function that claims epsilon."""
    names = ", ".join(f"{name}: {kind}" if kind else name for name, kind in {"epsilon": "", **public}.items())
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = (
        "from refdp.programs import *\n"
        f'@claim(epsilon="epsilon", adjacency={adjacency})\ndef program(q: {data}, {names}):\n{lines}'
    )
    return truth_of(Asked(text, "program", Signature(data, {"epsilon": "", **public}), typed), 1)


def loss(found: Truth, old: Any, new: Any, **parameters: Any) -> Any:
    """What two data lose at epsilon = 1."""
    return found.greatest_loss({"epsilon": Fraction(1), **parameters}, old, new)


@pytest.mark.parametrize("seed", range(few(60)))
def test_the_ways_of_a_program_add_up_to_1(seed: int) -> None:
    found = truth_of(claim(seed).asked, seed) if runs(seed) else None
    for parameters, old, _ in () if found is None else list(found.cases(4, 1))[:3]:
        law_of_old = found.law(parameters, old) if found else []
        for using, close in ((Exact, CLOSE), (Fast, 1e-9)):
            total = sum((chance(way, out, [ANY] * len(out.slots), using) for way, out in law_of_old), using.zero)
            cut = found.left(parameters, old) if found else 0
            assert abs(total + cut - 1) < close


def runs(seed: int) -> bool:
    """Whether CPython runs the module, and its ways can be worked out."""
    try:
        found = truth_of(claim(seed).asked, seed)
        for parameters, old, _ in list(found.cases(4, 1))[:3]:
            found.left(parameters, old)
            for way, out in found.law(parameters, old):
                chance(way, out, [ANY] * len(out.slots))
    except Unjudged:
        return False
    return True


def test_most_modules_run() -> None:
    assert sum(map(runs, range(20))) >= 14


def finite_text(seed: int) -> tuple[str, Any] | None:
    """The text of a program of finitely many draws and its first case, if the seed has one."""
    one = claim(seed)
    if one.manner != "bare" or one.family not in ("mixtures", "answers", "whole numbers", "responses"):
        return None
    try:
        found = truth_of(one.asked, seed)
        case = next(iter(found.cases(4, 1)), None)
        raises = case is not None and found.exception(*case[:2])
    except Unjudged:
        return None
    return None if case is None or raises else (one.asked.text, (found, *case[:2]))


@pytest.mark.parametrize("seed", range(few(80)))
def test_probabilities_are_those_of_the_exact_enumeration(seed: int) -> None:
    """refdp's own enumeration is another program, with other numbers."""
    written = finite_text(seed)
    if written is None:
        return
    text, (found, parameters, data) = written
    namespace: dict[str, Any] = {}
    # refdp runs exact numbers alone, and reads these two as what they stand for.
    exact_text = text.replace("0.25", '"1/4"').replace("1 / 3", '"1/3"')
    exec(compile(exact_text, "module.py", "exec"), namespace)
    given = list(data) if found.asked.signature.is_list else data[0]
    said = {name: value for name, value in parameters.items() if not isinstance(value, Whole)}
    whole = {name: int(value) for name, value in parameters.items() if isinstance(value, Whole)}
    known = law(namespace["program"], given, **said, **whole)
    ours: dict[Any, Any] = {}
    for way, out in found.law(parameters, data):
        released = way.released if found.asked.signature.is_list else way.released[0]
        key = tuple(map(plain, released)) if isinstance(released, tuple) else plain(released)
        ours[key] = ours.get(key, 0) + chance(way, out, [ANY] * len(out.slots))
    assert {plain(out) for out in known} == set(ours)
    for out, mass in known.items():
        assert abs(ours[plain(out)] - mpmath.mpf(str(decimal_of(mass)))) < 1e-12


def test_many_programs_are_held_against_the_exact_enumeration() -> None:
    assert sum(finite_text(seed) is not None for seed in range(40)) >= 8


def plain(value: Any) -> Any:
    """Numbers as fractions."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value if value is None or isinstance(value, bool | str) else Fraction(value)


def decimal_of(mass: Any) -> float:
    """The probability as a float."""
    found = exact_of(mass, "mass")
    return float(found) if isinstance(found, Fraction) else float(found.enclosure(30).lower)


KNOWN: Mapping[str, tuple[Truth, Any, Any, Any]] = {
    "laplace": (truth("return q + laplace(1 / epsilon)"), (Fraction(0),), (Fraction(1),), 1),
    "half the noise": (truth("return q + laplace(1 / (2 * epsilon))"), (Fraction(0),), (Fraction(1),), 2),
    "two draws": (truth("return q + laplace(2), 3 * q - laplace(4)"), (Fraction(0),), (Fraction(1),), Fraction(5, 4)),
    "noise that is reused": (truth("z = laplace(1)\nreturn q + z, z"), (Fraction(0),), (Fraction(1),), mpmath.inf),
    "a sum of noise": (truth("return q + laplace(1) + laplace(4)"), (Fraction(0),), (Fraction(1),), Fraction(1, 4)),
    "no noise": (truth("laplace = abs\nreturn q + laplace(1)"), (Fraction(0),), (Fraction(1),), mpmath.inf),
    "exponential": (truth("return q + exponential(1)"), (Fraction(0),), (Fraction(1),), mpmath.inf),
    "whole": (truth("return q + discrete_laplace(3)", "int"), (Fraction(0),), (Fraction(2),), Fraction(2, 3)),
    "no shift": (truth("return q / 2 + discrete_laplace(3)", "int"), (Fraction(0),), (Fraction(1),), mpmath.inf),
    "a threshold": (truth("return q + laplace(1) > 5"), (Fraction(1),), (Fraction(0),), 1),
    "types": (truth("return 1 if q > 0 else 1.0", typed=True), (Fraction(0),), (Fraction(1),), mpmath.inf),
    "values": (truth("return 1 if q > 0 else 1.0"), (Fraction(0),), (Fraction(1),), 0),
    "texts": (truth("return 'inf' if q > 0 else float('inf')"), (Fraction(0),), (Fraction(1),), mpmath.inf),
    "no bit": (truth("return q != bernoulli(0)", "bool"), (False,), (True,), mpmath.inf),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_losses_that_are_known(name: str) -> None:
    found, old, new, wanted = KNOWN[name]
    seen = loss(found, old, new)
    assert seen == wanted or abs(seen - mpmath.mpf(Fraction(wanted).numerator) / Fraction(wanted).denominator) < 1e-9


def test_the_loss_of_a_lie_is_the_logarithm_of_its_odds() -> None:
    found = truth("return q != bernoulli(1 / (1 + exp(epsilon)))", "bool")
    assert abs(loss(found, (False,), (True,)) - 1) < CLOSE


def test_sparse_vector_loses_nearly_what_is_claimed_and_no_more() -> None:
    loop = "for x in q:\n    if x + laplace(4 / epsilon) >= t:\n        yield 1\n        break\n    yield 0"
    body = f"t = laplace(2 / epsilon)\n{loop}"
    found = truth(body, "list[float]")
    old, new = (Fraction(0),) * 3, (Fraction(1), Fraction(1), Fraction(-1))
    assert 0.3 < max(loss(found, old, new), loss(found, new, old)) < 1


def test_the_probability_of_a_chain_of_draws_around_one_is_an_integral() -> None:
    """P[0 <= a - b] by numerical integration, and by closed forms."""
    text = "from refdp.programs import laplace\ndef program(q):\n    return q + laplace(1) >= laplace(3)\n"
    found = loaded(text)
    by_answer = {way.released[0]: chance(way, output_of(way), []) for way in ways(found, "program", Fraction(1), {})}

    def integrand(z: Any) -> Any:
        below = mpmath.exp((z + 1) / 3) / 2 if z < -1 else 1 - mpmath.exp(-(z + 1) / 3) / 2
        return mpmath.exp(-abs(z)) / 2 * below

    assert abs(by_answer[True] - mpmath.quad(integrand, [-60, -1, 0, 60])) < 1e-15
    assert abs(sum(by_answer.values()) - 1) < CLOSE


def test_events_of_sums_are_integrals_of_their_densities() -> None:
    found = loaded("from refdp.programs import laplace\ndef program(q):\n    return q + laplace(1) + laplace(2)\n")
    (way,) = ways(found, "program", Fraction(1), {})
    out = output_of(way)
    total = mpmath.quad(lambda z: chance(way, out, [Fraction(mpmath.nstr(z, 30))]), [0, 1, 2], maxdegree=3)
    assert abs(total - chance(way, out, [Between(0, 2)])) < 1e-9


def test_a_violation_is_found_of_what_is_too_strong_and_none_of_what_is_true() -> None:
    assert truth("return q + laplace(1 / epsilon)").violation() is None
    found = truth("return q + laplace(1 / (2 * epsilon))").violation()
    assert found is not None
    assert "loss" in str(found)
    assert truth("return 2 * q + laplace(k / epsilon)", k="").violation() is not None
    assert truth("return q + laplace(k / epsilon)", k="int").violation() is None
    assert truth("return q + laplace(k / epsilon)", k="float").violation() is not None


def test_an_event_is_contradicted_where_it_is_none() -> None:
    shown = {"parameters": {"epsilon": "1"}, "old": ["0"], "new": ["1"], "order": None,
             "events": [[[{"low": None, "high": "0", "after": False}]]]}  # fmt: skip
    assert "within the claim" in str(truth("return q + laplace(1 / epsilon)").contradiction(shown))
    assert truth("return q + laplace(1 / (2 * epsilon))").contradiction(shown) is None
    assert "no neighbours" in str(truth("return q").contradiction(shown | {"new": ["2"]}))
    assert "does not speak" in str(truth("return q").contradiction(shown | {"parameters": {"epsilon": "-1"}}))


@pytest.mark.parametrize(("part", "holds"), [
    ({"low": None, "high": "0", "after": False}, True), ({"low": "1", "high": None, "after": False}, False),
    ({"number": "0"}, True), ({"number": "1"}, False), ({"low": "0", "high": "1/2", "after": False}, True),
])  # fmt: skip
def test_a_truth_value_is_the_number_that_it_equals(part, holds):
    """An event `at most 0` was taken for one that False is not in: a false alarm."""
    shown = {"parameters": {"epsilon": "1"}, "old": ["0"], "new": ["1"], "order": None, "events": [[[part]]]}
    found = truth("return q > 0").contradiction(shown | {"old_probability": {"decimal": "1" if holds else "0"}})
    assert found is None if holds else "within the claim" in str(found)


@pytest.mark.parametrize("end", ["inf", "-inf"])
@pytest.mark.parametrize("comparison", ["!=", "==", "<", "<=", ">", ">="])
@pytest.mark.parametrize("noise", ["discrete_laplace(1)", "laplace(1)", "discrete_laplace(1) + discrete_laplace(2)"])
def test_no_draw_is_infinite(noise, comparison, end):
    """Whole noise beside an infinity was taken for an exception of the program: a false alarm."""
    found = truth(f"return q + {noise} {comparison} float('{end}')")
    (released,) = {way.released for way, _ in found.law({"epsilon": Fraction(1)}, (Fraction(0),))}
    assert released == (eval(f"0 {comparison} float('{end}')"),)


@pytest.mark.parametrize("family", ["laplace", "discrete_laplace", "exponential"])
@pytest.mark.parametrize(("low", "high"), [(1, 2), (3, 70), (40, 41), (200, 900)])
def test_what_lies_far_out_is_possible(family, low, high):
    """The difference of two numbers next to 1 would be 0."""
    narrow, wide = Law(family, Fraction(1, 1000)), Law(family, Fraction(100))
    everything = within(narrow, Fraction(low), inf, Exact)
    assert 0 < within(narrow, Fraction(low), Fraction(high), Exact) <= everything
    below = within(wide, -inf, Fraction(high), Exact) - within(wide, -inf, Fraction(low - (family[0] == "d")), Exact)
    assert abs(within(wide, Fraction(low), Fraction(high), Exact) - below) < CLOSE
    if family == "discrete_laplace":
        masses = sum(density(wide, Fraction(z), Exact) for z in range(low, high + 1))
        assert abs(masses - below) < CLOSE


def test_noise_of_an_infinite_scale_is_not_judged():
    """It was an error of the fuzzer itself, which such a module ended with."""
    assert claim(20009126).asked.text


def test_a_module_that_changes_pythons_names_sees_the_change_and_no_other_does():
    patched = "import builtins\nimport math\nbuiltins.LIMIT = 5\nbuiltins.len = lambda _: 7\nmath.floor = abs\n"
    found = loaded(f"{patched}from math import floor\nX = LIMIT\nY = len([])\nZ = floor(-1.5)").names
    assert (found["X"], found["Y"], found["Z"]) == (5, 7, 1.5)
    assert loaded("from math import floor\nX = floor(-1.5) + len([])").names["X"] == -2
    with pytest.raises(NameError):
        loaded("X = LIMIT")
