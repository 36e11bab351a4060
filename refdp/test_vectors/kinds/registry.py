"""The types of groups by name, and a case with its expected values filled in, or compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.test_vectors.kinds.accounting import ACCOUNTING, PROFILE
from refdp.test_vectors.kinds.bitstream import BITSTREAM
from refdp.test_vectors.kinds.kind import Fields, Group, Kind, Test
from refdp.test_vectors.kinds.pmf import PMF
from refdp.test_vectors.kinds.stability import STABILITY
from refdp.test_vectors.kinds.statistical import STATISTICAL
from refdp.test_vectors.numbers import VectorError, shown

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (PMF, PROFILE, ACCOUNTING, BITSTREAM, STATISTICAL, STABILITY)}


def question_of(kind: Kind, test: Test) -> Fields:
    """What a case asks: its fields without those that are worked out; a claim without a mutant is part of it."""
    asked = {key: value for key, value in test.items() if key not in kind.computed}
    return asked if "mutant" in test or "claimed" not in test else asked | {"claimed": test["claimed"]}


def filled(group: Group, test: Test) -> Fields:
    """What the case must hold besides what it asks; VectorError where it cannot be worked out."""
    kind = KINDS[group["type"]]
    try:
        return kind.expected(group, question_of(kind, test))
    except VectorError:
        raise
    except (ValueError, ArithmeticError, KeyError, TypeError, IndexError) as error:
        raise VectorError(f"the case has no expected value: {str(error)[:200]}") from None


def differences(group: Group, test: Test) -> list[str]:
    """The fields of a case that are not what refdp works out, as sentences."""
    kind = KINDS[group["type"]]
    right = filled(group, test)
    stated: dict[str, Any] = {key: test[key] for key in test if key in kind.computed}
    names = [key for key in (*right, *stated) if right.get(key) != stated.get(key)]
    return [f"{key} must be {shown(right.get(key))}, got {shown(stated.get(key))}" for key in dict.fromkeys(names)]
