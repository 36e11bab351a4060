"""Randomised programs for Rocq: what the reader made of them, as functions of what is drawn.

A program is written as the reader's steps say: what is public is decided first, then all is drawn that is drawn from
there on, in the order of the text, and then the ways part.  A number that a way does not read is drawn all the same,
which changes no law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from refdp.kernel.judgements import Private
from refdp.programs.adjacency import LENGTH
from refdp.programs.checking.alignment import Observation, items_of, observation
from refdp.programs.execution import Drawn
from refdp.programs.steps import END, START, Step, Stepwise, sorts_of
from refdp.programs.syntax import REAL_FAMILIES, Claim, Item, Program
from refdp.rocq.formulas import TYPES, plain_name, written
from refdp.rocq.terms import NotInRocq, name_of
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, is_number, rational, variable, variables
from refdp.terms.operations import add, negation, real, substitute
from refdp.terms.term import Sort, Term

VALUES = {"laplace": "R", "exponential": "R", "gaussian": "R", "discrete_laplace": "Z", "bernoulli": "bool"}
"""Family -> the type of what is drawn."""
NONE = frozenset[int]()
TAKEN_HERE = frozenset((
    "noise", "x", "y", "z", "i", "s", "g", "o", "t", "c", "some", "none", "inside", "outside",
    "kept", "small", "cases", "other", "budget", "related", "related_", "whole", "empty", "told_here", "limit",
    "the_data", "the_neighbour", "kept_again", "draw", "done", "on", "again", "finish", "step", "seen", "released",
    "leads", "run", "output", "told", "straight", "rounds", "loop", "never", "number", "truth", "text", "nothing",
    "item", "way", "laplace", "exponential", "gaussian", "discrete_laplace", "bernoulli", "noises", "moves", "sure",
    "couples", "follows", "spent", "change", "changed", "premise", "casts", "same", "aim", "tie", "bridge", "string",
    "law", "plain", "space", "vector", "table", "tells", "relevant", "fitting", "only", "law_of", "unit", "tt",
    "Step", "Run", "Empty_set", "released_by", "near",
    "next_place", "spent_next", "change_at", "changed_at", "laplace_stays", "exponential_stays", "gaussian_stays_there",
    "discrete_laplace_stays", "bernoulli_stays", "laplace_moves", "exponential_moves", "discrete_laplace_moves",
    "couples_draw", "couples_done", "couples_none", "steps_follow", "step_follows", "straight_follows", "loop_follows",
    "follows_weaker", "follows_itself", "follows_by_what_is_foretold", "tells_straight", "tells_loop", "charged_is",
    "charged_as_it_is", "aligned_is_pure", "weaken_approximate", "pure_to_approximate", "linf_related", "l1_related",
    "l1_budget", "one_coordinate_related", "one_coordinate_budget", "monotone_related", "absolute_related",
    "on_budget", "exp_pos", "exp_ineq1_le", "andb_true_iff", "negb_true_iff", "Rmult_le_compat_l", "Req_le", "le_IZR",
    "Z_le_dec", "loop_of_none",
))  # fmt: skip
"""Names that a file about a program gives itself, or that the library gives: no parameter is called so."""
NUMBERED = re.compile(r".*_[0-9]+'*|program_.*|given_.*|the_.*")
"""What numbered names of such a file look like."""
OF_PROOFS = frozenset((
    "above", "below", "budget", "first", "first_not", "given", "is", "kept", "near", "other", "paid", "paid_for",
    "positive", "possible", "possible_again", "public", "rate", "same", "second", "second_not", "the_state", "within",
))  # fmt: skip
"""What proofs number: a variable of the program that is called so gets a prefix."""
NUMBERED_ALIKE = {"released": "releases more than one thing", "place": "reads more than one element"}
"""What proofs number, too, from the second on: a variable that is called so stays, and such a program is refused."""
Tree = Step | tuple[Term, "Tree", "Tree"]
"""How ways part: a step, or a condition with what follows where it holds, and where it does not."""
Side = tuple[list[Step], list[tuple[Term, ...]]]
"""Steps, with what is left to be decided of each."""
Parted = tuple[Term, Side, Side]


def in_run(name: str, which: int) -> str:
    """What a variable of the program is called: where the program is written, in the first run, in the second."""
    plain = plain_name(name)
    return f"v_{plain}_{which}" if plain in OF_PROOFS or plain.startswith("program_") else f"{plain}_{which}"


def labels(steps: Sequence[Step]) -> list[Observation]:
    """The ways in which steps are seen, each once."""
    return list(dict.fromkeys(observation(one, NONE) for one in steps))


def side_of(steps: Sequence[Step]) -> Side:
    """Steps with what is decided on each way, but for whether a loop goes on."""
    return list(steps), [one.path.condition[1 if one.source != START else 0 :] for one in steps]


def tree_of(steps: Sequence[Step], left: Sequence[tuple[Term, ...]]) -> Tree:
    """How the ways of steps part, given what is left to be decided of each; refused where a way is none of them."""
    if not left[0]:
        if len(steps) > 1:
            raise NotInRocq("ways that are not told apart are not written yet")
        return steps[0]
    atom, yes, no = parted(steps, left)
    return atom, tree_of(*yes), tree_of(*no)


def parted(steps: Sequence[Step], left: Sequence[tuple[Term, ...]]) -> Parted:
    """The first thing that is decided, and the ways on either side with what is left of each."""
    condition = left[0][0]
    atom = condition.arguments[0] if condition.operator == "not" else condition
    found: list[Side] = []
    for way, other in ((atom, negation(atom)), (negation(atom), atom)):
        own = [
            (one, tuple(c for c in rest if c is not way))
            for one, rest in zip(steps, left, strict=True)
            if other not in rest
        ]
        if not own:
            raise NotInRocq("what Python raises is not written yet")
        found.append(([one for one, _ in own], [rest for _, rest in own]))
    return atom, found[0], found[1]


@dataclass(slots=True)
class ProgramText:
    """A program as definitions of Rocq, and what they are called."""

    called: str
    steps: Stepwise
    claim: Claim
    judgement: Private
    item: int | None
    """Which item of the last release is told at the end; none where nobody asks."""

    def __post_init__(self) -> None:
        """Refused where the library has no word for a part of the program."""
        for name in self.program.parameters:
            if name in TAKEN_HERE or NUMBERED.fullmatch(name) or plain_name(name) != name and name_of(name) == name:
                raise NotInRocq(f"the parameter {name} has a name that the file needs itself")
        for place in self.steps.states:
            named = [in_run(n, 0) for n, _ in self.state(place)] if place > START else []
            if len(set(named)) < len(named):
                raise NotInRocq("two variables whose names differ by a sign alone are not written")
            for numbered, does in NUMBERED_ALIKE.items():
                if in_run(numbered, 0) in named and any(self.numbers(numbered, one) for one in self.steps.steps):
                    raise NotInRocq(f"a variable {numbered} of a program that at once {does} is not written")
        if any(name.startswith("unset") for name in (*sorts_of(self.program), *self.program.parameters)):
            raise NotInRocq("a variable whose name begins with unset is not written")
        if self.program.data.sort == "Bool":
            raise NotInRocq("data that are truth values are no data of the library's programs yet")
        for loop in self.steps.loops:
            if loop.limit is None or loop.condition is not TRUE:
                raise NotInRocq("loops that end by a condition are no loops of the library yet")
        for one in self.steps.steps:
            if one.path.required:
                raise NotInRocq("what Python raises is not written yet")
            if any(d.family not in VALUES or d.weights is not None for d in one.path.drawn):
                raise NotInRocq("choices and uniform draws are no draws of the library's programs yet")
        if self.judgement.measure not in ("pure", "approximate"):
            raise NotInRocq(f"{self.judgement.measure} is not proved by alignments in the library yet")

    @staticmethod
    def numbers(name: str, one: Step) -> bool:
        """Whether the proof about a step numbers more than one thing that is called so."""
        return len(one.path.looked if name == "place" else [i for items in one.path.emitted for i in items]) > 1

    @property
    def program(self) -> Program:
        """What was read."""
        return self.steps.program

    @property
    def is_list(self) -> bool:
        """Whether the data are a list, and not one number."""
        return self.program.data.is_list

    @property
    def fixed(self) -> dict[Term, Term]:
        """The parameters that have one value."""
        named = {name: variable(name, sort) for name, sort in self.program.parameters.items()}
        return {named[key]: value for key, value in self.claim.given.items() if key in named}

    @property
    def is_noisy(self) -> bool:
        """Whether a real number is drawn: the file is then about every noise that the library describes."""
        return any(d.family in REAL_FAMILIES for one in self.steps.steps for d in one.path.drawn)

    def open(self) -> list[Term]:
        """The public parameters that are left open, and the number of data, reals first."""
        found = [variable(name, sort) for name, sort in self.program.parameters.items() if name != self.program.length]
        found = [one for one in found if one not in self.fixed] + ([LENGTH] if self.is_list else [])
        return sorted(found, key=lambda one: one.sort == "Int")

    def names(self) -> dict[Term, str]:
        """What they are called; the number of data is 0 where the data are one number, as nothing speaks of it."""
        return {LENGTH: "0%Z", **{one: name_of(str(one.value)) for one in self.open()}}

    @property
    def binders(self) -> str:
        """The parameters of each definition."""
        kinds = {
            "R": [one for one in self.open() if one.sort == "Real"],
            "Z": [one for one in self.open() if one.sort == "Int"],
        }
        groups = (f"({' '.join(self.names()[one] for one in v)} : {kind})" for kind, v in kinds.items() if v)
        return " ".join([*(["(noise : noises)"] if self.is_noisy else []), *groups])

    @property
    def applied(self) -> str:
        """The arguments of each definition."""
        return " ".join([*(["noise"] if self.is_noisy else []), *(self.names()[one] for one in self.open())])

    @property
    def data(self) -> str:
        """The type of the data."""
        return "Tables.vector" if self.is_list else "R"

    def state(self, location: int) -> list[tuple[str, Sort]]:
        """The variables at the head of a loop, but for its counter."""
        if location == START:
            return []
        counter = self.steps.loops[location - 1].counter
        return [(n, s) for n, s in self.steps.states[location].items() if n != counter]

    def state_type(self, location: int) -> str:
        """The type of the state at the head of a loop; behind the last one there is none."""
        if location > len(self.steps.loops):
            return "Empty_set"
        return " * ".join(TYPES[sort] for _, sort in self.state(location)) or "unit"

    def counters(self, location: int) -> dict[Term, str]:
        """What counters are called at the head of a loop."""
        found = {variable(loop.counter, "Int"): "0%Z" for loop in self.steps.loops}
        if location != START:
            found[variable(self.steps.loops[location - 1].counter, "Int")] = "i"
        return found

    def limit(self, location: int) -> str:
        """How often a loop goes round."""
        limit = self.steps.loops[location - 1].limit
        return written(substitute(limit, self.fixed), self.names()) if limit is not None else ""

    def place(self, index: Term, location: int) -> str:
        """Which element of the data is read, as a natural number."""
        if is_number(index):
            if index.rational < 0:
                raise NotInRocq("data that are counted from their end are not written yet")
            return f"{index.rational}%nat"
        return f"(Z.to_nat {written(substitute(index, self.fixed), {**self.names(), **self.counters(location)})})"

    def element(self, data: str, index: Term, location: int) -> str:
        """An element of the data."""
        found = f"({data} {self.place(index, location)})" if self.is_list else data
        return f"(floored {found})" if self.program.data.sort == "Int" else found

    def elements(self, data: str, steps: Sequence[Step]) -> dict[Term, str]:
        """What the elements that steps read are called; refused where ways read different ones."""
        found: dict[Term, str] = {}
        for one in steps:
            for index, v in one.path.looked:
                text = self.element(data, index, one.source)
                if found.setdefault(v, text) != text:
                    raise NotInRocq("ways that read different elements are not written yet")
        return found

    def sites(self, steps: Sequence[Step]) -> list[Drawn]:
        """What is drawn on the ways, in the order of the text; refused where one site draws by several laws."""
        found: dict[int, Drawn] = {}
        for draw in (d for one in steps for d in one.path.drawn):
            if found.setdefault(draw.site, draw).parameters != draw.parameters:
                raise NotInRocq("a site that draws by several laws is not written yet")
        for one in steps:
            if [d.site for d in one.path.drawn] != sorted(d.site for d in one.path.drawn):
                raise NotInRocq("draws in another order than the text's are not written yet")
        return [found[site] for site in sorted(found)]

    def scale(self, draw: Drawn) -> str:
        """The parameter of a law."""
        return written(real(substitute(draw.parameters[0], self.fixed)), self.names())

    def trees(self) -> list[tuple[str, int, list[Step]]]:
        """Name, location and steps of each tree of ways: the start, and of each loop its rounds and what follows."""
        found = [("start", START, [one for one in self.steps.steps if one.source == START])]
        for location in range(1, len(self.steps.loops) + 1):
            own = [one for one in self.steps.steps if one.source == location]
            found += [(f"turn_{location}", location, [one for one in own if one.is_round])]
            found += [(f"past_{location}", location, [one for one in own if not one.is_round])]
        return found

    def definitions(self) -> Iterator[str]:
        """The program."""
        yield from ("Import Decisions Alignments.", f"(* {self.program.name}, step by step *)")
        for kind, location, steps in self.trees():
            back = self.state_type(location) if kind.startswith("turn") else "Empty_set"
            where = "" if location == START else f" (i : Z) (s : {self.state_type(location)})"
            yield f"Definition {self.called}_{kind} {self.binders} (x : {self.data}){where} :"
            yield f"    law (plain (step ({back}) ({self.state_type(location + 1)}))) :="
            yield from taken_apart("s", [in_run(n, 0) for n, _ in self.state(location)])
            *lines, last = self.tree(location, steps, side_of(steps))
            yield from (*lines, f"{last}.")
        yield f"Definition {self.called}_run {self.binders} (x : {self.data}) : law (plain run) :="
        yield f"  straight ({self.called}_start {self.applied} x)"
        yield f"    {self.rest(1, 'x')}."
        yield f"Definition {self.called} {self.binders} (x : {self.data}) : law (plain (list (list item))) :="
        yield f"  released_by ({self.called}_run {self.applied} x)."

    def rest(self, location: int, data: str) -> str:
        """What follows from the head of a loop on, as a function of its state."""
        if location > len(self.steps.loops):
            return "never"
        own = (f"({self.called}_{kind}_{location} {self.applied} {data})" for kind in ("turn", "past"))
        return f"(loop {self.limit(location)} (fun _ _ => true) {' '.join(own)} {self.rest(location + 1, data)})"

    def is_public(self, condition: Term) -> bool:
        """Whether a condition speaks of public parameters and of counters alone."""
        return set(variables(self.own(condition))) <= {*self.open(), LENGTH, *self.counters(START)}

    def tree(self, location: int, everything: Sequence[Step], side: Side, indent: str = "  ") -> Iterator[str]:
        """What is public is decided first; then numbers are drawn, and the ways part."""
        steps, left = side
        state = {variable(n, s): in_run(n, 0) for n, s in self.state(location)}
        called = {**self.variables_of(location, steps, "x"), **state}
        if left[0] and self.is_public(left[0][0]):
            atom, yes, no = parted(steps, left)
            yield f"{indent}if {written(self.own(atom), called)} then"
            yield from self.tree(location, everything, yes, indent + "  ")
            yield f"{indent}else"
            yield from self.tree(location, everything, no, indent + "  ")
            return
        for draw in self.sites(steps):
            of = " noise" if draw.family in REAL_FAMILIES else ""
            number = f"draw_{draw.site} : {VALUES[draw.family]}"
            yield f"{indent}draw ({draw.family}{of} {self.scale(draw)}) (fun {number} =>"
        yield from (f"{indent}  {line}" for line in self.ways(everything, tree_of(steps, left), called))
        if self.sites(steps):
            yield f"{indent}{')' * len(self.sites(steps))}"

    def variables_of(self, location: int, steps: Sequence[Step], data: str) -> dict[Term, str]:
        """What a step's variables are, but for its state."""
        return {
            **self.names(),
            **self.counters(location),
            **self.elements(data, steps),
            **{d.variable: f"draw_{d.site}" for d in self.sites(steps)},
        }

    def ways(self, steps: Sequence[Step], tree: Tree, called: Mapping[Term, str]) -> Iterator[str]:
        """A tree of decisions."""
        if isinstance(tree, Step):
            yield self.leaf(steps, tree, called)
            return
        condition, yes, no = tree
        yield f"if {written(self.own(condition), called)} then"
        yield from (f"  {line}" for line in self.ways(steps, yes, called))
        yield "else"
        yield from (f"  {line}" for line in self.ways(steps, no, called))

    def own(self, term: Term) -> Term:
        """A term of a step, for the parameters that have values; what is not set yet is 0."""
        found = substitute(term, self.fixed)
        return substitute(found, {v: nothing(v.sort) for v in variables(found) if str(v.value).startswith("unset.")})

    def leaf(self, steps: Sequence[Step], one: Step, called: Mapping[Term, str]) -> str:
        """Where a way leads to, and what it releases."""
        released = "; ".join(f"[{'; '.join(self.released(i, called) for i in items)}]" for items in one.path.emitted)
        if one.target == END:
            leads = f"finish {self.told(one, called)}"
        else:
            counter = self.steps.loops[one.target - 1].counter
            goes_round = one.is_round and one.source == one.target
            expected = add(variable(counter, "Int"), integer(1)) if goes_round else ZERO
            if one.updates[counter] is not expected or one.target != one.source + (not goes_round):
                raise NotInRocq("a loop whose counter is changed is not written yet")
            leads = f"{'again' if goes_round else 'on'} {bundled(self.values(one, called))}"
        return f"done (Step {labels(steps).index(observation(one, NONE))} [{released}] ({leads}))"

    def values(self, one: Step, called: Mapping[Term, str]) -> list[str]:
        """The state at the target, but for the counter."""
        return [written(self.own(one.updates[n]), called) for n, _ in self.state(one.target)]

    def released(self, one: Item, called: Mapping[Term, str]) -> str:
        """A part of what is released."""
        if one is None:
            return "nothing"
        if not isinstance(one, Term):
            if not one.isascii() or not one.isprintable():
                raise NotInRocq("a text of other characters than ASCII's is not written yet")
            return f'text "{one.replace(chr(34), chr(34) * 2)}"%string'
        text = written(self.own(one), called)
        return {"Bool": f"truth {text}", "Int": f"number (IZR {text})", "Real": f"number {text}"}[one.sort]

    def told(self, one: Step, called: Mapping[Term, str]) -> str:
        """What the end tells: the whole number that is released as the item of the last release, else -1."""
        if self.item is None:
            return "0%Z"
        items = items_of(one.path)
        told = items[self.item] if self.item < len(items) else None
        return written(self.own(told), called) if isinstance(told, Term) and told.sort == "Int" else "(-1)%Z"


def nothing(sort: Sort) -> Term:
    """What a variable is before it is set; nothing reads it."""
    return FALSE if sort == "Bool" else ZERO if sort == "Int" else rational(0)


def taken_apart(bundle: str, names: Sequence[str]) -> Iterator[str]:
    """A line that names the parts of a bundle; none where it has none."""
    if len(names) == 1:
        yield f"  let {names[0]} := {bundle} in"
    elif names:
        yield f"  let '({', '.join(names)}) := {bundle} in"


def bundled(values: Sequence[str]) -> str:
    """Values as one; that of no values where there are none."""
    return values[0] if len(values) == 1 else f"({', '.join(values)})" if values else "tt"
