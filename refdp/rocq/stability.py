"""Transformations for Rocq: sums of what rows contribute, and their inputs, tables and vectors.

A contribution is written from its registered formula, and so is what its certificate proves of it; the library's
theorem leads from that to the claim.  Rows of a domain that a claim leaves open are values of any kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from refdp.kernel.judgements import Refuted, Stable
from refdp.kernel.theorem import Theorem
from refdp.rocq import judgements, noise, records
from refdp.rocq.terms import ATOM, NotInRocq, name_of, real
from refdp.rocq.terms import count as natural
from refdp.rocq.writing import Export, Writers
from refdp.sensitivities.row_domains import kind_of
from refdp.spec import registry
from refdp.spec.cells import CellSum
from refdp.spec.domains import fields
from refdp.spec.goals import goal
from refdp.spec.level_sums import FORMS as LEVEL_FORMS
from refdp.spec.level_sums import LevelSums
from refdp.spec.linear import LinearMap, Matrix, gram
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.obligations import stability
from refdp.spec.rescaled import RescaledSum, root_above, towards_zero
from refdp.spec.rounding import Rounding
from refdp.spec.rounding import nearest as round_to
from refdp.spec.rows import RowFunction, RowSum, grid_positions
from refdp.spec.semantics import data, value
from refdp.spec.statements import Statement
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, name, number, substitute

ENTRY, PLACE, TOTAL = "row__", "coordinate__", "total__"
"""Names that stand in a formula for the number that a row holds, for a coordinate, and for a sum."""
MARKERS = {ENTRY: "the_row", PLACE: "(IZR (Z.of_nat place))", TOTAL: "total"}
"""What is written for them."""
TABLES = ("symmetric", "change_one", "hamming", "insert_delete")


def written(t: Term, integers: frozenset[str], entry: str = "the_row", loosest: int = ATOM) -> str:
    """A term of a formula at a row, a coordinate and a sum."""
    chosen = {"row": name(ENTRY), "coordinate": name(PLACE), "total": name(TOTAL)}
    text = real(substitute(t, chosen), integers, loosest)
    for marker, instead in {**MARKERS, ENTRY: entry}.items():
        text = text.replace(marker, instead)
    return text


# Domains and distances


def count(t: Term, integers: frozenset[str]) -> str:
    """How many coordinates there are, a natural number, in brackets; the whole part of what is not seen to be whole."""
    with suppress(NotInRocq):
        return natural(t, integers)
    return f"(Z.to_nat (Int_part ({real(t, integers)})))"


def _vectors(norm: str) -> Callable[[Export, Term, Term, frozenset[str]], str]:
    """What writes the relation of vectors within the distance in a norm, where their number of coordinates is a term.

    Whatever the noise's relation has a word for is written in its words.
    """

    def write(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
        with suppress(NotInRocq):
            return noise.NEAR["vector", norm](export, inputs, distance, integers)
        one, size = inputs.arguments[0], count(inputs.arguments[1], integers)
        if one.operator != "grid":
            raise NotInRocq(f"vectors of {one} of {inputs.arguments[1]} coordinates have no word in the library yet")
        step = real(one.arguments[0], integers, ATOM)
        near = f"Tables.{norm} {size} {real(distance, integers, ATOM)}"
        return f"Tables.restricted (Tables.vector_on_grid {size} {step}) ({near})"

    return write


def row_type(rows: Term) -> str:
    """The type of the rows of a domain."""
    if rows.operator == "vector":
        return "Tables.vector"
    if rows.operator in COLUMNS:
        return records.row_type(kind_of(rows))
    return "StabilityClaims.value" if rows.operator in ("name", "records") else "R"


def inside(export: Export, rows: Term, integers: frozenset[str]) -> str:
    """That a row lies in a domain, in brackets."""
    export.uses("Tables", "StabilityClaims")
    numbers = [real(a, integers, ATOM) for a in rows.arguments[-1:]] if rows.operator in HALF_LINES else []
    match rows.operator:
        case operator if operator in COLUMNS:
            export.uses(*records.MODULES)
            return records.inside(kind_of(rows), {})
        case "name":
            return "(@StabilityClaims.any StabilityClaims.value)"
        case "records":
            return "StabilityClaims.is_record"
        case "reals":
            return "(@StabilityClaims.any R)"
        case "category" | "finite":
            return f"(StabilityClaims.{rows.operator} {real(rows.arguments[0], integers, ATOM)})"
        case "above" | "below":
            return f"(StabilityClaims.{rows.operator} {inside(export, rows.arguments[0], integers)} {numbers[0]})"
        case "vector" if rows.arguments[0].operator == "grid":
            size = natural(rows.arguments[1], integers)
            return f"(Tables.vector_on_grid {size} {real(rows.arguments[0].arguments[0], integers, ATOM)})"
        case "vector":
            one, size = inside(export, rows.arguments[0], integers), natural(rows.arguments[1], integers)
            return f"(StabilityClaims.of_dimension {one} {size})"
    return noise.inside(export, rows, integers)


HALF_LINES = ("above", "below")
COLUMNS = ("labels", "optional", "record")
"""The domains of rows that are no numbers, which functions of users read."""


def _tables(metric: str) -> Callable[[Export, Term, Term, frozenset[str]], str]:
    """What writes the relation of tables that are within the distance."""

    def write(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
        rows = inside(export, inputs.arguments[0], integers)
        of = f"Tables.table_of {rows}"
        if inputs.operator == "sized_table":
            of = f"Tables.sized_table_of {rows} {natural(inputs.arguments[1], integers)}"
        return f"Tables.restricted ({of}) (Tables.{metric} {real(distance, integers, ATOM)})"

    return write


# Sums of rows


def _sum(stem: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes a sum of rows."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        kind = registry.lookup(stem, RowSum)
        export.uses("Tables", "Sensitivity")
        arguments = registry.bound(kind, t)
        rows = substitute(kind.input_rows, arguments)
        finish = _finish(kind, arguments, integers)
        if kind.is_vector:
            whole = f"Sensitivity.vector_sum {_contribution(kind, arguments, integers)} the_table"
            body = f"fun place : nat => {finish} ({whole} place)" if finish else whole
        else:
            whole = f"Sensitivity.sum_of {_contribution(kind, arguments, integers)} the_table"
            body = f"{finish} ({whole})" if finish else whole
        return f"fun the_table : Tables.table {row_type(rows)} => {body}"

    return write


def _contribution(kind: RowSum, arguments: Mapping[str, Term], integers: frozenset[str]) -> str:
    """What a row contributes, a function, in brackets."""
    rows = row_type(substitute(kind.input_rows, arguments))
    term = substitute(kind.contribution.term, arguments)
    if not kind.is_vector:
        return f"(fun the_row : {rows} => {written(term, integers)})"
    entry = "(the_row place)" if kind.input_rows.operator == "vector" else "the_row"
    return f"(fun (the_row : {rows}) (place : nat) => {written(term, integers, entry)})"


def _finish(kind: RowSum, arguments: Mapping[str, Term], integers: frozenset[str]) -> str:
    """What becomes of a sum, a function, in brackets; nothing where it stays as it is."""
    if kind.finish is None:
        return ""
    return f"(fun total : R => {written(substitute(kind.finish.term, arguments), integers)})"


def sum_of_rows(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The stability of a sum of rows, from what one row contributes."""
    _, integers, statement = _claim(export, step)
    stem, neighbours, norm = (str(step.data[key]) for key in ("stem", "neighbours", "norm"))
    kind = registry.lookup(stem, RowSum)
    found = _Sum(kind, neighbours, norm, integers, stability(stem, neighbours, norm), lemmas)
    return add_stable(export, step, statement, list(found.proof()))


def add_stable(export: Export, step: Theorem, statement: str, proof: Sequence[str]) -> str:
    """Add the theorem that a transformation is stable; its name."""
    said = "__".join(
        str(step.data[key]) for key in ("stem", "neighbours", "norm", "metric", "near", "far") if key in step.data
    )
    said = said or "linear_map"
    taken = sum(line.startswith(f"Theorem {said}__is_stable") for line in export.lines)
    called = f"{said}__is_stable" + (f"_{taken + 1}" if taken else "")
    return export.says(called, statement, proof, f"{step.rule}: {_plain(step.claim.term)}")


def _plain(t: Term) -> str:
    """The beginning of a term's text."""
    text = str(t)
    return text if len(text) <= 300 else f"{text[:300]}..."


def _claim(export: Export, step: Theorem) -> tuple[Stable, frozenset[str], str]:
    """The claim of a step, the names that it has whole, and what it says."""
    claim = step.claim
    if not isinstance(claim, Stable):
        raise NotInRocq(f"{claim.term.operator} is no claim of stability")
    export.uses("Tables", "Sensitivity", "StabilityClaims")
    return claim, judgements.conditions(claim.term, claim.given)[1], judgements.said(export, claim)


class _Lemmas:
    """The obligations of a step, with the names of their theorems, under the conditions of its claim."""

    def __init__(self, integers: frozenset[str], stated: Mapping[str, Statement], lemmas: Sequence[str]) -> None:
        self.integers, self.stated, self.called = integers, stated, dict(zip(stated, lemmas, strict=True))

    def instance(self, key: str, entries: Mapping[str, str], steps: Mapping[str, str]) -> str:
        """Tactics that bring in an instance of an obligation: names of reals, and of whole numbers."""
        statement = self.stated[key]
        g = goal(statement)
        ordered = sorted(statement.variables, key=lambda v: v in g.integers)
        values = [self.value(v, v in g.integers, entries, steps) for v in ordered]
        return f"pose proof ({' '.join((self.called[key], *values))}) as known. StabilityClaims.granted known."

    def value(self, v: str, whole: bool, entries: Mapping[str, str], steps: Mapping[str, str]) -> str:
        """What is put for a name of an obligation."""
        if whole and v in steps:
            return steps[v]
        if v in entries:
            return entries[v]
        if v in self.integers:
            return name_of(v) if whole else f"(IZR {name_of(v)})"
        if whole:
            raise NotInRocq(f"{v} is not seen to be whole")
        return name_of(v)


class _Sum(_Lemmas):
    """The proof for one sum of rows."""

    def __init__(
        self,
        kind: RowSum,
        neighbours: str,
        norm: str,
        integers: frozenset[str],
        stated: Mapping[str, Statement],
        lemmas: Sequence[str],
    ) -> None:
        super().__init__(integers, stated, lemmas)
        self.kind, self.neighbours, self.norm = kind, neighbours, norm
        self.at = f"{neighbours}.{norm}"
        self.counted = [p for p in grid_positions(kind, kind.input_rows) if p != "row"]

    def proof(self) -> Iterator[str]:
        """Its lines."""
        kind, same = self.kind, {p: name(p) for p in self.kind.parameters}
        relation = RELATIONS[self.neighbours]
        rows = inside(Export(), kind.input_rows, self.integers)
        finish = _finish(kind, same, self.integers) or "(fun total : R => total)"
        output, bound = (
            real(t, self.integers, ATOM)
            for t in (kind.output_step.at(), kind.edits[self.neighbours, self.norm].bound.at())
        )
        theorem = "sum_of_rows" if self.norm == "absolute" else f"sum_of_rows_{self.norm}"
        head = f"Sensitivity.{theorem} {relation} {rows} {finish} {output} {bound} d_in"
        contribution = _contribution(kind, same, self.integers)
        yield "intros."
        if kind.is_sized:
            yield "apply StabilityClaims.stable_on_sized."
        if self.norm == "absolute":
            yield f"apply ({head}) with (contribution := {contribution})."
        else:
            size = natural(name("dimension"), self.integers)
            prefix = f" {self.prefix()}" if self.norm in ("l1", "l2") else ""
            yield f"apply ({head}) with (dimension := {size})"
            argument = f" (prefix :={prefix})" if prefix else ""
            yield f"  (contribution := {contribution}){argument}."
        if self.norm != "l2":
            yield "- StabilityClaims.some_row."
        yield from self.finished()
        grid = self.grid()
        if self.norm == "absolute":
            yield f"- intros the_row the_row_inside. cbv beta. {grid}"
            yield f"- {self.bounded()}"
            return
        yield f"- intros the_row place the_row_inside in_range. cbv beta. {grid}"
        if self.norm == "linf":
            yield f"- {self.bounded()}"
            yield "- apply StabilityClaims.some_coordinate. assumption."
            return
        yield from self.prefixes()

    def prefix(self) -> str:
        """The prefix, a function of two rows and a coordinate, in brackets."""
        edit = self.kind.edits[self.neighbours, self.norm]
        if edit.prefix is None:
            raise NotInRocq(f"{self.kind.stem} has no prefix for {self.norm}")
        rows = row_type(self.kind.input_rows)
        term = substitute(edit.prefix.term, {"other": name("the_other")})
        return f"(fun (the_row the_other : {rows}) (place : nat) => {written(term, self.integers)})"

    @property
    def entry(self) -> str:
        """The number that a row holds."""
        return "(the_row place)" if self.kind.input_rows.operator == "vector" else "the_row"

    def rows(self, *called: str) -> str:
        """Tactics that bring in what the domain says of a row, where its numbers are whole."""
        if self.kind.input_rows.operator != "category":
            return ""
        return " ".join(
            f"apply StabilityClaims.category_below in the_{v}_inside; [| eexists; reflexivity]. "
            f"destruct the_{v}_inside as ({v}_whole & -> & {v}_low & {v}_high)."
            for v in called
        )

    def grid(self) -> str:
        """The proof that what a row contributes is on the output's grid."""
        steps, parts = {"coordinate": "(Z.of_nat place)"}, list[str]()
        if "row" in self.kind.contribution.parameters:
            domain = self.kind.input_rows
            held = "the_row_inside"
            if domain.operator == "vector":
                parts.append("pose proof (the_row_inside place in_range) as entry_inside.")
                domain, held = domain.arguments[0], "entry_inside"
            if domain.operator == "category":
                parts.append(self.rows("row"))
                steps["row"] = "row_whole"
            else:
                pattern = "[row_steps row_is]" if domain.operator == "grid" else "[[row_steps row_is] _]"
                parts += [f"destruct {held} as {pattern}.", "rewrite ?row_is."]
                steps["row"] = "row_steps"
        for p in self.counted:
            if p in self.kind.contribution.parameters:
                parts.append(
                    f"destruct (StabilityClaims.in_steps {name_of(p)} _ ltac:(eassumption)) as [{p}_steps {p}_is]."
                )
                parts.append(f"rewrite ?{p}_is.")
                steps[p] = f"{p}_steps"
        parts.append(self.instance("sum_stays_on_the_grid", {"coordinate": "(IZR (Z.of_nat place))"}, steps))
        return " ".join((*parts, "StabilityClaims.on_the_grid known."))

    def finished(self) -> Iterator[str]:
        """The proofs that the finish stays on the grid, and moves no farther."""
        if self.kind.finish is None:
            yield "- auto."
            yield "- intros. apply Rle_refl."
            return
        yield "- intros the_total [total_steps ->]. cbv beta. " + " ".join(
            (
                self.instance("finish_stays_on_the_grid", {}, {"total": "total_steps"}),
                "StabilityClaims.on_the_grid known.",
            )
        )
        entries = {"total": "the_total", "other_total": "the_other_total"}
        yield "- intros the_total the_other_total. cbv beta. " + " ".join(
            (self.instance("finish_moves_no_farther", entries, {}), "StabilityClaims.from known.")
        )

    def entries(self) -> dict[str, str]:
        """What is put for the rows and the coordinate."""
        other = self.entry.replace("row", "other")
        return {"row": self.entry, "other": other, "coordinate": "(IZR (Z.of_nat place))"}

    def steps(self) -> dict[str, str]:
        """What is put for them where they are whole."""
        return {"row": "row_whole", "other": "other_whole", "coordinate": "(Z.of_nat place)"}

    def bounded(self) -> str:
        """The proof that one edit is bounded."""
        place = " place" if self.kind.is_vector else ""
        in_range = " in_range" if self.kind.is_vector else ""
        parts = [
            f"intros the_row the_other{place} the_row_inside the_other_inside{in_range}.",
            self.rows("row", "other"),
            "cbv beta iota delta [Sensitivity.moved].",
            self.instance(f"edit_is_bounded.{self.at}", self.entries(), self.steps()),
            "StabilityClaims.from known.",
        ]
        return " ".join(filter(None, parts))

    def prefixes(self) -> Iterator[str]:
        """The proofs that the prefix starts, grows and ends as it should."""
        rows = self.rows("row", "other")
        head = "intros the_row the_other the_row_inside the_other_inside."
        zero = {**self.entries(), "coordinate": "0"}
        parts = [
            head,
            rows,
            "cbv beta.",
            self.instance(f"prefix_starts_at_0.{self.at}", zero, self.steps()),
            "StabilityClaims.starts known.",
        ]
        yield "- " + " ".join(filter(None, parts))
        parts = [
            "intros the_row the_other place the_row_inside the_other_inside in_range.",
            rows,
            "cbv beta iota delta [Sensitivity.moved].",
            "destruct (StabilityClaims.coordinate_below place _ in_range) as [coordinate_low coordinate_high].",
            "rewrite StabilityClaims.next_coordinate.",
            self.instance(f"prefix_grows_by_the_edit.{self.at}", self.entries(), self.steps()),
            "StabilityClaims.from known.",
        ]
        yield "- " + " ".join(filter(None, parts))
        parts = [
            head,
            rows,
            "cbv beta.",
            "rewrite StabilityClaims.last_coordinate by assumption.",
            self.instance(f"prefix_ends_at_the_bound.{self.at}", self.entries(), self.steps()),
            "StabilityClaims.from known.",
        ]
        yield "- " + " ".join(filter(None, parts))


# Row by row


def _mapped(stem: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes a transformation of each row by a formula."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        kind = registry.lookup(stem, RowFunction)
        if kind.formula is None:
            raise NotInRocq(f"{stem} has no formula: what its code does is trusted")
        return f"map (fun the_row : R => {written(substitute(kind.formula.term, registry.bound(kind, t)), integers)})"

    return write


def row_by_row(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The stability of a transformation of each row, which the formula keeps in the output domain."""
    claim, integers, statement = _claim(export, step)
    kind = registry.lookup(str(step.data["stem"]), RowFunction)
    known = _Lemmas(integers, stability(kind.stem), lemmas)
    steps, parts = {"row": "row_steps"}, ["destruct the_row_inside as [row_steps row_is].", "rewrite ?row_is."]
    for p in (p for p in grid_positions(kind, kind.input_rows) if p != "row"):
        parts += [
            f"destruct (StabilityClaims.in_steps {name_of(p)} _ ltac:(eassumption)) as [{p}_steps {p}_is].",
            f"rewrite ?{p}_is.",
        ]
        steps[p] = f"{p}_steps"
    grid = " ".join((*parts, known.instance("rows_stay_on_the_grid", {}, steps), "StabilityClaims.on_the_grid known."))
    sized = claim.domain.operator == "sized_table"
    return add_stable(
        export,
        step,
        statement,
        [
            "intros.",
            f"apply (Sensitivity.row_by_row{'_sized' if sized else ''} {RELATIONS[str(step.data['neighbours'])]}).",
            "intros the_row the_row_inside. split; cbv beta.",
            f"- {grid}",
            f"- {known.instance('rows_stay_inside', {'row': 'the_row'}, {})} StabilityClaims.from known.",
        ],
    )


# Rescaled rows


def _layers(kind: RescaledSum, arguments: Mapping[str, Term], integers: frozenset[str]) -> tuple[str, str]:
    """How many layers a vector has, and how many entries a layer: natural numbers."""
    size = count(arguments["dimension"], integers)
    if kind.layers is None:
        return "1%nat", size
    layers = count(substitute(kind.layers.at(), arguments), integers)
    return layers, f"({size} / {layers})%nat"


def _image(kind: RescaledSum, arguments: Mapping[str, Term], integers: frozenset[str]) -> tuple[str, str, str]:
    """How a row is rounded; the granularity; and the rest of what it is rescaled by, from the size of a layer on."""
    way = "towards_zero" if kind.rounding == "towards_zero" else "to_the_nearest"
    term = substitute(kind.factor.term, {**arguments, "square": name("square__"), "root": name("root__")})
    factor = real(term, integers, ATOM).replace("square__", "the_square").replace("root__", "the_root")
    step = real(arguments["granularity"], integers, ATOM)
    return f"Sensitivity.{way}", step, f"(fun the_square the_root : R => {factor}) StabilityClaims.root_above"


def _rescaled(stem: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes a sum of rescaled rows."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        kind = registry.lookup(stem, RescaledSum)
        export.uses("Tables", "Sensitivity", "StabilityClaims")
        arguments = registry.bound(kind, t)
        way, step, factor = _image(kind, arguments, integers)
        size = _layers(kind, arguments, integers)[1]
        image = f"(Sensitivity.rescaled {way} {step} {size} {factor})"
        match kind.stage:
            case "total":
                body = f"{image} (Sensitivity.vector_sum (fun the_row : Tables.vector => the_row) the_table) place"
            case "moments":
                body = f"Sensitivity.vector_sum (Sensitivity.moment {size} {step} {factor}) the_table place"
            case _:
                body = f"Sensitivity.vector_sum {image} the_table place"
        if kind.stage == "average":
            body += " / INR (Nat.max 1 (length the_table))"
        if kind.divisor is not None:
            body += f" / {real(substitute(kind.divisor.at(), arguments), integers, ATOM)}"
        return f"fun (the_table : Tables.table Tables.vector) (place : nat) => {body}"

    return write


def rescaled_rows(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The stability of a sum of rescaled rows, whatever their dimension is."""
    _, integers, statement = _claim(export, step)
    neighbours = str(step.data["neighbours"])
    kind = registry.lookup(str(step.data["stem"]), RescaledSum)
    known = _Lemmas(integers, stability(kind.stem, neighbours), lemmas)
    same = {p: name(p) for p in kind.parameters}
    way, granularity, factor = _image(kind, same, integers)
    layers, size = _layers(kind, same, integers)
    one = "1" if kind.divisor is None else real(kind.divisor.at(), integers, ATOM)
    reach = real(kind.reach.at(), integers, ATOM)
    lengths = known.instance("lengths_are_not_negative", {}, {})
    at = {"square": "the_square", "root": "the_root"}
    parts = ["intros the_square the_root square_low root_low root_above. cbv beta."]
    if kind.keeps_root:
        parts += [
            "apply (Sensitivity.square_follows_the_root _ _ the_root); try assumption.",
            known.instance("factor_keeps_the_root", at, {}),
        ]
    else:
        parts.append(known.instance("factor_keeps_the_square", at, {}))
    theorem = {"rows": "rescaled_rows"}.get(kind.stage, f"rescaled_rows_{kind.stage}")
    head = f"StabilityClaims.{theorem} {RELATIONS[neighbours]} _ {way} {layers} {size} {granularity} {reach} {one} d_in"
    lines = ["intros."]
    if kind.is_sized:
        lines.append("apply StabilityClaims.stable_on_sized.")
    if kind.stage == "average":
        lines.append(f"apply ({head} {factor.removesuffix(' StabilityClaims.root_above')}) with (dimension := {size}).")
    elif kind.stage == "moments":
        head = f"StabilityClaims.{theorem} {RELATIONS[neighbours]} _ {size} {granularity} {reach} d_in"
        lines.append(f"apply ({head} {factor.removesuffix(' StabilityClaims.root_above')}).")
    else:
        lines.append(f"apply ({head} {factor.removesuffix(' StabilityClaims.root_above')}).")
    dimensions = "apply StabilityClaims.one_layer"
    if kind.layers is not None:
        dimensions = "apply StabilityClaims.layers_of; assumption"
    lines += [
        "all: cbv beta.",
        f"all: try ({lengths.replace('. ', '; ').removesuffix('.')}; StabilityClaims.positive known; fail).",
        f"all: try ({dimensions}; fail).",
        "all: try (intros; unfold Rdiv; rewrite ?Rinv_1, ?Rmult_1_r; reflexivity).",
        "all: try (StabilityClaims.rescaled_far; fail).",
        " ".join((*parts, "StabilityClaims.from known.")),
    ]
    return add_stable(export, step, statement, lines)


# Rounding, sums by levels, linear maps


def _rounded(export: Export, t: Term, integers: frozenset[str]) -> str:
    """Numbers, or the coordinates of a vector, moved to the nearest multiples."""
    export.uses("Tables", "Sensitivity", "StabilityClaims")
    return f"StabilityClaims.rounded {real(t.arguments[0], integers, ATOM)}"


def rounded(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """The stability of a rounding."""
    claim, integers, statement = _claim(export, step)
    metric = str(step.data["metric"])
    theorem = "rounded" if metric == "absolute" else f"rounded_{metric}"
    size = "" if metric == "absolute" else count(claim.domain.arguments[1], integers)
    lines = ["intros.", f"pose proof (Sensitivity.{theorem} {size} granularity d_in) as known."]
    lines += ["StabilityClaims.granted_on_the_grid known.", "rewrite ?StabilityClaims.count_of in known by assumption."]
    return add_stable(export, step, statement, [*lines, "exact known."])


def _levels(stem: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes sums by levels."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        kind = registry.lookup(stem, LevelSums)
        export.uses("Tables", "Sensitivity", "StabilityClaims")
        levels = _form(kind, registry.bound(kind, t), integers)
        vectors = "fun the_vector : Tables.vector =>"
        return f"{vectors} Sensitivity.vector_of (Sensitivity.sums_by_level {levels} the_vector)"

    return write


def _form(kind: LevelSums, arguments: Mapping[str, Term], integers: frozenset[str]) -> str:
    """The levels, in brackets."""
    called, parameters = FORMS[kind.form]
    return f"(Sensitivity.{called} {' '.join(count(arguments[p], integers) for p in parameters)})"


FORMS = {
    "tree": ("tree", ("branching", "levels")), "wavelet": ("wavelet", ("levels",)),
    "two_level": ("two_level", ("block", "blocks")), "prefixes": ("prefixes", ("entries",)),
}  # fmt: skip
"""Form -> what the library calls it, and the parameters that it has there."""
FITS = {
    "tree": (
        "apply (StabilityClaims.tree_fits branching levels leaves); assumption",
        "apply StabilityClaims.sums_of_a_tree; assumption",
        "apply StabilityClaims.tree_count; assumption",
    ),
    "wavelet": (
        "apply (StabilityClaims.wavelet_fits levels leaves); assumption",
        "apply StabilityClaims.sums_of_a_wavelet; assumption",
        "apply StabilityClaims.wavelet_count; assumption",
    ),
    "two_level": (
        "apply (StabilityClaims.two_level_fits block blocks); assumption",
        "apply StabilityClaims.sums_of_two_levels; assumption",
        "reflexivity",
    ),
    "prefixes": (
        "apply Sensitivity.prefixes_fit; assumption",
        "symmetry; apply Sensitivity.prefixes_sums",
        "apply StabilityClaims.prefixes_count; assumption",
    ),
}
"""Form -> the proofs that its levels fit the entries, what their sums are, and how many levels there are."""


def level_sums(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """The stability of sums by levels."""
    claim, integers, statement = _claim(export, step)
    kind = registry.lookup(str(step.data["stem"]), LevelSums)
    levels = _form(kind, {p: name(p) for p in kind.parameters}, integers)
    entries, sums = (count(d.arguments[1], integers) for d in (claim.domain, claim.output_domain))
    many_levels = real(LEVEL_FORMS[kind.form].count, integers, ATOM)
    theorem = f"StabilityClaims.level_sums_{step.data['near']}_{step.data['far']}"
    fits, many, how_many = FITS[kind.form]
    lines = ["intros.", f"apply ({theorem} {levels} {entries} {sums} granularity d_in {many_levels})."]
    return add_stable(export, step, statement, [*lines, f"- intros. {fits}.", f"- {many}.", f"- {how_many}."])


def _matrix(export: Export, t: Term, integers: frozenset[str]) -> str:
    """The matrix of a linear map, in brackets."""
    export.uses("Tables", "Sensitivity", "StabilityClaims")
    kind = registry.lookup(t.operator, LinearMap)
    kind.matrix(t)  # TermError unless it is closed
    if kind.is_toeplitz:
        return f"(StabilityClaims.toeplitz {_list(t.arguments[0].arguments)})"
    return f"(StabilityClaims.matrix_of [{'; '.join(_list(row.arguments) for row in t.arguments[0].arguments)}])"


def _list(numbers: Sequence[Term]) -> str:
    """A list of numbers."""
    return f"[{'; '.join(real(t, (), ATOM) for t in numbers)}]"


def _linear(export: Export, t: Term, integers: frozenset[str]) -> str:
    """A linear map of vectors."""
    try:
        matrix = registry.lookup(t.operator, LinearMap).matrix(t)
    except TermError as error:
        raise NotInRocq(str(error)) from None
    return f"Sensitivity.linear {len(matrix[0])} {_matrix(export, t, integers)}"


def _family(kind: str) -> Callable[..., str]:
    """What writes the relation of vectors whose entries change at some positions."""

    def write(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
        export.uses("Tables", "Sensitivity")
        one, size = inputs.arguments[0], count(inputs.arguments[1], integers)
        if one.operator != "grid":
            raise NotInRocq(f"vectors of {one} whose entries change so have no word in the library yet")
        near = f"Sensitivity.changed_within ({kind}) {size} {real(distance, integers, ATOM)}"
        return f"Tables.restricted (Tables.vector_on_grid {size} {real(one.arguments[0], integers, ATOM)}) ({near})"

    return write


MOST = 16
"""The greatest number in the name of a relation of streams that is written."""
FAMILIES = {
    **{f"window_{w}": f"Sensitivity.window {w}%nat" for w in range(1, MOST + 1)},
    **{
        f"{kind}_{most}_{gap}": f"Sensitivity.{kind} {most}%nat {gap}%nat"
        for kind in ("apart", "spaced")
        for most in range(1, MOST + 1)
        for gap in range(1, MOST + 1)
    },
}


# Counts in cells, and medians


def _cells(stem: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes counts in the cells of classes and values."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        kind = registry.lookup(stem, CellSum)
        export.uses("Tables", "Sensitivity", "StabilityClaims")
        places = _places(kind, registry.bound(kind, t), integers)
        return f"Sensitivity.sums_in 0 {places} (fun _ _ => 0)"

    return write


def _places(kind: CellSum, arguments: Mapping[str, Term], integers: frozenset[str]) -> str:
    """The cells of a row, a function, in brackets."""
    if kind.placed != "classes_and_values" or kind.contribution is not None:
        raise NotInRocq(f"the cells of {kind.stem} have no word in the library yet")
    sizes = " ".join(count(arguments[p], integers) for p in ("classes", "values", "dimension"))
    return f"(StabilityClaims.by_class_and_value {sizes})"


def sums_in_cells(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The stability of counts in cells."""
    _, integers, statement = _claim(export, step)
    neighbours, norm = (str(step.data[key]) for key in ("neighbours", "norm"))
    kind = registry.lookup(str(step.data["stem"]), CellSum)
    known = _Lemmas(integers, stability(kind.stem, neighbours, norm), lemmas)
    places = _places(kind, {p: name(p) for p in kind.parameters}, integers)
    rows = inside(export, kind.input_rows, integers)
    hits, cells = count(kind.hits, integers), count(kind.cells, integers)
    bound = real(kind.edits[neighbours, norm].bound.at(), integers, ATOM)
    head = f"StabilityClaims.counts_in_cells_{norm} {RELATIONS[neighbours]} {rows} {places} {hits} {cells} {bound} d_in"
    ends = known.instance(f"alone_ends_at_the_bound.{neighbours}.{norm}", {}, {})
    lines = [
        "intros.",
        f"apply ({head}).",
        *(["- StabilityClaims.some_row."] if norm == "l1" else []),
        "- intro. apply StabilityClaims.class_hits. assumption.",
        f"- cbv iota. rewrite ?StabilityClaims.count_of by assumption. {ends} StabilityClaims.from known.",
    ]
    return add_stable(export, step, statement, lines)


def _median(form: str) -> Callable[[Export, Term, frozenset[str]], str]:
    """What writes the median with what is known of it."""

    def write(export: Export, t: Term, integers: frozenset[str]) -> str:
        export.uses("Tables", "Sensitivity", "StabilityClaims")
        ends = " ".join(real(a, integers, ATOM) for a in t.arguments[:2])
        own = [real(a, integers, ATOM) for a in t.arguments[2:]]
        median, table = f"Sensitivity.median {ends} the_table", "fun the_table : Tables.table R =>"
        match form:
            case "smooth":
                return f"{table} ({median}, Sensitivity.smooth_bound {ends} {own[0]} the_table)"
            case "local":
                return f"{table} ({median}, Sensitivity.move {ends} the_table 0)"
        distance = f"INR (Sensitivity.distance_of {ends} {own[0]} the_table)"
        return f"{table} ({distance if form == 'distance' else f'2 * {distance}'}, {median})"

    return write


def median_bounds(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """The stability of the median with a bound, or a distance."""
    statement = _claim(export, step)[2]
    kind, relation = registry.lookup(str(step.data["stem"]), MedianBounds), RELATIONS[str(step.data["neighbours"])]
    theorem, own = {
        "smooth": ("median_with_smooth_bound", "growth"),
        "distance": ("median_with_distance", "granularity bound"),
    }[kind.form]
    lines = [
        "intros.",
        f"apply (StabilityClaims.{theorem} lower upper {relation}) with ({_bindings(own)}); assumption.",
    ]
    return add_stable(export, step, statement, lines)


def _bindings(names_of: str) -> str:
    """Each name for itself."""
    return ") (".join(f"{one} := {one}" for one in names_of.split())


def _pairs(metric: str) -> Callable[[Export, Term, Term, frozenset[str]], str]:
    """What writes the relation of pairs of numbers."""

    def write(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
        export.uses("Tables", "StabilityClaims")
        held = fields(inputs)
        if tuple(key for key, _ in held) != (0, 1):
            raise NotInRocq(f"{inputs} are no pairs")
        first, second = (inside(export, d, integers) for _, d in held)
        near = f"Tables.{metric} {real(distance, integers, ATOM)}"
        return f"Tables.restricted (StabilityClaims.pair_of {first} {second}) ({near})"

    return write


def linear_map(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """The stability of a linear map whose matrix is written down."""
    claim, integers, statement = _claim(export, step)
    kind = registry.lookup(claim.subject.operator, LinearMap)
    matrix, near, far = kind.matrix(claim.subject), str(step.data["near"]), str(step.data["far"])
    unit = Fraction(str(step.data.get("step", "1")))
    rows, columns = len(matrix), len(matrix[0])
    moved = claim.d_out[0].arguments[1]
    bound = real(moved.arguments[0] if far == "l2" else moved, integers, ATOM)
    steps = [[f"{entry / unit}%Z" if entry >= 0 else f"({entry / unit})%Z" for entry in row] for row in matrix]
    unit_, written_ = _number(unit), _matrix(export, claim.subject, integers)
    if kind.is_toeplitz:
        held = f"[{'; '.join(row[0] for row in steps)}] {_list(claim.subject.arguments[0].arguments)}"
        listed = f"StabilityClaims.coefficients_on_grid {unit_} {held}"
    else:
        entries_ = "; ".join(_list(row.arguments) for row in claim.subject.arguments[0].arguments)
        held = f"[{'; '.join('[' + '; '.join(row) + ']' for row in steps)}] [{entries_}]"
        listed = f"StabilityClaims.entries_on_grid {unit_} {held}"
    over = f"{rows} {columns} {written_} granularity {unit_} d_in {bound}"
    entries = f"(fun i j _ _ => {listed} ltac:(StabilityClaims.listed) i j)"
    suffix = "" if far == "l1" else "_l2"
    every = "intros j J. StabilityClaims.each_place j J; StabilityClaims.decided."
    match near:
        case "l1" | "one_coordinate":
            theorem = "linear_map" if near == "l1" else "linear_map_one_coordinate"
            positive = " ltac:(lra)" if far == "l1" else ""
            head, proof = f"Sensitivity.{theorem}{suffix} {over} {entries}{positive}", [every]
        case "l2":
            head = f"Sensitivity.linear_map_l2_to_l2 {over} {entries} ltac:(lra)"
            proof = [f"intro z. StabilityClaims.worked_out. {_squares(matrix, moved.arguments[0].rational)}"]
        case _ if near in FAMILIES:
            head = f"Sensitivity.linear_map_within{suffix} {over} {entries} ({FAMILIES[near]})"
            proof = [
                "intros positions s family corner.",
                *(f"pose proof (corner {j}%nat ltac:(repeat constructor)) as at_{j}." for j in range(columns)),
                f"StabilityClaims.corners family {columns}%nat.",
            ]
            if not near.startswith("apart"):
                raise NotInRocq(f"a bound where the entries change as in {near} is not proved of a matrix yet")
        case _:
            raise NotInRocq(f"a linear map from {near} has no theorem of the library")
    lines = ["intros.", f"pose proof ({head}) as known.", "match type of known with ?given -> _ =>"]
    lines += ["  assert (found : given) end.", f"{{ {' '.join(proof)} }}"]
    lines += ["specialize (known found). rewrite ?Rmult_1_r in known."]
    lines += ["first [exact known | intros u v near_; apply known; exact near_]."]
    return add_stable(export, step, statement, lines)


def _number(value: Fraction) -> str:
    """A rational number."""
    return real(number(value), (), ATOM)


def _squares(matrix: Matrix, bound: Fraction) -> str:
    """A proof that bound |z|^2 - |C z|^2 is not negative: it is a sum of squares."""
    left = [[(bound if i == j else Fraction(0)) - v for j, v in enumerate(row)] for i, row in enumerate(gram(matrix))]
    size, parts = len(left), list[str]()
    for i in range(size):
        pivot = left[i][i]
        if pivot == 0:
            continue
        inner = " + ".join(f"{_number(left[i][j] / pivot)} * z {j}%nat" for j in range(i, size))
        parts.append(f"{_number(pivot)} * ({inner}) ^ 2")
        row = left[i][:]
        for j in range(i, size):
            for k in range(i, size):
                left[j][k] -= row[j] * row[k] / pivot
    form = " + ".join(parts) or "0"
    positive = "repeat apply Rplus_le_le_0_compat; try (apply Rmult_le_pos; [lra | apply pow2_ge_0]); lra."
    return f"match goal with |- 0 <= ?form => replace form with ({form}) by field end. {positive}"


# Refutations


def unstable_pair(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """That a claim of stability is false: two inputs are near, and what becomes of them is not."""
    claim = step.claim.claim if isinstance(step.claim, Refuted) else None
    if not isinstance(claim, Stable):
        raise NotInRocq(f"{step.claim.term.operator} refutes no claim of stability")
    none = frozenset[str]()
    export.uses("Tables", "Sensitivity", "StabilityClaims")
    statement = judgements.said(export, step.claim)
    a, b = (data(read(str(step.data[key]))) for key in ("a", "b"))
    relation = judgements.near(export, claim.domain, claim.metric, claim.d_in, none)
    lines = [
        "intro claim.",
        f"assert (close : {relation} {_input(claim.domain, a)} {_input(claim.domain, b)}).",
        f"{{ {_close(claim.domain, claim.metric, a, b)} }}",
        "specialize (claim _ _ close). clear close.",
        *_images(claim.subject, (a, b)),
        *_apart(claim, value(claim.subject, a), value(claim.subject, b)),
    ]
    taken = sum(line.startswith("Theorem unstable_pair") for line in export.lines)
    called = f"unstable_pair__{claim.subject.operator}" + (f"_{taken + 1}" if taken else "")
    return export.says(called, statement, lines, f"unstable_pair: {_plain(step.claim.term)}")


def _input(inputs: Term, x: Any) -> str:
    """A member of a domain, in brackets."""
    if inputs.operator in ("table", "sized_table"):
        return f"[{'; '.join(_input(inputs.arguments[0], row) for row in x)}]"
    if inputs.operator == "vector":
        return f"(Sensitivity.vector_of [{'; '.join(map(_number, x))}])"
    if not isinstance(x, Fraction):
        raise NotInRocq(f"{x} is no number")
    return _number(x)


def _steps(numbers: Sequence[Fraction], unit: Fraction) -> str:
    """Whole numbers of steps."""
    return f"[{'; '.join(f'({x / unit})%Z' for x in numbers)}]"


def _member(inputs: Term, x: Any) -> str:
    """A tactic that proves that a member lies in its domain."""
    match inputs.operator:
        case "table":
            return _all(_member(inputs.arguments[0], row) for row in x)
        case "sized_table":
            return f"(split; [{_all(_member(inputs.arguments[0], row) for row in x)} | reflexivity])"
        case "reals":
            return "exact I"
        case "grid":
            return f"(exists ({x / inputs.arguments[0].rational})%Z; lra)"
        case "bounded":
            return f"(split; [exists ({x / inputs.arguments[0].rational})%Z; lra | lra])"
        case "interval":
            return "(cbv [NoiseClaims.interval]; lra)"
        case "category" | "finite":
            return f"(split; [exists ({x})%Z; reflexivity | lra])"
        case "vector" if inputs.arguments[0].operator == "grid":
            unit = inputs.arguments[0].arguments[0].rational
            listed = f"apply (StabilityClaims.listed_on_grid _ {_steps(x, unit)}); StabilityClaims.listed"
            return f"({listed})"
        case "vector" if inputs.arguments[0].operator == "reals":
            return "(intros j _; exact I)"
    raise NotInRocq(f"that {x} lies in {inputs} has no proof yet")


def _all(members: Iterable[str]) -> str:
    """A tactic that proves that each row lies in the domain."""
    tactic = "apply Forall_nil"
    for member in reversed(list(members)):
        tactic = f"apply Forall_cons; [{member} | {tactic}]"
    return f"({tactic})"


def _close(inputs: Term, metric: str, a: Any, b: Any) -> str:
    """Tactics that prove that two inputs are near."""
    ends = f"{_member(inputs, a)} | split; [{_member(inputs, b)} | ]"
    match metric:
        case "symmetric" | "change_one":
            rows = inputs.arguments[0]
            common = list((Counter(a) & Counter(b)).elements())
            removed, added = (list((Counter(x) - Counter(y)).elements()) for x, y in ((a, b), (b, a)))
            parts = [f"[{'; '.join(_input(rows, row) for row in part)}]" for part in (removed, added, common)]
            orders = f"split; [{_order(rows, a, common + removed)} | {_order(rows, b, common + added)}]"
            differ = f"[exists {parts[2]}; {orders} | "
            rest = "simpl; lra]" if metric == "symmetric" else "split; [reflexivity | simpl; lra]]"
            return f"split; [{ends}]. exists {parts[0]}, {parts[1]}. split; {differ}{rest}."
        case "absolute" if inputs.operator == "reals":
            return "StabilityClaims.decided."
        case "absolute":
            return f"split; [{ends}]. StabilityClaims.decided."
        case "l1" | "l2":
            split = "" if metric == "l1" else "split; [lra |]. "
            return f"split; [{ends}]. {split}StabilityClaims.decided."
        case "one_coordinate":
            place = next((j for j, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), 0)
            each = "intros j J; StabilityClaims.each_place j J; StabilityClaims.decided"
            return f"split; [{ends}]. split; [split; [lra | {each}] | exists {place}%nat]. {_same_elsewhere()}"
        case _ if metric in FAMILIES and metric.startswith("apart"):
            each = "intros j J; StabilityClaims.each_place j J; StabilityClaims.decided"
            changed = "; ".join("true" if x != y else "false" for x, y in zip(a, b, strict=True))
            positions = f"(fun j => nth j [{changed}] false)"
            return (
                f"split; [{ends}]. split; [split; [lra | {each}] | exists {positions}]. split; "
                f"[StabilityClaims.apart {len(a)}%nat | intros j J; StabilityClaims.each_place j J; "
                "first [discriminate | reflexivity]]."
            )
    raise NotInRocq(f"that two inputs are near in {metric} has no proof yet")


def _same_elsewhere() -> str:
    """Tactics that prove that every other coordinate is the same."""
    return "intros j J other. StabilityClaims.each_place j J; first [reflexivity | elim other; reflexivity]."


def _order(rows: Term, a: Sequence[Any], b: Sequence[Any]) -> str:
    """A tactic that proves that two tables have the same rows."""
    left, tactic, found = list(b), "reflexivity", list[tuple[Any, list[Any], list[Any]]]()
    for row in a:
        place = left.index(row)
        found.append((row, left[:place], left[place + 1 :]))
        del left[place]
    for _, before, after in reversed(found):
        first, second = (f"[{'; '.join(_input(rows, one) for one in part)}]" for part in (before, after))
        tactic = f"refine (Permutation.Permutation_cons_app {first} {second} _ _); cbn [app]; {tactic}"
    return f"(cbn [app]; {tactic})"


def _images(subject: Term, inputs: Sequence[Any]) -> Iterator[str]:
    """Tactics that bring in what becomes of numbers where that is rounded, or placed."""
    kind = registry.kind_of(subject.operator)
    if isinstance(kind, Rounding):
        unit = subject.arguments[0].rational
        for i, x in enumerate(inputs):
            places = round_to(x, unit) / unit
            text = f"StabilityClaims.nearest_is {_number(unit)} {_number(x)} ({places})%Z ltac:(lra) ltac:(lra)"
            yield f"pose proof ({text}) as image_{i}."
    if isinstance(kind, CellSum) and kind.placed == "classes_and_values":
        for one in sorted({entry for table in inputs for row in table for entry in row}):
            if one >= 0:
                fact = f"StabilityClaims.natural_is {one} {_number(one)} ltac:(cbn; lra)"
                yield f"pose proof ({fact}) as natural_{one}."
    if isinstance(kind, RescaledSum):
        yield from _rescaled_images(kind, subject, inputs)


def _rescaled_images(kind: RescaledSum, subject: Term, inputs: Sequence[Any]) -> Iterator[str]:
    """What each entry of each row, or of their sum, is rescaled to."""
    arguments, values, none = registry.bound(kind, subject), registry.values(kind, subject), frozenset[str]()
    unit, layers = values["granularity"], 1 if kind.layers is None else int(evaluate(kind.layers.term, values))
    way, step, factor = _image(kind, arguments, none)
    size = _layers(kind, arguments, none)[1]
    image = f"Sensitivity.rescaled {way} {step} {size} {factor}"
    if kind.stage == "total":
        raise NotInRocq("a sum that is rescaled is not worked out yet")
    for i, row in enumerate(dict.fromkeys(row for table in inputs for row in table)):
        vector, length = f"(Sensitivity.vector_of [{'; '.join(map(_number, row))}])", len(row) // layers
        for j, entry in enumerate(row):
            part = row[j // length * length : (j // length + 1) * length]
            square = sum((c * c for c in part), Fraction(0))
            root = root_above(square)
            if root * root != square:
                raise NotInRocq("a square whose root is irrational is not worked out yet")
            exact = Fraction(evaluate(kind.factor.term, {**values, "square": square, "root": root})) * entry
            near_by = towards_zero(exact, unit) if kind.rounding == "towards_zero" else round_to(exact, unit)
            places = near_by / unit
            lemma = "truncated_is" if kind.rounding == "towards_zero" else "nearest_is"
            yield f"assert (image_{i}_{j} : {image} {vector} {j}%nat = {_number(unit)} * IZR ({places})%Z)."
            known = " ".join(map(_number, (square, root, exact)))
            yield f"{{ apply (StabilityClaims.rescaled_at _ _ _ _ _ _ {known})."
            yield "  - StabilityClaims.worked_out. lra."
            yield f"  - StabilityClaims.root_of {root.numerator}%Z {root.denominator}%Z."
            yield "  - cbv beta. StabilityClaims.evaluated."
            yield f"  - apply (StabilityClaims.{lemma} _ _ ({places})%Z); lra. }}"


def _apart(claim: Stable, u: Any, v: Any) -> Iterator[str]:
    """Tactics that prove that what becomes of the inputs is not near."""
    restricted = claim.output_domain.operator != "reals" and not (
        claim.output_domain.operator == "vector" and claim.output_domain.arguments[0].operator == "reals"
    )
    if restricted:
        yield "destruct claim as (_ & _ & claim)."
    match claim.output_metric:
        case "l2":
            yield "destruct claim as [_ claim]."
        case "linf":
            place = max(range(len(u)), key=lambda j: abs(u[j] - v[j]))
            yield f"destruct claim as [_ claim]. specialize (claim {place}%nat ltac:(repeat constructor))."
        case "smooth":
            yield from _not_smooth(claim, u, v)
        case "tested":
            raise NotInRocq("the distance of a median is not worked out yet")
    yield "StabilityClaims.refuted claim."


def _not_smooth(claim: Stable, u: Any, v: Any) -> Iterator[str]:
    """Which part of `smooth` fails."""
    growth = Fraction(evaluate(claim.d_out[0], {}))
    if abs(u[0] - v[0]) > min(u[1], v[1]):
        raise NotInRocq("medians that are farther apart than their bounds are not worked out yet")
    if u[1] > growth * v[1]:
        yield "destruct claim as [_ [claim _]]."
    else:
        yield "destruct claim as [_ [_ claim]]."


RELATIONS = {"add_remove": "Tables.add_remove", "change_one": "Tables.replace_one"}
"""What the library calls the neighbouring relations."""
MAPPED = ("clamp",)
RESCALED = (
    "clipped_vector_sum", "clipped_vector_mean", "clipped_mean_of_sized", "clipped_mean_by_count",
    "layered_clipped_sum", "guarded_clipped_sum", "automatic_clipped_sum", "nearest_clipped_sum", "clipped_total",
    "second_moments",
)  # fmt: skip
LEVELS = ("tree_sums", "wavelet_sums", "two_level_sums", "prefix_sums")
MEDIANS = {
    "median_with_smooth_bound": "smooth",
    "median_with_local_bound": "local",
    "median_with_distance": "distance",
    "median_with_doubled_distance": "doubled",
}
SUMS = (
    "any_row",
    "attribute_means",
    "clamped_sum",
    "clamped_vector_sum",
    "count",
    "histogram",
    "mean",
    "point_count",
    "rank_scores",
    "quantile_scores",
    "threshold_count",
    "unclamped_sum",
)
SUBJECTS: Mapping[str, Callable[[Export, Term, frozenset[str]], str]] = {
    **{stem: _sum(stem) for stem in SUMS},
    **{stem: _mapped(stem) for stem in MAPPED},
    **{stem: _rescaled(stem) for stem in RESCALED},
    "rounded_to": _rounded,
    **{stem: _levels(stem) for stem in LEVELS},
    **dict.fromkeys(("linear", "toeplitz"), _linear),
    "class_counts": _cells("class_counts"),
    **{stem: _median(form) for stem, form in MEDIANS.items()},
}
NEAR: Mapping[tuple[str, str], Callable[[Export, Term, Term, frozenset[str]], str]] = {
    **{(inputs, metric): _tables(metric) for inputs in ("table", "sized_table") for metric in TABLES},
    **{("vector", norm): _vectors(norm) for norm in ("l1", "l2", "linf", "one_coordinate")},
    **{("vector", family): _family(written) for family, written in FAMILIES.items()},
    **{("record", metric): _pairs(metric) for metric in ("smooth", "tested")},
}
WRITERS: Writers = {
    "sum_of_rows": sum_of_rows,
    "rescaled_rows": rescaled_rows,
    "rounded": rounded,
    "level_sums": level_sums,
    "sums_in_cells": sums_in_cells,
    "median_bounds": median_bounds,
    "linear_map": linear_map,
    "unstable_pair": unstable_pair,
}
