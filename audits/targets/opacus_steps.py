"""Training steps of Opacus, by its public interface: per-sample gradients, clipping, noise, lots, set-up.

The model is a linear form of each layer, so that the gradient of a row is the row itself; weights start at 0 and the
optimiser is plain SGD of rate 1, so that what a step releases are the weights after it, with the other sign.  Options:

    clipping    "flat", "per_layer", "adaptive", or "ghost" (fast gradient clipping)
    multiplier  the noise multiplier that the optimiser is given, where it is another one than that of the claim
    unclipped   the deviation of adaptive clipping's noise on the number of rows that are not clipped; 1 unless said
    clip_norm   the norm that ghost clipping is given, where it differs from that of the noise
    divisor     "expected", or "actual": what the optimiser divides by is set to the size of each lot
    sampling    "poisson" (DPDataLoader), "drawn_again" (without its empty batches), or "shuffle" (a DataLoader)
    setup       "public": rate, steps and divisor are arguments; "engine": PrivacyEngine.make_private is asked
"""

import logging
import warnings
from importlib.metadata import version

import torch
from opacus import GradSampleModule, PrivacyEngine
from opacus.data_loader import DPDataLoader
from opacus.grad_sample import GradSampleModuleFastGradientClipping
from opacus.optimizers import (
    AdaClipDPOptimizer,
    DPOptimizer,
    DPOptimizerFastGradientClipping,
    DPPerLayerOptimizer,
)
from opacus.utils.fast_gradient_clipping_utils import DPLossFastGradientClipping
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ABOUT = {"library": "opacus", "version": version("opacus"), "target": "training step"}
logging.disable(logging.WARNING)
warnings.filterwarnings("ignore")
torch.set_num_threads(1)
RUNS = {}
"""A module, its optimiser and its loss for each setting: later answers are later steps of the same run."""


class Forms(nn.Module):
    """The sum of a linear form of each layer's part of a row."""

    def __init__(self, sizes):
        super().__init__()
        self.sizes = sizes
        self.forms = nn.ModuleList(nn.Linear(size, 1, bias=False) for size in sizes)
        forget(self)

    def forward(self, rows):
        """One number for each row."""
        parts = rows.split(self.sizes, dim=1)
        return sum(form(part) for form, part in zip(self.forms, parts, strict=True))


class Value(nn.Module):
    """The loss of a row: what the model says of it."""

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, outputs, _):
        """Of each row, or the mean over rows."""
        return outputs.flatten() if self.reduction == "none" else outputs.mean()


def forget(module):
    """All weights are 0 again."""
    with torch.no_grad():
        for weights in module.parameters():
            weights.zero_()


def run_of(given, noisy):
    """The run of a setting."""
    sizes, norm = [int(size) for size in given["layers"]], given["norm"]
    clipping = given.get("clipping", "flat")
    public = [given.get(name) for name in ("lot", "noise_multiplier", "multiplier", "clip_norm", "unclipped")]
    key = (tuple(sizes), noisy, clipping, norm, *public)
    if key not in RUNS:
        multiplier = given.get("multiplier", given["noise_multiplier"])
        RUNS[key] = made(sizes, norm, multiplier if noisy else 0.0, given, clipping)
    return RUNS[key]


def made(sizes, norm, noise_multiplier, given, clipping):
    """A module, its optimiser, and the loss."""
    net = Forms(sizes)
    sgd = torch.optim.SGD(net.parameters(), lr=1.0)
    public = {"noise_multiplier": noise_multiplier, "expected_batch_size": given["lot"]}
    if clipping == "ghost":
        asked = {} if given.get("clip_norm") is None else {"max_grad_norm": given["clip_norm"]}
        module = GradSampleModuleFastGradientClipping(net, use_ghost_clipping=True, **asked)
        optimizer = DPOptimizerFastGradientClipping(sgd, max_grad_norm=norm, **public)
        return module, optimizer, DPLossFastGradientClipping(module, optimizer, Value())
    if clipping == "per_layer":
        norms = [norm / len(sizes) ** 0.5] * len(sizes)
        return GradSampleModule(net), DPPerLayerOptimizer(sgd, max_grad_norm=norms, **public), Value()
    if clipping == "adaptive":
        # The norm stays what it is, so that all steps have the claim of the first.
        adaptive = AdaClipDPOptimizer(
            sgd, max_grad_norm=norm, target_unclipped_quantile=0.5, clipbound_learning_rate=0.0, max_clipbound=1e9,
            min_clipbound=1e-9, unclipped_num_std=given.get("unclipped", 1.0), **public,
        )  # fmt: skip
        return GradSampleModule(net), adaptive, Value()
    return GradSampleModule(net), DPOptimizer(sgd, max_grad_norm=norm, **public), Value()


def answer(given):
    """What a step adds to the weights, with the other sign."""
    rows = torch.tensor(given["gradients"], dtype=torch.float32).reshape(-1, given["size"])
    module, optimizer, loss = run_of(given, given["noisy"])
    forget(module)
    if given.get("divisor") == "actual":
        optimizer.expected_batch_size = max(1, len(rows))
    optimizer.zero_grad()
    loss(module(rows), torch.zeros(len(rows))).backward()
    optimizer.step()
    return [-one for weights in module.parameters() for one in weights.detach().flatten().tolist()]


def numbered(rows):
    """A table whose rows are their own numbers."""
    return TensorDataset(torch.arange(rows).reshape(-1, 1))


def lots(given):
    """The rows of each batch that a loader gives, in as many epochs as are needed."""
    rows, rate = given["rows"], given["rate"]
    if given.get("sampling") == "shuffle":
        loader = DataLoader(numbered(rows), batch_size=max(1, int(rows * rate)), shuffle=True)
    else:
        loader = DPDataLoader(numbered(rows), sample_rate=rate)
    found, with_empty = [], given.get("sampling") != "drawn_again"
    while len(found) < given["steps"]:
        batches = [batch[0].flatten().long().tolist() for batch in loader]
        found += [batch for batch in batches if batch or with_empty]
    return found[: given["steps"]]


def setup(given):
    """Rate, steps and divisor."""
    rows = given["rows"]
    net = Forms([2, 2])
    sgd = torch.optim.SGD(net.parameters(), lr=1.0)
    if given.get("setup") == "engine":
        loader = DataLoader(TensorDataset(torch.zeros(rows, 4)), batch_size=int(given["lot"]))
        _, optimizer, private = PrivacyEngine().make_private(
            module=net, optimizer=sgd, data_loader=loader, noise_multiplier=given["noise_multiplier"],
            max_grad_norm=given["norm"],
        )  # fmt: skip
        return {"rate": private.sample_rate, "steps": len(private), "divisor": optimizer.expected_batch_size}
    private = DPDataLoader(numbered(rows), sample_rate=given["rate"])
    _, optimizer, _ = run_of({**given, "layers": [2, 2]}, True)
    divisor = optimizer.expected_batch_size
    of_epoch = len(private)
    return {
        "rate": private.sample_rate,
        "steps": given["plan_steps"],
        "steps of an epoch": of_epoch,
        "divisor": divisor,
    }


def step(asked):
    """The answer to a question of the judges of training."""
    what, given = asked
    return {"answer": answer, "lots": lots, "setup": setup}[what](given)
