"""Flower's local differential privacy: the standard deviation that LocalDpMod adds for a claim, and its noise.

The modifier itself runs, for a client whose model does not change; of messages it needs the content alone.
"""

import logging
from importlib.metadata import version
from types import SimpleNamespace

import numpy as np
from flwr.app import Array, ArrayRecord, RecordDict
from flwr.clientapp.mod import localdp_mod

ABOUT = {"library": "flwr", "version": version("flwr"), "target": "LocalDpMod"}
logging.disable(logging.WARNING)
CLIPPING = 1.0


def message(values):
    """A message with one array."""
    content = RecordDict({"arrays": ArrayRecord({"w": Array(np.array(values))})})
    return SimpleNamespace(content=content, has_error=lambda: False)


def noisy(x):
    """The parameters that leave the modifier for (epsilon, delta, sensitivity), those of the client being 0.25."""
    epsilon, delta, sensitivity = x
    mod = localdp_mod.LocalDpMod(CLIPPING, sensitivity, epsilon, delta)
    sent = mod(message([0.0] * 4), None, lambda message_in, context: message([0.25] * 4))
    return [float(value) for value in sent.content.array_records["arrays"]["w"].numpy()]


def scale(x):
    """The standard deviation that the modifier hands to its noise for (epsilon, delta, sensitivity)."""
    seen = []
    original = localdp_mod.add_gaussian_noise_inplace
    localdp_mod.add_gaussian_noise_inplace = lambda arrays, std_dev: seen.append(std_dev)
    try:
        noisy(x)
    finally:
        localdp_mod.add_gaussian_noise_inplace = original
    return float(seen[0])
