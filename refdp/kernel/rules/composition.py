"""Composition: several mechanisms on the same data, on the parts of a partition, on more edits, post-processed."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import KernelError, Private, merged, require
from refdp.kernel.rules.code import ROW_CODE, code_of
from refdp.kernel.rules.settle import greatest, settled, total
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import exact
from refdp.spec import registry
from refdp.spec.domains import domain, is_geodesic, rows_of
from refdp.spec.rows import RowFunction
from refdp.spec.semantics import PostFunction
from refdp.spec.signatures import counted
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, exp, name, names, number, substitute

ANY_SIZE = "k"
"""The size of a group that may have any."""
LARGEST_GROUP = 1_000
"""Largest group for which the factor of delta is summed."""
ADDITIVE = ("pure", "approximate", "concentrated", "renyi", "gaussian", "loss_tail")
"""The measures under which the losses of independent mechanisms add up."""
PARALLEL = ("pure", "approximate", "concentrated", "renyi", "gaussian")
"""The measures for which parallel composition is stated."""


@rule
def compose(*ms: Private) -> Private:
    """
      |- M : d_in |-> e_1     |- N : d_in |-> e_2     ...
    ------------------------------------------------------  same domain, metric, d_in and measure
      |- compose(M, N, ...) : d_in |-> e_1 + e_2 + ...

    The draws are independent of each other.  Under Renyi DP the orders are the same and stay.
    """
    first = alike("compose", ms)
    require(first.measure in ADDITIVE, f"losses under {first.measure} do not add up")
    columns = list(zip(*(m.d_out for m in ms), strict=True))
    if first.measure == "renyi":
        require(len(set(columns[0])) == 1, "the orders of a composition under Renyi DP must be the same")
        columns[0] = columns[0][:1]
    subject = apply("compose", *(m.subject for m in ms))
    return replace(first, subject=subject, d_out=tuple(map(total, columns)), given=merged(*(m.given for m in ms)))


@rule
def compose_failures(*ms: Private) -> Private:
    """
      |- M : d_in |-> approximate(e_1, d_1)     |- N : d_in |-> approximate(e_2, d_2)     ...     d_i <= 1
    ------------------------------------------------------------------------------------------------------
      |- compose(M, N, ...) : d_in |-> approximate(e_1 + e_2 + ..., 1 - (1 - d_1) (1 - d_2) ...)
    """
    first = alike("compose_failures", ms)
    require(first.measure == "approximate", f"expected claims under approximate DP, got {first.measure}")
    none_fails = 1 - first.d_out[1]
    for m in ms[1:]:
        none_fails = none_fails * (1 - m.d_out[1])
    losses = (total(tuple(m.d_out[0] for m in ms)), 1 - none_fails)
    given = merged(*(m.given for m in ms), tuple(m.d_out[1] <= 1 for m in ms))
    subject = apply("compose", *(m.subject for m in ms))
    return settled(replace(first, subject=subject, d_out=losses, given=given))


def alike(rule_name: str, ms: tuple[Private, ...]) -> Private:
    """The first of the claims, all of which are about one domain, metric, d_in and measure."""
    require(len(ms) >= 1 and all(isinstance(m, Private) for m in ms), f"{rule_name} takes private claims")
    first = ms[0]
    for m in ms:
        for part in ("domain", "metric", "d_in", "measure"):
            one, other = getattr(first, part), getattr(m, part)
            require(one == other, f"cannot compose: one {part} is {one}, another {other}")
    return first


@rule
def parallel(*ms: Private, partition: str, neighbours: str) -> Assuming:
    """
      |- M_i : symmetric(1) |-> e_i  on table(ROWS), i = 0 ... k     partition: ROWS -> {-1, 0, ..., k}
    -----------------------------------------------------------------------------------------------------
      |- parallel(partition, M_0, ..., M_k) : symmetric(1) |-> max e_i;  change_one(1) |-> 2 max e_i, pure only

    The tables are closed; losses and conditions may have names.
    """
    require(len(ms) >= 1 and all(isinstance(m, Private) for m in ms), "parallel takes private claims")
    first, split = ms[0], read(partition)
    require(first.domain.operator == "table" and not names(first.domain), "the parts must be closed and unsized tables")
    for m in ms:
        shape = (m.domain, m.metric, m.d_in, m.measure)
        require(
            shape == (first.domain, "symmetric", number(1), first.measure), f"{m.term} is not a part of {first.term}"
        )
    _require_partition(split, rows_of(first.domain), len(ms))
    subject = apply("parallel", split, *(m.subject for m in ms))
    require(first.measure in PARALLEL, f"parallel composition is stated for {', '.join(PARALLEL)}, got {first.measure}")
    same_order = first.measure != "renyi" or len({m.d_out[0] for m in ms}) == 1
    require(same_order, "the orders of parts under Renyi DP must be the same")
    worst = tuple(greatest(column) for column in zip(*(m.d_out for m in ms), strict=True))
    trusts, first = code_of(split) | {ROW_CODE}, replace(first, given=merged(*(m.given for m in ms)))
    if neighbours == "add_remove":
        return Assuming(replace(first, subject=subject, d_out=worst), trusts)
    require(neighbours == "change_one", f"neighbours must be add_remove or change_one, got {neighbours}")
    require(first.measure == "pure", "under change_one parallel composition is stated for pure DP")
    twice = (total((worst[0], worst[0])),)
    return Assuming(replace(first, subject=subject, metric="change_one", d_out=twice), trusts)


def _require_partition(split: Term, rows: Term, parts: int) -> None:
    """A registered row function, closed, from these rows to that many categories, that reads one row at a time."""
    kind = registry.lookup(split.operator, RowFunction)
    arguments = registry.bound(kind, split)
    require(not names(split), f"a partition must be closed, got {split}")
    registry.values(kind, split)
    require(substitute(kind.input_rows, arguments) == rows, f"{split} does not read rows of {rows}")
    categories = substitute(kind.output_rows, arguments)
    whole = kind.keeps_rows and not kind.is_user_code and categories == domain("category", number(parts))
    require(whole, f"{split} does not split rows into {parts} parts")


@rule
def group(m: Private, *, k: str, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> e     every k d_in edits are k times d_in edits
    ------------------------------------------------------------------  pure, approximate, concentrated, gaussian
      |- M : k d_in |-> k e;  delta becomes delta (1 + e^e + ... + e^((k-1) e));  rho and mu^2 are multiplied by k^2

    k is a whole number, or `k`, which is every one of them: then delta becomes delta (e^(k e) - 1) / (e^e - 1), 0 < e.
    """
    require(isinstance(m, Private), "group takes a private claim")
    _require_steps(m)
    if k == ANY_SIZE:
        return _group_of_any_size(m, d_out)
    times = exact(k, "k")
    require(times.denominator == 1 and 1 <= times <= LARGEST_GROUP, f"k must be 1 to {LARGEST_GROUP}, got {times}")
    n = int(times)
    if m.measure == "pure":
        losses: tuple[Term, ...] = (n * m.d_out[0],)
    elif m.measure == "approximate":
        epsilon, delta = m.d_out
        factor = sum((exp(i * epsilon) for i in range(1, n)), number(1))
        losses = (n * epsilon, delta * factor)
    elif m.measure in ("concentrated", "gaussian"):
        losses = (n * n * m.d_out[0],)
    else:
        raise KernelError(_group_is_stated(m))
    return settled(replace(m, d_in=n * m.d_in, d_out=losses), d_out)


def _group_of_any_size(m: Private, d_out: list[str] | None) -> Private:
    """The same for all k: the powers of e^e are a geometric series."""
    require(ANY_SIZE not in names(m.term), f"{ANY_SIZE} has a meaning already in {m.term}")
    n, given = name(ANY_SIZE), merged(m.given, counted(ANY_SIZE))
    if m.measure == "pure":
        losses: tuple[Term, ...] = (n * m.d_out[0],)
    elif m.measure == "approximate":
        epsilon, delta = m.d_out
        losses, given = (
            (n * epsilon, delta * ((exp(n * epsilon) - 1) / (exp(epsilon) - 1))),
            merged(given, (0 < epsilon,)),
        )
    else:
        require(m.measure in ("concentrated", "gaussian"), _group_is_stated(m))
        losses = (n * n * m.d_out[0],)
    d_in = n if m.d_in == number(1) else n * m.d_in
    return settled(replace(m, d_in=d_in, d_out=losses, given=given), d_out)


def _group_is_stated(m: Private) -> str:
    """For which measures group privacy is stated."""
    return f"group privacy is stated for pure, approximate, concentrated, gaussian DP, got {m.measure}"


@rule
def group_renyi(m: Private, *, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> renyi(a, e)     a > 2     every 2 d_in edits are twice d_in edits
    -----------------------------------------------------------------------------------
      |- M : 2 d_in |-> renyi(a / 2, e (2 a - 1) / (a - 1))          at most 3 e, as in Mir17 Prop 2
    """
    require(isinstance(m, Private) and m.measure == "renyi", "group_renyi takes a private claim under renyi")
    _require_steps(m)
    order, e = m.d_out
    losses, given = (order / 2, e * (2 * order - 1) / (order - 1)), merged(m.given, (2 < order,))
    return settled(replace(m, d_in=2 * m.d_in, d_out=losses, given=given), d_out)


def _require_steps(m: Private) -> None:
    """Inputs k times d_in apart are joined by k steps of d_in, a whole number, inside the domain."""
    require(is_geodesic(m.domain, m.metric), f"{m.domain} is not known to be geodesic under {m.metric}")
    require(m.d_in.operator == "number" and m.d_in.rational.denominator == 1, f"d_in must be an integer, got {m.d_in}")


@rule
def replaced_rows(m: Private) -> Private:
    """
      |- M : symmetric(d_in) |-> e  on table(ROWS)
    ------------------------------------------------  a replaced row is a row removed and a row added
      |- M : change_one(d_in / 2) |-> e
    """
    require(isinstance(m, Private), "replaced_rows takes a private claim")
    shape = (m.domain.operator, m.metric)
    require(shape == ("table", "symmetric"), f"expected rows added to or removed from a table, got {m.term}")
    return replace(m, metric="change_one", d_in=m.d_in / 2)


@rule
def post_process(m: Private, *, function: str) -> Assuming:
    """
      |- M : d_in |-> e
    ----------------------------------------  f reads the output of M and nothing else
      |- post_process(f, M) : d_in |-> e

    f is registered, and its code is trusted for it, or user_function('NAME'): then it is a named assumption.
    Not under loss_tail: merging two outcomes may give the merged one a larger loss than the likelier of them.
    """
    require(isinstance(m, Private), "post_process takes a private claim")
    require(m.measure != "loss_tail", "a function of the output may widen the tail of the loss")
    f = read(function)
    claim = replace(m, subject=apply("post_process", f, m.subject))
    if f.operator == "user_function":
        require(len(f.arguments) == 1 and f.arguments[0].operator == "text", "user_function takes one name")
        return Assuming(claim, frozenset({f"assumption: {f.arguments[0]} reads only its argument"}))
    registry.values(registry.lookup(f.operator, PostFunction), f)
    return Assuming(claim, frozenset({ROW_CODE}))
