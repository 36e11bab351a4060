"""Every way through a randomised program, as CPython takes it: the module is run once for every tape of decisions.

Only the names of refdp.programs are replaced, by what this file holds, at the import.  Draws of finitely many values
are decided by the tape.  Other draws are affine forms in a variable, which keep what CPython does with them; where
CPython asks for the sign of one the tape decides again, and the way keeps what was decided.  Nothing of refdp is used.
"""

from __future__ import annotations

import builtins
import inspect
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, inf
from types import ModuleType
from typing import Any

import mpmath

mpmath.mp.dps = 40
MOST_WAYS = 700
"""After so many ways a law is given up."""
MOST_DRAWS = 9
"""A way with more draws is cut off: its probability counts as not known."""
MOST_STEPS = 100
"""So often a way may release something before it is cut off, too."""
RAISED = "raised"
"""What is released last where an exception ends a run, with its name."""
LIMITS = ("OverflowError", "RecursionError", "MemoryError")
"""Exceptions of a machine: in exact arithmetic there are none."""
CONTINUOUS = ("laplace", "exponential", "gaussian")


class Unjudged(BaseException):
    """What the truth of is not worked out here; not an Exception, so that no program catches it."""


class Cut(BaseException):
    """This way is not followed to its end."""


def exact(value: Any) -> Any:
    """The real number that a number of CPython's stands for: a quotient of small integers where it is a float."""
    if isinstance(value, float) and abs(value) < inf:
        return Fraction(value).limit_denominator(10**9)
    if isinstance(value, Noise):
        raise Unjudged("a draw whose parameter is random")
    return Fraction(value) if isinstance(value, int) else Fraction(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, eq=False)
class High:
    """A real number of 40 digits that computes with fractions."""

    value: Any

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, High | int | float | Fraction):
            return operation(self.value, real(other))
        return NotImplemented

    def _number(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        found = self._with(other, operation)
        return found if found is NotImplemented else High(found)

    def __add__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: x + y)

    def __sub__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: x * y)

    def __truediv__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: x / y)

    def __rtruediv__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: y / x)

    def __pow__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: x**y)

    def __rpow__(self, other: Any) -> Any:
        return self._number(other, lambda x, y: y**x)

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: bool(x < y))

    def __le__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: bool(x <= y))

    def __gt__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: bool(x > y))

    def __ge__(self, other: Any) -> Any:
        return self._with(other, lambda x, y: bool(x >= y))

    def __eq__(self, other: object) -> Any:
        return self._with(other, lambda x, y: bool(x == y))

    def __hash__(self) -> int:
        return hash(self.value)

    def __neg__(self) -> High:
        return High(-self.value)

    def __abs__(self) -> High:
        return High(abs(self.value))

    def __floor__(self) -> int:
        return int(mpmath.floor(self.value))

    def __ceil__(self) -> int:
        return int(mpmath.ceil(self.value))

    def __round__(self) -> int:
        return int(mpmath.nint(self.value))


class Whole(int):
    """An integer whose quotients are exact."""

    def __truediv__(self, other: Any) -> Any:
        return Fraction(int(self)) / other

    def __rtruediv__(self, other: Any) -> Any:
        return Fraction(other) / int(self) if isinstance(other, int) else other / Fraction(int(self))


def _whole(name: str) -> Callable[[Whole, Any], Any]:
    def operation(self: Whole, other: Any) -> Any:
        found = getattr(int, name)(self, other)
        return Whole(found) if type(found) is int else found

    return operation


Number = int | float | Fraction | High
for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod", "pow"):
    setattr(Whole, f"__{_name}__", _whole(f"__{_name}__"))


@dataclass(frozen=True, slots=True, eq=False)
class Noise:
    """A sum of multiples of draws and a number."""

    tape: Tape
    terms: Mapping[int, Any]
    constant: Any

    def plus(self, other: Any, times: int = 1) -> Any:
        """self + times other; a number once no draw is left in it."""
        if isinstance(other, Noise):
            terms = dict(self.terms)
            for place, factor in other.terms.items():
                terms[place] = terms.get(place, 0) + times * factor
            terms = {place: factor for place, factor in terms.items() if factor != 0}
            constant = self.constant + times * other.constant
            return Noise(self.tape, terms, constant) if terms else constant
        if not isinstance(other, Number):
            return NotImplemented
        return Noise(self.tape, self.terms, self.constant + times * exact(other))

    def times(self, factor: Any) -> Any:
        """The form multiplied by a number."""
        if isinstance(factor, Noise):
            raise Unjudged("a product of draws")
        if not isinstance(factor, Number):
            return NotImplemented
        factor = exact(factor)
        if factor == 0:
            return Fraction(0)
        return Noise(self.tape, {place: one * factor for place, one in self.terms.items()}, self.constant * factor)

    def __add__(self, other: Any) -> Any:
        return self.plus(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self).plus(other)

    def __mul__(self, other: Any) -> Any:
        return self.times(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Noise):
            raise Unjudged("a quotient of draws")
        return self.times(1 / exact(other))

    def __neg__(self) -> Any:
        return self.times(-1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __lt__(self, other: Any) -> bool:
        return self._sign(other, -1, True)

    def __le__(self, other: Any) -> bool:
        return self._sign(other, -1, False)

    def __gt__(self, other: Any) -> bool:
        return self._sign(other, 1, True)

    def __ge__(self, other: Any) -> bool:
        return self._sign(other, 1, False)

    def _sign(self, other: Any, way: int, strict: bool) -> bool:
        """Whether way (self - other) is > 0, or >= 0 where not strict."""
        form = self.plus(other, -1)
        if form is NotImplemented:
            raise TypeError("not a number")
        if isinstance(form, Noise):
            return self.tape.positive(form.times(way), strict)
        return bool(form * way > 0 if strict else form * way >= 0)

    def __eq__(self, other: object) -> bool:
        form = self.plus(other, -1)
        if form is NotImplemented:
            return False
        if not isinstance(form, Noise):
            return bool(form == 0)
        if any(self.tape.draws[place].family in CONTINUOUS for place in form.terms):
            return False  # with probability 1
        return self.tape.positive(form, False) and self.tape.positive(-form, False)

    __hash__ = None  # type: ignore[assignment]

    def _unjudged(self, *_: Any) -> Any:
        raise Unjudged("an operation on noise that is not linear")

    __bool__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __rtruediv__ = __round__ = _unjudged
    __float__ = __int__ = __floor__ = __ceil__ = __index__ = _unjudged


@dataclass(frozen=True, slots=True)
class Law:
    """The law of one draw: the family, and its scale."""

    family: str
    scale: Any


@dataclass(frozen=True, slots=True)
class Link:
    """What was decided of several draws together: the sum of factors times draws, plus the constant, is > 0 or >= 0."""

    terms: Mapping[int, Any]
    constant: Any
    strict: bool


@dataclass(frozen=True, slots=True)
class Way:
    """One way through the program: what it released, how likely its finite draws are, what its other draws must be."""

    released: tuple[Any, ...]
    weight: Any
    draws: tuple[Law, ...]
    limits: Mapping[int, tuple[Any, Any]]
    """Least and greatest value of a draw; of an integer both are possible."""
    links: tuple[Link, ...]


@dataclass(slots=True)
class Tape:
    """Decisions: at first those that were made before, then the first that is possible each time."""

    chosen: list[int] = field(default_factory=list)
    left: list[list[int]] = field(default_factory=list)
    used: int = 0
    finite: int = 0
    weight: Any = Fraction(1)
    draws: list[Law] = field(default_factory=list)
    limits: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)

    def begin(self) -> None:
        """Go back to the start."""
        self.used, self.finite, self.weight = 0, 0, Fraction(1)
        self.draws, self.limits, self.links = [], {}, []

    def advance(self) -> bool:
        """Go to the next tape; False after the last one."""
        while self.left and not self.left[-1]:
            self.left.pop()
            self.chosen.pop()
        if not self.left:
            return False
        self.chosen[-1] = self.left[-1].pop()
        return True

    def decided(self, options: Sequence[int]) -> int:
        """One of the options."""
        if self.used == len(self.chosen):
            first, *others = options
            self.chosen.append(first)
            self.left.append(others[::-1])
        self.used += 1
        return self.chosen[self.used - 1]

    def counted(self) -> None:
        """One draw more."""
        self.finite += 1
        if self.finite > MOST_DRAWS:
            raise Cut

    def place(self, weights: Sequence[Any]) -> int:
        """A place, by weights."""
        self.counted()
        total = sum(weights)
        found = self.decided([place for place, weight in enumerate(weights) if weight > 0])
        self.weight = self.weight * (weights[found] / total)
        return found

    def noise(self, family: str, scale: Any) -> Noise:
        """A draw of infinitely many values."""
        scale = exact(scale)
        if not scale > 0:
            raise ValueError(f"scale must be > 0, got {scale}")
        self.counted()
        self.draws.append(Law(family, scale))
        place = len(self.draws) - 1
        self.limits[place] = (0 if family == "exponential" else -inf, inf)
        return Noise(self, {place: Fraction(1)}, Fraction(0))

    def positive(self, form: Noise, strict: bool) -> bool:
        """Whether the form is > 0, or >= 0: decided, and kept."""
        if form.constant in (inf, -inf):  # no draw is
            return bool(form.constant > 0)
        is_whole = all(self.draws[place].family == "discrete_laplace" for place in form.terms)
        if len(form.terms) == 1:
            return self._bounded(form, strict, is_whole)
        said = self.decided([1, 0]) == 1
        kept = form if said else -form
        self.links.append(Link(kept.terms, kept.constant, strict if said else not strict))
        return said

    def _bounded(self, form: Noise, strict: bool, is_whole: bool) -> bool:
        """The same of a multiple of one draw, whose limits then are narrower."""
        ((place, factor),) = form.terms.items()
        low, high = self.limits[place]
        end = -form.constant / factor
        # With factor > 0 the form is positive above the end.
        if is_whole:
            above = (
                (floor(end) + 1 if strict else ceil(end)) if factor > 0 else (ceil(end) - 1 if strict else floor(end))
            )
            yes, no = ((above, high), (low, above - 1)) if factor > 0 else ((low, above), (above + 1, high))
        else:
            yes, no = ((end, high), (low, end)) if factor > 0 else ((low, end), (end, high))
        yes, no = ((max(one[0], low), min(one[1], high)) for one in (yes, no))
        possible = [said for said, one in ((1, yes), (0, no)) if (one[0] <= one[1] if is_whole else one[0] < one[1])]
        said = possible[0] if len(possible) == 1 else self.decided([1, 0])
        self.limits[place] = yes if said else no
        return said == 1


@dataclass(slots=True)
class Stage:
    """The tape that the draws of a loaded module look at."""

    tape: Tape | None = None

    @property
    def now(self) -> Tape:
        """The tape; a draw while the module is loaded is no draw of the function."""
        if self.tape is None:
            raise Unjudged("a draw at the top of the module")
        return self.tape


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a decorator of the module said."""

    adjacency: Any
    words: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Budgets:
    """each(...): a relation of elements, and how much may differ."""

    relation: Any
    changed: Any = None
    total: Any = None
    squares: Any = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A module that CPython has run."""

    names: Mapping[str, Any]
    stage: Stage


NAMED = ("ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE")


def replaced(stage: Stage) -> ModuleType:
    """refdp.programs as modules import it."""
    found = ModuleType("refdp.programs")

    def argmax(values: Sequence[Any]) -> int:
        if not values:
            raise ValueError("values must be at least one")
        best = 0
        for place in range(1, len(values)):
            if values[best] < values[place]:
                best = place
        return best

    def bernoulli(p: Any) -> bool:
        chance = exact(p)
        if not 0 <= chance <= 1:
            raise ValueError(f"p must be in [0, 1], got {chance}")
        return stage.now.place((chance, 1 - chance)) == 0

    def choice(weights: Sequence[Any]) -> int:
        known = list(map(exact, weights))
        if not known or any(one < 0 for one in known) or not any(one > 0 for one in known):
            raise ValueError("weights must be >= 0 and not all 0")
        return Whole(stage.now.place(known))

    def uniform(least: Any, greatest: Any) -> int:
        low, high = exact(least), exact(greatest)
        if low.denominator != 1 or high.denominator != 1 or low > high:
            raise ValueError(f"least must be <= greatest, got {low} and {high}")
        return Whole(int(low) + stage.now.place([Fraction(1)] * (1 + int(high - low))))

    def claim(**words: Any) -> Callable[[Any], Any]:
        adjacency = words.pop("adjacency")

        def decorated(function: Any) -> Any:
            vars(function)["claims"] = (Claimed(adjacency, words), *vars(function).get("claims", ()))
            return function

        return decorated

    names: dict[str, Any] = {
        "laplace": lambda scale: stage.now.noise("laplace", scale),
        "discrete_laplace": lambda scale: stage.now.noise("discrete_laplace", scale),
        "exponential": lambda scale: stage.now.noise("exponential", scale),
        "gaussian": lambda sigma: stage.now.noise("gaussian", sigma),
        "bernoulli": bernoulli, "choice": choice, "uniform": uniform, "claim": claim, "argmax": argmax,
        "each": Budgets, "exp": lambda x: High(mpmath.exp(real(x))), "log": lambda x: High(mpmath.log(real(x))),
        **{name: name for name in NAMED},
    }  # fmt: skip
    vars(found).update(names)
    found.__all__ = list(names)  # type: ignore[attr-defined]
    return found


def real(x: Any) -> Any:
    """A number in high precision."""
    if isinstance(x, High):
        return x.value
    x = exact(x)
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def loaded(text: str) -> Loaded:
    """The module, run by CPython as it stands."""
    stage = Stage()
    ours, home = replaced(stage), ModuleType("refdp")
    home.programs = ours  # type: ignore[attr-defined]

    def importing(name: str, *words: Any, **named: Any) -> Any:
        if name == "refdp" or name.startswith("refdp."):
            wanted = words[2] if len(words) > 2 else named.get("fromlist")
            return ours if name == "refdp.programs" and wanted else home
        return patchable.get(name) or builtins.__import__(name, *words, **named)

    patchable = {module.__name__: copied(module) for module in (builtins, math)}
    fresh = patchable["builtins"]
    vars(fresh)["__import__"] = importing
    names: dict[str, Any] = {"__name__": "module", "__builtins__": vars(fresh)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of `assert 1 is not None`, for one
        exec(compile(text, "module.py", "exec"), names)
    return Loaded(names, stage)


def copied(module: ModuleType) -> ModuleType:
    """A module that a text may change without changing Python's own."""
    copy = ModuleType(module.__name__)
    vars(copy).update(vars(module))
    return copy


def ways(module: Loaded, name: str, data: Any, parameters: Mapping[str, Any]) -> Iterator[Way | None]:
    """Every way through the function; None for a way that is cut off.  Unjudged where there are too many."""
    tape = module.stage.tape = Tape()
    try:
        for _ in range(MOST_WAYS):
            tape.begin()
            try:
                released = run(module.names[name], list(data) if isinstance(data, tuple) else data, parameters)
            except Cut:
                yield None
            else:
                yield Way(released, tape.weight, tuple(tape.draws), dict(tape.limits), tuple(tape.links))
            if not tape.advance():
                return
    finally:
        module.stage.tape = None
    raise Unjudged("too many ways")


def run(function: Any, data: Any, parameters: Mapping[str, Any]) -> tuple[Any, ...]:
    """What one run releases: what it yields, or what it returns; an exception is the last of it."""
    released: list[Any] = []
    try:
        found = function(data, **parameters)
        if not inspect.isgenerator(found):
            return (plain(found),)
        for one in found:
            released.append(plain(one))
            if len(released) > MOST_STEPS:
                raise Cut
    except Exception as error:
        if isinstance(error, TypeError | AttributeError) and any(one in str(error) for one in ("Noise", "High")):
            raise Unjudged(f"what stands for a number here is none: {error}") from None
        released.append((RAISED, type(error).__name__))
    return tuple(released)


def raised(way: Way) -> str:
    """The exception with which a way ends; empty where it ends otherwise, or at a limit of this machine."""
    match way.released:
        case (*_, (str(word), str(name))) if word == RAISED and name not in LIMITS:
            return name
    return ""


def plain(value: Any) -> Any:
    """Tuples for lists."""
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value
