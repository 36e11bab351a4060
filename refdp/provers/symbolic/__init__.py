"""Integrals and identities, decided by sympy in a worker process with mpmath as a second opinion."""
