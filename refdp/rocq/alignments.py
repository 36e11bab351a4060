"""Alignments for Rocq: that a second run follows the first, from the conditions that solvers discharged.

A file has the program, the conditions that the proof takes, each proved there or a premise, and for each part of the
adjacency a section in which every pair of ways is gone through.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refdp.kernel.judgements import Private
from refdp.kernel.rules.programs import ProgramClaim
from refdp.kernel.theorem import Theorem
from refdp.programs.adjacency import LENGTH, Relation
from refdp.programs.certificates.replaying import alignments_in
from refdp.programs.checking.alignment import OUTPUT, SPENT, Alignment, Observation, items_of, observation
from refdp.programs.checking.charges import is_nothing
from refdp.programs.checking.conditions import Condition, Product, alike, flat, run
from refdp.programs.checking.proof import charged
from refdp.programs.checking.public import public
from refdp.programs.checking.ties import is_slanted
from refdp.programs.execution import Drawn
from refdp.programs.steps import END, START, Step, stepwise
from refdp.programs.syntax import REAL_FAMILIES
from refdp.programs.theorems import read
from refdp.rocq import judgements
from refdp.rocq.conditions import tactic_for
from refdp.rocq.formulas import TYPES, names_for, plain_name, written
from refdp.rocq.programs import (
    NONE,
    ProgramText,
    Side,
    Tree,
    bundled,
    in_run,
    labels,
    nothing,
    parted,
    side_of,
    taken_apart,
    tree_of,
)
from refdp.rocq.terms import NotInRocq, proposition
from refdp.rocq.terms import real as real_of
from refdp.rocq.writing import Export, Writers, require_told
from refdp.terms.leaves import ZERO, is_number, parts, rational, variable, variables
from refdp.terms.operations import multiply, negation, real, substitute, subtract
from refdp.terms.polynomials import polynomial
from refdp.terms.scripts import script
from refdp.terms.term import Term

READER = "refdp's reading of Python"
METRICS: Mapping[str, tuple[str, str, str]] = {
    "linf": ("linf_related", "", ""),
    "l1": ("l1_related", "l1_budget", "change"),
    "one_coordinate": ("one_coordinate_related", "one_coordinate_budget", "changed"),
    "monotone": ("monotone_related", "", ""),
}
"""Metric of vectors -> the library's lemmas on how its neighbours are related, and on what they take of a budget."""
OF_EVERY_NOISE = "It is about every noise that Alignments.noises describes; that there is one is not proved in Rocq."
"""What the comment of a file says of draws of real numbers."""
NO_NAMES = frozenset[str]()
STEPS = re.compile(r"steps (\d+) and (\d+), (.*)")


def program_is_private(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """A program with an alignment for each part of the adjacency."""
    if not isinstance(step.claim, Private):
        raise NotInRocq("a program's claim is one of privacy")
    require_told(step)
    program, claim = read(ProgramClaim.of({key: value for key, value in step.data.items() if key != "by"}))
    if claim.adjacency.edits:
        raise NotInRocq("programs on lists to which elements are added are not written yet")
    alignments = alignments_in(step.data["evidence"], program, claim)
    if not alignments:
        raise NotInRocq("laws that are compared are no alignments")
    called = f"program_{plain_name(program.name)}"
    if any(one == f"{called}_conditions" for one in export.sections):
        raise NotInRocq("two programs of one name in one file are not written yet")
    text = ProgramText(called, stepwise(program), claim, step.claim, told_item(alignments))
    proofs = [
        PartText(text, index, relation, alignment)
        for index, (relation, alignment) in enumerate(zip(claim.adjacency.parts, alignments, strict=True), 1)
    ]
    shown = [one.lines() for one in proofs]
    last = list(conclusion(text, export))
    solvers = [name for name in step.data["by"] if name != READER]
    export.uses("Alignments", "Decisions", "Tables")
    if text.is_noisy:
        export.notes.append(OF_EVERY_NOISE)
    export.lines += ["", "From Coq Require Import Lia Bool String."]
    export.opens(f"{called}_conditions")
    export.lines += text.definitions()
    for one, proof in zip(proofs, shown, strict=True):
        for name, condition in one.used.items():
            tactic = tactic_for(condition.hypotheses, condition.conclusion)
            if tactic is None:
                export.premise(name, said_by(condition), solvers, [smt_of(condition)])
            else:
                export.lines += [f"Lemma {name} :", f"  {said_by(condition)}.", f"Proof. intros. {tactic}. Qed."]
        export.lines += proof
    export.lines += last
    return f"{called}_is_private"


def told_item(alignments: Sequence[Alignment]) -> int | None:
    """Which item of the last release shifts or invariants speak of beforehand."""
    spoken = set[int | None]()
    for one in alignments:
        terms = [*one.invariants.values(), *(s.usual for s in one.shifts.values())]
        if OUTPUT in variables(*terms) or any(s.chosen not in (None, s.usual) for s in one.shifts.values()):
            spoken.add(one.item)
    if len(spoken) > 1:
        raise NotInRocq("parts that foretell different items are not written yet")
    return next(iter(spoken), None)


def smt_of(one: Condition) -> str:
    """What solvers are asked: hypotheses and the opposite of the conclusion, which cannot hold together."""
    return script((*one.hypotheses, negation(one.conclusion)))


def said_by(one: Condition) -> str:
    """What a condition says, for all values of its variables."""
    terms = (*one.hypotheses, one.conclusion)
    called = names_for(terms)
    head = " ".join(f"({called[v]} : {TYPES[v.sort]})" for v in variables(*terms))
    hypotheses = [f"holds {written(h, called)} ->" for h in one.hypotheses]
    return " ".join([*([f"forall {head},"] if head else []), *hypotheses, f"holds {written(one.conclusion, called)}"])


def conclusion(text: ProgramText, export: Export) -> Iterator[str]:
    """The claim, from the conditions and what each part shows."""
    claim = text.judgement
    given, integers, free = judgements.conditions(claim.term, claim.given, NO_NAMES)
    near = judgements.near(export, claim.domain, claim.metric, claim.d_in, integers)
    measure = judgements.measure(export, claim.measure, claim.d_out, integers)
    said = judgements.universal(free, integers, given, f"private {near} ({text.called} {text.applied}) {measure}")
    yield from ("", f"(* {text.program.name} is private, given the conditions that solvers have discharged *)")
    yield f"Theorem {text.called}_is_private :"
    yield f"  {'forall noise : noises, ' if text.is_noisy else ''}{said}."
    yield "Proof."
    yield "  intros. intros the_data the_neighbour near."
    if text.program.data.sort == "Int":
        yield "  destruct near as (whole & whole' & near)."
    if text.is_list:
        related, budget, _ = METRICS[claim.metric]
        yield f"  pose proof ({related} _ _ _ near) as related."
        if budget:
            yield f"  pose proof ({budget} _ _ _ near) as budget."
    else:
        yield "  pose proof (absolute_related _ _ near) as related."
    if claim.measure == "approximate":
        yield "  eapply weaken_approximate; [right; reflexivity | | apply pure_to_approximate]; [lra |]."
    if len(text.claim.adjacency.parts) == 2 and text.is_list:
        yield "  destruct related as [related | related]."
    for index in range(1, (len(text.claim.adjacency.parts) if text.is_list else 1) + 1):
        part = f"eapply {text.called}_{index}_follows; eassumption"
        yield f"  {{ unfold {text.called}. apply aligned_is_pure. {part}. }}"
    yield "Qed."


@dataclass(slots=True)
class PartText:
    """The proof for one part of the adjacency."""

    text: ProgramText
    index: int
    relation: Relation
    alignment: Alignment
    product: Product = field(init=False)
    conditions: dict[tuple[str, str], list[Condition]] = field(init=False)
    """What is to be proved, by pair of steps and kind; of draws and rates by their name."""
    used: dict[str, Condition] = field(default_factory=dict)
    """The conditions that the proof takes, by what they are called."""

    def __post_init__(self) -> None:
        """All conditions are made, as for the solvers."""
        one, steps = self.alignment, self.text.steps
        if one.lists or one.others or one.shown:
            raise NotInRocq("choices from lists, the greatest of others and shown branches are not written yet")
        if self.text.is_list and self.text.judgement.metric not in METRICS:
            raise NotInRocq(f"neighbours by {self.text.judgement.metric} are not written yet")
        if not self.text.is_list and len(self.text.claim.adjacency.parts) > 1:
            raise NotInRocq("one number whose neighbours have parts is not written yet")
        shared = public(self.text.program, self.text.claim, (variable(loop.counter, "Int") for loop in steps.loops))
        self.product = Product(steps, self.relation, one, shared)
        self.conditions = {}
        for found in [*self.product.conditions(), *charged(steps, self.text.claim, one, shared)]:
            match = STEPS.fullmatch(found.name)
            key = (f"{match[1]} {match[2]}", match[3]) if match else ("", found.name)
            self.conditions.setdefault(key, []).append(found)

    @property
    def stem(self) -> str:
        """What the names of this part begin with."""
        return f"{self.text.called}_{self.index}"

    @property
    def groups(self) -> range:
        """The groups of charges."""
        return range(len(self.alignment.groups))

    @property
    def costs(self) -> str:
        """The type of what is charged."""
        return " * ".join("R" for _ in self.groups) or "unit"

    def rate(self, group: int) -> str:
        """The rate of a group."""
        found = self.alignment.groups[group].rate
        if found.operator == "ln":
            raise NotInRocq("rates that are logarithms are not written yet")
        return written(real(self.text.own(found)), self.text.names())

    def bound(self) -> str:
        """What all groups come to at most."""
        own = (written(real(self.text.own(one.bound)), self.text.names()) for one in self.alignment.groups)
        return " + ".join(f"{self.rate(g)} * {bound}" for g, bound in zip(self.groups, own, strict=True)) or "0"

    @property
    def takes(self) -> str:
        """What of a budget an element takes; nothing where there is no budget."""
        return METRICS[self.text.judgement.metric][2] if self.text.is_list else ""

    def spent(self, location: int) -> str:
        """What is spent of the budget at the head of a loop."""
        over_data = location != START and self.text.steps.loops[location - 1].element is not None
        return f"(spent {self.takes} x y (Z.to_nat i))" if self.takes and over_data else "0"

    def known(self, location: int, steps: Sequence[Step]) -> dict[Term, str]:
        """What the variables of conditions are where a step begins, in both runs."""
        text = self.text
        state = [variable(n, s) for n, s in text.state(location)]
        found = {
            **text.names(),
            **text.counters(location),
            **{d.variable: f"draw_{d.site}" for d in text.sites(steps)},
            **{run(v, k): in_run(str(v.value), k) for v in state for k in (1, 2)},
            **{cost: "0" if location == START else f"cost_{g}" for g, cost in enumerate(self.product.costs)},
            SPENT: self.spent(location),
            OUTPUT: "z",
        }
        for data, name in (("x", "data"), ("y", "other")):
            for v, element in text.elements(data, steps).items():
                found[variable(str(v.value).replace("data", name, 1), v.sort)] = element
        for term, stands_for_it in self.product.public.named.items():
            found[stands_for_it] = written(text.own(term), found)
        return found

    def asked(self, kind: str, pair: tuple[int, int] | None = None) -> list[Condition]:
        """The conditions of a kind."""
        return self.conditions.get(("", kind) if pair is None else (f"{pair[0]} {pair[1]}", kind), [])

    def takes_condition(self, one: Condition, known: Mapping[Term, str], called: str) -> str:
        """Tactics that make a hypothesis of what a condition says here."""
        name = next((n for n, other in self.used.items() if smt_of(other) == smt_of(one)), None)
        if name is None:
            name = f"{self.stem}_condition_{len(self.used)}"
            self.used[name] = one
        values = []
        for v in variables(*one.hypotheses, one.conclusion):
            unset = str(v.value).startswith("unset.")
            values.append(known[v] if v in known else written(nothing(v.sort), {}) if unset else _unknown(v))
        instance = f" specialize ({called} {' '.join(values)})." if values else ""
        return f"pose proof {name} as {called}.{instance} discharge {called}."

    def lines(self) -> list[str]:
        """A section in which the second run follows the first."""
        text = self.text
        own: list[str] = []
        own += self.laws()
        own += self.paid()
        for location in range(1, len(text.steps.loops) + 1):
            own += self.invariant(location)
        for kind, location, steps in text.trees():
            own += self.tree(kind, location, steps)
        if text.item is not None:
            own += self.told()
        own += self.assembled()
        head = ["", f"Section {text.called}_part_{self.index}.", f"Context {text.binders} (x y : {text.data})."]
        head += [f"Hypothesis given_{k} : {one}." for k, one in enumerate(self.given())]
        head += self.about_data()
        return [*head, *own, f"End {text.called}_part_{self.index}."]

    def given(self) -> list[str]:
        """The conditions of the claim."""
        rest, integers, _ = judgements.conditions(self.text.judgement.term, self.text.judgement.given, NO_NAMES)
        return [judgements.bracketed(proposition(one, integers)) for one in rest]

    def about_data(self) -> Iterator[str]:
        """That data are related, and on the grid."""
        text = self.text
        ranges = [("0", "1"), ("(-1)", "0")] if len(text.claim.adjacency.parts) == 2 else [("(-1)", "1")]
        low, high = ranges[self.index - 1]
        if not text.is_list:
            yield "Hypothesis related_ : -1 <= y - x <= 1."
            if text.program.data.sort == "Int":
                yield from ("Hypothesis whole : Tables.on_grid 1 x.", "Hypothesis whole' : Tables.on_grid 1 y.")
            return
        yield f"Hypothesis related_ : related (Z.to_nat n) x y {low} {high}."
        if self.takes:
            yield f"Hypothesis budget : on_budget (Z.to_nat n) x y {self.takes}."
        if text.program.data.sort == "Int":
            yield "Hypothesis whole : Tables.vector_on_grid (Z.to_nat n) 1 x."
            yield "Hypothesis whole' : Tables.vector_on_grid (Z.to_nat n) 1 y."

    def draws(self) -> Iterable[Drawn]:
        """Each draw of the program once."""
        return {d.site: d for one in self.text.steps.steps for d in one.path.drawn}.values()

    @property
    def some(self) -> str:
        """That there are data, as a premise."""
        return "(1 <= n)%Z -> " if self.text.is_list else ""

    def laws(self) -> Iterator[str]:
        """That each draw has a law, and what its shifts are charged."""
        known = self.known(START, [])
        for draw in self.draws():
            asked, scale = self.asked(f"draw {draw.site}"), self.text.scale(draw)
            says = [f"0 < {scale}" if draw.family != "bernoulli" else f"0 <= {scale} <= 1"]
            if draw.site in self.alignment.charges and draw.family != "bernoulli":
                group, weight = self.alignment.charges[draw.site]
                says.append(f"{written(rational(weight), {})} * {self.rate(group)} * {scale} = 1")
            if draw.site in self.alignment.charges and draw.family == "bernoulli":
                raise NotInRocq("truth values that are flipped are not written yet")
            for kind, said, one in zip(("law", "rate"), says, asked, strict=False):
                yield f"Lemma {self.stem}_{kind}_{draw.site} : {self.some}{said}."
                yield "Proof."
                yield f"  {'intro some. ' if self.some else ''}{self.takes_condition(one, known, 'c')}"
                yield "  unfold holds in c; known_facts; lra."
                yield "Qed."

    def invariant(self, location: int) -> Iterator[str]:
        """What holds of both runs at the head of a loop."""
        text, own = self.text, self.alignment.invariants[location]
        state = text.state_type(location)
        known = self.known(location, [])
        yield f"Definition {self.stem}_kept_{location} (z i : Z) (g : {self.costs}) (s s' : {state}) : Prop :="
        yield from taken_apart("g", [f"cost_{g}" for g in self.groups])
        yield from taken_apart("s", [in_run(n, 1) for n, _ in text.state(location)])
        yield from taken_apart("s'", [in_run(n, 2) for n, _ in text.state(location)])
        yield f"  holds {written(substitute(own, text.fixed), known)}."

    def paid(self) -> Iterator[str]:
        """What charges come to, and what they come to at most."""
        yield f"Definition {self.stem}_loss (g : {self.costs}) : R :="
        yield from taken_apart("g", [f"cost_{g}" for g in self.groups])
        yield f"  {' + '.join(f'{self.rate(g)} * cost_{g}' for g in self.groups) or '0'}."
        yield f"Definition {self.stem}_bound : R := {self.bound()}."

    @property
    def unfolded(self) -> str:
        """Tactics that show what these two are."""
        return f"unfold {self.stem}_loss, {self.stem}_bound; cbv beta iota zeta"

    @property
    def only(self) -> str:
        """Which runs are looked at: those that tell z, where that is foretold."""
        return "(fun _ : Z => True)" if self.text.item is None else "(fun k : Z => k = z)"

    def following(self, location: int) -> str:
        """What holds where a step leads on from a location."""
        if location >= len(self.text.steps.loops):
            return f"(fun (_ : {self.costs}) (_ _ : Empty_set) => True)"
        return f"({self.stem}_kept_{location + 1} z 0)"

    def tree(self, kind: str, location: int, steps: Sequence[Step]) -> Iterator[str]:
        """That each pair of ways from a location is followed."""
        text, seen = self.text, labels(steps)
        name, some = f"{self.stem}_{kind}_follows", self.some
        back = f"(fun (_ : {self.costs}) (_ _ : Empty_set) => False)"
        if location == START:
            yield f"Lemma {name} (z : Z) : {some}"
            g, at, intros = bundled(["0" for _ in self.groups]), ("", ""), []
        else:
            limit, state = text.limit(location), text.state_type(location)
            g, at, intros = "g", (" i s", " i s'"), ["inside", "kept"]
            inside = f"(0 <= i < {limit})%Z"
            if kind.startswith("turn"):
                back = f"({self.stem}_kept_{location} z (i + 1))"
            else:
                inside, intros = f"(0 <= i)%Z -> ~ (i < {limit})%Z", ["inside", "outside", "kept"]
            yield f"Lemma {name} (z i : Z) (g : {self.costs}) (s s' : {state}) : {some}{inside} ->"
            yield f"  {self.stem}_kept_{location} z i g s s' ->"
        where = [f"({text.called}_{kind} {text.applied} {data}{one})" for data, one in zip("xy", at, strict=True)]
        yield f"  steps_follow {len(seen)} {self.only} {self.stem}_loss {self.stem}_bound"
        yield f"    {back} {self.following(location)} {g}"
        yield f"    {' '.join(where)}."
        yield "Proof."
        if some or intros:
            yield f"  intros {' '.join([*(['some'] if some else []), *intros])}."
        if location != START:
            for bundle, names in (
                ("g", [f"cost_{g}" for g in self.groups]),
                ("s", [in_run(n, 1) for n, _ in text.state(location)]),
                ("s'", [in_run(n, 2) for n, _ in text.state(location)]),
            ):
                yield from destructed(bundle, names)
            yield f"  unfold {self.stem}_kept_{location} in kept; cbv beta iota zeta in kept."
        yield f"  unfold {text.called}_{kind}; cbv beta iota zeta."
        yield from self.facts(location, steps)
        yield "  split; [all_seen |]."
        yield "  intros o small."
        cases = " \\/ ".join(f"o = {k}%nat" for k in range(len(seen)))
        yield f"  assert (cases : {cases}) by lia; clear small."
        yield f"  destruct cases as {nested(['->' for _ in seen])}." if len(seen) > 1 else "  subst o."
        for k, one in enumerate(seen):
            yield "  {"
            yield from (f"    {line}" for line in self.label(location, steps, side_of(steps), k, one, {}))
            yield "  }"
        yield "Qed."

    def facts(self, location: int, steps: Sequence[Step]) -> Iterator[str]:
        """What is known of the elements that are read, and of exponentials."""
        text, known = self.text, self.known(location, steps)
        is_whole = text.program.data.sort == "Int"
        for k, (index, _) in enumerate(dict.fromkeys(found for one in steps for found in one.path.looked)):
            if not text.is_list:
                yield f"  pose proof related_ as near_{k}."
                if is_whole:
                    yield from (f"  {line}" for line in self.whole(k, "x", "y", "whole", "whole'"))
                continue
            place = text.place(index, location)
            if is_number(index):
                yield f"  assert (below_{k} : ({index.rational} < n)%Z) by numbers_."
            yield f"  assert (place_{k} : ({place} < Z.to_nat n)%nat) by lia."
            yield f"  pose proof (related_ {place} place_{k}) as near_{k}."
            if self.takes and not is_number(index):
                yield f"  pose proof (budget (Datatypes.S {place}) place_{k}) as budget_{k}."
                yield f"  rewrite spent_next, {self.takes}_at in budget_{k}."
            if is_whole:
                old, new = (f"({data} {place})" for data in "xy")
                yield from (
                    f"  {line}"
                    for line in self.whole(k, old, new, f"(whole {place} place_{k})", f"(whole' {place} place_{k})")
                )
        constant = [int(index.rational) for one in steps for index, _ in one.path.looked if is_number(index)]
        if self.takes and constant and location == START:
            yield f"  pose proof (budget {max(constant) + 1}%nat ltac:(lia)) as budget_all."
            yield "  unfold spent in budget_all; cbn [Tables.total] in budget_all."
            yield f"  rewrite ?{self.takes}_at in budget_all."
        exponentials = [term for term in self.product.public.named if term.operator == "exp"]
        for k, term in enumerate(exponentials):
            argument = written(text.own(term.arguments[0]), known)
            yield f"  pose proof (exp_pos {argument}) as exp_{k}. pose proof (exp_ineq1_le {argument}) as above_{k}."

    @staticmethod
    def whole(k: int, old: str, new: str, whole: str, other: str) -> Iterator[str]:
        """That elements are whole numbers."""
        for name, element, known in (("is", old, whole), ("other", new, other)):
            yield f"assert ({name}_{k} : {element} = IZR (floored {element})) by (whole_element {known})."

    def shift(self, draw: Drawn, steps: Sequence[Step]) -> Term:
        """The shift of a draw where a step is seen in one way; refused where it is drawn on some ways alone."""
        drawing = [one for one in steps if draw.site in {d.site for d in one.path.drawn}]
        if not drawing:
            return ZERO
        found = self.product.shift(draw, drawing[0])
        if not is_nothing(found) and len(drawing) < len(steps):
            raise NotInRocq("a shift of what is drawn on some ways alone is not written yet")
        return found

    def label(
        self,
        location: int,
        everything: Sequence[Step],
        side: Side,
        k: int,
        seen: Observation,
        decided: Mapping[str, bool],
    ) -> Iterator[str]:
        """The steps that are seen in one way."""
        steps, left = side
        if left[0] and self.text.is_public(left[0][0]):
            atom, *sides = parted(steps, left)
            text = written(self.text.own(atom), self.first_names(location, steps))
            yield f"match goal with |- couples _ _ (if ?b then _ else _) _ => destruct b eqn:public_{len(decided)} end."
            for way, rest in zip((True, False), sides, strict=True):
                known_now = {**decided, text: way}
                yield "{"
                yield from (f"  {line}" for line in self.label(location, everything, rest, k, seen, known_now))
                yield "}"
            return
        own = [one for one in steps if observation(one, NONE) == seen]
        known = self.known(location, steps)
        second = {**known}
        for draw in self.text.sites(steps):
            shift, site = self.shift(draw, own), draw.site
            ties = self.ties(draw, own, steps)
            positive = f"({self.stem}_law_{site}{' some' if self.some else ''})"
            if is_nothing(shift):
                lemma = {
                    "laplace": f"laplace_stays noise _ {ties} {positive}",
                    "exponential": f"exponential_stays noise _ {ties} {positive}",
                    "gaussian": f"gaussian_stays_there noise _ {ties} {positive}",
                    "discrete_laplace": "discrete_laplace_stays _",
                    "bernoulli": "bernoulli_stays _",
                }[draw.family]
            else:
                moved = written(shift, known)
                lemma = {
                    "laplace": f"laplace_moves noise _ {moved} {ties} {positive}",
                    "exponential": f"exponential_moves noise _ {moved} {ties} {positive}",
                    "discrete_laplace": f"discrete_laplace_moves _ {moved} {positive}",
                }[draw.family]
                scope = "%Z" if draw.family == "discrete_laplace" else ""
                second[draw.variable] = f"(draw_{site} + {moved}){scope}"
            yield f"refine (couples_draw _ _ _ _ _ _ _ _ _ _ ({lemma}) _); intros draw_{site} possible_{site};"
            yield f"  cbv beta in possible_{site} |- *."
            if draw.family == "exponential":
                yield f"destruct possible_{site} as [positive_{site} possible_{site}]."
        names = self.second_names(location, steps, second)
        yield from self.first(location, everything, side, tree_of(steps, left), k, known, names, decided)

    def second_names(self, location: int, steps: Sequence[Step], moved: Mapping[Term, str]) -> dict[Term, str]:
        """What a step's own variables are in the second run."""
        state = {variable(n, s): in_run(n, 2) for n, s in self.text.state(location)}
        draws = {d.variable: moved[d.variable] for d in self.text.sites(steps)}
        return {**self.text.variables_of(location, steps, "y"), **draws, **state}

    def first_names(self, location: int, steps: Sequence[Step]) -> dict[Term, str]:
        """What a step's own variables are in the first run."""
        state = {variable(n, s): in_run(n, 1) for n, s in self.text.state(location)}
        return {**self.text.variables_of(location, steps, "x"), **state}

    def ties(self, draw: Drawn, own: Sequence[Step], steps: Sequence[Step]) -> str:
        """The values of a draw at which a comparison of the first run is a tie."""
        if draw.family not in REAL_FAMILIES:
            return ""
        found: dict[str, None] = {}
        order = [d.variable for d in self.text.sites(steps)]
        first = self.first_names(steps[0].source, steps)
        for part in dict.fromkeys(p for one in own for c in one.path.condition for p in parts(c)):
            if part.operator not in ("<", "<="):
                continue
            apart = self.text.own(subtract(*part.arguments))
            spoken = [v for v in order if v in variables(apart)]
            if spoken and spoken[-1] is draw.variable and is_slanted(apart, draw.variable):
                slope = dict(polynomial(apart).coefficients)[frozenset({(draw.variable, 1)})]
                rest = substitute(apart, {draw.variable: rational(0)})
                found[written(multiply(rational(-1 / slope), rest), first)] = None
        return f"[{'; '.join(found)}]"

    def first(
        self,
        location: int,
        everything: Sequence[Step],
        side: Side,
        tree: Tree,
        k: int,
        known: Mapping[Term, str],
        second: Mapping[Term, str],
        decided: Mapping[str, bool],
    ) -> Iterator[str]:
        """The ways of the first run."""
        if isinstance(tree, Step):
            if labels(everything).index(observation(tree, NONE)) != k:
                yield "apply couples_none. intros [_ other]. cbn [seen] in other. discriminate other."
                return
            yield from self.second(location, side, tree_of(*side), tree, known, second, decided)
            return
        condition, yes, no = tree
        text = written(self.text.own(condition), self.first_names(location, side[0]))
        yield f"match goal with |- couples _ _ (if ?b then _ else _) _ => destruct b eqn:first_{len(decided)} end."
        for way, rest in ((True, yes), (False, no)):
            found = self.first(location, everything, side, rest, k, known, second, {**decided, text: way})
            yield "{"
            if not way and speaks_of_truths(condition):
                yield f"  {denied('first', len(decided))}"
            yield from (f"  {line}" for line in found)
            yield "}"

    def second(
        self,
        location: int,
        side: Side,
        tree: Tree,
        a: Step,
        known: Mapping[Term, str],
        names: Mapping[Term, str],
        decided: Mapping[str, bool],
    ) -> Iterator[str]:
        """The ways of the second run, where the first has taken one."""
        if isinstance(tree, Step):
            yield from self.pair(location, side[0], a, tree, known, names)
            return
        condition, yes, no = tree
        text = written(self.text.own(condition), names)
        if text in decided:
            yield from self.second(location, side, yes if decided[text] else no, a, known, names, decided)
            return
        yield f"match goal with |- couples _ _ _ (if ?b then _ else _) => destruct b eqn:second_{len(decided)} end."
        for way, rest in ((True, yes), (False, no)):
            found = self.second(location, side, rest, a, known, names, {**decided, text: way})
            yield "{"
            if not way and speaks_of_truths(condition):
                yield f"  {denied('second', len(decided))}"
            yield from (f"  {line}" for line in found)
            yield "}"

    def pair(
        self,
        location: int,
        steps: Sequence[Step],
        a: Step,
        b: Step,
        known: Mapping[Term, str],
        names: Mapping[Term, str],
    ) -> Iterator[str]:
        """One way of the first run and one of the second."""
        everything = self.text.steps.steps
        if a.target == END and self.text.item is None and self.alignment.item is not None:
            # Nothing speaks of what is told but that it is: any number may be put for it.
            told = replace(self.text, item=self.alignment.item).told(a, self.first_names(location, steps))
            known = {**known, OUTPUT: told}
        pair = everything.index(a), everything.index(b)
        yield "apply couples_done. intros [told_here _]. unfold relevant in told_here; cbn [leads] in told_here."
        if not alike(a, b, NONE):
            (one,) = self.asked("not seen alike", pair)
            yield f"exfalso. {self.takes_condition(one, known, 'c')} discriminate c."
            return
        first, second = self.product.renaming(a, a, 1), self.product.renaming(b, a, 2)
        _, spent = self.product.neighbours.related(a, b)
        after = self.product.after(a, b, first, second, spent)
        mine = self.first_names(location, steps)
        for k, (one, x, y) in enumerate(zip(self.asked("released", pair), flat(a), flat(b), strict=True)):
            yield self.takes_condition(one, known, f"released_{k}")
            left, right = written(self.text.own(x), mine), written(self.text.own(y), names)
            scope = {"Int": "Z", "Real": "R", "Bool": "bool"}[x.sort]
            yield f"assert (same_{k} : {left} = {right} :> {scope}) by same_item."
        for k, (draw, one) in enumerate(zip(a.path.drawn, self.asked("a possible draw", pair), strict=True)):
            if draw.family == "exponential":
                yield self.takes_condition(one, known, f"possible_again_{k}")
        goes = a.target != END
        if goes:
            (one,) = self.asked("invariant", pair)
            yield self.takes_condition(one, known, "kept_again")
        for g, one in enumerate(self.asked("charges", pair)):
            yield self.takes_condition(one, known, f"within_{g}")
        yield from self.charges(a, known)
        sites = self.text.sites(steps)
        for _ in sites:
            yield "split; [first [exact I | unfold holds in *; known_facts; lra] |]."
        yield "split; [reflexivity |]."
        yield "unfold step_follows; cbn [released leads]."
        yield "split; [" + "".join(f"rewrite ?same_{k}; " for k in range(len(flat(a)))) + "reflexivity |]."
        totals = [written(substitute(after[cost], self.text.fixed), known) for cost in self.product.costs]
        if goes:
            yield f"exists {bundled(totals)}. split."
            yield "{"
            yield from (f"  {line}" for line in self.kept(a, location, after, known))
            yield "}"
            yield (
                f"{{ {self.unfolded}. " + "".join(f"rewrite ?paid_{d.site}. " for d in sites) + "apply Req_le; ring. }"
            )
        else:
            yield (
                "split; ["
                + "".join(f"rewrite ?same_{k}; " for k in range(len(flat(a))))
                + "first [reflexivity | lia] |]."
            )
            for g in self.groups:
                (rate,) = (self.asked("a rate")[g],)
                yield self.takes_condition(rate, self.known(START, []), f"rate_{g}")
                most = written(real(self.text.own(self.alignment.groups[g].bound)), known)
                yield f"assert (paid_for_{g} : {self.rate(g)} * {totals[g]} <= {self.rate(g)} * {most})"
                yield f"  by (apply Rmult_le_compat_l; unfold holds in rate_{g}, within_{g}; known_facts; lra)."
            yield f"{self.unfolded}. " + "".join(f"rewrite ?paid_{d.site}. " for d in sites) + "lra."

    def kept(self, a: Step, location: int, after: Mapping[Term, Term], known: Mapping[Term, str]) -> Iterator[str]:
        """That the invariant holds where the step leads to, part by part of what was proved of it."""
        if a.target > len(self.text.steps.loops):
            yield "exact I."
            return
        yield f"unfold {self.stem}_kept_{a.target}; cbv beta iota zeta."
        if self.takes:
            if a.target == location:
                yield "rewrite ?next_place by lia. rewrite ?spent_next."
            yield f"rewrite ?{self.takes}_at. try change (spent {self.takes} x y (Z.to_nat 0)) with 0."
        yield "unfold holds in *. all_parts kept_again."
        own = substitute(self.alignment.invariants[a.target], self.text.fixed)
        *rest, last = own.arguments if own.operator == "all_of" else (own,)
        for one in rest:
            yield f"apply andb_true_iff; split; [{self.part(one, after, known)} |]."
        yield f"{self.part(last, after, known)}."

    @staticmethod
    def part(one: Term, after: Mapping[Term, Term], known: Mapping[Term, str]) -> str:
        """The tactic that proves one part of an invariant, which the condition may say in fewer words."""
        said = substitute(one, after)
        return "solve [premise]" if said.operator == "truth" else f"said_as {written(said, known)}"

    def charges(self, a: Step, known: Mapping[Term, str]) -> Iterator[str]:
        """What each shift of the step costs."""
        for draw in a.path.drawn:
            followed = self.product.followed(draw, a)
            if followed.charge is None or is_nothing(self.product.shift(draw, a)):
                continue
            group, charge = followed.charge
            shift = written(self.product.shift(draw, a), known)
            moved = f"IZR {shift}" if draw.family == "discrete_laplace" else shift
            cost = f"{shift} / " if draw.family == "exponential" else f"Rabs ({moved}) / "
            lemma = "charged_as_it_is" if draw.family == "exponential" else "charged_is"
            some = " some" if self.some else ""
            charged_with = written(substitute(charge, self.text.fixed), known)
            yield f"assert (paid_{draw.site} : {cost}{self.text.scale(draw)} = {self.rate(group)} * {charged_with})"
            yield f"  by (apply ({lemma} _ _ _ _ _ ({self.stem}_rate_{draw.site}{some})); size_is)."

    def assembled(self) -> Iterator[str]:
        """That whole runs are followed, for data of every length."""
        text = self.text
        given = judgements.conditions(text.judgement.term, text.judgement.given, NO_NAMES)
        epsilon = real_of(text.judgement.d_out[0], given[1])
        claims, known, some = self.asked("the claim"), self.known(START, []), " some" if self.some else ""
        runs = " ".join(f"({text.called}_run {text.applied} {data})" for data in "xy")
        seen = {kind: len(labels(steps)) for kind, _, steps in text.trees()}
        zero, loss, bound = bundled(["0" for _ in self.groups]), f"{self.stem}_loss", f"{self.stem}_bound"
        yield f"Lemma {self.stem}_some_follow (z : Z) : {self.some}"
        yield f"  follows {self.only} {bound} {runs}."
        yield "Proof."
        if self.some:
            yield "  intro some."
        yield f"  unfold {text.called}_run."
        yield f"  replace {bound} with ({bound} - {loss} {zero}) by ({self.unfolded}; ring)."
        yield f"  refine (straight_follows {self.only} _ {loss} {bound} {seen['start']} {self.following(0)} {zero}"
        yield f"    _ _ _ _ ({self.stem}_start_follows z{some}) _)."
        yield from (f"  {line}" for line in self.looped(1, seen))
        yield "Qed."
        yield f"Lemma {self.stem}_follows : follows (fun _ => True) ({epsilon}) {runs}."
        yield "Proof."
        if self.some:
            yield "  destruct (Z_le_dec 1 n) as [some | none]."
        yield "  {"
        yield f"    {self.takes_condition(claims[-1], known, 'c')}"
        yield f"    apply follows_weaker with {bound}; [{self.unfolded}; unfold holds in c; known_facts; casts; lra |]."
        if text.item is None:
            yield f"    exact ({self.stem}_some_follow 0{some})."
        else:
            yield f"    apply (follows_by_what_is_foretold (-1) n); [exact ({self.stem}_tells{some}) |]."
            yield f"    intros z inside. exact ({self.stem}_some_follow z{some})."
        yield "  }"
        if self.some:
            yield "  {"
            yield "    assert (empty : n = 0%Z) by (apply Z.le_antisymm; [lia | apply le_IZR; lra])."
            yield f"    {self.takes_condition(claims[0], known, 'c')}"
            steps_alone = ", ".join(f"{text.called}_{kind}" for kind, _, _ in text.trees() if "turn" not in kind)
            yield f"    subst n. unfold {text.called}_run. rewrite ?loop_of_none. unfold {steps_alone}."
            yield "    apply follows_itself. unfold holds in c; known_facts; casts; lra."
            yield "  }"
        yield "Qed."

    def told(self) -> Iterator[str]:
        """That what runs tell at their end is from -1 to the number of data."""
        text, name = self.text, f"{self.stem}_tells"
        if not text.is_list:
            raise NotInRocq("what is foretold of one number is not written yet")
        wanted = self.whole_numbers()
        self.tells_what_is_small(wanted)
        for location in range(1, len(text.steps.loops) + 1):
            names = [in_run(n, 0) for n, _ in text.state(location)]
            within = [f"(-1 <= {in_run(n, 0)} <= n)%Z" for n, _ in text.state(location) if n in wanted]
            yield f"Definition {self.stem}_range_{location} (s : {text.state_type(location)}) : Prop :="
            yield from taken_apart("s", names)
            joined = " /\\ ".join(within)
            yield f"  {joined or 'True'}."
        every = [f"{self.stem}_range_{k}" for k in range(1, len(text.steps.loops) + 1)] + [
            "(fun _ : Empty_set => True)"
        ]
        shown = f"unfold {', '.join(every[:-1])} in *; " if every[:-1] else ""
        each = f"all_told; {shown}cbv beta iota zeta in *; repeat split; lia"
        yield f"Lemma {name} : (1 <= n)%Z -> tells (-1) n ({text.called}_run {text.applied} x)."
        yield "Proof."
        yield f"  intro some. unfold {text.called}_run."
        yield f"  apply (tells_straight _ _ {every[0]}); [unfold {text.called}_start; {each} |]."
        for location in range(1, len(text.steps.loops) + 1):
            state = [in_run(n, 0) for n, _ in text.state(location)]
            kept = f"kept_{location}"
            yield f"  intros the_state_{location} {kept}."
            yield f"  refine (tells_loop _ _ _ (fun _ => {every[location - 1]}) {every[location]}"
            yield f"    _ _ _ _ _ _ _ _ {kept})."
            for kind in ("turn", "past"):
                yield f"  {{ intros i s inside kept. unfold {text.called}_{kind}_{location}."
                yield from (f"  {line}" for line in destructed("s", state))
                yield f"    cbv beta iota zeta. {each}. }}"
        yield "  intro t. destruct t."
        yield "Qed."

    def tells_what_is_small(self, wanted: Container[str]) -> None:
        """Refused where what is told is not seen to lie between -1 and the number of data, if there are any."""
        item, loops = self.text.item, self.text.steps.loops
        for one in self.text.steps.steps:
            told = items_of(one.path)[item : item + 1] if one.target == END and item is not None else ()
            counted = loops[one.target - 1].counter if one.target != END else ""
            made = [t for t in told if isinstance(t, Term) and t.sort == "Int"]
            made += [value for n, value in one.updates.items() if n in wanted and n != counted]
            here = loops[one.source - 1] if one.source != START else None
            for term in map(self.text.own, made):
                is_small = is_number(term) and -1 <= term.rational <= 1
                if here is not None and term.operator == "name" and term.value == here.counter:
                    is_small = here.limit is LENGTH
                elif term.operator == "name":
                    is_small = str(term.value) in wanted
                if not is_small:
                    raise NotInRocq(f"what is foretold, {term}, is not seen to be at most the number of data")

    def whole_numbers(self) -> set[str]:
        """The variables that what is told is made of."""
        item, found = self.text.item, set[str]()
        for one in self.text.steps.steps:
            told = items_of(one.path)[item : item + 1] if one.target == END and item is not None else ()
            found |= {str(v.value) for t in told if isinstance(t, Term) for v in variables(t) if v.sort == "Int"}
        while True:
            more = {
                str(v.value)
                for one in self.text.steps.steps
                for n, value in one.updates.items()
                if n in found
                for v in variables(value)
                if v.sort == "Int"
            }
            if more <= found:
                return found
            found |= more

    def looped(self, location: int, seen: Mapping[str, int]) -> Iterator[str]:
        """What follows from the head of a loop on."""
        if location > len(self.text.steps.loops):
            yield "intros g t. destruct t."
            return
        some, follows = " some" if self.some else "", f"{location}_follows z i g' s s'"
        kept = f"(fun i g s s' => {self.stem}_kept_{location} z i g s s')"
        counts = f"{seen[f'turn_{location}']} {seen[f'past_{location}']} {self.text.limit(location)}"
        yield "intros g t t' kept."
        yield f"refine (loop_follows {self.only} _ {self.stem}_loss {self.stem}_bound {counts} {kept}"
        yield f"  {self.following(location)} _ _ _ _ _ _ _ _ _ _ _ _ g t t' kept)."
        yield "{ reflexivity. }"
        yield f"{{ intros i g' s s' inside kept' _. exact ({self.stem}_turn_{follows}{some} inside kept'). }}"
        yield "{ intros i g' s s' inside kept' outside."
        yield f"  apply ({self.stem}_past_{follows}{some} inside); [| exact kept']."
        yield "  intro limit. specialize (outside limit). discriminate outside. }"
        yield "{ clear g t t' kept."
        yield from (f"  {line}" for line in self.looped(location + 1, seen))
        yield "}"


def speaks_of_truths(condition: Term) -> bool:
    """Whether two truth values are compared in it, which the library's tactics take apart where it does not hold."""
    return any(part.operator == "==" and part.arguments[0].sort == "Bool" for part in parts(condition))


def denied(which: str, count: int) -> str:
    """A tactic that says of a decision that went the other way what a condition says of it."""
    return f"pose proof (proj2 (negb_true_iff _) {which}_{count}) as {which}_not_{count}."


def _unknown(one: Term) -> str:
    """A variable that has no value here."""
    raise NotInRocq(f"{one} is not written yet")


def destructed(bundle: str, names: Sequence[str]) -> Iterator[str]:
    """Tactics that take a bundle apart."""
    if len(names) == 1:
        yield f"  rename {bundle} into {names[0]}."
    elif names:
        pattern = names[0]
        for one in names[1:]:
            pattern = f"[{pattern} {one}]"
        yield f"  destruct {bundle} as {pattern}."
    else:
        yield f"  destruct {bundle}."


def nested(patterns: Sequence[str]) -> str:
    """A pattern of one case after the other."""
    found = patterns[-1]
    for one in reversed(patterns[:-1]):
        found = f"[{one} | {found}]"
    return found


WRITERS: Writers = {"program_is_private": program_is_private}
