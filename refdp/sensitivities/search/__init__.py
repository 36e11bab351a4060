"""UNTRUSTED: searches for invariants; whatever they find is checked by refdp.sensitivities.checking."""
