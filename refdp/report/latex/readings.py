"""What each kind of claim says, as lines of LaTeX: M and T for its subject, x and x' for two inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from refdp.report.latex.lines import INDENT, LONGEST_LINE, broken, width
from refdp.report.latex.terms import bracketed, escaped, latex
from refdp.spec.distances import MEASURES
from refdp.terms.term import Term, equal, name

NORMS = {"absolute": "", "l1": "_{1}", "l2": "_{2}", "linf": r"_{\infty}"}
PRIVACY = {
    "pure": r"\Pr\left[M(x) \in S\right] \le e^{\varepsilon} \, \Pr\left[M(x') \in S\right] \text{ for every } S",
    "approximate": r"\Pr\left[M(x) \in S\right] \le e^{\varepsilon} \, \Pr\left[M(x') \in S\right] + \delta "
    r"\text{ for every } S",
    "ratio": r"\Pr\left[M(x) \in S\right] \le \left(e^{\varepsilon} + \delta\right) \, "
    r"\Pr\left[M(x') \in S\right] \text{ for every } S",
    "loss_tail": r"\Pr_{y \sim M(x)}\left[\ln\frac{\Pr\left[M(x) = y\right]}{\Pr\left[M(x') = y\right]} "
    r"> \varepsilon\right] \le \delta",
    "concentrated": r"\mathrm{D}_{\alpha}\left(M(x) \,\middle\Vert\, M(x')\right) \le \rho \, \alpha "
    r"\text{ for every } \alpha > 1",
    "gaussian": r"\Pr\left[M(x) \in S\right] \le \Pr\left[Z > z - \sqrt{\mu_{\mathrm{squared}}}\right] \text{ if } "
    r"\Pr\left[M(x') \in S\right] \le \Pr\left[Z > z\right], \text{ with } Z \text{ standard normal}",
    "renyi": r"\mathrm{D}_{\mathrm{order}}\left(M(x) \,\middle\Vert\, M(x')\right) \le \varepsilon",
}
"""Measure -> what it says of M(x) and M(x'), in the names of its numbers; D is the Renyi divergence."""
LAWS = {
    "normalised": r"\text{the masses of } M(x) \text{ sum, or its density integrates, to } 1, \text{ for every } x",
    "sampler_law": r"\text{the sampler of } M \text{ draws from the law of } M",
    "finite_sensitivity": r"\text{one edit of the input moves } M \text{ by at most some finite bound}",
}
EVENTS, BOUNDS = {"at_least": r"\ge", "more_than": ">"}, {"probability": "=", "at_most": r"\le"}


def private(_: str, subject: Term, domain: Term, near: Term, far: Term) -> Iterator[str]:
    """M: inputs within d_in give laws within d_out."""
    yield from about("M", subject)
    yield inputs(domain)
    says = PRIVACY.get(far.operator)
    names = MEASURES[far.operator].parameters if far.operator in MEASURES else ()
    if says is None or len(names) != len(far.arguments):
        yield rf"{distance(near)} \;\Rightarrow\; \text{{the laws of }} M(x), M(x') \text{{ are within }} {latex(far)}"
        return
    yield rf"{distance(near)} \;\Rightarrow\; {says}"
    yield from where(names, far.arguments)


def where(names: tuple[str, ...], values: tuple[Term, ...]) -> Iterator[str]:
    """What the names of a measure stand for, if not for themselves."""
    meant = [equal(name(n), d) for n, d in zip(names, values, strict=True) if d != name(n)]
    if meant and sum(map(width, meant)) <= LONGEST_LINE:
        yield r"\text{where } " + r",\quad ".join(map(latex, meant))
    elif meant:
        yield r"\text{where}"
        yield from (INDENT + line for m in meant for line in broken(m))


def stable(_: str, subject: Term, domain: Term, near: Term, out: Term, far: Term) -> Iterator[str]:
    """T: inputs within d_in give outputs within d_out."""
    yield from about("T", subject)
    yield rf"{inputs(domain)},\quad T(x) \in {latex(out)}"
    yield rf"{distance(near)} \;\Rightarrow\; " + distance(far, "T(x)", "T(x')")


def law(kind: str, subject: Term) -> Iterator[str]:
    """A claim about a mechanism alone."""
    yield from about("M", subject)
    yield LAWS[kind]


def tail(_: str, subject: Term, domain: Term, event: Term, bound: Term) -> Iterator[str]:
    """How likely an error is that is at least, or more than, a threshold."""
    yield from about("M", subject)
    yield inputs(domain).replace("x, x'", "x")
    (size,) = event.arguments
    (threshold,), (beta,) = size.arguments, bound.arguments
    error = rf"\mathrm{{{escaped(event.operator)}}}\left(M(x), x\right) {EVENTS[size.operator]} {latex(threshold)}"
    yield rf"\Pr\left[{error}\right] {BOUNDS[bound.operator]} {latex(beta)}"


def divergence(_: str, subject: Term, near: Term, far: Term) -> Iterator[str]:
    """The exact Renyi divergence between inputs just d_in apart."""
    order, value = far.arguments
    yield from about("M", subject)
    left = rf"\mathrm{{D}}_{{{latex(order)}}}\left(M(x) \,\middle\Vert\, M(x')\right)"
    yield rf"{distance(near, relation='=')} \;\Rightarrow\; {left}"
    first, *rest = broken(value)
    yield from (f"{INDENT}= {first}", *(INDENT + line for line in rest))


def unbounded(_: str, subject: Term, near: Term) -> Iterator[str]:
    """No epsilon bounds the loss between inputs just d_in apart."""
    yield from about("M", subject)
    apart, none = distance(near, relation="="), r"\text{no } \varepsilon \text{ bounds the privacy loss}"
    yield rf"{apart} \;\Rightarrow\; {none} \text{{ between }} x \text{{ and }} x'"


def same(_: str, subject: Term, another: Term) -> Iterator[str]:
    """Two mechanisms with the same law."""
    yield from (*about("M", subject), *about("N", another))
    yield r"M(x) \text{ and } N(x) \text{ have the same law, for every } x"


def other(operator: str, *arguments: Term) -> Iterator[str]:
    """Any other claim: its name, and what it is about, each on a line."""
    short = ", ".join(map(latex, arguments))
    if sum(map(width, arguments)) <= LONGEST_LINE:
        yield rf"\mathrm{{{escaped(operator)}}}{bracketed(short)}"
        return
    yield rf"\mathrm{{{escaped(operator)}}} \text{{ of}}"
    yield from (rf"\qquad {latex(a)}" for a in arguments)


def about(letter: str, subject: Term) -> Iterator[str]:
    """What the claim is about; each part of a long combination on a line of its own."""
    if width(subject) <= LONGEST_LINE or not subject.arguments:
        yield f"{letter} = {latex(subject)}"
        return
    *most, last = map(latex, subject.arguments)
    yield rf"{letter} = \mathrm{{{escaped(subject.operator)}}} \text{{ of}}"
    yield from (rf"\qquad {part}," for part in most)
    yield rf"\qquad {last}"


def inputs(domain: Term) -> str:
    """Where the two inputs come from."""
    return rf"x, x' \in {latex(domain)}" if "text" not in latex(domain) else rf"x, x' \text{{: }} {latex(domain)}"


def distance(near: Term, u: str = "x", v: str = "x'", relation: str = r"\le") -> str:
    """That two things are within a distance of each other, or just that distance apart."""
    limit = ", ".join(map(latex, near.arguments))
    if near.operator in NORMS:
        sign = "|" if near.operator == "absolute" else r"\|"
        return rf"\left{sign}{u} - {v}\right{sign}{NORMS[near.operator]} {relation} {limit}"
    return rf"\mathrm{{d}}_{{\mathrm{{{escaped(near.operator)}}}}}\left({u}, {v}\right) {relation} {limit}"


READINGS: Mapping[str, Callable[..., Iterator[str]]] = {
    "private": private,
    "stable": stable,
    "tail": tail,
    "renyi_divergence": divergence,
    "unbounded_loss": unbounded,
    "same_law": same,
    **dict.fromkeys(LAWS, law),
}
"""Claim -> the lines that say it; each takes the claim's name and what it is about, without its conditions."""
