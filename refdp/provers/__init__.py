"""Untrusted search: what is proved here enters the kernel only by name, through `oracles.run`."""
