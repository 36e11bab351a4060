"""The order of attack on one claim: look for a proof, look for a counterexample, say what was decided.

PROVED: alignments whose conditions the checker discharged, or exact probabilities of all there is.  REFUTED: an event
whose exact probabilities break the bound.  Else UNKNOWN, with what was tried.
"""

from __future__ import annotations
