"""Models and the gradient of one row: a function of that row and of the weights alone, worked out for it by itself.

Where rows go through one matrix product, in floats the gradient of a row may depend on the others that are with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from refdp.learning.examples import Examples, Floats


class Model(Protocol):
    """What is trained."""

    @property
    def name(self) -> str:
        """The word for it."""

    @property
    def measured(self) -> str:
        """What `measure` gives, in words."""

    def parameters(self, features: int) -> int:
        """How many weights there are."""

    def gradient(self, weights: Floats, features: Floats, label: float) -> Floats:
        """The gradient of the loss of one row."""

    def measure(self, weights: Floats, examples: Examples) -> float:
        """How well the weights do on rows with labels."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """P[label = 1] = 1 / (1 + e^-(w x)), trained on its log loss; |gradient| <= |x|."""

    name: ClassVar[str] = "logistic"
    measured: ClassVar[str] = "accuracy"

    def parameters(self, features: int) -> int:
        return features

    def gradient(self, weights: Floats, features: Floats, label: float) -> Floats:
        """(1 / (1 + e^-(w x)) - label) x."""
        import numpy as np

        score = float((weights * features).sum())
        found: Floats = (1 / (1 + np.exp(-np.clip(score, -700, 700))) - label) * features
        return found

    def measure(self, weights: Floats, examples: Examples) -> float:
        """The share of rows with labels that are on the right side."""
        if not examples.known.any():
            return 0.0
        said = examples.features[examples.known] @ weights > 0
        return float((said == (examples.labels[examples.known] > 0.5)).mean())


@dataclass(frozen=True, slots=True)
class Linear:
    """label = w x, trained on half the square of the difference."""

    name: ClassVar[str] = "linear"
    measured: ClassVar[str] = "mean square error"

    def parameters(self, features: int) -> int:
        return features

    def gradient(self, weights: Floats, features: Floats, label: float) -> Floats:
        """(w x - label) x."""
        found: Floats = (float((weights * features).sum()) - label) * features
        return found

    def measure(self, weights: Floats, examples: Examples) -> float:
        """The mean square of the difference, of scaled labels, on rows that have them."""
        if not examples.known.any():
            return 0.0
        missed = examples.features[examples.known] @ weights - examples.labels[examples.known]
        return float((missed**2).mean())


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A model of one's own: `of_row(weights, features, label)` is the gradient of a row, as floats of `size` weights.

    It must be a function of its arguments alone: that is assumed, and an audit tries to find out.  `score` (weights,
    examples) says how well it does, if it is given.
    """

    of_row: Callable[[Any, Any, float], Any]
    size: int
    score: Callable[[Any, Any], float] | None = None
    name: str = "own"
    measured: str = "score"

    def parameters(self, features: int) -> int:
        return self.size

    def gradient(self, weights: Floats, features: Floats, label: float) -> Floats:
        import numpy as np

        found = np.asarray(self.of_row(weights, features, label), dtype=np.float64)
        if found.shape != (self.size,):
            raise ValueError(f"a gradient must have the shape ({self.size},) of the weights, got {found.shape}")
        return found

    def measure(self, weights: Floats, examples: Examples) -> float:
        return 0.0 if self.score is None else float(self.score(weights, examples))


def from_loss(
    loss: Callable[[Any, Any, Any], Any], size: int, score: Callable[[Any, Any], float] | None = None
) -> OwnModel:
    """The model of a loss (weights, features, label) of a row, differentiated by jax; ValueError without jax."""
    try:
        from importlib import import_module

        jax = import_module("jax")
    except ImportError:
        raise ValueError("a loss needs jax to be differentiated; give a gradient, or install jax") from None
    return OwnModel(jax.grad(loss), size, score)


MODELS: dict[str, Callable[[], Model]] = {"logistic": Logistic, "linear": Linear}
