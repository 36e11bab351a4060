"""What is true of a claim, from CPython's runs of the module alone: pairs and events that break it, in 40 digits.

A PROVED is wrong where any pair of neighbours and any event exceeds the claim: lower bounds suffice to say so; and
where a run raises an exception, as docs/program_proofs.md says that none does.  A
REFUTED is wrong where the very event that it shows does not exceed the claim when CPython's ways are added up, or where
its data are no neighbours, or its parameters are not allowed.  What neither can be said of is not judged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import ceil, inf
from random import Random
from types import CodeType
from typing import Any

import mpmath

from tests.fuzzing.laws import ANY, Arithmetic, Between, Exact, Fast, Form, Output, chance, output_of
from tests.fuzzing.walking import (
    NAMED,
    Budgets,
    Claimed,
    High,
    Loaded,
    Unjudged,
    Way,
    Whole,
    exact,
    loaded,
    raised,
    real,
    ways,
)

MARGIN = mpmath.mpf("1e-15")
"""By how much more, as a share, something must be to be surely more."""
EQUAL = mpmath.mpf("1e-20")
"""A bound that is exceeded by no more, as a share, is met with equality."""
SEEN = 1e-9
"""By how much more it must be, as a share, to be seen in floats; then it is worked out again in 40 digits."""
EFFORT = 2500
"""After so many ways no further pair is looked at."""
MOST_PAIRS = 40
ORDERS = tuple(map(mpmath.mpf, ("1.01", "1.5", "2", "4", "10", "40")))
"""Orders of the Renyi divergence at which rho is looked at."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What the documentation says of the parameters, as the generator wrote them."""

    data: str
    """The annotation of the data: float, int, bool, or a list of these."""
    public: Mapping[str, str] = field(default_factory=dict)
    """The annotation of each public parameter, "" where there is none."""

    @property
    def is_list(self) -> bool:
        """Whether the data are a list."""
        return self.data.startswith("list")

    @property
    def sort(self) -> str:
        """float, int or bool."""
        return self.data.removeprefix("list[").removesuffix("]")


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim about a module, and what the truth may look at."""

    text: str
    name: str
    signature: Signature
    typed: bool = False
    """Whether all that is released is literals, so that their types are told apart."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A pair and an event that break a claim."""

    parameters: Mapping[str, Any]
    old: Any
    new: Any
    event: str
    loss: Any
    claimed: str

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {number_text(value)}" for name, value in self.parameters.items())
        data = " and ".join(data_text(one) for one in (self.old, self.new))
        return f"at {values or 'no parameters'} and data {data}, {self.event}: {self.loss}; claimed {self.claimed}"


class Exactly(ast.NodeTransformer):
    """Numbers that are written are fractions: 1/3 is no float, as it is none in a claim."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """`Fraction("0.5")` for 0.5."""
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            return node
        called = ast.Call(ast.Name("Fraction", ast.Load()), [ast.Constant(repr(node.value))], [])
        return ast.copy_location(called, node)


def exactly(text: str) -> CodeType:
    """The expression with exact numbers."""
    return compile(ast.fix_missing_locations(Exactly().visit(ast.parse(text.strip(), mode="eval"))), "claim", "eval")


def number_text(value: Any) -> str:
    """A number for a reader."""
    return mpmath.nstr(value.value, 12) if isinstance(value, High) else str(value)


def data_text(data: Any) -> str:
    """Data for a reader."""
    return f"[{', '.join(map(number_text, data))}]" if isinstance(data, tuple) else number_text(data)


@dataclass(slots=True)
class Truth:
    """A module that was run, and the laws that were worked out."""

    asked: Asked
    module: Loaded
    claim: Claimed
    random: Random
    effort: int = 0
    known: dict[Any, list[tuple[Way, Output]]] = field(default_factory=dict)
    chances: dict[Any, Any] = field(default_factory=dict)
    lost: dict[Any, Any] = field(default_factory=dict)
    """The probability of the ways that were cut off."""

    # Parameters.

    def allowed(self, parameters: Mapping[str, Any], size: int) -> bool:
        """Whether the claim speaks of these parameters: what the documentation assumes of names, and `where`."""
        given = self.claim.words.get("given") or {}
        for name, value in given.items():
            if name == "n":
                if size != exact(value):
                    return False
            elif self.evaluated(value, parameters, size) != parameters[name]:
                return False
        for name, annotation in self.asked.signature.public.items():
            value = parameters[name]
            is_count = name in ("N", "M", "k") and annotation in ("", "int")
            if (
                (name in ("epsilon", "sigma") and not value > 0)
                or (is_count and not (value >= 1 and value == int(value)))
                or (name == "delta" and not 0 <= value < 1)
            ):
                return False
        where = self.claim.words.get("where")
        return where is None or bool(self.evaluated(where, parameters, size))

    def evaluated(self, text: Any, parameters: Mapping[str, Any], size: int) -> Any:
        """An expression of the claim."""
        names: dict[str, Any] = {
            "ln": lambda x: High(mpmath.log(real(x))), "log": lambda x: High(mpmath.log(real(x))),
            "exp": lambda x: High(mpmath.exp(real(x))), "abs": abs, "min": min, "max": max,
        }  # fmt: skip
        if self.asked.signature.is_list:
            names["n"] = Whole(size)
        if not isinstance(text, str):
            return exact(text)
        found = eval(exactly(text), {"__builtins__": {}, "Fraction": Fraction}, names | dict(parameters))
        return found if isinstance(found, bool) else exact(found)

    def settings(self, size: int, most: int) -> Iterator[dict[str, Any]]:
        """Values of the parameters that the claim allows."""
        given = self.claim.words.get("given") or {}
        options = []
        for name, annotation in self.asked.signature.public.items():
            if name == "n":
                options.append([Whole(size)])
            elif name in given:
                options.append([self.parameter(annotation, name, self.evaluated(given[name], {}, size))])
            else:
                options.append([self.parameter(annotation, name, one) for one in candidates(name, annotation)])
        every = [dict(zip(self.asked.signature.public, values, strict=True)) for values in product(*options)]
        found = [one for one in every if self.allowed(one, size)]
        first, rest = found[:1], found[1:]
        yield from first + self.random.sample(rest, min(len(rest), most - 1))

    def parameter(self, annotation: str, name: str, value: Any) -> Any:
        """A value as the function is given it."""
        is_whole = annotation == "int" or (name in ("N", "M", "k") and annotation == "")
        return Whole(int(value)) if is_whole and not isinstance(value, bool) else value

    # Neighbours.

    def related(self, old: Sequence[Any], new: Sequence[Any], adjacency: Any = None) -> bool:
        """Whether two data are neighbours."""
        adjacency = self.claim.adjacency if adjacency is None else adjacency
        if edits := most_edits(adjacency):
            return len(old) + len(new) - 2 * in_both(old, new) <= edits
        changes = [exact(y) - exact(x) for x, y in zip(old, new, strict=True)]
        if isinstance(adjacency, Budgets):
            return (
                self.related(old, new, adjacency.relation)
                and (adjacency.changed is None or sum(one != 0 for one in changes) <= adjacency.changed)
                and (adjacency.total is None or sum(map(abs, changes)) <= self.evaluated(adjacency.total, {}, 0))
                and (
                    adjacency.squares is None or sum(d * d for d in changes) <= self.evaluated(adjacency.squares, {}, 0)
                )
            )
        if callable(adjacency):
            try:
                return all(bool(adjacency(x, y)) for x, y in zip(old, new, strict=True))
            except Exception as error:
                raise Unjudged(f"the relation raises {type(error).__name__}") from None
        if adjacency not in NAMED:
            raise Unjudged("an adjacency that is none")
        near = all(abs(d) <= 1 for d in changes)
        return {
            "ALL": near,
            "ONE": near and sum(d != 0 for d in changes) <= 1,
            "L1": sum(map(abs, changes)) <= 1,
            "L2": sum(d * d for d in changes) <= 1,
            "MONO": near and (all(d >= 0 for d in changes) or all(d <= 0 for d in changes)),
        }[adjacency]

    def pairs(self, size: int, most: int) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Neighbours of that length that differ, each ordered pair once."""
        if edits := most_edits(self.claim.adjacency):
            yield from self.edited(size, most, edits)
            return
        values = self.values()
        few = len(values) ** (2 * size) <= 1000
        every = list(product(product(values, repeat=size), repeat=2)) if few else []
        self.random.shuffle(every)
        seen = set()
        for attempt in range(len(every) if few else 40 * most):
            if few:
                old, new = every[attempt]
            else:
                old = tuple(self.random.choice(values) for _ in range(size))
                new = tuple(self.changed(one, values) for one in old)
            if old != new and (old, new) not in seen and self.related(old, new):
                for pair in ((old, new), (new, old)):
                    if pair not in seen and self.related(*pair):
                        seen.add(pair)
                        yield pair
                if len(seen) >= most:
                    return

    def edited(self, size: int, most: int, edits: int) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Lists of that length with others that have elements more, or less, both ways round."""
        values, seen = self.values(), set()
        for _ in range(10 * most):
            old = tuple(self.random.choice(values) for _ in range(size))
            new = list(old)
            for _ in range(self.random.randint(1, edits)):
                if new and self.random.random() < 0.5:
                    new.pop(self.random.randrange(len(new)))
                else:
                    new.insert(self.random.randint(0, len(new)), self.random.choice(values))
            for pair in ((old, tuple(new)), (tuple(new), old)):
                if old != tuple(new) and pair not in seen:
                    seen.add(pair)
                    yield pair
            if len(seen) >= most:
                return

    def changed(self, value: Any, values: Sequence[Any]) -> Any:
        """A value that may be the neighbour of this one."""
        if self.asked.signature.sort == "bool":
            return self.random.choice((False, True))
        steps = (1, 1, -1, -1, 0) if self.asked.signature.sort == "int" else (1, 1, -1, -1, 0, Fraction(1, 2))
        return self.random.choice((*[value + step for step in steps], self.random.choice(values)))

    def values(self) -> list[Any]:
        """What elements are tried: small numbers, and those of the text."""
        if self.asked.signature.sort == "bool":
            return [False, True]
        found = {Fraction(one) for one in (0, 1, 2, -1)}
        own = {Fraction(one) for one in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", self.asked.text) if float(one) <= 100}
        for one in self.random.sample(sorted(own), min(2, len(own))):
            found |= {one, one + 1}
        if self.asked.signature.sort == "int":
            return sorted(one for one in found if one.denominator == 1)
        return sorted(found | {Fraction(1, 2)})

    # Laws.

    def law(self, parameters: Mapping[str, Any], data: tuple[Any, ...]) -> list[tuple[Way, Output]]:
        """Every way with what it releases."""
        key = (tuple(parameters.values()), data)
        if key not in self.known:
            given = data if self.asked.signature.is_list else data[0]
            found, is_cut = [], False
            for way in ways(self.module, self.asked.name, given, parameters):
                self.effort += 1
                if way is None:
                    is_cut = True
                else:
                    found.append((way, output_of(way, self.asked.typed)))
            total = (
                sum((chance(w, o, [ANY] * len(o.slots)) for w, o in found), mpmath.mpf(0)) if is_cut else mpmath.mpf(1)
            )
            self.known[key], self.lost[key] = found, max(mpmath.mpf(0), 1 - total)
        return self.known[key]

    def left(self, parameters: Mapping[str, Any], data: tuple[Any, ...]) -> Any:
        """The probability of what was cut off."""
        self.law(parameters, data)
        return self.lost[(tuple(parameters.values()), data)]

    def probability(
        self, parameters: Mapping[str, Any], data: tuple[Any, ...], shape: Any, wanted: Sequence[Any], using: Arithmetic
    ) -> Any:
        """The probability, or density, of a shape with these slots."""
        key = (tuple(parameters.values()), data, shape, tuple(wanted), using)
        if key not in self.chances:
            found = self.law(parameters, data)
            chances = (chance(way, out, wanted, using) for way, out in found if out.shape == shape)
            self.chances[key] = sum(chances, using.zero)
        return self.chances[key]

    # A claim that was proved.

    def claimed(self, parameters: Mapping[str, Any], size: int) -> dict[str, Any]:
        """The numbers of the claim."""
        words = self.claim.words
        return {
            name: real(self.evaluated(words[name], parameters, size))
            for name in ("epsilon", "delta", "rho")
            if words.get(name) is not None
        }

    def cases(self, pairs: int = MOST_PAIRS, settings: int = 3) -> Iterator[tuple[dict[str, Any], Any, Any]]:
        """Parameters and neighbours that the claim speaks of, as far as the effort goes."""
        sizes = [1, 2, 3] if self.asked.signature.is_list else [1]
        for number, size in enumerate(sizes):
            for parameters in self.settings(size, settings if number < 2 else 1):
                for old, new in self.pairs(size, pairs):
                    if self.effort > EFFORT * (number + 1) // len(sizes):
                        break
                    yield parameters, old, new

    def violation(self) -> Violation | None:
        """Something that breaks the claim, if there is anything among what is tried."""
        for parameters, old, new in self.cases():
            said = self.claimed(parameters, len(old))
            text = ", ".join(f"{name} = {mpmath.nstr(value, 12)}" for name, value in said.items())
            shown = (old, new) if self.asked.signature.is_list else (old[0], new[0])
            for data in (old, new):
                if name := self.exception(parameters, data):
                    return Violation(parameters, *shown, f"a run on {data_text(data)}", f"raises {name}", text)
            for event, loss in self.exceeding(parameters, old, new, said):
                return Violation(parameters, *shown, event, loss, text)
        return None

    def exception(self, parameters: Mapping[str, Any], data: tuple[Any, ...]) -> str:
        """What a run raises, if one does: what is proved raises nothing, or its proof is of another program."""
        return next((name for way, _ in self.law(parameters, data) if (name := raised(way))), "")

    def exceeding(self, parameters: Mapping[str, Any], old: Any, new: Any, said: Mapping[str, Any]) -> Iterator[Any]:
        """Events of a pair that exceed what is claimed."""
        if "rho" in said or "delta" in said:
            yield from self.of_cells(parameters, old, new, said)
            return
        ratio = mpmath.exp(said["epsilon"])
        for shape, wanted, p, q in self.points(parameters, old, new):
            if p > ratio * q * (1 + SEEN):
                before, after = self.in_digits(parameters, old, new, shape, wanted)
                if before > ratio * after * (1 + MARGIN):
                    loss = mpmath.nstr(mpmath.log(before / after), 12) if after else "infinite"
                    yield event_text(shape, wanted), f"loss {loss}"

    def in_digits(self, parameters: Mapping[str, Any], old: Any, new: Any, shape: Any, wanted: Any) -> tuple[Any, Any]:
        """The least probability on the old data, and the greatest on the new, in 40 digits."""
        before, after = (self.probability(parameters, data, shape, wanted, Exact) for data in (old, new))
        return before, after + self.left(parameters, new)

    def greatest_loss(self, parameters: Mapping[str, Any], old: Any, new: Any) -> Any:
        """The greatest loss that is seen."""
        best: tuple[float, Any, Any] = (0.0, None, None)
        for shape, wanted, p, q in self.points(parameters, old, new):
            loss = mpmath.inf if not q else float(p) / float(q)
            if loss > best[0] * (1 + SEEN):
                best = (loss, shape, wanted)
                if not q:
                    break
        if best[2] is None:
            return mpmath.mpf(0)
        before, after = self.in_digits(parameters, old, new, best[1], best[2])
        loss = max(mpmath.mpf(0), mpmath.log(before / after)) if after else mpmath.inf
        return loss if loss > MARGIN else mpmath.mpf(0)

    def points(self, parameters: Mapping[str, Any], old: Any, new: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
        """Outputs on the old data, with the probability or density on both, in floats."""
        left = float(self.left(parameters, new))
        seen = set()
        for way, out in self.law(parameters, old):
            if left and ("dense" in str(out.shape) or "on a line" in str(out.shape)):
                continue
            for wanted in samples(way, out, self.random):
                key = (out.shape, tuple(wanted))
                if key in seen:
                    continue
                seen.add(key)
                before = self.probability(parameters, old, out.shape, wanted, Fast)
                if before > 0:
                    yield out.shape, wanted, before, self.probability(parameters, new, out.shape, wanted, Fast) + left

    def of_cells(
        self, parameters: Mapping[str, Any], old: Any, new: Any, said: Mapping[str, Any], using: Arithmetic = Fast
    ) -> Iterator[Any]:
        """What a partition of the outputs shows of rho, or of epsilon and delta."""
        left = using.number(self.left(parameters, old) + self.left(parameters, new))
        margin = SEEN if using is Fast else MARGIN
        cells = []
        for shape, wanted in self.cells(parameters, old, new):
            p, q = (max(using.zero, self.probability(parameters, one, shape, wanted, using)) for one in (old, new))
            cells.append((p, q))
        found: list[tuple[str, str]] = []
        if "delta" in said:
            ratio = using.exp(said["epsilon"])
            excess = sum((max(using.zero, p - ratio * q) for p, q in cells), using.zero) - left * (1 + ratio)
            if excess > said["delta"] * (1 + margin) + margin:
                found.append((f"a set of {len(cells)} cells", f"delta {mpmath.nstr(excess, 12)}"))
        elif not left:
            if any(p > margin and q == 0 for p, q in cells):
                found.append(("an output that is impossible on the second data", "infinite divergence"))
            cells = [(p, q) for p, q in cells if p > 0 and q > 0]
            for order in ORDERS:
                total = sum((mpmath.mpf(p) ** order * mpmath.mpf(q) ** (1 - order) for p, q in cells), mpmath.mpf(0))
                rho = mpmath.log(total) / (order - 1) / order
                if rho > said["rho"] * (1 + margin) + margin:
                    found.append((f"order {order}", f"rho {mpmath.nstr(rho, 12)}"))
        if found and using is Fast:
            yield from self.of_cells(parameters, old, new, said, Exact)
        else:
            yield from found

    def cells(self, parameters: Mapping[str, Any], old: Any, new: Any) -> Iterator[tuple[Any, Sequence[Any]]]:
        """A partition of the outputs into values and ranges."""
        by_shape: dict[Any, list[tuple[Way, Output]]] = {}
        for data in (old, new):
            for way, out in self.law(parameters, data):
                by_shape.setdefault(out.shape, []).append((way, out))
        for shape, found in by_shape.items():
            if all(not slot.terms for _, out in found for slot in out.slots):
                for values in {tuple(slot.constant for slot in out.slots) for _, out in found}:
                    yield shape, values
                continue
            size = len(found[0][1].slots)
            place = next(i for i in range(size) if any(out.slots[i].terms for _, out in found))
            ends = sorted({end for way, out in found for end in cuts(way, out.slots[place])})
            ends = ends if len(ends) <= 24 else ends[:: 1 + len(ends) // 24]
            whole = all(
                way.draws[one].family == "discrete_laplace" for way, out in found for one in out.slots[place].terms
            )
            step = 1 if whole and all(isinstance(one, Fraction) and one.denominator == 1 for one in ends) else 0
            if whole and not step:
                yield shape, [ANY] * size
                continue
            for low, high in zip([-inf, *ends], [*ends, inf], strict=True):
                between = Between(low + step if low > -inf else low, high)
                yield shape, [between if i == place else ANY for i in range(size)]

    # A claim that was refuted.

    def contradiction(self, shown: Mapping[str, Any]) -> str | None:
        """What is wrong with a counterexample: {"parameters", "old", "new", "events", "order"}; None if nothing is.

        Unjudged where its probabilities are not worked out here.
        """
        old, new = (tuple(self.element(one) for one in shown[side]) for side in ("old", "new"))
        size = len(old)
        parameters = {}
        for name, annotation in self.asked.signature.public.items():
            value = Whole(size) if name == "n" else self.evaluated(shown["parameters"][name], {}, size)
            parameters[name] = self.parameter(annotation, name, value)
        same_length = len(new) == size or most_edits(self.claim.adjacency) > 0
        if not same_length or not self.related(old, new):
            return f"{data_text(old)} and {data_text(new)} are no neighbours"
        if not self.allowed(parameters, size):
            return f"the claim does not speak of {parameters}"
        said = self.claimed(parameters, size)
        found = [tuple(self.of_event(parameters, data, event) for data in (old, new)) for event in shown["events"]]
        p, q = (sum((one[side] for one in found), mpmath.mpf(0)) for side in (0, 1))
        for name, data, mine in (("old", old, p), ("new", new, q)):
            told = shown.get(f"{name}_probability")
            if told is not None and not is_nearly(told["decimal"], mine, self.left(parameters, data)):
                return f"the event has probability {mpmath.nstr(mine, 12)} on the {name} data, not {told['decimal']}"
        if "rho" in said:
            return self.moment(found, int(shown["order"]), said["rho"], self.left(parameters, old))
        most = p + self.left(parameters, old)
        bound = mpmath.exp(said["epsilon"]) * q + said.get("delta", 0)
        if most < bound * (1 + EQUAL):
            return f"the event has probabilities {mpmath.nstr(p, 12)} and {mpmath.nstr(q, 12)}, within the claim"
        return None

    def moment(self, found: Sequence[tuple[Any, ...]], order: int, rho: Any, left: Any) -> str | None:
        """What is wrong with events that are to show a divergence of that order above order rho."""
        if left or any(p > 0 and q == 0 for p, q in found):
            return None
        total = sum((p**order / q ** (order - 1) for p, q in found if p), mpmath.mpf(0))
        if order < 2 or total < mpmath.exp(rho * order * (order - 1)) * (1 + EQUAL):
            return f"the events have a moment of order {order} of {mpmath.nstr(total, 12)}, within the claim"
        return None

    def element(self, value: Any) -> Any:
        """An element of the data of a counterexample."""
        return value if isinstance(value, bool) else Fraction(value)

    def of_event(self, parameters: Mapping[str, Any], data: Any, event: Sequence[Any]) -> Any:
        """The probability of an event: of each part of the output a constant, or a range of the number."""
        parts = [part for items in event for part in items]
        total = mpmath.mpf(0)
        if parts == [{"text": "an exception"}]:
            own = ((way, out) for way, out in self.law(parameters, data) if len(way.released) == 1 and raised(way))
            return sum((chance(way, out, [ANY] * len(out.slots)) for way, out in own), total)
        for way, out in self.law(parameters, data):
            wanted = matched(atoms(out.shape), parts, out)
            if wanted is not None:
                slots = Output(out.shape, tuple(slot for slot, _ in wanted))
                total += chance(way, slots, [one for _, one in wanted])
        return total


def most_edits(adjacency: Any) -> int:
    """How many elements may be added or removed; 0 where neighbours have one length."""
    if adjacency == "ADD_REMOVE":
        return 1
    is_of_edits = isinstance(adjacency, Budgets) and adjacency.relation == "ADD_REMOVE"
    return int(exact(adjacency.changed)) if is_of_edits else 0


def in_both(old: Sequence[Any], new: Sequence[Any]) -> int:
    """The length of the longest list that both are with elements more."""
    if not old or not new:
        return 0
    if exact(old[-1]) == exact(new[-1]):
        return 1 + in_both(old[:-1], new[:-1])
    return max(in_both(old[:-1], new), in_both(old, new[:-1]))


def is_nearly(told: str, mine: Any, left: Any) -> bool:
    """Whether a decimal tells the first digits of a probability, of which `left` is not known."""
    value = mpmath.mpf(told.replace("...", ""))
    return bool(mine * (1 - 1e-8) <= value * (1 + 1e-8) <= (mine + left) * (1 + 1e-7))


def atoms(shape: Any) -> list[Any]:
    """The parts of a shape from left to right; a number is a text that begins with its kind."""
    if isinstance(shape, tuple) and not (len(shape) == 2 and shape[0] in ("NoneType", "bool", "str", "float")):
        return [one for part in shape for one in atoms(part)]
    return [shape]


def matched(found: Sequence[Any], parts: Sequence[Any], out: Output) -> list[tuple[Form, Any]] | None:
    """What the slots must be for the parts to be as the event has them; None where they cannot."""
    if len(found) != len(parts):
        return None
    wanted: list[tuple[Form, Any]] = []
    slots = iter(out.slots)
    before: Form | None = None
    for atom, part in zip(found, parts, strict=True):
        if isinstance(atom, str):
            slot = next(slots)
            if not isinstance(part, dict) or "text" in part:
                return None
            if "number" in part:
                wanted.append((slot, Between(Fraction(part["number"]), Fraction(part["number"]))))
            else:
                low, high = (None if part[end] is None else Fraction(part[end]) for end in ("low", "high"))
                looked = slot
                if part.get("after") and before is not None:
                    less = {
                        place: slot.terms.get(place, 0) - before.terms.get(place, 0)
                        for place in {*slot.terms, *before.terms}
                    }
                    looked = Form({place: one for place, one in less.items() if one}, slot.constant - before.constant)
                wanted.append((looked, Between(-inf if low is None else low, inf if high is None else high)))
            before = slot
        else:
            kind, value = atom
            if kind == "bool" and isinstance(part, dict) and "text" not in part:  # True and 1 are one output
                if not is_within(Fraction(value), part):
                    return None
                continue
            said = part["text"] if isinstance(part, dict) and "text" in part else part
            is_infinite = kind == "float" and said in ("inf", "-inf")  # no text reads so: it would be refused
            if isinstance(said, dict) or (type(said).__name__ != kind and not is_infinite) or said != value:
                return None
    return wanted


def is_within(value: Fraction, part: Mapping[str, Any]) -> bool:
    """Whether a number is the one that an event names, or in its range."""
    if "number" in part:
        return value == Fraction(part["number"])
    low, high = part["low"], part["high"]
    return (
        not part.get("after") and (low is None or Fraction(low) <= value) and (high is None or value <= Fraction(high))
    )


def samples(way: Way, out: Output, random: Random) -> Iterator[tuple[Any, ...]]:
    """Values of the slots: with every draw far out to either side, and in the middle."""
    places = sorted({place for slot in out.slots for place in slot.terms})
    choices = [list(levels(way, place)) for place in places]
    sides = list(product(*choices)) if 3 ** len(places) <= 27 else []
    if not sides:
        sides = [tuple(map(random.choice, choices)) for _ in range(16)]
    for values in sides:
        drawn = dict(zip(places, values, strict=True))
        yield tuple(
            slot.constant + sum((factor * drawn[place] for place, factor in slot.terms.items()), Fraction(0))
            for slot in out.slots
        )


def levels(way: Way, place: int) -> Iterator[Any]:
    """A low, a high and a middling value of a draw."""
    (low, high), law = way.limits[place], way.draws[place]
    scale = scale_of(law)
    far, near = 20 * scale + 10, scale / 7 + Fraction(1, 1009)
    if law.family == "discrete_laplace":
        far, near = Fraction(ceil(far)), Fraction(1)
    if law.family == "gaussian":
        far = 6 * scale
    if low == -inf and high == inf:
        yield from (-far, far, Fraction(0) if law.family == "discrete_laplace" else near)
    elif low == -inf:
        yield from (high - far, high - near, high - far / 2 if law.family != "discrete_laplace" else high)
    elif high == inf:
        yield from (low + near, low + far, low if law.family == "discrete_laplace" else low + far / 3)
    else:
        yield from (
            {low, high}
            if law.family == "discrete_laplace"
            else [low + (high - low) * Fraction(i, 8) for i in (1, 4, 7)]
        )


def scale_of(law: Any) -> Fraction:
    """The scale of a draw, or a number near it; Unjudged where it is beyond all numbers."""
    if isinstance(law.scale, Fraction):
        return law.scale
    near = real(law.scale)
    if not mpmath.isfinite(near):
        raise Unjudged("noise of a scale that is infinite")
    return Fraction(mpmath.nstr(near, 6))


def cuts(way: Way, slot: Form) -> Iterator[Any]:
    """Values of a slot at which it may be cut into ranges."""
    if not slot.terms:
        yield slot.constant
        return
    for place, factor in slot.terms.items():
        law = way.draws[place]
        scale = scale_of(law)
        for level in (-4, -2, -1, 0, 1, 2, 4):
            step = Fraction(ceil(level * scale)) if law.family == "discrete_laplace" else level * scale
            yield slot.constant + factor * step


def event_text(shape: Any, wanted: Sequence[Any]) -> str:
    """An output for a reader."""
    numbers = iter(wanted)
    parts = []
    for atom in atoms(shape):
        parts.append(f"{number_text(next(numbers))} ({atom})" if isinstance(atom, str) else repr(atom[1]))
    return f"output {', '.join(parts) or 'nothing'}"


def candidates(name: str, annotation: str) -> list[Any]:
    """Values of a public parameter, by its name and annotation as the documentation reads them."""
    if annotation == "bool":
        return [True, False]
    if name in ("N", "M", "k") and annotation in ("", "int"):
        return [1, 2, 3]
    if annotation == "int":
        return [1, 0, 2, -1]
    if name in ("epsilon", "sigma"):
        return list(map(Fraction, ("1", "1/2", "2", "1/10")))
    return list(map(Fraction, ("1/2", "1/10", "1", "2", "-1", "0", "9/10")))


def truth_of(asked: Asked, seed: int) -> Truth:
    """The module as CPython runs it.  Unjudged where it does not run, or the function has no claim."""
    try:
        module = loaded(asked.text)
        claims = vars(module.names[asked.name])["claims"]
    except Exception as error:
        raise Unjudged(f"the module does not run: {type(error).__name__}") from None
    return Truth(asked, module, claims[0], Random(seed))
