"""Programs built by hand, as the reader of Python should build them."""

from refdp.programs.adjacency import ALL, LENGTH, MONO, ONE, Adjacency
from refdp.programs.syntax import Assign, Branch, Break, Claim, Data, Draw, Emit, Loop, Program, Statement
from refdp.terms.leaves import FALSE, TRUE, integer, rational, variable
from refdp.terms.operations import add, at_most, conjunction, disjunction, divide, equal, less, multiply, negation
from refdp.terms.term import Term

EPSILON, LIMIT, THRESHOLD = variable("epsilon", "Real"), variable("N", "Int"), variable("T", "Real")
ELEMENT, COUNTER = variable("x", "Real"), variable("i.loop", "Int")
QUERIES = Data("q", True)


def real(name: str) -> Term:
    return variable(name, "Real")


def whole(name: str) -> Term:
    return variable(name, "Int")


def program(name: str, body: tuple[Statement, ...], adjacency: Adjacency = ALL, epsilon: Term = EPSILON) -> Program:
    assumption = conjunction(less(rational(0), EPSILON), at_most(integer(1), LIMIT))
    parameters = {"epsilon": "Real", "N": "Int", "T": "Real"}
    return Program(name, QUERIES, parameters, assumption, body, (Claim(adjacency, epsilon),))


def over_data(*body: Statement, condition: Term = TRUE) -> Loop:
    return Loop("i.loop", LENGTH, "x", body, condition)


def laplace(target: str, site: int, scale: Term) -> Draw:
    return Draw(target, "laplace", (scale,), site)


def sparse_vector(
    first: Term | None = None, second: Term | None = None, adjacency: Adjacency = ALL, epsilon: Term = EPSILON
) -> Program:
    """Noisy threshold; answers below are no, above yes; it stops after N answers above."""
    first = first if first is not None else divide(integer(2), EPSILON)
    second = second if second is not None else divide(multiply(integer(4), LIMIT), EPSILON)
    above = (
        Emit((TRUE,)),
        Assign("count", add(whole("count"), integer(1))),
        Branch(at_most(LIMIT, whole("count")), (Break(),), (), 2),
    )
    body = (
        laplace("rho", 1, first),
        Assign("threshold", add(THRESHOLD, real("rho"))),
        Assign("count", integer(0)),
        over_data(
            laplace("nu", 2, second),
            Branch(at_most(real("threshold"), add(ELEMENT, real("nu"))), above, (Emit((FALSE,)),), 1),
        ),
    )
    return program("sparse_vector", body, adjacency, epsilon)


def noisy_max(scale: Term | None = None) -> Program:
    """The first place where the noisy answer is greatest."""
    scale = scale if scale is not None else divide(integer(2), EPSILON)
    better = disjunction(equal(COUNTER, integer(0)), less(real("best"), real("value")))
    body = (
        Assign("best", rational(0)),
        Assign("place", integer(0)),
        over_data(
            laplace("eta", 1, scale),
            Assign("value", add(ELEMENT, real("eta"))),
            Branch(better, (Assign("best", real("value")), Assign("place", COUNTER)), (), 1),
        ),
        Emit((whole("place"),)),
    )
    return program("noisy_max", body)


def partial_sum(scale: Term | None = None) -> Program:
    """The noisy sum."""
    scale = scale if scale is not None else divide(integer(1), EPSILON)
    body = (
        Assign("total", rational(0)),
        over_data(Assign("total", add(real("total"), ELEMENT))),
        laplace("eta", 1, scale),
        Emit((add(real("total"), real("eta")),)),
    )
    return program("partial_sum", body, ONE)


__all__ = ["ALL", "MONO", "ONE", "negation", "noisy_max", "partial_sum", "program", "sparse_vector"]
