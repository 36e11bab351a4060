"""The exact Renyi divergence of a mechanism between two inputs just d_in apart, for every order above 1.

Three shapes have one in closed form: noise on the reals whose log weight falls in proportion to |z|; noise on the reals
that is proved under zCDP, where p^order q^(1 - order) is a shifted weight; a finite law with one mass for the output
that is the input and one for the others.
"""

from __future__ import annotations

from refdp.spec import registry
from refdp.spec.finite import FiniteLaw, whole_parameters
from refdp.spec.finite import law_obligations as finite_law_obligations
from refdp.spec.formulas import Formula
from refdp.spec.noise import AdditiveNoise, map_grows, privacy_map, renyi_exponent_is_bounded, tail_is_geometric
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, TermError, apply, both, exp, indicator, ln, maximum, minimum, name, number

ORDER, D_IN = name("order"), name("d_in")


def has_divergence(kind: registry.Kind) -> bool:
    """Whether the kind is of one of the three shapes, by what it brings."""
    if isinstance(kind, FiniteLaw):
        return kind.hit is not None and kind.miss is not None
    return (
        isinstance(kind, AdditiveNoise)
        and not kind.on_grid
        and not {"pure", "concentrated"}.isdisjoint(kind.privacy_maps)
    )


def divergence(kind: registry.Kind) -> Term:
    """The Renyi divergence of order `order` between inputs that are just d_in apart, or differ at all."""
    match kind:
        case AdditiveNoise() if "concentrated" in kind.privacy_maps and not kind.on_grid:
            return privacy_map(kind, "concentrated").at() * ORDER
        case AdditiveNoise() if not kind.on_grid:
            return linear_divergence(privacy_map(kind, "pure").at())
        case FiniteLaw():
            return two_mass_divergence(kind)
    raise TermError(f"{kind.stem} has no Renyi divergence in closed form")


def distance(kind: registry.Kind) -> tuple[str, Term, tuple[Term, ...]]:
    """The metric, the distance in it, and the conditions of a claim about the divergence."""
    if isinstance(kind, FiniteLaw):
        return "discrete", number(1), (*kind.conditions, 1 < ORDER)
    return "absolute", D_IN, (*kind.conditions, 0 <= D_IN, 1 < ORDER)


def inputs(kind: registry.Kind) -> Term:
    """The inputs of a mechanism that has a divergence in closed form."""
    if not isinstance(kind, AdditiveNoise | FiniteLaw):
        raise TermError(f"{kind.stem} has no Renyi divergence in closed form")
    return kind.domain


def linear_divergence(loss: Term) -> Term:
    """Of the densities exp(-rate |z|) rate / 2 and the same shifted by d_in, where loss = rate d_in."""
    up, down, over = exp((ORDER - 1) * loss), exp(-(ORDER * loss)), 2 * ORDER - 1
    return ln(ORDER / over * up + (ORDER - 1) / over * down) / (ORDER - 1)


def two_mass_divergence(m: FiniteLaw) -> Term:
    """Of two laws that differ by which output has the mass `hit`."""
    hit, miss = _masses(m)
    moment = power(hit.at(), miss.at()) + power(miss.at(), hit.at())
    others = m.size.at() - 2
    return ln(moment if others == number(0) else moment + others * miss.at()) / (ORDER - 1)


def power(p: Term, q: Term) -> Term:
    """p^order q^(1 - order) for positive p and q."""
    return exp(ORDER * ln(p) + (1 - ORDER) * ln(q))


def divergence_obligations(kind: registry.Kind) -> dict[str, Statement]:
    """What must hold for `divergence` to be the divergence, and to grow with the distance; by name, in order."""
    match kind:
        case AdditiveNoise() if "concentrated" in kind.privacy_maps and not kind.on_grid:
            return {
                "tail_is_geometric": tail_is_geometric(kind),
                "renyi_exponent_is_bounded": renyi_exponent_is_bounded(kind),
                "map_grows.concentrated": map_grows(kind, "concentrated"),
            }
        case AdditiveNoise() if not kind.on_grid:
            return linear_obligations(kind)
        case FiniteLaw():
            return finite_law_obligations(kind) | {"mass_is_hit_or_miss": mass_is_hit_or_miss(kind)}
    raise TermError(f"{kind.stem} has no Renyi divergence in closed form")


def linear_obligations(m: AdditiveNoise) -> dict[str, Statement]:
    """The log weight is -map(|z|), the map linear; the exponent by cases; the integrals of its three parts; their sum.

    In units of 1 / map(1): t stands for the loss between the inputs, r for 2 order - 1, u and v for the two powers.
    """
    z, s, t, r, u, v = map(name, ("z", "s", "t", "r", "u", "v"))
    given, loss, weight = registry.hypotheses(m), privacy_map(m, "pure"), m.log_weight
    linear = both(equal(loss.at(d_in=s), s * loss.at(d_in=1)), 0 < loss.at(d_in=1))
    exponent = ORDER * weight.at() + (1 - ORDER) * weight.at(z=z - D_IN)
    parts = minimum(z, 0) + (1 - 2 * ORDER) * maximum(0, minimum(z, D_IN)) - maximum(z - D_IN, 0)
    by_cases = equal(exponent, loss.at(d_in=1) * ((ORDER - 1) * D_IN + parts))
    middle = indicator(0 <= z) * indicator(z <= t) * exp(-(r * z))
    total, over = u + (u - v) / (2 * ORDER - 1) + v, 2 * ORDER - 1
    sum_of_parts = equal(total, 2 * (ORDER / over * u + (ORDER - 1) / over * v))
    return {
        "weight_is_linear": Statement(given, both(equal(weight.at(), -loss.at(d_in=abs(z))), linear)),
        "exponent_by_cases": Statement((*given, 1 < ORDER, 0 <= D_IN), by_cases),
        "integral_of_the_left_part": Statement((), equal(_integral(indicator(z <= 0) * exp(z)), 1)),
        "integral_of_the_middle_part": Statement(
            (0 < r, 0 <= t), equal(_integral(middle), (1 - exp(-(r * t))) / r)
        ),
        "integral_of_the_right_part": Statement((0 <= t,), equal(_integral(indicator(t <= z) * exp(-z)), exp(-t))),
        "parts_add_up": Statement((1 < ORDER,), sum_of_parts),
    }  # fmt: skip


def mass_is_hit_or_miss(m: FiniteLaw) -> Statement:
    """There are two outputs at least; the mass is `hit` where the output is the input, else `miss`; both positive."""
    hit, miss = (f.at() for f in _masses(m))
    y, x, size = name("output"), name("input"), m.size.at()
    same = indicator(equal(y, x))
    shown = equal(m.pmf.at(), same * hit + (1 - same) * miss)
    inside = tuple(c for v in (y, x) for c in (0 <= v, v <= size - 1))
    integers = frozenset({"output", "input", *whole_parameters(m)})
    return Statement((*registry.hypotheses(m), *inside), both(shown, 0 < hit, 0 < miss, 2 <= size), integers)


def _masses(m: FiniteLaw) -> tuple[Formula, Formula]:
    """The two masses; TermError if the law has not that form."""
    if m.hit is None or m.miss is None:
        raise TermError(f"{m.stem} has no two masses")
    return m.hit, m.miss


def _integral(integrand: Term) -> Term:
    """The integral over all real z."""
    return apply("integral", integrand, name("z"))
