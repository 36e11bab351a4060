"""From one privacy measure to another."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Private, merged, require
from refdp.kernel.rules.privacy import is_yes
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec.conversions import concentrated_of_pure, epsilon_of_concentrated, epsilon_of_renyi
from refdp.terms.reading import read
from refdp.terms.term import exp, ln, number


@rule
def pure_to_approximate(m: Private, *, epsilon: str | None = None, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> pure(e)                      |- M : d_in |-> pure(e)     0 <= epsilon <= e
    -----------------------------------    ---------------------------------------------------------------------
      |- M : d_in |-> approximate(e, 0)     |- M : d_in |-> approximate(epsilon, (e^e - e^epsilon) / (e^e + 1))
    """
    require_measure(m, "pure")
    if epsilon is None:
        require(d_out is None, "without another epsilon the loss stays as it is")
        return replace(m, measure="approximate", d_out=(*m.d_out, number(0)))
    (e,), less = m.d_out, read(epsilon)
    losses, given = (less, (exp(e) - exp(less)) / (exp(e) + 1)), merged(m.given, (0 <= less, less <= e))
    return settled(replace(m, measure="approximate", d_out=losses, given=given), d_out)


@rule
def pure_to_concentrated(m: Private, *, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> pure(e)
    ----------------------------------------------
      |- M : d_in |-> concentrated(e^2 / 2)          BS16 Prop 1.4, proved in docs/soundness.md
    """
    require_measure(m, "pure")
    return settled(replace(m, measure="concentrated", d_out=(concentrated_of_pure(m.d_out[0]),)), d_out)


@rule
def concentrated_to_approximate(m: Private, *, delta: str = "delta", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> concentrated(rho)     0 < delta < 1
    -----------------------------------------------------------------------------  BS16 Prop 1.3
      |- M : d_in |-> approximate(rho + 2 sqrt(rho ln(1 / delta)), delta)
    """
    require_measure(m, "concentrated")
    rho, d = m.d_out[0], read(delta)
    given = merged(m.given, (0 < d, d < 1))
    return settled(replace(m, measure="approximate", d_out=(epsilon_of_concentrated(rho, d), d), given=given), d_out)


@rule
def concentrated_to_renyi(m: Private, *, order: str = "order", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> concentrated(rho)     order > 1
    ----------------------------------------------------
      |- M : d_in |-> renyi(order, rho order)            the definition of zCDP
    """
    require_measure(m, "concentrated")
    alpha = read(order)
    return settled(
        replace(m, measure="renyi", d_out=(alpha, m.d_out[0] * alpha), given=merged(m.given, (1 < alpha,))), d_out
    )


@rule
def renyi_to_approximate(
    m: Private, *, delta: str = "delta", sharp: str = "no", d_out: list[str] | None = None
) -> Private:
    """
      |- M : d_in |-> renyi(a, e)     1 < a     0 < delta < 1
    ---------------------------------------------------------------------------  Mir17 Prop 3
      |- M : d_in |-> approximate(e + ln(1 / delta) / (a - 1), delta)

    Sharp: approximate(e + ln((a - 1) / a) + ln(1 / (a delta)) / (a - 1), delta), as in CKS20.
    """
    require_measure(m, "renyi")
    (order, e), d = m.d_out, read(delta)
    given = merged(m.given, (1 < order, 0 < d, d < 1))
    sharper = e + ln((order - 1) / order) + ln(1 / (order * d)) / (order - 1)
    epsilon = sharper if is_yes(sharp) else epsilon_of_renyi(order, e, d)
    return settled(replace(m, measure="approximate", d_out=(epsilon, d), given=given), d_out)


@rule
def pure_to_renyi(m: Private, *, order: str = "order", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> pure(e)     order > 1
    ---------------------------------------------------------------------------------------------------  a the order
      |- M : d_in |-> renyi(order, ln((e^(a e) + e^((1 - a) e)) / (1 + e^e)) / (a - 1))
    """
    require_measure(m, "pure")
    (e,), alpha = m.d_out, read(order)
    moment = (exp(alpha * e) + exp((1 - alpha) * e)) / (1 + exp(e))
    losses, given = (alpha, ln(moment) / (alpha - 1)), merged(m.given, (1 < alpha,))
    return settled(replace(m, measure="renyi", d_out=losses, given=given), d_out)


@rule
def renyi_at_smaller_order(m: Private, *, order: str) -> Private:
    """
      |- M : d_in |-> renyi(a, e)     1 < order <= a
    ------------------------------------------------
      |- M : d_in |-> renyi(order, e)
    """
    require_measure(m, "renyi")
    alpha = read(order)
    given = merged(m.given, (1 < alpha, alpha <= m.d_out[0]))
    return settled(replace(m, d_out=(alpha, m.d_out[1]), given=given))


def require_measure(m: Private, measure: str) -> None:
    """The premise is a private claim under that measure."""
    require(isinstance(m, Private) and m.measure == measure, f"expected a private claim under {measure}, got {m}")
