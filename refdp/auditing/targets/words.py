"""Metrics and measures of other libraries in refdp's words; those that refdp has not are named exactly and kept."""

from __future__ import annotations

from collections.abc import Mapping

from refdp.spec.distances import MEASURES, METRICS

OPENDP: Mapping[str, str] = {
    "SymmetricDistance": "symmetric",
    "ChangeOneDistance": "change_one",
    "HammingDistance": "hamming",
    "InsertDeleteDistance": "opendp:InsertDeleteDistance",
    "AbsoluteDistance": "absolute",
    "L1Distance": "l1",
    "L2Distance": "l2",
    "LInfDistance": "linf",
    "DiscreteDistance": "discrete",
    "MaxDivergence": "pure",
    "SmoothedMaxDivergence": "approximate",
    "FixedSmoothedMaxDivergence": "approximate",
    "Approximate(MaxDivergence)": "approximate",
    "ZeroConcentratedDivergence": "concentrated",
    "RenyiDivergence": "renyi",
}
"""OpenDP's names without their type arguments."""
FOREIGN: Mapping[str, str] = {
    "opendp:InsertDeleteDistance": "at most d_in rows inserted or deleted, the order of the others being kept",
    "diffprivlib:handed": "what the i-th mechanism is handed moves by at most d_out times its own sensitivity",
}
"""What other libraries claim in words of their own, kept as they are, exactly as used here."""


class WordError(ValueError):
    """A metric or measure that is not known."""


def refdp_word(name: str) -> str:
    """The word for what OpenDP calls `name`, type arguments or parentheses included; WordError if there is none."""
    bare = name if name in OPENDP else name.replace("<", "(").partition("(")[0]
    if bare not in OPENDP:
        raise WordError(f"metric or measure must be one of {', '.join(OPENDP)}, got {name}")
    return OPENDP[bare]


def known_metric(name: str) -> str:
    """The name itself; WordError unless it is a registered metric or a foreign one."""
    if name not in METRICS and name not in FOREIGN:
        raise WordError(f"metric must be one of {', '.join([*METRICS, *FOREIGN])}, got {name}")
    return name


def known_output(name: str) -> str:
    """The name itself; WordError unless it is a metric or a registered measure."""
    return name if name in MEASURES else known_metric(name)
