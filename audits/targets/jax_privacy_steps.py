"""Training steps of jax_privacy, by its public interface: clipped_grad, gaussian_privatizer, batch selection.

The loss is linear in the weights, so that the gradient of a row is the row itself.  A lot is filled up with rows that
are marked as padding, as the library asks for.  What a step releases is the noisy sum over the public divisor, unless
the clipping divides.  Options:

    normalize_by    what `clipped_grad` divides by; 1 unless said, and then the noisy sum is divided by the divisor
    dtype           "float32", or "float16"
    noise_on        "sum", or "mean": where the noise for a sum is added
    sampling        "poisson" (CyclicPoissonSampling), "balls_in_bins", or "fixed" (batches of one size)
    cycle           the cycle_length of the strategy; the period that is claimed, unless said
    probability     its sampling_prob; the rate that is claimed, unless said
"""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from importlib.metadata import version

import dp_accounting
import jax
import jax.numpy as jnp
import numpy as np
from jax_privacy import batch_selection, clipped_grad, noise_addition

ABOUT = {"library": "jax_privacy", "version": version("jax_privacy"), "target": "training step"}
ADD_OR_REMOVE = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
PADDED_TO = 8
RUNS = {}
"""Clipping and noise for each setting, and the state of the noise: later answers are later steps of the same run."""


def loss(weights, row):
    """The sum of a linear form of each layer's part of a row."""
    return sum(jnp.vdot(one, row[name]) for name, one in weights.items())


class Run:
    """What a training loop makes once, and the state that it hands on."""

    def __init__(self, sizes, given):
        self.dtype = jnp.dtype(given.get("dtype", "float32"))
        self.ends = np.cumsum([0, *sizes])
        self.weights = self.layers(np.zeros(sum(sizes)))
        self.clipped = clipped_grad(
            loss, l2_clip_norm=given["norm"], normalize_by=given.get("normalize_by", 1.0), keep_batch_dim=False
        )
        deviation = given["noise_multiplier"] * self.clipped.sensitivity(ADD_OR_REMOVE)
        self.privatizer = noise_addition.gaussian_privatizer(stddev=deviation)
        self.state = self.privatizer.init(self.weights)

    def layers(self, rows):
        """Rows as a tree with a leaf for each layer."""
        ends = zip(self.ends[:-1], self.ends[1:], strict=True)
        return {f"layer {i}": jnp.asarray(rows[..., a:b], self.dtype) for i, (a, b) in enumerate(ends)}

    def summed(self, rows):
        """The clipped gradients of the rows, summed, with padding that is marked as such."""
        count = PADDED_TO * max(1, -(-len(rows) // PADDED_TO))
        padded = np.zeros((count, rows.shape[1]))
        padded[: len(rows)] = rows
        return self.clipped(self.weights, self.layers(padded), is_padding_example=jnp.arange(count) >= len(rows))

    def noised(self, tree):
        """The tree with the noise of the next step."""
        found, self.state = self.privatizer.update(tree, self.state)
        return found


def run_of(given):
    """The run of a setting."""
    sizes = [int(size) for size in given["layers"]]
    key = repr((sizes, sorted((k, v) for k, v in given.items() if k not in ("gradients", "noisy", "rows", "steps"))))
    if key not in RUNS:
        RUNS[key] = Run(sizes, given)
    return RUNS[key]


def answer(given):
    """The noisy sum over the divisor."""
    run, divisor = run_of(given), 1.0 if "normalize_by" in given else given["lot"]
    rows = np.array(given["gradients"], dtype=np.float64).reshape(-1, given["size"])
    tree = run.summed(rows)
    on_mean = given.get("noise_on") == "mean"
    if on_mean:
        tree = jax.tree.map(lambda one: one / divisor, tree)
    if given["noisy"]:
        tree = run.noised(tree)
    found = np.concatenate([np.asarray(one, dtype=np.float64) for one in tree.values()])
    return (found if on_mean else found / divisor).tolist()


def lots(given):
    """The rows of each batch of a strategy."""
    rows, steps, period = given["rows"], given["steps"], given["period"]
    sampling = given.get("sampling", "poisson")
    if sampling == "balls_in_bins":
        strategy = batch_selection.BallsInBinsSampling(iterations=steps, cycle_length=given.get("cycle", period))
    elif sampling == "fixed":
        size = round(given["rate"] * rows)
        strategy = batch_selection.FixedBatchSampling(batch_size=size, iterations=steps)
    else:
        cycle = given.get("cycle", period)
        probability = given.get("probability", given["rate"])
        strategy = batch_selection.CyclicPoissonSampling(
            sampling_prob=probability, iterations=steps, cycle_length=cycle,
            partition_type=batch_selection.PartitionType.INDEPENDENT,
        )  # fmt: skip
    return [[int(row) for row in batch] for batch in strategy.batch_iterator(rows)]


def setup(given):
    """Rate, steps and divisor are arguments of what the library makes."""
    strategy = batch_selection.CyclicPoissonSampling(sampling_prob=given["rate"], iterations=given["plan_steps"])
    divisor = given.get("normalize_by", given["lot"])
    batches = sum(1 for _ in strategy.batch_iterator(given["rows"]))
    return {"rate": strategy.sampling_prob, "steps": batches, "divisor": divisor}


def step(asked):
    """The answer to a question of the judges of training."""
    what, given = asked
    return {"answer": answer, "lots": lots, "setup": setup}[what](given)
