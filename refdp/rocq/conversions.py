"""Steps that hold for every mechanism, for Rocq: what the library proves of all of them is applied to the premises.

A step puts its premises' theorems at the values of its own claim, discharges their conditions, and applies the theorem
of its rule; what that says is the claim but for numbers that are the same, or no greater.  Subjects that are made of
other subjects are written down here, and so are claims about every sequence of mechanisms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from refdp.kernel.judgements import Judgement, Private, Stable
from refdp.kernel.rules.settle import simplified
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import exact_number
from refdp.rocq import columns, finite, judgements, stability
from refdp.rocq.terms import ATOM, NotInRocq, count, name_of, proposition, real, whole, whole_part
from refdp.rocq.writing import Export, Writer, Writers
from refdp.spec import registry
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.densities import StatedDensity
from refdp.spec.domains import is_domain
from refdp.spec.level_noise import LevelNoise
from refdp.spec.noise import AdditiveNoise
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.well_formed import require_loss
from refdp.terms.reading import read
from refdp.terms.term import PREVIOUS, Term, name, names, number, substitute, subterms

CLAIMS = "ConversionClaims"
"""The part of the library that these steps are proved with."""
SEQUENCES = ("rounds", "filtered", "mapped_rounds")
"""The subjects that stand for every sequence of mechanisms of their kind."""
LOSSES = {
    "pure": ("(fun e => @pure e)", "Rplus", "(fun b => 0 <= b)"),
    "approximate": ("Rounds.approximately", "Rounds.added", "(fun b => 0 <= fst b /\\ 0 <= snd b)"),
    "concentrated": ("(fun rho => @Renyi.concentrated rho)", "Rplus", "(fun b => 0 <= b)"),
    "renyi": ("(@Renyi.renyi {order})", "Rplus", "(fun b => 0 <= b)"),
}
"""Measure -> what the library calls it as a function of a loss, how losses add up, and what a budget is."""
OF_EDITS = {
    ("table", "symmetric"): "group",
    ("table", "change_one"): "group_change_one",
    ("sized_table", "change_one"): "group_sized",
}
"""Domain and metric -> how the library's theorems about more edits begin."""


ANY_ROWS = "(@StabilityClaims.any _)"
"""What a map of rows may make of them: nothing is asked of it, which is more than that they are rows of a domain."""
MOST_RUNS = 8
"""Most runs for which the least delta is computed."""


# Subjects


def _chain(export: Export, t: Term, integers: frozenset[str]) -> str:
    """A mechanism or a transformation of what a transformation makes of the input."""
    first, second = (judgements.subject(export, one, integers) for one in t.arguments)
    return f"fun the_input => {second} ({first} the_input)"


def _compose(export: Export, t: Term, integers: frozenset[str]) -> str:
    """Independent mechanisms, as the finite ones are written where that can be."""
    if _is_pairs(export, t, integers):
        return finite.SUBJECTS["compose"](export, t, integers)
    _require_plain(t)
    export.uses(CLAIMS)
    written = f"{CLAIMS}.nothing"
    for one in reversed(t.arguments):
        written = f"({CLAIMS}.alongside {judgements.subject(export, one, integers)} {written})"
    return written[1:-1]


def _repeated(export: Export, t: Term, integers: frozenset[str]) -> str:
    """So many independent runs, likewise."""
    if _is_pairs(export, t, integers):
        return finite.SUBJECTS["repeated"](export, t, integers)
    _require_plain(t)
    export.uses(CLAIMS)
    return f"{CLAIMS}.repeated {judgements.subject(export, t.arguments[0], integers)} {count(t.arguments[1], integers)}"


def _is_pairs(export: Export, t: Term, integers: frozenset[str]) -> bool:
    """Whether independent mechanisms are written as finite ones are: as pairs, the last of which is a single one."""
    try:
        finite.SUBJECTS[t.operator](export, t, integers)
    except NotInRocq:
        return False
    return True


def _sampled(export: Export, t: Term, integers: frozenset[str]) -> str:
    """A mechanism on a random sample of the rows."""
    export.uses(CLAIMS, "Sampling")
    one = judgements.subject(export, t.arguments[1], integers)
    if t.operator == "poisson_sampled":
        return f"{CLAIMS}.on_poisson_sample {real(t.arguments[0], integers, ATOM)} {one}"
    return f"Sampling.on_fixed_size_sample {count(t.arguments[0], integers)} {one}"


def _public_coordinate(export: Export, t: Term, integers: frozenset[str]) -> str:
    """One coordinate, chosen whatever the input is, and the mechanism of it."""
    export.uses("Sampling")
    one, size = judgements.subject(export, t.arguments[0], integers), whole(t.arguments[1], integers)
    return f"Sampling.on_public_coordinate (Z.to_nat {size}) {one}"


def _adaptive(export: Export, t: Term, integers: frozenset[str]) -> str:
    """A mechanism, and then one that reads its outcome: both are told."""
    _require_plain(t)
    first, second = (judgements.subject(export, one, integers - {PREVIOUS}) for one in t.arguments)
    return f"fun the_input => both ({first} the_input) (plain_kernel (fun {PREVIOUS} : R => {second} the_input))"


SUBJECTS: Mapping[str, Callable[[Export, Term, frozenset[str]], str]] = {
    "chain": _chain,
    "compose": _compose,
    "repeated": _repeated,
    "poisson_sampled": _sampled,
    "fixed_size_sampled": _sampled,
    "public_coordinate": _public_coordinate,
    "adaptive": _adaptive,
}
"""Subjects that are made of others."""


def _any_vectors(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
    """Any two vectors of what a coordinate may be."""
    if distance != number(1):
        raise NotInRocq("vectors that are less than 1 apart have no word in the library yet")
    export.uses("Sampling", "Tables")
    one = finite.NEAR[inputs.arguments[0].operator, "discrete"](export, inputs.arguments[0], distance, integers)
    domain = one.removeprefix("Tables.restricted ").removesuffix(f" (Tables.discrete {real(distance, integers, ATOM)})")
    size = f"{count(inputs.arguments[1], integers)}"
    return f"Tables.restricted (Sampling.vector_of {domain} {size}) (Tables.discrete {real(distance, integers, ATOM)})"


NEAR: Mapping[tuple[str, str], Callable[[Export, Term, Term, frozenset[str]], str]] = {
    ("vector", "discrete"): _any_vectors,
}
"""Operators of a domain and a metric -> what writes the relation of inputs that a rule of these is about."""


def _require_plain(t: Term) -> None:
    """Return if every law can be integrated beside the outcomes; NotInRocq where they lie on the line."""
    for s in subterms(t):
        if s.operator in registry.stems():
            kind = registry.kind_of(s.operator)
            on_line = isinstance(kind, BoundNoise | StatedDensity | LevelNoise | PerturbedObjective)
            if on_line or (isinstance(kind, AdditiveNoise) and not kind.on_grid):
                raise NotInRocq("independent draws of real numbers have no joint law in the library")


# Claims


def said(export: Export, claim: Judgement) -> str:
    """The proposition about every sequence of mechanisms of a kind; nothing for claims about others."""
    if not (isinstance(claim, Private) and claim.subject.operator in SEQUENCES):
        return ""
    given, integers, free = judgements.conditions(claim.term, claim.given)
    near = judgements.near(export, claim.domain, claim.metric, claim.d_in, integers)
    measure = judgements.measure(export, claim.measure, claim.d_out, integers)
    export.uses("Rounds")
    if claim.measure not in LOSSES:
        raise NotInRocq(f"sequences of mechanisms under {claim.measure} have no word in the library")
    match claim.subject.operator:
        case "rounds":
            kind, _, _ = _kind_of_loss(export, claim, integers)
            losses = "; ".join(_amount(one, integers) for one in claim.subject.arguments)
            every = f"Rounds.round_by_round {near} {kind} [{losses}] told M"
        case "filtered":
            kind, plus, budget = _kind_of_loss(export, claim, integers)
            most = _amount(claim.subject.arguments[0], integers)
            every = f"Rounds.on_budget {near} {kind} {plus} {budget} {most} told M"
        case _:
            m, k = claim.subject.arguments
            rows = stability.inside(export, claim.domain.arguments[0], integers)
            run = judgements.subject(export, m, integers)
            every = f"Rounds.mapped_by_rows {rows} {ANY_ROWS} {run} {count(k, integers)} told M"
    body = f"forall told M, {every} -> private {near} M {measure}"
    return judgements.universal(free, integers, given, body)


def _kind_of_loss(export: Export, claim: Private, integers: frozenset[str]) -> tuple[str, str, str]:
    """The measure of a sequence as a function of a loss, how losses add up, and what a budget is."""
    loss = claim.subject.arguments[0]
    for one in claim.subject.arguments:
        if one.operator != loss.operator or one.operator not in LOSSES:
            raise NotInRocq(f"rounds of which one is within {one} and one within {loss} have no word in the library")
        if one.operator == "renyi" and one.arguments[0] != loss.arguments[0]:
            raise NotInRocq("rounds at different orders have no word in the library")
    kind, plus, budget = LOSSES[loss.operator]
    if loss.operator in ("concentrated", "renyi"):
        export.uses("Renyi")
    require_loss(loss)
    return kind.format(order=real(loss.arguments[0], integers, ATOM)), plus, budget


def _amount(loss: Term, integers: frozenset[str]) -> str:
    """An amount of loss: a number, or two."""
    numbers = [real(t, integers) for t in (loss.arguments[1:] if loss.operator == "renyi" else loss.arguments)]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"


# Steps


class _Step:
    """A step that is being written: its claim, and what stands for the names of its premises."""

    def __init__(self, export: Export, step: Theorem, premises: Sequence[str]) -> None:
        self.export, self.step, self.premises = export, step, premises
        claim = step.claim
        if not isinstance(claim, Private | Stable):
            raise NotInRocq(f"{claim.term.operator} has no counterpart in the library")
        self.claim = claim
        self.given, self.integers, self.free = judgements.conditions(claim.term, claim.given)
        self.statement = judgements.said(export, claim)
        self.is_sequence = isinstance(claim, Private) and claim.subject.operator in SEQUENCES
        export.uses(CLAIMS)

    def number(self, t: Term) -> str:
        """A number of the claim, in brackets where it needs them."""
        return real(t, self.integers, ATOM)

    def opening(self) -> Iterator[str]:
        """Everything that the claim is about, by name, and its conditions."""
        yield " ".join(("intros", *map(name_of, self.free))) + "."
        yield from ("intro." for _ in self.given)
        if self.is_sequence:
            yield "intros told M sequence."

    def premise(self, index: int, values: Mapping[str, Term] | None = None) -> str:
        """A premise at the values, or at the names of the claim."""
        m = self.relation(index)
        _, wanted, free = judgements.conditions(m.term, m.given)
        chosen = [(values or {}).get(v, name(v)) for v in free]
        at = [self.value(t, v in wanted) for v, t in zip(free, chosen, strict=True)]
        return " ".join((self.premises[index], *at))

    def value(self, t: Term, is_whole: bool) -> str:
        """What stands for a name: a whole number, a real one, or any for the rows of a domain."""
        if is_whole:
            return whole_part(t, self.integers)
        if t.operator != "name" and is_domain(t):
            if stability.row_type(t) != stability.row_type(name("rows")):
                raise NotInRocq(
                    f"what is proved of rows of any domain is not proved of numbers as rows, which {t} holds"
                )
            return "0"
        return real(t, self.integers, ATOM)

    def known(self, values: Mapping[str, Term] | None = None) -> Iterator[str]:
        """Each premise, without conditions: `claim0` and so on."""
        for i in range(len(self.premises)):
            yield f"pose proof ({self.premise(i, values)}) as claim{i}."
            yield from self.folded(i, values or {})
            yield from self.multiples(i, values or {})
            yield f"{CLAIMS}.settle claim{i}."
            if self.is_sequence:
                yield f"specialize (claim{i} told M sequence)."

    def folded(self, index: int, values: Mapping[str, Term]) -> Iterator[str]:
        """That closed arithmetic in a premise at the values is carried out."""
        m = self.relation(index)
        for before, after in dict(_foldings(substitute(m.term, values))).items():
            with suppress(NotInRocq):
                old, new = real(before), real(after)
                yield f"try replace ({old}) with ({new}) in claim{index} by {CLAIMS}.same_number."

    def multiples(self, index: int, values: Mapping[str, Term]) -> Iterator[str]:
        """That a number that is written down is a multiple of another one, where a premise asks for that."""
        for condition in self.relation(index).given:
            t = substitute(condition, values)
            if t.operator == "multiple" and not names(t):
                times = exact_number(t.arguments[0] / t.arguments[1])
                by = f"apply ({CLAIMS}.multiple_by ({times})); {CLAIMS}.same_number"
                yield f"assert ({proposition(t)}) by ({by})."
                yield f"assert ({proposition(simplified(t))}) by ({by})."

    def relation(self, index: int) -> Private | Stable:
        """What a premise says."""
        m = self.step.premises[index].claim
        if not isinstance(m, Private | Stable):
            raise NotInRocq(f"{m.term.operator} has no counterpart in the library")
        return m

    def written(self, lines: Iterator[str]) -> str:
        """The theorem of the step, with this proof; its name."""
        number = sum(line.startswith("Theorem ") for line in self.export.lines)
        called = f"{self.step.rule}_{number}"
        return self.export.says(called, self.statement, list(lines), f"{self.step.rule}: {self.claim.term}")


def _foldings(t: Term) -> Iterator[tuple[Term, Term]]:
    """The closed parts of a term that are carried out, with what they become."""
    after = simplified(t)
    if not names(t) and after != t and after.operator == "number":
        yield t, after
    elif t.operator != "integral":
        for a in t.arguments:
            yield from _foldings(a)


Proof = Callable[[_Step], Iterator[str]]
"""What a rule does with `claim0` and the others; the last line but `conclude` leaves `found`."""


def _by(proof: Proof, *modules: str) -> Writer:
    """A writer: the premises, then what the rule makes of them, then that this is the claim."""

    def write(export: Export, step: Theorem, premises: Sequence[str]) -> str:
        one = _Step(export, step, premises)
        export.uses(*modules)

        def lines() -> Iterator[str]:
            yield from one.opening()
            yield from one.known({key: read(value) for key, value in step.data.get("values", {}).items()})
            yield from proof(one)
            yield f"{CLAIMS}.conclude found."

        return one.written(lines())

    return write


def _found(theorem: str) -> str:
    """What a theorem says of the premises; what it asks for besides them is proved at once."""
    return f"unshelve epose proof ({theorem}) as found; [> {CLAIMS}.side .. ]."


def _itself(_: _Step) -> Iterator[str]:
    """The premise itself."""
    yield "pose proof claim0 as found."


def _chained(s: _Step) -> Iterator[str]:
    """A transformation, and then what reads its outcome."""
    lemma = "chained" if isinstance(s.claim, Private) else "chained_stable"
    if _is_seen_whole(s):
        yield f"{CLAIMS}.wholes claim1."
    yield _found(f"{CLAIMS}.{lemma} _ _ _ _ _ _ claim0 claim1 _")


def _is_seen_whole(s: _Step) -> bool:
    """Whether a number of coordinates is arithmetic of names that are whole in the claim, and not in its premise."""
    before = s.relation(1)
    found = judgements.conditions(before.term, before.given)[1]
    sizes = (t.arguments[1] for t in subterms(before.subject) if t.operator == "coordinatewise")
    return any(whole_part(t, found) != whole_part(t, s.integers) for t in sizes)


def _pure_to_approximate(s: _Step) -> Iterator[str]:
    """With no delta, or below the epsilon of pure DP."""
    if "epsilon" not in s.step.data:
        yield from _itself(s)
        return
    epsilon = s.number(read(s.step.data["epsilon"]))
    yield _found(f"{CLAIMS}.pure_to_approximate_below _ _ _ {epsilon} _ _ _ claim0")


def _pure_to_concentrated(_: _Step) -> Iterator[str]:
    """Half the square."""
    yield _found("RenyiOfPure.pure_to_concentrated _ _ _ _ claim0")


def _pure_to_renyi(s: _Step) -> Iterator[str]:
    """At one order."""
    order = s.claim.d_out[0]
    written = s.number(order)
    yield _found(f"RenyiOfPure.pure_to_renyi _ _ {written} _ _ _ claim0")
    if not names(order):
        for before, after in ((f"{written} - 1", order - 1), (f"1 - {written}", 1 - order)):
            yield f"replace ({before}) with {s.number(after)} in found by lra."


def _concentrated_to_renyi(s: _Step) -> Iterator[str]:
    """The definition."""
    yield _found(f"Renyi.concentrated_to_renyi _ _ _ {s.number(s.claim.d_out[0])} _ claim0")


def _concentrated_to_approximate(s: _Step) -> Iterator[str]:
    """At the best order."""
    yield _found(f"Renyi.concentrated_to_approximate _ _ _ {_delta(s)} _ claim0")


def _delta(s: _Step) -> str:
    """The delta that a step is asked for."""
    return s.number(read(s.step.data.get("delta", "delta")))


def _renyi_to_approximate(s: _Step) -> Iterator[str]:
    """As Mironov has it, or the sharper one."""
    sharp = "_sharp" if s.step.data.get("sharp", "no") == "yes" else ""
    yield _found(f"Renyi.renyi_to_approximate{sharp} _ _ _ _ {_delta(s)} _ _ claim0")


def _renyi_at_smaller_order(s: _Step) -> Iterator[str]:
    """The divergence grows with the order."""
    smaller = s.number(s.claim.d_out[0])
    yield _found(f"Renyi.renyi_at_smaller_order _ _ _ {smaller} _ _ _ claim0")


def _gaussian_to_concentrated(_: _Step) -> Iterator[str]:
    """Half of mu squared."""
    yield _found("GaussianPrivacy.gaussian_to_concentrated _ _ _ _ claim0")


def _runs(s: _Step) -> str:
    """How the runs of a repeated mechanism are independent: the first arguments of a theorem about them."""
    m = _private(s.step).subject
    one, size = judgements.subject(s.export, m.arguments[0], s.integers), whole(m.arguments[1], s.integers)
    how = f"{CLAIMS}.runs_repeated {one} _"
    if _is_pairs(s.export, m, s.integers):
        s.export.uses("Rounds")
        how = f"{CLAIMS}.runs_draws {one} (fun input => Rounds.plain_integrates ({one} input)) _"
    return f"(independent := {how}) _ _ {size} _ _"


def _as_drawn(s: _Step) -> Iterator[str]:
    """That runs which are written as those of finite mechanisms are what the theorem about them says."""
    if _is_pairs(s.export, _private(s.step).subject, s.integers):
        s.export.uses("FiniteClaims")
        yield "unfold FiniteClaims.repeated."


def _many(s: _Step) -> Iterator[str]:
    """So many runs, whose losses add up."""
    measure = _private(s.step).measure
    if measure not in LOSSES:
        raise NotInRocq(f"losses under {measure} of independent runs are not added up in the library")
    more = {"renyi": "_ _ _", "approximate": "_ _"}.get(measure, "_")
    yield _found(f"{CLAIMS}.many_{measure} {_runs(s)} {more} claim0")
    yield from _as_drawn(s)


def _many_advanced(s: _Step) -> Iterator[str]:
    """So many runs, with advanced composition."""
    yield _found(f"{CLAIMS}.many_advanced {_runs(s)} _ _ {_delta(s)} _ _ _ claim0")
    yield from _as_drawn(s)


def _many_optimal(s: _Step) -> Iterator[str]:
    """So many runs, at the least delta."""
    epsilon, times = s.number(read(s.step.data["epsilon"])), read(s.step.data.get("k", "k"))
    if names(times) or times.rational > MOST_RUNS:
        raise NotInRocq(f"the least delta of {times} runs is a sum that is not computed")
    runs = _runs(s).removesuffix(" _")
    yield _found(f"{CLAIMS}.many_optimal {runs} _ _ {epsilon} _ _ _ claim0")
    yield from _as_drawn(s)
    yield f"{CLAIMS}.least_of_many found."


def _in_pairs(s: _Step, theorem: str) -> Iterator[str]:
    """What a theorem about two mechanisms says of all, from the last to the first."""
    last = len(s.step.premises) - 1
    yield f"pose proof claim{last} as found{last}."
    for i in reversed(range(last)):
        yield f"unshelve epose proof ({theorem} claim{i} found{i + 1}) as found{i}; [> {CLAIMS}.side .. ]."
    yield "pose proof found0 as found."


TWO = {
    "pure": f"{CLAIMS}.two_pure _ _ _ _ _",
    "approximate": "compose _ _ _ _ _ _ _ _",
    "concentrated": "Renyi.compose_concentrated _ _ _ _ _",
    "renyi": "Renyi.compose_renyi _ _ _ _ _ _ _",
    "gaussian": "GaussianPrivacy.compose_gaussian _ _ _ _ _ _ _",
}
"""Measure -> the library's theorem about two mechanisms, but for what is known of them."""


def _composed(s: _Step) -> Iterator[str]:
    """Independent mechanisms, whose losses add up."""
    measure = _private(s.step).measure
    if _is_pairs(s.export, _private(s.step).subject, s.integers):
        if measure in ("concentrated", "renyi"):
            s.export.uses("Renyi")
        if measure == "gaussian":
            s.export.uses("GaussianPrivacy")
        yield from _in_pairs(s, TWO[measure])
        return
    if measure not in LOSSES:
        raise NotInRocq(f"losses under {measure} of independent mechanisms are not added up in the library")
    yield from _sequence(s, LOSSES[measure][0].format(order=s.number(s.claim.d_out[0])))
    s.export.uses("Rounds")
    match measure:
        case "approximate":
            yield _found("Rounds.rounds _ _ _ _ sequence")
        case "renyi":
            yield _found("Rounds.rounds_renyi _ _ _ _ _ _ sequence")
        case _:
            yield _found(f"Rounds.rounds_{measure} _ _ _ _ sequence")
    yield "cbn [Rounds.sum List.fold_right List.map fst snd] in found."


def _sequence(s: _Step, kind: str) -> Iterator[str]:
    """`sequence`: the mechanisms are rounds of which none looks at the outcomes before."""
    losses = []
    for p in map(_private, s.step.premises):
        numbers = p.d_out[1:] if p.measure == "renyi" else p.d_out
        written = [real(t, s.integers) for t in numbers]
        losses.append(written[0] if len(written) == 1 else f"({', '.join(written)})")
    near = judgements.near(s.export, s.claim.domain, s.claim.metric, s.claim.d_in, s.integers)
    subject = judgements.subject(s.export, s.claim.subject, s.integers)
    yield f"assert (sequence : Rounds.round_by_round {near} {kind} [{'; '.join(losses)}] _ {subject})."
    yield "{"
    for i in range(len(losses)):
        yield f"  apply {CLAIMS}.alongside_rounds; [exact claim{i} |]."
    yield f"  apply {CLAIMS}.nothing_rounds. }}"


def _composed_failures(s: _Step) -> Iterator[str]:
    """Independent mechanisms, of which none fails but with its delta."""
    if _is_pairs(s.export, _private(s.step).subject, s.integers):
        yield from _in_pairs(s, f"{CLAIMS}.two_failures _ _ _ _ _ _ _ _ _")
        return
    yield from _sequence(s, "Rounds.approximately")
    yield _found("Rounds.compose_failures _ _ _ _ _ sequence")
    yield "cbn [Rounds.sum Rounds.times List.fold_right List.map fst snd] in found."


def _composed_optimal(s: _Step) -> Iterator[str]:
    """Independent mechanisms, at the least delta."""
    epsilon = s.number(read(s.step.data["epsilon"]))
    near = judgements.near(s.export, s.claim.domain, s.claim.metric, s.claim.d_in, s.integers)
    subject = judgements.subject(s.export, s.claim.subject, s.integers)
    losses = [", ".join(real(t, s.integers) for t in _private(p).d_out) for p in s.step.premises]
    yield f"assert (sequence : Optimal.composition {near} [{'; '.join(f'({one})' for one in losses)}] _ {subject})."
    yield "{"
    if _is_pairs(s.export, _private(s.step).subject, s.integers):
        parts = [judgements.subject(s.export, m, s.integers) for m in _private(s.step).subject.arguments]
        for i in range(len(losses) - 1):
            rest = parts[-1]
            for one in reversed(parts[i + 1 : -1]):
                rest = f"(fun input => both ({one} input) (always ({rest} input)))"
            rule = f"Optimal.composition_first _ _ _ {parts[i]} (fun input => always ({rest} input))"
            yield f"  apply ({rule}); [exact claim{i} | intro]."
        yield f"  apply Optimal.composition_one. exact claim{len(losses) - 1}. }}"
    else:
        for i in range(len(losses)):
            yield f"  apply {CLAIMS}.alongside_composition; [exact claim{i} |]."
        yield f"  apply {CLAIMS}.nothing_composition. }}"
    yield _found(f"Optimal.compose_optimal _ _ _ _ {epsilon} _ _ sequence")
    yield f"{CLAIMS}.least_of_some found."


def _private(p: Theorem) -> Private:
    """The private claim of a theorem."""
    if not isinstance(p.claim, Private):
        raise NotInRocq(f"{p.claim.term.operator} has no counterpart in the library")
    return p.claim


def _grouped(s: _Step) -> Iterator[str]:
    """More edits of a table."""
    m = _private(s.step.premises[0])
    begins = OF_EDITS.get((m.domain.operator, m.metric))
    if begins is None or m.measure not in ("pure", "approximate", "concentrated"):
        raise NotInRocq(f"{m.metric} on {m.domain.operator}, under {m.measure}, has no groups in the library")
    size = whole(m.domain.arguments[1], s.integers) if m.domain.operator == "sized_table" else "0"
    d, k = whole(m.d_in, s.integers), read(s.step.data["k"])
    far, times = s.number(s.claim.d_in), whole(k, s.integers)
    yield f"assert (some : 1 <= IZR {times}) by {CLAIMS}.condition."
    yield f"pose proof ({CLAIMS}.count_of {times} some) as counted. apply {CLAIMS}.count_positive in some."
    counts = (
        f"(Z.to_nat {size}) (Z.to_nat {d}) (Z.to_nat {times})"
        if size != "0"
        else f"0 (Z.to_nat {d}) (Z.to_nat {times})"
    )
    numbers = "_ _" if m.measure == "approximate" else "_"
    counts = counts if begins == "group_sized" else counts.split(" ", 1)[1]
    yield _found(f"{CLAIMS}.{begins}_{m.measure} _ _ {counts} _ {far} some _ _ {numbers} claim0")
    if m.measure == "approximate" and names(k):
        yield f"rewrite Rounds.powers_closed in found by {CLAIMS}.condition."
    yield f"rewrite ?counted in found. {CLAIMS}.powers found."


def _grouped_renyi(s: _Step) -> Iterator[str]:
    """Twice as many edits, at half the order."""
    m = _private(s.step.premises[0])
    begins = OF_EDITS.get((m.domain.operator, m.metric))
    if begins is None:
        raise NotInRocq(f"{m.metric} on {m.domain.operator} has no groups in the library")
    sized = f" {count(m.domain.arguments[1], s.integers)}" if begins == "group_sized" else ""
    counts = f"{sized} {count(m.d_in, s.integers)}"
    far = s.number(s.claim.d_in)
    yield _found(f"{CLAIMS}.{begins}_renyi _ _{counts} _ {far} _ _ _ _ _ claim0")


def _replaced_rows(s: _Step) -> Iterator[str]:
    """A replaced row is one removed and one added."""
    half = s.number(s.claim.d_in)
    yield _found(f"{CLAIMS}.replaced_rows _ _ {half} _ _ _ claim0")


def _poisson_sampled(s: _Step) -> Iterator[str]:
    """Each row with one probability."""
    m = _private(s.step)
    rate = s.number(m.subject.arguments[0])
    asked = "_ _ _ _" if m.measure == "pure" else "_ _ _ _ _ _"
    yield _found(f"{CLAIMS}.poisson_sampled_{m.measure} _ _ {rate} {asked} claim0")


def _fixed_size_sampled(s: _Step) -> Iterator[str]:
    """So many rows of so many, from a claim about tables of any size."""
    m, before = _private(s.step), _private(s.step.premises[0])
    if before.domain.operator != "table":
        raise NotInRocq("samples of what reads tables of one size only are not in the library")
    drawn, size = whole(m.subject.arguments[0], s.integers), whole(m.domain.arguments[1], s.integers)
    asked = "_ _ _ _" if m.measure == "pure" else "_ _ _ _ _ _"
    yield _found(f"{CLAIMS}.fixed_size_sampled_{m.measure} _ _ {drawn} {size} {asked} claim0")


def _one_coordinate(s: _Step) -> Iterator[str]:
    """The loss of the mechanism of any coordinate."""
    m = _private(s.step)
    size = whole(m.subject.arguments[1], s.integers)
    yield f"assert (some : 1 <= IZR {size}) by {CLAIMS}.condition. apply {CLAIMS}.count_positive in some."
    theorem = "public_coordinate_pure _ _ _ _" if m.measure == "pure" else "public_coordinate _ _ _ _ _"
    yield _found(f"Sampling.{theorem} some claim0")


def _mapped_rounds(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """Rounds of one mechanism, each on the rows after a map."""
    one = _Step(export, step, premises)
    m, before = _private(step), _private(step.premises[0])
    if m.measure == "approximate":
        raise NotInRocq("rounds on mapped rows under approximate DP are not written yet")
    near = judgements.near(export, m.domain, m.metric, m.d_in, one.integers)
    run = judgements.subject(export, before.subject, one.integers)
    loss = judgements.measure(export, before.measure, before.d_out, one.integers)
    d, times = one.number(m.d_in), whole(m.subject.arguments[1], one.integers)
    tables = f"Tables.table_of {ANY_ROWS}"
    if m.domain.operator == "sized_table":
        tables = f"Tables.sized_table_of {ANY_ROWS} {count(m.domain.arguments[1], one.integers)}"
    far = f"(Tables.restricted ({tables}) (Tables.{m.metric} {d}))"
    asked = "_ _ _" if m.measure == "renyi" else "_"

    def lines() -> Iterator[str]:
        yield from one.opening()
        yield f"pose proof ({one.premise(0)}) as claim0."
        yield f"{CLAIMS}.settle claim0."
        yield f"assert (every : private {far} {run} {loss}) by {CLAIMS}.conclude claim0."
        rows = stability.inside(export, m.domain.arguments[0], one.integers)
        kept = f"ltac:({CLAIMS}.kept {d})"
        begins = f"{CLAIMS}.mapped_rounds_{m.measure} {rows} {ANY_ROWS} {run} {near} {far} {times} told M"
        yield _found(f"{begins} _ {kept} sequence {asked} every")
        yield f"{CLAIMS}.conclude found."

    return one.written(lines())


def _in_view(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """A second mechanism that reads the outcome of the first."""
    one = _Step(export, step, premises)
    if _private(step).measure != "pure":
        raise NotInRocq("adaptive composition is written for pure DP alone so far")
    m = _private(step)
    first, second = (judgements.subject(export, t, one.integers) for t in m.subject.arguments)
    near = judgements.near(export, m.domain, m.metric, m.d_in, one.integers)
    loss = judgements.measure(export, m.measure, _private(step.premises[1]).d_out, one.integers)

    def lines() -> Iterator[str]:
        yield from one.opening()
        yield f"pose proof ({one.premise(0)}) as claim0."
        yield f"{CLAIMS}.settle claim0."
        yield f"assert (claim1 : forall {PREVIOUS} : R, private {near} {second} {loss})."
        yield f"{{ intro the_outcome. pose proof ({one.premise(1, {PREVIOUS: name('the_outcome')})}) as claim1."
        yield f"  {CLAIMS}.settle claim1. {CLAIMS}.conclude claim1. }}"
        yield _found(f"{CLAIMS}.adaptive_pure _ {first} (fun {PREVIOUS} => {second}) _ _ claim0 claim1")
        yield f"{CLAIMS}.conclude found."

    return one.written(lines())


def _rounds(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """Rounds that are each chosen in view of the outcomes before, and the losses of which add up."""
    one = _Step(export, step, ())
    measure = _private(step).measure
    order = " _" if measure == "renyi" else ""
    called = "Rounds.rounds" if measure == "approximate" else f"Rounds.rounds_{measure}"
    skipped = "_ _ _ _ _" if measure == "renyi" else "_ _ _ _"

    def lines() -> Iterator[str]:
        yield from one.opening()
        yield _found(f"{called} {skipped}{order} sequence")
        yield "cbn [Rounds.sum List.fold_right List.map fst snd] in found."
        yield f"{CLAIMS}.conclude found."

    return one.written(lines())


def _filtered(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """Rounds within a budget."""
    one = _Step(export, step, ())
    measure = _private(step).measure
    order = " _" if measure == "renyi" else ""
    called = "Rounds.filtered" if measure == "approximate" else f"Rounds.filtered_{measure}"
    skipped = "_ _ _ _" if measure in ("pure", "concentrated") else "_ _ _ _ _"

    def lines() -> Iterator[str]:
        yield from one.opening()
        yield _found(f"{called} {skipped}{order} sequence")
        yield "exact found."

    return one.written(lines())


def _instantiate(export: Export, step: Theorem, premises: Sequence[str]) -> str:
    """The premise at values; about a function of rows whose values are texts and domains, the library's theorem."""
    return columns.instance(export, step) if columns.is_of_rows(step) else _by(_itself)(export, step, premises)


WRITERS: Writers = {
    "instantiate": _instantiate,
    "weaken": _by(_itself),
    "chain": _by(_chained),
    "pure_to_approximate": _by(_pure_to_approximate),
    "pure_to_concentrated": _by(_pure_to_concentrated, "RenyiOfPure"),
    "pure_to_renyi": _by(_pure_to_renyi, "RenyiOfPure"),
    "concentrated_to_renyi": _by(_concentrated_to_renyi, "Renyi"),
    "concentrated_to_approximate": _by(_concentrated_to_approximate, "Renyi"),
    "renyi_to_approximate": _by(_renyi_to_approximate, "Renyi"),
    "renyi_at_smaller_order": _by(_renyi_at_smaller_order, "Renyi"),
    "gaussian_to_concentrated": _by(_gaussian_to_concentrated, "GaussianPrivacy"),
    "compose": _by(_composed, "Rounds"),
    "compose_failures": _by(_composed_failures, "Rounds"),
    "compose_optimal": _by(_composed_optimal, "Optimal"),
    "compose_many": _by(_many),
    "compose_advanced": _by(_many_advanced),
    "compose_many_optimal": _by(_many_optimal),
    "group": _by(_grouped, "Rounds"),
    "group_renyi": _by(_grouped_renyi),
    "replaced_rows": _by(_replaced_rows),
    "poisson_sampled": _by(_poisson_sampled),
    "fixed_size_sampled": _by(_fixed_size_sampled),
    "public_coordinate": _by(_one_coordinate),
    "adaptive": _in_view,
    "mapped_rounds": _mapped_rounds,
    "rounds": _rounds,
    "filtered": _filtered,
}
