"""Local randomisers with one other formula, or under another stem, and what the oracles say of them."""

from dataclasses import replace

from refdp.spec.registry import kind_of
from refdp.spec.samplers import SCHEMES
from tests.exactness.entering import written
from tests.exactness.variants import verdict, verdicts


def verdict_with(stem: str, key: str, field: str, body: str) -> str:
    """What is said of an obligation where a formula has another body."""
    kind = kind_of(stem)
    reads = " ".join((*kind.parameters, *(["input"] if field == "rate" else [])))
    return verdict(replace(kind, stem="m", **{field: written(field, reads, body)}), key)


def verdicts_elsewhere(stem: str) -> set[str]:
    """What is said of all obligations under another stem."""
    return set(verdicts(replace(kind_of(stem), stem="m"), SCHEMES[stem]).values())
