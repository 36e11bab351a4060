"""The primitives that samplers are made of: what each draws, which others it calls, and what its law rests on.

docs/soundness.md proves, under `sampler_law`, that each has its law if its obligations hold and the primitives that it
calls have theirs.  `refdp.sampling.coins` runs them: the tests hold its code against the loops here, flip by flip, and
against the laws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from refdp.spec.formulas import Formula
from refdp.spec.loops import Branch, Case, Loop, loop_obligations
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, both, name, number

p, rest, n, size = map(name, ("p", "rest", "n", "size"))
v, u, t, s, k, x, left = map(name, ("v", "u", "t", "s", "k", "x", "left"))
HALF, ONE = number(1) / 2, number(1)


@dataclass(frozen=True, slots=True)
class Primitive:
    """A primitive that draws what `draws` says, by its loop and by others; `statements` are what else its law needs.

    TermError unless the loop assumes no more of the parameters than the conditions say.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    draws: str
    calls: tuple[str, ...] = ()
    loop: Loop | None = None
    statements: Mapping[str, Statement] = field(default_factory=dict)
    reserved: ClassVar[str] = "rest size v u t s k x left"
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def __post_init__(self) -> None:
        if self.loop is None:
            return
        whole = (apply("integer", name(v)) for v in sorted(self.loop.integers - set(self.loop.start)))
        for condition in (*self.loop.given, *whole):
            if condition not in self.conditions:
                raise TermError(f"{self.stem} must have the condition {condition}")


def primitive_obligations(m: Primitive) -> dict[str, Statement]:
    """What must hold for the primitive to have its law, by name, in order."""
    return (loop_obligations(m.loop) if m.loop else {}) | dict(m.statements)


IS_PROBABILITY = (read("0 <= p"), read("p <= 1"))
DIGITS = Loop(
    given=IS_PROBABILITY,
    within=(0 <= rest, rest <= 1),
    start={"rest": p},
    cases=(
        Case((rest <= 0,), (Branch(ONE),)),
        Case((0 < rest, 2 * rest < 1), (Branch(HALF, {"rest": 2 * rest}), Branch(HALF))),
        Case((1 <= 2 * rest, rest < 1), (Branch(HALF, {"rest": 2 * rest - 1}), Branch(HALF, pays=ONE))),
        Case((1 <= rest,), (Branch(ONE, pays=ONE),)),
    ),
    value=rest,
    law=p,
    steps=number(2),
)
"""The event is True; `rest` is what the digits not yet seen of p make.  The flip that is the digit goes on."""
BERNOULLI = register(
    Primitive("bernoulli", ("p",), IS_PROBABILITY, {"p": HALF}, "True with probability p, else False", loop=DIGITS)
)

SIZES = Loop(
    given=(1 <= n,),
    within=(1 <= size, size <= 2 * n - 1),
    start={"size": ONE},
    cases=(
        Case((size < n,), (Branch(ONE, {"size": 2 * size}),)),
        Case((equal(size, n),), (Branch(ONE, pays=1 / n),)),
        Case((n < size,), (Branch(n / size, pays=1 / n), Branch((size - n) / size, {"size": 2 * (size - n)}))),
    ),
    value=1 / n,
    law=1 / n,
    steps=4 * n / size,
    integers=frozenset({"n", "size"}),
)
"""The event is that k is drawn, for a k below n; the number that is not shown is uniform below `size` in each state."""
DIGIT = Statement(
    (0 <= v, v <= size - 1, 0 <= u, u <= 1),
    both(0 <= 2 * v + u, 2 * v + u <= 2 * size - 1),
    frozenset({"u", "v", "size"}),
)
"""A number below size with a binary digit behind it is below 2 size."""
UNIFORM = register(
    Primitive(
        "uniform",
        ("n",),
        (read("integer(n)"), read("1 <= n")),
        {"n": number(3)},
        "k with probability 1/n, 0 <= k < n",
        loop=SIZES,
        statements={"digit_is_appended": DIGIT},
    )
)

BERNOULLI_EXP = register(
    Primitive(
        "bernoulli_exp",
        ("gamma",),
        (read("0 <= gamma"),),
        {"gamma": ONE},
        "True with probability e^-gamma, else False",
        calls=("bernoulli",),
        statements={
            "going_on_is_a_probability": Statement((0 <= left, left <= 1, 1 <= k), both(0 <= left / k, left / k <= 1))
        },
    )
)

GEOMETRIC_EXP = register(
    Primitive(
        "geometric_exp",
        ("gamma",),
        (read("0 < gamma"),),
        {"gamma": ONE},
        "k >= 0 with probability (1 - e^-gamma) e^(-gamma k)",
        calls=("uniform", "bernoulli_exp"),
        statements={
            "candidate_is_accepted_as_it_can_be": Statement((1 <= t, 0 <= u, u <= t - 1), both(0 <= u / t, u / t < 1)),
            "weights_multiply": Statement((1 <= t,), equal(u / t + v, (u + t * v) / t)),
            "weights_telescope": Statement((1 <= t,), equal(x / t + 1 / t, (x + 1) / t)),
            "tail_begins_at_a_multiple": Statement((1 <= t,), equal((s * k) / t, (s / t) * k)),
        },
    )
)

PERMUTATION = register(
    Primitive(
        "permutation",
        ("n",),
        (read("integer(n)"), read("1 <= n")),
        {"n": number(3)},
        "each order of n things with probability 1/n!",
        calls=("uniform",),
    )
)
