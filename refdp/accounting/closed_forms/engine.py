"""The engine `closed forms`: which compositions have one, and the curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.accounting.closed_forms.formula import formula
from refdp.accounting.closed_forms.laplaces import MOST_COPIES as MOST_LAPLACES
from refdp.accounting.closed_forms.laplaces import is_mix, laplaces_formula
from refdp.accounting.closed_forms.normal import normal_formula
from refdp.accounting.closed_forms.responses import MOST_COPIES as MOST_RESPONSES
from refdp.accounting.closed_forms.responses import responses_formula
from refdp.accounting.closed_forms.single import single_formula
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.losses import Composition, Laplace, Normal, Response

if TYPE_CHECKING:
    from flint import arb


class ClosedForms:
    """One Gaussian pair, Laplace pairs with responses, equal responses, or one event alone: to any accuracy."""

    name = "closed forms"

    def why_not(self, composition: Composition) -> str | None:
        """None if delta has a closed form here, else one sentence."""
        (loss, count), *others = composition.parts
        most = {Laplace: MOST_LAPLACES, Response: MOST_RESPONSES}.get(type(loss), count)
        if not others and count > most:
            return f"the sum for copies of {type(loss).__name__} is worked out for at most {most}, got {count}"
        if closed_form(composition) is not None:
            return None
        if others:
            return "no closed form but for powers of one pair, and for few Laplace pairs with few rational responses"
        kind = type(loss).__name__
        return f"{count} copies of {kind} have no closed form" if count > 1 else f"this {kind} has no closed form"

    def curves(self, composition: Composition, effort: Effort) -> Iterator[Curve]:
        """The curve, whose enclosures are as narrow as asked for; OutOfReach if there is none."""
        found = closed_form(composition)
        if found is None or self.why_not(composition):
            raise OutOfReach(f"{self.name}: {self.why_not(composition)}")
        effort.check()
        yield formula(self.name, found, effort)


def closed_form(composition: Composition) -> Callable[[Fraction, int], arb] | None:
    """delta(epsilon) with so many binary digits, or None."""
    (loss, count), *others = composition.parts
    if is_mix(composition.parts):
        return laplaces_formula(composition.parts)
    if others:
        return None
    match loss:
        case Normal():
            return normal_formula(Normal(loss.mu_squared * count))
        case Response():
            return responses_formula(loss, count)
    return single_formula(loss) if count == 1 else None


ENGINE = ClosedForms()
